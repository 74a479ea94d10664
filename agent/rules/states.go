package rules

import (
	"strings"
	"unicode"
)

// The measure of "nearly verbatim".
const (
	// nearlyAll is the share of a statement's words that a passage must hold,
	// in the statement's order.
	nearlyAll = 0.8
	// spread is over how many times the statement's length they may be strewn.
	spread = 1.5
	// minStated is how many words a statement needs for that.
	minStated = 3
)

// states reports whether a passage says nearly verbatim what a statement says:
// nearly all of its words, in its order and close together, all that bind it
// (numbers, "should", "only"), and negations as many, odd or even. It is the
// most that words can tell; in doubt it is false, and what it lets through is
// near to a quotation.
func (l *lexicon) states(passage, statement string) bool {
	asked, said := l.sequence(statement), l.sequence(passage)
	if len(asked) < minStated || len(said) == 0 {
		return false
	}
	if l.negated(passage) != l.negated(statement) {
		return false
	}
	window := int(spread*float64(len(asked))) + 1
	for start := 0; start == 0 || start+window/2 < len(said); start++ {
		part := said[start:min(start+window, len(said))]
		if l.follows(part, asked) {
			return true
		}
	}
	return false
}

// follows reports whether the words of a part of a passage hold nearly all of
// those asked in their order, and all that bind.
func (l *lexicon) follows(part, asked []string) bool {
	held := words{}
	for _, word := range part {
		held[word] = true
	}
	for _, word := range asked {
		if !held[word] && (l.binding[word] || unicode.IsDigit(rune(word[0]))) {
			return false
		}
	}
	return float64(inOrder(asked, part)) >= nearlyAll*float64(len(asked))
}

// inOrder is the length of the longest common subsequence.
func inOrder(a, b []string) int {
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

// negated reports whether a text holds an odd number of negations.
func (l *lexicon) negated(text string) bool {
	odd := false
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && r != '\'' && r != '’'
	}) {
		if l.negations[strings.NewReplacer("'", "", "’", "").Replace(word)] {
			odd = !odd
		}
	}
	return odd
}

// pieces cuts a text that says several things into its lines and sentences, at
// most most of them, each with words enough to search for; a short text is one
// piece.
func (l *lexicon) pieces(text string, most int) []string {
	const short = 160
	if len(text) <= short && !strings.Contains(text, "\n") {
		return []string{text}
	}
	var found []string
	for line := range strings.Lines(text) {
		for _, sentence := range strings.SplitAfter(strings.TrimSpace(line), ". ") {
			if len(l.wordsOf(sentence)) >= minStated && len(found) < most {
				found = append(found, sentence)
			}
		}
	}
	return found
}
