// Package report is a session as it leaves the house: the result as text and
// Markdown, the exported JSON with its schema, what the debate changed against
// the answers of round 1, and how seats moved. It is pure rendering: it reads a
// state and its rulings, decides nothing and touches no file. All text that
// moot did not write is escaped. Start at Text, Markdown and Export.
package report
