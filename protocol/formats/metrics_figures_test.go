package formats_test

import (
	"math"
	"testing"

	"moot/ledger"
	"moot/protocol/council"
	"moot/state"
)

func TestRoundsToConsensusAreThoseOfTheLastPointThatLeftOpen(t *testing.T) {
	m := consultDebate(t).raise(state.Consultee, "A").raise(state.Consultee, "B")
	m.ruled(state.BucketAgreed, state.BucketOpen)
	if got := m.metrics().RoundsToConsensus; got != nil {
		t.Errorf("%d rounds, with P2 still Open", *got)
	}
	// P1 left Open in round 1, P2 in round 2; in round 3 only the ruling on P1 changes.
	m.add(&state.RoundStarted{Round: 2})
	m.ruled(state.BucketAgreed, state.BucketDismissed)
	m.add(&state.RoundStarted{Round: 3})
	m.ruled(state.BucketUnresolved, state.BucketDismissed)
	if got := m.metrics().RoundsToConsensus; got == nil || *got != 2 {
		t.Errorf("got %v, want 2", got)
	}
}

func TestChallengeDepthCountsDistinctChallenges(t *testing.T) {
	m := councilDebate(t).raise(state.Strategist, "A").raise(state.Strategist, "B").raise(state.Strategist, "C")
	m.challenge(state.Critic, "P1", "The sample is small.").challenge(state.Adversary, "P1", "the  sample is SMALL").
		challenge(state.Adversary, "P1", "It breaks under load.").challenge(state.Critic, "P2", "The sample is small.")
	// P1 has 2 that differ, P2 1, P3 none: mean 3/3, most 2.
	got := m.metrics()
	figure(t, "the mean", got.MeanChallenges, 1)
	if *got.MostChallenges != 2 || got.Points[0].Challenges != 2 || got.Points[1].Challenges != 1 || got.Points[2].Challenges != 0 {
		t.Errorf("most %d, points %+v", *got.MostChallenges, got.Points)
	}
}

func TestEvidenceDiversityIsOfSourcesAndOfKinds(t *testing.T) {
	m := consultDebate(t).raise(state.Consultee, "A").raise(state.Consultee, "B")
	m.checked("P1", "a.md:1", ledger.DomainEvidence)
	// One item: one source of one, and nothing to be even over.
	one := m.metrics()
	figure(t, "the sources of one item", one.SourceDiversity, 1)
	figure(t, "the entropy of one item", one.KindEntropy, 0)
	m.checked("P1", "a.md:9-12", ledger.DomainEvidence).checked("P1", "b.md:3", ledger.DomainEvidence).checked("P1", "$ go vet", ledger.LiveAPI)
	m.add(&state.EvidenceOffered{ID: "E5", Point: "P2", Reference: "c.md:1", By: state.Consultee}, &state.EvidenceRefused{ID: "E5"})
	// Four items count, of the sources a.md, b.md and go vet: 3/4. Kinds are 3 and 1:
	// -(3/4·ln 3/4 + 1/4·ln 1/4) / ln 4 = 0.405639….
	got := m.metrics()
	figure(t, "the sources", got.SourceDiversity, 0.75)
	figure(t, "the entropy", got.KindEntropy, -(0.75*math.Log(0.75)+0.25*math.Log(0.25))/math.Log(4))
	// E5 was refused: of two points one has verified evidence.
	figure(t, "the share of points", got.Verified, 0.5)
	m.checked("P2", "d.md:1", ledger.OfficialSource).checked("P2", "u", ledger.UserOverride).
		checked("P2", "m", ledger.ModeledFallback).checked("P2", "f", ledger.FreshResearch).
		checked("P2", "g", ledger.OfficialSource).checked("P2", "h", ledger.UserOverride)
	// Ten items, which could be of six kinds: 3, 1, 2, 2, 1 and 1 of them.
	entropy := 0.0
	for _, n := range []float64{3, 1, 2, 2, 1, 1} {
		entropy -= n / 10 * math.Log(n/10)
	}
	figure(t, "the entropy over all kinds", m.metrics().KindEntropy, entropy/math.Log(6))
}

