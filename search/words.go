package search

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	// MaxWords is the most bytes of Query.Words.
	MaxWords = 4 << 10
	// maxTerms is the most words of a query.
	maxTerms = 64
)

// term is a word of a query: tokens in a row, or a whole word.
type term struct {
	// parts are the tokens, and whole is all of a word with parts, or "".
	parts []string
	whole string
	// prefix says that the last part, and whole, only need to begin a token.
	prefix bool
}

// terms returns the words of a query, each once. Other characters than letters and digits separate words. The last word is a
// prefix if the query ends with it.
func terms(words string) ([]term, error) {
	if len(words) > MaxWords {
		return nil, fmt.Errorf("the words to search are longer than %d bytes; search for fewer", MaxWords)
	}
	var list []term
	fields := strings.FieldsFunc(words, func(r rune) bool {
		return unicode.IsSpace(r) || r > unicode.MaxASCII && (unicode.IsPunct(r) || unicode.IsSymbol(r))
	})
	for i, field := range fields {
		// Someone who types has not finished the last word.
		t, ok := newTerm(field, i == len(fields)-1 && strings.HasSuffix(words, field))
		known := func(other term) bool {
			return slices.Equal(t.parts, other.parts) && t.whole == other.whole && t.prefix == other.prefix
		}
		if ok && !slices.ContainsFunc(list, known) {
			list = append(list, t)
		}
	}
	if len(list) > maxTerms {
		return nil, fmt.Errorf("%d words to search are too many; search for at most %d", len(list), maxTerms)
	}
	return list, nil
}

// newTerm returns the term of a word without spaces; ok is false if it has neither letters nor digits.
func newTerm(field string, last bool) (t term, ok bool) {
	var list []token
	tokenize(field, func(one token) { list = append(list, one) })
	wholes := 0
	for i, one := range list {
		switch {
		case one.whole:
			t.whole = one.text
			wholes++
		case one.single && i == len(list)-1:
			// The pair before it says as much, and the text may continue.
		default:
			t.parts = append(t.parts, one.text)
		}
	}
	if len(t.parts) == 0 {
		return t, false
	}
	// a.getName is two words, of which one has parts: they are only found one after the other.
	if wholes != 1 || list[len(list)-1].start != list[0].start {
		t.whole = ""
	}
	final := list[len(list)-1].text
	if r := []rune(final); len(r) == 1 && classOf(r[0]) == spaceless || last && (len(r) > 2 || len(t.parts) > 1) {
		// A character of a script without spaces begins a token wherever it is. One or two letters begin too many.
		t.prefix = true
	}
	return t, true
}

// match returns the term as an expression of FTS5, in which tokens are quoted: nothing in them has a meaning there.
func (t *term) match() string {
	phrase := func(tokens ...string) string {
		text := `"` + strings.Join(tokens, " ") + `"`
		if t.prefix {
			text += "*"
		}
		return text
	}
	if t.whole == "" {
		return phrase(t.parts...)
	}
	return "(" + phrase(t.parts...) + " OR " + phrase(t.whole) + ")"
}

// matchAll returns the expression for places with all terms, or with any.
func matchAll(list []term, operator string) string {
	parts := make([]string, len(list))
	for i := range list {
		parts[i] = list[i].match()
	}
	return strings.Join(parts, operator)
}

// at reports whether the term is at token i of a text, and where it ends. start and end are in the original text.
func (t *term) at(list []token, i int) (end int, ok bool) {
	same := func(text, want string, last bool) bool {
		return text == want || last && t.prefix && strings.HasPrefix(text, want)
	}
	first := list[i]
	if first.whole {
		want := t.whole
		if want == "" && len(t.parts) == 1 {
			want = t.parts[0]
		}
		return first.end, want != "" && same(first.text, want, true)
	}
	for n, want := range t.parts {
		for i < len(list) && list[i].whole {
			i++
		}
		last := n == len(t.parts)-1
		if i == len(list) || !same(list[i].text, want, last) {
			return 0, false
		}
		if end = list[i].end; last && t.prefix && len(want) < len(list[i].text) && isPair(list[i].text) {
			// Only the first of the two characters was asked for.
			end = list[i].start + firstSize(list[i].text, list[i].end-list[i].start)
		}
		i++
	}
	return end, true
}

// isPair reports whether a token is two characters of a script without spaces.
func isPair(text string) bool {
	r := []rune(text)
	return len(r) > 1 && classOf(r[0]) == spaceless
}

// firstSize returns how many bytes the first character of a pair takes in a text of the given size. Folding keeps the
// sizes of most of them; if it does not, the pair is taken.
func firstSize(pair string, size int) int {
	if len(pair) != size {
		return size
	}
	return max(1, norm.NFKC.NextBoundaryInString(pair, true))
}
