package tui

import "moot/tui/theme"

// Pane names a part of a session's screen, or the home screen's list.
type Pane int

// The panes. Those up to the metrics are main views; the others stand beside
// them. Views says which of them a session has.
const (
	PaneDebate Pane = iota
	PanePoints
	PanePoint
	PaneLedger
	PaneGraph
	PaneConfidence
	PaneDecision
	PaneMatrix
	PaneCouncil
	PaneHearing
	PaneRecord
	PaneMetrics
	PaneBuckets
	PaneChallenges
	// PaneHome is the list of sessions; it stands alone.
	PaneHome
	paneCount
)

// String returns the pane's name as it is shown.
func (p Pane) String() string {
	switch p {
	case PaneDebate:
		return "Debate"
	case PanePoints:
		return "Points"
	case PanePoint:
		return "Point"
	case PaneLedger:
		return "Ledger"
	case PaneGraph:
		return "Graph"
	case PaneConfidence:
		return "Confidence"
	case PaneDecision:
		return "Decision"
	case PaneMatrix:
		return "Matrix"
	case PaneCouncil:
		return "Council"
	case PaneHearing:
		return "Hearing"
	case PaneRecord:
		return "Record"
	case PaneMetrics:
		return "Metrics"
	case PaneBuckets:
		return "Buckets"
	case PaneChallenges:
		return "Challenges"
	case PaneHome:
		return "Sessions"
	case paneCount:
	}
	return ""
}

// Panes returns every pane that the screen of a session may have.
func Panes() []Pane {
	return []Pane{
		PaneDebate, PanePoints, PanePoint, PaneLedger, PaneGraph, PaneConfidence, PaneDecision, PaneMatrix, PaneCouncil, PaneHearing, PaneRecord,
		PaneMetrics, PaneBuckets, PaneChallenges,
	}
}

// Main reports whether the pane is a main view, one of those that share the
// largest place of the screen.
func (p Pane) Main() bool { return p <= PaneMetrics }

// pane is a part of the screen. It is told what to show by setters of its own,
// draws itself, and touches neither network nor disk.
type pane interface {
	setLook(k *theme.Look)
	// setFocused says whether keys go to the pane.
	setFocused(on bool)
	// title is its name with what counts in it: "Points 6".
	title() string
	// view draws the pane: exactly height rows of exactly the width.
	view(width, height int) []string
	// more reports whether what was drawn last goes on below.
	more() bool
	// move scrolls or selects: up, down, left, right, pages, home, end.
	move(a Motion, width, height int)
	// wheel scrolls by rows, down where by is positive.
	wheel(by, width, height int)
	// click selects what stands at a cell of the pane.
	click(x, y, width, height int)
	// selected is the id of what is selected, "P3" or "E7" or "#57", or "".
	selected() string
	// choose selects what has the id, where the pane holds it.
	choose(id string)
	// copied is the text of what is selected, or of all that is seen.
	copied() string
	// find goes to the next item whose text holds the query, forwards or
	// backwards; from says whether the present item counts as well. It reports
	// whether there is one. An empty query is never found.
	find(query string, forwards, from bool, width, height int) bool
}

// Motion is a movement of the selection, or of what is seen.
type Motion string

// The motions, by the names of their actions.
const (
	MoveUp       Motion = "up"
	MoveDown     Motion = "down"
	MoveLeft     Motion = "left"
	MoveRight    Motion = "right"
	MovePageUp   Motion = "page-up"
	MovePageDown Motion = "page-down"
	MoveHome     Motion = "home"
	MoveEnd      Motion = "end"
)

// The widths from which the screen has several panes side by side, and from which
// words have room at all.
const wideWidth, compactWidth = 100, 40

// widestCopy is the width at which a pane with columns is drawn for a copy.
const widestCopy = 160

// What empty panes say.
const (
	noPoints     = "nothing is proposed yet"
	noChallenges = "nothing is attacked yet"
	noFacts      = "nothing is known yet: F records a fact"
)

// Rect is a part of the screen, in cells from the top left.
type Rect struct{ X, Y, W, H int }

// Empty reports whether nothing fits in.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Contains reports whether the cell lies inside.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// outer is the rectangle with a line around it.
func (r Rect) outer() Rect { return Rect{r.X - 1, r.Y - 1, r.W + 2, r.H + 2} }

// canOpen reports whether a second click on a cell of a pane opens what is
// selected there.
func canOpen(p pane, x, y, width, height int) bool {
	o, ok := p.(interface {
		opens(x, y, width, height int) bool
	})
	return !ok || o.opens(x, y, width, height)
}
