package rules

import (
	"strings"

	"moot/ledger"
	"moot/plain"
	"moot/protocol"
	"moot/state"
)

// answer answers each challenge that is due by its id, and the requests.
func (t *turn) answer() error {
	for _, id := range t.due.Answer {
		c := t.s.Challenge(id)
		if c == nil {
			continue
		}
		p := t.s.Point(c.Point)
		if p == nil {
			continue
		}
		var err error
		if p.IsAuthor(t.ask.Seat) {
			err = t.defendOwn(p, c)
		} else {
			err = t.defendUsers(p, c)
		}
		if err != nil {
			return err
		}
	}
	return t.requests()
}

// defendOwn answers for a point of the seat's own: by its verified evidence, by
// further passages, or by giving the point up.
func (t *turn) defendOwn(p *state.Point, c *state.Challenge) error {
	if t.foundNothing(p) {
		// What is missing is the very finding.
		t.blocked(p, c)
		return nil
	}
	further, err := t.further(p, plain.Clip(c.Objection+" "+c.UpgradeIf, recited), cited)
	if err != nil {
		return err
	}
	now := t.stands(p, "")
	held := firstItem(now.support, now.beside)
	switch against := t.refuted(&now); {
	case against != nil:
		t.add(&protocol.Concede{Challenge: c.ID, Reason: t.say(sayConcedeRefuted, "item", against.ID, "place", against.Reference)})
	case held != nil && c.Last() == nil:
		t.add(&protocol.Defend{
			Challenge: c.ID, Citations: further,
			Text: t.ground(held, sayDefendVerified, sayDefendRun, "objection", plain.Clip(c.Objection, recited)),
		})
	case held != nil:
		t.add(&protocol.Defend{
			Challenge: c.ID, Citations: further,
			Text: t.say(sayDefendAgain, "challenge", c.ID, "objection", plain.Clip(c.Last().Reason, recited), "item", held.ID, "place", held.Reference),
		})
	case supports(further):
		t.add(&protocol.Defend{
			Challenge: c.ID, Citations: further, Text: t.say(sayDefendFurther, "objection", plain.Clip(c.Objection, recited)),
		})
	case now.waiting != nil:
		// What is missing is the run.
		t.blocked(p, c)
	case now.refused != nil:
		t.add(&protocol.Concede{Challenge: c.ID, Reason: t.say(sayConcedeRefused, "reason", clause(now.refused.Reason))})
	default:
		t.add(&protocol.Concede{Challenge: c.ID, Reason: t.say(sayConcedeNone)})
	}
	return nil
}

func firstItem(items ...*ledger.Evidence) *ledger.Evidence {
	for _, item := range items {
		if item != nil {
			return item
		}
	}
	return nil
}

func supports(citations []protocol.Citation) bool {
	for _, c := range citations {
		if c.Relation == ledger.Supports {
			return true
		}
	}
	return false
}

// defendUsers answers for a point of the user's, which only the user gives up:
// by its verified evidence, by what the point itself cites, by passages that
// state it; else it says what is missing, so that the point ends Unresolved
// with its crux and is not lost by silence.
func (t *turn) defendUsers(p *state.Point, c *state.Challenge) error {
	objection := plain.Clip(c.Objection, recited)
	if now := t.stands(p, ""); now.grounded() {
		key := sayDefendUsers
		if last := c.Last(); last != nil {
			key, objection = sayDefendAgain, plain.Clip(last.Reason, recited)
		}
		t.add(&protocol.Defend{Challenge: c.ID, Text: t.say(key, "challenge", c.ID, "objection", objection,
			"item", now.support.ID, "place", now.support.Reference, "quote", excerpt(now.support))})
		return nil
	}
	own, err := t.ownCitations(p)
	if err != nil {
		return err
	}
	if len(own) > 0 {
		var places []string
		for _, one := range own {
			places = append(places, one.Reference)
		}
		t.add(&protocol.Defend{
			Challenge: c.ID, Citations: own,
			Text: t.say(sayDefendOwn, "objection", objection, "places", strings.Join(places, ", ")),
		})
		return nil
	}
	further, err := t.further(p, p.Text, cited)
	if err != nil {
		return err
	}
	if supports(further) {
		t.add(&protocol.Defend{Challenge: c.ID, Citations: further, Text: t.say(sayDefendFurther, "objection", objection)})
		return nil
	}
	t.blocked(p, c)
	return nil
}

