// Package process runs the programs that take a seat: without a shell, the prompt
// on standard input, in a group of their own, within a deadline, a limit on
// silence and caps on what they write. What ends is asked to (SIGTERM), has time
// to, and is made to (SIGKILL), with all that it started; nothing outlives the
// Runner that started it. Runner.Run is one call of a program, Runner.Start a
// program that stays up between turns; Environment says which variables a program
// may know. What a program writes means nothing here:
// see the packages that use this one. Start at Runner.
package process
