// Package figure lays out the pictures of a session: the argument map and the
// charts of confidence, buckets and cost. Each is laid out once, in a grid of
// terminal cells, and drawn in two ways: as rows of cells, whose parts carry a
// role in place of a color, and as SVG. What a color says, a shape, a sign or a
// word says as well. The package is pure: it sees no files and no clock, and
// gives the same picture for the same session. Start at Map and Chart.
package figure
