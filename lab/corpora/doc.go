// Package corpora reads corpora: folders of scenarios, each a packet of facts with the
// outcome that is known of it. A scenario that is broken is named with its file and
// with what is wrong, and the others are read. The corpora that are built in lie beside
// this file; their labels were fixed before anything ran on them. Start at Open.
package corpora
