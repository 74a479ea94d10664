// Package battery measures the citation researcher: it lays out a workspace,
// runs cases with known answers against it, and counts. The cases and what the
// workspace holds are data under testdata/citations (its README.md says how to
// add one) and are embedded, so that a built program can report the figures.
//
// It makes no rules of its own and knows the researcher only as a [Checker].
// Start at [Run].
package battery
