package report

import (
	"fmt"
	"slices"
	"strings"

	"moot/agent"
	"moot/plain"
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
// the same, "" where they are not. It is allowed: one model asked in two roles may
// well find its own flaws; but its agreement with itself is no second opinion. A
// script may hold the replies of several seats, and that no model is at work, as
// where rules take all seats, is said elsewhere, save of a council, whose rules
// hold claims and test them.
func SameParticipant(s *state.State) string {
	seats := opposed(s.Settings.Format)
	if seats == nil {
		return ""
	}
	holder, seated := s.Assignment(seats[0])
	// By whatever name: what counts is who it is.
	_, is := state.OwnName(holder.Participant)
	switch {
	case !seated, strings.HasPrefix(is, string(agent.KindScript)+":"):
		return ""
	case holder.NoModel && s.Settings.Format != state.FormatCouncil:
		return ""
	}
	var same []state.Seat
	for _, a := range s.Seats {
		if _, also := state.OwnName(a.Participant); also == is {
			same = append(same, a.Seat)
		}
	}
	if !slices.Contains(same, seats[1]) {
		return ""
	}
	both := "all"
	if len(same) == len(seats) {
		both = "both"
	}
	return fmt.Sprintf("%s are %s %s: each is asked for itself, but to agree with itself is no second opinion", joined(same), both, plain.Line(holder.Participant))
}
