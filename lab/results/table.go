package results

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// Table is figures in rows.
type Table struct {
	// Title says what it shows, and begins with the origin of the figures.
	Title string
	// Columns are the heads; the first Left of them stand at the left, the others at
	// the right.
	Columns []string
	Left    int
	Rows    [][]string
	// Chief tables tell what came out; the others tell more of it. Long ones are for a
	// page, and not for a terminal.
	Chief, Long bool
}

// gap is the space between two columns, minFirst the minimum width of the first one, which is wrapped if there is too
// little room.
const gap, minFirst = 2, 14

// Text draws the table within a width in columns; 0 is as wide as it takes. Where even
// a broken first column leaves too little room, each row becomes a few lines.
func (t *Table) Text(width int) string {
	wide := make([]int, len(t.Columns))
	for i, head := range t.Columns {
		wide[i] = displaywidth.String(head)
		for _, row := range t.Rows {
			wide[i] = max(wide[i], displaywidth.String(row[i]))
		}
	}
	rest := 0
	for _, w := range wide[1:] {
		rest += w + gap
	}
	var out strings.Builder
	title := []string{t.Title}
	if width > 0 {
		title = broken(t.Title, width)
	}
	for _, line := range title {
		out.WriteString(line + "\n")
	}
	switch {
	case width <= 0 || wide[0]+rest <= width:
	case rest+minFirst <= width:
		wide[0] = width - rest
	default:
		t.stack(&out, width)
		return out.String()
	}
	t.line(&out, wide, t.Columns)
	for _, row := range t.Rows {
		t.line(&out, wide, row)
	}
	return out.String()
}

// line draws a row; its first cell may take several lines.
func (t *Table) line(out *strings.Builder, wide []int, row []string) {
	for i, first := range broken(row[0], max(wide[0], 1)) {
		line := &strings.Builder{}
		line.WriteString(first)
		line.WriteString(strings.Repeat(" ", max(0, wide[0]-displaywidth.String(first))))
		for k := 1; k < len(row) && i == 0; k++ {
			room := strings.Repeat(" ", wide[k]-displaywidth.String(row[k]))
			line.WriteString(strings.Repeat(" ", gap))
			if k < t.Left {
				line.WriteString(row[k] + room)
			} else {
				line.WriteString(room + row[k])
			}
		}
		out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// stack draws each row as lines, a head with its value.
func (t *Table) stack(out *strings.Builder, width int) {
	for _, row := range t.Rows {
		for _, line := range broken(row[0], max(width, 1)) {
			out.WriteString(line + "\n")
		}
		for k := 1; k < len(row); k++ {
			for _, line := range broken(t.Columns[k]+": "+row[k], max(width-2, 1)) {
				out.WriteString("  " + line + "\n")
			}
		}
	}
}

// broken breaks a text at its spaces into lines of at most the width; a word that is
// longer is cut. 0 is no limit.
func broken(text string, width int) []string {
	if width == 0 {
		return []string{text}
	}
	lines, line := []string{}, ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && displaywidth.String(line)+1+displaywidth.String(word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for displaywidth.String(word) > width {
			head := displaywidth.TruncateString(word, width, "")
			if head == "" {
				break
			}
			lines, word = append(lines, head), word[len(head):]
		}
		line = word
	}
	return append(lines, line)
}