func TestPerspectiveCoverageCountsSeatsThatMoved(t *testing.T) {
	m := councilDebate(t).raise(state.Strategist, "A").raise(state.Strategist, "B")
	// The strategist moved on both: 2 of 8 pairs.
	figure(t, "after raising", m.metrics().Coverage, 0.25)
	m.challenge(state.Critic, "P1", "why?").score(state.Adversary, "P1", 0.5).score(state.Adversary, "P1", 0.6)
	m.add(&state.EvidenceOffered{ID: "E1", Point: "P2", Reference: "a:1", By: state.Adversary})
	// The user and the protocol do not take part.
	m.challenge(state.User, "P2", "really?")
	// Critic on P1, adversary on P1 and P2: 5 of 8.
	figure(t, "after testing", m.metrics().Coverage, 0.625)
	m.add(
		&state.ChallengeAnswered{Challenge: "C2", By: state.Strategist, Text: "yes"},
		// The critic judges what the user challenged.
		&state.ChallengeJudged{Challenge: "C2", By: state.Critic, Judgment: state.Accepted},
		&state.Synthesized{By: state.Moderator, Open: []string{"P2"}},
	)
	figure(t, "after the synthesis", m.metrics().Coverage, 0.875)
	m.add(&state.PointsMerged{Into: "P2", From: []string{"P1"}, By: state.Moderator})
	// One point is left, about which all four moved.
	figure(t, "after merging", m.metrics().Coverage, 1)
}

func TestPerspectiveCoverageOfAConsultation(t *testing.T) {
	m := consultDebate(t).raise(state.Consultee, "A").raise(state.Consultee, "B").raise(state.Orchestrator, "C")
	m.add(
		&state.PointClassified{Point: "P1", By: state.Orchestrator, Class: state.Agree},
		&state.Requested{Point: "P3", What: state.RequestEvidence, Of: []state.Seat{state.Consultee}, By: state.Protocol},
		&state.PointClassified{Point: "P2", By: state.Arbiter, Class: state.Agree},
	)
	// Of orchestrator and consultee with three points: P1 both, P2 and P3 one each.
	// The arbiter takes no part in the rounds.
	figure(t, "with a request", m.metrics().Coverage, 4.0/6)
	m.add(&state.RequestSettled{Point: "P3", What: state.RequestEvidence, Answered: true, By: state.Consultee})
	figure(t, "with its answer", m.metrics().Coverage, 5.0/6)
}

func TestMissingPanelistsAreNoPartOfTheCoverage(t *testing.T) {
	m := debate(t, state.Settings{Format: state.FormatPanel, Panel: &state.PanelSettings{}}, state.Orchestrator, state.Panelist, "panelist-2", "panelist-3")
	m.raise(state.Panelist, "A").raise("panelist-2", "B")
	m.add(&state.PointsPaired{A: "P1", B: "P2", Same: true, By: state.Orchestrator})
	// Four seats: each panelist its own, the orchestrator both: 4 of 8.
	figure(t, "with all", m.metrics().Coverage, 0.5)
	m.add(&state.SeatMissed{Seat: "panelist-3", Stage: state.StagePropose})
	figure(t, "without the third", m.metrics().Coverage, 4.0/6)
}

func TestFinalConfidenceIsTheAggregateOfWhatIsAgreed(t *testing.T) {
	m := councilDebate(t).raise(state.Strategist, "A").raise(state.Strategist, "B").raise(state.Strategist, "C")
	m.score(state.Moderator, "P1", 0.70).score(state.Strategist, "P1", 0.85).score(state.Critic, "P1", 0.72).score(state.Adversary, "P1", 0.68)
	m.score(state.Strategist, "P2", 0.9).score(state.Critic, "P2", 0.2)
	m.ruled(state.BucketAgreed, state.BucketUnresolved, state.BucketAgreed)
	got := m.metrics()
	// 0.3·0.85 + 0.4·0.72 + 0.2·0.68 + 0.1·0.70 = 0.749. P2 is not Agreed, of P3
	// nobody reported.
	figure(t, "the confidence in P1", got.Points[0].Confidence, 0.749)
	// (0.3·0.9 + 0.4·0.2) / 0.7 = 0.5.
	figure(t, "the confidence in P2", got.Points[1].Confidence, 0.5)
	none(t, "the confidence in P3", got.Points[2].Confidence)
	figure(t, "the mean over Agreed", got.FinalConfidence, 0.749)
	if v := council.Validate(&m.state, m.state.Point("P1")); *v.Aggregate != *got.Points[0].Confidence {
		t.Errorf("CV2 reads %v, the metrics say %v", *v.Aggregate, *got.Points[0].Confidence)
	}
	// 0.85 − 0.68 and 0.9 − 0.2, of two points.
	figure(t, "the mean spread", got.MeanSpread, (0.17+0.7)/2)
}

func TestOutsideCouncilsAllSeatsCountTheSame(t *testing.T) {
	m := consultDebate(t).raise(state.Consultee, "A").score(state.Consultee, "P1", 0.8)
	m.ruled(state.BucketAgreed)
	got := m.metrics()
	figure(t, "one report", got.FinalConfidence, 0.8)
	none(t, "the spread of one report", got.MeanSpread)
	m.score(state.Orchestrator, "P1", 0.5)
	got = m.metrics()
	// (0.8 + 0.5) / 2, and 0.3 apart.
	figure(t, "two reports", got.FinalConfidence, 0.65)
	figure(t, "their spread", got.MeanSpread, 0.3)
	none(t, "the compliance", got.Compliance)
}

