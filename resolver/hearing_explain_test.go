package resolver_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moot/resolver"
	"moot/resolver/hearing"
	"moot/state"
)

// ruledDomain reads what was copied.
func ruledDomain() state.Domain {
	d := smallDomain()
	d.Rules = []state.FactRule{
		{ID: "copied", Name: "a directory copied", Technique: "T1003", Role: state.RoleAct, Weight: 0.6, When: []state.FactCondition{{Words: []string{"ntdsutil", "ntds dit"}}}},
	}
	d.Weights = &state.Weights{
		Ties: []state.Weight{{Name: "record: always", Weight: -2}, {Name: "record: name and kind", Weight: 4}},
		Sums: []state.SumWeight{{Name: "acts that stand", Confirmed: 6}, {Name: "acts accounted for", Dismissed: 6}},
	}
	return d
}

// byRules is a hearing whose domain has rules.
func byRules(t *testing.T, form state.Form, judge state.JudgeVersion) *hall {
	t.Helper()
	h := hearingOf(t, form, judge)
	settings := *h.state.Settings.Hearing
	settings.Domain = ruledDomain()
	h.state.Settings.Hearing = &settings
	return h
}

// HR1, HR2 and HR3: each claim is ruled by its facts; one whose facts no rule reads is
// weak at most.
func TestClaimsAreRuledByTheirFacts(t *testing.T) {
	h := byRules(t, state.FormSingle, state.JudgeV1).
		claims("P2", state.Architect, 0.1, "f1", "f2").claims("P3", state.Architect, 0.5, "f6").claims("P4", state.Architect, 0.1, "f5").
		concludes(0.5, 0.5)
	if got := h.ruling("P2"); got.Bucket != state.BucketOpen || got.Rule != "AC19" {
		t.Errorf("while the session runs: %+v", got)
	}
	h.ends()
	for point, want := range map[string]ruled{
		"P2": {Bucket: state.BucketAgreed, Tag: state.TagFacts, Rule: "HR1", Reads: []string{"f1", "f2"}},
		"P3": {Bucket: state.BucketUnresolved, Rule: "HR2", Reads: []string{"f6"}},
		"P4": {Bucket: state.BucketDismissed, Tag: state.TagRejected, Rule: "HR3", Reads: []string{"f5"}},
	} {
		got := h.ruling(point)
		if got.Bucket != want.Bucket || got.Tag != want.Tag || got.Rule != want.Rule || !slices.Equal(got.Reads, want.Reads) || !strings.Contains(got.Reason, ": by its facts it weighs ") {
			t.Errorf("%s: %+v", point, got)
		}
		if resolver.RuleSays(got.Rule) == "" {
			t.Errorf("%s says nothing", got.Rule)
		}
	}
}

// Without rules nothing would bear out any claim, and that would say nothing of it.
func TestADomainWithoutRulesRulesNoClaim(t *testing.T) {
	h := argued(t, state.JudgeV2, 0.9, 0.5).ends()
	if got := h.ruling("P2"); got.Bucket != state.BucketUnresolved || got.Rule != "AC18" || !strings.Contains(got.Reason, "the domain has no rules that read facts") {
		t.Errorf("%+v", got)
	}
}

// The version claims rules on the question by the sums, and says them.
func TestTheVersionClaimsSaysItsSums(t *testing.T) {
	h := byRules(t, state.FormAudit, state.JudgeClaims).
		claims("P2", state.Architect, 0.5, "f1", "f2").claims("P3", state.Skeptic, 0.9, "f4").concludes(0.1, 0.9).ends()
	got := h.ruling("P1")
	if got.Bucket != state.BucketAgreed || got.Rule != "claims.1" || !strings.HasPrefix(got.Reason, "THREAT_CONFIRMED by claims.1: ") {
		t.Errorf("%+v", got)
	}
	ruling, _ := resolver.RuleOne(h.state, "P1")
	e := resolver.Explain(h.state, ruling)
	if q := e.Hearing.Question; len(q.Rows) != 0 || len(q.Sums) < 3 || !strings.Contains(strings.Join(q.Sums, " "), "a side wins that leads by 0.25 and ") {
		t.Errorf("the sums: %q", q.Sums)
	}
	if !slices.ContainsFunc(e.Changes, func(c resolver.Change) bool { return strings.Contains(c.With, "With a concession of P2") }) {
		t.Errorf("the fall of P2 flips it: %+v", e.Changes)
	}
}

