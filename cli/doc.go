// Package cli is the command line, with one file per command: an options struct, a constructor and a run function.
// It connects the store, participants, researcher, protocol and screens. Standard output carries only results;
// everything else goes to standard error. The Console owns the streams, the environment and the clock; no command uses
// os.Stdout. Start with Run in root.go, then read ask.go and session.go.
//
// The help is cobra's with our own usage function, because ask has more than sixty flags, which are readable only in
// groups; the help of charmbracelet/fang has no groups of flags. docs/commands.md has the same text.
package cli
