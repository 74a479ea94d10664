// Package doctor finds out what works: which model servers answer on this
// machine, which keys are there, which agent programs run, and what a
// participant says when it is really asked. Checks run side by side, each with a
// deadline, and none of them changes anything. Without Where.Online nothing is
// sent to services elsewhere, and no key to anybody. No participant is made
// here, and none is chosen: agent.Discover and the command line do that with
// what was found. Start at Check, then Examine, then server.go, service.go and
// program.go.
package doctor
