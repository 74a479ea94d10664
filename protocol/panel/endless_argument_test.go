package panel_test

import (
	"fmt"
	"testing"

	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/state"
)

// INV7: two sides that reject each other's defenses in every round end by round 8, and the user gets a question.
func TestEndlessPanelArgumentEnds(t *testing.T) {
	o := protocoltest.Opened(panel.Name, protocoltest.Panelists(2))
	o.Settings.Own.(*panel.Settings).Then = panel.ThenConsult
	d := protocoltest.New(t, o)
	d.Quiet = true
	d.Run()
	d.Reply(panel.Panelist, "1. The worker retries forever")
	d.Reply("panelist-2", "1. The worker gives up after three attempts")
	d.Run()
	d.Reply(state.Orchestrator, "P1 P2: opposed")
	d.Run()
	for turn := 0; len(d.Asks) > 0; turn++ {
		if turn > 100 {
			t.Fatalf("round %d: no end", d.State.Round)
		}
		asks := d.Asks
		for _, ask := range asks {
			d.Reply(ask.Seat, stubborn(d.State, ask, turn))
		}
		d.Run()
	}
	q := d.State.Questions.At(d.State.Questions.Len() - 1)
	if !d.State.Closed || d.State.Round > state.MaxRounds || q == nil || q.About != "conflict K1" {
		t.Fatalf("closed=%v in round %d with the question %+v", d.State.Closed, d.State.Round, q)
	}
}

// stubborn defends all that is open, and rejects all that it judges, in other words
// each time.
func stubborn(s *state.State, ask protocol.Ask, turn int) string {
	due := claims.DueOf(s, ask)
	reply := ""
	for _, id := range due.Answer {
		reply += fmt.Sprintf("Re %s: reason number %d of the code at hand\n", id, turn)
	}
	for _, id := range due.Classify {
		reply += fmt.Sprintf("SKEPTICAL: %s: nothing of turn %d shows it. Upgrade if: a measurement\n", id, turn)
	}
	for _, id := range due.Judge {
		reply += fmt.Sprintf("REJECTED %s: turn %d shows nothing\n", id, turn)
	}
	return reply + "NOTHING\n"
}
