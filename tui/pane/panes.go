package pane

import "moot/tui/theme"

// ID names a pane of a session, or the list of sessions.
type ID int

// The panes. Those up to the result are main views; the others stand beside
// them.
const (
	DebateID ID = iota
	PointsID
	PointID
	LedgerID
	GraphID
	ConfidenceID
	RecordID
	ResultID
	BucketsID
	ChallengesID
	// PaneHome is the list of sessions; it stands alone.
	HomeID
	NumIDs
)

// String returns the pane's name as it is shown.
func (p ID) String() string {
	switch p {
	case DebateID:
		return "Debate"
	case PointsID:
		return "Points"
	case PointID:
		return "Point"
	case LedgerID:
		return "Ledger"
	case GraphID:
		return "Graph"
	case ConfidenceID:
		return "Confidence"
	case RecordID:
		return "Record"
	case ResultID:
		return "Result"
	case BucketsID:
		return "Buckets"
	case ChallengesID:
		return "Challenges"
	case HomeID:
		return "Sessions"
	case NumIDs:
	}
	return ""
}

// IDs returns every pane that the screen of a session may have.
func IDs() []ID {
	return []ID{
		DebateID, PointsID, PointID, LedgerID, GraphID, ConfidenceID, RecordID, ResultID, BucketsID, ChallengesID,
	}
}

// Main reports whether the pane is a main view, one of those that share the
// largest place of the screen.
func (p ID) Main() bool { return p <= ResultID }

// Pane is a part of the screen. It is told what to show by setters of its own,
// draws itself, and touches neither network nor disk.
type Pane interface {
	SetLook(k *theme.Look)
	// SetFocused says whether keys go to the pane.
	SetFocused(on bool)
	// Title is its name with what counts in it: "Points 6".
	Title() string
	// View draws the pane: exactly height rows of exactly the width.
	View(width, height int) []string
	// More reports whether what was drawn last goes on below.
	More() bool
	// Move scrolls or selects: up, down, left, right, pages, home, end.
	Move(a Motion, width, height int)
	// Wheel scrolls by rows, down where by is positive.
	Wheel(by, width, height int)
	// Click selects what stands at a cell of the pane.
	Click(x, y, width, height int)
	// Selected is the id of what is selected, "P3" or "E7" or "#57", or "".
	Selected() string
	// Choose selects what has the id, where the pane holds it.
	Choose(id string)
	// Copied is the text of what is selected, or of all that is seen.
	Copied() string
	// Find goes to the next item whose text holds the query, forwards or
	// backwards; from says whether the present item counts as well. It reports
	// whether there is one. An empty query is never found.
	Find(query string, forwards, from bool, width, height int) bool
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

// WideWidth is the width from which panes are side by side.
const WideWidth = 100

// widestCopy is the width at which a pane with columns is drawn for a copy.
const widestCopy = 160

// What empty panes say.
const (
	NoPoints     = "nothing is proposed yet"
	NoChallenges = "nothing is attacked yet"
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

// Outer is the rectangle with a line around it.
func (r Rect) Outer() Rect { return Rect{r.X - 1, r.Y - 1, r.W + 2, r.H + 2} }

// CanOpen reports whether a second click on a cell of a pane opens what is
// selected there.
func CanOpen(p Pane, x, y, width, height int) bool {
	o, ok := p.(interface {
		opens(x, y, width, height int) bool
	})
	return !ok || o.opens(x, y, width, height)
}
