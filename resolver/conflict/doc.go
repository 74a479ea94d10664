// Package conflict finds where the outputs of several agents contradict each
// other or disagree, and settles it by a named strategy. It is pure: the same
// outputs give the same conflicts, in the same order.
//
// Start at Thresholds for what counts as a conflict and at Strategy for what
// settles one. It knows nothing of sessions: package resolver applies the
// strategies to the positions of a panel.
package conflict
