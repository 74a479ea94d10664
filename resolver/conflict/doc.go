// Package conflict finds where the outputs of several agents contradict each
// other or disagree, and settles it by a named strategy. It is pure: the same
// outputs give the same conflicts, in the same order.
//
// Start at Similarity for how alike two outputs are, at Thresholds for what counts
// as a conflict, at Detect for finding them, and at Strategy for what settles one.
// Detect says what comparing all pairs one after the other says, to the last bit;
// place.go and column.go say what makes it fast. The package knows nothing of
// sessions: package resolver applies the strategies to the positions of a panel.
package conflict
