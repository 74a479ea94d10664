package view_test

import (
	"testing"

	"moot/protocol/protocoltest"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Whatever has an id in a session is explained, and what has none is not: in the sessions of all scenarios.
func TestEverythingWithAnIDIsExplained(t *testing.T) {
	t.Parallel()
	protocoltest.AllScenarios(t, "../protocol", func(t *testing.T, d *protocoltest.Desk) {
		t.Helper()
		s, rulings := d.State, resolver.Rule(d.State)
		var ids []string
		for i := range rulings {
			ids = append(ids, rulings[i].Point)
		}
		add := func(id string) { ids = append(ids, id) }
		for _, c := range s.Challenges.All() {
			add(c.ID)
		}
		for _, e := range s.Evidence.All() {
			add(e.ID)
		}
		for _, f := range s.Facts.All() {
			add(f.ID)
		}
		for _, q := range s.Questions.All() {
			add(q.ID)
		}
		if answer := view.AnswerOf(s, rulings); answer != nil {
			for _, one := range answer.Sentences {
				add(one.ID)
			}
		}
		for _, id := range ids[max(len(ids)-12, 0):] {
			doc, ok := view.Explain(s, rulings, id)
			if !ok || !view.Explains(s, rulings, id) || doc.Title == "" && len(doc.Sections) == 0 {
				t.Errorf("%s is not explained: %+v", id, doc)
			}
		}
		for _, id := range []string{"", "#3", "P99999", "S99"} {
			if _, ok := view.Explain(s, rulings, id); ok || view.Explains(s, rulings, id) {
				t.Errorf("%q is explained", id)
			}
		}
	})
	if view.Explains(&state.State{}, nil, "S1") {
		t.Error("a session without an answer explains S1")
	}
}
