package pane

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Point shows one point whole.
type Point struct {
	Text
	focused bool
	ID      string
	state   state.State
	rulings []state.Ruling
	status  *Status
	history history
}

// NewPoint returns an empty pane.
func NewPoint(l *theme.Look) *Point {
	p := &Point{Text: Text{look: l}}
	p.Blocks = p.pointBlocks
	return p
}

// SetState takes over what stands now, and the events that led to it.
func (p *Point) SetState(s state.State, rulings []state.Ruling, status *Status, events []state.Event) {
	p.state, p.rulings, p.status = s, rulings, status
	p.history.Add(events)
	p.Refresh()
}

// SetPoint turns the pane to a point.
func (p *Point) SetPoint(id string) {
	if p.ID != id {
		p.ID, p.Top, p.marked = id, 0, 0
		p.Refresh()
	}
}

// SetLook implements Pane.
func (p *Point) SetLook(l *theme.Look) {
	p.look = l
	p.Refresh()
}

// SetFocused implements Pane.
func (p *Point) SetFocused(on bool) { p.focused = on }

// Title implements Pane.
func (p *Point) Title() string { return strings.TrimSpace(PointID.String() + " " + p.ID) }

// View implements Pane.
func (p *Point) View(width, height int) []string {
	if p.ID == "" {
		return Fit([]string{p.look.Row(width, []theme.Span{p.look.Faint.Span("  " + NoPoints)}, nil)}, width, height)
	}
	// A cell on each side stays free, so that no text touches a border.
	right := when(width >= airyWidth, 1, 0)
	rows := p.Read(p.look, max(width-1-right, 0), height)
	for i := range rows {
		margin := " "
		if p.focused && p.Top+i+1 == p.marked {
			margin = p.look.Accent.Paint(p.look.Glyphs.Pointer)
		}
		rows[i] = when(width > 0, margin, "") + rows[i] + theme.Blank(right)
	}
	return rows
}

// Move scrolls, or goes to the point before or after.
func (p *Point) Move(a Motion, _, _ int) {
	if a != MoveLeft && a != MoveRight {
		p.MoveBy(a)
		return
	}
	step := when(a == MoveLeft, -1, 1)
	for i, point := range p.state.Points.All() {
		if next := p.state.Points.At(i + step); point.ID == p.ID && next != nil {
			p.SetPoint(next.ID)
			return
		}
	}
}

// Wheel implements Pane.
func (p *Point) Wheel(by, _, _ int) {
	p.Top, p.marked = p.Top+by, 0
	p.bound()
}

// Click marks a row; what is cited there can be opened.
func (p *Point) Click(_, y, _, _ int) {
	if at := p.Top + y; at < len(p.Drawn) {
		p.marked = at + 1
	}
}

// opens says that a click never opens the point, which is open.
func (p *Point) opens(_, _, _, _ int) bool { return false }

// Citation is the reference of the evidence item that was clicked or is seen
// first: "path:line", or "" where the point has none.
func (p *Point) Citation() string {
	if e := p.state.Item(p.CitedID()); e != nil {
		return e.Reference
	}
	return ""
}

// Selected implements Pane.
func (p *Point) Selected() string { return p.ID }

// Choose implements Pane.
func (p *Point) Choose(string) {}

// Copied is the evidence item that was clicked, with its place; else the point
// whole.
func (p *Point) Copied() string {
	e := p.state.Item(p.CitedID())
	if p.marked == 0 || e == nil {
		return p.plainText()
	}
	return strings.TrimSpace(plain.Line(e.Reference) + "\n" + plain.Text(e.Excerpt))
}

// Find implements Pane.
func (p *Point) Find(query string, forwards, from bool, width, height int) bool {
	p.View(width, height)
	return p.findRow(query, forwards, from)
}

func (p *Point) pointBlocks(l *theme.Look) []Block {
	d := Details{&p.state, p.rulings, p.status}
	return d.pointBlocks(l, p.ID, p.history.Of(p.ID, p.state.Seq), &p.history.rounds)
}

