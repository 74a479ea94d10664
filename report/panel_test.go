package report_test

import (
	"context"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"moot/agent/script"
	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/panel"
	"moot/state"
)

// asking is a session of the format panel as a test runs it: the seats say what
// stands in testdata/panel, and the user answers after the run has paused.
type asking struct {
	script    string
	panelists int
	settings  state.PanelSettings
	attended  bool
	// away are the seats that cannot be reached.
	away    map[state.Seat]bool
	answers []protocol.UserMove
}

// The sessions of the tests: one with every ending, one that waits for the user,
// what the user made of that and of a pair that was marked wrongly, one that
// nobody was there to decide, one without a conflict, one of which a seat is
// missing, one that only one answered, and one of twelve.
func askings() map[string]asking {
	tiered := state.PanelSettings{Strategy: "tiered"}
	argued := tiered
	argued.Then = state.ThenConsult
	weighed := tiered
	weighed.Strategy = "evidence_weight"
	away := func(seats ...state.Seat) map[state.Seat]bool {
		gone := map[state.Seat]bool{}
		for _, seat := range seats {
			gone[seat] = true
		}
		return gone
	}
	return map[string]asking{
		"mixed":   {script: "mixed", panelists: 4, settings: argued},
		"weighed": {script: "mixed", panelists: 4, settings: weighed},
		"waiting": {script: "split", panelists: 3, settings: tiered, attended: true},
		"decided": {script: "split", panelists: 3, settings: tiered, attended: true, answers: []protocol.UserMove{
			protocol.AnswerQuestion{Question: "Q1", Answer: "P1"},
			protocol.MarkPair{A: "P2", B: "P4"},
		}},
		"left":    {script: "split", panelists: 3, settings: tiered},
		"agreed":  {script: "agreed", panelists: 3, settings: tiered},
		"missing": {script: "mixed", panelists: 5, settings: tiered, away: away("panelist-4", "panelist-5")},
		"alone":   {script: "split", panelists: 2, settings: tiered, away: away("panelist-2")},
		"nobody":  {script: "split", panelists: 2, settings: tiered, away: away("panelist", "panelist-2")},
		"twelve":  {script: "twelve", panelists: 12, settings: tiered, away: away("panelist-4", "panelist-12")},
	}
}

// away cannot be reached.
type away struct{ protocol.Participant }

func (away) Reply(context.Context, protocol.Call, func(protocol.Delta)) (protocol.Reply, error) {
	return protocol.Reply{}, &protocol.Unreachable{Participant: "openai:\x1b[2Jgpt", What: "connection refused", Fix: "start it"}
}

// asked runs one of the sessions.
func asked(t *testing.T, name string) (state.State, []state.Ruling) {
	t.Helper()
	p, ok := askings()[name]
	if !ok {
		t.Fatalf("there is no session %q", name)
	}
	lines, err := script.Open(filepath.Join("testdata", "panel", p.script+".script"))
	if err != nil {
		t.Fatal(err)
	}
	d := &table{t: t, clock: time.Date(2026, 11, 21, 15, 30, 45, 0, time.UTC)}
	seats := []state.SeatAssignment{{Seat: state.Orchestrator, Participant: "rules", NoModel: true}}
	participants := map[state.Seat]protocol.Participant{state.Orchestrator: lines}
	for i := range p.panelists {
		seat := state.Panelist
		if i > 0 {
			seat += state.Seat("-" + strconv.Itoa(i+1))
		}
		seats = append(seats, state.SeatAssignment{Seat: seat, Participant: "openai:gpt-" + strconv.Itoa(i+1)})
		participants[seat] = lines
		if p.away[seat] {
			participants[seat] = away{lines}
		}
	}
	d.add(&state.SessionOpened{
		Rules:   formats.ByName(state.FormatPanel),
		Version: state.Version, ID: "20261121-153045-k3f9", Question: "Is the queue safe?", Seats: seats,
		Settings: state.Settings{
			Format: state.FormatPanel, Nonce: "5eed", Workspace: "work", Attended: p.attended, Panel: &p.settings,
			Input: state.Input{Options: []string{}, Views: []state.View{}},
		},
	})
	return d.answered(panel.Format{}, participants, p.answers)
}
