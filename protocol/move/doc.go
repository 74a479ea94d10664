// Package move has the moves that a seat can make, as Go types, the table that describes how
// each is written, and their JSON Schema. The readers of replies, the prompts and
// docs/replies.md are made from the table. A format adds rows of its own.
package move