// Details write points, challenges and what is known whole.
type Details struct {
	State   *state.State
	Rulings []state.Ruling
	Status  *Status
}

// challengeThread is a challenge, what its author answers, and what the
// challenger says to that.
func (d Details) challengeThread(l *theme.Look, id string) []Block {
	c := d.State.Challenge(id)
	if c == nil {
		return nil
	}
	status := d.Status.challenge(c)
	glyph, st, _ := tone(status.Role).signs(l)
	list := []Block{
		{
			Indent: 2, Lead: st.Span(glyph + " " + c.ID + " " + status.Kind + "  "),
			Body:  l.Faint.Span(fmt.Sprintf("%s, round %d", c.By, c.Round)),
			Right: st.Span(status.Outcome), Hang: 4,
		},
		{Indent: 4, Body: l.Text.Span(Citing(c.Objection, c.Facts))},
	}
	list = append(list, challengeTerms(l, c)...)
	for _, note := range status.Notes {
		list = append(list, Block{Indent: 4, Body: l.Faint.Span(note)})
	}
	for i := range c.Defenses {
		list = append(list, defenseBlocks(l, c, &c.Defenses[i])...)
	}
	return list
}

func defenseBlocks(l *theme.Look, c *state.Challenge, answer *state.Defense) []Block {
	void := when(answer.Seq <= c.Since, ", void since it was reopened", "")
	list := []Block{
		{
			Indent: 4, Lead: l.Border.Span(l.Glyphs.Arrow + " "), sign: l.SeatStyle(answer.By).Span(string(answer.By)),
			Body: l.Faint.Span(fmt.Sprintf(" answers, round %d%s", answer.Round, void)),
		},
		{Indent: 6, Body: l.Text.Span(Citing(answer.Text, answer.Facts))},
	}
	if answer.Judgment != state.Unjudged {
		good := answer.Judgment == state.Accepted
		sign := when(good, l.Glyphs.Agreed, l.Glyphs.Dismissed) + " " + string(answer.Judgment) + "  "
		list = append(list, Block{Indent: 6, Lead: when(good, l.Agreed, l.Dismissed).Span(sign), Body: l.Text.Span(answer.Reason)})
	}
	return list
}

// ChallengeBlocks is a challenge, then its point.
func (d Details) ChallengeBlocks(l *theme.Look, id string) []Block {
	list := d.challengeThread(l, id)
	c := d.State.Challenge(id)
	if c == nil {
		return list
	}
	return append(list, d.aboutPoint(l, c.Point)...)
}

// aboutPoint is the point that something bears on, and where it stands.
func (d Details) aboutPoint(l *theme.Look, id string) []Block {
	p := d.State.Point(id)
	if p == nil {
		return nil
	}
	list := []Block{{Section: "Its point"}, {Indent: 2, Lead: l.Bold.Span(p.ID + "  "), Body: l.Text.Span(p.Text)}}
	e, found := d.because(id)
	if !found {
		return list
	}
	where := d.whereBlock(l, &e)
	where.Indent, where.Hang, where.Body = 2, 4, l.Faint.Span(e.Sentence)
	return append(list, where)
}

// evidenceBlocks is an item with the check's answer and the lines that it
// quotes.
func (d Details) evidenceBlocks(l *theme.Look, id string) []Block {
	e := d.State.Item(id)
	if e == nil {
		return nil
	}
	glyph, st, word := evidenceSign(l, e)
	about := string(e.SourceKind) + when(e.SourceKind == "", "", ", ") + fmt.Sprintf("by %s, round %d", e.OfferedBy, e.Round)
	if e.Direct {
		about += when(e.Contested == "", ", direct", ", direct, contested by "+e.Contested)
	}
	list := []Block{
		{
			Indent: 2, Lead: st.Span(glyph + " " + e.ID + " "), sign: st.Span(string(e.Relation) + "  "),
			Body: l.Text.Span(e.Reference), Right: st.Span(word), Hang: 4,
		},
		{Indent: 4, Body: l.Faint.Span(when(e.Reason == "", about, about+"; "+e.Reason))},
	}
	list = append(list, quoted(l, e)...)
	for i := range list {
		list[i].cites = e.ID
	}
	return list
}

