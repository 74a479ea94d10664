package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/resolver/hearing"
	"moot/state"
)

// recomputeHearing says in a clause what of an event of a hearing does not follow from
// the state before it; "" where all is in order.
func recomputeHearing(s *state.State, data state.Payload) string {
	if s.Settings.Format != state.FormatHearing {
		return ""
	}
	switch e := data.(type) {
	case *state.Gated:
		return recomputeGated(s, e)
	case *state.Argued:
		return recomputeArgument(s, e)
	case *state.ConfidenceReported:
		return recomputeReport(s, e)
	case *state.ConfidenceChanged:
		return recomputeChange(s, e)
	case *state.DriftDetected:
		return recomputeDrift(s, e)
	case *state.RebuttalIgnored:
		return recomputeIgnored(s, e)
	case *state.SchemaViolated:
		return hearsFrom(e.Seat, state.Architect, state.Skeptic, state.Oracle)
	case *state.PointRaised:
		return recomputeClaim(s, e)
	case *state.ChallengeRaised:
		return recomputeCited(s, e)
	case *state.ChallengeAnswered:
		return unknownFacts(s, "an answer to "+e.Challenge, e.Facts)
	case *state.RoundStarted:
		return recomputeRound(s, e)
	case *state.ExitReached:
		return recomputeEnd(s, e)
	}
	return ""
}

// hearsFrom looks whether a seat is one of those that may say something.
func hearsFrom(seat state.Seat, may ...state.Seat) string {
	if slices.Contains(may, seat) {
		return ""
	}
	return fmt.Sprintf("it is by %s, and only %s may say so", seat, listedSeats(may))
}

func listedSeats(seats []state.Seat) string {
	words := make([]string, len(seats))
	for i, seat := range seats {
		words[i] = string(seat)
	}
	return strings.Join(words, ", ")
}

// unknownFacts looks whether the packet holds all that is cited.
func unknownFacts(s *state.State, what string, facts []string) string {
	if unknown := s.Hearing.UnknownFacts(facts); len(unknown) > 0 {
		return fmt.Sprintf("it has %s cite %q, and the packet holds no such fact", what, unknown[0])
	}
	return ""
}

func recomputeGated(s *state.State, e *state.Gated) string {
	if s.HearingSettings().Form != state.FormSelective {
		return "it has a gate, and the form " + string(s.HearingSettings().Form) + " has none"
	}
	want := GatingOf(s)
	if e.Gate == want.Gate && e.Opens == want.Opens && e.Confidence == want.Confidence && e.Risk == want.Risk &&
		slices.Equal(e.Flags, want.Flags) {
		return ""
	}
	return fmt.Sprintf("it records the gate %s with %s, and the verdict of round 1 gives %s with %s", e.Gate,
		gatingWords(&e.Gating), want.Gate, gatingWords(&want))
}

// gatingWords are what a gate found, in an error.
func gatingWords(g *state.Gating) string {
	flags := "no flag"
	if len(g.Flags) > 0 {
		flags = strings.Join(g.Flags, ", ")
	}
	return fmt.Sprintf("opens %t, confidence %v, %s, risk %v", g.Opens, g.Confidence, flags, g.Risk)
}

// recomputeArgument looks whether what counts of a side's confidence is what its
// conviction allows.
func recomputeArgument(s *state.State, e *state.Argued) string {
	if what := hearsFrom(e.Seat, state.Architect, state.Skeptic); what != "" {
		return what
	}
	for _, confidence := range [...]float64{e.Stated, e.Confidence} {
		if hearing.CheckConfidence(confidence) != nil {
			return fmt.Sprintf("it has the %s conclude with %v, and a confidence is from 0 to 1", e.Seat, confidence)
		}
	}
	if want := ConvictionOverall(s, e.Seat, e.Stated); e.Confidence != want {
		return fmt.Sprintf("it has the %s's confidence %v count as %v, and the rules give %v", e.Seat, e.Stated,
			e.Confidence, want)
	}
	return ""
}

// recomputeReport looks whether what counts of a side's confidence in its claim is
// what its conviction allows, by the cause that is named.
func recomputeReport(s *state.State, e *state.ConfidenceReported) string {
	p := s.Point(e.Point)
	if p == nil || !p.IsAuthor(e.Seat) {
		return fmt.Sprintf("it has the %s report a confidence in %s, and that is no claim of its own", e.Seat, e.Point)
	}
	want, cause := Conviction(s, e.Seat, p, e.Stated, e.Cause)
	switch {
	case e.Admitted != want:
		return fmt.Sprintf("it has %v of the %s in %s count as %v, and the rules give %v", e.Stated, e.Seat, e.Point,
			e.Admitted, want)
	case cause != "" && e.Cause != cause:
		return fmt.Sprintf("it has the confidence of the %s in %s move by %q, and the rules give %q", e.Seat, e.Point,
			e.Cause, cause)
	}
	return ""
}

// lastReports are the two last reports of a side's confidence in a claim, the newest
// first; nil where there are fewer.
func lastReports(s *state.State, seat state.Seat, point string) (now, before *state.Confidence) {
	for i := s.Confidence.Len() - 1; i >= 0; i-- {
		if c := s.Confidence.At(i); c.Seat == seat && c.Point == point {
			if now != nil {
				return now, c
			}
			now = c
		}
	}
	return now, nil
}

