package dialectic

import (
	"encoding/json"
	"testing"

	"moot/protocol/dialectic/gates"
	"moot/state"
)

func TestOutcomeIsWhatTheRecordKeeps(t *testing.T) {
	s := state.State{Round: 2}
	if o, err := lastResolvedRound(&s); o != nil || err != nil {
		t.Fatalf("nothing was resolved, and there is %v, %v", o, err)
	}
	result := gates.Result{Decision: gates.Hold}
	result.Artifact.Objections = []gates.Objection{
		{ID: "C1", Severity: gates.Medium},
		{ID: "C11", Severity: gates.High},
	}
	result.Artifact.Resolutions = []gates.Resolution{
		{Objection: "C1", Outcome: gates.Upheld},
		{Objection: "C11", Outcome: gates.Upheld},
	}
	result.Artifact.Validation.Warnings = []string{"C1 (MEDIUM) is UPHELD by R2"}
	encoded, err := json.Marshal(&result)
	if err != nil {
		t.Fatal(err)
	}
	s.Own = &Dialectic{Resolved: []Resolution{{Round: 2, Decision: "HOLD", Result: encoded, Seq: 9}}}
	o, err := lastResolvedRound(&s)
	if err != nil {
		t.Fatal(err)
	}
	if o.Round != 2 || o.Decision != gates.Hold || o.Changed {
		t.Errorf("the outcome is %+v", o)
	}
	found := outcomesIn(&o.Result)
	if c1, c11 := found["C1"], found["C11"]; !c1.Warns || c1.Holds || c11.Warns || !c11.Holds {
		t.Error("C1 warns and C11 holds")
	}
	if resolutionOf(&o.Result, "C2") != nil || resolutionOf(&o.Result, "C11").Outcome != gates.Upheld {
		t.Error("each resolution is found by its objection alone")
	}
	s.Constraints = 10
	if o, _ = lastResolvedRound(&s); !o.Changed {
		t.Error("a constraint came since, and the outcome does not say so")
	}
	Of(&s).Resolved[0].Result = json.RawMessage("{")
	if _, err = lastResolvedRound(&s); err == nil {
		t.Error("a damaged resolution is read")
	}
}
