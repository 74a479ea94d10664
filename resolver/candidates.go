package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/state"
)

// OwnTurn stands for the stage in which a seat speaks for itself, in formats that
// have one for each seat.
const OwnTurn state.Stage = ""

// Debate tries what the seats could do about a point that they argue about.
func (l *Candidates) Debate() {
	if !Running(l.State) || Debated(l.State, l.Point) {
		l.Challenges()
		l.judgments()
		l.Concession()
	}
	l.Losses()
	l.Checks(false)
	l.relevance()
	l.Evidence()
	if !Running(l.State) || Debated(l.State, l.Point) {
		l.agreement()
	}
}

// Challenges tries the ways in which each challenge can end.
func (l *Candidates) Challenges() {
	for _, c := range l.Basis.Challenges[:min(len(l.Basis.Challenges), MostTried)] {
		if c.Settled() && Running(l.State) || c.Status == state.StandsConceded {
			continue
		}
		id, last := c.ID, c.Last()
		waits := Answerable(c)
		answered := last != nil && !waits
		twice := c.Kind == state.Skeptical && c.RejectedDefenses() == 0
		final := "a rejected answer to " + id
		if twice {
			final = "two rejected answers to " + id
		}
		if waits || !Running(l.State) || answered && last.Judgment == state.Unjudged {
			l.Add(MovedBySeats, "an accepted answer to "+id, func(x *Course) {
				if waits || !answered {
					x.answer(id)
				}
				x.accept(id)
			})
		}
		if waits || answered && (last.Judgment == state.Unjudged || !Running(l.State)) {
			l.Add(MovedBySeats, final, func(x *Course) {
				if waits {
					x.answer(id)
				}
				x.reject(id)
				if twice && !x.Past {
					x.NextRound()
				}
				if twice {
					x.answer(id)
					x.reject(id)
				}
			})
		}
		if waits {
			l.Add(MovedBySeats, "no answer to "+id, func(x *Course) { x.silence(id) })
		}
	}
}

// judgments tries each classification by each seat that judges the point.
func (l *Candidates) judgments() {
	p := l.Point
	for _, seat := range Evaluators(l.State, p) {
		if p.IsAuthor(seat) && len(p.Authors) == 1 {
			continue
		}
		from := " from " + SeatName(seat)
		latest := p.Latest(seat)
		if latest != nil && latest.Seq < p.Reopened {
			latest = nil
		}
		if latest != nil && Running(l.State) {
			continue
		}
		if latest == nil || latest.Class != state.Agree {
			l.Add(MovedBySeats, "AGREE"+from, func(x *Course) { x.classify(seat, state.Agree) })
		}
		if latest == nil || latest.Class == state.Agree {
			l.Add(MovedBySeats, "SKEPTICAL"+from, func(x *Course) { x.classify(seat, state.Skeptical) })
			l.Add(MovedBySeats, "REJECT"+from, func(x *Course) { x.classify(seat, state.Reject) })
		}
	}
}

// Concession tries that the authors give the point up.
func (l *Candidates) Concession() {
	p := l.Point
	if l.Basis.Waiting() == nil && Running(l.State) || slices.Contains(p.Authors, state.User) ||
		slices.Contains(p.Authors, state.Protocol) {
		// Nothing is asked of them.
		return
	}
	l.Add(MovedBySeats, "a concession by "+SeatNames(p.Authors), func(x *Course) {
		for _, a := range p.Authors {
			if x.Here().Holds(a) {
				x.Add(&state.PointConceded{Point: p.ID, By: a, Reason: "given up"})
			}
		}
	})
}

// agreement tries what it takes to agree on a point without evidence: an accepted answer to each challenge, or else a
// seat that agrees, along with evidence.
func (l *Candidates) agreement() {
	if l.Basis.Value || l.Basis.FirmSupport() != nil {
		return
	}
	var open []string
	for _, c := range l.Basis.Challenges {
		if !c.Settled() {
			open = append(open, c.ID)
		}
	}
	judges := Evaluators(l.State, l.Point)
	with := "an accepted answer to " + Listed(open)
	if len(open) == 0 {
		if len(judges) == 0 {
			return
		}
		with = "AGREE from " + SeatName(judges[0])
	}
	l.List = append(l.List, Candidate{
		Who: MovedByEvidence, With: with + " and " + Proofs()[0].Words + " for it", Group: "for", Do: func(x *Course) {
			for _, id := range open {
				if Answerable(x.State.Challenge(id)) {
					x.answer(id)
				}
				x.accept(id)
			}
			if len(open) == 0 {
				x.classify(judges[0], state.Agree)
			}
			x.Evidence(&Proofs()[0], ledger.Supports, "a source")
		},
	})
}

