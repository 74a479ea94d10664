package formats_test

import (
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/resolver"
	"moot/state"
)

// bound opens a council with one constraint.
func bound(t testing.TB, c constitution.Constraint) *measured {
	t.Helper()
	c.ID, c.Text = "it", "Do it."
	if c.Seat == "" {
		c.Seat = constitution.Strategist
	}
	return debate(t, state.Settings{Format: council.Name, Own: &council.Settings{
		Rounds: council.DefaultRounds, Weights: council.DefaultWeights(), Decision: council.DefaultDecision,
		Constitution: constitution.Constitution{Name: "mine.toml", Constraints: []constitution.Constraint{c}},
	}}, constitution.Strategist, constitution.Critic, constitution.Adversary, constitution.Moderator)
}

// scored has all seats report the same confidence in P1, the strategist with its
// reason.
func (m *measured) scored(confidence float64, because string) *measured {
	m.add(&state.ConfidenceReported{Seat: constitution.Strategist, Point: "P1", Stated: confidence, Admitted: confidence, Cause: because})
	return m.score(constitution.Critic, "P1", confidence).score(constitution.Adversary, "P1", confidence).score(constitution.Moderator, "P1", confidence)
}

// claimed raises a claim that passes CV1, CV2 and CV4.
func (m *measured) claimed(text string) *measured {
	m.raise(constitution.Strategist, text)
	m.add(&state.PointTriaged{Point: "P1", By: state.Protocol, Scope: state.InScope})
	return m.checked("P1", "docs/a.md:1", ledger.DomainEvidence).scored(0.9, "seen on one machine")
}

// offered brings an item that nobody has checked.
func (m *measured) offered(by state.Seat, relation ledger.Relation, reference string) *measured {
	m.add(&state.EvidenceOffered{ID: state.NextID('E', m.state.Evidence.Len()), Point: "P1", Relation: relation, Reference: reference, By: by})
	return m
}

// CV3: a claim passes a check only if it meets it. A violation keeps the claim from Agreed, names
// the constraint, and says what to fix; a finding of bias is reported and blocks nothing.
func TestChecks(t *testing.T) {
	factual, proposal := "Every job is run once.", "We should replace the queue with a stream."
	for _, c := range []struct {
		name     string
		bound    constitution.Constraint
		passing  func(*measured)
		failing  func(*measured)
		says     string
		holds    bool
		alsoHeld string
	}{
		{
			name: "cites-evidence", bound: constitution.Constraint{Check: constitution.CheckCites},
			passing: func(m *measured) { m.claimed(factual) },
			failing: func(m *measured) {
				m.raise(constitution.Strategist, factual).scored(0.9, "guessed")
				m.add(&state.PointTriaged{Point: "P1", By: state.Protocol, Scope: state.InScope})
			},
			says: "a factual claim without a reference", alsoHeld: "CV1",
		},
		{
			name: "states-uncertainty", bound: constitution.Constraint{Check: constitution.CheckUncertainty},
			passing: func(m *measured) { m.claimed(factual) },
			failing: func(m *measured) { m.claimed(factual).scored(1, "") },
			says:    "no limit, no range, and no reason why the confidence is not 1",
		},
		{
			name: "states-uncertainty, none is no limit", bound: constitution.Constraint{Check: constitution.CheckUncertainty},
			passing: func(m *measured) {
				m.claimed(factual).scored(1, "")
				m.add(&council.ClaimLimited{Point: "P1", By: constitution.Strategist, Limit: "one worker"})
			},
			failing: func(m *measured) {
				m.claimed(factual).scored(0.9, "n/a")
				m.add(&council.ClaimLimited{Point: "P1", By: constitution.Strategist, Limit: "none"})
			},
			says: "no limit, no range",
		},
		{
			name: "challenges-method", bound: constitution.Constraint{Check: constitution.CheckMethod, Seat: constitution.Critic},
			passing: func(m *measured) { m.claimed(factual).challenge(constitution.Critic, "P1", "The sample is one day.") },
			failing: func(m *measured) { m.claimed(factual).challenge(constitution.Critic, "P1", "Nobody will like it.") },
			says:    "a challenge that names no method, sample, assumption or confounder",
			holds:   true, // It is the challenge that is at fault, not the claim.
		},
		{
			name: "diverse-sources", bound: constitution.Constraint{Check: constitution.CheckDiverse},
			passing: func(m *measured) {
				m.claimed(factual).checked("P1", "docs/b.md:2", ledger.DomainEvidence)
				m.add(&council.ClaimMarkedKey{Point: "P1", By: constitution.Critic})
			},
			failing: func(m *measured) {
				m.claimed(factual).checked("P1", "docs/a.md:9-12", ledger.DomainEvidence)
				m.add(&council.ClaimMarkedKey{Point: "P1", By: constitution.Critic})
			},
			says: "a key claim with references of one source only", alsoHeld: "CV1",
		},
		{
			name: "feasibility", bound: constitution.Constraint{Check: constitution.CheckFeasible},
			passing: func(m *measured) { m.claimed(proposal + " Both are written for a week by adding a second writer.") },
			failing: func(m *measured) { m.claimed(proposal) },
			says:    "a proposal that does not say how it is carried out",
		},
		{
			name: "bias", bound: constitution.Constraint{Check: constitution.CheckBias},
			passing: func(m *measured) {
				m.claimed(factual).checked("P1", "docs/b.md:2", ledger.DomainEvidence).
					offered(constitution.Critic, ledger.Supports, "docs/c.md:1").offered(constitution.Adversary, ledger.Neutral, "docs/d.md:1")
			},
			failing: func(m *measured) { m.claimed(factual) },
			says:    "all its support is of one source, of one seat, of one polarity",
			holds:   true,
		},
		{
			name: "no-harm", bound: constitution.Constraint{Check: constitution.CheckNoHarm, Deny: []string{"delet* the backup*"}},
			passing: func(m *measured) { m.claimed("A backup is deleted only for a reason.") },
			failing: func(m *measured) { m.claimed("Deleting the backups frees half of the disk.") },
			says:    `it says "delet* the backup*", which this rule forbids`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			good := bound(t, c.bound)
			c.passing(good)
			if found := breaches(good.state); len(found) > 0 {
				t.Errorf("what does as it should violates it: %+v", found)
			}
			bad := bound(t, c.bound)
			c.failing(bad)
			found := breaches(bad.state)
			if len(found) != 1 || found[0].Constraint != "it" || !strings.Contains(found[0].Text, c.says) {
				t.Fatalf("the violations are %+v", found)
			}
			p := bad.state.Point("P1")
			v := council.Validate(bad.state, p)
			if v.Rules[2].Passed != c.holds {
				t.Errorf("CV3: %+v", v.Rules[2])
			}
			if !c.holds && !strings.Contains(strings.Join(v.Required(), "; "), "what it demands: "+found[0].Text) {
				t.Errorf("required is %q", v.Required())
			}
			ruled, _ := resolver.RuleOne(bad.state, "P1")
			if !c.holds && (ruled.Bucket == state.BucketAgreed || !strings.Contains(ruled.Reason, "(CV3)")) {
				t.Errorf("ruled %s: %s", ruled.Bucket, ruled.Reason)
			}
			if first := ruled.Rule; !c.holds && c.alsoHeld != "" && first != c.alsoHeld {
				t.Errorf("ruled by %s, not by %s first", first, c.alsoHeld)
			}
		})
	}
}

