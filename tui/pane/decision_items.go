package pane

import (
	"fmt"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
	"moot/tui/theme"
)

// The ids of what can be selected in the view of the decision beside objections,
// fields and gates: the decision itself, and what receipts begin with. An earlier
// round is the event of its resolution, "#57".
const (
	decisionID    = "decision"
	receiptPrefix = "receipt "
)

// mostSaid is how many cells of a text the view shows; all of it is read where it
// is opened. mostReasons is how many reasons of a gate.
const mostSaid, mostReasons = 300, 6

// decisionItem is one thing in the view of the decision.
type decisionItem struct {
	// ID is what can be selected and opened, or "".
	ID string
	// write says it; it is asked once it is drawn, looked through or copied: most of
	// a long list never is.
	write   func() []Block
	written []Block
	// copies is what is copied where that is more than what is shown, nil where it
	// is not.
	copies func() string
}

// blocks are what the item says.
func (i *decisionItem) blocks() []Block {
	if i.written == nil {
		i.written = i.write()
	}
	return i.written
}

// text is what the item says in a line.
func (i *decisionItem) text() string {
	var parts []string
	for _, b := range i.blocks() {
		parts = append(parts, b.Section, b.Lead.Text+b.sign.Text+b.Body.Text, b.Right.Text)
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// decisionItems make what the view of the decision lists.
type decisionItems struct {
	decisionWords
	look *theme.Look
	list []decisionItem
}

func (d *decisionItems) Add(id string, write func() []Block) {
	d.list = append(d.list, decisionItem{ID: id, write: write})
}

func (d *decisionItems) section(title, right string) {
	d.Add("", func() []Block { return []Block{{Section: title, Right: d.look.Faint.Span(right)}} })
}

// short is a text of somebody's, escaped and bounded.
func (d *decisionItems) short(text string) string { return d.look.Clip(plain.Line(text), mostSaid) }

// all lists a resolution whole. Before are the rounds before it.
func (d *decisionItems) all(before []decisionItem) []decisionItem {
	d.Add(decisionID, d.headline)
	d.matters()
	d.gates()
	d.warnings()
	if len(before) > 0 {
		d.section("Rounds before", "")
		d.list = append(d.list, before...)
	}
	d.receipts()
	return d.list
}

// headline is the decision, why, and what comes of it.
func (d *decisionItems) headline() []Block {
	l, o := d.look, d.outcome
	glyph, st, _ := decisionTone(string(o.Decision)).signs(l)
	blocks := []Block{
		{Lead: st.Span(glyph + " " + string(o.Decision)), Body: l.Bold.Span(fmt.Sprintf("   round %d of %d", o.Round, o.Rounds))},
		{Indent: 2, Body: l.Text.Span(d.short(capital(d.sentence()) + "."))},
	}
	if next := d.next(); next != "" {
		blocks = append(blocks, Block{Indent: 2, Body: when(d.state.Over(), l.Faint, l.User).Span(d.short(capital(next) + "."))})
	}
	if o.Changed && !d.state.Over() {
		blocks = append(blocks, Block{Indent: 2, Lead: l.Warn.Span(l.Glyphs.Warn + " "), Body: l.Warn.Span("Changed since: it will be resolved again.")})
	}
	return blocks
}

// matters are what holds the proposal, and who owes what for it.
func (d *decisionItems) matters() {
	standing, fields := d.standing(), d.fields()
	if len(standing)+len(fields) == 0 {
		return
	}
	d.section("What holds it", strconv.Itoa(len(standing)+len(fields)))
	for _, c := range standing {
		d.Add(c.ID, func() []Block {
			who, what := d.owedFor(c)
			return d.objectionBlocks(c, who, what)
		})
	}
	for _, f := range fields {
		d.Add(f.point.ID, func() []Block { return d.fieldBlocks(&f) })
	}
}

// fieldBlocks are a field with the gates that it fails, and what is owed for it.
func (d *decisionItems) fieldBlocks(f *heldField) []Block {
	l := d.look
	who, what := d.owedOf(*f)
	return append([]Block{{
		Lead: l.Dismissed.Span(l.Glyphs.Refused + " " + f.point.ID + "  "), Body: l.Text.Span(d.short(f.point.Field.Path)),
		Right: l.Dismissed.Span("fails " + listed(f.gates)), Hang: 4,
	}}, d.owedBlocks(who, what)...)
}

// objectionBlocks are an objection with how it came out, and what is owed for it.
func (d *decisionItems) objectionBlocks(c *state.Challenge, who, what string) []Block {
	l, came := d.look, d.objected.Of(c)
	glyph, st := cameSign(l, &came)
	return append([]Block{
		{
			Lead: st.Span(glyph + " " + c.ID + "  "), sign: l.Bold.Span(c.Typed.Severity + "  "), Body: l.Text.Span(d.path(c)),
			Right: st.Span(came.Words("you")), Hang: 4,
		},
		{Indent: 4, Body: l.Text.Span(d.short(c.Objection))},
	}, d.owedBlocks(who, what)...)
}

// path is the field that an objection attacks.
func (d *decisionItems) path(c *state.Challenge) string {
	if p := d.state.Point(c.Point); p != nil && p.Field != nil {
		return d.short(p.Field.Path)
	}
	return c.Point
}

// owedBlocks say who owes what; nothing where nobody does.
func (d *decisionItems) owedBlocks(who, what string) []Block {
	if who == "" {
		return nil
	}
	l := d.look
	return []Block{{
		Indent: 4, Lead: l.Faint.Span(l.Glyphs.Arrow + " "), sign: when(who == "you", l.User, l.SeatStyle(state.Seat(who))).Span("owed by " + who + "  "),
		Body: l.Faint.Span(d.short(what)), Hang: 6,
	}}
}

// gates are all of them, those that fail with their reasons.
func (d *decisionItems) gates() {
	gates := d.outcome.Artifact.Validation.Gates
	d.section("Gates", fmt.Sprintf("%d of %d pass", len(gates)-len(d.failing()), len(gates)))
	for i := range gates {
		d.Add(gates[i].Gate, func() []Block { return d.gateBlocks(&gates[i]) })
	}
}

func (d *decisionItems) gateBlocks(g *dialectic.GateResult) []Block {
	l := d.look
	glyph, st, _ := when(g.Pass, toneGood, toneBad).signs(l)
	b := Block{Lead: st.Span(glyph + " " + g.Gate + "  "), sign: when(g.Pass, l.Text, l.Bold).Span(gateName(g.Gate)), Right: st.Span(when(g.Pass, "passes", "fails")), Hang: 6}
	if g.Pass {
		if len(g.Reasons) > 0 {
			b.Body = l.Faint.Span("  " + d.short(strings.Join(g.Reasons, "; ")))
		}
		return []Block{b}
	}
	blocks := []Block{b}
	for i, reason := range g.Reasons {
		if i == mostReasons {
			blocks = append(blocks, Block{Indent: 6, Body: l.Faint.Span(fmt.Sprintf("and %d more", len(g.Reasons)-i))})
			break
		}
		blocks = append(blocks, Block{Indent: 6, Body: l.Text.Span(d.short(d.named(reason)))})
	}
	return blocks
}

// warnings are the objections that stand against the proposal and hold nothing.
func (d *decisionItems) warnings() {
	warning := d.warning()
	if len(warning) == 0 {
		return
	}
	d.section("Only warns", strconv.Itoa(len(warning)))
	for _, c := range warning {
		d.Add(c.ID, func() []Block { return d.objectionBlocks(c, "", "") })
	}
}

// receipts are the chain, a row for each.
func (d *decisionItems) receipts() {
	l, receipts := d.look, d.outcome.Receipts
	if len(receipts) == 0 {
		return
	}
	d.section("Receipts", fmt.Sprintf("%d, each chained to the one before", len(receipts)))
	about, outcome := 0, 0
	for i := range receipts {
		about, outcome = max(about, len(receiptAbout(&receipts[i]))), max(outcome, len(receipts[i].Outcome))
	}
	for i := range receipts {
		r := &receipts[i]
		d.list = append(d.list, decisionItem{
			ID: receiptPrefix + strconv.Itoa(r.Seq),
			write: func() []Block {
				glyph, st, _ := outcomeTone(r.Outcome).signs(l)
				where := fmt.Sprintf("%*d  %-*s  ", len(strconv.Itoa(len(receipts))), r.Seq, about, receiptAbout(r))
				return []Block{{
					Lead: l.Faint.Span(where), sign: st.Span(fmt.Sprintf("%s %-*s  ", glyph, outcome, r.Outcome)),
					Body: l.Faint.Span(d.short(d.named(r.Reason))), Right: l.Faint.Span(shortHash(r.Hash)), single: true,
				}}
			},
			copies: func() string {
				return fmt.Sprintf("%d %s %s: %s\nprev %s\nhash %s", r.Seq, receiptAbout(r), r.Outcome, d.named(r.Reason), r.Prev, r.Hash)
			},
		})
	}
}

// receiptAbout is the rule of a receipt, and its objection where it is about one.
func receiptAbout(r *dialectic.Receipt) string {
	return r.Rule + when(r.Subject == resolver.ProposalID, "", " "+r.Subject)
}

// roundItem is an earlier round: what was decided then, and why.
func roundItem(l *theme.Look, s *state.State, o *resolver.Outcome, seq int) decisionItem {
	glyph, st, _ := decisionTone(string(o.Decision)).signs(l)
	d := decisionItems{decisionWords: newDecisionWords(s, o), look: l}
	return decisionItem{ID: fmt.Sprintf("#%d", seq), written: []Block{{
		Lead: st.Span(glyph + " " + string(o.Decision) + "  "), sign: l.Bold.Span(fmt.Sprintf("round %d  ", o.Round)),
		Body: l.Faint.Span(d.short(strings.Join(d.holding(), "; "))), Hang: 4,
	}}}
}

// outcomeTone is the tone of what a receipt says came out.
func outcomeTone(outcome string) tone {
	switch outcome {
	case string(dialectic.Cleared), "PASS":
		return toneGood
	case string(dialectic.Upheld), "FAIL":
		return toneBad
	case string(dialectic.Unresolved):
		return toneDoubt
	case string(dialectic.Moot):
		return toneQuiet
	}
	return decisionTone(outcome)
}

// shortHash is the beginning of a hash, as far as it is compared by eye.
func shortHash(hash string) string { return fmt.Sprintf("%.8s", hash) }

// capital begins a sentence.
func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
