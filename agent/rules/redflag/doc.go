// Package redflag searches a change for the red flags of a playbook, without a model. It parses a unified diff,
// matches the playbook's patterns against added and removed lines and file names, and returns findings that quote the
// line, so that each can be verified like any citation.
//
// It reads only files named in the diff, below the given workspace, and keeps no state between calls. ReadDiff parses
// a change, ReadDocument a text. Start at Find.
package redflag
