package tui

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// The bounds of a proposal: so many fields and objections can there be, and so
// many items that bear on them.
const mostFields, mostObjections, mostItems = 60, 120, 300

// bigProposal is a session at the bounds of the format, after its first round:
// held, with one objection in three that evidence clears and one that is upheld.
func bigProposal(t testing.TB) *recorder {
	r := &recorder{t: t}
	o := pressedOpened()
	r.add(o, &state.RoundStarted{Round: 1})
	for i := range mostFields {
		point, path := fmt.Sprint("P", i+1), fmt.Sprintf("service[%d].limit", i+1)
		value := json.RawMessage(fmt.Sprint(10 + i))
		r.add(
			&state.PointRaised{ID: point, By: state.Proposer, Text: fmt.Sprintf("%s = %s (what the plan allows for this service, and not more)", path, value)},
			&state.FieldProposed{Point: point, Path: path, Value: value, Category: "Safety", Severity: []string{"BLOCKING", "HIGH", "MEDIUM", "LOW"}[i%4], Grounded: true},
		)
	}
	for i := range mostObjections {
		id, point := fmt.Sprint("C", i+1), fmt.Sprint("P", i%mostFields+1)
		r.add(
			&state.ChallengeRaised{ID: id, Point: point, By: state.PressureTester, What: state.Reject, Objection: "a flaw that can be said in one sentence, and that somebody has to answer"},
			&state.ObjectionFiled{Challenge: id, Category: "Safety", Severity: []string{"HIGH", "MEDIUM", "BLOCKING", "LOW"}[i%4], Predicate: fmt.Sprintf("limit %d holds under load", i)},
		)
	}
	for i := range mostItems {
		id, at := fmt.Sprint("E", i+1), i%mostObjections
		offered := &state.EvidenceOffered{
			ID: id, Point: fmt.Sprint("P", at%mostFields+1), Relation: ledger.Supports, By: state.Proposer,
			Reference: fmt.Sprintf("docs/plan.md:%d", i+1), Quote: fmt.Sprintf("the limit is %d, and it was measured", 10+at%mostFields),
		}
		if at%3 == 1 {
			offered.Relation, offered.By = ledger.Refutes, state.PressureTester
		}
		r.add(
			offered,
			&state.EvidenceSupplied{Evidence: id, Challenge: fmt.Sprint("C", at+1)},
			&state.EvidenceVerified{
				ID: id, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: ledger.ConfidenceInPlace,
				Reference: offered.Reference, Excerpt: offered.Quote, Digest: "sha256:0", Admitted: true, Reason: "in place",
			},
		)
	}
	recorded, _, err := resolver.Recorded(&r.state, demoTime)
	if err != nil {
		t.Fatal(err)
	}
	r.add(&state.RoundResolved{Resolution: recorded}, &state.RoundStarted{Round: 2})
	return r
}

// pressing are what a busy round of a proposal brings: words, keys, items that are
// found, and now and then another value.
func pressing(m *Model, r *recorder) []tea.Msg {
	words := delivery{told{m.sitting, protocol.Streamed{Seat: state.Proposer, Text: "words in a stream of a thousand tokens a second "}}}
	advanced := func(payloads ...state.Payload) tea.Msg {
		return delivery{told{m.sitting, r.advanced(payloads...)}}
	}
	noted := advanced(&state.PointNoted{Point: "P7", Text: "somebody noted this"})
	supplied := advanced(&state.EvidenceSupplied{Evidence: "E9", Challenge: "C9"})
	revised := advanced(&state.FieldRevised{Point: "P1", By: state.Proposer, Value: json.RawMessage("9"), Text: "less"})
	return []tea.Msg{words, keyOf("down"), noted, words, keyOf("pgdown"), supplied, words, revised, keyOf("tab")}
}

// Each view of a proposal at its bounds, while a round is under way.
func BenchmarkProposal(b *testing.B) {
	for _, p := range Views(state.FormatDialectic) {
		b.Run(p.String(), func(b *testing.B) {
			r := bigProposal(b)
			m := newModel(Options{Opened: &Opened{State: r.state, Rulings: resolver.Rule(r.state), Events: r.events}, Environ: []string{"TERM=xterm-256color"}, Now: func() time.Time { return demoTime }})
			m.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
			m.ended = false
			settle(m, m.act(showsPane(p)))
			tell(m, protocol.CallStarted{Ask: protocol.Ask{Seat: state.Proposer, Stage: state.StagePropose}, Participant: "openai:gpt-5.2", At: demoTime})
			timeFrames(b, m, pressing(m, r))
		})
	}
}
