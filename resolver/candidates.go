package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/state"
)

// ownTurn stands for the stage in which a seat speaks for itself, in formats that
// have one for each seat.
const ownTurn state.Stage = ""

// debate tries what the seats could do about a point that they argue about.
func (l *Candidates) debate() {
	if !running(l.State) || Debated(l.State, l.Point) {
		l.challenges()
		l.judgments()
		l.concession()
	}
	l.losses()
	l.checks(false)
	l.evidence()
	l.silence()
}

// challenges tries the ways in which each challenge can end.
func (l *Candidates) challenges() {
	for i, c := range l.Basis.Challenges {
		single := i < mostTried
		if !single && len(l.Basis.Challenges) > mostTogether {
			break
		}
		if c.Settled() && running(l.State) || c.Status == state.StandsConceded {
			continue
		}
		id, last := c.ID, c.Last()
		waits := answerable(c)
		answered := last != nil && c.Status == state.StandsDefended
		twice := c.Kind == state.Skeptical && c.RejectedDefenses() == 0
		final := "a rejected answer to " + id
		if twice {
			final = "two rejected answers to " + id
		}
		if waits || !running(l.State) || answered && last.Judgment == state.Unjudged {
			l.helps(MovedBySeats, "an accepted answer to "+id, func(x *Course) {
				if waits || !answered {
					x.answer(id)
				}
				x.accept(id)
			})
		}
		if !single {
			continue
		}
		if waits || answered && (last.Judgment == state.Unjudged || !running(l.State)) {
			l.add(MovedBySeats, final, func(x *Course) {
				if waits {
					x.answer(id)
				}
				x.reject(id)
				if twice && !x.past {
					x.nextRound()
				}
				if twice {
					x.answer(id).reject(id)
				}
			})
		}
		if waits {
			l.add(MovedBySeats, "no answer to "+id, func(x *Course) { x.silence(id) })
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
		from := " from " + seatName(seat)
		latest := p.Latest(seat)
		if latest != nil && latest.Seq < p.Reopened {
			latest = nil
		}
		if latest != nil && running(l.State) {
			continue
		}
		if latest == nil || latest.Class != state.Agree {
			l.helps(MovedBySeats, "AGREE"+from, func(x *Course) { x.classify(seat, state.Agree, false) })
			if slices.ContainsFunc(p.CalledValue, p.IsAuthor) && !slices.Contains(p.CalledValue, seat) {
				l.add(MovedBySeats, "AGREE"+from+", which also calls it a value judgment", func(x *Course) {
					x.classify(seat, state.Agree, true)
				})
			}
		}
		if latest == nil || latest.Class == state.Agree {
			l.add(MovedBySeats, "SKEPTICAL"+from, func(x *Course) { x.classify(seat, state.Skeptical, false) })
			l.add(MovedBySeats, "REJECT"+from, func(x *Course) { x.classify(seat, state.Reject, false) })
			l.add(MovedBySeats, "REJECT"+from+" and a rejected answer to it", func(x *Course) {
				id := state.NextID('C', x.s.Challenges.Len())
				x.classify(seat, state.Reject, false).answer(id).reject(id)
			})
		}
	}
	l.obstacles()
}

// obstacles tries a missing measurement, and a triage that puts the point aside.
func (l *Candidates) obstacles() {
	p := l.Point
	if defenders := Defenders(p); len(defenders) > 0 && l.Basis.waiting() != nil {
		l.add(MovedBySeats, "a missing measurement named by "+seatName(defenders[0])+" (BLOCKED)", func(x *Course) {
			x.answerAll().add(&state.PointBlocked{Point: p.ID, Blocked: state.Blocked{
				By: defenders[0], Measurement: "a measurement", Threshold: "a threshold", Below: "one verdict",
				Above: "the other",
			}})
		})
	}
	if running(l.State) && p.Scope == state.Untriaged {
		l.add(MovedBySeats, "the orchestrator calling it out of scope", func(x *Course) {
			x.add(&state.PointTriaged{
				Point: p.ID, By: state.Orchestrator, Scope: state.OutOfScope,
				Reason: "out of scope",
			})
		})
		l.add(MovedBySeats, "the orchestrator calling it an answer to another question", func(x *Course) {
			x.add(&state.PointTriaged{
				Point: p.ID, By: state.Orchestrator, Scope: state.AnchorShift,
				Reason: "another reading",
			})
			x.ask(state.QuestionAnchorShift, "Do you consent to that reading?", "", "consent", "refuse")
		})
	}
}

// concession tries that the authors give the point up.
func (l *Candidates) concession() {
	p := l.Point
	if l.Basis.waiting() == nil && running(l.State) || slices.Contains(p.Authors, state.User) ||
		slices.Contains(p.Authors, state.Protocol) {
		// Nothing is asked of them.
		return
	}
	l.add(MovedBySeats, "a concession by "+seatNames(p.Authors), func(x *Course) {
		for _, a := range p.Authors {
			if x.here().Holds(a) {
				x.add(&state.PointConceded{Point: p.ID, By: a, Reason: "given up"})
			}
		}
	})
}

// checks tries that evidence which waits for its check is verified (RD6). Late is set
// if items that are not decisive count in the last phase.
func (l *Candidates) checks(late bool) {
	for _, item := range l.items(func(e *ledger.Evidence) bool { return !e.Checked }) {
		k, with := proofs()[0], item.ID+" verified"
		if item.Approval != ledger.ApprovalNone {
			k, with = proofs()[2], item.ID+" approved and its expectation met"
		}
		l.helps(MovedByEvidence, with, func(x *Course) {
			x.verify(item.ID, &k, item.Reference, item.Excerpt)
			if !late && x.s.Phase == state.Crystallization && !x.s.Item(item.ID).Decisive() {
				x.impossible = true
			}
		})
	}
}

// items returns the first items on the point that the test picks.
func (l *Candidates) items(pick func(*ledger.Evidence) bool) []*ledger.Evidence {
	var found []*ledger.Evidence
	for _, id := range l.Point.Evidence {
		if item := l.State.Item(id); item != nil && len(found) < mostTried && pick(item) {
			found = append(found, item)
		}
	}
	return found
}

// proof is a kind of evidence that may come.
type proof struct {
	kind       ledger.Type
	source     ledger.SourceKind
	confidence float64
	words      string
}

// proofs are the kinds of evidence, the one that is easiest to get first.
func proofs() []proof {
	return []proof{
		{ledger.Textual, ledger.DomainEvidence, ledger.ConfidenceInPlace, "a verified passage"},
		{ledger.Textual, ledger.OfficialSource, ledger.ConfidenceOfficial, "a passage of an official source"},
		{ledger.Execution, ledger.LiveAPI, ledger.ConfidenceExecution, "a command's checked output"},
	}
}

// evidence tries verified evidence for the point and against it.
func (l *Candidates) evidence() {
	if l.Point.RevisedBy != "" || l.Point.Scope == state.Late || l.Point.Scope == state.OverLimit || !Held(l.Point) {
		return
	}
	sources := 1
	if l.Point.Key {
		// A key claim needs evidence of two sources (CV1).
		sources = 2
	}
	for _, k := range proofs() {
		for i := range sources {
			c := candidate{
				who: MovedByEvidence, with: k.words + " for it", proof: k.words, group: fmt.Sprint("for ", i),
				helps: true,
			}
			if i > 0 {
				c.with = k.words + " of another source for it"
			}
			c.do = func(x *Course) { x.evidence(&k, ledger.Supports, fmt.Sprintf("source %d", x.s.Evidence.Len()+1)) }
			l.list = append(l.list, c)
		}
		against := func(x *Course) { x.evidence(&k, ledger.Refutes, "a source") }
		l.list = append(l.list,
			candidate{who: MovedByEvidence, with: k.words + " against it", group: "against", do: against},
			candidate{
				who: MovedByEvidence, with: k.words + " against it that its author cannot answer",
				group: "against", do: func(x *Course) {
					against(x)
					x.raiseRefutation()
					x.answerAll()
				},
			})
	}
}

// silence tries that what was asked for, or would be, does not come.
func (l *Candidates) silence() {
	if !running(l.State) || !Debated(l.State, l.Point) {
		return
	}
	l.add(MovedByEvidence, "no clarification", func(x *Course) { x.unanswered(state.RequestClarification) })
	l.add(MovedByEvidence, "no evidence when it is asked for", func(x *Course) { x.unanswered(state.RequestEvidence) })
}

// losses tries what the ruling would be without an item that it may rest on.
func (l *Candidates) losses() {
	for _, item := range l.items(func(e *ledger.Evidence) bool { return e.Counts() && e.Relation != ledger.Neutral }) {
		l.loss(item.ID)
		if !item.Direct || item.Contested != "" || item.SourceKind == ledger.UserOverride ||
			running(l.State) && !Held(l.Point) {
			continue
		}
		for _, seat := range slices.Concat(Evaluators(l.State, l.Point), Defenders(l.Point)) {
			if item.OfferedBy != string(seat) {
				l.add(MovedByEvidence, seatName(seat)+" contesting "+item.ID, func(x *Course) {
					x.add(&state.EvidenceContested{ID: item.ID, By: seat, Reason: "it takes a further step"})
				})
				break
			}
		}
	}
}

func (l *Candidates) loss(id string) {
	l.list = append(l.list, candidate{
		who: MovedByEvidence, with: id + " failing its check", past: true,
		do: func(x *Course) {
			x.add(&state.EvidenceRefused{ID: id, Reason: "not found at the cited place"})
		},
	})
}

func (l *Candidates) endOfSession() {
	if running(l.State) {
		l.add(MovedBySession, "the end of the session now", func(x *Course) {
			x.add(&state.ExitReached{Exit: state.ExitUser, Reason: "the user closed the session"})
		})
	}
}

// questions tries each answer to a question about the point that moves something.
func (l *Candidates) questions() {
	for _, q := range l.State.Questions.All() {
		if p := l.State.Live(q.Point); q.Answered || p == nil || p.ID != l.Point.ID ||
			strings.HasPrefix(q.About, state.AboutConflict) {
			continue
		}
		answer := func(text string, then func(*Course)) { l.answer(q, text, then) }
		id := l.Point.ID
		switch q.Kind {
		case state.QuestionAnchorShift:
			answer("consent", func(x *Course) {
				x.add(&state.AnchorShiftConsented{Point: id, Consented: true, Reading: l.Point.Text})
			})
			answer("refuse", func(x *Course) { x.add(&state.AnchorShiftConsented{Point: id}) })
		case state.QuestionTradeoff:
			for i, what := range []state.OverrideKind{state.OverrideAgree, state.OverrideDismiss} {
				if i < len(q.Options) && slices.Index(q.Options, q.Options[i]) == i {
					option := q.Options[i]
					answer(option, func(x *Course) {
						x.add(&state.OverrideMade{
							What: what, Point: id,
							Reason: "chose a side of the tradeoff: " + option,
						})
					})
				}
			}
		case state.QuestionBlocked:
			for _, relation := range []ledger.Relation{ledger.Supports, ledger.Refutes} {
				text := string(relation) + ": …"
				answer(text, func(x *Course) { x.fact("", text, nil).userEvidence("what you say", relation) })
			}
		case state.QuestionApproval:
			if challenge, ok := strings.CutPrefix(q.About, "concede "); ok {
				answer("concede", func(x *Course) {
					x.add(&state.ChallengeConceded{Challenge: challenge, By: state.User, Reason: "the user gave it up"})
				})
			} else if l.State.Fact(q.About) != nil {
				answer("yes", func(x *Course) {
					x.add(&state.ViolationNamed{Point: id, Fact: q.About, By: state.User, Confirmed: true})
				})
			}
		case state.QuestionEscalation, state.QuestionDefinition, state.QuestionPriority:
			// The answer becomes a fact, which moves nothing by itself.
		}
	}
}

// answer tries an answer of the user to a question.
func (l *Candidates) answer(q *state.Question, text string, then func(*Course)) {
	l.add(MovedByUser, "your answer "+quote(text)+" to "+q.ID, func(x *Course) {
		x.add(&state.QuestionAnswered{ID: q.ID, By: state.User, Answer: text})
		then(x)
	})
}

// userArguments tries what the user may say about a point at any time: its kind,
// evidence, and facts.
func (l *Candidates) userArguments() {
	kind, with := state.Value, "your word that it is a value judgment"
	if l.Basis.Value {
		kind, with = state.Empirical, "your word that it is empirical"
	}
	l.add(MovedByUser, with, func(x *Course) {
		x.add(&state.OverrideMade{What: state.OverrideKindSet, Point: x.point, Set: kind})
	})
	l.add(MovedByUser, "your evidence for it", func(x *Course) { x.userEvidence("what you say", ledger.Supports) })
	l.add(MovedByUser, "your evidence against it", func(x *Course) { x.userEvidence("what you say", ledger.Refutes) })
	l.userFacts()
}

// userAnswers tries an answer of the user to each challenge.
func (l *Candidates) userAnswers() {
	if !running(l.State) || !Held(l.Point) || l.Point.Deadlock != state.DeadlockNone {
		return
	}
	for _, c := range l.Basis.Challenges[:min(len(l.Basis.Challenges), mostTried)] {
		l.add(MovedByUser, "your answer to "+c.ID, func(x *Course) {
			x.add(&state.ChallengeAnswered{Challenge: c.ID, By: state.User, Text: "an answer"})
			x.impossible = x.impossible || !Debated(&x.s, x.here())
		})
	}
}

// userRulings tries each ruling of the user, and a concession of the user's own point.
func (l *Candidates) userRulings() {
	p := l.Point
	for _, what := range userOverrides() {
		l.add(MovedByUser, "your ruling: "+what.words,
			func(x *Course) { x.add(&state.OverrideMade{What: what.kind, Point: p.ID}) })
	}
	if p.Holds(state.User) && len(p.Authors) == 1 {
		l.add(MovedByUser, "your concession", func(x *Course) {
			x.add(&state.PointConceded{Point: p.ID, By: state.User, Reason: "given up"})
		})
	}
}

type userOverride struct {
	kind  state.OverrideKind
	words string
}

func userOverrides() []userOverride {
	return []userOverride{
		{state.OverrideReopen, "reopen"},
		{state.OverrideAgree, "agree"},
		{state.OverrideDismiss, "dismiss"},
		{state.OverrideUnresolved, "leave unresolved"},
	}
}

// userFacts tries a fact that the point contradicts (AC5), and newer facts in
// place of those that the ruling read.
func (l *Candidates) userFacts() {
	last := ""
	for _, f := range l.State.Facts.All() {
		if !f.Live || f.Tag != ledger.TagUser {
			continue
		}
		last = f.ID
		if l.Point.Predicate != nil && ledger.Incompatible(l.Point.Predicate, f.Predicate) ||
			slices.ContainsFunc(l.Point.Violates, func(v state.Violation) bool { return v.Fact == f.ID && v.Confirmed }) {
			l.add(MovedByUser, "a newer fact of yours in place of "+f.ID,
				func(x *Course) { x.fact(f.ID, "another fact", nil) })
		}
	}
	known := slices.ContainsFunc(l.Point.Violates, func(v state.Violation) bool { return v.Fact == last })
	if !running(l.State) || !Held(l.Point) || last != "" && known {
		return
	}
	with := "a seat saying that it contradicts your fact " + last + ", which you confirm"
	if last == "" {
		with = "a new fact of yours that it contradicts, as a seat says and you confirm"
	}
	by := state.Orchestrator
	if seats := Evaluators(l.State, l.Point); len(seats) > 0 {
		by = seats[0]
	}
	l.add(MovedByUser, with, func(x *Course) {
		fact := last
		if fact == "" {
			fact = state.NextID('F', x.s.Facts.Len())
			x.fact("", "a fact", nil)
		}
		x.add(&state.ViolationNamed{Point: l.Point.ID, Fact: fact, By: by})
		id := x.ask(state.QuestionApproval, "Does it contradict the fact?", fact, "yes", "no")
		x.add(&state.QuestionAnswered{ID: id, By: state.User, Answer: "yes"},
			&state.ViolationNamed{Point: l.Point.ID, Fact: fact, By: state.User, Confirmed: true})
	})
}

// answer lets the author answer a challenge.
func (x *Course) answer(id string) *Course {
	c, seats := x.s.Challenge(id), Defenders(x.here())
	if x.impossible || c == nil || len(seats) == 0 || !x.past && !answerable(c) {
		x.impossible = true
		return x
	}
	if c.Status == state.StandsOpen {
		x.turn(seats[0], state.StageAnswer)
	}
	// Another text each time: one that repeats would be asked for its terms (JU6).
	text := fmt.Sprintf("answer %d to %s", len(c.Defenses)+1, id)
	return x.add(&state.ChallengeAnswered{Challenge: id, By: seats[0], Text: text})
}

// answerAll lets the author answer every challenge that waits for it.
func (x *Course) answerAll() *Course {
	if p := x.here(); len(p.Challenges) <= mostTogether {
		for _, id := range p.Challenges {
			if answerable(x.s.Challenge(id)) {
				x.answer(id)
			}
		}
		return x
	}
	x.impossible = true
	return x
}

// accept lets the challenger accept the last answer; with no other attack of its own
// left, it then agrees (CH5).
func (x *Course) accept(id string) *Course {
	c := x.s.Challenge(id)
	if x.impossible || c == nil || Contradicted(&x.s, x.point) != nil {
		x.impossible = true
		return x
	}
	judge := JudgeOf(&x.s, c)
	x.turn(judge, state.StageJudge)
	x.add(&state.ChallengeJudged{Challenge: id, By: judge, Judgment: state.Accepted, Reason: "the answer shows it"})
	for _, other := range x.here().Challenges {
		if o := x.s.Challenge(other); other != id && o.By == judge && !o.Settled() {
			return x
		}
	}
	return x.add(&state.PointClassified{
		Point: x.point, By: judge, Class: state.Agree, Reason: "the answer shows it",
		Value: slices.Contains(x.here().CalledValue, judge),
	})
}

// reject lets the challenger reject the last answer; the first rejection of a
// SKEPTICAL gives one more chance (CH5).
func (x *Course) reject(id string) {
	c := x.s.Challenge(id)
	if x.impossible || c == nil {
		x.impossible = true
		return
	}
	judge := JudgeOf(&x.s, c)
	x.turn(judge, state.StageJudge)
	x.add(&state.ChallengeJudged{
		Challenge: id, By: judge, Judgment: state.Rejected, Reason: "the answer does not hold",
		Reopens: c.Kind == state.Skeptical && c.RejectedDefenses() == 0,
	})
}

// silence lets the windows of a challenge pass (CH2, CH3).
func (x *Course) silence(id string) {
	c, seats := x.s.Challenge(id), Defenders(x.here())
	if len(seats) == 0 {
		x.impossible = true
		return
	}
	if c.Status == state.StandsOpen {
		x.turn(seats[0], state.StageAnswer)
	}
	if c.Kind == state.Reject {
		x.add(&state.ChallengeUndefended{Challenge: id, Reason: "not referenced in its one defense round (CH3)"})
		return
	}
	if c.Status == state.StandsOpen {
		x.add(&state.ChallengeDropped{Challenge: id})
	}
	if c.Status != state.StandsReminded {
		x.add(&state.ChallengeReminded{Challenge: id})
	}
	x.add(&state.ChallengeUndefended{Challenge: id, Reason: "not referenced after the reminder (CH2)"})
}

// classify lets a seat judge the point, with the challenge that follows (RD3, RD4).
func (x *Course) classify(seat state.Seat, class state.Class, value bool) *Course {
	x.turn(seat, state.StageJudge)
	if x.here().Scope == state.Untriaged {
		x.add(&state.PointTriaged{
			Point: x.point, By: state.Protocol, Scope: state.InScope,
			Reason: "judged, so in scope",
		})
	}
	x.add(&state.PointClassified{Point: x.point, By: seat, Class: class, Reason: "a reason", Value: value})
	if class != state.Agree && (x.past || x.s.Round < x.format.LastRound(&x.s)) {
		x.challenge(seat, class)
	}
	return x
}

func (x *Course) challenge(seat state.Seat, class state.Class) {
	e := &state.ChallengeRaised{
		ID: state.NextID('C', x.s.Challenges.Len()), Point: x.point, By: seat, What: class,
		Objection: "a flaw", UpgradeIf: "the flaw is removed",
	}
	if class == state.Reject {
		e.FlawKind, e.Grounds, e.WhyNotSkeptical = state.Empirical, "its grounds", "nothing would remove it"
	}
	x.add(e)
}

// unanswered lets a request be made, if it was not, and its window pass.
func (x *Course) unanswered(kind state.RequestKind) {
	b := x.format.Basis(&x.s, x.here())
	q := b.Request(kind)
	switch _, upheld := b.upheld(); {
	case q != nil && !q.Open(), q == nil && (!upheld || kind != state.RequestEvidence || b.Value ||
		b.firmSupport() != nil):
		x.impossible = true
		return
	case q == nil:
		x.add(&state.Requested{
			Point: x.point, What: kind, Of: slices.Concat(Defenders(b.Point), Evaluators(&x.s, b.Point)), By: state.Protocol,
			Text: "which evidence, that anyone can check, would settle " + x.point + "? Cite it.",
		})
		x.nextRound()
	case q.Round >= x.s.Round:
		x.nextRound()
	}
	x.add(&state.RequestSettled{Point: x.point, What: kind, By: state.Protocol})
}

// evidence lets a seat cite something that proves right. It is direct, so that every
// phase admits it (PH5).
func (x *Course) evidence(k *proof, relation ledger.Relation, reference string) {
	seats := Defenders(x.here())
	if relation == ledger.Refutes {
		seats = Evaluators(&x.s, x.here())
	}
	by := state.Orchestrator
	if len(seats) > 0 {
		by = seats[0]
	}
	x.turn(by, ownTurn)
	id := state.NextID('E', x.s.Evidence.Len())
	x.add(&state.EvidenceOffered{
		ID: id, Point: x.point, Relation: relation, Reference: reference, Quote: "a passage", Direct: true, By: by,
	})
	if q := NewBasis(&x.s, x.here(), false).Request(state.RequestEvidence); q != nil && q.Open() {
		x.add(&state.RequestSettled{Point: x.point, What: state.RequestEvidence, Answered: true, By: by})
	}
	x.verify(id, k, reference, "a passage")
}

// verify lets an item prove right.
func (x *Course) verify(id string, k *proof, reference, excerpt string) {
	x.add(&state.EvidenceVerified{
		ID: id, Type: k.kind, SourceKind: k.source, Confidence: k.confidence,
		Reference: reference, Excerpt: excerpt, Admitted: true, Reason: "in place",
	})
}

// userEvidence is evidence of the user: it counts as verified and decisive. It
// bears on the objections.
func (x *Course) userEvidence(text string, relation ledger.Relation, objections ...string) {
	id := state.NextID('E', x.s.Evidence.Len())
	x.add(&state.EvidenceOffered{
		ID: id, Point: x.point, Relation: relation, Reference: "the user", Quote: text, Direct: true, By: state.User,
	})
	x.add(&state.EvidenceVerified{
		ID: id, Type: ledger.Textual, SourceKind: ledger.UserOverride, Confidence: ledger.ConfidenceUser,
		Reference: "the user", Excerpt: text, Admitted: true, Reason: "the user gave it",
	})
	for _, objection := range objections {
		x.add(&state.EvidenceSupplied{Evidence: id, Challenge: objection})
	}
}

// fact records a fact of the user.
func (x *Course) fact(supersedes, text string, predicate *ledger.Predicate) *Course {
	return x.add(&state.FactRecorded{
		ID: state.NextID('F', x.s.Facts.Len()), Tag: ledger.TagUser, Seat: state.User,
		Text: text, Supersedes: supersedes, Predicate: predicate,
	})
}

// ask puts a question about the point to the user and returns its id.
func (x *Course) ask(kind state.QuestionKind, text, about string, options ...string) string {
	id := state.NextID('Q', x.s.Questions.Len())
	x.add(&state.QuestionSurfaced{ID: id, Point: x.point, What: kind, Text: text, Options: options, About: about})
	return id
}
