package pane

import (
	"fmt"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/state"
	"moot/tui/theme"
)

// Matrix shows how far the answers of a panel agree: the participants, and below
// them who holds which claim.
type Matrix struct {
	List
	state   state.State
	rulings []state.Ruling
	told    Telling
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
	live  []*Call
	clock Clock
}

// matrixItem is one row or paragraph of the matrix.
type matrixItem struct {
	// ID is a conflict or a point, or "" if the item cannot be selected.
	ID   string
	Rows func(width int, mark theme.Span) []string
	text func() string
}

func NewMatrix(l *theme.Look) *Matrix {
	p := &Matrix{List: List{Look: l, At: -1}, compared: &comparison{}}
	p.Draw = func(i, width int, mark theme.Span) []string { return p.items[i].Rows(width, mark) }
	p.Key = func(i int) string { return p.items[i].ID }
	p.Text = func(i int) string { return p.items[i].text() }
	return p
}

func (p *Matrix) SetState(s state.State, rulings []state.Ruling, told Telling) {
	p.state, p.rulings, p.told, p.stale = s, rulings, told, true
	p.Changed()
}

// SetLive takes over the calls under way and the time to show them at.
func (p *Matrix) SetLive(calls []*Call, clock Clock) {
	if len(calls)+len(p.live) > 0 {
		p.Changed()
	}
	p.live, p.clock = calls, clock
}

func (p *Matrix) Fresh() {
	if !p.stale || p.told.Conflicts() == nil {
		return
	}
	p.stale = false
	p.compared = Compare(&p.state, p.told.Conflicts().table, p.rulings)
	p.items = p.listed()
	p.SetCount(len(p.items))
	if p.turned {
		p.List.Choose(p.claimOf(p.topic))
		p.turned = false
	}
}

// claimOf is the first point of the claim that a point says, or "".
func (p *Matrix) claimOf(id string) string {
	if current := p.state.Current(id); current != nil {
		if at, known := p.compared.lead[current.ID]; known {
			return p.compared.Claims[at].ID
		}
	}
	return ""
}

func (p *Matrix) Title() string {
	if n := p.state.Panel.Conflicts.Len(); n > 0 {
		return fmt.Sprintf("%s, %s", MatrixID, plain.Counted(n, "conflict"))
	}
	return MatrixID.String()
}

func (p *Matrix) View(width, height int) []string {
	p.Fresh()
	return p.RowsOrEmpty(width, height, "No panel yet.")
}

// Choose turns to a point, unless it is the one it was turned to before: what the
// user has selected here since stays selected.
func (p *Matrix) Choose(id string) {
	if id == p.topic {
		return
	}
	// Nobody turned to the first point of a session.
	p.turned = p.topic != ""
	p.topic = id
	if p.turned && !p.stale {
		p.List.Choose(p.claimOf(id))
		p.turned = false
	}
}

func (p *Matrix) Move(a Motion, width, height int) {
	p.Fresh()
	p.List.Move(a, width, height)
}

func (p *Matrix) Click(x, y, width, height int) {
	p.Fresh()
	p.List.Click(x, y, width, height)
}

func (p *Matrix) Find(query string, forwards, from bool, width, height int) bool {
	p.Fresh()
	return p.List.Find(query, forwards, from, width, height)
}

func (p *Matrix) Copied() string {
	p.Fresh()
	return p.List.Copied()
}

// listed lists the participants, then the claims by group.
func (p *Matrix) listed() []matrixItem {
	c := p.compared
	if len(c.seats) == 0 {
		return nil
	}
	silent := func(rows func(width int) []string) matrixItem {
		return matrixItem{Rows: func(width int, _ theme.Span) []string { return rows(width) }, text: func() string { return "" }}
	}
	claim := func(at, indent int) matrixItem {
		one := &c.Claims[at]
		return matrixItem{
			ID: one.ID, text: func() string { return one.ID + " " + one.text },
			Rows: func(width int, mark theme.Span) []string { return p.claimRow(one, indent, width, mark) },
		}
	}
	items := []matrixItem{silent(p.participants)}
	groups := make([][]int, claimGroupCount)
	for i := range c.Claims {
		g := c.Group(&c.Claims[i])
		groups[g] = append(groups[g], i)
	}
	if len(c.Claims) > 0 {
		items = append(items, silent(p.legend))
	}
	for g, members := range groups {
		if len(members) == 0 {
			continue
		}
		items = append(items, silent(func(width int) []string { return p.groupHead(width, ClaimGroup(g), len(members)) }))
		if ClaimGroup(g) != GroupContested {
			for _, at := range members {
				items = append(items, claim(at, 0))
			}
			continue
		}
		// A claim that is in several conflicts is below each.
		for i := range c.disputes {
			d := &c.disputes[i]
			items = append(items, matrixItem{
				ID: d.ID, text: func() string { return d.ID + " " + string(d.Kind) + ": " + d.words() },
				Rows: func(width int, mark theme.Span) []string { return p.disputeRow(d, width, mark) },
			}, claim(d.sides[0], disputeIndent), claim(d.sides[1], disputeIndent))
		}
	}
	return items
}

