package pane

import "moot/tui/theme"

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
