package pane

import (
	"fmt"
	"slices"
	"strings"

	"moot/tui/theme"
	"moot/view"
)

// List is a scrolled list with a selected item. Most panes embed it.
type List struct {
	Look    *theme.Look
	focused bool
	// id names the pane. Its title has the count with a noun; empty is shown in an empty list.
	id          ID
	count       int
	noun, empty string
	// follows keeps the end visible until the selection or the window leaves it.
	follows bool
	// N is the number of items. Item returns the words of one, which takes at most most rows.
	N    int
	Item func(i int) view.Item
	most int
	// Draw draws an item in another way, unless it is nil; mark is the pointer of the selected item.
	Draw func(i, width int, mark theme.Span) []string
	// Key returns the id of an item, or "" if it cannot be selected.
	Key func(i int) string
	// Text returns the text of an item for the search and the clipboard, unless it is nil.
	Text func(i int) string

	Win    Window
	Chosen string
	At     int
	// Whole marks all rows of the selected item, not only the first.
	Whole bool
	// Moved is set if the selected item has moved since it was drawn.
	Moved bool

	version int
	cached  cachedRows
	needs   neededRows
}

// neededRows caches how many rows a list has at a width, as far as they were counted.
type neededRows struct{ version, width, most, rows int }

// Needs returns how many rows the list has at a width, at most most. An empty one needs a row for its text.
func (l *List) Needs(width, most int) int {
	asked := neededRows{version: l.version, width: width, most: most}
	if l.needs.rows > 0 && l.needs.version == l.version && l.needs.width == width && l.needs.most == most {
		return l.needs.rows
	}
	for i := 0; i < l.N && asked.rows < most; i++ {
		asked.rows += len(l.draw(i, width, theme.Span{Text: " "}))
	}
	asked.rows = max(min(asked.rows, most), 1)
	l.needs = asked
	return asked.rows
}

// cachedRows caches the rows of a pane.
type cachedRows struct {
	Rows          []string
	more          bool
	width, height int
	version       int
}

// Changed drops the drawn rows.
func (l *List) Changed() { l.version++ }

// SetLook implements Pane.
func (l *List) SetLook(k *theme.Look) {
	l.Look = k
	l.Changed()
}

// SetFocused implements Pane.
func (l *List) SetFocused(on bool) {
	if l.focused != on {
		l.focused = on
		l.Changed()
	}
}

// Title implements Pane.
func (l *List) Title() string {
	if l.count == 0 {
		return l.id.String()
	}
	return fmt.Sprintf("%s %d%s", l.id, l.count, l.noun)
}

// View implements Pane.
func (l *List) View(width, height int) []string { return l.RowsOrEmpty(width, height, l.empty) }

// SetCount sets the number of items and finds the selected one among them. If it has
// disappeared, the item in its place is selected.
func (l *List) SetCount(n int) {
	l.N, l.count = n, n
	l.Changed()
	if l.At < n && l.At >= 0 && l.Chosen != "" && l.Key(l.At) == l.Chosen {
		return
	}
	for i := range n {
		if k := l.Key(i); k != "" && k == l.Chosen {
			l.At, l.Moved = i, true
			return
		}
	}
	l.At, l.Chosen = l.nearest(l.At), ""
	if l.At >= 0 {
		l.Chosen = l.Key(l.At)
	}
}

// nearest returns the selectable item nearest to a place, or -1.
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

// Count implements Items.
func (l *List) Count() int { return l.N }

// Rows implements Items.
func (l *List) Rows(i, width int) []string {
	if i != l.At || !l.focused {
		return l.draw(i, width, theme.Span{Text: " "})
	}
	rows := slices.Clone(l.draw(i, width, l.Look.Accent.Span(l.Look.Glyphs.Pointer)))
	// An entry of the debate may begin with a blank row.
	k := slices.IndexFunc(rows, func(row string) bool { return strings.TrimSpace(row) != "" })
	for ; k >= 0 && k < len(rows); k++ {
		rows[k] = l.Look.Selected.Over(rows[k])
		if !l.Whole {
			break
		}
	}
	return rows
}

// drawItem draws the words of an item.
func (l *List) drawItem(i, width int, mark theme.Span) []string {
	k, it := l.Look, l.Item(i)
	glyph, st, _ := signs(k, it.Role)
	lead := []theme.Span{mark, st.Span(glyph), idStyle(k, mark).Span(" " + it.ID + "  ")}
	var right []theme.Span
	if it.Mark != "" {
		right = []theme.Span{st.Span(it.Mark + " ")}
	}
	if l.most == 1 {
		return []string{k.Row(width, append(lead, k.Text.Span(it.Text)), right)}
	}
	rows := k.Paragraph(width, lead, k.Text.Span(it.Text), right, l.most)
	for _, n := range it.Notes {
		lead := []theme.Span{k.Bold.Span(theme.Blank(len(it.ID)+4) + n.Label + "  ")}
		rows = append(rows, k.Paragraph(width, lead, k.Text.Span(n.Text), nil, l.most)...)
	}
	return rows
}

