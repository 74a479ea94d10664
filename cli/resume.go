package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"moot/internal/plain"
	"moot/state/store"
	"moot/view"
)

func newResume(c *Console) *cobra.Command {
	b := &builder{console: c}
	cmd := &cobra.Command{
		Use:               "resume",
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: c.completeSessions,
		RunE: func(cmd *cobra.Command, args []string) error {
			return resume(cmd.Context(), b, firstOf(args))
		},
	}
	b.seats.flags(cmd, c.formats())
	b.commands.flags(cmd)
	b.hosts.flags(cmd)
	b.front.flags(cmd)
	b.budget.flags(cmd, nil)
	b.calls.flags(cmd)
	b.flagged = cmd.Flags()
	b.detachable(cmd)
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
	if b.front.background != nil {
		b.front.background.resumed = true
	}
	path, err := b.console.toResume(id)
	if err != nil || path == "" {
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

// toResume returns the path of the session to continue: the named one, or else the newest of this folder's repository
// that is not finished. If this folder has no such session, all folders count. If another process runs that one, the
// user decides whether to continue the next one instead. The path is "" if not.
func (c *Console) toResume(id string) (path string, err error) {
	if id != "" {
		return find(c, id)
	}
	summaries, err := listSessions(c)
	if err != nil {
		return "", err
	}
	repository := repositories()
	here := repository(c.Dir)
	var open, local []*store.Summary
	for i := range summaries {
		s := &summaries[i]
		if s.Closed || s.Broken != "" {
			continue
		}
		open = append(open, s)
		if s.Workspace != "" && repository(s.Workspace) == here {
			local = append(local, s)
		}
	}
	where := " of this folder"
	if len(local) == 0 {
		local, where = open, ""
	}
	if len(local) == 0 {
		return find(c, "") // it says that there is none, or that the newest one is finished
	}
	first := local[0]
	if !store.Held(first.Path) {
		if more := len(local) - 1; more > 0 {
			c.Say("resumed    %s, the newest of %d sessions%s that are not finished; moot list shows them", first.ID, len(local), where)
		}
		return first.Path, nil
	}
	runs := fmt.Sprintf("%s, %s, is open in another moot process; join it with moot attach %[1]s", first.ID, c.titleOf(first))
	free := slices.IndexFunc(local, func(s *store.Summary) bool { return !store.Held(s.Path) })
	if free < 0 {
		return "", errors.New(runs)
	}
	next := local[free]
	if !c.InTerminal {
		return "", usage("%s, or continue the next one%[3]s with moot resume %[2]s, %[4]s", runs, next.ID, where, c.titleOf(next))
	}
	c.Say("note       %s", runs)
	yes, err := c.confirm(fmt.Sprintf("Continue the next one%s, %s, %s?", where, next.ID, c.titleOf(next)))
	if err != nil || !yes {
		return "", err
	}
	return next.Path, nil
}

// titleOf is the name or the title of a session in quotes.
func (c *Console) titleOf(s *store.Summary) string {
	return strconv.Quote(plain.Line(clip(cmp.Or(s.Name, view.Title(s.Question)))))
}

func newFork(c *Console) *cobra.Command {
	var at uint
	cmd := &cobra.Command{
		Use:               "fork",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: c.completeSessions,
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
	dir, err := c.sessions()
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
