package run

import (
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/protocoltest"
	"moot/state"
)

// RV6: the prompt lists each item with its check, who accepted it, who contests it with the reason
// and the answer, and whether it counts; and only the fields of moves that the session uses.
func TestPromptsListEvidence(t *testing.T) {
	d := protocoltest.New(t, protocoltest.Opened(consult.Name))
	d.Append(&state.RoundStarted{Round: 1}, &state.PointRaised{ID: "P1", By: state.Consultee, Text: "Alpha holds"})
	for _, quote := range []string{"one", "two", "lost"} {
		d.Append(&state.EvidenceOffered{
			ID: state.NextID('E', d.State.Evidence.Len()), Point: "P1", By: state.Consultee, Reference: "a.go:3", Quote: quote, Relation: ledger.Supports,
		})
	}
	for _, id := range []string{"E1", "E2"} {
		d.Append(&state.EvidenceVerified{
			ID: id, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: "a.go:3-4", Excerpt: "first\nsecond", Admitted: true,
		})
	}
	d.Append(
		&state.EvidenceRefused{ID: "E3", Reason: "the quote is not there", Nearest: "last"},
		&state.EvidenceAccepted{ID: "E1", By: state.Orchestrator},
		&state.EvidenceContested{ID: "E2", By: state.Orchestrator, Reason: "a comment"},
		&state.ContestAnswered{ID: "E2", By: state.Consultee, Text: "it is the call"},
	)
	p := protocol.Of(d.State).Prompt(d.State, protocol.Ask{
		Seat: state.Consultee, Stage: state.StageAnswer, Moves: []protocol.MoveKind{protocol.MoveRaise, protocol.MoveRevise, protocol.MoveContest},
	})
	mustHold(t, p.Text,
		"E1 supports P1, by consultee, a.go:3-4, verified; counts: \n   | first\n   | second\n   accepted by orchestrator\n",
		"E2 supports P1, by consultee, a.go:3-4, verified; does not count yet: ",
		"   contested by orchestrator: a comment; consultee answers: it is the call\n",
		"E3 supports P1, by consultee, a.go:3, refused: the quote is not there: lost\n   really there: last\n")
	for _, field := range []string{"holder", "option?", "criterion", "limit", "derived", "severity", "value?", "cites?", "sentence?", "citations?, predicate?, because?"} {
		if strings.Contains(p.System, field) {
			t.Errorf("the prompt of a consultation names the field %s", field)
		}
	}
}

// RV4: the document under examination is no evidence under another name either, as a link or a copy, also if it was
// given without a path.
func TestACopyOfTheDesignIsNoEvidence(t *testing.T) {
	const design = "No write is lost."
	d := protocoltest.New(t, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) {
		o.Settings.Input.Design = design
	}))
	d.Append(&state.RoundStarted{Round: 1}, &state.PointRaised{ID: "P1", By: state.Consultee, Text: "Alpha holds"},
		&state.EvidenceOffered{ID: "E1", Point: "P1", By: state.Consultee, Reference: "copy.txt:1", Relation: ledger.Supports})
	for text, admitted := range map[string]bool{design: false, "Other words.": true} {
		f := ledger.Finding{Verified: true, Reference: "copy.txt:1", Excerpt: text, Digest: ledger.Digest([]byte(text))}
		found, _ := protocol.AdmitFindings(d.State, []string{"E1"}, []ledger.Finding{f})[0].(*state.EvidenceVerified)
		if found.Admitted != admitted {
			t.Errorf("%q is admitted: %v", text, found.Admitted)
		}
	}
}
