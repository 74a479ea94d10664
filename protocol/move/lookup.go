package move

import (
	"regexp"
	"strconv"

	"moot/state"
)

// Lookups returns the moves by which a seat looks at the workspace. They are answered within
// its turn, before its reply.
func Lookups() []Kind { return []Kind{KindList, KindSearch, KindRead} }

// List asks for the files that a glob matches, all if it is "".
type List struct {
	Glob string `json:"glob,omitempty" jsonschema:"as in queue/**/*.go; none for all"`
}

// Search asks for the passages that fit a query.
type Search struct {
	Query string `json:"query" jsonschema:"words or an exact text, or a regular expression between slashes"`
	Glob  string `json:"glob,omitempty" jsonschema:"the files to search"`
}

// Read asks for the lines From to To of a file, counted from 1. Without To it asks for as many as
// fit.
type Read struct {
	Path string `json:"path" jsonschema:"the file, below the workspace"`
	From int    `json:"from,omitempty" jsonschema:"the first line, from 1"`
	To   int    `json:"to,omitempty" jsonschema:"the last line"`
}

var linesOfPath = regexp.MustCompile(`^(.+?)(?::|#L)(\d{1,9})(?:-L?(\d{1,9}))?$`)

// LookedUp is the event of a lookup. A path may end with line numbers, as in citations.
func LookedUp(lookup Move) *state.LookupAnswered {
	e := &state.LookupAnswered{What: string(KindOf(lookup))}
	switch m := lookup.(type) {
	case *List:
		e.Glob = m.Glob
	case *Search:
		e.Query, e.Glob = m.Query, m.Glob
	case *Read:
		e.Path, e.From, e.To = m.Path, m.From, m.To
		if parts := linesOfPath.FindStringSubmatch(m.Path); parts != nil && m.From == 0 {
			e.Path = parts[1]
			e.From, _ = strconv.Atoi(parts[2])
			e.To, _ = strconv.Atoi(parts[3])
		}
	}
	return e
}