// Checks tries that evidence which waits for its check is verified (RD6). Late is set
// if items that answer nothing count in the last phase.
func (l *Candidates) Checks(late bool) {
	for _, item := range l.Items(func(e *ledger.Evidence) bool { return !e.Checked }) {
		k, with := Proofs()[0], item.ID+" verified"
		if item.Approval != ledger.ApprovalNone {
			k, with = Proofs()[2], item.ID+" approved and its expectation met"
		}
		l.Add(MovedByEvidence, with, func(x *Course) {
			x.Verify(item.ID, &k, item.Reference, item.Excerpt)
			x.weigh(item.ID)
			if !late && x.State.Phase == state.Crystallization && item.For == "" &&
				item.Approval == ledger.ApprovalNone {
				x.Impossible = true
			}
		})
	}
}

// relevance tries that a seat or the user says whether an item bears on the point (RV2, RV3).
func (l *Candidates) relevance() {
	for _, item := range l.Items((*ledger.Evidence).Proven) {
		for _, seat := range Evaluators(l.State, l.Point) {
			if MayAccept(l.State, l.Point, item, seat) && !item.AcceptedBy(string(seat)) {
				l.Add(MovedBySeats, SeatName(seat)+" accepting "+item.ID, func(x *Course) { x.accepts(item.ID, seat) })
			}
		}
		for _, c := range item.Contests {
			if !c.Ended && c.Seat != string(state.User) {
				l.Add(MovedBySeats, SeatName(state.Seat(c.Seat))+" taking back its contest of "+item.ID,
					func(x *Course) {
						x.Turn(state.Seat(c.Seat), OwnTurn)
						x.Add(&state.ContestEnded{ID: item.ID, Of: state.Seat(c.Seat), By: state.Seat(c.Seat)})
					})
			}
		}
		if l.State.Closed {
			continue
		}
		if !Counts(l.State, l.Point, item) {
			l.Add(MovedByUser, "your word that "+item.ID+" bears on it", func(x *Course) {
				x.Add(&state.EvidenceAccepted{ID: item.ID, By: state.User})
			})
		} else {
			l.Add(MovedByUser, "your word that "+item.ID+" does not bear on it", func(x *Course) {
				x.Add(&state.EvidenceContested{ID: item.ID, By: state.User, Reason: "it does not bear on the point"})
			})
		}
	}
}

// Items returns the first items on the point that the test picks.
func (l *Candidates) Items(pick func(*ledger.Evidence) bool) []*ledger.Evidence {
	var found []*ledger.Evidence
	for _, id := range l.Point.Evidence {
		if item := l.State.Item(id); item != nil && len(found) < MostTried && pick(item) {
			found = append(found, item)
		}
	}
	return found
}

// Proof is a kind of evidence that may come.
type Proof struct {
	kind       ledger.Type
	source     ledger.SourceKind
	confidence float64
	Words      string
}

// Proofs are the kinds of evidence, the one that is easiest to get first.
func Proofs() []Proof {
	return []Proof{
		{ledger.Textual, ledger.DomainEvidence, ledger.ConfidenceInPlace, "a verified passage"},
		{ledger.Textual, ledger.OfficialSource, ledger.ConfidenceOfficial, "a passage of an official source"},
		{ledger.Execution, ledger.LiveAPI, ledger.ConfidenceExecution, "a command's checked output"},
	}
}

// Evidence tries verified evidence for the point and against it.
func (l *Candidates) Evidence() {
	if l.Point.RevisedBy != "" || l.Point.Scope == state.Late || l.Point.Scope == state.OverLimit || !Held(l.Point) {
		return
	}
	for _, k := range Proofs() {
		l.List = append(l.List, Candidate{
			Who: MovedByEvidence, With: k.Words + " for it", Group: "for", Do: func(x *Course) {
				x.Evidence(&k, ledger.Supports, fmt.Sprintf("source %d", x.State.Evidence.Len()+1))
			},
		})
		against := func(x *Course) { x.Evidence(&k, ledger.Refutes, "a source") }
		l.List = append(l.List,
			Candidate{Who: MovedByEvidence, With: k.Words + " against it", Group: "against", Do: against},
			Candidate{
				Who: MovedByEvidence, With: k.Words + " against it that its author cannot answer",
				Group: "against", Do: func(x *Course) {
					against(x)
					id := x.RaiseRefutation()
					x.answer(id)
					x.reject(id)
					x.NextRound()
					x.answer(id)
					x.reject(id)
				},
			})
	}
}

