package resolver

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"moot/state"
)

// MismatchError says that a recorded ruling is not what the state before it
// gives. The chain may be whole all the same: then somebody wrote the session
// anew, or another version of the rules wrote it.
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

// Verify folds a session anew and recomputes every ruling on the record: each
// "ruled" must hold exactly the rulings, receipts included, that differ from
// the record before it, "round-resolved" every receipt of the proposal's
// resolution as of that moment, and "session-closed" the digest of all, and
// whether that is inconclusive. It returns the state at the end; the error is a
// *MismatchError, or says which event cannot be folded. Full is the full
// computation of the session's format: Rule for consult.
func Verify(events []state.Event, full func(state.State) []state.Ruling) (state.State, error) {
	var s state.State
	for _, e := range events {
		if err := recompute(&s, e, full); err != nil {
			return s, err
		}
		next, err := state.Apply(s, e)
		if err != nil {
			return s, &MismatchError{Seq: e.Seq, What: err.Error()}
		}
		s = next
	}
	return s, nil
}

func recompute(s *state.State, e state.Event, full func(state.State) []state.Ruling) error {
	if what := recomputeHearing(s, e.Data); what != "" {
		return &MismatchError{e.Seq, what}
	}
	switch recorded := e.Data.(type) {
	case *state.Ruled:
		want := Changed(s, full(*s))
		if len(want) != len(recorded.Rulings) {
			return &MismatchError{e.Seq, fmt.Sprintf("it records %d changed rulings, and %d changed",
				len(recorded.Rulings), len(want))}
		}
		for i := range want {
			if !want[i].Equal(&recorded.Rulings[i]) {
				return &MismatchError{e.Seq, fmt.Sprintf("it records %s, and the rules give %s",
					brief(&recorded.Rulings[i]), brief(&want[i]))}
			}
		}
	case *state.RoundResolved:
		if !recorded.AsOf.Equal(s.At) {
			return &MismatchError{e.Seq, fmt.Sprintf("it counts the age of evidence from %s, and the event before it "+
				"is of %s", moment(recorded.AsOf), moment(s.At))}
		}
		want, _, err := Recorded(s, recorded.AsOf)
		if err != nil || want.Head != recorded.Head || want.Decision != recorded.Decision ||
			!bytes.Equal(want.Result, recorded.Result) {
			return &MismatchError{e.Seq, fmt.Sprintf("it records the decision %s with the receipt %.12s…, and the "+
				"proposal gives %s with %.12s…", recorded.Decision, recorded.Head, want.Decision, want.Head)}
		}
	case *state.ConflictFound, *state.ConflictSettled, *state.ConflictArgued:
		if what := recomputeConflict(s, e.Data); what != "" {
			return &MismatchError{e.Seq, what}
		}
	case *state.ConsensusTested, *state.ConstitutionViolated, *state.ClaimMarkedKey, *state.ClaimLimited,
		*state.ChallengeMended, *state.Synthesized, *state.PointRaised, *state.RoundStarted, *state.ExitReached,
		*state.ConfidenceReported:
		if what := recomputeCouncil(s, e.Data); what != "" {
			return &MismatchError{e.Seq, what}
		}
	case *state.SessionClosed:
		if what := recomputeClosed(s, recorded, full(*s)); what != "" {
			return &MismatchError{e.Seq, what}
		}
	}
	return nil
}

// recomputeClosed looks whether the digest of all rulings is theirs, and whether they
// come to nothing as it is said.
func recomputeClosed(s *state.State, e *state.SessionClosed, rulings []state.Ruling) string {
	if digest := Digest(rulings); digest != e.Digest {
		return fmt.Sprintf("it records the digest %.12s… of all rulings, and they give %.12s…", e.Digest, digest)
	}
	// Of a proposal it is the decision that tells, where a ruling says anything; of a
	// hearing it is the ruling on its question.
	none := Inconclusive(rulings)
	if s.Settings.Format == state.FormatHearing {
		none = Undecided(rulings)
	}
	if e.Inconclusive != none && (none || s.Settings.Format != state.FormatDialectic) {
		return fmt.Sprintf("it records inconclusive %t, and the rulings give %t", e.Inconclusive, none)
	}
	return ""
}

// recomputeConfidence looks whether a report of confidence is one; "" where it is.
func recomputeConfidence(e *state.ConfidenceReported) string {
	for _, confidence := range [...]float64{e.Stated, e.Admitted} {
		if !(confidence >= 0 && confidence <= 1) {
			return fmt.Sprintf("it has %s report a confidence of %v in %s, and one is from 0 to 1", e.Seat, confidence,
				e.Point)
		}
	}
	return ""
}

// Inconclusive reports whether no point was agreed, none dismissed and none found (EX9).
// A point that was merged away does not count.
func Inconclusive(rulings []state.Ruling) bool {
	return !anyEnded(rulings) && !slices.ContainsFunc(rulings, isFound)
}

// Found reports whether passages were found and nothing was agreed or dismissed: the
// result is headed FOUND (EX9).
func Found(rulings []state.Ruling) bool {
	return !anyEnded(rulings) && slices.ContainsFunc(rulings, isFound)
}

func isFound(r state.Ruling) bool { return r.Status == state.StatusFound }

func anyEnded(rulings []state.Ruling) bool {
	return slices.ContainsFunc(rulings, func(r state.Ruling) bool {
		return r.Rule != "RD2" && (r.Bucket == state.BucketAgreed || r.Bucket == state.BucketDismissed)
	})
}

// moment is a time in an error.
func moment(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }

// brief names a ruling in an error.
func brief(r *state.Ruling) string {
	return fmt.Sprintf("%s %s by %s (reads %v: %s)", r.Point, r.Bucket, r.Rule, r.Reads, r.Reason)
}
