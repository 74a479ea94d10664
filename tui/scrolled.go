package tui

import (
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"moot/tui/theme"
)

// block is a paragraph of what is read: in a dialog, or in the view of a point.
type block struct {
	indent int
	lead   theme.Span
	body   theme.Span
	// right stands at the right end of the first row.
	right theme.Span
	// hang indents the rows below the first, where it is not 0.
	hang int
	// column says that the lead is a column of a table: where it leaves too
	// little room it stands in a row of its own.
	column bool
	// gutter says that the sign stands in front of each row.
	gutter bool
	// section begins a part of the text: it is the title in a rule.
	section string
	// sign stands behind the lead.
	sign theme.Span
	// single cuts the text at the end of the first row.
	single bool
	// cites is the id of the evidence item that the block is about, or "".
	cites string
}

// scrolled is a text of blocks that is laid out once for its width, and read
// from a row on.
type scrolled struct {
	// blocks makes what is read, for a look; it is asked again after refresh.
	blocks func(l *theme.Look) []block

	look   *theme.Look
	top    int
	height int
	drawn  []string
	width  int
	// starts are the rows at which the blocks begin, cited which of them are
	// about an evidence item.
	starts []int
	cited  []citation
	// marked is the row that was clicked or found, counted from 1; 0 is none.
	marked int
}

// citation is an evidence item that a row is about.
type citation struct {
	row int
	id  string
}

// refresh drops what was drawn: what it says has changed.
func (s *scrolled) refresh() { s.drawn = nil }

// lay draws the blocks unless they are drawn; the block that one reads stays.
func (s *scrolled) lay(l *theme.Look, width int) {
	if s.drawn != nil && s.width == width && s.look == l {
		return
	}
	at := max(sort.SearchInts(s.starts, s.top+1)-1, 0)
	within := 0
	if at < len(s.starts) {
		within = s.top - s.starts[at]
	}
	if s.width != width {
		s.marked = 0
	}
	s.drawn, s.width, s.look, s.cited, s.starts = []string{}, width, l, nil, s.starts[:0]
	for _, b := range s.blocks(l) {
		if b.cites != "" {
			s.cited = append(s.cited, citation{len(s.drawn), b.cites})
		}
		s.starts = append(s.starts, len(s.drawn))
		s.drawn = append(s.drawn, b.rows(l, width, len(s.drawn) == 0)...)
	}
	if at < len(s.starts) {
		end := len(s.drawn)
		if at+1 < len(s.starts) {
			end = s.starts[at+1]
		}
		s.top = s.starts[at] + max(min(within, end-s.starts[at]-1), 0)
	}
}

// citedID is the evidence item that the marked row is about, or stands below.
// Without a marked row it is the first one on the screen, or else the last one
// above; "" where there is none.
func (s *scrolled) citedID() string {
	if len(s.cited) == 0 {
		return ""
	}
	i := sort.Search(len(s.cited), func(i int) bool { return s.cited[i].row >= s.top })
	if s.marked > 0 {
		i = sort.Search(len(s.cited), func(i int) bool { return s.cited[i].row >= s.marked }) - 1
	}
	return s.cited[max(min(i, len(s.cited)-1), 0)].id
}

// airyWidth is the width from which a section is set off by an empty row.
const airyWidth = 40

// rows draws the block; the first one of a text needs no empty row above.
func (b *block) rows(l *theme.Look, width int, first bool) []string {
	var right []theme.Span
	if b.right.Text != "" {
		right = []theme.Span{b.right.Style.Span(b.right.Text + " ")}
	}
	if b.section != "" {
		rows := []string{l.SectionRule(width, b.section, right)}
		if width >= airyWidth && !first {
			rows = append([]string{theme.Blank(width)}, rows...)
		}
		return rows
	}
	lead := []theme.Span{{Text: strings.Repeat(" ", b.indent)}, b.lead, b.sign}
	if b.gutter {
		return b.gutterRows(l, width)
	}
	if b.column && b.hang > width*2/5 {
		rows := []string{l.Row(width, lead, right)}
		return append(rows, l.Paragraph(width, []theme.Span{{Text: strings.Repeat(" ", b.indent+2)}}, b.body, nil, 0)...)
	}
	if b.single {
		return []string{l.Row(max(width-1, 0), append(lead, b.body), right) + when(width > 0, " ", "")}
	}
	return l.Hanging(width, lead, b.body, right, b.hang)
}

// gutterRows draws a line of a quotation; where it is wrapped the gutter goes on.
func (b *block) gutterRows(l *theme.Look, width int) []string {
	lead := b.lead
	before := b.indent + l.Width(lead.Text) + l.Width(b.sign.Text)
	var rows []string
	for _, line := range l.Wrap(b.body.Text, max(width-before-1, 1)) {
		rows = append(rows, l.Row(width, []theme.Span{{Text: theme.Blank(b.indent)}, lead, b.sign, b.body.Style.Span(line)}, nil))
		lead.Text = theme.Blank(l.Width(lead.Text))
	}
	return rows
}

// read draws exactly height rows from where one reads.
func (s *scrolled) read(l *theme.Look, width, height int) []string {
	s.lay(l, width)
	s.height = height
	s.bound()
	rows := append([]string{}, s.drawn[s.top:min(s.top+height, len(s.drawn))]...)
	for len(rows) < height {
		rows = append(rows, theme.Blank(width))
	}
	return rows
}

func (s *scrolled) bound() { s.top = max(min(s.top, len(s.drawn)-s.height), 0) }

// more reports whether the text goes on below.
func (s *scrolled) more() bool { return s.top+s.height < len(s.drawn) }

// moveBy scrolls as an action says.
func (s *scrolled) moveBy(a Motion) {
	s.marked = 0
	page := max(s.height-1, 1)
	s.top += map[Motion]int{MoveUp: -1, MoveDown: 1, MovePageUp: -page, MovePageDown: page}[a]
	switch {
	case a == MoveHome:
		s.top = 0
	case a == MoveEnd:
		s.top = len(s.drawn)
	}
	s.bound()
}

// plainText is all that is read, without styles.
func (s *scrolled) plainText() string {
	lines := make([]string, len(s.drawn))
	for i, row := range s.drawn {
		lines[i] = strings.TrimRight(ansi.Strip(row), " ")
	}
	return strings.Join(lines, "\n")
}

// findRow goes to the next row that holds the query, and marks it.
func (s *scrolled) findRow(query string, forwards, from bool) bool {
	at := s.top
	if s.marked > s.top && s.marked <= s.top+s.height {
		at = s.marked - 1
	}
	i := nextMatch(query, len(s.drawn), at, forwards, from, func(i int) string { return ansi.Strip(s.drawn[i]) })
	if i < 0 {
		return false
	}
	s.marked = i + 1
	if i < s.top || i >= s.top+s.height {
		s.top = i
		s.bound()
	}
	return true
}
