package pane

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// decisionWords say in plain words what code decided of a proposal. The words
// quote seats: who draws them escapes them.
type decisionWords struct {
	state    *state.State
	outcome  *dialectic.Outcome
	objected *dialectic.Objections
}

func newDecisionWords(s *state.State, o *dialectic.Outcome) decisionWords {
	return decisionWords{s, o, dialectic.NewObjections(s, o)}
}

// gateName says in a word or two what a gate asks for.
func gateName(gate string) string {
	switch gate {
	case "G1":
		return "schema"
	case "G2":
		return "references"
	case "G3":
		return "nothing invented"
	case "G4":
		return "authority"
	case "G5":
		return "objections"
	case "G6":
		return "your facts"
	case "G7":
		return "evidence owed"
	case "G8":
		return "freshness"
	}
	return ""
}

// standing are the objections that hold the proposal, the gravest first.
func (w decisionWords) standing() []*state.Challenge {
	var list []*state.Challenge
	for _, r := range dialectic.Blocking(&w.outcome.Result) {
		if c := w.objection(r.Objection); c != nil {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b *state.Challenge) int {
		return dialectic.Gravity(a.Typed.Severity) - dialectic.Gravity(b.Typed.Severity)
	})
	return list
}

// warning are the objections that stand against the proposal and hold nothing.
func (w decisionWords) warning() []*state.Challenge {
	holds := map[string]bool{}
	for _, r := range dialectic.Blocking(&w.outcome.Result) {
		holds[r.Objection] = true
	}
	var list []*state.Challenge
	for _, r := range w.outcome.Artifact.Resolutions {
		if c := w.objection(r.Objection); c != nil && r.Outcome.Holds() && !holds[c.ID] {
			list = append(list, c)
		}
	}
	return list
}

// objection is the challenge of an objection, nil where the session has none such.
func (w decisionWords) objection(id string) *state.Challenge {
	if c := w.state.Challenge(id); c != nil && c.Typed != nil {
		return c
	}
	return nil
}

// failing are the gates that fail, in their order.
func (w decisionWords) failing() []string {
	var gates []string
	for i := range w.outcome.Artifact.Validation.Gates {
		if g := &w.outcome.Artifact.Validation.Gates[i]; !g.Pass {
			gates = append(gates, g.Gate)
		}
	}
	return gates
}

// sentence says why, and what comes next.
func (w decisionWords) sentence() string {
	if w.outcome.Decision == gates.Advance {
		parts := []string{"every gate passes, and no objection holds it"}
		if warning := challengeIDs(w.warning()); len(warning) > 0 {
			parts = append(parts, listed(warning)+when(len(warning) == 1, " only warns", " only warn"))
		}
		return strings.Join(parts, "; ")
	}
	parts := w.holding()
	if w.outcome.Decision == gates.Escalate {
		for because := range strings.SplitSeq(w.because(), "; ") {
			if because != "" && !slices.Contains(parts, because) {
				parts = append(parts, because)
			}
		}
		return strings.Join(parts, "; ")
	}
	if !w.state.Over() {
		next := min(w.outcome.Round+1, w.outcome.Rounds)
		parts = append(parts, fmt.Sprintf("round %d of %d %s", next, w.outcome.Rounds, when(w.state.Round > w.outcome.Round, "is under way", "begins")))
	}
	return strings.Join(parts, "; ")
}

// holding says what keeps the proposal from advancing: the gravest objection,
// how many more there are, and the gates that fail beside those of objections.
func (w decisionWords) holding() []string {
	var parts []string
	failing, standing := w.failing(), w.standing()
	if len(standing) > 0 {
		parts = append(parts, w.standingBecause(standing[0]))
		if more := len(standing) - 1; more > 0 {
			parts = append(parts, when(more == 1, "1 more objection stands", fmt.Sprintf("%d more objections stand", more)))
		}
		failing = slices.DeleteFunc(failing, func(gate string) bool { return gate == "G5" })
	}
	if len(failing) > 0 {
		parts = append(parts, listed(failing)+when(len(failing) == 1, " fails", " fail"))
	}
	return parts
}

// standingBecause says why an objection stands.
func (w decisionWords) standingBecause(c *state.Challenge) string {
	name := c.ID + " (" + c.Typed.Severity + ")"
	r := w.outcome.Resolution(c.ID)
	switch {
	case r.Rule == "R0":
		return name + " is upheld by you"
	case r.Rule == "R4":
		return name + " has evidence of one kind on both sides"
	case r.Rule == "R5":
		return name + " has no evidence that may decide"
	case r.Rule == "R6":
		return name + " was conceded, and its field stays"
	}
	return name + " is upheld by " + r.Decider
}

// because is what the receipt of the decision says beyond what is not ready.
func (w decisionWords) because() string {
	i := w.receiptOf("decision")
	if i < 0 {
		return ""
	}
	reason := w.outcome.Receipts[i].Reason
	if _, because, found := strings.Cut(reason, "): "); found {
		return because
	}
	return reason
}

// receiptOf is the place of the receipt of a rule, or of an objection; -1 where
// there is none.
func (w decisionWords) receiptOf(what string) int {
	return slices.IndexFunc(w.outcome.Receipts, func(r gates.Receipt) bool { return r.Rule == what || r.Subject == what })
}

