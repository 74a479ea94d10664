package pane

import (
	"cmp"
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

// Point shows everything about one point.
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

// SetState shows a state and the events that led to it.
func (p *Point) SetState(s state.State, rulings []state.Ruling, status *Status, events []state.Event) {
	p.state, p.rulings, p.status = s, rulings, status
	p.history.Add(events)
	p.Refresh()
}

// SetPoint shows another point.
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
	// An empty cell on each side separates the text from the border.
	right := 0
	if width >= airyWidth {
		right = 1
	}
	rows := p.Read(p.look, max(width-1-right, 0), height)
	for i := range rows {
		margin := theme.Blank(min(width, 1))
		if width > 0 && p.focused && p.Top+i+1 == p.marked {
			margin = p.look.Accent.Paint(p.look.Glyphs.Pointer)
		}
		rows[i] = margin + rows[i] + theme.Blank(right)
	}
	return rows
}

// Move scrolls. Left and right show the point before and after.
func (p *Point) Move(a Motion, _, _ int) {
	if a != MoveLeft && a != MoveRight {
		p.MoveBy(a)
		return
	}
	step := 1
	if a == MoveLeft {
		step = -1
	}
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

// Click marks a row, so that the evidence there can be opened.
func (p *Point) Click(_, y, _, _ int) {
	if at := p.Top + y; at < len(p.Drawn) {
		p.marked = at + 1
	}
}

// opens reports that a click opens nothing: the point is open already.
func (p *Point) opens(_, _, _, _ int) bool { return false }

// Citation returns the reference of the evidence item that was clicked or is visible first,
// such as "path:line", or "".
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

// Copied returns the reference and excerpt of the evidence item that was clicked, or else the
// whole text.
func (p *Point) Copied() string {
	e := p.state.Item(p.CitedID())
	if p.marked == 0 || e == nil {
		return unstyled(p.Drawn)
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

// Details shows everything about a point, a challenge, a fact or an evidence item.
type Details struct {
	State   *state.State
	Rulings []state.Ruling
	Status  *Status
}

// challengeThread shows a challenge, the answers to it, and the judgments of the answers.
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
	void := ""
	if answer.Seq <= c.Since {
		void = ", void since it was reopened"
	}
	list := []Block{
		{
			Indent: 4, Lead: l.Border.Span(l.Glyphs.Arrow + " "), sign: l.SeatStyle(answer.By).Span(string(answer.By)),
			Body: l.Faint.Span(fmt.Sprintf(" answers, round %d%s", answer.Round, void)),
		},
		{Indent: 6, Body: l.Text.Span(Citing(answer.Text, answer.Facts))},
	}
	if answer.Judgment != state.Unjudged {
		glyph, st := l.Glyphs.Dismissed, l.Dismissed
		if answer.Judgment == state.Accepted {
			glyph, st = l.Glyphs.Agreed, l.Agreed
		}
		lead := st.Span(glyph + " " + string(answer.Judgment) + "  ")
		list = append(list, Block{Indent: 6, Lead: lead, Body: l.Text.Span(answer.Reason)})
	}
	return list
}

// ChallengeBlocks shows a challenge, then its point.
func (d Details) ChallengeBlocks(l *theme.Look, id string) []Block {
	list := d.challengeThread(l, id)
	c := d.State.Challenge(id)
	if c == nil {
		return list
	}
	return append(list, d.aboutPoint(l, c.Point)...)
}

// aboutPoint shows the point of a challenge or an evidence item, and its ruling.
func (d Details) aboutPoint(l *theme.Look, id string) []Block {
	p := d.State.Point(id)
	if p == nil {
		return nil
	}
	list := []Block{
		{Section: "Its point"},
		{Indent: 2, Lead: l.Bold.Span(p.ID + "  "), Body: l.Text.Span(p.Text)},
	}
	e, found := d.because(id)
	if !found {
		return list
	}
	where := d.whereBlock(l, &e)
	where.Indent, where.Hang, where.Body = 2, 4, l.Faint.Span(e.Sentence)
	return append(list, where)
}

// evidenceBlocks shows an item with the result of its check and its quoted lines.
func (d Details) evidenceBlocks(l *theme.Look, id string) []Block {
	e := d.State.Item(id)
	if e == nil {
		return nil
	}
	glyph, st, word := evidenceSign(l, e)
	about := view.Join(", ", string(e.SourceKind), fmt.Sprintf("by %s, round %d", e.OfferedBy, e.Round))
	if e.Direct {
		about += ", direct"
		if e.Contested != "" {
			about += ", contested by " + e.Contested
		}
	}
	list := []Block{
		{
			Indent: 2, Lead: st.Span(glyph + " " + e.ID + " "), sign: st.Span(string(e.Relation) + "  "),
			Body: l.Text.Span(e.Reference), Right: st.Span(word), Hang: 4,
		},
		{Indent: 4, Body: l.Faint.Span(view.Join("; ", about, e.Reason))},
	}
	list = append(list, quoted(l, e)...)
	for i := range list {
		list[i].cites = e.ID
	}
	return list
}

// quoted shows the quoted lines of an item, with line numbers if its reference has them.
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

// outdented returns the lines of a text without their common indentation.
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

// firstLine returns the first line number in a reference, or 0.
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

// KnownBlocks shows a conflict, a fact or an evidence item.
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
	about := fmt.Sprintf("%s, round %d", f.Label(), f.Round)
	if !f.Live {
		about += ", superseded"
	}
	list := []Block{{Body: l.Bold.Span(f.Text)}, {Body: l.Faint.Span(about)}}
	if f.Supersedes != "" {
		list = append(list, Block{Body: l.Faint.Span("supersedes " + f.Supersedes)})
	}
	if f.Tag == ledger.TagUnverified {
		hint := "A hypothesis of a seat: it supports nothing until it is verified."
		list = append(list, Block{Body: l.Unresolved.Span(hint)})
	}
	return append(list, d.bearsOn(l, id)...)
}

// bearsOn shows the points that contradict the fact according to a seat.
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
		by := "by " + string(p.Violates[i].By) + ", not confirmed"
		if p.Violates[i].Confirmed {
			by = "by " + string(p.Violates[i].By) + ", confirmed by you"
		}
		list = append(list, Block{
			Indent: 2, Lead: l.Bold.Span(p.ID + "  "), Body: l.Text.Span(p.Text), Right: l.Faint.Span(by),
		})
	}
	return list
}

