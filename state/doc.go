// Package state defines a session: the kinds of events, the fold that turns them into a
// State, and the types of rulings. A State is an immutable value: Apply returns a new one
// that shares unchanged data, so a screen may keep one while the session continues. The
// package is pure: no files (see state/store), clock, randomness or goroutines; time comes
// in with the events. It decides nothing: package protocol decides which events may follow,
// package resolver how points are ruled. Start at Apply, then read events_*.go.
package state
