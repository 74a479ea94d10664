package pane

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"moot/internal/plain"
	"moot/ledger"
	"moot/state"
	"moot/tui/theme"
)

// QuickFacts is the number of facts up to which they are put into order and
// searched while the screen is drawn; those of larger packets are outside, and what
// was listed stays until that is done.
const QuickFacts = 5000

// factsPart lists the facts of the packet with who cites them, the selected one in
// full beside the list or below.
type factsPart struct {
	List
	state  state.State
	Packet *ledger.Packet
	// stale says that the state is newer than the uses.
	stale bool
	uses  map[int][]factUse
	order factOrder
	who   whose
	byUse bool
	// ordered is the packet whose order by time is known, or nil.
	ordered *ledger.Packet
	// Query is what is searched in small letters, sought what the list holds of it.
	Query, Sought string
	pending       bool
	table         factTable
	full          fullFact
}

func newFactsPart(l *theme.Look) *factsPart {
	p := &factsPart{List: List{Look: l, At: -1, single: true}, byUse: true}
	p.Draw = func(i, width int, mark theme.Span) []string { return []string{p.factRow(i, width, mark)} }
	p.Key = func(i int) string { return p.Fact(i).ID }
	p.Text = func(i int) string { return factText(p.Fact(i)) }
	return p
}

// Fact is the one that is listed at i.
func (p *factsPart) Fact(i int) ledger.PacketFact { return p.Packet.At(p.order.Place(i)) }

// SetState takes over what stands now. Who cites what is read when it is looked at.
func (p *factsPart) SetState(s state.State) {
	p.state, p.stale = s, true
	was := p.Packet
	if p.Packet = s.Hearing.Packet; p.Packet == was {
		return
	}
	p.table = factTable{}
	if was != nil && p.Packet != nil && was.Digest() == p.Packet.Digest() {
		// A replay reads the same packet anew: its order is the same.
		p.ordered = when(p.ordered == was, p.Packet, nil)
		return
	}
	p.order, p.ordered, p.Sought, p.uses = factOrder{}, nil, "", nil
	if p.Packet == nil {
		p.N = 0
		p.Changed()
		return
	}
	p.order.n = p.Packet.Len()
}

// large reports whether the packet takes too long to put into order while drawing.
func (p *factsPart) large() bool { return p.Packet != nil && p.Packet.Len() > QuickFacts }

// Fresh reads who cites what, unless that was done.
func (p *factsPart) Fresh() {
	if !p.stale || p.Packet == nil {
		return
	}
	p.stale = false
	p.uses = factUses(&p.state)
	if !p.large() {
		p.Take(p.job()())
		return
	}
	p.arrange()
}

// arrange lists the facts anew; the selected one stays where it is still listed.
func (p *factsPart) arrange() {
	place := p.Packet.Place(p.Chosen)
	p.order.arrange(p.uses, p.who, p.byUse)
	p.N = p.order.Count()
	at := p.order.Find(place)
	if at < 0 {
		at = min(max(p.At, 0), p.N-1)
	}
	p.At, p.Moved = at, true
	if at >= 0 {
		p.Chosen = p.Key(at)
	}
	p.Changed()
}

// foundFacts is what was found outside: the order by time of a packet, and what of
// it holds a query.
type foundFacts struct {
	packet         *ledger.Packet
	byTime, inTime []int32
	query          string
	hits           []int32
}

// due reports whether a large packet is to be put into order or searched.
func (p *factsPart) due() bool {
	return p.large() && (p.ordered != p.Packet || p.Sought != p.Query)
}

// job returns what puts the facts into order and searches them, a function that
// touches nothing of the part.
func (p *factsPart) job() func() *foundFacts {
	f := &foundFacts{packet: p.Packet, byTime: p.order.byTime, inTime: p.order.inTime, query: p.Query}
	ordered, uses := p.ordered == p.Packet, p.uses
	return func() *foundFacts {
		if !ordered {
			f.byTime, f.inTime = timeOrder(f.packet)
		}
		if f.query != "" {
			f.hits = f.search(uses)
		}
		return f
	}
}

