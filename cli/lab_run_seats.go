package cli

import (
	"fmt"

	"moot/agent"
	"moot/internal/plain"
	"moot/lab/corpora"
	"moot/protocol"
	"moot/state"
)

// labTable is who sits in the hearings of the lab.
type labTable struct {
	sitting *sitting
	places  []place
	seats   []state.SeatAssignment
	// shared are participants that keep nothing of a session: one sits in all of them.
	shared map[state.Seat]protocol.Participant
}

// sit makes the participants as moot ask makes them; rules take an empty side.
func (o *matrixOptions) sit() (*labTable, error) {
	places, err := o.seats.places(state.FormatHearing)
	if err != nil {
		return nil, err
	}
	for _, seat := range []state.Seat{state.Architect, state.Skeptic} {
		if !sits(places, seat) {
			places = append(places, place{seat, rulesName})
		}
	}
	sortPlaces(places)
	h, err := o.console.mayAsk()
	if err != nil {
		return nil, err
	}
	if err := fill(o.flagged, h.limits); err != nil {
		return nil, err
	}
	t := &labTable{
		sitting: &sitting{holding: h, console: o.console, front: frontOptions{headless: true}, calls: o.calls},
		places:  places, shared: map[state.Seat]protocol.Participant{},
	}
	for _, p := range places {
		choice, err := h.book.Parse(p.participant)
		if err != nil {
			return nil, seatError(p.seat, err)
		}
		if choice.Has(agent.KindPerson) {
			return nil, usage("%s: nobody can argue so many hearings by hand; name rules, script:FILE or a model endpoint", p.seat)
		}
		participant, err := t.sitting.seat(p, &state.Settings{})
		if err != nil {
			return nil, err
		}
		t.seats = append(t.seats, state.SeatAssignment{Seat: p.seat, Participant: participant.Name(), NoModel: participant.Modelless()})
		if !choice.Has(agent.KindScript) {
			t.shared[p.seat] = participant
		}
	}
	return t, nil
}

// seating are the participants of one session: a script begins anew in each.
func (t *labTable) seating() (map[state.Seat]protocol.Participant, error) {
	seated := map[state.Seat]protocol.Participant{}
	for _, p := range t.places {
		participant, is := t.shared[p.seat]
		if !is {
			var err error
			if participant, err = t.sitting.seat(p, &state.Settings{}); err != nil {
				return nil, err
			}
		}
		seated[p.seat] = participant
	}
	return seated, nil
}

// modelless reports whether no model sits anywhere.
func (t *labTable) modelless() bool {
	for _, s := range t.seats {
		if !s.NoModel {
			return false
		}
	}
	return true
}

// redact takes secrets out of the packets, since they leave this machine.
func (o *matrixOptions) redact(corpus *corpora.Corpus) error {
	for i := range corpus.Scenarios {
		s := &corpus.Scenarios[i]
		cleaned, err := redactPacket(s.Packet, func(note string) { o.console.Say("note       %s: %s", plain.Line(s.ID), note) })
		if err == nil {
			_, err = cleaned.Freeze()
		}
		if err != nil {
			return fmt.Errorf("scenario %s: %w", s.ID, err)
		}
		s.Packet = cleaned
	}
	return nil
}
