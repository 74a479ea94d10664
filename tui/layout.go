package tui

// Pane names one of the four panes of a session.
type Pane int

// The panes, in the order of their number keys.
const (
	PaneDebate Pane = iota
	PanePoints
	PaneChallenges
	PaneLedger
	paneCount
)

// String returns the pane's name as it is shown.
func (p Pane) String() string {
	switch p {
	case PaneDebate:
		return "Debate"
	case PanePoints:
		return "Points"
	case PaneChallenges:
		return "Challenges"
	case PaneLedger:
		return "Ledger"
	case paneCount:
	}
	return ""
}

// Panes returns every Pane.
func Panes() []Pane { return []Pane{PaneDebate, PanePoints, PaneChallenges, PaneLedger} }

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
	// Wide shows the four panes at once.
	Wide
)

// The smallest sizes in cells at which a layout is chosen.
const (
	wideWidth, wideHeight       = 100, 18
	compactWidth, compactHeight = 40, 10
	tinyWidth, tinyHeight       = 20, 6
)

// maxStatus is how many lines a status may take: what happened, what was kept
// and what to do do not always fit one.
const maxStatus = 3

// Rect is a part of the screen, in cells from the top left.
type Rect struct{ X, Y, W, H int }

// Empty reports whether nothing fits in.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Contains reports whether the cell lies inside.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Showing is what of the program's state decides the layout.
type Showing struct {
	// Focus is the pane that compact shows.
	Focus Pane
	// Note says that a sentence stands below the header: no language model.
	Note bool
	// Questions says that a bar of questions stands above the footer.
	Questions bool
	// Status is how many lines the status takes, at least 1.
	Status int
}

// Layout is where everything stands. Absent parts are empty.
type Layout struct {
	Kind          Kind
	Width, Height int
	// Header holds the question, Phases the phase bar, Note a sentence.
	Header, Phases, Note Rect
	// Frame encloses the panes; Column is its inner vertical line and Split
	// its inner horizontal one (wide). In compact, Frame is the bar of tabs.
	Frame         Rect
	Column, Split int
	// Panes are the insides of the panes; a hidden pane's is empty.
	Panes [paneCount]Rect
	// Live is the line of what is under way, Counts those of the buckets, and
	// Names that of the hidden panes (tiny).
	Live, Counts, Names Rect
	// Status says what happens, Questions what is asked, Footer the keys.
	Status, Questions, Footer Rect
}

// Hidden returns the panes that are not on the screen.
func (l *Layout) Hidden() []Pane {
	var hidden []Pane
	for _, p := range Panes() {
		if l.Panes[p].Empty() {
			hidden = append(hidden, p)
		}
	}
	return hidden
}

// PaneAt returns the pane that holds the cell, if one does.
func (l *Layout) PaneAt(x, y int) (Pane, bool) {
	for _, p := range Panes() {
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

// edges places what stands above and below the panes and returns the rest.
func (l *Layout) edges(s Showing) Rect {
	c := cutter{width: l.Width, bottom: l.Height}
	l.Header = c.fromTop(true)
	l.Phases = c.fromTop(true)
	l.Note = c.fromTop(s.Note)
	l.Footer = c.fromBottom(true)
	l.Questions = c.fromBottom(s.Questions)
	l.Status = c.fromBottom(true)
	for more := min(s.Status, maxStatus) - 1; more > 0; more-- {
		l.Status.Y = c.fromBottom(true).Y
		l.Status.H++
	}
	return Rect{0, c.top, l.Width, c.bottom - c.top}
}

func arrangeWide(l *Layout, s Showing) {
	l.Frame = l.edges(s)
	f := l.Frame
	l.Column = f.X + f.W*56/100
	l.Split = f.Y + (f.H-1)*64/100
	left, right := l.Column-f.X-1, f.X+f.W-1-l.Column-1
	upper, lower := l.Split-f.Y-1, f.Y+f.H-1-l.Split-1
	l.Panes[PaneDebate] = Rect{f.X + 1, f.Y + 1, left, upper}
	l.Panes[PanePoints] = Rect{l.Column + 1, f.Y + 1, right, upper}
	l.Panes[PaneChallenges] = Rect{f.X + 1, l.Split + 1, left, lower}
	l.Panes[PaneLedger] = Rect{l.Column + 1, l.Split + 1, right, lower}
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
	if s.Questions {
		l.Questions = c.fromBottom(true)
	} else {
		l.Names = c.fromBottom(true)
	}
	l.Counts = c.fromBottom(true)
	l.Note = c.fromBottom(s.Note)
	l.Live = Rect{0, c.top, l.Width, c.bottom - c.top}
}
