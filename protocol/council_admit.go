package protocol

import (
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// The terms of CLARIFY that mean something of their own in a council.
const (
	// limitTerm says what a claim does not cover.
	limitTerm = "limit"
	// evidenceTerm asks for evidence of a claim.
	evidenceTerm = "evidence"
)

// Admit implements Format: as in a consultation, beside what only a council knows.
func (Council) Admit(s state.State, ask Ask, moves []Move) Admission {
	d := &draft{s: s}
	a := &admission{draft: d, ask: ask, seat: ask.Seat, began: s.Seq}
	for i, m := range moves {
		d.try(i+1, func() error { return a.councilMove(m) })
	}
	a.finishCouncil()
	return Admission{Events: d.events, Refused: d.refused}
}

func (a *admission) councilMove(m Move) error {
	if !slices.Contains(a.ask.Moves, m.Kind()) {
		return refuse("not-allowed", "%s is no move of this turn", m.Kind())
	}
	switch m := m.(type) {
	case *Synthesize:
		return a.synthesize(m)
	case *FlagMove:
		if m.Flag == FlagKey {
			return a.markKey(m.Point, true)
		}
	case *Clarify:
		switch strings.ToLower(strings.TrimSpace(m.Term)) {
		case limitTerm:
			return a.limit(m)
		case evidenceTerm:
			return a.requestEvidence(m)
		}
	case *Merge:
		return a.join(m)
	case *Challenge:
		if a.ask.Stage == state.StageMend {
			return a.mendChallenge(m)
		}
	case *Revise:
		if a.seat == state.Moderator {
			return a.reword(m)
		}
	}
	return a.move(m)
}

// finishCouncil does what depends on the whole reply: a strategist without claims
// is asked once more, and then the session ends (EX4).
func (a *admission) finishCouncil() {
	if a.ask.Stage == state.StagePropose && a.raised == 0 && hasPoint(&a.s, a.seat) {
		// Asked once more for its confidences: the claims are there.
		return
	}
	a.finish()
}

// synthesize is SYNTHESIZE: what the moderator says of agreement is kept beside
// what the rules find.
func (a *admission) synthesize(m *Synthesize) error {
	text := strings.TrimSpace(m.Text)
	if text == "" {
		return refuse("empty", "a synthesis needs a text")
	}
	if a.s.Council.Synthesis(a.s.Round) != nil {
		return refuse("repeated", "the synthesis of round %d is given already", a.s.Round)
	}
	open := []string{}
	for _, id := range m.Open {
		p := a.s.Current(id)
		if p == nil {
			return refuse("unknown-point", "there is no point %q", id)
		}
		if !slices.Contains(open, p.ID) {
			open = append(open, p.ID)
		}
	}
	return a.add(&state.Synthesized{By: a.seat, Text: text, Agreement: m.Agreement, Open: open})
}

// markKey says that much rests on a claim. No seat takes that back: it would lift
// the claim over what CV1 demands.
func (d *draft) markKeyOf(p *state.Point, key bool, by state.Seat) error {
	if p.Key == key {
		if key {
			return refuse("repeated", "%s is a key claim already", p.ID)
		}
		return refuse("repeated", "%s is no key claim", p.ID)
	}
	return d.add(&state.ClaimMarkedKey{Point: p.ID, By: by, Key: key})
}

func (a *admission) markKey(id string, key bool) error {
	p, err := a.point(id)
	if err != nil {
		return err
	}
	return a.markKeyOf(p, key, a.seat)
}

// limit is CLARIFY with the term limit: what a claim does not cover (CV4). Only who
// answers for the claim says so, or who worded it.
func (a *admission) limit(m *Clarify) error {
	p, err := a.point(m.Point)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(m.Text)
	switch {
	case text == "":
		return refuse("empty", "a limit needs a text")
	case a.seat != state.Moderator && !slices.Contains(defenders(p), a.seat):
		return refuse("not-author", "only its author says what %s does not cover", p.ID)
	}
	return a.add(&state.ClaimLimited{Point: p.ID, By: a.seat, Limit: text})
}

// requestEvidence is CLARIFY with the term evidence: who tests a claim asks its
// author for evidence, once.
func (a *admission) requestEvidence(m *Clarify) error {
	p, err := a.point(m.Point)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(m.Text)
	switch {
	case text == "":
		return refuse("empty", "a request says which evidence of %s is missing", p.ID)
	case slices.Contains(defenders(p), a.seat):
		return refuse("own-point", "evidence of %s is yours to give: CITE it", p.ID)
	case request(&a.s, p, state.RequestEvidence) != nil:
		return refuse("repeated", "evidence of %s was asked for already", p.ID)
	}
	return a.add(&state.Requested{Point: p.ID, What: state.RequestEvidence, Of: defenders(p), By: a.seat, Text: text})
}

// join is the moderator's MERGE of claims that say the same. It lifts nothing and
// sinks nothing: what stands by the rules stays, and what does not is not made to
// stand by what the other brings along, since nobody tested these words by that.
func (a *admission) join(m *Merge) error {
	into, err := a.point(m.Into)
	if err != nil {
		return err
	}
	stood := a.stands(into.ID)
	for _, id := range m.From {
		p, err := a.point(id)
		switch {
		case err != nil:
			return err
		case resolver.Opposed(p.Text, into.Text):
			return refuse("opposed", "%s and %s say the opposite of each other; they are not joined", p.ID, into.ID)
		case resolver.Similarity(p.Text, into.Text) < resolver.SameSubject:
			return refuse("other-claim", "%s and %s are not of the same core claim; they are not joined", p.ID, into.ID)
		case a.stands(p.ID) && !stood:
			return refuse("closed-point", "%s stands by the rules and %s does not: merge %s into it", p.ID, into.ID,
				into.ID)
		}
	}
	if err := a.merge(m); err != nil {
		return err
	}
	switch stands := a.stands(into.ID); {
	case stands && !stood:
		return refuse("lifts", "%s does not stand by itself, and joining lifts nothing: its author cites that evidence for it", into.ID)
	case stood && !stands:
		return refuse("sinks", "%s stands by the rules, and what is open on the other would undo that; they stay apart", into.ID)
	}
	return nil
}

// stands reports whether the rules find a claim agreed as things are.
func (a *admission) stands(point string) bool {
	ruled, _ := resolver.RuleOne(a.s, point)
	return ruled.Bucket == state.BucketAgreed
}

// mendChallenge gives a challenge that violates the constitution other words.
func (a *admission) mendChallenge(m *Challenge) error {
	p, err := a.point(m.Point)
	if err != nil {
		return err
	}
	for _, b := range unmended(&a.s, a.seat) {
		c := a.s.Challenge(b.Challenge)
		if c == nil || c.Point != p.ID || c.By != a.seat || c.Seq > a.began {
			// Another's, or one that this reply mended already.
			continue
		}
		flaw := strings.TrimSpace(m.Flaw)
		if flaw == "" || claimsNoFlaw(flaw) {
			return refuse("no-flaw", "%s needs a concrete flaw", c.ID)
		}
		return a.add(&state.ChallengeMended{
			Challenge: c.ID, By: a.seat, Objection: flaw,
			UpgradeIf: first(strings.TrimSpace(m.UpgradeIf), c.UpgradeIf),
			Grounds:   first(strings.TrimSpace(m.Grounds), c.Grounds),
		})
	}
	return refuse("nothing-to-mend", "no challenge of yours to %s is to be mended", p.ID)
}

// reword is the moderator's REVISE: the claim stays its author's, who answers for
// it, and is tested in the next round. Its verified evidence is offered for the new
// form too, to be checked again. What stands by the rules is left as it is.
func (a *admission) reword(m *Revise) error {
	p, err := a.point(m.Point)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(m.Text)
	switch {
	case !standing(&a.s, p):
		return refuse("closed-point", "%s has ended (%s); what ended is not worded anew", p.ID, endedBy(&a.s, p))
	case a.stands(p.ID):
		return refuse("closed-point", "%s stands by the rules; it is not worded anew", p.ID)
	case text == "" || resolver.Normalised(text) == resolver.Normalised(p.Text):
		return refuse("unchanged", "the new form of %s says nothing new", p.ID)
	case resolver.Opposed(p.Text, text):
		return refuse("opposed", "the new form of %s says the opposite: that is another claim", p.ID)
	case resolver.Similarity(p.Text, text) < resolver.SameSubject:
		return refuse("other-claim", "the new form of %s is not of the same core claim", p.ID)
	}
	id := a.nextPoint()
	author := p.Authors[0]
	if err := a.all(
		&state.PointRaised{
			ID: id, By: a.seat, For: author, Text: text, Value: slices.Contains(p.CalledValue, author), Label: p.Label,
			Revises: p.ID, Key: p.Key, Limit: first(strings.TrimSpace(m.Limit), p.Limit),
		},
		&state.PointRevised{Point: p.ID, New: id, By: a.seat},
		&state.PointTriaged{Point: id, By: state.Protocol, Scope: p.Scope, Reason: "revises " + p.ID, Theme: p.Theme},
	); err != nil {
		return err
	}
	if err := a.recordRevision(a.seat, a.seat.String()+" worded "+p.ID+" anew as "+id+": "+orNone(m.Because)); err != nil {
		return err
	}
	if err := a.bring(id, m.Citations, LabelNone, ledger.Supports); err != nil {
		return err
	}
	a.carry(p, id)
	a.report(id, m.Confidence, m.Because)
	return nil
}

// carry offers the verified support of a claim for its new form.
func (a *admission) carry(p *state.Point, id string) {
	for _, e := range p.Evidence {
		item := a.s.Item(e)
		if !item.Counts() || item.Relation != ledger.Supports || item.Approval != ledger.ApprovalNone {
			continue
		}
		a.try(0, func() error {
			return a.add(&state.EvidenceOffered{
				ID: a.nextEvidence(), Point: id, Relation: item.Relation, Reference: item.Reference,
				Quote: item.Excerpt,
				Label: item.Label, By: state.Seat(item.OfferedBy),
			})
		})
	}
}
