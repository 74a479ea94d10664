package rules

import (
	"slices"
	"strings"

	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// compare marks the pairs of answers of which words alone tell how they are to
// each other: those that differ by a negation or a pair of opposites, those that
// are the same but for words that say nothing, and those that differ in a number
// or an identifier. What it leaves unmarked it cannot tell, and says so.
func (t *turn) compare() {
	proposed := protocol.Likely(t.s)
	marked := 0
	for _, pair := range proposed {
		m := &protocol.Triage{Point: pair.A, Other: pair.B, SameSubject: true}
		switch how := t.compareClaims(t.s.Point(pair.A).Text, t.s.Point(pair.B).Text); {
		case pair.Opposed:
			m.Opposed, m.Reason = true, t.say(sayOpposed)
		case how == sameWords:
			m.Alike, m.Reason = true, t.say(saySameWords)
		case how == otherValue:
			m.Reason = t.say(sayOtherValue)
		default:
			continue
		}
		t.add(m)
		marked++
	}
	if len(proposed) > 0 {
		t.note(sayNoteCompared, "marked", itoa(marked), "likely", itoa(len(proposed)))
	}
	if marked == 0 {
		t.flag(protocol.FlagNothing, "", t.say(sayNothingMarked))
	}
}

// vote takes a side where it can be shown that one of the two stands: by a
// verified run, or by a text that says nearly all of its words and not the other's.
// What cannot be shown is left out, and said.
func (t *turn) vote() error {
	table := resolver.NewTable(t.s)
	var open, values []string
	for _, c := range table.Conflicts() {
		a, b := table.Sides(c)
		if slices.Contains(a.Holders, t.ask.Seat) || slices.Contains(b.Holders, t.ask.Seat) {
			continue
		}
		p, q := t.s.Point(a.Points[0]), t.s.Point(b.Points[0])
		if calledValue(p) || calledValue(q) {
			values = append(values, c.ID)
			continue
		}
		for _, sides := range [][2]*state.Point{{p, q}, {q, p}} {
			m, err := t.side(sides[0], sides[1])
			if err != nil {
				return err
			}
			if m != nil {
				t.add(m)
				p = nil
				break
			}
		}
		if p != nil {
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		t.note(sayNoteOpen, "conflicts", strings.Join(open, ", "))
	}
	if len(values) > 0 {
		t.note(sayNoteValues, "conflicts", strings.Join(values, ", "))
	}
	if len(t.moves) == 0 {
		t.flag(protocol.FlagNothing, "", t.say(sayNoSide))
	}
	return nil
}

// side is the vote for a point against the other one of its conflict, or nil where
// nothing shows it.
func (t *turn) side(p, other *state.Point) (*protocol.Classify, error) {
	mine, theirs := t.shows(p, other), t.shows(other, p)
	m := &protocol.Classify{Point: p.ID, Class: state.Agree}
	switch {
	case theirs != nil || t.stands(p, "").refutation != nil:
		return nil, nil
	case mine != nil:
		m.Reason = t.ground(mine, sayAgree, sayAgreeRun)
		return m, nil
	}
	found, err := t.find(p.Text, usual)
	if err != nil {
		return nil, err
	}
	for i := range found.passages {
		one := &found.passages[i]
		for _, s := range t.statementsOf(one) {
			if !t.tells(s.text, p, other) {
				continue
			}
			part := one.narrowed(&s)
			m.Reason = t.say(saySide, "place", part.reference(), "quote", s.text)
			m.Citations = []protocol.Citation{{Reference: part.reference(), Quote: part.text, Relation: ledger.Supports}}
			return m, nil
		}
	}
	return nil, nil
}

// shows is the strongest verified item that shows a point and not the other one: a
// run, or a quotation that states it.
func (t *turn) shows(p, other *state.Point) *ledger.Evidence {
	var best *ledger.Evidence
	for _, id := range p.Evidence {
		item := t.s.Item(id)
		if item == nil || !item.Counts() || item.Relation != ledger.Supports || item.Type == ledger.Claim {
			continue
		}
		shown := item.Run != nil || t.tells(t.recite(item.Excerpt), p, other)
		if shown && (best == nil || ledger.CompareRank(item, best) < 0) {
			best = item
		}
	}
	return best
}

// tells reports whether a text states one point and not the other.
func (t *turn) tells(text string, p, other *state.Point) bool {
	says := func(point *state.Point) bool {
		claim := t.claimed(point.Text)
		return t.states(text, claim) && !resolver.Opposed(text, claim)
	}
	return says(p) && !says(other)
}

// inParts looks for each part of a question that asks several things, where
// nothing bears on all of it. What nothing was found for is said of the whole.
func (t *turn) inParts(whole []plan) ([]plan, error) {
	found, err := t.find(whole[0].sought, 1)
	if err != nil || len(found.passages) > 0 {
		return whole, err
	}
	var parts []plan
	for _, clause := range strings.FieldsFunc(strings.ReplaceAll(whole[0].sought, ". ", "; "), func(r rune) bool { return strings.ContainsRune(",;?!", r) }) {
		if len(t.sequence(clause)) < minStated || len(parts) == usual {
			continue
		}
		part := whole[0]
		part.sought, part.limit = clause, 2
		parts = append(parts, part)
	}
	return append(parts, whole...), nil
}

// claim brings a sentence of a passage as a point in the sentence's own words, so
// that it can be compared with what others say; the one that shares most words
// with what was sought, two at least. It is not ok where the passage has none.
func (t *turn) claim(p *passage, plan *plan) (raised, ok bool) {
	asked, best, most := t.wordsOf(plan.sought), statement{}, 1
	for _, s := range t.statementsOf(p) {
		if shared := asked.shared(t.wordsOf(s.text)); shared > most && len([]rune(s.text)) <= quoted && !echoes(plan.sought, s.text) {
			best, most = s, shared
		}
	}
	if best.text == "" {
		return false, false
	}
	part := p.narrowed(&best)
	text := t.say(sayClaims, "place", part.reference(), "quote", best.text)
	if t.saidAlready(text) {
		return false, true
	}
	confidence := ledger.ConfidenceInPlace
	whole := strings.TrimRight(t.bare(&part), ".") == best.text
	t.add(&protocol.Raise{
		Text: text, Label: protocol.LabelEvidence, Confidence: &confidence, Option: plan.option,
		Citations: []protocol.Citation{{Reference: part.reference(), Quote: part.text, Relation: ledger.Supports, Direct: whole}},
	})
	return true, true
}

// bare is the text of a passage without the marks of comments and lists.
func (l *lexicon) bare(p *passage) string {
	var kept []string
	for line := range strings.Lines(p.text) {
		text, _, _ := l.prose(p.path, line)
		kept = append(kept, text)
	}
	return strings.Join(kept, " ")
}

// refuted is what a point of the seat's own is conceded by in a panel: a verified
// refutation that no support of it ranks as high as, or nil.
func (t *turn) refuted(now *standing) *ledger.Evidence {
	if t.s.Settings.Format != state.FormatPanel || now.refutation == nil {
		return nil
	}
	if now.support != nil && ledger.CompareRank(now.support, now.refutation) <= 0 {
		return nil
	}
	return now.refutation
}
