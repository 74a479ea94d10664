package dialectic

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/dialectic/gates"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
)

// Says implements resolver.Format.
func (rules) Says(rule string) string { return cmp.Or(ruleSays(rule), resolver.Base{}.Says(rule)) }

// ruleSays returns a rule or gate of proposals as a sentence: R0 to R6, G1 to G9, and "decision" of
// a field that waits. It returns "" for other rules.
func ruleSays(rule string) string {
	return map[string]string{
		"R0": "A decision of the user overrides every other rule.",
		"R1": "An objection is cleared if all eligible evidence is for the proposal.",
		"R2": "An objection is upheld if all eligible evidence is against the proposal.",
		"R3": "If both sides have eligible evidence of different kinds, the stronger kind wins.",
		"R4": "If both sides have eligible evidence of the same kind, nothing is settled; " +
			"confidence does not settle it.",
		"R5": "Without eligible evidence, nothing is settled.",
		"R6": "An objection is moot if its target is not a field of the proposal, and upheld if it was conceded and its target is " +
			"still a field.",
		"G1": "Every word is from its list, and every number is in its range.",
		"G2": "Everything that is cited exists.",
		"G3": "A grounded value is found in what the user asked for or in what it cites, " +
			"or follows from that.",
		"G4": "A grounded field cites evidence of a source that its severity allows.",
		"G5": "No BLOCKING or HIGH objection remains.",
		"G6": "No field contradicts a fact of the user.",
		"G7": "All evidence that was requested about BLOCKING and HIGH objections was supplied.",
		"G8": "Evidence that is too old does not count.",
		"G9": "The pressure-tester saw each changed file whole, and a field covers it or the proposer named it as not proposed.",

		decisionRule: "A field that no round has resolved is open.",
	}[rule]
}

// Describe implements resolver.Format for objections, evidence on fields, and withdrawals.
func (rules) Describe(b *resolver.Basis, id string) string {
	if c := b.State.Challenge(id); ObjectionOf(c) != nil {
		return describeObjection(b.State, c)
	}
	field := FieldOf(b.Point)
	if e := b.State.Item(id); e != nil && field != nil {
		checked := "not checked yet"
		switch {
		case e.Proven():
			checked = "verified"
		case e.Checked:
			checked = "not verified, so that it counts as " + string(ledger.LLMInference)
		}
		return fmt.Sprintf("%s, %.2f, %s, %s, at %s: %s", e.SourceKind, e.Confidence,
			resolver.BearsOn(e.Relation, "the field"), checked, resolver.Clip(e.Reference), resolver.Quote(e.Excerpt))
	}
	if field != nil && field.Withdrawn && id == resolver.Event(field.Seq) {
		return "the withdrawal by " + resolver.SeatName(field.WithdrawnBy) +
			strings.TrimSuffix(resolver.Colon(field.Reason), ".")
	}
	return b.Describe(id)
}

// describeObjection describes an objection with its outcome: "BLOCKING objection of the
// pressure-tester from round 1, cleared by E2, R1: “…”".
func describeObjection(s *state.State, c *state.Challenge) string {
	outcome := newOutcomes(s).Of(c)
	return fmt.Sprintf("%s objection of %s from round %d, %s: %s", ObjectionOf(c).Severity,
		resolver.SeatName(c.By), c.Round, outcome.Words("you"), resolver.Quote(c.Objection))
}

// Because turns a gate's reason into a sentence. The reason begins with the path of a field.
func (rules) Because(b *resolver.Basis, e *resolver.Explanation) {
	if FieldOf(b.Point) != nil && strings.HasPrefix(e.Rule, "G") && e.Ruling.Bucket == state.BucketUnresolved {
		e.Sentence = resolver.Sentence("it fails " + e.Rule + ": " + e.Ruling.Reason)
	}
}

// Explain adds everything else that blocks a field: objections, gates, and the user's facts that
// the gates name.
func (rules) Explain(b *resolver.Basis, e *resolver.Explanation) {
	p := b.Point
	if FieldOf(p) == nil || !Proposed(p) {
		return
	}
	d := &review{s: b.State}
	add := func(id, what string) {
		if !slices.ContainsFunc(e.Reads, func(r resolver.Reading) bool { return r.ID == id }) {
			e.Reads = append(e.Reads, resolver.Reading{ID: id, What: what})
		}
	}
	for _, o := range d.burdens(p) {
		add(o.ID, describeObjection(d.s, o))
		if owed := outstanding(d.resolved(), o.ID); owed != "" {
			add("G7", owed)
		}
	}
	for _, g := range d.failures(p) {
		add(g.Gate, "fails: "+strings.Join(g.Reasons, "; "))
		for _, fact := range d.s.Facts.All() {
			if g.Gate == "G6" && binds(fact, p) {
				add(fact.ID, resolver.FactWords(fact))
			}
		}
	}
}

// failures returns the gates that fail for a field.
func (d *review) failures(p *state.Point) []gates.GateResult {
	return failuresOf(d.resolved(), FieldOf(p).Path)
}

