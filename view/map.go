package view

import (
	"fmt"
	"strings"

	"moot/state"
)

// Map describes what a format shows on the argument map.
type Map struct {
	// Opposed are pairs of points that contradict each other.
	Opposed [][2]string
	// Notes are further words for the box of a point.
	Notes map[string][]string
	// Hidden are challenges without a box, since the notes say what they say.
	Hidden map[string]bool
	// Challenges hold the status of those that the format words itself.
	Challenges map[string]ChallengeStatus
}

// ChallengeStatus says what became of a challenge.
type ChallengeStatus struct {
	Kind string
	// Verb says what it does to its point: attacks. Defeated is set if it failed.
	Verb     string
	Defeated bool
	// Outcome says in words what became of it. Settled is set if nothing is owed on it.
	Outcome string
	Role    Role
	Settled bool
	Notes   []string
	// Judged is set if a seat accepts or rejects the answers.
	Judged bool
}

// Challenge says what became of a challenge: in the words of the format, or by its answers.
func (m *Map) Challenge(s *state.State, c *state.Challenge) ChallengeStatus {
	if status, ok := m.Challenges[c.ID]; ok {
		return status
	}
	status := ChallengeStatus{Kind: string(c.Kind), Verb: "attacks", Outcome: string(c.Status), Role: RoleOpen, Settled: c.Settled(), Judged: true}
	p, last := s.Point(c.Point), c.Last()
	switch {
	case p != nil && p.RevisedBy != "" && !c.Settled():
		status.Outcome, status.Role, status.Settled = "ended, revised", RoleQuiet, true
	case p != nil && p.UserRuling != nil && !c.Settled():
		status.Outcome, status.Role, status.Settled = "ended, ruled by you", RoleQuiet, true
	case c.Status == state.StandsDefended && last != nil && last.Judgment != state.Unjudged:
		status.Outcome += ", " + string(last.Judgment)
		if last.Judgment == state.Accepted {
			status.Defeated, status.Verb, status.Role = true, "attacked", RoleGood
		}
	case c.Status == state.StandsDefended:
		status.Outcome += ", not judged"
	case c.Status == state.StandsUndefended || c.Status == state.StandsConceded:
		status.Role = RoleBad
	case c.Status == state.StandsDropped || c.Status == state.StandsReminded:
		status.Role = RoleWarn
	case c.ReminderSent:
		status.Outcome += ", reminded"
	case c.Confirm:
		status.Outcome += ", to confirm"
	}
	return status
}

// OpposedPairs maps the pairs of points that triage found to contradict each other (RD1b).
func OpposedPairs(s *state.State) Map {
	m := Map{Notes: map[string][]string{}}
	opposed := map[string][]string{}
	for _, p := range s.Pairs.All() {
		a, b := s.Live(p.A), s.Live(p.B)
		if p.Opposed && a != nil && b != nil && a != b {
			m.Opposed = append(m.Opposed, [2]string{a.ID, b.ID})
			opposed[a.ID] = append(opposed[a.ID], b.ID)
			opposed[b.ID] = append(opposed[b.ID], a.ID)
		}
	}
	for id, others := range opposed {
		m.Notes[id] = []string{"opposed to " + strings.Join(others, ", ")}
	}
	return m
}

// CitedFacts names the facts that something cites; the last of many are counted.
func CitedFacts(verb string, facts []string) []string {
	if len(facts) == 0 {
		return nil
	}
	const most = 6
	if more := len(facts) - most; more > 0 {
		return []string{verb + " " + strings.Join(facts[:most], ", ") + fmt.Sprintf(" and %d more", more)}
	}
	return []string{verb + " " + strings.Join(facts, ", ")}
}