func TestSurvivalFollowsRevisionsAndMerges(t *testing.T) {
	m := councilDebate(t).raise(state.Strategist, "A").raise(state.Strategist, "B").raise(state.Strategist, "C").raise(state.Strategist, "D")
	m.add(&state.PointsMerged{Into: "P3", From: []string{"P4"}, By: state.Moderator}, &state.RoundStarted{Round: 2})
	m.revise(state.Strategist, "P1", "A, narrower").raise(state.Strategist, "late")
	m.add(&state.PointsMerged{Into: "P6", From: []string{"P3"}, By: state.Moderator})
	m.ruled(state.BucketDismissed, state.BucketDismissed, state.BucketDismissed, state.BucketDismissed, state.BucketAgreed, state.BucketAgreed)
	// Of round 1: P1 became P5, Agreed; P2 was dismissed; P3 and P4 became P6, Agreed,
	// and count once: 2 of 3.
	figure(t, "the survival", m.metrics().Survival, 2.0/3)
	m.ruled(state.BucketDismissed, state.BucketDismissed, state.BucketDismissed, state.BucketDismissed, state.BucketUnresolved, state.BucketAgreed)
	figure(t, "with P5 unresolved", m.metrics().Survival, 1.0/3)
}

func TestModificationIsRevisionsAmongRevisionsAndDismissals(t *testing.T) {
	m := consultDebate(t).raise(state.Consultee, "A").raise(state.Consultee, "B").raise(state.Consultee, "C")
	m.ruled(state.BucketAgreed, state.BucketAgreed, state.BucketAgreed)
	none(t, "without either", m.metrics().Modification)
	m.revise(state.Consultee, "P1", "A, narrower").revise(state.Consultee, "P4", "A, narrower still")
	m.ruled(state.BucketDismissed, state.BucketDismissed, state.BucketAgreed, state.BucketDismissed, state.BucketAgreed)
	// P1 and P4 were revised, and their rulings say so; P2 was dismissed: 2 of 3.
	figure(t, "the modification", m.metrics().Modification, 2.0/3)
}

func TestComplianceIsTheShareOfMovesWithoutViolation(t *testing.T) {
	m := councilDebate(t).raise(state.Strategist, "A").raise(state.Strategist, "B").challenge(state.Critic, "P1", "no")
	none(t, "without moves on the record", m.metrics().Compliance)
	m.add(
		&state.ReplyReceived{Seat: state.Strategist, Stage: state.StagePropose, Valid: true, Moves: 3},
		&state.ReplyReceived{Seat: state.Critic, Stage: state.StagePropose, Valid: true, Moves: 5},
	)
	figure(t, "without violation", m.metrics().Compliance, 1)
	m.add(
		&state.ConstitutionViolated{Constraint: "S1", Seat: state.Strategist, Point: "P1"},
		&state.ConstitutionViolated{Constraint: "S2", Seat: state.Strategist, Point: "P1"},
		&state.ConstitutionViolated{Constraint: "S1", Seat: state.Strategist, Point: "P1", Challenge: "C1"},
	)
	// P1 violates two constraints and is one move, C1 another: 6 of 8.
	figure(t, "with violations", m.metrics().Compliance, 0.75)
}

func TestSummariesAreMeansOfWhatThereIs(t *testing.T) {
	m := councilDebate(t).raise(state.Strategist, "A").challenge(state.Critic, "P1", "why?").checked("P1", "a.md:1", ledger.DomainEvidence)
	m.score(state.Strategist, "P1", 0.9).score(state.Critic, "P1", 0.7)
	m.ruled(state.BucketOpen)
	// Strategist and critic moved: coverage 2/4. Depth 1 of 2: 1/2. No moves on the
	// record, no compliance. Verified 1, sources 1; entropy 0. Spread 0.2, and nothing
	// Agreed yet.
	got := m.metrics()
	figure(t, "rigor", got.Rigor, 0.5)
	figure(t, "evidence", got.Evidence, 1)
	figure(t, "diversity", got.Diversity, 0.25)
	figure(t, "consensus", got.Consensus, 0.4)
	figure(t, "overall", got.Overall, (0.5+1+0.25+0.4)/4)
	m.add(&state.ReplyReceived{Seat: state.Critic, Stage: state.StagePropose, Valid: true, Moves: 4})
	m.ruled(state.BucketAgreed)
	got = m.metrics()
	// Compliance 1: (0.5 + 0.5 + 1) / 3. Confidence (0.3·0.9 + 0.4·0.7) / 0.7 = 11/14.
	figure(t, "rigor", got.Rigor, 2.0/3)
	figure(t, "consensus", got.Consensus, (11.0/14+0.8)/2)
}

