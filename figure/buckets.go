package figure

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/plain"
	"moot/state"
)

// bar is how many points were in each bucket at one time, in the order of the
// buckets.
type bar struct {
	label  string
	counts []int
}

// total is the number of points.
func (b bar) total() int {
	n := 0
	for _, count := range b.counts {
		n += count
	}
	return n
}

// Buckets shows how many points were in each bucket after each round. The
// rulings now in force, where they are given, make up the last bar. Points that
// were merged into another do not count.
func Buckets(events []state.Event, now []state.Ruling) *Chart {
	t := tally{bucket: map[string]state.Bucket{}, merged: map[string]bool{}}
	for _, e := range events {
		t.fold(e.Data)
	}
	if len(now) > 0 {
		for _, r := range now {
			t.bucket[r.Point] = r.Bucket
		}
	}
	if t.changed || len(now) > 0 {
		t.closeNow()
	}
	c := &Chart{name: "buckets", title: "Points per bucket after each round", bars: t.bars}
	if len(t.bucket) == 0 {
		c.empty = "No point has been raised yet."
		return c
	}
	signs := signsOf(false)
	last := t.bars[len(t.bars)-1]
	for i, bucket := range state.Buckets() {
		_, role, word := signs.bucketLook(bucket)
		c.keys = append(c.keys, note{words: fmt.Sprint(word, " ", last.counts[i]), role: role, fill: i + 1})
		var values []float64
		for _, b := range t.bars {
			values = append(values, float64(b.counts[i]))
		}
		c.brief = append(c.brief, brief{words: word, values: values, end: strconv.Itoa(last.counts[i]), high: float64(max(1, last.total())), role: role})
	}
	return c
}

// tally follows the buckets through the events.
type tally struct {
	bucket map[string]state.Bucket
	merged map[string]bool
	round  int
	// changed says that something came after the last bar.
	changed bool
	bars    []bar
}

func (t *tally) fold(p state.Payload) {
	switch e := p.(type) {
	case *state.PointRaised:
		t.bucket[e.ID], t.changed = state.BucketOpen, true
	case *state.PointsMerged:
		for _, id := range e.From {
			t.merged[id], t.changed = true, true
		}
	case *state.RoundStarted:
		t.round = e.Round
	case *state.Ruled:
		for _, r := range e.Rulings {
			t.bucket[r.Point] = r.Bucket
		}
		t.close(fmt.Sprint("round ", e.Round))
	}
}

// close ends a bar; a later one for the same time takes its place.
func (t *tally) close(label string) {
	b := bar{label: label, counts: make([]int, len(state.Buckets()))}
	for id, bucket := range t.bucket {
		if i := slices.Index(state.Buckets(), bucket); i >= 0 && !t.merged[id] {
			b.counts[i]++
		}
	}
	if n := len(t.bars); n > 0 && t.bars[n-1].label == label {
		t.bars = t.bars[:n-1]
	}
	t.bars, t.changed = append(t.bars, b), false
}

// closeNow adds the last bar, unless it says what the one before it said.
func (t *tally) closeNow() {
	changed := t.changed
	t.close("now")
	if n := len(t.bars); !changed && n > 1 && slices.Equal(t.bars[n-1].counts, t.bars[n-2].counts) {
		t.bars = t.bars[:n-1]
	}
}

// bars draws stacked bars below each other, with their counts. The first ones
// give way where there are more than fit.
func (s *sheet) bars(bars []bar, room Rect) {
	const label = 9
	most := 1
	for _, b := range bars {
		most = max(most, b.total())
	}
	y := room.Y + 1
	if left := len(bars) - (room.H - 1); left > 0 {
		left++
		s.write(0, y, s.clip(plain.Counted(left, "earlier round")+" not shown here", room.W), RoleFaint, room.W)
		bars, y = bars[left:], y+1
	}
	counts := make([]string, len(bars))
	widest := 0
	for i, b := range bars {
		counts[i] = s.counts(b)
		widest = max(widest, s.width(counts[i]))
	}
	if widest+label+10 > room.W {
		widest = 0
	}
	wide := room.W - label - widest - when(widest > 0, 2, 0)
	pitch := max(1, min(4, (room.Y+room.H-y)/max(len(bars), 1)))
	thick := max(1, pitch-1)
	for i, b := range bars {
		s.write(0, y, b.label, RoleText, label-1)
		for k := range thick {
			s.stack(b, Rect{label, y + k, wide, 1}, most)
		}
		if widest > 0 {
			s.write(label+wide+2, y, counts[i], RoleFaint, widest)
		}
		y += pitch
	}
}

// counts writes the numbers of a bar with the buckets' signs.
func (s *sheet) counts(b bar) string {
	var parts []string
	for i, bucket := range state.Buckets() {
		sign, _, _ := s.signs.bucketLook(bucket)
		parts = append(parts, fmt.Sprintf("%s %-*d", sign, when(b.counts[i] > 99, 4, 2), b.counts[i]))
	}
	return strings.Join(parts, " ")
}

// stack draws one row of a bar. Each bucket that holds a point takes a cell at
// least, as far as there are enough.
func (s *sheet) stack(b bar, r Rect, most int) {
	scale := float64(r.W) / float64(most)
	if scale > 1 {
		scale = float64(int(scale))
	}
	x, sum := r.X, 0
	for i, bucket := range state.Buckets() {
		if b.counts[i] == 0 {
			continue
		}
		sum += b.counts[i]
		_, role, _ := s.signs.bucketLook(bucket)
		end := max(x+1, r.X+int(float64(sum)*scale))
		end = min(end, r.X+r.W)
		s.fill(x, r.Y, end-x, fills(s.ascii)[i], role)
		x = end
	}
}