// The rows before the one that decided are told with what they lacked.
func TestRowsBeforeTheOneThatHolds(t *testing.T) {
	h := argued(t, state.JudgeV2, 0.5, 0.9).ends()
	ruling, _ := resolver.RuleOne(h.state, "P1")
	e := resolver.Explain(h.state, ruling)
	if len(e.Before) != 1 || e.Before[0].Rule != "v2.1" || e.Before[0].Words != "a > 0.85: architect 0.5 is not > 0.85." {
		t.Errorf("%+v", e.Before)
	}
	if q := e.Hearing.Question; len(q.Rows) != 2 || !q.Rows[1].Holds || len(q.Versions) != len(state.JudgeVersions()) {
		t.Errorf("%+v", q)
	}
}

// What would change a verdict is the smallest change of a confidence that does: judged
// again it flips, and a hundredth less does not.
func TestTheSmallestChangeOfAConfidenceFlipsTheVerdict(t *testing.T) {
	for _, judge := range []state.JudgeVersion{state.JudgeV1, state.JudgeV1Facts, state.JudgeV2, state.JudgeV2Bounded} {
		for _, a := range []float64{0, 0.3, 0.5, 0.65, 0.7, 0.85, 0.9, 1} {
			for _, s := range []float64{0, 0.45, 0.5, 0.6, 0.7, 0.86, 1} {
				h := argued(t, judge, a, s).ends()
				ruling, _ := resolver.RuleOne(h.state, "P1")
				e := resolver.Explain(h.state, ruling)
				for _, change := range e.Changes {
					for _, way := range change.Ways {
						flipsAtOnce(t, h, &way)
					}
				}
			}
		}
	}
}

// flipsAtOnce checks that a way flips the verdict, and that a change that is smaller by
// a hundredth does not.
func flipsAtOnce(t *testing.T, h *hall, way *resolver.Way) {
	t.Helper()
	for _, payload := range way.Events {
		to, is := payload.(*state.Argued)
		if !is {
			continue
		}
		was, _ := resolver.VerdictOf(&h.state)
		at := func(confidence float64) state.Outcome {
			a, s := was.Architect, was.Skeptic
			if to.Seat == state.Skeptic {
				s.Confidence = confidence
			} else {
				a.Confidence = confidence
			}
			v, err := hearing.Judge(was.Version, a, s)
			if err != nil {
				t.Fatal(err)
			}
			return v.Outcome
		}
		own := was.Architect.Confidence
		if to.Seat == state.Skeptic {
			own = was.Skeptic.Confidence
		}
		next := at(to.Confidence)
		if next == was.Outcome {
			t.Errorf("%s of %v and %v: %s does not flip it", was.Version, was.Architect.Confidence, was.Skeptic.Confidence, way.With)
		}
		const step = 0.01
		if before := at(to.Confidence + math.Copysign(step, own-to.Confidence)); before == next {
			t.Errorf("%s of %v and %v: %s is not the smallest change", was.Version, was.Architect.Confidence, was.Skeptic.Confidence, way.With)
		}
	}
}

// Of a session that runs the changes are those of its end.
func TestChangesOfARunningHearing(t *testing.T) {
	h := argued(t, state.JudgeV2, 0.9, 0.5)
	ruling, _ := resolver.RuleOne(h.state, "P1")
	var ifs []string
	for _, c := range resolver.Explain(h.state, ruling).Changes {
		ifs = append(ifs, c.With+": "+c.Words)
	}
	want := []string{
		"With a confidence of 0.64 from the architect: Unresolved, open",
		"With the end of the session now: Agreed, facts",
		"With your ruling: agree: Agreed, USER",
		"With your ruling: dismiss: Dismissed, USER",
		"With your ruling: leave unresolved: Unresolved, open",
	}
	if diff := cmp.Diff(want, ifs); diff != "" {
		t.Error(diff)
	}
}

