package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver/conflict"
	"moot/state"
)

// The measures of evidence_weight in a session.
const (
	// MeasureEvidence weighs what was verified on either side.
	MeasureEvidence = "evidence"
	// MeasureTokens weighs what the agents processed, where nothing was verified.
	MeasureTokens = "tokens"
)

// Positions are the sides that the panelists take in a conflict: by their own
// answers, and where these say nothing of it by what they said when they were
// asked. Who holds both sides, or neither, takes none.
func (t *Table) Positions(c *state.Conflict) []state.Position {
	positions := []state.Position{}
	if !t.stands(c) {
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
				positions = append(positions, state.Position{Seat: seat, Point: sides[i].Points[0], Answered: answered})
			}
		}
	}
	return positions
}

// CountsVotes reports whether the session's strategy counts who holds what.
func CountsVotes(s *state.State) bool {
	if s.Settings.Panel == nil {
		return false
	}
	switch conflict.Strategy(s.Settings.Panel.Strategy) {
	case conflict.Vote, conflict.Tiered:
		return true
	case conflict.EvidenceWeight, conflict.Escalate:
	}
	return false
}

// agrees reports whether the last word of a seat on a claim is AGREE.
func (t *Table) agrees(c *Claim, seat state.Seat) bool {
	var last *state.Classification
	for _, id := range c.Points {
		if latest := t.s.Point(id).Latest(seat); latest != nil && (last == nil || latest.Seq > last.Seq) {
			last = latest
		}
	}
	return last != nil && last.Class == state.Agree
}

// Settle applies the session's strategy to a conflict that stands. A tie settles
// nothing in a session, nor does a single position; and tiered does not go by
// tokens: who writes more is not more right.
func (t *Table) Settle(c *state.Conflict) state.Settlement {
	if !t.stands(c) {
		return state.Settlement{
			Method: string(conflict.Escalate), Reasoning: "the two sides are not apart",
			Positions: []state.Position{},
		}
	}
	positions := t.Positions(c)
	settlement := t.settle(c, t.strategy(), positions)
	settlement.Positions = positions
	settlement.Settled = settlement.Winner != "" && settlement.Confidence > 0.5 && len(positions) > 1
	return settlement
}

// strategy is the session's.
func (t *Table) strategy() conflict.Strategy {
	if settings := t.s.Settings.Panel; settings != nil {
		return conflict.Strategy(settings.Strategy)
	}
	return conflict.Escalate
}

func (t *Table) settle(c *state.Conflict, strategy conflict.Strategy, positions []state.Position) state.Settlement {
	ballots := make([]conflict.Ballot, len(positions))
	for i, p := range positions {
		ballots[i] = conflict.Ballot{Agent: string(p.Seat), Key: p.Point, Weight: float64(t.tokens(p.Seat))}
	}
	weighed, measured := t.weigh(c)
	if strategy == conflict.Tiered {
		vote := conflict.Resolve(conflict.Vote, ballots, "")
		weight := conflict.Resolution{
			Method: conflict.EvidenceWeight, Winner: weighed.Winner,
			Confidence: weighed.Confidence,
		}
		switch {
		case len(positions) > 1 && conflict.Clear(&vote):
			strategy = conflict.Vote
		case measured && conflict.Clear(&weight):
			return weighed
		default:
			return state.Settlement{
				Method:    string(conflict.Escalate),
				Reasoning: t.undecided(c, positions, &weighed, measured),
			}
		}
	}
	switch {
	case strategy == conflict.EvidenceWeight && measured:
		return weighed
	case strategy == conflict.Escalate:
		return state.Settlement{
			Method:    string(strategy),
			Reasoning: t.Describe(c) + ", and the strategy leaves that to others",
		}
	}
	r := conflict.Resolve(strategy, ballots, t.Describe(c))
	settlement := state.Settlement{Method: string(r.Method), Confidence: r.Confidence, Reasoning: r.Reasoning}
	if r.Method == conflict.EvidenceWeight {
		settlement.Measure = MeasureTokens
	}
	for _, p := range positions {
		if string(p.Seat) == r.Winner {
			settlement.Winner = p.Point
		}
	}
	return settlement
}