// search finds what holds the query, in the order of time.
func (f *foundFacts) search(uses map[int][]factUse) []int32 {
	hits := []int32{}
	for at := range f.packet.Len() {
		place := at
		if f.byTime != nil {
			place = int(f.byTime[at])
		}
		fact := f.packet.At(place)
		if factHolds(&fact, f.query) || holds(usesWords(uses[place]), f.query) {
			hits = append(hits, int32(at))
		}
	}
	return hits
}

// factHolds reports whether a fact holds a query in small letters.
func factHolds(f *ledger.PacketFact, query string) bool {
	for _, text := range []string{f.ID, f.Entity, f.Field, string(f.Value), string(f.SourceType), f.SourceID, f.Raw} {
		if holds(text, query) {
			return true
		}
	}
	return false
}

// Take takes over what was found.
func (p *factsPart) Take(f *foundFacts) {
	if f.packet != p.Packet {
		return
	}
	p.ordered, p.order.byTime, p.order.inTime = f.packet, f.byTime, f.inTime
	p.order.hits, p.Sought = f.hits, f.query
	p.arrange()
}

// Seek leaves only the facts that hold a query; "" leaves all.
func (p *factsPart) Seek(query string) {
	query = strings.ToLower(query)
	if query == p.Query {
		return
	}
	p.Query = query
	switch {
	case p.Packet == nil:
	case query == "":
		p.order.hits, p.Sought = nil, ""
		p.arrange()
	case !p.large():
		p.Fresh()
		p.Take(p.job()())
	}
}

// Find leaves the facts that hold the query, and goes to the next of them.
func (p *factsPart) Find(query string, forwards, from bool, width, height int) bool {
	p.Fresh()
	p.Seek(query)
	if p.N == 0 || query == "" {
		return p.Sought != p.Query
	}
	d := p.divide(width, height)
	if !from {
		p.pick((p.At + when(forwards, 1, -1) + p.N) % p.N)
	}
	p.reveal(d.table, d.Rows)
	return true
}

// NextWhose lists the facts that another side cites.
func (p *factsPart) NextWhose() {
	p.who = (p.who + 1) % whoseCount
	p.relist()
}

// SortBy sorts by time, or by use.
func (p *factsPart) SortBy() {
	p.byUse = !p.byUse
	p.order.turned = false
	p.relist()
}

// TurnAround turns the order around.
func (p *factsPart) TurnAround() {
	p.order.turned = !p.order.turned
	p.relist()
}

func (p *factsPart) relist() {
	p.Fresh()
	if p.Packet != nil {
		p.arrange()
	}
}

// Title says how many facts are listed in which order.
func (p *factsPart) Title() string {
	if p.Packet == nil {
		return ""
	}
	p.Fresh()
	words := plain.Counted(p.Packet.Len(), "fact")
	if p.N < p.Packet.Len() {
		words = fmt.Sprintf("%d of %s", p.N, words)
	}
	var parts []string
	if cited := p.who.words(); cited != "" {
		parts = append(parts, cited)
	}
	switch {
	case p.Sought != p.Query:
		parts = append(parts, "searching")
	case p.Query != "":
		parts = append(parts, "found")
	}
	if p.ordered != p.Packet {
		parts = append(parts, "being put into order")
	} else {
		down := p.byUse != p.order.turned
		parts = append(parts, "by "+when(p.byUse, "use", "time")+" "+when(down, p.Look.Glyphs.ScrollDown, p.Look.Glyphs.ScrollUp))
	}
	return strings.Join(append([]string{words}, parts...), p.Look.Glyphs.Separator)
}

// Empty says why nothing is listed.
func (p *factsPart) Empty() string {
	switch {
	case p.Packet == nil:
		return "No packet is frozen yet."
	case p.Query != "":
		return "No fact holds that."
	}
	return "No fact is " + when(p.who == whoseAll, "here", p.who.words()) + "."
}

// Selected is the id of the selected fact behind a word: ids of facts are the
// packet's own, and may be those of points.
func (p *factsPart) Selected() string {
	if p.N == 0 || p.At < 0 {
		return ""
	}
	return factPrefix + p.Chosen
}

