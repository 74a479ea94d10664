// Package rules is the participant that needs no model. It searches, quotes and checks; it never reasons or judges,
// and it says so.
//
// It quotes passages that share words with the question (consult.go), checks a change for the red flags of a playbook
// as a pressure-tester (pressure.go and package redflag) or a reviewer (review.go), and applies the rules of a domain to a packet of facts
// (hearing.go), depending on the allowed moves and the session's settings. Refuse names the seats that it cannot
// take.
//
// It is deterministic: the same state and files give the same reply.
package rules
