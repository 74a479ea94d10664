package detect

import (
	"bytes"
	"fmt"
	"strings"
)

// Bounds of phrases.
const (
	// leastStem is how many bytes precede a star.
	leastStem = 3
	// reach is over how many words three dots reach.
	reach = 9
)

// part is a word of a phrase.
type part struct {
	word string
	// stem says that the word may go on; far that others may precede it; digits that
	// any number stands there.
	stem, far, digits bool
}

func (p part) is(word []byte) bool {
	switch {
	case p.digits:
		return len(word) > 0 && word[0] >= '0' && word[0] <= '9'
	case p.stem:
		return len(word) >= len(p.word) && string(word[:len(p.word)]) == p.word
	}
	return string(word) == p.word
}

// phrase is words that follow each other.
type phrase struct {
	parts []part
	// heeds are the conditions that look for it.
	heeds []heed
}

// heed is a condition that looks for a phrase, and in which of its lists.
type heed struct {
	condition int32
	list      list
}

// list is one of the lists of phrases of a condition.
type list uint8

const (
	listWords list = iota
	listAnd
	listWithout
	// listField calls for a condition that has no words.
	listField
)

// parsePhrase reads a phrase. It begins with a word.
func parsePhrase(given string) ([]part, error) {
	var parts []part
	far := false
	for piece := range strings.FieldsSeq(given) {
		if piece == "..." {
			if len(parts) == 0 || far {
				return nil, fmt.Errorf("%q: three dots stand between two words", given)
			}
			far = true
			continue
		}
		if piece == "#" && len(parts) > 0 {
			parts, far = append(parts, part{digits: true, far: far}), false
			continue
		}
		stem, starred := strings.CutSuffix(piece, "*")
		if strings.Contains(stem, "*") || starred && len(stem) < leastStem {
			return nil, fmt.Errorf("%q: a star ends a word of which %d letters are there", given, leastStem)
		}
		var read text
		read.read(stem, false)
		for i, w := range read.words {
			parts = append(parts, part{word: string(w.text), far: far && i == 0, stem: starred && i == len(read.words)-1})
		}
		far = far && len(read.words) == 0
	}
	if len(parts) == 0 || far {
		return nil, fmt.Errorf("%q is no phrase: write whole words", given)
	}
	return parts, nil
}

// index finds the phrases that begin with a word.
type index struct {
	phrases []phrase
	// first are the phrases by their first word, stems those whose first word is one,
	// by its first letters.
	first map[string][]int32
	stems map[[leastStem]byte][]int32
	// numbers are the phrases by their text, while the index is made.
	numbers map[string]int32
}

func newIndex() *index {
	return &index{first: map[string][]int32{}, stems: map[[leastStem]byte][]int32{}, numbers: map[string]int32{}}
}

// add notes that a condition looks for a phrase.
func (x *index) add(given string, h heed) error {
	parts, err := parsePhrase(given)
	if err != nil {
		return err
	}
	number, known := x.numbers[given]
	if !known {
		number = int32(len(x.phrases)) //nolint:gosec // a domain has few phrases
		x.numbers[given] = number
		x.phrases = append(x.phrases, phrase{parts: parts})
		if parts[0].stem {
			key := [leastStem]byte([]byte(parts[0].word[:leastStem]))
			x.stems[key] = append(x.stems[key], number)
		} else {
			x.first[parts[0].word] = append(x.first[parts[0].word], number)
		}
	}
	x.phrases[number].heeds = append(x.phrases[number].heeds, h)
	return nil
}

// find calls for each phrase that begins at a word of the text, with its last word.
func (x *index) find(words []word, call func(number int32, from, to int)) {
	for i := range words {
		for _, number := range x.first[string(words[i].text)] {
			if to := reaches(x.phrases[number].parts, words[i:]); to > 0 {
				call(number, i, i+to-1)
			}
		}
		if len(words[i].text) < leastStem {
			continue
		}
		for _, number := range x.stems[[leastStem]byte(words[i].text[:leastStem])] {
			if to := reaches(x.phrases[number].parts, words[i:]); to > 0 {
				call(number, i, i+to-1)
			}
		}
	}
}

// reaches returns how many words a phrase takes from the first on, 0 where it is not
// there. It ends where the segment does.
func reaches(parts []part, words []word) int {
	if !parts[0].is(words[0].text) {
		return 0
	}
	at, segment := 1, words[0].segment
	for _, p := range parts[1:] {
		most := at
		if p.far {
			most += reach
		}
		found := false
		for ; at <= most && at < len(words) && words[at].segment == segment; at++ {
			if p.is(words[at].text) {
				found = true
				at++
				break
			}
		}
		if !found {
			return 0
		}
	}
	return at
}

// has reports whether a phrase is in the words.
func has(parts []part, words []word) bool {
	for i := range words {
		if reaches(parts, words[i:]) > 0 {
			return true
		}
	}
	return false
}

// equal reports whether a word is one of the texts.
func (w word) equal(text string) bool { return bytes.Equal(w.text, []byte(text)) }

// CheckPhrase says what is wrong with a phrase, or nothing.
func CheckPhrase(given string) error {
	_, err := parsePhrase(given)
	return err
}
