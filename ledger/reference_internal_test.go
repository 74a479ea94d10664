package ledger

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// The short way reads what the long one reads.
func TestNormalReferencesAreReadLikeOthers(t *testing.T) {
	t.Parallel()
	read := 0
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-zL_0./ -]{0,5}(/|lines?|a/|\./|x)?[a-zA-Z_0-9./-]{1,8}(\.go|\.md|\.|)?:[0-9]{1,9}([-:][0-9]{1,9})?`).Draw(t, "text")
		short, is := normalReference(text)
		if !is {
			return
		}
		read++
		long, why := readReference(text)
		if why != "" || long.Path != short.Path || !slices.Equal(long.Spans, short.Spans) || long.String() != short.String() || long.Commit != short.Commit {
			t.Fatalf("%q: %+v, and by the patterns %+v: %s", text, short, long, why)
		}
	})
	if read == 0 {
		t.Error("no reference was read the short way")
	}
}

func BenchmarkParseReference(b *testing.B) {
	for b.Loop() {
		if _, err := ParseReference("internal/queue/retry.go:12-18"); err != nil {
			b.Fatal(err)
		}
	}
}
