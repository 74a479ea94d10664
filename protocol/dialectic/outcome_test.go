package dialectic

import (
	"io"
	"strings"
	"testing"

	"moot/protocol/dialectic/gates"
	"moot/state"
)

func TestOutcomeIsWhatTheRecordKeeps(t *testing.T) {
	s := &state.State{Round: 2}
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
	s.Own = &Dialectic{Resolved: []Resolution{{Round: 2, Result: result, Seq: 9}}}
	last := Of(s).Last()
	if last.changed(s) {
		t.Error("nothing came since, and the outcome says so")
	}
	found := outcomesIn(&last.Result)
	if c1, c11 := found["C1"], found["C11"]; !c1.Warns || c1.Holds || c11.Warns || !c11.Holds {
		t.Error("C1 warns and C11 holds")
	}
	if resolutionOf(&last.Result, "C2") != nil || resolutionOf(&last.Result, "C11").Outcome != gates.Upheld {
		t.Error("each resolution is found by its objection alone")
	}
	s.Constraints = 10
	if !last.changed(s) {
		t.Error("a constraint came since, and the outcome does not say so")
	}
}

// The words of the format are refused on writing as on reading.
func TestUnknownWordsAreNotWritten(t *testing.T) {
	ruled := &ObjectionRuled{Challenge: "C1", Verdict: "MAYBE"}
	err := state.Encode(io.Discard, ruled, state.RefuseWords())
	if err == nil || !strings.Contains(err.Error(), `unknown ruling "MAYBE" (known: cleared, upheld)`) {
		t.Errorf("%v", err)
	}
	ruled.Verdict = gates.RulingNone
	if err := state.Encode(io.Discard, ruled, state.RefuseWords()); err != nil {
		t.Error(err)
	}
}
