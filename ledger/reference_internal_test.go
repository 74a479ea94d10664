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
		text := rapid.OneOf(
			rapid.StringMatching(`[a-zL_0./ -]{0,5}(/|lines?|a/|\./|x)?[a-zA-Z_0-9./-]{1,8}(\.go|\.md|\.|)?:[0-9]{1,9}([-:][0-9]{1,9})?`),
			// Few of those above are plain, and in one run of fifteen none was.
			rapid.StringMatching(`(L|l|a|lines?|ln)?[a-z0-9_/]{1,6}[a-z]\.[a-z]{1,3}:[1-9][0-9]{0,7}(-[1-9][0-9]{0,8})?`),
		).Draw(t, "text")
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
