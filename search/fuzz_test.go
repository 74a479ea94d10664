package search_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"moot/search"
)

// FuzzFind checks that no query is an error of SQLite, that words of a text find it, and that the marks are in the
// snippet.
func FuzzFind(f *testing.F) {
	for _, words := range []string{
		"queue", `"streams" OR`, "NEAR(a b)", "数据库 연결", "camelCase snake_case a/b.go:12", "-x ^y z*", "\x00\xff", "İıẞﬃ", "ก็ที่",
	} {
		f.Add(words, words)
	}
	f.Fuzz(func(t *testing.T, words, text string) {
		text = strings.ToValidUTF8(text, "\ufffd")
		if strings.TrimSpace(text) == "" || len(text) > 5000 {
			return
		}
		h := newHome(t)
		h.ask("s1", "Which queue?", text)
		h.find(search.Query{Words: "queue"})
		r, err := h.index().Find(t.Context(), search.Query{Words: words})
		if err != nil && len(words) <= search.MaxWords && len(strings.Fields(words)) <= 64 && !strings.Contains(err.Error(), "too many") {
			t.Errorf("%q: %v", words, err)
		}
		if r.Rebuilt {
			t.Errorf("%q made the cache again", words)
		}
		for _, hit := range r.Hits {
			checkSnippet(t, hit)
		}
		// The beginning of the text, cut at a word, finds the text.
		if part := firstWords(text); part != "" {
			r, err := h.index().Find(t.Context(), search.Query{Words: part})
			if err != nil || !r.NoWords && len(r.Hits) == 0 {
				t.Errorf("%q is not found in %q: %v", part, text, err)
			}
		}
		// Deleting takes out what was put in.
		if err := h.index().Forget("s1"); err != nil {
			t.Error(err)
		}
		h.exec("INSERT INTO words(words) VALUES('integrity-check')")
	})
}

// firstWords returns a few whole words of a text.
func firstWords(text string) string {
	fields := strings.Fields(text)
	part := strings.Join(fields[:min(len(fields), 3)], " ")
	if len(part) > 300 || !utf8.ValidString(part) {
		return ""
	}
	return part
}
