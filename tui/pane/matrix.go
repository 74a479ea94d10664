package pane

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/protocol/panel"
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
	compared *Comparison
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

// NewMatrix returns an empty pane.
func NewMatrix(l *theme.Look) *Matrix {
	p := &Matrix{List: List{Look: l, At: -1}, compared: &Comparison{}}
	p.Draw = func(i, width int, mark theme.Span) []string { return p.items[i].Rows(width, mark) }
	p.Key = func(i int) string { return p.items[i].ID }
	p.Text = func(i int) string { return p.items[i].text() }
	return p
}

// SetState shows a state.
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

// Fresh updates the items.
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

// Title implements Pane.
func (p *Matrix) Title() string {
	if n := p.state.Panel.Conflicts.Len(); n > 0 {
		return fmt.Sprintf("%s, %s", MatrixID, plain.Counted(n, "conflict"))
	}
	return MatrixID.String()
}

// View implements Pane.
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

// Move implements Pane.
func (p *Matrix) Move(a Motion, width, height int) {
	p.Fresh()
	p.List.Move(a, width, height)
}

// Click implements Pane.
func (p *Matrix) Click(x, y, width, height int) {
	p.Fresh()
	p.List.Click(x, y, width, height)
}

// Find implements Pane.
func (p *Matrix) Find(query string, forwards, from bool, width, height int) bool {
	p.Fresh()
	return p.List.Find(query, forwards, from, width, height)
}

// Copied implements Pane.
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

// Stand is how a panelist stands to a claim.
type Stand int

const (
	// StandSilent says nothing of it.
	StandSilent Stand = iota
	// standHolds says it in its own answer, standVoted when it was asked.
	standHolds
	standVoted
	// standAgainst holds the other side of a conflict, or rejected the claim.
	standAgainst
	// standGaveUp said it, and conceded it since.
	standGaveUp
	// StandMissing gave no answer.
	StandMissing
)

// stoodFor reports whether the panelist says the claim, or took its side.
func (s Stand) stoodFor() bool { return s == standHolds || s == standVoted }

// Comparison is how the answers of a panel lie beside each other.
type Comparison struct {
	state  *state.State
	table  *panel.Table
	matrix panel.Matrix
	seats  []state.Seat
	// done says that it was found which claims are about the same; before that no
	// claim is said to be anybody's alone.
	done bool
	// Claims are all there are; lead is the place of the claim that a point says.
	Claims []asserted
	lead   map[string]int
	// disputes are the conflicts that stand.
	disputes []dispute
}

// asserted is a claim with how each panelist stands to it.
type asserted struct {
	*panel.Claim
	ID string
	// text is escaped.
	text   string
	bucket state.Bucket
	stands []Stand
	// aside says that it does not answer the question.
	aside bool
}

// dispute is a conflict with the places of its two claims. Taken is the side that
// each panelist takes: 0, 1, or -1 for neither.
type dispute struct {
	*state.Conflict
	sides  [2]int
	taken  []int
	ending panel.Ending
}

// Compare lays the answers of a session beside each other. The table is made from
// the same state.
func Compare(s *state.State, table *panel.Table, rulings []state.Ruling) *Comparison {
	c := &Comparison{state: s, table: table, seats: s.Panelists(), lead: map[string]int{}, done: wasCompared(s)}
	c.matrix = c.table.Matrix()
	buckets := make(map[string]state.Bucket, len(rulings))
	for i := range rulings {
		buckets[rulings[i].Point] = rulings[i].Bucket
	}
	for _, claim := range c.table.Claims() {
		id := claim.Points[0]
		for _, point := range claim.Points {
			c.lead[point] = len(c.Claims)
		}
		c.Claims = append(c.Claims, asserted{
			Claim: claim, ID: id, text: plain.Line(s.Point(id).Text), bucket: buckets[id], stands: c.own(claim),
			aside: !slices.ContainsFunc(claim.Points, func(id string) bool { return answers(s.Point(id)) }),
		})
	}
	for _, k := range c.table.Conflicts() {
		c.dispute(k)
	}
	return c
}

// wasCompared reports whether it was found which points are about the same: the
// points of the first round have their places then.
func wasCompared(s *state.State) bool {
	if s.Round > 1 || s.Over() {
		return true
	}
	for _, p := range s.Points.All() {
		if p.MergedInto == "" && p.Scope == state.Untriaged {
			return false
		}
	}
	return s.Points.Len() > 0
}

