package pane

import (
	"slices"
	"strings"
	"unicode/utf8"

	"moot/tui/theme"
)

// List is a scrolled list with a selected item, which the panes of points,
// challenges and the ledger are made of.
type List struct {
	Look    *theme.Look
	focused bool
	// N items, drawn by draw; key is an item's id, or "" where it cannot be
	// selected. The mark is the pointer of the selected item.
	N    int
	Draw func(i, width int, mark theme.Span) []string
	// single says that each item takes one row, rowsOf how many it takes where that
	// is known without drawing it, or 0; nil knows of none.
	single bool
	rowsOf func(i int) int
	Key    func(i int) string
	// Text is what an item says, for the search and the clipboard.
	Text func(i int) string
	// holds says whether an item holds a query in small letters; nil looks
	// through its text.
	holds func(i int, query string) bool

	win    Window
	Chosen string
	At     int
	// lost is what was selected at lostAt before it was gone, or "".
	lost   string
	lostAt int
	// Moved says that the selected item stands elsewhere than when it was drawn.
	Moved bool

	version int
	cached  cachedRows
}

// cachedRows is what a pane drew last, and for what.
type cachedRows struct {
	Rows          []string
	more          bool
	width, height int
	version       int
}

func (c *cachedRows) fits(width, height, version int) bool {
	return c.Rows != nil && c.width == width && c.height == height && c.version == version
}

// Changed drops what was drawn.
func (l *List) Changed() { l.version++ }

// SetLook changes how the list is drawn.
func (l *List) SetLook(k *theme.Look) {
	l.Look = k
	l.Changed()
}

// SetFocused says whether keys go to the list.
func (l *List) SetFocused(on bool) {
	if l.focused != on {
		l.focused = on
		l.Changed()
	}
}

// SetCount takes over n new items and finds the selected one among them. Where
// it is not there what stands in its place is selected, until it comes again.
func (l *List) SetCount(n int) {
	l.N = n
	l.Changed()
	if l.lost != "" && l.lostAt < n && l.Key(l.lostAt) == l.lost {
		l.pick(l.lostAt)
		l.Moved = true
		return
	}
	if l.At < n && l.At >= 0 && l.Chosen != "" && l.Key(l.At) == l.Chosen {
		return
	}
	for i := range n {
		if k := l.Key(i); k != "" && k == l.Chosen {
			l.At, l.Moved = i, true
			return
		}
	}
	if l.lost == "" {
		l.lost, l.lostAt = l.Chosen, l.At
	}
	l.At, l.Chosen = l.nearest(l.At), ""
	if l.At >= 0 {
		l.Chosen = l.Key(l.At)
	}
}

// nearest is the item nearest to a place that can be selected, -1 for none.
func (l *List) nearest(at int) int {
	at = min(max(at, 0), l.N-1)
	for i := at; i >= 0; i-- {
		if l.Key(i) != "" {
			return i
		}
	}
	for i := at + 1; i < l.N; i++ {
		if l.Key(i) != "" {
			return i
		}
	}
	return -1
}

// Count and rows make the list an items.
func (l *List) Count() int { return l.N }

// Rows draws an item.
func (l *List) Rows(i, width int) []string {
	if i != l.At || !l.focused {
		return l.Draw(i, width, theme.Span{Text: " "})
	}
	rows := slices.Clone(l.Draw(i, width, l.Look.Accent.Span(l.Look.Glyphs.Pointer)))
	for k := range rows {
		rows[k] = l.Look.Selected.Over(rows[k])
	}
	return rows
}

// Tall is how many rows item i takes.
func (l *List) Tall(i, width int) int {
	if l.single {
		return 1
	}
	if l.rowsOf != nil {
		if n := l.rowsOf(i); n > 0 {
			return n
		}
	}
	return len(l.Draw(i, width, theme.Span{Text: " "}))
}

// Selected is the id of the selected item, or "".
func (l *List) Selected() string { return l.Chosen }

// More reports whether the list goes on below what was drawn last.
func (l *List) More() bool { return l.cached.more }

// Copied is the text of the selected item.
func (l *List) Copied() string {
	if l.At < 0 || l.At >= l.N {
		return ""
	}
	return l.Text(l.At)
}

// Move selects, or goes to an edge.
func (l *List) Move(a Motion, width, height int) {
	switch {
	case a == MoveHome || a == MoveEnd:
		l.Edge(a == MoveEnd, width, height)
	default:
		by := map[Motion]int{MoveUp: -1, MoveDown: 1, MovePageUp: 1 - height, MovePageDown: height - 1}[a]
		l.step(by, width, height)
	}
}

