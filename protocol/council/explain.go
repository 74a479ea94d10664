package council

import (
	"fmt"
	"strings"

	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Describe shows reports of confidence.
func (rules) Describe(b *resolver.Basis, id string) string {
	for i := range b.Point.Scores {
		if score := &b.Point.Scores[i]; id == resolver.Event(score.Seq) {
			words := fmt.Sprintf("the confidence of %s in round %d: %s", resolver.SeatName(score.Seat), score.Round,
				figure(score.Admitted))
			if score.Stated != score.Admitted {
				words += fmt.Sprintf(" (it said %s, without a cause to move)", figure(score.Stated))
			}
			return words + strings.TrimSuffix(resolver.Colon(score.Cause), ".")
		}
	}
	return b.Describe(id)
}

// Says states the rules of a council.
func (rules) Says(rule string) string {
	if rule == councilRuleName {
		return "A claim is agreed when evidence supports it, the seats agree on it, it violates no constraint and it " +
			"states its uncertainty."
	}
	for _, r := range validationRules() {
		if r.name == rule {
			return r.says
		}
	}
	return resolver.Base{}.Says(rule)
}

// Candidates adds what could happen to a claim.
func (f rules) Candidates(l *resolver.Candidates) {
	if !resolver.Running(l.State) || resolver.Debated(l.State, l.Point) {
		l.Challenges()
		for _, seat := range f.Evaluators(l.State, l.Point) {
			if _, seated := l.State.Assignment(seat); seated && !(l.Point.IsAuthor(seat) && len(l.Point.Authors) == 1) {
				l.Add(resolver.MovedBySeats, "a challenge from "+resolver.SeatName(seat)+" that stays open",
					func(x *resolver.Scenario) { x.Challenge(seat, state.Skeptical) })
			}
		}
		f.validity(l)
		l.Concession()
	}
	l.Checks()
	l.Evidence()
	l.Outside()
}

// validity adds what else a claim may lack: confidence, and a limit.
func (f rules) validity(l *resolver.Candidates) {
	for _, seat := range seated(l.State) {
		for _, value := range []float64{max(0.8, SettingsOf(l.State).Decision), 0} {
			l.Add(resolver.MovedBySeats, fmt.Sprintf("a confidence of %.2f from %s", value, resolver.SeatName(seat)),
				func(x *resolver.Scenario) { f.report(x, seat, value) })
		}
	}
	if defenders := l.Point.Defenders(); len(defenders) > 0 &&
		newCouncilClaim(l.State, l.Point).acknowledged() == "" {
		l.Add(resolver.MovedBySeats, "a limit stated by "+resolver.SeatName(defenders[0]), func(x *resolver.Scenario) {
			x.Add(&ClaimLimited{Point: x.Point, By: defenders[0], Limit: "what it does not cover"})
		})
	}
}

// report makes a seat report a confidence.
func (rules) report(x *resolver.Scenario, seat state.Seat, value float64) {
	cause := "a cause"
	for _, id := range x.CurrentPoint().Evidence {
		if item := x.State.Item(id); item != nil && item.Proven() {
			// Without a verified cause an admitted confidence does not move (ST3).
			cause = id
		}
	}
	x.Add(&state.ConfidenceReported{Seat: seat, Point: x.Point, Stated: value, Admitted: value, Cause: cause})
}

// Measure adds the compliance: the share of moves without a violation of the constitution. A claim
// or a challenge that violates several constraints is one move. Confidences count by the weights of
// the seats. Without consensus, its measures are nil.
func (rules) Measure(m *resolver.Measurement, metrics *state.Metrics) {
	m.Dissent = m.State.Over() && consensusRound(m.State) == 0
	m.Confidence(metrics, seated(m.State), SettingsOf(m.State).Weight)
	moves := 0
	for _, c := range m.State.Moves {
		moves += c.Count
	}
	type move struct{ point, challenge string }
	violating := map[move]bool{}
	for _, b := range Of(m.State).Breaches {
		if !onlyFlags(m.State, b.Constraint) {
			violating[move{b.Point, b.Challenge}] = true
		}
	}
	metrics.Coverage = m.Coverage(func(by func(state.Seat, string)) {
		for _, said := range Of(m.State).Syntheses {
			for _, id := range said.Open {
				by(said.By, id)
			}
		}
	})
	metrics.Compliance = resolver.Ratio(moves-len(violating), moves)
}

// Why shows the four rules of validation and how sure the seats are.
func (document) Why(s *state.State, ruling *state.Ruling) []view.Section {
	p := s.Point(ruling.Point)
	if p == nil {
		return nil
	}
	v := Validate(s, p)
	checks := view.Section{Title: "VALIDATION", Uncounted: true}
	if !strings.HasPrefix(ruling.Rule, "CV") {
		checks.After = "Another rule decided before these."
	}
	for i := range v.Rules {
		r := &v.Rules[i]
		it := view.Item{ID: r.Rule, Mark: "holds", Text: r.Says, Role: view.RoleGood}
		if !r.Passed {
			it.Mark, it.Role = "fails", view.RoleDoubt
		}
		for _, required := range r.Requires {
			it.Note("must change", required)
		}
		checks.Items = append(checks.Items, it)
	}
	confidence := view.Section{Title: "CONFIDENCE", Uncounted: true}
	for _, seat := range seated(s) {
		weight := SettingsOf(s).Weight(seat)
		words := fmt.Sprintf("reported nothing, weight %v", weight)
		if score := p.Score(seat); score != nil {
			words = fmt.Sprintf("%s, weight %v, in round %d", figure(score.Admitted), weight, score.Round)
			words = view.Sentence(words, score.Cause)
		}
		confidence.Items = append(confidence.Items, view.Item{ID: string(seat), Text: words})
	}
	if v.Aggregate != nil {
		confidence.After = fmt.Sprintf("The aggregate is the weighted mean, at most the highest: %s. "+
			"Validation confidence: %d of %d rules hold: %s.", figure(*v.Aggregate), v.Passed(), len(v.Rules),
			figure(v.Confidence))
	}
	return []view.Section{checks, confidence}
}
