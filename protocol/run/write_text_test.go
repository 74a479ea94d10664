package run

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"moot/ledger"
	"moot/protocol"
	"moot/state"
)

// A move that is written as a line is read back as the same move.
func TestLinesAreReadBack(t *testing.T) {
	parser, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	no := false
	quoted := []protocol.Citation{{Reference: "docs/a.md:1-3", Quote: `it says "so" | and more`}}
	for _, move := range []protocol.Move{
		&protocol.Propose{
			Path: "rollout.percent", Value: protocol.ValueOf("10"), Category: "Safety",
			Severity: "HIGH", Text: "the budget bears it", Citations: quoted,
		},
		&protocol.Propose{Path: "p1.name", Value: protocol.ValueOf("a | b = c"), Category: "Taste", Grounded: &no},
		&protocol.Revise{Point: "P1", Value: protocol.ValueOf("-5"), Text: "as the fact says", Citations: quoted},
		&protocol.Object{Point: "P1", Flag: "no-rollback", Text: "nobody tried it", Request: "a run"},
		&protocol.Object{
			Point: "P2", Text: "it is long", Category: "Factual", Severity: "MEDIUM",
			Predicate: "payments can wait", Citations: quoted,
		},
		&protocol.RequestMove{Challenge: "C1", Text: "the load at the last peak"},
		&protocol.Supply{Challenge: "C1", Reference: "docs/a.md:9", Quote: "set it to 0", Relation: ledger.Refutes},
		&protocol.Supply{Point: "P1", Reference: "$ make check", Quote: "exit 0"},
		&protocol.Defend{Challenge: "C1", Text: "it was run on staging"},
		&protocol.Concede{Challenge: "C1"},
		&protocol.Withdraw{Point: "P1", Reason: "no part of the change"},
		&protocol.NoObjection{Reason: "nothing found"},
		&protocol.Triage{Point: "P1", Other: "P5", SameSubject: true, Opposed: true},
		&protocol.Triage{Point: "P1", Other: "P5", SameSubject: true, Alike: true},
		&protocol.Triage{Point: "P1", Other: "P5", SameSubject: true},
		&protocol.Triage{Point: "P2", Scope: state.OutOfScope, Reason: "about billing"},
		&protocol.Merge{From: []string{"P5"}, Into: "P1"},
		&protocol.Classify{Point: "P1", Class: state.Agree, Reason: "the acks say so"},
		&protocol.Classify{Point: "P5", Class: state.Reject, Flaw: "it leaves out the acks"},
	} {
		text := protocol.TextOf(move)
		parsed, failure := parser.Parse(text, protocol.Ask{Moves: protocol.MoveKinds()})
		if failure != nil || len(parsed.Moves) != 1 || len(parsed.Refused) > 0 {
			t.Errorf("%s: %v %+v", text, failure, parsed)
			continue
		}
		if diff := cmp.Diff(move, parsed.Moves[0], cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
}