// ownCitations returns the citations that stand in a point's own text and were
// not offered yet. With a quotation they support the point, as their author
// says, unless the point is as long as a design, of which a quotation is a small
// part. A place without a quotation is quoted here, and supports the point only
// where its words do.
func (t *turn) ownCitations(p *state.Point) ([]protocol.Citation, error) {
	var citations []protocol.Citation
	for _, m := range t.patterns.in(p.Text) {
		one := protocol.Citation{Reference: m.reference, Quote: m.quote, Relation: ledger.Supports}
		if m.quote == "" {
			at, err := t.source.lineAt(t.ctx, m.file, m.line)
			if err != nil {
				return nil, err
			}
			if at == nil || strings.TrimSpace(at.text) == "" {
				continue
			}
			one.Reference, one.Quote = at.reference(), at.text
		}
		if len(p.Text) > long || m.quote == "" && !t.states(one.Quote, p.Text) {
			one.Relation = ledger.Neutral
		}
		if !t.offered(p, &one) {
			citations = append(citations, one)
			t.cites[p.ID+" "+one.Reference] = true
		}
	}
	return citations, nil
}

// offered reports whether a citation was offered on the point with the same
// relation, or in this reply.
func (t *turn) offered(p *state.Point, one *protocol.Citation) bool {
	if t.cites[p.ID+" "+one.Reference] {
		return true
	}
	for _, id := range p.Evidence {
		if item := t.s.Item(id); item != nil && item.Reference == one.Reference && item.Relation == one.Relation {
			return true
		}
	}
	return false
}

// blocked says which measurement is missing (CH7).
func (t *turn) blocked(p *state.Point, c *state.Challenge) {
	t.add(&protocol.Blocked{
		Challenge: c.ID, Measurement: t.say(sayBlockedMeasurement, "text", plain.Clip(p.Text, recited)),
		Threshold: t.say(sayBlockedThreshold), Below: t.say(sayBlockedBelow), Above: t.say(sayBlockedAbove),
	})
}

// requests answers what was asked of the seat about points that it defends.
// What a point of the user's means, only the user can say.
func (t *turn) requests() error {
	for _, r := range t.due.Requests {
		p := t.s.Live(r.Point)
		if p == nil {
			continue
		}
		own := p.IsAuthor(t.ask.Seat) && !t.foundNothing(p)
		switch r.Kind {
		case state.RequestEvidence:
			if protocol.Answers(p, t.ask.Seat) {
				if err := t.citeSupport(p); err != nil {
					return err
				}
			}
		case state.RequestClarification, state.RequestTerms:
			if own {
				t.add(&protocol.Clarify{Point: p.ID, Text: t.say(sayClarify)})
			}
		case state.RequestCrux:
			if own {
				t.add(&protocol.Clarify{Point: p.ID, Text: t.say(sayCrux)})
			}
		case state.RequestRestate:
		}
	}
	return nil
}

// citeSupport cites what states the point; passages that merely bear on it
// would be no answer.
func (t *turn) citeSupport(p *state.Point) error {
	if !t.allows(protocol.MoveCite) || t.foundNothing(p) {
		return nil
	}
	citations, err := t.ownCitations(p)
	if err != nil {
		return err
	}
	further, err := t.further(p, p.Text, cited)
	if err != nil {
		return err
	}
	for _, one := range append(citations, further...) {
		if one.Relation == ledger.Supports {
			t.add(&protocol.Cite{Point: p.ID, Citation: one, Label: protocol.LabelEvidence})
		}
	}
	return nil
}
