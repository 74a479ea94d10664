package hearing_test

import (
	"testing"

	"moot/protocol"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/protocoltest"
	"moot/state"
)

// heardBy asks for a hearing in which a script is the architect, and a person the skeptic.
func heardBy(form hearing.Form) *state.SessionOpened {
	return protocoltest.Opened(hearing.Name, func(o *state.SessionOpened) {
		o.Settings.Own.(*hearing.Settings).Form = form
		o.Seats[1].Participant = "me"
	})
}

// A side sees the other's argument of the same turn only after its own is complete. Arguments of earlier rounds
// are visible to both.
func TestArgumentsAreHiddenUntilBothAreGiven(t *testing.T) {
	d := protocoltest.New(t, heardBy(hearing.FormMulti))
	d.Quiet = true
	expect := func(when string, skepticOwes, skepticBlind, architectBlind bool) {
		t.Helper()
		d.Run()
		if got := protocol.Owes(d.State, "me"); got != skepticOwes {
			t.Errorf("%s: the skeptic owes: %v", when, got)
		}
		if got := protocol.Unseen(d.State, "me"); got != skepticBlind {
			t.Errorf("%s: hidden from the skeptic: %v", when, got)
		}
		if got := protocol.Unseen(d.State, "script"); got != architectBlind {
			t.Errorf("%s: hidden from the architect: %v", when, got)
		}
		if protocol.Owes(d.State, "nobody here") || protocol.Unseen(d.State, "nobody here") {
			t.Errorf("%s: something is hidden from who argues for no side", when)
		}
	}
	expect("before the first argument", true, false, false)
	d.Reply(judge.Architect, "CLAIM [f1, f2] 0.81: the account logged on\nCONCLUDE 0.83")
	expect("the architect argued", true, true, false)
	d.Reply(judge.Skeptic, "CLAIM [f3] 0.61: the backup ran")
	expect("without a conclusion", true, true, false)
	d.Reply(judge.Skeptic, "CONCLUDE 0.62")
	expect("round 2", true, false, false)
	d.Reply(judge.Skeptic, "CONTRADICT P2 [f4]: the backup did\nCONCLUDE 0.62")
	expect("the skeptic was faster", false, false, true)
	d.Reply(judge.Architect, "CLAIM [f6] 0.42: a task was made\nCONCLUDE 0.43")
	expect("round 3", true, false, false)
}

// In an audit both stages of a round are unseen, each until it is answered.
func TestAuditHidesTheOtherSidePerStage(t *testing.T) {
	d := protocoltest.New(t, heardBy(hearing.FormAudit))
	d.Quiet = true
	expect := func(when string, want bool) {
		t.Helper()
		d.Run()
		if got := protocol.Unseen(d.State, "me"); got != want {
			t.Errorf("%s: hidden from the skeptic: %v", when, got)
		}
	}
	d.Run()
	d.Reply(judge.Architect, "CLAIM [f1, f2] 0.81: the account logged on\nCONCLUDE 0.83")
	d.Reply(judge.Skeptic, "CLAIM [f3] 0.61: the backup ran\nCONCLUDE 0.62")
	expect("round 2", false)
	d.Reply(judge.Architect, "CONTRADICT P3 [f4]: the backup failed")
	expect("the architect contested", true)
	d.Reply(judge.Skeptic, "CONTRADICT P2 [f5]: a service did")
	expect("both contested", false)
	d.Reply(judge.Architect, "ANSWER C2 [f2]: it did not\nCONCLUDE 0.8")
	expect("the architect answered", true)
	d.Reply(judge.Skeptic, "ANSWER C1 [f3]: it ran again\nCONCLUDE 0.6")
	expect("both answered", false)
}
