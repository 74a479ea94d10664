package dialectic

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"moot/protocol/claims"
	"moot/protocol/dialectic/gates"
	"moot/protocol/dialectic/playbook"
	"moot/protocol/move"
	"moot/state"
)

// Coverage says what became of the files of the change under review that no field covers (G9).
type Coverage struct {
	// LeftOut are the files that the proposer named as not proposed.
	LeftOut []FileLeftOut
	// Accepted are the files that the user takes as they are, seen or not.
	Accepted []string
	// Seq is the place of the last event about it.
	Seq int
}

// FileLeftOut names a changed file as not proposed (NOT_PROPOSED).
type FileLeftOut struct {
	Path   string     `json:"path"`
	By     state.Seat `json:"by"`
	Reason string     `json:"reason"`
}

// Fold implements state.Payload.
func (e *FileLeftOut) Fold(s *state.State) error {
	return changeCoverage(s, []string{e.Path}, func(c *Coverage) { c.LeftOut = append(slices.Clip(c.LeftOut), *e) })
}

// ChangeAccepted says that the user takes changed files as they are, seen or not.
type ChangeAccepted struct {
	Files []string   `json:"files"`
	By    state.Seat `json:"by"`
}

// Fold implements state.Payload.
func (e *ChangeAccepted) Fold(s *state.State) error {
	return changeCoverage(s, e.Files, func(c *Coverage) { c.Accepted = append(slices.Clip(c.Accepted), e.Files...) })
}

// aboutChange marks a question about changed files, in QuestionSurfaced.About.
const aboutChange = "change"

// Format is the dialectic: a proposer makes typed fields, a pressure-tester attacks them
// from a playbook, and both bring evidence. At the end of each round code decides whether
// the proposal advances, is held for another round, or goes to the user.
type Format struct{ claims.Base }

// Answers to an escalation that code understands. The protocol answers with answerSettled
// if the matter was settled another way.
const (
	answerCleared  = "cleared"
	answerUpheld   = "upheld"
	answerAccept   = "accept"
	answerWithdraw = "withdraw"
	answerHold     = "hold"
	settled        = "settled otherwise"
)

// Name is the format's name in session files.
const Name state.Format = "dialectic"

// The seats.
const (
	Proposer       state.Seat = "proposer"
	PressureTester state.Seat = "pressure-tester"
)

// Settings configure a dialectic. They are fixed when the session opens, so that a record
// resolves the same wherever it is replayed.
type Settings struct {
	Playbook playbook.Playbook `json:"playbook"`
}

// Variant is the name of the playbook.
func (s *Settings) Variant() string { return s.Playbook.Name }

// Own implements state.Rules.
func (Format) Own() state.Own {
	return state.Own{
		Claims:   true,
		Settings: &Settings{}, State: &Dialectic{},
		Kinds: []func() state.Payload{
			state.Create[FieldProposed], state.Create[FieldRevised], state.Create[FieldWithdrawn],
			state.Create[ObjectionFiled], state.Create[ObjectionRuled], state.Create[EvidenceSupplied],
			state.Create[ProposalExamined], state.Create[RoundResolved], state.Create[FileLeftOut],
			state.Create[ChangeAccepted],
		},
	}
}

// Of returns the dialectic's own part of a state.
func Of(s *state.State) *Dialectic { return state.OwnOf[Dialectic](s) }

// SettingsOf returns the dialectic's own settings.
func SettingsOf(s *state.State) *Settings {
	if own, ok := s.Settings.Own.(*Settings); ok {
		return own
	}
	return &Settings{}
}

// FieldOf returns the field of the proposal that a point is, or nil. The point may be nil.
func FieldOf(p *state.Point) *Field {
	if p == nil {
		return nil
	}
	f, _ := p.Own.(*Field)
	return f
}

// ObjectionOf returns what the dialectic adds to a challenge, or nil. The challenge may be nil.
func ObjectionOf(c *state.Challenge) *Objection {
	if c == nil {
		return nil
	}
	o, _ := c.Own.(*Objection)
	return o
}

