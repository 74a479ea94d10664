package lab

import (
	"strings"
	"testing"

	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/state"
)

func single() Mode { return Mode{Form: hearing.FormSingle, Judge: judge.V2, Seats: "rules/rules"} }

func multi() Mode { return Mode{Form: hearing.FormMulti, Judge: judge.V2, Seats: "rules/rules"} }

func cases() []Case {
	return []Case{
		{ID: "a", Tier: ClearThreat, Expected: judge.Confirmed, Half: Development},
		{ID: "b", Tier: ClearBenign, Expected: judge.Dismissed, Half: Development},
		{ID: "c", Tier: Ambiguous, Expected: judge.Inconclusive, Half: Test},
	}
}

func said(id string, outcome judge.Outcome, confidence float64) Result {
	return Result{
		Case: id, Repeat: 1, Outcome: outcome, Confidence: confidence, Usage: state.Usage{Calls: 2, PromptTokens: 10, CompletionTokens: 5, Cost: 0.25},
		Rounds: []Round{{Architect: turn(0.9), Skeptic: turn(0.7)}},
	}
}

func runs() []Run {
	return []Run{
		{Mode: single(), Results: []Result{
			said("a", judge.Confirmed, 0.9), said("b", judge.Confirmed, 0.9), said("c", judge.Inconclusive, 0.8),
		}},
		{Mode: multi(), Results: []Result{
			said("a", judge.Dismissed, 0.75), said("b", judge.Dismissed, 0.7), {Case: "c", Repeat: 1, Failed: "the endpoint did not answer"},
		}},
	}
}

func TestSummaries(t *testing.T) {
	summaries, comparisons := Summarize(cases(), runs())
	if len(summaries) != 4 {
		t.Fatalf("%d summaries, not two modes on two halves", len(summaries))
	}
	s := summaries[1]
	if s.Half != Development || s.Mode != multi() || s.Accuracy != (Proportion{1, 2}) || s.Hearings != 2 {
		t.Errorf("the second summary is %+v", s)
	}
	if s.Flips == nil || s.Flips.Pairs != (Paired{Bad: 1, Good: 1}) || s.Flips.Reference != single() {
		t.Errorf("the flips are %+v", s.Flips)
	}
	if summaries[0].Flips != nil {
		t.Error("the reference flips against itself")
	}
	if s.Confusion != (Confusion{{0, 1, 0}, {0, 1, 0}, {}}) {
		t.Errorf("the confusion is %v", s.Confusion)
	}
	// a: 0.125² + 0.75²+ 0.875² with 1 expected of CONFIRMED: (1-0.125)² + 0.75² + 0.125².
	near(t, "the Brier score", s.Brier.Mean, ((0.875*0.875+0.75*0.75+0.125*0.125)+(0.3*0.3+2*0.15*0.15))/2, 1e-12)
	// Both in bin 7: half right, a mean of 0.725.
	near(t, "the calibration error", s.CalibrationError, 0.225, 1e-12)
	if s.Usage != (state.Usage{Calls: 4, PromptTokens: 20, CompletionTokens: 10, Cost: 0.5}) {
		t.Errorf("the usage is %+v", s.Usage)
	}
	if len(s.Wrong) != 1 || s.Wrong[0].Case.ID != "a" || s.Wrong[0].Failure != Miscalibration {
		t.Errorf("the wrong verdicts are %+v", s.Wrong)
	}
	if failed := summaries[3]; failed.Failed != 1 || failed.Hearings != 1 || failed.Accuracy.Total != 0 || failed.Flips != nil {
		t.Errorf("what failed stands in figures: %+v", failed)
	}
	if len(comparisons) != 2 || comparisons[0].Pairs != (Paired{Bad: 1, Good: 1}) || comparisons[0].P != 1 || comparisons[1].Pairs.Total() != 0 {
		t.Errorf("the comparisons are %+v", comparisons)
	}
}

func TestRepeatsHaveAMeanAndASpread(t *testing.T) {
	var results []Result
	for repeat, outcomes := range []string{"CONFIRMED DISMISSED", "CONFIRMED CONFIRMED", "DISMISSED CONFIRMED"} {
		for i, o := range strings.Fields(outcomes) {
			r := said(cases()[i].ID, judge.Outcome(o), 0.9)
			r.Repeat = repeat + 1
			results = append(results, r)
		}
	}
	summaries, _ := Summarize(cases()[:2], []Run{{Mode: single(), Results: results}})
	// 1, 0.5 and 0: a mean of 0.5, a spread of sqrt((0.25 + 0.25)/2).
	over := summaries[0].OverRepeats()
	near(t, "the mean", over.Mean, 0.5, 1e-12)
	near(t, "the spread", over.Spread(), 0.5, 1e-12)
}
