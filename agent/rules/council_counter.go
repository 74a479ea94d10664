package rules

import (
	"slices"
	"strings"

	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

const (
	// countered is how many passages are looked through for what speaks against a
	// claim.
	countered = 10
	// stressWords is how many words of a claim a passage on a failure shares.
	stressWords = 3
)

// attacks is what the adversary brings against a claim: a passage that contradicts
// it, one that tells of a failure, and what it only hopes.
func (t *turn) attacks(p *state.Point) (*protocol.Challenge, error) {
	found, err := t.find(t.bareClaim(p), countered)
	if err != nil {
		return nil, err
	}
	var stress *protocol.Challenge
	for i := range found.passages {
		one := &found.passages[i]
		for _, s := range t.sayings(one) {
			part := one.narrowed(&s)
			if len([]rune(s.text)) > quoted || slices.ContainsFunc(t.forms(p), func(form *state.Point) bool { return t.citedOn(form, &part) }) {
				continue
			}
			if m := t.contradicts(p, &part, s.text); m != nil {
				return m, nil
			}
			if stress == nil {
				stress = t.stresses(p, &part, s.text)
			}
		}
	}
	if stress != nil {
		return stress, nil
	}
	claim := t.bareClaim(p)
	if word := t.holds(claim, t.hedges); word != "" && len(t.figures(claim)) > 0 {
		return t.skeptical(p, t.say(sayFlawHope, "word", word), t.say(sayUpgradeHope)), nil
	}
	if t.byOthers(p) {
		return nil, nil
	}
	return t.unmeasured(p, nil), nil
}

// byOthers reports whether another seat challenged the claim: a number without a
// method is doubted once.
func (t *turn) byOthers(p *state.Point) bool {
	return slices.ContainsFunc(p.Challenges, func(id string) bool {
		c := t.s.Challenge(id)
		return c != nil && c.By != t.ask.Seat && c.By != state.Protocol
	})
}

// sayings are the sentences of a passage, and its lines that are no prose.
func (t *turn) sayings(p *passage) []statement {
	all := t.statementsOf(p)
	if isText(p.path) {
		return all
	}
	for i, line := range strings.Split(p.text, "\n") {
		if text := strings.TrimSpace(line); text != "" && !t.comments[strings.Fields(text)[0]] {
			all = append(all, statement{text, p.line + i, p.line + i})
		}
	}
	return all
}

// contradicts is the challenge by a passage that a claim cannot stand beside: it
// says the opposite, or another number for the same thing.
func (t *turn) contradicts(p *state.Point, part *passage, text string) *protocol.Challenge {
	claim := t.bareClaim(p)
	place := part.reference()
	m := &protocol.Challenge{
		Point: p.ID, Class: state.Reject, FlawKind: state.Empirical, Grounds: t.say(sayGroundsCounter), WhyNotSkeptical: t.say(sayWhyNotSkeptical),
		UpgradeIf: t.say(sayUpgradeCounter, "place", place),
	}
	_, own, ok := t.otherSetting(text, claim)
	if !ok {
		_, own, ok = t.otherFigure(text, claim)
	}
	switch {
	case ok:
		m.Flaw = t.say(sayFlawCounter, "place", place, "quote", clause(text), "claimed", own.said)
	case t.opposes(text, claim):
		m.Flaw = t.say(sayFlawDenied, "place", place, "quote", clause(text))
	default:
		return nil
	}
	t.against(m, part, text, ledger.Refutes)
	return m
}

// stresses is the challenge by a passage on a failure of what a claim speaks of,
// with the claim that leaves the failure out.
func (t *turn) stresses(p *state.Point, part *passage, text string) *protocol.Challenge {
	claim := t.bareClaim(p)
	word, said := t.holds(text, t.failures), t.wordsOf(claim)
	if word == "" || said[singular(word)] || said.shared(t.wordsOf(text)) < min(stressWords, len(said)) || t.follows(t.affirmed(text), t.affirmed(claim)) {
		return nil
	}
	m := t.skeptical(p, t.say(sayFlawStress, "place", part.reference(), "quote", clause(text)), t.say(sayUpgradeStress))
	m.Narrower = t.say(sayNarrowerStress, "claim", claim, "place", part.reference())
	t.against(m, part, text, ledger.Neutral)
	return m
}

// against cites a passage in a challenge.
func (t *turn) against(m *protocol.Challenge, part *passage, text string, relation ledger.Relation) {
	m.Citations = []protocol.Citation{{Reference: part.reference(), Quote: verbatim(part.text, text), Relation: relation}}
	t.cites[m.Point+" "+part.reference()] = true
}

// opposes reports whether a text says the opposite of a claim: they differ by a
// negation or a pair of opposites, or the text says nearly all of the claim's
// words, little more, and is negated where the claim is not.
func (t *turn) opposes(text, claim string) bool {
	switch {
	case strings.Contains(text, ". "):
		return false
	case resolver.Opposed(text, claim):
		return true
	}
	asked, said := t.affirmed(claim), t.affirmed(text)
	return len(asked) > minStated && float64(len(said)) <= spread*float64(len(asked)) &&
		t.negated(text) != t.negated(claim) && t.follows(said, asked)
}

// affirmed are the words of a text without its negations.
func (t *turn) affirmed(text string) []string {
	return slices.DeleteFunc(t.sequence(text), func(word string) bool { return t.negations[word] })
}