// fails reports whether one of the gates fails for a field.
func (d *review) fails(p *state.Point, names ...string) bool {
	return slices.ContainsFunc(d.failures(p), func(g gates.GateResult) bool { return slices.Contains(names, g.Gate) })
}

// burdens returns the objections that block a field, or about which requested evidence is missing.
func (d *review) burdens(p *state.Point) []*state.Challenge {
	var list []*state.Challenge
	result := d.resolved()
	for _, id := range p.Challenges {
		blocks := func(r gates.Resolution) bool { return r.Objection == id }
		c := d.s.Challenge(id)
		if ObjectionOf(c) != nil && (slices.ContainsFunc(d.blocking[p.ID], blocks) || outstanding(result, id) != "") {
			list = append(list, c)
		}
	}
	return list
}

// Follow resolves the round, or ends the session if the proposal has no field.
func (rules) Follow(x *resolver.Scenario) {
	switch {
	case x.State.Over():
	case !AnyProposed(x.State):
		x.Add(&state.ExitReached{Exit: state.ExitDecided, Reason: "no field of the proposal is left"})
	case !resolvedNow(x.State):
		x.Add(&RoundResolved{Resolution: Recorded(x.State, x.State.At)})
	}
}

// turn starts another round if the current one is resolved, and reports whether the seats can still move.
func turn(x *resolver.Scenario) bool {
	if !x.Past && resolvedNow(x.State) {
		x.Impossible = decision(x.State) != gates.Hold || len(escalated(x.State)) > 0
		x.Add(&state.RoundStarted{Round: x.State.Round + 1})
	}
	return !x.Impossible
}

// Candidates adds what could happen to a field of the proposal.
func (rules) Candidates(l *resolver.Candidates) {
	if FieldOf(l.Point) != nil {
		onPoint(l)
	}
	l.EndOfSession()
}

func onPoint(l *resolver.Candidates) {
	s, p := l.State, l.Point
	f := FieldOf(p)
	var objections []*state.Challenge
	for _, id := range p.Challenges {
		if c := s.Challenge(id); ObjectionOf(c) != nil && len(objections) < resolver.MostTried {
			objections = append(objections, c)
		}
	}
	if Proposed(p) {
		onField(l, &review{s: s}, objections)
	}
	if f.Withdrawn && f.WithdrawnBy != state.User && p.UserRuling == nil {
		again := &Propose{Path: f.Path, Value: f.Value, Category: f.Category}
		addMove(l, "a new proposal by the proposer", Proposer, state.StagePropose, again)
	}
	switch {
	case !resolver.Running(s):
	case !resolvedNow(s):
		l.Add(resolver.MovedBySession, "nothing else in this round", func(*resolver.Scenario) {})
	default:
		l.Add(resolver.MovedBySession, "nothing new in the next round", func(x *resolver.Scenario) { turn(x) })
	}
	for _, id := range escalated(s) {
		for _, option := range s.QuestionByID(id).Options {
			if s.QuestionByID(id).Point == p.ID {
				addUser(l, "your answer "+resolver.Quote(option)+" to "+id,
					protocol.AnswerQuestion{Question: id, Answer: option})
			}
		}
	}
	if s.Closed {
		return
	}
	if !f.Withdrawn && p.UserRuling == nil {
		for _, o := range objections {
			for _, verdict := range []gates.Ruling{gates.RulingCleared, gates.RulingUpheld, gates.RulingNone} {
				with := "your ruling on " + o.ID + " taken back"
				if verdict != gates.RulingNone {
					with = "your ruling that " + o.ID + " is " + string(verdict)
				}
				if verdict != ObjectionOf(o).Verdict {
					addUser(l, with, RuleObjection{Challenge: o.ID, Verdict: verdict})
				}
			}
		}
	}
	if !f.Withdrawn {
		addUser(l, "your agreement to it", claims.RuleOn{Point: p.ID, What: state.OverrideAgree})
		addUser(l, "your withdrawal of it", WithdrawField{Point: p.ID})
	}
	for _, what := range resolver.UserOverrides() {
		if what.Kind != state.OverrideAgree {
			addUser(l, "your ruling: "+what.Words, claims.RuleOn{Point: p.ID, What: what.Kind})
		}
	}
}

// addUser adds a candidate: a move of the user, admitted as in a session.
func addUser(l *resolver.Candidates, with string, move protocol.UserMove) {
	l.Add(resolver.MovedByUser, with, func(x *resolver.Scenario) {
		events, err := protocol.AdmitUser(x.State, move)
		x.Impossible = x.Impossible || err != nil
		x.Add(events...)
	})
}

// addMove adds a candidate: a move of a seat in its next turn.
func addMove(
	l *resolver.Candidates, with string, seat state.Seat, stage state.Stage, m move.Move,
) *resolver.Candidate {
	l.Add(resolver.MovedBySeats, with, func(x *resolver.Scenario) {
		if turn(x) {
			admit(x, seat, stage, m)
		}
	})
	return &l.List[len(l.List)-1]
}

