package conflict

import "strings"

// Words is the set of words of a text as the word measure sees it: lower-cased
// and split on white space.
//
// Both are Unicode's: strings.ToLower maps each character by itself, so "É" and
// "é" are one word and "İ" is "i"; white space is that of unicode.IsSpace, so a
// no-break space parts words, and a zero-width space does not. Nothing else is
// made equal: punctuation stays with its word, a composed "é" is not an "e"
// followed by an accent, and bytes that are no UTF-8 count as U+FFFD.
type Words map[string]struct{}

// WordsOf returns the set of words of a text.
func WordsOf(text string) Words {
	words := Words{}
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		words[word] = struct{}{}
	}
	return words
}

// Similarity is the word measure of two sets of words, 0 to 1: the size of the
// intersection over that of the union (Jaccard). It is 0 when either is empty,
// also when both are, and 1 for equal sets. "The API is secure" and "The API is
// vulnerable" give 3/5.
func (w Words) Similarity(o Words) float64 {
	small, large := w, o
	if len(small) > len(large) {
		small, large = large, small
	}
	shared := 0
	for word := range small {
		if _, ok := large[word]; ok {
			shared++
		}
	}
	return jaccard(shared, len(w), len(o))
}

// jaccard is the size of the intersection of two sets over that of their union,
// 0 where a set is empty.
func jaccard(shared, a, b int) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return float64(shared) / float64(a+b-shared)
}
