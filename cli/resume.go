package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/protocol"
	"moot/state"
	"moot/state/store"
)

// resumeOptions are what moot resume was told.
type resumeOptions struct {
	console *Console
	id      string
	seats   seatOptions
	front   frontOptions
	budget  budgetOptions
	// commands are those of this run: what an earlier one allowed is over.
	commands commandOptions
	// raised are the caps that were given, by the flag's name.
	raised map[string]bool
	calls  callOptions
	// flagged are the flags themselves, nil where there are none.
	flagged *pflag.FlagSet
}

func newResume(c *Console) *cobra.Command {
	o := &resumeOptions{console: c, raised: map[string]bool{}}
	cmd := &cobra.Command{
		Use:   "resume [flags] [ID]",
		Short: "Go on where a session stopped",
		Long: "Go on where a session stopped; without ID the newest that is not finished.\n" +
			"Participants are those of the session unless others are named.",
		Example: "  moot resume\n" +
			"  moot resume 20261121-153045-k3f9 --max-tokens 200000\n" +
			"  moot resume --consultee ollama:qwen3",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage("one session is resumed at a time, not %d", len(args))
			}
			if len(args) == 1 {
				o.id = args[0]
			}
			o.note(cmd)
			return o.run(cmd.Context())
		},
	}
	o.flags(cmd)
	return cmd
}

func (o *resumeOptions) flags(cmd *cobra.Command) {
	o.seats.flags(cmd)
	o.commands.flags(cmd)
	o.front.flags(cmd)
	o.budget.flags(cmd, nil)
	o.calls.flags(cmd)
	o.flagged = cmd.Flags()
}

// note takes down which caps were given: 0 is a cap to take away.
func (o *resumeOptions) note(cmd *cobra.Command) {
	for _, name := range []string{"max-tokens", "max-cost", "timeout"} {
		o.raised[name] = cmd.Flags().Changed(name)
	}
}

// check refuses what was typed wrong before anything is opened.
func (o *resumeOptions) check() error {
	if err := o.front.check(o.console); err != nil {
		return err
	}
	if err := o.budget.check(); err != nil {
		return err
	}
	if _, err := o.commands.patterns(); err != nil {
		return err
	}
	_, err := o.seats.places("")
	return err
}

func (o *resumeOptions) run(ctx context.Context) error {
	if err := o.check(); err != nil {
		return err
	}
	path, err := find(o.id)
	if err != nil {
		return err
	}
	s, notes, err := o.sitDown(path)
	if err != nil {
		return err
	}
	defer s.close()
	for _, note := range notes {
		o.console.Say("%s", note)
	}
	return s.run(ctx)
}

// sitDown opens a session that began earlier, so that it can go on. Notes are
// what is to be said of it. The caller closes the sitting.
func (o *resumeOptions) sitDown(path string) (s *sitting, notes []string, err error) {
	h, err := o.console.mayAsk()
	if err != nil {
		return nil, nil, err
	}
	if o.flagged != nil {
		if err := fill(o.flagged, h.limits); err != nil {
			return nil, nil, err
		}
	}
	s = &sitting{console: o.console, front: o.front, calls: o.calls, commandTime: o.commands.timeout, holding: h}
	defer func() {
		if err != nil {
			s.close()
			s = nil
		}
	}()
	repaired, err := s.reopen(path)
	if err != nil {
		return s, nil, err
	}
	if mended := repaired.String(); mended != "" {
		notes = append(notes, "mended     "+mended)
	}
	if s.state.Closed {
		return s, notes, fmt.Errorf("session %s is finished: it is never rewritten; look at it with moot show %s, or take its past into another future with moot fork %s", s.state.ID, s.state.ID, s.state.ID)
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

// reopen opens the file of a session that began earlier, and says what was wrong
// with its end.
func (s *sitting) reopen(path string) (store.Repair, error) {
	file, opened, err := store.Open(path)
	if err != nil {
		return opened.Repaired, err
	}
	s.file = file
	folded, err := fold(path, opened)
	if err != nil {
		return opened.Repaired, err
	}
	s.state, s.events = folded.state, folded.events
	s.participants = map[state.Seat]protocol.Participant{}
	settings := s.state.Settings
	if settings.Workspace != "" {
		if err := readable(settings.Workspace).kept(); err != nil {
			return opened.Repaired, err
		}
	}
	s.citation, err = openCitation(&settings)
	return opened.Repaired, err
}

// change does what the flags say before the session goes on: other
// participants, other caps.
func (o *resumeOptions) change(s *sitting) error {
	named, err := o.seats.places(s.state.Settings.Format)
	if err != nil {
		return err
	}
	allowed, err := o.commands.patterns()
	if err != nil {
		return err
	}
	settings := s.state.Settings
	events := s.allow(allowed)
	for _, p := range named {
		participant, err := s.seat(p, &settings)
		if err != nil {
			return err
		}
		s.participants[p.seat] = participant
		events = append(events, &state.SeatTaken{
			SeatAssignment: state.SeatAssignment{Seat: p.seat, Participant: participant.Name(), NoModel: participant.Modelless()},
			By:             state.User,
		})
	}
	for _, a := range s.state.Seats {
		if s.participants[a.Seat] != nil {
			continue
		}
		participant, err := s.seat(place{a.Seat, a.Participant}, &settings)
		if err != nil {
			return fmt.Errorf("%w; or put another in its place: moot resume %s --seat %s=PARTICIPANT", err, s.state.ID, a.Seat)
		}
		s.participants[a.Seat] = participant
	}
	if err := s.append(events...); err != nil {
		return err
	}
	return o.raise(s)
}

// raise sets the caps that were given; the others stay.
func (o *resumeOptions) raise(s *sitting) error {
	if !o.raised["max-tokens"] && !o.raised["max-cost"] && !o.raised["timeout"] {
		return nil
	}
	move := protocol.SetBudget{MaxTokens: s.state.MaxTokens, MaxCost: s.state.MaxCost, MaxSeconds: s.state.MaxSeconds}
	if o.raised["max-tokens"] {
		move.MaxTokens = o.budget.maxTokens
	}
	if o.raised["max-cost"] {
		move.MaxCost = o.budget.maxCost
	}
	if o.raised["timeout"] {
		move.MaxSeconds = int((o.budget.timeout + time.Second - 1) / time.Second)
	}
	events, err := protocol.AdmitUser(s.state, move)
	if err != nil {
		return err
	}
	return s.append(events...)
}
