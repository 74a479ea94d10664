package resolver

import (
	"fmt"
	"slices"

	"moot/state"
)

// bySeats tries what the seats can do next: answer and judge challenges,
// classify, give up the point, call it blocked, place it.
func (w *whatIf) bySeats() {
	if w.running() && !Debated(w.s, w.p) {
		return
	}
	for i, c := range w.challenges {
		if i == mostTried {
			break
		}
		w.onChallenge(c)
	}
	w.onAllChallenges()
	for _, seat := range Evaluators(w.s, w.p) {
		w.onClassification(seat)
	}
	w.onConcession()
	w.onBlocked()
	if w.running() && w.p.Scope == state.Untriaged {
		w.consider(MovedBySeats, "the orchestrator finds it beside the question", "", w.suppose().add(
			&state.PointTriaged{Point: w.p.ID, By: state.Orchestrator, Scope: state.OutOfScope, Reason: "beside the question"}))
		w.consider(MovedBySeats, "the orchestrator takes it as an answer to another reading of the question", "", w.suppose().add(
			&state.PointTriaged{Point: w.p.ID, By: state.Orchestrator, Scope: state.AnchorShift, Reason: "another reading"},
			&state.QuestionSurfaced{ID: state.NextID('Q', w.s.Questions.Len()), Point: w.p.ID, What: state.QuestionAnchorShift, Text: "Do you consent to that reading?", Options: []string{"consent", "refuse"}}))
	}
}

// onChallenge tries the ways in which one challenge can end.
func (w *whatIf) onChallenge(c *state.Challenge) {
	judge := seatName(JudgeOf(w.s, c))
	switch c.Status {
	case state.StandsOpen, state.StandsDropped, state.StandsReminded:
		w.consider(MovedBySeats, c.ID+" is answered and "+judge+" accepts the answer", c.ID+" been answered and the answer accepted",
			w.suppose().answer(c.ID).accept(c.ID))
		w.onRejection(c, judge)
		silence := c.ID + " is not answered"
		if c.Kind == state.Skeptical && c.Status != state.StandsReminded {
			silence += ", not even after the reminder"
		}
		w.consider(MovedBySeats, silence, c.ID+" been left without an answer to the end", w.suppose().silence(c.ID))
	case state.StandsUndefended:
		if !w.running() {
			w.consider(MovedBySeats, "", c.ID+" been answered and the answer accepted", w.suppose().answer(c.ID).accept(c.ID))
		}
	case state.StandsDefended:
		w.onDefended(c, judge)
	case state.StandsConceded:
	}
}

// onRejection tries a rejected answer to a challenge that waits for one: the
// first to a SKEPTICAL opens it again (CH5), the second ends it.
func (w *whatIf) onRejection(c *state.Challenge, judge string) {
	x := w.suppose().answer(c.ID).reject(c.ID)
	clause, had := c.ID+" is answered and "+judge+" rejects the answer", c.ID+" been answered and the answer rejected"
	if c.Kind == state.Skeptical && c.RejectedDefenses() == 0 {
		clause, had = "two answers to "+c.ID+" are rejected", "two answers to "+c.ID+" been rejected"
		x.nextRound().answer(c.ID).reject(c.ID)
	}
	w.consider(MovedBySeats, clause, had, x)
}

// onDefended tries the judgment of an answer, or where it was judged and the
// seats no longer move, the other judgment.
func (w *whatIf) onDefended(c *state.Challenge, judge string) {
	last := c.Last()
	switch {
	case last == nil:
	case last.Judgment == state.Unjudged:
		w.consider(MovedBySeats, judge+" accepts the answer to "+c.ID, "the answer to "+c.ID+" been accepted", w.suppose().accept(c.ID))
		clause, had, x := judge+" rejects the answer to "+c.ID, "the answer to "+c.ID+" been rejected", w.suppose().reject(c.ID)
		if c.Kind == state.Skeptical && c.RejectedDefenses() == 0 {
			clause, had = clause+" and the next one too", "two answers to "+c.ID+" been rejected"
			x.nextRound().answer(c.ID).reject(c.ID)
		}
		w.consider(MovedBySeats, clause, had, x)
	case w.running():
		// Judged is judged, while the session runs.
	case last.Judgment == state.Rejected:
		w.consider(MovedBySeats, "", "the answer to "+c.ID+" been accepted", w.suppose().accept(c.ID))
	case c.Kind == state.Reject:
		w.consider(MovedBySeats, "", "the answer to "+c.ID+" been rejected", w.suppose().reject(c.ID))
	default:
		w.consider(MovedBySeats, "", "two answers to "+c.ID+" been rejected", w.suppose().reject(c.ID).answer(c.ID).reject(c.ID))
	}
}

