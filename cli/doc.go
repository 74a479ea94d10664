// Package cli is the command line: one file per command, each an options
// struct, a constructor and a run function. It wires the house together - store,
// participants, researcher, protocol, screens - and decides nothing that a
// session could depend on. Standard output carries results alone; talk goes to
// standard error. One Console owns the streams, the environment and the clock;
// no command touches os.Stdout. Start at Run, then ask.go and sitting.go.
//
// The help is cobra's with a usage function of ours: ask has some forty flags,
// which are read only in groups, and fang's styled help shows them as one list.
// docs/commands.md is the same text.
package cli