// Reopened keeps the objections to a reopened field open, since their author has no other turn, and
// proposes the field again.
func (Format) Reopened(s *state.State, point string) error {
	p := s.Point(point)
	for _, id := range p.Challenges {
		if ObjectionOf(s.Challenge(id)) == nil {
			continue
		}
		err := s.ChangeChallenge(id, func(c *state.Challenge) { c.Status = state.StandsOpen })
		if err != nil {
			return err
		}
	}
	if f := FieldOf(p); f == nil || !f.Withdrawn {
		return nil
	}
	return changeField(s, point, func(_ *state.Point, f *Field) { f.Withdrawn, f.Reason = false, "" })
}

// Field holds what the dialectic adds to a point: a field of the proposal. Exports include it.
type Field struct {
	// Path is the name of the field, as in rollout.percent. No two points have the same.
	Path string `json:"path"`
	// Value is any JSON value, the current one.
	Value    json.RawMessage `json:"value"`
	Category string          `json:"category"`
	// Severity and the operation of Derived are as the seat wrote them, valid or not (G1). Severity says
	// which sources may carry the field.
	Severity string `json:"severity"`
	// Grounded says that the value must be found in what it rests on (G3, G4).
	Grounded bool             `json:"grounded"`
	Derived  *move.Derivation `json:"derived"`
	// Cites are the ids of evidence that the proposer named, whether they exist or not (G2); what it
	// cited along with the field is not among them.
	Cites []string `json:"cites"`
	// Round and Seq identify the last change of the value.
	Round int `json:"round"`
	Seq   int `json:"-"`
	// Earlier are the previous values, oldest first.
	Earlier []Former `json:"earlier"`
	// Withdrawn is true if the field is no longer proposed, WithdrawnBy says who removed it. Reason
	// explains the last change.
	Withdrawn   bool       `json:"withdrawn"`
	WithdrawnBy state.Seat `json:"withdrawn_by"`
	Reason      string     `json:"reason"`
}

// Former is a value that a field had.
type Former struct {
	Round int             `json:"round"`
	Value json.RawMessage `json:"value"`
}

// Objection holds what the dialectic adds to a challenge. Exports include it.
type Objection struct {
	// Category and Severity say how sure, and of which source, evidence must be that decides it.
	// Predicate is the statement that evidence is for or against.
	Category  string         `json:"category"`
	Severity  gates.Severity `json:"severity"`
	Predicate string         `json:"predicate"`
	// Flag is the red flag of the playbook that it raises, or "".
	Flag string `json:"flag"`
	// Evidence are the ids of the items that were brought for it.
	Evidence []string `json:"evidence"`
	// Supplies says when each item was brought, oldest first.
	Supplies []Supply `json:"-"`
	// Verdict is the user's ruling, or "". RuledSeq is the number of its event.
	Verdict  gates.Ruling `json:"verdict"`
	RuledSeq int          `json:"-"`
}

// Supply is the place of the event that brought an item for an objection.
type Supply struct {
	Evidence string
	Seq      int
}

// suppliedAt returns the place of the last event that brought an item, or 0.
func (o *Objection) suppliedAt(item string) int {
	for _, supply := range slices.Backward(o.Supplies) {
		if supply.Evidence == item {
			return supply.Seq
		}
	}
	return 0
}

// Dialectic is the part of a state that only the dialectic uses.
type Dialectic struct {
	// Resolved are the resolutions of the rounds, the oldest first. A round has
	// another one where the user ruled meanwhile.
	Resolved []Resolution
	// Examined are the places of the pressure-tester's replies, the oldest first.
	Examined []int
	// Change says what became of changed files that no field covers.
	Change Coverage
}

// turnsSince counts the replies of the pressure-tester after a place.
func (d *Dialectic) turnsSince(seq int) int {
	n := 0
	for _, at := range d.Examined {
		if at > seq {
			n++
		}
	}
	return n
}

// Resolution is the decision on the proposal at the end of a round.
type Resolution struct {
	Round int `json:"round"`
	// AsOf is the moment from which the age of evidence is counted (G8).
	AsOf time.Time `json:"as_of"`
	// Result is the decision with its receipts, in the form of moot resolve.
	gates.Result `json:"result"`
	// Seq is the place of its event.
	Seq int `json:"-"`
}

// Head is the hash of the last receipt.
func (r *Resolution) Head() string {
	if n := len(r.Receipts); n > 0 {
		return r.Receipts[n-1].Hash
	}
	return ""
}