// draw draws an item.
func (l *List) draw(i, width int, mark theme.Span) []string {
	if l.Draw != nil {
		return l.Draw(i, width, mark)
	}
	return l.drawItem(i, width, mark)
}

// textOf returns the text of an item for the search and the clipboard.
func (l *List) textOf(i int) string {
	switch {
	case l.Text != nil:
		return l.Text(i)
	case l.Key(i) == "":
		return ""
	}
	it := l.Item(i)
	return view.Join(" ", it.ID, view.Sentence(it.Mark, it.Text))
}

// Selected implements Pane.
func (l *List) Selected() string { return l.Chosen }

// More implements Pane.
func (l *List) More() bool { return l.cached.more }

// Copied returns the text of the selected item, or else what is visible.
func (l *List) Copied() string {
	if l.At < 0 || l.At >= l.N {
		return unstyled(l.cached.Rows)
	}
	return l.textOf(l.At)
}

// Move selects another item.
func (l *List) Move(a Motion, width, height int) {
	if a == MoveHome || a == MoveEnd {
		l.edge(a == MoveEnd, width, height)
	} else {
		l.step(a.rows(height), width, height)
	}
}

// Wheel scrolls without selecting.
func (l *List) Wheel(by, width, height int) {
	l.Win.scroll(l, by, width, height, l.follows)
	l.Changed()
}

// FollowEnd scrolls to the end, and keeps it visible.
func (l *List) FollowEnd() {
	l.Win = Window{Follow: true}
	l.Changed()
}

// Click selects the item at the cell.
func (l *List) Click(_, y, width, height int) {
	l.Win.Top, l.Win.skip = l.Win.start(l, width, height)
	l.pick(l.Win.ItemAt(l, y, width, height))
}

// Choose selects the item with the id if the list has it.
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

// Find implements Pane.
func (l *List) Find(query string, forwards, from bool, width, height int) bool {
	i := NextMatch(query, l.N, l.At, forwards, from, l.textOf)
	if i < 0 {
		return false
	}
	l.pick(i)
	l.reveal(width, height)
	return true
}

