package playbook

import (
	"regexp"
	"slices"

	"moot/internal/enum"
)

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
