package tui

import (
	"fmt"
	"strconv"
	"strings"

	"moot/resolver"
	"moot/state"
)

// square is how the table of each participant with each is laid out.
type square struct {
	// number and name are the cells of what names a row, left where the cells
	// begin, and cell how many a pair takes with the gap before it.
	number, name, left, cell int
}

// What a pair can say takes so many cells with its gap: the share, the conflicts
// and the likeness of the whole answers; without its number; without the
// conflicts; the sign alone.
const (
	wholePair = 18
	shortPair = 12
	leastPair = 8
	signPair  = 3
)

// longestName is how many cells the name of a participant takes at most in a
// table, shortestName how many it takes at least where it is there at all.
const longestName, shortestName = 26, 8

// square lays the table out.
func (p *matrixPane) square(width int) square {
	n := max(len(p.compared.seats), 1)
	q := square{number: len(strconv.Itoa(n))}
	longest := 0
	for i := range p.compared.seats {
		longest = max(longest, p.look.width(p.look.line(p.compared.name(i))))
	}
	q.name = min(longest, when(width >= wideWidth, longestName, width/4))
	for _, q.cell = range []int{wholePair, shortPair, leastPair, signPair} {
		if q.number+q.name+n*q.cell+3 <= width {
			break
		}
	}
	if q.number+q.name+n*q.cell+3 > width {
		q.name = max(width-q.number-n*q.cell-3, 0)
		q.name = when(q.name < shortestName, 0, q.name)
	}
	// The mark, the number, a space, the name.
	q.left = 1 + q.number + 1 + q.name
	return q
}

// columnAt is the column of the participant at a cell, or -1.
func (q square) columnAt(x int) int {
	if x < q.left {
		return -1
	}
	return (x - q.left) / q.cell
}

// padded is a text cut and padded to the width.
func (l *look) padded(text string, width int) string {
	text = l.clip(l.line(text), width)
	return text + blank(width-l.width(text))
}

// squareHead names the columns.
func (p *matrixPane) squareHead(width int) []string {
	q, l := p.square(width), p.look
	spans := []span{{text: blank(q.left)}}
	for i := range p.compared.seats {
		spans = append(spans, span{l.seat, l.padded(" "+strconv.Itoa(i+1), q.cell)})
	}
	return []string{l.row(width, spans, nil)}
}

// participantRow is a participant with how it stands to each, or with what it is
// at while the answers are not in.
func (p *matrixPane) participantRow(i, width int, mark span) []string {
	q, l := p.square(width), p.look
	spans := []span{mark, {l.seat, fmt.Sprintf("%*d ", q.number, i+1)}, {l.text, l.padded(p.compared.name(i), q.name)}}
	word, st := p.status(i)
	if !p.compared.done || !p.compared.matrix.Seats[i].Answered {
		return []string{l.row(width, append(spans, span{st, "  " + word}), nil)}
	}
	_, column, selected := p.pair()
	selected = selected && string(p.compared.seats[i]) == p.chosen
	for j := range p.compared.seats {
		lead := when(selected && j == column, l.glyphs.pointer, " ")
		spans = append(spans, span{when(selected && j == column, l.accent, l.text), lead})
		spans = append(spans, p.pairCell(i, j, q.cell-1)...)
	}
	var right []span
	if used := q.left + len(p.compared.seats)*q.cell; width-used > l.width(word)+2 {
		right = []span{{st, word + " "}}
	}
	return []string{l.row(width, spans, right)}
}

// status is what came of a participant so far.
func (p *matrixPane) status(i int) (string, style) {
	l, seat := p.look, &p.compared.matrix.Seats[i]
	for _, c := range p.live {
		switch {
		case c.seat != seat.Seat:
		case c.done:
			return l.glyphs.verified + " has answered", l.agreed
		default:
			return strings.TrimSpace(c.sign(l, p.clock) + " " + string(c.stage) + "  " + c.progress(p.clock)), l.accent
		}
	}
	switch {
	case seat.Missing != "":
		return l.glyphs.notEvaluated + " missing: " + seat.Missing, l.warn
	case !seat.Answered && p.state.Over():
		return l.glyphs.notEvaluated + " no answer", l.warn
	case !seat.Answered:
		return l.glyphs.pending + " no answer yet", l.faint
	}
	said := fmt.Sprintf("%d held", seat.Claims)
	if seat.Alone > 0 && p.compared.done {
		said += fmt.Sprintf(", %d alone", seat.Alone)
	}
	return said, l.faint
}

// likenessSign is the sign and the style of how alike two whole answers are.
func likenessSign(l *look, a *resolver.Agreement) (string, style) {
	if a.Class == "" {
		return l.glyphs.alike, l.agreed
	}
	return conflictSign(l, state.ConflictKind(a.Class))
}

// percent is a share in whole percent, halves rounded up.
func percent(share float64) string { return fmt.Sprintf("%d%%", int(share*100+0.5)) }

// pairCell is how two participants stand to each other, in so many cells.
func (p *matrixPane) pairCell(i, j, width int) []span {
	l := p.look
	seats := p.compared.seats
	a := p.compared.matrix.Pair(seats[i], seats[j])
	if i == j || a == nil || !a.Compared {
		return []span{{l.faint, l.padded(when(i == j, l.glyphs.silent, l.glyphs.notEvaluated), width)}}
	}
	glyph, st := likenessSign(l, a)
	share, shared := "", l.text
	if a.Touched > 0 {
		share, shared = percent(a.Share), shareStyle(l, a.Share)
	}
	apart := when(a.Apart > 0, strconv.Itoa(a.Apart)+"K", "")
	switch width + 1 {
	case signPair:
		return []span{{st, l.padded(glyph, width)}}
	case leastPair:
		return []span{{shared, fmt.Sprintf("%4s ", share)}, {st, l.padded(glyph, width-5)}}
	case shortPair:
		return []span{{shared, fmt.Sprintf("%4s ", share)}, {l.text, fmt.Sprintf("%3s ", apart)}, {st, l.padded(glyph, width-9)}}
	}
	return []span{{shared, fmt.Sprintf("%4s ", share)}, {l.text, fmt.Sprintf("%3s  ", apart)}, {st, l.padded(glyph+" "+percent(a.Likeness), width-10)}}
}

// shareStyle goes with how much of what two panelists both speak of they say the
// same about.
func shareStyle(l *look, share float64) style {
	switch {
	case share >= 0.8:
		return l.agreed
	case share < 0.5:
		return l.dismissed
	}
	return l.unresolved
}

// pairRows says in words how the two that are selected stand to each other.
func (p *matrixPane) pairRows(width int) []string {
	l := p.look
	row, column, ok := p.pair()
	if !ok {
		row, column = 0, p.columnFor(0)
	}
	a := p.compared.matrix.Pair(p.compared.seats[row], p.compared.seats[column])
	if a == nil {
		return []string{blank(width)}
	}
	lead := []span{{l.seat, fmt.Sprintf(" %d %s %d  ", row+1, l.glyphs.bullet, column+1)}}
	return l.paragraph(width, lead, span{when(ok, l.text, l.faint), p.compared.pairWords(a, row, column)}, nil, 0)
}
