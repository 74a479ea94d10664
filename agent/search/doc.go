// Package search finds the passages of a workspace that bear on a question:
// a walk that respects .gitignore, and BM25 over lines and identifiers in two
// parallel passes, with no index kept and no model asked. It reads only below
// the root that it was opened on, and quotes lines exactly as they stand in
// their files. Nothing here may raise a point, check a citation or write a
// file: that is for the participant built on top. Start at Open and
// (*Index).Search; question.go says what a question is taken to ask for,
// scan.go and rank.go are the two passes, battery.go measures how good it is.
package search
