// Package hearing is the arithmetic of hearings: the five versions of the judge, the
// gates, when an exchange ends, and what a confidence may fall by. It knows numbers,
// facts and claims, and nothing of sessions; it is pure. Start at Judge; the format
// itself is in protocol/hearing.go, and what of a session goes into the judge in
// resolver/hearing.go.
package hearing
