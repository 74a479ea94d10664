package resolver

import (
	"fmt"
	"slices"

	"moot/state"
)

// recomputeConflict says in a clause what of an event about a conflict does not
// follow from the state before it, "" where all does.
func recomputeConflict(s *state.State, data state.Payload) string {
	switch e := data.(type) {
	case *state.ConflictFound:
		return recomputeFound(s, e)
	case *state.ConflictSettled:
		return recomputeSettled(s, e)
	case *state.ConflictArgued:
		return recomputeArgued(s, e)
	}
	return ""
}

// recomputeFound finds a conflict among the marked pairs.
func recomputeFound(s *state.State, e *state.ConflictFound) string {
	found := Apart{A: e.A, B: e.B, Kind: e.What, By: e.By}
	if !slices.Contains(Contradictory(s), found) {
		return fmt.Sprintf("it finds the %s %s between %s and %s, marked by %s, and the marks before it give no such "+
			"conflict", e.What, e.ID, e.A, e.B, e.By)
	}
	return recomputeChallenges(s, e.ID, e.Challenges, e.A, e.B)
}

// recomputeChallenges looks whether challenges say of two points that they do not
// go together.
func recomputeChallenges(s *state.State, id string, challenges []string, a, b string) string {
	for _, challenge := range challenges {
		c := s.Challenge(challenge)
		if c == nil || c.By != state.Protocol || c.Point != a && c.Point != b {
			return fmt.Sprintf("it names %s for %s, and that is no challenge by code to %s or %s", challenge, id, a, b)
		}
	}
	return ""
}

func recomputeSettled(s *state.State, e *state.ConflictSettled) string {
	c := s.Conflict(e.ID)
	if c == nil {
		return fmt.Sprintf("it settles %s, and there is no such conflict", e.ID)
	}
	want := newTable(s).Settle(c)
	switch {
	case SameSettlement(&want, &e.Settlement):
		return ""
	case !slices.Equal(want.Positions, e.Positions):
		return fmt.Sprintf("it settles %s by the positions %s, and the answers and votes give %s", c.ID,
			positionWords(e.Positions), positionWords(want.Positions))
	}
	return fmt.Sprintf("it records of %s %s, and the positions and the evidence give %s", c.ID,
		settlementWords(&e.Settlement), settlementWords(&want))
}

// settlementWords are a settlement in an error.
func settlementWords(settlement *state.Settlement) string {
	winner := settlement.Winner
	if winner == "" {
		winner = "no winner"
	}
	settled := "not settled"
	if settlement.Settled {
		settled = "settled"
	}
	return fmt.Sprintf("%s, %s by %s with %v (%s)", settled, winner, settlement.Method, settlement.Confidence,
		settlement.Reasoning)
}

func positionWords(positions []state.Position) string {
	words := make([]string, len(positions))
	for i, p := range positions {
		how := "says"
		if !p.Answered {
			how = "voted"
		}
		words[i] = fmt.Sprintf("%s %s %s", p.Seat, how, p.Point)
	}
	if len(words) == 0 {
		return "of nobody"
	}
	return listed(words)
}

// recomputeArgued looks whether a conflict could be argued, and who may have said
// so.
func recomputeArgued(s *state.State, e *state.ConflictArgued) string {
	c := s.Conflict(e.ID)
	switch {
	case c == nil:
		return fmt.Sprintf("it has %s argued, and there is no such conflict", e.ID)
	case c.Argued || Settled(c) || c.Dropped || !Arguable(s, c):
		return fmt.Sprintf("it has %s argued, and that was argued or settled already, dropped, or has no two sides "+
			"left", c.ID)
	case e.By != state.User && e.By != state.Protocol:
		return fmt.Sprintf("it has %s argued by %s, and only the user or the protocol says so", c.ID, e.By)
	case e.By != state.User && (s.Settings.Panel == nil || s.Settings.Panel.Then != state.ThenConsult):
		return fmt.Sprintf("it has %s argued by %s, and the session was not opened so", c.ID, e.By)
	}
	return recomputeChallenges(s, c.ID, e.Challenges, s.Current(c.A).ID, s.Current(c.B).ID)
}
