package dialectic

import (
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol/dialectic/gates"
	"moot/state"
)

// objecting is a session with one field a, and an objection C1 to it, which
// evidence may clear.
type objecting struct {
	t *testing.T
	s *state.State
}

func (o *objecting) add(payloads ...state.Payload) {
	o.t.Helper()
	next, _, err := state.Extend(o.s, time.Time{}, payloads...)
	if err != nil {
		o.t.Fatal(err)
	}
	o.s = next
}

func (o *objecting) resolve() {
	o.t.Helper()
	o.add(&RoundResolved{Resolution: Recorded(o.s, time.Time{})})
}

func (o *objecting) words(id string) string {
	o.t.Helper()
	stands := newOutcomes(o.s).Of(o.s.Challenge(id))
	return stands.Words("you")
}

func fileObjection(id string, severity gates.Severity) []state.Payload {
	return []state.Payload{
		&state.ChallengeRaised{ID: id, Point: "P1", By: PressureTester, Kind: state.Reject, Objection: "why?"},
		&ObjectionFiled{Challenge: id, Category: "Factual", Severity: severity, Predicate: id + " holds"},
	}
}

func supplyEvidence(id, challenge string, relation ledger.Relation) []state.Payload {
	return []state.Payload{
		&state.EvidenceOffered{ID: id, Point: "P1", Relation: relation, Reference: "a.go:1", By: Proposer},
		&state.EvidenceVerified{
			ID: id, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: 0.9,
			Admitted: true,
		},
		&EvidenceSupplied{Evidence: id, Challenge: challenge},
	}
}

func newObjecting(t *testing.T) *objecting {
	t.Helper()
	o := &objecting{t: t, s: &state.State{}}
	o.add(&state.SessionOpened{
		Rules: Format{}, Version: state.Version, ID: "s", Question: "Set a to 1",
		Settings: state.Settings{Format: Name},
	},
		&state.RoundStarted{Round: 1}, &state.PointRaised{ID: "P1", By: Proposer, Text: "a = 1"},
		&FieldProposed{Point: "P1", Path: "a", Value: []byte("1"), Category: "Taste", Severity: "HIGH"})
	return o
}

// What the user rules holds at once; what was ruled of another value does not.
func TestTheUsersRulingIsShownAtOnce(t *testing.T) {
	o := newObjecting(t)
	o.add(fileObjection("C1", "HIGH")...)
	o.resolve()
	step := func(want string, payloads ...state.Payload) {
		t.Helper()
		o.add(payloads...)
		if got := o.words("C1"); got != want {
			t.Errorf("C1 is %q, not %q", got, want)
		}
	}
	revised := func(value string) *FieldRevised {
		return &FieldRevised{
			Point: "P1", By: Proposer, Value: []byte(value), Severity: "HIGH",
			Text: "a = " + value,
		}
	}
	step("unresolved")
	step("cleared by you", &ObjectionRuled{Challenge: "C1", Verdict: gates.RulingCleared})
	step("not resolved yet", revised("2"))
	step("upheld by you", &ObjectionRuled{Challenge: "C1", Verdict: gates.RulingUpheld})
	step("not resolved yet", &ObjectionRuled{Challenge: "C1"})
	step("moot", &FieldWithdrawn{Point: "P1", By: Proposer})
	o.resolve()
	step("moot")
	step("not resolved yet", revised("3"))
	step("cleared by you", &state.OverrideMade{What: state.OverrideAgree, Point: "P1"})
	step("not resolved yet", &state.OverrideMade{What: state.OverrideReopen, Point: "P1"})
}

// A request in words stays open until evidence came since, and the pressure-tester had a turn to contest it.
func TestWhatIsOwed(t *testing.T) {
	o := newObjecting(t)
	o.add(fileObjection("C1", "HIGH")...)
	o.add(supplyEvidence("E1", "C1", ledger.Supports)...)
	o.add(&state.Requested{
		Point: "P1", Kind: state.RequestEvidence, Of: []state.Seat{Proposer},
		By: PressureTester, Text: "a run", About: "C1",
	})
	owed := func() int { return len(owed(o.s, o.s.Challenge("C1"))) }
	if owed() != 1 {
		t.Errorf("%d requests are owed, not 1", owed())
	}
	o.add(supplyEvidence("E2", "C1", ledger.Supports)...)
	if owed() != 1 {
		t.Errorf("%d requests are owed before the pressure-tester saw the evidence, not 1", owed())
	}
	o.add(
		&state.PromptSent{Seat: PressureTester, Stage: state.StageJudge},
		&state.ReplyReceived{Seat: PressureTester, Stage: state.StageJudge, Valid: true},
	)
	if owed() != 0 {
		t.Errorf("%d requests are owed once evidence came and was seen", owed())
	}
}
