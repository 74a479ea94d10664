package redflag

import (
	"fmt"
	"strings"

	"moot/playbook"
	"moot/redact"
)

// secret finds added lines that hold what looks like a secret. The lines of a
// file are looked at together: a private key runs over several. Of a text that
// was redacted, what was taken out of it counts.
func secret(e *examination, check *playbook.Check, report func(hit)) {
	for _, s := range e.pick(check) {
		if s.foreign {
			continue
		}
		var text strings.Builder
		var lines []*line
		for _, l := range s.all(Gained) {
			text.WriteString(l.Text)
			text.WriteByte('\n')
			lines = append(lines, l)
		}
		_, findings := e.redactor.Text(text.String())
		if e.change.Redacted {
			findings = append(findings, redact.Marked(text.String())...)
		}
		for _, found := range findings {
			if at := found.Line - 1; at < len(lines) && !e.moved(lines[at]) {
				report(hit{file: s, line: lines[at], about: found.Reason, what: fmt.Sprintf("the line holds what looks like a secret: %s", found.Reason)})
			}
		}
	}
}

// hides reports whether a line is one of several that hold a secret together, as
// a private key: by itself it looks like none.
func (s *subject) hides(e *examination, l *line) bool {
	if s.hidden == nil {
		s.hidden = map[*line]bool{}
		for i := range s.hunks {
			s.hide(e, &s.hunks[i], Dropped)
			s.hide(e, &s.hunks[i], Gained)
		}
	}
	return s.hidden[l]
}

// hide marks the hidden lines of a hunk as it was, or as it is now.
func (s *subject) hide(e *examination, h *stretch, side Side) {
	var text strings.Builder
	var lines []*line
	for i := range h.lines {
		if l := &h.lines[i]; l.Side == side || l.Side == Both {
			text.WriteString(l.Text)
			text.WriteByte('\n')
			lines = append(lines, l)
		}
	}
	_, findings := e.redactor.Text(text.String())
	for _, found := range findings {
		for n := found.Line; found.Last > found.Line && n <= min(found.Last, len(lines)); n++ {
			s.hidden[lines[n-1]] = true
		}
	}
}

// said is a value of a line in a sentence, a mark where the line holds a secret.
func (e *examination) said(value string, l *line) string {
	if _, findings := e.redactor.Text(l.Text); len(findings) > 0 {
		return redact.Mark(findings[0].Reason)
	}
	return cut(value)
}
