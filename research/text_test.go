package research

import (
	"context"
	"strings"
	"testing"

	"moot/ledger"
)

// Where nothing is alike at all, no passage is made up.
func TestNearestMayBeNothing(t *testing.T) {
	c, _ := open(t, map[string]string{"a.go": source, "blank.txt": "\n\n\n", "empty.txt": ""})
	for _, test := range []struct {
		reference string
		want      string
	}{{"a.go:3", "absent"}, {"blank.txt:2", "absent"}, {"empty.txt:1", "out-of-bounds"}} {
		finding := examine(t, c, test.reference, "价格 §§ 価格", test.want)
		if finding.Nearest != "" || finding.NearestReference != "" || finding.Similarity != 0 {
			t.Errorf("%s: nearest %q at %s, similarity %v", test.reference, finding.Nearest, finding.NearestReference,
				finding.Similarity)
		}
	}
}

// The search for the nearest passage, which may take long, ends with its context.
func TestContextEndsTheSearchForThePassage(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	text := newText([]byte(strings.Repeat("some line of the file\n", 1<<16)))
	quoted, refused := newQuotation("same lime of a file")
	if refused != "" {
		t.Fatal(refused)
	}
	if _, _, err := text.nearest(cancelled, quoted, ledger.Span{First: 1, Last: 1}); err == nil {
		t.Error("the search for the nearest passage did not end")
	}
}
