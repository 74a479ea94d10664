package dialectic

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"moot/internal/enum"
	"moot/ledger"
	"moot/protocol/dialectic/gates"
	"moot/resolver"
	"moot/state"
)

// Candidates lists what could be done about a field.
func (f *rules) Candidates(l *resolver.Candidates) {
	f.aboutField(l, "")
	l.EndOfSession()
	l.Questions()
}

// Follow resolves the round, unless nothing of the proposal is left.
func (f *rules) Follow(x *resolver.Course) {
	switch {
	case x.State.Over():
	case !AnyProposed(&x.State):
		x.Add(&state.ExitReached{Exit: state.ExitDecided, Reason: "no field of the proposal is left"})
	case !Resolved(&x.State):
		recorded, _, err := f.back.recorded(&x.State, x.State.At)
		if err != nil {
			x.Impossible = true
			return
		}
		x.Add(&state.RoundResolved{Resolution: recorded})
	}
}

// Continues resolves the round first: only a proposal that is held gets another one.
func (f *rules) Continues(x *resolver.Course) bool {
	if !x.Impossible {
		f.Follow(x)
	}
	return recorded(&x.State) == gates.Hold && len(Escalations(&x.State)) == 0
}

func (*rules) Spoken(x *resolver.Course, seat state.Seat, stage state.Stage) bool {
	replied := x.State.AskedOf(seat, stage).Replies > 0
	proposed := x.State.Round < 2 || x.State.AskedOf(state.Proposer, state.StagePropose).Replies > 0
	switch stage { //nolint:exhaustive // the others are asked once a round
	case resolver.OwnTurn:
		return false
	case state.StagePropose:
		return proposed
	case state.StageAnswer:
		return proposed && (replied || !Challenged(&x.State, x.State.Round))
	}
	return replied
}

// Decide is the decision on the proposal, and what it means; "" if nothing of the
// proposal is left, or nothing was resolved.
func (f *rules) Decide(x *resolver.Course, before *state.State, known string) (resolver.Decision, string) {
	decision, last := gates.Decision(""), x.State.Dialectic.Last()
	switch {
	case !AnyProposed(&x.State):
		if AnyProposed(before) {
			return resolver.Decision{}, "nothing of the proposal is left"
		}
	case last != nil && x.Past && x.State.Over():
		decision = f.back.resolve(&x.State, last.AsOf).Decision
	case last != nil:
		decision = gates.Decision(last.Decision)
	}
	to := decided(decision)
	if to.Name == known {
		return to, ""
	}
	switch decision {
	case gates.Advance:
		return to, "the proposal advances"
	case gates.Hold:
		return to, "the proposal is held for another round"
	case gates.Escalate:
		return to, "the proposal is put to you"
	}
	return to, ""
}

// Decided is the last recorded decision.
func (*rules) Decided(s *state.State) resolver.Decision { return decided(recorded(s)) }

func decided(d gates.Decision) resolver.Decision {
	return resolver.Decision{Name: string(d), Accepts: d == gates.Advance}
}

func recorded(s *state.State) gates.Decision {
	if last := s.Dialectic.Last(); last != nil {
		return gates.Decision(last.Decision)
	}
	return ""
}

func (*rules) Bounded(s *state.State, _ *state.Point, _ bool) string {
	if asked := Escalations(s); len(asked) > 0 && !s.Over() {
		return "The seats continue once you answer " + resolver.Listed(asked) + "."
	}
	return ""
}

// review is a proposal with its current resolution.
type review struct {
	s      *state.State
	f      *rules
	result gates.Result
	// holding are the objections that keep it from advancing.
	blocking map[string]bool
}

