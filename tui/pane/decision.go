package pane

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// Decision shows what code decided of the proposal: the decision and why, what
// holds it, the gates, the rounds before, and the receipts.
type Decision struct {
	List
	state   state.State
	items   []decisionItem
	Reads   *Decisions
	Outcome *dialectic.Outcome
	err     error
	basis   decisionBasis
	// past are the rounds before, by the places of their events: they stay as they
	// are.
	past map[int]decisionItem
}

// NewDecision returns an empty pane.
func NewDecision(l *theme.Look, reads *Decisions) *Decision {
	p := &Decision{List: List{Look: l, At: -1}, Reads: reads, past: map[int]decisionItem{}}
	p.Draw = p.drawItem
	p.Key = func(i int) string { return p.items[i].ID }
	p.Text = func(i int) string { return p.items[i].text() }
	return p
}

// SetState takes over what stands now, and what code decided of it: nil where no
// round was resolved, or where the error says why that cannot be read.
func (p *Decision) SetState(s state.State, o *dialectic.Outcome, err error) {
	p.state, p.Outcome, p.err = s, o, err
	if basis := basisOf(&s); basis != p.basis {
		p.basis = basis
		p.fill()
	}
}

// decisionBasis is what the view of the decision hangs on, by the places of events
// and by counts: most events of a session leave it as it is.
type decisionBasis struct {
	resolved, changed, round             int
	questions, answered, requests, given int
	paused                               state.PauseKind
	exit                                 state.Exit
}

func basisOf(s *state.State) decisionBasis {
	last := s.Dialectic.Last()
	if last == nil {
		return decisionBasis{}
	}
	b := decisionBasis{
		resolved: last.Seq, changed: dialectic.ProposalChanged(s), round: s.Round, questions: s.Questions.Len(), requests: s.Requests.Len(),
		paused: s.Paused, exit: s.Exit,
	}
	for _, q := range s.Questions.All() {
		b.answered += when(q.Answered, 1, 0)
	}
	for _, r := range s.Requests.All() {
		b.given += when(r.Open(), 0, 1)
	}
	return b
}

// SetLook implements Pane.
func (p *Decision) SetLook(l *theme.Look) {
	p.List.SetLook(l)
	clear(p.past)
	p.fill()
}

// fill lists what was decided, in the present look.
func (p *Decision) fill() {
	p.items = nil
	if p.Outcome != nil {
		d := decisionItems{decisionWords: newDecisionWords(&p.state, p.Outcome), look: p.Look}
		p.items = d.all(p.before())
	}
	p.SetCount(len(p.items))
}

// before are the resolutions before the last one, in their order.
func (p *Decision) before() []decisionItem {
	var list []decisionItem
	for i := range len(p.state.Dialectic.Resolved) - 1 {
		seq := p.state.Dialectic.Resolved[i].Seq
		item, made := p.past[seq]
		if !made {
			o, err := p.Reads.at(&p.state, i)
			if err != nil {
				continue
			}
			item = roundItem(p.Look, &p.state, o, seq)
			p.past[seq] = item
		}
		list = append(list, item)
	}
	return list
}

// Rounds is how many rounds there can be.
func (p *Decision) Rounds() int {
	if p.Outcome != nil {
		return p.Outcome.Rounds
	}
	return resolver.LastRound(&p.state)
}

// Title implements Pane.
func (p *Decision) Title() string {
	if p.Outcome != nil {
		return fmt.Sprintf("%s %s", DecisionID, p.Outcome.Decision)
	}
	return DecisionID.String()
}

// View implements Pane.
func (p *Decision) View(width, height int) []string {
	if p.N > 0 {
		return p.RowsOrEmpty(width, height, "")
	}
	return Fit(p.Look.Paragraph(width, []theme.Span{{Text: "  "}}, p.Look.Faint.Span(p.nothing()), nil, 0), width, height)
}

// nothing says why there is no decision to show.
func (p *Decision) nothing() string {
	switch {
	case p.err != nil:
		return "The decision cannot be shown: " + p.err.Error() + ". The record holds it as it was written; moot verify checks it."
	case p.state.Over():
		return "The session ended before a round was resolved."
	}
	return "No round is resolved yet. At the end of each round code decides: ADVANCE, HOLD or ESCALATE."
}

// drawItem draws an item behind the mark; a headline takes the whole width.
func (p *Decision) drawItem(i, width int, mark theme.Span) []string {
	if width <= 0 {
		return []string{""}
	}
	item := &p.items[i]
	var rows []string
	blocks := item.blocks()
	for k := range blocks {
		b := &blocks[k]
		if b.Section != "" {
			rows = append(rows, b.Rows(p.Look, width, i == 0)...)
			continue
		}
		for _, row := range b.Rows(p.Look, width-1, true) {
			rows = append(rows, when(len(rows) == 0, mark.Style.Paint(mark.Text), " ")+row)
		}
	}
	return rows
}

