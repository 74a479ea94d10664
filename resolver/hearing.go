package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/resolver/hearing"
	"moot/state"
)

// hearings is how sessions of the format hearing are ruled on.
func hearings() system {
	return system{
		rule: func(s *state.State) []state.Ruling {
			rulings := make([]state.Ruling, 0, s.Points.Len())
			for _, p := range s.Points.All() {
				rulings = append(rulings, ruleInHearing(s, p))
			}
			return rulings
		},
		ruleOne:   ruleInHearing,
		ruler:     func() func(*state.State) []state.Ruling { return hearings().rule },
		lastRound: hearingRounds,
		because:   func(*state.State, *state.Point, *Explanation, *Objected) {},
		explain:   func(*state.State, *state.Point, *Explanation) {},
		bench:     newBench,
		evaluators: func(_ *state.State, p *state.Point) []state.Seat {
			return []state.Seat{state.Opponent(p.Authors[0])}
		},
	}
}

// QuestionPoint is the point that is the question of a hearing.
const QuestionPoint = "P1"

// hearingRounds is the cap on rounds, by the form as the hearing goes now.
func hearingRounds(s *state.State) int {
	switch s.Course() {
	case state.FormMulti, state.FormAnchored:
		return s.HearingSettings().Rounds
	case state.FormAudit:
		return 2
	case state.FormSingle, state.FormSelective:
	}
	return 1
}

// ClaimsOf are the claims of a side that it raised up to a round and had not given up
// then, in order.
func ClaimsOf(s *state.State, seat state.Seat, round int) []*state.Point {
	var claims []*state.Point
	for _, p := range s.Points.All() {
		at, conceded := p.Conceded()
		if p.ID != QuestionPoint && p.IsAuthor(seat) && p.Round <= round && (!conceded || at > round) {
			claims = append(claims, p)
		}
	}
	return claims
}

// FactsOf are the distinct facts that a side cites up to a round: in claims that it
// still makes, against claims of the other, and in its answers; in the order in which
// it first cited them.
func FactsOf(s *state.State, seat state.Seat, round int) []string {
	var cited []string
	for _, p := range ClaimsOf(s, seat, round) {
		cited = append(cited, p.Facts...)
	}
	for _, c := range s.Challenges.All() {
		if c.By == seat && c.Round <= round {
			cited = append(cited, c.Facts...)
		}
		for i := range c.Defenses {
			if d := &c.Defenses[i]; d.By == seat && d.Round <= round {
				cited = append(cited, d.Facts...)
			}
		}
	}
	return hearing.Distinct(cited)
}

// SideOf is what the judge reads of a side after a round; ok is false before it has
// argued.
func SideOf(s *state.State, seat state.Seat, round int) (side hearing.Side, ok bool) {
	last := s.Hearing.Argument(seat, round)
	if last == nil {
		return side, false
	}
	return hearing.Side{Confidence: last.Confidence, Facts: FactsOf(s, seat, round)}, true
}

// HearingVerdict is the judge's word after a round, with what it read.
type HearingVerdict struct {
	hearing.Verdict
	Version            state.JudgeVersion
	Round              int
	Architect, Skeptic hearing.Side
}

// VerdictAfter is what the judge says after a round; ok is false before both sides
// have argued.
func VerdictAfter(s *state.State, round int) (v HearingVerdict, ok bool) {
	a, argued := SideOf(s, state.Architect, round)
	k, answered := SideOf(s, state.Skeptic, round)
	if !argued || !answered {
		return v, false
	}
	v = HearingVerdict{Version: s.HearingSettings().Judge, Round: round, Architect: a, Skeptic: k}
	var err error
	if v.Verdict, err = hearing.Judge(v.Version, a, k); err != nil {
		return v, false
	}
	return v, true
}

// VerdictOf is what the judge says of the last round.
func VerdictOf(s *state.State) (HearingVerdict, bool) { return VerdictAfter(s, s.Round) }

