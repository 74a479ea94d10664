package rules

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"moot/plain"
	"moot/protocol"
	"moot/resolver"
	"moot/resolver/detect"
	"moot/state"
)

// detectors keeps the rules of the domain that was asked for last, ready to be held
// against facts: a hearing asks its seats several times.
type detectors struct {
	mutex    sync.Mutex
	domain   *state.Domain
	detector *detect.Detector
}

// of returns the detector of a domain. The domain of a session is one value, which is
// never changed.
func (d *detectors) of(domain *state.Domain) (*detect.Detector, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.domain == domain {
		return d.detector, nil
	}
	detector, err := detect.Of(domain)
	if err != nil {
		return nil, err
	}
	d.domain, d.detector = domain, detector
	return detector, nil
}

// mostProbes is how many challenges the oracle brings.
const mostProbes = 3

// hearer is a turn in a hearing: what the rules of its domain find in the packet, and
// nothing else.
type hearer struct {
	*turn
	found *detect.Case
}

// hear makes the moves of a seat of a hearing.
func (t *turn) hear() error {
	detector, err := t.detectors.of(&t.s.HearingSettings().Domain)
	if err != nil {
		return err
	}
	h := &hearer{turn: t, found: detector.Find(t.s.Hearing.Packet)}
	switch t.ask.Stage { //nolint:exhaustive // a hearing has no others
	case state.StageArgue:
		h.argue()
	case state.StageProbe:
		h.probe()
	case state.StageContest:
		h.contest()
	case state.StageExchange:
		h.contest()
		h.meet()
	case state.StageAnswer:
		h.meet()
	}
	return nil
}

// argue is the first argument.
func (h *hearer) argue() {
	argument := h.found.Argue(h.ask.Seat)
	for i := range argument.Claims {
		c := &argument.Claims[i]
		confidence := thousandths(c.Confidence)
		h.add(&protocol.Claim{Reading: c.Reading, Facts: c.Facts, Confidence: &confidence})
	}
	if len(argument.Claims) == 0 {
		h.flag(protocol.FlagNothing, "", "no rule speaks of these facts")
	}
	overall := thousandths(argument.Confidence)
	h.add(&protocol.Conclude{Confidence: &overall})
}

// against are the facts that the packet holds against a claim, without those that the
// seat cited against it already.
func (h *hearer) against(p *state.Point) []string {
	return slices.DeleteFunc(h.found.Contradicting(p.Authors[0], p.Facts), func(fact string) bool {
		return slices.ContainsFunc(p.Challenges, func(id string) bool {
			c := h.s.Challenge(id)
			return c.By == h.ask.Seat && slices.Contains(c.Facts, fact)
		})
	})
}

// contest cites what speaks against the claims of the other side.
func (h *hearer) contest() {
	for _, p := range resolver.ClaimsOf(h.s, state.Opponent(h.ask.Seat), h.s.Round) {
		if p.Round >= h.s.Round && h.s.Course() != state.FormAudit {
			// It is of an argument that the seat does not know yet.
			continue
		}
		if facts := h.against(p); len(facts) > 0 {
			h.add(&protocol.Contradict{Point: p.ID, Facts: facts, Reading: h.quoting(facts[0])})
		}
	}
}

// quoting says in a sentence what a fact holds against a claim.
func (h *hearer) quoting(id string) string {
	fact, _ := h.s.Hearing.Packet.Fact(id)
	return plain.Clip(plain.Line(fact.Entity+" has "+fact.Field+" "+string(fact.Value)), 200)
}

// probe brings the strongest argument against the side that is more confident.
func (h *hearer) probe() {
	claims := resolver.ClaimsOf(h.s, resolver.MoreConfident(h.s), h.s.Round)
	slices.SortStableFunc(claims, func(a, b *state.Point) int {
		return cmp.Compare(h.held(b), h.held(a))
	})
	made := 0
	for _, p := range claims {
		facts := h.against(p)
		if len(facts) == 0 || made == mostProbes {
			continue
		}
		made++
		h.add(&protocol.Contradict{Point: p.ID, Facts: facts, Reading: h.quoting(facts[0])})
	}
}

// held is that of a claim's own side.
func (h *hearer) held(p *state.Point) float64 {
	if score := p.Score(p.Authors[0]); score != nil {
		return score.Admitted
	}
	return 0
}

// meet answers what was cited against the side's claims, or lowers its confidence by
// it, and concludes.
func (h *hearer) meet() {
	lowered := map[string]float64{}
	for _, id := range h.due.Answer {
		c := h.s.Challenge(id)
		p := h.s.Point(c.Point)
		if !p.IsAuthor(h.ask.Seat) {
			h.add(&protocol.Answer{Challenge: id, Text: "it speaks of no claim of this side; the facts cited are in the packet", Facts: c.Facts})
			continue
		}
		claim := &detect.Claim{Facts: p.Facts, Confidence: h.held(p)}
		if before, known := lowered[p.ID]; known {
			claim.Confidence = before
		}
		if len(c.Facts) == 0 {
			h.add(&protocol.Answer{Challenge: id, Text: "the claim rests on the facts that it cites", Facts: p.Facts})
			continue
		}
		worst, fact := h.found.Answer(h.ask.Seat, claim, c.Facts[0]), c.Facts[0]
		for _, f := range c.Facts[1:] {
			if a := h.found.Answer(h.ask.Seat, claim, f); a.Confidence < worst.Confidence {
				worst, fact = a, f
			}
		}
		h.add(&protocol.Answer{Challenge: id, Text: worst.Reading, Facts: worst.Facts})
		// What was answered before lets no confidence fall again.
		fresh := slices.Contains(resolver.FreshFacts(h.s, c), fact)
		if to := thousandths(worst.Confidence); fresh && !worst.Holds && to < claim.Confidence {
			lowered[p.ID] = to
			h.add(&protocol.Score{Point: p.ID, Confidence: to, Cause: fact})
		}
	}
	overall := h.overall(lowered)
	h.add(&protocol.Conclude{Confidence: &overall})
}

// overall is the side's confidence, less what its claims lost: in the share that they
// lost of all that they held, and by no more than the one that lost most.
func (h *hearer) overall(lowered map[string]float64) float64 {
	last := h.s.Hearing.Argument(h.ask.Seat, h.s.Round)
	if last == nil {
		return 0
	}
	before, now, fell := 0.0, 0.0, 0.0
	for _, p := range resolver.ClaimsOf(h.s, h.ask.Seat, h.s.Round) {
		confidence := h.held(p)
		before += confidence
		if to, known := lowered[p.ID]; known {
			fell = max(fell, confidence-to)
			confidence = to
		}
		now += confidence
	}
	if before == 0 {
		return last.Confidence
	}
	return thousandths(max(last.Confidence*now/before, last.Confidence-fell))
}

// thousandths is a confidence with three digits behind the point, at most what rounding
// up makes it: rules tell no more than that, and a fall keeps to its bound.
func thousandths(confidence float64) float64 { return math.Ceil(confidence*1000-1e-6) / 1000 }
