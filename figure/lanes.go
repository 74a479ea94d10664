package figure

import (
	"cmp"
	"slices"
)

// span is the rows that a tie takes of a lane.
type span struct {
	tie
	from, to     int
	first, final int
}

// bind draws the ties between points in lanes at their left. Short ones come
// nearest to the boxes. Lines of different ties may cross; they never join.
func (l *layout) bind(ties []tie) {
	g := l.graph
	spans := make([]span, 0, len(ties))
	for _, t := range ties {
		spans = append(spans, span{tie: t, from: g.index[t.from], to: g.index[t.to]})
	}
	distance := func(s span) int {
		d := g.placed[s.from].Y - g.placed[s.to].Y
		return max(d, -d)
	}
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(distance(a), distance(b)) })
	lanes := make([][]span, l.lanes)
	for _, s := range spans {
		if !l.route(s, lanes) {
			g.hidden.Lines++
		}
	}
}

// route finds a lane for a tie, and ports at both boxes.
func (l *layout) route(s span, lanes [][]span) bool {
	a, b := l.graph.placed[s.from], l.graph.placed[s.to]
	if a.ports >= min(len(a.body), mostPorts) || b.ports >= min(len(b.body), mostPorts) {
		return false
	}
	start, end := a.Y+1+a.ports, b.Y+1+b.ports
	s.first, s.final = min(start, end), max(start, end)
	for i := range lanes {
		taken := slices.ContainsFunc(lanes[i], func(o span) bool { return o.first <= s.final && s.first <= o.final })
		if taken {
			continue
		}
		lanes[i] = append(lanes[i], s)
		a.ports++
		b.ports++
		l.tied(s, spot{l.left - 1, start}, spot{l.left - 1, end}, l.left-3-2*i)
		return true
	}
	return false
}

// tied draws one tie in its lane.
func (l *layout) tied(s span, start, end spot, lane int) {
	g := l.graph
	drawn, role := s.kind.look()
	head := when(s.kind == tiedReplaces, l.signs.replaces, l.signs.cross)
	l.stroke(start, spot{lane, start.y}, drawn, role)
	l.stroke(spot{lane, start.y}, spot{lane, end.y}, drawn, role)
	l.stroke(spot{lane, end.y}, end, drawn, role)
	g.marks = append(g.marks, mark{end.x, end.y, Row{{head, role}}, false})
	if s.both {
		g.marks = append(g.marks, mark{start.x, start.y, Row{{head, role}}, false})
	}
	g.links = append(g.links, link{
		from: s.from, to: s.to, both: s.both, word: s.word, title: s.words(), dashed: s.kind == tiedDiffers, between: true,
		bearing: when(s.kind == tiedReplaces, relationNote, relationAttack),
		path:    straighten(end, spot{lane, end.y}, spot{lane, start.y}, start),
	})
}