const factPrefix = "fact "

// Choose does nothing: what is chosen elsewhere are claims.
func (p *factsPart) Choose(string) {}

// Copied is the selected fact in full.
func (p *factsPart) Copied() string {
	if p.N == 0 || p.At < 0 {
		return ""
	}
	f := p.Fact(p.At)
	lines := []string{factText(f)}
	for _, u := range p.uses[p.order.Place(p.At)] {
		lines = append(lines, fmt.Sprintf("%s %s, round %d: %s", u.seat, u.words(), u.round, u.text))
	}
	return strings.Join(lines, "\n")
}

// factText is a fact in words, whole.
func factText(f ledger.PacketFact) string {
	lines := []string{
		f.ID + " " + f.Entity + " " + f.Field + " " + f.Value.String(),
		fmt.Sprintf("%s, %s %s", f.At.Format(timeInFull), f.SourceType, f.SourceID),
	}
	if f.ParserVersion != "" {
		lines[1] += ", parser " + f.ParserVersion
	}
	if f.Raw != "" {
		lines = append(lines, f.Raw)
	}
	return strings.Join(lines, "\n")
}

// View draws the list, and the selected fact in full where there is room.
func (p *factsPart) View(width, height int) []string {
	p.Fresh()
	d := p.divide(width, height)
	table := p.RowsOrEmpty(d.table, d.Rows, p.Empty())
	if d.head > 0 {
		table = append([]string{p.tableHead(d.table)}, table...)
	}
	if d.full.Empty() {
		return Fit(slices.Clone(table), width, height)
	}
	full := p.fullRows(d.full.W, d.full.H)
	if d.full.X == 0 {
		return Fit(append(slices.Clone(table), full...), width, height)
	}
	line, rows := p.Look.Border.Paint(p.Look.Glyphs.Vertical), slices.Clone(table)
	for i := range full {
		rows[i] += line + full[i]
	}
	return Fit(rows, width, height)
}

// factParts are how the part of the facts is divided: the head of the table, the
// rows of facts, and the room of the selected one.
type factParts struct {
	head, table, Rows int
	full              Rect
}

// The least room in which the selected fact is told in full beside the table and
// below it.
const (
	factBeside    = 150
	leastFullRows = 6
	leastFactRows = 4
	mostFullRows  = 16
)

// divide says where everything stands.
func (p *factsPart) divide(width, height int) factParts {
	d := factParts{table: width, Rows: max(height, 0)}
	if p.N == 0 {
		return d
	}
	d.head = when(height >= headed, 1, 0)
	d.Rows -= d.head
	switch {
	case width >= factBeside:
		d.table = width * 62 / 100
		d.full = Rect{d.table + 1, 0, width - d.table - 1, height}
	case d.Rows >= leastFactRows+leastFullRows:
		rows := min(p.N, d.Rows-min(max(d.Rows*2/5, leastFullRows), mostFullRows))
		d.full = Rect{0, d.head + rows, width, d.Rows - rows}
		d.Rows = rows
	}
	return d
}

// Move selects a fact; left and right scroll what is told of it.
func (p *factsPart) Move(a Motion, width, height int) {
	p.Fresh()
	d := p.divide(width, height)
	if a == MoveLeft || a == MoveRight {
		page := max(d.full.H-2, 1)
		p.full.top = max(p.full.top+when(a == MoveLeft, -page, page), 0)
		return
	}
	p.List.Move(a, d.table, d.Rows)
}

func (p *factsPart) Wheel(by, width, height int) {
	p.Fresh()
	d := p.divide(width, height)
	p.List.Wheel(by, d.table, d.Rows)
}

// Click selects the fact at the cell.
func (p *factsPart) Click(x, y, width, height int) {
	p.Fresh()
	if d := p.divide(width, height); d.onTable(x, y) {
		p.List.Click(x, y-d.head, d.table, d.Rows)
	}
}

