package resolver

import (
	"fmt"
	"slices"

	"moot/ledger"
	"moot/state"
)

// Debate lists what the seats could do about a point that they argue about.
func (l *Candidates) Debate() {
	asked := !Running(l.State) || Debated(l.State, l.Point)
	if asked {
		l.Challenges()
		l.judgments()
		l.Concession()
	}
	l.Checks()
	l.relevance()
	l.Evidence()
	if asked {
		l.agreement()
	}
}

// Challenges lists the ways in which each challenge can end.
func (l *Candidates) Challenges() {
	for _, c := range l.Basis.Challenges[:min(len(l.Basis.Challenges), MostTried)] {
		waits := Answerable(c)
		if c.Status == state.StandsConceded || c.Status == state.StandsGranted ||
			Running(l.State) && !waits && c.Status != state.StandsAnswered {
			continue
		}
		id, rejected, answers := c.ID, "a rejected answer to ", 1
		if c.Kind == state.Skeptical && c.RejectedDefenses() == 0 {
			rejected, answers = "two rejected answers to ", 2
		}
		l.Add(MovedBySeats, "an accepted answer to "+id, func(x *Scenario) { x.accept(id) })
		l.Add(MovedBySeats, rejected+id, func(x *Scenario) {
			for range answers {
				x.reject(id)
			}
		})
		if waits && !slices.Equal(l.Point.Authors, []state.Seat{state.User}) {
			l.Add(MovedBySeats, "no answer to "+id, func(x *Scenario) {
				x.Add(&state.ChallengeUndefended{Challenge: id})
			})
		}
	}
}

// judgments lists the classifications of each seat that judges the point.
func (l *Candidates) judgments() {
	for _, seat := range Evaluators(l.State, l.Point) {
		latest := l.Point.Latest(seat)
		if l.Point.IsAuthor(seat) && len(l.Point.Authors) == 1 || latest != nil && Running(l.State) {
			continue
		}
		for _, class := range []state.Class{state.Agree, state.Skeptical, state.Reject} {
			if latest == nil || (latest.Class == state.Agree) != (class == state.Agree) {
				l.Add(MovedBySeats, string(class)+" from "+SeatName(seat),
					func(x *Scenario) { x.classify(seat, class) })
			}
		}
	}
}

// Concession adds that the authors give the point up, if they are asked to answer or the session is over.
func (l *Candidates) Concession() {
	authors := l.Point.Authors
	if l.Basis.Waiting() == nil && Running(l.State) || slices.Contains(authors, state.User) ||
		slices.Contains(authors, state.Protocol) {
		return
	}
	l.Add(MovedBySeats, "a concession by "+SeatNames(authors), func(x *Scenario) {
		for _, a := range authors {
			x.Add(&state.PointConceded{Point: x.Point, By: a, Reason: "given up"})
		}
	})
}

// agreement adds what would make a point without evidence agreed: a passage, with an accepted answer to each
// challenge, or else with a seat that agrees.
func (l *Candidates) agreement() {
	if !l.Basis.Empirical() || l.Basis.FirmSupport() != nil {
		return
	}
	var open []string
	for _, c := range l.Basis.Challenges {
		if !c.Settled() {
			open = append(open, c.ID)
		}
	}
	with, judges := "an accepted answer to "+Listed(open), Evaluators(l.State, l.Point)
	if len(open) == 0 {
		if len(judges) == 0 {
			return
		}
		with = "AGREE from " + SeatName(judges[0])
	}
	passage := Proofs()[0]
	l.List = append(l.List, Candidate{
		Who: MovedByEvidence, With: with + " and " + passage.Words + " for it", Group: "for", Do: func(x *Scenario) {
			for _, id := range open {
				x.accept(id)
			}
			if len(open) == 0 {
				x.classify(judges[0], state.Agree)
			}
			x.evidence(&passage, ledger.Supports, "a source")
		},
	})
}

// Checks adds that unchecked evidence is verified (RD6).
func (l *Candidates) Checks() {
	for _, item := range l.Items(func(e *ledger.Evidence) bool { return !e.Checked }) {
		k, with := Proofs()[0], item.ID+" verified"
		if item.Approval != ledger.ApprovalNone {
			k, with = Proofs()[2], item.ID+" approved and its expectation met"
		}
		l.Add(MovedByEvidence, with, func(x *Scenario) {
			x.Verify(item.ID, &k, item.Reference, item.Excerpt)
			x.weigh(item.ID)
		})
	}
}

