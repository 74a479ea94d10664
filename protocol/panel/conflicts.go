package panel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/ledger"
	"moot/resolver"
	"moot/resolver/conflict"
	"moot/state"
)

// sameAuthors reports whether two points have the same authors.
func sameAuthors(p, q *state.Point) bool {
	return len(p.Authors) == len(q.Authors) &&
		!slices.ContainsFunc(p.Authors, func(seat state.Seat) bool { return !q.IsAuthor(seat) })
}

// Settled reports whether the strategy ended a conflict.
func Settled(c *Conflict) bool { return c.Settlement != nil && c.Settlement.Settled }

// arguing reports whether the two sides of a conflict still argue it.
func arguing(s *state.State, c *Conflict) bool {
	return c.Argued && !c.Dropped && !Settled(c) && arguable(s, c)
}

// arguable reports whether each side of a conflict has a panelist that can argue for it.
func arguable(s *state.State, c *Conflict) bool {
	for _, id := range []string{c.A, c.B} {
		p := s.Current(id)
		if p == nil || !resolver.Held(p) || !slices.ContainsFunc(panelists(s), func(seat state.Seat) bool {
			return p.Holds(seat) && !s.Misses(seat)
		}) {
			return false
		}
	}
	return s.Current(c.A) != s.Current(c.B)
}

// Argued reports whether a point is argued in a conflict.
func Argued(s *state.State, p *state.Point) bool { return len(contests(s, p)) > 0 }

// contests returns the conflicts in which a point is argued.
func contests(s *state.State, p *state.Point) []*Conflict {
	return Of(s).Conflicts.Filter(func(c *Conflict) bool {
		return c.Argued && (s.Current(c.A) == p || s.Current(c.B) == p) && contest(s, c)
	})
}

// contest reports whether a conflict is argued. Once a side is given up or lost, the argument
// is over, except that a reminded side still has its turn: the order of replies must not decide
// between two silent sides (CH2).
func contest(s *state.State, c *Conflict) bool {
	if !c.Argued || c.Dropped || Settled(c) {
		return false
	}
	a, b := s.Current(c.A), s.Current(c.B)
	if a == b || a == nil || b == nil || !resolver.Held(a) || !resolver.Held(b) {
		return false
	}
	return !resolver.Lost(s, a) && !resolver.Lost(s, b) || slices.ContainsFunc(c.Challenges, func(id string) bool {
		k := s.Challenge(id)
		return k != nil && k.Status == state.StandsReminded
	})
}

// Contradictory returns the marked pairs on one subject that don't say the same and for which no
// conflict is recorded yet, in the order in which they were marked.
func Contradictory(s *state.State) []ConflictFound {
	t := NewTable(s)
	var found []ConflictFound
	known := map[[2]*Claim]bool{}
	for _, sides := range t.between {
		known[sides] = true
	}
	for _, pair := range t.carried(marks(s)) {
		p, q := s.Current(pair.A), s.Current(pair.B)
		if !pair.Same || pair.Alike || p == nil || q == nil || !resolver.Held(p) || !resolver.Held(q) {
			continue
		}
		a, b := t.stance[p.ID], t.stance[q.ID]
		if a == nil || b == nil || a == b || known[[2]*Claim{a, b}] || known[[2]*Claim{b, a}] {
			continue
		}
		known[[2]*Claim{a, b}] = true
		kind := conflict.Disagreement
		if pair.Opposed {
			kind = conflict.Contradiction
		}
		found = append(found, ConflictFound{What: kind, A: p.ID, B: q.ID, By: pair.By, Challenges: []string{}})
	}
	return found
}

