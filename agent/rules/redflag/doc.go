// Package redflag looks for the red flags of a playbook in a change, without a model: it
// reads a unified diff, holds the playbook's patterns against added and removed lines and
// the kinds of files, and answers with findings that quote the line they rest on, so that
// each can be looked up like any citation.
//
// It reads no file but those that the diff names, below the workspace that it is given,
// and keeps nothing between calls. ReadDiff reads a change, ReadDocument takes a text as
// one; start at Find.
package redflag