// pointBlocks shows a point: its text, its ruling and the reason, its history, its challenges
// and its evidence.
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
	open := fmt.Sprintf("%d of %d open", d.Status.open(p), len(ids))
	list := []Block{{Section: "Challenges", Right: l.Faint.Span(open)}}
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

// confidenceBlocks shows the confidence of each seat over the rounds, and its retreats and
// rigidity (ST3).
func (d Details) confidenceBlocks(l *theme.Look, p *state.Point) []Block {
	only := *d.State
	only.Confidence = state.List[state.Confidence]{}
	var items state.List[ledger.Evidence]
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
	list := []Block{
		{Section: "Confidence"},
		{Indent: 2, Lead: l.Faint.Span(fmt.Sprintf("%-*s  ", widest, "round")), Body: l.Faint.Span(head.String())},
	}
	for _, seat := range order {
		list = append(list, Block{
			Indent: 2, Lead: l.SeatStyle(seat).Span(fmt.Sprintf("%-*s  ", widest, seat)),
			Body: l.Text.Span(strings.Join(numbers[seat][1:last+1], "  ")),
		})
	}
	for _, id := range p.Evidence {
		if e := d.State.Item(id); e != nil {
			items = items.Append(e)
		}
	}
	only.Evidence = items
	for _, seat := range order {
		list = append(list, calibrationBlocks(l, seat, resolver.Calibrate(&only, seat))...)
	}
	return list
}

// calibrationBlocks shows the retreats and the rigidity of a seat.
func calibrationBlocks(l *theme.Look, seat state.Seat, found resolver.Calibration) []Block {
	var list []Block
	warn := func(lead, text string) {
		lead = l.Glyphs.Warn + " " + lead + "  "
		list = append(list, Block{Indent: 2, Lead: l.Warn.Span(lead), Body: l.Text.Span(text)})
	}
	for _, shift := range found.Shifts {
		if shift.Uncaused() > 0 {
			warn("retreat", fmt.Sprintf("%s in round %d: %.2f to %.2f without a cause; %.2f counts",
				seat, shift.Now.Round, shift.Before.Stated, shift.Now.Stated, shift.Now.Admitted))
		}
	}
	for _, counter := range found.Counter {
		if !counter.Moved {
			warn("rigid", fmt.Sprintf("%s did not move when %s %s it in round %d",
				seat, counter.Item.ID, counter.Item.Relation, counter.Item.Round))
		}
	}
	return list
}

