// Package scrub takes known secrets out of text that others wrote: of errors, and
// of the bytes of a stream as they come, also where a secret is cut in two by the
// border of a piece, is encoded, or is spelt out over several JSON strings. Which
// texts are secrets it is told; what only looks like one is package redact's.
// Start at New, (*Scrubber).Clean and (*Scrubber).Stream.
package scrub
