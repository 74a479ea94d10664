package claims_test

import (
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/consult"
	"moot/protocol/move"
	"moot/protocol/protocoltest"
	"moot/state"
)

// What could not be read back from the session file is refused.
func TestInvalidOverridesAreRefused(t *testing.T) {
	d := protocoltest.Challenged(t, nil)
	for _, move := range []protocol.UserMove{
		claims.SetKind{Point: "P1", Kind: "matter of taste"},
		claims.SupplyEvidence{Point: "P1", Text: "x", Relation: "proves"},
		protocol.RecordFact{Text: " "},
	} {
		if events, err := protocol.AdmitUser(d.State, move); err == nil {
			t.Errorf("%+v gave %v", move, events)
		}
	}
	if _, err := protocol.AdmitUser(d.State, claims.SetKind{Point: "P1", Kind: state.Value}); err != nil {
		t.Error(err)
	}
}

// CH7: a seat that has no part in a point does not call it blocked.
func TestBlockedByAStranger(t *testing.T) {
	d := protocoltest.Challenged(t, nil)
	d.Append(&state.SeatTaken{SeatAssignment: state.SeatAssignment{Seat: "consultee-2"}, By: state.User})
	ask := protocol.Ask{Seat: "consultee-2", Stage: state.StageAnswer, Moves: []move.Kind{move.KindBlocked}}
	a := protocol.Of(d.State).Admit(d.State, ask, []move.Move{&move.Blocked{
		Point: "P2", Measurement: "m", Threshold: "t",
		Below: "b", Above: "a",
	}})
	if len(a.Refused) != 1 || len(a.Events) != 0 {
		t.Fatalf("%+v", a)
	}
}

// The orchestrator's prompt shows that the user upholds a point that it would concede.
func TestPromptShowsPointsTheUserUpholds(t *testing.T) {
	d := protocoltest.New(t, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) {
		o.Settings.Framing, o.Settings.Input.Design = state.FramingCritique, "One writer"
	}))
	d.Run()
	d.Append(&state.ChallengeRaised{
		ID: "C1", Point: "P1", By: state.Consultee, Kind: state.Skeptical,
		Objection: "it fails",
	})
	ask := protocol.Ask{
		Seat: state.Orchestrator, Stage: state.StageAnswer,
		Moves: []move.Kind{move.KindConcede},
	}
	concede := []move.Move{&move.Concede{Challenge: "C1", Reason: "it does"}}
	d.Append(protocol.Of(d.State).Admit(d.State, ask, concede).Events...)
	events, err := protocol.AdmitUser(d.State, protocol.AnswerQuestion{Question: "Q1", Answer: "hold it"})
	if err != nil {
		t.Fatal(err)
	}
	d.Append(events...)
	if a := protocol.Of(d.State).Admit(d.State, ask, concede); len(a.Refused) != 1 || a.Refused[0].Code != "user-holds" {
		t.Fatalf("%+v", a)
	}
}

// CH3b: no seat answers a challenge to a deadlocked point, so the user has to reopen it.
func TestChallengesToDeadlockedPointsAreRefused(t *testing.T) {
	d := protocoltest.Challenged(t, nil)
	d.Append(&state.PointDeadlocked{Point: "P1", Class: state.DeadlockDisputed, Crux: "the log"})
	challenge := claims.ChallengePoint{Point: "P1", Objection: "it fails"}
	if _, err := protocol.AdmitUser(d.State, challenge); err == nil || !strings.Contains(err.Error(), "reopen it") {
		t.Fatalf("%v", err)
	}
	events, err := protocol.AdmitUser(d.State, claims.RuleOn{Point: "P1", What: state.OverrideReopen})
	if err != nil {
		t.Fatal(err)
	}
	d.Append(events...)
	if _, err := protocol.AdmitUser(d.State, challenge); err != nil {
		t.Error(err)
	}
}

// ST0: a reply that gives way on a point of the user under two challenges does not defend it against one of them.
func TestGivingWayUnderTwoChallenges(t *testing.T) {
	d := protocoltest.New(t, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) {
		o.Settings.Framing, o.Settings.Input.Design = state.FramingCritique, "One writer"
	}))
	d.Run()
	for _, id := range []string{"C1", "C2"} {
		d.Append(&state.ChallengeRaised{
			ID: id, Point: "P1", By: state.Consultee, Kind: state.Skeptical, Objection: "it fails as " + id,
		})
	}
	ask := protocol.Ask{Seat: state.Orchestrator, Stage: state.StageAnswer, Moves: []move.Kind{move.KindConcede}}
	a := protocol.Of(d.State).Admit(d.State, ask, []move.Move{
		&move.Concede{Challenge: "C1", Reason: "it does"}, &move.Concede{Challenge: "C2", Reason: "so it does"},
	})
	d.Append(a.Events...)
	for _, id := range []string{"C1", "C2"} {
		if c := d.State.Challenge(id); c.Status != state.StandsGranted {
			t.Errorf("%s is %s: %+v", id, c.Status, a.Refused)
		}
	}
}
