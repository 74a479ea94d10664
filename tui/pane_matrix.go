package tui

import (
	"fmt"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/state"
)

// matrixPane shows how far the answers of a panel agree: the participants, and below
// them who holds which claim.
type matrixPane struct {
	list
	state   state.State
	rulings []state.Ruling
	told    telling
	// stale means that the state is newer than the items: they are made when the pane
	// is drawn.
	stale    bool
	compared *comparison
	items    []matrixItem
	// topic is the point that all views were last turned to. It is selected once the
	// answers are compared if turned is set.
	topic  string
	turned bool
	// live are the calls under way.
	live  []*call
	clock clockReading
}

// matrixItem is one row or paragraph of the matrix.
type matrixItem struct {
	// id is a conflict or a point, or "" if the item cannot be selected.
	id   string
	rows func(width int, mark span) []string
	text func() string
}

func newMatrixPane(l *look) *matrixPane {
	p := &matrixPane{list: list{look: l, at: -1}, compared: &comparison{}}
	p.draw = func(i, width int, mark span) []string { return p.items[i].rows(width, mark) }
	p.key = func(i int) string { return p.items[i].id }
	p.text = func(i int) string { return p.items[i].text() }
	return p
}

func (p *matrixPane) setState(s state.State, rulings []state.Ruling, told telling) {
	p.state, p.rulings, p.told, p.stale = s, rulings, told, true
	p.changed()
}

// setLive takes over the calls under way and the time to show them at.
func (p *matrixPane) setLive(calls []*call, clock clockReading) {
	if len(calls)+len(p.live) > 0 {
		p.changed()
	}
	p.live, p.clock = calls, clock
}

func (p *matrixPane) fresh() {
	if !p.stale || p.told.conflicts() == nil {
		return
	}
	p.stale = false
	p.compared = compare(&p.state, p.told.conflicts().table, p.rulings)
	p.items = p.listed()
	p.setCount(len(p.items))
	if p.turned {
		p.list.choose(p.claimOf(p.topic))
		p.turned = false
	}
}

// claimOf is the first point of the claim that a point says, or "".
func (p *matrixPane) claimOf(id string) string {
	if current := p.state.Current(id); current != nil {
		if at, known := p.compared.lead[current.ID]; known {
			return p.compared.claims[at].id
		}
	}
	return ""
}

func (p *matrixPane) title() string {
	if n := p.state.Panel.Conflicts.Len(); n > 0 {
		return fmt.Sprintf("%s, %s", PaneMatrix, plain.Counted(n, "conflict"))
	}
	return PaneMatrix.String()
}

// View draws the pane.
func (p *matrixPane) View(width, height int) string { return strings.Join(p.view(width, height), "\n") }

func (p *matrixPane) view(width, height int) []string {
	p.fresh()
	return p.rowsOrEmpty(width, height, "No panel yet.")
}

// choose turns to a point, unless it is the one it was turned to before: what the
// user has selected here since stays selected.
func (p *matrixPane) choose(id string) {
	if id == p.topic {
		return
	}
	// Nobody turned to the first point of a session.
	p.turned = p.topic != ""
	p.topic = id
	if p.turned && !p.stale {
		p.list.choose(p.claimOf(id))
		p.turned = false
	}
}

func (p *matrixPane) move(a Action, width, height int) {
	p.fresh()
	p.list.move(a, width, height)
}

func (p *matrixPane) click(x, y, width, height int) {
	p.fresh()
	p.list.click(x, y, width, height)
}

func (p *matrixPane) find(query string, forwards, from bool, width, height int) bool {
	p.fresh()
	return p.list.find(query, forwards, from, width, height)
}

func (p *matrixPane) copied() string {
	p.fresh()
	return p.list.copied()
}

// listed lists the participants, then the claims by group.
func (p *matrixPane) listed() []matrixItem {
	c := p.compared
	if len(c.seats) == 0 {
		return nil
	}
	silent := func(rows func(width int) []string) matrixItem {
		return matrixItem{rows: func(width int, _ span) []string { return rows(width) }, text: func() string { return "" }}
	}
	claim := func(at, indent int) matrixItem {
		one := &c.claims[at]
		return matrixItem{
			id: one.id, text: func() string { return one.id + " " + one.text },
			rows: func(width int, mark span) []string { return p.claimRow(one, indent, width, mark) },
		}
	}
	items := []matrixItem{silent(p.participants)}
	groups := make([][]int, claimGroupCount)
	for i := range c.claims {
		g := c.group(&c.claims[i])
		groups[g] = append(groups[g], i)
	}
	if len(c.claims) > 0 {
		items = append(items, silent(p.legend))
	}
	for g, members := range groups {
		if len(members) == 0 {
			continue
		}
		items = append(items, silent(func(width int) []string { return p.groupHead(width, claimGroup(g), len(members)) }))
		if claimGroup(g) != groupContested {
			for _, at := range members {
				items = append(items, claim(at, 0))
			}
			continue
		}
		// A claim that is in several conflicts is below each.
		for i := range c.disputes {
			d := &c.disputes[i]
			items = append(items, matrixItem{
				id: d.ID, text: func() string { return d.ID + " " + string(d.Kind) + ": " + d.words() },
				rows: func(width int, mark span) []string { return p.disputeRow(d, width, mark) },
			}, claim(d.sides[0], disputeIndent), claim(d.sides[1], disputeIndent))
		}
	}
	return items
}

