// Package resolver says what stands: pure functions from a state to rulings.
// It reads no model's verdict as a verdict, keeps nothing, and gives the same
// answer for the same state on every machine. Start at Rule in acceptance.go,
// where the rules AC1 to AC19 stand in their order; Explain says in words why a
// ruling is what it is, and what would change it.
package resolver