// admit adds the events of a seat's move, as a session would.
func admit(x *resolver.Scenario, seat state.Seat, stage state.Stage, m move.Move) {
	ask := protocol.Ask{Seat: seat, Stage: stage, Moves: []move.Kind{move.KindOf(m)}}
	admission := Format{}.Admit(x.State, ask, []move.Move{m})
	x.Impossible = len(admission.Refused) > 0
	x.Add(admission.Events...)
}

// addProof adds a candidate: verified evidence that quotes the value of the field, for it
// from the proposer or against it from the pressure-tester. The objection may be "".
func addProof(
	l *resolver.Candidates, k resolver.Proof, with, group string, relation ledger.Relation, objection string,
) {
	seat, stage := Proposer, state.StageAnswer
	if relation == ledger.Refutes {
		seat, stage = PressureTester, state.StageEvaluate
	}
	l.List = append(l.List, resolver.Candidate{
		Who: resolver.MovedByEvidence, With: with, Group: group,
		Do: func(x *resolver.Scenario) {
			if !turn(x) {
				return
			}
			id, quote := state.NextID('E', x.State.Evidence.Len()), quotable(FieldOf(x.CurrentPoint()).Value)
			reference := "what-if/" + id
			admit(x, seat, stage, &SupplyEvidence{
				Point: x.Point, Challenge: objection, Reference: reference, Quote: quote, Relation: relation,
			})
			x.Verify(id, &k, reference, quote)
		},
	})
}

// quotable is a value as a source would write it.
func quotable(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && text != "" {
		return text
	}
	return string(value)
}

// onField adds what seats, evidence and the user could do about a proposed field.
func onField(l *resolver.Candidates, d *review, objections []*state.Challenge) {
	p := l.Point
	f := FieldOf(p)
	if p.UserRuling == nil {
		amendments(l, d)
		withdraw := &move.Withdraw{Point: p.ID, Reason: "withdrawn"}
		addMove(l, "a withdrawal of it by the proposer", Proposer, state.StageAnswer, withdraw)
	}
	burdens := d.burdens(p)
	for _, o := range objections {
		if o.Status == state.StandsConceded {
			continue
		}
		concede := &move.Concede{Challenge: o.ID, Reason: "granted"}
		addMove(l, "a concession of "+o.ID+" by the proposer", Proposer, state.StageAnswer, concede)
		if r := resolutionOf(d.resolved(), o.ID); r != nil && r.Rule == "R0" {
			continue
		}
		for _, k := range resolver.Proofs() {
			addProof(l, k, k.Words+" that answers "+o.ID, "answers "+o.ID, ledger.Supports, o.ID)
			addProof(l, k, k.Words+" that confirms "+o.ID, "confirms "+o.ID, ledger.Refutes, o.ID)
		}
	}
	l.Checks()
	const unsettled = "what nothing settles"
	if len(p.Challenges) < resolver.MostTried {
		addMove(l, "a HIGH objection to it that nothing settles", PressureTester, state.StageEvaluate,
			&Object{
				Point: p.ID, Text: unsettled, Predicate: unsettled, Category: f.Category, Severity: gates.High,
			})
	}
	if l.State.Closed {
		return
	}
	for _, o := range burdens {
		addUser(l, "your answer to "+o.ID, claims.AnswerChallenge{Challenge: o.ID, Text: "an answer"})
	}
	evidence := claims.SupplyEvidence{Point: p.ID, Text: quotable(f.Value), Relation: ledger.Supports}
	addUser(l, "your evidence for it", evidence)
	if len(p.Challenges) > 0 {
		evidence.Relation = ledger.Refutes
		addUser(l, "your evidence against it", evidence)
	}
	addUser(l, "your objection to it", RaiseObjection{Point: p.ID, Text: unsettled, Severity: gates.High})
	against := &ledger.Predicate{Path: f.Path, Op: "≠", Value: f.Value}
	l.Add(resolver.MovedByUser, "a fact of yours that it contradicts",
		func(x *resolver.Scenario) { x.Fact("", "another fact", against) })
}

// amendments adds what the proposer could do about failing gates: cite a source for the value, or propose the
// value of the user's limit.
func amendments(l *resolver.Candidates, d *review) {
	p := l.Point
	if d.fails(p, "G3", "G4", "G8") {
		says := ""
		if d.fails(p, "G3") {
			says = " that says " + resolver.Quote(quotable(FieldOf(p).Value))
		}
		for _, k := range resolver.Proofs() {
			addProof(l, k, k.Words+says+" for it", "cites", ledger.Supports, "")
		}
	}
	for _, f := range d.s.Facts.All() {
		for _, limit := range limits(f) {
			if limit.Path != FieldOf(p).Path || !slices.Contains([]string{"=", "≤", "≥"}, limit.Op) ||
				!d.fails(p, "G6") {
				continue
			}
			c := addMove(l, "the value "+resolver.Clip(string(limit.Value))+" for it", Proposer,
				state.StagePropose, &move.Revise{Point: p.ID, Value: limit.Value, Because: "revised"})
			c.Group = "value"
		}
	}
}
