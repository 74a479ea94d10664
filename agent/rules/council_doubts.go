package rules

import (
	"slices"
	"strings"
	"unicode"

	"moot/ledger"
	"moot/plain"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// doubts is what the critic has against how a claim is known: the first that holds
// of what refutes it, whether a source carries it, whether the source says it, the
// conditions that it leaves out, numbers without a method, words that claim all
// cases, one source where much rests on it, and a limit that is missing.
func (t *turn) doubts(p *state.Point) (*protocol.Challenge, error) {
	now := t.stands(p, "")
	if m := t.unsupported(p, &now); m != nil {
		return m, nil
	}
	m, err := t.wider(p)
	if m != nil || err != nil {
		return m, err
	}
	for _, look := range []func(*state.Point, *ledger.Evidence) *protocol.Challenge{t.unmeasured, t.absolute, t.single} {
		if m := look(p, now.support); m != nil {
			return m, nil
		}
	}
	if !t.limited(p) {
		return t.skeptical(p, t.say(sayFlawLimit), t.say(sayUpgradeLimit)), nil
	}
	return nil, nil
}

// skeptical is a challenge that says what would remove it.
func (t *turn) skeptical(p *state.Point, flaw, upgrade string) *protocol.Challenge {
	return &protocol.Challenge{Point: p.ID, Class: state.Skeptical, Flaw: clause(flaw), UpgradeIf: upgrade}
}

// unsupported doubts a claim that no verified source carries, or whose source does
// not say it.
func (t *turn) unsupported(p *state.Point, now *standing) *protocol.Challenge {
	switch {
	case now.refutation != nil:
		return t.skeptical(p, t.say(sayFlawCouncilGone, "lacks", t.say(sayFlawRefuted, "item", now.refutation.ID, "place", now.refutation.Reference)),
			t.say(sayUpgradeRefuted, "item", now.refutation.ID))
	case now.support == nil && len(p.Evidence) == 0:
		return t.skeptical(p, t.say(sayFlawCouncilNone), t.say(sayUpgradeCouncilNone))
	case now.support == nil:
		flaw, upgrade := t.flaw(now)
		return t.skeptical(p, t.say(sayFlawCouncilGone, "lacks", flaw), upgrade)
	case now.support.Run != nil:
		return nil
	}
	if slices.ContainsFunc(t.supporting(p), func(item *ledger.Evidence) bool { return t.carries(item, p) }) {
		return nil
	}
	quote := plain.Clip(now.support.Excerpt, recited)
	m := t.skeptical(p, t.say(sayFlawQuote, "item", now.support.ID, "place", now.support.Reference, "quote", clause(quote)), t.say(sayUpgradeQuote))
	if own := t.nearest(now.support, p); own != "" {
		m.Narrower = t.say(sayClaims, "place", now.support.Reference, "quote", own)
	}
	return m
}

// sentencesOf are the sentences of an item's passage.
func (t *turn) sentencesOf(item *ledger.Evidence) []string {
	file, _ := splitReference(item.Reference)
	var all []string
	for _, s := range t.statementsOf(&passage{path: file, line: 1, text: item.Excerpt}) {
		all = append(all, s.text)
	}
	return all
}

// nearest is the sentence of an item that shares most words with a claim and can
// be put for it, "" for none.
func (t *turn) nearest(item *ledger.Evidence, p *state.Point) string {
	best, most := "", 0
	said := t.wordsOf(t.bareClaim(p))
	for _, text := range t.sentencesOf(item) {
		if shared := said.shared(t.wordsOf(text)); shared > most && len([]rune(text)) <= quoted && t.narrows(p, text) {
			best, most = text, shared
		}
	}
	return best
}

// carries reports whether an item says what a claim says: as a whole, in one of its
// sentences, or in two that stand beside each other.
func (t *turn) carries(item *ledger.Evidence, p *state.Point) bool {
	all := t.sentencesOf(item)
	texts := append([]string{item.Excerpt}, all...)
	for i := range all[:max(len(all)-1, 0)] {
		texts = append(texts, all[i]+". "+all[i+1])
	}
	claim := t.bareClaim(p)
	return slices.ContainsFunc(texts, func(text string) bool {
		return slices.ContainsFunc([]string{claim, t.withoutLimit(claim)}, func(form string) bool {
			return t.states(text, form) || strings.Contains(plain.Line(text), form)
		})
	})
}

// withoutLimit is a claim without the limit that this package puts at its end.
func (t *turn) withoutLimit(claim string) string {
	for _, key := range []phrase{sayNarrowerAbsolute, sayNarrowerStress} {
		_, lead, _ := strings.Cut(t.sentences[key], "{claim}")
		lead, _, _ = strings.Cut(lead, "{")
		if before, _, ok := strings.Cut(claim, lead); ok {
			claim = before
		}
	}
	return claim
}

// narrows reports whether a text can be put for a claim: it is of the same core,
// not the same, and not its opposite.
func (t *turn) narrows(p *state.Point, text string) bool {
	return resolver.Similarity(p.Text, text) >= resolver.SameSubject && !resolver.Opposed(p.Text, text) &&
		resolver.Normalised(text) != resolver.Normalised(p.Text)
}

// wider doubts a claim that leaves out a condition under which another source says
// the same.
func (t *turn) wider(p *state.Point) (*protocol.Challenge, error) {
	claim := t.bareClaim(p)
	found, err := t.find(claim, usual)
	if err != nil {
		return nil, err
	}
	for i := range found.passages {
		one := &found.passages[i]
		for _, s := range t.statementsOf(one) {
			part := one.narrowed(&s)
			if t.citedOn(p, &part) || !t.states(s.text, claim) || !t.conditioned(s.text, claim) || len([]rune(s.text)) > quoted {
				continue
			}
			m := t.skeptical(p, t.say(sayFlawWide, "place", part.reference(), "quote", clause(s.text)), t.say(sayUpgradeWide))
			m.Narrower = t.say(sayClaims, "place", part.reference(), "quote", s.text)
			if !t.narrows(p, m.Narrower) {
				continue
			}
			m.Citations = []protocol.Citation{{Reference: part.reference(), Quote: verbatim(part.text, s.text), Relation: ledger.Neutral}}
			t.cites[p.ID+" "+part.reference()] = true
			return m, nil
		}
	}
	return nil, nil
}

// conditioned reports whether a statement says a condition that a claim lacks: more
// words of condition than the claim has, and other words beside.
func (t *turn) conditioned(statement, claim string) bool {
	const more = 2
	conditions := func(text string) int {
		n := 0
		for word := range strings.FieldsSeq(strings.ToLower(text)) {
			if t.conditions[strings.TrimFunc(word, unicode.IsPunct)] {
				n++
			}
		}
		return n
	}
	said, claimed := t.wordsOf(statement), t.wordsOf(claim)
	return conditions(statement) > conditions(claim) && len(said) >= len(claimed)+more
}

// unmeasured doubts a number that is stated as measured, where nothing that
// carries the claim says how, or when.
func (t *turn) unmeasured(p *state.Point, _ *ledger.Evidence) *protocol.Challenge {
	claim := t.bareClaim(p)
	figures := t.figures(claim)
	if len(figures) == 0 || t.holds(claim, t.measures) == "" && !strings.Contains(claim, "%") || t.saysMethod(claim+" "+p.Limit) {
		return nil
	}
	if slices.ContainsFunc(t.supporting(p), t.methodBeside) {
		return nil
	}
	number := measured(figures).said
	return t.skeptical(p, t.say(sayFlawNumber, "number", number), t.say(sayUpgradeNumber, "number", number))
}

// measured is the figure of a claim that is the likeliest to have been measured: a
// share, else the last one, since conditions stand before what holds under them.
func measured(figures []figure) figure {
	for _, f := range figures {
		if strings.HasSuffix(f.said, "%") {
			return f
		}
	}
	return figures[len(figures)-1]
}

// absolute doubts a claim of all cases that one source carries.
func (t *turn) absolute(p *state.Point, support *ledger.Evidence) *protocol.Challenge {
	claim := t.bareClaim(p)
	word := t.holds(claim, t.absolutes)
	if word == "" || len(sourcesOf(t.supporting(p))) > 1 || resolver.StatesLimit(claim) {
		return nil
	}
	m := t.skeptical(p, t.say(sayFlawAbsolute, "word", word, "place", support.Reference), t.say(sayUpgradeAbsolute, "word", word))
	m.Narrower = t.say(sayNarrowerAbsolute, "claim", claim, "file", resolver.SourceOf(support))
	return m
}

// single doubts a key claim that one source carries.
func (t *turn) single(p *state.Point, _ *ledger.Evidence) *protocol.Challenge {
	sources := sourcesOf(t.supporting(p))
	if !p.Key || len(sources) != 1 {
		return nil
	}
	return t.skeptical(p, t.say(sayFlawSingle, "source", sources[0]), t.say(sayUpgradeSingle))
}

// limited reports whether a claim says how far it goes.
func (t *turn) limited(p *state.Point) bool {
	if p.Limit != "" || resolver.StatesLimit(p.Text) || resolver.StatesRange(p.Text) {
		return true
	}
	score := p.Score(p.Authors[0])
	return score != nil && score.Stated < 1 && strings.TrimSpace(score.Cause) != ""
}
