package view

import (
	"fmt"
	"strings"

	"moot/state"
)

// Map is what a format shows on the argument map.
type Map struct {
	// Opposed are pairs of points that contradict each other.
	Opposed [][2]string
	// Notes are further words for the box of a point.
	Notes map[string][]string
	// Hidden are challenges without a box, since the notes say what they say.
	Hidden map[string]bool
	// Challenges word the challenges that no seat accepts or rejects an answer to.
	Challenges map[string]MapChallenge
}

// MapChallenge words a challenge on the argument map.
type MapChallenge struct {
	Kind string
	// Verb says what it does to its point: attacks. Defeated is set if it failed.
	Verb     string
	Defeated bool
	// Sign and Outcome say what became of it; Role gives them a color.
	Sign, Outcome string
	Role          Role
	Notes         []string
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
