package scrub

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// testKey is what no output may show; ends are its pieces.
const testKey = "sk-proj-VeryS3cret+Key/0123456789\"abc<def"

// ways are how a server may write a secret.
func ways() map[string]string {
	quoted, _ := json.Marshal(testKey)
	return map[string]string{
		"as it is":           testKey,
		"in a query":         url.QueryEscape(testKey),
		"in a path":          url.PathEscape(testKey),
		"in lower case":      escapes.ReplaceAllStringFunc(url.QueryEscape(testKey), strings.ToLower),
		"in JSON":            strings.Trim(string(quoted), `"`),
		"in HTML":            html.EscapeString(testKey),
		"in base64":          base64.StdEncoding.EncodeToString([]byte(testKey)),
		"in base64 of a URL": base64.RawURLEncoding.EncodeToString([]byte(testKey)),
		"behind one byte":    base64.StdEncoding.EncodeToString([]byte(":" + testKey)),
		"behind a user":      base64.StdEncoding.EncodeToString([]byte("me:" + testKey + "!")),
		"behind a name":      base64.StdEncoding.EncodeToString([]byte("anna:" + testKey)),
		"in hex":             hex.EncodeToString([]byte(testKey)),
		"starred out":        "sk-proj-****************cdef",
		"with dots":          "sk-proj...cdef",
	}
}

// shown says what of the key a text shows, or "".
func shown(text string) string {
	for _, piece := range []string{
		"S3cret", "0123456789", hex.EncodeToString([]byte("S3cret")), "cdef",
		inside(base64.RawStdEncoding, "S3cret+Key", 0), inside(base64.RawStdEncoding, "S3cret+Key", 1), inside(base64.RawStdEncoding, "S3cret+Key", 2),
	} {
		if strings.Contains(text, piece) {
			return piece
		}
	}
	return ""
}

func TestCleanTakesOutEveryWay(t *testing.T) {
	t.Parallel()
	s := New(testKey)
	for name, way := range ways() {
		got := s.Clean("before " + way + " after")
		if piece := shown(got); piece != "" || !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " after") || !strings.Contains(got, Redacted) {
			t.Errorf("%s: %q shows %q", name, got, piece)
		}
	}
	if got := s.Clean("**bold** and so on... skill"); got != "**bold** and so on... skill" {
		t.Errorf("what is no secret became %q", got)
	}
	var none *Scrubber
	if got := none.Clean(testKey); got != testKey {
		t.Errorf("no scrubber: %q", got)
	}
	none.Hide(testKey)
}

func TestShortSecretsAreLeft(t *testing.T) {
	t.Parallel()
	s := New("x", " ", "abc")
	if got := s.Clean("x abc xyz"); got != "x abc xyz" {
		t.Errorf("%q", got)
	}
}

// through writes a text in pieces that end at the cuts.
func through(s *Scrubber, text string, cuts []int) string {
	stream := s.Stream()
	var out strings.Builder
	put := func(pieces []Piece) {
		for _, p := range pieces {
			out.Write(p.Data)
		}
	}
	at := 0
	for _, cut := range cuts {
		put(stream.Write([]byte(text[at:cut]), int64(at)))
		at = cut
	}
	put(stream.Write([]byte(text[at:]), int64(at)))
	put(stream.Close())
	return out.String()
}

// A secret does not survive any cut, in any way of writing.
func TestStreamWithOneCutAnywhere(t *testing.T) {
	t.Parallel()
	s := New(testKey, "other-secret-99")
	for name, way := range ways() {
		text := "it was " + way + " as you see\n"
		want := s.Clean(text)
		for cut := range len(text) {
			if got := through(s, text, []int{cut}); got != want || shown(got) != "" {
				t.Fatalf("%s, cut at %d: %q, not %q", name, cut, got, want)
			}
		}
	}
}

// However a stream is cut, what comes out is the same, and all else stays.
func TestStreamCutAnyhow(t *testing.T) {
	t.Parallel()
	s := New(testKey, "other-secret-99", "oth")
	var words []string
	for _, way := range ways() {
		words = append(words, way)
	}
	words = append(words, "sk-", "sk-proj", "\n", " ", "é", "{\"content\":\"a\"}\n", "other", "other-secret-99", "plain", "\"", "\\", "data: ")
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 20).Draw(t, "words"), "")
		var cuts []int
		for at := range len(text) {
			if rapid.IntRange(0, 3).Draw(t, "cut") == 0 {
				cuts = append(cuts, at)
			}
		}
		whole, cut := through(s, text, nil), through(s, text, cuts)
		if strings.Contains(cut, "S3cret") || strings.Contains(cut, "other-secret-99") {
			t.Fatalf("%q shows a secret", cut)
		}
		if !strings.Contains(text, "S3cret") && !strings.Contains(text, "other-secret") && !strings.Contains(text, "cdef") &&
			!strings.Contains(text, hex.EncodeToString([]byte("S3cret"))) && whole != text && !strings.Contains(whole, Redacted) {
			t.Fatalf("%q became %q", text, whole)
		}
	})
}

