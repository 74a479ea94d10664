package redflag

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"moot/playbook"
)

// patternsFor are the patterns of a check that a file's lines are held against:
// those for such files one of whose words stands in it somewhere.
func patternsFor(check *playbook.Check, s *subject) []playbook.Pattern {
	var some []playbook.Pattern
	for _, p := range check.Patterns {
		if len(p.Files) > 0 && !matchesAny(p.Files, s.Name()) {
			continue
		}
		if len(p.Words) > 0 {
			p.Words = s.having(p.Words)
			if len(p.Words) == 0 {
				continue
			}
		}
		some = append(some, p)
	}
	return some
}

// having are the words that stand in the file's changed lines somewhere.
func (s *subject) having(words []string) []string {
	if s.lower == "" {
		var all strings.Builder
		for i := range s.hunks {
			for j := range s.hunks[i].lines {
				if l := &s.hunks[i].lines[j]; l.Side != Both {
					all.WriteString(l.lower)
					all.WriteByte('\n')
				}
			}
		}
		s.lower = all.String()
	}
	var some []string
	for _, word := range words {
		if strings.Contains(s.lower, word) {
			some = append(some, word)
		}
	}
	return some
}

// matching reports whether one of the patterns is on the line.
func matching(patterns []playbook.Pattern, l *line) bool {
	for i := range patterns {
		p := &patterns[i]
		if len(p.Words) > 0 && !slices.ContainsFunc(p.Words, func(word string) bool { return strings.Contains(l.lower, word) }) {
			continue
		}
		if p.Match.MatchString(l.part(p.Where)) && (p.Unless == nil || !p.Unless.MatchString(l.Text)) {
			return true
		}
	}
	return false
}

// addedLine finds patterns in lines that the change brings. A line that is much
// like one that it takes away, and that matched too, was there before.
func addedLine(e *examination, check *playbook.Check, report func(hit)) {
	before := sync.OnceValue(func() []*line { return e.matches(check, Dropped) })
	for _, s := range e.pick(check) {
		patterns := patternsFor(check, s)
		if len(patterns) == 0 {
			continue
		}
		for h, l := range s.all(Gained) {
			if matching(patterns, l) && !e.moved(l) && !near(check.Near, h) &&
				(check.Unless == nil || !check.Unless.MatchString(l.Text)) && !likeAny(l, before()) {
				report(hit{file: s, line: l, what: e.change.brings()})
			}
		}
	}
}

// matches are the lines of one side that a check's patterns match, the first
// hundreds of them.
func (e *examination) matches(check *playbook.Check, side Side) []*line {
	const most = 300
	var found []*line
	for _, s := range e.pick(check) {
		patterns := patternsFor(check, s)
		if len(patterns) == 0 {
			continue
		}
		for _, l := range s.all(side) {
			if !matching(patterns, l) {
				continue
			}
			if found = append(found, l); len(found) == most {
				return found
			}
		}
	}
	return found
}

// likeAny reports whether a line is much like one of the others: whether of the
// words of both together most are in both.
func likeAny(l *line, others []*line) bool {
	const most = 0.7
	if len(others) == 0 {
		return false
	}
	words := strings.FieldsFunc(l.lower, notWord)
	return slices.ContainsFunc(others, func(other *line) bool {
		left := strings.FieldsFunc(other.lower, notWord)
		total, same := len(words)+len(left), 0
		for _, word := range words {
			if at := slices.Index(left, word); at >= 0 {
				left[at] = left[len(left)-1]
				left = left[:len(left)-1]
				same++
			}
		}
		return float64(2*same) >= most*float64(total)
	})
}

// near reports whether an excuse stands in the hunk as the change leaves it.
func near(excuse *regexp.Regexp, h *stretch) bool {
	if excuse == nil {
		return false
	}
	for i := range h.lines {
		if h.lines[i].Side != Dropped && excuse.MatchString(h.lines[i].Text) {
			return true
		}
	}
	return false
}

// removedLine finds patterns in lines that the change takes away. A line that
// the file gains and that matches too stands in for one that it loses: then the
// thing has changed and is not gone. So does one of another file that is much
// like it.
func removedLine(e *examination, check *playbook.Check, report func(hit)) {
	after := sync.OnceValue(func() []*line { return e.matches(check, Gained) })
	for _, s := range e.pick(check) {
		patterns := patternsFor(check, s)
		if len(patterns) == 0 || s.Alteration == playbook.Deleted {
			continue
		}
		instead := 0
		for _, l := range s.all(Gained) {
			if matching(patterns, l) && !e.moved(l) {
				instead++
			}
		}
		for _, l := range s.all(Dropped) {
			if l.lost || e.moved(l) || !matching(patterns, l) {
				continue
			}
			if instead > 0 {
				instead--
				continue
			}
			if likeAny(l, after()) {
				continue
			}
			report(hit{file: s, line: l, what: "the change takes this line away, and nothing like it comes instead"})
		}
	}
}

// missingLine finds files that nowhere say what they should.
func missingLine(e *examination, check *playbook.Check, report func(hit)) {
	for _, s := range e.pick(check) {
		v := s.look(e.workspace)
		if s.Binary || s.Alteration == playbook.Deleted || !v.whole {
			continue
		}
		said, asked := false, check.When == nil
		for _, text := range v.lines {
			asked = asked || check.When.MatchString(text)
			l := line{Line: Line{Text: text}, lower: strings.ToLower(text)}
			l.code, l.comment = s.language.split(text)
			said = said || matching(check.Patterns, &l)
		}
		if first := s.first(); asked && !said && first != nil {
			report(hit{file: s, line: first, what: "nothing in the file says otherwise"})
		}
	}
}
