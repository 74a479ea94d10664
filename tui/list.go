package tui

import (
	"slices"
	"strings"
	"unicode/utf8"

	"moot/tui/theme"
)

// list is a scrolled list with a selected item, which the panes of points,
// challenges and the ledger are made of.
type list struct {
	look    *theme.Look
	focused bool
	// n items, drawn by draw; key is an item's id, or "" where it cannot be
	// selected. The mark is the pointer of the selected item.
	n    int
	draw func(i, width int, mark theme.Span) []string
	// single says that each item takes one row, rowsOf how many it takes where that
	// is known without drawing it, or 0; nil knows of none.
	single bool
	rowsOf func(i int) int
	key    func(i int) string
	// text is what an item says, for the search and the clipboard.
	text func(i int) string
	// holds says whether an item holds a query in small letters; nil looks
	// through its text.
	holds func(i int, query string) bool

	win    window
	chosen string
	at     int
	// lost is what was selected at lostAt before it was gone, or "".
	lost   string
	lostAt int
	// moved says that the selected item stands elsewhere than when it was drawn.
	moved bool

	version int
	cached  cachedRows
}

// cachedRows is what a pane drew last, and for what.
type cachedRows struct {
	rows          []string
	more          bool
	width, height int
	version       int
}

func (c *cachedRows) fits(width, height, version int) bool {
	return c.rows != nil && c.width == width && c.height == height && c.version == version
}

// changed drops what was drawn.
func (l *list) changed() { l.version++ }

// setLook changes how the list is drawn.
func (l *list) setLook(k *theme.Look) {
	l.look = k
	l.changed()
}

// setFocused says whether keys go to the list.
func (l *list) setFocused(on bool) {
	if l.focused != on {
		l.focused = on
		l.changed()
	}
}

// setCount takes over n new items and finds the selected one among them. Where
// it is not there what stands in its place is selected, until it comes again.
func (l *list) setCount(n int) {
	l.n = n
	l.changed()
	if l.lost != "" && l.lostAt < n && l.key(l.lostAt) == l.lost {
		l.pick(l.lostAt)
		l.moved = true
		return
	}
	if l.at < n && l.at >= 0 && l.chosen != "" && l.key(l.at) == l.chosen {
		return
	}
	for i := range n {
		if k := l.key(i); k != "" && k == l.chosen {
			l.at, l.moved = i, true
			return
		}
	}
	if l.lost == "" {
		l.lost, l.lostAt = l.chosen, l.at
	}
	l.at, l.chosen = l.nearest(l.at), ""
	if l.at >= 0 {
		l.chosen = l.key(l.at)
	}
}

// nearest is the item nearest to a place that can be selected, -1 for none.
func (l *list) nearest(at int) int {
	at = min(max(at, 0), l.n-1)
	for i := at; i >= 0; i-- {
		if l.key(i) != "" {
			return i
		}
	}
	for i := at + 1; i < l.n; i++ {
		if l.key(i) != "" {
			return i
		}
	}
	return -1
}

// count and rows make the list an items.
func (l *list) count() int { return l.n }

func (l *list) rows(i, width int) []string {
	if i != l.at || !l.focused {
		return l.draw(i, width, theme.Span{Text: " "})
	}
	rows := slices.Clone(l.draw(i, width, l.look.Accent.Span(l.look.Glyphs.Pointer)))
	for k := range rows {
		rows[k] = l.look.Selected.Over(rows[k])
	}
	return rows
}

// tall is how many rows item i takes.
func (l *list) tall(i, width int) int {
	if l.single {
		return 1
	}
	if l.rowsOf != nil {
		if n := l.rowsOf(i); n > 0 {
			return n
		}
	}
	return len(l.draw(i, width, theme.Span{Text: " "}))
}

// selected is the id of the selected item, or "".
func (l *list) selected() string { return l.chosen }

// more reports whether the list goes on below what was drawn last.
func (l *list) more() bool { return l.cached.more }

// copied is the text of the selected item.
func (l *list) copied() string {
	if l.at < 0 || l.at >= l.n {
		return ""
	}
	return l.text(l.at)
}

// move selects, or goes to an edge.
func (l *list) move(a Motion, width, height int) {
	switch {
	case a == MoveHome || a == MoveEnd:
		l.edge(a == MoveEnd, width, height)
	default:
		by := map[Motion]int{MoveUp: -1, MoveDown: 1, MovePageUp: 1 - height, MovePageDown: height - 1}[a]
		l.step(by, width, height)
	}
}

// wheel scrolls without selecting.
func (l *list) wheel(by, width, height int) { l.scroll(by, width, height) }

// click selects what stands at the cell.
func (l *list) click(_, y, width, height int) { l.pick(l.win.itemAt(l, y, width, height)) }

// opens reports whether something stands at the cell that a second click opens.
func (l *list) opens(_, y, width, height int) bool {
	i := l.win.itemAt(l, y, width, height)
	return i >= 0 && l.key(i) != ""
}

