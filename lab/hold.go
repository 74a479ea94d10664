package lab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/reply"
	"moot/protocol/run"
	"moot/state"
)

// Seating makes the participants of one session. It must be safe for concurrent use.
type Seating func() (map[state.Seat]protocol.Participant, error)

// longestWhy is the maximum length of the reason why a session failed, in bytes.
const longestWhy = 300

// unit is one planned session.
type unit struct {
	course   *course
	scenario *Scenario
	repeat   int
}

// unit returns the unit at an index. Units are ordered by repeat, then by scenario, then by course, so that an
// interrupted run has complete scenarios, in all forms.
func (m *Matrix) unit(place int) unit {
	scenarios := m.plan.Corpus.Scenarios
	return unit{
		course:   &m.courses[place%len(m.courses)],
		scenario: &scenarios[place/len(m.courses)%len(scenarios)],
		repeat:   place/len(m.courses)/len(scenarios) + 1,
	}
}

// results runs a unit and returns the result of each of its judges. The error is protocol.ErrStopped if the context
// ended first.
func (m *Matrix) results(
	ctx context.Context, u unit, parser *reply.Parser, seating Seating,
) ([]Result, error) {
	s, err := m.hold(ctx, u, parser, seating)
	if ctx.Err() != nil && (err != nil || !s.Closed) {
		return nil, protocol.ErrStopped
	}
	failed := ""
	switch {
	case err != nil:
		failed = err.Error()
	case !s.Closed:
		failed = fmt.Sprintf("the session paused: %s", s.PauseReason)
	}
	var all []Result
	for _, version := range u.course.judges {
		r := Result{Failed: failed}
		if failed == "" {
			r = ruled(s, version)
		}
		r.Case, r.Repeat, r.Usage = u.scenario.ID, u.repeat, s.Usage
		r.Failed = plain.Clip(plain.Line(r.Failed), longestWhy)
		all = append(all, r)
	}
	return all, nil
}

// hold runs the session.
func (m *Matrix) hold(ctx context.Context, u unit, parser *reply.Parser, seating Seating) (*state.State, error) {
	participants, err := seating()
	if err != nil {
		return &state.State{}, fmt.Errorf("seat the participants: %w", err)
	}
	// The clock only counts, so that nothing depends on the machine.
	at := time.Unix(0, 0).UTC()
	now := func() time.Time {
		at = at.Add(time.Millisecond)
		return at
	}
	s, _, err := state.Extend(&state.State{}, now(), m.opening(u)...)
	if err != nil {
		return s, fmt.Errorf("open the session: %w", err)
	}
	runner := run.New(run.Options{State: s, Log: discard{}, Participants: participants, Parser: parser, Now: now})
	err = runner.Run(ctx)
	if _, ok := errors.AsType[*run.PanicError](err); ok {
		err = fmt.Errorf("%w; this is a bug in moot", err)
	}
	return runner.State, err
}

// opening returns the first events of a session.
func (m *Matrix) opening(u unit) []state.Payload {
	p, h := &m.plan, u.course.settings
	seats := slices.DeleteFunc(slices.Clone(p.Seats),
		func(a state.SeatAssignment) bool { return a.Seat == hearing.Oracle && !h.Oracle })
	opened := &state.SessionOpened{
		Rules:   hearing.Format{},
		Version: state.Version, ID: fmt.Sprintf("%s-%s-%d", u.scenario.ID, h.Form, u.repeat),
		Question: p.Domain.Question, Seats: seats,
		Settings: state.Settings{
			Format: hearing.Format{}.Name(), Framing: state.FramingPropose, Mode: state.ModeStandard, Nonce: p.Nonce,
			Own:     h,
			Input:   state.Input{Options: []string{}, Views: []state.View{}},
			Context: []state.Document{}, Official: []string{},
		},
	}
	return append([]state.Payload{opened}, state.PacketEvents(u.scenario.Packet)...)
}

// discard is a log that stores nothing: all measurements come from the state.
type discard struct{}

func (discard) Append([]state.Event) error { return nil }

// ruled returns the verdict of a judge on a completed session.
func ruled(s *state.State, version judge.Version) Result {
	v, err := hearing.VerdictBy(s, version, s.Round)
	if err != nil {
		return Result{Failed: cmp.Or(s.ExitReason, err.Error())}
	}
	var rounds []Round
	for round := 1; round <= s.Round; round++ {
		rounds = append(rounds, Round{
			Architect: turnOf(s, judge.Architect, round), Skeptic: turnOf(s, judge.Skeptic, round),
		})
	}
	return Result{
		Outcome: v.Outcome, Confidence: v.Confidence, Rule: v.Rule, Rounds: rounds,
		Opened: hearing.Of(s).Gated != nil && hearing.Of(s).Gated.Opens,
	}
}

// turnOf returns the turn of a side in a round. A side that did not state its confidence keeps the previous one.
func turnOf(s *state.State, seat state.Seat, round int) Turn {
	t := Turn{Facts: citedIn(s, seat, round)}
	if a := hearing.Of(s).Argument(seat, round); a != nil {
		t.Confidence = a.Confidence
		if a.Round == round {
			t.Named = a.WouldChange != ""
			t.HeldBack = max(0, a.Confidence-a.Stated)
		}
	}
	if round == 1 {
		return t
	}
	// The state when the side spoke: the rules of an anchored hearing depend on the round.
	then := *s
	then.Round = round
	for _, p := range hearing.ClaimsOf(&then, seat, round-1) {
		for _, c := range hearing.Contradictions(&then, p) {
			t.Rebutted = append(t.Rebutted, hearing.FreshFacts(&then, c, round-1)...)
		}
	}
	t.Rebutted = lists.Distinct(t.Rebutted)
	return t
}

// citedIn returns the distinct facts that a side cites in a round.
func citedIn(s *state.State, seat state.Seat, round int) []string {
	var cited []string
	for _, p := range s.Points.All() {
		if p.Round == round && p.IsAuthor(seat) {
			cited = append(cited, p.Facts...)
		}
	}
	for _, c := range s.Challenges.All() {
		if c.By == seat && c.Round == round {
			cited = append(cited, c.Facts...)
		}
		for i := range c.Defenses {
			if d := &c.Defenses[i]; d.By == seat && d.Round == round {
				cited = append(cited, d.Facts...)
			}
		}
	}
	return lists.Distinct(cited)
}
