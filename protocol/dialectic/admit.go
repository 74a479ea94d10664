package dialectic

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/dialectic/gates"
	"moot/state"
)

// Limits on the size of a proposal and its objections.
const (
	// maxFields is the number of fields of a proposal, including withdrawn ones.
	maxFields = 60
	// maxObjected is the number of objections in one reply.
	maxObjected = 20
	// maxObjections is the number of objections in a session.
	maxObjections = 120
	// maxOnField is the number of objections to one field.
	maxOnField = 12
	// maxPath is the length of a path in bytes.
	maxPath = 120
)

// Admit implements Format.
func (Format) Admit(s state.State, ask protocol.Ask, moves []protocol.Move) protocol.Admission {
	d := &protocol.Draft{State: s}
	a := &admitter{Admitter: &protocol.Admitter{Draft: d, Ask: ask, Seat: ask.Seat, Began: s.Seq}}
	for i, m := range moves {
		d.Try(i+1, func() error { return a.move(m) })
	}
	a.finish()
	return protocol.Admission{Events: d.Events, Refused: d.Refused}
}

// admitter admits the moves of one reply.
type admitter struct {
	*protocol.Admitter
	// objected and requested count the objections and requests of this reply.
	objected, requested int
	// reason is why the seat has no objection.
	reason string
}

func (a *admitter) move(m protocol.Move) error {
	if !slices.Contains(a.Ask.Moves, m.Kind()) {
		return protocol.Refuse("not-allowed", "%s is no move of this turn", m.Kind())
	}
	switch m := m.(type) {
	case *protocol.Propose:
		return a.propose(m)
	case *protocol.Revise:
		return a.revise(m)
	case *protocol.Defend:
		return a.defend(m)
	case *protocol.Concede:
		return a.concede(m)
	case *protocol.Withdraw:
		return a.withdraw(m.Point, m.Reason)
	case *protocol.Object:
		return a.object(m)
	case *protocol.RequestMove:
		return a.request(m.Challenge, m.Text)
	case *protocol.Supply:
		return a.supply(m)
	case *protocol.NoObjection:
		a.reason = strings.TrimSpace(m.Reason)
		return nil
	}
	return protocol.Refuse("unknown-move", "%s is no move of a dialectic", m.Kind())
}

// finish adds the events that depend on the whole reply.
func (a *admitter) finish() {
	switch {
	case a.Seat == state.PressureTester:
		a.Try(0, func() error {
			return a.Add(&state.ProposalExamined{By: a.Seat, New: a.objected, Reason: a.reason})
		})
	case a.Seat == state.Proposer && a.State.Round == 1 && a.Ask.Stage == state.StagePropose && !AnyProposed(&a.State):
		a.Try(0, func() error {
			reason := "the reply proposes no field"
			if a.reason != "" {
				reason += " (" + protocol.OneLine(a.reason) + ")"
			}
			return a.Add(&state.QualityFailed{Seat: a.Seat, Stage: a.Ask.Stage, Reason: reason})
		})
	}
}

// field returns the field with this id or path.
func (a *admitter) field(name string) (*state.Point, error) {
	p := fieldNamed(&a.State, name)
	switch {
	case p == nil:
		return nil, protocol.Refuse("unknown-point", "there is no field %q; there are %s", protocol.Clip(name), protocol.OrNone(paths(&a.State)))
	case p.Field.Withdrawn:
		return nil, protocol.Refuse("closed-point", "%s was withdrawn", p.Field.Path)
	case !Proposed(p):
		return nil, protocol.Refuse("closed-point", "the user put %s aside", p.Field.Path)
	}
	return p, nil
}

func paths(s *state.State) string {
	var found []string
	for _, p := range s.Points.All() {
		if Proposed(p) {
			found = append(found, p.ID+" "+p.Field.Path)
		}
	}
	return strings.Join(found, ", ")
}

// propose handles PROPOSE: a new field, or a withdrawn one.
func (a *admitter) propose(m *protocol.Propose) error {
	path, err := cleanPath(m.Path)
	if err != nil {
		return err
	}
	if known := a.State.FieldAt(path); known != nil {
		switch {
		case known.UserRuling != nil || known.Field.Withdrawn && known.Field.WithdrawnBy == state.User:
			return protocol.Refuse("closed-point", "the user ruled on %s", path)
		case !known.Field.Withdrawn:
			return protocol.Refuse("repeated", "%s is proposed already, as %s: revise it", path, known.ID)
		}
		// Earlier objections to the field apply again.
		return a.setField(known, &protocol.Revise{
			Value: m.Value, Text: m.Text, Derived: m.Derived, Cites: m.Cites,
			Citations: m.Citations, Severity: m.Severity,
		})
	}
	switch {
	case a.State.Points.Len() >= maxFields:
		return protocol.Refuse("too-many", "a proposal has at most %d fields", maxFields)
	case strings.TrimSpace(m.Category) == "":
		return protocol.Refuse("missing-field", "%s needs a category", path)
	}
	severity := strings.ToUpper(strings.TrimSpace(m.Severity))
	if severity == "" {
		severity = string(gates.High)
	}
	id := a.NextPoint()
	if err := a.All(
		&state.PointRaised{ID: id, By: a.Seat, Text: fieldText(path, m.Value, m.Text)},
		&state.FieldProposed{
			Point: id, Path: path, Value: m.Value, Category: protocol.Clip(m.Category), Severity: protocol.Clip(severity),
			Grounded: m.Grounded == nil || *m.Grounded, Derived: derivation(m.Derived), Cites: texts(m.Cites),
		},
	); err != nil {
		return err
	}
	a.Raised++
	a.bringTo(a.State.Point(id), nil, m.Citations, ledger.Supports)
	return nil
}