// relevance adds that a seat or the user says whether an item bears on the point (RV2, RV3).
func (l *Candidates) relevance() {
	for _, item := range l.Items((*ledger.Evidence).Proven) {
		for _, seat := range Evaluators(l.State, l.Point) {
			if MayAccept(l.State, l.Point, item, seat) && !item.AcceptedBy(string(seat)) {
				l.add(MovedBySeats, SeatName(seat)+" accepting "+item.ID,
					&state.EvidenceAccepted{ID: item.ID, By: seat})
			}
		}
		for _, c := range item.Contests {
			if seat := state.Seat(c.Seat); !c.Ended && seat != state.User {
				l.add(MovedBySeats, SeatName(seat)+" taking back its contest of "+item.ID,
					&state.ContestEnded{ID: item.ID, Of: seat, By: seat})
			}
		}
		switch {
		case l.State.WasClosed():
		case Counts(l.State, l.Point, item):
			l.add(MovedByUser, "your word that "+item.ID+" does not bear on it",
				&state.EvidenceContested{ID: item.ID, By: state.User, Reason: "it does not bear on the point"})
		default:
			l.add(MovedByUser, "your word that "+item.ID+" bears on it",
				&state.EvidenceAccepted{ID: item.ID, By: state.User})
		}
	}
}

// Items returns the first items on the point for which pick is true.
func (l *Candidates) Items(pick func(*ledger.Evidence) bool) []*ledger.Evidence {
	var found []*ledger.Evidence
	for _, id := range l.Point.Evidence {
		if item := l.State.Item(id); len(found) < MostTried && pick(item) {
			found = append(found, item)
		}
	}
	return found
}

// Proof is a kind of evidence that could be added.
type Proof struct {
	kind       ledger.Type
	source     ledger.SourceKind
	confidence float64
	Words      string
}

// Proofs returns the kinds of evidence, the easiest to get first.
func Proofs() []Proof {
	return []Proof{
		{ledger.Textual, ledger.DomainEvidence, ledger.ConfidenceInPlace, "a verified passage"},
		{ledger.Textual, ledger.OfficialSource, ledger.ConfidenceOfficial, "a passage of an official source"},
		{ledger.Execution, ledger.LiveAPI, ledger.ConfidenceExecution, "a command's checked output"},
	}
}

// Evidence lists verified evidence for the point and against it.
func (l *Candidates) Evidence() {
	if l.Point.RevisedBy != "" || l.Point.Scope == state.Late || l.Point.Scope == state.OverLimit || !Held(l.Point) {
		return
	}
	for _, k := range Proofs() {
		reference := fmt.Sprintf("source %d", l.State.Evidence.Len()+1)
		against := func(x *Scenario) { x.evidence(&k, ledger.Refutes, reference) }
		l.List = append(l.List,
			Candidate{Who: MovedByEvidence, With: k.Words + " for it", Group: "for", Do: func(x *Scenario) {
				x.evidence(&k, ledger.Supports, reference)
			}},
			Candidate{Who: MovedByEvidence, With: k.Words + " against it", Group: "against", Do: against},
			Candidate{
				Who: MovedByEvidence, With: k.Words + " against it that its author cannot answer", Group: "against",
				Do: func(x *Scenario) {
					against(x)
					id := x.RaiseRefutation()
					x.reject(id)
					x.reject(id)
				},
			})
	}
}

// EndOfSession adds that the session ends now.
func (l *Candidates) EndOfSession() {
	if Running(l.State) {
		l.add(MovedBySession, "the end of the session now",
			&state.ExitReached{Exit: state.ExitUser, Reason: "the user closed the session"})
	}
}

// Outside adds what no seat does: the end of the session, and what the user may say.
func (l *Candidates) Outside() {
	l.EndOfSession()
	if !l.State.WasClosed() {
		l.userArguments()
		l.UserAnswers()
	}
	l.UserRulings()
}

