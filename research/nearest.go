package research

import (
	"bytes"
	"context"
	"slices"
	"unicode/utf8"
)

// Bounds of the search for the nearest passage.
const (
	// candidates is how many places are compared exactly. For long quotes, where that takes time, there are fewer:
	// some comparedBytes in all, and at least one.
	candidates    = 6
	comparedBytes = 16 << 10
	// shortNeedle is the length, in bytes, below which pairs of bytes are
	// counted instead of groups of four: one altered byte spoils four groups.
	shortNeedle = 32
	// contextEvery is how many bytes are read between two looks at the context.
	contextEvery = 1 << 20
	slots        = 1 << 16
)

// likeness is the passage most like a quote, and its similarity, 0 to 1: one
// minus the edit distance in characters between the normalised quote and the
// passage, divided by the quote's length in characters.
type likeness struct {
	passage
	similarity float64
}

// nearest finds the passage of a text that is most like a quotation. It counts,
// for every window of the quote's length, how many groups of bytes it shares
// with the quote (one pass over the text, whatever the quote), and compares the
// best windows exactly. Of equally good places the one closest, in bytes, to
// the cited lines wins. Found is false when nothing is alike at all. The error is the
// context's.
func (t *text) nearest(ctx context.Context, q *quotation, cited Span) (best likeness, found bool, err error) {
	// The end of a passage whose middle is the middle of the cited lines.
	first, past := t.plainStart(min(cited.First, t.lines+1)), t.plainStart(min(cited.Last, t.lines)+1)
	near := (first + past + len(q.needle)) / 2
	places, err := newProfile(q.needle).rank(ctx, t.plain, near)
	if err != nil {
		return best, false, err
	}
	align := newAligner(q.needle)
	size := len(q.needle)
	for _, place := range places {
		if err := ctx.Err(); err != nil {
			return best, false, err
		}
		from := max(0, place.end-size-size/2-shortNeedle)
		to := min(len(t.plain), place.end+size/2+shortNeedle)
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

// place is the end of a window of the text, and how much it shares.
type place struct{ end, shared int }

// profile counts groups of bytes in a needle and in the current window of a text. Groups are identified by a 16-bit
// hash; a collision only makes a place look better, and the best places are compared exactly afterwards.
type profile struct {
	window int
	// group is the number of bytes of a group, mask the bits that they fill.
	group int
	mask  uint32
	want  [slots]int16
	have  [slots]int16
	// shared is how many groups of the window the needle has too; value and
	// old are the last bytes that entered and left it.
	shared     int
	value, old uint32
}

// newProfile counts a needle's groups.
func newProfile(needle []byte) *profile {
	p := &profile{window: len(needle), group: 4, mask: 0xffffffff}
	if len(needle) < shortNeedle {
		p.group, p.mask = 2, 0xffff
	}
	value := uint32(0)
	for i, c := range needle {
		value = value<<8 | uint32(c)
		if i >= p.group-1 {
			p.want[p.slot(value)]++
		}
	}
	return p
}

// slot hashes the last bytes that were read (Fibonacci hashing: Knuth, TAOCP 3,
// 6.4).
func (p *profile) slot(value uint32) uint32 { return ((value & p.mask) * 2654435769) >> 16 }

// rank slides a window over the text and returns the best places, best first.
func (p *profile) rank(ctx context.Context, text []byte, near int) ([]place, error) {
	best := ranking{near: near, apart: p.window, most: min(candidates, max(1, comparedBytes/p.window))}
	stretch := max(p.window/2, shortNeedle)
	asked := 0
	for from := 0; from < len(text); from += stretch {
		best.offer(p.slide(text, from, min(from+stretch, len(text))))
		if from-asked >= contextEvery {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			asked = from
		}
	}
	return best.places, ctx.Err()
}

// slide moves the window over a stretch of the text, and returns the best
// place that it came by.
func (p *profile) slide(text []byte, from, to int) place {
	peak := place{}
	shared, value, old := p.shared, p.value, p.old
	// The group that leaves the window ends this many bytes behind the one
	// that enters.
	behind := p.window - p.group + 1
	for i := from; i < to; i++ {
		value = value<<8 | uint32(text[i])
		slot := p.slot(value)
		if p.have[slot] < p.want[slot] {
			shared++
		}
		p.have[slot]++
		if i >= behind {
			old = old<<8 | uint32(text[i-behind])
			slot = p.slot(old)
			p.have[slot]--
			if p.have[slot] < p.want[slot] {
				shared--
			}
		}
		if shared > peak.shared {
			peak = place{end: i + 1, shared: shared}
		}
	}
	p.shared, p.value, p.old = shared, value, old
	return peak
}

// ranking keeps the best few places, best first, none two within a window.
type ranking struct {
	places            []place
	near, apart, most int
}

// offer adds a place if it is good enough.
func (r *ranking) offer(p place) {
	if p.shared == 0 {
		return
	}
	if len(r.places) == r.most && !r.better(p, r.places[r.most-1]) {
		return
	}
	for i, other := range r.places {
		if abs(p.end-other.end) < r.apart {
			if !r.better(p, other) {
				return
			}
			r.places = slices.Delete(r.places, i, i+1)
			break
		}
	}
	at := slices.IndexFunc(r.places, func(other place) bool { return r.better(p, other) })
	if at < 0 {
		at = len(r.places)
	}
	r.places = slices.Insert(r.places, at, p)
	r.places = r.places[:min(len(r.places), r.most)]
}

// better orders places: by what they share, then by how close they are.
func (r *ranking) better(a, b place) bool {
	if a.shared != b.shared {
		return a.shared > b.shared
	}
	return closer(a.end, b.end, r.near)
}

// closer reports whether a is closer to near than b is.
func closer(a, b, near int) bool { return abs(a-near) < abs(b-near) }

func abs(n int) int { return max(n, -n) }

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
