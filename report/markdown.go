package report

import (
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/view"
)

// Markdown renders a document as CommonMark. Text that moot did not write
// is escaped or fenced, so it makes no heading, link, image or HTML.
func Markdown(d *view.Document) string {
	m := &markdownWriter{}
	fmt.Fprintf(&m.Builder, "<!-- %s -->\n", SchemaName)
	if d.Lead == "" {
		fmt.Fprintf(&m.Builder, "# %s\n\n", escapeMarkdown(d.Title))
	} else {
		fmt.Fprintf(&m.Builder, "# %s\n\n%s\n\n", escapeMarkdown(d.Lead), escapeMarkdown(d.Title))
	}
	if d.Stopped != "" {
		m.WriteString("**" + escapeMarkdown(d.Stopped) + "**\n\n")
	}
	for _, notice := range d.Notices {
		m.WriteString("**" + escapeMarkdown(notice) + "**\n\n")
	}
	if len(d.Answer.Items) > 0 {
		m.section(&d.Answer)
	}
	if !d.RowsLast {
		m.rows(d.Rows)
	}
	if d.Heading != "" {
		fmt.Fprintf(&m.Builder, "\n## %s\n\n", d.Heading)
		for i, line := range d.Verdict {
			if i > 0 {
				m.WriteString("- ")
			}
			m.WriteString(escapeMarkdown(line) + "\n")
			if i == 0 && len(d.Verdict) > 1 {
				m.WriteByte('\n')
			}
		}
	}
	if !d.Open.Empty() {
		m.section(&d.Open)
	}
	if len(d.Warnings) > 0 {
		fmt.Fprintf(&m.Builder, "\n## WARNINGS (%d)\n\n", len(d.Warnings))
		for _, w := range d.Warnings {
			fmt.Fprintf(&m.Builder, "- %s\n", escapeMarkdown(w))
		}
	}
	for i := range d.Sections {
		m.section(&d.Sections[i])
	}
	if d.RowsLast && len(d.Rows) > 0 {
		m.WriteString("\n## " + view.ThisSession + "\n\n")
		m.rows(d.Rows)
	}
	return m.String()
}

type markdownWriter struct{ strings.Builder }

func (m *markdownWriter) rows(rows []view.Row) {
	for _, r := range rows {
		label := r.Label
		if label != "" {
			label = "**" + label + "** "
		} else {
			label = "&nbsp; "
		}
		fmt.Fprintf(&m.Builder, "- %s%s\n", label, escapeMarkdown(r.Text))
	}
}

func (m *markdownWriter) section(s *view.Section) {
	fmt.Fprintf(&m.Builder, "\n## %s\n\n", s.Heading())
	for _, line := range s.Lines {
		m.WriteString(escapeMarkdown(line) + "\n\n")
	}
	if s.Table != nil {
		// CommonMark has no tables and shows the one of GitHub as lines.
		for i, row := range s.Table {
			for _, cell := range row {
				m.WriteString("| " + escapeMarkdown(cell) + " ")
			}
			m.WriteString("|\n")
			if i == 0 {
				align := "--:|"
				if s.Words {
					align = "---|"
				}
				m.WriteString("|---|" + strings.Repeat(align, len(row)-1) + "\n")
			}
		}
	}
	for i := range s.Items {
		it := &s.Items[i]
		m.WriteString("- ")
		if it.ID != "" {
			fmt.Fprintf(&m.Builder, "**%s** ", escapeMarkdown(itemID(it)))
		}
		if it.Mark != "" {
			fmt.Fprintf(&m.Builder, "\\[%s\\] ", escapeMarkdown(it.Mark))
		}
		m.WriteString(escapeMarkdown(it.Text) + "\n")
		for _, n := range it.Notes {
			fmt.Fprintf(&m.Builder, "  - *%s:* %s\n", escapeMarkdown(n.Label), escapeMarkdown(n.Text))
			m.quote(n.Quote)
		}
		if it.Copy.Text != "" {
			fmt.Fprintf(&m.Builder, "  <details><summary>%s</summary>\n", escapeMarkdown(it.Copy.Label))
			m.quote(it.Copy.Text)
			m.WriteString("  </details>\n")
		}
	}
	if s.After != "" {
		fmt.Fprintf(&m.Builder, "\n%s\n", escapeMarkdown(s.After))
	}
}

// quote fences verbatim lines. The fence is longer than any run of backticks in them.
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

// escapeMarkdown is plain.Markdown.
func escapeMarkdown(text string) string { return plain.Markdown(text) }
