package view

import (
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// tagWords are the tags and statuses whose words are not their names: those of a claim with evidence are the words that
// the answer has for it. It never changes.
var tagWords = map[string]string{ //nolint:gochecknoglobals // a table
	string(state.TagExecution):      string(resolver.BasisTested),
	string(state.TagTextual):        string(resolver.BasisCited),
	string(state.TagNotApplicable):  "",
	string(ledger.LiveAPI):          "live API",
	string(state.TagViolates):       "violates a constraint",
	string(state.StatusAnchorShift): "waits for you",
	string(state.StatusConstraint):  "waits for you",
}

// Word returns the words for a tag, a status, a bucket, a severity or another name of a closed list, in lower case:
// "out of scope" for OUT-OF-SCOPE, "cited" for textual. It is the only place that puts such names into words: JSON and
// receipts have the names themselves.
func Word[T ~string](name T) string {
	if words, known := tagWords[string(name)]; known {
		return words
	}
	return strings.ToLower(strings.NewReplacer("_", " ", "-", " ").Replace(string(name)))
}

// Tag joins the words for names of closed lists in the way in which they stand beside a claim, a challenge or an item
// of evidence: "Cited, decision". Those without words are left out.
func Tag(names ...string) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = Word(name)
	}
	return resolver.Capital(Join(", ", words...))
}