// Losses tries what the ruling would be without an item that it may rest on.
func (l *Candidates) Losses() {
	for _, item := range l.Items(func(e *ledger.Evidence) bool { return e.Proven() && e.Relation != ledger.Neutral }) {
		l.Loss(item.ID)
	}
}

// Loss tries that the item fails its check.
func (l *Candidates) Loss(id string) {
	l.List = append(l.List, Candidate{
		Who: MovedByEvidence, With: id + " failing its check", Past: true,
		Do: func(x *Course) {
			x.Add(&state.EvidenceRefused{ID: id, Reason: "not found at the cited place"})
		},
	})
}

// EndOfSession tries that the session ends now.
func (l *Candidates) EndOfSession() {
	if Running(l.State) {
		l.Add(MovedBySession, "the end of the session now", func(x *Course) {
			x.Add(&state.ExitReached{Exit: state.ExitUser, Reason: "the user closed the session"})
		})
	}
}

// Questions tries each answer to a question about the point that moves something.
func (l *Candidates) Questions() {
	for _, q := range l.State.Questions.All() {
		if p := l.State.Live(q.Point); q.Answered || p == nil || p.ID != l.Point.ID {
			continue
		}
		answer := func(text string, then func(*Course)) {
			l.Add(MovedByUser, "your answer "+Quote(text)+" to "+q.ID, func(x *Course) {
				then(x.Add(&state.QuestionAnswered{ID: q.ID, By: state.User, Answer: text}))
			})
		}
		id := l.Point.ID
		switch q.Kind {
		case state.QuestionAnchorShift:
			answer("consent", func(x *Course) {
				x.Add(&state.AnchorShiftConsented{Point: id, Consented: true, Reading: l.Point.Text})
			})
			answer("refuse", func(x *Course) { x.Add(&state.AnchorShiftConsented{Point: id}) })
		case state.QuestionTradeoff:
			for i, what := range []state.OverrideKind{state.OverrideAgree, state.OverrideDismiss} {
				if i < len(q.Options) && slices.Index(q.Options, q.Options[i]) == i {
					option := q.Options[i]
					answer(option, func(x *Course) {
						x.Add(&state.OverrideMade{
							What: what, Point: id,
							Reason: "chose a side of the tradeoff: " + option,
						})
					})
				}
			}
		case state.QuestionBlocked:
			for _, relation := range []ledger.Relation{ledger.Supports, ledger.Refutes} {
				text := string(relation) + ": …"
				answer(text, func(x *Course) { x.Fact("", text, nil).userEvidence(relation) })
			}
		case state.QuestionApproval:
			if challenge, ok := strings.CutPrefix(q.About, "concede "); ok {
				answer("concede", func(x *Course) {
					x.Add(&state.ChallengeConceded{Challenge: challenge, By: state.User, Reason: "the user gave it up"})
				})
			} else if l.State.Fact(q.About) != nil {
				answer("yes", func(x *Course) {
					x.Add(&state.ViolationNamed{Point: id, Fact: q.About, By: state.User, Confirmed: true})
				})
			}
		case state.QuestionEscalation, state.QuestionDefinition, state.QuestionPriority:
			// The answer becomes a fact, which moves nothing by itself.
		}
	}
}

// Outside tries everything that no seat does: the end of the session, and what the user may say.
func (l *Candidates) Outside() {
	l.EndOfSession()
	l.Questions()
	if !l.State.Closed {
		l.userArguments()
		l.UserAnswers()
		l.UserRulings()
	}
}

// userArguments tries what the user may say about a point at any time: its kind,
// evidence, and facts.
func (l *Candidates) userArguments() {
	kind, with := state.Value, "your word that it is a value judgment"
	if l.Basis.Value {
		kind, with = state.Empirical, "your word that it is empirical"
	}
	l.Add(MovedByUser, with, func(x *Course) {
		x.Add(&state.OverrideMade{What: state.OverrideKindSet, Point: x.Point, Set: kind})
	})
	l.Add(MovedByUser, "your evidence for it", func(x *Course) { x.userEvidence(ledger.Supports) })
	l.Add(MovedByUser, "your evidence against it", func(x *Course) { x.userEvidence(ledger.Refutes) })
	l.userFacts()
}

// UserAnswers tries an answer of the user to each challenge.
func (l *Candidates) UserAnswers() {
	if !Running(l.State) || !Held(l.Point) || l.Point.Deadlock != state.DeadlockNone {
		return
	}
	for _, c := range l.Basis.Challenges[:min(len(l.Basis.Challenges), MostTried)] {
		l.Add(MovedByUser, "your answer to "+c.ID, func(x *Course) {
			x.Add(&state.ChallengeAnswered{Challenge: c.ID, By: state.User, Text: "an answer"})
			x.Impossible = x.Impossible || !Debated(&x.State, x.Here())
		})
	}
}

