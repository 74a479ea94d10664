package panel

import (
	"slices"
	"strings"
	"testing"
	"time"

	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol"
	"moot/resolver/conflict"
	"moot/state"
)

// Before evidence decides a conflict, each panelist on the other side is shown it once. The orchestrator then weighs
// what they cite for their side.
func TestWhoIsAskedBeforeEvidenceDecides(t *testing.T) {
	t.Parallel()
	const second, third = Panelist + "-2", Panelist + "-3"
	reply := func(seat state.Seat, valid bool) []state.Payload {
		return []state.Payload{
			&state.PromptSent{Seat: seat, Stage: state.StageAnswer},
			&state.ReplyReceived{Seat: seat, Stage: state.StageAnswer, Valid: valid},
		}
	}
	cited := func(id, point string, by state.Seat, relation ledger.Relation) []state.Payload {
		return []state.Payload{
			&state.EvidenceOffered{ID: id, Point: point, Relation: relation, Reference: "b.go:1", By: by},
			&state.EvidenceVerified{
				ID: id, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: "b.go:1", Excerpt: id, Admitted: true,
			},
		}
	}
	missing := func(seat state.Seat) []state.Payload { return []state.Payload{&state.SeatMissed{Seat: seat}} }
	for name, c := range map[string]struct {
		then []state.Payload
		want []state.Seat
	}{
		"at first":                    {nil, []state.Seat{second, third}},
		"one replied":                 {reply(second, true), []state.Seat{third}},
		"both replied":                {slices.Concat(reply(second, true), reply(third, true)), nil},
		"one is missing":              {missing(second), []state.Seat{third}},
		"one is missing, one replied": {slices.Concat(missing(second), reply(third, true)), nil},
		"one failed once":             {reply(second, false), []state.Seat{second, third}},
		"one failed twice":            {slices.Concat(reply(second, false), reply(second, false)), []state.Seat{third}},
		"the user accepted it":        {[]state.Payload{&state.EvidenceAccepted{ID: "E1", By: state.User}}, nil},
		"it was cited for one side, and one is to be heard": {
			slices.Concat(reply(second, true), cited("E2", "P2", second, ledger.Supports)), []state.Seat{third},
		},
		"it was cited for one side": {
			slices.Concat(reply(second, true), cited("E2", "P2", second, ledger.Supports), reply(third, true)),
			[]state.Seat{state.Orchestrator},
		},
		"it was cited against that side": {
			slices.Concat(reply(second, true), cited("E2", "P2", second, ledger.Refutes), reply(third, true)), nil,
		},
		"more was cited for the other side": {
			slices.Concat(cited("E2", "P1", Panelist, ledger.Supports), reply(second, true), reply(third, true)), nil,
		},
		"the orchestrator failed once": {
			slices.Concat(reply(second, true), cited("E2", "P2", second, ledger.Supports), reply(third, true),
				reply(state.Orchestrator, false)), []state.Seat{state.Orchestrator},
		},
		"the orchestrator failed twice": {
			slices.Concat(reply(second, true), cited("E2", "P2", second, ledger.Supports), reply(third, true),
				reply(state.Orchestrator, false), reply(state.Orchestrator, false)), nil,
		},
		"the orchestrator is missing": {
			slices.Concat(reply(second, true), cited("E2", "P2", second, ledger.Supports), reply(third, true),
				missing(state.Orchestrator)), nil,
		},
	} {
		s := &state.State{}
		for _, p := range slices.Concat([]state.Payload{
			&state.SessionOpened{
				Rules: Format{}, Version: state.Version, ID: "s", Question: "?",
				Settings: state.Settings{Format: Name, Own: &Settings{Strategy: string(conflict.Tiered)}},
				Seats: []state.SeatAssignment{
					{Seat: state.Orchestrator}, {Seat: Panelist}, {Seat: second}, {Seat: third},
				},
			},
			&state.RoundStarted{Round: 1},
			&state.PointRaised{ID: "P1", By: Panelist, Text: "The queue is safe"},
			&state.PointRaised{ID: "P2", By: second, Text: "The queue is not safe"},
			&state.PointRaised{ID: "P3", By: third, Text: "The queue is not safe"},
			&state.PointsMerged{Into: "P2", From: []string{"P3"}, By: state.Protocol},
		}, cited("E1", "P1", Panelist, ledger.Supports), []state.Payload{
			&state.EvidenceAccepted{ID: "E1", By: state.Orchestrator},
			&ConflictFound{ID: "K1", What: conflict.Contradiction, A: "P1", B: "P2", By: state.Orchestrator},
		}, c.then) {
			next, err := state.Apply(s, state.Event{Seq: s.Seq + 1, Data: p})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			s = next
		}
		decided := slices.Contains([]string{
			"both replied", "one is missing, one replied", "the user accepted it", "it was cited against that side",
			"more was cited for the other side",
		}, name)
		if r, _ := NewTable(s).first(Of(s).Conflict("K1")); len(c.want) == 0 && r.Settled != decided && !strings.HasPrefix(name, "the orchestrator") {
			t.Errorf("%s: evidence decided is %v: %s", name, r.Settled, r.Reasoning)
		}
		turn, _ := hearOtherSide(s)
		if got := lists.Map(turn.Asks, func(a protocol.Ask) state.Seat { return a.Seat }); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q are asked, want %q", name, got, c.want)
		}
	}
}

// Evidence that decides a conflict ends the challenge to its own side, unless that has ended already.
func TestEvidenceEndsTheChallengeToItsSide(t *testing.T) {
	t.Parallel()
	s := &state.State{}
	add := func(payloads ...state.Payload) {
		next, _, err := state.Extend(s, time.Time{}, payloads...)
		if err != nil {
			t.Fatal(err)
		}
		s = next
	}
	add(
		&state.SessionOpened{
			Rules: Format{}, Version: state.Version, ID: "s", Question: "?",
			Settings: state.Settings{Format: Name, Own: &Settings{Strategy: string(conflict.Tiered)}},
			Seats:    []state.SeatAssignment{{Seat: state.Orchestrator}, {Seat: Panelist}, {Seat: Panelist + "-2"}},
		},
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: Panelist, Text: "The queue is safe"},
		&state.PointRaised{ID: "P2", By: Panelist + "-2", Text: "The queue is not safe"},
		&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "a.go:1", By: state.User},
		&state.EvidenceVerified{ID: "E1", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: "a.go:1", Admitted: true},
		&state.ChallengeRaised{ID: "C1", Point: "P1", By: state.Protocol, Kind: state.Skeptical, Objection: "P2 says the opposite"},
		&state.ChallengeRaised{ID: "C2", Point: "P2", By: state.Protocol, Kind: state.Skeptical, Objection: "P1 says the opposite"},
		&ConflictFound{ID: "K1", What: conflict.Contradiction, A: "P1", B: "P2", By: state.Orchestrator, Challenges: []string{"C1", "C2"}},
	)
	ended := func() []state.Payload {
		table := NewTable(s)
		c := Of(s).Conflict("K1")
		r := table.Settle(c)
		return table.defended(c, &r)
	}
	events := ended()
	if answered, ok := events[0].(*state.ChallengeAnswered); len(events) != 2 || !ok || answered.Challenge != "C1" {
		t.Fatalf("the events are %+v", events)
	}
	add(events...)
	if again := ended(); len(again) > 0 {
		t.Errorf("C1 has ended, and again: %+v", again)
	}
}
