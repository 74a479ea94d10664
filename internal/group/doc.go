// Package group runs a program together with all that it starts, so that both
// end together. On unix that is a session of its own, and so a process group
// without a terminal: what asks for a password there finds none to ask, and is
// not stopped for having asked. On Windows it is a job object. Nothing here knows
// of moot. Start at New.
package group
