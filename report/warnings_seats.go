package report

import (
	"fmt"
	"slices"
	"strings"

	"moot/agent"
	"moot/agent/person"
	"moot/agent/rules"
	"moot/internal/plain"
	"moot/state"
)

// opposed are the seats of a format of which the first two are to hold against each
// other, and the others belong to them; none where each has a vote of its own.
func opposed(format state.Format) []state.Seat {
	switch format {
	case state.FormatConsult:
		return []state.Seat{state.Orchestrator, state.Consultee}
	case state.FormatDialectic:
		return []state.Seat{state.Proposer, state.PressureTester}
	case state.FormatCouncil:
		return []state.Seat{state.Strategist, state.Critic}
	case state.FormatHearing:
		return []state.Seat{state.Architect, state.Skeptic}
	case state.FormatPanel:
	}
	return nil
}

// SameParticipant says that those who are to hold against each other are one and
// the same, "" where they are not: by who sits there, or by a fallback that answered.
// It is allowed: one model asked in two roles may well find its own flaws; but its
// agreement with itself is no second opinion. A script may hold the replies of several
// seats, and that no model is at work, as where rules take all seats, is said
// elsewhere, save of a council, whose rules hold claims and test them.
func SameParticipant(s *state.State) string {
	seats := opposed(s.Settings.Format)
	if seats == nil {
		return ""
	}
	holder, seated := s.Assignment(seats[0])
	if !seated {
		return ""
	}
	for _, name := range s.Answered(holder) {
		// By whatever name: what counts is who it is.
		_, is := state.OwnName(name)
		modelless := is == rules.Name || is == person.Name
		if strings.HasPrefix(is, string(agent.KindScript)+":") ||
			modelless && s.Settings.Format != state.FormatCouncil {
			continue
		}
		same := answeredBy(s, is)
		if !slices.ContainsFunc(same, func(said string) bool {
			return said == string(seats[1]) ||
				said == byFallback(seats[1])
		}) {
			continue
		}
		both := "all"
		if len(same) == len(seats) {
			both = "both"
		}
		return fmt.Sprintf("%s are %s %s: each is asked for itself, but to agree with itself is no second opinion",
			strings.Join(same, ", "), both, plain.Line(name))
	}
	return ""
}

// answeredBy are the seats that a participant answered for, or is to, in words.
func answeredBy(s *state.State, is string) []string {
	var seats []string
	for _, a := range s.Seats {
		i := slices.IndexFunc(s.Answered(a), func(name string) bool {
			_, also := state.OwnName(name)
			return also == is
		})
		switch {
		case i == 0:
			seats = append(seats, string(a.Seat))
		case i > 0:
			seats = append(seats, byFallback(a.Seat))
		}
	}
	return seats
}

// byFallback is a seat for which a fallback answered.
func byFallback(seat state.Seat) string { return string(seat) + " (by its fallback)" }