// onAllChallenges tries that every challenge that stands is answered and
// accepted.
func (w *whatIf) onAllChallenges() {
	standing := w.unaccepted()
	if len(standing) < 2 {
		return
	}
	all := listed(challengeIDs(standing))
	w.considerNew(MovedBySeats, all+" are answered and the answers accepted", all+" been answered and the answers accepted", w.allAccepted())
}

// allAccepted is the course in which every challenge that stands is answered
// and accepted.
func (w *whatIf) allAccepted() *supposed {
	switch standing := w.unaccepted(); {
	case w.settled != nil:
	case len(standing) > mostTogether:
		w.settled = w.suppose().cannot()
	default:
		w.settled = w.suppose().acceptAll(standing)
	}
	return w.settled.branch()
}

// unaccepted returns the challenges that stand against the point.
func (w *whatIf) unaccepted() []*state.Challenge {
	var standing []*state.Challenge
	for _, c := range w.challenges {
		if !c.Settled() || c.Status == state.StandsUndefended {
			standing = append(standing, c)
		}
	}
	return standing
}

// onClassification tries the verdict of a seat that has not given one, or
// where the seats no longer move, another verdict than it gave.
func (w *whatIf) onClassification(seat state.Seat) {
	latest := w.p.Latest(seat)
	if latest != nil && latest.Seq < w.p.Reopened {
		latest = nil
	}
	if w.p.IsAuthor(seat) && len(w.p.Authors) == 1 || latest != nil && w.running() {
		return
	}
	name := seatName(seat)
	if latest == nil || latest.Class != state.Agree {
		w.consider(MovedBySeats, name+" agrees with it", name+" agreed with it", w.suppose().classify(seat, state.Agree, false))
		if slices.ContainsFunc(w.p.CalledValue, w.p.IsAuthor) && !slices.Contains(w.p.CalledValue, seat) {
			w.consider(MovedBySeats, name+" agrees and calls it a value judgment too", name+" agreed and called it a value judgment too", w.suppose().classify(seat, state.Agree, true))
		}
	}
	if latest == nil || latest.Class == state.Agree {
		w.consider(MovedBySeats, name+" is skeptical", name+" been skeptical", w.suppose().classify(seat, state.Skeptical, false))
		x := w.suppose().classify(seat, state.Reject, false)
		w.consider(MovedBySeats, name+" rejects it", name+" rejected it", x)
		id := state.NextID('C', w.s.Challenges.Len())
		w.consider(MovedBySeats, name+" rejects it and the answer does not convince", name+" rejected it and the answer not convinced",
			w.suppose().classify(seat, state.Reject, false).answer(id).reject(id))
	}
}

// onConcession tries that the authors give the point up. Where nothing is
// asked of them, that is far off.
func (w *whatIf) onConcession() {
	if w.base.Bucket == state.BucketDismissed {
		return
	}
	x := w.suppose()
	x.far = w.waiting() == nil
	for _, a := range w.p.Authors {
		if a == state.User || a == state.Protocol {
			return
		}
		if w.p.Holds(a) {
			x.add(&state.PointConceded{Point: w.p.ID, By: a, Reason: "given up"})
		}
	}
	give := " gives it up"
	if len(w.p.Authors) > 1 {
		give = " give it up"
	}
	w.consider(MovedBySeats, seatNames(w.p.Authors)+give, seatNames(w.p.Authors)+" given it up", x)
}

// onBlocked tries a BLOCKED claim of the seat that has to answer (CH7).
func (w *whatIf) onBlocked() {
	seats := Defenders(w.p)
	if len(seats) == 0 || w.waiting() == nil {
		return
	}
	x := w.suppose().answerAll()
	x.add(&state.PointBlocked{Point: w.p.ID, Blocked: state.Blocked{
		By: seats[0], Measurement: "a measurement", Threshold: "a threshold", Below: "one verdict", Above: "the other",
	}})
	name := seatName(seats[0])
	w.consider(MovedBySeats, name+" says which measurement is missing (BLOCKED)", name+" said which measurement is missing (BLOCKED)", x)
}

func answerable(c *state.Challenge) bool {
	switch c.Status {
	case state.StandsOpen, state.StandsDropped, state.StandsReminded:
		return true
	case state.StandsDefended, state.StandsUndefended, state.StandsConceded:
	}
	return false
}