// carried adds marks for points that said the same as a revised point: they were not revised,
// so they inherit its conflicts.
func (t *Table) carried(marked []state.PointsPaired) []state.PointsPaired {
	left := map[string][]string{}
	for _, pair := range marked {
		a, b := t.s.Live(pair.A), t.s.Live(pair.B)
		if pair.Alike && a != nil && b != nil {
			left[a.ID], left[b.ID] = append(left[a.ID], b.ID), append(left[b.ID], a.ID)
		}
	}
	all := marked
	for _, pair := range marked {
		for i, id := range [2]string{pair.A, pair.B} {
			p := t.s.Live(id)
			if pair.Alike || p == nil || p.RevisedBy == "" {
				continue
			}
			for _, same := range left[p.ID] {
				heir := pair
				if heir.A = same; i == 1 {
					heir.A, heir.B = pair.A, same
				}
				all = append(all, heir)
			}
		}
	}
	return all
}

// Ended reports whether a conflict ended without its strategy: one side was dismissed, or the
// user ruled on every point of both.
func (t *Table) Ended(c *Conflict) bool {
	a, b := t.Sides(c)
	return a == nil || b == nil || t.gone(a) || t.gone(b) || t.ruled(a) && t.ruled(b)
}

// every reports whether all points of a claim pass a test.
func (t *Table) every(c *Claim, passes func(*state.Point) bool) bool {
	return !slices.ContainsFunc(t.points(c), func(p *state.Point) bool { return !passes(p) })
}

// fallen reports whether each point of a claim is dismissed by AC1 to AC8 or AC10, regardless of
// conflicts.
func (t *Table) fallen(c *Claim) bool {
	fell, known := t.fell[c]
	if !known {
		fell = t.every(c, func(p *state.Point) bool {
			b, last := t.wholeBasis(p), "AC10"
			if !b.Empirical() {
				// AC10 is about empirical points. AC9 would rule on the premises of a decision, whose conflicts may lead
				// back to it.
				last = "AC8"
			}
			r, _ := resolver.Acceptance().Through(last).Rule(b)
			return r.Bucket == state.BucketDismissed
		})
		t.fell[c] = fell
	}
	return fell
}

// gone reports whether a claim is fallen or lost a conflict (PN1).
func (t *Table) gone(c *Claim) bool {
	went, known := t.went[c]
	if !known {
		went = t.fallen(c) || t.every(c, func(p *state.Point) bool {
			lost := t.outvoted(t.wholeBasis(p))
			return lost != nil && lost.Bucket == state.BucketDismissed
		})
		t.went[c] = went
	}
	return went
}

// ruled reports whether the user ruled on every point of a claim.
func (t *Table) ruled(c *Claim) bool {
	return t.every(c, func(p *state.Point) bool { return p.UserRuling != nil })
}

// userRuled reports whether the user put a point into a bucket.
func userRuled(p *state.Point, bucket state.Bucket) bool {
	return p.UserRuling != nil && p.UserRuling.Bucket == bucket
}

// agreedByUser returns the first point of a claim that the user agreed with, or "".
func (t *Table) agreedByUser(c *Claim) string {
	for _, p := range t.points(c) {
		if userRuled(p, state.BucketAgreed) {
			return p.ID
		}
	}
	return ""
}

// concededBy returns the concessions of a claim if all of its points are conceded.
func (t *Table) concededBy(c *Claim) []state.Concession {
	var given []state.Concession
	for _, p := range t.points(c) {
		if _, conceded := p.Conceded(); !conceded {
			return nil
		}
		given = append(given, p.Concessions...)
	}
	return given
}

// EndedBy names the way in which a conflict of a panel ended.
type EndedBy string

// The ways in which a conflict can end.
const (
	// EndedByNothing is for one that did not end.
	EndedByNothing EndedBy = ""
	// EndedByVote and EndedByWeight are strategies.
	EndedByVote   = EndedBy(conflict.Vote)
	EndedByWeight = EndedBy(conflict.EvidenceWeight)
	// EndedByDebate is for a side that was given up or lost where both argued.
	EndedByDebate EndedBy = "debate"
	EndedByUser   EndedBy = "user"
)

