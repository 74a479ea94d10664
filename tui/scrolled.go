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
}

// refresh drops what was drawn: what it says has changed.
func (s *scrolled) refresh() { s.drawn = nil }

func (s *scrolled) lay(l *look, width int) {
	if s.drawn != nil && s.width == width && s.look == l {
		return
	}
	s.drawn, s.width, s.look = []string{}, width, l
	for _, b := range s.blocks(l) {
		lead := []span{{text: strings.Repeat(" ", b.indent)}, b.lead}
		s.drawn = append(s.drawn, l.paragraph(width, lead, b.body, nil, 0)...)
	}
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
