package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/dialectic"
	"moot/protocol/protocoltest"
	"moot/state"
	"moot/tui/home"
)

// stranger is a participant of a name.
type stranger string

func (s stranger) Name() string  { return string(s) }
func (stranger) Modelless() bool { return true }
func (stranger) Reply(context.Context, protocol.Call, func(protocol.Delta)) (protocol.Reply, error) {
	return protocol.Reply{}, nil
}

// decidable is a session with something of everything that can be decided.
func decidable(t *testing.T) *protocoltest.Record {
	r := protocoltest.Consultation(t)
	r.Add(
		&state.PointRaised{ID: "P7", By: state.User, Text: "the team knows streams already"},
		&state.QuestionSurfaced{ID: "Q2", Point: "P4", What: state.QuestionTradeoff, Text: "taste or habit?", Options: []string{"taste", "habit"}},
		&state.QuestionSurfaced{ID: "Q3", Point: "P6", What: state.QuestionAnchorShift, Text: "is another reading meant?", Options: []string{"yes", "no"}},
		&state.QuestionSurfaced{ID: "Q4", Point: "P2", What: state.QuestionDefinition, Text: "what is a group?", Options: []string{}},
		&state.QuestionSurfaced{ID: "Q5", What: state.QuestionPriority, Text: "which points?", Options: []string{}},
		&state.QuestionSurfaced{ID: "Q6", What: state.QuestionApproval, Text: "run go test?", Options: []string{"approve", "refuse"}},
	)
	return r
}

