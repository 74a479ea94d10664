package rules

import (
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
	detector, err := detect.Compile(domain)
	if err != nil {
		return nil, err
	}
	d.domain, d.detector = domain, detector
	return detector, nil
}

// mostProbes is how many challenges the oracle brings.
const mostProbes = 3

// hear makes the moves of a seat of a hearing: what the rules of its domain find in the
// packet, and nothing else.
func (t *turn) hear() error {
	detector, err := t.detectors.of(&t.s.HearingSettings().Domain)
	if err != nil {
		return err
	}
	found := detector.Find(t.s.Hearing.Packet)
	switch t.ask.Stage { //nolint:exhaustive // a hearing has no others
	case state.StageArgue:
		t.argueFrom(found)
	case state.StageProbe:
		t.probe(found)
	case state.StageContest:
		t.contest(found)
	case state.StageExchange:
		t.contest(found)
		t.meet(found)
	case state.StageAnswer:
		t.meet(found)
	}
	return nil
}

// argueFrom is the first argument.
func (t *turn) argueFrom(found *detect.Case) {
	argument := found.Argue(t.ask.Seat)
	for i := range argument.Claims {
		c := &argument.Claims[i]
		t.add(&protocol.Claim{Reading: c.Reading, Facts: c.Facts, Confidence: &c.Confidence})
	}
	if len(argument.Claims) == 0 {
		t.flag(protocol.FlagNothing, "", "no rule speaks of these facts")
	}
	t.add(&protocol.Conclude{Confidence: &argument.Confidence})
}

// against are the facts that the packet holds against a claim, without those that the
// seat cited against it already.
func (t *turn) against(found *detect.Case, p *state.Point) []string {
	return slices.DeleteFunc(found.Contradicting(p.Authors[0], p.Facts), func(fact string) bool {
		return slices.ContainsFunc(p.Challenges, func(id string) bool {
			c := t.s.Challenge(id)
			return c.By == t.ask.Seat && slices.Contains(c.Facts, fact)
		})
	})
}

// contest cites what speaks against the claims of the other side.
func (t *turn) contest(found *detect.Case) {
	for _, p := range resolver.ClaimsOf(t.s, state.Opponent(t.ask.Seat), t.s.Round) {
		if p.Round >= t.s.Round && t.s.Course() != state.FormAudit {
			// It is of an argument that the seat does not know yet.
			continue
		}
		if facts := t.against(found, p); len(facts) > 0 {
			t.add(&protocol.Contradict{Point: p.ID, Facts: facts, Reading: t.quoting(found, facts[0])})
		}
	}
}

// quoting says in a sentence what a fact holds against a claim.
func (t *turn) quoting(_ *detect.Case, id string) string {
	fact, _ := t.s.Hearing.Packet.Fact(id)
	return plain.Clip(plain.Line(id+": "+fact.Entity+", "+fact.Field+" is "+string(fact.Value)), 200)
}

// probe brings the strongest argument against the side that is more confident.
func (t *turn) probe(found *detect.Case) {
	claims := resolver.ClaimsOf(t.s, protocol.MoreConfident(t.s), t.s.Round)
	slices.SortStableFunc(claims, func(a, b *state.Point) int {
		return compareDown(t.confidenceIn(a), t.confidenceIn(b))
	})
	made := 0
	for _, p := range claims {
		facts := t.against(found, p)
		if len(facts) == 0 || made == mostProbes {
			continue
		}
		made++
		t.add(&protocol.Contradict{Point: p.ID, Facts: facts, Reading: t.quoting(found, facts[0])})
	}
}

// confidenceIn is that of a claim's own side.
func (t *turn) confidenceIn(p *state.Point) float64 {
	if score := p.Score(p.Authors[0]); score != nil {
		return score.Admitted
	}
	return 0
}

func compareDown(a, b float64) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}

// meet answers what was cited against the side's claims, or lowers its confidence by
// it, and concludes.
func (t *turn) meet(found *detect.Case) {
	lowered := map[string]float64{}
	for _, id := range t.due.Answer {
		c := t.s.Challenge(id)
		p := t.s.Point(c.Point)
		if !p.IsAuthor(t.ask.Seat) {
			t.add(&protocol.Answer{Challenge: id, Text: "this is of the other side, or of the question: the facts cited stand in the packet", Facts: c.Facts})
			continue
		}
		claim := &detect.Claim{Facts: p.Facts, Confidence: t.confidenceIn(p)}
		if before, known := lowered[p.ID]; known {
			claim.Confidence = before
		}
		worst, fact := found.Answer(t.ask.Seat, claim, c.Facts[0]), c.Facts[0]
		for _, f := range c.Facts[1:] {
			if a := found.Answer(t.ask.Seat, claim, f); a.Confidence < worst.Confidence {
				worst, fact = a, f
			}
		}
		t.add(&protocol.Answer{Challenge: id, Text: worst.Reading, Facts: worst.Facts})
		if !worst.Holds && worst.Confidence < claim.Confidence {
			lowered[p.ID] = worst.Confidence
			t.add(&protocol.Score{Point: p.ID, Confidence: worst.Confidence, Cause: fact})
		}
	}
	overall := t.overall(lowered)
	t.add(&protocol.Conclude{Confidence: &overall})
}

// overall is the side's confidence, less what its claims lost: in the share that they
// lost of all that they held.
func (t *turn) overall(lowered map[string]float64) float64 {
	last := t.s.Hearing.Argument(t.ask.Seat, t.s.Round)
	if last == nil {
		return 0
	}
	before, now := 0.0, 0.0
	for _, p := range resolver.ClaimsOf(t.s, t.ask.Seat, t.s.Round) {
		held := t.confidenceIn(p)
		before += held
		if to, known := lowered[p.ID]; known {
			held = to
		}
		now += held
	}
	if before == 0 {
		return last.Confidence
	}
	return last.Confidence * now / before
}
