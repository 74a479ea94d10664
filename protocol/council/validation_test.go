package council_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/formats"
	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/state"
)

// claim is a council with one claim, P1, in which things happen.
type claim struct{ *protocoltest.Desk }

// claimed opens a council in which the strategist holds P1 with 0.8 and a limit, the
// critic reported 0.7, and E1 of docs/a.md supports it: CV1 to CV4 hold.
func claimed(t testing.TB, raised state.PointRaised) *claim {
	t.Helper()
	c := &claim{&protocoltest.Desk{T: t, State: &state.State{}, Quiet: true}}
	c.Append(&state.SessionOpened{
		Rules:   formats.ByName(council.Name),
		Version: state.Version, ID: "s", Question: "q",
		Settings: state.Settings{Format: council.Name, Own: &council.Settings{
			Rounds: 3, Weights: council.DefaultWeights(), Decision: council.DefaultDecision,
			Constitution: constitution.Constitution{Name: "one", Constraints: []constitution.Constraint{
				{ID: "deny", Seat: constitution.Strategist, Check: constitution.CheckNoHarm, Deny: []string{"delete the logs"}},
				{ID: "flag", Seat: constitution.Strategist, Check: constitution.CheckBias},
			}},
		}},
		Seats: []state.SeatAssignment{{Seat: constitution.Strategist}, {Seat: constitution.Critic}, {Seat: constitution.Adversary}, {Seat: constitution.Moderator}},
	})
	c.Append(&state.RoundStarted{Round: 1})
	raised.ID, raised.By = "P1", constitution.Strategist
	if raised.Text == "" {
		raised.Text = "The queue is durable"
	}
	c.Append(&raised)
	c.Append(&state.PointTriaged{Point: "P1", By: state.Protocol, Scope: state.InScope})
	return c
}

func wholesome(t testing.TB) *claim {
	t.Helper()
	c := claimed(t, state.PointRaised{})
	c.Append(&council.ClaimLimited{Point: "P1", By: constitution.Strategist, Limit: "one host"})
	c.evidence(ledger.Supports, ledger.Textual, "docs/a.md:3")
	c.score(constitution.Strategist, 0.8)
	c.score(constitution.Critic, 0.7)
	return c
}

// weighed is a sound claim of a council in which one seat has all the weight.
func weighed(seat state.Seat) func(testing.TB) *claim {
	return with(wholesome, func(c *claim) {
		c.State.Settings.Own.(*council.Settings).Weights = []council.SeatWeight{{Seat: seat, Weight: 1}}
	})
}

func (c *claim) score(seat state.Seat, confidence float64) {
	c.Append(&state.ConfidenceReported{Seat: seat, Point: "P1", Stated: confidence, Admitted: confidence})
}

func (c *claim) evidence(relation ledger.Relation, of ledger.Type, reference string) {
	id := fmt.Sprintf("E%d", c.State.Evidence.Len()+1)
	c.Append(&state.EvidenceOffered{ID: id, Point: "P1", Relation: relation, Reference: reference, Quote: "q", By: constitution.Critic})
	c.Append(&state.EvidenceVerified{ID: id, Type: of, SourceKind: ledger.DomainEvidence, Confidence: 0.95, Reference: reference, Excerpt: "q", Admitted: true})
	c.Append(&state.EvidenceAccepted{ID: id, By: constitution.Moderator})
}

func (c *claim) challenge() {
	c.Append(&state.ChallengeRaised{ID: "C1", Point: "P1", By: constitution.Critic, Kind: state.Skeptical, Objection: "a small sample", UpgradeIf: "a larger one"})
}

// check returns the result of a validation rule for the claim.
func (c *claim) check(rule int) council.RuleCheck {
	v := council.Validate(c.State, c.State.Point("P1"))
	return v.Rules[rule-1]
}

