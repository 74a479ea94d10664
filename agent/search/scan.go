package search

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
)

// maxMasks bounds how many different sets of terms a file's lines are
// remembered by.
const maxMasks = 6

// A fileHit is what the first pass keeps of a file that has something of the
// question: enough to say whether the second pass should read it, whatever its
// size.
type fileHit struct {
	path   string
	inPath uint32           // terms among the words of the path
	all    uint32           // terms anywhere in the file
	masks  []uint32         // the sets of terms that its best places hold
	counts [maxTerms]uint16 // lines with each term, at most 65,535
	named  bool             // the question mentions the file
}

// A census is the result of the first pass: how often each term occurs in the
// whole workspace, which the weight of a term hangs on, and where to look.
type census struct {
	lines, bytes int64
	counts       [maxTerms]int64 // lines with each term
	hits         []fileHit       // by path
}

// scan is the first pass. It reads every file once, and of each only the lines
// that hold a needle are taken apart.
func (x *Index) scan(ctx context.Context, m *matcher) (*census, Survey, error) {
	scanners := make([]*scanner, x.options.workers)
	visitors := make([]visitor, len(scanners))
	for i := range scanners {
		scanners[i] = &scanner{lineReader: lineReader{matcher: m}}
		visitors[i] = scanners[i].visit
	}
	walk := walk{index: x, query: m.query}
	survey, err := walk.run(ctx, visitors)
	total := &census{}
	for _, s := range scanners {
		total.lines += s.lines
		total.bytes += s.bytes
		total.hits = append(total.hits, s.hits...)
		for i, n := range s.counts {
			total.counts[i] += n
		}
	}
	survey.Lines = int(total.lines)
	slices.SortFunc(total.hits, func(a, b fileHit) int { return cmp.Compare(a.path, b.path) })
	return total, survey, err
}

// A scanner is the first pass of one goroutine.
type scanner struct {
	lineReader
	census
}

func (s *scanner) visit(name string, data []byte) {
	s.bytes += int64(len(data))
	s.lines += int64(bytes.Count(data, []byte{'\n'}))
	if len(data) > 0 && data[len(data)-1] != '\n' {
		s.lines++
	}
	hit := fileHit{path: name}
	var match lineMatch
	s.weigh([]byte(name), 0, 0, &match)
	hit.inPath = match.mask
	for _, mention := range s.query.mentions {
		hit.named = hit.named || mention.names(name)
	}
	s.scanLines(data, &hit, &match)
	if hit.all != 0 || hit.named {
		s.hits = append(s.hits, hit)
	}
}

// scanLines notes the terms of each line that has any. Lines close to each
// other count as one place.
func (s *scanner) scanLines(data []byte, hit *fileHit, match *lineMatch) {
	const near = 240 // bytes between two lines of one place
	end, before := 0, uint32(0)
	for at := s.next(data, 0); at >= 0; at = s.next(data, end) {
		start := bytes.LastIndexByte(data[end:at], '\n') + 1 + end
		gap := start - end
		end = lineEnd(data, at)
		s.weigh(data[start:end], 0, 0, match)
		if match.mask == 0 {
			continue
		}
		hit.all |= match.mask
		for mask := match.mask; mask != 0; mask &= mask - 1 {
			term := bits.TrailingZeros32(mask)
			s.counts[term]++
			if hit.counts[term] < math.MaxUint16 {
				hit.counts[term]++
			}
		}
		if gap > near {
			before = 0
		}
		hit.addMask(match.mask | before)
		before = match.mask
	}
}

// lineEnd returns the offset of the newline at or after at, or the data's end.
func lineEnd(data []byte, at int) int {
	if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
		return at + n
	}
	return len(data)
}

// addMask keeps the sets of terms that no other kept set includes; of too many
// it keeps the larger ones.
func (h *fileHit) addMask(mask uint32) {
	smallest := -1
	for i := 0; i < len(h.masks); i++ {
		kept := h.masks[i]
		if mask&^kept == 0 {
			return
		}
		if kept&^mask == 0 {
			h.masks = slices.Delete(h.masks, i, i+1)
			i--
			continue
		}
		if smallest < 0 || bits.OnesCount32(kept) < bits.OnesCount32(h.masks[smallest]) {
			smallest = i
		}
	}
	if len(h.masks) < maxMasks {
		h.masks = append(h.masks, mask)
	} else if smallest < len(h.masks) && bits.OnesCount32(mask) > bits.OnesCount32(h.masks[smallest]) {
		h.masks[smallest] = mask
	}
}