// recomputeChange looks whether a change is the one that was reported just before.
func recomputeChange(s *state.State, e *state.ConfidenceChanged) string {
	now, before := lastReports(s, e.Seat, e.Point)
	switch {
	case before == nil || e.From != before.Admitted || e.To != now.Admitted || e.From == e.To:
		return fmt.Sprintf("it has the confidence of the %s in %s change from %v to %v, and its reports give no such "+
			"change", e.Seat, e.Point, e.From, e.To)
	case s.Hearing.Holds(now.Cause) && e.Fact != now.Cause, e.Fact != "" && e.Fact != now.Cause:
		return fmt.Sprintf("it has the confidence of the %s in %s change by %q, and it was reported by %q", e.Seat,
			e.Point, e.Fact, now.Cause)
	case s.Point(e.Point).Score(e.Seat).Seq != s.Seq:
		return fmt.Sprintf("it has the confidence of the %s in %s change a second time", e.Seat, e.Point)
	}
	return ""
}

// recomputeDrift looks whether a fall that does not count is one that was stated just
// before.
func recomputeDrift(s *state.State, e *state.DriftDetected) string {
	var stated, counts float64
	if e.Point == QuestionPoint {
		last := s.Hearing.Argument(e.Seat, s.Round)
		if last == nil || last.Seq != s.Seq {
			return fmt.Sprintf("it has the %s drift, and it did not conclude just before", e.Seat)
		}
		stated, counts = last.Stated, last.Confidence
	} else {
		p := s.Point(e.Point)
		if p == nil || p.Score(e.Seat) == nil || p.Score(e.Seat).Seq != s.Seq {
			return fmt.Sprintf("it has the %s drift in %s, and it reported no confidence in it just before", e.Seat,
				e.Point)
		}
		stated, counts = p.Score(e.Seat).Stated, p.Score(e.Seat).Admitted
	}
	if stated >= counts {
		return fmt.Sprintf("it has the %s drift in %s, and all of %v counts", e.Seat, e.Point, stated)
	}
	return ""
}

// recomputeIgnored looks whether a side let pass what it is said to.
func recomputeIgnored(s *state.State, e *state.RebuttalIgnored) string {
	for _, owed := range Unheeded(s, e.Seat) {
		if owed.Challenge == e.Challenge && owed.Fact == e.Fact {
			return ""
		}
	}
	return fmt.Sprintf("it has the %s let %s pass, which cites %q, and the record gives nothing of the kind", e.Seat,
		e.Challenge, e.Fact)
}

// recomputeClaim looks whether a claim is one of a side, and rests on the packet; the
// question is put by code.
func recomputeClaim(s *state.State, e *state.PointRaised) string {
	if e.ID == QuestionPoint {
		if e.By != state.Protocol || e.Text != s.Question {
			return fmt.Sprintf("it has the question put by %s as %q", e.By, e.Text)
		}
		return ""
	}
	if what := hearsFrom(e.By, state.Architect, state.Skeptic); what != "" {
		return what
	}
	return unknownFacts(s, e.ID, e.Facts)
}

// recomputeCited looks whether a challenge cites facts of the packet; only the user's
// needs none.
func recomputeCited(s *state.State, e *state.ChallengeRaised) string {
	p := s.Point(e.Point)
	switch {
	case e.By != state.User && len(e.Facts) == 0:
		return fmt.Sprintf("it has %s by the %s cite no fact", e.ID, e.By)
	case p != nil && p.IsAuthor(e.By):
		return fmt.Sprintf("it has %s by the %s against its own %s", e.ID, e.By, e.Point)
	case e.By == state.Oracle && (s.Round != 1 || p != nil && p.ID != QuestionPoint && !p.IsAuthor(MoreConfident(s))):
		return fmt.Sprintf("it has the oracle challenge %s in round %d, and it speaks after round 1 against the %s",
			e.Point, s.Round, MoreConfident(s))
	}
	return unknownFacts(s, e.ID, e.Facts)
}

// recomputeRound looks whether a further round follows.
func recomputeRound(s *state.State, e *state.RoundStarted) string {
	if s.Round == 0 {
		return ""
	}
	if exit, reason := EndOf(s); exit != state.ExitNone {
		return fmt.Sprintf("it has round %d begin, and the hearing ended before: %s", e.Round, reason)
	}
	return ""
}

// recomputeEnd looks whether a hearing that is said to be decided is.
func recomputeEnd(s *state.State, e *state.ExitReached) string {
	switch e.Exit {
	case state.ExitDecided, state.ExitConverged, state.ExitCap:
	case state.ExitNone, state.ExitUnresolved, state.ExitTrivial, state.ExitQuality, state.ExitUser, state.ExitBudget,
		state.ExitPaused:
		return ""
	}
	if exit, reason := EndOf(s); exit != e.Exit || reason != e.Reason {
		return fmt.Sprintf("it has the hearing end by %s (%s), and the rules give %q (%s)", e.Exit, e.Reason, exit,
			reason)
	}
	return ""
}

// Undecided reports whether a hearing came to no verdict: neither did the judge rule on
// its question, nor the user.
func Undecided(rulings []state.Ruling) bool {
	at := slices.IndexFunc(rulings, func(r state.Ruling) bool { return r.Point == QuestionPoint })
	return at < 0 || rulings[at].Bucket != state.BucketAgreed && rulings[at].Bucket != state.BucketDismissed
}
