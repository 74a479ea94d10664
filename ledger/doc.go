// Package ledger holds the facts of a session with their provenance, evidence on its three scales, packets of facts,
// and the hash chain that joins the lines of a session file. It is pure. Start at Fact, Evidence and Packet.
package ledger