// choose selects the item with the id, where it is there.
func (l *list) choose(id string) {
	if id == "" || id == l.chosen {
		return
	}
	for i := range l.n {
		if l.key(i) == id {
			l.pick(i)
			l.moved = true
			return
		}
	}
}

// find selects the next item whose text holds the query.
func (l *list) find(query string, forwards, from bool, width, height int) bool {
	i := nextHolding(query, l.n, l.at, forwards, from, func(i int, query string) bool {
		switch {
		case l.key(i) == "":
			return false
		case l.holds != nil:
			return l.holds(i, query)
		}
		return holds(l.text(i), query)
	})
	if i < 0 {
		return false
	}
	l.pick(i)
	l.reveal(width, height)
	return true
}

// step selects the next item that can be selected in the direction, by times.
func (l *list) step(by, width, height int) {
	step := when(by < 0, -1, 1)
	for ; by != 0; by -= step {
		next := l.at + step
		for next >= 0 && next < l.n && l.key(next) == "" {
			next += step
		}
		if next < 0 || next >= l.n {
			break
		}
		l.pick(next)
	}
	l.reveal(width, height)
}

// pick selects item i where it can be selected.
func (l *list) pick(i int) {
	if i >= 0 && i < l.n && l.key(i) != "" {
		l.at, l.chosen, l.lost = i, l.key(i), ""
		l.changed()
	}
}

// reveal brings the selected item into view, with the headline above it.
func (l *list) reveal(width, height int) {
	l.show(width, height)
	l.changed()
}

func (l *list) show(width, height int) {
	if l.at > 0 && l.key(l.at-1) == "" {
		l.win.show(l, l.at-1, width, height)
	}
	l.win.show(l, l.at, width, height)
}

// resized reports whether a new size would leave the selected item out of sight
// that was in view before.
func (l *list) resized(width, height int) bool {
	was := &l.cached
	if was.rows == nil || was.width == width && was.height == height {
		return false
	}
	top, skip := l.win.start(l, was.width, was.height)
	if l.at < top {
		return false
	}
	used := -skip
	for i := top; i < l.at && used < was.height; i++ {
		used += l.tall(i, was.width)
	}
	return used < was.height
}

// edge selects the first or the last item.
func (l *list) edge(end bool, width, height int) {
	i, step := 0, 1
	if end {
		i, step = l.n-1, -1
	}
	for i >= 0 && i < l.n && l.key(i) == "" {
		i += step
	}
	l.pick(i)
	if !end {
		l.win.top, l.win.skip = 0, 0
	}
	l.reveal(width, height)
}

// scroll moves the window and leaves the selection where it is.
func (l *list) scroll(by, width, height int) {
	l.win.scroll(l, by, width, height, false)
	l.changed()
}

// rowsOrEmpty draws the list; empty is said where there are no items.
func (l *list) rowsOrEmpty(width, height int, empty string) []string {
	if !l.cached.fits(width, height, l.version) {
		if l.focused && (l.moved || l.resized(width, height)) {
			l.show(width, height)
		}
		l.moved = false
		rows, more := l.win.view(l, width, height)
		if l.n == 0 && height > 0 {
			rows[0] = l.look.Row(width, []theme.Span{l.look.Faint.Span("  " + empty)}, nil)
		}
		l.cached = cachedRows{rows, more, width, height, l.version}
	}
	return l.cached.rows
}

// fit cuts and fills rows to a height.
func fit(rows []string, width, height int) []string {
	rows = rows[:min(len(rows), max(height, 0))]
	for len(rows) < height {
		rows = append(rows, theme.Blank(width))
	}
	return rows
}

// nextMatch is the next of n items whose text holds the query, going around at
// the ends, or -1.
func nextMatch(query string, n, at int, forwards, from bool, text func(i int) string) int {
	return nextHolding(query, n, at, forwards, from, func(i int, query string) bool { return holds(text(i), query) })
}

// nextHolding is nextMatch for items that say themselves whether they hold the
// query, which is in small letters.
func nextHolding(query string, n, at int, forwards, from bool, hold func(i int, query string) bool) int {
	query = strings.ToLower(query)
	if query == "" || n == 0 {
		return -1
	}
	step := when(forwards, 1, -1)
	at = max(at, 0)
	if !from {
		at += step
	}
	for k := range n {
		i := ((at+k*step)%n + n) % n
		if hold(i, query) {
			return i
		}
	}
	return -1
}

// holds reports whether a text holds the query, which is in small letters. It
// allocates nothing where the query is of ASCII: very many texts are looked
// through at each key.
func holds(text, query string) bool {
	for i := range len(query) {
		if query[i] >= utf8.RuneSelf {
			return strings.Contains(strings.ToLower(text), query)
		}
	}
	for from := 0; from+len(query) <= len(text); from++ {
		i := 0
		for i < len(query) && small(text[from+i]) == query[i] {
			i++
		}
		if i == len(query) {
			return true
		}
	}
	return false
}

// small is an ASCII letter in its small form.
func small(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}