// opens reports whether a second click on the cell opens the fact: also what is told
// of it.
func (p *factsPart) opens(x, y, width, height int) bool {
	p.Fresh()
	d := p.divide(width, height)
	return d.full.Contains(x, y) || d.onTable(x, y) && p.List.opens(x, y-d.head, d.table, d.Rows)
}

// onTable reports whether a cell is one of the rows of facts.
func (d *factParts) onTable(x, y int) bool { return x < d.table && y >= d.head && y < d.head+d.Rows }

// More reports whether the facts, or what is told of the selected one, go on below.
func (p *factsPart) More() bool { return p.List.More() || p.full.More() }

// factTable is how the rows of facts are laid out: the cells of the columns, 0 where
// there is no room for one.
type factTable struct {
	ID, time, entity, field, value, cited int
	format                                string
	width                                 int
	look                                  *theme.Look
}

// How times are written: of packets of one day, of one year, and of more; and in
// full.
const (
	timeOfDay  = "15:04:05"
	timeOfYear = "01-02 15:04:05"
	timeInFull = "2006-01-02T15:04:05.999999999Z07:00"
)

// The widths from which there is room for the entity, for the time, and for who
// cites a fact in words.
const (
	entityFrom, timeFrom, citedFrom = 30, 56, 90
	widestID                        = 14
)

// layout lays the rows out, once for a width. The widest of the first ids stands for
// all.
func (p *factsPart) layout(width int) factTable {
	if p.table.width == width && p.table.look == p.Look {
		return p.table
	}
	t := factTable{ID: 2, format: timeFormat(p.Packet.Window()), width: width, look: p.Look}
	for i := range min(p.Packet.Len(), 100) {
		t.ID = max(t.ID, p.Look.Width(p.Look.Line(theme.Prefix(p.Packet.At(i).ID, widestID))))
	}
	t.ID = min(max(t.ID, len(p.Packet.At(p.Packet.Len()-1).ID)), widestID)
	room := width - 1 - byWidth - t.ID
	if width >= timeFrom {
		t.time = len(t.format) + columnGap
	}
	if width >= citedFrom {
		t.cited = min(room*30/100, 40)
	}
	room -= t.time + t.cited
	if width >= entityFrom {
		t.entity = min(room*28/100, 32)
	}
	t.field = min((room-t.entity)*38/100, 26)
	t.value = max(room-t.entity-t.field, 0)
	p.table = t
	return t
}

// timeFormat is how the moments of a window are told apart in the least room.
func timeFormat(from, to time.Time) string {
	switch {
	case from.Year() != to.Year():
		return time.DateTime
	case from.YearDay() != to.YearDay():
		return timeOfYear
	}
	return timeOfDay
}

// byWidth is the room of the letters of those who cite a fact, with the gap behind
// it.
const byWidth = 5

// tableHead names the columns.
func (p *factsPart) tableHead(width int) string {
	t, l := p.layout(width), p.Look
	text := " " + l.Padded("by", byWidth) + l.Padded("id", t.ID)
	for _, column := range []struct {
		name  string
		width int
	}{{"time", t.time}, {"entity", t.entity}, {"field", t.field}, {"value", t.value}, {"cited", t.cited}} {
		if column.width > columnGap {
			text += theme.Blank(columnGap) + l.Padded(column.name, column.width-columnGap)
		}
	}
	return l.Row(width, []theme.Span{l.Faint.Span(text)}, nil)
}

// factRow is a fact in a row: who cites it, what it says, and for what it is cited.
func (p *factsPart) factRow(i, width int, mark theme.Span) string {
	t, l := p.layout(width), p.Look
	place := p.order.Place(i)
	f, uses := p.Packet.At(place), p.uses[place]
	spans := append([]theme.Span{mark}, byLetters(l, uses)...)
	spans = append(spans, when(mark.Text == " ", l.Bold, l.Accent).Span(l.Cell(f.ID, t.ID)))
	body := when(len(uses) > 0, l.Text, l.Faint)
	for _, column := range []struct {
		style theme.Style
		text  string
		width int
	}{
		{l.Faint, f.At.Format(t.format), t.time},
		{body, f.Entity, t.entity},
		{body, f.Field, t.field},
		{body, f.Value.String(), t.value},
		{l.Faint, usesWords(uses), t.cited},
	} {
		if column.width > columnGap {
			spans = append(spans, theme.Span{Text: theme.Blank(columnGap)}, column.style.Span(l.Cell(column.text, column.width-columnGap)))
		}
	}
	return l.Row(width, spans, nil)
}

