package resolver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/state"
)

// MismatchError reports an event that the state before it does not give. The chain
// may be whole all the same: then somebody wrote the session again, or another
// version of the rules wrote it.
type MismatchError struct {
	// Seq is the event, which is also its line in the session file.
	Seq int
	// What does not fit, in a clause.
	What string
}

// Error names the line.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("line %d does not recompute: %s", e.Seq, e.What)
}

// Verify replays a session and compares every event that code derives with the one
// that the rules give: rulings with their receipts, the resolutions of a proposal,
// the digest at the end, and what the format derives. It returns the state at the
// end; the error is a *MismatchError.
func Verify(events []state.Event) (state.State, error) {
	var s state.State
	for _, e := range events {
		next, err := Recompute(s, e)
		if err != nil {
			return s, &MismatchError{Seq: e.Seq, What: err.Error()}
		}
		s = next
	}
	return s, nil
}

// Recompute applies an event that code derives only if the rules give it; others as they are.
func Recompute(s state.State, e state.Event) (state.State, error) {
	want, err := expect(&s, e.Data)
	if err != nil {
		return s, err
	}
	if what := Difference(e.Data, want); what != "" {
		return s, errors.New(what)
	}
	return state.Apply(s, e)
}

// expect is the event that the rules give in place of a recorded one.
func expect(s *state.State, recorded state.Payload) (state.Payload, error) {
	f := FormatOf(s)
	switch e := recorded.(type) {
	case *state.Ruled:
		want := *e
		want.Rulings = Changed(s, f.Rule(s))
		for i := range min(len(want.Rulings), len(e.Rulings)) {
			if has, gives := &e.Rulings[i], &want.Rulings[i]; !has.Equal(gives) {
				return nil, fmt.Errorf("it records %s, and the rules give %s", brief(has), brief(gives))
			}
		}
		if has, gives := len(e.Rulings), len(want.Rulings); has != gives {
			return nil, fmt.Errorf("it records %d changed rulings, and %d changed", has, gives)
		}
		return recorded, nil
	case *state.SessionClosed:
		rulings := f.Rule(s)
		want := *e
		want.Digest, want.Inconclusive = Digest(rulings), f.Inconclusive(s, rulings)
		return &want, nil
	}
	return f.Expect(s, recorded)
}

// Difference says which field of a recorded event is not as the rules give it; ""
// if none is.
func Difference(recorded, want state.Payload) string {
	if recorded == want {
		return ""
	}
	has, err := json.Marshal(recorded)
	if err != nil {
		return err.Error()
	}
	gives, err := json.Marshal(want)
	if err != nil {
		return err.Error()
	}
	if bytes.Equal(has, gives) {
		return ""
	}
	var a, b map[string]json.RawMessage
	if json.Unmarshal(has, &a) != nil || json.Unmarshal(gives, &b) != nil {
		return "it does not decode"
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if !bytes.Equal(a[name], b[name]) {
			parts = append(parts, fmt.Sprintf("%s is %s, and the rules give %s", name,
				plain.Clip(plain.Line(string(a[name])), 200), plain.Clip(plain.Line(string(b[name])), 200)))
		}
	}
	return fmt.Sprintf("in %s %s", state.KindOf(recorded), strings.Join(parts, "; "))
}

func brief(r *state.Ruling) string {
	return fmt.Sprintf("%s %s by %s (reads %v: %s)", r.Point, r.Bucket, r.Rule, r.Reads, r.Reason)
}