// Copied is the text of what is selected, of a receipt with its whole hash.
func (p *Decision) Copied() string {
	if p.At >= 0 && p.At < p.N && p.items[p.At].copies != nil {
		return p.items[p.At].copies()
	}
	return p.List.Copied()
}

// Decisions are what the resolutions of a session say. Each is read once, however
// often it is shown.
type Decisions struct {
	// read holds them by the places of their events.
	read map[int]readOutcome
}

// readOutcome is one resolution, or why it cannot be read.
type readOutcome struct {
	outcome *dialectic.Outcome
	err     error
}

// NewDecisions returns an empty cache.
func NewDecisions() *Decisions { return &Decisions{read: map[int]readOutcome{}} }

// Last is what code last said of the proposal; nil where no round was resolved.
func (d *Decisions) Last(s *state.State) (*dialectic.Outcome, error) {
	return d.at(s, len(s.Dialectic.Resolved)-1)
}

// at is what the resolution at a place of the state's list says, counted from 0;
// nil where there is none.
func (d *Decisions) at(s *state.State, i int) (*dialectic.Outcome, error) {
	if i < 0 || i >= len(s.Dialectic.Resolved) {
		return nil, nil //nolint:nilnil // nothing was resolved, and nothing is wrong
	}
	seq := s.Dialectic.Resolved[i].Seq
	known, found := d.read[seq]
	if !found {
		then := *s
		then.Dialectic.Resolved = s.Dialectic.Resolved[:i+1]
		known.outcome, known.err = dialectic.OutcomeOf(&then)
		d.read[seq] = known
	}
	if known.err != nil || known.outcome == nil {
		return nil, known.err
	}
	now := *known.outcome
	now.Changed = seq < dialectic.ProposalChanged(s)
	return &now, nil
}

// OpenedItem is an item of the decision as it is read in a dialog.
type OpenedItem struct {
	Heading string
	// Subject is what a receipt is about, or "".
	Subject string
	Blocks  func(l *theme.Look, about Details) []Block
}

// Open returns the item to read for an id: a receipt, a gate, the decision or an
// earlier round; nil for none. With why set, an objection opens its receipt.
func (p *Decision) Open(id string, why bool) *OpenedItem {
	if p.Outcome == nil {
		return nil
	}
	if seq, found := strings.CutPrefix(id, "#"); found {
		return p.openRound(seq)
	}
	d := &decisionItems{decisionWords: newDecisionWords(&p.state, p.Outcome), look: p.Look}
	at := -1
	if seq, found := strings.CutPrefix(id, receiptPrefix); found {
		if n, err := strconv.Atoi(seq); err == nil {
			at = n - 1
		}
	} else if why || id == decisionID || d.gate(id) != nil {
		at = d.receiptOf(id)
	}
	if at < 0 || at >= len(p.Outcome.Receipts) {
		return nil
	}
	r := &p.Outcome.Receipts[at]
	return &OpenedItem{
		Heading: fmt.Sprintf("Receipt %d of %d", r.Seq, len(p.Outcome.Receipts)), Subject: r.Subject,
		Blocks: func(l *theme.Look, about Details) []Block {
			d.look = l
			return d.ReceiptBlocks(about, at)
		},
	}
}

// openRound returns an earlier resolution by the number of its event.
func (p *Decision) openRound(seq string) *OpenedItem {
	i := slices.IndexFunc(p.state.Dialectic.Resolved, func(r state.Resolution) bool { return strconv.Itoa(r.Seq) == seq })
	o, err := p.Reads.at(&p.state, i)
	if err != nil || o == nil {
		return nil
	}
	return &OpenedItem{
		Heading: fmt.Sprintf("Round %d: %s", o.Round, o.Decision),
		Blocks: func(l *theme.Look, _ Details) []Block {
			return roundBlocks(l, newDecisionWords(&p.state, o))
		},
	}
}

// gate is the gate with the id, or nil.
func (w decisionWords) gate(id string) *gates.GateResult {
	gates := w.outcome.Artifact.Validation.Gates
	for i := range gates {
		if gates[i].Gate == id {
			return &gates[i]
		}
	}
	return nil
}

