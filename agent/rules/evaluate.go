package rules

import (
	"slices"
	"strings"

	"moot/ledger"
	"moot/plain"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// cited is how many passages are cited on one point that lacks evidence, and
// citedOnDesign on a point as long as a design.
const (
	cited         = 2
	citedOnDesign = 5
	long          = 600
)

// evaluate places, judges and classifies what is due (RD2, RD3, CH5).
func (t *turn) evaluate() error {
	merged := t.merge()
	for _, id := range t.due.Triage {
		p := t.s.Point(id)
		if p == nil || merged[id] {
			continue
		}
		theme := p.Option
		if theme == "" {
			theme = themeOf(p, t)
		}
		t.add(&protocol.Triage{Point: id, Scope: state.InScope, Reason: t.say(sayInScope), Theme: theme})
	}
	t.pairs(merged)
	t.violations(merged)
	for _, id := range t.due.Judge {
		t.judge(t.s.Challenge(id))
	}
	for _, id := range t.due.Classify {
		if p := t.s.Point(id); p != nil && !merged[id] {
			if err := t.classify(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// themeOf groups points by the file that their first evidence names.
func themeOf(p *state.Point, t *turn) string {
	for _, id := range p.Evidence {
		if item := t.s.Item(id); item != nil {
			if file, _ := splitReference(item.Reference); file != "" {
				return file
			}
		}
	}
	return t.say(sayThemeOther)
}

// merge joins points that differ in filler words only (RD2); what is identical
// was joined by code. It returns the ids that went into others.
func (t *turn) merge() map[string]bool {
	merged := map[string]bool{}
	if !t.allows(protocol.MoveMerge) {
		return merged
	}
	points := protocol.Deliberated(t.s)
	for i, into := range points {
		if merged[into.ID] {
			continue
		}
		var from []string
		for _, p := range points[i+1:] {
			if !merged[p.ID] && p.Option == into.Option && p.Holder == into.Holder && !user(p) && !user(into) &&
				slices.Contains(t.due.Triage, p.ID) && t.sameButFiller(into.Text, p.Text) && !resolver.Opposed(into.Text, p.Text) {
				merged[p.ID] = true
				from = append(from, p.ID)
			}
		}
		if len(from) > 0 {
			t.add(&protocol.Merge{Into: into.ID, From: from})
		}
	}
	return merged
}

// user reports whether the point is one that the user brought.
func user(p *state.Point) bool { return p.IsAuthor(state.User) }

// pairs marks points of different seats that say the opposite (RD1b): by a
// negation or a pair of opposites alone, which words can tell.
func (t *turn) pairs(merged map[string]bool) {
	if len(t.due.Triage) == 0 {
		return
	}
	points := protocol.Deliberated(t.s)
	for i, p := range points {
		for _, q := range points[i+1:] {
			if merged[p.ID] || merged[q.ID] || slices.Equal(p.Authors, q.Authors) || t.paired(p.ID, q.ID) || !resolver.Opposed(p.Text, q.Text) {
				continue
			}
			t.add(&protocol.Triage{Point: p.ID, Other: q.ID, SameSubject: true, Opposed: true, Reason: t.say(sayOpposed)})
		}
	}
}

func (t *turn) paired(a, b string) bool {
	for _, pair := range t.s.Pairs.All() {
		if pair.A == a && pair.B == b || pair.A == b && pair.B == a {
			return true
		}
	}
	return false
}

// violations names user facts whose opposite a point says (AC5); the user
// confirms.
func (t *turn) violations(merged map[string]bool) {
	for _, id := range t.due.Classify {
		p := t.s.Point(id)
		if p == nil || merged[id] {
			continue
		}
		for _, fact := range t.s.Facts.All() {
			named := slices.ContainsFunc(p.Violates, func(v state.Violation) bool { return v.Fact == fact.ID })
			if fact.Live && fact.Tag == ledger.TagUser && !named && resolver.Opposed(p.Text, fact.Text) {
				t.add(&protocol.FlagMove{Flag: protocol.FlagViolates, Point: id, Fact: fact.ID, Text: t.say(sayViolates)})
			}
		}
	}
}

// classify judges a point by its evidence alone.
func (t *turn) classify(p *state.Point) error {
	now := t.stands(p, "")
	t.contest(p)
	confidence, cause := now.confidence()
	m := &protocol.Classify{Point: p.ID, Class: state.Skeptical, Confidence: &confidence}
	switch value := calledValue(p); {
	case value:
		// Left to the user: the challenge ends as a tradeoff and a question.
		m.ValueJudgment, m.Flaw, m.UpgradeIf = true, t.say(sayFlawValue), t.say(sayUpgradeValue)
		confidence, cause = ledger.ConfidenceWord, ""
	case now.grounded():
		m.Class = state.Agree
		m.Reason = t.ground(now.support, sayAgree, sayAgreeRun)
	case len(p.Evidence) == 0 && user(p) && len(t.patterns.in(p.Text)) > 0:
		m.Flaw, m.UpgradeIf = t.say(sayFlawUnchecked), t.say(sayUpgradeUnchecked)
	default:
		m.Flaw, m.UpgradeIf = t.flaw(&now)
	}
	m.Because = t.because(p, m.Class, cause)
	t.add(m)
	if m.Class == state.Agree || m.ValueJudgment {
		return nil
	}
	return t.cite(p)
}

// calledValue reports whether the point is a value judgment for this seat: the
// user or its author calls it one, and its text holds nothing to be measured.
func calledValue(p *state.Point) bool {
	switch p.UserKind {
	case state.Value:
		return true
	case state.Empirical:
		return false
	}
	return len(p.CalledValue) > 0 && !resolver.Measurable(p.Text)
}

// because says what turned an earlier position (ST1), or "".
func (t *turn) because(p *state.Point, class state.Class, cause string) string {
	old := p.Latest(t.ask.Seat)
	switch {
	case old == nil || old.Class == class:
		return ""
	case cause == "":
		return t.say(sayRevisingReopened, "from", string(old.Class), "to", string(class))
	}
	return t.say(sayRevising, "from", string(old.Class), "to", string(class), "item", cause)
}

// flaw says what the point lacks, in one sentence, and what would mend it.
func (t *turn) flaw(now *standing) (flaw, upgrade string) {
	switch {
	case now.refutation != nil:
		return t.say(sayFlawRefuted, "item", now.refutation.ID, "place", now.refutation.Reference),
			t.say(sayUpgradeRefuted, "item", now.refutation.ID)
	case now.beside != nil:
		return t.say(sayFlawBeside, "item", now.beside.ID, "place", now.beside.Reference),
			t.say(sayUpgradeBeside, "item", now.beside.ID)
	case now.unadmitted != nil:
		return t.say(sayFlawUnadmitted, "item", now.unadmitted.ID, "reason", clause(now.unadmitted.Reason)), t.say(sayUpgradeCite)
	case now.waiting != nil:
		return t.say(sayFlawWaiting, "item", now.waiting.ID, "place", now.waiting.Reference), t.say(sayUpgradeWaiting, "item", now.waiting.ID)
	case now.refused != nil:
		return t.say(sayFlawRefused, "item", now.refused.ID, "reason", clause(now.refused.Reason)), t.say(sayUpgradeCite)
	}
	return t.say(sayFlawNone), t.say(sayUpgradeCite)
}

// contest denies that a quotation is the point's very predicate where it does
// not hold the point's words (PH6): in doubt it is not.
func (t *turn) contest(p *state.Point) {
	for _, id := range p.Evidence {
		item := t.s.Item(id)
		if item == nil || !item.Direct || item.Contested != "" || item.OfferedBy == string(t.ask.Seat) || !item.Counts() {
			continue
		}
		if !t.quotes(p.Text, item) {
			t.add(&protocol.Contest{Evidence: id, Reason: t.say(sayContest)})
		}
	}
}

// quotes reports whether a point states what an item says: it holds the
// quotation, as far as points do, or the quotation states the point.
func (t *turn) quotes(point string, item *ledger.Evidence) bool {
	shown := strings.TrimSuffix(t.recite(item.Excerpt), "…")
	return shown != "" && strings.Contains(plain.Clip(point, len(point)+1), shown) || t.states(item.Excerpt, point)
}

// cite brings what a point of the user's cites in its own text, so that it is
// checked, and what the search finds on a point that lacks evidence: as support
// only where a passage says the point nearly verbatim, else as neutral.
func (t *turn) cite(p *state.Point) error {
	if !t.allows(protocol.MoveCite) || t.foundNothing(p) {
		return nil
	}
	limit := cited
	if len(p.Text) > long {
		limit = citedOnDesign
	}
	var citations []protocol.Citation
	if user(p) {
		own, err := t.ownCitations(p)
		if err != nil {
			return err
		}
		citations = own
	}
	further, err := t.further(p, p.Text, limit)
	if err != nil {
		return err
	}
	for _, c := range append(citations, further...) {
		t.add(&protocol.Cite{Point: p.ID, Citation: c, Label: protocol.LabelEvidence})
	}
	return nil
}

// further returns citations of passages on what is sought that are not yet
// cited on the point: of a text that says several things, the best on each.
func (t *turn) further(p *state.Point, sought string, limit int) ([]protocol.Citation, error) {
	var citations []protocol.Citation
	pieces := t.pieces(sought, citedOnDesign)
	for _, piece := range pieces {
		found, err := t.find(piece, limit+len(p.Evidence))
		if err != nil {
			return nil, err
		}
		taken := 0
		for i := range found.passages {
			one := &found.passages[i]
			same := slices.ContainsFunc(citations, func(c protocol.Citation) bool { return c.Reference == one.reference() })
			if len(citations) == limit || taken*len(pieces) >= limit || same || t.citedOn(p, one) {
				continue
			}
			taken++
			relation := ledger.Neutral
			if t.states(one.text, p.Text) {
				relation = ledger.Supports
			}
			citations = append(citations, protocol.Citation{Reference: one.reference(), Quote: one.text, Relation: relation})
			t.cites[p.ID+" "+one.reference()] = true
		}
	}
	return citations, nil
}

// citedOn reports whether evidence on the point, or a citation of this reply on
// it, stands at the passage.
func (t *turn) citedOn(p *state.Point, one *passage) bool {
	if t.cites[p.ID+" "+one.reference()] {
		return true
	}
	for _, id := range p.Evidence {
		item := t.s.Item(id)
		if item == nil {
			continue
		}
		file, span := splitReference(item.Reference)
		if file == one.path && one.overlaps(file, span[0], span[1]) {
			return true
		}
	}
	return false
}
