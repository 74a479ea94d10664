package pane

import (
	"strconv"

	"moot/state"
)

// sideOrFacts is whose claim of a hearing a point is, or how many facts it rests on.
func sideOrFacts(c Column, point *state.Point) string {
	switch {
	case point.IsAuthor(state.Protocol), c == columnFacts && len(point.Facts) == 0:
		return ""
	case c == columnFacts:
		return strconv.Itoa(len(point.Facts))
	}
	return seats(point.Authors)
}
