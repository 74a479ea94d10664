// Package redflag looks for the red flags of a playbook in a change, without a
// model: it reads a unified diff, applies the machine checks that the playbook
// names, and answers with findings that quote the line they rest on, so that
// each can be looked up like any citation.
//
// It prefers silence to noise. A line that moved is not new, a test that went
// with its subject is not missed, and what cannot be told from the diff and the
// workspace is not said. It reads no file but those that the diff names, below
// the workspace that it is given, and keeps nothing between calls.
//
// ReadDiff reads a change, ReadDocument takes a text as one; start at
// (*Checker).Find. Each kind of check is one function in the table of kinds.go;
// what it must know of a language is data, in languages.toml.
package redflag