// userArguments lists what the user may say about a point at any time: its kind and its scope, evidence, and whether
// it contradicts facts.
func (l *Candidates) userArguments() {
	p, kind := l.Point, state.Empirical
	if l.Basis.Empirical() {
		if kind = ProposedKind(l.Point); kind == state.Empirical {
			kind = state.Value
		}
	}
	l.add(MovedByUser, "your word that it is "+aKind(kind),
		&state.OverrideMade{What: state.OverrideKindSet, Point: p.ID, Set: kind})
	for _, relation := range []ledger.Relation{ledger.Supports, ledger.Refutes} {
		l.Add(MovedByUser, "your evidence "+BearsOn(relation, "it"), func(x *Scenario) { x.userEvidence(relation) })
	}
	if p.Scope == state.AnchorShift && !p.Refused {
		l.add(MovedByUser, "your consent to its reading of the question",
			&state.AnchorShiftConsented{Point: p.ID, Consented: true, Reading: p.Text})
		l.add(MovedByUser, "your refusal of its reading", &state.AnchorShiftConsented{Point: p.ID})
	}
	for _, v := range p.Violates {
		if f := l.State.Fact(v.Fact); f.Live && !v.Confirmed && !v.Denied {
			l.add(MovedByUser, "your word that it contradicts "+f.ID,
				&state.ViolationNamed{Point: p.ID, Fact: f.ID, By: state.User, Confirmed: true})
			l.add(MovedByUser, "your word that it does not contradict "+f.ID,
				&state.ViolationNamed{Point: p.ID, Fact: f.ID, By: state.User})
		}
	}
	if fact, _ := violated(l.State, p); fact != nil {
		l.Add(MovedByUser, "a newer fact of yours in place of "+fact.ID,
			func(x *Scenario) { x.Fact(fact.ID, "another fact", nil) })
	}
}

// UserAnswers lists an answer of the user to each challenge.
func (l *Candidates) UserAnswers() {
	if !Running(l.State) || !Held(l.Point) || l.Point.Deadlock != state.DeadlockNone {
		return
	}
	for _, c := range l.Basis.Challenges[:min(len(l.Basis.Challenges), MostTried)] {
		l.Add(MovedByUser, "your answer to "+c.ID, func(x *Scenario) {
			x.Add(&state.ChallengeAnswered{Challenge: c.ID, By: state.User, Text: "an answer"})
			x.Impossible = x.Impossible || !Debated(x.State, x.CurrentPoint())
		})
	}
}

// UserRulings lists each ruling of the user, and a concession of the user's own point. A closed session takes in no
// concession, and nobody is left to argue a point that is reopened.
func (l *Candidates) UserRulings() {
	p := l.Point
	for _, what := range UserOverrides() {
		if !l.State.WasClosed() || what.Kind != state.OverrideReopen {
			l.add(MovedByUser, "your ruling: "+what.Words, &state.OverrideMade{What: what.Kind, Point: p.ID})
		}
	}
	if !l.State.WasClosed() && p.Holds(state.User) && len(p.Authors) == 1 {
		l.add(MovedByUser, "your concession", &state.PointConceded{Point: p.ID, By: state.User, Reason: "given up"})
	}
}

// UserOverride is a ruling that the user can make.
type UserOverride struct {
	Kind  state.OverrideKind
	Words string
}

// UserOverrides lists the rulings that the user can make on a point.
func UserOverrides() []UserOverride {
	return []UserOverride{
		{state.OverrideReopen, "reopen"},
		{state.OverrideAgree, "agree"},
		{state.OverrideDismiss, "dismiss"},
		{state.OverrideUnresolved, "leave unresolved"},
	}
}

// judge adds a judgment of an answer to a challenge, and an answer first if there is not one yet.
func (x *Scenario) judge(id string, e state.ChallengeJudged) {
	c := x.State.Challenge(id)
	if x.Impossible || c == nil {
		x.Impossible = true
		return
	}
	if c.Status != state.StandsAnswered {
		seats := x.CurrentPoint().Defenders()
		if len(seats) == 0 {
			x.Impossible = true
			return
		}
		x.Add(&state.ChallengeAnswered{Challenge: id, By: seats[0], Text: "an answer"})
	}
	e.Challenge, e.By = id, JudgeOf(x.State, x.State.Challenge(id))
	x.Add(&e)
}

