package resolver_test

import (
	"math"
	"testing"

	"moot/ledger"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/formats"
	"moot/protocol/protocoltest"
	"moot/state"
)

// figure fails unless a metric equals the value computed by hand, in nine digits.
func figure(t *testing.T, name string, got *float64, want float64) {
	t.Helper()
	if got == nil || *got != math.Round(want*1e9)/1e9 {
		t.Errorf("%s is %s, want %v", name, written(got), want)
	}
}

// none fails unless there is no such metric.
func none(t *testing.T, name string, got *float64) {
	t.Helper()
	if got != nil {
		t.Errorf("%s is %v, want none", name, *got)
	}
}

func written(figure *float64) any {
	if figure == nil {
		return "none"
	}
	return *figure
}

func TestRoundsToConsensusAreThoseOfTheLastPointThatLeftOpen(t *testing.T) {
	m := protocoltest.ConsultDebate(t).Raise(state.Consultee, "A").Raise(state.Consultee, "B")
	m.Ruled(state.BucketAgreed, state.BucketOpen)
	if got := m.Metrics().RoundsToConsensus; got != nil {
		t.Errorf("%d rounds, with P2 still Open", *got)
	}
	// P1 left Open in round 1, P2 in round 2; in round 3 only the ruling on P1 changes.
	m.Append(&state.RoundStarted{Round: 2})
	m.Ruled(state.BucketAgreed, state.BucketDismissed)
	m.Append(&state.RoundStarted{Round: 3})
	m.Ruled(state.BucketUnresolved, state.BucketDismissed)
	if got := m.Metrics().RoundsToConsensus; got == nil || *got != 2 {
		t.Errorf("got %v, want 2", got)
	}
}

func TestEvidenceDiversityIsOfSourcesAndOfKinds(t *testing.T) {
	m := protocoltest.ConsultDebate(t).Raise(state.Consultee, "A").Raise(state.Consultee, "B")
	m.Checked("P1", "a.md:1", ledger.DomainEvidence)
	// One item: one source of one, and nothing to be even over.
	one := m.Metrics()
	figure(t, "the sources of one item", one.SourceDiversity, 1)
	figure(t, "the entropy of one item", one.KindEntropy, 0)
	m.Checked("P1", "a.md:9-12", ledger.DomainEvidence).Checked("P1", "b.md:3", ledger.DomainEvidence).Checked("P1", "$ go vet", ledger.LiveAPI)
	m.Append(&state.EvidenceOffered{ID: "E5", Point: "P2", Reference: "c.md:1", By: state.Consultee}, &state.EvidenceRefused{ID: "E5"})
	// Four items count, of the sources a.md, b.md and go vet: 3/4. Kinds are 3 and 1:
	// -(3/4·ln 3/4 + 1/4·ln 1/4) / ln 4 = 0.405639….
	got := m.Metrics()
	figure(t, "the sources", got.SourceDiversity, 0.75)
	figure(t, "the entropy", got.KindEntropy, -(0.75*math.Log(0.75)+0.25*math.Log(0.25))/math.Log(4))
	// E5 was refused: of two points one has verified evidence.
	figure(t, "the share of points", got.Verified, 0.5)
	m.Checked("P2", "d.md:1", ledger.OfficialSource).Checked("P2", "u", ledger.UserOverride).
		Checked("P2", "m", ledger.ModeledFallback).Checked("P2", "f", ledger.FreshResearch).
		Checked("P2", "g", ledger.OfficialSource).Checked("P2", "h", ledger.UserOverride)
	// Ten items, which could be of six kinds: 3, 1, 2, 2, 1 and 1 of them.
	entropy := 0.0
	for _, n := range []float64{3, 1, 2, 2, 1, 1} {
		entropy -= n / 10 * math.Log(n/10)
	}
	figure(t, "the entropy over all kinds", m.Metrics().KindEntropy, entropy/math.Log(6))
}

func TestPerspectiveCoverageOfAConsultation(t *testing.T) {
	m := protocoltest.ConsultDebate(t).Raise(state.Consultee, "A").Raise(state.Consultee, "B").Raise(state.Orchestrator, "C")
	m.Append(
		&state.PointClassified{Point: "P1", By: state.Orchestrator, Class: state.Agree},
		&state.Requested{Point: "P3", Kind: state.RequestEvidence, Of: []state.Seat{state.Consultee}, By: state.Protocol},
		&state.PointClassified{Point: "P2", By: state.Arbiter, Class: state.Agree},
	)
	// Of orchestrator and consultee with three points: P1 both, P2 and P3 one each.
	// The arbiter takes no part in the rounds.
	figure(t, "with a request", m.Metrics().Coverage, 4.0/6)
	m.Append(&state.RequestSettled{Point: "P3", What: state.RequestEvidence, Answered: true, By: state.Consultee})
	figure(t, "with its answer", m.Metrics().Coverage, 5.0/6)
}

