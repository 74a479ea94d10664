package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// dialog is a window over the panes. The topmost one gets the keys.
type dialog interface {
	// title is shown in its frame.
	title() string
	// place says which bindings hold in it.
	place() Place
	// size is how large it wants its inside to be, at most the given.
	size(l *look, width, height int) (int, int)
	// view draws its inside: exactly height rows of exactly the width.
	view(l *look, width, height int) []string
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

// intent is what a dialog wants done: giveAnswer, giveReply or perform.
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
	look            *look
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
		*kept = cutRow{c, m.fill(m.look.method.Truncate(c.row, c.from, ""), c.from), m.rest(c.row, c.to)}
	}
	return kept.left, kept.right
}

// rest is what stands right of a column; the rest of a wide character becomes
// spaces.
func (m *Model) rest(row string, x int) string {
	want := max(m.width-x, 0)
	right := m.look.method.TruncateLeft(row, x, "")
	for cut := x + 1; m.look.method.StringWidth(right) > want && cut <= m.width; cut++ {
		right = m.look.method.TruncateLeft(row, cut, "")
	}
	return blank(want-m.look.method.StringWidth(right)) + right
}

// fill pads a styled text.
func (m *Model) fill(s string, width int) string {
	return s + blank(width-m.look.method.StringWidth(s))
}

// dialogRect centers a dialog; on a small screen it takes all of it.
func (m *Model) dialogRect(d dialog) Rect {
	if m.layout.Kind == TooSmall {
		return Rect{}
	}
	if m.width < compactWidth*3/2 || m.height < compactHeight*3/2 {
		return Rect{0, 0, m.width, m.height}
	}
	// A status of several lines is not covered.
	room := m.height - max(m.layout.Status.H-1, 0)
	w, h := d.size(m.look, m.width-8, room-6)
	w, h = min(max(w, 24), m.width-8)+4, min(max(h, 3), room-6)+2
	if m.width-w < compactWidth/2 {
		// A sliver of the panes beside it would say nothing.
		w = m.width
	}
	return Rect{(m.width - w) / 2, (room - h) / 2, w, h}
}

// dialogInside is the size of the inside of a dialog's frame.
func dialogInside(r Rect) (int, int) { return max(r.W-4, 0), max(r.H-2, 0) }

func (m *Model) drawBox(d dialog, r Rect) []string {
	l, g := m.look, &m.look.glyphs
	w, h := dialogInside(r)
	title := l.clip(" "+l.line(d.title())+" ", r.W-4)
	line := func(left string, middle []span, used int, tail, right string) string {
		spans := append([]span{{l.accent, left + g.horizontal}}, middle...)
		if rest := r.W - 3 - used - l.width(tail); rest >= 0 {
			spans = append(spans, span{l.accent, strings.Repeat(g.horizontal, rest)}, span{l.faint, tail})
		} else {
			spans = append(spans, span{l.accent, strings.Repeat(g.horizontal, max(r.W-3-used, 0))})
		}
		return l.row(r.W, append(spans, span{l.accent, right}), nil)
	}
	rows := make([]string, 0, r.H)
	rows = append(rows, line(g.topLeft, []span{{l.title, title}}, l.width(title), "", g.topRight))
	bar := l.accent.paint(g.vertical)
	for _, row := range d.view(l, w, h) {
		rows = append(rows, bar+" "+row+" "+bar)
	}
	if r.H == m.height && m.flash != "" {
		// The status is covered: what was said stands in the frame.
		said := l.clip(" "+l.line(m.flash)+" ", r.W-4)
		return append(rows, line(g.bottomLeft, []span{{when(m.flashWarn, l.warn, l.user), said}}, l.width(said), "", g.bottomRight))
	}
	hints := append(m.keyHints(r.X+3, r.Y+r.H-1, r.X+r.W-3), span{text: " "})
	used := 1
	for _, s := range hints {
		used += l.width(s.text)
	}
	tail := d.hint()
	if tail != "" {
		tail = " " + tail + " "
	}
	return append(rows, line(g.bottomLeft, append([]span{{text: " "}}, hints...), used, tail, g.bottomRight))
}
