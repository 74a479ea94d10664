package tui

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/state"
	"moot/tui/theme"
)

// quickFacts is the number of facts up to which they are put into order and
// searched while the screen is drawn; those of larger packets are outside, and what
// was listed stays until that is done.
const quickFacts = 5000

// factsPart lists the facts of the packet with who cites them, the selected one in
// full beside the list or below.
type factsPart struct {
	list
	state  state.State
	packet *ledger.Packet
	// stale says that the state is newer than the uses.
	stale bool
	uses  map[int][]factUse
	order factOrder
	who   whose
	byUse bool
	// ordered is the packet whose order by time is known, or nil.
	ordered *ledger.Packet
	// query is what is searched in small letters, sought what the list holds of it.
	query, sought string
	pending       bool
	table         factTable
	full          fullFact
}

func newFactsPart(l *theme.Look) *factsPart {
	p := &factsPart{list: list{look: l, at: -1, single: true}, byUse: true}
	p.draw = func(i, width int, mark theme.Span) []string { return []string{p.factRow(i, width, mark)} }
	p.key = func(i int) string { return p.fact(i).ID }
	p.text = func(i int) string { return factText(p.fact(i)) }
	return p
}

// fact is the one that is listed at i.
func (p *factsPart) fact(i int) ledger.PacketFact { return p.packet.At(p.order.place(i)) }

// setState takes over what stands now. Who cites what is read when it is looked at.
func (p *factsPart) setState(s state.State) {
	p.state, p.stale = s, true
	was := p.packet
	if p.packet = s.Hearing.Packet; p.packet == was {
		return
	}
	p.table = factTable{}
	if was != nil && p.packet != nil && was.Digest() == p.packet.Digest() {
		// A replay reads the same packet anew: its order is the same.
		p.ordered = when(p.ordered == was, p.packet, nil)
		return
	}
	p.order, p.ordered, p.sought, p.uses = factOrder{}, nil, "", nil
	if p.packet == nil {
		p.n = 0
		p.changed()
		return
	}
	p.order.n = p.packet.Len()
}

// large reports whether the packet takes too long to put into order while drawing.
func (p *factsPart) large() bool { return p.packet != nil && p.packet.Len() > quickFacts }

// fresh reads who cites what, unless that was done.
func (p *factsPart) fresh() {
	if !p.stale || p.packet == nil {
		return
	}
	p.stale = false
	p.uses = factUses(&p.state)
	if !p.large() {
		p.take(p.job()())
		return
	}
	p.arrange()
}

// arrange lists the facts anew; the selected one stays where it is still listed.
func (p *factsPart) arrange() {
	place := p.packet.Place(p.chosen)
	p.order.arrange(p.uses, p.who, p.byUse)
	p.n = p.order.count()
	at := p.order.find(place)
	if at < 0 {
		at = min(max(p.at, 0), p.n-1)
	}
	p.at, p.moved = at, true
	if at >= 0 {
		p.chosen = p.key(at)
	}
	p.changed()
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
	return p.large() && (p.ordered != p.packet || p.sought != p.query)
}

