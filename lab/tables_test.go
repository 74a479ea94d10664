package lab

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/state"
)

var update = flag.Bool("update", false, "rewrite the golden tables")

// golden compares a text with the one that is kept.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with go test ./lab -update, and look at it", err)
	}
	if string(want) != got {
		t.Errorf("%s differs; rewrite it with go test ./lab -update, and look at it. Got:\n%s", path, got)
	}
}

// sample is a measured document: two forms and two judges on two halves, heard twice.
func sample(t testing.TB) *Document {
	t.Helper()
	cases := []Case{
		{ID: "t1", Tier: ClearThreat, Expected: judge.Confirmed, Half: Development},
		{ID: "b1", Tier: ClearBenign, Expected: judge.Dismissed, Half: Development},
		{ID: "a1", Tier: Ambiguous, Expected: judge.Inconclusive, Half: Test},
		{ID: "m1", Tier: MixedSignals, Expected: judge.Confirmed, Half: Test},
	}
	result := func(id string, repeat int, outcome judge.Outcome, rounds ...float64) Result {
		r := Result{Case: id, Repeat: repeat, Outcome: outcome, Usage: state.Usage{Calls: 2 * len(rounds) / 2, PromptTokens: 1200, CompletionTokens: 300, Cost: 0.0125}}
		for i := 0; i < len(rounds); i += 2 {
			turn := Round{Architect: Turn{Confidence: rounds[i]}, Skeptic: Turn{Confidence: rounds[i+1]}}
			if i > 0 {
				turn.Skeptic.Rebutted = []string{"F1"}
			}
			r.Rounds = append(r.Rounds, turn)
		}
		r.Confidence = max(rounds[len(rounds)-2], rounds[len(rounds)-1])
		return r
	}
	var runs []Run
	for _, version := range []judge.Version{judge.V2, judge.V1} {
		single := Run{Mode: Mode{Form: hearing.FormSingle, Judge: version, Seats: "rules/rules"}}
		multi := Run{Mode: Mode{Form: hearing.FormMulti, Judge: version, Seats: "rules/rules"}}
		gated := Run{Mode: Mode{Form: hearing.FormSelective, Judge: version, Seats: "rules/rules"}}
		for repeat := 1; repeat <= 2; repeat++ {
			for _, c := range cases {
				first := result(c.ID, repeat, c.Expected, 0.9, 0.7)
				single.Results = append(single.Results, first)
				gated.Results = append(gated.Results, first)
				later := result(c.ID, repeat, judge.Dismissed, 0.9, 0.7, 0.6, 0.8)
				if c.ID == "a1" && repeat == 2 {
					later = Result{Case: "a1", Repeat: 2, Failed: "the endpoint did not answer"}
				}
				multi.Results = append(multi.Results, later)
			}
		}
		gated.Results[0].Opened, gated.Results[0].Outcome = true, judge.Dismissed
		runs = append(runs, single, multi, gated)
	}
	d := NewDocument("own corpus", []string{"seats: rules/rules"}, 48, cases, runs)
	return &d
}

func TestGoldenTables(t *testing.T) {
	var out strings.Builder
	shown := Show(sample(t), true)
	for _, section := range shown.Sections {
		fmt.Fprintf(&out, "\n%s\n", section.Title)
		for _, row := range section.Table {
			fmt.Fprintln(&out, strings.Join(row, " | "))
		}
	}
	golden(t, "tables.golden", out.String())
	if few := Show(sample(t), false); len(few.Sections) != 7 {
		t.Errorf("%d sections are shown, not the run and three tables of each half", len(few.Sections))
	}
}
