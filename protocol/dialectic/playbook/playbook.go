// Package playbook reads the playbooks of the dialectic format: the confidence that evidence needs in each
// category, the sources that may decide, the number of rounds, and the red flags that the pressure-tester looks
// for. Each flag describes what a model should look for, and may list checks that package redflag applies to a
// diff.
//
// The package is pure. An unknown word in a file is an error with its line and the nearest known word. Start at
// Read; the built-in playbooks are in books.
package playbook

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"moot/config"
	"moot/internal/enum"
	"moot/ledger"
	"moot/protocol/dialectic/gates"
)

// Playbook configures a session of the dialectic format, which records it as JSON.
type Playbook struct {
	// Name is the name of a built-in playbook or of the file.
	Name string `json:"name"`
	// Title and About describe the playbook in a line each.
	Title string `json:"-"`
	About string `json:"-"`
	// Config configures the resolver. It is complete if it was read from a file.
	Config gates.Config `json:"config"`
	// Flags lists the red flags that the pressure-tester looks for, in the order of the file.
	Flags []Flag `json:"flags"`
}

// Flag is one red flag.
type Flag struct {
	// ID names the flag: lower-case words joined by hyphens.
	ID string `json:"id" toml:"id"`
	// Title names the problem in a few words.
	Title string `json:"title" toml:"title"`
	// Look describes what to look for.
	Look string `json:"look" toml:"look"`
	// Why says in one sentence what it has led to before.
	Why string `json:"-" toml:"why"`
	// Category is one of those with a threshold in the playbook.
	Category string         `json:"category" toml:"category"`
	Severity gates.Severity `json:"severity" toml:"severity"`
	// Predicate is the statement that evidence supports or contradicts. It is true if there is no objection.
	Predicate string `json:"predicate" toml:"predicate"`
	// Clears describes the evidence that would clear the objection.
	Clears string `json:"clears" toml:"clears"`
	// ClearedBy lists the source kinds that may clear it, of those that its severity allows. Empty means all of them.
	ClearedBy []ledger.SourceKind `json:"clearedBy,omitempty" toml:"clearedBy"`
	// Checks find the flag without a model. It is empty for a flag that needs judgment.
	Checks []Check `json:"checks,omitempty" toml:"check"`
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

//go:embed books/*.toml
var bookFiles embed.FS

//go:embed patterns.toml
var patternFile []byte

// errNested reports that a built-in playbook extends another.
var errNested = errors.New("a built-in playbook extends no other")

// Names returns the names of the built-in playbooks.
func Names() []string {
	return []string{"code-review", "design-review", "dependency-upgrade", "infrastructure-change", "incident-review"}
}

// BuiltIn returns a built-in playbook. For an unknown name, the error names the nearest one.
func BuiltIn(name string) (Playbook, error) {
	known, err := enum.Parse("playbook", name, Names())
	if err != nil {
		return Playbook{}, err
	}
	data, err := bookFiles.ReadFile("books/" + known + ".toml")
	if err != nil {
		return Playbook{}, fmt.Errorf("the playbook %s (built in): %w", known, err)
	}
	nested := func(string) (Playbook, error) { return Playbook{}, errNested }
	book, err := read(known+".toml", data, nested)
	if err != nil {
		return Playbook{}, fmt.Errorf("the playbook %s (built in): %w", known, err)
	}
	book.Name = known
	return book, nil
}

// readSets reads the pattern sets that checks may name.
func readSets() (map[string][]Pattern, error) {
	var file struct {
		Sets []struct {
			Name string    `toml:"name"`
			Rows []Pattern `toml:"row"`
		} `toml:"set"`
	}
	if err := config.Strict(patternFile, &file); err != nil {
		return nil, fmt.Errorf("read the patterns (built in): %w", err)
	}
	sets := map[string][]Pattern{}
	for _, set := range file.Sets {
		for _, pattern := range set.Rows {
			pattern.Where = cmp.Or(pattern.Where, Code)
			sets[set.Name] = append(sets[set.Name], pattern)
		}
	}
	return sets, nil
}

// Sets returns the names of the pattern sets that checks may use, sorted.
func Sets() []string {
	sets, err := readSets()
	if err != nil {
		// The sets are embedded and tested.
		return nil
	}
	return slices.Sorted(maps.Keys(sets))
}

// Kind is a kind of check, applied by package redflag.
type Kind string

// The kinds of checks.
const (
	// AddedLine fires on an added line that matches. Moved and reindented lines do not count as added.
	AddedLine Kind = "added-line"
	// RemovedLine fires on a removed line that matches, unless the same file gains a line that matches the same
	// pattern.
	RemovedLine Kind = "removed-line"
	// MissingLine fires on a changed file without a matching line.
	MissingLine Kind = "missing-line"
	// TouchedFile fires on a changed file.
	TouchedFile Kind = "touched-file"
	// MissingCompanion fires on a changed file if the file that must change with it did not.
	MissingCompanion Kind = "missing-companion"
	// LargeChange fires if more lines changed than a person can review.
	LargeChange Kind = "large-change"
	// BinaryFile fires on a binary file that is new or changed.
	BinaryFile Kind = "binary-file"
	// Secret fires on an added line that contains what looks like a secret.
	Secret Kind = "secret"
)

// Kinds returns every Kind.
func Kinds() []Kind {
	return []Kind{
		AddedLine, RemovedLine, MissingLine, TouchedFile, MissingCompanion, LargeChange, BinaryFile, Secret,
	}
}

// needs returns the keys that a check of this kind must have.
func (k Kind) needs() []string {
	switch k {
	case AddedLine, RemovedLine, MissingLine:
		return []string{"pattern"}
	case TouchedFile:
		return []string{"files"}
	case MissingCompanion:
		return []string{"files", "needs"}
	case LargeChange:
		return []string{"limit"}
	case BinaryFile, Secret:
	}
	return nil
}

// UnmarshalText rejects a word that is not a Kind.
func (k *Kind) UnmarshalText(text []byte) error { return enum.Unmarshal("check", text, Kinds(), k) }

// Part is the part of a line that a pattern is matched against.
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

// UnmarshalText rejects a word that is not a Part.
func (p *Part) UnmarshalText(text []byte) error {
	return enum.Unmarshal("part of a line", text, Parts(), p)
}

// Alteration is how a change alters a file.
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

// UnmarshalText rejects a word that is not an Alteration.
func (a *Alteration) UnmarshalText(text []byte) error {
	return enum.Unmarshal("alteration", text, Alterations(), a)
}

// Scope selects the files of a check.
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

// UnmarshalText rejects a word that is not a Scope.
func (s *Scope) UnmarshalText(text []byte) error { return enum.Unmarshal("scope", text, Scopes(), s) }

// Check is one check with its parameters. Fields that its Kind does not use are zero. Sessions store it as JSON, with
// its pattern sets written out, so that they do not depend on the version of moot.
type Check struct {
	Kind Kind `json:"kind" toml:"kind"`
	// Files and Except are doublestar globs (**, {a,b}). One without a slash matches the file's name, others
	// its path. Without Files all files match.
	Files  []string `json:"files,omitempty" toml:"files"`
	Except []string `json:"except,omitempty" toml:"except"`
	Scope  Scope    `json:"scope" toml:"scope"`
	// Patterns are matched against lines; one match is enough. In a file they are a pattern for a part of the line, the
	// name of a pattern set, or both.
	Patterns []Pattern      `json:"patterns,omitempty" toml:"-"`
	Pattern  *regexp.Regexp `json:"-" toml:"pattern"`
	Where    Part           `json:"-" toml:"where"`
	Set      string         `json:"-" toml:"set"`
	// Near excuses a line if it matches anywhere in the same hunk.
	Near *regexp.Regexp `json:"near,omitempty" toml:"near"`
	// When limits MissingLine to files with a match.
	When *regexp.Regexp `json:"when,omitempty" toml:"when"`
	// Needs are globs of files, one of which must change too. {dir}, {name} and {stem} are the file's folder,
	// its name, and its name without the last extension.
	Needs []string `json:"needs,omitempty" toml:"needs"`
	// Changes limits the check to these alterations. Empty means all.
	Changes []Alteration `json:"change,omitempty" toml:"change"`
	// Unless excuses a file if all of its changed lines match.
	Unless *regexp.Regexp `json:"unless,omitempty" toml:"unless"`
	// Limit is the largest number of changed lines that does not fire.
	Limit int `json:"limit,omitempty" toml:"limit"`
}

// Pattern matches lines of some files.
type Pattern struct {
	// Files are globs as in a Check. Empty means all.
	Files []string `json:"files,omitempty" toml:"files"`
	// Match is matched against the part Where of a line, Unless against the whole line.
	Match  *regexp.Regexp `json:"match" toml:"pattern"`
	Unless *regexp.Regexp `json:"unless,omitempty" toml:"unless"`
	Where  Part           `json:"where" toml:"where"`
}

// Alters reports whether the check applies to files with this alteration.
func (c *Check) Alters(how Alteration) bool {
	return len(c.Changes) == 0 || slices.Contains(c.Changes, how)
}
