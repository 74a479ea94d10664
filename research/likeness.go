package research

import (
	"slices"
	"unicode/utf8"
)

// pattern is a row of symbols that is compared with others by edit distance:
// insertions, deletions and substitutions count 1 each. It computes 64 rows of
// the usual table at once (G. Myers, A fast bit-vector algorithm for
// approximate string matching, JACM 46(3), 1999; in blocks after H. Hyyrö,
// 2003), so that a pattern of 16,384 symbols costs 256 steps per symbol.
type pattern struct {
	size int
	// words is how many 64-bit words hold one bit per symbol of the pattern.
	words int
	// equal has, for each symbol, the words that mark where it occurs.
	equal []uint64
	// rising and falling are the vertical differences of the table's column.
	rising, falling []uint64
}

// newPattern prepares at least one symbol, each below the number of kinds.
func newPattern(symbols []int32, kinds int) *pattern {
	words := (len(symbols) + 63) / 64
	p := &pattern{
		size: len(symbols), words: words,
		equal:  make([]uint64, kinds*words),
		rising: make([]uint64, words), falling: make([]uint64, words),
	}
	for i, symbol := range symbols {
		p.equal[int(symbol)*words+i/64] |= 1 << (i % 64)
	}
	return p
}

// scan compares the pattern with a text and returns the smallest distance to a
// part of it, and where that part ends (exclusive; of several such ends, the
// one closest to near). The part may begin anywhere, or, anchored, only at the
// text's beginning.
func (p *pattern) scan(text []int32, anchored bool, near int) (distance, end int) {
	for i := range p.rising {
		p.rising[i], p.falling[i] = ^uint64(0), 0
	}
	top := 0
	if anchored {
		top = 1
	}
	score := p.size
	distance = score
	for i, symbol := range text {
		score += p.column(p.equal[int(symbol)*p.words:][:p.words], top)
		if score < distance || score == distance && closer(i+1, end, near) {
			distance, end = score, i+1
		}
	}
	return distance, end
}

// column moves the table on by one symbol of the text. Carry is the difference
// that enters at the top row; the one that leaves at the last row is returned.
// Both are -1, 0 or 1.
func (p *pattern) column(equal []uint64, carry int) int {
	for w, eq := range equal {
		rising, falling := p.rising[w], p.falling[w]
		vertical := eq | falling
		if carry < 0 {
			eq |= 1
		}
		diagonal := (((eq & rising) + rising) ^ rising) | eq
		up, down := falling|^(diagonal|rising), rising&diagonal
		high := uint64(1) << 63
		if w == p.words-1 {
			high = 1 << ((p.size - 1) % 64)
		}
		leaving := 0
		switch {
		case up&high != 0:
			leaving = 1
		case down&high != 0:
			leaving = -1
		}
		up, down = up<<1, down<<1
		switch {
		case carry < 0:
			down |= 1
		case carry > 0:
			up |= 1
		}
		p.rising[w], p.falling[w] = down|^(vertical|up), up&vertical
		carry = leaving
	}
	return carry
}

// aligner finds the part of a text that is most like a needle, character by
// character.
type aligner struct {
	// alphabet numbers the needle's characters from 1; 0 is any other.
	alphabet          map[rune]int32
	size              int
	forward, backward *pattern
}

// newAligner prepares a needle of at least one byte.
func newAligner(needle []byte) *aligner {
	a := &aligner{alphabet: make(map[rune]int32)}
	symbols := []int32{}
	for len(needle) > 0 {
		character, width := decode(needle)
		if _, known := a.alphabet[character]; !known {
			a.alphabet[character] = int32(len(a.alphabet) + 1) //nolint:gosec // there are fewer runes
		}
		symbols = append(symbols, a.alphabet[character])
		needle = needle[width:]
	}
	a.size = len(symbols)
	a.forward = newPattern(symbols, len(a.alphabet)+1)
	slices.Reverse(symbols)
	a.backward = newPattern(symbols, len(a.alphabet)+1)
	return a
}

// decode is utf8.DecodeRune, but takes a byte that is not UTF-8 for a character
// of its own: it is not the replacement character, nor any other such byte.
func decode(b []byte) (character rune, width int) {
	character, width = utf8.DecodeRune(b)
	if character == utf8.RuneError && width == 1 {
		character = utf8.MaxRune + 1 + rune(b[0])
	}
	return character, width
}

// align returns the bounds, in bytes, of the part of a text that has the
// smallest edit distance to the needle, and that distance. Of several such
// parts it is the one whose end is closest to near. The part may be empty.
func (a *aligner) align(text []byte, near int) (start, end, distance int) {
	symbols, offsets := make([]int32, 0, len(text)), make([]int, 0, len(text)+1)
	for at := 0; at < len(text); {
		character, width := decode(text[at:])
		symbols, offsets = append(symbols, a.alphabet[character]), append(offsets, at)
		at += width
	}
	offsets = append(offsets, len(text))
	nearSymbol, _ := slices.BinarySearch(offsets, near)
	distance, last := a.forward.scan(symbols, false, nearSymbol)
	// Backwards from that end, the same distance tells where the part begins;
	// the shortest such part has the fewest characters that are not alike.
	before := symbols[:last]
	slices.Reverse(before)
	_, length := a.backward.scan(before, true, 0)
	return offsets[last-length], offsets[last], distance
}

// similarity turns a distance into a likeness from 0 to 1: the share of the
// needle's characters that no edit touches.
func (a *aligner) similarity(distance int) float64 {
	return max(0, 1-float64(distance)/float64(a.size))
}
