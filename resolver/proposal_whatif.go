package resolver

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"moot/internal/enum"
	"moot/ledger"
	"moot/resolver/dialectic"
	"moot/state"
)

// desk is where a proposal is looked at: the session, and what the rules say of the
// proposal now.
type desk struct {
	s      *state.State
	back   *recall
	result dialectic.Result
	// standing are the objections that keep it from advancing.
	standing map[string]bool
}

func newDesk(s *state.State, back *recall) *desk {
	d := &desk{s: s, back: back, result: back.resolve(s, lastResolved(s)), standing: map[string]bool{}}
	for _, r := range Standing(&d.result) {
		d.standing[r.Objection] = true
	}
	return d
}

// lastResolved is the moment from which the age of evidence counts.
func lastResolved(s *state.State) time.Time {
	if last := s.Dialectic.Last(); last != nil {
		return last.AsOf
	}
	return s.At
}

// fails reports whether a gate fails for a field.
func (d *desk) fails(p *state.Point, gates ...string) bool {
	return slices.ContainsFunc(FailuresOf(&d.result, p.Field.Path), func(g dialectic.GateResult) bool {
		return slices.Contains(gates, g.Gate)
	})
}

// burdens are the objections to a field that hold it, or for which evidence is owed.
func (d *desk) burdens(p *state.Point) []*state.Challenge {
	var list []*state.Challenge
	for _, id := range p.Challenges {
		if c := d.s.Challenge(id); c != nil && c.Typed != nil && (d.standing[id] || Outstanding(&d.result, id) != "") {
			list = append(list, c)
		}
	}
	return list
}

// aboutProposal returns the candidates about all fields of a proposal.
func aboutProposal(s *state.State, back *recall) []candidate {
	l := &lister{s: s}
	d := newDesk(s, back)
	for _, p := range ProposedFields(s) {
		burdens := len(d.burdens(p))
		if burdens == 0 && len(FailuresOf(&d.result, p.Field.Path)) == 0 && d.result.Decision != dialectic.Advance {
			continue
		}
		for _, c := range aboutField(s, p, back, p.ID) {
			do := c.do
			c.do = func(x *course) {
				x.point = p.ID
				do(x)
				x.point = ""
			}
			l.list = append(l.list, c)
		}
	}
	if running(s) {
		l.nothing()
	}
	return l.list
}

// nothing tries that nobody does anything in this round, or in the next one.
func (l *lister) nothing() {
	if !Resolved(l.s) {
		l.add(MovedBySession, "nothing else in this round", func(*course) {})
		return
	}
	l.add(MovedBySession, "nothing new in the next round", func(x *course) { x.nextRound() })
}

// aboutField returns what somebody could do about a field of the proposal, which
// name names; "" is for an explanation of the field itself.
func aboutField(s *state.State, p *state.Point, back *recall, name string) []candidate {
	l := &lister{s: s, p: p}
	it, of := "it", ""
	if name != "" {
		it, of = name, " of "+name
	}
	if p.Field == nil {
		return nil
	}
	for _, item := range l.items(func(e *ledger.Evidence) bool { return e.Counts() }) {
		l.loss(item.ID)
	}
	if Proposed(p) {
		l.onField(newDesk(s, back), it)
	}
	if p.Field.Withdrawn && p.Field.WithdrawnBy != state.User && p.UserRuling == nil {
		l.add(MovedBySeats, "a new proposal"+of+" by the proposer", func(x *course) { x.revise(nil, "", nil) })
	}
	if name == "" {
		if running(s) {
			l.nothing()
		}
		l.escalations()
	}
	if s.Closed {
		return l.list
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
						do: func(x *course) { x.add(&state.ObjectionRuled{Challenge: o.ID, Verdict: string(verdict)}) },
					})
				}
			}
		}
	}
	if !p.Field.Withdrawn {
		l.helps(MovedByUser, "your agreement to "+it, func(x *course) { x.agree("") })
		l.add(MovedByUser, "your withdrawal of "+it, func(x *course) {
			x.add(&state.FieldWithdrawn{Point: p.ID, By: state.User, Reason: "the user withdrew it"})
		})
	}
	for _, what := range rulingsOfUser() {
		if what.kind != state.OverrideAgree {
			l.add(MovedByUser, "your ruling"+of+": "+what.words, func(x *course) {
				x.add(&state.OverrideMade{What: what.kind, Point: p.ID})
			})
		}
	}
	return l.list
}