// Wheel scrolls without selecting.
func (l *List) Wheel(by, width, height int) { l.scroll(by, width, height) }

// Click selects what stands at the cell.
func (l *List) Click(_, y, width, height int) { l.pick(l.win.ItemAt(l, y, width, height)) }

// opens reports whether something stands at the cell that a second click opens.
func (l *List) opens(_, y, width, height int) bool {
	i := l.win.ItemAt(l, y, width, height)
	return i >= 0 && l.Key(i) != ""
}

// Choose selects the item with the id, where it is there.
func (l *List) Choose(id string) {
	if id == "" || id == l.Chosen {
		return
	}
	for i := range l.N {
		if l.Key(i) == id {
			l.pick(i)
			l.Moved = true
			return
		}
	}
}

// Find selects the next item whose text holds the query.
func (l *List) Find(query string, forwards, from bool, width, height int) bool {
	i := nextHolding(query, l.N, l.At, forwards, from, func(i int, query string) bool {
		switch {
		case l.Key(i) == "":
			return false
		case l.holds != nil:
			return l.holds(i, query)
		}
		return holds(l.Text(i), query)
	})
	if i < 0 {
		return false
	}
	l.pick(i)
	l.reveal(width, height)
	return true
}

// step selects the next item that can be selected in the direction, by times.
func (l *List) step(by, width, height int) {
	step := when(by < 0, -1, 1)
	for ; by != 0; by -= step {
		next := l.At + step
		for next >= 0 && next < l.N && l.Key(next) == "" {
			next += step
		}
		if next < 0 || next >= l.N {
			break
		}
		l.pick(next)
	}
	l.reveal(width, height)
}

// pick selects item i where it can be selected.
func (l *List) pick(i int) {
	if i >= 0 && i < l.N && l.Key(i) != "" {
		l.At, l.Chosen, l.lost = i, l.Key(i), ""
		l.Changed()
	}
}

// reveal brings the selected item into view, with the headline above it.
func (l *List) reveal(width, height int) {
	l.Show(width, height)
	l.Changed()
}

// Show brings the selected item into view.
func (l *List) Show(width, height int) {
	if l.At > 0 && l.Key(l.At-1) == "" {
		l.win.Show(l, l.At-1, width, height)
	}
	l.win.Show(l, l.At, width, height)
}

// resized reports whether a new size would leave the selected item out of sight
// that was in view before.
func (l *List) resized(width, height int) bool {
	was := &l.cached
	if was.Rows == nil || was.width == width && was.height == height {
		return false
	}
	top, skip := l.win.start(l, was.width, was.height)
	if l.At < top {
		return false
	}
	used := -skip
	for i := top; i < l.At && used < was.height; i++ {
		used += l.Tall(i, was.width)
	}
	return used < was.height
}

// Edge selects the first or the last item.
func (l *List) Edge(end bool, width, height int) {
	i, step := 0, 1
	if end {
		i, step = l.N-1, -1
	}
	for i >= 0 && i < l.N && l.Key(i) == "" {
		i += step
	}
	l.pick(i)
	if !end {
		l.win.Top, l.win.skip = 0, 0
	}
	l.reveal(width, height)
}

// scroll moves the window and leaves the selection where it is.
func (l *List) scroll(by, width, height int) {
	l.win.scroll(l, by, width, height, false)
	l.Changed()
}

// RowsOrEmpty draws the list; empty is said where there are no items.
func (l *List) RowsOrEmpty(width, height int, empty string) []string {
	if !l.cached.fits(width, height, l.version) {
		if l.focused && (l.Moved || l.resized(width, height)) {
			l.Show(width, height)
		}
		l.Moved = false
		rows, more := l.win.View(l, width, height)
		if l.N == 0 && height > 0 {
			rows[0] = l.Look.Row(width, []theme.Span{l.Look.Faint.Span("  " + empty)}, nil)
		}
		l.cached = cachedRows{rows, more, width, height, l.version}
	}
	return l.cached.Rows
}

// Fit cuts and fills rows to a height.
func Fit(rows []string, width, height int) []string {
	rows = rows[:min(len(rows), max(height, 0))]
	for len(rows) < height {
		rows = append(rows, theme.Blank(width))
	}
	return rows
}

// NextMatch is the next of n items whose text holds the query, going around at
// the ends, or -1.
func NextMatch(query string, n, at int, forwards, from bool, text func(i int) string) int {
	return nextHolding(query, n, at, forwards, from, func(i int, query string) bool { return holds(text(i), query) })
}

