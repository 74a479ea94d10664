// Package search finds words in everything that was argued. It keeps the text of the sessions in a cache, which can be
// deleted at any time.
//
// The cache is a file of SQLite beside the folder of the sessions. Only a search brings it up to date, one process at a
// time: it reads the session files whose size or time changed. It finds the places that view.Places returns. Start at Find
// in find.go; fill.go reads sessions, token.go and words.go make words comparable, snippet.go shows them, and cache.go
// has the file.
package search

import (
	"time"

	"moot/state"
	"moot/state/store"
)

// Query has the words to find, and restrictions.
type Query struct {
	// Words must all occur in one place of a session, in any order and case; sessions in which they occur in different
	// places come last. At most MaxWords bytes. They are data: no character of them is an operator.
	Words string
	// Any asks for places with any of the words; those with more and rarer ones come first.
	Any bool
	// Repository, Format, Status and Bucket restrict the sessions or the claims; "" allows all. Repository is the name
	// of the folder that the session is about, or its absolute path, or that of a folder around it. Workspace is exactly
	// that folder. Since is the earliest time of the last change.
	Repository string
	Workspace  string
	Since      time.Time
	Status     store.Status
	Format     state.Format
	Bucket     state.Bucket
	// Sessions are the IDs of the only sessions to search; nil allows all.
	Sessions []string
	// Limit is the most hits; 0 means 50. PerSession is the most hits in one session; 0 means any number.
	Limit      int
	PerSession int
	// Patience is how long the search may read sessions that changed before it answers from what it has read; Missing
	// then says how many it has not. 0 means until all are read.
	Patience time.Duration
	// Progress, if set, is called while sessions are read, from the goroutine of Find.
	Progress func(done, total int)
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
	// the session as a whole. Kind says what it is: "claim", "objection", "fact", "quote", …
	Place, Kind string
	// Point is the claim that the place belongs to, and Bucket the bucket of that; both are "" if it belongs to none.
	Point  string
	Bucket state.Bucket
	// Snippet is a part of the text, escaped and on one line. Marks are the words in it, as byte ranges.
	Snippet string
	Marks   [][2]int
	// Partial says that the place has only some of the words, and other places of the session have the rest.
	Partial bool
}

// Result has the places that a search found.
type Result struct {
	// Hits are the best places first. More says that there are more than the limit.
	Hits []Hit
	More bool
	// Searched is the number of sessions that were searched, after the restrictions that concern sessions.
	Searched int
	// NoWords says that the query has no letter and no digit, so that nothing was searched.
	NoWords bool
	// Missing is the number of sessions whose text, or whose last changes, are not in the cache yet. Problem says why, or
	// is "" if another process is reading them or the patience ran out.
	Missing int
	Problem string
	// Unread are the IDs of sessions that are damaged, or that this moot cannot read. Their text before
	// the damage is found.
	Unread []string
	// Rebuilt says that the cache was damaged and was made again.
	Rebuilt bool
}
