package pane

import (
	"fmt"
	"slices"
	"strings"

	"moot/protocol/council"
	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// councilTelling tells of claims that a council tests: by what of CV1 to CV4 they
// stand or not, beside all that a consultation tells.
type councilTelling struct{ consultTelling }

func newCouncilTelling(s *state.State) councilTelling { return councilTelling{consultTelling{s}} }

func (t councilTelling) columns() tableColumns {
	return tableColumns{
		all: []Column{
			ColumnID, ColumnBucket, columnTag, columnRules, ColumnKind, ColumnRound, ColumnChallenges, ColumnEvidence,
			columnSeats, columnAggregate, ColumnText,
		},
		spare: []Column{ColumnRound, columnTag, ColumnEvidence, ColumnKind, columnSeats}, share: 30, whole: allColumns,
	}
}

// facts are who holds the claim and who worded it, since when, and how much rests on
// it.
func (t councilTelling) facts(p *state.Point) []string {
	parts := []string{"by " + view.Seats(p.Authors)}
	if p.WordedBy != "" && !p.IsAuthor(p.WordedBy) {
		parts = append(parts, "worded by "+string(p.WordedBy))
	}
	parts = append(parts, fmt.Sprintf("round %d", p.Round), p.Label, claimKind(t.state, p), p.Theme)
	parts = append(parts, relations(p)...)
	if len(p.CalledValue) > 0 {
		parts = append(parts, "called a value judgment by "+view.Seats(p.CalledValue))
	}
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// claimKind is what a claim of a council is, in a word or two.
func claimKind(s *state.State, p *state.Point) string {
	switch {
	case resolver.IsValue(s, p):
		return string(state.Value)
	case p.Key:
		return "key claim"
	}
	return string(state.Empirical)
}

// tag is what a claim that stands rests on, or what decided it before CV1 to CV4:
// which of these fail has a column of its own.
func (t councilTelling) tag(r *state.Ruling, p *state.Point) string {
	if validated(r) && r.Bucket == state.BucketOpen {
		return ""
	}
	return t.consultTelling.tag(r, p)
}

// validated reports whether CV1 to CV4 decided: the rules before them did not.
func validated(r *state.Ruling) bool { return strings.HasPrefix(r.Rule, "CV") }

// holding are how a claim stands against CV1 to CV4, how sure the seats are, and
// what of it violated the constitution.
func (t councilTelling) holding(l *theme.Look, p *state.Point) []Block {
	v := council.Validate(t.state, p)
	list := append(t.validation(l, p, &v), t.sure(l, &v)...)
	if breaches := t.breaches(l, p.ID, ""); len(breaches) > 0 {
		list = append(append(list, Block{Section: "Constitution"}), breaches...)
	}
	return list
}

func (t councilTelling) covers(r *state.Ruling) bool { return validated(r) }

// validation are CV1 to CV4 with what each found, and what would make it hold.
func (t councilTelling) validation(l *theme.Look, p *state.Point, v *council.Validation) []Block {
	if !resolver.Held(p) {
		return nil
	}
	list := []Block{{Section: "Validation", Right: l.Faint.Span(fmt.Sprintf("%d of %d hold", v.Passed(), len(v.Rules)))}}
	for i := range v.Rules {
		r := &v.Rules[i]
		sign, st, word := l.Glyphs.Agreed, l.Agreed, "holds"
		if !r.Passed {
			sign, st, word = l.Glyphs.Dismissed, l.Dismissed, "fails"
		}
		list = append(list, Block{
			Indent: 2, Lead: st.Span(sign + " " + r.Rule + " "), sign: l.Bold.Span(fmt.Sprintf("%-16s  ", council.ValidationRuleName(r.Rule))),
			Body: l.Text.Span(r.Says), Right: st.Span(word), Hang: 8,
		})
		for _, needed := range r.Requires {
			list = append(list, Block{Indent: 8, Lead: l.Faint.Span("needs  "), Body: l.Text.Span(needed)})
		}
	}
	if p.Limit != "" {
		list = append(list, Block{Indent: 8, Lead: l.Faint.Span("limit  "), Body: l.Text.Span(p.Limit)})
	}
	return list
}

// sure is how sure each seat is of the claim now, and what comes of that.
func (t councilTelling) sure(l *theme.Look, v *council.Validation) []Block {
	if len(v.Scores) == 0 {
		return nil
	}
	widest := 0
	for _, score := range v.Scores {
		widest = max(widest, len(score.Seat))
	}
	list := []Block{{Section: "How sure the seats are"}}
	if v.Aggregate != nil {
		list[0].Right = l.Faint.Span(fmt.Sprintf("aggregate %.3f", *v.Aggregate))
	}
	for _, score := range v.Scores {
		list = append(list, Block{
			Indent: 2, Lead: l.SeatStyle(score.Seat).Span(fmt.Sprintf("%-*s  ", widest, score.Seat)), sign: l.Bold.Span(fmt.Sprintf("%.2f  ", score.Admitted)),
			Body: l.Faint.Span(view.Sentence(fmt.Sprintf("round %d", score.Round), score.Cause)),
		})
	}
	if v.Aggregate != nil {
		apart := when(len(v.Scores) > 1, fmt.Sprintf("they lie %.2f apart; ", v.Spread), "")
		list = append(list, Block{Indent: 2, Body: l.Faint.Span(fmt.Sprintf("%svalidation confidence %.3f", apart, v.Confidence))})
	}
	if len(v.Missing) > 0 {
		list = append(list, Block{Indent: 2, Lead: l.Warn.Span(l.Glyphs.Warn + " nothing of "), Body: l.Text.Span(view.Seats(v.Missing))})
	}
	return list
}

// breaches are what of a claim, or of a challenge to it, violated the constitution,
// and whether it still does.
func (t councilTelling) breaches(l *theme.Look, point, challenge string) []Block {
	var list []Block
	p := t.state.Point(point)
	for i := range t.state.Council.Breaches {
		b := &t.state.Council.Breaches[i]
		if p == nil || b.Challenge != challenge || challenge == "" && b.Point != point {
			continue
		}
		glyph, st, word := breachSign(l, t.state, p, b)
		list = append(list,
			Block{
				Indent: 2, Lead: st.Span(glyph + " " + b.Constraint + "  "), Body: l.Faint.Span(fmt.Sprintf("%s, round %d", b.Seat, b.Round)),
				Right: st.Span(word), Hang: 4,
			},
			Block{Indent: 4, Body: l.Text.Span(b.Text)})
	}
	return list
}

// breachSign says what became of a violation: what is only flagged holds nothing up.
func breachSign(l *theme.Look, s *state.State, p *state.Point, b *state.Breach) (glyph string, st theme.Style, word string) {
	switch {
	case p == nil || !council.Breaks(s, p, b):
		return l.Glyphs.Agreed, l.Agreed, "mended"
	case s.OnlyFlags(b.Constraint):
		return l.Glyphs.Warn, l.Warn, "flagged"
	case p.UserRuling != nil:
		return l.Glyphs.NotEvaluated, l.User, "overruled"
	case !resolver.Held(p):
		return l.Glyphs.NotEvaluated, l.Faint, "ended with " + p.ID
	}
	return l.Glyphs.Dismissed, l.Dismissed, "violated"
}

// terms are those of a consultation, and the claim that the challenger would let
// stand.
func (t councilTelling) terms(l *theme.Look, c *state.Challenge) []Block {
	list := t.consultTelling.terms(l, c)
	if c.Narrower != "" {
		list = append(list, Block{Indent: 4, Lead: l.Faint.Span("narrower  "), Body: l.Text.Span(c.Narrower)})
	}
	return list
}

// came says what of a challenge violated the constitution.
func (t councilTelling) came(l *theme.Look, c *state.Challenge) []Block {
	list := t.breaches(l, c.Point, c.ID)
	for i := range list {
		list[i].Indent += 2
		if list[i].Hang > 0 {
			list[i].Hang += 2
		}
	}
	return list
}
