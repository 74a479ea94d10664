package random

import (
	"reflect"
	"strings"

	"pgregory.net/rapid"

	"moot/protocol/panel"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// explained checks the explanation of every ruling now and then: one ruling alone is the one among
// all, all that is read is explained, and every change comes true.
func (r *Session) explained(rulings []state.Ruling) {
	if r.State.Seq%150 > 0 {
		return
	}
	for i := range rulings {
		alone, ok := resolver.RuleOne(r.State, rulings[i].Point)
		if !ok || !alone.Equal(&rulings[i]) {
			r.Fatalf("alone %+v, among all %+v", alone, rulings[i])
		}
		e := resolver.Explain(r.State, alone)
		if again := resolver.Explain(r.State, alone); !reflect.DeepEqual(e, again) {
			r.Fatalf("one state, two explanations:\n%+v\n%+v", e, again)
		}
		sound(r.T, r.State, &e)
		for _, c := range e.Changes {
			for _, way := range c.Ways {
				comesTrue(r.T, r.State, &e.Ruling, &c, &way)
			}
		}
	}
}

// comesTrue applies the events of a way and rules again.
func comesTrue(t *rapid.T, s *state.State, base *state.Ruling, c *resolver.Change, way *resolver.Way) {
	for _, p := range way.Events {
		open := *s
		open.Closed, open.Decided = false, 0 // the explanation is about the time before the end
		next, err := state.Apply(&open, state.Event{Seq: s.Seq + 1, At: s.At, Data: p})
		if err != nil {
			t.Fatalf("%s: %v", way.With, err)
		}
		s = next
	}
	got, ok := resolver.RuleOne(s, base.Point)
	if !ok || !got.Equal(&way.Then) {
		t.Fatalf("%s: %+v, and it says %+v", way.With, got, way.Then)
	}
	if view.Ruling(&got) != view.Ruling(&c.Then) {
		t.Fatalf("%s: %s, and it says %s", way.With, view.Ruling(&got), view.Ruling(&c.Then))
	}
	if got.Bucket == base.Bucket && got.Tag == base.Tag && got.Status == base.Status {
		t.Fatalf("%s changes nothing: %+v", way.With, got)
	}
}

// sound checks that an explanation is complete and names only ids that exist.
func sound(t *rapid.T, s *state.State, e *resolver.Explanation) {
	if e.Sentence == "" || e.Says == "" {
		t.Fatalf("something is left unsaid: %s", e.Sentence)
	}
	if !strings.HasSuffix(e.Sentence, ".") || strings.Contains(e.Sentence, "%!") {
		t.Fatalf("no sentence: %s", e.Sentence)
	}
	read := map[string]bool{}
	for _, r := range e.Reads {
		if r.What == "" {
			t.Fatalf("%s is read and not said: %s", r.ID, e.Sentence)
		}
		read[r.ID] = true
	}
	for _, id := range e.Ruling.Reads {
		if !read[id] {
			t.Fatalf("%s stands in the receipt and is not explained: %s", id, e.Sentence)
		}
	}
	for id := range read {
		if s.Point(id) == nil && s.Challenge(id) == nil && s.Item(id) == nil && s.Fact(id) == nil && panel.Of(s).Conflict(id) == nil && !strings.ContainsAny(id[:1], "#G") {
			t.Fatalf("%s does not exist: %s", id, e.Sentence)
		}
	}
	last := 0
	for _, c := range e.Changes {
		if len(c.Ways) == 0 || len(e.Changes) > 8 {
			t.Fatalf("a change without a way, or too many: %s", e.Sentence)
		}
		if !strings.HasPrefix(c.With, "With ") {
			t.Fatalf("%q is no condition", c.With)
		}
		for _, way := range c.Ways {
			if way.With == "" || s.WasClosed() && !way.Past && way.Who != resolver.MovedByUser {
				t.Fatalf("a way that cannot be told: %+v", way)
			}
		}
		if at := c.Who.Distance(); at < last && c.Who != resolver.MovedBySeats {
			t.Fatalf("the far stands before the near: %s", e.Sentence)
		} else if c.Who != resolver.MovedBySeats {
			last = at
		}
	}
}
