package search

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestSplitWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"maxIdleConns":         "max+idle+conns",
		"MaxHeaderBytes":       "max+header+bytes",
		"max_header_bytes":     "max+header+bytes",
		"MAX_HEADER_BYTES":     "max+header+bytes",
		"max-header-bytes":     "max+header+bytes",
		"HTTPServer":           "http+server",
		"parseURL":             "parse+url",
		"userIDs":              "user+ids",
		"URLs of APIsFor":      "urls of apis+for",
		"SHA256Sum utf8":       "sha256+sum utf8",
		"net/http.Server":      "net http server",
		"a-b x - y":            "a+b x y",
		"__init__ _x":          "init x",
		"it's 10 --flag-name":  "it s 10 flag+name",
		"größe straße_x":       "größe straße+x",
		"":                     "",
		" \t\n;{}":             "",
		"x2y HTTP2":            "x2y http2",
		"getX isA":             "get+x is+a",
		"trailing- -leading":   "trailing leading",
		"\xff\xfe bad\x80utf":  "\xff\xfe bad\x80utf",
		"job.lastError?.text":  "job last+error text",
		"terminationGraceSecs": "termination+grace+secs",
	} {
		if got := spelled(text); got != want {
			t.Errorf("splitWords(%q) = %q, want %q", text, got, want)
		}
	}
}

// spelled writes the words of a text apart and their parts with plus signs.
func spelled(text string) string {
	var out strings.Builder
	word := -1
	lower := appendLower(nil, []byte(text))
	for _, p := range splitWords(nil, []byte(text)) {
		switch {
		case p.word == word:
			out.WriteByte('+')
		case word >= 0:
			out.WriteByte(' ')
		}
		word = p.word
		out.Write(lower[p.start:p.end])
	}
	return out.String()
}

func TestStemBringsInflectionsTogether(t *testing.T) {
	t.Parallel()
	for _, group := range []string{
		"retry retries retried retrying",
		"queue queues queued queueing queuing",
		"cache caches cached caching",
		"limit limits limited limiting",
		"stop stops stopped stopping",
		"cancel cancels canceled cancelled cancelling",
		"match matches matched matching",
		"index indexes indexed",
		"process processes processed processing",
		"size sizes sized sizing",
		"policy policies",
		"box boxes",
		"call calls called calling",
		"lease leases leased leasing",
	} {
		words := strings.Fields(group)
		for _, word := range words[1:] {
			if stemOf(word) != stemOf(words[0]) {
				t.Errorf("stem(%s) = %s, but stem(%s) = %s", word, stemOf(word), words[0], stemOf(words[0]))
			}
		}
	}
	for _, word := range strings.Fields("string thing need feed dns tls status bus this class access bring redis id ids") {
		if got := stemOf(word); got != word {
			t.Errorf("stem(%s) = %s, want it whole", word, got)
		}
	}
}

func TestRootBringsFamiliesTogether(t *testing.T) {
	t.Parallel()
	for _, group := range []string{
		"authenticate authentication authenticator authenticates",
		"schedule scheduler scheduling",
		"validate validation validator validating",
		"connect connection connections connector",
		"migrate migration migrations",
		"store storage stored",
		"configure configuration",
	} {
		words := strings.Fields(group)
		for _, word := range words[1:] {
			if rootOf(word) != rootOf(words[0]) {
				t.Errorf("root(%s) = %s, but root(%s) = %s", word, rootOf(word), words[0], rootOf(words[0]))
			}
		}
	}
}

func TestMatcherNextFindsEveryMatch(t *testing.T) {
	t.Parallel()
	v := readVocabulary()
	m := newMatcher(readQuestion("where are the Größe and maxHeaderBytes of retries?", v), v)
	reader := lineReader{matcher: m}
	for _, line := range []string{
		"x retry", "x.Retries", "noRetryHere", "RETRY", "max_header_bytes", "Max-Header-Bytes", "größe", "Größe", "GRÖßE", "x_retried",
	} {
		var match lineMatch
		reader.weigh([]byte(line), 0, 0, &match)
		if m.next([]byte(line), 0) < 0 || match.mask == 0 {
			t.Errorf("%q: next gives %d, mask %b; want it found by both", line, m.next([]byte(line), 0), match.mask)
		}
	}
	for _, line := range []string{"", "x", "entry", "preretry", "re", "r"} {
		if at := m.next([]byte(line), 0); at >= 0 {
			t.Errorf("%q: next gives %d, want nothing", line, at)
		}
	}
}

func TestReadQuestion(t *testing.T) {
	t.Parallel()
	v := readVocabulary()
	for question, want := range map[string][]string{
		"Where is `MaxHeaderBytes` defined?":    {"maxheaderbytes", "max", "header", "bytes", "defined"},
		"How does the retry work with retries?": {"retry", "work"},
		"What about \"too many requests\" then": {"too many requests", "requests"},
		"a tamper-evident, append_only log":     {"tamper-evident", "tamper", "evident", "append_only", "append", "log"},
		"Does it do the thing?":                 nil,
	} {
		q := readQuestion(question, v)
		var got []string
		for _, term := range q.terms {
			got = append(got, term.spelled)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q asks for %q, want %q", question, got, want)
		}
	}
	long := readQuestion(strings.Repeat("alpha1 beta2 gamma3 ", 10)+manyWords(500), v)
	if len(long.terms) > maxTerms {
		t.Errorf("%d terms, want at most %d", len(long.terms), maxTerms)
	}
}

func manyWords(n int) string {
	var text strings.Builder
	for i := range n {
		text.WriteString("word" + strings.Repeat("x", i%17) + string(rune('a'+i%26)) + " ")
	}
	return text.String()
}

func FuzzSplitWords(f *testing.F) {
	for _, seed := range []string{"maxIdleConns", "a_b-c", "HTTPServers IDs", "größe\xff\x00", "日本語 text", "x--y__z"} {
		f.Add([]byte(seed))
	}
	v := readVocabulary()
	f.Fuzz(func(t *testing.T, text []byte) {
		lower := appendLower(nil, text)
		if len(lower) != len(text) {
			t.Fatalf("lower case changes the length from %d to %d", len(text), len(lower))
		}
		end, word := 0, 0
		for _, p := range splitWords(nil, text) {
			if p.start < end || p.end <= p.start || p.end > len(text) || p.word < word || p.word > word+1 {
				t.Fatalf("part %+v after byte %d, word %d of %q", p, end, word, text)
			}
			end, word = p.end, p.word
			part := lower[p.start:p.end]
			cut := stem(part)
			if !bytes.HasPrefix(part, cut) || !bytes.HasPrefix(cut, root(cut)) || len(cut) == 0 || len(root(cut)) == 0 {
				t.Fatalf("stem(%q) = %q, root %q", part, cut, root(cut))
			}
		}
		m := newMatcher(readQuestion(string(text), v), v)
		reader := lineReader{matcher: m}
		var match lineMatch
		reader.weigh(text, 0, 0, &match)
		for at := m.next(text, 0); at >= 0; at = m.next(text, at+1) {
			if at >= len(text) {
				t.Fatalf("next gives %d of %d", at, len(text))
			}
		}
	})
}
