package redflag

import (
	_ "embed" // What is known of manifests is a file of its own.
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/playbook"
)

//go:embed manifests.toml
var manifestFile []byte

// manifest is a row of manifests.toml, which explains the fields.
type manifest struct {
	Files   []string   `toml:"files"`
	Pattern expression `toml:"pattern"`
	Above   expression `toml:"above"`
	Section expression `toml:"section"`
	Heading expression `toml:"heading"`
	Outer   bool       `toml:"outer"`
	Strip   expression `toml:"strip"`
	Unless  expression `toml:"unless"`
	Brought expression `toml:"brought"`
	Loose   expression `toml:"loose"`
}

// dependency is one line of a manifest.
type dependency struct {
	name, version string
	line          *line
	// chosen says that the line was written for its own sake, and not because
	// another dependency needs it.
	chosen bool
}

// dependencies finds dependencies that are new, went back, went up by a whole
// number, or are not held to a version; the kind says which is sought.
func dependencies(e *examination, check *playbook.Check, report func(hit)) {
	for _, s := range e.pick(check) {
		if s.Alteration == playbook.Deleted {
			continue
		}
		for _, m := range e.data.Manifest {
			if !matchesAny(m.Files, s.Name()) {
				continue
			}
			before := map[string]*dependency{}
			for _, was := range slices.Backward(m.read(e, s, Dropped)) {
				// Of several the first counts.
				before[was.name] = &was
			}
			for _, now := range m.read(e, s, Gained) {
				if what := m.judge(e, check.Kind, s, before[now.name], &now); what != "" {
					report(hit{file: s, line: now.line, about: now.name, what: what})
				}
			}
		}
	}
}

// judge says what is the matter with a dependency, "" for nothing. It was not
// there before where was is nil.
func (m *manifest) judge(e *examination, kind playbook.Kind, s *subject, was, now *dependency) string {
	switch kind {
	case playbook.DependencyAdded:
		if was == nil && now.chosen && s.Alteration != playbook.Added {
			return fmt.Sprintf("the dependency %s is new", now.name)
		}
	case playbook.DependencyUnpinned:
		if m.Loose.matches(now.version) && now.chosen && (was == nil || !m.Loose.matches(was.version)) {
			return fmt.Sprintf("the dependency %s is not held to a version", now.name)
		}
	case playbook.DependencyLowered:
		if was != nil && e.forms.compareVersions(now.version, was.version) < 0 {
			return fmt.Sprintf("the dependency %s goes back from %s to %s", now.name, e.said(was.version, was.line), e.said(now.version, now.line))
		}
	case playbook.DependencyMajor:
		if was != nil && now.chosen && e.forms.major(was.version, now.version) {
			return fmt.Sprintf("the dependency %s goes from %s to %s, which may break what uses it", now.name, e.said(was.version, was.line), e.said(now.version, now.line))
		}
	case playbook.AddedLine, playbook.RemovedLine, playbook.MissingLine, playbook.TouchedFile, playbook.MissingCompanion,
		playbook.LargeChange, playbook.BinaryFile, playbook.GeneratedFile, playbook.UntestedChange, playbook.RemovedTest,
		playbook.ChangedInterface, playbook.Secret, playbook.LostErrorHandling, playbook.EndlessLoop,
		playbook.OneWayMigration, playbook.DestructiveSQL, playbook.ChangedSetting:
	}
	return ""
}

// read finds the dependencies on the changed lines of one side.
func (m *manifest) read(e *examination, s *subject, side Side) []dependency {
	var found []dependency
	for h, l := range s.all(side) {
		if e.moved(l) || m.Unless.matches(l.Text) || !m.inSection(e, s, h, l) {
			continue
		}
		text := l.Text
		if m.Brought.Regexp == nil {
			text = l.code
		}
		name, version, ok := m.parse(text)
		if !ok {
			continue
		}
		if name == "" {
			if name = m.nameAbove(h, l); name == "" {
				continue
			}
		}
		if m.Strip.Regexp != nil {
			name = m.Strip.ReplaceAllString(name, "")
		}
		found = append(found, dependency{name: name, version: version, line: l, chosen: !m.Brought.matches(l.Text)})
	}
	return found
}

