package measure

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Table is figures in rows.
type Table struct {
	Title string
	// Columns are the headings. The first Left columns are left-aligned, the others right-aligned.
	Columns []string
	Left    int
	Rows    [][]string
	// Chief tables are printed by default.
	Chief bool
}

// gap is the space between columns. If there is too little room, the first column wraps, down to minFirst.
const gap, minFirst = 2, 14

// Text draws the table within a width; 0 is no limit. If the other columns alone are too wide, each cell gets a line.
func (t *Table) Text(width int) string {
	rows := append([][]string{t.Columns}, t.Rows...)
	widths, others := make([]int, len(t.Columns)), 0
	for i := range widths {
		for _, row := range rows {
			widths[i] = max(widths[i], ansi.StringWidth(row[i]))
		}
		if i > 0 {
			others += gap + widths[i]
		}
	}
	lines := []string{wrap(t.Title, width)}
	if width > 0 && widths[0]+others > width {
		if others+minFirst > width {
			for _, row := range t.Rows {
				lines = append(lines, wrap(row[0], width))
				for i, cell := range row[1:] {
					cell = wrap(t.Columns[i+1]+": "+cell, max(width-gap, 1))
					lines = append(lines, "  "+strings.ReplaceAll(cell, "\n", "\n  "))
				}
			}
			return strings.Join(lines, "\n") + "\n"
		}
		widths[0] = width - others
	}
	for _, row := range rows {
		for i, first := range strings.Split(wrap(row[0], widths[0]), "\n") {
			line := first + strings.Repeat(" ", max(0, widths[0]-ansi.StringWidth(first)))
			for k := 1; k < len(row) && i == 0; k++ {
				padding := strings.Repeat(" ", widths[k]-ansi.StringWidth(row[k]))
				line += strings.Repeat(" ", gap)
				if k < t.Left {
					line += row[k] + padding
				} else {
					line += padding + row[k]
				}
			}
			lines = append(lines, strings.TrimRight(line, " "))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// wrap breaks a text at spaces, and cuts words that are too long. Unlike ansi.Wrap it never exceeds the width.
func wrap(text string, width int) string {
	return ansi.Hardwrap(ansi.Wordwrap(text, width, ""), width, false)
}