// CV3: a value judgment needs no reference, and a claim that is no key one needs no
// second source.
func TestChecksAskNoMoreThanTheySay(t *testing.T) {
	m := bound(t, constitution.Constraint{Check: constitution.CheckDiverse}).claimed("Every job is run once.")
	if found := breaches(m.state); len(found) > 0 {
		t.Errorf("no key claim: %+v", found)
	}
	m = bound(t, constitution.Constraint{Check: constitution.CheckFeasible}).claimed("Callers must hold the lock.")
	if found := breaches(m.state); len(found) > 0 {
		t.Errorf("no proposal: %+v", found)
	}
}

// CV2: only seats with a weight count toward the aggregate. If none of them reported, the claim
// misses the threshold.
func TestNoAggregateIsNoConsensus(t *testing.T) {
	m := debate(t, state.Settings{Format: council.Name, Own: &council.Settings{
		Rounds: council.DefaultRounds, Weights: []council.SeatWeight{{Seat: constitution.Expert, Weight: 1}}, Decision: council.DefaultDecision,
	}}, constitution.Strategist, constitution.Critic, constitution.Adversary, constitution.Moderator)
	m.claimed("Every job is run once.")
	v := council.Validate(m.state, m.state.Point("P1"))
	if v.Aggregate != nil || v.Valid() || v.Rules[1].Passed {
		t.Errorf("CV2 holds without an aggregate: %+v", v.Rules[1])
	}
	if want := "nobody whose confidence has a weight reported one"; v.Rules[1].Says != want {
		t.Errorf("it says %q, want %q", v.Rules[1].Says, want)
	}
}

// breaches are the violations of the constitution as things stand (CV3): of the claims that
// are held and of the challenges to them, in the order of the points.
func breaches(s *state.State) []council.Breach {
	var found []council.Breach
	for _, p := range s.Points.All() {
		if resolver.Held(p) {
			found = append(found, council.BreachesOf(s, p)...)
		}
	}
	return found
}
