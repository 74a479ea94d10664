// Package playbook reads the files that the dialectic format is led by: how
// sure evidence must be in each category, which sources may decide, how many
// rounds there are, and the red flags that the pressure-tester looks for. Each
// flag says in words what a model should look for, and may name checks that a
// machine applies to a diff; what those checks do is package redflag's.
//
// The package is pure: bytes in, a Playbook or the list of what is wrong out.
// Nothing in a file is guessed: an unknown word is an error with its line and
// the nearest known one. Start at Read; the built-in playbooks lie in books.
package playbook

import (
	"embed"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"

	"moot/config"
	"moot/internal/enum"
	"moot/resolver/dialectic"
)

// Playbook is what a session of the dialectic format goes by.
type Playbook struct {
	// Name is what the playbook is called by: that of a built-in one, or that of
	// the file.
	Name string
	// Title and About are a line each for people.
	Title, About string
	// Config is what the resolver goes by: thresholds by category, the source
	// kinds that may decide by severity, their order, how old an item may be, and
	// the rounds, from 1 to 8. It is complete.
	Config dialectic.Config
	// Flags are what the pressure-tester looks for, in the order of the file.
	Flags []Flag
}

// Flag is one red flag.
type Flag struct {
	// ID names the flag: lower-case words joined by hyphens.
	ID string
	// Title says in a few words what is wrong where the flag is raised.
	Title string
	// Look tells a reader, or a model, what to look for.
	Look string
	// Why says in one sentence what it led to before.
	Why string
	// Category has a threshold of its own in the playbook.
	Category string
	Severity dialectic.Severity
	// Predicate is what would be true if there was nothing to object to: the
	// statement that evidence supports or contradicts.
	Predicate string
	// Clears says which evidence would clear the objection.
	Clears string
	// Checks find the flag without a model; none where it takes judgment.
	Checks []Check
}

// Flag returns the flag of an id, or nil.
func (p *Playbook) Flag(id string) *Flag {
	for i := range p.Flags {
		if p.Flags[i].ID == id {
			return &p.Flags[i]
		}
	}
	return nil
}

// Categories are those with a threshold, sorted.
func (p *Playbook) Categories() []string { return slices.Sorted(maps.Keys(p.Config.Thresholds)) }

//go:embed books/*.toml
var bookFiles embed.FS

//go:embed patterns.toml
var patternFile []byte

// errNested says that a built-in playbook extends another, which none does.
var errNested = errors.New("a built-in playbook extends no other")

// Names are the built-in playbooks.
func Names() []string {
	return []string{"code-review", "design-review", "dependency-upgrade", "infrastructure-change", "incident-review"}
}

// BuiltIn returns a playbook that moot is built with. The error names the
// nearest where there is none of that name.
func BuiltIn(name string) (Playbook, error) {
	known, err := enum.Parse("playbook", name, Names())
	if err != nil {
		return Playbook{}, err
	}
	data, err := bookFiles.ReadFile("books/" + known + ".toml")
	if err != nil {
		return Playbook{}, fmt.Errorf("the playbook %s that moot is built with: %w", known, err)
	}
	nested := func(string) (Playbook, error) { return Playbook{}, errNested }
	book, err := read(known+".toml", data, nested)
	if err != nil {
		return Playbook{}, fmt.Errorf("the playbook %s that moot is built with: %w", known, err)
	}
	book.Name = known
	return book, nil
}

// readSets reads the sets of patterns that checks may name.
func readSets() (map[string][]Pattern, error) {
	var file setsForm
	if err := config.Strict(patternFile, &file); err != nil {
		return nil, fmt.Errorf("read the patterns that moot is built with: %w", err)
	}
	sets := map[string][]Pattern{}
	for _, set := range file.Sets {
		for _, row := range set.Rows {
			pattern, err := row.compile()
			if err != nil {
				return nil, fmt.Errorf("the set of patterns %s that moot is built with: %w", set.Name, err)
			}
			sets[set.Name] = append(sets[set.Name], pattern)
		}
	}
	return sets, nil
}

func (f *patternForm) compile() (Pattern, error) {
	pattern := Pattern{Files: f.Files, Where: Code}
	var err error
	if pattern.Match, err = regexp.Compile(f.Pattern); err != nil {
		return Pattern{}, err
	}
	pattern.Words = wordsOf(pattern.Match)
	if f.Unless != "" {
		if pattern.Unless, err = regexp.Compile(f.Unless); err != nil {
			return Pattern{}, err
		}
	}
	if f.Where != "" {
		if pattern.Where, err = enum.Parse("part of a line", f.Where, Parts()); err != nil {
			return Pattern{}, err
		}
	}
	return pattern, nil
}

