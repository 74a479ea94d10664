package redflag

import "moot/playbook"

// endlessLoop finds added loops without a condition in whose body nothing ends
// them. A body that is not to be seen whole is taken to end.
func endlessLoop(e *examination, check *playbook.Check, report func(hit)) {
	for _, s := range e.pick(check) {
		if s.foreign || s.language.Loop.Regexp == nil {
			continue
		}
		for _, l := range s.all(Gained) {
			if s.language.Loop.matches(l.code) && !e.moved(l) && !s.leaves(e, l) {
				report(hit{file: s, line: l, what: "the loop has no condition, and nothing in it ends it"})
			}
		}
	}
}

// leaves reports whether something in the loop that begins at the line ends it,
// or whether that cannot be told.
func (s *subject) leaves(e *examination, l *line) bool {
	const longest = 400
	v, width := s.look(e.workspace), indent(l.Text)
	if s.language.Leaves.matches(l.code) {
		return true
	}
	for n := l.New + 1; n <= l.New+longest; n++ {
		text, known := v.at(n)
		switch at := indent(text); {
		case !known:
			// The end of the file ends a body that is told by indentation.
			return !v.whole || n <= len(v.lines)
		case at < 0:
		case at <= width:
			return false
		}
		code, _ := s.language.split(text)
		if s.language.Leaves.matches(code) {
			return true
		}
	}
	return true
}
