// Package research gathers and checks evidence: it is given a reference and
// what is said to stand there, and answers with a ledger.Finding, verified or
// refused with a reason. Each researcher is one type with a constructor and a
// Check method; a failure is a finding, never an error and never a panic.
//
// What may not live here: rulings (package resolver), who may say what
// (package protocol), and anything that believes a model. A researcher stamps
// type, source kind and confidence itself, as constants of its code.
//
// Start at [Citation] in citation.go. Its parts: reference.go and permalink.go
// read references, source.go opens files under the workspace root, text.go
// holds a file's lines, passage.go finds a quote in them, nearest.go and
// likeness.go find what is most like a quote that is not there, commit.go reads
// the commit of a git work tree, outcome.go lists how a check can come out.
package research