// next says what the session waits for, or how it ended; "" where it goes on by
// itself.
func (w decisionWords) next() string {
	var asked []string
	for _, q := range w.state.Questions.All() {
		if q.Kind == state.QuestionEscalation && !q.Answered {
			asked = append(asked, q.ID)
		}
	}
	switch {
	case w.state.Over():
		return view.Sentence("the session ended, exit "+string(w.state.Exit), w.state.ExitReason)
	case len(asked) == 0:
		return ""
	case w.state.Paused != state.PauseNone:
		return "it waits for somebody who answers " + listed(asked)
	}
	return listed(asked) + when(len(asked) == 1, " asks you", " ask you")
}

// owedFor says what would settle a standing objection, and who owes it; nobody
// where it was settled since, or the session is over.
func (w decisionWords) owedFor(c *state.Challenge) (who, what string) {
	if came := w.objected.Of(c); came.Settled() || w.state.Over() {
		return "", ""
	}
	if who, what = w.asked(c.ID); who != "" {
		return who, what
	}
	for _, r := range dialectic.Owed(w.state, c) {
		if len(r.Of) > 0 {
			return view.Seats(r.Of), r.Text
		}
	}
	switch r := w.outcome.Resolution(c.ID); r.Rule {
	case "R0":
		return string(state.Proposer), "to withdraw the field: you upheld it"
	case "R6":
		return string(state.Proposer), "to withdraw the field, or to propose another value"
	case "R2", "R3":
		return string(state.Proposer), "evidence of a stronger source than " + r.Decider + ", or to withdraw the field"
	case "R4":
		return string(state.Proposer), "evidence of a stronger source than both sides have"
	}
	return string(state.Proposer), c.UpgradeIf
}

// asked is the question that asks the user about a matter, with its answers.
func (w decisionWords) asked(about string) (who, what string) {
	for _, q := range w.state.Questions.All() {
		if q.Kind == state.QuestionEscalation && !q.Answered && q.About == about {
			return "you", q.ID + ", " + either(q.Options)
		}
	}
	return "", ""
}

// heldField is a field that fails gates, which a value or evidence would mend.
type heldField struct {
	point *state.Point
	gates []string
}

// fields are those that fail a gate, in their order.
func (w decisionWords) fields() []heldField {
	var list []heldField
	for _, p := range w.state.Points.All() {
		if !dialectic.Proposed(p) {
			continue
		}
		var gates []string
		for _, failure := range dialectic.FailuresOf(&w.outcome.Result, p.Field.Path) {
			gates = append(gates, failure.Gate)
		}
		if len(gates) > 0 {
			list = append(list, heldField{p, gates})
		}
	}
	return list
}

// owedOf says what would mend a field, and who owes it.
func (w decisionWords) owedOf(f heldField) (who, what string) {
	if who, what = w.asked(f.point.ID); who != "" || w.state.Over() {
		return who, what
	}
	if last := w.state.Dialectic.Last(); last != nil && f.point.Seq > last.Seq {
		// Something came for it: only the next resolution says what is owed still.
		return "", ""
	}
	return string(state.Proposer), "what " + listed(f.gates) + when(len(f.gates) == 1, " asks for", " ask for")
}

// named writes the paths of fields for their places in the proposal.
func (w decisionWords) named(reason string) string {
	if !strings.Contains(reason, "artifact.") {
		return reason
	}
	for i := range w.outcome.Artifact.Proposal.Fields {
		reason = strings.ReplaceAll(reason, fmt.Sprintf("artifact.proposal.fields[%d].", i), w.outcome.Artifact.Proposal.Fields[i].Path+": ")
	}
	for i := range w.outcome.Artifact.Objections {
		reason = strings.ReplaceAll(reason, fmt.Sprintf("artifact.objections[%d].", i), w.outcome.Artifact.Objections[i].ID+": ")
	}
	return reason
}

// challengeIDs are the ids of challenges.
func challengeIDs(list []*state.Challenge) []string {
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = c.ID
	}
	return names
}

// listed joins words with commas and an "and".
func listed(words []string) string { return joined(words, " and ") }

// either joins words with commas and an "or".
func either(words []string) string { return joined(words, " or ") }

// joined joins words with commas, and the last one with a word.
func joined(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + last + words[len(words)-1]
}

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
	glyph, st, _ := tone(dialectic.DecisionRole(string(o.Decision))).signs(l)
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

func (d *decisionItems) gateBlocks(g *gates.GateResult) []Block {
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
func receiptAbout(r *gates.Receipt) string {
	return r.Rule + when(r.Subject == dialectic.ProposalID, "", " "+r.Subject)
}

// roundItem is an earlier round: what was decided then, and why.
func roundItem(l *theme.Look, s *state.State, o *dialectic.Outcome, seq int) decisionItem {
	glyph, st, _ := tone(dialectic.DecisionRole(string(o.Decision))).signs(l)
	d := decisionItems{decisionWords: newDecisionWords(s, o), look: l}
	return decisionItem{ID: fmt.Sprintf("#%d", seq), written: []Block{{
		Lead: st.Span(glyph + " " + string(o.Decision) + "  "), sign: l.Bold.Span(fmt.Sprintf("round %d  ", o.Round)),
		Body: l.Faint.Span(d.short(strings.Join(d.holding(), "; "))), Hang: 4,
	}}}
}

// outcomeTone is the tone of what a receipt says came out.
func outcomeTone(outcome string) tone {
	switch outcome {
	case string(gates.Cleared), "PASS":
		return toneGood
	case string(gates.Upheld), "FAIL":
		return toneBad
	case string(gates.Unresolved):
		return toneDoubt
	case string(gates.Moot):
		return toneQuiet
	}
	return tone(dialectic.DecisionRole(outcome))
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
