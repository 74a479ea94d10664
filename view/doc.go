// Package view turns a session into a neutral document: rows, sections, items
// with labeled notes, progress lines. It is the only place where events, rulings
// and challenges become words; the text, Markdown and JSON reports, the progress
// output and the screens render what it returns.
//
// A document knows nothing of widths or colors, and its strings are not escaped:
// each renderer escapes text for its medium. The interface Format covers
// the differences between formats. Start at Session and Transcript.
package view