// Last returns the last resolution, or nil.
func (d *Dialectic) Last() *Resolution {
	if len(d.Resolved) == 0 {
		return nil
	}
	return &d.Resolved[len(d.Resolved)-1]
}

// FieldAt returns the point of the field with the path, or nil.
func FieldAt(s *state.State, path string) *state.Point {
	return s.Points.Find(func(p *state.Point) bool {
		f := FieldOf(p)
		return f != nil && f.Path == path
	})
}

// FieldProposed makes a field of the proposal of a point that was raised just
// before (PROPOSE).
type FieldProposed struct {
	Point string `json:"point"`
	Path  string `json:"path"`
	// Value is any JSON value.
	Value    json.RawMessage `json:"value"`
	Category string          `json:"category"`
	Severity string          `json:"severity"`
	// Grounded says that the value must be found in what it rests on.
	Grounded bool             `json:"grounded"`
	Derived  *move.Derivation `json:"derived,omitempty"`
	// Cites are ids of evidence that the proposer names.
	Cites []string `json:"cites"`
}

// Fold implements state.Payload.
func (e *FieldProposed) Fold(s *state.State) error {
	p := s.Point(e.Point)
	switch {
	case p == nil:
		return state.Unknown("point", e.Point)
	case p.Own != nil:
		return fmt.Errorf("point %s is a field already: %s", e.Point, FieldOf(p).Path)
	case e.Path == "" || len(e.Value) == 0:
		return errors.New("a field has a path and a value")
	case FieldAt(s, e.Path) != nil:
		return fmt.Errorf("the field %s is proposed already", e.Path)
	}
	return s.ChangePoint(e.Point, func(p *state.Point) {
		p.Scope = state.InScope
		p.Own = &Field{
			Path: e.Path, Value: e.Value, Category: e.Category, Severity: e.Severity, Grounded: e.Grounded,
			Derived: e.Derived, Cites: slices.Clone(e.Cites), Round: s.Round, Seq: s.Seq,
		}
	})
}

// FieldRevised gives a field another value (REVISE), or restores a withdrawn field. Its
// objections and its evidence are kept.
type FieldRevised struct {
	Point string          `json:"point"`
	By    state.Seat      `json:"by"`
	Value json.RawMessage `json:"value"`
	// Text is the new text of the point.
	Text     string           `json:"text"`
	Severity string           `json:"severity"`
	Grounded bool             `json:"grounded"`
	Derived  *move.Derivation `json:"derived,omitempty"`
	Cites    []string         `json:"cites"`
	Reason   string           `json:"reason"`
}

// Fold implements state.Payload.
func (e *FieldRevised) Fold(s *state.State) error {
	if len(e.Value) == 0 {
		return errors.New("a field has a value")
	}
	return changeField(s, e.Point, func(p *state.Point, f *Field) {
		if string(f.Value) != string(e.Value) || f.Withdrawn {
			f.Earlier = append(slices.Clip(f.Earlier), Former{Round: f.Round, Value: f.Value})
			f.Round, f.Seq = s.Round, s.Seq
		}
		f.Value, f.Severity, f.Grounded = e.Value, e.Severity, e.Grounded
		f.Derived, f.Cites = e.Derived, slices.Clone(e.Cites)
		f.Withdrawn, f.Reason = false, e.Reason
		p.Text = e.Text
	})
}

// changeField changes a copy of a point's field.
func changeField(s *state.State, point string, change func(*state.Point, *Field)) error {
	if p := s.Point(point); p != nil && p.Own == nil {
		return fmt.Errorf("point %s is not a field of a proposal", point)
	}
	return s.ChangePoint(point, func(p *state.Point) {
		f := *FieldOf(p)
		change(p, &f)
		p.Own = &f
	})
}

// FieldWithdrawn takes a field out of the proposal (WITHDRAW): objections to it
// are moot from then on (R6).
type FieldWithdrawn struct {
	Point  string     `json:"point"`
	By     state.Seat `json:"by"`
	Reason string     `json:"reason"`
}

// Fold implements state.Payload.
func (e *FieldWithdrawn) Fold(s *state.State) error {
	return changeField(s, e.Point, func(_ *state.Point, f *Field) {
		f.Withdrawn, f.WithdrawnBy, f.Reason = true, e.By, e.Reason
		f.Round, f.Seq = s.Round, s.Seq
	})
}