// quoted are the lines of an item in a gutter, with their numbers where the
// reference tells them.
func quoted(l *theme.Look, e *ledger.Evidence) []Block {
	text := strings.TrimRight(e.Excerpt, "\r\n")
	if text == "" {
		return nil
	}
	lines := outdented(text)
	first := firstLine(e.Reference)
	digits := len(strconv.Itoa(first + len(lines) - 1))
	list := make([]Block, len(lines))
	for i, line := range lines {
		number := ""
		if first > 0 {
			number = fmt.Sprintf("%*d ", digits, first+i)
		}
		list[i] = Block{
			Indent: 4, Lead: l.Faint.Span(number), sign: l.Border.Span(l.Glyphs.Vertical + " "),
			Body: l.Text.Span(line), gutter: true,
		}
	}
	return list
}

// outdented are the lines of a text without the space that all of them begin
// with.
func outdented(text string) []string {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\t", "    ")
	lines := strings.Split(text, "\n")
	common := -1
	for _, line := range lines {
		if bare := strings.TrimLeft(line, " "); bare != "" && (common < 0 || len(line)-len(bare) < common) {
			common = len(line) - len(bare)
		}
	}
	for i, line := range lines {
		lines[i] = line[min(max(common, 0), len(line)):]
	}
	return lines
}

// firstLine is the line that a reference begins at, 0 where it tells none.
func firstLine(reference string) int {
	_, lines, found := CutLast(reference, ":")
	if !found {
		return 0
	}
	lines, _, _ = strings.Cut(lines, "-")
	n, err := strconv.Atoi(lines)
	if err != nil || n < 1 {
		return 0
	}
	return n
}

// CutLast cuts s around the last sep.
func CutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// KnownBlocks is a conflict, a fact or an evidence item whole.
func (d Details) KnownBlocks(l *theme.Look, id string) []Block {
	if doc, ok := view.FormatOf(d.State).Explain(d.State, id); ok {
		return DocumentBlocks(l, &doc)
	}
	if packet := d.State.Hearing.Packet; packet != nil {
		if f, ok := packet.Fact(id); ok {
			return []Block{{Lead: l.Bold.Span(f.ID + "  "), Body: l.Text.Span(PacketFactWords(&f))}}
		}
	}
	f := d.State.Fact(id)
	if f == nil {
		list := d.evidenceBlocks(l, id)
		if e := d.State.Item(id); e != nil {
			list = append(list, d.aboutPoint(l, e.Point)...)
		}
		return list
	}
	list := []Block{{Body: l.Bold.Span(f.Text)}, {Body: l.Faint.Span(fmt.Sprintf("%s, round %d%s", f.Label(), f.Round, when(f.Live, "", ", superseded")))}}
	if f.Supersedes != "" {
		list = append(list, Block{Body: l.Faint.Span("supersedes " + f.Supersedes)})
	}
	if f.Tag == ledger.TagUnverified {
		list = append(list, Block{Body: l.Unresolved.Span("A hypothesis of a seat: it lifts nothing until it is verified.")})
	}
	return append(list, d.bearsOn(l, id)...)
}

// bearsOn are the points that are said to contradict a fact.
func (d Details) bearsOn(l *theme.Look, fact string) []Block {
	var list []Block
	for _, p := range d.State.Points.All() {
		i := slices.IndexFunc(p.Violates, func(v state.Violation) bool { return v.Fact == fact })
		if i < 0 {
			continue
		}
		if list == nil {
			list = []Block{{Section: "Said to contradict it"}}
		}
		said := "by " + string(p.Violates[i].By) + when(p.Violates[i].Confirmed, ", confirmed by you", ", not confirmed")
		list = append(list, Block{Indent: 2, Lead: l.Bold.Span(p.ID + "  "), Body: l.Text.Span(p.Text), Right: l.Faint.Span(said)})
	}
	return list
}

