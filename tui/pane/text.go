package pane

import (
	"sort"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"moot/tui/theme"
)

// Block is a paragraph of what is read: in a dialog, or in the view of a point.
type Block struct {
	Indent int
	Lead   theme.Span
	Body   theme.Span
	// Right stands at the right end of the first row.
	Right theme.Span
	// Hang indents the rows below the first, where it is not 0.
	Hang int
	// column says that the lead is a column of a table: where it leaves too
	// little room it stands in a row of its own.
	column bool
	// gutter says that the sign stands in front of each row.
	gutter bool
	// Section begins a part of the text: it is the title in a rule.
	Section string
	// sign stands behind the lead.
	sign theme.Span
	// single cuts the text at the end of the first row.
	single bool
	// cites is the id of the evidence item that the block is about, or "".
	cites string
}

// Text is a text of blocks that is laid out once for its width, and read
// from a row on.
type Text struct {
	// Blocks makes what is read, for a look; it is asked again after refresh.
	Blocks func(l *theme.Look) []Block

	look   *theme.Look
	Top    int
	Height int
	Drawn  []string
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
	ID  string
}

// Refresh drops what was drawn: what it says has changed.
func (s *Text) Refresh() { s.Drawn = nil }

// Lay draws the blocks unless they are drawn; the block that one reads stays.
func (s *Text) Lay(l *theme.Look, width int) {
	if s.Drawn != nil && s.width == width && s.look == l {
		return
	}
	at := max(sort.SearchInts(s.starts, s.Top+1)-1, 0)
	within := 0
	if at < len(s.starts) {
		within = s.Top - s.starts[at]
	}
	if s.width != width {
		s.marked = 0
	}
	s.Drawn, s.width, s.look, s.cited, s.starts = []string{}, width, l, nil, s.starts[:0]
	for _, b := range s.Blocks(l) {
		if b.cites != "" {
			s.cited = append(s.cited, citation{len(s.Drawn), b.cites})
		}
		s.starts = append(s.starts, len(s.Drawn))
		s.Drawn = append(s.Drawn, b.Rows(l, width, len(s.Drawn) == 0)...)
	}
	if at < len(s.starts) {
		end := len(s.Drawn)
		if at+1 < len(s.starts) {
			end = s.starts[at+1]
		}
		s.Top = s.starts[at] + max(min(within, end-s.starts[at]-1), 0)
	}
}

// CitedID is the evidence item that the marked row is about, or stands below.
// Without a marked row it is the first one on the screen, or else the last one
// above; "" where there is none.
func (s *Text) CitedID() string {
	if len(s.cited) == 0 {
		return ""
	}
	i := sort.Search(len(s.cited), func(i int) bool { return s.cited[i].row >= s.Top })
	if s.marked > 0 {
		i = sort.Search(len(s.cited), func(i int) bool { return s.cited[i].row >= s.marked }) - 1
	}
	return s.cited[max(min(i, len(s.cited)-1), 0)].ID
}

// airyWidth is the width from which a section is set off by an empty row.
const airyWidth = 40

// Rows draws the block; the first one of a text needs no empty row above.
func (b *Block) Rows(l *theme.Look, width int, first bool) []string {
	var right []theme.Span
	if b.Right.Text != "" {
		right = []theme.Span{b.Right.Style.Span(b.Right.Text + " ")}
	}
	if b.Section != "" {
		rows := []string{l.SectionRule(width, b.Section, right)}
		if width >= airyWidth && !first {
			rows = append([]string{theme.Blank(width)}, rows...)
		}
		return rows
	}
	lead := []theme.Span{{Text: strings.Repeat(" ", b.Indent)}, b.Lead, b.sign}
	if b.gutter {
		return b.gutterRows(l, width)
	}
	if b.column && b.Hang > width*2/5 {
		rows := []string{l.Row(width, lead, right)}
		return append(rows, l.Paragraph(width, []theme.Span{{Text: strings.Repeat(" ", b.Indent+2)}}, b.Body, nil, 0)...)
	}
	if b.single {
		return []string{l.Row(max(width-1, 0), append(lead, b.Body), right) + when(width > 0, " ", "")}
	}
	return l.Hanging(width, lead, b.Body, right, b.Hang)
}

// gutterRows draws a line of a quotation; where it is wrapped the gutter goes on.
func (b *Block) gutterRows(l *theme.Look, width int) []string {
	lead := b.Lead
	before := b.Indent + l.Width(lead.Text) + l.Width(b.sign.Text)
	var rows []string
	for _, line := range l.Wrap(b.Body.Text, max(width-before-1, 1)) {
		rows = append(rows, l.Row(width, []theme.Span{{Text: theme.Blank(b.Indent)}, lead, b.sign, b.Body.Style.Span(line)}, nil))
		lead.Text = theme.Blank(l.Width(lead.Text))
	}
	return rows
}

// Read draws exactly height rows from where one reads.
func (s *Text) Read(l *theme.Look, width, height int) []string {
	s.Lay(l, width)
	s.Height = height
	s.bound()
	rows := append([]string{}, s.Drawn[s.Top:min(s.Top+height, len(s.Drawn))]...)
	for len(rows) < height {
		rows = append(rows, theme.Blank(width))
	}
	return rows
}

func (s *Text) bound() { s.Top = max(min(s.Top, len(s.Drawn)-s.Height), 0) }

// More reports whether the text goes on below.
func (s *Text) More() bool { return s.Top+s.Height < len(s.Drawn) }

// MoveBy scrolls as an action says.
func (s *Text) MoveBy(a Motion) {
	s.marked = 0
	page := max(s.Height-1, 1)
	s.Top += map[Motion]int{MoveUp: -1, MoveDown: 1, MovePageUp: -page, MovePageDown: page}[a]
	switch {
	case a == MoveHome:
		s.Top = 0
	case a == MoveEnd:
		s.Top = len(s.Drawn)
	}
	s.bound()
}

// plainText is all that is read, without styles.
func (s *Text) plainText() string {
	lines := make([]string, len(s.Drawn))
	for i, row := range s.Drawn {
		lines[i] = strings.TrimRight(ansi.Strip(row), " ")
	}
	return strings.Join(lines, "\n")
}

// findRow goes to the next row that holds the query, and marks it.
func (s *Text) findRow(query string, forwards, from bool) bool {
	at := s.Top
	if s.marked > s.Top && s.marked <= s.Top+s.Height {
		at = s.marked - 1
	}
	i := NextMatch(query, len(s.Drawn), at, forwards, from, func(i int) string { return ansi.Strip(s.Drawn[i]) })
	if i < 0 {
		return false
	}
	s.marked = i + 1
	if i < s.Top || i >= s.Top+s.Height {
		s.Top = i
		s.bound()
	}
	return true
}
