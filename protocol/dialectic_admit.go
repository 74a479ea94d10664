package protocol

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/ledger"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// Bounds on what a proposal and its objections grow to.
const (
	// maxFields is the number of fields of a proposal, withdrawn ones included.
	maxFields = 60
	// maxObjected is the number of objections that one reply may raise.
	maxObjected = 20
	// maxObjections is the number of objections of a session.
	maxObjections = 120
	// maxOnField is the number of objections to one field.
	maxOnField = 12
	// maxPath is the length of a path in bytes.
	maxPath = 120
)

// Admit turns the moves of a reply into events, or refuses them one by one with
// a reason.
func (Dialectic) Admit(s state.State, ask Ask, moves []Move) Admission {
	d := &draft{s: s}
	a := &pressing{admission: &admission{draft: d, ask: ask, seat: ask.Seat, began: s.Seq}}
	for i, m := range moves {
		d.try(i+1, func() error { return a.move(m) })
	}
	a.finish()
	return Admission{Events: d.events, Refused: d.refused}
}

// pressing is one reply on its way into a proposal.
type pressing struct {
	*admission
	// objected counts the objections of this reply, requested its requests.
	objected, requested int
	// reason is why the seat has no objection.
	reason string
}

func (a *pressing) move(m Move) error {
	if !slices.Contains(a.ask.Moves, m.Kind()) {
		return refuse("not-allowed", "%s is no move of this turn", m.Kind())
	}
	switch m := m.(type) {
	case *Propose:
		return a.propose(m)
	case *Revise:
		return a.revise(m)
	case *Defend:
		return a.defend(m)
	case *Concede:
		return a.concede(m)
	case *Withdraw:
		return a.withdraw(m.Point, m.Reason)
	case *Object:
		return a.object(m)
	case *RequestMove:
		return a.request(m.Challenge, m.Text)
	case *Supply:
		return a.supply(m)
	case *NoObjection:
		a.reason = strings.TrimSpace(m.Reason)
		return nil
	}
	return refuse("unknown-move", "%s is no move of a dialectic", m.Kind())
}

// finish does what depends on the whole reply.
func (a *pressing) finish() {
	switch {
	case a.seat == state.PressureTester:
		a.try(0, func() error {
			return a.add(&state.ProposalExamined{By: a.seat, New: a.objected, Reason: a.reason})
		})
	case a.seat == state.Proposer && a.s.Round == 1 && a.ask.Stage == state.StagePropose && !resolver.AnyProposed(&a.s):
		a.try(0, func() error {
			reason := "the reply proposes no field"
			if a.reason != "" {
				reason += " (" + oneLine(a.reason) + ")"
			}
			return a.add(&state.QualityFailed{Seat: a.seat, Stage: a.ask.Stage, Reason: reason})
		})
	}
}

// field returns the field that a seat named by its id or path.
func (a *pressing) field(name string) (*state.Point, error) {
	p := fieldNamed(&a.s, name)
	switch {
	case p == nil:
		return nil, refuse("unknown-point", "there is no field %q; there are %s", clip(name), orNone(paths(&a.s)))
	case p.Field.Withdrawn:
		return nil, refuse("closed-point", "%s was withdrawn", p.Field.Path)
	case !resolver.Proposed(p):
		return nil, refuse("closed-point", "the user put %s aside", p.Field.Path)
	}
	return p, nil
}

func paths(s *state.State) string {
	var found []string
	for _, p := range s.Points.All() {
		if resolver.Proposed(p) {
			found = append(found, p.ID+" "+p.Field.Path)
		}
	}
	return strings.Join(found, ", ")
}

// propose is PROPOSE: a new field, or one that was withdrawn.
func (a *pressing) propose(m *Propose) error {
	path, err := cleanPath(m.Path)
	if err != nil {
		return err
	}
	if known := a.s.FieldAt(path); known != nil {
		switch {
		case known.UserRuling != nil || known.Field.Withdrawn && known.Field.WithdrawnBy == state.User:
			return refuse("closed-point", "the user ruled on %s", path)
		case !known.Field.Withdrawn:
			return refuse("repeated", "%s is proposed already, as %s: revise it", path, known.ID)
		}
		// What was objected to it comes back with it.
		return a.setField(known, &Revise{
			Value: m.Value, Text: m.Text, Derived: m.Derived, Cites: m.Cites,
			Citations: m.Citations, Severity: m.Severity,
		})
	}
	switch {
	case a.s.Points.Len() >= maxFields:
		return refuse("too-many", "a proposal has at most %d fields", maxFields)
	case strings.TrimSpace(m.Category) == "":
		return refuse("missing-field", "%s needs a category", path)
	}
	severity := strings.ToUpper(strings.TrimSpace(m.Severity))
	if severity == "" {
		severity = string(dialectic.High)
	}
	id := a.nextPoint()
	if err := a.all(
		&state.PointRaised{ID: id, By: a.seat, Text: fieldText(path, m.Value, m.Text)},
		&state.FieldProposed{
			Point: id, Path: path, Value: m.Value, Category: clip(m.Category), Severity: clip(severity),
			Grounded: m.Grounded == nil || *m.Grounded, Derived: derivation(m.Derived), Cites: texts(m.Cites),
		},
	); err != nil {
		return err
	}
	a.raised++
	a.bringTo(a.s.Point(id), nil, m.Citations, ledger.Supports)
	return nil
}

