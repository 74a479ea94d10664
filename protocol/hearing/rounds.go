package hearing

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"moot/internal/lists"
	"moot/ledger"
	"moot/protocol/hearing/domain"
	"moot/protocol/hearing/judge"
	"moot/resolver"
	"moot/state"
)

// MoreConfident returns the side that is more confident after round 1. In a tie it is the
// architect, which has to show that something holds.
func MoreConfident(s *state.State) state.Seat {
	if overall(s, judge.Skeptic, 1) > overall(s, judge.Architect, 1) {
		return judge.Skeptic
	}
	return judge.Architect
}

// overall returns the confidence of a side in its answer after a round, or 0.
func overall(s *state.State, seat state.Seat, round int) float64 {
	if a := Of(s).Argument(seat, round); a != nil {
		return a.Confidence
	}
	return 0
}

// contested reports whether a claim of a hearing, or its question, can still be
// argued: its side did not give it up, and the user did not rule on it.
func contested(p *state.Point) bool {
	_, conceded := p.Conceded()
	return !conceded && p.UserRuling == nil
}

// contestedBy is contested as far as a side knows: it does not know yet what the other gave up in
// this round.
func contestedBy(s *state.State, seat state.Seat, p *state.Point) bool {
	at, conceded := p.Conceded()
	known := conceded && (at < s.Round || p.IsAuthor(seat))
	return !known && p.UserRuling == nil
}

// Contradictions returns the current challenges to a claim that its side knows: those of the other
// side's latest argument, of the oracle and of the user.
func Contradictions(s *state.State, p *state.Point) []*state.Challenge {
	return lists.Filter(lists.Map(p.Challenges, s.Challenge), func(c *state.Challenge) bool {
		return len(c.Facts) > 0 && latest(s, c)
	})
}

// latest reports whether a challenge must be answered now: in an audit one of this round, else one
// of an earlier round if its author has not argued again since. Challenges of the oracle and the
// user stay current.
func latest(s *state.State, c *state.Challenge) bool {
	if CurrentForm(s) == FormAudit {
		return true
	}
	last := Of(s).Argument(c.By, s.Round-1)
	return c.Round < s.Round && (last == nil || last.Round <= c.Round)
}

// FreshFacts returns the facts of a challenge that were not answered on its claim up to a round.
func FreshFacts(s *state.State, c *state.Challenge, round int) []string {
	return lists.Filter(c.Facts, func(fact string) bool { return !answered(s, s.Point(c.Point), fact, round) })
}

// Releasing returns the facts of a challenge that can lower the confidence in its claim: not answered up to
// a round and, in an anchored hearing, tied to the facts of the claim.
func Releasing(s *state.State, c *state.Challenge, round int) []string {
	fresh := FreshFacts(s, c, round)
	if CurrentForm(s) != FormAnchored || len(fresh) == 0 {
		return fresh
	}
	return domain.Tied(&s.Packet, fresh, s.Point(c.Point).Facts)
}

// answered reports whether a fact that was cited against the claim was answered up to
// a round, by its side or by the user in its place.
func answered(s *state.State, p *state.Point, fact string, round int) bool {
	return slices.ContainsFunc(p.Challenges, func(id string) bool {
		c := s.Challenge(id)
		return slices.Contains(c.Facts, fact) && slices.ContainsFunc(c.Defenses, func(d state.Defense) bool {
			return d.Round <= round && d.Seq > c.Since && (d.By == state.User || defends(s, p, d.By))
		})
	})
}

// defends reports whether a side argues for a claim: it made the claim, or the claim is the
// question and the side is the more confident one.
func defends(s *state.State, p *state.Point, seat state.Seat) bool {
	return p.IsAuthor(seat) || p.ID == QuestionPoint && seat == MoreConfident(s)
}

// causeOf returns the fact that lets the confidence in a claim fall: the named one if it
// can lower it (Releasing), else the first such fact, or "".
func causeOf(s *state.State, p *state.Point, named string) string {
	first := ""
	for _, c := range Contradictions(s, p) {
		for _, fact := range Releasing(s, c, s.Round-1) {
			if fact == named {
				return fact
			}
			first = cmp.Or(first, fact)
		}
	}
	return first
}

