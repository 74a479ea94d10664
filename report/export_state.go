package report

import (
	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// exportState copies what exports show of a state.
func exportState(s *state.State) Folded {
	f := Folded{
		Round: s.Round, Phase: s.Phase, Map: s.Map,
		Ledger: []Fact{}, Points: []Point{}, Challenges: []Challenge{}, Evidence: []ledger.Evidence{},
		Confidence: []state.Confidence{}, Drifts: []state.Drift{}, Questions: []state.Question{}, Flags: some(s.Flags),
	}
	f.Map.Ambiguities = some(f.Map.Ambiguities)
	for _, fact := range s.Facts.All() {
		f.Ledger = append(f.Ledger, exportFact(fact))
	}
	for _, p := range s.Points.All() {
		f.Points = append(f.Points, exportPoint(s, p))
	}
	for _, c := range s.Challenges.All() {
		f.Challenges = append(f.Challenges, exportChallenge(s, c))
	}
	for _, e := range s.Evidence.All() {
		f.Evidence = append(f.Evidence, *e)
	}
	for _, c := range s.Confidence.All() {
		f.Confidence = append(f.Confidence, *c)
	}
	for _, d := range s.Drifts.All() {
		f.Drifts = append(f.Drifts, *d)
	}
	for _, q := range s.Questions.All() {
		question := *q
		question.Options = some(question.Options)
		f.Questions = append(f.Questions, question)
	}
	return f
}

func exportFact(f *ledger.Fact) Fact {
	tag := f.Label()
	if f.Tag == ledger.TagVerified {
		// The reference has a field of its own.
		tag = string(f.Tag)
	}
	return Fact{
		ID: f.ID, Tag: tag, Text: f.Text, Reference: f.Reference, Supersedes: f.Supersedes,
		Round: f.Round, Live: f.Live, Evaluated: f.Evaluated,
	}
}

func exportPoint(s *state.State, p *state.Point) Point {
	out := Point{
		ID: p.ID, Text: p.Text, Kind: state.Empirical, Authors: some(p.Authors), Round: p.Round, Phase: p.Phase,
		Classifications: map[state.Seat]state.Class{}, Aliases: some(p.Aliases), MergedInto: p.MergedInto,
		Revises: p.Revises,
		Facts:   some(p.Facts), Field: exportField(p.Field),
	}
	if resolver.IsValue(s, p) {
		out.Kind = state.Value
	}
	for _, c := range p.Classes {
		out.Classifications[c.Seat] = c.Class
	}
	if p.Predicate != nil {
		out.Predicate = &Predicate{Path: p.Predicate.Path, Op: p.Predicate.Op, Value: p.Predicate.Value}
	}
	return out
}

func exportChallenge(s *state.State, c *state.Challenge) Challenge {
	out := Challenge{
		ID: c.ID, Point: c.Point, By: c.By, Kind: c.Kind, Objection: c.Objection, UpgradeIf: c.UpgradeIf,
		Status: c.Status, Round: c.Round, ReminderSent: c.ReminderSent, Facts: some(c.Facts), Defenses: []Defense{},
		Typed: exportTyped(s, c),
	}
	for _, d := range c.Defenses {
		out.Defenses = append(out.Defenses, Defense{
			Round: d.Round, By: d.By, Text: d.Text, Judgment: d.Judgment,
			Reason: d.Reason, Facts: some(d.Facts),
		})
	}
	return out
}