// participants lists who sits in the panel, and what each has said so far.
func (p *matrixPane) participants(width int) []string {
	l := p.look
	longest := 0
	for i := range p.compared.seats {
		longest = max(longest, l.width(l.line(p.compared.name(i))))
	}
	var rows []string
	for i := range p.compared.seats {
		word, st := p.status(i)
		rows = append(rows, l.row(width, []span{
			{l.seat, fmt.Sprintf(" %2d ", i+1)}, {l.text, l.padded(p.compared.name(i), min(longest, max(width/2, 0)))}, {st, "  " + word},
		}, nil))
	}
	return rows
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

// disputeIndent sets the two claims of a conflict off below it.
const disputeIndent = 2

// claimColumns is how the row of a claim is laid out: the cells of its id and its
// text, of each participant (0 if counts take their place), and of the bucket.
type claimColumns struct{ id, text, participant, bucket int }

// countsWidth is the room for the counts of who holds a claim and who is against it,
// leastClaim how much of a claim must be readable next to the participants.
const countsWidth, leastClaim = 8, 18

func (p *matrixPane) columns(width int) claimColumns {
	n := len(p.compared.seats)
	t := claimColumns{participant: 2, bucket: 2}
	if n > 9 || width >= wideWidth {
		t.participant = 3
	}
	if width >= someColumns {
		t.bucket = 16
	}
	longest := leastClaim
	for i := range p.compared.claims {
		t.id = max(t.id, len(p.compared.claims[i].id))
		longest = max(longest, disputeIndent+p.look.width(p.compared.claims[i].text))
	}
	t.text = width - 1 - t.id - 2 - n*t.participant - 1 - t.bucket
	if t.text < leastClaim {
		t.participant = 0
		t.text = max(width-1-t.id-2-countsWidth-t.bucket, 0)
	}
	t.text = min(t.text, longest)
	return t
}

// groupHead heads a group of claims, with the numbers of the participants above
// their columns.
func (p *matrixPane) groupHead(width int, g claimGroup, n int) []string {
	t, l := p.columns(width), p.look
	line := l.glyphs.horizontal
	title := fmt.Sprintf("%s %d ", g, n)
	if g == groupContested {
		title = fmt.Sprintf("%s %d in %s ", g, n, plain.Counted(len(p.compared.disputes), "conflict"))
	}
	rule := max(1+t.id+2+t.text-3-l.width(title), 0)
	spans := []span{{l.border, line + line + " "}, {l.bold, title}, {l.border, strings.Repeat(line, rule)}}
	if t.participant > 0 {
		spans = append(spans, span{text: " "})
		for i := range p.compared.seats {
			spans = append(spans, span{l.seat, l.padded(strconv.Itoa(i+1), t.participant)})
		}
	}
	return []string{l.row(width, spans, nil)}
}

func (p *matrixPane) idStyle(mark span) style {
	if mark.text == " " {
		return p.look.bold
	}
	return p.look.accent
}

// claimRow is a claim with each participant's stand on it, and its bucket.
func (p *matrixPane) claimRow(claim *asserted, indent, width int, mark span) []string {
	t, l := p.columns(width), p.look
	indent = min(indent, max(t.text-1, 0))
	spans := []span{
		mark,
		{text: blank(indent)},
		{p.idStyle(mark), l.padded(claim.id, t.id) + "  "},
		{l.text, l.padded(claim.text, t.text-indent)},
		{text: " "},
	}
	held, against := 0, 0
	for _, s := range claim.stands {
		if t.participant > 0 {
			glyph, st, _ := standSign(l, s)
			spans = append(spans, span{st, l.padded(glyph, t.participant)})
		}
		if s.stoodFor() {
			held++
		} else if s == standAgainst {
			against++
		}
	}
	if t.participant == 0 {
		counted := ""
		if against > 0 {
			counted = strconv.Itoa(against) + l.glyphs.dismissed
		}
		spans = append(spans,
			span{l.agreed, fmt.Sprintf("%d%s ", held, l.glyphs.dotFull)}, span{l.dismissed, l.padded(counted, countsWidth-5)})
	}
	if claim.bucket != "" {
		glyph, st, name := l.bucket(claim.bucket)
		if t.bucket > 2 {
			glyph += " " + name
		}
		spans = append(spans, span{st, l.padded(glyph, t.bucket)})
	}
	return []string{l.row(width, spans, nil)}
}

// disputeRow is a conflict, and how it was settled.
func (p *matrixPane) disputeRow(d *dispute, width int, mark span) []string {
	l := p.look
	glyph, st := l.glyphs.apart, l.unresolved
	if d.Kind == state.Contradiction {
		glyph, st = l.glyphs.dismissed, l.dismissed
	}
	return []string{l.row(width, []span{
		mark, {p.idStyle(mark), d.ID + "  "}, {st, fmt.Sprintf("%s %-15s", glyph, d.Kind)}, {l.faint, d.words()},
	}, nil)}
}

// standSign is the sign, the style and the words of a panelist's stand on a claim.
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

// legend explains the signs that are used.
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
