package battery

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"moot/ledger"
	"moot/research"
)

// Every citation of the battery comes out as it is known to, with the lines
// and the reason that are known: precision and recall are 1.
func TestTheResearcherMakesNoMistake(t *testing.T) {
	score, err := Run(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, mistake := range score.Mistakes {
		t.Error(mistake)
	}
	if score.Precision() != 1 || score.Recall() != 1 {
		t.Errorf("precision %.4f, recall %.4f, want 1 and 1", score.Precision(), score.Recall())
	}
}

// The battery is large, and each way of coming out that files can bring about
// has a case.
func TestTheBatteryIsComplete(t *testing.T) {
	cases, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) < 220 {
		t.Errorf("%d cases, want at least 220", len(cases))
	}
	seen := make(map[research.Outcome]bool)
	for _, c := range cases {
		seen[c.Expect] = true
	}
	for _, outcome := range research.Outcomes() {
		// A check that ends with its context has no answer to know.
		if !seen[outcome] && outcome != research.Ended {
			t.Errorf("no case expects %s", outcome)
		}
	}
}

// answers is a checker that says the same of every citation.
type answers struct {
	finding ledger.Finding
	outcome research.Outcome
}

func (a answers) Examine(context.Context, string, string) (ledger.Finding, research.Outcome) {
	return a.finding, a.outcome
}

// A battery that cannot find a mistake would be worth nothing: a checker that
// verifies everything, refuses everything or gives the wrong lines is found out.
func TestMistakesAreCounted(t *testing.T) {
	cases := []Case{
		{Name: "in place", Expect: research.InPlace},
		{Name: "moved", Expect: research.Moved, At: "7"},
		{Name: "absent", Expect: research.Absent, Near: "3"},
		{Name: "missing", Expect: research.Missing, Reason: "no file"},
	}
	tests := []struct {
		name              string
		checker           answers
		precision, recall float64
		mistakes          int
	}{
		{"verifies everything in place", answers{ledger.Finding{Verified: true, Reference: "a:1"}, research.InPlace}, 1.0 / 4, 1.0 / 2, 3},
		{"verifies everything at line 7", answers{ledger.Finding{Verified: true, Moved: true, Reference: "a:7"}, research.Moved}, 1.0 / 4, 1.0 / 2, 3},
		{"verifies everything at line 8", answers{ledger.Finding{Verified: true, Moved: true, Reference: "a:8"}, research.Moved}, 0, 0, 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			score, err := Measure(t.Context(), test.checker, cases, nil)
			if err != nil {
				t.Fatal(err)
			}
			if score.Precision() != test.precision || score.Recall() != test.recall || len(score.Mistakes) != test.mistakes {
				t.Errorf("precision %v, recall %v, %d mistakes; want %v, %v, %d",
					score.Precision(), score.Recall(), len(score.Mistakes), test.precision, test.recall, test.mistakes)
			}
			if score.Cases() != len(cases) {
				t.Errorf("%d cases counted, want %d", score.Cases(), len(cases))
			}
		})
	}
	refuser := answers{ledger.Finding{NearestReference: "a:3"}, research.Absent}
	score, err := Measure(t.Context(), refuser, cases, nil)
	if err != nil {
		t.Fatal(err)
	}
	if score.Recall() != 0 || score.Missed != 2 || score.Refused != 1 || score.Misnamed != 1 {
		t.Errorf("a checker that refuses everything: %+v", score)
	}
}

// Cases whose file the system cannot hold are skipped and listed, not counted.
func TestWhatTheSystemLacksIsSkipped(t *testing.T) {
	cases := []Case{
		{Name: "below", Reference: "links/out/secret.txt:1", Expect: research.Outside},
		{Name: "beside", Reference: "links/outer.txt:1", Expect: research.Outside},
	}
	score, err := Measure(t.Context(), answers{outcome: research.Outside}, cases, []string{"links/out"})
	if err != nil {
		t.Fatal(err)
	}
	if len(score.Skipped) != 1 || score.Skipped[0].Name != "below" || score.Refused != 1 {
		t.Errorf("skipped %v, refused %d", score.Skipped, score.Refused)
	}
}

// The battery writes into an empty directory only, and obeys its context.
func TestRunRefuses(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), full); err == nil {
		t.Error("a directory that is not empty was taken")
	}
	if _, err := Run(t.Context(), filepath.Join(full, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a directory that is not there: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Measure(ctx, answers{}, []Case{{}}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
}
