package resolver

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"moot/resolver/dialectic"
	"moot/state"
)

// Outcome is what code last said of the proposal of a session, as the record
// keeps it.
type Outcome struct {
	dialectic.Result
	// Round is the one that was resolved, Rounds the last that there can be.
	Round, Rounds int
	// Head is the hash of the last receipt.
	Head string
	// Changed says that something came since that bears on the proposal: what
	// the Result says may no longer hold.
	Changed bool
}

// OutcomeOf returns the last resolution of a session's proposal; nil where no
// round was resolved. The error says that the record holds one that cannot be
// read.
func OutcomeOf(s *state.State) (*Outcome, error) {
	last := s.Dialectic.Last()
	if last == nil {
		return nil, nil //nolint:nilnil // nothing was resolved, and nothing is wrong
	}
	o := &Outcome{Round: last.Round, Rounds: Configured(s).MaxRounds, Head: last.Head, Changed: changedSince(s, last)}
	if err := json.Unmarshal(last.Result, &o.Result); err != nil {
		return nil, fmt.Errorf("read the resolution of round %d: %w", last.Round, err)
	}
	return o, nil
}

// changedSince reports whether something bears on the proposal that its last
// resolution does not know of. The end of a session touches all that rulings
// rest on, so there it is computed whether anything differs.
func changedSince(s *state.State, last *state.Resolution) bool {
	if last.Seq >= ProposalChanged(s) || !s.Over() {
		return last.Seq < ProposalChanged(s)
	}
	now, _, err := Recorded(s, last.AsOf)
	return err != nil || now.Head != last.Head
}

// ProposalChanged is the place of the last event that bears on the proposal, 0
// where there is none.
func ProposalChanged(s *state.State) int {
	seq := s.Constraints
	for _, p := range s.Points.All() {
		seq = max(seq, p.Seq)
	}
	return seq
}

// Resolution returns how an objection came out; nil where it was raised since.
func (o *Outcome) Resolution(objection string) *dialectic.Resolution {
	return resolutionOf(&o.Result, objection)
}

func resolutionOf(result *dialectic.Result, objection string) *dialectic.Resolution {
	for i := range result.Artifact.Resolutions {
		if r := &result.Artifact.Resolutions[i]; r.Objection == objection {
			return r
		}
	}
	return nil
}

// Warned reports whether an objection stands against the proposal and only
// warns of it.
func (o *Outcome) Warned(objection string) bool { return warned(&o.Result)[objection] }

// Holds reports whether an objection keeps the proposal from advancing.
func (o *Outcome) Holds(objection string) bool {
	return slices.ContainsFunc(Standing(&o.Result),
		func(r dialectic.Resolution) bool { return r.Objection == objection })
}

// warned are the objections that only warn: a warning begins with the id.
func warned(result *dialectic.Result) map[string]bool {
	warns := make(map[string]bool, len(result.Artifact.Validation.Warnings))
	for _, warning := range result.Artifact.Validation.Warnings {
		id, _, _ := strings.Cut(warning, " ")
		warns[id] = true
	}
	return warns
}
