// Package pane contains the panes of a session: the debate, the points, the ledger, the
// argument map, the record, and the result. A pane is a plain struct: setters tell it what
// to show, and View draws it into exactly the given rows and columns. Panes send no messages
// and read no files.
//
// Start at Pane in panes.go. Most panes are built from List or Text.
package pane

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"moot/tui/theme"
)

// ID names a pane of a session, the list of sessions, or a list of a batch.
type ID int

// The panes. Those up to ResultID are main views.
const (
	DebateID ID = iota
	PointsID
	PointID
	LedgerID
	GraphID
	ConfidenceID
	RecordID
	FindingsID
	ResultID
	BucketsID
	ChallengesID
	// HomeID is the list of sessions.
	HomeID
	// PreviewID is the preview of the selected session, beside the list.
	PreviewID
	// RunningID are the sessions of a batch that run, BatchID all of its items.
	RunningID
	BatchID
	NumIDs
)

// String returns the name of the pane.
func (p ID) String() string {
	return [NumIDs]string{
		"Debate", "Points", "Point", "Ledger", "Graph", "Confidence", "Record", "Findings", "Result", "Buckets", "Challenges", "Sessions", "Preview",
		"Running", "Items",
	}[p]
}

// Main reports whether the pane is one of the views that share the main area of the screen.
func (p ID) Main() bool { return p <= ResultID }

// Pane is a part of the screen. Its setters tell it what to show. It draws itself and uses
// neither network nor disk.
type Pane interface {
	SetLook(k *theme.Look)
	// SetFocused sets whether keys go to the pane.
	SetFocused(on bool)
	// Title returns the name of the pane with a count: "Points 6".
	Title() string
	// View draws the pane: exactly height rows, each exactly width cells wide.
	View(width, height int) []string
	// More reports whether there is more below the rows that were drawn last.
	More() bool
	// Move scrolls or selects: up, down, left, right, pages, home, end.
	Move(a Motion, width, height int)
	// Wheel scrolls by rows: down if by is positive, else up.
	Wheel(by, width, height int)
	// Click selects the item at a cell of the pane.
	Click(x, y, width, height int)
	// Selected returns the id of the selected item, such as "P3", "E7" or "#57", or "".
	Selected() string
	// Copied returns the text of the selected item, or all visible text.
	Copied() string
	// Find selects the next item that contains the query, forwards or backwards, and reports
	// whether it found one. With from, it starts at the current item instead of the one after
	// it. An empty query never matches.
	Find(query string, forwards, from bool, width, height int) bool
}

// Motion moves the selection or the view.
type Motion string

// The motions, named after their actions.
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

// rows returns how many rows the motion goes down in a window of the height.
func (a Motion) rows(height int) int {
	return map[Motion]int{MoveUp: -1, MoveDown: 1, MovePageUp: 1 - height, MovePageDown: height - 1}[a]
}

// WideWidth is the screen width from which panes are shown side by side.
const WideWidth = 100

// Texts of empty panes.
const (
	NoPoints     = "nothing is proposed yet"
	NoChallenges = "nothing is attacked yet"
	noFacts      = "nothing is known yet: F records a fact"
)

// Rect is a rectangle of cells of the screen.
type Rect struct{ X, Y, W, H int }

// Empty reports whether the rectangle has no cells.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Contains reports whether the cell is inside the rectangle.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Outer returns the rectangle with its border.
func (r Rect) Outer() Rect { return Rect{r.X - 1, r.Y - 1, r.W + 2, r.H + 2} }

// unstyled joins rows without their styles and trailing spaces.
func unstyled(rows []string) string {
	lines := make([]string, len(rows))
	for i, row := range rows {
		lines[i] = strings.TrimRight(ansi.Strip(row), " ")
	}
	return strings.Join(lines, "\n")
}
