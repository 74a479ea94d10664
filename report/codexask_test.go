package report_test

import (
	"strings"
	"testing"

	"moot/protocol/protocoltest"
	"moot/report"
	"moot/resolver"
	"moot/state"
)

// TestCodexAskOfEveryScenario writes the state file of sessions of all formats and reads it again.
func TestCodexAskOfEveryScenario(t *testing.T) {
	protocoltest.AllScenarios(t, "../protocol", func(t *testing.T, d *protocoltest.Desk) {
		rulings := resolver.Rule(d.State)
		text, err := report.FormCodexAsk.Write(report.Input{State: d.State, Rulings: rulings})
		if err != nil {
			t.Fatal(err)
		}
		c, err := report.ParseCodexAsk([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		counts := map[state.Bucket]int{}
		for i := range rulings {
			if p := d.State.Point(rulings[i].Point); p != nil && p.MergedInto == "" {
				counts[rulings[i].Bucket]++
			}
		}
		if len(c.Buckets.Agreed) != counts[state.BucketAgreed] || len(c.Buckets.Dismissed) != counts[state.BucketDismissed] ||
			len(c.Buckets.Unresolved) != counts[state.BucketUnresolved] || len(c.Challenges) != d.State.Challenges.Len() {
			t.Errorf("%+v, want %v and %d challenges", c, counts, d.State.Challenges.Len())
		}
		if !c.Asks(d.State.Question) {
			t.Errorf("the hash %s is not that of the question", c.QuestionHash)
		}
	})
}

// TestHugeCodexAsk bounds what a state file makes a session hold.
func TestHugeCodexAsk(t *testing.T) {
	lines := strings.Repeat(`"F1 [user]: a",`, 1000)
	whole := `{"version":1,"question_hash":"0123abcd","session_id":"` + strings.Repeat("x", 1<<20) + `","ledger":[` + lines
	c, err := report.ParseCodexAsk([]byte(strings.TrimSuffix(whole, ",") + "]}"))
	if err != nil {
		t.Fatal(err)
	}
	for range 15 {
		c.Buckets.Agreed = append(c.Buckets.Agreed, report.CodexAgreed{Point: "a"})
	}
	e, left := c.Earlier("q")
	if len(e.ID) > 1000 || len(e.Answer) != 12 || left != 3 {
		t.Errorf("an ID of %d bytes, %d points, and %d left out", len(e.ID), len(e.Answer), left)
	}
	if _, err := report.ParseCodexAsk([]byte(whole + `"F2 [user]: b"]}`)); err == nil || !strings.Contains(err.Error(), "1001 lines") {
		t.Errorf("a ledger of 1001 lines: %v", err)
	}
}

func FuzzCodexAsk(f *testing.F) {
	f.Add(`{"version":1,"question_hash":"0123abcd","ledger":["F1 [user]: a"],"challenges":{"C1":{"status":"open","objection":"x"}},"buckets":{"agreed":[{"point":"\u001b[2J"}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := report.ParseCodexAsk([]byte(text))
		if err != nil {
			return
		}
		user, others := c.Facts()
		e, _ := c.Earlier("q")
		if len(user)+others != len(c.Ledger) || len(e.Answer) > 12 || len(e.Open) > 12 ||
			strings.Contains(strings.Join(append(e.Answer, e.Open...), ""), "\n") {
			t.Errorf("%+v of %s", e, text)
		}
	})
}
