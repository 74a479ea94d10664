package research

import (
	"bytes"
	"slices"
)

// pattern is a byte string that is compared with others by edit distance:
// insertions, deletions and substitutions of bytes count 1 each. It computes
// 64 rows of the usual table at once (G. Myers, A fast bit-vector algorithm for
// approximate string matching, JACM 46(3), 1999; in blocks after H. Hyyrö,
// 2003), so that a pattern of MaxQuote bytes costs 256 steps per byte.
type pattern struct {
	size int
	// words is how many 64-bit words hold one bit per byte of the pattern.
	words int
	// equal has, for each byte value, the words that mark where it occurs.
	equal []uint64
	// rising and falling are the vertical differences of the table's column.
	rising, falling []uint64
}

// newPattern prepares a byte string of at least one byte.
func newPattern(b []byte) *pattern {
	words := (len(b) + 63) / 64
	p := &pattern{
		size: len(b), words: words,
		equal:  make([]uint64, 256*words),
		rising: make([]uint64, words), falling: make([]uint64, words),
	}
	for i, c := range b {
		p.equal[int(c)*words+i/64] |= 1 << (i % 64)
	}
	return p
}

// scan compares the pattern with a text and returns the smallest distance to a
// part of it, and where that part ends (exclusive; the first such end). The
// part may begin anywhere, or, anchored, only at the text's beginning.
func (p *pattern) scan(text []byte, anchored bool) (distance, end int) {
	for i := range p.rising {
		p.rising[i], p.falling[i] = ^uint64(0), 0
	}
	top := 0
	if anchored {
		top = 1
	}
	score := p.size
	distance = score
	for i, c := range text {
		score += p.column(p.equal[int(c)*p.words:][:p.words], top)
		if score < distance {
			distance, end = score, i+1
		}
	}
	return distance, end
}

// column moves the table on by one byte of the text. Carry is the difference
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

// aligner finds the part of a text that is most like a needle.
type aligner struct {
	size              int
	forward, backward *pattern
}

// newAligner prepares a needle of at least one byte.
func newAligner(needle []byte) *aligner {
	return &aligner{size: len(needle), forward: newPattern(needle), backward: newPattern(reversed(needle))}
}

// align returns the bounds of the part of a text that has the smallest edit
// distance to the needle, and that distance. The part may be empty.
func (a *aligner) align(text []byte) (start, end, distance int) {
	distance, end = a.forward.scan(text, false)
	// Backwards from that end, the same distance tells where the part begins.
	_, length := a.backward.scan(reversed(text[:end]), true)
	return end - length, end, distance
}

// similarity turns a distance into a likeness from 0 to 1: the share of the
// needle's bytes that no edit touches.
func (a *aligner) similarity(distance int) float64 {
	return max(0, 1-float64(distance)/float64(a.size))
}

func reversed(b []byte) []byte {
	b = bytes.Clone(b)
	slices.Reverse(b)
	return b
}