// onField tries what seats, evidence and the user could do about a proposed field.
func (l *lister) onField(d *desk, it string) {
	p := l.p
	if p.UserRuling == nil {
		l.amendments(d, it)
		l.add(MovedBySeats, "a withdrawal of "+it+" by the proposer", func(x *course) {
			x.turn(state.Proposer, state.StageAnswer)
			x.add(&state.FieldWithdrawn{Point: p.ID, By: state.Proposer, Reason: "withdrawn"})
		})
	}
	for _, o := range l.objections() {
		if o.Status == state.StandsConceded {
			continue
		}
		l.add(MovedBySeats, "a concession of "+o.ID+" by the proposer", func(x *course) {
			x.turn(state.Proposer, state.StageAnswer)
			x.add(&state.ChallengeConceded{Challenge: o.ID, By: state.Proposer, Reason: "granted"})
		})
		if r := resolutionOf(&d.result, o.ID); r != nil && r.Rule == "R0" {
			continue
		}
		for _, k := range proofs() {
			c := candidate{
				who: MovedByEvidence, with: k.words + " that answers " + o.ID, kind: k.words,
				sort: "answers " + o.ID,
			}
			c.helps = slices.Contains(d.burdens(p), o)
			c.do = func(x *course) { x.supply(state.Proposer, &k, ledger.Supports, o.ID) }
			l.list = append(l.list, c)
			c = candidate{who: MovedByEvidence, with: k.words + " that confirms " + o.ID, sort: "confirms " + o.ID}
			c.do = func(x *course) { x.supply(state.PressureTester, &k, ledger.Refutes, o.ID) }
			l.list = append(l.list, c)
		}
	}
	l.checks()
	const mostObjections = 100
	if len(p.Challenges) < mostTried && l.s.Challenges.Len() < mostObjections {
		l.add(MovedBySeats, "a HIGH objection to "+it+" that nothing settles", func(x *course) {
			x.turn(state.PressureTester, state.StageEvaluate)
			x.object(state.PressureTester)
		})
	}
	if l.s.Closed {
		return
	}
	for _, o := range d.burdens(p) {
		l.add(MovedByUser, "your answer to "+o.ID, func(x *course) {
			x.add(&state.ChallengeAnswered{Challenge: o.ID, By: state.User, Text: "an answer"})
			x.userEvidence("an answer", ledger.Supports, o.ID)
		})
	}
	said := saidOf(p.Field.Value)
	l.add(MovedByUser, "your evidence for "+it,
		func(x *course) { x.userEvidence(said, ledger.Supports, p.Challenges...) })
	if len(p.Challenges) > 0 {
		l.add(MovedByUser, "your evidence against "+it, func(x *course) {
			x.userEvidence(said, ledger.Refutes, p.Challenges...)
		})
	}
	l.add(MovedByUser, "your objection to "+it, func(x *course) { x.object(state.User) })
	var replaced []string
	for _, f := range l.s.Facts.All() {
		if d.fails(p, "G6") && Binds(f, p) {
			replaced = append(replaced, f.ID)
		}
	}
	if len(replaced) > 0 {
		l.add(MovedByUser, "newer facts of yours in place of "+listed(replaced), func(x *course) {
			for _, id := range replaced {
				x.fact(id, "another fact", nil)
			}
		})
		return
	}
	l.add(MovedByUser, "a fact of yours that "+it+" contradicts", func(x *course) {
		x.fact("", "another fact", &ledger.Predicate{Path: p.Field.Path, Op: "≠", Value: p.Field.Value})
	})
}

// objections are the first objections to the field.
func (l *lister) objections() []*state.Challenge {
	var list []*state.Challenge
	for _, id := range l.p.Challenges {
		if c := l.s.Challenge(id); c != nil && c.Typed != nil && len(list) < mostTried {
			list = append(list, c)
		}
	}
	return list
}

