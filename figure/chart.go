package figure

import "moot/state"

// Chart is a picture of figures that draws itself at any size. It does not
// change.
type Chart struct{}

// Title says what the chart shows.
func (c *Chart) Title() string { return "" }

// Empty says in a sentence that there is nothing to draw, "" where there is.
func (c *Chart) Empty() string { return "" }

// Draw draws the chart into height rows of width cells. With ascii it uses
// ASCII signs alone; a nil measure measures grapheme clusters. Where there is
// too little room it draws less, and says what it leaves out.
func (c *Chart) Draw(width, height int, ascii bool, measure Measure) []Row { return nil }

// SVG draws the chart as an SVG document.
func (c *Chart) SVG(style SVGStyle) string { return "" }

// Confidence shows what the seats' confidence in a point was over the rounds,
// 0 to 1; the point "" shows every point that has reports, a panel for each.
// Marked are retreats, drops without a cause, and rigid seats, which verified
// evidence against them did not move (ST3).
func Confidence(s *state.State, point string) *Chart { return &Chart{} }

// Buckets shows how many points were in each bucket after each round. The
// rulings now in force, where they are given, make up the last bar.
func Buckets(events []state.Event, now []state.Ruling) *Chart { return &Chart{} }

// Cost shows the tokens and the dollars that the calls took so far, and the
// share of each seat.
func Cost(events []state.Event) *Chart { return &Chart{} }
