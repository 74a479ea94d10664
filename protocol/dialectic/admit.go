package dialectic

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/ledger"
	"moot/protocol"
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
func (Format) Admit(s state.State, ask protocol.Ask, moves []protocol.Move) protocol.Admission {
	d := &protocol.Draft{State: s}
	a := &pressing{Admitter: &protocol.Admitter{Draft: d, Ask: ask, Seat: ask.Seat, Began: s.Seq}}
	for i, m := range moves {
		d.Try(i+1, func() error { return a.move(m) })
	}
	a.finish()
	return protocol.Admission{Events: d.Events, Refused: d.Refused}
}

// pressing is one reply on its way into a proposal.
type pressing struct {
	*protocol.Admitter
	// objected counts the objections of this reply, requested its requests.
	objected, requested int
	// reason is why the seat has no objection.
	reason string
}

func (a *pressing) move(m protocol.Move) error {
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

// finish does what depends on the whole reply.
func (a *pressing) finish() {
	switch {
	case a.Seat == state.PressureTester:
		a.Try(0, func() error {
			return a.Add(&state.ProposalExamined{By: a.Seat, New: a.objected, Reason: a.reason})
		})
	case a.Seat == state.Proposer && a.State.Round == 1 && a.Ask.Stage == state.StagePropose && !resolver.AnyProposed(&a.State):
		a.Try(0, func() error {
			reason := "the reply proposes no field"
			if a.reason != "" {
				reason += " (" + protocol.OneLine(a.reason) + ")"
			}
			return a.Add(&state.QualityFailed{Seat: a.Seat, Stage: a.Ask.Stage, Reason: reason})
		})
	}
}

// field returns the field that a seat named by its id or path.
func (a *pressing) field(name string) (*state.Point, error) {
	p := fieldNamed(&a.State, name)
	switch {
	case p == nil:
		return nil, protocol.Refuse("unknown-point", "there is no field %q; there are %s", protocol.Clip(name), protocol.OrNone(paths(&a.State)))
	case p.Field.Withdrawn:
		return nil, protocol.Refuse("closed-point", "%s was withdrawn", p.Field.Path)
	case !resolver.Proposed(p):
		return nil, protocol.Refuse("closed-point", "the user put %s aside", p.Field.Path)
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
func (a *pressing) propose(m *protocol.Propose) error {
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
		// What was objected to it comes back with it.
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
		severity = string(dialectic.High)
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

// cleanPath is the name of a field: words of letters, digits, hyphens and
// underscores, joined by dots; steps of a list in brackets.
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

// fieldText is how a field reads as a point.
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

// texts is a list that is never nil, each item as a short text.
func texts(list []string) []string {
	short := []string{}
	for _, text := range list {
		short = append(short, protocol.Clip(text))
	}
	return short
}

// revise is REVISE: another value for a field.
func (a *pressing) revise(m *protocol.Revise) error {
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

// setField gives a field another value, or what it rests on.
func (a *pressing) setField(p *state.Point, m *protocol.Revise) error {
	f := p.Field
	severity := f.Severity
	if !slices.Contains(enum.Words(dialectic.Severities()), severity) && m.Severity != "" {
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

// defend is DEFEND: an argument, which clears nothing by itself, and evidence,
// which may.
func (a *pressing) defend(m *protocol.Defend) error {
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
func (a *pressing) answerableObjection(id string) (*state.Challenge, *state.Point, error) {
	c := a.State.Challenge(id)
	if c == nil || c.Typed == nil {
		return nil, nil, protocol.Refuse("unknown-challenge", "there is no objection %q", protocol.Clip(id))
	}
	p := a.State.Point(c.Point)
	if !resolver.Proposed(p) {
		return nil, nil, protocol.Refuse("closed-point", "%s ended with its field %s", c.ID, p.Field.Path)
	}
	if c.Status == state.StandsConceded {
		return nil, nil, protocol.Refuse("closed-challenge", "%s was conceded", c.ID)
	}
	return c, p, nil
}

// concede is CONCEDE: the objection holds. The field stays proposed until it is
// withdrawn (R6).
func (a *pressing) concede(m *protocol.Concede) error {
	if m.Challenge == "" {
		return a.withdraw(m.Point, m.Reason)
	}
	c, _, err := a.answerableObjection(m.Challenge)
	if err != nil {
		return err
	}
	return a.Add(&state.ChallengeConceded{Challenge: c.ID, By: a.Seat, Reason: m.Reason})
}

// withdraw is WITHDRAW.
func (a *pressing) withdraw(name, reason string) error {
	p, err := a.field(name)
	switch {
	case err != nil:
		return err
	case p.UserRuling != nil:
		return protocol.Refuse("closed-point", "the user ruled on %s", p.Field.Path)
	}
	return a.Add(&state.FieldWithdrawn{Point: p.ID, By: a.Seat, Reason: strings.TrimSpace(reason)})
}
