package tui

import (
	"moot/internal/lists"
	"moot/tui/pane"
)

// Kind says which of the layouts fits a terminal.
type Kind int

// The layouts.
const (
	// TooSmall has room only for the size that is needed.
	TooSmall Kind = iota
	// Compact shows one pane at a time under a bar of tabs.
	Compact
	// Wide shows several panes at once.
	Wide
)

// The smallest sizes of the layout Wide, and of any layout.
const (
	wideWidth, wideHeight = pane.WideWidth, 18
	// From columnsWidth on the debate has the full height, and the other panes are beside it.
	columnsWidth            = 160
	smallWidth, smallHeight = 40, 12
)

// previewWidth is the width from which a preview is beside the list of sessions.
const previewWidth = 120

// maxStatus is the most lines of a status: what happened, what was kept and what
// to do don't always fit in one.
const maxStatus = 3

// Showing is the state that determines the layout.
type Showing struct {
	// Focus is the focused pane, Main the view in the largest place.
	Focus, Main pane.ID
	// Zoom gives the main view the whole screen.
	Zoom bool
	// Note reserves a line below the header: no language model is used.
	Note bool
	// Questions reserves a bar of questions above the footer.
	Questions bool
	// Status is the number of lines of the status, at least 1.
	Status int
	// Slider reserves a line for the slider of a replay above the status.
	Slider bool
	// Preview shows the selected session beside the list of sessions, if there is room.
	Preview bool
	// Rows returns how many rows a pane can use at a width, at most most. nil means that all panes can use all rows.
	Rows func(p pane.ID, width, most int) int
	// Batch returns what the screen of a batch shows in a width and a height, above the list of its items; nil shows no
	// batch.
	Batch func(width, height int) BatchShowing
}

// BatchShowing is how many rows the parts of the screen of a batch take.
type BatchShowing struct {
	// Head is how far the batch is, Running are the sessions that run.
	Head, Running int
}

// Layout holds the place of each part of the screen. Absent parts are empty.
type Layout struct {
	Kind          Kind
	Width, Height int
	// Header holds the question, Phases the phase bar, Note a sentence.
	Header, Phases, Note pane.Rect
	// Head says how far a batch is. The titles of its lists are in the lines above them.
	Head pane.Rect
	// Frame is the area of the panes with their borders (wide), or the bar of tabs
	// (compact).
	Frame pane.Rect
	// Panes are the insides of the panes; a hidden pane's is empty.
	Panes [pane.NumIDs]pane.Rect
	// Slider, Status, Questions and Footer are below the panes.
	Slider, Status, Questions, Footer pane.Rect
}

// Hidden returns the views that are not on the screen.
func (l *Layout) Hidden(views []pane.ID) []pane.ID {
	return lists.Filter(views, func(p pane.ID) bool { return l.Panes[p].Empty() })
}

// Shown returns the panes on the screen in the order of tab.
func (l *Layout) Shown() []pane.ID {
	var shown []pane.ID
	for p := range pane.NumIDs {
		if !l.Panes[p].Empty() {
			shown = append(shown, p)
		}
	}
	return shown
}

// PaneAt returns the pane at a cell, if there is one.
func (l *Layout) PaneAt(x, y int) (pane.ID, bool) {
	for p := range pane.NumIDs {
		if l.Panes[p].Contains(x, y) {
			return p, true
		}
	}
	return 0, false
}

// Arrange computes the layout of a screen. It is a pure function.
func Arrange(width, height int, s Showing) Layout {
	l := Layout{Width: max(width, 0), Height: max(height, 0)}
	if width < smallWidth || height < smallHeight {
		return l
	}
	l.Kind = Compact
	if width >= wideWidth && (height >= wideHeight || s.Focus == pane.HomeID) || s.Batch != nil && height >= wideHeight {
		l.Kind = Wide
	}
	switch {
	case s.Focus == pane.HomeID:
		arrangeHome(&l, s)
	case s.Batch != nil:
		arrangeBatch(&l, s)
	case l.Kind == Compact:
		rest := l.edges(s)
		l.Frame = pane.Rect{X: rest.X, Y: rest.Y, W: rest.W, H: 1}
		l.Panes[s.Focus] = pane.Rect{X: rest.X, Y: rest.Y + 1, W: rest.W, H: rest.H - 1}
	default:
		arrangeWide(&l, s)
	}
	return l
}

// cutter takes lines off the top and the bottom of what is left.
type cutter struct{ width, top, bottom int }

func (c *cutter) fromTop(wanted bool) pane.Rect {
	if !wanted {
		return pane.Rect{}
	}
	c.top++
	return pane.Rect{X: 0, Y: c.top - 1, W: c.width, H: 1}
}

func (c *cutter) fromBottom(wanted bool) pane.Rect {
	if !wanted {
		return pane.Rect{}
	}
	c.bottom--
	return pane.Rect{X: 0, Y: c.bottom, W: c.width, H: 1}
}

// below places the parts below the panes.
func (l *Layout) below(c *cutter, s Showing) {
	l.Footer = c.fromBottom(true)
	l.Questions = c.fromBottom(s.Questions)
	l.Status = c.fromBottom(true)
	for more := min(s.Status, maxStatus) - 1; more > 0; more-- {
		l.Status.Y = c.fromBottom(true).Y
		l.Status.H++
	}
	l.Slider = c.fromBottom(s.Slider)
}

// edges places the parts above and below the panes and returns the rest.
func (l *Layout) edges(s Showing) pane.Rect {
	c := cutter{width: l.Width, bottom: l.Height}
	l.Header = c.fromTop(true)
	l.Phases = c.fromTop(true)
	l.Note = c.fromTop(s.Note)
	l.below(&c, s)
	return pane.Rect{X: 0, Y: c.top, W: l.Width, H: c.bottom - c.top}
}

