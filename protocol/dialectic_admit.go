package protocol

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"moot/enum"
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
	case a.seat == state.Proposer && a.s.Round == 1 && a.ask.Stage == state.StagePropose && !anyProposed(&a.s):
		a.try(0, func() error {
			return a.add(&state.QualityFailed{Seat: a.seat, Stage: a.ask.Stage, Reason: "the reply proposes no field"})
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
		if !known.Field.Withdrawn {
			return refuse("repeated", "%s is proposed already, as %s: revise it", path, known.ID)
		}
		// What was objected to it comes back with it.
		return a.setField(known, &Revise{Value: m.Value, Text: m.Text, Derived: m.Derived, Cites: m.Cites, Citations: m.Citations, Severity: m.Severity})
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
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-[]/", r)
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

// object is OBJECT.
func (a *pressing) object(m *Object) error {
	p, err := a.field(m.Point)
	if err != nil {
		return err
	}
	o, upgrade, err := a.typed(m)
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(m.Text) == "":
		return refuse("missing-field", "an objection to %s needs its text", p.Field.Path)
	case a.objected >= maxObjected:
		return refuse("too-many", "a reply raises at most %d objections", maxObjected)
	case len(p.Challenges) >= maxOnField:
		return refuse("too-many", "%s has %d objections already", p.Field.Path, len(p.Challenges))
	}
	for _, id := range p.Challenges {
		c := a.s.Challenge(id)
		if c.Typed != nil && ledger.Normalised(c.Typed.Predicate) == ledger.Normalised(o.Predicate) && ledger.Normalised(c.Objection) == ledger.Normalised(m.Text) {
			return refuse("repeated", "%s says that already", id)
		}
	}
	id := a.nextChallenge()
	o.Challenge = id
	if err := a.all(
		&state.ChallengeRaised{
			ID: id, Point: p.ID, By: a.seat, What: classOf(dialectic.Severity(o.Severity)), Objection: strings.TrimSpace(m.Text), UpgradeIf: upgrade,
		},
		o,
	); err != nil {
		return err
	}
	a.objected++
	a.bringTo(a.s.Point(p.ID), a.s.Challenge(id), m.Citations, ledger.Refutes)
	if strings.TrimSpace(m.Request) != "" {
		return a.request(id, m.Request)
	}
	return nil
}

// typed is what an objection says beside its text: what its red flag says, or
// what the seat does where it names none.
func (a *pressing) typed(m *Object) (*state.ObjectionFiled, string, error) {
	o := &state.ObjectionFiled{
		Category: clip(m.Category), Severity: string(m.Severity), Predicate: oneLine(m.Predicate), Cites: texts(m.Cites),
	}
	if m.Flag != "" {
		flag, err := a.flagNamed(m.Flag)
		if err != nil {
			return nil, "", err
		}
		o.Flag, o.Category, o.Severity, o.Predicate = flag.ID, flag.Category, flag.Severity, flag.Predicate
		return o, flag.Clears, nil
	}
	for _, missing := range [][2]string{{"category", o.Category}, {"severity", o.Severity}, {"predicate", o.Predicate}} {
		if missing[1] == "" {
			return nil, "", refuse("missing-field", "OBJECT: %s is missing, and no flag is named that would say it", missing[0])
		}
	}
	return o, "evidence that it is so: " + o.Predicate, nil
}

func (a *pressing) flagNamed(id string) (*state.RedFlag, error) {
	var known []string
	if book := a.s.Settings.Playbook; book != nil {
		for i := range book.Flags {
			if book.Flags[i].ID == strings.TrimSpace(id) {
				return &book.Flags[i], nil
			}
			known = append(known, book.Flags[i].ID)
		}
	}
	_, err := enum.Parse("red flag", clip(id), known)
	return nil, refuse("unknown-flag", "OBJECT: %v", err)
}

// classOf is the kind of challenge that an objection is to those who know
// nothing of severities.
func classOf(severity dialectic.Severity) state.Class {
	switch severity {
	case dialectic.Blocking, dialectic.High:
		return state.Reject
	case dialectic.Medium, dialectic.Low:
	}
	return state.Skeptical
}

// request is REQUEST_EVIDENCE: what is asked for about a grave objection is owed
// (G7).
func (a *pressing) request(challenge, text string) error {
	c, p, err := a.answerableObjection(challenge)
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(text) == "":
		return refuse("missing-field", "a request about %s says which evidence", c.ID)
	case a.requested >= maxObjected:
		return refuse("too-many", "a reply asks for evidence at most %d times", maxObjected)
	}
	for _, r := range a.s.Requests.All() {
		if r.About == c.ID && r.Open() {
			return refuse("repeated", "evidence on %s is asked for already", c.ID)
		}
	}
	a.requested++
	return a.add(&state.Requested{
		Point: p.ID, What: state.RequestEvidence, Of: []state.Seat{state.Proposer}, By: a.seat, Text: strings.TrimSpace(text), About: c.ID,
	})
}

// supply is SUPPLY_EVIDENCE.
func (a *pressing) supply(m *Supply) error {
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
	if a.seat == state.PressureTester {
		relation = ledger.Refutes
	}
	return a.offerTo(p, c, Citation{Reference: m.Reference, Quote: m.Quote, Relation: m.Relation}, relation)
}

// link brings items on record to bear on an objection.
func (a *pressing) link(p *state.Point, c *state.Challenge, ids []string) error {
	for _, id := range ids {
		switch item := a.s.Item(id); {
		case item == nil:
			return refuse("unknown-evidence", "there is no evidence %q", clip(id))
		case item.Point != p.ID:
			return refuse("other-field", "%s is about %s, and %s attacks %s", id, item.Point, c.ID, p.ID)
		}
		if err := a.add(&state.EvidenceSupplied{Evidence: id, Challenge: c.ID}); err != nil {
			return err
		}
	}
	return nil
}

// bringTo offers the citations inside another move; one that cannot stand spoils
// neither the move nor the others.
func (a *pressing) bringTo(p *state.Point, c *state.Challenge, citations []Citation, relation ledger.Relation) {
	for _, citation := range citations {
		a.try(0, func() error { return a.offerTo(p, c, citation, relation) })
	}
}

// offerTo offers an item on a field, and has it bear on an objection where one is
// given. What the seat has offered already bears on it as well.
func (a *pressing) offerTo(p *state.Point, c *state.Challenge, citation Citation, relation ledger.Relation) error {
	if citation.Relation == "" {
		citation.Relation = relation
	}
	id, err := a.offer(a.s.Point(p.ID), citation, LabelNone)
	if id == "" || c == nil {
		return err
	}
	if slices.Contains(a.s.Challenge(c.ID).Typed.Evidence, id) {
		return err
	}
	return a.add(&state.EvidenceSupplied{Evidence: id, Challenge: c.ID})
}
