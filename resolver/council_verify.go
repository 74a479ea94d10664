package resolver

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moot/state"
)

// recomputeCouncil says in a clause what of an event of a council does not follow
// from the state before it, or is not for who did it; "" where all is in order.
func recomputeCouncil(s *state.State, data state.Payload) string {
	switch e := data.(type) {
	case *state.ConsensusTested:
		return recomputeConsensus(s, e)
	case *state.ConstitutionViolated:
		return recomputeBreach(s, e)
	case *state.ClaimMarkedKey:
		if !e.Key && e.By != state.User {
			return fmt.Sprintf("it has %s no longer key by %s, and only the user takes that back", e.Point, e.By)
		}
	case *state.ClaimLimited:
		return recomputeLimit(s, e)
	case *state.ChallengeMended:
		return recomputeMended(s, e)
	case *state.Synthesized:
		return recomputeSynthesis(s, e)
	case *state.PointRaised:
		return recomputeWording(s, e)
	case *state.ConfidenceReported:
		return recomputeConfidence(e)
	case *state.RoundStarted:
		return untested(s, "round "+strconv.Itoa(e.Round)+" begun")
	case *state.ExitReached:
		if e.Exit == state.ExitConverged || e.Exit == state.ExitCap {
			return untested(s, "the exit "+string(e.Exit))
		}
	}
	return ""
}

// untested says of what follows a round of a council that it came without the test
// for consensus of that round; "" where that is on the record.
func untested(s *state.State, what string) string {
	if s.Settings.Format != state.FormatCouncil || s.Round == 0 || s.Council.Consensus(s.Round) != nil {
		return ""
	}
	return fmt.Sprintf("it has %s, and consensus was not tested in round %d", what, s.Round)
}

// recomputeConsensus finds anew whether there is consensus, and what the moderator
// said of it.
func recomputeConsensus(s *state.State, e *state.ConsensusTested) string {
	want := ConsensusOf(s)
	switch {
	case !slices.Equal(want.Unsettled, e.Unsettled):
		return fmt.Sprintf("it records %s unsettled in round %d, and the rules give %s", claimsOrNone(e.Unsettled),
			e.Round, claimsOrNone(want.Unsettled))
	case want.Reached != e.Reached:
		return fmt.Sprintf("it records consensus %t in round %d, and the rules give %t", e.Reached, e.Round,
			want.Reached)
	case want.Reported != e.Reported:
		return fmt.Sprintf("it records that the moderator reported agreement %q in round %d, and it reported %q",
			e.Reported, e.Round, want.Reported)
	}
	return ""
}

func claimsOrNone(ids []string) string {
	if len(ids) == 0 {
		return "no claim"
	}
	return listed(ids)
}

// recomputeBreach looks whether what is called a violation is one as things stood,
// and is recorded for the first time.
func recomputeBreach(s *state.State, e *state.ConstitutionViolated) string {
	p := s.Point(e.Point)
	if p == nil {
		return fmt.Sprintf("it has %s violated by %s, and there is no such claim", e.Constraint, e.Point)
	}
	if s.Council.Breached(e.Constraint, e.Point, e.Challenge) {
		return fmt.Sprintf("it has %s violated by %s a second time", e.Constraint, e.About())
	}
	for _, b := range BreachesOf(s, p) {
		if b.Constraint == e.Constraint && b.Challenge == e.Challenge && b.Seat == e.Seat && b.Text == e.Text {
			return ""
		}
	}
	return fmt.Sprintf("it has %s of the %s violated by %s (%s), and that is no violation", e.Constraint, e.Seat,
		e.About(), e.Text)
}

// recomputeLimit looks whether the limit of a claim was for the seat to say.
func recomputeLimit(s *state.State, e *state.ClaimLimited) string {
	p := s.Point(e.Point)
	if strings.TrimSpace(e.Limit) == "" {
		return fmt.Sprintf("it has %s limited by %s, and names no limit", e.Point, e.By)
	}
	if p != nil && e.By != state.Moderator && !slices.Contains(Defenders(p), e.By) {
		return fmt.Sprintf("it has %s limited by %s, and only its author or the moderator says what it does not cover",
			e.Point, e.By)
	}
	return ""
}

// recomputeMended looks whether a challenge was its seat's to mend, and to be
// mended at all.
func recomputeMended(s *state.State, e *state.ChallengeMended) string {
	c := s.Challenge(e.Challenge)
	switch {
	case c == nil:
		return fmt.Sprintf("it has %s mended, and there is no such challenge", e.Challenge)
	case c.By != e.By:
		return fmt.Sprintf("it has %s mended by %s, and it is of %s", c.ID, e.By, c.By)
	case !slices.ContainsFunc(s.Council.Breaches, func(b state.Breach) bool { return b.Challenge == c.ID }):
		return fmt.Sprintf("it has %s mended, and nothing is violated by that", c.ID)
	}
	return ""
}

// recomputeSynthesis looks whether a synthesis is the moderator's, and the only one
// of its round.
func recomputeSynthesis(s *state.State, e *state.Synthesized) string {
	switch {
	case e.By != state.Moderator:
		return fmt.Sprintf("it has a synthesis by %s, and the moderator gives it", e.By)
	case s.Council.Synthesis(s.Round) != nil:
		return fmt.Sprintf("it has a second synthesis in round %d", s.Round)
	}
	return ""
}

// recomputeWording looks at a claim that one seat words for another: the moderator
// of a council does, of what that one holds.
func recomputeWording(s *state.State, e *state.PointRaised) string {
	if e.For == "" {
		if s.Settings.Format == state.FormatCouncil && e.By != state.Strategist {
			return fmt.Sprintf("it has the claim %s raised by %s, and the strategist holds the claims", e.ID, e.By)
		}
		return ""
	}
	revised := s.Point(e.Revises)
	switch {
	case s.Settings.Format != state.FormatCouncil || e.By != state.Moderator:
		return fmt.Sprintf("it has %s worded by %s for %s, and only the moderator of a council words the claim of "+
			"another", e.ID, e.By, e.For)
	case revised == nil || !revised.IsAuthor(e.For):
		return fmt.Sprintf("it has %s worded for %s, who does not hold what it revises", e.ID, e.For)
	case !Held(revised):
		return fmt.Sprintf("it has %s worded anew as %s, and %s has ended", revised.ID, e.ID, revised.ID)
	case ruleOnClaim(s, revised).Bucket == state.BucketAgreed:
		return fmt.Sprintf("it has %s worded anew as %s, and %s stands by the rules", revised.ID, e.ID, revised.ID)
	case s.Round >= LastRound(s):
		return fmt.Sprintf("it has %s worded anew as %s in the last round, in which nobody tests that", revised.ID,
			e.ID)
	}
	return ""
}