func TestOverallIsWeighted(t *testing.T) {
	m := councilDebate(t).raise(state.Strategist, "A").checked("P1", "a.md:1", ledger.DomainEvidence)
	m.ruled(state.BucketOpen)
	// Coverage 1/4, depth 0: rigor 1/8. Evidence 1. Entropy 0: diversity 1/8. Nobody
	// reported: no consensus.
	none(t, "consensus", m.metrics().Consensus)
	figure(t, "all the same", m.metrics().Overall, (0.125+1+0.125)/3)
	m.state.Settings.MetricWeights = &state.MetricWeights{Rigor: 1, Evidence: 3, Consensus: 4}
	// (1·1/8 + 3·1) / (1 + 3): consensus is left out with its weight.
	figure(t, "weighted", m.metrics().Overall, 3.125/4)
	m.state.Settings.MetricWeights = &state.MetricWeights{Consensus: 1}
	none(t, "with no weight on what there is", m.metrics().Overall)
	m.state.Settings.MetricWeights = &state.MetricWeights{Rigor: math.MaxFloat64, Evidence: math.MaxFloat64}
	figure(t, "with weights that do not add up", m.metrics().Overall, 1.125/2)
}

func TestASessionWithoutPointsHasNoMetrics(t *testing.T) {
	for _, format := range state.Formats() {
		got := debate(t, state.Settings{Format: format}).metrics()
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

func TestChangesOfAFieldAreRevisions(t *testing.T) {
	m := debate(t, state.Settings{Format: state.FormatDialectic}, state.Proposer, state.PressureTester)
	m.raise(state.Proposer, "10").raise(state.Proposer, "b")
	m.add(
		&state.FieldProposed{Point: "P1", Path: "percent", Value: []byte("10")},
		&state.FieldProposed{Point: "P2", Path: "owner", Value: []byte(`"b"`)},
	)
	m.challenge(state.PressureTester, "P1", "Too much.").challenge(state.PressureTester, "P1", "Too much.").challenge(state.PressureTester, "P1", "Too much.")
	m.add(
		&state.ObjectionFiled{Challenge: "C1", Predicate: "errors stay low"},
		&state.ObjectionFiled{Challenge: "C2", Predicate: "cost stays low"},
		&state.ObjectionFiled{Challenge: "C3", Predicate: "Cost stays low."},
		&state.FieldRevised{Point: "P1", By: state.Proposer, Value: []byte("5"), Text: "5"},
		&state.FieldRevised{Point: "P1", By: state.Proposer, Value: []byte("1"), Text: "1"},
		&state.FieldWithdrawn{Point: "P2", By: state.Proposer},
	)
	m.ruled(state.BucketAgreed, state.BucketDismissed)
	got := m.metrics()
	// Two new values, one field withdrawn.
	figure(t, "the modification", got.Modification, 2.0/3)
	// Of two fields one stands.
	figure(t, "the survival", got.Survival, 0.5)
	// C1 and C2 are about different predicates, C3 repeats C2; P2 has none.
	figure(t, "the depth", got.MeanChallenges, 1)
	// The proposer moved on both, the pressure-tester on P1.
	figure(t, "the coverage", got.Coverage, 0.75)
}

// TestTheExampleOfTheManual computes the example of docs/metrics.md.
func TestTheExampleOfTheManual(t *testing.T) {
	m := councilDebate(t).raise(state.Strategist, "A").raise(state.Strategist, "B")
	m.challenge(state.Critic, "P1", "The sample is small.").challenge(state.Adversary, "P1", "the sample is SMALL").challenge(state.Critic, "P2", "why?")
	m.score(state.Strategist, "P1", 0.85).score(state.Critic, "P1", 0.72).score(state.Adversary, "P1", 0.68).score(state.Moderator, "P1", 0.70)
	m.ruled(state.BucketOpen, state.BucketOpen)
	m.add(
		&state.ReplyReceived{Seat: state.Strategist, Stage: state.StagePropose, Valid: true, Moves: 20},
		&state.ConstitutionViolated{Constraint: "S1", Seat: state.Strategist, Point: "P1"},
		&state.RoundStarted{Round: 2},
	)
	m.revise(state.Strategist, "P2", "B, narrower").score(state.Strategist, "P3", 0.8).score(state.Critic, "P3", 0.7)
	m.checked("P1", "a.md:1", ledger.DomainEvidence).checked("P1", "b.md:3", ledger.DomainEvidence).checked("P3", "a.md:7", ledger.DomainEvidence)
	m.ruled(state.BucketAgreed, state.BucketDismissed, state.BucketAgreed)
	got := m.metrics()
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
