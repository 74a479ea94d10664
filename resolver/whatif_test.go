package resolver_test

import (
	"strings"
	"testing"

	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/state"
)

// Of two points that say the opposite one may stand: the answer on the other
// cannot be accepted meanwhile, so no change supposes that it is (RD1b, ST6).
func TestNoAcceptanceAgainstAnUnrefutedOpposite(t *testing.T) {
	accepting := func(paired bool) bool {
		s := raised(t).challenged("C1", state.Skeptical).add(
			&state.PointRaised{ID: "P2", By: state.Orchestrator, Text: "Alpha does not hold"},
			&state.PointClassified{Point: "P2", By: state.Consultee, Class: state.Agree},
		)
		if paired {
			s.add(&state.PointsPaired{A: "P1", B: "P2", Same: true, Opposed: true, By: state.Orchestrator})
		}
		e := protocoltest.Explain(t, s.State, "P1")
		return strings.Contains(protocoltest.Explained(&e), "an accepted answer to C1")
	}
	if !accepting(false) || accepting(true) {
		t.Errorf("supposed: alone %v, against a point that stands %v", accepting(false), accepting(true))
	}
}

// A point that is not there is not explained, and nothing fails.
func TestExplainOfNothing(t *testing.T) {
	e := resolver.Explain(&state.State{}, state.Ruling{Point: "P9", Bucket: state.BucketOpen, Receipt: state.Receipt{Rule: "AC19"}})
	if e.Point != "P9" || len(e.Changes) != 0 || e.Says == "" {
		t.Errorf("%+v", e)
	}
	if _, ok := resolver.RuleOne(&state.State{}, "P1"); ok {
		t.Error("a point out of nothing")
	}
}
