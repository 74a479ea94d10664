package pane

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// dialecticTelling tells of the fields of a proposal, of the objections to them
// as code resolved them, and of evidence by its authority.
type dialecticTelling struct {
	state *state.State
	// outcome is nil where no round was resolved.
	outcome  *dialectic.Outcome
	objected *dialectic.Objections
	// order are the source kinds, the strongest first; decides says what each may
	// decide.
	order   []ledger.SourceKind
	decides map[ledger.SourceKind]string
}

func newDialecticTelling(s *state.State, o *dialectic.Outcome) *dialecticTelling {
	config := dialectic.Configured(s)
	t := &dialecticTelling{
		state: s, outcome: o, objected: dialectic.NewObjections(s, o),
		order: config.Order(), decides: map[ledger.SourceKind]string{},
	}
	for _, kind := range t.order {
		t.decides[kind] = decidesWords(config.Decides(kind))
	}
	return t
}

// decidesWords say which severities a source may decide, the gravest first.
func decidesWords(decides []gates.Severity) string {
	all := gates.Severities()
	switch n := len(decides); {
	case n == 0:
		return "decides nothing"
	case n == 1:
		return "decides " + string(decides[0]) + " only"
	case slices.Equal(decides, all[len(all)-n:]):
		return "decides up to " + string(decides[0])
	}
	words := make([]string, len(decides))
	for i, severity := range decides {
		words[i] = string(severity)
	}
	return "decides " + strings.Join(words, ", ")
}

func (t *dialecticTelling) columns() tableColumns {
	return tableColumns{
		all:   []Column{ColumnID, ColumnBucket, columnWhy, columnSeverity, columnCategory, columnObjections, ColumnEvidence, ColumnText},
		spare: []Column{columnCategory, columnWhy, ColumnEvidence}, share: 33, whole: roomyColumns,
	}
}

// Buckets are those that a field can be in: every field is evaluated.
func (t *dialecticTelling) Buckets() []state.Bucket {
	return []state.Bucket{state.BucketAgreed, state.BucketDismissed, state.BucketUnresolved, state.BucketOpen}
}

// tag is the gate that fails for a field, the objection that holds it, or what
// kind of evidence carries it.
func (t *dialecticTelling) tag(r *state.Ruling, p *state.Point) string {
	byObjection := strings.HasPrefix(r.Rule, "R") && len(r.Reads) > 0
	switch {
	case r.Tag == state.TagUser || p.UserRuling != nil:
		return "user"
	case r.Bucket == state.BucketUnresolved && strings.HasPrefix(r.Rule, "G"):
		return "fails " + r.Rule
	case r.Bucket == state.BucketUnresolved && byObjection:
		return r.Reads[0] + " unresolved"
	case r.Tag == state.TagConceded:
		return "withdrawn"
	case r.Tag == state.TagRejected && byObjection:
		return r.Reads[0] + " upheld"
	case r.Bucket == state.BucketAgreed && r.Tag != state.TagNotApplicable:
		return string(r.Tag)
	}
	return ""
}

// facts are what kind of field it is, what it rests on, and what it was before.
func (t *dialecticTelling) facts(p *state.Point) []string {
	f := p.Field
	if f == nil {
		return []string{"by " + view.Seats(p.Authors), fmt.Sprintf("round %d", p.Round)}
	}
	parts := []string{f.Severity, f.Category, when(f.Grounded, "grounded", "not grounded")}
	if f.Derived != nil {
		parts = append(parts, "derived: "+f.Derived.Op+" of "+strings.Join(f.Derived.Of, ", "))
	}
	parts = append(parts, fmt.Sprintf("by %s, round %d", view.Seats(p.Authors), p.Round))
	for i := len(f.Earlier) - 1; i >= 0; i-- {
		parts = append(parts, fmt.Sprintf("was %s in round %d", f.Earlier[i].Value, f.Earlier[i].Round))
	}
	if f.Withdrawn {
		parts = append(parts, "withdrawn by "+string(f.WithdrawnBy))
	}
	return append(parts, relations(p)...)
}

