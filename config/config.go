package config

import (
	"cmp"
	_ "embed" // The template is a file of its own.
	"fmt"
	"strings"

	"moot/internal/lists"
)

// MaxBytes is the maximum size of the file.
const MaxBytes = 1 << 17

// maxProblems is how many problems are shown. A file with more is probably another kind of file.
const maxProblems = 40

// File is the content of config.toml, with defaults for missing values.
type File struct {
	Screen Screen
	// Keys has a Section for each place with key bindings, Themes one for each theme of the user, in the order of the
	// file.
	Keys, Themes []Section
	// Seats assigns participants to seats. An entry has several values if it also names those for numbered seats.
	Seats  []Entry
	Review Review
	// Participants are the participants that the user named.
	Participants []Participant
	// Prices override and extend the built-in ones.
	Prices []Price
	// Hosts are those whose pages may be cited as evidence.
	Hosts []Host
	// Tools are the tool servers, in the order of the file.
	Tools []ToolServer
	// Lines has the lines of all entries.
	Lines Lines
	// NotifyCommand is the program with its arguments that tells the user that a session in the background needs them. It
	// is empty if nobody is to be told.
	NotifyCommand []string
	// Limits and Budget have the names of flags.
	Limits, Budget []Setting
}

// Screen is the section [screen].
type Screen struct {
	// Theme is the name of a theme; "auto" detects the terminal.
	Theme string `toml:"theme"`
	// ASCII draws borders and symbols in ASCII.
	ASCII bool `toml:"ascii"`
	// The others are true by default.
	Animation bool `toml:"animation"`
	Mouse     bool `toml:"mouse"`
}

// Review is the section [review].
type Review struct {
	// Reviewers is the entry with the participants that review changes. It has no values if the file does not name them.
	Reviewers Entry
	// Ignore is the entry with the globs of files that are left out of reviews. Their syntax is checked by another package.
	Ignore Entry
}

// Section is a table whose keys are checked by another package.
type Section struct {
	Name string
	// Line is the line of its heading or first entry, from 1.
	Line    int
	Entries []Entry
}

// Entry is one line of a Section.
type Entry struct {
	Name string
	// Values holds one string, or those of a list, which may be empty. Numbers are kept as written.
	Values []string
	// Line is the line of the entry, from 1.
	Line int
}

// Problem is an error in a file. The invalid entry is ignored; the rest of the file applies.
type Problem struct {
	// File is the name of the file, Line the line in it, from 1, or 0 for the file as a whole.
	File string
	Line int
	// What describes the problem and suggests the nearest known name.
	What string
	// Decides reports whether the problem affects which participants are called, or their cost. No session starts
	// until such problems are fixed; others are only shown.
	Decides bool
}

// Error returns "config.toml:12: description".
func (p Problem) Error() string {
	switch {
	case p.Line > 0:
		return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.What)
	case p.File != "":
		return p.File + ": " + p.What
	}
	return p.What
}

// String returns Error.
func (p Problem) String() string { return p.Error() }

// Problems is all problems of a file as one error, in the order of its lines.
type Problems []Problem

// Error returns a line for each problem, such as "mine.toml:12: unknown key …".
func (p Problems) Error() string {
	said := lists.Map(p, func(problem Problem) string { return problem.Error() })
	return strings.Join(said, "\n")
}

// Default returns the configuration without a file.
func Default() File {
	return File{Screen: Screen{Theme: "auto", Animation: true, Mouse: true}}
}

// In sets the file name of problems that were found in its Sections.
func In(file string, problems []Problem) []Problem {
	for i := range problems {
		problems[i].File = file
	}
	return problems
}

// Deciding returns the problems that must be fixed before a session starts.
func Deciding(problems []Problem) Problems {
	return lists.Filter(problems, func(p Problem) bool { return p.Decides })
}

// Few returns the first 40 problems, and one that counts the rest.
func Few(problems []Problem) []Problem {
	more := len(problems) - maxProblems
	if more <= 0 {
		return problems
	}
	return append(problems[:maxProblems:maxProblems], Problem{
		File: problems[0].File, What: fmt.Sprintf("and %d more problems", more),
		Decides: len(Deciding(problems[maxProblems:])) > 0,
	})
}

// Meant returns "; did you mean NEAREST?", or "" if nearest is "".
func Meant(nearest string) string {
	if nearest == "" {
		return ""
	}
	return "; did you mean " + nearest + "?"
}

// Named formats a name from the file: as it is if it is a plain word, else quoted and clipped, so that no control
// characters reach the terminal.
func Named(name string) string {
	const longest = 60
	if name != "" && len(name) <= longest && strings.IndexFunc(name, notBare) < 0 {
		return name
	}
	return fmt.Sprintf("%.*q", longest, name)
}

