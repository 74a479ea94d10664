package resolver

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"moot/internal/enum"
	"moot/ledger"
	"moot/resolver/dialectic"
	"moot/state"
)

// Candidates lists what could be done about a field.
func (f *proposals) Candidates(l *Candidates) {
	f.aboutField(l, "")
	l.endOfSession()
	l.questions()
}

// Follow resolves the round, unless nothing of the proposal is left.
func (f *proposals) Follow(x *Course) {
	switch {
	case x.s.Over():
	case !AnyProposed(&x.s):
		x.add(&state.ExitReached{Exit: state.ExitDecided, Reason: "no field of the proposal is left"})
	case !Resolved(&x.s):
		recorded, _, err := f.back.recorded(&x.s, x.s.At)
		if err != nil {
			x.impossible = true
			return
		}
		x.add(&state.RoundResolved{Resolution: recorded})
	}
}

// Continues resolves the round first: only a proposal that is held gets another one.
func (f *proposals) Continues(x *Course) bool {
	if !x.impossible {
		f.Follow(x)
	}
	return recordedDecision(&x.s) == dialectic.Hold && len(Escalations(&x.s)) == 0
}

func (*proposals) Spoken(x *Course, seat state.Seat, stage state.Stage) bool {
	replied := x.s.AskedOf(seat, stage).Replies > 0
	proposed := x.s.Round < 2 || x.s.AskedOf(state.Proposer, state.StagePropose).Replies > 0
	switch stage { //nolint:exhaustive // the others are asked once a round
	case ownTurn:
		return false
	case state.StagePropose:
		return proposed
	case state.StageAnswer:
		return proposed && (replied || !Challenged(&x.s, x.s.Round))
	}
	return replied
}

// Decide is the decision on the proposal, and what it means; "" if nothing of the
// proposal is left, or nothing was resolved.
func (f *proposals) Decide(x *Course, before *state.State, known dialectic.Decision) (dialectic.Decision, string) {
	decision, last := dialectic.Decision(""), x.s.Dialectic.Last()
	switch {
	case !AnyProposed(&x.s):
		if AnyProposed(before) {
			return "", "nothing of the proposal is left"
		}
	case last != nil && x.past && x.s.Over():
		decision = f.back.resolve(&x.s, last.AsOf).Decision
	case last != nil:
		decision = dialectic.Decision(last.Decision)
	}
	if decision == known {
		return decision, ""
	}
	switch decision {
	case dialectic.Advance:
		return decision, "the proposal advances"
	case dialectic.Hold:
		return decision, "the proposal is held for another round"
	case dialectic.Escalate:
		return decision, "the proposal is put to you"
	}
	return decision, ""
}

func (*proposals) Bounded(s *state.State, _ *state.Point, _ bool) string {
	if asked := Escalations(s); len(asked) > 0 && !s.Over() {
		return "The seats continue once you answer " + listed(asked) + "."
	}
	return ""
}

// review is a proposal with its current resolution.
type review struct {
	s      *state.State
	f      *proposals
	result dialectic.Result
	// holding are the objections that keep it from advancing.
	blocking map[string]bool
}

func (f *proposals) review(s *state.State) *review {
	d := &review{s: s, f: f, result: f.back.resolve(s, lastResolved(s)), blocking: map[string]bool{}}
	for _, r := range Blocking(&d.result) {
		d.blocking[r.Objection] = true
	}
	return d
}

// saidOf is a value as a passage would say it.
func saidOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && text != "" {
		return text
	}
	return string(value)
}

// lastResolved is the moment from which the age of evidence counts.
func lastResolved(s *state.State) time.Time {
	if last := s.Dialectic.Last(); last != nil {
		return last.AsOf
	}
	return s.At
}

// fails reports whether a gate fails for a field.
func (d *review) fails(p *state.Point, gates ...string) bool {
	return slices.ContainsFunc(FailuresOf(&d.result, p.Field.Path), func(g dialectic.GateResult) bool {
		return slices.Contains(gates, g.Gate)
	})
}

// burdens are the objections to a field that hold it, or for which evidence is owed.
func (d *review) burdens(p *state.Point) []*state.Challenge {
	var list []*state.Challenge
	for _, id := range p.Challenges {
		if c := d.s.Challenge(id); c != nil && c.Typed != nil && (d.blocking[id] || Outstanding(&d.result, id) != "") {
			list = append(list, c)
		}
	}
	return list
}

// aboutProposal returns the candidates about all fields of a proposal.
func (f *proposals) aboutProposal(s *state.State) []candidate {
	all := &Candidates{State: s, format: f}
	d := f.review(s)
	for _, p := range ProposedFields(s) {
		burdens := len(d.burdens(p))
		if burdens == 0 && len(FailuresOf(&d.result, p.Field.Path)) == 0 && d.result.Decision != dialectic.Advance {
			continue
		}
		for _, c := range f.aboutFieldOf(s, p) {
			do := c.do
			c.do = func(x *Course) {
				do(x)
				x.point = ""
			}
			all.list = append(all.list, c)
		}
	}
	if running(s) {
		all.nothing()
	}
	return all.list
}

