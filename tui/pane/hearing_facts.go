package pane

import (
	"fmt"
	"slices"
	"strings"

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
	Pending       bool
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

// Large reports whether the packet takes too long to put into order while drawing.
func (p *factsPart) Large() bool { return p.Packet != nil && p.Packet.Len() > QuickFacts }

// Fresh reads who cites what, unless that was done.
func (p *factsPart) Fresh() {
	if !p.stale || p.Packet == nil {
		return
	}
	p.stale = false
	p.uses = factUses(&p.state)
	if !p.Large() {
		p.Take(p.Job()())
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

// Due reports whether a large packet is to be put into order or searched.
func (p *factsPart) Due() bool {
	return p.Large() && (p.ordered != p.Packet || p.Sought != p.Query)
}

// Job returns what puts the facts into order and searches them, a function that
// touches nothing of the part.
func (p *factsPart) Job() func() *foundFacts {
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
	case !p.Large():
		p.Fresh()
		p.Take(p.Job()())
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
