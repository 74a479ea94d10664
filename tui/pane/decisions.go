package pane

import (
	"moot/resolver"
	"moot/state"
)

// Decisions are what the resolutions of a session say. Each is read once, however
// often it is shown.
type Decisions struct {
	// read holds them by the places of their events.
	read map[int]readOutcome
}

// readOutcome is one resolution, or why it cannot be read.
type readOutcome struct {
	outcome *resolver.Outcome
	err     error
}

func NewDecisions() *Decisions { return &Decisions{read: map[int]readOutcome{}} }

// Last is what code last said of the proposal; nil where no round was resolved.
func (d *Decisions) Last(s *state.State) (*resolver.Outcome, error) {
	return d.at(s, len(s.Dialectic.Resolved)-1)
}

// at is what the resolution at a place of the state's list says, counted from 0;
// nil where there is none.
func (d *Decisions) at(s *state.State, i int) (*resolver.Outcome, error) {
	if i < 0 || i >= len(s.Dialectic.Resolved) {
		return nil, nil //nolint:nilnil // nothing was resolved, and nothing is wrong
	}
	seq := s.Dialectic.Resolved[i].Seq
	known, found := d.read[seq]
	if !found {
		then := *s
		then.Dialectic.Resolved = s.Dialectic.Resolved[:i+1]
		known.outcome, known.err = resolver.OutcomeOf(&then)
		d.read[seq] = known
	}
	if known.err != nil || known.outcome == nil {
		return nil, known.err
	}
	now := *known.outcome
	now.Changed = seq < resolver.ProposalChanged(s)
	return &now, nil
}
