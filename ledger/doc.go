// Package ledger is what is known in a session: facts with their provenance,
// evidence on its three scales, and the hash chain that joins the lines of a
// session file. It is pure: no files, clock, randomness or goroutines. It
// decides no claim; that is package resolver. Start at Evidence and Fact.
package ledger
