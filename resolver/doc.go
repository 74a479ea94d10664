// Package resolver turns a state into rulings with pure functions. It never takes a
// verdict from a model's reply, stores nothing, and gives the same answer for the same
// state on every machine. Start at Acceptance in acceptance.go, the table of the rules
// AC1 to AC19; Format in format.go is the interface of the formats. Explain explains a
// ruling and lists events that would change it.
package resolver