// ObjectionFiled types a challenge that was raised just before (OBJECT).
type ObjectionFiled struct {
	Challenge string         `json:"challenge"`
	Category  string         `json:"category"`
	Severity  gates.Severity `json:"severity"`
	Predicate string         `json:"predicate"`
	// Flag is the red flag of the playbook that it raises, or "".
	Flag string `json:"flag"`
	// Cites are ids of evidence on record that bear on it.
	Cites []string `json:"cites"`
}

// Fold implements state.Payload.
func (e *ObjectionFiled) Fold(s *state.State) error {
	if c := s.Challenge(e.Challenge); c != nil && c.Own != nil {
		return fmt.Errorf("challenge %s is an objection already", e.Challenge)
	}
	return s.ChangeChallenge(e.Challenge, func(c *state.Challenge) {
		c.Own = &Objection{
			Category: e.Category, Severity: e.Severity, Predicate: e.Predicate, Flag: e.Flag,
			Evidence: slices.Clone(e.Cites),
		}
	})
}

// EvidenceSupplied brings an item to bear on an objection (SUPPLY_EVIDENCE).
type EvidenceSupplied struct {
	Evidence  string `json:"evidence"`
	Challenge string `json:"challenge"`
}

// Fold implements state.Payload.
func (e *EvidenceSupplied) Fold(s *state.State) error {
	if s.Item(e.Evidence) == nil {
		return state.Unknown("evidence item", e.Evidence)
	}
	return changeObjection(s, e.Challenge, func(o *Objection) {
		if !slices.Contains(o.Evidence, e.Evidence) {
			o.Evidence = append(slices.Clip(o.Evidence), e.Evidence)
		}
		o.Supplies = append(slices.Clip(o.Supplies), Supply{e.Evidence, s.Seq})
	})
}

// changeObjection changes a copy of a challenge's objection.
func changeObjection(s *state.State, challenge string, change func(*Objection)) error {
	if c := s.Challenge(challenge); c != nil && c.Own == nil {
		return fmt.Errorf("challenge %s is not an objection to a proposal", challenge)
	}
	return s.ChangeChallenge(challenge, func(c *state.Challenge) {
		o := *ObjectionOf(c)
		change(&o)
		c.Own = &o
	})
}

// ObjectionRuled is the user's word on an objection (R0).
type ObjectionRuled struct {
	Challenge string `json:"challenge"`
	// Verdict is cleared, upheld, or "" to take an earlier one back.
	Verdict gates.Ruling `json:"verdict"`
	Reason  string       `json:"reason"`
}

// Fold implements state.Payload.
func (e *ObjectionRuled) Fold(s *state.State) error {
	return changeObjection(s, e.Challenge, func(o *Objection) { o.Verdict, o.RuledSeq = e.Verdict, s.Seq })
}

// ByUser says that only the user rules on objections.
func (*ObjectionRuled) ByUser() bool { return true }

// ProposalExamined records that the pressure-tester examined the current proposal, and how
// many objections it raised (NO_OBJECTION: none).
type ProposalExamined struct {
	By state.Seat `json:"by"`
	// New counts the objections that it brought.
	New int `json:"new"`
	// Reason is why it has none, in its words.
	Reason string `json:"reason"`
}

// Fold implements state.Payload.
func (*ProposalExamined) Fold(s *state.State) error {
	return state.ChangeOwn(s, func(d *Dialectic) { d.Examined = append(slices.Clip(d.Examined), s.Seq) })
}

// RoundResolved is the decision on the proposal at the end of a round, with every receipt.
type RoundResolved struct{ Resolution }

// Decided is the decision, for the list of sessions.
func (e *RoundResolved) Decided() string { return string(e.Decision) }

// Fold implements state.Payload.
func (e *RoundResolved) Fold(s *state.State) error {
	if e.Round != s.Round {
		return fmt.Errorf("round %d is resolved in round %d", e.Round, s.Round)
	}
	resolved := e.Resolution
	resolved.Seq = s.Seq
	return state.ChangeOwn(s, func(d *Dialectic) { d.Resolved = append(slices.Clip(d.Resolved), resolved) })
}
