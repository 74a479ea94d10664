// Package program seats agent programs: codex, claude, gemini-cli, opencode, and
// those that a person adds. How each is spoken to is data, an Adapter, in one
// file of TOML: adapters/*.toml are built in, docs/programs.md explains the
// format. A line of output becomes Events by the rules of the file, without code
// for any program. What runs a program is the package process below. Start at
// Adapter, then Program.Reply.
package program
