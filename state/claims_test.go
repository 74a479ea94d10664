package state

import (
	"strings"
	"testing"
	"time"
)

// plainRules is a format that debates claims or doesn't.
type plainRules struct{ own Own }

func (plainRules) Name() Format { return "plain" }
func (r plainRules) Own() Own   { return r.own }

func openPlain(t *testing.T, own Own) *State {
	t.Helper()
	s, _, err := Extend(&State{}, time.Unix(0, 0), &SessionOpened{
		Rules: plainRules{own}, Version: Version, ID: "s", Settings: Settings{Format: "plain"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A format that has not registered claims has none of their events, and keeps its session as it was.
func TestClaimEventsNeedAFormatThatDebatesClaims(t *testing.T) {
	t.Parallel()
	s := openPlain(t, Own{})
	for _, create := range claimKinds() {
		event := create()
		after, _, err := Extend(s, s.At, event)
		if err == nil || !strings.Contains(err.Error(), "the format plain has no such event") || after != s {
			t.Errorf("%s: %v", KindOf(event), err)
		}
	}
	raised := &PointRaised{ID: "P1", By: Orchestrator, Text: "one"}
	if _, _, err := Extend(s, s.At, &RoundStarted{Round: 1}, raised); err == nil {
		t.Error("a claim was taken after an event of the session")
	}
	for _, own := range []*State{openPlain(t, Own{Claims: true}), {}} {
		after, _, err := Extend(own, own.At, raised)
		if err != nil || after.Point("P1") == nil {
			t.Errorf("%v: %v", own.Rules, err)
		}
	}
}

// The other events belong to every session.
func TestSessionEventsNeedNoClaims(t *testing.T) {
	t.Parallel()
	s := openPlain(t, Own{})
	for _, create := range sessionKinds() {
		event := create()
		if _, _, err := Extend(s, s.At, event); err != nil && strings.Contains(err.Error(), "has no such event") {
			t.Errorf("%s: %v", KindOf(event), err)
		}
	}
}
