package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"moot/protocol"
	"moot/state"
	"moot/state/store"
)

func newResume(c *Console) *cobra.Command {
	b := &builder{console: c}
	cmd := &cobra.Command{
		Use:               "resume",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return resume(cmd.Context(), b, firstOf(args))
		},
	}
	b.seats.flags(cmd, c.formats())
	b.commands.flags(cmd)
	b.front.flags(cmd)
	b.budget.flags(cmd, nil)
	b.calls.flags(cmd)
	b.flagged = cmd.Flags()
	c.completeFlags(cmd)
	return cmd
}

func resume(ctx context.Context, b *builder, id string) error {
	if err := b.front.check(b.console); err != nil {
		return err
	}
	if err := b.budget.check(); err != nil {
		return err
	}
	path, err := find(id)
	if err != nil {
		return err
	}
	s, notes, err := b.reopen(path)
	if err != nil {
		return err
	}
	defer s.close()
	for _, note := range notes {
		b.console.Say("%s", note)
	}
	return s.run(ctx)
}

// reopen opens an earlier session so that it can continue, with notes to print. The caller closes it.
func (b *builder) reopen(path string) (s *session, notes []string, err error) {
	if b.defaults, err = b.console.validDefaults(); err != nil {
		return nil, nil, err
	}
	if b.flagged != nil {
		if err := setUnchanged(b.flagged, b.defaults.limits); err != nil {
			return nil, nil, err
		}
	}
	s = b.session()
	defer func() {
		if err != nil {
			s.close()
			s = nil
		}
	}()
	repair, err := s.reopen(path)
	if err != nil {
		return s, nil, err
	}
	if text := repair.String(); text != "" {
		notes = append(notes, "repaired   "+text)
	}
	if id := s.state.ID; s.state.Closed {
		return s, notes, fmt.Errorf("session %s is finished and never changes: look at it with moot show %s, "+
			"or continue from an earlier event with moot fork %s", id, id, id)
	}
	if err := s.record(s.state.ID); err != nil {
		return s, notes, err
	}
	if err := b.change(s); err != nil {
		s.recorder.Discard()
		return s, notes, err
	}
	return s, append(notes, s.notes...), nil
}

// change creates the participants, and records the changes that the flags ask for.
func (b *builder) change(s *session) error {
	format, err := b.console.format(string(s.state.Settings.Format))
	if err != nil {
		return err
	}
	named, err := b.seats.places(format)
	if err != nil {
		return err
	}
	settings := s.state.Settings
	events := s.allowCommands(b.commands.allowed)
	for _, p := range named {
		participant, err := s.participant(p, &settings)
		if err != nil {
			return err
		}
		s.participants[p.Seat] = participant
		events = append(events, &state.SeatTaken{SeatAssignment: protocol.Assign(p.Seat, participant), By: state.User})
	}
	for _, a := range s.state.Seats {
		if s.participants[a.Seat] != nil {
			continue
		}
		participant, err := s.participant(a, &settings)
		if err != nil {
			return fmt.Errorf("%w; or replace it: moot resume %s --seat %s=PARTICIPANT", err, s.state.ID, a.Seat)
		}
		s.participants[a.Seat] = participant
	}
	if err := s.append(events...); err != nil {
		return err
	}
	if err := b.changeBudget(s); err != nil {
		return err
	}
	s.uncounted(s.state.Seats, s.state.MaxCost)
	return nil
}

// changeBudget sets the caps that were given; 0 removes a cap.
func (b *builder) changeBudget(s *session) error {
	changed := func(flag string) bool { return b.flagged != nil && b.flagged.Changed(flag) }
	tokens, cost, timeout := changed("max-tokens"), changed("max-cost"), changed("timeout")
	if !tokens && !cost && !timeout {
		return nil
	}
	move := protocol.SetBudget{MaxTokens: s.state.MaxTokens, MaxCost: s.state.MaxCost, MaxSeconds: s.state.MaxSeconds}
	if tokens {
		move.MaxTokens = b.budget.maxTokens
	}
	if cost {
		move.MaxCost = b.budget.maxCost
	}
	if timeout {
		move.MaxSeconds = wholeSeconds(b.budget.timeout)
	}
	events, err := protocol.AdmitUser(s.state, move)
	if err != nil {
		return err
	}
	return s.append(events...)
}

func newFork(c *Console) *cobra.Command {
	var at uint
	cmd := &cobra.Command{
		Use:               "fork",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			last := store.LastOpen
			if cmd.Flags().Changed("at") {
				last = int(min(at, maxEvent))
			}
			made, notes, err := fork(c, args[0], last)
			if err != nil {
				return err
			}
			for _, note := range notes {
				c.Say("%s", note)
			}
			c.Say("continue with: moot resume %s", made.ID)
			return c.Print(made.ID + "\n")
		},
	}
	cmd.Flags().UintVar(&at, "at", 0, "the last event to copy, from 1 (default: the last one, or of a finished "+
		"session the last one before it ended)")
	return cmd
}

// maxEvent keeps --at in the range of an int on every platform.
const maxEvent = 1<<31 - 1

// fork copies the events of a session up to at, or up to the last event from which it can continue. It returns notes to
// print.
func fork(c *Console, id string, at int) (made store.Forked, notes []string, err error) {
	dir, err := store.Dir()
	if err != nil {
		return made, nil, err
	}
	now := c.Now()
	made, err = store.Fork(dir, id, at, store.NewID(now, c.Random), now, c.rules()...)
	if errors.As(err, new(*store.RangeError)) {
		return made, nil, usage("%w", err)
	}
	if err != nil {
		return made, nil, err
	}
	last := made.Fork.Seq
	notes = []string{fmt.Sprintf("forked     %s, the first %d events of %s", made.ID, last, made.Fork.From)}
	if at != store.LastOpen && last != at {
		notes = append(notes, fmt.Sprintf("note       event %d is part of a step, which is copied whole or, at "+
			"the end of the session, left out: the fork ends with event %d", at, last))
	}
	return made, notes, nil
}