// overrides are all of the specification, as keys, from a screen on which P1 is
// selected or what the keys select, with the order that each must become.
func overrides() []struct{ name, keys, want string } {
	return []struct{ name, keys, want string }{
		{"agree, with a reason", "8 u a g r e e enter o k enter", "protocol.RuleOn {P1 agree ok}"},
		{"dismiss, without one", "8 u d i s m enter enter", "protocol.RuleOn {P1 dismiss }"},
		{"leave unresolved", "8 u l e a v e enter w enter", "protocol.RuleOn {P1 unresolved w}"},
		{"reopen", "8 u r e o p enter enter", "protocol.RuleOn {P1 reopen }"},
		{"agree by its key", "8 A enter", "protocol.RuleOn {P1 agree }"},
		{"dismiss by its key", "8 D enter", "protocol.RuleOn {P1 dismiss }"},
		{"reopen by its key", "8 R enter", "protocol.RuleOn {P1 reopen }"},
		{"agree by its key, with a reason", "8 A o k enter", "protocol.RuleOn {P1 agree ok}"},
		{"a point is chosen first by its key", "1 A P 3 enter enter", "protocol.RuleOn {P3 agree }"},
		{"a point is chosen first", "1 u d i s m enter P 3 enter enter", "protocol.RuleOn {P3 dismiss }"},
		{"challenge as skeptical", "8 u c h a l l e n g e enter enter w h y ctrl+s", "protocol.ChallengePoint {P1 why SKEPTICAL}"},
		{"challenge as rejected", "8 u c h a l l e n g e enter =REJECT enter n o ctrl+s", "protocol.ChallengePoint {P1 no REJECT}"},
		{"answer for a seat", "9 u a n s w e r space C enter s o ctrl+s", "protocol.AnswerChallenge {C1 so}"},
		{"answer any challenge", "1 u a n s w e r space a space c enter C 1 enter s o ctrl+s", "protocol.AnswerChallenge {C1 so}"},
		{"evidence for", "8 u e v i d enter enter i t tab a . g o : 1 enter", "protocol.SupplyEvidence {P1 it a.go:1 supports }"},
		{"evidence against", "8 u e v i d enter =refutes enter i t ctrl+s", "protocol.SupplyEvidence {P1 it  refutes }"},
		{"neutral evidence", "8 u e v i d enter =is_neutral enter i t ctrl+s", "protocol.SupplyEvidence {P1 it  neutral }"},
		{"a fact", "F i t enter", "protocol.RecordFact {it }"},
		{"a fact by name", "u r e c o r d enter i t enter", "protocol.RecordFact {it }"},
		{"a fact in another's place", "4 u r e p l a c e space F enter ctrl+u n o w enter", "protocol.RecordFact {now F1}"},
		{"any fact in another's place", "8 u r e p l a c e space a space f enter F 2 enter ctrl+u n o w enter", "protocol.RecordFact {now F2}"},
		{"a term", "u d e f i n e space a enter X enter Y enter", "protocol.RecordFact {X means Y }"},
		{"an asked term", "u Q 4 enter Y enter", "protocol.AnswerQuestion {Q4 Y}"},
		{"missing data", "u Q 1 enter =100_to_1000 enter", "protocol.AnswerQuestion {Q1 100 to 1000}"},
		{"a side of a tradeoff", "u Q 2 enter =habit enter", "protocol.AnswerQuestion {Q2 habit}"},
		{"consent to another reading", "u Q 3 enter =yes enter", "protocol.AnswerQuestion {Q3 yes}"},
		{"refuse another reading", "u Q 3 enter =no enter", "protocol.AnswerQuestion {Q3 no}"},
		{"asked priorities", "u Q 5 enter =P1 space =P3 space ctrl+s", "protocol.AnswerQuestion {Q5 P1 P3}"},
		{"approve a command", "u Q 6 enter =approve enter", "protocol.AnswerQuestion {Q6 approve}"},
		{"refuse a command", "u Q 6 enter =refuse enter", "protocol.AnswerQuestion {Q6 refuse}"},
		{"priorities", "u p r i o r enter =P2 space ctrl+s", "protocol.SetPriority {[P2]}"},
		{"empirical", "8 u k i n d enter =empirical enter", "protocol.SetKind {P1 empirical}"},
		{"a value judgment", "8 u k i n d enter =value enter", "protocol.SetKind {P1 value}"},
		{"a decision", "8 u k i n d enter =decision enter", "protocol.SetKind {P1 decision}"},
		{"a position", "8 u k i n d enter =position enter", "protocol.SetKind {P1 position}"},
		{"no kind of the user's", "8 u k i n d enter =as_the_seats_say enter", "protocol.SetKind {P1 }"},
		{"concede", ": P 7 enter u c o n c e d e enter b enter", "protocol.ConcedePoint {P7 b}"},
		{"a budget", "u b u d g enter 5 0 0 enter 1 . 5 enter 6 0 enter", "protocol.SetBudget {500 1.5 60}"},
		{"a cap is lifted", "u b u d g enter enter enter 6 0 enter", "protocol.SetBudget {0 0 60}"},
		{"close", "u c l o s e enter y enter d o n e enter", "protocol.EndSession {done}"},
		{"think better of closing", "u c l o s e enter enter enter", ""},
	}
}

func TestEveryOverrideIsReachedByKeys(t *testing.T) {
	for _, test := range overrides() {
		t.Run(test.name, func(t *testing.T) {
			m := screenOf(t, decidable(t), Options{NoColor: true}, 100, 30)
			tell(m, ready(state.Consultee))
			if got := strings.Join(ordered(m, test.keys), "; "); got != test.want {
				t.Errorf("got %q, want %q; the screen says %q:\n%s", got, test.want, m.flash, ansi.Strip(m.View().Content))
			}
			if len(m.dialogs) > 0 {
				t.Errorf("a dialog stays open:\n%s", ansi.Strip(m.View().Content))
			}
		})
	}
}

// Each kind of move of the user has keys.
func TestNoOverrideIsForgotten(t *testing.T) {
	for _, move := range []protocol.UserMove{
		claims.RuleOn{},
		protocol.RecordFact{},
		claims.ChallengePoint{},
		claims.AnswerChallenge{},
		claims.SupplyEvidence{},
		protocol.AnswerQuestion{},
		claims.SetKind{},
		claims.ConcedePoint{},
		claims.SetPriority{},
		protocol.SetBudget{},
		protocol.EndSession{},
	} {
		name := fmt.Sprintf("%T ", move)
		if !slices.ContainsFunc(overrides(), func(o struct{ name, keys, want string }) bool { return strings.HasPrefix(o.want, name) }) {
			t.Errorf("nothing on the screen makes a %s", name)
		}
	}
}

