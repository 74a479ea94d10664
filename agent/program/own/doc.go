// Package own is the participant that is a program of the person's own: it reads
// the prompt on standard input and writes the reply to standard output, in JSON or
// in telegraphic text. It runs in the workspace, or in an empty folder where there
// is none; nothing keeps it from changing files, so that what it changed is looked
// for and told. Start at New.
package own