// Sets are the names of the sets of patterns that a check may take, sorted.
func Sets() []string {
	sets, err := readSets()
	if err != nil {
		// The sets are embedded and tested.
		return nil
	}
	return slices.Sorted(maps.Keys(sets))
}

// Kind names a machine check, applied by package redflag. The list is closed.
type Kind string

// The kinds of checks.
const (
	// AddedLine fires on an added line that matches. A line that the change
	// moves, or indents again, is not added.
	AddedLine Kind = "added-line"
	// RemovedLine fires on a removed line that matches, unless the same file
	// gains a line that matches the same pattern in its stead.
	RemovedLine Kind = "removed-line"
	// MissingLine fires on a touched file none of whose lines match.
	MissingLine Kind = "missing-line"
	// TouchedFile fires on a file that the change touches.
	TouchedFile Kind = "touched-file"
	// MissingCompanion fires on a touched file without the file that must
	// change along with it.
	MissingCompanion Kind = "missing-companion"
	// LargeChange fires where more lines changed than one can read.
	LargeChange Kind = "large-change"
	// BinaryFile fires on a binary file that is new or changed.
	BinaryFile Kind = "binary-file"
	// Secret fires on an added line that holds what looks like a secret.
	Secret Kind = "secret"
)

// Kinds returns every Kind.
func Kinds() []Kind {
	return []Kind{AddedLine, RemovedLine, MissingLine, TouchedFile, MissingCompanion, LargeChange, BinaryFile, Secret}
}

// String returns the word itself.
func (k Kind) String() string { return string(k) }

// UnmarshalText refuses a word that is no Kind.
func (k *Kind) UnmarshalText(text []byte) error { return enum.Unmarshal("check", text, Kinds(), k) }

// Says is in a sentence when a check of this kind fires.
func (k Kind) Says() string {
	return map[Kind]string{ //nolint:gosec // a sentence about secrets is none
		AddedLine: "An added line matches. A line that moved, or is only indented anew, is not added.",
		RemovedLine: "A removed line matches, and the file gains none that matches in its stead. Lines of a " +
			"function or file that is gone as a whole do not count.",
		MissingLine: "No line of a touched file matches.",
		TouchedFile: "The change touches the file.",
		MissingCompanion: "The change touches the file, or a line in it that matches, and not the file that goes " +
			"along.",
		LargeChange: "More lines changed than the limit, without moved lines and files that nobody here wrote.",
		BinaryFile:  "A binary file is new or changed.",
		Secret:      "An added line holds what looks like a secret.",
	}[k]
}

// Keys returns the keys that a check of this kind may have besides kind, files,
// except and scope, and those of them that it must have.
func (k Kind) Keys() (may, must []string) {
	switch k {
	case AddedLine:
		return []string{"pattern", "set", "unless", "near", "where"}, []string{"pattern"}
	case RemovedLine:
		return []string{"pattern", "set", "unless", "where", "needs"}, []string{"pattern"}
	case MissingLine:
		return []string{"pattern", "when"}, []string{"pattern"}
	case TouchedFile:
		return []string{"change", "unless"}, []string{"files"}
	case MissingCompanion:
		return []string{"pattern", "set", "needs", "change"}, []string{"files", "needs"}
	case LargeChange:
		return []string{"limit"}, []string{"limit"}
	case BinaryFile, Secret:
		return nil, nil
	}
	return nil, nil
}

// Part is which part of a line a pattern is held against.
type Part string

// The parts of a line.
const (
	// Code is the line without its comment: the default.
	Code Part = "code"
	// Comment is the comment alone.
	Comment Part = "comment"
	// Whole is the complete line.
	Whole Part = "whole"
)

// Parts returns every Part.
func Parts() []Part { return []Part{Code, Comment, Whole} }

// String returns the word itself.
func (p Part) String() string { return string(p) }

// UnmarshalText refuses a word that is no Part.
func (p *Part) UnmarshalText(text []byte) error {
	return enum.Unmarshal("part of a line", text, Parts(), p)
}

// Alteration says how a change alters a file.
type Alteration string

// The alterations.
const (
	Added    Alteration = "added"
	Modified Alteration = "modified"
	Deleted  Alteration = "deleted"
	Renamed  Alteration = "renamed"
)

