package hearing

import (
	"fmt"
	"strings"

	"moot/ledger"
	"moot/plain"
	"moot/resolver/detect"
	"moot/state"
)

// Claim is what one side says of facts of the packet.
type Claim struct {
	ID string
	// By is the architect or the skeptic.
	By state.Seat
	// Facts are the ids that it cites.
	Facts []string
	// Reading is what it says of them; no word of it counts.
	Reading string
	// Confidence is 0 to 1.
	Confidence float64
	// Against are facts that the other side cited against it.
	Against []string
}

// Ruled is a claim with how it stands.
type Ruled struct {
	ID      string        `json:"id"`
	By      state.Seat    `json:"by"`
	Support state.Support `json:"support"`
	// Weight is what it adds to its side, 0 to 1.
	Weight float64 `json:"weight"`
	// Against are the facts that speak against it.
	Against []string `json:"against"`
}

// ClaimsVerdict is what the judge says of claims.
type ClaimsVerdict struct {
	Verdict
	Claims []Ruled `json:"claims"`
	// Architect and Skeptic are the sums of what stands, 0 to 1; Gap is what the record
	// lacks, which was taken from both.
	Architect float64 `json:"architect"`
	Skeptic   float64 `json:"skeptic"`
	Gap       float64 `json:"gap"`
	// Sentence explains the verdict with its facts.
	Sentence string `json:"sentence"`
}

// The bounds of rulings.
const (
	supportedFrom, weakFrom = 0.4, 0.12
	maxSentence             = 400
	maxCited                = 4
)

// JudgeClaims rules every claim by the facts that it cites, and by what the packet and
// the other side hold against them; the side with more that stands wins where it leads
// by the domain's margin. A confidence that is none, a fact that is not in the packet,
// and a seat that is neither architect nor skeptic are refused.
func JudgeClaims(d *detect.Detector, p *ledger.Packet, claims []Claim) (ClaimsVerdict, error) {
	return JudgeFound(d.Find(p), claims)
}

// JudgeFound is JudgeClaims of a packet in which the rules were looked for before:
// that is by far the most of the work.
func JudgeFound(found *detect.Case, claims []Claim) (ClaimsVerdict, error) {
	p, domain := found.Packet(), found.Domain()
	for i := range claims {
		if err := checkClaim(p, &claims[i]); err != nil {
			return ClaimsVerdict{}, fmt.Errorf("claim %q: %w", claims[i].ID, err)
		}
	}
	v := ClaimsVerdict{Claims: []Ruled{}}
	cited := map[state.Seat][]string{state.Architect: {}, state.Skeptic: {}}
	for i := range claims {
		one := &claims[i]
		cited[one.By] = append(cited[one.By], one.Facts...)
		v.Claims = append(v.Claims, rule(found, one))
	}
	cited[state.Architect], cited[state.Skeptic] = Distinct(cited[state.Architect]), Distinct(cited[state.Skeptic])
	sums := found.Weigh(cited[state.Architect], cited[state.Skeptic])
	v.Architect, v.Skeptic, v.Gap = sums.Architect, sums.Skeptic, sums.Gap
	v.decide(domain.Margin, cited)
	v.explain(domain)
	return v, nil
}

func checkClaim(p *ledger.Packet, c *Claim) error {
	if err := CheckConfidence(c.Confidence); err != nil {
		return fmt.Errorf("its confidence: %w", err)
	}
	if c.By != state.Architect && c.By != state.Skeptic {
		return fmt.Errorf("%q makes no claims in a hearing: the architect and the skeptic do", c.By)
	}
	for _, id := range c.Facts {
		if p.Place(id) < 0 {
			return fmt.Errorf("it cites the fact %q, which is not in packet %q", id, p.ID())
		}
	}
	return nil
}

// rule says how one claim stands.
func rule(found *detect.Case, c *Claim) Ruled {
	r := Ruled{ID: c.ID, By: c.By, Support: state.Unsupported, Against: found.Contradicting(c.By, c.Facts)}
	own, other := Distinct(c.Facts), []string{}
	var sums detect.Sums
	if c.By == state.Architect {
		sums = found.Weigh(own, other)
		r.Weight = sums.Architect
	} else {
		sums = found.Weigh(other, own)
		r.Weight = sums.Skeptic
	}
	switch {
	case r.Weight >= supportedFrom:
		r.Support = state.Supported
	case r.Weight >= weakFrom:
		r.Support = state.Weak
	}
	return r
}

// decide finds the outcome.
func (v *ClaimsVerdict) decide(margin float64, cited map[state.Seat][]string) {
	switch {
	case v.Architect-v.Skeptic >= margin:
		v.Verdict = Verdict{Outcome: state.Confirmed, Confidence: v.Architect, Supporting: cited[state.Architect], Rule: "claims.1"}
	case v.Skeptic-v.Architect >= margin:
		v.Verdict = Verdict{Outcome: state.Dismissed, Confidence: v.Skeptic, Supporting: cited[state.Skeptic], Rule: "claims.2"}
	default:
		both := Distinct(append(append([]string{}, cited[state.Architect]...), cited[state.Skeptic]...))
		v.Verdict = Verdict{Outcome: state.Inconclusive, Confidence: (v.Architect + v.Skeptic) / 2, Supporting: both, Rule: Else}
	}
}

// explain says the verdict in a sentence with its facts.
func (v *ClaimsVerdict) explain(d *state.Domain) {
	facts := strings.Join(v.Supporting[:min(len(v.Supporting), maxCited)], ", ")
	v.Sentence = plain.Clip(plain.Line(fmt.Sprintf("%s: the architect's facts come to %.2f and the skeptic's to %.2f (%s).", d.Shown(v.Outcome), v.Architect, v.Skeptic, facts)), maxSentence)
}
