package search

import (
	"bytes"
	"strings"
	"unicode"
)

// How much a word counts that is not the word asked for.
const (
	stemWeight    = 0.95 // another inflection of it
	rootWeight    = 0.65 // another word of its family
	synonymWeight = 0.6  // another word for it
	partWeight    = 0.9  // it, but as a part of an identifier
)

// A form is one way in which a term of the question may stand in a line.
type form struct {
	term   int
	weight float32
}

// A matcher finds the terms of a query in lines. It is read-only once made, so
// that all goroutines of a search share one.
type matcher struct {
	query   *query
	starts  [1 << 13]byte       // a bit for each pair of lower-case bytes that some needle begins with
	needles map[uint16][][]byte // by that pair: prefixes, one of which each matching word begins with
	exact   map[string][]form   // by a lower-case word, or an identifier without its separators
	stems   map[string][]form
	roots   map[string][]form
	stop    map[string]bool // words that only match exactly
	phrases []form          // the terms that are quotations; the weight is unused
}

func newMatcher(q *query, v *vocabulary) *matcher {
	m := &matcher{
		query: q, stop: v.stop, needles: map[uint16][][]byte{},
		exact: map[string][]form{}, stems: map[string][]form{}, roots: map[string][]form{},
	}
	for i, t := range q.terms {
		if t.phrase {
			m.phrases = append(m.phrases, form{term: i})
			m.addNeedle(firstWord(t.label))
			continue
		}
		if t.cue != nil {
			for _, word := range t.cue.words {
				m.addForm(m.stems, stemOf(word), form{i, stemWeight})
			}
			continue
		}
		m.addForm(m.exact, t.label, form{i, 1})
		m.addForm(m.stems, stemOf(t.label), form{i, stemWeight})
		if len(t.label) > 4 {
			m.addForm(m.roots, rootOf(t.label), form{i, rootWeight})
		}
		for _, other := range v.inflections[stemOf(t.label)] {
			m.addForm(m.stems, stemOf(other), form{i, stemWeight})
		}
		for _, other := range v.synonyms[stemOf(t.label)] {
			m.addForm(m.stems, stemOf(other), form{i, synonymWeight})
		}
	}
	for _, pair := range q.joined {
		for _, t := range pair.terms {
			if t >= 0 {
				m.addForm(m.exact, pair.text, form{t, 1})
			}
		}
	}
	return m
}

func (m *matcher) addForm(forms map[string][]form, key string, f form) {
	forms[key] = append(forms[key], f)
	m.addNeedle(key)
	if strings.IndexFunc(key, func(r rune) bool { return r >= 0x80 }) < 0 {
		return
	}
	// The scan folds only ASCII, so other letters need a needle for each case.
	upper := []rune(key)
	upper[0] = unicode.ToUpper(upper[0])
	m.addNeedle(string(appendASCIILower(upper)))
	m.addNeedle(string(appendASCIILower([]rune(strings.ToUpper(key)))))
}

func appendASCIILower(runes []rune) []rune {
	for i, r := range runes {
		if 'A' <= r && r <= 'Z' {
			runes[i] = r + 'a' - 'A'
		}
	}
	return runes
}

func firstWord(phrase string) string {
	text := []byte(phrase)
	if parts := splitWords(nil, text); len(parts) > 0 {
		return string(text[parts[0].start:parts[0].end])
	}
	return ""
}

func (m *matcher) addNeedle(needle string) {
	if len(needle) < 2 {
		return
	}
	key := uint16(needle[0]) | uint16(needle[1])<<8
	m.starts[key>>3] |= 1 << (key & 7)
	m.needles[key] = append(m.needles[key], []byte(needle))
}

// next returns where at or after from the next word begins that may match a
// term, or -1. It is the loop that every byte of the workspace goes through.
func (m *matcher) next(data []byte, from int) int {
	before := byte('\n')
	if from > 0 {
		before = data[from-1]
	}
	for i := from; i+1 < len(data); i++ {
		c := data[i]
		begins := (c > '9' || isDigit(c)) && (!isLetter(before) || isUpper(c))
		before = c
		if !begins {
			continue
		}
		key := uint16(fold(c)) | uint16(fold(data[i+1]))<<8
		if m.starts[key>>3]&(1<<(key&7)) != 0 && m.needleAt(data[i:], key) {
			return i
		}
	}
	return -1
}