// admitConfidence returns the confidence of a side in one of its claims that counts: in an anchored
// hearing it falls only because of a fact that contradicts the claim and was not answered before.
// cause is the fact that changed it, or "": for a fall the contradicting fact, for a rise the named
// one.
func admitConfidence(s *state.State, seat state.Seat, p *state.Point, stated float64, named string) (admitted float64,
	cause string,
) {
	before := confidenceIn(s, p, seat, s.Round)
	if stated >= before {
		return stated, named
	}
	if cause = causeOf(s, p, named); cause != "" {
		return stated, cause
	}
	if CurrentForm(s) == FormAnchored {
		return before, ""
	}
	return stated, named
}

// admitOverall returns the confidence of a side in its answer that counts: in an anchored hearing
// it falls by no more than the claim that fell most in the round, unless the oracle contradicts the
// side on the question itself.
func admitOverall(s *state.State, seat state.Seat, stated float64) float64 {
	before := overall(s, seat, s.Round-1)
	if CurrentForm(s) != FormAnchored || stated >= before {
		return stated
	}
	question := s.Point(QuestionPoint)
	if question != nil && defends(s, question, seat) && causeOf(s, question, "") != "" {
		return stated
	}
	fell := 0.0
	for _, p := range s.Points.All() {
		fell = max(fell, fallen(s, seat, p))
	}
	if fell == 0 {
		return before
	}
	return max(stated, math.Round((before-fell)*finest)/finest)
}

// finest is the precision of a bound. It removes floating-point errors.
const finest = 1e9

// fallen returns by how much the confidence of a side in a claim fell in this round, negative if it
// rose.
func fallen(s *state.State, seat state.Seat, p *state.Point) float64 {
	return confidenceIn(s, p, seat, s.Round-1) - confidenceIn(s, p, seat, s.Round)
}

// ignoredBy returns the contradictions that a side left unanswered in this round of an exchange,
// without lowering its confidence in the claim or naming what would change its mind. In an anchored
// hearing the side is asked once more; in the others this is only recorded.
func ignoredBy(s *state.State, seat state.Seat) []*state.Challenge {
	if s.Round < 2 || CurrentForm(s) != FormAnchored && CurrentForm(s) != FormMulti {
		return nil
	}
	if last := Of(s).Argument(seat, s.Round); last != nil && last.Round == s.Round && last.WouldChange != "" {
		return nil
	}
	var owed []*state.Challenge
	for _, p := range s.Points.All() {
		if !p.IsAuthor(seat) || !contested(p) || fallen(s, seat, p) > 0 {
			continue
		}
		owed = append(owed, lists.Filter(Contradictions(s, p), func(c *state.Challenge) bool {
			return !answeredBy(c, seat) && len(Releasing(s, c, s.Round)) > 0
		})...)
	}
	return owed
}

// answeredBy reports whether a side answered the challenge, or the user in its place.
func answeredBy(c *state.Challenge, seat state.Seat) bool {
	return slices.ContainsFunc(c.Defenses, func(d state.Defense) bool {
		return (d.By == seat || d.By == state.User) && d.Seq > c.Since
	})
}

// answerDue reports whether a side owes an answer to a challenge: it is on a claim of
// its own, or it is the oracle's, or the user's on the question, and it was raised
// before the side was asked.
func answerDue(s *state.State, seat state.Seat, c *state.Challenge) bool {
	p := s.Point(c.Point)
	both := c.By == Oracle || p.ID == QuestionPoint
	before := c.Round < s.Round || s.Round > 1 && CurrentForm(s) == FormAudit
	return before && (both || p.IsAuthor(seat)) && contestedBy(s, seat, p) && !answeredBy(c, seat)
}

// unanswered reports whether a contradiction of this round, or a challenge of the oracle, waits for
// an answer.
func unanswered(s *state.State) bool {
	return s.Challenges.Any(func(c *state.Challenge) bool {
		fresh := c.Round == s.Round && len(c.Facts) > 0 && len(c.Defenses) == 0
		answered := answeredBy(c, judge.Architect) && answeredBy(c, judge.Skeptic)
		return (fresh || c.By == Oracle && !answered) && contested(s.Point(c.Point))
	})
}

