package claims

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
)

// maxChallenges bounds the challenges of one seat to one point.
const maxChallenges = 7

// challenge issues a challenge (RD4). A seat may raise several different ones on one point.
// The seat is notified if its move raises none.
func (a *Admitter) challenge(p *state.Point, m *move.Classify) error {
	if !Of(a.State).Answerable(a.State) {
		// The classification is recorded with its flaw.
		return nil
	}
	if p.Deadlock != state.DeadlockNone {
		// Nobody would be asked to answer it (CH3b).
		a.Notify("deadlocked", "%s is deadlocked: no seat is asked about it again", p.ID)
		return nil
	}
	mine := 0
	// A challenge to an earlier form of the point with the same words counts: it was answered
	// there.
	for form := p; form != nil; form = a.State.Point(form.Revises) {
		if resolver.Normalized(form.Text) != resolver.Normalized(p.Text) {
			continue
		}
		for _, id := range form.Challenges {
			c := a.State.Challenge(id)
			if c.By != a.Seat || form != p && c.Revised {
				// One that ended with its wording was never answered.
				continue
			}
			if form == p {
				mine++
			}
			if resolver.Similarity(c.Objection, m.Flaw) >= resolver.Repeats {
				a.Notify("repeated", "%s says that already of %s", c.ID, form.ID)
				return nil
			}
		}
	}
	if mine >= maxChallenges {
		// The word of the seat on the point stays.
		a.Refused = append(a.Refused, state.Refusal{
			Code: state.NotTaken, Said: plain.Clip(m.Flaw, protocol.MaxUntaken),
			Text: fmt.Sprintf(
				"a seat raises at most %d challenges on a point, and %s did on %s",
				maxChallenges,
				a.Seat,
				p.ID,
			),
		})
		return nil
	}
	return a.Add(&state.ChallengeRaised{
		ID: a.State.NextChallenge(), Point: p.ID, By: a.Seat, Kind: m.Class, Objection: m.Flaw, UpgradeIf: m.UpgradeIf,
		FlawKind: m.FlawKind, Grounds: m.Grounds, WhyNotSkeptical: m.WhyNotSkeptical, Narrower: m.Narrower,
	})
}

// judge admits a JUDGE (CH5).
func (a *Admitter) judge(m *move.Judge) error {
	c := a.State.Challenge(m.Challenge)
	if c == nil {
		return protocol.Refuse("unknown-challenge", "there is no challenge %q", m.Challenge)
	}
	judged := slices.IndexFunc(a.Events, func(e state.Payload) bool {
		j, is := e.(*state.ChallengeJudged)
		return is && j.Challenge == c.ID && j.By == a.Seat
	})
	switch {
	case resolver.JudgeOf(a.State, c) != a.Seat:
		return protocol.Refuse("not-challenger", "%s is not for %s to judge", c.ID, a.Seat)
	case judged >= 0 && a.Events[judged].(*state.ChallengeJudged).Judgment == m.Judgment:
		return protocol.Refuse("repeated", "this reply judges %s twice; the first judgment is taken", c.ID)
	case judged >= 0:
		// The most critical one was admitted first (ST0).
		return protocol.Refuse(
			"more-critical",
			"this reply accepts and rejects the answer to %s; the rejection holds",
			c.ID,
		)
	case c.Status != state.StandsAnswered:
		return protocol.Refuse("nothing-to-judge", "%s has no defense that waits for a judgment", c.ID)
	case strings.TrimSpace(m.Reason) == "":
		return protocol.Refuse("no-reason", "a judgment of %s needs its reason", c.ID)
	}
	switch m.Judgment {
	case state.Accepted:
		if !c.Last().Blocked && !positive(m.Reason) {
			return protocol.Refuse("not-positive", "accepting the defense of %s needs something positive that it shows",
				c.ID)
		}
		if other := resolver.Contradicted(a.State, c.Point); other != nil {
			return protocol.Refuse(
				"contradiction",
				"%s says the opposite and is not refuted: both cannot be true, so the defense of %s cannot be accepted too",
				other.ID,
				c.ID,
			)
		}
		return a.acceptDefense(c, m)
	case state.Rejected:
		return a.rejectDefense(c, a.Seat, m.Reason)
	case state.Unjudged:
	}
	return protocol.Refuse("judgment", "a judgment is accepted or rejected")
}