// ReceiptBlocks are a receipt whole: what came out and why, what its rule says,
// what it read, and its place in the chain.
func (d *decisionItems) ReceiptBlocks(of Details, at int) []Block {
	l, r := d.look, &d.outcome.Receipts[at]
	glyph, st, _ := outcomeTone(r.Outcome).signs(l)
	list := []Block{{Lead: st.Span(glyph + " " + r.Outcome + "  "), sign: l.Bold.Span(r.Rule + "  "), Body: l.Text.Span(when(gateName(r.Rule) != "", gateName(r.Rule), when(r.Subject == dialectic.ProposalID, "", r.Subject))), Right: l.Faint.Span(fmt.Sprintf("round %d", r.Round))}}
	reasons := []string{r.Reason}
	if g := d.gate(r.Rule); g != nil && !g.Pass {
		reasons = g.Reasons
	}
	for _, reason := range reasons {
		list = append(list, Block{Indent: 2, Body: l.Text.Span(d.named(reason))})
	}
	if says := dialectic.ProposalRuleSays(r.Rule); says != "" && r.Rule != decisionID {
		list = append(list, Block{Indent: 2, Body: l.Faint.Span(says)})
	}
	if asked := askedFor(r); asked != "" {
		list = append(list, Block{Indent: 2, Body: l.Faint.Span(asked)})
	}
	list = append(list, d.readBlocks(of, r)...)
	list = append(list, Block{Section: "Its place in the chain"})
	whole, fits := "the hashes of all receipts fit", toneGood
	if _, err := gates.Replay(d.outcome.Receipts); err != nil {
		whole, fits = err.Error(), toneBad
	}
	glyph, st, _ = fits.signs(l)
	return append(
		list,
		Block{Indent: 2, Lead: l.Faint.Span("before  "), Body: l.Text.Span(r.Prev), Hang: 10},
		Block{Indent: 2, Lead: l.Faint.Span("hash    "), Body: l.Text.Span(r.Hash), Hang: 10},
		Block{Indent: 2, Lead: st.Span(glyph + " "), Body: l.Faint.Span(whole)},
	)
}

// askedFor says what confidence was asked for and found, where the rule asks for
// any.
func askedFor(r *gates.Receipt) string {
	if !strings.HasPrefix(r.Rule, "R") || r.Threshold == 0 {
		return ""
	}
	return fmt.Sprintf("Asked for a confidence of %.2f; found %.2f.", r.Threshold, r.Observed)
}

// readBlocks are the items that a receipt read.
func (d *decisionItems) readBlocks(of Details, r *gates.Receipt) []Block {
	var list []Block
	if c := d.objection(r.Subject); c != nil {
		list = append(list, Block{Section: "About"}, Block{Indent: 2, Lead: d.look.Bold.Span(c.ID + "  "), sign: d.look.Bold.Span(c.Typed.Severity + "  "), Body: d.look.Text.Span(c.Objection)})
		list = append(list, of.aboutPoint(d.look, c.Point)...)
	}
	if len(r.Reads) == 0 {
		return list
	}
	list = append(list, Block{Section: "It read"})
	for _, id := range r.Reads {
		b := Block{Indent: 2, Lead: d.look.Bold.Span(id + "  "), Body: d.look.Text.Span(d.Read(of, id))}
		if d.state.Item(id) != nil {
			b.cites = id
		}
		list = append(list, b)
	}
	return list
}

// Read is what an id in a receipt stands for.
func (d *decisionItems) Read(of Details, id string) string {
	if g := d.gate(id); g != nil {
		return gateName(id) + when(g.Pass, ", passes", ", fails")
	}
	if number, found := strings.CutPrefix(id, "request "); found {
		if n, err := strconv.Atoi(number); err == nil && n >= 1 && n <= d.state.Requests.Len() {
			return d.state.Requests.At(n - 1).Text
		}
	}
	if e := d.state.Item(id); e != nil {
		return fmt.Sprintf("%s %.2f, %s %s: %s", e.SourceKind, e.Confidence, e.Relation, e.Point, e.Reference)
	}
	if c := d.objection(id); c != nil {
		return c.Typed.Severity + " on " + c.Point + ": " + c.Objection
	}
	return of.named(id)
}

// roundBlocks are a resolution in short: the decision, the gates, and each
// objection as it came out then.
func roundBlocks(l *theme.Look, w decisionWords) []Block {
	d := &decisionItems{decisionWords: w, look: l}
	glyph, st, _ := tone(dialectic.DecisionRole(string(w.outcome.Decision))).signs(l)
	list := []Block{
		{Lead: st.Span(glyph + " " + string(w.outcome.Decision)), Body: l.Bold.Span(fmt.Sprintf("   round %d of %d", w.outcome.Round, w.outcome.Rounds))},
		{Indent: 2, Body: l.Text.Span(capital(strings.Join(append(w.holding(), w.because()), "; ")) + ".")},
		{Section: "Gates", Right: l.Faint.Span(fmt.Sprintf("%d fail", len(w.failing())))},
	}
	for i := range w.outcome.Artifact.Validation.Gates {
		list = append(list, d.gateBlocks(&w.outcome.Artifact.Validation.Gates[i])...)
	}
	d.receipts()
	for i := range d.list {
		list = append(list, d.list[i].blocks()...)
	}
	return list
}
