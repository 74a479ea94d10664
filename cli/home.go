package cli

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"moot/playbook"
	"moot/state"
	"moot/state/store"
	"moot/tui"
)

// home are the functions of the home screen.
func (o *outside) home() *tui.Home {
	return &tui.Home{List: o.list, Open: o.open, Delete: o.remove, New: o.ask, Found: o.found, Playbooks: playbooks}
}

// atHome opens the home screen, and says afterwards how to go on with what was
// worked on.
func atHome(ctx context.Context, c *Console, looks *lookOptions) error {
	o := &outside{console: c}
	scratch := &cobra.Command{}
	o.calls.flags(scratch)
	if h, err := c.holds(); err == nil {
		if err := fill(scratch.Flags(), h.limits); err != nil {
			return err
		}
	}
	options := c.screenOptions(looks, o)
	options.Home = o.home()
	result, err := tui.Run(ctx, options)
	if err != nil {
		return errors.Join(err, o.concludeOthers(nil))
	}
	return o.conclude(&result)
}

// list reads the sessions.
func (o *outside) list(context.Context) ([]store.Summary, error) {
	dir, err := store.Dir()
	if err != nil {
		return nil, err
	}
	return store.List(dir)
}

// remove deletes a session.
func (o *outside) remove(_ context.Context, id string) error {
	dir, err := store.Dir()
	if err != nil {
		return err
	}
	if err := store.Remove(dir, id); err != nil {
		return err
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	// Nobody can go on with it.
	o.runs = slices.DeleteFunc(o.runs, func(r *run) bool { return r.state.ID == id })
	return nil
}

// found looks for who could take a seat.
func (o *outside) found(ctx context.Context) tui.Candidates {
	h, err := o.console.holds()
	if err != nil {
		// Asking says so.
		h = nil
	}
	list := findCandidates(ctx, o.console.places(false, h), h)
	c := tui.Candidates{
		Orchestrator: list.proposal.Orchestrator, Consultee: list.proposal.Consultee, Workspace: workTree(o.console.Dir),
	}
	c.Named, c.Seats = h.offered()
	for _, f := range list.found {
		c.Found = append(c.Found, tui.Candidate{Name: f.Name, Title: f.Title, Why: f.Why, Usable: f.Usable, Local: f.Local})
	}
	return c
}

// playbooks are those that moot is built with.
func playbooks() []tui.Playbook {
	var books []tui.Playbook
	for _, name := range playbook.Names() {
		if book, err := playbook.BuiltIn(name); err == nil {
			books = append(books, tui.Playbook{Name: book.Name, About: book.About})
		}
	}
	return books
}

// ask opens a session on a question from the form.
func (o *outside) ask(ctx context.Context, q tui.Question) (tui.Opened, error) {
	a := asking{
		question: q.Text, format: string(q.Format), framing: q.Framing, mode: q.Mode, highStakes: q.HighStakes,
		seats: seatOptions{named: map[state.Seat]string{
			state.Orchestrator: q.Orchestrator, state.Consultee: q.Consultee, state.Arbiter: q.Arbiter,
			state.Proposer: q.Proposer, state.PressureTester: q.PressureTester,
			state.Strategist: q.Strategist, state.Critic: q.Critic, state.Adversary: q.Adversary,
			state.Moderator: q.Moderator, state.Expert: q.Expert,
			state.Architect: q.Architect, state.Skeptic: q.Skeptic, state.Oracle: q.Oracle,
		}},
		press: dialecticOptions{playbook: q.Playbook},
		panel: panelOptions{
			strategy: q.Strategy,
		},
		council: councilOptions{
			weights: q.Weights, decision: q.Decision, parallel: q.Parallel, constitution: q.Constitution,
		},
		hearing: hearingOptions{packet: q.Packet, form: q.Form, judge: q.Judge, gate: q.Gate, domain: q.Domain},
		rounds:  q.Rounds, then: q.Then,
		workspace: workspaceOptions{dir: q.Workspace, none: q.Workspace == ""},
		given: givenOptions{
			context: q.Context, facts: q.Facts, design: q.Design, position: q.Position, options: q.Options, viewTexts: q.Views,
		},
		calls: o.calls,
	}
	for i, participant := range q.Panelists {
		seat := state.Panelist
		if i > 0 {
			seat = state.Seat(further(state.Panelist, maxPanelists)[i-1])
		}
		a.seats.named[seat] = participant
	}
	s, notes, err := openQuestion(ctx, o.console, a, frontOptions{step: q.Step, output: string(outputText)})
	if wrong, ok := errors.AsType[*fieldError](err); ok {
		return tui.Opened{}, &tui.FieldError{Field: string(wrong.field), Err: wrong.err}
	}
	if err != nil {
		return tui.Opened{}, err
	}
	return o.hand(s, notes), nil
}