// refusing is a session that refuses what the user decides.
type refusing struct{ noting }

func (*refusing) Override(context.Context, protocol.UserMove) error {
	return errors.New("a cap is 0 (none) or more")
}

// A refusal is shown in the form, and the form keeps its values.
func TestARefusalLosesNothing(t *testing.T) {
	for _, test := range []struct{ name, keys, typed string }{
		{"a form", "u b u d g enter - 5 0 0 ctrl+s", "-500"},
		{"a question", "n a b c enter", "abc"},
		{"a fact", "F a b c enter", "abc"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true}, 100, 30)
			typeKeys(m, test.keys)
			carry(m, &refusing{})
			content := ansi.Strip(m.View().Content)
			if !strings.Contains(content, "! a cap is 0 (none) or more") || !strings.Contains(content, test.typed) {
				t.Fatalf("it does not say why, or what was typed is gone:\n%s", content)
			}
			typeKeys(m, "1 ctrl+s")
			n := &noting{}
			carry(m, n)
			if len(n.orders) != 1 || !strings.Contains(n.orders[0], test.typed+"1") || len(m.dialogs) != 0 {
				t.Errorf("it is not sent again: %q", n.orders)
			}
		})
	}
}

// A form shows wrong values before anything is sent to the session.
func TestAFormChecksWhatItCan(t *testing.T) {
	for _, test := range []struct{ keys, want string }{
		{"u b u d g enter m a n y ctrl+s", "not a number"},
		{"u b u d g enter enter N a N ctrl+s", "not a number"},
		{"8 u c h a l l e n g e enter ctrl+s", "a value is required"},
		{"u p r i o r enter ctrl+s", "a value is required"},
		{"u p r i o r enter =P1 space =P2 space =P3 space =P4 space =P5 space =P6 space =P7 space =P8 space ctrl+s", "at most 7"},
		{"8 u c o n c e d e enter", "not now: P1 is not yours"},
	} {
		r := protocoltest.Consultation(t)
		r.Add(&state.PointRaised{ID: "P7", By: state.Consultee, Text: "seven"}, &state.PointRaised{ID: "P8", By: state.Consultee, Text: "eight"})
		m := screenOf(t, r, Options{NoColor: true}, 100, 40)
		if got := ordered(m, test.keys); len(got) > 0 || !strings.Contains(ansi.Strip(m.View().Content), "! "+test.want) &&
			!strings.Contains(ansi.Strip(m.View().Content), test.want) {
			t.Errorf("%s: ordered %q, and it does not say %q:\n%s", test.keys, got, test.want, ansi.Strip(m.View().Content))
		}
	}
}

// A seat gets another participant, from the list or by name. An unknown name is reported and can be corrected.
func TestReplaceAParticipant(t *testing.T) {
	replace := Services{
		Replace: func(_ context.Context, id string, seat state.Seat, name string) (protocol.Participant, error) {
			if name == "nobody" {
				return nil, errors.New(`seat ` + string(seat) + `: unknown participant "nobody"`)
			}
			return stranger(id + ":" + name), nil
		},
		Found: func(context.Context) home.Candidates {
			return home.Candidates{Found: []home.Candidate{{Name: "ollama:qwen3", Usable: true}}}
		},
	}
	for _, test := range []struct{ keys, want string }{
		{"u p a r t i c enter =consultee enter =ollama:qwen3 enter", "replace consultee k3f9:ollama:qwen3"},
		{"u p a r t i c enter =orchestrator enter =rules enter", "replace orchestrator k3f9:rules"},
		{"u p a r t i c enter enter h t t p : / / x enter", "replace orchestrator k3f9:http://x"},
	} {
		m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true, Services: replace}, 100, 30)
		pressAll(m, test.keys)
		if got := ordered(m, ""); !slices.Equal(got, []string{test.want}) {
			t.Errorf("%s: got %q:\n%s", test.keys, got, ansi.Strip(m.View().Content))
		}
	}
	m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true, Services: replace}, 100, 30)
	pressAll(m, "u p a r t i c enter enter n o b o d y enter")
	if content := ansi.Strip(m.View().Content); !strings.Contains(content, `unknown participant "nobody"`) || !strings.Contains(content, "nobody") {
		t.Errorf("it does not say why, or what was typed is gone:\n%s", content)
	}
}