// Ending is the outcome of a conflict.
type Ending struct {
	By EndedBy `json:"settled_by"`
	// Winner is the point that prevailed, or "".
	Winner string `json:"winner"`
	// Dropped is set if the two sides do not conflict, or no longer do.
	Dropped bool `json:"dropped"`
	// Why is a clause or "". Question is the open question to the user about it, or "".
	Why      string `json:"reason"`
	Question string `json:"question"`
	// Waits is set if the session still waits for the answer, Arguing while the two sides argue:
	// the user is not asked yet.
	Waits   bool `json:"-"`
	Arguing bool `json:"-"`
	// Measure names the weight: MeasureEvidence or MeasureTokens.
	Measure string `json:"-"`
	// Both is set if the user agreed with both sides.
	Both bool `json:"-"`
}

// Ending returns the outcome of a conflict. The user's rulings outrank the strategy.
func (t *Table) Ending(c *Conflict) Ending {
	if !t.isLive(c) {
		const gone = "its sides say the same by now, or one was put aside"
		return Ending{Dropped: true, Why: cmp.Or(c.DroppedReason, gone)}
	}
	a, b := t.Sides(c)
	var e Ending
	if q := questionAbout(t.s, c); q != nil && !q.Answered {
		e.Question = q.ID
	}
	switch {
	case t.ruledOut(a) || t.ruledOut(b) || t.ruled(a) && t.ruled(b):
		e.By, e.Winner = EndedByUser, t.favored(a, b)
		e.Both = e.Winner == "" && t.agreedByUser(a) != "" && t.agreedByUser(b) != ""
		e.Why = t.reasons(c, a, b)
	case Settled(c):
		r := c.Settlement
		e.By, e.Winner, e.Why, e.Measure = EndedBy(r.Method), r.Winner, r.Reasoning, r.Measure
	case t.Ended(c):
		e.By, e.Winner = EndedByDebate, t.favored(a, b)
		e.Why = t.reasons(c, a, b)
	default:
		e.Arguing = e.Question == "" && arguing(t.s, c) && !t.s.Over()
		e.Waits = !t.s.Over()
		e.Why = t.unclear(c)
	}
	return e
}

// Words gives the outcome and the reason. User is "you" or "the user".
func (e *Ending) Words(user string) string {
	if e.Why == "" || e.Arguing {
		return e.Short(user)
	}
	return e.Short(user) + ": " + e.Why
}

// Short gives the outcome: "settled for P1 by vote", "left to you, Q1". User is "you" or "the
// user".
func (e *Ending) Short(user string) string {
	winner := cmp.Or(e.Winner, answerNeither)
	if e.Both {
		winner = "both"
	}
	switch {
	case e.Arguing:
		return "being argued"
	case e.Dropped:
		return "no conflict"
	case e.By == EndedByVote:
		return "settled for " + winner + " by vote"
	case e.By == EndedByWeight:
		return "settled for " + winner + " by " + e.Measure
	case e.By == EndedByDebate:
		return "argued out for " + winner
	case e.By == EndedByUser:
		return "decided for " + winner + " by " + user
	case e.Question != "" && e.Waits:
		return "waits for " + user + ", " + e.Question
	case e.Question != "":
		return "left to " + user + ", " + e.Question
	}
	return "not settled"
}

// unclear says why a conflict is not settled, or "" if nothing tried to settle it.
func (t *Table) unclear(c *Conflict) string {
	r := c.Settlement
	switch {
	case c.Argued:
		return "arguing did not end it"
	case r == nil:
		return ""
	case r.Method == string(conflict.Escalate) && strategy(t.s) == conflict.Escalate:
		return ""
	}
	return r.Reasoning
}

// ruledOut reports whether the user dismissed every point of a claim, by a ruling or a fact.
func (t *Table) ruledOut(c *Claim) bool {
	return t.every(c, func(p *state.Point) bool {
		return userRuled(p, state.BucketDismissed) || p.UserRuling == nil && resolver.Violates(t.s, p)
	})
}

// favored returns the first point of the only side that is left, or "".
func (t *Table) favored(a, b *Claim) string {
	lost := [2]bool{t.gone(a), t.gone(b)}
	if lost[0] == lost[1] {
		lost = [2]bool{t.agreedByUser(a) == "", t.agreedByUser(b) == ""}
	}
	switch {
	case lost[0] == lost[1]:
		return ""
	case lost[0]:
		return b.Points[0]
	}
	return a.Points[0]
}

