// Package dialectic is the resolver of the format of that name: it says whether
// a typed proposal that was attacked by objections may advance, is held for
// another round, or is put to the user. Resolve is the whole of it, a pure
// function from an Input to a Result: rules R0 to R6 settle each objection
// (rules.go), gates G1 to G8 each ask one thing of the proposal (gates.go, and
// invention.go for G3), and the decision follows from both (decision.go). Every
// step leaves a chained receipt. The same input gives the same bytes.
//
// Reader reads the JSON contract of moot resolve, strictly. The package reads no
// file and asks no clock; it knows nothing of sessions.
package dialectic
