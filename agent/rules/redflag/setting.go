package redflag

import (
	"fmt"
	"strconv"
	"strings"

	"moot/playbook"
)

// settingOf reads a line that gives a name a value: "port: 80", "port = 80",
// `"port": 80,`, "export PORT=80".
func (f *forms) settingOf(code string) (name, value string, ok bool) {
	m := f.setting.FindStringSubmatch(code)
	if m == nil || strings.HasSuffix(m[2], "{") || strings.HasSuffix(m[2], "[") {
		return "", "", false
	}
	return m[1], strings.Trim(m[2], `"'`), true
}

// changedSetting finds settings that have another value than before. Without a
// needed file in the change, where the check names some, nobody is told of it.
func changedSetting(e *examination, check *playbook.Check, report func(hit)) {
	for _, s := range e.pick(check) {
		if s.foreign || s.Alteration == playbook.Deleted || len(check.Needs) > 0 && e.touches(check.Needs, s) {
			continue
		}
		for i := range s.hunks {
			before := e.settingsBefore(&s.hunks[i])
			for j := range s.hunks[i].lines {
				l := &s.hunks[i].lines[j]
				if l.Side != Gained || len(before) == 0 || e.moved(l) {
					continue
				}
				name, now, ok := e.forms.settingOf(l.code)
				if !ok || len(before[name]) == 0 {
					continue
				}
				was := before[name][0]
				before[name] = before[name][1:]
				if was.value != now && (check.Names == nil || check.Names.MatchString(name)) && e.forms.goes(check.Direction, was.value, now) {
					report(hit{file: s, line: l, about: name, what: fmt.Sprintf("%s was %s before", name, e.said(was.value, was.line))})
				}
			}
		}
	}
}

// former is the value that a setting had, and where.
type former struct {
	value string
	line  *line
}

// settingsBefore are the settings that a hunk takes away, by name.
func (e *examination) settingsBefore(h *stretch) map[string][]former {
	before := map[string][]former{}
	for i := range h.lines {
		if l := &h.lines[i]; l.Side == Dropped && !e.moved(l) {
			if name, value, ok := e.forms.settingOf(l.code); ok {
				before[name] = append(before[name], former{value, l})
			}
		}
	}
	return before
}

// cut shortens a value that is said in a sentence.
func cut(value string) string {
	const longest = 60
	if runes := []rune(value); len(runes) > longest {
		return string(runes[:longest]) + "…"
	}
	return value
}

// goes reports whether a value goes the way that matters. Numbers are compared
// where their units are the same.
func (f *forms) goes(way playbook.Direction, was, now string) bool {
	before, unitBefore, isNumber := f.quantity(was)
	after, unitAfter, isToo := f.quantity(now)
	alike := isNumber && isToo && unitBefore == unitAfter
	switch way {
	case playbook.AnyWay:
		return true
	case playbook.Up:
		return alike && after > before
	case playbook.Down:
		return alike && after < before
	}
	return false
}

// quantity reads a number and its unit: "30s", "512Mi", "80%", "1_000".
func (f *forms) quantity(text string) (value float64, unit string, ok bool) {
	m := f.number.FindStringSubmatch(text)
	if m == nil {
		return 0, "", false
	}
	value, err := strconv.ParseFloat(strings.ReplaceAll(m[1], "_", ""), 64)
	return value, m[2], err == nil
}