// Where a fallback answers for a seat, the list says so: it is that one who would be
// replaced.
func TestTheSeatsSayWhoAnswers(t *testing.T) {
	s := protocoltest.Consultation(t)
	m := screenOf(t, s, Options{NoColor: true, Services: Services{
		Replace: func(context.Context, string, state.Seat, string) (protocol.Participant, error) {
			return nil, errors.New("not asked")
		},
	}}, 120, 30)
	for i := range m.state.Seats {
		if m.state.Seats[i].Seat == state.Consultee {
			m.state.Seats[i].Participant, m.state.Seats[i].Answering = "fast=openai:m", "ollama:q\x1b[31m"
		}
	}
	m.openReplace()
	m.rearrange()
	content := ansi.Strip(m.View().Content)
	if !strings.Contains(content, "now fast=openai:m, answered by its fallback ollama:q") || strings.Contains(m.View().Content, "\x1b[31m") {
		t.Errorf("it does not say who answers:\n%s", content)
	}
}

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
		{"uphold an objection", ": P 2 enter u r u l e enter =upheld enter enter", "dialectic.RuleObjection {C1 upheld }"},
		{"take a ruling back", "1 u r u l e enter C 7 enter =taken_back enter enter", "dialectic.RuleObjection {C7  }"},
		{"answer an objection", ": P 1 enter u a n s w e r enter s o ctrl+s", "protocol.AnswerChallenge {C3 so}"},
		{"answer any objection", "1 u a n s w e r space a n space enter C 1 enter s o ctrl+s", "protocol.AnswerChallenge {C1 so}"},
		{"object by a red flag", ": P 1 enter u o b j e c t enter u n t e s t e d enter n o ctrl+s", "dialectic.RaiseObjection {P1 no  untested}"},
		{"object in words of one's own", ": P 1 enter u o b j e c t enter enter =MEDIUM enter n o ctrl+s", "dialectic.RaiseObjection {P1 no MEDIUM }"},
		{"evidence on all objections", ": P 1 enter u e v i d enter enter enter i t tab a . g o : 1 enter", "protocol.SupplyEvidence {P1 it a.go:1 supports }"},
		{"evidence on one", ": P 1 enter u e v i d enter =C3 enter =refutes enter i t ctrl+s", "protocol.SupplyEvidence {P1 it  refutes C3}"},
		{"a fact", "F i t ctrl+s", "protocol.RecordFact {it }"},
		{"a limit", "F a . b space < = space 1 0 enter", "protocol.RecordFact {a.b <= 10 }"},
		{"a limit in another's place", "u r e p l a c e space a space f enter F 1 enter ctrl+u a . b space < space 5 enter", "protocol.RecordFact {a.b < 5 F1}"},
		{"an escalation", "u Q 1 enter =upheld enter", "protocol.AnswerQuestion {Q1 upheld}"},
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
			m := screenOf(t, protocoltest.Proposal(t), Options{NoColor: true}, 100, 30)
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
	r := protocoltest.Proposal(t)
	for _, test := range proposalOverrides() {
		m := screenOf(t, r, Options{NoColor: true}, 100, 30)
		tell(m, protocol.Waiting{Questions: []string{"Q1"}})
		typeKeys(m, test.keys)
		s := &admitting{state: r.State}
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

// Decisions without a meaning in a hearing are disabled.
func TestOverridesOfAHearing(t *testing.T) {
	h := protocoltest.HearingTable(t)
	list := protocol.Overrides(h.State, protocol.Selection{Point: "P2", ID: "P2"})
	for id, why := range map[string]string{"evidence": "the packet is frozen", "kind": "about facts", "priorities": "is judged"} {
		i := slices.IndexFunc(list, func(o protocol.Override) bool { return o.ID == id })
		if i < 0 || !strings.Contains(list[i].Why, why) {
			t.Errorf("%q can be chosen", id)
		}
	}
}
