package redflag

import (
	"slices"
	"strings"

	"moot/playbook"
)

// calls finds the names that a line calls, without what they are called on.
func calls(code string) []string {
	var names []string
	for i := strings.IndexByte(code, '('); i >= 0; {
		before := strings.TrimRight(code[:i], " ")
		name := before[strings.LastIndexFunc(before, notWord)+1:]
		if name != "" && !slices.Contains([]string{"if", "for", "while", "switch", "catch", "return", "func", "def", "except"}, name) {
			names = append(names, name)
		}
		next := strings.IndexByte(code[i+1:], '(')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return names
}

// handledCalls are the names of the calls whose errors are handled on lines that
// came: on the line itself, or on one of the two after it.
func (e *examination) handledCalls(l *language) map[string]bool {
	if known, done := e.handled[l]; done {
		return known
	}
	const far = 2
	names := map[string]bool{}
	for _, s := range e.files {
		if s.language != l {
			continue
		}
		for i := range s.hunks {
			lines := s.hunks[i].lines
			for j := range lines {
				if lines[j].Side == Dropped || !l.Handles.matches(lines[j].code) {
					continue
				}
				for k := j; k >= 0 && k >= j-far; k-- {
					if lines[k].Side == Gained {
						for _, name := range calls(lines[k].code) {
							names[name] = true
						}
					}
				}
			}
		}
	}
	e.handled[l] = names
	return names
}

// lostErrorHandling finds places where the handling of an error is gone while
// what may fail is still called.
func lostErrorHandling(e *examination, check *playbook.Check, report func(hit)) {
	for _, s := range e.pick(check) {
		if s.foreign || s.Alteration == playbook.Deleted || s.language.Handles.Regexp == nil {
			continue
		}
		for i := range s.hunks {
			for _, l := range s.unhandled(e, &s.hunks[i]) {
				report(hit{file: s, line: l, what: "the error is no longer handled, and what may fail is still called"})
			}
		}
	}
}

// unhandled are the dropped lines of a hunk that handled an error, less as many
// as it gains, where the call stays.
func (s *subject) unhandled(e *examination, h *stretch) []*line {
	var gone []*line
	kept := 0
	for j := range h.lines {
		l := &h.lines[j]
		switch handles := s.language.Handles.matches(l.code); {
		case !handles || e.moved(l):
		case l.Side == Gained:
			kept++
		case l.Side == Dropped && !l.lost && s.staysBefore(e, h, j):
			gone = append(gone, l)
		}
	}
	return gone[:max(0, len(gone)-kept)]
}

// staysBefore reports whether what the dropped line at an index guarded is still
// there, unguarded: a call on the line that an added line makes too; else the
// line before it, or a call in that. Where a call is handled on lines that came
// it has only moved.
func (s *subject) staysBefore(e *examination, h *stretch, at int) bool {
	const far = 8
	names := calls(h.lines[at].code)
	for j := at - 1; len(names) == 0 && j >= 0 && j >= at-far; j-- {
		l := &h.lines[j]
		if l.Side == Gained || !substance(l.code) {
			continue
		}
		names = calls(l.code)
		if l.Side == Both || e.moved(l) {
			return !slices.ContainsFunc(names, func(name string) bool { return e.handledCalls(s.language)[name] })
		}
	}
	handled := e.handledCalls(s.language)
	for j := range h.lines {
		if h.lines[j].Side == Gained && slices.ContainsFunc(calls(h.lines[j].code), func(name string) bool { return slices.Contains(names, name) && !handled[name] }) {
			return true
		}
	}
	return false
}