// notBare reports whether a character is not allowed in a bare key of TOML.
func notBare(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
}

// Participant is a table [participants.NAME]: the user's name for a participant, and its settings. Settings that are
// not given are zero.
type Participant struct {
	Name string `toml:"-"`
	// Line is the line of its heading or first entry, from 1.
	Line int `toml:"-"`
	// Is is the participant as on the command line.
	Is string `toml:"is"`
	// Temperature is from 0 to 2.
	Temperature *float64 `toml:"temperature"`
	// ReasoningEffort is one of Efforts.
	ReasoningEffort string `toml:"reasoning-effort"`
	// MaxTokens caps a reply.
	MaxTokens int `toml:"max-tokens"`
	// Base is another base URL for a known endpoint.
	Base string `toml:"base"`
	// Key is the name of the variable or keyring entry with the key, never the key itself.
	Key string `toml:"key"`
	// Fallback is the participant to use if this one cannot be reached.
	Fallback string `toml:"fallback"`
	// CallsAtOnce is how many calls of a batch it may have at the same time, CallsPerMinute how many may begin in a
	// minute; 0 is no limit.
	CallsAtOnce    int     `toml:"calls-at-once"`
	CallsPerMinute float64 `toml:"calls-per-minute"`
	// Lines maps the names of the entries to their lines.
	Lines map[string]int `toml:"-"`
}

// Host is a table [hosts."NAME"]: a host whose pages may be cited as evidence.
type Host struct {
	// Name may have a port.
	Name string `toml:"-"`
	// Line is the line of its heading or first entry, and SourceLine that of source.
	Line       int `toml:"-"`
	SourceLine int `toml:"-"`
	// Source is what its pages are, "" for any page.
	Source string `toml:"source"`
	// Private permits addresses in private networks.
	Private bool `toml:"private"`
}

// Price is the price of a model in US dollars per million tokens.
type Price struct {
	Model   string
	In, Out float64
	Line    int
}

// Setting is an entry that has the name of a flag, with its value as the flag takes it.
type Setting struct {
	Name, Value string
	// Quoted reports whether the value was in quotes: numbers are not.
	Quoted bool
	Line   int
}

// ToolServer is a table [tools.NAME]: an MCP server with tools that seats may ask for as evidence. It has a Command or
// a URL.
type ToolServer struct {
	Name string `toml:"-"`
	// Line is the line of its heading or first entry, from 1.
	Line int `toml:"-"`
	// Command is a program with its arguments, which speaks the protocol on its standard input and output.
	Command []string `toml:"command"`
	// URL is the address of a server that runs elsewhere. It is never shown, since it may hold a key.
	URL string `toml:"url"`
	// Tools may be called without asking. If Trust is set, so may those that the server calls read-only.
	Tools []string `toml:"tools"`
	Trust bool     `toml:"trust"`
	// Source is the source kind of what the tools say, and Sources that of single tools: one of ToolSources, or "".
	Source  string            `toml:"source"`
	Sources map[string]string `toml:"sources"`
	// Env names the variables that the program gets.
	Env []string `toml:"env"`
}

// ToolSources returns the source kinds that a user may give to the results of tools. Others count as fresh-research.
func ToolSources() []string { return []string{"official-source", "live-api", "modeled-fallback"} }

// IsToolName reports whether moot calls a tool of this name: one plain word, since models read it.
func IsToolName(name string) bool {
	return name != "" && len(name) <= maxToolName && name[0] != '-' && !strings.ContainsFunc(name, func(r rune) bool {
		return notBare(r) && r != '.' && r != '/'
	})
}

// SourceOf returns the configured source kind of what a tool says, or "".
func (s *ToolServer) SourceOf(tool string) string { return cmp.Or(s.Sources[tool], s.Source) }

const (
	// maxToolName is the longest name that the protocol recommends.
	maxToolName = 128
	// priceExample shows how to write a price.
	priceExample = "{ in = 0.25, out = 2.00 }"
	// maxPrice is more than any model costs; it catches prices per token or in cents.
	maxPrice = 100_000
	// maxTemperature is the highest temperature that endpoints accept.
	maxTemperature = 2
	// maxPerMinute is the highest rate of calls: above it, a limit has no effect.
	maxPerMinute = 1_000_000
)

// Options returns the entries that [participants.NAME] may have.
func Options() []string { return Keys(Participant{}) }

// Efforts returns the reasoning efforts.
func Efforts() []string { return []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"} }

//go:embed template.toml
var template string

// Template returns a file to start with: all settings, each in a comment.
func Template() string { return template }
