package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/tui/pane"
	"moot/tui/theme"
)

// dialog is a window over the panes. The topmost one gets the keys.
type dialog interface {
	// title is shown in its frame.
	title() string
	// place says which bindings hold in it.
	place() Place
	// size is how large it wants its inside to be, at most the given.
	size(l *theme.Look, width, height int) (int, int)
	// view draws its inside: exactly height rows of exactly the width.
	view(l *theme.Look, width, height int) []string
	// scroll moves what is read.
	scroll(a Action, height int)
	// key gets a key that no binding took, or a paste. It returns what the
	// dialog wants done, or nil.
	key(msg tea.Msg) intent
	// send is what ActionSend wants done, or nil.
	send() intent
	// hint is what its frame says beside the keys, or "".
	hint() string
}

// intent is what a dialog wants done, a perform.
type intent interface{ intent() }

// drawDialog lays the topmost dialog over the rows of the screen.
func (m *Model) drawDialog(rows []string) []string {
	if len(m.dialogs) == 0 {
		return rows
	}
	d := m.dialogs[len(m.dialogs)-1]
	r := m.dialogRect(d)
	if r.Empty() {
		return rows
	}
	box := m.drawBox(d, r)
	for i, line := range box {
		y := r.Y + i
		if y >= len(rows) {
			break
		}
		if r.X == 0 && r.W == m.width {
			rows[y] = line
			continue
		}
		left, right := m.aroundDialog(y, coveredRow{m.look, rows[y], m.width, r.X, r.X + r.W})
		rows[y] = left + line + right
	}
	return rows
}

// coveredRow is a row of the screen that a dialog lies over between two columns.
type coveredRow struct {
	look            *theme.Look
	row             string
	width, from, to int
}

// cutRow is what is seen of a covered row, left and right of the dialog.
type cutRow struct {
	of          coveredRow
	left, right string
}

// aroundDialog is what is seen of row y. It is kept: most rows stay as they are
// from frame to frame, and cutting styled text takes long.
func (m *Model) aroundDialog(y int, c coveredRow) (left, right string) {
	for len(m.cuts) <= y {
		m.cuts = append(m.cuts, cutRow{})
	}
	kept := &m.cuts[y]
	if kept.of != c {
		*kept = cutRow{c, m.fill(m.look.Method.Truncate(c.row, c.from, ""), c.from), m.rest(c.row, c.to)}
	}
	return kept.left, kept.right
}

// rest is what stands right of a column; the rest of a wide character becomes
// spaces.
func (m *Model) rest(row string, x int) string {
	want := max(m.width-x, 0)
	right := m.look.Method.TruncateLeft(row, x, "")
	for cut := x + 1; m.look.Method.StringWidth(right) > want && cut <= m.width; cut++ {
		right = m.look.Method.TruncateLeft(row, cut, "")
	}
	return theme.Blank(want-m.look.Method.StringWidth(right)) + right
}

// fill pads a styled text.
func (m *Model) fill(s string, width int) string {
	return s + theme.Blank(width-m.look.Method.StringWidth(s))
}

// dialogRect centers a dialog; on a small screen it takes all of it.
func (m *Model) dialogRect(d dialog) pane.Rect {
	if m.layout.Kind == TooSmall {
		return pane.Rect{}
	}
	if m.width < smallWidth*3/2 || m.height < 15 {
		return pane.Rect{X: 0, Y: 0, W: m.width, H: m.height}
	}
	// A status of several lines is not covered.
	room := m.height - max(m.layout.Status.H-1, 0)
	w, h := d.size(m.look, m.width-8, room-6)
	w, h = min(max(w, 24), m.width-8)+4, min(max(h, 3), room-6)+2
	if m.width-w < 20 {
		// A sliver of the panes beside it would say nothing.
		w = m.width
	}
	return pane.Rect{X: (m.width - w) / 2, Y: (room - h) / 2, W: w, H: h}
}

// dialogInside is the size of the inside of a dialog's frame.
func dialogInside(r pane.Rect) (int, int) { return max(r.W-4, 0), max(r.H-2, 0) }

func (m *Model) drawBox(d dialog, r pane.Rect) []string {
	l, g := m.look, &m.look.Glyphs
	w, h := dialogInside(r)
	title := l.Clip(" "+l.Line(d.title())+" ", r.W-4)
	line := func(left string, middle []theme.Span, used int, tail, right string) string {
		spans := append([]theme.Span{l.Accent.Span(left + g.Horizontal)}, middle...)
		if rest := r.W - 3 - used - l.Width(tail); rest >= 0 {
			spans = append(spans, l.Accent.Span(strings.Repeat(g.Horizontal, rest)), l.Faint.Span(tail))
		} else {
			spans = append(spans, l.Accent.Span(strings.Repeat(g.Horizontal, max(r.W-3-used, 0))))
		}
		return l.Row(r.W, append(spans, l.Accent.Span(right)), nil)
	}
	rows := make([]string, 0, r.H)
	rows = append(rows, line(g.TopLeft, []theme.Span{l.Title.Span(title)}, l.Width(title), "", g.TopRight))
	bar := l.Accent.Paint(g.Vertical)
	for _, row := range d.view(l, w, h) {
		rows = append(rows, bar+" "+row+" "+bar)
	}
	if r.H == m.height && m.flash != "" {
		// The status is covered: what was said stands in the frame.
		said := l.Clip(" "+l.Line(m.flash)+" ", r.W-4)
		return append(rows, line(g.BottomLeft, []theme.Span{when(m.flashWarn, l.Warn, l.User).Span(said)}, l.Width(said), "", g.BottomRight))
	}
	hints := append(m.keyHints(r.X+3, r.Y+r.H-1, r.X+r.W-3), theme.Span{Text: " "})
	used := 1
	for _, s := range hints {
		used += l.Width(s.Text)
	}
	tail := d.hint()
	if tail != "" {
		tail = " " + tail + " "
	}
	return append(rows, line(g.BottomLeft, append([]theme.Span{{Text: " "}}, hints...), used, tail, g.BottomRight))
}