// Each rule holds of a sound claim, and each thing that is wrong breaks the rule that
// it is about, with what must change: CV1, CV2, CV3, CV4.
func TestEachRuleOfValidation(t *testing.T) {
	for name, test := range map[string]struct {
		of func(t testing.TB) *claim
		// rule fails for a reason, and requires something; a rule of which nothing is
		// required holds.
		rule           int
		says, requires string
	}{
		"CV1 holds":           {wholesome, 1, "E1 is at docs/a.md:3", ""},
		"CV1 without any":     {bare, 1, "no evidence that another seat accepted", "a file and line"},
		"CV1 by a mere claim": {with(bare, func(c *claim) { c.evidence(ledger.Supports, ledger.Claim, "x") }), 1, "no evidence that another seat accepted", "a file and line"},
		"CV1 refuted by what ranks alike": {
			with(wholesome, func(c *claim) { c.evidence(ledger.Refutes, ledger.Textual, "docs/b.md:1") }), 1, "E2 refutes it", "ranks above E2",
		},
		"CV1 refuted by less": {with(wholesome, func(c *claim) {
			c.evidence(ledger.Refutes, ledger.Textual, "docs/b.md:1")
			c.evidence(ledger.Supports, ledger.Execution, "run/a")
		}), 1, "E3", ""},
		"CV1 of a value judgment": {with(bare, func(c *claim) {
			c.Append(&state.OverrideMade{What: state.OverrideKindSet, Point: "P1", Set: state.Value})
		}), 1, "a value judgment", ""},
		"CV1 key, one source twice": {with(wholesome, func(c *claim) {
			c.key()
			c.evidence(ledger.Supports, ledger.Textual, "docs/a.md:9-12")
		}), 1, "of one source", "a second source"},
		"CV1 key, two sources": {with(wholesome, func(c *claim) {
			c.key()
			c.evidence(ledger.Supports, ledger.Textual, "docs/b.md:9")
		}), 1, "of 2 sources", ""},

		"CV1 key, and a mere claim of another": {with(wholesome, func(c *claim) {
			c.key()
			c.evidence(ledger.Supports, ledger.Claim, "docs/b.md:9")
		}), 1, "of one source", "a second source"},

		"CV2 holds":         {wholesome, 2, "the seats agree: strategist 0.8, critic 0.7", ""},
		"CV2 without any":   {bare, 2, "the strategist reported no confidence", "the confidence of the critic"},
		"CV2 exactly 0.5":   {scored(0.8, 0.5, 0.8), 2, "aggregate 0.667", ""},
		"CV2 just under":    {scored(0.75, 0.4999, 0.75), 2, "critic holds it at", "what brings the critic to 0.5"},
		"CV2 0.3 apart":     {scored(0.9, 0.6, 0.9), 2, "the seats agree", ""},
		"CV2 further apart": {scored(0.91, 0.6, 0.9), 2, "0.31 apart", "within 0.3"},
		"CV2 at the threshold": {
			scored(0.65, 0.65, 0.65), 2, "aggregate 0.65", "",
		},
		"CV2 under the threshold":                     {scored(0.64, 0.64, 0.64), 2, "under 0.65", "an aggregate of 0.65"},
		"CV2 whose confidence has a weight is silent": {weighed(constitution.Moderator), 2, "nobody whose confidence has a weight reported one", "a weight: moderator"},
		"CV2 nobody here has a weight":                {weighed(constitution.Expert), 2, "nobody whose confidence has a weight reported one", "none of this council"},
		"CV2 only the moderator has a weight": {
			with(weighed(constitution.Moderator), func(c *claim) { c.score(constitution.Moderator, 0.9) }), 2, "aggregate 0.9", "",
		},
		"CV2 an open challenge": {with(wholesome, (*claim).challenge), 2, "C1 is not settled", "a larger one"},
		"CV2 an unjudged defense": {with(wholesome, func(c *claim) {
			c.challenge()
			c.Append(&state.ChallengeAnswered{Challenge: "C1", By: constitution.Strategist, Text: "it is large"})
		}), 2, "C1 is not settled", "that the critic accepts"},
		"CV2 a rejected defense":           {with(wholesome, judged(state.Rejected)), 2, "C1 is not settled", "that the critic accepts"},
		"CV2 an accepted one":              {with(wholesome, judged(state.Accepted)), 2, "the seats agree", ""},
		"CV2 rejected without a challenge": {with(wholesome, rejects(constitution.Adversary)), 2, "the adversary rejects it", "what makes the adversary agree"},
		"CV2 rejected, and the critic is unsure": {
			with(with(wholesome, rejects(constitution.Adversary)), func(c *claim) { c.score(constitution.Critic, 0.4) }),
			2, "the adversary rejects it", "what makes the adversary agree",
		},

		"CV3 holds": {wholesome, 3, "no constraint", ""},
		"CV3 a denied phrase": {func(t testing.TB) *claim {
			return claimed(t, state.PointRaised{Text: "Delete the logs by hand"})
		}, 3, "delete the logs", "what deny demands"},

		"CV4 a limit":     {wholesome, 4, "its limit", ""},
		"CV4 none":        {bare, 4, "no limit", "a stated limit, a range"},
		"CV4 in its text": {func(t testing.TB) *claim { return claimed(t, state.PointRaised{Text: "It holds unless disks fail"}) }, 4, "its text names a limit", ""},
		"CV4 a range":     {func(t testing.TB) *claim { return claimed(t, state.PointRaised{Text: "It takes 3 to 5 s"}) }, 4, "a range", ""},
		"CV4 a reason":    {because(0.9, "one page"), 4, "with the reason", ""},
		"CV4 no reason":   {because(0.9, " "), 4, "no limit", "with its reason"},
		"CV4 certain":     {because(1, "I know it"), 4, "no limit", "with its reason"},
	} {
		t.Run(name, func(t *testing.T) {
			got := test.of(t).check(test.rule)
			if got.Passed != (test.requires == "") || !strings.Contains(got.Says, test.says) {
				t.Errorf("passed=%v, says %q", got.Passed, got.Says)
			}
			if required := strings.Join(got.Requires, "; "); !strings.Contains(required, test.requires) {
				t.Errorf("requires %q", required)
			}
			if want := fmt.Sprintf("CV%d", test.rule); got.Rule != want {
				t.Errorf("is %s, not %s", got.Rule, want)
			}
		})
	}
}

