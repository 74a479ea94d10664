package tui

import (
	"fmt"
	"slices"

	"moot/resolver"
	"moot/state"
)

// markEvery is after how many events the state is kept: to find the state after
// any event no more than so many are folded.
const markEvery = 128

// past finds what stood after any of the events of a session. States share
// what they have in common, so that a mark costs little.
type past struct {
	// marks[i] is the state after i*markEvery events, as far as it was needed.
	marks []state.State
	// now is the state that was found last.
	now   state.State
	rules func(state.State) []state.Ruling
}

func newPast() *past {
	return &past{marks: []state.State{{}}, rules: resolver.NewRuler()}
}

// nearest is the known state after the most events, at most n.
func (p *past) nearest(n int) state.State {
	known := p.marks[min(n/markEvery, len(p.marks)-1)]
	if p.now.Seq <= n && p.now.Seq > known.Seq {
		return p.now
	}
	return known
}

// far says how many events lie between a known state and the one after n.
func (p *past) far(n int) int { return n - p.nearest(n).Seq }

// walk folds the events after a known state up to the one after n. It returns
// the marks that are known then; those of the past stay as they are. The
// events are only read, so that it may run outside. The error says which event
// does not follow; the state is the one before it.
func walk(from state.State, marks []state.State, events []state.Event, n int) (state.State, []state.State, error) {
	marks = slices.Clip(marks)
	now := from
	for now.Seq < n {
		next, err := state.Apply(now, events[now.Seq])
		if err != nil {
			return now, marks, fmt.Errorf("show what stood after event %d: %w", n, err)
		}
		now = next
		if now.Seq == len(marks)*markEvery {
			marks = append(marks, now)
		}
	}
	return now, marks, nil
}

// settle takes over what a walk found.
func (p *past) settle(f foundPast) []state.Ruling {
	if len(f.marks) > len(p.marks) {
		p.marks = f.marks
	}
	p.now = f.now
	if f.rulings != nil {
		return f.rulings
	}
	return p.rules(f.now)
}
