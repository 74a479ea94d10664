package tui

import (
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// So many sit in a large panel, and so many claims does it make.
const manyPanelists, manyClaims = 12, 100

// bigPanel is a session of a large panel: each claim is said by three panelists in
// two wordings, and each fourth one is contested.
func bigPanel(t testing.TB) *recorder {
	r := &recorder{t: t}
	open := comparedOpened()
	open.Seats = open.Seats[:1]
	for i := range manyPanelists {
		open.Seats = append(open.Seats, state.SeatAssignment{Seat: panelist(i), Participant: fmt.Sprintf("endpoint-%d:model", i+1)})
	}
	r.add(open, &state.RoundStarted{Round: 1})
	for i := range 2 * manyClaims {
		claim := i % manyClaims
		id, text := fmt.Sprint("P", i+1), fmt.Sprintf("claim %d holds under load, as far as anybody has measured it in the last year", claim)
		r.add(
			&state.PointRaised{ID: id, By: panelist(i % manyPanelists), Text: when(i < manyClaims, text, "as was seen in the trial, "+text)},
			&state.PointTriaged{Point: id, By: state.Orchestrator, Scope: state.InScope},
		)
	}
	for i := range manyClaims {
		r.add(&state.PointsPaired{A: fmt.Sprint("P", i+1), B: fmt.Sprint("P", i+1+manyClaims), Same: true, Alike: true, By: state.Orchestrator})
	}
	for k := range manyClaims / 4 {
		a, b := fmt.Sprint("P", 4*k+1), fmt.Sprint("P", 4*k+2)
		r.add(
			&state.PointsPaired{A: a, B: b, Same: true, Opposed: true, By: state.Orchestrator},
			&state.ConflictFound{ID: fmt.Sprint("K", k+1), What: state.Contradiction, A: a, B: b, By: state.Orchestrator, Challenges: []string{}},
		)
		for i := range manyPanelists {
			r.add(&state.PointClassified{Point: when(i%3 > 0, a, b), By: panelist(i), Class: state.Agree, Reason: "measured"})
		}
		settlement := resolver.NewTable(&r.state).Settle(r.state.Conflict(fmt.Sprint("K", k+1)))
		r.add(&state.ConflictSettled{ID: fmt.Sprint("K", k+1), Settlement: settlement})
	}
	r.add(&state.RoundStarted{Round: 2})
	return r
}

// arguing are what a busy round of a panel brings: words, keys, items that are
// found.
func arguing(m *Model, r *recorder) []tea.Msg {
	words := delivery{told{m.sitting, protocol.Streamed{Seat: state.Panelist, Text: "words in a stream of a thousand tokens a second "}}}
	events := r.add(&state.PointNoted{Point: "P7", Text: "somebody noted this"})
	noted := delivery{told{m.sitting, protocol.Advanced{Events: events, State: r.state, Rulings: m.rulings}}}
	return []tea.Msg{words, keyOf("down"), noted, words, keyOf("pgdown"), words, keyOf("right"), words, keyOf("up")}
}

// The matrix of a large panel, and two of its answers side by side, while a round
// is under way.
func BenchmarkPanel(b *testing.B) {
	for name, keys := range map[string]string{"matrix": "6", "beside": "6 enter"} {
		b.Run(name, func(b *testing.B) {
			r := bigPanel(b)
			m := newModel(Options{Opened: &Opened{State: r.state, Rulings: resolver.Rule(r.state), Events: r.events}, Environ: []string{"TERM=xterm-256color"}, Now: func() time.Time { return demoTime }})
			m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
			m.ended = false
			pressAll(m, keys)
			tell(m, protocol.CallStarted{Ask: protocol.Ask{Seat: state.Panelist, Stage: state.StageAnswer}, Participant: "endpoint-1:model", At: demoTime})
			timeFrames(b, m, arguing(m, r))
		})
	}
}
