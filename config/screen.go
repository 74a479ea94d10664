package config

import (
	"slices"

	"moot/internal/enum"
)

// screenNames are the entries of [screen].
func screenNames() []string { return []string{"theme", "ascii", "animation", "mouse", "notify"} }

// screen takes an entry of [screen].
func (r *reader) screen(l leaf) {
	known, name := screenNames(), l.path[1]
	if len(l.path) > 2 || !slices.Contains(known, name) {
		r.tell(l.line, "unknown key %s in [screen]%s", dotted(l.path[1:]), Meant(enum.Nearest(name, known)))
		return
	}
	s := &r.file.Screen
	if name == "theme" {
		switch {
		case l.kind != kindText || l.values[0] == "":
			r.tell(l.line, `theme in [screen] is the name of a theme in quotes, such as "dark"`)
		case !r.again(l.path, l.line, "theme in [screen]"):
			s.Theme, s.ThemeLine = l.values[0], l.line
			r.stands(l)
		}
		return
	}
	if l.kind != kindBool {
		r.tell(l.line, "%s in [screen] is true or false, without quotes", name)
		return
	}
	if r.again(l.path, l.line, name+" in [screen]") {
		return
	}
	r.stands(l)
	switch value := l.values[0] == "true"; name {
	case "ascii":
		s.ASCII = value
	case "animation":
		s.Animation = value
	case "mouse":
		s.Mouse = value
	case "notify":
		s.Notify = value
	}
}

// stands notes where an entry stands.
func (r *reader) stands(l leaf) {
	if r.file.Lines == nil {
		r.file.Lines = Lines{}
	}
	r.file.Lines[dotted(l.path)] = l.line
}
