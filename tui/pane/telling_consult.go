package pane

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// consultTelling tells of claims that are challenged, defended and judged.
type consultTelling struct{ state *state.State }

func (t consultTelling) columns() tableColumns {
	return tableColumns{
		all: []Column{
			ColumnID, ColumnBucket, columnTag, ColumnKind, ColumnRound, columnAuthor, ColumnChallenges, ColumnEvidence,
			ColumnConfidence, ColumnText,
		},
		spare: []Column{ColumnRound, columnAuthor, ColumnConfidence, ColumnKind}, share: 40, whole: allColumns,
	}
}

func (t consultTelling) Buckets() []state.Bucket { return state.Buckets() }

func (t consultTelling) tag(r *state.Ruling, p *state.Point) string {
	switch {
	case view.AgreementOnly(r):
		return "agreement only"
	case r.Tag == state.TagUser || p.UserRuling != nil:
		return "user"
	case r.Tag != state.TagNone:
		return string(r.Tag)
	case r.Bucket == state.BucketUnresolved:
		return string(r.Status)
	}
	return ""
}

// facts are who holds the point since when, and how it hangs together with
// others.
func (t consultTelling) facts(p *state.Point) []string {
	parts := []string{
		"by " + view.Seats(p.Authors), fmt.Sprintf("round %d", p.Round), string(p.Phase), p.Label,
		string(when(resolver.IsValue(t.state, p), state.Value, state.Empirical)), p.Theme,
	}
	parts = append(parts, relations(p)...)
	if len(p.CalledValue) > 0 {
		parts = append(parts, "called a value judgment by "+view.Seats(p.CalledValue))
	}
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

func (t consultTelling) holding(*theme.Look, *state.Point) []Block { return nil }

func (t consultTelling) covers(*state.Ruling) bool { return false }

func (t consultTelling) Conflicts() *conflicts { return nil }

func (t consultTelling) gravity(*state.Challenge) int { return 0 }

func (t consultTelling) counted(n int) string { return fmt.Sprintf("%d open", n) }

func (t consultTelling) because(r *state.Ruling) resolver.Explanation {
	return resolver.Because(*t.state, *r)
}

func (t consultTelling) settled(c *state.Challenge) bool { return t.ended(c) != "" || c.Settled() }

// standing is where the challenge stands: its glyph, its style and its words.
func (t consultTelling) standing(l *theme.Look, c *state.Challenge) challengeStanding {
	g := &l.Glyphs
	if ended := t.ended(c); ended != "" {
		return challengeStanding{g.NotEvaluated, l.Faint, ended, true}
	}
	st := challengeStanding{g.Open, l.Open, t.status(c), c.Settled()}
	switch {
	case c.Status == state.StandsUndefended || c.Status == state.StandsConceded:
		st.glyph, st.style = g.Dismissed, l.Dismissed
	case c.Settled():
		st.glyph, st.style = g.Agreed, l.Agreed
	case c.Status == state.StandsDropped || c.Status == state.StandsReminded:
		st.glyph, st.style = g.Warn, l.Warn
	}
	return st
}

// ended says what ended a challenge without settling it, or "": its point was
// replaced (RD5), or the user ruled on it (AC1).
func (t consultTelling) ended(c *state.Challenge) string {
	point := t.state.Point(c.Point)
	switch {
	case point == nil || c.Settled():
		return ""
	case point.RevisedBy != "":
		return "ended, revised"
	case point.UserRuling != nil:
		return "ended, ruled by you"
	}
	return ""
}

// status is where the challenge stands, in words.
func (t consultTelling) status(c *state.Challenge) string {
	words := string(c.Status)
	switch {
	case c.Status == state.StandsDefended:
		if last := c.Last(); last != nil && last.Judgment != state.Unjudged {
			words += ", " + string(last.Judgment)
		} else {
			words += ", not judged"
		}
	case c.ReminderSent && c.Status != state.StandsReminded:
		words += ", reminded"
	case c.Confirm:
		words += ", to confirm"
	}
	return words
}

func (t consultTelling) about(c *state.Challenge) []string {
	return []string{fmt.Sprintf("%s, round %d", c.By, c.Round)}
}

func (t consultTelling) terms(l *theme.Look, c *state.Challenge) []Block {
	var list []Block
	for _, part := range []struct{ lead, text string }{
		{"would do  ", c.UpgradeIf}, {"grounds  ", c.Grounds}, {"why not SKEPTICAL  ", c.WhyNotSkeptical}, {"seems answered  ", c.Unconfirmed},
	} {
		if part.text != "" {
			list = append(list, Block{Indent: 4, Lead: l.Faint.Span(part.lead), Body: l.Text.Span(part.text)})
		}
	}
	return list
}

func (t consultTelling) came(*theme.Look, *state.Challenge) []Block { return nil }

func (t consultTelling) owed(*state.Challenge) string { return "" }

func (t consultTelling) sources() []source { return nil }

func (t consultTelling) sourceOf(*ledger.Evidence) int { return 0 }

func (t consultTelling) stamped(e *ledger.Evidence) string { return string(e.Type) }

func (t consultTelling) bearing(*theme.Look, *ledger.Evidence) []Block { return nil }

// relations are how a point hangs together with others.
func relations(p *state.Point) []string {
	var parts []string
	for _, part := range []struct{ word, ID string }{
		{"held by ", p.Holder},
		{"option ", p.Option},
		{"criterion ", p.Criterion},
		{"revises ", p.Revises},
		{"revised by ", p.RevisedBy},
		{"same as ", p.MergedInto},
		{"takes in ", strings.Join(p.Aliases, " ")},
	} {
		if part.ID != "" {
			parts = append(parts, part.word+part.ID)
		}
	}
	return parts
}
