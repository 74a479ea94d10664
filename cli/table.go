package cli

import (
	"context"
	"errors"
	"fmt"

	"moot/agent"
	"moot/enum"
	"moot/protocol"
	"moot/state"
	"moot/tui"
)

// fill seats who was named, and finds somebody for the seats that are empty:
// who is at hand on a terminal, rules without one.
func (s *sitting) fill(ctx context.Context, named []place, settings *state.Settings) ([]state.SeatAssignment, error) {
	places := named
	var empty []state.Seat
	for _, seat := range []state.Seat{state.Orchestrator, state.Consultee} {
		if !sits(named, seat) {
			empty = append(empty, seat)
		}
	}
	if len(empty) > 0 {
		found := s.discover(ctx, len(named) == 0)
		for i, seat := range empty {
			places = append(places, place{seat, found[min(i, len(found)-1)]})
		}
		sortPlaces(places)
	}
	var seats []state.SeatAssignment
	for _, p := range places {
		participant, err := s.seat(p, settings)
		if err != nil {
			return nil, err
		}
		s.participants[p.seat] = participant
		seats = append(seats, state.SeatAssignment{Seat: p.seat, Participant: participant.Name(), NoModel: participant.Modelless()})
	}
	return seats, nil
}

func sits(places []place, seat state.Seat) bool {
	for _, p := range places {
		if p.seat == seat {
			return true
		}
	}
	return false
}

// discover names participants for empty seats and says so.
func (s *sitting) discover(_ context.Context, _ bool) []string {
	s.console.Say("note       no participant was named for an empty seat: rules takes it, which is no language model; name others with --orchestrator and --consultee")
	return []string{"rules"}
}

// seat makes the participant of a seat.
func (s *sitting) seat(p place, settings *state.Settings) (protocol.Participant, error) {
	spec, err := agent.Parse(p.participant)
	if err != nil {
		return nil, seatError(p.seat, err)
	}
	deps := agent.Deps{Env: s.console.Getenv, Workspace: settings.Workspace, Limits: s.limits}
	if spec.Kind == agent.KindScript {
		spec.File = s.console.path(spec.File)
	}
	if spec.Kind == agent.KindPerson {
		if s.front.headless {
			return nil, usage("%s: me is you at the keyboard, and --headless or a missing terminal leaves nobody there; add --plain to answer on standard input", p.seat)
		}
		if s.front.plain {
			deps.Asker = s.person()
		} else {
			if s.atScreen == nil {
				s.atScreen = tui.NewPerson()
			}
			deps.Asker = s.atScreen
		}
	}
	participant, err := agent.New(spec, deps)
	if err != nil {
		return nil, fmt.Errorf("seat %s: %w", p.seat, err)
	}
	return participant, nil
}

// seatError is a usage error where the name is at fault.
func seatError(seat state.Seat, err error) error {
	var unknown *enum.UnknownError
	if errors.As(err, &unknown) {
		return usage("seat %s: %w", seat, unknown)
	}
	return usage("seat %s: %w", seat, err)
}
