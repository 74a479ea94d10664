package run

import (
	"fmt"
	"testing"

	"moot/protocol"
	"moot/protocol/panel"
	"moot/state"
)

// INV7: two sides that reject each other's defenses in every round end by round 8, and the user gets a question.
func TestEndlessPanelArgumentEnds(t *testing.T) {
	o := openedAs(panel.Name, panelists(2))
	o.Settings.Own.(*panel.Settings).Then = panel.ThenConsult
	d := newDesk(t, o)
	d.quiet = true
	d.run()
	d.reply(panel.Panelist, "1. The worker retries forever")
	d.reply("panelist-2", "1. The worker gives up after three attempts")
	d.run()
	d.reply(state.Orchestrator, "P1 P2: opposed")
	d.run()
	for turn := 0; len(d.asks) > 0; turn++ {
		if turn > 100 {
			t.Fatalf("round %d: no end", d.s.Round)
		}
		asks := d.asks
		for _, ask := range asks {
			d.reply(ask.Seat, stubborn(d.s, ask, turn))
		}
		d.run()
	}
	q := d.s.Questions.At(d.s.Questions.Len() - 1)
	if !d.s.Closed || d.s.Round > state.MaxRounds || q == nil || q.About != "conflict K1" {
		t.Fatalf("closed=%v in round %d with the question %+v", d.s.Closed, d.s.Round, q)
	}
}

// stubborn defends all that is open, and rejects all that it judges, in other words
// each time.
func stubborn(s *state.State, ask protocol.Ask, turn int) string {
	due := protocol.DueOf(s, ask)
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
