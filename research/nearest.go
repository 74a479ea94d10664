package research

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"unicode/utf8"

	"moot/ledger"
)

// Bounds of the search for the nearest passage.
const (
	// candidates is how many places are compared exactly. For long quotes, where that takes time, there are fewer:
	// some comparedBytes in all, and at least one.
	candidates    = 12
	comparedBytes = 16 << 10
	// shortNeedle is the length, in bytes, below which pairs of bytes are
	// counted instead of groups of four: one altered byte spoils four groups.
	shortNeedle = 32
)

// likeness is the passage most like a quote, and its similarity, 0 to 1: one
// minus the edit distance in characters between the normalised quote and the
// passage, divided by the quote's length in characters.
type likeness struct {
	passage
	similarity float64
}

// nearest finds the passage of a text that is most like a quotation. It counts for overlapping parts of the text how
// many groups of bytes they share with the quote, and compares the best parts exactly. Of equally good places the one
// closest, in bytes, to the cited lines wins. Found is false when nothing is alike at all. The error is the context's.
func (t *text) nearest(ctx context.Context, q *quotation, cited ledger.Span) (best likeness, found bool, err error) {
	// The end of a passage whose middle is the middle of the cited lines.
	first, past := t.plainStart(min(cited.First, t.lines+1)), t.plainStart(min(cited.Last, t.lines)+1)
	near := (first + past + len(q.needle)) / 2
	step := max(len(q.needle)/2, shortNeedle)
	places, err := rank(ctx, t.plain, q.needle, near, step)
	if err != nil {
		return best, false, err
	}
	align := &aligner{}
	for needle := q.needle; len(needle) > 0; {
		character, width := decode(needle)
		align.needle, needle = append(align.needle, character), needle[width:]
	}
	for _, place := range places {
		if err := ctx.Err(); err != nil {
			return best, false, err
		}
		from, to := max(0, place.start-step/2), min(len(t.plain), place.start+3*step+step/2)
		start, end, distance := align.align(t.plain[from:to], near-from)
		start, end = t.tighten(q, from+start, from+end)
		if start == end {
			continue
		}
		if tight := t.plain[start:end]; len(tight) < to-from {
			_, _, distance = align.align(tight, len(tight))
		}
		similarity := align.similarity(distance)
		if similarity > best.similarity || similarity == best.similarity && closer(end, best.end, near) {
			best = likeness{passage: t.passageAt(start, end), similarity: similarity}
		}
	}
	return best, best.similarity > 0, nil
}

// tighten takes the line ends off both ends of a stretch of plain. If it has
// more lines than the quote, scraps of a neighbouring line go too: what is less
// than a quote may be, like the brace that happens to stand before a line whose
// indentation was altered.
func (t *text) tighten(q *quotation, start, end int) (tightStart, tightEnd int) {
	for start < end && t.plain[start] == '\n' {
		start++
	}
	for start < end && t.plain[end-1] == '\n' {
		end--
	}
	stretch := t.plain[start:end]
	if bytes.Count(stretch, []byte{'\n'}) <= bytes.Count(q.needle, []byte{'\n'}) {
		return start, end
	}
	if i := bytes.LastIndexByte(stretch, '\n'); countVisible(stretch[i:]) < MinQuote {
		return t.tighten(q, start, start+i)
	}
	if i := bytes.IndexByte(stretch, '\n'); countVisible(stretch[:i]) < MinQuote {
		return t.tighten(q, start+i, end)
	}
	return start, end
}

// place is a part of the text that begins at an offset, and how many groups of bytes it shares with the quote.
type place struct{ start, shared int }

// rank returns the places of a text that share the most groups of bytes with a needle, best first, and of equally good
// ones those closer to near first. A place has the length of three steps, and the next begins one step later. Groups
// are identified by a 16-bit hash; a collision only makes a place look better, and the best are compared exactly.
func rank(ctx context.Context, text, needle []byte, near, step int) ([]place, error) {
	group := 4
	if len(needle) < shortNeedle {
		group = 2
	}
	// Fibonacci hashing: Knuth, TAOCP 3, 6.4.
	slot := func(b []byte) uint32 {
		value := uint32(0)
		for _, c := range b[:group] {
			value = value<<8 | uint32(c)
		}
		return (value * 2654435769) >> 16
	}
	// seen holds, for each group of the needle, the number of the last place that has it, and -1 for other groups.
	seen := slices.Repeat([]int{-1}, 1<<16)
	for i := range max(0, len(needle)-group+1) {
		seen[slot(needle[i:])] = 0
	}
	var places []place
	for from, number := 0, 1; from < len(text); from, number = from+step, number+1 {
		if number%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		part, shared := text[from:min(len(text), from+3*step)], 0
		for i := range max(0, len(part)-group+1) {
			if at := slot(part[i:]); seen[at] >= 0 && seen[at] < number {
				seen[at] = number
				shared++
			}
		}
		if shared > 0 {
			places = append(places, place{from, shared})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int {
		return cmp.Or(b.shared-a.shared, abs(a.start-near)-abs(b.start-near))
	})
	return places[:min(len(places), candidates, max(1, comparedBytes/(2*step)))], ctx.Err()
}

// closer reports whether a is closer to near than b is.
func closer(a, b, near int) bool { return abs(a-near) < abs(b-near) }

func abs(n int) int { return max(n, -n) }

// aligner finds the part of a text that is most like a needle, character by character. Insertions, deletions and
// substitutions count 1 each.
type aligner struct{ needle []rune }

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
