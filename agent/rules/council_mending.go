package rules

import (
	"strings"

	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// mend mends what violates the constitution, where it can: it cites, says a limit,
// adds how a proposal is carried out, gives up what is forbidden, or puts a
// challenge in words that name what it doubts.
func (t *turn) mend() error {
	for i := range t.due.Mend {
		b := &t.due.Mend[i]
		p := t.s.Point(b.Point)
		c := t.s.Settings.Council.Constitution.Constraint(b.Constraint)
		if p == nil || c == nil {
			continue
		}
		if err := t.mendOne(b, p, c); err != nil {
			return err
		}
	}
	return nil
}

func (t *turn) mendOne(b *state.Breach, p *state.Point, c *state.Constraint) error {
	switch c.Check {
	case state.CheckCites:
		return t.citeSupport(p)
	case state.CheckUncertainty:
		place := t.say(sayThemeOther)
		if supports := t.supporting(p); len(supports) > 0 {
			place = supports[0].Reference
		}
		t.add(&protocol.Clarify{Point: p.ID, Term: "limit", Text: t.say(sayCouncilLimit, "place", place)})
	case state.CheckMethod:
		if challenge := t.s.Challenge(b.Challenge); challenge != nil {
			t.add(&protocol.Challenge{
				Point: p.ID, Class: state.Skeptical, Flaw: t.say(sayMended, "flaw", clause(challenge.Objection)), UpgradeIf: challenge.UpgradeIf,
			})
		}
	case state.CheckDiverse:
		citations, _, err := t.answering(p, false)
		for _, one := range citations {
			t.add(&protocol.Cite{Point: p.ID, Citation: one, Label: protocol.LabelEvidence})
		}
		return err
	case state.CheckFeasible:
		t.sayHow(p)
	case state.CheckNoHarm:
		if p.IsAuthor(t.ask.Seat) {
			t.add(&protocol.Concede{Point: p.ID, Reason: t.say(sayConcedeForbidden, "constraint", c.ID, "text", b.Text)})
		}
	case state.CheckBias, state.CheckNone:
	}
	return nil
}

// sayHow adds to a proposal the sentence that follows it in its document, where
// that says how it is carried out.
func (t *turn) sayHow(p *state.Point) {
	supports := t.supporting(p)
	if len(supports) == 0 || len(t.forms(p)) >= mostForms {
		return
	}
	file, _ := splitReference(supports[0].Reference)
	text, ok := t.readOwn(file, maxDocument)
	if !ok {
		return
	}
	claim := t.bareClaim(p)
	all := t.statementsOf(&passage{path: file, line: 1, text: unfenced(string(text))})
	for i := range all[:max(len(all)-1, 0)] {
		next := &all[i+1]
		if strings.TrimRight(all[i].text, ". ") != claim || !resolver.SaysHow(next.text) || t.source.secret(next.text) {
			continue
		}
		part := (&passage{path: file, line: 1, last: strings.Count(string(text), "\n") + 1, text: string(text)}).narrowed(&statement{next.text, all[i].first, next.last})
		confidence, because := t.hopeOf(claim + next.text)
		t.add(&protocol.Revise{
			Point: p.ID, Text: t.say(sayClaims, "place", part.reference(), "quote", claim+": "+next.text), Because: because, Confidence: &confidence, Limit: p.Limit,
			Citations: []protocol.Citation{{Reference: part.reference(), Quote: part.text, Relation: ledger.Supports}},
		})
		return
	}
}