func TestOverallIsWeighted(t *testing.T) {
	m := protocoltest.CouncilDebate(t).Raise(constitution.Strategist, "A").Checked("P1", "a.md:1", ledger.DomainEvidence)
	m.Ruled(state.BucketOpen)
	// Coverage 1/4, depth 0: rigor 1/8. Evidence 1. Entropy 0: diversity 1/8. Nobody
	// reported: no consensus.
	none(t, "consensus", m.Metrics().Consensus)
	figure(t, "all the same", m.Metrics().Overall, (0.125+1+0.125)/3)
	m.State.Settings.MetricWeights = &state.MetricWeights{Rigor: 1, Evidence: 3, Consensus: 4}
	// (1·1/8 + 3·1) / (1 + 3): consensus is left out with its weight.
	figure(t, "weighted", m.Metrics().Overall, 3.125/4)
	m.State.Settings.MetricWeights = &state.MetricWeights{Consensus: 1}
	none(t, "with no weight on what there is", m.Metrics().Overall)
	m.State.Settings.MetricWeights = &state.MetricWeights{Rigor: math.MaxFloat64, Evidence: math.MaxFloat64}
	figure(t, "with weights that do not add up", m.Metrics().Overall, 1.125/2)
}

func TestASessionWithoutPointsHasNoMetrics(t *testing.T) {
	for _, f := range formats.All() {
		format := f.Name()
		got := protocoltest.NewDebate(t, state.Settings{Format: format}).Metrics()
		if got.Points == nil {
			t.Errorf("%s: the points are no list", format)
		}
		got.Points = nil
		for name, figure := range figures(&got) {
			none(t, string(format)+": "+name, figure)
		}
		if got.RoundsToConsensus != nil || got.MostChallenges != nil {
			t.Errorf("%s: %+v", format, got)
		}
	}
}

// figures are the metrics that are shares.
func figures(m *state.Metrics) map[string]*float64 {
	return map[string]*float64{
		"sources": m.SourceDiversity, "entropy": m.KindEntropy, "coverage": m.Coverage, "confidence": m.FinalConfidence,
		"survival": m.Survival, "modification": m.Modification, "compliance": m.Compliance, "verified": m.Verified,
		"spread": m.MeanSpread, "rigor": m.Rigor, "evidence": m.Evidence, "diversity": m.Diversity,
		"consensus": m.Consensus, "overall": m.Overall,
	}
}

// TestTheExampleOfTheManual computes the example of docs/metrics.md.
func TestTheExampleOfTheManual(t *testing.T) {
	m := protocoltest.CouncilDebate(t).Raise(constitution.Strategist, "A").Raise(constitution.Strategist, "B")
	m.Challenge(constitution.Critic, "P1", "The sample is small.").Challenge(constitution.Adversary, "P1", "the sample is SMALL").Challenge(constitution.Critic, "P2", "why?")
	m.Score(constitution.Strategist, "P1", 0.85).Score(constitution.Critic, "P1", 0.72).Score(constitution.Adversary, "P1", 0.68).Score(constitution.Moderator, "P1", 0.70)
	m.Ruled(state.BucketOpen, state.BucketOpen)
	m.Append(
		&state.ReplyReceived{Seat: constitution.Strategist, Stage: state.StagePropose, Valid: true, Moves: 20},
		&council.ConstitutionViolated{Constraint: "S1", Seat: constitution.Strategist, Point: "P1"},
		&state.RoundStarted{Round: 2},
	)
	m.Revise(constitution.Strategist, "P2", "B, narrower").Score(constitution.Strategist, "P3", 0.8).Score(constitution.Critic, "P3", 0.7)
	m.Checked("P1", "a.md:1", ledger.DomainEvidence).Checked("P1", "b.md:3", ledger.DomainEvidence).Checked("P3", "a.md:7", ledger.DomainEvidence)
	m.Ruled(state.BucketAgreed, state.BucketDismissed, state.BucketAgreed)
	got := m.Metrics()
	if *got.RoundsToConsensus != 2 || *got.MostChallenges != 1 {
		t.Errorf("%d rounds, at most %d challenges", *got.RoundsToConsensus, *got.MostChallenges)
	}
	for name, want := range map[string]float64{
		"sources": 0.667, "entropy": 0, "coverage": 0.667, "confidence": 0.746, "survival": 1, "modification": 1, "compliance": 0.95,
		"verified": 0.667, "spread": 0.135, "rigor": 0.65, "evidence": 0.667, "diversity": 0.333, "consensus": 0.805, "overall": 0.614,
	} {
		rounded := math.Round(*figures(&got)[name]*1000) / 1000
		figure(t, name, &rounded, want)
	}
	figure(t, "depth", got.MeanChallenges, 2.0/3)
}
