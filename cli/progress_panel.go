package cli

import (
	"fmt"
	"slices"
	"strings"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// panel tells of who gave no answer, of conflicts between the answers, and of what
// became of them.
func (p *progress) panel(data state.Payload, n *protocol.Advanced) {
	switch e := data.(type) {
	case *state.SeatMissed:
		p.say("missing", "%s: %s", e.Seat, clip(e.Reason))
	case *state.SeatRecalled:
		when := "when the session is resumed"
		if e.By == state.User {
			when = "as you decided"
		}
		p.say("again", "%s is asked again %s", e.Seat, when)
	case *state.PointsPaired:
		if e.Same && e.Alike {
			p.say("alike", "%s and %s say the same, by %s", e.A, e.B, e.By)
		}
	case *state.PointClassified:
		p.vote(e)
	case *state.ConflictFound:
		p.say("conflict", "%s %s: %s and %s", e.ID, e.What, held(&n.State, e.A), held(&n.State, e.B))
	case *state.ConflictDropped:
		p.say("dropped", "%s is no conflict, by %s: %s", e.ID, e.By, clip(e.Reason))
	case *state.ConflictSettled:
		p.settled(e)
	case *state.ConflictArgued:
		why := "since the strategy did not settle it"
		if e.By == state.User {
			why = "as you decided"
		}
		p.say("argued", "%s by its two sides, %s", e.ID, why)
	}
}

// held is a point with the panelists whose answers say it.
func held(s *state.State, point string) string {
	claim := resolver.NewTable(s).Claim(point)
	if claim == nil || len(claim.Holders) == 0 {
		return point
	}
	return point + " (" + seatList(claim.Holders) + ")"
}

func seatList(seats []state.Seat) string {
	names := make([]string, len(seats))
	for i, seat := range seats {
		names[i] = string(seat)
	}
	return strings.Join(names, ", ")
}

// vote tells of the side that a panelist takes when it is asked for it.
func (p *progress) vote(e *state.PointClassified) {
	if e.By != p.voting {
		return
	}
	side := e.Point
	if e.Class != state.Agree {
		side = fmt.Sprintf("%s on %s", e.Class, e.Point)
	}
	p.say("vote", "%s: %s", e.By, strings.TrimSuffix(side+", "+clip(e.Reason), ", "))
}

// settled tells what the strategy came to.
func (p *progress) settled(e *state.ConflictSettled) {
	switch {
	case !e.Settled:
		p.say("unsettled", "%s: %s", e.ID, clip(e.Reasoning))
	case e.Method == "vote":
		holding := 0
		for _, position := range e.Positions {
			if position.Point == e.Winner {
				holding++
			}
		}
		p.say("settled", "%s for %s by vote, %d/%d", e.ID, e.Winner, holding, len(e.Positions))
	default:
		p.say("settled", "%s for %s: %s", e.ID, e.Winner, clip(e.Reasoning))
	}
}

// toldOtherwise reports whether a challenge of a batch only says that there is a
// conflict, of which the batch tells too.
func toldOtherwise(events []state.Event, challenge string) bool {
	return slices.ContainsFunc(events, func(e state.Event) bool {
		switch e := e.Data.(type) {
		case *state.ConflictFound:
			return slices.Contains(e.Challenges, challenge)
		case *state.ConflictArgued:
			return slices.Contains(e.Challenges, challenge)
		}
		return false
	})
}

// toDo is what a seat is asked to do in a stage.
func toDo(stage state.Stage) string {
	switch stage { //nolint:exhaustive // the names of the others say it
	case state.StageTriage:
		return "compare the answers"
	case state.StageVote:
		return "take a side"
	case state.StageRemind:
		return "answer what it passed over"
	}
	return string(stage)
}