// noteBlocks shows the remarks on a point: drifts, the arbiter's flags, notes, and questions
// to the user.
func (d Details) noteBlocks(l *theme.Look, id string) []Block {
	var list []Block
	put := func(st theme.Style, lead, text string) {
		list = append(list, Block{Indent: 2, Lead: st.Span(lead + "  "), Body: l.Text.Span(text)})
	}
	for _, n := range d.State.Drifts.All() {
		if n.Point == id {
			text := fmt.Sprintf("%s in round %d: from %s to %s", n.Seat, n.Round, n.From, n.To)
			if n.Kept {
				text += "; the earlier position holds"
			}
			put(l.Warn, l.Glyphs.Warn+" drift", text)
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
		text, st := q.Text, l.Warn
		if q.Answered {
			text, st = text+" "+l.Glyphs.Arrow+" "+cmp.Or(q.Answer, "no answer"), l.Faint
		}
		put(st, l.Glyphs.Unresolved+" "+q.ID+" asks you", text)
	}
	if list == nil {
		return nil
	}
	return append([]Block{{Section: "Remarks"}}, list...)
}

// rounds finds the round of an event. It reads each event once.
type rounds struct {
	seen int
	// begun contains the first event of each round.
	begun []int
}

// Add reads the new events.
func (r *rounds) Add(events []state.Event) {
	for ; r.seen < len(events); r.seen++ {
		if _, ok := events[r.seen].Data.(*state.RoundStarted); ok {
			r.begun = append(r.begun, events[r.seen].Seq)
		}
	}
}

// Of returns the round of an event, or 0 before the first round.
func (r *rounds) Of(seq int) int { return sort.SearchInts(r.begun, seq+1) }

// history finds the events of each point. It reads each event once.
type history struct {
	events []state.Event
	seen   int
	places map[string][]int
	rounds rounds
}

// Add reads the new events.
func (h *history) Add(events []state.Event) {
	if len(events) < h.seen {
		// A replay shows the first events, which are known already.
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

// Of returns the events of a point up to an event.
func (h *history) Of(id string, upTo int) []state.Event {
	var list []state.Event
	for _, at := range h.places[id] {
		if e := h.events[at]; e.Seq <= upTo {
			list = append(list, e)
		}
	}
	return list
}

// bearsOnPoints returns the points to whose history an event belongs.
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
	case *state.ConfidenceChanged:
		return []string{p.Point}
	case *state.FieldProposed:
		return []string{p.Point}
	case *state.FieldRevised:
		return []string{p.Point}
	case *state.FieldWithdrawn:
		return []string{p.Point}
	}
	return nil
}

// historyBlocks shows the events of a point, one in each line.
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

// because explains the ruling on a point, if there is one.
func (d Details) because(id string) (resolver.Explanation, bool) {
	r := view.RulingOn(d.Rulings, id)
	if r == nil {
		return resolver.Explanation{}, false
	}
	return resolver.Because(*d.State, *r), true
}

// ReceiptBlocks explains the ruling on a point.
func (d Details) ReceiptBlocks(l *theme.Look, id string) []Block {
	r := view.RulingOn(d.Rulings, id)
	if r == nil {
		return []Block{{Body: l.Faint.Span("Nothing has ruled on " + id + " yet.")}}
	}
	why := view.Why(d.State, r)
	return DocumentBlocks(l, &why)
}

// whereBlock shows the ruling on a point and what its bucket means.
func (d Details) whereBlock(l *theme.Look, e *resolver.Explanation) Block {
	glyph, st, _ := l.Bucket(e.Ruling.Bucket)
	b := Block{Lead: st.Span(glyph + " " + view.Ruling(&e.Ruling) + "  "), Body: l.Faint.Span(e.Means), Hang: 2}
	if p := d.State.Point(e.Point); p != nil && p.UserRuling != nil {
		b.Right = l.User.Span(l.Glyphs.User + " user")
	}
	return b
}

// becauseBlocks shows the rule's sentence and the items that it read.
func becauseBlocks(l *theme.Look, e *resolver.Explanation) []Block {
	list := []Block{
		{Section: "Because", Right: l.Faint.Span(e.Rule)},
		{Indent: 2, Body: l.Text.Span(e.Sentence)},
	}
	if e.Says != "" {
		list = append(list, Block{Indent: 2, Body: l.Faint.Span(e.Says)})
	}
	if e.Ruling.Crux != "" {
		list = append(list, Block{Indent: 2, Lead: l.Bold.Span("crux  "), Body: l.Text.Span(e.Ruling.Crux)})
	}
	if len(e.Reads) == 0 {
		return list
	}
	widest := 0
	for i := range e.Reads {
		widest = max(widest, len(e.Reads[i].ID))
	}
	list = append(list, Block{Section: "It read"})
	for i := range e.Reads {
		id := fmt.Sprintf("%-*s  ", widest, e.Reads[i].ID)
		b := Block{Indent: 2, Lead: l.Bold.Span(id), Body: l.Text.Span(e.Reads[i].What)}
		if strings.HasPrefix(id, "E") {
			b.cites = e.Reads[i].ID
		}
		list = append(list, b)
	}
	return list
}