// holding are the gates that fail for a field, as the last round found them.
func (t *dialecticTelling) holding(l *theme.Look, p *state.Point) []Block {
	if t.outcome == nil || p.Field == nil || !dialectic.Proposed(p) {
		return nil
	}
	resolved := fmt.Sprintf("round %d", t.outcome.Round)
	if p.Seq > t.state.Dialectic.Last().Seq {
		resolved += ", it changed since"
	}
	list := []Block{{Section: "Gates", Right: l.Faint.Span(resolved)}}
	for _, gate := range t.outcome.Artifact.Validation.Gates {
		for _, reason := range t.failing(gate, p) {
			lead := l.Glyphs.Dismissed + " " + gate.Gate + "  "
			list = append(list, Block{Indent: 2, Lead: l.Dismissed.Span(lead), Body: l.Text.Span(reason)})
		}
	}
	if len(list) == 1 {
		list = append(list, Block{Indent: 2, Lead: l.Agreed.Span(l.Glyphs.Agreed + " "), Body: l.Text.Span("every gate passes for it")})
	}
	return list
}

// failing are the reasons of a gate that concern a field: those that name it, or
// an objection to it.
func (t *dialecticTelling) failing(gate gates.GateResult, p *state.Point) []string {
	if gate.Pass {
		return nil
	}
	var reasons []string
	for _, failure := range dialectic.FailuresOf(&t.outcome.Result, p.Field.Path) {
		if failure.Gate == gate.Gate {
			reasons = failure.Reasons
		}
	}
	for _, reason := range gate.Reasons {
		names := func(id string) bool { return slices.Contains(strings.Fields(reason), id) }
		if (gate.Gate == "G5" || gate.Gate == "G7") && slices.ContainsFunc(p.Challenges, names) {
			reasons = append(slices.Clip(reasons), reason)
		}
	}
	return reasons
}

func (t *dialecticTelling) Conflicts() *conflicts { return nil }

func (t *dialecticTelling) gravity(c *state.Challenge) int {
	if c.Typed == nil {
		return 0
	}
	return dialectic.Gravity(c.Typed.Severity)
}

func (t *dialecticTelling) counted(n int) string {
	return fmt.Sprintf("%d %s", n, when(n == 1, "stands", "stand"))
}

func (t *dialecticTelling) because(r *state.Ruling) resolver.Explanation {
	return t.objected.Because(r)
}

func (t *dialecticTelling) settled(c *state.Challenge) bool {
	came := t.objected.Of(c)
	return came.Settled()
}

func (t *dialecticTelling) standing(l *theme.Look, c *state.Challenge) challengeStanding {
	came := t.objected.Of(c)
	st := challengeStanding{words: came.Words("you"), settled: came.Settled()}
	st.glyph, st.style = cameSign(l, &came)
	return st
}

// cameSign says by a sign how an objection came out.
func cameSign(l *theme.Look, came *dialectic.Objection) (glyph string, st theme.Style) {
	g := &l.Glyphs
	switch {
	case came.Outcome == "":
		return g.Open, l.Open
	case came.ByUser:
		return g.User, l.User
	case came.Warns:
		return g.Warn, l.Warn
	case came.Outcome.Holds() && !came.Holds:
		return g.Bullet, l.Faint
	}
	switch came.Outcome {
	case gates.Cleared:
		return g.Agreed, l.Agreed
	case gates.Upheld:
		return g.Dismissed, l.Dismissed
	case gates.Unresolved:
		return g.Unresolved, l.Unresolved
	case gates.Moot:
	}
	return g.NotEvaluated, l.Faint
}