// parse reads a line; the name may stand elsewhere.
func (m *manifest) parse(text string) (name, version string, ok bool) {
	found := m.Pattern.FindStringSubmatch(text)
	if found == nil {
		return "", "", false
	}
	for i, group := range m.Pattern.SubexpNames() {
		switch {
		case group == "name" && found[i] != "":
			name = found[i]
		case strings.HasPrefix(group, "version") && found[i] != "":
			version = strings.TrimSpace(found[i])
		}
	}
	return name, version, true
}

// nameAbove finds the name that a line with a version belongs to, a few lines
// above on the same side.
func (m *manifest) nameAbove(h *stretch, l *line) string {
	const far = 6
	at := h.at(l)
	for seen := 0; at > 0 && seen < far; {
		at--
		above := &h.lines[at]
		if above.Side != Both && above.Side != l.Side {
			continue
		}
		seen++
		if name := m.Above.name(above.Text); name != "" {
			return name
		}
	}
	return ""
}

// inSection reports whether a line stands under a heading that lists
// dependencies, or whether that cannot be told from what is to be seen.
func (m *manifest) inSection(e *examination, s *subject, h *stretch, l *line) bool {
	if m.Section.Regexp == nil {
		return true
	}
	width := indent(l.Text)
	heads := func(text string) bool {
		at := indent(text)
		return m.Outer && at >= 0 && at < width && strings.HasSuffix(strings.TrimSpace(text), "{") ||
			m.Heading.matches(text)
	}
	at := h.at(l)
	top := l.New
	for at--; at >= 0; at-- {
		above := &h.lines[at]
		if above.Side != Both && above.Side != l.Side {
			continue
		}
		if top = above.New; heads(above.Text) {
			return m.Section.matches(above.Text)
		}
	}
	if len(h.lines) > 0 && h.lines[0].New > 0 {
		top = h.lines[0].New
	}
	v := s.look(e.workspace)
	for n := top - 1; n > 0 && v.whole; n-- {
		if text, _ := v.at(n); heads(text) {
			return m.Section.matches(text)
		}
	}
	return m.Section.matches(h.section) || !v.whole
}

// numbers are the numbers of a version, and whether it is one before the
// release of that name.
func (f *forms) numbers(version string) (parts []int, early bool) {
	found := f.version.FindStringSubmatch(version)
	if found == nil {
		return nil, false
	}
	for part := range strings.SplitSeq(found[1], ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, false
		}
		parts = append(parts, n)
	}
	return parts, f.early.MatchString(found[2])
}

// compareVersions is below 0 where the first is the older one. What holds no
// number is as old as anything.
func (f *forms) compareVersions(a, b string) int {
	left, leftEarly := f.numbers(a)
	right, rightEarly := f.numbers(b)
	if left == nil || right == nil {
		return 0
	}
	for len(left) < len(right) {
		left = append(left, 0)
	}
	for len(right) < len(left) {
		right = append(right, 0)
	}
	switch c := slices.Compare(left, right); {
	case c != 0:
		return c
	case leftEarly && !rightEarly:
		return -1
	case rightEarly && !leftEarly:
		return 1
	}
	return 0
}

// major reports whether a version went up by its first number, or, before 1.0,
// by its second.
func (f *forms) major(was, now string) bool {
	before, _ := f.numbers(was)
	after, _ := f.numbers(now)
	if len(before) == 0 || len(after) == 0 {
		return false
	}
	if before[0] == 0 && after[0] == 0 && len(before) > 1 && len(after) > 1 {
		return after[1] > before[1]
	}
	return after[0] > before[0]
}
