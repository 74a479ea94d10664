package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"moot/protocol"
)

// demoResult holds the fields of `--output json` that the demo tests check.
type demoResult struct {
	State   struct{ Questions []struct{ Answer string } }
	Rulings []struct{ Point, Bucket, Tag, Status string }
	Outcome struct {
		Decision, Reason, Verdict, Rule string
		Consensus                       bool
		ConsensusRound                  int `json:"consensus_round"`
	}
}

// ruleCodes matches codes of rules, which belong into receipts alone.
var ruleCodes = regexp.MustCompile(`\b(?:AC\d+b?|R[0-6]|G[1-8]|(?:PH|CV|CH|JU|RV|ST|RD|PN|EX|INV|HR)\d+[a-z]?)\b`)

// TestDemos runs all demos, compares their progress with files, and checks the rulings, which the engine makes each time.
func TestDemos(t *testing.T) {
	for _, test := range []struct {
		format string
		code   protocol.ExitCode
		// rulings are "POINT BUCKET TAG STATUS".
		rulings []string
		check   func(r *demoResult) bool
	}{
		{
			"consult", protocol.ExitConcluded,
			[]string{
				"P1 agreed textual", "P2 agreed textual", "P3 dismissed CONCEDED", "P4 dismissed UNDEFENDED",
				"P5 unresolved  tradeoff", "P6 agreed textual",
			},
			func(r *demoResult) bool { return len(r.State.Questions) == 1 && r.State.Questions[0].Answer == "" },
		},
		{
			"review", protocol.ExitInconclusive,
			[]string{
				"P1 agreed independent", "P2 agreed confirmed", "P3 dismissed SUPERSEDED", "P4 unresolved  single",
				"P5 dismissed REFUTED", "P6 dismissed INTENDED",
			},
			func(r *demoResult) bool {
				return r.Outcome.Decision == "dont-merge" &&
					strings.HasSuffix(r.Outcome.Reason, "2 of 3 raised it independently")
			},
		},
		{"dialectic", protocol.ExitConcluded, nil, func(r *demoResult) bool { return r.Outcome.Decision == "ADVANCE" }},
		{
			"panel", protocol.ExitConcluded,
			[]string{"P1 agreed textual", "P3 dismissed CONCEDED", "P6 dismissed REJECTED", "P7 agreed textual"},
			func(*demoResult) bool { return true },
		},
		{
			"council", protocol.ExitConcluded,
			[]string{"P1 agreed textual", "P2 dismissed SUPERSEDED", "P3 dismissed CONCEDED", "P4 agreed textual"},
			func(r *demoResult) bool { return r.Outcome.Consensus && r.Outcome.ConsensusRound == 2 },
		},
		{
			"hearing", protocol.ExitConcluded,
			[]string{"P2 agreed facts", "P3 agreed facts", "P4 unresolved  open", "P5 dismissed CONCEDED"},
			func(r *demoResult) bool {
				return r.Outcome.Verdict == "THREAT_CONFIRMED" && strings.HasPrefix(r.Outcome.Rule, "v2.")
			},
		},
	} {
		t.Run(test.format, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			d := newDesk(t)
			if code := d.run("demo", test.format, "--headless", "--output", "json"); code != int(test.code) {
				t.Fatalf("exit code %d:\n%s", code, d.err.String())
			}
			said := d.err.String()
			golden := filepath.Join("testdata", "demo", test.format+".txt")
			if *update {
				if err := os.WriteFile(golden, []byte(said), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := diff.Diff("file", want, "program", []byte(said)); len(diff) > 0 {
				t.Errorf("the progress is not that of %s (-file +program); -update writes it:\n%s", golden, diff)
			}
			if code := ruleCodes.FindString(said); code != "" {
				t.Errorf("the progress has the code of a rule, %s:\n%s", code, said)
			}
			d.out.Reset()
			if d.run("demo", test.format, "--headless"); ruleCodes.MatchString(d.out.String()) {
				t.Errorf("the result has the code of a rule, %s:\n%s", ruleCodes.FindString(d.out.String()), d.out.String())
			}
			d.out.Reset()
			d.run("demo", test.format, "--headless", "--output", "json")
			if strings.Contains(said, "ignored") {
				t.Errorf("a move was refused:\n%s", said)
			}
			var result demoResult
			if err := json.Unmarshal([]byte(d.out.String()), &result); err != nil {
				t.Fatal(err)
			}
			var rulings []string
			for _, r := range result.Rulings {
				rulings = append(rulings, strings.TrimSpace(r.Point+" "+r.Bucket+" "+r.Tag+" "+r.Status))
			}
			for _, want := range test.rulings {
				if !strings.Contains("\n"+strings.Join(rulings, "\n")+"\n", "\n"+want+"\n") {
					t.Errorf("ruling %q is not among %q", want, rulings)
				}
			}
			if !test.check(&result) {
				t.Errorf("the result is not what the demo promises: %+v", result)
			}
			for _, dir := range []string{os.Getenv("TMPDIR"), os.Getenv("MOOT_STATE_DIR")} {
				if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
					t.Errorf("the demo left %v in %s (%v)", left, dir, err)
				}
			}
		})
	}
}

func TestDemoUsage(t *testing.T) {
	d := newDesk(t)
	if code := d.run("demo", "councl"); code != int(protocol.ExitUsage) || !strings.Contains(d.err.String(), "council") {
		t.Errorf("exit code %d: %s", code, d.err.String())
	}
}
