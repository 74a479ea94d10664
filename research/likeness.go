package research

import "unicode/utf8"

// aligner finds the part of a text that is most like a needle, character by character. Insertions, deletions and
// substitutions count 1 each.
type aligner struct{ needle []rune }

// newAligner prepares a needle of at least one byte.
func newAligner(needle []byte) *aligner {
	a := &aligner{}
	for len(needle) > 0 {
		character, width := decode(needle)
		a.needle = append(a.needle, character)
		needle = needle[width:]
	}
	return a
}

// decode is utf8.DecodeRune, but takes a byte that is not UTF-8 for a character of its own.
func decode(b []byte) (character rune, width int) {
	character, width = utf8.DecodeRune(b)
	if character == utf8.RuneError && width == 1 {
		character = utf8.MaxRune + 1 + rune(b[0])
	}
	return character, width
}

// cell is an entry of the table of edit distances: the distance of a prefix of the needle to the part of the text that
// begins at start.
type cell struct{ distance, start int32 }

// align returns the bounds, in bytes, of the part of a text that has the smallest edit distance to the needle, and
// that distance. Of several such parts it is the one whose end is closest to near. The part may be empty.
func (a *aligner) align(text []byte, near int) (start, end, distance int) {
	// The columns of the table are the characters of the text; a part may begin at any of them.
	column := make([]cell, len(a.needle)+1)
	for i := range column {
		column[i].distance = int32(i)
	}
	last := len(a.needle)
	best := column[last]
	for at := 0; at < len(text); {
		character, width := decode(text[at:])
		at += width
		diagonal := column[0]
		column[0].start = int32(at) //nolint:gosec // the windows of texts are short
		for i, wanted := range a.needle {
			next := diagonal
			if character != wanted {
				next.distance++
			}
			for _, c := range [2]cell{column[i], column[i+1]} {
				// Of equal distances the part that begins later is shorter.
				if c.distance++; c.distance < next.distance || c.distance == next.distance && c.start > next.start {
					next = c
				}
			}
			diagonal, column[i+1] = column[i+1], next
		}
		if c := column[last]; c.distance < best.distance || c.distance == best.distance && closer(at, end, near) {
			best, end = c, at
		}
	}
	return min(int(best.start), end), end, int(best.distance)
}

// similarity turns a distance into a likeness from 0 to 1: the share of the needle's characters that no edit touches.
func (a *aligner) similarity(distance int) float64 {
	return max(0, 1-float64(distance)/float64(len(a.needle)))
}