// aboutFieldOf returns the candidates about one field, in the words of the proposal.
func (f *proposals) aboutFieldOf(s *state.State, p *state.Point) []candidate {
	l := &Candidates{State: s, Point: p, format: f}
	f.aboutField(l, p.ID)
	for i := range l.list {
		do := l.list[i].do
		l.list[i].do = func(x *Course) {
			x.point = p.ID
			do(x)
		}
	}
	return l.list
}

// nothing tries that nobody does anything in this round, or in the next one.
func (l *Candidates) nothing() {
	if !Resolved(l.State) {
		l.add(MovedBySession, "nothing else in this round", func(*Course) {})
		return
	}
	l.add(MovedBySession, "nothing new in the next round", func(x *Course) { x.nextRound() })
}

// aboutField adds what somebody could do about a field of the proposal. Name is "" in
// an explanation of the field itself.
func (f *proposals) aboutField(l *Candidates, name string) {
	s, p := l.State, l.Point
	it, of := "it", ""
	if name != "" {
		it, of = name, " of "+name
	}
	if p.Field == nil {
		return
	}
	for _, item := range l.items(func(e *ledger.Evidence) bool { return e.Counts() }) {
		l.loss(item.ID)
	}
	if Proposed(p) {
		l.onField(f.review(s), it)
	}
	if p.Field.Withdrawn && p.Field.WithdrawnBy != state.User && p.UserRuling == nil {
		l.add(MovedBySeats, "a new proposal"+of+" by the proposer", func(x *Course) { x.revise(nil, "", nil) })
	}
	if name == "" {
		if running(s) {
			l.nothing()
		}
		l.escalations()
	}
	if s.Closed {
		return
	}
	if !p.Field.Withdrawn && p.UserRuling == nil {
		for _, o := range l.objections() {
			for _, verdict := range []dialectic.Ruling{
				dialectic.RulingCleared, dialectic.RulingUpheld,
				dialectic.RulingNone,
			} {
				with := "your ruling on " + o.ID + " taken back"
				if verdict != dialectic.RulingNone {
					with = "your ruling that " + o.ID + " is " + string(verdict)
				}
				if string(verdict) != o.Typed.Verdict {
					l.list = append(l.list, candidate{
						who: MovedByUser, with: with, helps: verdict == dialectic.RulingCleared,
						do: func(x *Course) { x.add(&state.ObjectionRuled{Challenge: o.ID, Verdict: string(verdict)}) },
					})
				}
			}
		}
	}
	if !p.Field.Withdrawn {
		l.helps(MovedByUser, "your agreement to "+it, func(x *Course) { x.agree("") })
		l.add(MovedByUser, "your withdrawal of "+it, func(x *Course) {
			x.add(&state.FieldWithdrawn{Point: p.ID, By: state.User, Reason: "the user withdrew it"})
		})
	}
	for _, what := range userOverrides() {
		if what.kind != state.OverrideAgree {
			l.add(MovedByUser, "your ruling"+of+": "+what.words, func(x *Course) {
				x.add(&state.OverrideMade{What: what.kind, Point: p.ID})
			})
		}
	}
}

