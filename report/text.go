package report

import (
	"fmt"
	"strings"

	"github.com/clipperhouse/displaywidth"

	"moot/internal/plain"
	"moot/state"
)

// The columns of the text form.
const (
	labelWidth = 10
	textIndent = 6
	noteIndent = 8
	// minWidth is the narrowest that lines are broken to.
	minWidth = 30
)

// Text renders the result of a session for a terminal or a file, without color.
// Lines are broken at width columns; 0 leaves them as long as they are.
// Whatever moot did not write is escaped.
func Text(s *state.State, rulings []state.Ruling, width int) string {
	t := &textWriter{width: width}
	if width > 0 {
		t.width = max(width, minWidth)
	}
	t.outline(newOutline(s, rulings))
	return t.String()
}

type textWriter struct {
	strings.Builder
	width int
}

func (t *textWriter) outline(o *outline) {
	t.block("", "", o.question)
	t.WriteByte('\n')
	for _, r := range o.rows {
		t.block(pad(r.label, labelWidth)+" ", strings.Repeat(" ", labelWidth+1), r.text)
	}
	if len(o.verdict) > 0 {
		fmt.Fprintf(&t.Builder, "\n%s\n", o.heading)
		for _, line := range o.verdict {
			t.block("  ", "  ", line)
		}
	}
	if len(o.warnings) > 0 {
		fmt.Fprintf(&t.Builder, "\nWARNINGS (%d)\n", len(o.warnings))
		for _, w := range o.warnings {
			t.block("  ! ", "    ", w)
		}
	}
	for i := range o.sections {
		t.section(&o.sections[i])
	}
}

func (t *textWriter) section(s *section) {
	switch {
	case s.brief != nil:
		t.heading(s.title)
		for _, line := range s.brief {
			t.block("  ", "    ", line)
		}
	case s.table != nil:
		t.heading(s.title)
		t.table(s.table)
	case len(s.items) == 0:
		fmt.Fprintf(&t.Builder, "\n%s (0)\n  none\n", s.title)
	default:
		fmt.Fprintf(&t.Builder, "\n%s (%d)\n", s.title, s.counted())
	}
	for i := range s.items {
		it := &s.items[i]
		lead := "  " + pad(plain.Line(it.id), textIndent-3) + " "
		text := it.text
		if it.mark != "" {
			text = "[" + it.mark + "] " + text
		}
		t.block(lead, strings.Repeat(" ", textIndent), text)
		for _, n := range it.notes {
			t.note(n)
		}
	}
	if s.after != "" {
		t.block("  ", "    ", s.after)
	}
}

// table writes rows in columns: the first to the left, all others to the right.
// Its lines are never broken.
func (t *textWriter) table(rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], displaywidth.String(plain.Line(cell)))
		}
	}
	for _, row := range rows {
		line := " "
		for i, cell := range row {
			cell = plain.Line(cell)
			if i == 0 {
				line += " " + pad(cell, widths[i])
				continue
			}
			line += "  " + strings.Repeat(" ", widths[i]-displaywidth.String(cell)) + cell
		}
		t.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

func (t *textWriter) note(n note) {
	t.block(strings.Repeat(" ", textIndent)+plain.Line(n.label)+": ", strings.Repeat(" ", noteIndent), n.text)
	if n.quote == "" {
		return
	}
	// Quoted lines are never broken: they are verbatim.
	for _, line := range strings.Split(plain.Text(n.quote), "\n") {
		t.WriteString(strings.TrimRight(strings.Repeat(" ", noteIndent)+"| "+line, " ") + "\n")
	}
}

// block writes text after a lead, with further lines indented. The lead is
// moot's own; the text is escaped.
func (t *textWriter) block(lead, indent, text string) {
	for line := range strings.SplitSeq(plain.Text(strings.TrimRight(text, "\n")), "\n") {
		for _, broken := range wrap(line, lead, indent, t.width) {
			t.WriteString(strings.TrimRight(broken, " ") + "\n")
		}
		lead = indent
	}
}

// wrap breaks a line between words so that it fits; a word that is wider than
// the line stays whole.
func wrap(line, lead, indent string, width int) []string {
	if width == 0 || displaywidth.String(lead+line) <= width {
		return []string{lead + line}
	}
	var lines []string
	current, used, words := lead, displaywidth.String(lead), 0
	for word := range strings.FieldsSeq(line) {
		wide := displaywidth.String(word)
		if words > 0 && used+1+wide > width {
			lines = append(lines, current)
			current, used, words = indent, displaywidth.String(indent), 0
		}
		if words > 0 {
			current, used = current+" ", used+1
		}
		current, used, words = current+word, used+wide, words+1
	}
	return append(lines, current)
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-displaywidth.String(text)))
}