// EndOf returns the exit with which a hearing ends after the current round, and why. It is ExitNone
// if another round follows.
func EndOf(s *state.State) (exit state.Exit, reason string) {
	form, isLast := CurrentForm(s), s.Round >= resolver.LastRound(s)
	question := s.Point(QuestionPoint)
	switch {
	case question != nil && question.UserRuling != nil:
		return state.ExitDecided, "the user ruled on the question"
	case form == FormSingle && Of(s).Gated != nil:
		return state.ExitDecided, fmt.Sprintf("the gate %s stayed shut", SettingsOf(s).Gate)
	case form == FormSingle:
		return state.ExitDecided, "each side argued once"
	case form == FormAudit && isLast:
		return state.ExitDecided, "each claim was argued and ruled alone"
	case form == FormAudit || s.Round < 2:
	case isLast:
		return state.ExitCap, fmt.Sprintf("round %d is the last", s.Round)
	case unanswered(s):
		// An exchange must not end because a side refuses to answer.
	case !citesNew(s):
		return state.ExitDecided, fmt.Sprintf("round %d cited no fact that was not cited before", s.Round)
	case moved(s, judge.Architect) < settledBy && moved(s, judge.Skeptic) < settledBy:
		return state.ExitDecided, fmt.Sprintf("both confidences moved by less than %v in round %d", settledBy, s.Round)
	}
	return state.ExitNone, ""
}

// settledBy is the change below which a confidence counts as settled.
const settledBy = 0.1

// moved returns by how much the confidence of a side in its answer changed in this round.
func moved(s *state.State, seat state.Seat) float64 {
	return math.Abs(overall(s, seat, s.Round) - overall(s, seat, s.Round-1))
}

// citesNew reports whether a fact was cited in this round for the first time: in claims, also
// those that were given up since, in challenges and in answers.
func citesNew(s *state.State) bool {
	var now []string
	before := map[string]bool{}
	cite := func(round int, facts []string) {
		if round == s.Round {
			now = append(now, facts...)
			return
		}
		for _, fact := range facts {
			before[fact] = true
		}
	}
	for _, p := range s.Points.All() {
		cite(p.Round, p.Facts)
	}
	for _, c := range s.Challenges.All() {
		cite(c.Round, c.Facts)
		for i := range c.Defenses {
			cite(c.Defenses[i].Round, c.Defenses[i].Facts)
		}
	}
	return slices.ContainsFunc(now, func(fact string) bool { return !before[fact] })
}

func (rules) Claimed(p *state.Point) bool { return p.ID != QuestionPoint }

// Measure adapts the metrics to a hearing: its evidence is the cited facts, and there is no
// consensus to measure.
func (rules) Measure(m *resolver.Measurement, metrics *state.Metrics) {
	m.Adversarial = true
	// The oracle speaks once.
	m.Seats = sides()
	metrics.Coverage = m.Coverage(nil)
	facts(m, metrics)
	metrics.MeanSpread, metrics.FinalConfidence = nil, nil
	if v, err := VerdictOf(m.State); err == nil {
		metrics.FinalConfidence = resolver.Share(v.Confidence)
	}
	supported := 0
	for _, p := range m.Points {
		if m.Bucket(p.ID) == state.BucketAgreed {
			supported++
		}
	}
	metrics.Verified = nil
	if m.State.Over() {
		metrics.Verified = resolver.Ratio(supported, len(m.Points))
	}
	moves := len(Of(m.State).Violations)
	for _, c := range m.State.Moves {
		moves += c.Count
	}
	metrics.Compliance = resolver.Ratio(moves-len(Of(m.State).Violations), moves)
}

// facts looks at the sources of the distinct facts that are cited.
func facts(m *resolver.Measurement, metrics *state.Metrics) {
	var cited []string
	for _, seat := range Seats() {
		cited = append(cited, FactsOf(m.State, seat, m.State.Round)...)
	}
	cited = lists.Distinct(cited)
	sources := map[string]bool{}
	kinds := map[ledger.SourceType]int{}
	for _, id := range cited {
		f, _ := m.State.Packet.Fact(id)
		sources[string(f.SourceType)+"\x00"+f.SourceID] = true
		kinds[f.SourceType]++
	}
	metrics.SourceDiversity = resolver.Ratio(len(sources), len(cited))
	metrics.KindEntropy = resolver.Evenness(ledger.SourceTypes(), kinds, len(cited), len(ledger.SourceTypes()))
}
