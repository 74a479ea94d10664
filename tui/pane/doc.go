// Package pane holds the panes of a session: the debate, the points, the ledger,
// the argument map, the record and the views of single formats. A pane is a plain
// struct: setters tell it what to show, View draws it into exactly the given
// rows and columns. Panes send no messages and read no files.
//
// Start at Pane in panes.go; List and Text are what most panes are made of.
package pane