// answer lets the author answer a challenge.
func (x *supposed) answer(id string) *supposed {
	c := x.s.Challenge(id)
	seats := Defenders(x.here())
	if c == nil || len(seats) == 0 || !x.past && !answerable(c) {
		return x.cannot()
	}
	if c.Status == state.StandsOpen {
		x.window(seats[0], state.StageAnswer)
	}
	// Another text each time: one that repeats would be asked for its terms (JU6).
	text := fmt.Sprintf("answer %d to %s", len(c.Defenses)+1, id)
	return x.add(&state.ChallengeAnswered{Challenge: id, By: seats[0], Text: text})
}

// answerAll lets the author answer every challenge that waits for it.
func (x *supposed) answerAll() *supposed {
	if x.impossible {
		return x
	}
	ids := x.here().Challenges
	if len(ids) > mostTogether {
		return x.cannot()
	}
	for _, id := range ids {
		if c := x.s.Challenge(id); c != nil && answerable(c) {
			x.answer(id)
		}
	}
	return x
}

// accept lets the challenger accept the last answer; with no other attack of
// its own left, it agrees then (CH5).
func (x *supposed) accept(id string) *supposed {
	c := x.s.Challenge(id)
	if x.impossible || c == nil || Contradicted(&x.s, x.point) != nil {
		return x.cannot()
	}
	judge := JudgeOf(&x.s, c)
	x.window(judge, x.evaluation())
	x.add(&state.ChallengeJudged{Challenge: id, By: judge, Judgment: state.Accepted, Reason: "the answer shows it"})
	for _, other := range x.here().Challenges {
		if o := x.s.Challenge(other); other != id && o.By == judge && !o.Settled() {
			return x
		}
	}
	return x.add(&state.PointClassified{
		Point: x.point, By: judge, Class: state.Agree, Reason: "the answer shows it", Value: slices.Contains(x.here().CalledValue, judge),
	})
}

// reject lets the challenger reject the last answer; the first rejection of a
// SKEPTICAL gives one more chance (CH5).
func (x *supposed) reject(id string) *supposed {
	c := x.s.Challenge(id)
	if x.impossible || c == nil {
		return x.cannot()
	}
	judge := JudgeOf(&x.s, c)
	x.window(judge, x.evaluation())
	return x.add(&state.ChallengeJudged{
		Challenge: id, By: judge, Judgment: state.Rejected, Reason: "the answer does not hold",
		Reopens: c.Kind == state.Skeptical && c.RejectedDefenses() == 0,
	})
}

// acceptAll lets all the challenges be answered and accepted.
func (x *supposed) acceptAll(challenges []*state.Challenge) *supposed {
	for _, c := range challenges {
		if last := c.Last(); c.Status != state.StandsDefended || last != nil && last.Judgment == state.Rejected && !x.past {
			x.answer(c.ID)
		}
	}
	for _, c := range challenges {
		x.accept(c.ID)
	}
	return x
}

// silence lets the windows of a challenge pass (CH2, CH3).
func (x *supposed) silence(id string) *supposed {
	c := x.s.Challenge(id)
	seats := Defenders(x.here())
	if c == nil || len(seats) == 0 {
		return x.cannot()
	}
	if c.Status == state.StandsOpen {
		x.window(seats[0], state.StageAnswer)
	}
	if c.Kind == state.Reject {
		return x.add(&state.ChallengeUndefended{Challenge: id, Reason: "not referenced in its one defense round (CH3)"})
	}
	if c.Status == state.StandsOpen {
		x.add(&state.ChallengeDropped{Challenge: id})
	}
	if c.Status != state.StandsReminded {
		x.add(&state.ChallengeReminded{Challenge: id})
	}
	return x.add(&state.ChallengeUndefended{Challenge: id, Reason: "not referenced after the reminder (CH2)"})
}

// classify lets a seat judge the point, with the challenge that follows
// (RD3, RD4).
func (x *supposed) classify(seat state.Seat, class state.Class, value bool) *supposed {
	x.window(seat, x.evaluation())
	if x.here().Scope == state.Untriaged {
		x.add(&state.PointTriaged{Point: x.point, By: state.Protocol, Scope: state.InScope, Reason: "judged, so in scope"})
	}
	x.add(&state.PointClassified{Point: x.point, By: seat, Class: class, Reason: "a reason", Value: value})
	attack := class == state.Skeptical || class == state.Reject
	if !attack || !x.past && x.s.Round >= LastRound(&x.s) {
		return x
	}
	e := &state.ChallengeRaised{
		ID: state.NextID('C', x.s.Challenges.Len()), Point: x.point, By: seat, What: class, Objection: "a flaw", UpgradeIf: "the flaw is removed",
	}
	if class == state.Reject {
		e.FlawKind, e.Grounds, e.WhyNotSkeptical = state.Empirical, "its grounds", "nothing would remove it"
	}
	return x.add(e)
}
