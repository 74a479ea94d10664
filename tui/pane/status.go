package pane

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/ledger"
	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Status describes the current status of each point and challenge. All panes that show a
// state share its Status.
type Status struct {
	state *state.State
	shown view.Map
}

// NewStatus returns the status for a state.
func NewStatus(s *state.State) *Status { return &Status{s, view.FormatOf(s).Map(s)} }

// tag names the reason for the bucket of a point in a word or two, or returns "".
func (t *Status) tag(r *state.Ruling, p *state.Point) string {
	switch {
	case view.AgreementOnly(r):
		return "agreement only"
	case r.Tag == state.TagUser || p.UserRuling != nil:
		return "user"
	case r.Tag != state.TagNone && r.Tag != state.TagNotApplicable:
		return string(r.Tag)
	case r.Bucket == state.BucketUnresolved:
		return string(r.Status)
	}
	return ""
}

// facts lists the authors of a point, its round, and its relations to other points.
func (t *Status) facts(p *state.Point) []string {
	kind := state.Empirical
	if resolver.IsValue(t.state, p) {
		kind = state.Value
	}
	parts := []string{
		"by " + view.Seats(p.Authors), fmt.Sprintf("round %d", p.Round), string(p.Phase),
		p.Label, string(kind), p.Theme,
	}
	if f := p.Field; f != nil {
		parts = append(parts, f.Category, f.Severity)
		for _, e := range f.Earlier {
			parts = append(parts, fmt.Sprintf("was %s in round %d", plain.Clip(string(e.Value), 40), e.Round))
		}
	}
	for _, part := range []struct{ word, text string }{
		{"worded by ", string(p.WordedBy)},
		{"limit: ", p.Limit},
		{"held by ", p.Holder},
		{"option ", p.Option},
		{"criterion ", p.Criterion},
		{"revises ", p.Revises},
		{"revised by ", p.RevisedBy},
		{"same as ", p.MergedInto},
		{"includes ", strings.Join(p.Aliases, " ")},
		{"called a value judgment by ", view.Seats(p.CalledValue)},
	} {
		if part.text != "" {
			parts = append(parts, part.word+part.text)
		}
	}
	parts = append(parts, view.CitedFacts("rests on", p.Facts)...)
	parts = append(parts, t.shown.Notes[p.ID]...)
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// challenge returns the status of a challenge.
func (t *Status) challenge(c *state.Challenge) view.ChallengeStatus {
	return t.shown.Challenge(t.state, c)
}

// about names the kind and the point of a challenge: "SKEPTICAL on P3".
func (t *Status) about(c *state.Challenge) string { return t.challenge(c).Kind + " on " + c.Point }

// settled reports whether no seat has to respond to the challenge any more.
func (t *Status) settled(c *state.Challenge) bool {
	return t.shown.Hidden[c.ID] || t.challenge(c).Settled
}

// open counts the challenges of a point that are not settled.
func (t *Status) open(p *state.Point) int {
	n := 0
	for _, id := range p.Challenges {
		if c := t.state.Challenge(id); c != nil && !t.settled(c) {
			n++
		}
	}
	return n
}

// challengeTerms shows the fields of a challenge except its objection.
func challengeTerms(l *theme.Look, c *state.Challenge) []Block {
	var list []Block
	type part struct{ lead, text string }
	parts := []part{
		{"would do", c.UpgradeIf},
		{"grounds", c.Grounds},
		{"why not SKEPTICAL", c.WhyNotSkeptical},
		{"seems answered", c.Unconfirmed},
		{"narrower", c.Narrower},
	}
	if c.Typed != nil {
		parts = append(parts, part{"category", c.Typed.Category}, part{"claims", c.Typed.Predicate})
	}
	for _, p := range parts {
		if p.text != "" {
			list = append(list, Block{Indent: 4, Lead: l.Faint.Span(p.lead + "  "), Body: l.Text.Span(p.text)})
		}
	}
	return list
}

// ChallengeAbout names the kind or severity of a challenge and its point: "SKEPTICAL on P3".
func ChallengeAbout(c *state.Challenge) string {
	if c.Typed != nil {
		return c.Typed.Severity + " on " + c.Point
	}
	return string(c.Kind) + " on " + c.Point
}

// PacketFactWords formats a fact of a packet: its entity, field, value, time, and source.
func PacketFactWords(f *ledger.PacketFact) string {
	const longest = 240
	return fmt.Sprintf("%s %s = %s, %s %s", f.Entity, f.Field, plain.Clip(string(f.Value), longest),
		f.At.UTC().Format("2006-01-02 15:04:05"), f.SourceType)
}

// ItemText returns the text of a point, challenge, evidence item, fact, question, or conflict
// in one line, or "".
func ItemText(s *state.State, id string) string {
	if p := s.Point(id); p != nil {
		return p.Text
	}
	if c := s.Challenge(id); c != nil {
		return ChallengeAbout(c) + ": " + c.Objection
	}
	if e := s.Item(id); e != nil {
		return strings.TrimSpace(string(e.Relation) + " " + e.Point + ": " + e.Reference + " " + e.Excerpt)
	}
	if f := s.Fact(id); f != nil {
		return f.Text
	}
	if q := s.QuestionByID(id); q != nil {
		return q.Text
	}
	if c := s.Conflict(id); c != nil {
		return string(c.Kind) + " of " + c.A + " and " + c.B
	}
	return ""
}