// onField tries what seats, evidence and the user could do about a proposed field.
func (l *Candidates) onField(d *review, it string) {
	p := l.Point
	if p.UserRuling == nil {
		l.amendments(d, it)
		l.add(MovedBySeats, "a withdrawal of "+it+" by the proposer", func(x *Course) {
			x.turn(state.Proposer, state.StageAnswer)
			x.add(&state.FieldWithdrawn{Point: p.ID, By: state.Proposer, Reason: "withdrawn"})
		})
	}
	for _, o := range l.objections() {
		if o.Status == state.StandsConceded {
			continue
		}
		l.add(MovedBySeats, "a concession of "+o.ID+" by the proposer", func(x *Course) {
			x.turn(state.Proposer, state.StageAnswer)
			x.add(&state.ChallengeConceded{Challenge: o.ID, By: state.Proposer, Reason: "granted"})
		})
		if r := resolutionOf(&d.result, o.ID); r != nil && r.Rule == "R0" {
			continue
		}
		for _, k := range proofs() {
			c := candidate{
				who: MovedByEvidence, with: k.words + " that answers " + o.ID, proof: k.words,
				group: "answers " + o.ID,
			}
			c.helps = slices.Contains(d.burdens(p), o)
			c.do = func(x *Course) { x.supply(state.Proposer, &k, ledger.Supports, o.ID) }
			l.list = append(l.list, c)
			c = candidate{who: MovedByEvidence, with: k.words + " that confirms " + o.ID, group: "confirms " + o.ID}
			c.do = func(x *Course) { x.supply(state.PressureTester, &k, ledger.Refutes, o.ID) }
			l.list = append(l.list, c)
		}
	}
	l.checks(true)
	const mostObjections = 100
	if len(p.Challenges) < mostTried && l.State.Challenges.Len() < mostObjections {
		l.add(MovedBySeats, "a HIGH objection to "+it+" that nothing settles", func(x *Course) {
			x.turn(state.PressureTester, state.StageEvaluate)
			x.object(state.PressureTester)
		})
	}
	if l.State.Closed {
		return
	}
	for _, o := range d.burdens(p) {
		l.add(MovedByUser, "your answer to "+o.ID, func(x *Course) {
			x.add(&state.ChallengeAnswered{Challenge: o.ID, By: state.User, Text: "an answer"})
			x.userEvidence("an answer", ledger.Supports, o.ID)
		})
	}
	said := saidOf(p.Field.Value)
	l.add(MovedByUser, "your evidence for "+it,
		func(x *Course) { x.userEvidence(said, ledger.Supports, p.Challenges...) })
	if len(p.Challenges) > 0 {
		l.add(MovedByUser, "your evidence against "+it, func(x *Course) {
			x.userEvidence(said, ledger.Refutes, p.Challenges...)
		})
	}
	l.add(MovedByUser, "your objection to "+it, func(x *Course) { x.object(state.User) })
	var replaced []string
	for _, f := range l.State.Facts.All() {
		if d.fails(p, "G6") && Binds(f, p) {
			replaced = append(replaced, f.ID)
		}
	}
	if len(replaced) > 0 {
		l.add(MovedByUser, "newer facts of yours in place of "+listed(replaced), func(x *Course) {
			for _, id := range replaced {
				x.fact(id, "another fact", nil)
			}
		})
		return
	}
	l.add(MovedByUser, "a fact of yours that "+it+" contradicts", func(x *Course) {
		x.fact("", "another fact", &ledger.Predicate{Path: p.Field.Path, Op: "≠", Value: p.Field.Value})
	})
}

// objections are the first objections to the field.
func (l *Candidates) objections() []*state.Challenge {
	var list []*state.Challenge
	for _, id := range l.Point.Challenges {
		if c := l.State.Challenge(id); c != nil && c.Typed != nil && len(list) < mostTried {
			list = append(list, c)
		}
	}
	return list
}

// amendments tries what the proposer could do about the gates that fail for a
// field: cite what says it, or change its value, severity or citations.
func (l *Candidates) amendments(d *review, it string) {
	const mostValues = 4
	p := l.Point
	if d.fails(p, "G3", "G4", "G8") {
		says := ""
		if d.fails(p, "G3") {
			says = " that says " + quote(saidOf(p.Field.Value))
		}
		for _, k := range proofs() {
			l.list = append(l.list, candidate{
				who: MovedByEvidence, with: k.words + says + " for " + it, helps: true, proof: k.words, group: "cites",
				do: func(x *Course) { x.supply(state.Proposer, &k, ledger.Supports) },
			})
		}
	}
	if d.fails(p, "G1") && !slices.Contains(enum.Words(dialectic.Severities()), p.Field.Severity) {
		l.helps(MovedBySeats, "a known severity of "+it, func(x *Course) { x.revise(nil, string(dialectic.High), nil) })
	}
	if known := slices.DeleteFunc(slices.Clone(p.Field.Cites),
		func(id string) bool { return d.s.Item(id) == nil }); len(known) < len(p.Field.Cites) {
		l.helps(MovedBySeats, "only existing citations of "+it,
			func(x *Course) { x.revise(nil, "", append([]string{}, known...)) })
	}
	var values []json.RawMessage
	if d.fails(p, "G6") {
		for _, f := range d.s.Facts.All() {
			if value := allowed(f); value != nil && Binds(f, p) {
				values = append(values, value)
			}
		}
	}
	if d.fails(p, "G3") {
		in := d.f.back.proposalOf(d.s, d.s.At)
		values = append(values, dialectic.Grounds(&in, p.Field.Path)...)
	}
	for i, value := range values {
		if i < mostValues && string(value) != string(p.Field.Value) {
			l.list = append(l.list, candidate{
				who: MovedBySeats, with: "the value " + clip(string(value)) + " for " + it, group: "value",
				helps: d.fails(p, "G6"),
				do:    func(x *Course) { x.revise(value, "", nil) },
			})
		}
	}
}