// GatingOf is what the gate of a selective hearing finds after round 1.
func GatingOf(s *state.State) state.Gating {
	h := s.HearingSettings()
	g := state.Gating{Gate: h.Gate, Flags: []string{}}
	v, ok := VerdictAfter(s, 1)
	if !ok {
		return g
	}
	flags := hearing.Miscalibrated(hearing.Measured{
		Verdict: v.Confidence, A: v.Architect.Confidence, S: v.Skeptic.Confidence, WinnerFacts: len(v.Supporting),
		Conflict: hearing.Conflicts(s.Hearing.Packet, h.Domain.Opposites), SourceTypes: hearing.SourceTypes(s.Hearing.Packet),
	})
	g.Confidence, g.Risk = v.Confidence, hearing.Risk(flags)
	for _, f := range flags {
		g.Flags = append(g.Flags, string(f))
	}
	g.Opens = hearing.GateOpens(h.Gate, v.Confidence, flags)
	return g
}

// ExchangeOf is what decides whether a further round follows the present one.
func ExchangeOf(s *state.State) hearing.Exchange {
	e := hearing.Exchange{Round: s.Round, Last: LastRound(s), Unanswered: len(Unprobed(s)) > 0}
	before := append(FactsOf(s, state.Architect, s.Round-1), FactsOf(s, state.Skeptic, s.Round-1)...)
	for _, fact := range hearing.Distinct(append(FactsOf(s, state.Architect, s.Round), FactsOf(s, state.Skeptic, s.Round)...)) {
		if !slices.Contains(before, fact) {
			e.NewFacts++
		}
	}
	for _, side := range []struct {
		seat        state.Seat
		now, before *float64
	}{{state.Architect, &e.A, &e.BeforeA}, {state.Skeptic, &e.S, &e.BeforeS}} {
		if a := s.Hearing.Argument(side.seat, s.Round); a != nil {
			*side.now = a.Confidence
		}
		if a := s.Hearing.Argument(side.seat, s.Round-1); a != nil {
			*side.before = a.Confidence
		}
	}
	return e
}

// ruleInHearing is the ruling on the question of a hearing, or on one of its claims.
func ruleInHearing(s *state.State, p *state.Point) state.Ruling {
	if p.MergedInto != "" {
		return mergedAway(p)
	}
	if ruling, ok := rules()[0].apply(newBench(s, p)); ok {
		return ruledBy(ruling, p.ID, rules()[0].name)
	}
	if p.ID == QuestionPoint {
		return ruleOnQuestion(s)
	}
	return ruleOnReading(s, p)
}

// ruleOnQuestion is the verdict, as the ruling on the question.
func ruleOnQuestion(s *state.State) state.Ruling {
	ruling := state.Ruling{Point: QuestionPoint, Bucket: state.BucketOpen, Receipt: state.Receipt{Rule: "hearing", Reads: []string{}}}
	v, ok := VerdictOf(s)
	if !ok {
		ruling.Reason = "both sides have not argued yet"
		if s.Over() {
			ruling.Bucket, ruling.Status, ruling.Crux = state.BucketUnresolved, state.StatusOpen, "an argument of each side"
		}
		return ruling
	}
	ruling.Rule, ruling.Reads = v.Rule, v.Supporting
	ruling.Reason = fmt.Sprintf("%s by %s: architect %v, skeptic %v", s.HearingSettings().Domain.Shown(v.Outcome), v.Rule, v.Architect.Confidence, v.Skeptic.Confidence)
	if !s.Over() {
		return ruling
	}
	switch v.Outcome {
	case state.Confirmed:
		ruling.Bucket, ruling.Tag = state.BucketAgreed, state.TagNotApplicable
	case state.Dismissed:
		ruling.Bucket, ruling.Tag = state.BucketDismissed, state.TagRejected
	case state.Inconclusive:
		ruling.Bucket, ruling.Status = state.BucketUnresolved, state.StatusOpen
		ruling.Crux = "facts that bring one side ahead of the other"
	}
	return ruling
}

// ruleOnReading is the ruling on a claim of a side.
func ruleOnReading(s *state.State, p *state.Point) state.Ruling {
	ruling := state.Ruling{Point: p.ID, Bucket: state.BucketOpen, Receipt: state.Receipt{Rule: "hearing", Reads: noNil(slices.Clone(p.Facts))}}
	if _, conceded := p.Conceded(); conceded {
		ruling.Bucket, ruling.Tag, ruling.Reason = state.BucketDismissed, state.TagConceded, "its side gave it up"
		return ruling
	}
	ruling.Reason = "rests on " + strings.Join(p.Facts, ", ")
	if s.Over() {
		ruling.Bucket, ruling.Status, ruling.Crux = state.BucketUnresolved, state.StatusOpen, "facts that bear it out"
	}
	return ruling
}
