package cli_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"moot/cli"
)

// demoResult holds the fields of `--output json` that the demo tests check.
type demoResult struct {
	State   struct{ Questions []struct{ Answer string } }
	Rulings []struct{ Point, Bucket, Tag, Status string }
	Outcome struct {
		Decision, Verdict, Rule string
		Consensus               bool
		ConsensusRound          int `json:"consensus_round"`
	}
}

// Each demo shows what its page promises, ruled by the engine: no demo relies
// on an outcome that is written down somewhere.
func TestDemosKeepTheirPromises(t *testing.T) {
	for _, test := range []struct {
		format string
		// log are lines of the progress in order, rulings "POINT BUCKET TAG STATUS".
		log, rulings []string
		check        func(r *demoResult) bool
	}{
		{
			"consult",
			[]string{
				"unverified E4 P3 limiter.go:34: the file does not hold the quote; the nearest passage",
				"challenge  C2 REJECT on P3", "conceded   C2", "dropped    C3", "undefended C3",
				"judged     C1 accepted",
				"question   Q1 (tradeoff): P5", "exit       converged",
			},
			[]string{
				"P1 agreed textual", "P2 agreed textual", "P3 dismissed CONCEDED", "P4 dismissed UNDEFENDED",
				"P5 unresolved  tradeoff", "P6 agreed textual",
			},
			func(r *demoResult) bool {
				return len(r.State.Questions) == 1 && r.State.Questions[0].Answer == ""
			},
		},
		{
			"dialectic",
			[]string{
				"conceded   C1", "resolved   C2 CLEARED", "gate       G3 fails: search.burst: INVENTED(50)",
				"decision   HOLD after round 1", "withdrawn  P1", "decision   ADVANCE after round 2",
			},
			nil,
			func(r *demoResult) bool { return r.Outcome.Decision == "ADVANCE" },
		},
		{
			"panel",
			[]string{
				"conflict   K1", "settled    K1 for P1 by vote, 2/3", "unsettled  K3", "argued     K3", "conceded   C5",
				"exit       decided: 3 conflicts: 2 settled by vote, 1 argued out",
			},
			[]string{"P1 agreed textual", "P3 dismissed CONCEDED", "P6 dismissed REJECTED", "P7 agreed textual"},
			nil,
		},
		{
			"council",
			[]string{
				"challenge  C1 SKEPTICAL on P2 by critic", "challenge  C2 REJECT on P3 by adversary", "conceded   C2",
				"consensus  none in round 1", "consensus  in round 2",
			},
			[]string{"P1 agreed textual", "P2 dismissed SUPERSEDED", "P3 dismissed CONCEDED", "P4 agreed textual"},
			func(r *demoResult) bool { return r.Outcome.Consensus && r.Outcome.ConsensusRound == 2 },
		},
		{
			"hearing",
			[]string{
				"dropped    CLAIM of the skeptic: cites f16", "verdict    round 1: so far THREAT_INCONCLUSIVE",
				"challenge  C3 against P4 by skeptic", "answer     C2", "conceded   P5", "judged     C3 rejected",
			},
			[]string{"P2 agreed facts", "P3 agreed facts", "P4 unresolved  open", "P5 dismissed CONCEDED"},
			func(r *demoResult) bool {
				return r.Outcome.Verdict == "THREAT_CONFIRMED" && strings.HasPrefix(r.Outcome.Rule, "v2.")
			},
		},
	} {
		t.Run(test.format, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			d := newDesk(t)
			if code := d.run("demo", test.format, "--headless", "--output", "json"); code != cli.ExitConcluded {
				t.Fatalf("exit code %d:\n%s", code, d.err.String())
			}
			said := d.err.String()
			for rest, i := said, 0; i < len(test.log); i++ {
				_, after, found := strings.Cut(rest, "\n"+test.log[i])
				if !found {
					t.Fatalf("no line %q where it belongs in:\n%s", test.log[i], said)
				}
				rest = after
			}
			if !strings.HasPrefix(said, "demo") || !strings.Contains(said, "moot ask") {
				t.Errorf("the demo does not say what it is and what comes next:\n%s", said)
			}
			if strings.Contains(said, "not taken") {
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
			if test.check != nil && !test.check(&result) {
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
	if code := d.run("demo", "councl"); code != cli.ExitUsage || !strings.Contains(d.err.String(), "council") {
		t.Errorf("exit code %d: %s", code, d.err.String())
	}
}
