package config

import (
	"fmt"
	"slices"
	"strings"
)

// MaxBytes is the largest file that is read; a larger one is no configuration.
const MaxBytes = 1 << 17

// maxProblems is how many problems are told; whoever has more has given another
// file by mistake.
const maxProblems = 40

// File is what a configuration says, with defaults where it says nothing.
type File struct {
	Screen Screen
	// Keys has a Section for each place in which keys are bound anew, Themes
	// one for each theme of the person, in the order of the file.
	Keys, Themes []Section
	// Seats says who takes a seat where nobody is named for it: an entry for a
	// seat, with more than one value where it names those of its like too.
	Seats []Entry
	// Participants are those that the person gave a name.
	Participants []Participant
	// Prices override and add to those that moot is built with.
	Prices []Price
	// Lines is where each entry of [screen] stands, as "screen.theme"; nil for none.
	Lines Lines
	// Limits and Budget are settings by the names of their flags.
	Limits, Budget []Setting
}

// Screen is the section [screen].
type Screen struct {
	// Theme is the name of a theme; "auto" goes by the terminal. ThemeLine is
	// where it was given, 0 where it was not.
	Theme     string
	ThemeLine int
	// ASCII draws borders and signs in ASCII.
	ASCII bool
	// Animation, Mouse and Notify are true unless the file forbids them.
	Animation, Mouse, Notify bool
}

// Section is a table of the file whose keys are checked by another package.
type Section struct {
	Name string
	// Line is where its first entry or its heading stands, from 1.
	Line    int
	Entries []Entry
}

// Entry is one line of a Section.
type Entry struct {
	Name string
	// Values are what was given: one string, or those of a list. A number is
	// given as it was written. An empty list has none.
	Values []string
	// Line is where the entry stands, from 1.
	Line int
}

// Problem is something wrong in a file. It is an error to be shown; the file
// counts without what is wrong.
type Problem struct {
	// File is the name of the file, Line where in it, from 1; 0 is the file as
	// a whole.
	File string
	Line int
	// What says what is wrong and, where one is near, what was meant.
	What string
	// Decides says that it bears on who is asked, or on what that costs: nobody
	// is asked until it is mended. What is wrong otherwise is left out.
	Decides bool
}

// Error is "config.toml:12: what is wrong".
func (p Problem) Error() string {
	switch {
	case p.Line > 0:
		return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.What)
	case p.File != "":
		return p.File + ": " + p.What
	}
	return p.What
}

// String is Error.
func (p Problem) String() string { return p.Error() }

// Problems is all that is wrong in a file, in the order of its lines, as one error.
type Problems []Problem

// Error has a line for each problem, such as "mine.toml:12: unknown key …".
func (p Problems) Error() string {
	said := make([]string, len(p))
	for i, problem := range p {
		said[i] = problem.Error()
	}
	return strings.Join(said, "\n")
}

// Default returns what holds without a file.
func Default() File {
	return File{Screen: Screen{Theme: "auto", Animation: true, Mouse: true, Notify: true}}
}

// In names the file in problems that were found in its Sections.
func In(file string, problems []Problem) []Problem {
	for i := range problems {
		problems[i].File = file
	}
	return problems
}

// Deciding are the problems that stop whoever wants to ask somebody.
func Deciding(problems []Problem) Problems {
	var stop Problems
	for _, p := range problems {
		if p.Decides {
			stop = append(stop, p)
		}
	}
	return stop
}

// inOrder sorts problems by their lines.
func inOrder(problems []Problem) {
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.Line - b.Line })
}

// Few cuts problems to the first 40, and says of how many more they are cut.
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

// Meant is "; did you mean NEAREST?", or "" where nothing is near.
func Meant(nearest string) string {
	if nearest == "" {
		return ""
	}
	return "; did you mean " + nearest + "?"
}

// Named is a name from the file as it is shown: bare where it is a plain word,
// else quoted and cut, so that nothing foreign reaches the terminal.
func Named(name string) string {
	const longest = 60
	if name != "" && len(name) <= longest && strings.IndexFunc(name, notBare) < 0 {
		return name
	}
	return fmt.Sprintf("%.*q", longest, name)
}

// notBare reports what may not stand in a bare key of TOML.
func notBare(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
}
