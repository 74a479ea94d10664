// Package protocol is who may say what, and when: the moves, the formats that
// decide whose turn it is, admission, which turns moves into events or refuses
// them, the prompts, and the one loop that drives a session. All rules of the
// protocol live here, numbered as docs/consult.md numbers them; what stands
// is package resolver. Only run*.go starts goroutines or reads a clock; the
// rest is pure, and a test keeps it so. Start at Format, then consult.go, then
// Run.
package protocol