// byLetters are the letters of those who cite a fact: A and S for the sides, + for
// others.
func byLetters(l *theme.Look, uses []factUse) []theme.Span {
	architect, skeptic := citedBy(uses, state.Architect), citedBy(uses, state.Skeptic)
	other := false
	for i := range uses {
		other = other || uses[i].seat != state.Architect && uses[i].seat != state.Skeptic
	}
	letter := func(there bool, sign string, st theme.Style) theme.Span {
		return when(there, st.Span(sign), l.Faint.Span(l.Glyphs.Silent))
	}
	return []theme.Span{
		letter(architect, "A", l.SeatStyle(state.Architect)), letter(skeptic, "S", l.SeatStyle(state.Skeptic)),
		l.Seat.Span(when(other, "+", " ")),
		{Text: theme.Blank(byWidth - 3)},
	}
}

// fullFact is the selected fact in full as it was drawn last.
type fullFact struct {
	factDrawn
	drawn  []string
	top    int
	height int
}

// factDrawn is what a drawing of a fact depends on.
type factDrawn struct {
	packet         *ledger.Packet
	place, version int
	width          int
	look           *theme.Look
}

func (f *fullFact) More() bool { return f.top+f.height < len(f.drawn) }

// fullRows tells the selected fact in exactly the rows.
func (p *factsPart) fullRows(width, height int) []string {
	c := &p.full
	of := factDrawn{p.Packet, p.order.Place(p.At), p.state.Seq, width, p.Look}
	if c.drawn == nil || c.factDrawn != of {
		top := when(c.packet == of.packet && c.place == of.place, c.top, 0)
		text := Text{Blocks: func(l *theme.Look) []Block { return p.FactBlocks(l, of.place) }}
		text.Lay(p.Look, width)
		*c = fullFact{factDrawn: of, drawn: text.Drawn, top: top}
	}
	c.height = height
	c.top = max(min(c.top, len(c.drawn)-height), 0)
	return Fit(append([]string{}, c.drawn[c.top:]...), width, height)
}

// mostFactShown is how many bytes of a text of a fact are shown in full; all of it is
// copied.
const mostFactShown = 16 << 10

// FactBlocks are a fact in full: what it says, where it comes from, and who cites it
// for what.
func (p *factsPart) FactBlocks(l *theme.Look, place int) []Block {
	f, uses := p.Packet.At(place), p.uses[place]
	list := []Block{{Section: theme.Prefix(f.ID, widestCopy), Right: l.Faint.Span("fact " + fmt.Sprintf("%d of %d", place+1, p.Packet.Len()))}}
	entry := func(name, text string) {
		if text == "" {
			return
		}
		list = append(list, Block{Indent: 2, Lead: l.Faint.Span(l.Padded(name, factNames)), Body: l.Text.Span(shownPart(text)), Hang: 2 + factNames})
	}
	from := string(f.SourceType) + ", " + f.SourceID
	if f.ParserVersion != "" {
		from += ", parser " + f.ParserVersion
	}
	if f.EntityType == ledger.EntityEdge {
		entry("between", f.Entity)
	} else {
		entry("entity", f.Entity)
	}
	entry("field", f.Field)
	entry("value", f.Value.String())
	entry("time", f.At.Format(timeInFull))
	entry("source", from)
	entry("raw", f.Raw)
	if len(uses) == 0 {
		return append(list, Block{Indent: 2, Lead: l.Faint.Span(l.Padded("cited", factNames)), Body: l.Faint.Span("by nobody")})
	}
	for i := range uses {
		list = append(list, useBlock(l, &uses[i]))
	}
	return list
}

// factNames is the room of the names of what a fact says.
const factNames = 10

