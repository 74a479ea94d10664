package protocol

import (
	"fmt"
	"slices"
	"strings"

	"moot/resolver"
	"moot/state"
)

// maxChallenges bounds the challenges of one seat to one point.
const maxChallenges = 7

// challenge issues a challenge (RD4). A seat may raise several on one point
// where they say different things; what raises none is told to the seat.
func (a *admission) challenge(p *state.Point, m *Classify) error {
	if !formatOf(&a.s).answerable(&a.s) {
		// The classification is on the record with its flaw.
		return nil
	}
	mine := 0
	for _, id := range p.Challenges {
		c := a.s.Challenge(id)
		if c.By != a.seat {
			continue
		}
		mine++
		if resolver.Similarity(c.Objection, m.Flaw) >= resolver.Repeats {
			a.tell("repeated", "%s says that already of %s", c.ID, p.ID)
			return nil
		}
	}
	if mine >= maxChallenges {
		a.tell("too-many", "a seat raises at most %d challenges on a point, and you did on %s", maxChallenges, p.ID)
		return nil
	}
	return a.add(&state.ChallengeRaised{
		ID: a.nextChallenge(), Point: p.ID, By: a.seat, What: m.Class, Objection: m.Flaw, UpgradeIf: m.UpgradeIf,
		FlawKind: m.FlawKind, Grounds: m.Grounds, WhyNotSkeptical: m.WhyNotSkeptical, Narrower: m.Narrower,
	})
}

// tell lets the seat know what of its move had no effect; the rest stands.
func (a *admission) tell(code, format string, args ...any) {
	a.refused = append(a.refused, state.Refusal{Code: code, Text: fmt.Sprintf(format, args...)})
}

// judge is JUDGE (CH5).
func (a *admission) judge(m *Judge) error {
	c := a.s.Challenge(m.Challenge)
	if c == nil {
		return refuse("unknown-challenge", "there is no challenge %q", m.Challenge)
	}
	last := c.Last()
	switch {
	case judgeOf(&a.s, c) != a.seat:
		return refuse("not-challenger", "%s is not for %s to judge (CH5)", c.ID, a.seat)
	case c.Status != state.StandsDefended || last == nil || last.Judgment != state.Unjudged:
		return refuse("nothing-to-judge", "%s has no defense that waits for a judgment", c.ID)
	case strings.TrimSpace(m.Reason) == "":
		return refuse("no-reason", "a judgment of %s needs its reason", c.ID)
	}
	switch m.Judgment {
	case state.Accepted:
		if !positive(m.Reason) {
			return refuse("not-positive", "accepting the defense of %s needs something positive that it shows (JU2)",
				c.ID)
		}
		if other := resolver.Contradicted(&a.s, c.Point); other != nil {
			return refuse("contradiction",
				"%s says the opposite and stands: both cannot hold, so the defense of %s cannot be accepted too (RD1b, ST6)", other.ID, c.ID)
		}
		return a.accept(c, m)
	case state.Rejected:
		return a.rejectDefense(c, a.seat, m.Reason)
	case state.Unjudged:
	}
	return refuse("judgment", "a judgment is accepted or rejected")
}

// rejectDefense records a rejection. A SKEPTICAL challenge gets one more
// chance; a REJECT is terminal (CH3, CH5).
func (a *admission) rejectDefense(c *state.Challenge, by state.Seat, reason string) error {
	again := c.Kind == state.Skeptical && c.RejectedDefenses() == 0
	return a.add(&state.ChallengeJudged{
		Challenge: c.ID, By: by, Judgment: state.Rejected, Reason: reason,
		Reopens: again,
	})
}

// accept records an acceptance and what it lifts the point to (CH5).
func (a *admission) accept(c *state.Challenge, m *Judge) error {
	lift := state.Agree
	if c.Kind == state.Reject && m.Lift == state.Skeptical {
		lift = state.Skeptical
	}
	p := a.s.Point(c.Point)
	if err := a.add(&state.ChallengeJudged{
		Challenge: c.ID, By: a.seat, Judgment: state.Accepted,
		Reason: m.Reason,
	}); err != nil {
		return err
	}
	if lift == state.Agree && a.attacks(p, c.ID) {
		// Another attack of the seat still stands: it does not agree yet.
		return nil
	}
	value := slices.Contains(p.CalledValue, a.seat)
	if err := a.add(&state.PointClassified{
		Point: p.ID, By: a.seat, Class: lift, Reason: m.Reason,
		Value: value,
	}); err != nil {
		return err
	}
	if lift == state.Skeptical && a.s.Round < lastRound(&a.s) {
		return a.add(&state.ChallengeRaised{
			ID: a.nextChallenge(), Point: p.ID, By: a.seat, What: state.Skeptical,
			Objection: firstSentence(m.Reason), UpgradeIf: first(m.UpgradeIf, "the doubt that is left is removed"),
		})
	}
	return nil
}

// attacks reports whether a challenge of the seat on the point, other than the
// named one, is not settled.
func (a *admission) attacks(p *state.Point, except string) bool {
	for _, id := range p.Challenges {
		if c := a.s.Challenge(id); id != except && c.By == a.seat && !c.Settled() {
			return true
		}
	}
	return false
}