// escalations tries each answer to a question about the field that code
// understands.
func (l *Candidates) escalations() {
	for _, id := range Escalations(l.State) {
		q := l.State.QuestionByID(id)
		if q.Point != l.Point.ID {
			continue
		}
		for _, option := range q.Options {
			objection := l.State.Challenge(q.About)
			verdict := option == string(dialectic.RulingCleared) || option == string(dialectic.RulingUpheld)
			if option != "withdraw" && (option != "accept" || objection != nil || l.Point.Field.Withdrawn) &&
				(!verdict || objection == nil) {
				continue
			}
			l.add(MovedByUser, "your answer "+quote(option)+" to "+id, func(x *Course) {
				x.add(&state.QuestionAnswered{ID: id, By: state.User, Answer: option})
				switch option {
				case "withdraw":
					x.add(&state.FieldWithdrawn{Point: l.Point.ID, By: state.User, Reason: "the user withdrew it"})
				case "accept":
					x.agree("the answer to " + id)
				default:
					x.add(&state.ObjectionRuled{Challenge: q.About, Verdict: option})
				}
			})
		}
	}
}

// supply lets a seat bring an item that proves right, for or against a field, to
// bear on objections. It quotes what the field says.
func (x *Course) supply(by state.Seat, k *proof, relation ledger.Relation, objections ...string) {
	stage := state.StageAnswer
	if by == state.PressureTester {
		stage = state.StageEvaluate
	}
	x.turn(by, stage)
	if x.impossible {
		return
	}
	id, quoted := state.NextID('E', x.s.Evidence.Len()), saidOf(x.here().Field.Value)
	x.add(&state.EvidenceOffered{
		ID: id, Point: x.point, Relation: relation, Reference: "what-if/" + id, Quote: quoted,
		By: by,
	})
	for _, objection := range objections {
		x.add(&state.EvidenceSupplied{Evidence: id, Challenge: objection})
	}
	x.verify(id, k, "what-if/"+id, quoted)
}

// agree has the user agree to the field as it is: facts that it contradicts are
// replaced.
func (x *Course) agree(why string) {
	p := x.here()
	said := p.Field.Path + " = " + string(p.Field.Value)
	x.add(&state.OverrideMade{What: state.OverrideAgree, Point: x.point, Reason: why}).userEvidence(said,
		ledger.Supports)
	if x.impossible {
		return
	}
	result := x.format.(*proposals).back.resolve(&x.s, x.s.At)
	for _, failure := range FailuresOf(&result, p.Field.Path) {
		for _, f := range x.s.Facts.All() {
			if failure.Gate == "G6" && Binds(f, p) {
				x.fact(f.ID, "accepted: "+said, nil)
			}
		}
	}
}

// revise gives the field another value, severity or other citations; what is empty
// stays as it is.
func (x *Course) revise(value json.RawMessage, severity string, cites []string) {
	if x.turn(state.Proposer, state.StagePropose).impossible {
		return
	}
	f := x.here().Field
	e := &state.FieldRevised{
		Point: x.point, By: state.Proposer, Value: f.Value, Text: f.Path + " = " + string(f.Value),
		Severity: f.Severity,
		Grounded: f.Grounded, Derived: f.Derived, Cites: f.Cites, Reason: "revised",
	}
	if value != nil {
		e.Value, e.Text, e.Derived = value, f.Path+" = "+string(value), nil
	}
	if severity != "" {
		e.Severity = severity
	}
	if cites != nil {
		e.Cites = cites
	}
	x.add(e)
}

// object raises a HIGH objection that nothing bears on.
func (x *Course) object(by state.Seat) {
	if x.impossible {
		return
	}
	const text = "what nothing settles"
	id := state.NextID('C', x.s.Challenges.Len())
	x.add(
		&state.ChallengeRaised{
			ID: id, Point: x.point, By: by, What: state.Reject, Objection: text,
			UpgradeIf: "evidence on it",
		},
		&state.ObjectionFiled{
			Challenge: id, Category: x.here().Field.Category, Severity: string(dialectic.High), Predicate: text,
			Cites: []string{},
		},
	)
}

// allowed is a value that a fact of the user's allows, nil if none is known.
func allowed(f *ledger.Fact) json.RawMessage {
	if f.Predicate == nil {
		return nil
	}
	var step float64
	switch f.Predicate.Op {
	case "=", "≤", "≥":
		return f.Predicate.Value
	case "in":
		var list []json.RawMessage
		if json.Unmarshal(f.Predicate.Value, &list) != nil || len(list) == 0 {
			return nil
		}
		return list[0]
	case "<":
		step = -1
	case ">":
		step = 1
	default:
		return nil
	}
	var limit float64
	if json.Unmarshal(f.Predicate.Value, &limit) != nil {
		return nil
	}
	return json.RawMessage(strconv.FormatFloat(limit+step, 'f', -1, 64))
}