// cleanPath checks the path of a field: words of letters, digits, hyphens and underscores,
// joined by dots, with list indexes in brackets.
func cleanPath(path string) (string, error) {
	path = strings.TrimSpace(path)
	strange := strings.IndexFunc(path, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') &&
			!strings.ContainsRune("._-[]/", r)
	})
	if path == "" || len(path) > maxPath || strange >= 0 {
		return "", protocol.Refuse("path", "a path is like rollout.percent: letters, digits and . _ - / [ ], up to %d of them; not %q", maxPath, protocol.Clip(path))
	}
	return path, nil
}

// fieldText is the text of a field as a point.
func fieldText(path string, value json.RawMessage, why string) string {
	text := path + " = " + string(value)
	if why = protocol.OneLine(why); why != "" {
		text += " (" + why + ")"
	}
	return text
}

func derivation(d *protocol.Derivation) *state.Derivation {
	if d == nil || d.Op == "" && len(d.Of) == 0 {
		return nil
	}
	return &state.Derivation{Op: protocol.Clip(strings.ToLower(strings.TrimSpace(d.Op))), Of: texts(d.Of)}
}

// texts returns a non-nil list with each item shortened.
func texts(list []string) []string {
	short := []string{}
	for _, text := range list {
		short = append(short, protocol.Clip(text))
	}
	return short
}

// revise handles REVISE: a new value for a field.
func (a *admitter) revise(m *protocol.Revise) error {
	p, err := a.field(m.Point)
	switch {
	case err != nil:
		return err
	case p.UserRuling != nil:
		return protocol.Refuse("closed-point", "the user ruled on %s", p.Field.Path)
	case len(m.Value) == 0:
		return protocol.Refuse("missing-field", "a revision of %s needs its value", p.Field.Path)
	}
	return a.setField(p, m)
}

// setField changes the value of a field or its support.
func (a *admitter) setField(p *state.Point, m *protocol.Revise) error {
	f := p.Field
	severity := f.Severity
	if !slices.Contains(enum.Words(gates.Severities()), severity) && m.Severity != "" {
		severity = protocol.Clip(strings.ToUpper(strings.TrimSpace(m.Severity)))
	}
	e := &state.FieldRevised{
		Point: p.ID, By: a.Seat, Value: m.Value, Text: fieldText(f.Path, m.Value, m.Text), Severity: severity,
		Grounded: f.Grounded, Derived: derivation(m.Derived), Cites: f.Cites, Reason: protocol.Clip(protocol.FirstOf(m.Because, m.Text)),
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
		return protocol.Refuse("unchanged", "the revision of %s changes nothing", f.Path)
	}
	if err := a.Add(e); err != nil {
		return err
	}
	a.bringTo(p, nil, m.Citations, ledger.Supports)
	return nil
}

// defend handles DEFEND. The argument alone clears nothing; its evidence may.
func (a *admitter) defend(m *protocol.Defend) error {
	c, p, err := a.answerableObjection(m.Challenge)
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(m.Text) == "":
		return protocol.Refuse("empty", "a defense needs a text")
	case len(c.Defenses) >= state.MaxRounds:
		return protocol.Refuse("too-many", "%s was answered often enough", c.ID)
	}
	if err := a.Add(&state.ChallengeAnswered{Challenge: c.ID, By: a.Seat, Text: m.Text}); err != nil {
		return err
	}
	a.bringTo(p, c, m.Citations, ledger.Supports)
	return nil
}

// answerableObjection returns an objection to a field that is still proposed.
func (a *admitter) answerableObjection(id string) (*state.Challenge, *state.Point, error) {
	c := a.State.Challenge(id)
	if c == nil || c.Typed == nil {
		return nil, nil, protocol.Refuse("unknown-challenge", "there is no objection %q", protocol.Clip(id))
	}
	p := a.State.Point(c.Point)
	if !Proposed(p) {
		return nil, nil, protocol.Refuse("closed-point", "%s ended with its field %s", c.ID, p.Field.Path)
	}
	if c.Status == state.StandsConceded {
		return nil, nil, protocol.Refuse("closed-challenge", "%s was conceded", c.ID)
	}
	return c, p, nil
}

// concede handles CONCEDE: the objection is upheld. The field remains proposed until it is
// withdrawn (R6).
func (a *admitter) concede(m *protocol.Concede) error {
	if m.Challenge == "" {
		return a.withdraw(m.Point, m.Reason)
	}
	c, _, err := a.answerableObjection(m.Challenge)
	if err != nil {
		return err
	}
	return a.Add(&state.ChallengeConceded{Challenge: c.ID, By: a.Seat, Reason: m.Reason})
}

// withdraw handles WITHDRAW.
func (a *admitter) withdraw(name, reason string) error {
	p, err := a.field(name)
	switch {
	case err != nil:
		return err
	case p.UserRuling != nil:
		return protocol.Refuse("closed-point", "the user ruled on %s", p.Field.Path)
	}
	return a.Add(&state.FieldWithdrawn{Point: p.ID, By: a.Seat, Reason: strings.TrimSpace(reason)})
}
