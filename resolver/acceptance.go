package resolver

import (
	"encoding/json"
	"slices"
	"strconv"

	"moot/ledger"
	"moot/state"
)

// acceptance is how consultations are ruled on.
func acceptance() system {
	return system{
		rule: ruleAll, ruleOne: ruleOn, ruler: func() func(*state.State) []state.Ruling { return reusing(ruleOn) },
		lastRound: lastOfMode, because: becausePoint, explain: explainPoint,
		bench: newBench, evaluators: otherSide,
	}
}

func ruleAll(s *state.State) []state.Ruling {
	rulings := make([]state.Ruling, 0, s.Points.Len())
	for _, p := range s.Points.All() {
		rulings = append(rulings, ruleOn(s, p))
	}
	return rulings
}

// reusing applies a rule to every point, and reuses the rulings of points that did
// not change: for rules that read of the session a point, what bears on it, and
// what is the same for all.
func reusing(rule func(*state.State, *state.Point) state.Ruling) func(*state.State) []state.Ruling {
	var points []*state.Point
	var rulings []state.Ruling
	constraints := -1
	return func(s *state.State) []state.Ruling {
		if s.Constraints != constraints {
			points, rulings, constraints = nil, nil, s.Constraints
		}
		if n := s.Points.Len(); n < len(points) {
			// An earlier state: what is raised later has no ruling yet.
			points, rulings = points[:n:n], rulings[:n:n]
		}
		fresh := false
		for i, p := range s.Points.All() {
			if i < len(points) && points[i] == p {
				continue
			}
			if !fresh {
				points = append(make([]*state.Point, 0, s.Points.Len()), points...)
				rulings = append(make([]state.Ruling, 0, s.Points.Len()), rulings...)
				fresh = true
			}
			if i < len(points) {
				points[i], rulings[i] = p, rule(s, p)
			} else {
				points, rulings = append(points, p), append(rulings, rule(s, p))
			}
		}
		return rulings
	}
}

// Digest is the SHA-256 of all rulings as JSON, in hex: session-closed carries
// it, and verify computes it anew.
func Digest(rulings []state.Ruling) string {
	if rulings == nil {
		// No rulings are no rulings, however they came about.
		rulings = []state.Ruling{}
	}
	encoded, err := json.Marshal(rulings)
	if err != nil {
		// Rulings hold strings only; they always encode.
		return ""
	}
	return ledger.Hash(encoded)
}

// Changed returns the rulings that differ from those on the record.
func Changed(s *state.State, rulings []state.Ruling) []state.Ruling {
	changed := []state.Ruling{}
	for i := range rulings {
		if old := s.Rulings.At(i); old == nil || !old.Equal(&rulings[i]) {
			changed = append(changed, rulings[i])
		}
	}
	return changed
}

// bench is where one point is ruled on: the point with all that bears on it.
type bench struct {
	s          *state.State
	p          *state.Point
	challenges []*state.Challenge
	// supports and refutes are the items that count, in their order.
	supports, refutes []*ledger.Evidence
	value             bool
	// objected is where the objections to a proposal stand, once it was asked for.
	objected *Objected
	// table is where the answers of a panel lie side by side, nil in other formats.
	table *Table
	// words are those of the text of a claim of a council, as of spaced, uncertain
	// how it carries its uncertainty, once they were asked for.
	words     string
	uncertain *string
}

// rule is one row of the table: it applies or it does not.
type rule struct {
	name  string
	apply func(*bench) (state.Ruling, bool)
}