// step moves the selection by a number of selectable items.
func (l *List) step(by, width, height int) {
	step := 1
	if by < 0 {
		step = -1
	}
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

// pick selects an item if it is selectable.
func (l *List) pick(i int) {
	if i >= 0 && i < l.N && l.Key(i) != "" {
		l.At, l.Chosen = i, l.Key(i)
		l.Win.Follow = l.follows && i == l.N-1
		l.Changed()
	}
}

// reveal scrolls to the selected item and the headline above it.
func (l *List) reveal(width, height int) {
	l.Changed()
	if l.At > 0 && l.Key(l.At-1) == "" {
		l.Win.Show(l, l.At-1, width, height)
	}
	l.Win.Show(l, l.At, width, height)
	l.Win.Follow = l.follows && l.At == l.N-1
}

// resized reports whether the size has changed while the selected item was visible.
func (l *List) resized(width, height int) bool {
	was := &l.cached
	if was.Rows == nil || was.width == width && was.height == height {
		return false
	}
	return l.Visible()
}

// Visible reports whether the selected item was visible when the list was drawn last.
func (l *List) Visible() bool {
	was := &l.cached
	if was.Rows == nil {
		return false
	}
	top, skip := l.Win.start(l, was.width, was.height)
	if l.At < top {
		return false
	}
	used := -skip
	for i := top; i < l.At && used < was.height; i++ {
		used += len(l.Rows(i, was.width))
	}
	return used < was.height
}

// edge selects the first or last item.
func (l *List) edge(end bool, width, height int) {
	i, step := 0, 1
	if end {
		i, step = l.N-1, -1
	}
	for i >= 0 && i < l.N && l.Key(i) == "" {
		i += step
	}
	l.pick(i)
	if !end {
		l.Win.Top, l.Win.skip = 0, 0
	}
	l.reveal(width, height)
}

// RowsOrEmpty draws the list, or the text for an empty one.
func (l *List) RowsOrEmpty(width, height int, empty string) []string {
	if c := &l.cached; c.Rows == nil || c.width != width || c.height != height || c.version != l.version {
		if l.focused && (l.Moved || l.resized(width, height)) {
			l.reveal(width, height)
		}
		l.Moved = false
		rows, more := l.Win.View(l, width, height)
		if l.N == 0 && height > 0 {
			rows[0] = l.Look.Row(width, []theme.Span{l.Look.Faint.Span("  " + empty)}, nil)
		}
		l.cached = cachedRows{rows, more, width, height, l.version}
	}
	return l.cached.Rows
}

// Fit cuts off or adds rows to fill the height.
func Fit(rows []string, width, height int) []string {
	rows = rows[:min(len(rows), max(height, 0))]
	for len(rows) < height {
		rows = append(rows, theme.Blank(width))
	}
	return rows
}

// NextMatch returns the next of n items whose text contains the query, or -1. It wraps around
// at the ends.
func NextMatch(query string, n, at int, forwards, from bool, text func(i int) string) int {
	query = strings.ToLower(query)
	if query == "" {
		return -1
	}
	step := 1
	if !forwards {
		step = -1
	}
	at = max(at, 0)
	if !from {
		at += step
	}
	for k := range n {
		if i := ((at+k*step)%n + n) % n; strings.Contains(strings.ToLower(text(i)), query) {
			return i
		}
	}
	return -1
}

// Items is a list whose items are drawn on demand: only the visible ones are drawn. The rows
// of an item are exactly as wide as asked for.
type Items interface {
	Count() int
	Rows(i, width int) []string
}

// Window is the visible part of a list. Its position is an item and a row of the item, so that
// it stays at the same item when a resize changes the heights.
type Window struct {
	Top, skip int
	// Follow keeps the end visible.
	Follow bool
}

// View draws exactly height rows. more reports whether there are items below.
func (w *Window) View(list Items, width, height int) (rows []string, more bool) {
	if height <= 0 {
		return nil, false
	}
	if !w.Follow {
		rows, more = draw(list, w.Top, w.skip, width, height)
	}
	if len(rows) < height {
		// Scroll up if the list could fill the empty rows.
		top, skip := last(list, width, height)
		rows, more = draw(list, top, skip, width, height)
	}
	for len(rows) < height {
		rows = append(rows, theme.Blank(width))
	}
	return rows, more
}

// draw draws the list, starting at a row of an item.
func draw(list Items, top, skip, width, height int) (rows []string, more bool) {
	rows = make([]string, 0, height)
	for i := max(top, 0); i < list.Count(); i++ {
		item := list.Rows(i, width)
		if i == top {
			// After a resize the item may have fewer rows than skip.
			item = item[max(min(skip, len(item)-1), 0):]
		}
		if len(item) > height-len(rows) {
			return append(rows, item[:height-len(rows)]...), true
		}
		rows = append(rows, item...)
	}
	return rows, false
}

// start returns the first visible item and row.
func (w *Window) start(list Items, width, height int) (int, int) {
	top, skip := last(list, width, height)
	if w.Follow || w.Top > top || w.Top == top && w.skip > skip {
		return top, skip
	}
	return max(w.Top, 0), max(w.skip, 0)
}

// last returns the start of a window at the end of the list.
func last(list Items, width, height int) (int, int) {
	for i := list.Count() - 1; i >= 0; i-- {
		n := len(list.Rows(i, width))
		if n >= height {
			return i, n - height
		}
		height -= n
	}
	return 0, 0
}

// scroll moves the window by rows. If follows is set, it follows the end again once it gets
// there.
func (w *Window) scroll(list Items, delta, width, height int, follows bool) {
	top, skip := w.start(list, width, height)
	w.Follow = false
	for delta < 0 && (top > 0 || skip > 0) {
		if skip == 0 {
			top--
			skip = len(list.Rows(top, width))
			continue
		}
		step := min(skip, -delta)
		skip -= step
		delta += step
	}
	for delta > 0 && top < list.Count() {
		n := len(list.Rows(top, width))
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

// Show moves the window as little as needed to make the item visible.
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
		used += len(list.Rows(i, width))
	}
	if used <= height {
		w.Top, w.skip = top, skip
		return
	}
	// Put the last row of the item at the bottom of the window.
	room := height
	for i := item; i >= 0; i-- {
		n := len(list.Rows(i, width))
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

// ItemAt returns the item at row y of the window, or -1.
func (w *Window) ItemAt(list Items, y, width, height int) int {
	top, skip := w.start(list, width, height)
	y += skip
	for i := top; i < list.Count(); i++ {
		n := len(list.Rows(i, width))
		if y < n {
			return i
		}
		y -= n
	}
	return -1
}
