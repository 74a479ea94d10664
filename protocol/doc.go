// Package protocol is the engine of a session: the moves, the Format interface that decides
// whose turn it is, admission, which turns moves into events or refuses them, and the
// prompts. The rules are numbered as in docs/consult.md. Each format is a folder below this
// one; package protocol/run drives a session and is the only one with goroutines or a clock.
// The rest is pure, and a test enforces it. Start at Format, then read the consult folder.
package protocol