// participants lists who sits in the panel, and what each has said so far.
func (p *Matrix) participants(width int) []string {
	l := p.Look
	longest := 0
	for i := range p.compared.seats {
		longest = max(longest, l.Width(l.Line(p.compared.name(i))))
	}
	var rows []string
	for i := range p.compared.seats {
		word, st := p.status(i)
		rows = append(rows, l.Row(width, []theme.Span{
			l.Seat.Span(fmt.Sprintf(" %2d ", i+1)), l.Text.Span(l.Padded(p.compared.name(i), min(longest, max(width/2, 0)))), st.Span("  " + word),
		}, nil))
	}
	return rows
}

// status is what came of a participant so far.
func (p *Matrix) status(i int) (string, theme.Style) {
	l, seat := p.Look, &p.compared.matrix.Seats[i]
	for _, c := range p.live {
		switch {
		case c.Seat != seat.Seat:
		case c.Done:
			return l.Glyphs.Verified + " has answered", l.Agreed
		default:
			return strings.TrimSpace(c.Sign(l, p.clock) + " " + string(c.Stage) + "  " + c.Progress(p.clock)), l.Accent
		}
	}
	switch {
	case seat.Missing != "":
		return l.Glyphs.NotEvaluated + " missing: " + seat.Missing, l.Warn
	case !seat.Answered && p.state.Over():
		return l.Glyphs.NotEvaluated + " no answer", l.Warn
	case !seat.Answered:
		return l.Glyphs.Pending + " no answer yet", l.Faint
	}
	said := fmt.Sprintf("%d held", seat.Claims)
	if seat.Alone > 0 && p.compared.done {
		said += fmt.Sprintf(", %d alone", seat.Alone)
	}
	return said, l.Faint
}

// disputeIndent sets the two claims of a conflict off below it.
const disputeIndent = 2

// claimColumns is how the row of a claim is laid out: the cells of its id and its
// text, of each participant (0 if counts take their place), and of the bucket.
type claimColumns struct{ ID, text, participant, bucket int }

// countsWidth is the room for the counts of who holds a claim and who is against it,
// leastClaim how much of a claim must be readable next to the participants.
const countsWidth, leastClaim = 8, 18

func (p *Matrix) columns(width int) claimColumns {
	n := len(p.compared.seats)
	t := claimColumns{participant: 2, bucket: 2}
	if n > 9 || width >= WideWidth {
		t.participant = 3
	}
	if width >= someColumns {
		t.bucket = 16
	}
	longest := leastClaim
	for i := range p.compared.Claims {
		t.ID = max(t.ID, len(p.compared.Claims[i].ID))
		longest = max(longest, disputeIndent+p.Look.Width(p.compared.Claims[i].text))
	}
	t.text = width - 1 - t.ID - 2 - n*t.participant - 1 - t.bucket
	if t.text < leastClaim {
		t.participant = 0
		t.text = max(width-1-t.ID-2-countsWidth-t.bucket, 0)
	}
	t.text = min(t.text, longest)
	return t
}

// groupHead heads a group of claims, with the numbers of the participants above
// their columns.
func (p *Matrix) groupHead(width int, g ClaimGroup, n int) []string {
	t, l := p.columns(width), p.Look
	line := l.Glyphs.Horizontal
	title := fmt.Sprintf("%s %d ", g, n)
	if g == GroupContested {
		title = fmt.Sprintf("%s %d in %s ", g, n, plain.Counted(len(p.compared.disputes), "conflict"))
	}
	rule := max(1+t.ID+2+t.text-3-l.Width(title), 0)
	spans := []theme.Span{l.Border.Span(line + line + " "), l.Bold.Span(title), l.Border.Span(strings.Repeat(line, rule))}
	if t.participant > 0 {
		spans = append(spans, theme.Span{Text: " "})
		for i := range p.compared.seats {
			spans = append(spans, l.Seat.Span(l.Padded(strconv.Itoa(i+1), t.participant)))
		}
	}
	return []string{l.Row(width, spans, nil)}
}

