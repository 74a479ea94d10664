package redflag

import (
	"io/fs"
	"slices"
	"strings"

	"moot/playbook"
)

// examination is one change under examination.
type examination struct {
	*Checker
	change    *Change
	workspace fs.FS
	files     []*subject
	// gone and came are the texts of the lines that the change takes away and
	// brings, without their blanks: a line in both has only moved.
	gone, came map[string]bool
	// inTests are the words in changed tests, by language, once asked for.
	inTests map[*language]string
	// handled are the names of what is called with its error handled on lines
	// that came, by language, once asked for.
	handled map[*language]map[string]bool
}

// subject is a file of the change, and what the checks ask of it again and
// again.
type subject struct {
	*File
	language *language
	hunks    []stretch
	// tests, prose and foreign say what sort of file it is.
	tests, prose, foreign bool

	seen *view
	// lower are the changed lines in lower case, once they were asked for.
	lower string
	// hidden are the lines of secrets that run over several, once asked for.
	hidden map[*line]bool
}

// stretch is a hunk.
type stretch struct {
	section string
	lines   []line
}

// at is the place of a line of the hunk: they stand in the order of the diff.
func (h *stretch) at(l *line) int {
	at, _ := slices.BinarySearchFunc(h.lines, l.Diff, func(one line, number int) int { return one.Diff - number })
	return at
}

// line is a line of a hunk, in its two parts.
type line struct {
	Line
	code, comment string
	// lower is the line in lower case, in which words are looked for first.
	lower string
	// declares is the function that the line declares, or "".
	declares string
	// lost says that the function around a dropped line was dropped with it.
	lost bool
}

// part is the part of the line that a pattern is held against.
func (l *line) part(where playbook.Part) string {
	switch where {
	case playbook.Code:
		return l.code
	case playbook.Comment:
		return l.comment
	case playbook.Whole:
		return l.Text
	}
	return l.Text
}

// bare is the line without the blanks around it.
func (l *line) bare() string { return strings.TrimSpace(l.Text) }

// look is what is known of the file as the change leaves it.
func (s *subject) look(workspace fs.FS) *view {
	if s.seen == nil {
		s.seen = look(s.File, workspace)
	}
	return s.seen
}

// all goes over the lines of one side.
func (s *subject) all(side Side) func(func(*stretch, *line) bool) {
	return func(yield func(*stretch, *line) bool) {
		for i := range s.hunks {
			for j := range s.hunks[i].lines {
				if l := &s.hunks[i].lines[j]; l.Side == side && !yield(&s.hunks[i], l) {
					return
				}
			}
		}
	}
}

// first is the first line that changed, preferably one that is there now; nil
// where no line did.
func (s *subject) first() *line {
	for _, side := range []Side{Gained, Dropped} {
		for _, l := range s.all(side) {
			if l.bare() != "" {
				return l
			}
		}
	}
	return nil
}

func (c *Checker) examine(change *Change, workspace fs.FS) *examination {
	e := &examination{Checker: c, change: change, workspace: workspace, gone: map[string]bool{}, came: map[string]bool{}}
	e.inTests, e.handled = map[*language]string{}, map[*language]map[string]bool{}
	for i := range change.Files {
		file := &change.Files[i]
		name := file.Name()
		s := &subject{File: file, language: c.languageOf(name)}
		s.tests = matchesAny(s.language.Tests, name)
		s.prose, s.foreign = matchesAny(c.data.Prose, name), matchesAny(c.data.Foreign, name)
		for j := range file.Hunks {
			s.hunks = append(s.hunks, e.split(s.language, &file.Hunks[j]))
		}
		e.files = append(e.files, s)
	}
	for _, s := range e.files {
		s.markLost(e)
	}
	return e
}

// longestLine is how much of a line the checks look at, in bytes. What is longer
// was not written by hand.
const longestLine = 16 << 10

// begun is as much of a line as is looked at.
func begun(text string) string { return text[:min(len(text), longestLine)] }

// split parts the lines of a hunk into code and comments.
func (e *examination) split(l *language, hunk *Hunk) stretch {
	made := stretch{section: hunk.Section, lines: make([]line, len(hunk.Lines))}
	for i, from := range hunk.Lines {
		to := line{Line: from}
		to.Text = begun(from.Text)
		to.code, to.comment = l.split(to.Text)
		to.lower, to.declares = strings.ToLower(to.Text), l.declared(to.code)
		made.lines[i] = to
		switch from.Side {
		case Gained:
			e.came[to.bare()] = true
		case Dropped:
			e.gone[to.bare()] = true
		case Both:
		}
	}
	return made
}

// markLost marks dropped lines of functions that are gone as a whole: what was
// in them is not missed. A function that is declared anew is not gone.
func (s *subject) markLost(e *examination) {
	declared := map[string]bool{}
	for _, other := range e.files {
		if other.language == s.language {
			for _, l := range other.all(Gained) {
				declared[l.declares] = true
			}
		}
	}
	for i := range s.hunks {
		within := -1
		for j := range s.hunks[i].lines {
			l := &s.hunks[i].lines[j]
			if l.Side == Gained {
				continue
			}
			width := indent(l.Text)
			if width >= 0 && width <= within && l.bare()[0] != ')' {
				l.lost = l.Side == Dropped && l.bare()[0] == '}'
				within = -1
			}
			if l.declares != "" && l.Side == Dropped && !declared[l.declares] {
				within = width
			}
			if l.Side == Dropped && within >= 0 {
				l.lost = true
			}
		}
	}
}

// moved reports whether a line only changed its place or its indentation.
func (e *examination) moved(l *line) bool {
	switch l.Side {
	case Gained:
		return e.gone[l.bare()]
	case Dropped:
		return e.came[l.bare()]
	case Both:
	}
	return true
}

// pick returns the files that a check is about.
func (e *examination) pick(check *playbook.Check) []*subject {
	var picked []*subject
	for _, s := range e.files {
		name := s.Name()
		switch {
		case s.foreign && len(check.Files) == 0:
		case check.Scope == playbook.Product && (s.tests || s.prose), check.Scope == playbook.Tests && !s.tests,
			check.Scope == playbook.Prose && !s.prose:
		case len(check.Files) > 0 && !matchesAny(check.Files, name), matchesAny(check.Except, name):
		case !check.Alters(s.Alteration):
		default:
			picked = append(picked, s)
		}
	}
	return picked
}

// touches reports whether the change has another file, not deleted, that one of
// the globs matches; they are filled in from the name.
func (e *examination) touches(globs []string, s *subject) bool {
	for _, glob := range globs {
		filled := fill(glob, s.Name())
		if slices.ContainsFunc(e.files, func(other *subject) bool {
			return other != s && other.Path != "" && matches(filled, other.Path)
		}) {
			return true
		}
	}
	return false
}