func fold(c byte) byte {
	if isUpper(c) {
		return c + 'a' - 'A'
	}
	return c
}

// needleAt says whether data begins with a needle; an identifier's separators
// are jumped over, since needles are written without.
func (m *matcher) needleAt(data []byte, key uint16) bool {
	for _, needle := range m.needles[key] {
		n := 2
		for i := 2; i < len(data) && n < len(needle); i++ {
			if data[i] == '_' || data[i] == '-' {
				continue
			}
			if fold(data[i]) != needle[n] {
				break
			}
			n++
		}
		if n == len(needle) {
			return true
		}
	}
	return false
}

// A lineMatch is what a line has of a query.
type lineMatch struct {
	weights  [maxTerms]float32 // for each term, the best form of it in the line
	mask     uint32            // the terms that are there
	together float32           // how close they stand: in one identifier, or next to each other
	name     uint32            // the terms in the name that the line defines, if it defines one
	whole    float32           // the share of that name's parts that are terms
}

// A lineReader weighs lines. It owns buffers, and so belongs to one goroutine.
type lineReader struct {
	*matcher
	lower  []byte
	joined []byte
	parts  []part
}

// weigh fills match with what line has of the query. The offsets from and to
// bound the name that the line defines; both are 0 if it defines none.
func (r *lineReader) weigh(line []byte, from, to int, match *lineMatch) {
	*match = lineMatch{}
	r.lower = appendLower(r.lower[:0], line)
	r.parts = splitWords(r.parts[:0], line)
	last, lastMask := -9, uint32(0)
	for i := 0; i < len(r.parts); {
		n := i + 1
		for n < len(r.parts) && r.parts[n].word == r.parts[i].word {
			n++
		}
		before := match.mask
		if n-i > 1 {
			r.joined = joinParts(r.joined[:0], r.lower, r.parts[i:n])
			r.apply(r.exact[string(r.joined)], 1, match)
		}
		var wordMask uint32
		matched := 0
		for j := i; j < n; j++ {
			mask := r.weighPart(r.lower[r.parts[j].start:r.parts[j].end], n-i > 1, match)
			if mask == 0 {
				continue
			}
			if j-last <= 2 && mask&^lastMask != 0 {
				match.together += closeness(wordMask != 0)
			}
			last, lastMask = j, mask
			wordMask |= mask
			matched++
		}
		if r.parts[i].start >= from && r.parts[i].start < to {
			match.name |= wordMask | match.mask&^before
			match.whole = max(match.whole, float32(matched)/float32(n-i))
		}
		i = n
	}
	for _, phrase := range r.phrases {
		if bytes.Contains(r.lower, []byte(r.query.terms[phrase.term].label)) {
			r.apply([]form{{phrase.term, 1}}, 1, match)
		}
	}
}

// closeness is what a term adds that follows another one.
func closeness(sameWord bool) float32 {
	if sameWord {
		return 1
	}
	return 0.6
}

// weighPart applies the forms of one word or part and returns their terms.
func (r *lineReader) weighPart(word []byte, inIdentifier bool, match *lineMatch) uint32 {
	if len(word) < 2 {
		return 0
	}
	key := uint16(word[0]) | uint16(word[1])<<8
	if r.starts[key>>3]&(1<<(key&7)) == 0 {
		return 0
	}
	factor := float32(1)
	if inIdentifier {
		factor = partWeight
	}
	mask := r.apply(r.exact[string(word)], factor, match)
	if r.stop[string(word)] {
		return mask // the stem of "theme" is "them"
	}
	inflected := stem(word)
	mask |= r.apply(r.stems[string(inflected)], factor, match)
	if len(word) > 4 {
		mask |= r.apply(r.roots[string(root(inflected))], factor, match)
	}
	return mask
}

func (r *lineReader) apply(forms []form, factor float32, match *lineMatch) uint32 {
	var mask uint32
	for _, f := range forms {
		mask |= 1 << f.term
		match.weights[f.term] = max(match.weights[f.term], f.weight*factor)
	}
	match.mask |= mask
	return mask
}