// job returns what puts the facts into order and searches them, a function that
// touches nothing of the part.
func (p *factsPart) job() func() *foundFacts {
	f := &foundFacts{packet: p.packet, byTime: p.order.byTime, inTime: p.order.inTime, query: p.query}
	ordered, uses := p.ordered == p.packet, p.uses
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

// take takes over what was found.
func (p *factsPart) take(f *foundFacts) {
	if f.packet != p.packet {
		return
	}
	p.ordered, p.order.byTime, p.order.inTime = f.packet, f.byTime, f.inTime
	p.order.hits, p.sought = f.hits, f.query
	p.arrange()
}

// seek leaves only the facts that hold a query; "" leaves all.
func (p *factsPart) seek(query string) {
	query = strings.ToLower(query)
	if query == p.query {
		return
	}
	p.query = query
	switch {
	case p.packet == nil:
	case query == "":
		p.order.hits, p.sought = nil, ""
		p.arrange()
	case !p.large():
		p.fresh()
		p.take(p.job()())
	}
}

// find leaves the facts that hold the query, and goes to the next of them.
func (p *factsPart) find(query string, forwards, from bool, width, height int) bool {
	p.fresh()
	p.seek(query)
	if p.n == 0 || query == "" {
		return p.sought != p.query
	}
	d := p.divide(width, height)
	if !from {
		p.pick((p.at + when(forwards, 1, -1) + p.n) % p.n)
	}
	p.reveal(d.table, d.rows)
	return true
}

// nextWhose lists the facts that another side cites.
func (p *factsPart) nextWhose() {
	p.who = (p.who + 1) % whoseCount
	p.relist()
}

// sortBy sorts by time, or by use.
func (p *factsPart) sortBy() {
	p.byUse = !p.byUse
	p.order.turned = false
	p.relist()
}

// turnAround turns the order around.
func (p *factsPart) turnAround() {
	p.order.turned = !p.order.turned
	p.relist()
}

func (p *factsPart) relist() {
	p.fresh()
	if p.packet != nil {
		p.arrange()
	}
}

// title says how many facts are listed in which order.
func (p *factsPart) title() string {
	if p.packet == nil {
		return ""
	}
	p.fresh()
	words := plain.Counted(p.packet.Len(), "fact")
	if p.n < p.packet.Len() {
		words = fmt.Sprintf("%d of %s", p.n, words)
	}
	var parts []string
	if cited := p.who.words(); cited != "" {
		parts = append(parts, cited)
	}
	switch {
	case p.sought != p.query:
		parts = append(parts, "searching")
	case p.query != "":
		parts = append(parts, "found")
	}
	if p.ordered != p.packet {
		parts = append(parts, "being put into order")
	} else {
		down := p.byUse != p.order.turned
		parts = append(parts, "by "+when(p.byUse, "use", "time")+" "+when(down, p.look.Glyphs.ScrollDown, p.look.Glyphs.ScrollUp))
	}
	return strings.Join(append([]string{words}, parts...), p.look.Glyphs.Separator)
}

// empty says why nothing is listed.
func (p *factsPart) empty() string {
	switch {
	case p.packet == nil:
		return "No packet is frozen yet."
	case p.query != "":
		return "No fact holds that."
	}
	return "No fact is " + when(p.who == whoseAll, "here", p.who.words()) + "."
}

// selected is the id of the selected fact behind a word: ids of facts are the
// packet's own, and may be those of points.
func (p *factsPart) selected() string {
	if p.n == 0 || p.at < 0 {
		return ""
	}
	return factPrefix + p.chosen
}

const factPrefix = "fact "

// choose does nothing: what is chosen elsewhere are claims.
func (p *factsPart) choose(string) {}

// copied is the selected fact in full.
func (p *factsPart) copied() string {
	if p.n == 0 || p.at < 0 {
		return ""
	}
	f := p.fact(p.at)
	lines := []string{factText(f)}
	for _, u := range p.uses[p.order.place(p.at)] {
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

// view draws the list, and the selected fact in full where there is room.
func (p *factsPart) view(width, height int) []string {
	p.fresh()
	d := p.divide(width, height)
	table := p.rowsOrEmpty(d.table, d.rows, p.empty())
	if d.head > 0 {
		table = append([]string{p.tableHead(d.table)}, table...)
	}
	if d.full.Empty() {
		return fit(slices.Clone(table), width, height)
	}
	full := p.fullRows(d.full.W, d.full.H)
	if d.full.X == 0 {
		return fit(append(slices.Clone(table), full...), width, height)
	}
	line, rows := p.look.Border.Paint(p.look.Glyphs.Vertical), slices.Clone(table)
	for i := range full {
		rows[i] += line + full[i]
	}
	return fit(rows, width, height)
}
