package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/state"
)

// CouncilExplanation says how a claim of a council stands against CV1 to CV4 and
// how sure the seats are of it.
type CouncilExplanation struct {
	Validation Validation
	// Confidences are the seats of the council in the order in which they speak.
	Confidences []SeatConfidence
	// Aggregate says in a sentence how the aggregate came about, Confidence how the
	// validation confidence did; "" where there is none.
	Aggregate, Confidence string
}

// SeatConfidence is what one seat of a council reports of a claim.
type SeatConfidence struct {
	Seat state.Seat
	// Score is its last report, nil where it reported nothing.
	Score *state.Score
	// Weight is how much its reports count, 0 to 1; Share is that among the seats
	// that reported, 0 for one that did not.
	Weight, Share float64
}

// becauseClaim says what a rule of a council says and read.
func becauseClaim(s *state.State, p *state.Point, e *Explanation, _ *Objected) {
	b := newBench(s, p)
	e.Reads = b.readings(&e.Ruling)
}

// explainClaim completes the explanation of a ruling on a claim.
func explainClaim(s *state.State, p *state.Point, e *Explanation) {
	b := newBench(s, p)
	e.Council = b.counselled()
	e.Changes, e.More, e.Limit = newSearch(s, p, &e.Ruling).changes()
}

func (b *bench) counselled() *CouncilExplanation {
	c := &CouncilExplanation{Validation: b.validate()}
	settings := b.s.CouncilSettings()
	total := 0.0
	for _, score := range c.Validation.Scores {
		total += settings.Weight(score.Seat)
	}
	for _, seat := range seatedInCouncil(b.s) {
		one := SeatConfidence{Seat: seat, Score: c.Validation.score(seat), Weight: settings.Weight(seat)}
		if one.Score != nil && total > 0 {
			one.Share = one.Weight / total
		}
		c.Confidences = append(c.Confidences, one)
	}
	c.Aggregate, c.Confidence = c.aggregateWords(), c.confidenceWords()
	return c
}

// aggregateWords is the sum behind the aggregate: the weights that counted, what
// they were made of, and the bound.
func (c *CouncilExplanation) aggregateWords() string {
	v := &c.Validation
	if v.Aggregate == nil {
		return ""
	}
	var terms []string
	var silent, weightless []state.Seat
	counted, highest := 0.0, 0.0
	for i := range c.Confidences {
		one := &c.Confidences[i]
		switch {
		case one.Score == nil:
			silent = append(silent, one.Seat)
		case one.Weight == 0:
			weightless = append(weightless, one.Seat)
		default:
			counted, highest = counted+one.Weight, max(highest, one.Score.Admitted)
			terms = append(terms, fmt.Sprintf("%s × %s", figure(one.Weight), twoPlaces(one.Score.Admitted)))
		}
	}
	sum := strings.Join(terms, " + ")
	if counted < 1-tolerance || counted > 1+tolerance {
		sum = fmt.Sprintf("(%s) / %s", sum, figure(counted))
	}
	words := fmt.Sprintf("%s = %s; it never exceeds the highest, %s", sum, twoPlaces(*v.Aggregate), twoPlaces(highest))
	if len(silent) > 0 {
		words += fmt.Sprintf("; nothing of %s, so the weights of the others are made to add up to 1", seatNames(silent))
	}
	if len(weightless) > 0 {
		words += fmt.Sprintf("; %s %s no weight", seatNames(weightless), many(len(weightless), "has", "have"))
	}
	return words + "."
}

func (c *CouncilExplanation) confidenceWords() string {
	v := &c.Validation
	if v.Aggregate == nil {
		return ""
	}
	return fmt.Sprintf("%d of %d rules hold: %s × %d/%d = %s.", v.Passed(), len(v.Rules), twoPlaces(*v.Aggregate),
		v.Passed(), len(v.Rules), twoPlaces(v.Confidence))
}

func many(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// councilRuleSays is RuleSays of the rules of a council.
func councilRuleSays(rule string) string {
	switch rule {
	case councilRuleName:
		return "A claim stands when evidence carries it (CV1), the seats agree on it (CV2), it violates no " +
			"constraint (CV3) and it says how sure it is (CV4)."
	case "CV1":
		return "A factual claim needs verified evidence that nothing against it equals; a key claim needs it of two " +
			"sources."
	case "CV2":
		return "The strategist and the critic say how sure they are, no seat is under 0.5 or more than 0.3 from " +
			"another, together they reach the decision threshold, and no challenge is open."
	case "CV3":
		return "A claim violates no constraint of the constitution that code can check."
	case "CV4":
		return "A claim names its limit or a range, or its author is less than certain and says why."
	}
	return hearingRuleSays(rule)
}

// councilMeans says what a place stands for in a council, where that is another
// thing than in a consultation; "" else.
func councilMeans(r *state.Ruling) string {
	if !strings.HasPrefix(r.Rule, councilRuleName) {
		return ""
	}
	switch r.Status {
	case state.StatusBlocked:
		return "The seats cannot settle it among themselves: it lacks evidence, or violates a constraint."
	case state.StatusTradeoff:
		return "No evidence settles it: the seats value it differently, and you may decide."
	case state.StatusOpen:
		return "The rounds are over, and it did not meet all that a claim has to."
	case state.StatusNone, state.StatusDefinitional, state.StatusAnchorShift, state.StatusUnverified, state.StatusFound:
	}
	return ""
}

func scoreWords(score *state.Score) string {
	words := fmt.Sprintf("the confidence of %s in round %d: %s", seatName(score.Seat), score.Round,
		twoPlaces(score.Admitted))
	if score.Stated != score.Admitted {
		words += fmt.Sprintf(" (it said %s, without a cause to move)", twoPlaces(score.Stated))
	}
	return words + strings.TrimSuffix(colon(score.Cause), ".")
}

// scoreAt is the report with which an event came, or nil.
func (b *bench) scoreAt(seq int) *state.Score {
	i := slices.IndexFunc(b.p.Scores, func(score state.Score) bool { return score.Seq == seq })
	if i < 0 {
		return nil
	}
	return &b.p.Scores[i]
}

func (v *Validation) score(seat state.Seat) *state.Score {
	for i := range v.Scores {
		if v.Scores[i].Seat == seat {
			return &v.Scores[i]
		}
	}
	return nil
}

// twoPlaces is a share in two digits behind the point, three where they say more.
func twoPlaces(share float64) string {
	return strings.TrimSuffix(fmt.Sprintf("%.3f", share), "0")
}
