package report

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"moot/internal/plain"
	"moot/view"
)

// The columns of the text form.
const (
	labelWidth = 10
	textIndent = 6
	noteIndent = 8
	// widestWords is the widest column of words that others are aligned with.
	widestWords = 44
	// minWidth is the smallest width for wrapping.
	minWidth = 30
)

// Text renders a document for a terminal or a file, without color. Lines are wrapped at width
// columns; 0 does not wrap. Text that moot did not write is escaped.
func Text(d *view.Document, width int) string {
	if width > 0 {
		width = max(width, minWidth)
	}
	t := &textWriter{width: width}
	if d.Lead != "" {
		t.block("", "", d.Lead)
	}
	if d.Question == "" {
		t.block("", "", d.Title)
	} else {
		t.block(pad(plain.Line(d.Title), textIndent-1)+" ", strings.Repeat(" ", textIndent), d.Question)
	}
	if d.Stopped != "" {
		t.block("", "", d.Stopped)
	}
	for _, notice := range d.Notices {
		t.block("! ", "  ", notice)
	}
	if len(d.Answer.Items) > 0 {
		t.section(&d.Answer)
	}
	if !d.RowsLast && len(d.Rows) > 0 {
		t.WriteByte('\n')
		t.rows(d.Rows)
	}
	if d.Heading != "" {
		t.heading(d.Heading)
		for _, line := range d.Verdict {
			t.block("  ", "  ", line)
		}
	}
	if !d.Open.Empty() {
		t.section(&d.Open)
	}
	if len(d.Warnings) > 0 {
		t.heading(fmt.Sprintf("WARNINGS (%d)", len(d.Warnings)))
		for _, w := range d.Warnings {
			t.block("  ! ", "    ", w)
		}
	}
	for i := range d.Sections {
		t.section(&d.Sections[i])
	}
	if d.RowsLast && len(d.Rows) > 0 {
		t.heading(view.ThisSession)
		t.rows(d.Rows)
	}
	return t.String()
}

type textWriter struct {
	strings.Builder
	width int
}

func (t *textWriter) heading(words string) { t.WriteString("\n" + words + "\n") }

func (t *textWriter) rows(rows []view.Row) {
	for _, r := range rows {
		t.block(pad(r.Label, labelWidth)+" ", strings.Repeat(" ", labelWidth+1), r.Text)
	}
}

func (t *textWriter) section(s *view.Section) {
	t.heading(s.Heading())
	for _, line := range s.Lines {
		t.block("  ", "    ", line)
	}
	t.table(s.Table, s.Words)
	widest := textIndent - 3
	for i := range s.Items {
		widest = max(widest, ansi.StringWidth(plain.Line(s.Items[i].ID)))
	}
	for i := range s.Items {
		it := &s.Items[i]
		lead, indent := "  "+pad(plain.Line(itemID(it)), widest)+" ", strings.Repeat(" ", widest+3)
		if it.ID == "" {
			lead, indent = "  - ", "    "
		}
		text := it.Text
		if it.Mark != "" {
			text = "[" + it.Mark + "] " + text
		}
		t.block(lead, indent, text)
		for _, n := range it.Notes {
			t.note(n)
		}
	}
	if s.After != "" {
		t.block("  ", "    ", s.After)
	}
}

// itemID returns the id of an item with those that were merged into it.
func itemID(it *view.Item) string {
	if len(it.Aliases) == 0 {
		return it.ID
	}
	return it.ID + " (also " + strings.Join(it.Aliases, " ") + ")"
}

// table writes rows in columns, the first left-aligned and the others right-aligned. Its lines are never wrapped. Columns
// of words are all left-aligned, and the last one is wrapped.
func (t *textWriter) table(rows [][]string, words bool) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], ansi.StringWidth(plain.Line(cell)))
		}
	}
	for _, row := range rows {
		line := " "
		for i, cell := range row {
			cell = plain.Line(cell)
			switch {
			case words && i > 0 && i == len(row)-1:
				lead := line + "  "
				t.block(lead, strings.Repeat(" ", min(ansi.StringWidth(lead), t.width/2)), cell)
				continue
			case words:
				// A cell that is much wider than the others of its column moves the rest of its row only.
				line += strings.Repeat(" ", min(i, 1)) + " " + pad(cell, min(widths[i], widestWords))
				continue
			case i == 0:
				line += " " + pad(cell, widths[i])
				continue
			}
			line += "  " + strings.Repeat(" ", widths[i]-ansi.StringWidth(cell)) + cell
		}
		if !words {
			t.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
}

func (t *textWriter) note(n view.Note) {
	t.block(strings.Repeat(" ", textIndent)+plain.Line(n.Label)+": ", strings.Repeat(" ", noteIndent), n.Text)
	if n.Quote == "" {
		return
	}
	// Quoted lines are verbatim and never wrapped.
	for _, line := range strings.Split(plain.Text(n.Quote), "\n") {
		t.WriteString(strings.TrimRight(strings.Repeat(" ", noteIndent)+"| "+line, " ") + "\n")
	}
}

// block writes text after a lead, with further lines indented. It escapes the text, not
// the lead.
func (t *textWriter) block(lead, indent, text string) {
	for line := range strings.SplitSeq(plain.Text(strings.TrimRight(text, "\n")), "\n") {
		for _, broken := range wrap(line, lead, indent, t.width) {
			t.WriteString(strings.TrimRight(broken, " ") + "\n")
		}
		lead = indent
	}
}

// wrap breaks a line between words; a word that is wider than the line stays whole.
func wrap(line, lead, indent string, width int) []string {
	if width == 0 || ansi.StringWidth(lead+line) <= width {
		return []string{lead + line}
	}
	var lines []string
	current, used, words := lead, ansi.StringWidth(lead), 0
	for word := range strings.FieldsSeq(line) {
		wide := ansi.StringWidth(word)
		if words > 0 && used+1+wide > width {
			lines = append(lines, current)
			current, used, words = indent, ansi.StringWidth(indent), 0
		}
		if words > 0 {
			current, used = current+" ", used+1
		}
		current, used, words = current+word, used+wide, words+1
	}
	return append(lines, current)
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
}
