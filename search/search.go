// Package search finds what was argued: full text over the sessions, in a cache that can be deleted at any time.
package search

import (
	"time"

	"moot/state"
	"moot/state/store"
)

// Query is what to find.
type Query struct {
	// Words must all occur in one place of a session, in any order and case.
	Words string
	// Repository, Format, Status and Bucket restrict the sessions or the claims; "" allows all. Since is the earliest
	// time of the last change.
	Repository string
	Since      time.Time
	Status     store.Status
	Format     state.Format
	Bucket     state.Bucket
	// Limit is the most hits; 0 means 50.
	Limit int
}

// Hit is a place in which the words occur.
type Hit struct {
	// Session is its ID; Question, Workspace, Format, Status and UpdatedAt describe it.
	Session   string
	Question  string
	Workspace string
	Format    state.Format
	Status    store.Status
	UpdatedAt time.Time
	// Place is the ID of the claim, challenge, evidence, fact or question in which the words occur, such as P3, or "" for
	// the session as a whole. Kind says what it is: "claim", "objection", "answer", "fact", "quote", …
	Place, Kind string
	// Snippet is a part of the text, on one line. Marks are the words in it, as byte ranges.
	Snippet string
	Marks   [][2]int
}

// Result is what a search found.
type Result struct {
	// Hits are the best places first. More says that there are more than the limit.
	Hits []Hit
	More bool
	// Missing is the number of sessions that are not in the cache yet, because another process is reading them. Unread
	// are the IDs of sessions that are damaged.
	Missing int
	Unread  []string
	// Rebuilt says that the cache was damaged and was made again.
	Rebuilt bool
}
