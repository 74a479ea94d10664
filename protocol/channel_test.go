package protocol_test

import (
	"fmt"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/protocoltest"
	"moot/state"
)

// A form of an agent's program answers questions and does nothing else: no other move of the user, and no approval,
// whatever its text asks for.
func TestFormsAnswerQuestionsOnly(t *testing.T) {
	t.Parallel()
	session := func(kind state.QuestionKind, about, text string) *state.State {
		d := protocoltest.Challenged(t, nil)
		d.Append(
			&state.EvidenceOffered{
				ID: state.NextID('E', d.State.Evidence.Len()), Point: "P1", Relation: ledger.Supports, Reference: "$ go version", Quote: "exit 0",
				By: state.Consultee,
			},
			&state.QuestionSurfaced{
				ID: state.NextID('Q', d.State.Questions.Len()), Point: "P1", What: kind, Text: text, About: about, Options: []string{},
			},
		)
		return d.State
	}
	tried := 0
	for _, channel := range state.Channels() {
		s := session(state.QuestionApproval, "", "")
		for _, move := range []protocol.UserMove{
			claims.RuleOn{Point: "P1", What: state.OverrideAgree},
			protocol.RecordFact{Text: "x"},
			claims.ChallengePoint{Point: "P1", Objection: "x"},
			claims.AnswerChallenge{Challenge: "C1", Text: "x"},
			claims.SupplyEvidence{Point: "P1", Text: "x"},
			claims.WeighEvidence{Evidence: "E1", Accept: true},
			claims.SetKind{Point: "P1", Kind: state.Value},
			claims.SetPriority{Points: []string{"P1"}},
			protocol.SetBudget{MaxTokens: 9},
			protocol.EndSession{},
			claims.RewriteAnswer{Text: "x"},
		} {
			tried++
			_, err := protocol.AdmitUser(s, protocol.Through{Channel: channel, Move: move})
			if refused := err != nil && strings.Contains(err.Error(), "only questions can be answered"); refused == channel.IsUser() {
				t.Errorf("%T through %q: %v", move, channel, err)
			}
		}
		for _, kind := range state.QuestionKinds() {
			for _, about := range []string{"", claims.AboutRun + state.NextID('E', s.Evidence.Len()-1), protocol.AboutStop, claims.AboutReexam, "concede C1"} {
				for _, text := range []string{"Run it?", "What is your name?", "Which side of the tradeoff?"} {
					tried++
					s := session(kind, about, text)
					q := state.NextID('Q', s.Questions.Len()-1)
					events, err := protocol.AdmitUser(s, protocol.Through{
						Channel: channel, Move: protocol.AnswerQuestion{Question: q, Answer: "always"},
					})
					for _, e := range events {
						if _, runs := e.(*state.CommandApproved); runs && !channel.IsUser() {
							t.Errorf("%s %q %q through %q runs the command", kind, about, text, channel)
						}
					}
					refused := err != nil && strings.Contains(fmt.Sprint(err), "nothing is approved")
					if want := kind == state.QuestionApproval && !channel.IsUser(); refused != want {
						t.Errorf("%s %q through %q: %v", kind, about, channel, err)
					}
				}
			}
		}
	}
	if tried < 500 {
		t.Errorf("only %d were tried", tried)
	}
}