// rules is the table of acceptance: first match wins.
func rules() []rule {
	return []rule{
		{"AC1", (*bench).userRuled},
		{"AC2", (*bench).outOfScope},
		{"AC3", (*bench).tooLate},
		{"AC4", (*bench).pendingShift},
		{"AC5", (*bench).violates},
		{"AC6", (*bench).givenUp},
		{"AC7", (*bench).undefended},
		{"AC8", (*bench).refuted},
		{"AC9", (*bench).conflicting},
		{"AC10", (*bench).rejected},
		{"AC11", (*bench).tradeoff},
		{"AC12", (*bench).illFormed},
		{"AC13", (*bench).blocked},
		{"AC14", (*bench).deadlocked},
		{"AC15", (*bench).agreedValue},
		{"AC16", (*bench).agreedEmpirical},
		{"AC17", (*bench).evidenceMissing},
		{"AC17b", (*bench).found},
		{"AC18", (*bench).leftOpen},
		{"AC19", (*bench).stillOpen},
	}
}

func ruleOn(s *state.State, p *state.Point) state.Ruling {
	if p.MergedInto != "" {
		return mergedAway(p)
	}
	return newBench(s, p).first(rules())
}

// mergedAway is the ruling on a point that was merged into another; results leave
// it out.
func mergedAway(p *state.Point) state.Ruling {
	return state.Ruling{
		Point: p.ID, Bucket: state.BucketDismissed, Tag: state.TagSuperseded,
		Reason:  "merged into " + p.MergedInto + ", which asserts the same",
		Receipt: state.Receipt{Rule: "RD2", Reads: []string{p.MergedInto}},
	}
}

// first is the ruling of the first rule that applies; the last one always does.
func (b *bench) first(table []rule) state.Ruling {
	for _, r := range table {
		if ruling, ok := r.apply(b); ok {
			return ruledBy(ruling, b.p.ID, r.name)
		}
	}
	return state.Ruling{
		Point: b.p.ID, Bucket: state.BucketOpen,
		Receipt: state.Receipt{Rule: "AC19", Reads: []string{}},
	}
}

// ruledBy completes the ruling on a point with the rule that gave it.
func ruledBy(ruling state.Ruling, point, rule string) state.Ruling {
	ruling.Point, ruling.Rule, ruling.Reads = point, rule, noNil(ruling.Reads)
	return ruling
}

func newBench(s *state.State, p *state.Point) *bench { return benchOf(s, p, IsValue(s, p)) }

// benchOf is newBench where it is known, or does not matter, whether the point is
// a value judgment.
func benchOf(s *state.State, p *state.Point, value bool) *bench {
	b := &bench{s: s, p: p, value: value}
	if n := len(p.Challenges); n > 0 {
		b.challenges = make([]*state.Challenge, 0, n)
	}
	for _, id := range p.Challenges {
		if c := s.Challenge(id); c != nil {
			b.challenges = append(b.challenges, c)
		}
	}
	for _, id := range p.Evidence {
		item := s.Item(id)
		if item == nil || !item.Counts() {
			continue
		}
		switch item.Relation {
		case ledger.Supports:
			b.supports = append(b.supports, item)
		case ledger.Refutes:
			b.refutes = append(b.refutes, item)
		case ledger.Neutral:
		}
	}
	return b
}

// best returns the strongest item, the first of equals, or nil.
func best(items []*ledger.Evidence) *ledger.Evidence {
	var top *ledger.Evidence
	for _, item := range items {
		if top == nil || ledger.CompareRank(item, top) < 0 {
			top = item
		}
	}
	return top
}

// decisiveSupport returns decisive support that no refutation equals or
// outranks (PH6), or nil.
func (b *bench) decisiveSupport() *ledger.Evidence {
	against := best(b.refutes)
	var top *ledger.Evidence
	for _, item := range b.supports {
		if !item.Decisive() || (against != nil && ledger.CompareRank(item, against) >= 0) {
			continue
		}
		if top == nil || ledger.CompareRank(item, top) < 0 {
			top = item
		}
	}
	return top
}

// firmSupport returns the strongest verified support of type execution or
// textual, or nil.
func (b *bench) firmSupport() *ledger.Evidence {
	if top := best(b.supports); top != nil && top.Type != ledger.Claim {
		return top
	}
	return nil
}