// CV2 requires each thing once: not a seat's confidence and one of a seat with a weight, nor an answer to a seat's
// challenge and its agreement.
func TestEachRequirementIsNamedOnce(t *testing.T) {
	silent := func(seat, other state.Seat) func(testing.TB) *claim {
		return with(bare, func(c *claim) {
			c.State.Settings.Own.(*council.Settings).Weights = []council.SeatWeight{{Seat: seat, Weight: 1}}
			c.score(other, 0.8)
		})
	}
	for want, of := range map[string]func(testing.TB) *claim{
		"the confidence of the strategist": silent(constitution.Strategist, constitution.Critic),
		"the confidence of the critic":     silent(constitution.Critic, constitution.Strategist),
		"an answer to C1 that the critic accepts: a larger one": with(wholesome, func(c *claim) {
			rejects(constitution.Critic)(c)
			c.challenge()
		}),
	} {
		if got := of(t).check(2).Requires; len(got) != 1 || got[0] != want {
			t.Errorf("requires %q, not only %q", got, want)
		}
	}
}

func rejects(seat state.Seat) func(*claim) {
	return func(c *claim) {
		c.Append(&state.PointClassified{Point: "P1", By: seat, Class: state.Reject, Reason: "a crash loses it"})
	}
}

func bare(t testing.TB) *claim { return claimed(t, state.PointRaised{}) }

func with(of func(testing.TB) *claim, then func(*claim)) func(testing.TB) *claim {
	return func(t testing.TB) *claim {
		c := of(t)
		then(c)
		return c
	}
}

func (c *claim) key() { c.Append(&council.ClaimMarkedKey{Point: "P1", By: state.User}) }

func scored(strategist, critic, adversary float64) func(testing.TB) *claim {
	return with(bare, func(c *claim) {
		c.score(constitution.Strategist, strategist)
		c.score(constitution.Critic, critic)
		c.score(constitution.Adversary, adversary)
	})
}

func because(confidence float64, reason string) func(testing.TB) *claim {
	return with(bare, func(c *claim) {
		c.Append(&state.ConfidenceReported{Seat: constitution.Strategist, Point: "P1", Stated: confidence, Admitted: confidence, Cause: reason})
	})
}

func judged(judgment state.Judgment) func(*claim) {
	return func(c *claim) {
		c.challenge()
		c.Append(&state.ChallengeAnswered{Challenge: "C1", By: constitution.Strategist, Text: "it is large"})
		c.Append(&state.ChallengeJudged{Challenge: "C1", By: constitution.Critic, Judgment: judgment, Reason: "it is not"})
	}
}

// The aggregate is the weighted mean of those that reported, at most the highest of
// them; a seat that reported nothing is not counted as 0.
func TestAggregate(t *testing.T) {
	council := &council.Settings{Weights: council.DefaultWeights()}
	of := func(pairs ...any) []state.Score {
		var scores []state.Score
		for i := 0; i < len(pairs); i += 2 {
			scores = append(scores, state.Score{Seat: pairs[i].(state.Seat), Admitted: pairs[i+1].(float64)})
		}
		return scores
	}
	for name, test := range map[string]struct {
		scores []state.Score
		want   float64
	}{
		"all four":            {of(constitution.Strategist, 0.85, constitution.Critic, 0.72, constitution.Adversary, 0.68, constitution.Moderator, 0.70), 0.749},
		"without a moderator": {of(constitution.Strategist, 0.85, constitution.Critic, 0.72, constitution.Adversary, 0.68), (0.3*0.85 + 0.4*0.72 + 0.2*0.68) / 0.9},
		"one alone":           {of(constitution.Critic, 0.1), 0.1},
		"an expert as well":   {of(constitution.Critic, 0.4, constitution.Expert, 1.0), 0.4},
	} {
		got := resolver.Aggregate(test.scores, council.Weight)
		if got == nil || math.Abs(*got-test.want) > 1e-12 {
			t.Errorf("%s: %v, not %v", name, got, test.want)
		}
	}
	if got := resolver.Aggregate(of(constitution.Expert, 1.0), council.Weight); got != nil {
		t.Errorf("nobody reported whose word counts, and the aggregate is %v", *got)
	}
}

// The confidence of a validation is the aggregate times the share of rules that hold:
// a claim with nothing but two reports has CV2 and CV3.
func TestValidationConfidence(t *testing.T) {
	c := bare(t)
	if v := council.Validate(c.State, c.State.Point("P1")); v.Confidence != 0 || v.Aggregate != nil || len(v.Missing) != 4 {
		t.Errorf("nobody reported: %+v", v)
	}
	c.score(constitution.Strategist, 0.7)
	c.score(constitution.Critic, 0.7)
	v := council.Validate(c.State, c.State.Point("P1"))
	if v.Passed() != 2 || math.Abs(v.Confidence-0.35) > 1e-12 || v.Valid() {
		t.Errorf("%d rules hold, confidence %v: %+v", v.Passed(), v.Confidence, v)
	}
	if len(v.Missing) != 2 || v.Missing[0] != constitution.Adversary {
		t.Errorf("missing: %v", v.Missing)
	}
}
