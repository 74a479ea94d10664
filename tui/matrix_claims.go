package tui

import (
	"fmt"
	"strconv"
	"strings"

	"moot/plain"
	"moot/state"
)

// listed lists the participants, how each stands to each, and below the claims by
// their groups.
func (p *matrixPane) listed() []matrixItem {
	c := p.compared
	if len(c.seats) == 0 {
		return nil
	}
	items := p.listedSquare()
	groups := make([][]int, claimGroupCount)
	for i := range c.claims {
		g := c.group(&c.claims[i])
		groups[g] = append(groups[g], i)
	}
	if len(c.claims) > 0 {
		items = append(items, p.silent(p.legend))
	}
	for g := range claimGroupCount {
		if len(groups[g]) == 0 {
			continue
		}
		head := p.silent(func(width int) []string { return p.groupHead(width, g, len(groups[g])) })
		head.kept = true
		items = append(items, head)
		if g == groupContested {
			items = append(items, p.listedDisputes()...)
			continue
		}
		for _, at := range groups[g] {
			items = append(items, p.claimItem(at, 0))
		}
	}
	return items
}

// silent is an item that cannot be selected.
func (p *matrixPane) silent(rows func(width int) []string) matrixItem {
	return matrixItem{rows: func(width int, _ span) []string { return rows(width) }, text: func() string { return "" }}
}

// listedSquare are the participants with each other.
func (p *matrixPane) listedSquare() []matrixItem {
	c := p.compared
	var items []matrixItem
	if c.done {
		items = append(items, p.silent(p.squareHead))
	}
	for i, seat := range c.seats {
		items = append(items, matrixItem{
			id:   string(seat),
			rows: func(width int, mark span) []string { return p.participantRow(i, width, mark) },
			text: func() string {
				word, _ := p.status(i)
				return fmt.Sprintf("%d %s: %s", i+1, plain.Line(p.compared.name(i)), word)
			},
		})
	}
	if c.done && len(c.seats) > 1 {
		items = append(items, p.silent(p.pairRows))
	}
	return items
}

// listedDisputes are the conflicts, each with its two claims below. A claim that
// is in several stands below each.
func (p *matrixPane) listedDisputes() []matrixItem {
	c := p.compared
	var items []matrixItem
	for i := range c.disputes {
		d := &c.disputes[i]
		items = append(items, matrixItem{
			id: d.ID, kept: true,
			rows: func(width int, mark span) []string { return p.disputeRow(d, width, mark) },
			text: func() string {
				return fmt.Sprintf("%s %s of %s and %s: %s", d.ID, d.Kind, c.claims[d.sides[0]].id, c.claims[d.sides[1]].id, d.words())
			},
		}, p.claimItem(d.sides[0], disputeIndent), p.claimItem(d.sides[1], disputeIndent))
	}
	return items
}

func (p *matrixPane) claimItem(at, indent int) matrixItem {
	claim := &p.compared.claims[at]
	return matrixItem{
		id: claim.id, kept: true,
		rows: func(width int, mark span) []string { return p.claimRow(claim, indent, width, mark) },
		text: func() string { return claim.id + " " + claim.text },
	}
}

// disputeIndent sets the two claims of a conflict off below it.
const disputeIndent = 2

// claimTable is how the rows of claims are laid out.
type claimTable struct {
	// id and text are the cells of those, column that of a participant, 0 where
	// counts take their place, and ends that of where a claim ended.
	id, text, column, ends int
	// width and look are those that it is for.
	width int
	look  *look
}

// countsWidth is the room of the counts of who holds a claim and who is against it.
const countsWidth = 8

// leastClaim is how much of a claim is read at least beside the participants.
const leastClaim = 18

// claimTable lays the rows of claims out, once for a width.
func (p *matrixPane) claimTable(width int) claimTable {
	if p.table.width != width || p.table.look != p.look {
		p.table = p.layTable(width)
	}
	return p.table
}

func (p *matrixPane) layTable(width int) claimTable {
	n := len(p.compared.seats)
	t := claimTable{width: width, look: p.look, column: when(n > 9, 3, 2), ends: when(width >= someColumns, 16, 2)}
	if width >= wideWidth {
		t.column = 3
	}
	longest := leastClaim
	for i := range p.compared.claims {
		t.id = max(t.id, len(p.compared.claims[i].id))
		longest = max(longest, disputeIndent+p.look.width(p.compared.claims[i].text))
	}
	room := func() int { return width - 1 - t.id - 2 - n*t.column - 1 - t.ends }
	if room() < leastClaim && t.column == 3 && n <= 9 {
		t.column = 2
	}
	t.text = room()
	if t.text < leastClaim {
		t.column = 0
		t.text = max(width-1-t.id-2-countsWidth-t.ends, 0)
	}
	t.text = min(t.text, longest)
	return t
}

