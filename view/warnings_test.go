package view_test

import (
	"strings"
	"testing"

	"moot/protocol/consult"
	"moot/protocol/dialectic"
	"moot/protocol/formats"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/panel"
	"moot/state"
	"moot/view"
)

// A warning appears if one model, by any name, fills two opposing seats. Rules and scripts cause other notes.
func TestOneModelAgainstItselfIsWarnedOf(t *testing.T) {
	for _, c := range []struct {
		format        state.Format
		first, second state.SeatAssignment
		want          string
	}{
		{
			consult.Name,
			state.SeatAssignment{Seat: state.Orchestrator, Participant: "ollama:a"},
			state.SeatAssignment{Seat: state.Consultee, Participant: "fast=ollama:a"},
			"orchestrator, consultee are both ollama:a: ",
		},
		{
			dialectic.Name,
			state.SeatAssignment{Seat: dialectic.Proposer, Participant: "codex"},
			state.SeatAssignment{Seat: dialectic.PressureTester, Participant: "codex"},
			"proposer, pressure-tester are both codex: ",
		},
		{
			hearing.Name,
			state.SeatAssignment{Seat: judge.Architect, Participant: "ollama:a"},
			state.SeatAssignment{Seat: judge.Skeptic, Participant: "ollama:a"},
			"architect, skeptic are both ollama:a: ",
		},
		{
			consult.Name,
			state.SeatAssignment{Seat: state.Orchestrator, Participant: "ollama:a"},
			state.SeatAssignment{Seat: state.Consultee, Participant: "ollama:b"},
			"",
		},
		{
			consult.Name,
			state.SeatAssignment{Seat: state.Orchestrator, Participant: "rules", NoModel: true},
			state.SeatAssignment{Seat: state.Consultee, Participant: "rules", NoModel: true},
			"",
		},
		{
			panel.Name,
			state.SeatAssignment{Seat: panel.Panelist, Participant: "ollama:a"},
			state.SeatAssignment{Seat: "panelist-2", Participant: "fast=ollama:a"},
			"panelist, panelist-2 are both ollama:a: ",
		},
		{
			panel.Name,
			state.SeatAssignment{Seat: panel.Panelist, Participant: "ollama:a"},
			state.SeatAssignment{Seat: state.Orchestrator, Participant: "ollama:a"},
			"",
		},
	} {
		s := &state.State{
			Rules:    formats.ByName(c.format),
			Settings: state.Settings{Format: c.format},
			Seats:    []state.SeatAssignment{c.first, c.second},
		}
		got := view.SameParticipant(s)
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s of %s and %s: %q", c.format, c.first.Participant, c.second.Participant, got)
		}
	}
}
