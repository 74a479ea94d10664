package consult

import (
	"fmt"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// disputeRounds is the number of rounds after which a dispute is a deadlock (EX8).
const disputeRounds = 3

// surfaceDeadlocks classifies disputes that don't end and asks the user about them (EX8).
// If terms were requested, their definition gets one retry first.
func surfaceDeadlocks(s *state.State) (protocol.Turn, bool) {
	d := &protocol.Draft{State: *s}
	for _, p := range protocol.LivePoints(s) {
		c := resolver.Disputed(s, p)
		if c == nil || p.Deadlock != state.DeadlockNone || s.Round-c.Disputed+1 < disputeRounds {
			continue
		}
		if terms := protocol.Request(s, p, state.RequestTerms); terms != nil && (terms.Open() || s.Round-terms.Round < 2) {
			continue
		}
		d.Try(0, func() error { return deadlock(d, p, c) })
	}
	return protocol.Turn{Events: d.Events}, len(d.Events) > 0
}

// surfaceTradeoffs asks the user about disputes that evidence doesn't settle (AC11).
func surfaceTradeoffs(s *state.State) (protocol.Turn, bool) {
	d := &protocol.Draft{State: *s}
	for _, p := range protocol.LivePoints(s) {
		c := resolver.Tradeoff(s, p)
		if c == nil || wasAsked(s, p.ID, state.QuestionTradeoff) {
			continue
		}
		d.Try(0, func() error { return d.Add(tradeoff(d.NextQuestion(), p, c)) })
	}
	return protocol.Turn{Events: d.Events}, len(d.Events) > 0
}

func tradeoff(id string, p *state.Point, c *state.Challenge) *state.QuestionSurfaced {
	return &state.QuestionSurfaced{
		ID: id, Point: p.ID, What: state.QuestionTradeoff, Options: []string{protocol.Clip(p.Text), protocol.Clip(c.Objection)},
		Text: fmt.Sprintf("%s is a tradeoff that only you can decide.", p.ID),
	}
}

// wasAsked reports whether the user was ever asked a question of this kind.
func wasAsked(s *state.State, point string, kind state.QuestionKind) bool {
	for _, q := range s.Questions.All() {
		if q.Point == point && q.Kind == kind {
			return true
		}
	}
	return false
}

// hasOpenQuestion reports whether a question of this kind is unanswered.
func hasOpenQuestion(s *state.State, point string, kind state.QuestionKind) bool {
	for _, q := range s.Questions.All() {
		if q.Point == point && q.Kind == kind && !q.Answered {
			return true
		}
	}
	return false
}

func deadlock(d *protocol.Draft, p *state.Point, c *state.Challenge) error {
	class := resolver.DeadlockOf(&d.State, p)
	crux := protocol.FirstOf(c.UpgradeIf, c.Objection)
	q := &state.QuestionSurfaced{ID: d.NextQuestion(), Point: p.ID, Options: []string{}}
	switch class {
	case state.DeadlockMissingData:
		q.What, q.Text = state.QuestionBlocked, fmt.Sprintf("%s hangs on data that nobody brought: %s", p.ID, crux)
	case state.DeadlockDefinitional:
		q.What, q.Text = state.QuestionDefinition, fmt.Sprintf("%s hangs on what its terms mean: %q", p.ID,
			protocol.Clip(p.Text))
	case state.DeadlockCriteria, state.DeadlockNone:
		q = tradeoff(q.ID, p, c)
	}
	if err := d.Add(&state.PointDeadlocked{Point: p.ID, Class: class, Crux: crux}); err != nil ||
		hasOpenQuestion(&d.State, p.ID, q.What) {
		return err
	}
	return d.Add(q)
}
