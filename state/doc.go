// Package state is what a session is: the kinds of events, the fold that turns
// them into a State, and the types of rulings. A State is an immutable value:
// Apply returns a new one that shares what did not change, so a screen may
// keep one while the session goes on. The package is pure: no files (those are
// in state/store), clock, randomness or goroutines; time comes in with the
// events. It decides nothing: which events may follow is package protocol,
// what stands is package resolver. Start at Apply, then read events_*.go.
package state
