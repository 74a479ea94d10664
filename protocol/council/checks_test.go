package council_test

import (
	"slices"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// bound opens a council with one constraint.
func bound(t testing.TB, c constitution.Constraint) *protocoltest.Debate {
	t.Helper()
	c.ID, c.Text = "it", "Do it."
	if c.Seat == "" {
		c.Seat = constitution.Strategist
	}
	return protocoltest.NewDebate(t, state.Settings{Format: council.Name, Own: &council.Settings{
		Rounds: council.DefaultRounds, Weights: council.DefaultWeights(), Decision: council.DefaultDecision,
		Constitution: constitution.Constitution{Name: "mine.toml", Constraints: []constitution.Constraint{c}},
	}}, constitution.Strategist, constitution.Critic, constitution.Adversary, constitution.Moderator)
}

// CV3: a claim passes a check only if it meets it. A violation keeps the claim from Agreed, names
// the constraint, and says what to fix; a finding of bias is reported and blocks nothing.
func TestChecks(t *testing.T) {
	factual, proposal := "Every job is run once.", "We should replace the queue with a stream."
	for _, c := range []struct {
		name     string
		bound    constitution.Constraint
		passing  func(*protocoltest.Debate)
		failing  func(*protocoltest.Debate)
		says     string
		holds    bool
		alsoHeld string
	}{
		{
			name: "cites-evidence", bound: constitution.Constraint{Check: constitution.CheckCites},
			passing: func(m *protocoltest.Debate) { m.Claimed(factual) },
			failing: func(m *protocoltest.Debate) {
				m.Raise(constitution.Strategist, factual).Scored(0.9, "guessed")
				m.Append(&state.PointTriaged{Point: "P1", By: state.Protocol, Scope: state.InScope})
			},
			says: "a factual claim without a reference", alsoHeld: "CV1",
		},
		{
			name: "states-uncertainty", bound: constitution.Constraint{Check: constitution.CheckUncertainty},
			passing: func(m *protocoltest.Debate) { m.Claimed(factual) },
			failing: func(m *protocoltest.Debate) { m.Claimed(factual).Scored(1, "") },
			says:    "no limit, no range, and no reason why the confidence is not 1",
		},
		{
			name: "states-uncertainty, none is no limit", bound: constitution.Constraint{Check: constitution.CheckUncertainty},
			passing: func(m *protocoltest.Debate) {
				m.Claimed(factual).Scored(1, "")
				m.Append(&council.ClaimLimited{Point: "P1", By: constitution.Strategist, Limit: "one worker"})
			},
			failing: func(m *protocoltest.Debate) {
				m.Claimed(factual).Scored(0.9, "n/a")
				m.Append(&council.ClaimLimited{Point: "P1", By: constitution.Strategist, Limit: "none"})
			},
			says: "no limit, no range",
		},
		{
			name: "challenges-method", bound: constitution.Constraint{Check: constitution.CheckMethod, Seat: constitution.Critic},
			passing: func(m *protocoltest.Debate) {
				m.Claimed(factual).Challenge(constitution.Critic, "P1", "The sample is one day.")
			},
			failing: func(m *protocoltest.Debate) {
				m.Claimed(factual).Challenge(constitution.Critic, "P1", "Nobody will like it.")
			},
			says:  "a challenge that names no method, sample, assumption or confounder",
			holds: true, // It is the challenge that is at fault, not the claim.
		},
		{
			name: "diverse-sources", bound: constitution.Constraint{Check: constitution.CheckDiverse},
			passing: func(m *protocoltest.Debate) {
				m.Claimed(factual).Checked("P1", "docs/b.md:2", ledger.DomainEvidence)
				m.Append(&council.ClaimMarkedKey{Point: "P1", By: constitution.Critic})
			},
			failing: func(m *protocoltest.Debate) {
				m.Claimed(factual).Checked("P1", "docs/a.md:9-12", ledger.DomainEvidence)
				m.Append(&council.ClaimMarkedKey{Point: "P1", By: constitution.Critic})
			},
			says: "a key claim with references of one source only", alsoHeld: "CV1",
		},
		{
			name: "feasibility", bound: constitution.Constraint{Check: constitution.CheckFeasible},
			passing: func(m *protocoltest.Debate) {
				m.Claimed(proposal + " Both are written for a week by adding a second writer.")
			},
			failing: func(m *protocoltest.Debate) { m.Claimed(proposal) },
			says:    "a proposal that does not say how it is carried out",
		},
		{
			name: "bias", bound: constitution.Constraint{Check: constitution.CheckBias},
			passing: func(m *protocoltest.Debate) {
				m.Claimed(factual).Checked("P1", "docs/b.md:2", ledger.DomainEvidence).
					Offered(constitution.Critic, ledger.Supports, "docs/c.md:1").Offered(constitution.Adversary, ledger.Neutral, "docs/d.md:1")
			},
			failing: func(m *protocoltest.Debate) { m.Claimed(factual) },
			says:    "all its support is of one source, of one seat, of one polarity",
			holds:   true,
		},
		{
			name: "no-harm", bound: constitution.Constraint{Check: constitution.CheckNoHarm, Deny: []string{"delet* the backup*"}},
			passing: func(m *protocoltest.Debate) { m.Claimed("A backup is deleted only for a reason.") },
			failing: func(m *protocoltest.Debate) { m.Claimed("Deleting the backups frees half of the disk.") },
			says:    `it says "delet* the backup*", which this rule forbids`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			good := bound(t, c.bound)
			c.passing(good)
			if found := breaches(good.State); len(found) > 0 {
				t.Errorf("what does as it should violates it: %+v", found)
			}
			bad := bound(t, c.bound)
			c.failing(bad)
			found := breaches(bad.State)
			if len(found) != 1 || found[0].Constraint != "it" || !strings.Contains(found[0].Text, c.says) {
				t.Fatalf("the violations are %+v", found)
			}
			p := bad.State.Point("P1")
			v := council.Validate(bad.State, p)
			if v.Rules[2].Passed != c.holds {
				t.Errorf("CV3: %+v", v.Rules[2])
			}
			if !c.holds && !strings.Contains(strings.Join(v.Required(), "; "), "what it demands: "+found[0].Text) {
				t.Errorf("required is %q", v.Required())
			}
			ruled, _ := resolver.RuleOne(bad.State, "P1")
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
	m := bound(t, constitution.Constraint{Check: constitution.CheckDiverse}).Claimed("Every job is run once.")
	if found := breaches(m.State); len(found) > 0 {
		t.Errorf("no key claim: %+v", found)
	}
	m = bound(t, constitution.Constraint{Check: constitution.CheckFeasible}).Claimed("Callers must hold the lock.")
	if found := breaches(m.State); len(found) > 0 {
		t.Errorf("no proposal: %+v", found)
	}
	m = bound(t, constitution.Constraint{Check: constitution.CheckCites})
	m.Raise(constitution.Strategist, "Readable code is worth more than fast code")
	m.Append(&state.OverrideMade{What: state.OverrideKindSet, Point: "P1", Set: state.Value})
	if found := breaches(m.State); len(found) > 0 {
		t.Errorf("a value judgment: %+v", found)
	}
}

// A citation that was refused is no reference, and one that waits for its check is.
func TestARefusedCitationIsNoReference(t *testing.T) {
	m := bound(t, constitution.Constraint{Check: constitution.CheckCites})
	m.Raise(constitution.Strategist, "Every job is run once.").Offered(constitution.Strategist, ledger.Supports, "docs/a.md:1")
	if found := breaches(m.State); len(found) > 0 {
		t.Errorf("before the check: %+v", found)
	}
	m.Append(&state.EvidenceRefused{ID: "E1", Reason: "the file has no such line"})
	if found := breaches(m.State); len(found) != 1 {
		t.Errorf("refused: %+v", found)
	}
}

// A constraint binds what its seat says: the strategist all claims, the moderator the claims that it worded, and the
// others their own challenges.
func TestAConstraintBindsItsSeat(t *testing.T) {
	const text = "Deleting the backups frees half of the disk."
	for _, c := range []struct {
		seat          state.Seat
		plain, worded bool
	}{
		{constitution.Strategist, true, true},
		{constitution.Moderator, false, true},
		{constitution.Critic, false, false},
		{constitution.Adversary, false, false},
	} {
		constraint := constitution.Constraint{Seat: c.seat, Check: constitution.CheckNoHarm, Deny: []string{"the backups"}}
		plain := bound(t, constraint).Claimed(text)
		if got := len(breaches(plain.State)) > 0; got != c.plain {
			t.Errorf("a claim of the strategist breaks a constraint of the %s: %v", c.seat, got)
		}
		worded := bound(t, constraint).Claimed("Half of the disk holds backups.")
		worded.Append(
			&state.PointRaised{ID: "P2", By: constitution.Moderator, For: constitution.Strategist, Text: text, Revises: "P1"},
			&state.PointRevised{Point: "P1", New: "P2", By: constitution.Moderator},
		)
		if got := len(breaches(worded.State)) > 0; got != c.worded {
			t.Errorf("a claim that the moderator worded breaks a constraint of the %s: %v", c.seat, got)
		}
	}
	m := bound(t, constitution.Constraint{Seat: constitution.Critic, Check: constitution.CheckMethod}).Claimed("Every job is run once.")
	m.Challenge(constitution.Adversary, "P1", "Nobody will like it.")
	if found := breaches(m.State); len(found) > 0 {
		t.Errorf("a challenge of the adversary breaks a constraint of the critic: %+v", found)
	}
}

// A violation is fixed when the same constraint is no longer violated in the same place, whatever else is.
func TestAViolationIsFixedInItsPlace(t *testing.T) {
	m := bound(t, constitution.Constraint{Seat: constitution.Critic, Check: constitution.CheckMethod}).Claimed("Every job is run once.")
	m.Challenge(constitution.Critic, "P1", "Nobody will like it.").Challenge(constitution.Critic, "P1", "It is ugly.")
	p := m.State.Point("P1")
	first, second := council.BreachesOf(m.State, p)[0], council.BreachesOf(m.State, p)[1]
	m.Append(&council.ChallengeReworded{Challenge: "C1", By: constitution.Critic, Objection: "The sample is one day."})
	p = m.State.Point("P1")
	if council.Breaks(m.State, p, &first) || !council.Breaks(m.State, p, &second) {
		t.Errorf("only C1 was fixed: C1 %v, C2 %v", council.Breaks(m.State, p, &first), council.Breaks(m.State, p, &second))
	}
	second.Constraint = "another"
	if council.Breaks(m.State, p, &second) {
		t.Error("a constraint that nothing violates is violated")
	}
}

// There is no consensus while an earlier rule than CV1 leaves a claim unresolved, unless the user left it open. Claims
// that were revised are replaced by the new form.
func TestWhatIsUnsettled(t *testing.T) {
	m := protocoltest.CouncilDebate(t).Claimed("Every job is run once.")
	unsettled := func(want ...string) {
		t.Helper()
		if got := council.Unsettled(m.State); !slices.Equal(got, want) {
			t.Errorf("unsettled: %q, want %q", got, want)
		}
	}
	unsettled()
	m.Append(
		&state.EvidenceOffered{ID: "E2", Point: "P1", Relation: ledger.Refutes, Reference: "docs/b.md:1", By: state.User},
		&state.EvidenceVerified{ID: "E2", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: "docs/b.md:1", Admitted: true},
	)
	unsettled("P1") // AC9: conflicting evidence
	m.Append(&state.OverrideMade{What: state.OverrideUnresolved, Point: "P1"})
	unsettled()

	m = protocoltest.CouncilDebate(t).Claimed("Every job is run once.").Revise(constitution.Strategist, "P1", "Every job is run at least once.")
	unsettled("P2")
	outcome, _ := view.FormatOf(m.State).Outcome(m.State).(council.Outcome)
	if len(outcome.Claims) != 1 || outcome.Claims[0].Point != "P2" {
		t.Errorf("the claims of the outcome: %+v", outcome.Claims)
	}
}

// CV2: only seats with a weight count toward the aggregate. If none of them reported, the claim
// misses the threshold.
func TestNoAggregateIsNoConsensus(t *testing.T) {
	m := protocoltest.NewDebate(t, state.Settings{Format: council.Name, Own: &council.Settings{
		Rounds: council.DefaultRounds, Weights: []council.SeatWeight{{Seat: constitution.Expert, Weight: 1}}, Decision: council.DefaultDecision,
	}}, constitution.Strategist, constitution.Critic, constitution.Adversary, constitution.Moderator)
	m.Claimed("Every job is run once.")
	v := council.Validate(m.State, m.State.Point("P1"))
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
