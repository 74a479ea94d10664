package redflag

import (
	"fmt"

	"moot/playbook"
)

// touchedFile finds files that the change touches.
func touchedFile(e *examination, check *playbook.Check, report func(hit)) {
	for _, s := range e.pick(check) {
		if check.Unless != nil && s.only(check.Unless.MatchString) {
			continue
		}
		report(hit{file: s, line: s.first(), what: fmt.Sprintf("the file is %s", s.Alteration)})
	}
}

// only reports whether some lines changed, and all that did are so.
func (s *subject) only(so func(string) bool) bool {
	changed := false
	for _, side := range []Side{Gained, Dropped} {
		for _, l := range s.all(side) {
			if !so(l.Text) {
				return false
			}
			changed = true
		}
	}
	return changed
}

// missingCompanion finds files that changed without the one that goes along.
func missingCompanion(e *examination, check *playbook.Check, report func(hit)) {
	for _, s := range e.pick(check) {
		at := s.first()
		if len(check.Patterns) > 0 {
			if at = s.matched(e, patternsFor(check, s)); at == nil {
				continue
			}
		}
		if !e.touches(check.Needs, s) {
			report(hit{file: s, line: at, what: "the change touches this file and none of those that go along with it"})
		}
	}
}

// matched is the first changed line that matches, nil for none.
func (s *subject) matched(e *examination, patterns []playbook.Pattern) *line {
	for _, side := range []Side{Gained, Dropped} {
		for _, l := range s.all(side) {
			if matching(patterns, l) && !e.moved(l) {
				return l
			}
		}
	}
	return nil
}

// largeChange finds a change with more lines than can be read with care. What
// programs wrote does not count.
func largeChange(e *examination, check *playbook.Check, report func(hit)) {
	lines, files, most := 0, 0, 0
	var largest *subject
	for _, s := range e.pick(check) {
		if s.foreign || e.generated(s) {
			continue
		}
		here := 0
		for _, side := range []Side{Gained, Dropped} {
			for _, l := range s.all(side) {
				if l.bare() != "" && !e.moved(l) {
					here++
				}
			}
		}
		if here > 0 {
			files++
		}
		lines += here
		if here > most {
			largest, most = s, here
		}
	}
	if lines > check.Limit {
		what := fmt.Sprintf("%d lines in %d files changed, more than the %d that can be read with care", lines, files, check.Limit)
		report(hit{file: largest, line: largest.first(), what: what})
	}
}

// binaryFile finds files that nobody can read in a review.
func binaryFile(e *examination, check *playbook.Check, report func(hit)) {
	for _, s := range e.pick(check) {
		if s.Binary && s.Alteration != playbook.Deleted {
			report(hit{file: s, what: "the file is binary: what is in it cannot be read here"})
		}
	}
}

// generatedFile finds generated files that changed while nothing changed that
// they are made from.
func generatedFile(e *examination, check *playbook.Check, report func(hit)) {
	for _, s := range e.pick(check) {
		if s.Alteration == playbook.Modified && e.generated(s) && s.first() != nil && !e.touches(check.Needs, s) {
			report(hit{file: s, line: s.first(), what: "the file is written by a program, and nothing that it is made from changed"})
		}
	}
}

// generated reports whether the file says of itself that a program wrote it.
func (e *examination) generated(s *subject) bool {
	const head = 20
	v := s.look(e.workspace)
	for n := 1; n <= head; n++ {
		if text, known := v.at(n); known && e.data.Generated.matches(text) {
			return true
		}
	}
	return false
}
