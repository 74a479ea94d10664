package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// block is a paragraph of what is read: in a dialog, or in the view of a point.
type block struct {
	indent int
	lead   span
	body   span
	// right stands at the right end of the first row.
	right span
	// hang indents the rows below the first, where it is not 0.
	hang int
	// column says that the lead is a column of a table: where it leaves too
	// little room it stands in a row of its own.
	column bool
	// section begins a part of the text: it is the title in a rule.
	section string
	// reference is the place that the block cites, or "".
	reference string
}

// scrolled is a text of blocks that is laid out once for its width, and read
// from a row on.
type scrolled struct {
	// blocks makes what is read, for a look; it is asked again after refresh.
	blocks func(l *look) []block

	look   *look
	top    int
	height int
	drawn  []string
	width  int
	// cited are the references of the rows that were drawn.
	cited []citation
}

// citation is a reference that stands in the rows from one on.
type citation struct {
	row       int
	reference string
}

// refresh drops what was drawn: what it says has changed.
func (s *scrolled) refresh() { s.drawn = nil }

func (s *scrolled) lay(l *look, width int) {
	if s.drawn != nil && s.width == width && s.look == l {
		return
	}
	s.drawn, s.width, s.look, s.cited = []string{}, width, l, nil
	for _, b := range s.blocks(l) {
		if b.reference != "" {
			s.cited = append(s.cited, citation{len(s.drawn), b.reference})
		}
		s.drawn = append(s.drawn, b.rows(l, width, len(s.drawn) == 0)...)
	}
}

// airyWidth is the width from which a section is set off by an empty row.
const airyWidth = 40

// rows draws the block; the first one of a text needs no empty row above.
func (b *block) rows(l *look, width int, first bool) []string {
	var right []span
	if b.right.text != "" {
		right = []span{{b.right.style, b.right.text + " "}}
	}
	if b.section != "" {
		rows := []string{l.sectionRule(width, b.section, right)}
		if width >= airyWidth && !first {
			rows = append([]string{blank(width)}, rows...)
		}
		return rows
	}
	lead := []span{{text: strings.Repeat(" ", b.indent)}, b.lead}
	if b.column && b.hang > width*2/5 {
		rows := []string{l.row(width, lead, right)}
		return append(rows, l.paragraph(width, []span{{text: strings.Repeat(" ", b.indent+2)}}, b.body, nil, 0)...)
	}
	return l.hanging(width, lead, b.body, right, b.hang)
}

// read draws exactly height rows from where one reads.
func (s *scrolled) read(l *look, width, height int) []string {
	s.lay(l, width)
	s.height = height
	s.bound()
	rows := append([]string{}, s.drawn[s.top:min(s.top+height, len(s.drawn))]...)
	for len(rows) < height {
		rows = append(rows, blank(width))
	}
	return rows
}

func (s *scrolled) bound() { s.top = max(min(s.top, len(s.drawn)-s.height), 0) }

// more reports whether the text goes on below.
func (s *scrolled) more() bool { return s.top+s.height < len(s.drawn) }

// moveBy scrolls as an action says.
func (s *scrolled) moveBy(a Action) {
	page := max(s.height-1, 1)
	s.top += map[Action]int{ActionUp: -1, ActionDown: 1, ActionPageUp: -page, ActionPageDown: page}[a]
	switch {
	case a == ActionHome:
		s.top = 0
	case a == ActionEnd:
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

// findRow goes to the next row that holds the query.
func (s *scrolled) findRow(query string, forwards, from bool) bool {
	i := nextMatch(query, len(s.drawn), s.top, forwards, from, func(i int) string { return ansi.Strip(s.drawn[i]) })
	if i < 0 {
		return false
	}
	s.top = i
	s.bound()
	return true
}
