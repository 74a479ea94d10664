package redflag

import (
	"fmt"
	"path"
	"strings"

	"moot/playbook"
)

// changedInterface finds public names that are gone or declared otherwise,
// where the change touches no note that could say so.
func changedInterface(e *examination, check *playbook.Check, report func(hit)) {
	for _, s := range e.pick(check) {
		if s.tests || s.foreign || s.Old == "" || s.language.Exported.Regexp == nil || matchesAny(s.language.Private, s.Old) ||
			e.program(s) || e.generated(s) || e.touches(check.Needs, s) {
			continue
		}
		for _, l := range s.all(Dropped) {
			name := s.language.Exported.name(l.code)
			if name == "" || e.moved(l) {
				continue
			}
			now, stays := e.redeclared(s, name)
			switch {
			case !stays:
				report(hit{file: s, line: l, about: name, what: fmt.Sprintf("the public name %s is gone, and no note says so", name)})
			case flat(now) != flat(l.code):
				report(hit{file: s, line: l, about: name, what: fmt.Sprintf("the public name %s is declared otherwise, and no note says so", name)})
			}
		}
	}
}

// redeclared finds the line that declares a public name after the change: in
// the same folder, which is what a Go package is, else in the same file.
func (e *examination) redeclared(s *subject, name string) (code string, found bool) {
	for _, other := range e.files {
		if other != s && (other.language != s.language || path.Dir(other.Path) != path.Dir(s.Path)) {
			continue
		}
		for _, l := range other.all(Gained) {
			if s.language.Exported.name(l.code) == name {
				return l.code, true
			}
		}
	}
	return "", false
}

// flat is code without blanks, up to the bracket that opens a body: what is
// declared, and not how it is laid out.
func flat(code string) string {
	return strings.TrimSuffix(strings.Join(strings.Fields(code), ""), "{")
}

// program reports whether a Go file is of a program, whose names nobody imports.
func (e *examination) program(s *subject) bool {
	const head = 60
	v := s.look(e.workspace)
	for n := 1; n <= head; n++ {
		if text, known := v.at(n); known && text == "package main" {
			return true
		}
	}
	return false
}
