// Package script is the participant whose replies stand in a file: a recorded
// session, a review that someone pasted, a test. No model is at work. After the
// last reply it has nothing to say, which is a valid reply.
//
// # The file
//
// A session file of moot (NAME.jsonl) gives its replies, each to the seat and
// stage that it was given in, in their order; those that were refused too. Who gave
// no answer, so that the session paused and was not asked again, does so again.
//
// A recording of the wire (moot ask --record) gives its replies in the same way;
// what broke off, and who gave no answer, does so again.
//
// Any other file is text in UTF-8. Where it begins with a line "---", or holds
// a line "--- seat/stage", its replies are parted by such lines:
//
//	--- consultee/propose
//	1. The consumer retries for ever [EVIDENCE] queue/consumer.go:88 "for {"
//	--- consultee/answer
//	Re C1: the loop has no exit
//	---
//	the next reply, whatever is asked
//
// Seat or stage may be left out or be "*" ("--- consultee", "--- /answer",
// "--- answer", "---"): then any will do. A call takes the first reply that fits
// it and was not given yet. Stages are map, propose, evaluate, answer, remind,
// judge, coverage, stress and arbitrate; seats are orchestrator, consultee,
// consultee-2 and so on, and arbiter. What stands before the first such line is
// a reply to whatever is asked first; an empty reply is silence. A line that
// begins with "---" and goes on otherwise, as in a patch, is text.
//
// A text without such lines is one reply, given to whatever is asked first.
//
// Replies are in any form that the protocol reads: JSON or telegraphic text.
// Files have at most 16 MiB, recordings 64. Start at Open.
package script
