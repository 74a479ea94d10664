package view

import (
	"strings"

	"moot/resolver"
	"moot/state"
)

// Map describes what a format shows on the argument map.
type Map struct {
	// Notes are further lines for the box of a point.
	Notes map[string][]string
	// Hidden are challenges without a box, since the notes already say the same.
	Hidden map[string]bool
	// Challenges holds the status of the challenges that the format describes itself.
	Challenges map[string]ChallengeStatus
	// Points describe points in the format's own words.
	Points map[string]PointWords
}

// PointWords describe a point in a format's own words.
type PointWords struct {
	// Mark is shown beside the bucket on the argument map instead of the reason.
	Mark  string
	About []string
}

// ChallengeStatus describes the status of a challenge.
type ChallengeStatus struct {
	Kind string
	// Verb names its effect on the point: attacks. Defeated is set if it failed.
	Verb     string
	Defeated bool
	// Status is for exports, Outcome for people. Settled is set if no seat has to respond anymore.
	Status  state.ChallengeStatus
	Outcome string
	Role    Role
	Settled bool
	Notes   []string
	// Terms are listed after those that all challenges have.
	Terms []Row
	// Judged is set if a seat accepts or rejects the answers.
	Judged bool
}

// Challenge describes the status of a challenge: in the words of the format, or by its answers.
func (m *Map) Challenge(s *state.State, rulings []state.Ruling, c *state.Challenge) ChallengeStatus {
	if status, ok := m.Challenges[c.ID]; ok {
		return status
	}
	stands := resolver.StatusOf(s, rulings, c)
	status := ChallengeStatus{
		Kind: string(c.Kind), Verb: "attacks", Status: stands, Outcome: string(stands), Role: RoleOpen, Judged: true,
	}
	switch stands {
	case state.StandsOpen:
		switch {
		case c.ReminderSent:
			status.Outcome += ", reminded"
		case c.Confirm:
			status.Outcome += ", to confirm"
		}
	case state.StandsAnswered:
		status.Status, status.Outcome = state.StandsOpen, string(state.StandsOpen)+", its answer is not judged"
	case state.StandsDropped, state.StandsReminded:
		status.Role = RoleWarn
	case state.StandsUpheld:
		status.Role = RoleBad
	case state.StandsGranted:
		// The user decides; no seat has to respond.
		status.Role, status.Settled = RoleDoubt, true
		status.Terms = append(status.Terms, Row{"granted", "by " + string(c.GrantedBy) + ": " + c.GrantReason})
	case state.StandsUndefended, state.StandsConceded:
		status.Role, status.Settled = RoleBad, true
	case state.StandsDefended:
		status.Defeated, status.Verb, status.Role, status.Settled = true, "attacked", RoleGood, true
	case state.StandsBlocked, state.StandsEnded:
		status.Role, status.Settled = RoleQuiet, true
	}
	if p := s.Point(c.Point); stands == state.StandsEnded && p != nil {
		switch {
		case p.RevisedBy != "":
			status.Outcome += ", revised"
		case p.UserRuling != nil:
			status.Outcome += ", ruled by you"
		case c.Status != state.StandsEnded:
			status.Outcome += " with " + p.ID
		}
	}
	return status
}

// OpposedPairs returns a map of the pairs of points that contradict each other, according to triage
// (RD1b).
func OpposedPairs(s *state.State) Map {
	m := Map{Notes: map[string][]string{}}
	opposed := map[string][]string{}
	for _, p := range s.Pairs.All() {
		a, b := s.Live(p.A), s.Live(p.B)
		if p.Opposed && a != nil && b != nil && a != b {
			opposed[a.ID] = append(opposed[a.ID], b.ID)
			opposed[b.ID] = append(opposed[b.ID], a.ID)
		}
	}
	for id, others := range opposed {
		m.Notes[id] = []string{"opposed to " + strings.Join(others, ", ")}
	}
	return m
}

// CitedFacts lists cited facts. If there are many, it only counts the last ones.
func CitedFacts(verb string, facts []string) []string {
	if len(facts) == 0 {
		return nil
	}
	return []string{verb + " " + resolver.Listed(facts)}
}
