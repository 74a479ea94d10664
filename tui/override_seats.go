package tui

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/internal/plain"
	"moot/state"
)

// openSeats asks whose place is taken.
func (m *Model) openSeats() {
	m.push(newPicker("Replace in which seat?", func() []pick {
		var list []pick
		for _, a := range m.state.Seats {
			list = append(list, pick{
				id: string(a.Seat), name: string(a.Seat), detail: "now " + answering(a),
				do: func(m *Model) tea.Cmd { return m.openParticipants(a.Seat, "", "") },
			})
		}
		return list
	}))
}

// answering names who fills a seat, and who answers for it where that is another.
func answering(a state.SeatAssignment) string {
	if by, fallback := a.Answers(); fallback {
		return a.Participant + ", answered by its fallback " + by
	}
	return a.Participant
}

// participantNames are those that are known without looking for any.
func (m *Model) participantNames() []string {
	var names []string
	for _, a := range m.state.Seats {
		names = append(names, a.Participant)
	}
	return once(append(names, "rules", "me"))
}

// once keeps the first of each name.
func once(names []string) []string {
	var kept []string
	for _, n := range names {
		if !slices.Contains(kept, n) {
			kept = append(kept, n)
		}
	}
	return kept
}

// openParticipants asks who takes a seat: by a name that is known, or one that is
// typed. What was typed before, and why it was wrong, may be empty.
func (m *Model) openParticipants(seat state.Seat, typed, wrong string) tea.Cmd {
	names := m.participantNames()
	to := func(name, detail string) pick {
		return pick{id: name, name: name, detail: detail, do: func(m *Model) tea.Cmd { return m.replaceIn(seat, name) }}
	}
	p := newPicker("Who takes the seat "+string(seat)+"?", func() []pick {
		var list []pick
		for _, name := range names {
			list = append(list, to(name, m.sits(name)))
		}
		return list
	})
	p.typed = func(query string) []pick {
		if slices.Contains(names, query) {
			return nil
		}
		return []pick{to(query, "the participant of this name")}
	}
	p.typedLast = true
	p.input.SetValue(plain.Line(typed))
	p.search()
	p.wrong = wrong
	m.push(p)
	find := m.options.Services.Participants
	if find == nil {
		return nil
	}
	return m.outside(func() answer {
		ctx, cancel := context.WithTimeout(context.Background(), serviceTime)
		defer cancel()
		found := find(ctx)
		return func(*Model) tea.Cmd {
			names = once(append(names, found...))
			p.refresh()
			return nil
		}
	})
}

// sits says where a participant sits, or "".
func (m *Model) sits(name string) string {
	for _, a := range m.state.Seats {
		if a.Participant == name {
			return "now " + string(a.Seat)
		}
	}
	return map[string]string{"rules": "no language model", "me": "you speak for the seat"}[name]
}

// serviceTime bounds what is waited for outside.
const serviceTime = 10 * time.Second

// replaceIn puts another participant into a seat. Where there is none of the name
// the list is shown again.
func (m *Model) replaceIn(seat state.Seat, name string) tea.Cmd {
	seated, id := m.options.Services.Replace, m.state.ID
	of := m.sitting
	return m.outside(func() answer {
		ctx, cancel := context.WithTimeout(context.Background(), serviceTime)
		defer cancel()
		participant, err := seated(ctx, id, seat, name)
		return func(m *Model) tea.Cmd {
			switch {
			case m.sitting != of:
			case err != nil:
				return m.openParticipants(seat, name, err.Error())
			default:
				said := string(seat) + " is " + participant.Name() + " from the next call on"
				m.orderAll(nil, "", said, func(ctx context.Context, s Session) error { return s.Replace(ctx, seat, participant) })
			}
			return nil
		}
	})
}
