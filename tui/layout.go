package tui

// Kind says which of the layouts fits a terminal.
type Kind int

// The layouts.
const (
	// TooSmall has room for one line only: what is needed.
	TooSmall Kind = iota
	// Tiny shows no pane: phase, round, the streaming line, counts and keys.
	Tiny
	// Compact shows one pane at a time under a bar of tabs.
	Compact
	// Wide shows several panes at once.
	Wide
)

// The smallest sizes in cells at which a layout is chosen.
const (
	wideHeight            = 18
	compactHeight         = 10
	tinyWidth, tinyHeight = 20, 6
)

// maxStatus is how many lines a status may take: what happened, what was kept
// and what to do do not always fit one.
const maxStatus = 3

// Showing is what of the program's state decides the layout.
type Showing struct {
	// Focus is the pane that has the keys, Main the view in the largest place.
	Focus, Main Pane
	// Zoom gives the main view all the room.
	Zoom bool
	// Note says that a sentence stands below the header: no language model.
	Note bool
	// Questions says that a bar of questions stands above the footer.
	Questions bool
	// Status is how many lines the status takes, at least 1.
	Status int
	// Slider says that a slider over the events stands above the status.
	Slider bool
}

// Layout is where everything stands. Absent parts are empty.
type Layout struct {
	Kind          Kind
	Width, Height int
	// Header holds the question, Phases the phase bar, Note a sentence.
	Header, Phases, Note Rect
	// Frame is what the lines around the panes enclose (wide), or the bar of
	// tabs (compact).
	Frame Rect
	// Panes are the insides of the panes; a hidden pane's is empty.
	Panes [paneCount]Rect
	// Live is the line of what is under way, Counts those of the buckets, and
	// Names that of the hidden panes (tiny).
	Live, Counts, Names Rect
	// Slider stands over the events, Status says what happens, Questions what is
	// asked, Footer the keys.
	Slider, Status, Questions, Footer Rect
}

// Hidden returns those of a session's views that are not on the screen.
func (l *Layout) Hidden(views []Pane) []Pane {
	var hidden []Pane
	for _, p := range views {
		if l.Panes[p].Empty() {
			hidden = append(hidden, p)
		}
	}
	return hidden
}

// Shown returns the panes that are on the screen, in the order in which the
// focus goes through them.
func (l *Layout) Shown() []Pane {
	var shown []Pane
	for p := range paneCount {
		if !l.Panes[p].Empty() {
			shown = append(shown, p)
		}
	}
	return shown
}

// PaneAt returns the pane that holds the cell, if one does.
func (l *Layout) PaneAt(x, y int) (Pane, bool) {
	for p := range paneCount {
		if l.Panes[p].Contains(x, y) {
			return p, true
		}
	}
	return 0, false
}

// Arrange says where everything stands on a screen of the size. It is pure.
func Arrange(width, height int, s Showing) Layout {
	l := Layout{Width: max(width, 0), Height: max(height, 0)}
	switch {
	case width < tinyWidth || height < tinyHeight:
		return l
	case s.Focus == PaneHome:
		l.Kind = when(width < compactWidth || height < compactHeight, Tiny, when(width < wideWidth, Compact, Wide))
		arrangeHome(&l, s)
	case width < compactWidth || height < compactHeight:
		l.Kind = Tiny
		arrangeTiny(&l, s)
	case width < wideWidth || height < wideHeight:
		l.Kind = Compact
		arrangeCompact(&l, s)
	default:
		l.Kind = Wide
		arrangeWide(&l, s)
	}
	return l
}

// cutter takes lines off the top and the bottom of what is left.
type cutter struct{ width, top, bottom int }

func (c *cutter) fromTop(wanted bool) Rect {
	if !wanted {
		return Rect{}
	}
	c.top++
	return Rect{0, c.top - 1, c.width, 1}
}

func (c *cutter) fromBottom(wanted bool) Rect {
	if !wanted {
		return Rect{}
	}
	c.bottom--
	return Rect{0, c.bottom, c.width, 1}
}

// below places what stands below the panes.
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

// edges places what stands above and below the panes and returns the rest.
func (l *Layout) edges(s Showing) Rect {
	c := cutter{width: l.Width, bottom: l.Height}
	l.Header = c.fromTop(true)
	l.Phases = c.fromTop(true)
	l.Note = c.fromTop(s.Note)
	l.below(&c, s)
	return Rect{0, c.top, l.Width, c.bottom - c.top}
}

// arrangeWide places the main view, the buckets beside it and, below the
// debate, the challenges and the ledger. Other views take that room: a map or a
// table wants it more.
func arrangeWide(l *Layout, s Showing) {
	l.Frame = l.edges(s)
	f := l.Frame
	inside := Rect{f.X + 1, f.Y + 1, f.W - 2, f.H - 2}
	if s.Zoom || s.Main == PanePoints || s.Main == PaneMatrix || s.Main == PaneCouncil || s.Main == PaneHearing {
		// The tables say what the buckets say.
		l.Panes[s.Main] = inside
		return
	}
	ledger := 0
	if s.Main == PaneDebate {
		ledger = max(inside.H*22/100, 3)
		l.Panes[PaneLedger] = Rect{inside.X, inside.Y + inside.H - ledger, inside.W, ledger}
		ledger++
	}
	upper := inside.H - ledger
	left := inside.W * when(s.Main == PaneDebate, 56, 64) / 100
	l.Panes[PaneBuckets] = Rect{inside.X + left + 1, inside.Y, inside.W - left - 1, upper}
	main := Rect{inside.X, inside.Y, left, upper}
	if s.Main == PaneDebate {
		challenges := max(upper*28/100, 2)
		main.H = upper - challenges - 1
		l.Panes[PaneChallenges] = Rect{inside.X, main.Y + main.H + 1, left, challenges}
	}
	l.Panes[s.Main] = main
}

func arrangeCompact(l *Layout, s Showing) {
	rest := l.edges(s)
	l.Frame = Rect{rest.X, rest.Y, rest.W, 1}
	l.Panes[s.Focus] = Rect{rest.X, rest.Y + 1, rest.W, rest.H - 1}
}

// arrangeTiny keeps to six lines; what is left goes to the live text.
func arrangeTiny(l *Layout, s Showing) {
	c := cutter{width: l.Width, bottom: l.Height}
	l.Phases = c.fromTop(true)
	l.Footer = c.fromBottom(true)
	switch {
	case s.Questions:
		l.Questions = c.fromBottom(true)
	case s.Slider:
		l.Slider = c.fromBottom(true)
	default:
		l.Names = c.fromBottom(true)
	}
	l.Counts = c.fromBottom(true)
	l.Note = c.fromBottom(s.Note)
	l.Live = Rect{0, c.top, l.Width, c.bottom - c.top}
}

// arrangeHome gives the sessions all that the header and the footer leave.
func arrangeHome(l *Layout, s Showing) {
	c := cutter{width: l.Width, bottom: l.Height}
	l.Header = c.fromTop(true)
	if l.Height > compactHeight {
		// A line of air.
		c.top++
	}
	s.Questions, s.Slider = false, false
	l.below(&c, s)
	l.Panes[PaneHome] = Rect{0, c.top, l.Width, c.bottom - c.top}
}