// useBlock tells one place where a fact is cited.
func useBlock(l *theme.Look, u *factUse) Block {
	words := strings.TrimSpace(u.words() + when(u.as == citedAgainst, " in "+u.challenge, ""))
	words += fmt.Sprintf(", round %d%s: ", u.round, when(u.gone, ", given up", ""))
	return Block{
		Indent: 2, Lead: l.SeatStyle(u.seat).Span(l.Padded(string(u.seat), factNames)), sign: l.Faint.Span(words),
		Body: when(u.gone, l.Faint, l.Text).Span(u.text), Hang: 2 + factNames,
	}
}

// shownPart is a text as far as it is shown.
func shownPart(text string) string {
	if len(text) <= mostFactShown {
		return text
	}
	cut := theme.Prefix(text, mostFactShown/16-1)
	return fmt.Sprintf("%s … and %s more; a copy holds it all", cut, plain.Counted(len(text)-len(cut), "byte"))
}

// citedAs is what a fact of the packet is cited for.
type citedAs int

const (
	// citedFor bears a claim out, citedAgainst contradicts one, citedAnswering meets
	// what was cited against one.
	citedFor citedAs = iota
	citedAgainst
	citedAnswering
)

// factUse is one place where a fact of the packet is cited.
type factUse struct {
	seat state.Seat
	as   citedAs
	// point is the claim, challenge what attacks it, "" where the claim itself cites.
	point, challenge string
	round            int
	// text is what is said of the fact there.
	text string
	// gone says that its side gave the claim up.
	gone bool
}

// words say what it is cited for: "for P2", "against P3", "in answer to C1".
func (u *factUse) words() string {
	switch u.as {
	case citedFor:
		return "for " + u.point
	case citedAgainst:
		return "against " + u.point
	case citedAnswering:
	}
	return "in answer to " + u.challenge
}

// factUses are the uses of each fact that is cited, by its place in the packet, in
// the order of the claims and the challenges.
func factUses(s *state.State) map[int][]factUse {
	uses := map[int][]factUse{}
	add := func(facts []string, u factUse) {
		for _, id := range facts {
			if place := s.Hearing.Packet.Place(id); place >= 0 {
				uses[place] = append(uses[place], u)
			}
		}
	}
	if s.Hearing.Packet == nil {
		return uses
	}
	for _, p := range s.Points.All() {
		if len(p.Facts) == 0 || len(p.Authors) == 0 {
			continue
		}
		_, conceded := p.Conceded()
		add(p.Facts, factUse{seat: p.Authors[0], as: citedFor, point: p.ID, round: p.Round, text: p.Text, gone: conceded})
	}
	for _, c := range s.Challenges.All() {
		add(c.Facts, factUse{seat: c.By, as: citedAgainst, point: c.Point, challenge: c.ID, round: c.Round, text: c.Objection})
		for i := range c.Defenses {
			d := &c.Defenses[i]
			add(d.Facts, factUse{seat: d.By, as: citedAnswering, point: c.Point, challenge: c.ID, round: d.Round, text: d.Text})
		}
	}
	return uses
}

// citedBy reports whether a seat is among those who cite.
func citedBy(uses []factUse, seat state.Seat) bool {
	return slices.ContainsFunc(uses, func(u factUse) bool { return u.seat == seat })
}

// usesWords say who cites a fact for what: "architect for P2, P4; skeptic against
// P2".
func usesWords(uses []factUse) string {
	var seats []state.Seat
	said := map[state.Seat][]string{}
	last := map[state.Seat]citedAs{}
	for i := range uses {
		u := &uses[i]
		words := u.words()
		if !slices.Contains(seats, u.seat) {
			seats = append(seats, u.seat)
		} else if last[u.seat] == u.as {
			words = words[strings.LastIndexByte(words, ' ')+1:]
		}
		last[u.seat] = u.as
		if !slices.Contains(said[u.seat], words) {
			said[u.seat] = append(said[u.seat], words)
		}
	}
	var parts []string
	for _, seat := range seats {
		parts = append(parts, string(seat)+" "+strings.Join(said[seat], ", "))
	}
	return strings.Join(parts, "; ")
}