func (t *dialecticTelling) about(c *state.Challenge) []string {
	parts := []string{fmt.Sprintf("%s, round %d", c.By, c.Round)}
	if c.Typed != nil {
		parts = append(parts, c.Typed.Category, c.Typed.Flag)
	}
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

func (t *dialecticTelling) terms(l *theme.Look, c *state.Challenge) []Block {
	if c.Typed == nil {
		return nil
	}
	list := []Block{{Indent: 4, Lead: l.Faint.Span("asks whether  "), Body: l.Text.Span(c.Typed.Predicate)}}
	if c.UpgradeIf != "" && !strings.Contains(c.UpgradeIf, c.Typed.Predicate) {
		list = append(list, Block{Indent: 4, Lead: l.Faint.Span("would do  "), Body: l.Text.Span(c.UpgradeIf)})
	}
	if len(c.Typed.Evidence) > 0 {
		list = append(list, Block{Indent: 4, Lead: l.Faint.Span("brought  "), Body: l.Text.Span(strings.Join(c.Typed.Evidence, " "))})
	}
	return list
}

// came says what resolved an objection, and what is owed for it.
func (t *dialecticTelling) came(l *theme.Look, c *state.Challenge) []Block {
	var list []Block
	if came := t.objected.Of(c); came.Reason != "" {
		glyph, st := cameSign(l, &came)
		b := Block{Indent: 4, Lead: st.Span(glyph + " " + came.Rule + "  "), Body: l.Text.Span(came.Reason)}
		if came.Threshold > 0 && came.Rule != "R0" && came.Rule != "R6" {
			b.Right = l.Faint.Span(fmt.Sprintf("needs %.2f", came.Threshold))
		}
		list = append(list, b)
	}
	if owed := t.owed(c); owed != "" {
		list = append(list, Block{Indent: 4, Lead: l.Warn.Span(l.Glyphs.Warn + " owed  "), Body: l.Text.Span(owed)})
	}
	return list
}

func (t *dialecticTelling) covers(*state.Ruling) bool { return false }

// owed is what was asked for and did not come.
func (t *dialecticTelling) owed(c *state.Challenge) string {
	var texts []string
	for _, r := range dialectic.Owed(t.state, c) {
		texts = append(texts, when(r.Text == "", "evidence", r.Text))
	}
	return strings.Join(texts, "; ")
}

// sources are the kinds by authority, and after them what was not checked yet.
func (t *dialecticTelling) sources() []source {
	list := make([]source, 0, len(t.order)+1)
	for _, kind := range t.order {
		list = append(list, source{string(kind), t.decides[kind]})
	}
	return append(list, source{"not checked yet", "decides nothing until then"})
}

func (t *dialecticTelling) sourceOf(e *ledger.Evidence) int {
	if !e.Checked {
		return len(t.order)
	}
	return slices.Index(t.order, counting(e))
}

// counting is the kind that an item counts as: what is not verified is a model's
// word.
func counting(e *ledger.Evidence) ledger.SourceKind {
	if e.Counts() && slices.Contains(ledger.SourceKinds(), e.SourceKind) {
		return e.SourceKind
	}
	return ledger.LLMInference
}

func (t *dialecticTelling) stamped(e *ledger.Evidence) string {
	return fmt.Sprintf("%.2f", e.Confidence)
}

// bearing says what the item may decide, and how the objections came out that it
// was brought for.
func (t *dialecticTelling) bearing(l *theme.Look, e *ledger.Evidence) []Block {
	kind := counting(e)
	words := string(kind) + " " + t.decides[kind]
	if e.Checked && !e.Counts() {
		words = "not verified: it counts as " + string(kind) + ", which " + t.decides[kind]
	}
	if !e.Checked {
		words = "nothing before it is checked"
	}
	list := []Block{{Section: "What it decides"}, {Indent: 2, Body: l.Text.Span(words)}}
	for _, c := range t.state.Challenges.All() {
		if c.Typed != nil && slices.Contains(c.Typed.Evidence, e.ID) {
			st := t.standing(l, c)
			list = append(list, Block{
				Indent: 2, Lead: st.style.Span(st.glyph + " " + c.ID + " " + c.Typed.Severity + "  "),
				Body: l.Text.Span(c.Typed.Predicate), Right: st.style.Span(st.words),
			})
		}
	}
	return list
}