// groupHead heads a group of claims, with the numbers of the participants over
// their columns.
func (p *matrixPane) groupHead(width int, g claimGroup, n int) []string {
	t, l := p.claimTable(width), p.look
	line := l.glyphs.horizontal
	title := fmt.Sprintf("%s %d ", g, n)
	if g == groupContested {
		title = fmt.Sprintf("%s %d in %s ", g, n, plain.Counted(len(p.compared.disputes), "conflict"))
	}
	rule := max(1+t.id+2+t.text-3-l.width(title), 0)
	spans := []span{{l.border, line + line + " "}, {l.bold, title}, {l.border, strings.Repeat(line, rule)}}
	if t.column > 0 {
		spans = append(spans, span{text: " "})
		for i := range p.compared.seats {
			spans = append(spans, span{l.seat, l.padded(strconv.Itoa(i+1), t.column)})
		}
	}
	return []string{l.row(width, spans, nil)}
}

// claimRow is a claim with how each participant stands to it, and where it ended.
func (p *matrixPane) claimRow(claim *asserted, indent, width int, mark span) []string {
	t, l := p.claimTable(width), p.look
	indent = min(indent, max(t.text-1, 0))
	spans := []span{
		mark,
		{text: blank(indent)},
		{when(mark.text == " ", l.bold, l.accent), l.padded(claim.id, t.id) + "  "},
		{l.text, l.padded(claim.text, t.text-indent)},
		{text: " "},
	}
	if t.column > 0 {
		for _, s := range claim.stands {
			glyph, st, _ := standSign(l, s)
			spans = append(spans, span{st, l.padded(glyph, t.column)})
		}
	} else {
		spans = append(spans, p.counts(claim)...)
	}
	glyph, st, name := l.bucket(claim.bucket)
	if claim.bucket != "" {
		spans = append(spans, span{st, l.padded(when(t.ends > 2, glyph+" "+name, glyph), t.ends)})
	}
	return []string{l.row(width, spans, nil)}
}

// counts are how many hold a claim and how many are against it.
func (p *matrixPane) counts(claim *asserted) []span {
	l, held, against := p.look, 0, 0
	for _, s := range claim.stands {
		held += when(s == standHolds || s == standVoted, 1, 0)
		against += when(s == standAgainst, 1, 0)
	}
	said := when(against > 0, fmt.Sprintf("%d%s", against, l.glyphs.dismissed), "")
	return []span{{l.agreed, fmt.Sprintf("%d%s ", held, l.glyphs.dotFull)}, {l.dismissed, l.padded(said, countsWidth-5)}}
}

// disputeRow is a conflict: what it is, and how it came out.
func (p *matrixPane) disputeRow(d *dispute, width int, mark span) []string {
	l := p.look
	glyph, st := conflictSign(l, d.Kind)
	return []string{l.row(width, []span{
		mark, {when(mark.text == " ", l.bold, l.accent), d.ID + "  "}, {st, fmt.Sprintf("%s %-15s", glyph, d.Kind)}, {l.faint, d.words()},
	}, nil)}
}

// conflictSign is the sign and the style of a kind of conflict.
func conflictSign(l *look, kind state.ConflictKind) (string, style) {
	if kind == state.Contradiction {
		return l.glyphs.dismissed, l.dismissed
	}
	return l.glyphs.apart, l.unresolved
}

// standSign is the sign, the style and the words of how a panelist stands to a
// claim.
func standSign(l *look, s stand) (glyph string, st style, words string) {
	switch s {
	case standHolds:
		return l.glyphs.dotFull, l.agreed, "says it"
	case standVoted:
		return l.glyphs.voted, l.agreed, "takes its side"
	case standAgainst:
		return l.glyphs.dismissed, l.dismissed, "against it"
	case standGaveUp:
		return l.glyphs.pending, l.unresolved, "gave it up"
	case standMissing:
		return l.glyphs.notEvaluated, l.warn, "missing"
	case standSilent:
	}
	return l.glyphs.silent, l.faint, "silent"
}

// legend says what the signs of the claims mean, those that are there.
func (p *matrixPane) legend(width int) []string {
	l := p.look
	there := map[stand]bool{}
	for i := range p.compared.claims {
		for _, s := range p.compared.claims[i].stands {
			there[s] = true
		}
	}
	rows := []string{blank(width)}
	spans := []span{{text: " "}}
	used := 1
	for s := standSilent; s <= standMissing; s++ {
		if !there[s] {
			continue
		}
		glyph, st, words := standSign(l, s)
		more := l.width(glyph) + 1 + len(words) + 3
		if used+more > width && used > 1 {
			rows = append(rows, l.row(width, spans, nil))
			spans, used = []span{{text: " "}}, 1
		}
		spans = append(spans, span{st, glyph + " "}, span{l.faint, words + "   "})
		used += more
	}
	return append(rows, l.row(width, spans, nil))
}
