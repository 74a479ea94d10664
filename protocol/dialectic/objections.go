package dialectic

import (
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/dialectic/gates"
	"moot/state"
)

// object handles OBJECT.
func (a *admitter) object(m *protocol.Object) error {
	p, err := a.field(m.Point)
	if err != nil {
		return err
	}
	o, upgrade, err := a.typed(m)
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(m.Text) == "":
		return protocol.Refuse("missing-field", "an objection to %s needs its text", p.Field.Path)
	case a.objected >= maxObjected:
		return protocol.Refuse("too-many", "a reply raises at most %d objections", maxObjected)
	case a.State.Challenges.Len() >= maxObjections:
		return protocol.Refuse("too-many", "there are %d objections already", maxObjections)
	case len(p.Challenges) >= maxOnField:
		return protocol.Refuse("too-many", "%s has %d objections already", p.Field.Path, len(p.Challenges))
	}
	for _, id := range p.Challenges {
		c := a.State.Challenge(id)
		if c.Typed != nil && ledger.Normalised(c.Typed.Predicate) == ledger.Normalised(o.Predicate) &&
			ledger.Normalised(c.Objection) == ledger.Normalised(m.Text) {
			return protocol.Refuse("repeated", "%s says that already", id)
		}
	}
	o.Cites = slices.DeleteFunc(o.Cites, a.unknown)
	id := a.NextChallenge()
	o.Challenge = id
	if err := a.All(
		&state.ChallengeRaised{
			ID: id, Point: p.ID, By: a.Seat, What: classOf(gates.Severity(o.Severity)),
			Objection: strings.TrimSpace(m.Text), UpgradeIf: upgrade,
		},
		o,
	); err != nil {
		return err
	}
	a.objected++
	a.bringTo(a.State.Point(p.ID), a.State.Challenge(id), m.Citations, ledger.Refutes)
	if strings.TrimSpace(m.Request) != "" {
		return a.request(id, m.Request)
	}
	return nil
}

// unknown refuses an unknown evidence id. The objection itself is raised without it, so no
// retry is needed.
func (a *admitter) unknown(id string) bool {
	if a.State.Item(id) != nil {
		return false
	}
	a.Try(0, func() error { return protocol.Refuse("unknown-evidence", "there is no evidence %q", id) })
	return true
}

// typed returns the structured part of an objection, from its red flag or from the move
// itself.
func (a *admitter) typed(m *protocol.Object) (*state.ObjectionFiled, string, error) {
	o := &state.ObjectionFiled{
		Category: protocol.Clip(m.Category), Severity: string(m.Severity), Predicate: protocol.OneLine(m.Predicate),
		Cites: texts(m.Cites),
	}
	if m.Flag != "" {
		flag, err := flagNamed(&a.State, m.Flag)
		if err != nil {
			return nil, "", err
		}
		o.Flag, o.Category, o.Severity, o.Predicate = flag.ID, flag.Category, flag.Severity, flag.Predicate
		return o, flag.Clears, nil
	}
	for _, missing := range [][2]string{
		{"category", o.Category},
		{"severity", o.Severity},
		{"predicate", o.Predicate},
	} {
		if missing[1] == "" {
			return nil, "", protocol.Refuse("missing-field", "OBJECT: %s is missing, and no flag is named that would say it",
				missing[0])
		}
	}
	return o, "evidence that it is so: " + o.Predicate, nil
}

// flagNamed returns the playbook's red flag with the id.
func flagNamed(s *state.State, id string) (*state.RedFlag, error) {
	var known []string
	if book := s.Settings.Playbook; book != nil {
		for i := range book.Flags {
			if book.Flags[i].ID == strings.TrimSpace(id) {
				return &book.Flags[i], nil
			}
			known = append(known, book.Flags[i].ID)
		}
	}
	_, err := enum.Parse("red flag", protocol.Clip(id), known)
	return nil, protocol.Refuse("unknown-flag", "OBJECT: %v", err)
}

// classOf maps a severity to a kind of challenge, for code that doesn't know severities.
func classOf(severity gates.Severity) state.Class {
	switch severity {
	case gates.Blocking, gates.High:
		return state.Reject
	case gates.Medium, gates.Low:
	}
	return state.Skeptical
}

// request handles REQUEST_EVIDENCE. A request about a grave objection must be answered
// (G7).
func (a *admitter) request(challenge, text string) error {
	c, p, err := a.answerableObjection(challenge)
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(text) == "":
		return protocol.Refuse("missing-field", "a request about %s says which evidence", c.ID)
	case a.requested >= maxObjected:
		return protocol.Refuse("too-many", "a reply asks for evidence at most %d times", maxObjected)
	}
	for _, r := range a.State.Requests.All() {
		if r.About == c.ID && r.Open() {
			return protocol.Refuse("repeated", "evidence on %s is asked for already", c.ID)
		}
	}
	a.requested++
	return a.Add(&state.Requested{
		Point: p.ID, What: state.RequestEvidence, Of: []state.Seat{state.Proposer}, By: a.Seat,
		Text: strings.TrimSpace(text), About: c.ID,
	})
}

// supply handles SUPPLY_EVIDENCE.
func (a *admitter) supply(m *protocol.Supply) error {
	var c *state.Challenge
	var p *state.Point
	var err error
	if m.Challenge != "" {
		c, p, err = a.answerableObjection(m.Challenge)
	} else {
		p, err = a.field(m.Point)
	}
	if err != nil {
		return err
	}
	if m.Reference == "" && len(m.Cites) > 0 && c != nil {
		return a.link(p, c, m.Cites)
	}
	relation := ledger.Supports
	if a.Seat == state.PressureTester {
		relation = ledger.Refutes
	}
	return a.offerTo(p, c, protocol.Citation{Reference: m.Reference, Quote: m.Quote, Relation: m.Relation}, relation)
}

// link attaches recorded evidence to an objection.
func (a *admitter) link(p *state.Point, c *state.Challenge, ids []string) error {
	for _, id := range ids {
		switch item := a.State.Item(id); {
		case item == nil:
			return protocol.Refuse("unknown-evidence", "there is no evidence %q", protocol.Clip(id))
		case item.Point != p.ID:
			return protocol.Refuse("other-field", "%s is about %s, and %s attacks %s", id, item.Point, c.ID, p.ID)
		}
		if err := a.Add(&state.EvidenceSupplied{Evidence: id, Challenge: c.ID}); err != nil {
			return err
		}
	}
	return nil
}

// bringTo offers the citations of a move. An invalid one doesn't affect the others or the
// move.
func (a *admitter) bringTo(p *state.Point, c *state.Challenge, citations []protocol.Citation, relation ledger.Relation) {
	for _, citation := range citations {
		a.Try(0, func() error { return a.offerTo(p, c, citation, relation) })
	}
}

// offerTo offers evidence on a field, and attaches it to the objection if there is one.
// Evidence that the seat has already offered is attached too.
func (a *admitter) offerTo(p *state.Point, c *state.Challenge, citation protocol.Citation, relation ledger.Relation) error {
	if citation.Relation == "" {
		citation.Relation = relation
	}
	id, err := a.Offer(a.State.Point(p.ID), citation, protocol.LabelNone)
	if id == "" || c == nil {
		return err
	}
	if slices.Contains(a.State.Challenge(c.ID).Typed.Evidence, id) {
		return err
	}
	return a.Add(&state.EvidenceSupplied{Evidence: id, Challenge: c.ID})
}
