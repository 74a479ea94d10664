package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/protocol"
	"moot/serve"
	"moot/state"
)

// resumeOptions are the flags and arguments of moot resume.
type resumeOptions struct {
	console *Console
	seats   seatOptions
	front   frontOptions
	budget  budgetOptions
	// commands apply to this run only.
	commands commandOptions
	calls    callOptions
	// caller is the coding agent that takes a seat again, or nil.
	caller *serve.Caller
	// flagged are the flags of the command line, or nil.
	flagged *pflag.FlagSet
}

func newResume(c *Console) *cobra.Command {
	o := &resumeOptions{console: c}
	cmd := &cobra.Command{
		Use:               "resume",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), firstOf(args))
		},
	}
	o.seats.flags(cmd, c.formats())
	o.commands.flags(cmd)
	o.front.flags(cmd)
	o.budget.flags(cmd, nil)
	o.calls.flags(cmd)
	o.flagged = cmd.Flags()
	c.completeFlags(cmd)
	return cmd
}

func (o *resumeOptions) run(ctx context.Context, id string) error {
	if err := o.front.check(o.console); err != nil {
		return err
	}
	if err := o.budget.check(); err != nil {
		return err
	}
	path, err := find(id)
	if err != nil {
		return err
	}
	s, notes, err := o.open(path)
	if err != nil {
		return err
	}
	defer s.close()
	for _, note := range notes {
		o.console.Say("%s", note)
	}
	return s.run(ctx)
}

// open opens an earlier session so that it can continue, with notes to print. The caller closes it.
func (o *resumeOptions) open(path string) (s *session, notes []string, err error) {
	d, err := o.console.validDefaults()
	if err != nil {
		return nil, nil, err
	}
	if o.flagged != nil {
		if err := setUnchanged(o.flagged, d.limits); err != nil {
			return nil, nil, err
		}
	}
	s = &session{
		console: o.console, front: o.front, calls: o.calls, commandTime: o.commands.timeout,
		unconfined: o.commands.unconfined,
		defaults:   d,
		caller:     o.caller,
	}
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
	if err := o.change(s); err != nil {
		s.recorder.Discard()
		return s, notes, err
	}
	return s, append(notes, s.notes...), nil
}

// change creates the participants, and records the changes that the flags ask for.
func (o *resumeOptions) change(s *session) error {
	format, err := o.console.format(string(s.state.Settings.Format))
	if err != nil {
		return err
	}
	named, err := o.seats.places(format)
	if err != nil {
		return err
	}
	settings := s.state.Settings
	events := s.allowCommands(o.commands.allowed)
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
	if err := o.changeBudget(s); err != nil {
		return err
	}
	s.uncounted(s.state.Seats, s.state.MaxCost)
	return nil
}

// changeBudget sets the caps that were given; 0 removes a cap.
func (o *resumeOptions) changeBudget(s *session) error {
	changed := func(flag string) bool { return o.flagged != nil && o.flagged.Changed(flag) }
	tokens, cost, timeout := changed("max-tokens"), changed("max-cost"), changed("timeout")
	if !tokens && !cost && !timeout {
		return nil
	}
	move := protocol.SetBudget{MaxTokens: s.state.MaxTokens, MaxCost: s.state.MaxCost, MaxSeconds: s.state.MaxSeconds}
	if tokens {
		move.MaxTokens = o.budget.maxTokens
	}
	if cost {
		move.MaxCost = o.budget.maxCost
	}
	if timeout {
		move.MaxSeconds = wholeSeconds(o.budget.timeout)
	}
	events, err := protocol.AdmitUser(s.state, move)
	if err != nil {
		return err
	}
	return s.append(events...)
}

// wholeSeconds rounds up.
func wholeSeconds(d time.Duration) int { return int((d + time.Second - 1) / time.Second) }
