package report

import (
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/state"
)

// Markdown renders the result of a session as CommonMark. Whatever moot did not
// write is escaped or fenced: it makes no heading, link, picture or HTML.
func Markdown(s *state.State, rulings []state.Ruling) string {
	m := &markdownWriter{}
	m.outline(newOutline(s, rulings))
	return m.String()
}

type markdownWriter struct{ strings.Builder }

func (m *markdownWriter) outline(o *outline) {
	fmt.Fprintf(&m.Builder, "# %s\n\n", escapeMarkdown(o.question))
	for _, r := range o.rows {
		label := r.label
		if label != "" {
			label = "**" + label + "** "
		} else {
			label = "&nbsp; "
		}
		fmt.Fprintf(&m.Builder, "- %s%s\n", label, escapeMarkdown(r.text))
	}
	if len(o.verdict) > 0 {
		fmt.Fprintf(&m.Builder, "\n## %s\n\n", o.heading)
		for i, line := range o.verdict {
			if i > 0 {
				m.WriteString("- ")
			}
			m.WriteString(escapeMarkdown(line) + "\n")
			if i == 0 && len(o.verdict) > 1 {
				m.WriteByte('\n')
			}
		}
	}
	if len(o.warnings) > 0 {
		fmt.Fprintf(&m.Builder, "\n## WARNINGS (%d)\n\n", len(o.warnings))
		for _, w := range o.warnings {
			fmt.Fprintf(&m.Builder, "- %s\n", escapeMarkdown(w))
		}
	}
	for i := range o.sections {
		m.section(&o.sections[i])
	}
}

func (m *markdownWriter) section(s *section) {
	switch {
	case s.table != nil:
		fmt.Fprintf(&m.Builder, "\n## %s\n\n", s.title)
		m.table(s.table)
	case len(s.items) == 0:
		fmt.Fprintf(&m.Builder, "\n## %s (0)\n\nnone\n", s.title)
	default:
		fmt.Fprintf(&m.Builder, "\n## %s (%d)\n\n", s.title, s.counted())
	}
	for i := range s.items {
		it := &s.items[i]
		fmt.Fprintf(&m.Builder, "- **%s** ", escapeMarkdown(it.id))
		if it.mark != "" {
			fmt.Fprintf(&m.Builder, "\\[%s\\] ", escapeMarkdown(it.mark))
		}
		m.WriteString(escapeMarkdown(it.text) + "\n")
		for _, n := range it.notes {
			fmt.Fprintf(&m.Builder, "  - *%s:* %s\n", escapeMarkdown(n.label), escapeMarkdown(n.text))
			m.quote(n.quote)
		}
	}
	if s.after != "" {
		fmt.Fprintf(&m.Builder, "\n%s\n", escapeMarkdown(s.after))
	}
}

// table writes rows as GitHub and most others read them; CommonMark alone shows
// them as lines.
func (m *markdownWriter) table(rows [][]string) {
	for i, row := range rows {
		for _, cell := range row {
			m.WriteString("| " + escapeMarkdown(cell) + " ")
		}
		m.WriteString("|\n")
		if i == 0 {
			m.WriteString("|---|" + strings.Repeat("--:|", len(row)-1) + "\n")
		}
	}
}

// quote fences lines that must stay verbatim; the fence is longer than any run
// of back ticks in them.
func (m *markdownWriter) quote(text string) {
	if text == "" {
		return
	}
	text = plain.Text(text)
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	fmt.Fprintf(&m.Builder, "\n    %stext\n", fence)
	for line := range strings.SplitSeq(text, "\n") {
		m.WriteString(strings.TrimRight("    "+line, " ") + "\n")
	}
	fmt.Fprintf(&m.Builder, "    %s\n\n", fence)
}

func longestRun(text string, mark byte) int {
	longest, run := 0, 0
	for i := range len(text) {
		if text[i] != mark {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// escapeMarkdown makes text that moot did not write stand for itself, on one
// line: control characters are shown, and a backslash goes before every sign
// that could begin markup.
func escapeMarkdown(text string) string {
	text = plain.Line(strings.TrimSpace(text))
	var b strings.Builder
	for i := range len(text) {
		switch c := text[i]; c {
		case '\\', '`', '*', '_', '[', ']', '<', '>', '#', '|', '~', '$', '!', '&':
			b.WriteByte('\\')
		case '+', '-', '=':
			// These begin lists and underline headings at a line's beginning only.
			if i == 0 {
				b.WriteByte('\\')
			}
		case '.', ')':
			// A number with one of these begins a list where a blank follows.
			if i > 0 && isNumber(text[:i]) && (i+1 == len(text) || text[i+1] == ' ') {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

func isNumber(text string) bool {
	return len(text) < 10 && strings.Trim(text, "0123456789") == ""
}