// A claim tells its facts verbatim, the rules that read them, what was cited against
// it, and the way of its side's confidence.
func TestWhyAClaimOfAHearing(t *testing.T) {
	h := byRules(t, state.FormAnchored, state.JudgeV2).
		claims("P2", state.Architect, 0.9, "f1", "f2").concludes(0.9, 0.5).
		add(&state.RoundStarted{Round: 2}).
		add(
			&state.ChallengeRaised{ID: "C1", Point: "P2", By: state.Skeptic, What: state.Skeptical, Objection: "a backup", Facts: []string{"f4"}},
			&state.ConfidenceReported{Seat: state.Architect, Point: "P2", Stated: 0.6, Admitted: 0.6, Cause: "f4"},
		).concludes(0.6, 0.6).ends()
	ruling, _ := resolver.RuleOne(h.state, "P2")
	c := resolver.Explain(h.state, ruling).Hearing.Claim
	if c.By != state.Architect || len(c.Facts) != 2 || c.Facts[0].What != `dc: new_process = "ntdsutil.exe ifm create full", at 2026-03-10T22:00:00Z, by syslog wec` {
		t.Errorf("facts %+v", c.Facts)
	}
	if len(c.Rules) != 1 || c.Rules[0].ID != "copied" || !strings.Contains(c.Rules[0].What, "(T1003), weight 0.6, for the architect, by f1, f2") {
		t.Errorf("rules %+v", c.Rules)
	}
	if len(c.Contradicted) != 1 || c.Contradicted[0].What != "the skeptic in round 2, by f4: “a backup”; not answered" {
		t.Errorf("against %+v", c.Contradicted)
	}
	if len(c.Confidences) != 2 || math.Abs(c.Confidences[1].Delta+0.3) > 1e-9 || c.Confidences[1].Cause != "f4" {
		t.Errorf("confidences %+v", c.Confidences)
	}
}

// A hearing is measured by its claims: the question is no point that somebody should
// have challenged, and two sides come to no consensus.
func TestMetricsOfAHearing(t *testing.T) {
	h := byRules(t, state.FormSingle, state.JudgeV2).
		claims("P2", state.Architect, 0.9, "f1", "f2").claims("P3", state.Skeptic, 0.5, "f6").concludes(0.9, 0.5).
		add(&state.SchemaViolated{Seat: state.Skeptic, Move: "CLAIM", Text: "made up", Facts: []string{"f9"}}).ends()
	m := resolver.Measure(&h.state, resolver.Rule(h.state))
	if len(m.Points) != 2 || m.Points[0].Point != "P2" {
		t.Errorf("points %+v", m.Points)
	}
	if m.Verified == nil || *m.Verified != 0.5 || m.FinalConfidence == nil || *m.FinalConfidence != 0.9 || m.Consensus != nil || m.MeanSpread != nil {
		t.Errorf("verified %v, confidence %v, consensus %v", m.Verified, m.FinalConfidence, m.Consensus)
	}
	// Three facts of one source.
	if m.SourceDiversity == nil || math.Abs(*m.SourceDiversity-0.333) > 1e-3 || m.KindEntropy == nil || *m.KindEntropy != 0 {
		t.Errorf("diversity %v, entropy %v", m.SourceDiversity, m.KindEntropy)
	}
}

// Each flag is said in a clause, and a gate's finding in a sentence.
func TestFlagsAreSaid(t *testing.T) {
	for _, f := range hearing.MiscalibrationFlags() {
		if resolver.FlagSays(f) == "" {
			t.Errorf("nothing is said of %q", f)
		}
	}
	h := hearingOf(t, state.FormSelective, state.JudgeV2).claims("P2", state.Architect, 0.9, "f1").concludes(0.9, 0.2)
	v, _ := resolver.VerdictOf(&h.state)
	if got := resolver.FlagsOf(&h.state, &v); !slices.Contains(got, hearing.FlagStarvation) || !slices.Contains(got, hearing.FlagConflict) {
		t.Errorf("%v", got)
	}
	h.add(&state.Gated{Gating: resolver.GatingOf(&h.state)}).ends()
	ruling, _ := resolver.RuleOne(h.state, "P1")
	if got := resolver.Explain(h.state, ruling).Hearing.Question.Gate; !strings.HasPrefix(got, "The gate either opened, and the hearing went on as anchored: the verdict of round 1 was at 0.9; evidence starvation, evidence conflict, risk 0.5.") {
		t.Error(got)
	}
}
