package report_test

import (
	"testing"

	"moot/protocol/hearing"
	"moot/report"
	"moot/state"
)

func heardIn(t *testing.T, name string) hearing.Outcome {
	t.Helper()
	s, rulings := tried(t, name)
	outcome, ok := report.Export(&s, rulings, "", nil).Outcome.(hearing.Outcome)
	if !ok {
		t.Fatalf("the outcome of %s is no hearing's", name)
	}
	return outcome
}

// A gate says what it found; without one it says nothing.
func TestGateOfAHearing(t *testing.T) {
	opened, shut := heardIn(t, "opened").Gate, heardIn(t, "shut").Gate
	if !opened.Spoken || !opened.Opens || opened.Then != state.FormMulti || shut.Opens || !shut.Spoken {
		t.Errorf("%+v, %+v", opened, shut)
	}
	if none := heardIn(t, "audit").Gate; none.Gate != "" || none.Spoken {
		t.Errorf("%+v", none)
	}
}

// Before both sides argued there is no verdict, and all else is there.
func TestOutcomeWithoutAVerdict(t *testing.T) {
	got := heardIn(t, "waiting")
	if got.Verdict != "" || got.Result != "" || got.Rule != "" || len(got.Trace) != 0 || len(got.Versions) != 0 || got.Sides[1].Argued {
		t.Errorf("%+v", got)
	}
	if !got.Sides[0].Argued || got.Sides[0].Confidence != 0.9 {
		t.Errorf("%+v", got.Sides)
	}
}
