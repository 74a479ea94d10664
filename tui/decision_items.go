package tui

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
	// id is what can be selected and opened, or "".
	id string
	// write says it; it is asked once it is drawn, looked through or copied: most of
	// a long list never is.
	write   func() []block
	written []block
	// copies is what is copied where that is more than what is shown, nil where it
	// is not.
	copies func() string
}

// blocks are what the item says.
func (i *decisionItem) blocks() []block {
	if i.written == nil {
		i.written = i.write()
	}
	return i.written
}

// text is what the item says in a line.
func (i *decisionItem) text() string {
	var parts []string
	for _, b := range i.blocks() {
		parts = append(parts, b.section, b.lead.Text+b.sign.Text+b.body.Text, b.right.Text)
	}
	return strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
}

// decisionItems make what the view of the decision lists.
type decisionItems struct {
	decisionWords
	look *theme.Look
	list []decisionItem
}

func (d *decisionItems) add(id string, write func() []block) {
	d.list = append(d.list, decisionItem{id: id, write: write})
}

func (d *decisionItems) section(title, right string) {
	d.add("", func() []block { return []block{{section: title, right: d.look.Faint.Span(right)}} })
}

// short is a text of somebody's, escaped and bounded.
func (d *decisionItems) short(text string) string { return d.look.Clip(plain.Line(text), mostSaid) }

// all lists a resolution whole. Before are the rounds before it.
func (d *decisionItems) all(before []decisionItem) []decisionItem {
	d.add(decisionID, d.headline)
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
func (d *decisionItems) headline() []block {
	l, o := d.look, d.outcome
	glyph, st, _ := decisionTone(string(o.Decision)).signs(l)
	blocks := []block{
		{lead: st.Span(glyph + " " + string(o.Decision)), body: l.Bold.Span(fmt.Sprintf("   round %d of %d", o.Round, o.Rounds))},
		{indent: 2, body: l.Text.Span(d.short(capital(d.sentence()) + "."))},
	}
	if next := d.next(); next != "" {
		blocks = append(blocks, block{indent: 2, body: when(d.state.Over(), l.Faint, l.User).Span(d.short(capital(next) + "."))})
	}
	if o.Changed && !d.state.Over() {
		blocks = append(blocks, block{indent: 2, lead: l.Warn.Span(l.Glyphs.Warn + " "), body: l.Warn.Span("Changed since: it will be resolved again.")})
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
		d.add(c.ID, func() []block {
			who, what := d.owedFor(c)
			return d.objectionBlocks(c, who, what)
		})
	}
	for _, f := range fields {
		d.add(f.point.ID, func() []block { return d.fieldBlocks(&f) })
	}
}

// fieldBlocks are a field with the gates that it fails, and what is owed for it.
func (d *decisionItems) fieldBlocks(f *heldField) []block {
	l := d.look
	who, what := d.owedOf(*f)
	return append([]block{{
		lead: l.Dismissed.Span(l.Glyphs.Refused + " " + f.point.ID + "  "), body: l.Text.Span(d.short(f.point.Field.Path)),
		right: l.Dismissed.Span("fails " + listed(f.gates)), hang: 4,
	}}, d.owedBlocks(who, what)...)
}

// objectionBlocks are an objection with how it came out, and what is owed for it.
func (d *decisionItems) objectionBlocks(c *state.Challenge, who, what string) []block {
	l, came := d.look, d.objected.Of(c)
	glyph, st := cameSign(l, &came)
	return append([]block{
		{
			lead: st.Span(glyph + " " + c.ID + "  "), sign: l.Bold.Span(c.Typed.Severity + "  "), body: l.Text.Span(d.path(c)),
			right: st.Span(came.Words("you")), hang: 4,
		},
		{indent: 4, body: l.Text.Span(d.short(c.Objection))},
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
func (d *decisionItems) owedBlocks(who, what string) []block {
	if who == "" {
		return nil
	}
	l := d.look
	return []block{{
		indent: 4, lead: l.Faint.Span(l.Glyphs.Arrow + " "), sign: when(who == "you", l.User, l.SeatStyle(state.Seat(who))).Span("owed by " + who + "  "),
		body: l.Faint.Span(d.short(what)), hang: 6,
	}}
}

// gates are all of them, those that fail with their reasons.
func (d *decisionItems) gates() {
	gates := d.outcome.Artifact.Validation.Gates
	d.section("Gates", fmt.Sprintf("%d of %d pass", len(gates)-len(d.failing()), len(gates)))
	for i := range gates {
		d.add(gates[i].Gate, func() []block { return d.gateBlocks(&gates[i]) })
	}
}

func (d *decisionItems) gateBlocks(g *dialectic.GateResult) []block {
	l := d.look
	glyph, st, _ := when(g.Pass, toneGood, toneBad).signs(l)
	b := block{lead: st.Span(glyph + " " + g.Gate + "  "), sign: when(g.Pass, l.Text, l.Bold).Span(gateName(g.Gate)), right: st.Span(when(g.Pass, "passes", "fails")), hang: 6}
	if g.Pass {
		if len(g.Reasons) > 0 {
			b.body = l.Faint.Span("  " + d.short(strings.Join(g.Reasons, "; ")))
		}
		return []block{b}
	}
	blocks := []block{b}
	for i, reason := range g.Reasons {
		if i == mostReasons {
			blocks = append(blocks, block{indent: 6, body: l.Faint.Span(fmt.Sprintf("and %d more", len(g.Reasons)-i))})
			break
		}
		blocks = append(blocks, block{indent: 6, body: l.Text.Span(d.short(d.named(reason)))})
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
		d.add(c.ID, func() []block { return d.objectionBlocks(c, "", "") })
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
			id: receiptPrefix + strconv.Itoa(r.Seq),
			write: func() []block {
				glyph, st, _ := outcomeTone(r.Outcome).signs(l)
				where := fmt.Sprintf("%*d  %-*s  ", len(strconv.Itoa(len(receipts))), r.Seq, about, receiptAbout(r))
				return []block{{
					lead: l.Faint.Span(where), sign: st.Span(fmt.Sprintf("%s %-*s  ", glyph, outcome, r.Outcome)),
					body: l.Faint.Span(d.short(d.named(r.Reason))), right: l.Faint.Span(shortHash(r.Hash)), single: true,
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
	return decisionItem{id: fmt.Sprintf("#%d", seq), written: []block{{
		lead: st.Span(glyph + " " + string(o.Decision) + "  "), sign: l.Bold.Span(fmt.Sprintf("round %d  ", o.Round)),
		body: l.Faint.Span(d.short(strings.Join(d.holding(), "; "))), hang: 4,
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
