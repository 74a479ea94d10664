// Package report renders sessions: the result as text and Markdown, and the exported JSON with its
// schema and metrics. It is pure: it reads a state and its rulings, decides nothing and touches no
// file. All text that moot did not write is escaped. Start at Text, Markdown and Export.
package report
