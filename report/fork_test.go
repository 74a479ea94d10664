package report_test

import (
	"strings"
	"testing"
	"time"

	"moot/report"
	"moot/state"
)

func TestAForkSaysWhereItComesFrom(t *testing.T) {
	s, rulings := sample(t)
	s.Fork = state.Fork{From: "20261120-\x1b[2J", Seq: 12, Head: "ab", At: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	want := report.Fork{From: s.Fork.From, Seq: 12, Head: "ab", At: "2026-11-21T12:00:00Z"}
	if got := report.Export(s, rulings, "", nil).Session.Fork; got != want {
		t.Errorf("got %+v", got)
	}
	for _, text := range []string{report.Text(document(s, rulings), 0), report.Markdown(document(s, rulings))} {
		if !strings.Contains(text, "at event 12") || strings.Contains(text, "\x1b") {
			t.Errorf("the text says %s", text)
		}
	}
}