// Alterations returns every Alteration.
func Alterations() []Alteration { return []Alteration{Added, Modified, Deleted, Renamed} }

// String returns the word itself.
func (a Alteration) String() string { return string(a) }

// UnmarshalText refuses a word that is no Alteration.
func (a *Alteration) UnmarshalText(text []byte) error {
	return enum.Unmarshal("alteration", text, Alterations(), a)
}

// Scope is which files a check is about.
type Scope string

// The scopes.
const (
	// AllFiles is every file: the default.
	AllFiles Scope = "all"
	// Product files are neither tests nor prose.
	Product Scope = "product"
	// Tests are the files that hold tests.
	Tests Scope = "tests"
	// Prose files are documents.
	Prose Scope = "prose"
)

// Scopes returns every Scope.
func Scopes() []Scope { return []Scope{AllFiles, Product, Tests, Prose} }

// String returns the word itself.
func (s Scope) String() string { return string(s) }

// UnmarshalText refuses a word that is no Scope.
func (s *Scope) UnmarshalText(text []byte) error {
	return enum.Unmarshal("scope", text, Scopes(), s)
}

// Check is one machine check and what it goes by. Fields that its Kind does not
// take are zero.
type Check struct {
	Kind Kind
	// Files and Except are globs (doublestar's: **, {a,b}). One without a slash
	// is held against the file's name, others against its path. Without Files
	// all files count.
	Files, Except []string
	Scope         Scope
	// Patterns are held against lines; one match is enough.
	Patterns []Pattern
	// Near excuses a line if it matches anywhere in the same hunk.
	Near *regexp.Regexp
	// When limits MissingLine to files in which it matches somewhere.
	When *regexp.Regexp
	// Needs are globs of files of which one must change too. {dir}, {name} and
	// {stem} stand for the folder of the file, its name, and that without its
	// last extension.
	Needs []string
	// Changes limits the check to files that are altered so; none means all.
	Changes []Alteration
	// Unless excuses a touched file all of whose changed lines match.
	Unless *regexp.Regexp
	// Limit is how many changed lines are still readable.
	Limit int
}

// Pattern matches lines of some files.
type Pattern struct {
	// Files are globs as those of a Check; none means all.
	Files []string
	// Match is held against Where of a line, Unless against all of it.
	Match, Unless *regexp.Regexp
	Where         Part
	// Words are lower-case words: each line that matches has one of them. Empty if that is
	// unknown.
	Words []string
}

// Alters reports whether the check is about files that are altered so.
func (c *Check) Alters(how Alteration) bool {
	return len(c.Changes) == 0 || slices.Contains(c.Changes, how)
}

// shortest is the length of a word, in bytes, from which on looking for it first
// saves more than it costs.
const shortest = 2

// wordsOf returns lower-case words one of which stands in every text that the
// expression matches, once that is lower-case too; none where there are no such
// words. Looking for words is many times quicker than matching.
func wordsOf(expression *regexp.Regexp) []string {
	parsed, err := syntax.Parse(expression.String(), syntax.Perl)
	if err != nil {
		return nil
	}
	words := needed(parsed)
	slices.Sort(words)
	return slices.Compact(words)
}

// needed is wordsOf for a part of an expression.
func needed(part *syntax.Regexp) []string {
	switch part.Op {
	case syntax.OpLiteral:
		if word := strings.ToLower(string(part.Rune)); len(word) >= shortest {
			return []string{word}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return needed(part.Sub[0])
	case syntax.OpRepeat:
		if part.Min > 0 {
			return needed(part.Sub[0])
		}
	case syntax.OpConcat:
		// Any of them will do: the one whose shortest word is the longest.
		var best []string
		for _, sub := range part.Sub {
			if words := needed(sub); least(words) > least(best) {
				best = words
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range part.Sub {
			words := needed(sub)
			if words == nil {
				return nil
			}
			all = append(all, words...)
		}
		return all
	case syntax.OpNoMatch, syntax.OpEmptyMatch, syntax.OpCharClass, syntax.OpAnyCharNotNL, syntax.OpAnyChar,
		syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary,
		syntax.OpNoWordBoundary, syntax.OpStar, syntax.OpQuest:
	}
	return nil
}

// least is the length of the shortest word.
func least(words []string) int {
	shortest := 0
	for i, word := range words {
		if i == 0 || len(word) < shortest {
			shortest = len(word)
		}
	}
	return shortest
}