// waiting returns a challenge that is owed an answer or a judgment, or nil.
func (b *bench) waiting() *state.Challenge {
	for _, c := range b.challenges {
		switch c.Status {
		case state.StandsOpen, state.StandsDropped, state.StandsReminded:
			return c
		case state.StandsDefended:
			last := c.Last()
			if (last == nil || last.Judgment == state.Unjudged) && !b.s.ByRules(JudgeOf(b.s, c)) {
				return c
			}
		case state.StandsUndefended, state.StandsConceded:
		}
	}
	return nil
}

// judged reports whether a seat able to judge, other than the author, has classified
// the point (INV1), and whether one of them agrees now. Where merged points brought
// several authors, each is another seat than the others. Built-in rules judge nothing
// (RV2).
func (b *bench) judged() (agreeing state.Seat, judged bool) {
	for i := range b.p.Classes {
		c := &b.p.Classes[i]
		if c.ByRules || b.p.IsAuthor(c.Seat) && len(b.p.Authors) == 1 {
			continue
		}
		judged = true
		if latest := b.p.Latest(c.Seat); latest.Class == state.Agree && agreeing == "" {
			agreeing = c.Seat
		}
	}
	return agreeing, judged
}

// accepted reports whether there are challenges and all of them were defended
// and accepted.
func (b *bench) accepted() bool {
	for _, c := range b.challenges {
		if c.Status != state.StandsDefended || !c.Settled() {
			return false
		}
	}
	return len(b.challenges) > 0
}

// finallyRejected returns the REJECT challenge whose defense was rejected, or
// nil.
func (b *bench) finallyRejected() *state.Challenge {
	for _, c := range b.challenges {
		if last := c.Last(); c.Kind == state.Reject && c.Status == state.StandsDefended && last != nil &&
			last.Judgment == state.Rejected {
			return c
		}
	}
	return nil
}

// request returns the last request of a kind on the point, or nil.
func (b *bench) request(kind state.RequestKind) *state.Request {
	for i := len(b.p.Asked) - 1; i >= 0; i-- {
		if r := b.s.Requests.At(b.p.Asked[i]); r != nil && r.Kind == kind {
			return r
		}
	}
	return nil
}

// event names an event in a receipt.
func event(seq int) string { return "#" + strconv.Itoa(seq) }

// Waiting returns the challenge on the point that is owed an answer or a
// judgment, or nil.
func Waiting(s *state.State, p *state.Point) *state.Challenge { return owed(s, p).waiting() }

// Disputed returns the first challenge on the point that was not accepted,
// conceded or lost, or nil.
func Disputed(s *state.State, p *state.Point) *state.Challenge { return owed(s, p).disputed() }

// owed is the bench of a point without the challenges that nobody is asked to
// answer.
func owed(s *state.State, p *state.Point) *bench {
	b := benchOf(s, p, false)
	if s.Panel.Conflicts.Len() > 0 {
		b.challenges = slices.DeleteFunc(b.challenges, func(c *state.Challenge) bool { return Idle(s, c) })
	}
	return b
}

// Tradeoff returns the REJECT challenge that makes the point a tradeoff (AC11),
// or nil.
func Tradeoff(s *state.State, p *state.Point) *state.Challenge {
	b := newBench(s, p)
	for _, r := range rules() {
		if _, ok := r.apply(b); ok {
			if r.name == "AC11" {
				return b.finallyRejected()
			}
			return nil
		}
	}
	return nil
}

// Supported reports whether verified evidence of type execution or textual
// supports the point.
func Supported(s *state.State, p *state.Point) bool { return benchOf(s, p, false).firmSupport() != nil }

// Upheld reports whether another seat agrees with the point or every challenge
// on it was accepted, with none waiting.
func Upheld(s *state.State, p *state.Point) bool {
	_, ok := benchOf(s, p, false).upheld()
	return ok
}

// Violates reports whether the point contradicts a live user fact (AC5).
func Violates(s *state.State, p *state.Point) bool {
	if p.Predicate == nil && len(p.Violates) == 0 {
		return false
	}
	_, ok := (&bench{s: s, p: p}).violates()
	return ok
}