// rows returns how many rows a pane can use, at least 1.
func (s *Showing) rows(p pane.ID, width, most int) int {
	if s.Rows == nil {
		return max(most, 1)
	}
	return max(min(s.Rows(p, width, most), most), 1)
}

// arrangeColumns places the debate on the left over the full height, and the buckets, the challenges and the ledger on
// the right. Each of these has the rows that it can use; if there are not enough, those that can use more share them.
func arrangeColumns(l *Layout, s *Showing, inside pane.Rect) {
	left := inside.W * 56 / 100
	l.Panes[pane.DebateID] = pane.Rect{X: inside.X, Y: inside.Y, W: left, H: inside.H}
	column := []pane.ID{pane.BucketsID, pane.ChallengesID, pane.LedgerID}
	x, width := inside.X+left+1, inside.W-left-1
	total := inside.H - len(column) + 1 // The rows between them are for the titles.
	wanted := make([]int, len(column))
	for i, p := range column {
		wanted[i] = s.rows(p, width, total)
	}
	y := inside.Y
	for i, height := range share(total, wanted) {
		l.Panes[column[i]] = pane.Rect{X: x, Y: y, W: width, H: height}
		y += height + 1
	}
}

// share divides rows: everyone gets what it wants, or an equal part of what the others leave. What nobody wants is for
// the last one.
func share(total int, wanted []int) []int {
	given := make([]int, len(wanted))
	left, open := total, len(wanted)
	for open > 0 {
		part, settled := left/open, false
		for i, want := range wanted {
			if given[i] == 0 && want <= part {
				given[i], settled = want, true
				left -= want
				open--
			}
		}
		if settled {
			continue
		}
		for i := range wanted {
			if given[i] == 0 {
				given[i] = left / open
				left -= given[i]
				open--
			}
		}
	}
	given[len(given)-1] += left
	return given
}

// arrangeWide places the main view and the buckets side by side, and challenges and ledger below the debate.
func arrangeWide(l *Layout, s Showing) {
	l.Frame = l.edges(s)
	f := l.Frame
	inside := pane.Rect{X: f.X + 1, Y: f.Y + 1, W: f.W - 2, H: f.H - 2}
	if s.Zoom || s.Main == pane.PointsID || s.Main == pane.FindingsID || s.Main == pane.ResultID {
		// These tables also show what is in the buckets.
		l.Panes[s.Main] = inside
		return
	}
	if s.Main == pane.DebateID && l.Width >= columnsWidth {
		arrangeColumns(l, &s, inside)
		return
	}
	ledger := 0
	if s.Main == pane.DebateID {
		ledger = s.rows(pane.LedgerID, inside.W, max(inside.H*22/100, 3))
		l.Panes[pane.LedgerID] = pane.Rect{X: inside.X, Y: inside.Y + inside.H - ledger, W: inside.W, H: ledger}
		ledger++
	}
	upper := inside.H - ledger
	left := inside.W * 64 / 100
	if s.Main == pane.DebateID {
		left = inside.W * 56 / 100
	}
	l.Panes[pane.BucketsID] = pane.Rect{X: inside.X + left + 1, Y: inside.Y, W: inside.W - left - 1, H: upper}
	main := pane.Rect{X: inside.X, Y: inside.Y, W: left, H: upper}
	if s.Main == pane.DebateID {
		challenges := s.rows(pane.ChallengesID, left, max(upper*28/100, 2))
		main.H = upper - challenges - 1
		l.Panes[pane.ChallengesID] = pane.Rect{X: inside.X, Y: main.Y + main.H + 1, W: left, H: challenges}
	}
	l.Panes[s.Main] = main
}

// arrangeHome places the list of sessions between the header and the footer.
func arrangeHome(l *Layout, s Showing) {
	c := cutter{width: l.Width, bottom: l.Height}
	l.Header = c.fromTop(true)
	// A blank line below the header.
	c.top++
	s.Questions, s.Slider = false, false
	l.below(&c, s)
	list := pane.Rect{X: 0, Y: c.top, W: l.Width, H: c.bottom - c.top}
	if s.Preview && l.Width >= previewWidth {
		// A line with a blank cell on each side is between them.
		list.W = l.Width/2 - 2
		l.Panes[pane.PreviewID] = pane.Rect{X: list.W + 3, Y: list.Y, W: l.Width - list.W - 3, H: list.H}
	}
	l.Panes[pane.HomeID] = list
}

// arrangeBatch places the head of a batch, and below it its two lists: one above the other if there is room, else the
// one with the focus.
func arrangeBatch(l *Layout, s Showing) {
	c := cutter{width: l.Width, bottom: l.Height}
	l.Header = c.fromTop(true)
	s.Questions, s.Slider = false, false
	l.below(&c, s)
	rest := func() pane.Rect { return pane.Rect{X: 0, Y: c.top, W: l.Width, H: c.bottom - c.top} }
	showing := s.Batch(l.Width, rest().H)
	l.Head = rest()
	l.Head.H = min(showing.Head, l.Head.H)
	c.top += l.Head.H
	if l.Kind == Wide {
		// A blank line above each title.
		c.top += 2
		if showing.Running > 0 {
			running := rest()
			running.H = min(showing.Running, running.H)
			l.Panes[pane.RunningID] = running
			c.top += running.H + 2
		}
		l.Panes[pane.BatchID] = rest()
		return
	}
	c.top++
	l.Panes[s.Focus] = rest()
}