// rejectDefense records a rejection. A SKEPTICAL challenge gets one more
// chance; a REJECT is terminal (CH3, CH5).
func (a *Admitter) rejectDefense(c *state.Challenge, by state.Seat, reason string) error {
	again := c.Kind == state.Skeptical && c.RejectedDefenses() == 0
	if by == a.Seat {
		a.Object(a.State.Point(c.Point))
	}
	return a.Add(&state.ChallengeJudged{
		Challenge: c.ID, By: by, Judgment: state.Rejected, Reason: reason,
		Reopens: again,
	})
}

// acceptDefense records an acceptance and the resulting class of the point (CH5).
func (a *Admitter) acceptDefense(c *state.Challenge, m *move.Judge) error {
	lift := state.Agree
	if c.Kind == state.Reject && m.Lift == state.Skeptical {
		lift = state.Skeptical
	}
	p := a.State.Point(c.Point)
	a.Record(&state.ChallengeJudged{Challenge: c.ID, By: a.Seat, Judgment: state.Accepted, Reason: m.Reason})
	for _, item := range resolver.RestsOn(a.State, c) {
		// By accepting the answer, the judge says that the item behind the challenge does not bear
		// on the point (AC8).
		if item.Proven() && !slices.ContainsFunc(item.Contests,
			func(k ledger.Contest) bool { return k.Seat == string(a.Seat) && !k.Ended }) {
			a.Record(&state.EvidenceContested{ID: item.ID, By: a.Seat, Reason: "accepted the answer to " + c.ID})
		}
	}
	if c.Last().Blocked {
		return nil
	}
	if lift == state.Agree {
		if a.Objects(p) || a.attacks(p, c.ID) {
			// The reply objects to the point, or another challenge of the seat is still open: it does not
			// agree yet (ST0).
			return nil
		}
		a.Agrees(p, m.Reason)
	}
	if lift == state.Agree || !a.Objects(p) {
		a.Record(&state.PointClassified{Point: p.ID, By: a.Seat, Class: lift, Reason: m.Reason})
	}
	if lift == state.Skeptical {
		a.Object(p)
	}
	if lift == state.Skeptical && a.State.Round < resolver.LastRound(a.State) {
		return a.Add(&state.ChallengeRaised{
			ID: a.State.NextChallenge(), Point: p.ID, By: a.Seat, Kind: state.Skeptical,
			Objection: plain.FirstSentence(m.Reason),
			UpgradeIf: m.UpgradeIf,
		})
	}
	return nil
}

// attacks reports whether a challenge of the seat on the point, other than the
// named one, is not settled.
func (a *Admitter) attacks(p *state.Point, except string) bool {
	return slices.ContainsFunc(p.Challenges, func(id string) bool {
		c := a.State.Challenge(id)
		return id != except && c.By == a.Seat && !c.Settled()
	})
}

// positive reports whether a reason supports a point, rather than only saying that no problem was
// found (JU2).
func positive(reason string) bool { return strings.TrimSpace(reason) != "" && !FoundNothing(reason) }

// FoundNothing reports whether a text only says that no problem was found. With SKEPTICAL or REJECT
// that is a contradiction (RD3).
func FoundNothing(text string) bool {
	plain := strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && r != '\''
	}), " ")
	for _, lead := range []string{
		"i ", "we ", "there is ", "there are ", "there were ", "have ", "found ", "see ",
		"could find ", "can find ",
	} {
		plain = strings.TrimPrefix(plain, lead)
	}
	switch plain {
	case "no flaw", "no flaws", "no problem", "no problems", "no issue", "no issues", "none", "nothing", "n a", "na",
		"no objection", "no objections", "nothing wrong", "no concrete flaw", "no flaw found", "no problem found",
		"no problems found", "no issue found", "no issues found", "looks good", "looks fine", "looks good to me",
		"lgtm",
		"seems fine", "seems good", "fine", "ok", "okay", "good", "no concerns", "i agree", "agree", "agreed":
		return true
	}
	return false
}