// pointBlocks is a point whole: what it says, where it stands and why, what
// became of it, what is said for and against it.
func (d Details) pointBlocks(l *theme.Look, id string, events []state.Event, rounds *rounds) []Block {
	p := d.State.Point(id)
	if p == nil {
		return nil
	}
	list := []Block{
		{Lead: l.Accent.Span(p.ID + "  "), Body: l.Bold.Span(p.Text)},
		{Indent: len(p.ID) + 2, Body: l.Faint.Span(strings.Join(d.Status.facts(p), l.Glyphs.Separator))},
		{},
	}
	if e, found := d.because(id); found {
		list = append(list, d.whereBlock(l, &e))
		list = append(list, becauseBlocks(l, &e)...)
	}
	list = append(list, d.historyBlocks(l, id, events, rounds)...)
	list = append(list, d.challengesOf(l, p)...)
	list = append(list, d.evidenceOf(l, p)...)
	list = append(list, d.confidenceBlocks(l, p)...)
	return append(list, d.noteBlocks(l, id)...)
}

func (d Details) challengesOf(l *theme.Look, p *state.Point) []Block {
	ids := slices.DeleteFunc(slices.Clone(p.Challenges), func(id string) bool { return d.Status.shown.Hidden[id] })
	if len(ids) == 0 {
		return nil
	}
	list := []Block{{Section: "Challenges", Right: l.Faint.Span(fmt.Sprintf("%d of %d open", d.Status.open(p), len(ids)))}}
	for i, id := range ids {
		if i > 0 {
			list = append(list, Block{})
		}
		list = append(list, d.challengeThread(l, id)...)
	}
	return list
}

// evidenceOf lists the evidence for and against a point.
func (d Details) evidenceOf(l *theme.Look, p *state.Point) []Block {
	if len(p.Evidence) == 0 {
		return nil
	}
	verified := 0
	list := []Block{{Section: "Evidence"}}
	for i, id := range p.Evidence {
		e := d.State.Item(id)
		if e == nil {
			continue
		}
		if e.Verified {
			verified++
		}
		if i > 0 {
			list = append(list, Block{})
		}
		list = append(list, d.evidenceBlocks(l, id)...)
	}
	list[0].Right = l.Faint.Span(fmt.Sprintf("%d of %d verified", verified, len(p.Evidence)))
	return list
}

// confidenceBlocks are the numbers of each seat over the rounds, and in words
// where it retreated and where it was rigid (ST3).
func (d Details) confidenceBlocks(l *theme.Look, p *state.Point) []Block {
	only := *d.State
	only.Confidence = state.List[state.Confidence]{}
	numbers := map[state.Seat][]string{}
	var order []state.Seat
	last := 1
	for _, c := range d.State.Confidence.All() {
		if c.Point != p.ID && !slices.Contains(p.Aliases, c.Point) {
			continue
		}
		only.Confidence = only.Confidence.Append(c)
		if numbers[c.Seat] == nil {
			order = append(order, c.Seat)
			numbers[c.Seat] = slices.Repeat([]string{"   " + l.Glyphs.Bullet}, state.MaxRounds+1)
		}
		round := max(min(c.Round, state.MaxRounds), 0)
		numbers[c.Seat][round] = fmt.Sprintf("%.2f", c.Admitted)
		last = max(last, round)
	}
	if len(order) == 0 {
		return nil
	}
	widest := len("round")
	for _, seat := range order {
		widest = max(widest, len(seat))
	}
	var head strings.Builder
	for round := 1; round <= last; round++ {
		fmt.Fprintf(&head, "%4d  ", round)
	}
	list := []Block{{Section: "Confidence"}, {Indent: 2, Lead: l.Faint.Span(fmt.Sprintf("%-*s  ", widest, "round")), Body: l.Faint.Span(head.String())}}
	for _, seat := range order {
		list = append(list, Block{
			Indent: 2, Lead: l.SeatStyle(seat).Span(fmt.Sprintf("%-*s  ", widest, seat)),
			Body: l.Text.Span(strings.Join(numbers[seat][1:last+1], "  ")),
		})
	}
	only.Evidence = d.evidenceOnly(p)
	for _, seat := range order {
		list = append(list, calibrationBlocks(l, seat, resolver.Calibrate(&only, seat))...)
	}
	return list
}