// answers reports whether a point was not put aside.
func answers(p *state.Point) bool { return p.Scope == state.InScope || p.Scope == state.Untriaged }

// own is how each panelist stands to a claim by what it said of it.
func (c *Comparison) own(claim *panel.Claim) []Stand {
	stands := make([]Stand, len(c.seats))
	for i, seat := range c.seats {
		switch {
		case slices.Contains(claim.Holders, seat):
			stands[i] = standHolds
		case slices.ContainsFunc(claim.Points, func(id string) bool { return c.state.Point(id).IsAuthor(seat) }):
			stands[i] = standGaveUp
		case !c.matrix.Seats[i].Answered && c.state.Panel.Misses(seat):
			stands[i] = StandMissing
		default:
			stands[i] = c.voted(claim, seat)
		}
	}
	return stands
}

// voted is what a seat last said of a claim of others when it was asked.
func (c *Comparison) voted(claim *panel.Claim, seat state.Seat) Stand {
	var last *state.Classification
	for _, id := range claim.Points {
		if latest := c.state.Point(id).Latest(seat); latest != nil && (last == nil || latest.Seq > last.Seq) {
			last = latest
		}
	}
	switch {
	case last == nil:
		return StandSilent
	case last.Class == state.Agree:
		return standVoted
	}
	return standAgainst
}

// dispute adds a conflict. Who takes one side of it is against the other.
func (c *Comparison) dispute(k *state.Conflict) {
	a, b := c.table.Sides(k)
	if a == nil || b == nil {
		return
	}
	d := dispute{Conflict: k, sides: [2]int{c.lead[a.Points[0]], c.lead[b.Points[0]]}, taken: make([]int, len(c.seats)), ending: c.table.Ending(k)}
	for i := range d.taken {
		d.taken[i] = -1
	}
	for _, position := range c.table.Positions(k) {
		i := slices.Index(c.seats, position.Seat)
		if i < 0 {
			continue
		}
		side := when(c.lead[position.Point] == d.sides[0], 0, 1)
		d.taken[i] = side
		if other := &c.Claims[d.sides[1-side]].stands[i]; *other == StandSilent {
			*other = standAgainst
		}
	}
	c.disputes = append(c.disputes, d)
}

// words say how a conflict came out; what is left to the user says no more than
// that.
func (d *dispute) words() string {
	e := d.ending
	if e.By == panel.EndedByNothing {
		e.Why = ""
	}
	return e.Words("you")
}

// ClaimGroup is where a claim stands among the others.
type ClaimGroup int

// The groups of claims, by who holds them.
const (
	GroupEveryone ClaimGroup = iota
	GroupSeveral
	GroupContested
	GroupAlone
	// groupUncompared is for all while it was not found which are about the same.
	groupUncompared
	// GroupNobody is for claims that nobody holds any more, or that are beside the
	// question.
	GroupNobody
	claimGroupCount
)

// String is the head of the group.
func (g ClaimGroup) String() string {
	return []string{"Everyone shares", "Several share", "Contested", "One alone", "Not compared yet", "Given up or beside the question", ""}[g]
}

// name is what a participant is called, by its place.
func (c *Comparison) name(i int) string {
	a, seated := c.state.Assignment(c.seats[i])
	if !seated || a.Participant == "" {
		return string(c.seats[i])
	}
	if name, fallback := a.Answers(); fallback {
		return name + " (fallback)"
	}
	if own, _ := state.OwnName(a.Participant); own != "" {
		return own
	}
	// Of a script the name of its file tells more than where that lies.
	if file, script := strings.CutPrefix(a.Participant, "script:"); script {
		return "script:" + file[strings.LastIndexAny(file, `/\`)+1:]
	}
	return a.Participant
}

// Group is the group of a claim.
func (c *Comparison) Group(claim *asserted) ClaimGroup {
	answered := 0
	for i := range c.matrix.Seats {
		answered += when(c.matrix.Seats[i].Answered, 1, 0)
	}
	switch {
	case claim.aside:
		return GroupNobody
	case !c.done:
		return groupUncompared
	case len(claim.Conflicts) > 0:
		return GroupContested
	case len(claim.Holders) == 0:
		return GroupNobody
	case len(claim.Holders) == 1:
		return GroupAlone
	case len(claim.Holders) >= answered:
		return GroupEveryone
	}
	return GroupSeveral
}
