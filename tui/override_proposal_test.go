package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/dialectic"
	"moot/state"
)

// proposalOverrides are all of a proposal, as keys, from a screen on which P1 or
// what the keys select is selected, with the order that each must become.
func proposalOverrides() []struct{ name, keys, want string } {
	return []struct{ name, keys, want string }{
		{"agree at once", ": P 1 enter A enter", "protocol.RuleOn {P1 agree }"},
		{"dismiss at once", ": P 1 enter D enter", "protocol.RuleOn {P1 dismiss }"},
		{"reopen at once", ": P 1 enter R enter", "protocol.RuleOn {P1 reopen }"},
		{"agree, with a reason", ": P 1 enter u a g r e e enter o k enter", "protocol.RuleOn {P1 agree ok}"},
		{"leave aside", ": P 1 enter u a s i d e enter w enter", "protocol.RuleOn {P1 unresolved w}"},
		{"withdraw", ": P 1 enter u w i t h d r a w enter w enter", "dialectic.WithdrawField {P1 w}"},
		{"clear an objection of the field", ": P 1 enter u r u l e enter enter w enter", "dialectic.RuleObjection {C3 cleared w}"},
		{"uphold an objection", ": P 2 enter u r u l e enter 2 enter enter", "dialectic.RuleObjection {C1 upheld }"},
		{"take a ruling back", "1 u r u l e enter C 7 enter 3 enter enter", "dialectic.RuleObjection {C7  }"},
		{"answer an objection", ": P 1 enter u a n s w e r enter s o ctrl+s", "protocol.AnswerChallenge {C3 so}"},
		{"answer any objection", "1 u a n s w e r space a n space enter C 1 enter s o ctrl+s", "protocol.AnswerChallenge {C1 so}"},
		{"object by a red flag", ": P 1 enter u o b j e c t enter u n t e s t e d enter n o ctrl+s", "dialectic.RaiseObjection {P1 no  untested}"},
		{"object in words of one's own", ": P 1 enter u o b j e c t enter enter 3 enter n o ctrl+s", "dialectic.RaiseObjection {P1 no MEDIUM }"},
		{"evidence on all objections", ": P 1 enter u e v i d enter enter enter i t tab a . g o : 1 enter", "protocol.SupplyEvidence {P1 it a.go:1 supports }"},
		{"evidence on one", ": P 1 enter u e v i d enter 2 enter 2 enter i t ctrl+s", "protocol.SupplyEvidence {P1 it  refutes C3}"},
		{"a fact", "F i t ctrl+s", "protocol.RecordFact {it }"},
		{"a limit", "F a . b space < = space 1 0 enter", "protocol.RecordFact {a.b <= 10 }"},
		{"a limit in another's place", "u r e p l a c e space a space f enter F 1 enter ctrl+u a . b space < space 5 enter", "protocol.RecordFact {a.b < 5 F1}"},
		{"an escalation", "u Q 1 enter 2 enter", "protocol.AnswerQuestion {Q1 upheld}"},
		{"a budget", "u b u d g enter 5 0 0 ctrl+s", "protocol.SetBudget {500 0 0}"},
		{"close", "u c l o s e enter y enter d o n e enter", "protocol.EndSession {done}"},
	}
}

// orderedInWords is ordered with the limits of facts in words.
func orderedInWords(m *Model, keys string) string {
	typeKeys(m, keys)
	s := &noting{}
	carry(m, s)
	return strings.Join(s.orders, "; ")
}

func TestEveryOverrideOfAProposalIsReachedByKeys(t *testing.T) {
	for _, test := range proposalOverrides() {
		t.Run(test.name, func(t *testing.T) {
			m := screenOf(t, pressed(t), Options{NoColor: true}, 100, 30)
			tell(m, protocol.Waiting{Questions: []string{"Q1"}})
			if got := orderedInWords(m, test.keys); got != test.want {
				t.Errorf("got %q, want %q; the screen says %q:\n%s", got, test.want, m.flash, ansi.Strip(m.View().Content))
			}
			if len(m.dialogs) > 0 {
				t.Errorf("a dialog stays open:\n%s", ansi.Strip(m.View().Content))
			}
		})
	}
}

// Each kind of move that a proposal takes has keys.
func TestNoOverrideOfAProposalIsForgotten(t *testing.T) {
	for _, move := range []protocol.UserMove{
		claims.RuleOn{},
		protocol.RecordFact{},
		dialectic.RaiseObjection{},
		dialectic.RuleObjection{},
		dialectic.WithdrawField{},
		claims.AnswerChallenge{},
		claims.SupplyEvidence{},
		protocol.AnswerQuestion{},
		protocol.SetBudget{},
		protocol.EndSession{},
	} {
		name := fmt.Sprintf("%T ", move)
		if !slices.ContainsFunc(proposalOverrides(), func(o struct{ name, keys, want string }) bool { return strings.HasPrefix(o.want, name) }) {
			t.Errorf("nothing on the screen makes a %s", name)
		}
	}
}

// The session accepts every move in the list of overrides of a proposal.
func TestAProposalTakesWhatIsInTheList(t *testing.T) {
	r := pressed(t)
	for _, test := range proposalOverrides() {
		m := screenOf(t, r, Options{NoColor: true}, 100, 30)
		tell(m, protocol.Waiting{Questions: []string{"Q1"}})
		typeKeys(m, test.keys)
		s := &admitting{state: r.state}
		carry(m, s)
		if s.err != nil {
			t.Errorf("%s: the session refuses it: %v", test.name, s.err)
		}
	}
	m := screenOf(t, r, Options{NoColor: true}, 100, 30)
	for _, o := range protocol.Overrides(m.state, protocol.Selection{Point: "P1", ID: "P1"}) {
		if slices.Contains([]string{"priorities", "concede", "challenge", "kind"}, o.ID) || o.Title == "leave P1 unresolved" {
			t.Errorf("a proposal has no %q", o.Title)
		}
	}
}

// admitting is a session that only says whether it takes what the user does.
type admitting struct {
	noting
	state *state.State
	err   error
}

func (s *admitting) Override(_ context.Context, move protocol.UserMove) error {
	_, s.err = protocol.AdmitUser(s.state, move)
	return s.err
}