// cleanPath is the name of a field: words of letters, digits, hyphens and
// underscores, joined by dots; steps of a list in brackets.
func cleanPath(path string) (string, error) {
	path = strings.TrimSpace(path)
	strange := strings.IndexFunc(path, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') &&
			!strings.ContainsRune("._-[]/", r)
	})
	if path == "" || len(path) > maxPath || strange >= 0 {
		return "", refuse("path", "a path is like rollout.percent: letters, digits and . _ - / [ ], up to %d of them; not %q", maxPath, clip(path))
	}
	return path, nil
}

// fieldText is how a field reads as a point.
func fieldText(path string, value json.RawMessage, why string) string {
	text := path + " = " + string(value)
	if why = oneLine(why); why != "" {
		text += " (" + why + ")"
	}
	return text
}

func derivation(d *Derivation) *state.Derivation {
	if d == nil || d.Op == "" && len(d.Of) == 0 {
		return nil
	}
	return &state.Derivation{Op: clip(strings.ToLower(strings.TrimSpace(d.Op))), Of: texts(d.Of)}
}

// texts is a list that is never nil, each item as a short text.
func texts(list []string) []string {
	short := []string{}
	for _, text := range list {
		short = append(short, clip(text))
	}
	return short
}

// revise is REVISE: another value for a field.
func (a *pressing) revise(m *Revise) error {
	p, err := a.field(m.Point)
	switch {
	case err != nil:
		return err
	case p.UserRuling != nil:
		return refuse("closed-point", "the user ruled on %s", p.Field.Path)
	case len(m.Value) == 0:
		return refuse("missing-field", "a revision of %s needs its value", p.Field.Path)
	}
	return a.setField(p, m)
}

// setField gives a field another value, or what it rests on.
func (a *pressing) setField(p *state.Point, m *Revise) error {
	f := p.Field
	severity := f.Severity
	if !slices.Contains(enum.Words(dialectic.Severities()), severity) && m.Severity != "" {
		severity = clip(strings.ToUpper(strings.TrimSpace(m.Severity)))
	}
	e := &state.FieldRevised{
		Point: p.ID, By: a.seat, Value: m.Value, Text: fieldText(f.Path, m.Value, m.Text), Severity: severity,
		Grounded: f.Grounded, Derived: derivation(m.Derived), Cites: f.Cites, Reason: clip(first(m.Because, m.Text)),
	}
	same := bytes.Equal(f.Value, m.Value)
	if e.Derived == nil && same {
		e.Derived = f.Derived
	}
	if m.Cites != nil {
		e.Cites = texts(m.Cites)
	}
	if e.Cites == nil {
		e.Cites = []string{}
	}
	if same && !f.Withdrawn && severity == f.Severity && m.Cites == nil && m.Derived == nil && len(m.Citations) == 0 {
		return refuse("unchanged", "the revision of %s changes nothing", f.Path)
	}
	if err := a.add(e); err != nil {
		return err
	}
	a.bringTo(p, nil, m.Citations, ledger.Supports)
	return nil
}

// defend is DEFEND: an argument, which clears nothing by itself, and evidence,
// which may.
func (a *pressing) defend(m *Defend) error {
	c, p, err := a.answerableObjection(m.Challenge)
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(m.Text) == "":
		return refuse("empty", "a defense needs a text")
	case len(c.Defenses) >= state.MaxRounds:
		return refuse("too-many", "%s was answered often enough", c.ID)
	}
	if err := a.add(&state.ChallengeAnswered{Challenge: c.ID, By: a.seat, Text: m.Text}); err != nil {
		return err
	}
	a.bringTo(p, c, m.Citations, ledger.Supports)
	return nil
}

// answerableObjection returns an objection to a field that is still proposed.
func (a *pressing) answerableObjection(id string) (*state.Challenge, *state.Point, error) {
	c := a.s.Challenge(id)
	if c == nil || c.Typed == nil {
		return nil, nil, refuse("unknown-challenge", "there is no objection %q", clip(id))
	}
	p := a.s.Point(c.Point)
	if !resolver.Proposed(p) {
		return nil, nil, refuse("closed-point", "%s ended with its field %s", c.ID, p.Field.Path)
	}
	if c.Status == state.StandsConceded {
		return nil, nil, refuse("closed-challenge", "%s was conceded", c.ID)
	}
	return c, p, nil
}

// concede is CONCEDE: the objection holds. The field stays proposed until it is
// withdrawn (R6).
func (a *pressing) concede(m *Concede) error {
	if m.Challenge == "" {
		return a.withdraw(m.Point, m.Reason)
	}
	c, _, err := a.answerableObjection(m.Challenge)
	if err != nil {
		return err
	}
	return a.add(&state.ChallengeConceded{Challenge: c.ID, By: a.seat, Reason: m.Reason})
}

// withdraw is WITHDRAW.
func (a *pressing) withdraw(name, reason string) error {
	p, err := a.field(name)
	switch {
	case err != nil:
		return err
	case p.UserRuling != nil:
		return refuse("closed-point", "the user ruled on %s", p.Field.Path)
	}
	return a.add(&state.FieldWithdrawn{Point: p.ID, By: a.seat, Reason: strings.TrimSpace(reason)})
}
