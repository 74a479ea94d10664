package detect

import (
	"cmp"
	"slices"

	"moot/state"
)

// maxClaims is how many claims a side makes, the strongest.
const maxClaims = 8

// Argument is what one side says of a packet.
type Argument struct {
	Seat state.Seat
	// Confidence is how sure the side is altogether, 0 to 1.
	Confidence float64
	// Claims are the strongest first; none where nothing was found.
	Claims []Claim
}

// Claim is one thing that a side says of facts.
type Claim struct {
	// Rule is the id of the rule that found it, Name what it finds in words.
	Rule, Name string
	// Role is what it does in the argument.
	Role state.FactRole
	// Technique is that of MITRE ATT&CK, or "".
	Technique string
	// Facts are the ids that it cites, 12 at most.
	Facts []string
	// Reading is one plain sentence that quotes values of its facts. It is safe to
	// draw, and 300 characters at most.
	Reading string
	// Confidence is 0 to 1.
	Confidence float64
}

// Argue returns what a side says in the first round: of everything that its rules
// found, with what the packet itself holds against it already reckoned in. A side that
// finds nothing makes no claim and has a low confidence.
func (c *Case) Argue(seat state.Seat) Argument {
	a := Argument{Seat: seat}
	findings := slices.DeleteFunc(slices.Clone(c.findings), func(f Finding) bool {
		return f.Rule.Role.Seat() != seat || f.Strength < leastStrength
	})
	slices.SortStableFunc(findings, func(x, y Finding) int { return strongest(&x, &y) })
	for _, one := range c.gather(findings[:min(len(findings), maxClaims)]) {
		a.Claims = append(a.Claims, c.claim(&one))
	}
	if seat == state.Skeptic && len(a.Claims) == 0 {
		if ordinary, is := c.ordinaryClaim(); is {
			a.Claims = append(a.Claims, ordinary)
		}
	}
	slices.SortStableFunc(a.Claims, func(x, y Claim) int { return cmp.Compare(y.Confidence, x.Confidence) })
	sums := c.Weigh(nil, nil)
	a.Confidence = sums.Skeptic
	if seat == state.Architect {
		a.Confidence = sums.Architect
	}
	return a
}

// leastStrength is under which strength a finding is not worth a claim.
const leastStrength = 0.05

// Contradicting returns the ids of facts that speak against a claim of a side that
// cites the facts given, the strongest first, 12 at most.
func (c *Case) Contradicting(seat state.Seat, facts []string) []string {
	type against struct {
		id     string
		weight float64
	}
	var found []against
	add := func(id string, weight float64) {
		if slices.Contains(facts, id) || weight < leastStrength {
			return
		}
		at := slices.IndexFunc(found, func(a against) bool { return a.id == id })
		if at < 0 {
			found = append(found, against{id, weight})
			return
		}
		found[at].weight = max(found[at].weight, weight)
	}
	for _, act := range c.acts {
		for _, b := range act.by {
			switch {
			case seat == state.Architect && slices.Contains(facts, act.fact.ID):
				add(b.cover.fact.ID, b.share)
			case seat == state.Skeptic && slices.Contains(facts, b.cover.fact.ID):
				add(act.fact.ID, act.reads[readAct]*act.left)
			}
		}
	}
	for _, one := range c.all {
		if seat == state.Architect && one.reads[readGap] >= likelyGap {
			add(one.fact.ID, one.reads[readGap]/2)
		}
		if seat == state.Skeptic && max(one.reads[readDenial], one.reads[readMisfit]) >= likelyGap {
			add(one.fact.ID, max(one.reads[readDenial], one.reads[readMisfit])/2)
		}
	}
	slices.SortStableFunc(found, func(x, y against) int { return cmp.Or(cmp.Compare(y.weight, x.weight), cmp.Compare(x.id, y.id)) })
	ids := []string{}
	for _, one := range found[:min(len(found), maxFacts)] {
		ids = append(ids, one.id)
	}
	return ids
}

// Answer is how a side meets a fact that was cited against a claim of its.
type Answer struct {
	// Holds says that the claim stands as it was; Facts are those that meet the fact.
	Holds bool
	Facts []string
	// Confidence is that of the claim from now on, Reading the answer in a sentence.
	Confidence float64
	Reading    string
}

// Answer meets a fact that the other side cites against a claim: what it does not
// account for stands, and what it does lowers the claim. The claim is one of the side's.
func (c *Case) Answer(seat state.Seat, claim *Claim, against string) Answer {
	share, rest := 0.0, []string(nil)
	for _, act := range c.acts {
		for _, b := range act.by {
			switch {
			case seat == state.Architect && b.cover.fact.ID == against && slices.Contains(claim.Facts, act.fact.ID):
				share = max(share, b.share)
			case seat == state.Skeptic && act.fact.ID == against && slices.Contains(claim.Facts, b.cover.fact.ID):
				share = max(share, act.reads[readAct]*act.left)
			}
		}
	}
	for _, id := range claim.Facts {
		if !slices.ContainsFunc(c.acts, func(act *item) bool {
			return act.fact.ID == id && slices.ContainsFunc(act.by, func(b binding) bool { return b.cover.fact.ID == against })
		}) {
			rest = append(rest, id)
		}
	}
	const meets = 0.35
	if share < meets {
		return Answer{Holds: true, Facts: rest, Confidence: claim.Confidence, Reading: c.stands(against, rest)}
	}
	lowered := min(claim.Confidence, finite(claim.Confidence*(1-share/2)))
	return Answer{Facts: []string{against}, Confidence: lowered, Reading: c.yields(against)}
}
