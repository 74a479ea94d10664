// Package protocol is the engine of a session: the Format interface that decides whose turn it
// is, drafts of events, the moves of the user, prompts, lookups and the participants. It knows
// no claims: package claims adds what debates over claims share. The moves of seats are in
// package move, and package reply reads them. Each format is a folder below this one, and
// package run drives a session: it alone has goroutines and a clock. The rest is pure, and a
// test enforces it. Start at Format, then read the consult folder.
package protocol
