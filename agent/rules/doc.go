// Package rules is the participant that needs no model. It searches, quotes and checks;
// it never reasons and never judges, and it says so.
//
// In a consultation it quotes the passages that share words with the question
// (consult.go). Facing a model it leaves the judging to others: the session asks for
// evidence where none is cited. In a dialectic session it is the pressure-tester and
// looks for the playbook's patterns with package redflag (pressure.go). In a hearing it
// takes both sides (hearing.go). Other seats are refused (seats.go).
//
// It is deterministic: the same state and the same files give the same reply.
package rules