// reasons says why sides of a conflict were dismissed, unless the user decided the conflict.
func (t *Table) reasons(c *Conflict, sides ...*Claim) string {
	var why []string
	for _, side := range sides {
		p := t.s.Point(side.Points[0])
		switch u := p.UserRuling; {
		case !t.gone(side):
		case u == nil:
			why = append(why, p.ID+" fell: "+t.rule(p).Reason)
		case u.Reason != "" && u.Reason != decidedReason(c.ID):
			why = append(why, p.ID+" fell: "+u.Reason)
		}
	}
	return strings.Join(why, "; ")
}

// The measures of evidence_weight in a session.
const (
	// MeasureEvidence weighs the verified evidence of each side.
	MeasureEvidence = "evidence"
	// MeasureTokens weighs the tokens that the agents processed, if nothing was verified.
	MeasureTokens = "tokens"
)

// Positions returns the sides that the panelists take in a conflict: by their answers, or by
// vote if their answers don't cover it. A panelist that holds both sides takes none.
func (t *Table) Positions(c *Conflict) []Position {
	positions := []Position{}
	if !t.isLive(c) {
		return positions
	}
	sides := t.between[c.ID]
	for _, seat := range t.seats {
		held := [2]bool{slices.Contains(sides[0].Holders, seat), slices.Contains(sides[1].Holders, seat)}
		answered := held[0] || held[1]
		if !answered {
			held = [2]bool{t.agrees(sides[0], seat), t.agrees(sides[1], seat)}
		}
		for i := range held {
			if held[i] && !held[1-i] {
				positions = append(positions, Position{Seat: seat, Point: sides[i].Points[0], Answered: answered})
			}
		}
	}
	return positions
}

// countsVotes reports whether the session's strategy counts positions.
func countsVotes(s *state.State) bool {
	return strategy(s) == conflict.Vote || strategy(s) == conflict.Tiered
}

func strategy(s *state.State) conflict.Strategy { return conflict.Strategy(settingsOf(s).Strategy) }

// agrees reports whether a seat's last classification of a claim is AGREE.
func (t *Table) agrees(c *Claim, seat state.Seat) bool {
	var last *state.Classification
	for _, id := range c.Points {
		if latest := t.s.Point(id).Latest(seat); latest != nil && (last == nil || latest.Seq > last.Seq) {
			last = latest
		}
	}
	return last != nil && last.Class == state.Agree
}

// Settle applies the session's strategy to a conflict. A tie or a single position settles
// nothing, and tiered ignores tokens: a longer answer is not more right.
func (t *Table) Settle(c *Conflict) Settlement {
	if !t.isLive(c) {
		return Settlement{
			Method: string(conflict.Escalate), Reasoning: "the two sides are not apart",
			Positions: []Position{},
		}
	}
	if r, applies := t.first(c); applies {
		return r
	}
	positions := t.Positions(c)
	ballots := make([]conflict.Ballot, len(positions))
	for i, p := range positions {
		ballots[i] = conflict.Ballot{Agent: string(p.Seat), Key: p.Point, Weight: t.tokens(p.Seat)}
	}
	strategy, tiered := strategy(t.s), strategy(t.s) == conflict.Tiered
	vote := conflict.Resolve(conflict.Vote, ballots, "")
	weight, measured := t.weigh(c)
	var r conflict.Resolution
	measure := ""
	switch {
	case strategy == conflict.Vote, tiered && len(positions) > 1 && conflict.Clear(&vote):
		r = vote
	case measured && (strategy == conflict.EvidenceWeight || tiered && conflict.Clear(&weight)):
		r, measure = weight, MeasureEvidence
	case strategy == conflict.EvidenceWeight:
		r, measure = conflict.Resolve(strategy, ballots, ""), MeasureTokens
	case tiered:
		a, b := t.sidePoints(c)
		votes := len(lists.Filter(positions, func(p Position) bool { return p.Point == a.ID }))
		r.Method, r.Reasoning = conflict.Escalate, fmt.Sprintf(
			"%d for %s and %d for %s is no clear vote, and %s",
			votes,
			a.ID,
			len(positions)-votes,
			b.ID,
			cmp.Or(weight.Reasoning, "no evidence on either side was verified"),
		)
	default:
		r.Method, r.Reasoning = conflict.Escalate, t.Describe(c)+", and the strategy leaves that to others"
	}
	for _, p := range positions {
		if string(p.Seat) == r.Winner {
			r.Winner = p.Point
		}
	}
	return Settlement{
		Method: string(r.Method), Measure: measure, Winner: r.Winner, Confidence: r.Confidence, Reasoning: r.Reasoning,
		Settled: r.Winner != "" && r.Confidence > 0.5 && len(positions) > 1, Positions: positions,
	}
}

