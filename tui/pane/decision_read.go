package pane

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
	"moot/tui/theme"
)

// openedItem is an item of the decision as it is read in a dialog.
type openedItem struct {
	Heading string
	// Subject is what a receipt is about, or "".
	Subject string
	Blocks  func(l *theme.Look, about Details) []Block
}

// Open returns the item to read for an id: a receipt, a gate, the decision or an
// earlier round; nil for none. With why set, an objection opens its receipt.
func (p *Decision) Open(id string, why bool) *openedItem {
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
	return &openedItem{
		Heading: fmt.Sprintf("Receipt %d of %d", r.Seq, len(p.Outcome.Receipts)), Subject: r.Subject,
		Blocks: func(l *theme.Look, about Details) []Block {
			d.look = l
			return d.ReceiptBlocks(about, at)
		},
	}
}

// openRound returns an earlier resolution by the number of its event.
func (p *Decision) openRound(seq string) *openedItem {
	i := slices.IndexFunc(p.state.Dialectic.Resolved, func(r state.Resolution) bool { return strconv.Itoa(r.Seq) == seq })
	o, err := p.Reads.at(&p.state, i)
	if err != nil || o == nil {
		return nil
	}
	return &openedItem{
		Heading: fmt.Sprintf("Round %d: %s", o.Round, o.Decision),
		Blocks: func(l *theme.Look, _ Details) []Block {
			return roundBlocks(l, newDecisionWords(&p.state, o))
		},
	}
}

// gate is the gate with the id, or nil.
func (w decisionWords) gate(id string) *dialectic.GateResult {
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
	list := []Block{{Lead: st.Span(glyph + " " + r.Outcome + "  "), sign: l.Bold.Span(r.Rule + "  "), Body: l.Text.Span(when(gateName(r.Rule) != "", gateName(r.Rule), when(r.Subject == resolver.ProposalID, "", r.Subject))), Right: l.Faint.Span(fmt.Sprintf("round %d", r.Round))}}
	reasons := []string{r.Reason}
	if g := d.gate(r.Rule); g != nil && !g.Pass {
		reasons = g.Reasons
	}
	for _, reason := range reasons {
		list = append(list, Block{Indent: 2, Body: l.Text.Span(d.named(reason))})
	}
	if says := resolver.ProposalRuleSays(r.Rule); says != "" && r.Rule != decisionID {
		list = append(list, Block{Indent: 2, Body: l.Faint.Span(says)})
	}
	if asked := askedFor(r); asked != "" {
		list = append(list, Block{Indent: 2, Body: l.Faint.Span(asked)})
	}
	list = append(list, d.readBlocks(of, r)...)
	list = append(list, Block{Section: "Its place in the chain"})
	whole, fits := "the hashes of all receipts fit", toneGood
	if _, err := dialectic.Replay(d.outcome.Receipts); err != nil {
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
func askedFor(r *dialectic.Receipt) string {
	if !strings.HasPrefix(r.Rule, "R") || r.Threshold == 0 {
		return ""
	}
	return fmt.Sprintf("Asked for a confidence of %.2f; found %.2f.", r.Threshold, r.Observed)
}

// readBlocks are the items that a receipt read.
func (d *decisionItems) readBlocks(of Details, r *dialectic.Receipt) []Block {
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
	glyph, st, _ := decisionTone(string(w.outcome.Decision)).signs(l)
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
