package protocol

import (
	"fmt"
	"strings"

	"moot/ledger"
	"moot/state"
)

// LookupOf returns the lookup of a reference that a request asks for: "SEARCH text", "LIST glob" or "READ path:line".
// A query that is no regular expression is sought as it is, in any case of letters.
func LookupOf(reference string) (Move, error) {
	word, what, _ := strings.Cut(strings.TrimSpace(reference), " ")
	what = strings.TrimSpace(what)
	switch kind := MoveKind(word); {
	case what == "":
	case kind == MoveSearch:
		return &Search{Query: what}, nil
	case kind == MoveList:
		return &List{Glob: what}, nil
	case kind == MoveRead:
		e := lookedUp(&Read{Path: what})
		return &Read{Path: e.Path, From: e.From, To: max(e.To, e.From)}, nil
	}
	return nil, fmt.Errorf("%q is no lookup; write SEARCH and a text, LIST and a glob, or READ and a path:line", Clip(reference))
}

// Examined returns the document under examination that a place lies in, or "" (RV4).
func Examined(s *state.State, place string) string {
	return examined(s, &ledger.Finding{Reference: place})
}