// accept makes the challenger accept an answer. If it has no other open challenge, it then agrees
// (CH5).
func (x *Scenario) accept(id string) {
	if Contradicted(x.State, x.Point) != nil {
		x.Impossible = true
	}
	x.judge(id, state.ChallengeJudged{Judgment: state.Accepted, Reason: "the answer shows it"})
	if x.Impossible {
		return
	}
	judge := JudgeOf(x.State, x.State.Challenge(id))
	for _, other := range x.CurrentPoint().Challenges {
		if o := x.State.Challenge(other); o.By == judge && !o.Settled() {
			return
		}
	}
	x.Add(&state.PointClassified{
		Point: x.Point, By: judge, Class: state.Agree, Reason: "the answer shows it",
	})
}

// reject makes the challenger reject an answer. The first rejection of a SKEPTICAL gives the author one more
// chance (CH5).
func (x *Scenario) reject(id string) {
	c := x.State.Challenge(id)
	x.judge(id, state.ChallengeJudged{
		Judgment: state.Rejected, Reason: "the answer does not hold",
		Reopens: c != nil && c.Kind == state.Skeptical && c.RejectedDefenses() == 0,
	})
}

// classify makes a seat judge the point, with the challenge that follows (RD3, RD4).
func (x *Scenario) classify(seat state.Seat, class state.Class) {
	x.Add(&state.PointClassified{Point: x.Point, By: seat, Class: class, Reason: "a reason"})
	if class != state.Agree {
		x.Challenge(seat, class)
	}
}

// Challenge raises a challenge of the kind, by the seat.
func (x *Scenario) Challenge(seat state.Seat, class state.Class) {
	x.Add(&state.ChallengeRaised{
		ID: state.NextID('C', x.State.Challenges.Len()), Point: x.Point, By: seat, Kind: class,
		Objection: "a flaw", UpgradeIf: "the flaw is removed",
	})
}

// evidence adds verified evidence that counts: another seat accepts a support, and the author does not contest a
// refutation (RV2).
func (x *Scenario) evidence(k *Proof, relation ledger.Relation, reference string) {
	seats := x.CurrentPoint().Defenders()
	if relation == ledger.Refutes {
		seats = Evaluators(x.State, x.CurrentPoint())
	}
	by := state.Orchestrator
	if len(seats) > 0 {
		by = seats[0]
	}
	id := state.NextID('E', x.State.Evidence.Len())
	x.Add(&state.EvidenceOffered{
		ID: id, Point: x.Point, Relation: relation, Reference: reference, Quote: "a passage", By: by,
	})
	x.Verify(id, k, reference, "a passage")
	x.weigh(id)
}

// weigh makes the other side accept that an item bears on the point.
func (x *Scenario) weigh(id string) {
	item := x.State.Item(id)
	switch {
	case item == nil:
		x.Impossible = true
	case item.Relation == ledger.Refutes:
		for _, seat := range x.CurrentPoint().Defenders() {
			x.Add(&state.PromptSent{Seat: seat, Stage: state.StageAnswer},
				&state.ReplyReceived{Seat: seat, Stage: state.StageAnswer, Valid: true})
		}
	default:
		for _, seat := range Evaluators(x.State, x.CurrentPoint()) {
			if MayAccept(x.State, x.CurrentPoint(), item, seat) {
				x.Add(&state.EvidenceAccepted{ID: id, By: seat})
				return
			}
		}
	}
}

// Verify records that an item was verified.
func (x *Scenario) Verify(id string, k *Proof, reference, excerpt string) {
	x.Add(&state.EvidenceVerified{
		ID: id, Type: k.kind, SourceKind: k.source, Confidence: k.confidence,
		Reference: reference, Excerpt: excerpt, Admitted: true, Reason: "in place",
	})
}

// userEvidence adds evidence of the user, which counts.
func (x *Scenario) userEvidence(relation ledger.Relation) {
	const reference, text = "the user", "what you say"
	id := state.NextID('E', x.State.Evidence.Len())
	x.Add(&state.EvidenceOffered{
		ID: id, Point: x.Point, Relation: relation, Reference: reference, Quote: text, By: state.User,
	})
	x.Verify(id, &Proof{kind: ledger.Textual, source: ledger.UserOverride, confidence: ledger.ConfidenceUser},
		reference, text)
}

// Fact records a fact of the user.
func (x *Scenario) Fact(supersedes, text string, predicate *ledger.Predicate) {
	x.Add(&state.FactRecorded{
		ID: state.NextID('F', x.State.Facts.Len()), Tag: ledger.TagUser, Seat: state.User,
		Text: text, Supersedes: supersedes, Predicate: predicate,
	})
}
