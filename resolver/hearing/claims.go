package hearing

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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
	// Weight is what its facts come to for its side, 0 to 1.
	Weight float64 `json:"weight"`
	// Against are the facts that speak against it.
	Against []string `json:"against"`
}

// ClaimsVerdict is what the judge says of claims.
type ClaimsVerdict struct {
	Verdict
	Claims []Ruled `json:"claims"`
	// Architect, Skeptic and Neither are shares of what the facts cited come to, which
	// together are 1: for CONFIRMED, for DISMISSED, and for neither of them, since the
	// record lacks what would decide or contradicts itself.
	Architect float64 `json:"architect"`
	Skeptic   float64 `json:"skeptic"`
	Neither   float64 `json:"neither"`
	// Sentence explains the verdict with its facts.
	Sentence string `json:"sentence"`
}

// The bounds of rulings.
const (
	supportedFrom, weakFrom = 0.4, 0.12
	// unreadShare is what is left of a confidence whose facts do nothing for its side.
	unreadShare = 0.3
	maxSentence = 400
	maxCited    = 4
)

// JudgeClaims rules every claim by what the facts that it cites do in the packet, and
// decides by shares of what all facts come to, of which a side has as much as it cites:
// a side wins that leads the other by the domain's margin, and has more than speaks for
// neither. A confidence that is none, a fact that is not in the packet, and a seat that
// is neither architect nor skeptic are refused.
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
	v.Architect, v.Skeptic, v.Neither = thousandths(sums.Architect), thousandths(sums.Skeptic), thousandths(sums.Neither)
	v.decide(domain.Margin, cited)
	v.explain(found, cited)
	return v, nil
}

func checkClaim(p *ledger.Packet, c *Claim) error {
	if err := CheckConfidence(c.Confidence); err != nil {
		return fmt.Errorf("its confidence: %w", err)
	}
	if c.By != state.Architect && c.By != state.Skeptic {
		return fmt.Errorf("%q makes no claims in a hearing: the architect and the skeptic do", c.By)
	}
	for _, id := range slices.Concat(c.Facts, c.Against) {
		if p.Place(id) < 0 {
			return fmt.Errorf("it cites the fact %q, which is not in packet %q", id, p.ID())
		}
	}
	return nil
}

// rule says how one claim stands: by what its facts do for its side, less what the
// packet holds against them. Of facts that do nothing for it it is weak at most, by its
// confidence, and by how many facts the other side cites against it.
func rule(found *detect.Case, c *Claim) Ruled {
	own := Distinct(c.Facts)
	r := Ruled{ID: c.ID, By: c.By, Support: state.Unsupported, Against: found.Contradicting(c.By, own)}
	if found.Speaks(c.By, own) {
		r.Weight = thousandths(found.Standing(c.By, own))
	} else if len(own) > 0 {
		r.Weight = thousandths(unreadShare * c.Confidence / float64(1+len(against(c))))
	}
	switch {
	case r.Weight >= supportedFrom:
		r.Support = state.Supported
	case r.Weight >= weakFrom:
		r.Support = state.Weak
	}
	return r
}

// against are the facts cited against a claim that it does not cite itself.
func against(c *Claim) []string {
	return slices.DeleteFunc(Distinct(c.Against), func(id string) bool { return slices.Contains(c.Facts, id) })
}

// Lead is by how much the architect leads, from -1 to 1, in thousandths.
func (v *ClaimsVerdict) Lead() float64 { return thousandths(v.Architect - v.Skeptic) }

// thousandths rounds a share, so that what is shown is what decides.
func thousandths(n float64) float64 {
	const thousand = 1000
	return math.Round(n*thousand) / thousand
}