// UserRulings tries each ruling of the user, and a concession of the user's own point.
func (l *Candidates) UserRulings() {
	p := l.Point
	for _, what := range UserOverrides() {
		l.Add(MovedByUser, "your ruling: "+what.Words,
			func(x *Course) { x.Add(&state.OverrideMade{What: what.Kind, Point: p.ID}) })
	}
	if p.Holds(state.User) && len(p.Authors) == 1 {
		l.Add(MovedByUser, "your concession", func(x *Course) {
			x.Add(&state.PointConceded{Point: p.ID, By: state.User, Reason: "given up"})
		})
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

// userFacts tries newer facts in place of those that the point contradicts (AC5).
func (l *Candidates) userFacts() {
	for _, f := range l.State.Facts.All() {
		if !f.Live || f.Tag != ledger.TagUser {
			continue
		}
		if l.Point.Predicate != nil && ledger.Incompatible(l.Point.Predicate, f.Predicate) ||
			slices.ContainsFunc(l.Point.Violates, func(v state.Violation) bool {
				return v.Fact == f.ID && v.Confirmed
			}) {
			l.Add(MovedByUser, "a newer fact of yours in place of "+f.ID,
				func(x *Course) { x.Fact(f.ID, "another fact", nil) })
		}
	}
}

// answer lets the author answer a challenge.
func (x *Course) answer(id string) {
	c, seats := x.State.Challenge(id), x.Here().Defenders()
	if x.Impossible || c == nil || len(seats) == 0 || !x.Past && !Answerable(c) {
		x.Impossible = true
		return
	}
	if c.Status == state.StandsOpen {
		x.Turn(seats[0], state.StageAnswer)
	}
	// Another text each time: one that repeats would be asked for its terms (JU6).
	text := fmt.Sprintf("answer %d to %s", len(c.Defenses)+1, id)
	x.Add(&state.ChallengeAnswered{Challenge: id, By: seats[0], Text: text})
}

// accept lets the challenger accept the last answer; with no other attack of its own
// left, it then agrees (CH5).
func (x *Course) accept(id string) {
	c := x.State.Challenge(id)
	if x.Impossible || c == nil || Contradicted(&x.State, x.Point) != nil {
		x.Impossible = true
		return
	}
	judge := JudgeOf(&x.State, c)
	x.Turn(judge, state.StageJudge)
	x.Add(&state.ChallengeJudged{Challenge: id, By: judge, Judgment: state.Accepted, Reason: "the answer shows it"})
	for _, other := range x.Here().Challenges {
		if o := x.State.Challenge(other); other != id && o.By == judge && !o.Settled() {
			return
		}
	}
	x.Add(&state.PointClassified{
		Point: x.Point, By: judge, Class: state.Agree, Reason: "the answer shows it",
		Value: slices.Contains(x.Here().CalledValue, judge),
	})
}

// reject lets the challenger reject the last answer; the first rejection of a
// SKEPTICAL gives one more chance (CH5).
func (x *Course) reject(id string) {
	c := x.State.Challenge(id)
	if x.Impossible || c == nil {
		x.Impossible = true
		return
	}
	judge := JudgeOf(&x.State, c)
	x.Turn(judge, state.StageJudge)
	x.Add(&state.ChallengeJudged{
		Challenge: id, By: judge, Judgment: state.Rejected, Reason: "the answer does not hold",
		Reopens: c.Kind == state.Skeptical && c.RejectedDefenses() == 0,
	})
}

// silence lets the windows of a challenge pass (CH2, CH3).
func (x *Course) silence(id string) {
	c, seats := x.State.Challenge(id), x.Here().Defenders()
	if len(seats) == 0 {
		x.Impossible = true
		return
	}
	if c.Status == state.StandsOpen {
		x.Turn(seats[0], state.StageAnswer)
	}
	if c.Kind == state.Reject {
		x.Add(&state.ChallengeUndefended{Challenge: id, Reason: "not referenced in its one defense round"})
		return
	}
	if c.Status == state.StandsOpen {
		x.Add(&state.ChallengeDropped{Challenge: id})
	}
	if c.Status != state.StandsReminded {
		x.Add(&state.ChallengeReminded{Challenge: id})
	}
	x.Add(&state.ChallengeUndefended{Challenge: id, Reason: "not referenced after the reminder"})
}

// classify lets a seat judge the point, with the challenge that follows (RD3, RD4).
func (x *Course) classify(seat state.Seat, class state.Class) {
	x.Turn(seat, state.StageJudge)
	if x.Here().Scope == state.Untriaged {
		x.Add(&state.PointTriaged{
			Point: x.Point, By: state.Protocol, Scope: state.InScope,
			Reason: "judged, so in scope",
		})
	}
	x.Add(&state.PointClassified{Point: x.Point, By: seat, Class: class, Reason: "a reason"})
	if class != state.Agree && (x.Past || x.State.Round < x.Format.LastRound(&x.State)) {
		x.Challenge(seat, class)
	}
}

// Challenge raises a challenge of the kind, by the seat.
func (x *Course) Challenge(seat state.Seat, class state.Class) {
	e := &state.ChallengeRaised{
		ID: state.NextID('C', x.State.Challenges.Len()), Point: x.Point, By: seat, What: class,
		Objection: "a flaw", UpgradeIf: "the flaw is removed",
	}
	if class == state.Reject {
		e.FlawKind, e.Grounds, e.WhyNotSkeptical = state.Empirical, "its grounds", "nothing would remove it"
	}
	x.Add(e)
}

// Evidence lets a seat cite something that proves right and counts: another seat accepts a
// support, and the author does not contest a refutation (RV2).
func (x *Course) Evidence(k *Proof, relation ledger.Relation, reference string) {
	seats := x.Here().Defenders()
	if relation == ledger.Refutes {
		seats = Evaluators(&x.State, x.Here())
	}
	by := state.Orchestrator
	if len(seats) > 0 {
		by = seats[0]
	}
	x.Turn(by, OwnTurn)
	id := state.NextID('E', x.State.Evidence.Len())
	x.Add(&state.EvidenceOffered{
		ID: id, Point: x.Point, Relation: relation, Reference: reference, Quote: "a passage", By: by,
	})
	if q := NewBasis(&x.State, x.Here(), false).Request(state.RequestEvidence); q != nil && q.Open() {
		x.Add(&state.RequestSettled{Point: x.Point, What: state.RequestEvidence, Answered: true, By: by})
	}
	x.Verify(id, k, reference, "a passage")
	x.weigh(id)
}

// weigh lets the other side take an item as bearing on the point.
func (x *Course) weigh(id string) {
	item := x.State.Item(id)
	switch {
	case item == nil:
		x.Impossible = true
	case item.Relation == ledger.Refutes:
		for _, seat := range x.Here().Defenders() {
			x.Turn(seat, state.StageAnswer)
			x.Add(&state.PromptSent{Seat: seat, Stage: state.StageAnswer},
				&state.ReplyReceived{Seat: seat, Stage: state.StageAnswer, Valid: true})
		}
	default:
		for _, seat := range Evaluators(&x.State, x.Here()) {
			if MayAccept(&x.State, x.Here(), item, seat) {
				x.accepts(id, seat)
				return
			}
		}
	}
}

// accepts lets a seat say that an item bears on the point.
func (x *Course) accepts(id string, seat state.Seat) {
	x.Turn(seat, state.StageJudge)
	x.Add(&state.EvidenceAccepted{ID: id, By: seat})
}

// Verify lets an item prove right.
func (x *Course) Verify(id string, k *Proof, reference, excerpt string) {
	x.Add(&state.EvidenceVerified{
		ID: id, Type: k.kind, SourceKind: k.source, Confidence: k.confidence,
		Reference: reference, Excerpt: excerpt, Admitted: true, Reason: "in place",
	})
}

// userEvidence is evidence of the user, which counts.
func (x *Course) userEvidence(relation ledger.Relation) {
	const text = "what you say"
	id := state.NextID('E', x.State.Evidence.Len())
	x.Add(&state.EvidenceOffered{
		ID: id, Point: x.Point, Relation: relation, Reference: "the user", Quote: text, By: state.User,
	})
	x.Add(&state.EvidenceVerified{
		ID: id, Type: ledger.Textual, SourceKind: ledger.UserOverride, Confidence: ledger.ConfidenceUser,
		Reference: "the user", Excerpt: text, Admitted: true, Reason: "the user gave it",
	})
}

// Fact records a fact of the user.
func (x *Course) Fact(supersedes, text string, predicate *ledger.Predicate) *Course {
	return x.Add(&state.FactRecorded{
		ID: state.NextID('F', x.State.Facts.Len()), Tag: ledger.TagUser, Seat: state.User,
		Text: text, Supersedes: supersedes, Predicate: predicate,
	})
}
