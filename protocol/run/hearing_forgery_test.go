package run

import (
	"encoding/json"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/protocoltest"
	"moot/state"
)

// heardOut is the record of a hearing in which everything happens that only a hearing
// knows: a gate that opens, an oracle, facts that contradict, confidences that fall,
// one that may not, a fact that is let pass, and a move that cites what is not there.
func heardOut(t *testing.T) []state.Event {
	t.Helper()
	log := &record{}
	seats := map[state.Seat]protocol.Participant{
		judge.Architect: says(map[state.Stage]string{
			hearing.StageArgue:    "CLAIM [f1, f2] 0.8: the account logged on from outside\nCLAIM [f99] 0.8: so did another\nCONCLUDE 0.6",
			hearing.StageExchange: "CONTRADICT P3 [f4]: the backup failed\nSCORE P2 0.6 because f7\nREBUT C1 [f8]: the next one did not\nCONCLUDE 0.4",
		}),
		judge.Skeptic: says(map[state.Stage]string{
			hearing.StageArgue:    "CLAIM [f3] 0.7: the backup ran\nCONCLUDE 0.6",
			hearing.StageExchange: "SCORE P3 0.2\nCONTRADICT P2 [f5]: it is another account\nREBUT C1: it did\nCONCLUDE 0.1",
		}),
		hearing.Oracle: says(map[state.Stage]string{hearing.StageProbe: "CONTRADICT P2 [f7]: the logon failed"}),
	}
	o := options(t, log, protocoltest.Opened(hearing.Name, func(o *state.SessionOpened) {
		h := o.Settings.Own.(*hearing.Settings)
		h.Form, h.Gate, h.Then, h.Oracle, h.Rounds = hearing.FormSelective, judge.GateEither, hearing.FormAnchored, true, 4
		o.Seats = append(o.Seats, state.SeatAssignment{Seat: hearing.Oracle, Participant: "script"})
	}), seats)
	o = frozen(t, o, log, protocoltest.Packet(t, 9))
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return log.events
}

// frozen puts a packet on the record of a session that was opened.
func frozen(t *testing.T, o Options, log *record, packet *ledger.Packet) Options {
	t.Helper()
	for _, p := range state.PacketEvents(packet) {
		log.events = append(log.events, state.Event{Seq: len(log.events) + 1, At: log.events[0].At, Data: p})
	}
	return again(t, o, log)
}

// A packet whose facts were changed, added to, taken from or put in another order is
// found when it is frozen.
func TestAForgedPacketIsFound(t *testing.T) {
	events := heardOut(t)
	for name, change := range map[string]func(facts []json.RawMessage) []json.RawMessage{
		"a fact changed": func(facts []json.RawMessage) []json.RawMessage {
			facts[2] = json.RawMessage(strings.Replace(string(facts[2]), "what 3", "what 4", 1))
			return facts
		},
		"its time changed": func(facts []json.RawMessage) []json.RawMessage {
			facts[2] = json.RawMessage(strings.Replace(string(facts[2]), "00:02:00", "00:02:01", 1))
			return facts
		},
		"its source changed": func(facts []json.RawMessage) []json.RawMessage {
			facts[2] = json.RawMessage(strings.Replace(string(facts[2]), "collector", "rumor", 1))
			return facts
		},
		"a fact added": func(facts []json.RawMessage) []json.RawMessage {
			return append(facts, json.RawMessage(strings.Replace(string(facts[0]), "f1", "f10", 1)))
		},
		"a fact twice":     func(facts []json.RawMessage) []json.RawMessage { return append(facts, facts[0]) },
		"a fact removed":   func(facts []json.RawMessage) []json.RawMessage { return facts[1:] },
		"two facts turned": func(facts []json.RawMessage) []json.RawMessage { facts[0], facts[1] = facts[1], facts[0]; return facts },
	} {
		forged, count := forge(events, func(e *state.PacketFacts) {
			var facts []json.RawMessage
			if err := json.Unmarshal(e.Facts, &facts); err != nil {
				t.Fatal(err)
			}
			before := string(e.Facts)
			changed, err := json.Marshal(change(facts))
			if err != nil || string(changed) == before {
				t.Fatalf("%s: nothing is changed: %v", name, err)
			}
			e.Facts = changed
		})
		if count != 1 {
			t.Fatalf("%d packets", count)
		}
		if err := recomputes(t, forged); err == nil {
			t.Errorf("%s: it passes", name)
		}
	}
}

// No round begins that the rules do not give, and none is left out.
func TestAHearingEndsByTheRules(t *testing.T) {
	events := heardOut(t)
	rounds, end := 0, 0
	for i, e := range events {
		switch e.Data.(type) {
		case *state.RoundStarted:
			rounds++
		case *state.ExitReached:
			end = i
		}
	}
	more := append(append([]state.Event{}, events[:end]...), state.Event{Seq: events[end].Seq, Data: &state.RoundStarted{Round: rounds + 1}})
	if err := recomputes(t, more); err == nil {
		t.Error("a round more passes")
	}
	for i, e := range events {
		if started, ok := e.Data.(*state.RoundStarted); !ok || started.Round == 1 {
			continue
		}
		early := append(append([]state.Event{}, events[:i]...), state.Event{Seq: e.Seq, Data: &state.ExitReached{Exit: state.ExitConverged, Reason: "it is enough"}})
		if err := recomputes(t, early); err == nil {
			t.Errorf("an end before event %d passes", e.Seq)
		}
	}
}