// amendments tries what the proposer could do about the gates that fail for a
// field: cite what says it, or change its value, severity or citations.
func (l *lister) amendments(d *desk, it string) {
	const mostValues = 4
	p := l.p
	if d.fails(p, "G3", "G4", "G8") {
		says := ""
		if d.fails(p, "G3") {
			says = " that says " + quote(saidOf(p.Field.Value))
		}
		for _, k := range proofs() {
			l.list = append(l.list, candidate{
				who: MovedByEvidence, with: k.words + says + " for " + it, helps: true, kind: k.words, sort: "cites",
				do: func(x *course) { x.supply(state.Proposer, &k, ledger.Supports) },
			})
		}
	}
	if d.fails(p, "G1") && !slices.Contains(enum.Words(dialectic.Severities()), p.Field.Severity) {
		l.helps(MovedBySeats, "a known severity of "+it, func(x *course) { x.revise(nil, string(dialectic.High), nil) })
	}
	if known := slices.DeleteFunc(slices.Clone(p.Field.Cites),
		func(id string) bool { return d.s.Item(id) == nil }); len(known) < len(p.Field.Cites) {
		l.helps(MovedBySeats, "only existing citations of "+it,
			func(x *course) { x.revise(nil, "", append([]string{}, known...)) })
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
		in := d.back.proposalOf(d.s, d.s.At)
		values = append(values, dialectic.Grounds(&in, p.Field.Path)...)
	}
	for i, value := range values {
		if i < mostValues && string(value) != string(p.Field.Value) {
			l.list = append(l.list, candidate{
				who: MovedBySeats, with: "the value " + clip(string(value)) + " for " + it, sort: "value",
				helps: d.fails(p, "G6"),
				do:    func(x *course) { x.revise(value, "", nil) },
			})
		}
	}
}

// escalations tries each answer to a question about the field that code
// understands.
func (l *lister) escalations() {
	for _, id := range Escalations(l.s) {
		q := l.s.QuestionByID(id)
		if q.Point != l.p.ID {
			continue
		}
		for _, option := range q.Options {
			objection := l.s.Challenge(q.About)
			verdict := option == string(dialectic.RulingCleared) || option == string(dialectic.RulingUpheld)
			if option != "withdraw" && (option != "accept" || objection != nil || l.p.Field.Withdrawn) &&
				(!verdict || objection == nil) {
				continue
			}
			l.add(MovedByUser, "your answer "+quote(option)+" to "+id, func(x *course) {
				x.add(&state.QuestionAnswered{ID: id, By: state.User, Answer: option})
				switch option {
				case "withdraw":
					x.add(&state.FieldWithdrawn{Point: l.p.ID, By: state.User, Reason: "the user withdrew it"})
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
func (x *course) supply(by state.Seat, k *proof, relation ledger.Relation, objections ...string) {
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
func (x *course) agree(why string) {
	p := x.here()
	said := p.Field.Path + " = " + string(p.Field.Value)
	x.add(&state.OverrideMade{What: state.OverrideAgree, Point: x.point, Reason: why}).userEvidence(said,
		ledger.Supports)
	if x.impossible {
		return
	}
	result := x.back.resolve(&x.s, x.s.At)
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
func (x *course) revise(value json.RawMessage, severity string, cites []string) {
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
func (x *course) object(by state.Seat) {
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

// Escalations are the ids of the questions about the proposal that wait for the
// user: no round begins before all are answered.
func Escalations(s *state.State) []string {
	var asked []string
	for _, q := range s.Questions.All() {
		if q.Kind == state.QuestionEscalation && !q.Answered {
			asked = append(asked, q.ID)
		}
	}
	return asked
}

// Resolved reports whether this round was resolved as the proposal is now.
func Resolved(s *state.State) bool {
	last := s.Dialectic.Last()
	return last != nil && last.Round == s.Round && last.Seq > ProposalChanged(s)
}

// AnyProposed reports whether a field is left in the proposal.
func AnyProposed(s *state.State) bool { return len(ProposedFields(s)) > 0 }

// ProposedFields are the fields of the proposal as it is now, in their order.
func ProposedFields(s *state.State) []*state.Point {
	var fields []*state.Point
	for _, p := range s.Points.All() {
		if Proposed(p) {
			fields = append(fields, p)
		}
	}
	return fields
}

// Challenged reports whether a round brought an objection to the proposal that the
// user did not rule on, or an open request for evidence: the proposer then answers.
func Challenged(s *state.State, round int) bool {
	for _, c := range s.Challenges.All() {
		if p := s.Point(c.Point); c.Round == round && c.Typed != nil && c.Typed.Verdict == "" && Proposed(p) {
			return true
		}
	}
	for _, r := range s.Requests.All() {
		if r.Round == round && r.About != "" && r.Open() {
			return true
		}
	}
	return false
}

// Outstanding is what G7 says is owed for an objection, or "".
func Outstanding(result *dialectic.Result, objection string) string {
	for _, g := range result.Artifact.Validation.Gates {
		for _, reason := range g.Reasons {
			if g.Gate == "G7" && !g.Pass && strings.Contains(reason, " about "+objection+" ") {
				return reason
			}
		}
	}
	return ""
}

// Binds reports whether a fact of the user's says what a field may be.
func Binds(f *ledger.Fact, p *state.Point) bool {
	return f.Live && f.Tag == ledger.TagUser && f.Predicate != nil && f.Predicate.Path == p.Field.Path
}
