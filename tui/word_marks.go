package tui

import (
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// markedWord is a word of a text. Apart says that the other text has not the same
// word in its place, joined that no space stands before it.
type markedWord struct {
	text          string
	apart, joined bool
}

// mostMarked is how many words of a text are compared at most, leastAlike which
// part of the longer text both must have in common: where hardly a word is the
// same, marks would say nothing.
const (
	mostMarked = 2000
	leastAlike = 0.2
)

// differingWords splits two texts into words and marks those that the other has
// not in the same order. Case and the punctuation around a word count for nothing;
// a letter of a script that writes no spaces is a word. Told is false where no
// word is marked: the texts are too long, or hardly alike.
func differingWords(a, b string) (left, right []markedWord, told bool) {
	left, right = wordsOf(a), wordsOf(b)
	if len(left) > mostMarked || len(right) > mostMarked {
		return left, right, false
	}
	spans := lcs.DiffLines(bare(left), bare(right))
	apart := 0
	for _, s := range spans {
		apart += s.End - s.Start
	}
	if same, longer := len(left)-apart, max(len(left), len(right)); float64(same) < leastAlike*float64(longer) {
		return left, right, false
	}
	for _, s := range spans {
		for i := s.Start; i < s.End; i++ {
			left[i].apart = true
		}
		for i := s.ReplStart; i < s.ReplEnd; i++ {
			right[i].apart = true
		}
	}
	return left, right, true
}

// firstSpaceless is the first character that may be a letter of a script without
// spaces: the Thai block begins with it.
const firstSpaceless = '\u0e00'

// wordsOf splits a text at its spaces, and before and after each letter of a
// script without them.
func wordsOf(text string) []markedWord {
	var words []markedWord
	for field := range strings.FieldsSeq(text) {
		joined, from := false, 0
		add := func(to int) {
			if to > from {
				words = append(words, markedWord{text: field[from:to], joined: joined})
				joined, from = true, to
			}
		}
		for at, r := range field {
			if r >= firstSpaceless && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				add(at)
				add(at + len(string(r)))
			}
		}
		add(len(field))
	}
	return words
}

// bare are words as they are compared.
func bare(words []markedWord) []string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = strings.ToLower(w.text)
		if word := strings.TrimFunc(list[i], unicode.IsPunct); word != "" {
			list[i] = word
		}
	}
	return list
}
