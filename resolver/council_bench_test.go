package resolver_test

import (
	"fmt"
	"os"
	"testing"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// The size of the council that is measured.
const (
	benchClaims   = 1000
	benchMessages = 20000
)

// largeCouncil is a council of benchClaims claims with benchMessages messages of
// its seats: claims, evidence, challenges that are answered and judged, and reports
// of confidence. Every fourth claim is key, every fifth comes without a limit.
func largeCouncil(t testing.TB) state.State {
	t.Helper()
	bound := state.Constitution{Name: "measured", Constraints: []state.Constraint{
		{ID: "cites", Seat: state.Strategist, Check: state.CheckCites},
		{ID: "limits", Seat: state.Strategist, Check: state.CheckUncertainty},
		{ID: "how", Seat: state.Strategist, Check: state.CheckFeasible},
		{ID: "method", Seat: state.Critic, Check: state.CheckMethod},
	}}
	m := debate(t, state.Settings{Format: state.FormatCouncil, Council: &state.CouncilSettings{
		Rounds: state.MaxCouncilRounds, Weights: state.DefaultWeights(), Decision: state.DefaultDecision, Constitution: bound,
	}}, state.Strategist, state.Critic, state.Adversary, state.Moderator)
	messages := 0
	say := func(payloads ...state.Payload) {
		messages++
		m.add(payloads...)
	}
	for i := range benchClaims {
		limit := ""
		if i%5 > 0 {
			limit = "one region"
		}
		say(&state.PointRaised{
			ID: state.NextID('P', i), By: state.Strategist, Key: i%4 == 0, Limit: limit,
			Text: fmt.Sprintf("The queue number %d should keep its order under %d requests per second, and its writes are retried by the worker", i, 100*i),
		}, &state.PointTriaged{Point: state.NextID('P', i), Scope: state.InScope})
	}
	for n := 0; messages < benchMessages; n++ {
		i := n % benchClaims
		point, by := state.NextID('P', i), m.state.Seats[n/benchClaims%4].Seat
		say(&state.ConfidenceReported{Seat: by, Point: point, Stated: 0.8, Admitted: 0.8 - float64(i%7)/20, Cause: "read"})
		switch n / benchClaims % 3 {
		case 0:
			id := state.NextID('E', m.state.Evidence.Len())
			at := fmt.Sprintf("docs/part-%d.md:%d", n%211, 1+n%90)
			say(&state.EvidenceOffered{ID: id, Point: point, Relation: ledger.Supports, Reference: at, By: state.Strategist, Quote: "in order"},
				&state.EvidenceVerified{ID: id, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: at, Admitted: true})
		case 1:
			id := state.NextID('C', m.state.Challenges.Len())
			say(&state.ChallengeRaised{
				ID: id, Point: point, By: state.Critic, What: state.Skeptical,
				Objection: fmt.Sprintf("The order was looked at on one machine only, and the sample of %d requests says little of the others", n%3),
				UpgradeIf: "a run on three machines", Grounds: "the log names one host",
			})
			say(&state.ChallengeAnswered{Challenge: id, By: state.Strategist, Text: "it was run on three"})
			say(&state.ChallengeJudged{Challenge: id, By: state.Critic, Judgment: state.Accepted})
		case 2:
			id := state.NextID('C', m.state.Challenges.Len())
			say(&state.ChallengeRaised{
				ID: id, Point: point, By: state.Adversary, What: state.Skeptical,
				Objection: "A worker that dies between read and write leaves the record twice", UpgradeIf: "a test that ends it there",
			})
			say(&state.ChallengeAnswered{Challenge: id, By: state.Strategist, Text: "writes are idempotent"})
		}
	}
	return m.state
}

// BenchmarkCouncil validates every claim of a large council from scratch and
// computes its metrics. Target: 20 ms for both together, on one core.
func BenchmarkCouncil(b *testing.B) {
	s := largeCouncil(b)
	b.Run("rule and measure", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			resolver.Measure(&s, resolver.Rule(s))
		}
		fmt.Fprintf(os.Stderr, "%d claims, %d messages\n", s.Points.Len(), benchMessages)
	})
	b.Run("rule", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			resolver.Rule(s)
		}
	})
	rulings := resolver.Rule(s)
	b.Run("measure", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			resolver.Measure(&s, rulings)
		}
	})
	b.Run("breaches", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			resolver.Breaches(&s)
		}
	})
}