// nextHolding is NextMatch for items that say themselves whether they hold the
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

// Items is a list whose items are drawn on demand, each into some rows of
// exactly the width. Only what is seen is asked for.
type Items interface {
	Count() int
	Rows(i, width int) []string
}

// tall is how many rows an item takes. A list that knows it need not draw the
// item for that.
func tall(list Items, i, width int) int {
	if l, knows := list.(interface{ Tall(i, width int) int }); knows {
		return l.Tall(i, width)
	}
	return len(list.Rows(i, width))
}

// Window is the part of a list that is seen. Its place is an item and a row in
// it, so that a resize, which changes the heights, keeps the place.
type Window struct {
	Top, skip int
	// Follow keeps the end in view.
	Follow bool
}

// View draws the window; the result has exactly height rows. More says that
// the list goes on below.
func (w *Window) View(list Items, width, height int) (rows []string, more bool) {
	if height <= 0 {
		return nil, false
	}
	if !w.Follow {
		rows, more = draw(list, w.Top, w.skip, width, height)
	}
	if len(rows) < height {
		// Never so far down that rows stay empty which the list could fill.
		top, skip := last(list, width, height)
		rows, more = draw(list, top, skip, width, height)
	}
	for len(rows) < height {
		rows = append(rows, theme.Blank(width))
	}
	return rows, more
}

// draw draws the list from a row of an item on.
func draw(list Items, top, skip, width, height int) (rows []string, more bool) {
	rows = make([]string, 0, height)
	for i := max(top, 0); i < list.Count(); i++ {
		item := list.Rows(i, width)
		if i == top {
			// After a resize the item may have fewer rows than were skipped.
			item = item[max(min(skip, len(item)-1), 0):]
		}
		if len(item) > height-len(rows) {
			return append(rows, item[:height-len(rows)]...), true
		}
		rows = append(rows, item...)
	}
	return rows, false
}

// start is the first row that is drawn.
func (w *Window) start(list Items, width, height int) (int, int) {
	top, skip := last(list, width, height)
	if w.Follow || w.Top > top || w.Top == top && w.skip > skip {
		return top, skip
	}
	return max(w.Top, 0), max(w.skip, 0)
}

// last is the start of a window at the very end of the list.
func last(list Items, width, height int) (int, int) {
	for i := list.Count() - 1; i >= 0; i-- {
		n := tall(list, i, width)
		if n >= height {
			return i, n - height
		}
		height -= n
	}
	return 0, 0
}

// scroll moves the window by rows; it follows the end again when it gets there
// and follows is set.
func (w *Window) scroll(list Items, delta, width, height int, follows bool) {
	top, skip := w.start(list, width, height)
	w.Follow = false
	for delta < 0 && (top > 0 || skip > 0) {
		if skip == 0 {
			top--
			skip = tall(list, top, width)
			continue
		}
		step := min(skip, -delta)
		skip -= step
		delta += step
	}
	for delta > 0 && top < list.Count() {
		n := tall(list, top, width)
		if skip+delta < n {
			skip += delta
			break
		}
		delta -= n - skip
		top, skip = top+1, 0
	}
	w.Top, w.skip = top, skip
	endTop, endSkip := last(list, width, height)
	if top > endTop || top == endTop && skip >= endSkip {
		w.Top, w.skip, w.Follow = endTop, endSkip, follows
	}
}

// Show moves the window as little as needed to have the item in view.
func (w *Window) Show(list Items, item, width, height int) {
	if item < 0 || item >= list.Count() {
		return
	}
	top, skip := w.start(list, width, height)
	w.Follow = false
	if item < top || item == top && skip > 0 {
		w.Top, w.skip = item, 0
		return
	}
	used := -skip
	for i := top; i <= item && used <= height; i++ {
		used += tall(list, i, width)
	}
	if used <= height {
		w.Top, w.skip = top, skip
		return
	}
	// The item's last row becomes the window's last.
	room := height
	for i := item; i >= 0; i-- {
		n := tall(list, i, width)
		if n >= room {
			w.Top, w.skip = i, n-room
			if i == item {
				w.skip = 0
			}
			return
		}
		room -= n
	}
	w.Top, w.skip = 0, 0
}

// ItemAt is the item whose row stands at y of the window, or -1.
func (w *Window) ItemAt(list Items, y, width, height int) int {
	top, skip := w.start(list, width, height)
	y += skip
	for i := top; i < list.Count(); i++ {
		n := tall(list, i, width)
		if y < n {
			return i
		}
		y -= n
	}
	return -1
}
