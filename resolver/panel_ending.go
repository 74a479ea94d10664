package resolver

import (
	"fmt"
	"slices"

	"moot/resolver/conflict"
	"moot/state"
)

// EndedBy is what ended a conflict of a panel.
type EndedBy string

// What can end a conflict.
const (
	// EndedByNothing is for one that did not end.
	EndedByNothing EndedBy = ""
	// EndedByVote and EndedByWeight are strategies.
	EndedByVote   EndedBy = "vote"
	EndedByWeight EndedBy = "evidence_weight"
	// EndedByDebate is for a side that was given up or lost where both argued.
	EndedByDebate EndedBy = "debate"
	EndedByUser   EndedBy = "user"
)

// Ending is how a conflict came out.
type Ending struct {
	By EndedBy
	// Winner is the point that prevailed, "" where neither did.
	Winner string
	// Dropped says that it is no conflict after all, or none any more.
	Dropped bool
	// Why says it in words, "" where there is nothing to say. Question is what the
	// user is asked about it and has not answered, or ""; Waits says that the
	// session still waits for that.
	Why, Question string
	Waits         bool
	// Measure is what a weight compared: MeasureEvidence or MeasureTokens.
	Measure string
	// Arguing says that the two sides are still arguing it: the user is not asked yet.
	Arguing bool
}

// Ending says how a conflict came out. What the user ruled counts before what a
// strategy says.
func (t *Table) Ending(c *state.Conflict) Ending {
	if !t.stands(c) {
		return Ending{Dropped: true, Why: t.apart(c)}
	}
	a, b := t.Sides(c)
	e := Ending{Question: t.asked(c)}
	switch {
	case t.ruledOut(a) || t.ruledOut(b) || t.ruled(a) && t.ruled(b):
		e.By, e.Winner = EndedByUser, t.favored(a, b)
		e.Why = t.reasons(c, a, b)
	case Settled(c):
		e.By, e.Winner, e.Why, e.Measure = EndedByWeight, c.Settlement.Winner, c.Settlement.Reasoning,
			c.Settlement.Measure
		if c.Settlement.Method == string(conflict.Vote) {
			e.By = EndedByVote
		}
	case t.Ended(c):
		e.By, e.Winner = EndedByDebate, t.favored(a, b)
		e.Why = t.reasons(c, a, b)
	default:
		e.Arguing = e.Question == "" && Arguing(t.s, c) && !t.s.Over()
		e.Waits = !t.s.Over()
		e.Why = t.unclear(c)
	}
	return e
}

// Words say how the conflict came out, and why. User is how the user is called:
// "you", "the user".
func (e *Ending) Words(user string) string {
	if e.Why == "" || e.Arguing {
		return e.Short(user)
	}
	return e.Short(user) + ": " + e.Why
}

// Short says how the conflict came out: "settled for P1 by vote", "left to you,
// Q1". User is how the user is called.
func (e *Ending) Short(user string) string {
	winner := e.Winner
	if winner == "" {
		winner = state.AnswerNeither
	}
	switch {
	case e.Arguing:
		return "being argued"
	case e.Dropped:
		return "no conflict"
	case e.By == EndedByNothing && e.Question != "" && e.Waits:
		return "waits for " + user + ", " + e.Question
	case e.By == EndedByNothing && e.Question != "":
		return "left to " + user + ", " + e.Question
	}
	return e.ended(user, winner)
}

func (e *Ending) ended(user, winner string) string {
	switch e.By {
	case EndedByVote:
		return "settled for " + winner + " by vote"
	case EndedByWeight:
		return "settled for " + winner + " by " + e.Measure
	case EndedByDebate:
		return "argued out for " + winner
	case EndedByUser:
		return "decided for " + winner + " by " + user
	case EndedByNothing:
	}
	return "not settled"
}

// unclear says why a conflict is not settled, "" where nothing tried to.
func (t *Table) unclear(c *state.Conflict) string {
	r := c.Settlement
	switch {
	case c.Argued:
		return "arguing did not end it"
	case r == nil:
		return ""
	case r.Method == string(conflict.Escalate) && t.strategy() == conflict.Escalate:
		return ""
	}
	return r.Reasoning
}

// apart says why a recorded conflict does not stand; "" where a dropped one was
// given no reason.
func (t *Table) apart(c *state.Conflict) string {
	a, b := t.Sides(c)
	switch {
	case c.Dropped:
		return c.DroppedReason
	case a != nil && a == b:
		return fmt.Sprintf("%s and %s say the same by now", c.A, c.B)
	}
	for _, other := range t.live {
		if sides := t.between[other.ID]; sides == [2]*Claim{a, b} || sides == [2]*Claim{b, a} {
			return other.ID + " is about the same two sides"
		}
	}
	return "one of its sides was put aside"
}

// asked is the question about a conflict that the user has not answered, or "".
func (t *Table) asked(c *state.Conflict) string {
	for _, q := range t.s.Questions.All() {
		if q.About == state.AboutConflict+c.ID && !q.Answered {
			return q.ID
		}
	}
	return ""
}

// ruledOut reports whether no point of a claim is left because of what the user
// said.
func (t *Table) ruledOut(c *Claim) bool {
	return !slices.ContainsFunc(c.Points, func(id string) bool {
		p := t.s.Point(id)
		return !(p.UserRuling != nil && p.UserRuling.Bucket == state.BucketDismissed ||
			p.UserRuling == nil && Violates(t.s, p))
	})
}

// favored is the one side that is left: the first point of it that stands, or ""
// where both do, or neither.
func (t *Table) favored(a, b *Claim) string {
	upheld := func(c *Claim) bool { return t.agreedByUser(c) != "" }
	if t.gone(a) == t.gone(b) {
		switch {
		case upheld(a) == upheld(b):
			return ""
		case upheld(a):
			return a.Points[0]
		}
		return b.Points[0]
	}
	if t.gone(a) {
		a = b
	}
	return a.Points[0]
}

// reasons say why the sides of a conflict that fell did so, as far as there is
// more to say than that the user decided the conflict.
func (t *Table) reasons(c *state.Conflict, sides ...*Claim) string {
	why := ""
	for _, side := range sides {
		p := t.s.Point(side.Points[0])
		reason := ""
		switch u := p.UserRuling; {
		case !t.gone(side):
		case u == nil:
			reason = t.rule(p).Reason
		case u.Reason != state.DecidedReason(c.ID):
			reason = u.Reason
		}
		if reason == "" {
			continue
		}
		if why != "" {
			why += "; "
		}
		why += p.ID + " fell: " + reason
	}
	return why
}