// evidenceOnly are the items of one point, so that nothing else is looked
// through.
func (d Details) evidenceOnly(p *state.Point) (items state.List[ledger.Evidence]) {
	for _, id := range p.Evidence {
		if e := d.State.Item(id); e != nil {
			items = items.Append(e)
		}
	}
	return items
}

// calibrationBlocks say where a seat retreated and where it was rigid.
func calibrationBlocks(l *theme.Look, seat state.Seat, found resolver.Calibration) []Block {
	var list []Block
	warn := func(lead, text string) {
		list = append(list, Block{Indent: 2, Lead: l.Warn.Span(l.Glyphs.Warn + " " + lead + "  "), Body: l.Text.Span(text)})
	}
	for _, shift := range found.Shifts {
		if shift.Uncaused() > 0 {
			warn("retreat", fmt.Sprintf("%s in round %d: %.2f to %.2f without a cause; %.2f counts",
				seat, shift.Now.Round, shift.Before.Stated, shift.Now.Stated, shift.Now.Admitted))
		}
	}
	for _, counter := range found.Counter {
		if !counter.Moved {
			warn("rigid", fmt.Sprintf("%s did not move when %s %s it in round %d", seat, counter.Item.ID, counter.Item.Relation, counter.Item.Round))
		}
	}
	return list
}

// noteBlocks are the remarks on a point: drifts, the arbiter's flags, notes,
// what was asked.
func (d Details) noteBlocks(l *theme.Look, id string) []Block {
	var list []Block
	put := func(st theme.Style, lead, text string) {
		list = append(list, Block{Indent: 2, Lead: st.Span(lead + "  "), Body: l.Text.Span(text)})
	}
	for _, n := range d.State.Drifts.All() {
		if n.Point == id {
			put(l.Warn, l.Glyphs.Warn+" drift", fmt.Sprintf("%s in round %d: from %s to %s%s", n.Seat, n.Round, n.From, n.To, when(n.Kept, "; the earlier position stands", "")))
		}
	}
	for _, f := range d.State.Flags {
		if f.Point == id {
			put(l.Unresolved, l.Glyphs.Unresolved+" arbiter", f.Text)
		}
	}
	for _, n := range d.State.Notes.All() {
		if n.Point == id {
			put(l.Faint, l.Glyphs.Bullet+" note", n.Text)
		}
	}
	for _, q := range d.State.Questions.All() {
		if q.Point != id {
			continue
		}
		text := q.Text
		switch {
		case q.Answered && q.Answer != "":
			text += " " + l.Glyphs.Arrow + " " + q.Answer
		case q.Answered:
			text += " " + l.Glyphs.Arrow + " no answer"
		}
		put(when(q.Answered, l.Faint, l.Warn), l.Glyphs.Unresolved+" "+q.ID+" asks you", text)
	}
	if list == nil {
		return nil
	}
	return append([]Block{{Section: "Remarks"}}, list...)
}

// rounds finds the round of an event. It reads each event once.
type rounds struct {
	seen int
	// begun are the events with which the rounds began, in their order.
	begun []int
}

// Add takes over the events that came since.
func (r *rounds) Add(events []state.Event) {
	for ; r.seen < len(events); r.seen++ {
		if _, ok := events[r.seen].Data.(*state.RoundStarted); ok {
			r.begun = append(r.begun, events[r.seen].Seq)
		}
	}
}

// Of is the round of an event, 0 before the first.
func (r *rounds) Of(seq int) int { return sort.SearchInts(r.begun, seq+1) }

// history finds the events that bear on each point. It reads each event once;
// what was not shown yet is left out by who asks.
type history struct {
	events []state.Event
	seen   int
	places map[string][]int
	rounds rounds
}

