// Package rules is the participant that needs no model. It searches, quotes and checks; it
// never reasons and never judges, and it says so.
//
// It quotes the passages that share words with the question (consult.go), checks a change
// for the red flags of a playbook as a pressure-tester (pressure.go, package redflag), and
// applies the rules of a domain to a packet of facts (hearing.go). The allowed moves and the
// settings of the session decide which. Refuse names the seats that it cannot take.
//
// It is deterministic: the same state and the same files give the same reply.
package rules