// A model that spells a key out token by token shows none of it.
func TestStreamOfTokens(t *testing.T) {
	t.Parallel()
	s := New(testKey)
	for size := 1; size < 9; size++ {
		var text strings.Builder
		said := "the key is " + testKey + ", keep it"
		for rest := said; rest != ""; {
			n := min(size, len(rest))
			quoted, _ := json.Marshal(rest[:n])
			fmt.Fprintf(&text, "data: {\"model\":\"tasks\",\"choices\":[{\"delta\":{\"content\":%s}}]}\n\n", quoted)
			rest = rest[n:]
		}
		stream := s.Stream()
		var out strings.Builder
		for line := range strings.SplitAfterSeq(text.String(), "\n\n") {
			for _, p := range stream.Write([]byte(line), 0) {
				out.Write(p.Data)
			}
		}
		for _, p := range stream.Close() {
			out.Write(p.Data)
		}
		spelt := ""
		for line := range strings.SplitSeq(out.String(), "\n") {
			var chunk struct {
				Choices []struct{ Delta struct{ Content string } }
			}
			data, found := strings.CutPrefix(line, "data: ")
			if !found {
				continue
			}
			if err := json.Unmarshal([]byte(data), &chunk); err != nil {
				t.Fatalf("size %d: %v in %q", size, err, line)
			}
			spelt += chunk.Choices[0].Delta.Content
		}
		if want := "the key is " + Redacted + ", keep it"; spelt != want {
			t.Errorf("size %d: %q, not %q", size, spelt, want)
		}
	}
}

// A key with escapes that no form has is found in what the string means.
func TestStreamOfEscapes(t *testing.T) {
	t.Parallel()
	s := New(testKey)
	text := `{"error":{"message":"not \u0073k-proj-Very\u00533cret+Key\/0123456789\"abc\u003cdef, sorry"}}`
	for _, cuts := range [][]int{nil, {30}, {20, 40, 60}} {
		if got := through(s, text, cuts); got != `{"error":{"message":"not [REDACTED], sorry"}}` {
			t.Errorf("%q", got)
		}
	}
}

// What cannot be the beginning of a secret is not held back.
func TestStreamHoldsLittle(t *testing.T) {
	t.Parallel()
	stream := New(testKey).Stream()
	for i, text := range []string{"data: {\"content\":\"one\"}\n", "two\n"} {
		pieces := stream.Write([]byte(text), int64(i))
		if len(pieces) != 1 || string(pieces[0].Data) != text || pieces[0].At != int64(i) {
			t.Errorf("%q gives %v", text, pieces)
		}
	}
	if pieces := stream.Write([]byte(strings.Repeat("x", maxLine+1)), 3); len(pieces) != 1 {
		t.Errorf("a line without an end is held for ever: %d pieces", len(pieces))
	}
	nothing := New().Stream()
	if pieces := nothing.Write([]byte("abc"), 1); len(pieces) != 1 {
		t.Error("bytes are held with no secret to look for")
	}
}

func FuzzStream(f *testing.F) {
	f.Add("data: {\"content\":\"sk-\"}\n{\"content\":\"proj-\\u0056\"}", 3)
	f.Add("{\"a\":\"\\", 1)
	f.Fuzz(func(t *testing.T, text string, every int) {
		s := New(testKey, text)
		var cuts []int
		if every > 0 {
			for at := every; at < len(text); at += every {
				cuts = append(cuts, at)
			}
		}
		if got := through(s, text, cuts); strings.Contains(got, testKey) {
			t.Errorf("%q", got)
		}
	})
}

func BenchmarkStream(b *testing.B) {
	hidden := []string{testKey}
	for i := range 10 {
		hidden = append(hidden, fmt.Sprintf("key-%d-of-a-secret-kind-0123456789", i))
	}
	s := New(hidden...)
	line := []byte("data: {\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"gpt\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\" token\"},\"finish_reason\":null}]}\n\n")
	b.SetBytes(int64(len(line)))
	stream := s.Stream()
	for b.Loop() {
		stream.Write(line, 0)
	}
}