// undecided says why tiered settles nothing.
func (t *Table) undecided(c *state.Conflict, positions []state.Position, weighed *state.Settlement,
	measured bool,
) string {
	a, b := t.Sides(c)
	votes := [2]int{}
	for _, p := range positions {
		if p.Point == a.Points[0] {
			votes[0]++
		} else {
			votes[1]++
		}
	}
	evidence := "no evidence on either side was verified"
	if measured {
		evidence = weighed.Reasoning
	}
	return fmt.Sprintf("%d for %s and %d for %s is no clear vote, and %s", votes[0], a.Points[0], votes[1], b.Points[0],
		evidence)
}

// weigh compares the verified evidence of the two sides; measured is false where
// there is none.
func (t *Table) weigh(c *state.Conflict) (settlement state.Settlement, measured bool) {
	a, b := t.Sides(c)
	forA, itemsA := t.strength(a, b)
	forB, itemsB := t.strength(b, a)
	settlement = state.Settlement{Method: string(conflict.EvidenceWeight), Measure: MeasureEvidence}
	if forA+forB == 0 {
		return settlement, false
	}
	winner, won, lost, items, against := a, forA, forB, itemsA, itemsB
	if forB > forA {
		winner, won, lost, items, against = b, forB, forA, itemsB, itemsA
	}
	settlement.Winner, settlement.Confidence = winner.Points[0], float64(won)/float64(won+lost)
	settlement.Reasoning = fmt.Sprintf("verified evidence weighs %d (%s) to %d (%s)", won, orNone(items), lost,
		orNone(against))
	return settlement, true
}

func orNone(ids []string) string {
	if len(ids) == 0 {
		return "none"
	}
	return strings.Join(ids, ", ")
}

// strength is how much verified evidence speaks for a claim: what supports it,
// and what refutes its opposite.
func (t *Table) strength(claim, opposite *Claim) (weight int, items []string) {
	for _, item := range t.grounds(claim, opposite) {
		weight += Strength(item)
		items = append(items, item.ID)
	}
	return weight, items
}

// Strength is the weight of a verified item: that of its type (execution 3,
// textual 2, claim 1) times that of its source kind (user-override 7, live-api 6,
// official-source 5, domain-evidence 4, fresh-research 3, modeled-fallback 2,
// llm-inference 1). So a run weighs 18, an official document 10, a passage of the
// workspace 8. What the user gives weighs 21, more than any other item; as
// elsewhere, confidence counts for nothing.
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

func (t *Table) tokens(seat state.Seat) int {
	for _, c := range t.s.Tokens {
		if c.Seat == seat {
			return c.Count
		}
	}
	return 0
}

// Describe says what a conflict is in a sentence, of the points that its sides are
// known by.
func (t *Table) Describe(c *state.Conflict) string {
	a, b := current(t.s, c.A), current(t.s, c.B)
	if p, q := t.Sides(c); p != nil && q != nil && p != q {
		a, b = p.Points[0], q.Points[0]
	}
	how := "say different things on one subject"
	if c.Kind == state.Contradiction {
		how = "contradict each other"
	}
	return fmt.Sprintf("%s and %s %s", a, b, how)
}

func current(s *state.State, id string) string {
	if p := s.Current(id); p != nil {
		return p.ID
	}
	return id
}

// PanelReview is what the conflicts of a panel come to, as the strategies say.
// Answers that are not compared yet agree on nothing.
func (t *Table) PanelReview() conflict.Review {
	var reviewer conflict.Reviewer
	for _, c := range t.live {
		r := conflict.Resolution{}
		if c.Settlement != nil {
			r.Winner, r.Confidence = c.Settlement.Winner, c.Settlement.Confidence
			if !c.Settlement.Settled {
				r.Winner = ""
			}
		}
		reviewer.Add(&r)
	}
	review := reviewer.Review()
	review.Agreed = review.Agreed && Compared(t.s)
	return review
}