func (f *rules) review(s *state.State) *review {
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
func (d *review) fails(p *state.Point, names ...string) bool {
	return slices.ContainsFunc(FailuresOf(&d.result, p.Field.Path), func(g gates.GateResult) bool {
		return slices.Contains(names, g.Gate)
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
func (f *rules) aboutProposal(s *state.State) []resolver.Candidate {
	all := &resolver.Candidates{State: s, Format: f}
	d := f.review(s)
	for _, p := range ProposedFields(s) {
		burdens := len(d.burdens(p))
		if burdens == 0 && len(FailuresOf(&d.result, p.Field.Path)) == 0 && d.result.Decision != gates.Advance {
			continue
		}
		for _, c := range f.aboutFieldOf(s, p) {
			do := c.Do
			c.Do = func(x *resolver.Course) {
				do(x)
				x.Point = ""
			}
			all.List = append(all.List, c)
		}
	}
	if resolver.Running(s) {
		nothing(all)
	}
	return all.List
}

// aboutFieldOf returns the candidates about one field, in the words of the proposal.
func (f *rules) aboutFieldOf(s *state.State, p *state.Point) []resolver.Candidate {
	l := &resolver.Candidates{State: s, Point: p, Format: f}
	f.aboutField(l, p.ID)
	for i := range l.List {
		do := l.List[i].Do
		l.List[i].Do = func(x *resolver.Course) {
			x.Point = p.ID
			do(x)
		}
	}
	return l.List
}

// nothing tries that nobody does anything in this round, or in the next one.
func nothing(l *resolver.Candidates) {
	if !Resolved(l.State) {
		l.Add(resolver.MovedBySession, "nothing else in this round", func(*resolver.Course) {})
		return
	}
	l.Add(resolver.MovedBySession, "nothing new in the next round", func(x *resolver.Course) { x.NextRound() })
}

// aboutField adds what somebody could do about a field of the proposal. Name is "" in
// an explanation of the field itself.
func (f *rules) aboutField(l *resolver.Candidates, name string) {
	s, p := l.State, l.Point
	it, of := "it", ""
	if name != "" {
		it, of = name, " of "+name
	}
	if p.Field == nil {
		return
	}
	for _, item := range l.Items(func(e *ledger.Evidence) bool { return e.Counts() }) {
		l.Loss(item.ID)
	}
	if Proposed(p) {
		onField(l, f.review(s), it)
	}
	if p.Field.Withdrawn && p.Field.WithdrawnBy != state.User && p.UserRuling == nil {
		l.Add(resolver.MovedBySeats, "a new proposal"+of+" by the proposer", func(x *resolver.Course) { revise(x, nil, "", nil) })
	}
	if name == "" {
		if resolver.Running(s) {
			nothing(l)
		}
		escalations(l)
	}
	if s.Closed {
		return
	}
	if !p.Field.Withdrawn && p.UserRuling == nil {
		for _, o := range firstObjections(l) {
			for _, verdict := range []gates.Ruling{
				gates.RulingCleared, gates.RulingUpheld,
				gates.RulingNone,
			} {
				with := "your ruling on " + o.ID + " taken back"
				if verdict != gates.RulingNone {
					with = "your ruling that " + o.ID + " is " + string(verdict)
				}
				if string(verdict) != o.Typed.Verdict {
					l.List = append(l.List, resolver.Candidate{
						Who: resolver.MovedByUser, With: with, Helps: verdict == gates.RulingCleared,
						Do: func(x *resolver.Course) { x.Add(&state.ObjectionRuled{Challenge: o.ID, Verdict: string(verdict)}) },
					})
				}
			}
		}
	}
	if !p.Field.Withdrawn {
		l.Helps(resolver.MovedByUser, "your agreement to "+it, func(x *resolver.Course) { agree(x, "") })
		l.Add(resolver.MovedByUser, "your withdrawal of "+it, func(x *resolver.Course) {
			x.Add(&state.FieldWithdrawn{Point: p.ID, By: state.User, Reason: "the user withdrew it"})
		})
	}
	for _, what := range resolver.UserOverrides() {
		if what.Kind != state.OverrideAgree {
			l.Add(resolver.MovedByUser, "your ruling"+of+": "+what.Words, func(x *resolver.Course) {
				x.Add(&state.OverrideMade{What: what.Kind, Point: p.ID})
			})
		}
	}
}

// onField tries what seats, evidence and the user could do about a proposed field.
func onField(l *resolver.Candidates, d *review, it string) {
	p := l.Point
	if p.UserRuling == nil {
		amendments(l, d, it)
		l.Add(resolver.MovedBySeats, "a withdrawal of "+it+" by the proposer", func(x *resolver.Course) {
			x.Turn(state.Proposer, state.StageAnswer)
			x.Add(&state.FieldWithdrawn{Point: p.ID, By: state.Proposer, Reason: "withdrawn"})
		})
	}
	for _, o := range firstObjections(l) {
		if o.Status == state.StandsConceded {
			continue
		}
		l.Add(resolver.MovedBySeats, "a concession of "+o.ID+" by the proposer", func(x *resolver.Course) {
			x.Turn(state.Proposer, state.StageAnswer)
			x.Add(&state.ChallengeConceded{Challenge: o.ID, By: state.Proposer, Reason: "granted"})
		})
		if r := resolutionOf(&d.result, o.ID); r != nil && r.Rule == "R0" {
			continue
		}
		for _, k := range resolver.Proofs() {
			c := resolver.Candidate{
				Who: resolver.MovedByEvidence, With: k.Words + " that answers " + o.ID, Proof: k.Words,
				Group: "answers " + o.ID,
			}
			c.Helps = slices.Contains(d.burdens(p), o)
			c.Do = func(x *resolver.Course) { supply(x, state.Proposer, &k, ledger.Supports, o.ID) }
			l.List = append(l.List, c)
			c = resolver.Candidate{Who: resolver.MovedByEvidence, With: k.Words + " that confirms " + o.ID, Group: "confirms " + o.ID}
			c.Do = func(x *resolver.Course) { supply(x, state.PressureTester, &k, ledger.Refutes, o.ID) }
			l.List = append(l.List, c)
		}
	}
	l.Checks(true)
	const mostObjections = 100
	if len(p.Challenges) < resolver.MostTried && l.State.Challenges.Len() < mostObjections {
		l.Add(resolver.MovedBySeats, "a HIGH objection to "+it+" that nothing settles", func(x *resolver.Course) {
			x.Turn(state.PressureTester, state.StageEvaluate)
			objectFrom(x, state.PressureTester)
		})
	}
	if l.State.Closed {
		return
	}
	for _, o := range d.burdens(p) {
		l.Add(resolver.MovedByUser, "your answer to "+o.ID, func(x *resolver.Course) {
			x.Add(&state.ChallengeAnswered{Challenge: o.ID, By: state.User, Text: "an answer"})
			x.UserEvidence("an answer", ledger.Supports, o.ID)
		})
	}
	said := saidOf(p.Field.Value)
	l.Add(resolver.MovedByUser, "your evidence for "+it,
		func(x *resolver.Course) { x.UserEvidence(said, ledger.Supports, p.Challenges...) })
	if len(p.Challenges) > 0 {
		l.Add(resolver.MovedByUser, "your evidence against "+it, func(x *resolver.Course) {
			x.UserEvidence(said, ledger.Refutes, p.Challenges...)
		})
	}
	l.Add(resolver.MovedByUser, "your objection to "+it, func(x *resolver.Course) { objectFrom(x, state.User) })
	var replaced []string
	for _, f := range l.State.Facts.All() {
		if d.fails(p, "G6") && Binds(f, p) {
			replaced = append(replaced, f.ID)
		}
	}
	if len(replaced) > 0 {
		l.Add(resolver.MovedByUser, "newer facts of yours in place of "+resolver.Listed(replaced), func(x *resolver.Course) {
			for _, id := range replaced {
				x.Fact(id, "another fact", nil)
			}
		})
		return
	}
	l.Add(resolver.MovedByUser, "a fact of yours that "+it+" contradicts", func(x *resolver.Course) {
		x.Fact("", "another fact", &ledger.Predicate{Path: p.Field.Path, Op: "≠", Value: p.Field.Value})
	})
}

// firstObjections are the first objections to the field.
func firstObjections(l *resolver.Candidates) []*state.Challenge {
	var list []*state.Challenge
	for _, id := range l.Point.Challenges {
		if c := l.State.Challenge(id); c != nil && c.Typed != nil && len(list) < resolver.MostTried {
			list = append(list, c)
		}
	}
	return list
}

// amendments tries what the proposer could do about the gates that fail for a
// field: cite what says it, or change its value, severity or citations.
func amendments(l *resolver.Candidates, d *review, it string) {
	const mostValues = 4
	p := l.Point
	if d.fails(p, "G3", "G4", "G8") {
		says := ""
		if d.fails(p, "G3") {
			says = " that says " + resolver.Quote(saidOf(p.Field.Value))
		}
		for _, k := range resolver.Proofs() {
			l.List = append(l.List, resolver.Candidate{
				Who: resolver.MovedByEvidence, With: k.Words + says + " for " + it, Helps: true, Proof: k.Words, Group: "cites",
				Do: func(x *resolver.Course) { supply(x, state.Proposer, &k, ledger.Supports) },
			})
		}
	}
	if d.fails(p, "G1") && !slices.Contains(enum.Words(gates.Severities()), p.Field.Severity) {
		l.Helps(resolver.MovedBySeats, "a known severity of "+it, func(x *resolver.Course) { revise(x, nil, string(gates.High), nil) })
	}
	if known := slices.DeleteFunc(slices.Clone(p.Field.Cites),
		func(id string) bool { return d.s.Item(id) == nil }); len(known) < len(p.Field.Cites) {
		l.Helps(resolver.MovedBySeats, "only existing citations of "+it,
			func(x *resolver.Course) { revise(x, nil, "", append([]string{}, known...)) })
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
		values = append(values, gates.Grounds(&in, p.Field.Path)...)
	}
	for i, value := range values {
		if i < mostValues && string(value) != string(p.Field.Value) {
			l.List = append(l.List, resolver.Candidate{
				Who: resolver.MovedBySeats, With: "the value " + resolver.Clip(string(value)) + " for " + it, Group: "value",
				Helps: d.fails(p, "G6"),
				Do:    func(x *resolver.Course) { revise(x, value, "", nil) },
			})
		}
	}
}

// escalations tries each answer to a question about the field that code
// understands.
func escalations(l *resolver.Candidates) {
	for _, id := range Escalations(l.State) {
		q := l.State.QuestionByID(id)
		if q.Point != l.Point.ID {
			continue
		}
		for _, option := range q.Options {
			objection := l.State.Challenge(q.About)
			verdict := option == string(gates.RulingCleared) || option == string(gates.RulingUpheld)
			if option != "withdraw" && (option != "accept" || objection != nil || l.Point.Field.Withdrawn) &&
				(!verdict || objection == nil) {
				continue
			}
			l.Add(resolver.MovedByUser, "your answer "+resolver.Quote(option)+" to "+id, func(x *resolver.Course) {
				x.Add(&state.QuestionAnswered{ID: id, By: state.User, Answer: option})
				switch option {
				case "withdraw":
					x.Add(&state.FieldWithdrawn{Point: l.Point.ID, By: state.User, Reason: "the user withdrew it"})
				case "accept":
					agree(x, "the answer to "+id)
				default:
					x.Add(&state.ObjectionRuled{Challenge: q.About, Verdict: option})
				}
			})
		}
	}
}

// supply lets a seat bring an item that proves right, for or against a field, to
// bear on objections. It quotes what the field says.
func supply(x *resolver.Course, by state.Seat, k *resolver.Proof, relation ledger.Relation, objections ...string) {
	stage := state.StageAnswer
	if by == state.PressureTester {
		stage = state.StageEvaluate
	}
	x.Turn(by, stage)
	if x.Impossible {
		return
	}
	id, quoted := state.NextID('E', x.State.Evidence.Len()), saidOf(x.Here().Field.Value)
	x.Add(&state.EvidenceOffered{
		ID: id, Point: x.Point, Relation: relation, Reference: "what-if/" + id, Quote: quoted,
		By: by,
	})
	for _, objection := range objections {
		x.Add(&state.EvidenceSupplied{Evidence: id, Challenge: objection})
	}
	x.Verify(id, k, "what-if/"+id, quoted)
}

// agree has the user agree to the field as it is: facts that it contradicts are
// replaced.
func agree(x *resolver.Course, why string) {
	p := x.Here()
	said := p.Field.Path + " = " + string(p.Field.Value)
	x.Add(&state.OverrideMade{What: state.OverrideAgree, Point: x.Point, Reason: why}).UserEvidence(said,
		ledger.Supports)
	if x.Impossible {
		return
	}
	result := x.Format.(*rules).back.resolve(&x.State, x.State.At)
	for _, failure := range FailuresOf(&result, p.Field.Path) {
		for _, f := range x.State.Facts.All() {
			if failure.Gate == "G6" && Binds(f, p) {
				x.Fact(f.ID, "accepted: "+said, nil)
			}
		}
	}
}

// revise gives the field another value, severity or other citations; what is empty
// stays as it is.
func revise(x *resolver.Course, value json.RawMessage, severity string, cites []string) {
	if x.Turn(state.Proposer, state.StagePropose).Impossible {
		return
	}
	f := x.Here().Field
	e := &state.FieldRevised{
		Point: x.Point, By: state.Proposer, Value: f.Value, Text: f.Path + " = " + string(f.Value),
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
	x.Add(e)
}

// object raises a HIGH objection that nothing bears on.
func objectFrom(x *resolver.Course, by state.Seat) {
	if x.Impossible {
		return
	}
	const text = "what nothing settles"
	id := state.NextID('C', x.State.Challenges.Len())
	x.Add(
		&state.ChallengeRaised{
			ID: id, Point: x.Point, By: by, What: state.Reject, Objection: text,
			UpgradeIf: "evidence on it",
		},
		&state.ObjectionFiled{
			Challenge: id, Category: x.Here().Field.Category, Severity: string(gates.High), Predicate: text,
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