// weigh compares the verified evidence of the two sides. The winner is a point. measured is false
// if neither side has any evidence.
func (t *Table) weigh(c *Conflict) (weight conflict.Resolution, measured bool) {
	var weights [2]int
	var items [2]string
	sides := t.between[c.ID]
	for i := range sides {
		var ids []string
		for _, item := range t.grounds(sides[i], sides[1-i]) {
			weights[i] += Strength(item)
			ids = append(ids, item.ID)
		}
		items[i] = cmp.Or(strings.Join(ids, ", "), "none")
	}
	sum := weights[0] + weights[1]
	if sum == 0 {
		return weight, false
	}
	won := 0
	if weights[1] > weights[0] {
		won = 1
	}
	return conflict.Resolution{
		Method: conflict.EvidenceWeight, Winner: sides[won].Points[0],
		Confidence: float64(weights[won]) / float64(sum),
		Reasoning: fmt.Sprintf("verified evidence weighs %d (%s) to %d (%s)", weights[won], items[won],
			weights[1-won], items[1-won]),
	}, true
}

// Strength is the weight of a verified item: that of its type (execution 3, textual 2, claim 1)
// times that of its source kind (user-override 7, live-api 6, official-source 5, domain-evidence
// 4, fresh-research 3, modeled-fallback 2, llm-inference 1). A run weighs 18, an official
// document 10, a passage of the workspace 8, and the user's evidence 21, more than any other.
// Confidence doesn't count.
func Strength(item *ledger.Evidence) int {
	types, kinds := ledger.Types(), ledger.SourceKinds()
	if item.SourceKind == ledger.UserOverride {
		return len(types) * len(kinds)
	}
	byType, byKind := slices.Index(types, item.Type), slices.Index(kinds, item.SourceKind)
	if byType < 0 || byKind < 0 {
		return 0
	}
	return (len(types) - byType) * (len(kinds) - byKind)
}

func (t *Table) tokens(seat state.Seat) float64 {
	sum := 0
	for i := range t.s.Spent {
		if u := &t.s.Spent[i]; u.Seat == seat {
			sum += u.Tokens()
		}
	}
	return float64(sum)
}

// Describe says what a conflict is about, in the first points of its sides.
func (t *Table) Describe(c *Conflict) string {
	a, b := t.sidePoints(c)
	how := "say different things on one subject"
	if c.Kind == conflict.Contradiction {
		how = "contradict each other"
	}
	return fmt.Sprintf("%s and %s %s", a.ID, b.ID, how)
}

// Review sums up the results of the strategies. Answers that are not compared yet count as agreeing
// on nothing.
func (t *Table) Review() conflict.Review {
	var reviewer conflict.Reviewer
	for _, c := range t.Conflicts {
		r := conflict.Resolution{}
		if Settled(c) {
			r.Winner, r.Confidence = c.Settlement.Winner, c.Settlement.Confidence
		}
		reviewer.Add(&r)
	}
	review := reviewer.Review()
	review.Agreed = review.Agreed && compared(t.s)
	return review
}

// questionAbout returns the last question about a conflict, or nil.
func questionAbout(s *state.State, c *Conflict) (last *state.Question) {
	for _, q := range s.Questions.All() {
		if q.About == aboutConflict+c.ID {
			last = q
		}
	}
	return last
}
