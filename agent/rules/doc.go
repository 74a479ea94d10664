// Package rules is the participant that needs no model: it searches the
// workspace, quotes what bears on the question, and doubts what nobody quotes.
// It is deterministic: the same state and the same files give the same reply.
//
// It never pretends to reason. What it says are the sentences of data/, filled
// with ids, references and quotations; what it concludes is what the checks of
// evidence in the state show, and no more. A passage is said to support a point
// only where it holds nearly all of the point's words; otherwise it is cited as
// neutral. Where it finds nothing it says so, and the point ends Unresolved with
// what would resolve it.
//
// It may not check a citation or rule on a point: that is package research, by
// way of the session, and package resolver. Start at Rules.Reply, then turn.go;
// each stage of the consult format is one file.
//
// In a panel it votes where a verified item or a line shows one side, and as the one
// who compares it marks what words alone tell: panel.go, with claims.go for how two
// texts are compared.
//
// The seats of the dialectic format begin in pressure.go: material.go reads what
// the session is about, draft.go, statements.go and the leaves make fields of it,
// package redflag finds what speaks against them, and rebuttal.go answers.
//
// The seats of a council begin in council.go: council_claims.go takes the claims of
// a document, council_doubts.go is the critic and council_counter.go the adversary,
// council_answers.go answers and judges, council_mending.go mends what violates the
// constitution, and council_synthesis.go is the moderator.
package rules