// decide finds the outcome. Where nobody cites anything there is none.
func (v *ClaimsVerdict) decide(margin float64, cited map[state.Seat][]string) {
	nothing := len(cited[state.Architect])+len(cited[state.Skeptic]) == 0
	switch {
	case !nothing && v.Architect > v.Neither && v.Lead() >= margin:
		v.Verdict = Verdict{Outcome: state.Confirmed, Confidence: v.Architect, Supporting: cited[state.Architect], Rule: "claims.1"}
	case !nothing && v.Skeptic > v.Neither && -v.Lead() >= margin:
		v.Verdict = Verdict{Outcome: state.Dismissed, Confidence: v.Skeptic, Supporting: cited[state.Skeptic], Rule: "claims.2"}
	default:
		both := Distinct(append(append([]string{}, cited[state.Architect]...), cited[state.Skeptic]...))
		v.Verdict = Verdict{Outcome: state.Inconclusive, Confidence: thousandths((v.Architect + v.Skeptic) / 2), Supporting: both, Rule: Else}
	}
}

// explain says the verdict in a sentence with its facts.
func (v *ClaimsVerdict) explain(found *detect.Case, cited map[state.Seat][]string) {
	acts := told(found, state.Architect, cited[state.Architect], state.RoleAct)
	covers := told(found, state.Skeptic, cited[state.Skeptic], state.RoleCover, state.RoleFailed)
	denied := told(found, state.Architect, cited[state.Architect], state.RoleDenial, state.RoleMisfit)
	shares := fmt.Sprintf("architect %.2f, skeptic %.2f, neither %.2f", v.Architect, v.Skeptic, v.Neither)
	var said string
	missing := found.Missing()
	switch {
	case v.Outcome == state.Confirmed:
		said = fmt.Sprintf("what stands is %s; %s", cmp.Or(acts, denied, "what there is"), tooLittle(covers, when(acts != "", denied)))
	case v.Outcome == state.Dismissed && covers == "":
		said = fmt.Sprintf("%s: too little to stand", cmp.Or(acts, "what there is"))
	case v.Outcome == state.Dismissed:
		said = fmt.Sprintf("%s: accounted for by %s", cmp.Or(acts, "what there is"), covers)
	case v.Neither > max(v.Architect, v.Skeptic) && len(missing) > 0:
		said = fmt.Sprintf("the record lacks what would decide (%s); little weight is left to %s", strings.Join(missing, ", "), cmp.Or(acts, covers, "what there is"))
	case v.Neither > max(v.Architect, v.Skeptic):
		said = fmt.Sprintf("too little decides: %s against %s", cmp.Or(acts, "little on one side"), cmp.Or(covers, "little on the other"))
	default:
		said = fmt.Sprintf("about the same weight on both sides: %s against %s", cmp.Or(acts, "little on one side"), cmp.Or(covers, "little on the other"))
	}
	said += "; " + shares
	v.Sentence = plain.Clip(plain.Line(found.Domain().Shown(v.Outcome)+": "+said+"."), maxSentence)
}

// tooLittle says why nothing, or not enough, accounts for what stands.
func tooLittle(covers, denied string) string {
	switch {
	case covers == "" && denied == "":
		return "nothing accounts for it"
	case covers == "":
		return "nothing accounts for it: " + denied
	case denied == "":
		return "too little of it is accounted for by " + covers
	}
	return "too little of it is accounted for by " + covers + ", against " + denied
}

// when is a text, or "".
func when(is bool, text string) string {
	if is {
		return text
	}
	return ""
}

// told names the strongest that stands of what a side cites, with its facts, of findings
// that do one of the things given.
func told(found *detect.Case, seat state.Seat, cited []string, does ...state.FactRole) string {
	const most = 2
	var names, said []string
	for _, claim := range found.Argue(seat).Claims {
		facts := slices.DeleteFunc(slices.Clone(claim.Facts), func(id string) bool { return !slices.Contains(cited, id) })
		if len(names) == most || !slices.Contains(does, claim.Role.Reading()) || !slices.ContainsFunc(facts, func(id string) bool { return !slices.Contains(said, id) }) {
			continue
		}
		said = append(said, facts...)
		names = append(names, fmt.Sprintf("%s (%s)", claim.Name, strings.Join(facts[:min(len(facts), maxCited)], ", ")))
	}
	return strings.Join(names, " and ")
}