// Add takes over the events that came since.
func (h *history) Add(events []state.Event) {
	if len(events) < h.seen {
		// An earlier moment is shown: it is the beginning of what is known.
		return
	}
	if h.places == nil {
		h.places = map[string][]int{}
	}
	h.events = events
	h.rounds.Add(events)
	for ; h.seen < len(events); h.seen++ {
		for _, id := range bearsOnPoints(events[h.seen].Data) {
			h.places[id] = append(h.places[id], h.seen)
		}
	}
}

// Of are the events up to one that bear on a point.
func (h *history) Of(id string, upTo int) []state.Event {
	var list []state.Event
	for _, at := range h.places[id] {
		if e := h.events[at]; e.Seq <= upTo {
			list = append(list, e)
		}
	}
	return list
}

// bearsOnPoints are the points whose history an event belongs to.
func bearsOnPoints(p state.Payload) []string {
	switch p := p.(type) {
	case *state.PointRaised:
		return []string{p.ID}
	case *state.PointTriaged:
		return []string{p.Point}
	case *state.PointsMerged:
		return append([]string{p.Into}, p.From...)
	case *state.PointClassified:
		return []string{p.Point}
	case *state.PointRevised:
		return []string{p.Point}
	case *state.PointConceded:
		return []string{p.Point}
	case *state.PointBlocked:
		return []string{p.Point}
	case *state.PointDeadlocked:
		return []string{p.Point}
	case *state.ViolationNamed:
		return []string{p.Point}
	case *state.ConstitutionViolated:
		return []string{p.Point}
	case *state.ClaimMarkedKey:
		return []string{p.Point}
	case *state.ClaimLimited:
		return []string{p.Point}
	case *state.OverrideMade:
		return append(slices.Clone(p.Points), p.Point)
	case *state.AnchorShiftConsented:
		return []string{p.Point}
	case *state.Ruled:
		ids := make([]string, len(p.Rulings))
		for i := range p.Rulings {
			ids[i] = p.Rulings[i].Point
		}
		return ids
	}
	if id := changes(p); id != "" {
		return []string{id}
	}
	return nil
}

// changes is the point of which an event changes the value or a confidence, "" for
// none.
func changes(p state.Payload) string {
	switch p := p.(type) {
	case *state.ConfidenceChanged:
		return p.Point
	case *state.FieldProposed:
		return p.Point
	case *state.FieldRevised:
		return p.Point
	case *state.FieldWithdrawn:
		return p.Point
	}
	return ""
}

// historyBlocks are what became of a point, a line for each event.
func (d Details) historyBlocks(l *theme.Look, id string, events []state.Event, rounds *rounds) []Block {
	var list []Block
	shown, where := -1, ""
	for i := range events {
		w := EventWords(d.State, &events[i])
		switch p := events[i].Data.(type) {
		case *state.PointTriaged:
			if p.Scope == state.InScope {
				continue
			}
		case *state.PointClassified:
			w.lead = string(p.By) + " " + string(p.Class)
		case *state.PointRaised:
			w.lead, w.text = "raised by "+string(p.By), ""
		case *state.Ruled:
			at := slices.IndexFunc(p.Rulings, func(r state.Ruling) bool { return r.Point == id })
			now := view.Ruling(&p.Rulings[at])
			if now == where {
				continue
			}
			where = now
			w = Words{tone(view.BucketRole(p.Rulings[at].Bucket)), "ruled " + now + " by " + p.Rulings[at].Rule, ""}
		}
		round, label := rounds.Of(events[i].Seq), ""
		if round != shown {
			shown, label = round, fmt.Sprintf("round %d", round)
		}
		var by theme.Span
		if w.tone == toneUser {
			by = l.User.Span("user")
		}
		glyph, mark, _ := w.tone.signs(l)
		list = append(list, Block{
			Indent: 2, Lead: l.Faint.Span(fmt.Sprintf("%-8s", label)), sign: mark.Span(glyph + " "),
			Body: l.Text.Span(view.Sentence(w.lead, w.text)), Hang: 12, Right: by,
		})
	}
	if list == nil {
		return nil
	}
	return append([]Block{{Section: "History"}}, list...)
}
