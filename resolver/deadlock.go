package resolver

import (
	"fmt"

	"moot/state"
)

// deadlocked is AC14.
func (b *bench) deadlocked() (state.Ruling, bool) {
	c := b.disputed()
	if c == nil || b.decisiveSupport() != nil {
		return no()
	}
	twice := c.Kind == state.Skeptical && c.RejectedDefenses() >= 2
	if b.p.Deadlock == state.DeadlockNone && !twice {
		return no()
	}
	class, crux := b.p.Deadlock, b.p.DeadlockCrux
	if class == state.DeadlockNone {
		class = DeadlockOf(b.s, b.p)
	}
	if crux == "" {
		crux = orElse(b.weighing(c), orElse(c.UpgradeIf, c.Objection))
	}
	why := fmt.Sprintf("%s stays disputed", c.ID)
	if twice {
		why = fmt.Sprintf("two defenses against %s were rejected", c.ID)
	}
	return unresolved(statusOf(class), why+" ("+className(class)+")", crux, c.ID)
}

// disputed returns the first challenge that was not accepted, one that was
// rejected twice before others; nil when all were.
func (b *bench) disputed() *state.Challenge {
	var first *state.Challenge
	for _, c := range b.challenges {
		if c.Settled() {
			continue
		}
		if c.RejectedDefenses() >= 2 {
			return c
		}
		if first == nil {
			first = c
		}
	}
	return first
}

// DeadlockOf classifies a dispute by what was asked for and did not come
// (EX8): evidence, then terms, else it is a matter of criteria.
func DeadlockOf(s *state.State, p *state.Point) state.Deadlock {
	b := newBench(s, p)
	if r := b.request(state.RequestEvidence); r != nil && !r.Answered && b.firmSupport() == nil {
		return state.DeadlockMissingData
	}
	if b.request(state.RequestTerms) != nil {
		return state.DeadlockDefinitional
	}
	return state.DeadlockCriteria
}

func statusOf(class state.Deadlock) state.Status {
	switch class {
	case state.DeadlockMissingData:
		return state.StatusBlocked
	case state.DeadlockDefinitional:
		return state.StatusDefinitional
	case state.DeadlockCriteria, state.DeadlockNone:
		return state.StatusTradeoff
	}
	return state.StatusTradeoff
}

func className(class state.Deadlock) string {
	switch class {
	case state.DeadlockMissingData:
		return "missing data"
	case state.DeadlockDefinitional:
		return "a matter of definitions"
	case state.DeadlockCriteria, state.DeadlockNone:
		return "a matter of criteria"
	}
	return string(class)
}
