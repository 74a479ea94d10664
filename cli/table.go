package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"moot/agent"
	"moot/agent/endpoint"
	"moot/agent/person"
	"moot/agent/rules"
	"moot/internal/plain"
	"moot/protocol"
	"moot/state"
	"moot/tui"
)

// fill seats who was named, and finds somebody for the seats that are empty:
// who is at hand on a terminal, rules without one.
func (s *sitting) fill(ctx context.Context, named []place, settings *state.Settings) ([]state.SeatAssignment, error) {
	places := named
	row := rowOf(settings.Format)
	first, second := row.first, row.second
	var empty []state.Seat
	for _, seat := range []state.Seat{first, second} {
		if !sits(named, seat) {
			empty = append(empty, seat)
		}
	}
	for _, p := range named {
		if p.participant == rulesName {
			if err := rules.Refuse(settings.Format, p.seat); err != nil {
				return nil, in(seatField(p.seat), seatError(p.seat, err))
			}
		}
	}
	if len(empty) > 0 {
		found, err := s.propose(ctx, settings.Format, first, second, empty)
		if err != nil {
			return nil, err
		}
		for _, seat := range empty {
			name := found.Consultee
			if seat == first {
				name = found.Orchestrator
			}
			places = append(places, place{seat, name})
		}
	}
	if row.other != nil {
		places = append(places, row.other(places, s.holding.names())...)
	}
	sortPlaces(places)
	return s.seatAll(places, settings)
}

// seatAll makes the participants of all seats of a new session. One that is not there
// is an error before anything is opened: what goes away later pauses the session.
func (s *sitting) seatAll(places []place, settings *state.Settings) ([]state.SeatAssignment, error) {
	var seats []state.SeatAssignment
	for _, p := range places {
		participant, err := s.seat(p, settings)
		if err != nil {
			return nil, in(seatField(p.seat), err)
		}
		if err := agent.Absent(participant); err != nil {
			return nil, in(seatField(p.seat), fmt.Errorf("seat %s: %w", p.seat, err))
		}
		if instead := agent.Instead(participant); instead != "" {
			s.notes = append(s.notes, fmt.Sprintf("note       %s: %s", p.seat, instead))
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

// propose finds who could take the seats that nobody was named for. A person at
// a terminal confirms it: a model that costs money is never asked unbidden.
func (s *sitting) propose(
	ctx context.Context, format state.Format, first, second state.Seat, empty []state.Seat,
) (agent.Proposal, error) {
	alone := s.front.headless || !s.console.InTerminal
	var found []agent.Found
	s.console.meanwhile("looking    for model servers on this machine, keys and agent programs", func() {
		found = agent.Discover(ctx, s.console.places(alone, s.holding))
	})
	proposal := agent.Propose(found, alone)
	if proposal.Orchestrator == rulesName {
		for _, seat := range empty {
			if err := rules.Refuse(format, seat); err != nil {
				return proposal, in(seatField(seat), seatError(seat, err))
			}
		}
	}
	s.console.Say("note       %s", proposal.Why)
	if alone || proposal.Orchestrator == rulesName && proposal.Consultee == rulesName {
		return proposal, nil
	}
	rulesPlay := rules.Refuse(format, first) == nil && rules.Refuse(format, second) == nil
	free := ""
	if rulesPlay {
		free = "  2) rules, no language model: free\n"
	}
	s.console.Say("choose     who takes the empty seats? (enter takes 1)\n  1) %s %s, %s %s\n%s%s  3) nobody: leave",
		first, proposal.Orchestrator, second, proposal.Consultee, costs(&proposal), free)
	return s.console.choose(proposal, rulesPlay, first, second)
}

// choose has the person confirm who is proposed, and asks again where it cannot tell
// what was meant. An input that ends chooses nobody.
func (c *Console) choose(proposal agent.Proposal, rulesPlay bool, first, second state.Seat) (agent.Proposal, error) {
	for {
		line, err := c.readLine()
		if err != nil && !errors.Is(err, io.EOF) {
			return proposal, err
		}
		answer := strings.TrimSpace(line)
		switch {
		case err != nil || answer == "3":
			return proposal, usage("no participant was chosen, and no session was opened; name them with --%s and --%s", first, second)
		case answer == "" || answer == "1":
			return proposal, nil
		case answer == "2" && rulesPlay:
			return agent.Proposal{Orchestrator: rulesName, Consultee: rulesName}, nil
		}
		c.Say("choose     %s is none of them: 1, 2 or 3", plain.Clip(plain.Line(answer), mostTold))
	}
}

// costs says roughly what a session costs with each who is proposed.
func costs(p *agent.Proposal) string {
	var said strings.Builder
	for _, f := range p.Seated {
		if f.Cost != "" {
			fmt.Fprintf(&said, "     %s: %s\n", f.Name, f.Cost)
		}
	}
	return said.String()
}

// rulesName names the participant that needs no model.
const rulesName = "rules"

// seat makes the participant of a seat.
func (s *sitting) seat(p place, settings *state.Settings) (protocol.Participant, error) {
	if recorded, ok := s.demo[p.participant]; ok {
		return recorded, nil
	}
	choice, err := s.holding.names().Parse(p.participant)
	if err != nil {
		return nil, seatError(p.seat, err)
	}
	deps := agent.Deps{
		Env: s.console.secrets(s.holding), Workspace: settings.Workspace, Limits: s.calls.Limits, Settings: s.calls.settings,
		Path: s.console.path, Seat: p.seat, Format: settings.Format, Events: s.events, Configure: s.holding.price,
		Recorder: s.recorder, Pacer: s.console.pacing(),
	}
	s.console.forPrograms(&deps)
	deps.Ours = s.ours()
	if choice.Has(agent.KindPerson) {
		deps.Asker, err = s.asks(p.seat)
		if err != nil {
			return nil, err
		}
	}
	participant, err := agent.Seat(choice, deps)
	if missing := (*endpoint.MissingKeyError)(nil); errors.As(err, &missing) && s.console.keyringTrouble() != nil {
		err = fmt.Errorf("%w; %w", err, s.console.keyringTrouble())
	}
	if _, refused := errors.AsType[*rules.SeatError](err); refused {
		return nil, seatError(p.seat, err)
	}
	if err != nil {
		return nil, fmt.Errorf("seat %s: %w", p.seat, err)
	}
	if own, _ := state.OwnName(p.participant); own != "" && choice.Note == "" && participant.Name() != p.participant {
		choice.Note = fmt.Sprintf("%s was named, and the configuration has %s: that counts", p.participant, participant.Name())
	}
	if choice.Note != "" {
		s.notes = append(s.notes, fmt.Sprintf("note       %s: %s", p.seat, choice.Note))
	}
	if program, ok := participant.(io.Closer); ok {
		s.programs = append(s.programs, program)
	}
	return participant, nil
}

// asks returns how the person is asked: at the screen or on the plain terminal.
func (s *sitting) asks(seat state.Seat) (person.Asker, error) {
	switch {
	case s.front.headless:
		return nil, usage("%s: me is you at the keyboard, and --headless or a missing terminal leaves nobody there; add --plain to answer on standard input", seat)
	case s.front.plain:
		return s.person(), nil
	case s.atScreen == nil:
		s.atScreen = tui.NewPerson()
	}
	return s.atScreen, nil
}

// seatError is a usage error about the participant named for a seat.
func seatError(seat state.Seat, err error) error { return usage("seat %s: %w", seat, err) }