func (p *Matrix) idStyle(mark theme.Span) theme.Style {
	if mark.Text == " " {
		return p.Look.Bold
	}
	return p.Look.Accent
}

// claimRow is a claim with each participant's stand on it, and its bucket.
func (p *Matrix) claimRow(claim *asserted, indent, width int, mark theme.Span) []string {
	t, l := p.columns(width), p.Look
	indent = min(indent, max(t.text-1, 0))
	spans := []theme.Span{
		mark,
		{Text: theme.Blank(indent)},
		p.idStyle(mark).Span(l.Padded(claim.ID, t.ID) + "  "),
		l.Text.Span(l.Padded(claim.text, t.text-indent)),
		{Text: " "},
	}
	held, against := 0, 0
	for _, s := range claim.stands {
		if t.participant > 0 {
			glyph, st, _ := StandSign(l, s)
			spans = append(spans, st.Span(l.Padded(glyph, t.participant)))
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
			counted = strconv.Itoa(against) + l.Glyphs.Dismissed
		}
		spans = append(spans,
			l.Agreed.Span(fmt.Sprintf("%d%s ", held, l.Glyphs.DotFull)), l.Dismissed.Span(l.Padded(counted, countsWidth-5)))
	}
	if claim.bucket != "" {
		glyph, st, name := l.Bucket(claim.bucket)
		if t.bucket > 2 {
			glyph += " " + name
		}
		spans = append(spans, st.Span(l.Padded(glyph, t.bucket)))
	}
	return []string{l.Row(width, spans, nil)}
}

// disputeRow is a conflict, and how it was settled.
func (p *Matrix) disputeRow(d *dispute, width int, mark theme.Span) []string {
	l := p.Look
	glyph, st := l.Glyphs.NotEqual, l.Unresolved
	if d.Kind == state.Contradiction {
		glyph, st = l.Glyphs.Dismissed, l.Dismissed
	}
	return []string{l.Row(width, []theme.Span{
		mark, p.idStyle(mark).Span(d.ID + "  "), st.Span(fmt.Sprintf("%s %-15s", glyph, d.Kind)), l.Faint.Span(d.words()),
	}, nil)}
}

// StandSign is the sign, the style and the words of a panelist's stand on a claim.
func StandSign(l *theme.Look, s Stand) (glyph string, st theme.Style, words string) {
	switch s {
	case standHolds:
		return l.Glyphs.DotFull, l.Agreed, "says it"
	case standVoted:
		return l.Glyphs.Voted, l.Agreed, "takes its side"
	case standAgainst:
		return l.Glyphs.Dismissed, l.Dismissed, "against it"
	case standGaveUp:
		return l.Glyphs.Pending, l.Unresolved, "gave it up"
	case StandMissing:
		return l.Glyphs.NotEvaluated, l.Warn, "missing"
	case StandSilent:
	}
	return l.Glyphs.Silent, l.Faint, "silent"
}

// legend explains the signs that are used.
func (p *Matrix) legend(width int) []string {
	l := p.Look
	there := map[Stand]bool{}
	for i := range p.compared.Claims {
		for _, s := range p.compared.Claims[i].stands {
			there[s] = true
		}
	}
	rows := []string{theme.Blank(width)}
	spans := []theme.Span{{Text: " "}}
	used := 1
	for s := StandSilent; s <= StandMissing; s++ {
		if !there[s] {
			continue
		}
		glyph, st, words := StandSign(l, s)
		more := l.Width(glyph) + 1 + len(words) + 3
		if used+more > width && used > 1 {
			rows = append(rows, l.Row(width, spans, nil))
			spans, used = []theme.Span{{Text: " "}}, 1
		}
		spans = append(spans, st.Span(glyph+" "), l.Faint.Span(words+"   "))
		used += more
	}
	return append(rows, l.Row(width, spans, nil))
}
