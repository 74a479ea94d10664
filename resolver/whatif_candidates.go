package resolver

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"moot/ledger"
	"moot/state"
)

// lister collects what somebody could do next about a point.
type lister struct {
	s    *state.State
	p    *state.Point
	b    *bench
	list []candidate
}

func (l *lister) add(who Mover, with string, do func(*course)) {
	l.list = append(l.list, candidate{who: who, with: with, do: do})
}

func (l *lister) helps(who Mover, with string, do func(*course)) {
	l.list = append(l.list, candidate{who: who, with: with, helps: true, do: do})
}

// candidates returns everything that the seats, evidence, the session or the user
// could do next about a point, or with no point about the proposal.
func candidates(s *state.State, p *state.Point, back *recall) []candidate {
	if p == nil {
		return aboutProposal(s, back)
	}
	l := &lister{s: s, p: p, b: systemOf(s.Settings.Format).bench(s, p)}
	switch {
	case s.Settings.Format == state.FormatDialectic:
		l.list = aboutField(s, p, back, "")
	case s.Settings.Format == state.FormatHearing:
		l.inHearing()
	case s.Settings.Format == state.FormatPanel && !l.b.argued():
		l.votes()
		l.losses()
		l.checks()
		l.evidence()
	default:
		if !running(s) || Debated(s, p) {
			l.challenges()
			l.judgments()
			l.concession()
		}
		l.losses()
		l.checks()
		l.evidence()
		l.silence()
	}
	l.endOfSession()
	l.questions()
	if !s.Closed && s.Settings.Format != state.FormatDialectic {
		l.byUser()
	}
	return l.list
}

// challenges tries the ways in which each challenge can end.
func (l *lister) challenges() {
	for i, c := range l.b.challenges {
		single := i < mostTried
		if !single && len(l.b.challenges) > mostTogether {
			break
		}
		if c.Settled() && running(l.s) || c.Status == state.StandsConceded {
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
		if waits || !running(l.s) || answered && last.Judgment == state.Unjudged {
			l.helps(MovedBySeats, "an accepted answer to "+id, func(x *course) {
				if waits || !answered {
					x.answer(id)
				}
				x.accept(id)
			})
		}
		if !single {
			continue
		}
		if waits || answered && (last.Judgment == state.Unjudged || !running(l.s)) {
			l.add(MovedBySeats, final, func(x *course) {
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
			l.add(MovedBySeats, "no answer to "+id, func(x *course) { x.silence(id) })
		}
	}
}

func answerable(c *state.Challenge) bool {
	return c.Status == state.StandsOpen || c.Status == state.StandsDropped || c.Status == state.StandsReminded
}

// judgments tries what each seat that judges the point could say of it.
func (l *lister) judgments() {
	p := l.p
	for _, seat := range Evaluators(l.s, p) {
		if p.IsAuthor(seat) && len(p.Authors) == 1 {
			continue
		}
		from := " from " + seatName(seat)
		if l.s.Settings.Format == state.FormatCouncil {
			if _, seated := l.s.Assignment(seat); seated {
				l.add(MovedBySeats, "a challenge"+from+" that stays open", func(x *course) {
					x.turn(seat, ownStage(seat)).challenge(seat, state.Skeptical)
				})
			}
			continue
		}
		latest := p.Latest(seat)
		if latest != nil && latest.Seq < p.Reopened {
			latest = nil
		}
		if latest != nil && running(l.s) {
			continue
		}
		if latest == nil || latest.Class != state.Agree {
			l.helps(MovedBySeats, "AGREE"+from, func(x *course) { x.classify(seat, state.Agree, false) })
			if slices.ContainsFunc(p.CalledValue, p.IsAuthor) && !slices.Contains(p.CalledValue, seat) {
				l.add(MovedBySeats, "AGREE"+from+", which also calls it a value judgment", func(x *course) {
					x.classify(seat, state.Agree, true)
				})
			}
		}
		if latest == nil || latest.Class == state.Agree {
			l.add(MovedBySeats, "SKEPTICAL"+from, func(x *course) { x.classify(seat, state.Skeptical, false) })
			l.add(MovedBySeats, "REJECT"+from, func(x *course) { x.classify(seat, state.Reject, false) })
			l.add(MovedBySeats, "REJECT"+from+" and a rejected answer to it", func(x *course) {
				id := state.NextID('C', x.s.Challenges.Len())
				x.classify(seat, state.Reject, false).answer(id).reject(id)
			})
		}
	}
	if l.s.Settings.Format == state.FormatCouncil {
		l.validity()
	}
	if defenders := Defenders(p); len(defenders) > 0 && l.b.waiting() != nil {
		l.add(MovedBySeats, "a missing measurement named by "+seatName(defenders[0])+" (BLOCKED)", func(x *course) {
			x.answerAll().add(&state.PointBlocked{Point: p.ID, Blocked: state.Blocked{
				By: defenders[0], Measurement: "a measurement", Threshold: "a threshold", Below: "one verdict",
				Above: "the other",
			}})
		})
	}
	if running(l.s) && p.Scope == state.Untriaged {
		l.add(MovedBySeats, "the orchestrator calling it out of scope", func(x *course) {
			x.add(&state.PointTriaged{
				Point: p.ID, By: state.Orchestrator, Scope: state.OutOfScope,
				Reason: "out of scope",
			})
		})
		l.add(MovedBySeats, "the orchestrator calling it an answer to another question", func(x *course) {
			x.add(&state.PointTriaged{
				Point: p.ID, By: state.Orchestrator, Scope: state.AnchorShift,
				Reason: "another reading",
			})
			x.ask(state.QuestionAnchorShift, "Do you consent to that reading?", "", "consent", "refuse")
		})
	}
}

// validity tries what else a council's claim may lack: confidence, and a limit.
func (l *lister) validity() {
	target := max(0.8, l.s.CouncilSettings().Decision)
	for _, seat := range seatedInCouncil(l.s) {
		if score := l.p.Score(seat); score == nil || score.Admitted != target {
			c := confident(seat, target)
			c.helps = true
			l.list = append(l.list, c)
		}
	}
	if defenders := Defenders(l.p); len(defenders) > 0 && l.b.acknowledged() == "" {
		l.helps(MovedBySeats, "a limit stated by "+seatName(defenders[0]), func(x *course) {
			x.turn(defenders[0], ownStage(defenders[0]))
			x.add(&state.ClaimLimited{Point: x.point, By: defenders[0], Limit: "what it does not cover"})
		})
	}
}

// confident has a seat report a confidence.
func confident(seat state.Seat, to float64) candidate {
	with := fmt.Sprintf("a confidence of %.2f from %s", to, seatName(seat))
	return candidate{who: MovedBySeats, with: with, sort: "confidence of " + string(seat), do: func(x *course) {
		if x.s.Settings.Format == state.FormatHearing {
			x.add(&state.Argued{Seat: seat, Stated: to, Confidence: to})
			return
		}
		x.turn(seat, ownStage(seat))
		cause := "a cause"
		for _, id := range x.here().Evidence {
			if item := x.s.Item(id); item != nil && item.Counts() {
				// Without a verified cause an admitted confidence does not move (ST3).
				cause = id
			}
		}
		x.add(&state.ConfidenceReported{Seat: seat, Point: x.point, Stated: to, Admitted: to, Cause: cause})
	}}
}

// confidenceOf is what a seat reported of a point, or 0.
func confidenceOf(s *state.State, p *state.Point, seat state.Seat) float64 {
	if s.Settings.Format == state.FormatHearing {
		if a := s.Hearing.Argument(seat, s.Round); a != nil {
			return a.Confidence
		}
		return math.NaN()
	}
	if score := p.Score(seat); score != nil {
		return score.Admitted
	}
	return 0
}

// ownStage is the stage of a council's round in which a seat speaks for itself.
func ownStage(seat state.Seat) state.Stage {
	switch seat { //nolint:exhaustive // the strategist is the only other seat of a council
	case state.Critic:
		return state.StageCritique
	case state.Adversary:
		return state.StageAttack
	case state.Expert:
		return state.StageAdvise
	case state.Moderator:
		return state.StageSynthesize
	}
	return state.StageAnswer
}

// concession tries that the authors give the point up.
func (l *lister) concession() {
	p := l.p
	if l.b.waiting() == nil && running(l.s) || slices.Contains(p.Authors, state.User) ||
		slices.Contains(p.Authors, state.Protocol) {
		// Nothing is asked of them.
		return
	}
	l.add(MovedBySeats, "a concession by "+seatNames(p.Authors), func(x *course) {
		for _, a := range p.Authors {
			if x.here().Holds(a) {
				x.add(&state.PointConceded{Point: p.ID, By: a, Reason: "given up"})
			}
		}
	})
}

// checks tries that evidence which waits for its check proves right (RD6).
func (l *lister) checks() {
	for _, item := range l.items(func(e *ledger.Evidence) bool { return !e.Checked }) {
		k, with := proofs()[0], item.ID+" verified"
		if item.Approval != ledger.ApprovalNone {
			k, with = proofs()[2], item.ID+" approved and its expectation met"
		}
		l.helps(MovedByEvidence, with, func(x *course) {
			x.verify(item.ID, &k, item.Reference, item.Excerpt)
			if x.s.Phase == state.Crystallization && x.s.Settings.Format != state.FormatDialectic &&
				!x.s.Item(item.ID).Decisive() {
				x.impossible = true
			}
		})
	}
}

// items returns the first items on the point that the test picks.
func (l *lister) items(pick func(*ledger.Evidence) bool) []*ledger.Evidence {
	var found []*ledger.Evidence
	for _, id := range l.p.Evidence {
		if item := l.s.Item(id); item != nil && len(found) < mostTried && pick(item) {
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
func (l *lister) evidence() {
	if l.p.RevisedBy != "" || l.p.Scope == state.Late || l.p.Scope == state.OverLimit || !Held(l.p) {
		return
	}
	if l.s.Settings.Format == state.FormatPanel && !l.b.argued() && running(l.s) {
		return
	}
	sources := 1
	if l.p.Key {
		sources = keySources
	}
	for _, k := range proofs() {
		for i := range sources {
			c := candidate{
				who: MovedByEvidence, with: k.words + " for it", kind: k.words, sort: fmt.Sprint("for ", i),
				helps: true,
			}
			if i > 0 {
				c.with = k.words + " of another source for it"
			}
			c.do = func(x *course) { x.evidence(&k, ledger.Supports, fmt.Sprintf("source %d", x.s.Evidence.Len()+1)) }
			l.list = append(l.list, c)
		}
		against := func(x *course) { x.evidence(&k, ledger.Refutes, "a source") }
		l.list = append(l.list,
			candidate{who: MovedByEvidence, with: k.words + " against it", sort: "against", do: against},
			candidate{
				who: MovedByEvidence, with: k.words + " against it that its author cannot answer",
				sort: "against", do: func(x *course) {
					against(x)
					x.hear()
					x.answerAll()
				},
			})
	}
}

// silence tries that what was asked for, or would be, does not come.
func (l *lister) silence() {
	if !running(l.s) || !Debated(l.s, l.p) {
		return
	}
	l.add(MovedByEvidence, "no clarification", func(x *course) { x.unanswered(state.RequestClarification) })
	l.add(MovedByEvidence, "no evidence when it is asked for", func(x *course) { x.unanswered(state.RequestEvidence) })
}

// losses tries what the ruling would be without an item that it may rest on.
func (l *lister) losses() {
	for _, item := range l.items(func(e *ledger.Evidence) bool { return e.Counts() && e.Relation != ledger.Neutral }) {
		l.loss(item.ID)
		if !item.Direct || item.Contested != "" || item.SourceKind == ledger.UserOverride ||
			running(l.s) && !Held(l.p) {
			continue
		}
		for _, seat := range slices.Concat(Evaluators(l.s, l.p), Defenders(l.p)) {
			if item.OfferedBy != string(seat) {
				l.add(MovedByEvidence, seatName(seat)+" contesting "+item.ID, func(x *course) {
					x.add(&state.EvidenceContested{ID: item.ID, By: seat, Reason: "it takes a further step"})
				})
				break
			}
		}
	}
}

func (l *lister) loss(id string) {
	l.list = append(l.list, candidate{
		who: MovedByEvidence, with: id + " failing its check", past: true,
		do: func(x *course) {
			x.add(&state.EvidenceRefused{ID: id, Reason: "not found at the cited place"})
		},
	})
}

// votes tries what panelists could vote who were not heard on a conflict of the
// point.
func (l *lister) votes() {
	t := newTable(l.s)
	claim := t.Claim(l.p.ID)
	for _, c := range t.about[claim] {
		if c.Argued || !CountsVotes(l.s) || running(l.s) && l.s.Round != 1 {
			continue
		}
		other := t.opposite(c, claim)
		for _, seat := range t.unheard(c) {
			for _, side := range []*Claim{claim, other} {
				vote := candidate{
					who: MovedBySeats, helps: side == claim,
					with: fmt.Sprintf("a vote of %s for %s (%s)", seat, side.Points[0], c.ID),
				}
				vote.do = func(x *course) { x.add(t.vote(c, side, seat)...) }
				l.list = append(l.list, vote)
			}
		}
	}
}

// unheard are the panelists that hold neither side of a conflict and can still be
// asked about it; once the session is over, all that hold neither.
func (t *Table) unheard(c *state.Conflict) []state.Seat {
	sides := t.between[c.ID]
	return slices.DeleteFunc(slices.Clone(t.seats), func(seat state.Seat) bool {
		holds := slices.Contains(sides[0].Holders, seat) || slices.Contains(sides[1].Holders, seat)
		heard := t.s.AskedOf(seat, state.StageVote).Replies > 0 || t.agrees(sides[0], seat) || t.agrees(sides[1], seat)
		return holds || t.s.Panel.Misses(seat) || heard && running(t.s)
	})
}

// inHearing tries what the sides of a hearing could do about the question or a claim.
func (l *lister) inHearing() {
	if l.p.UserRuling != nil {
		return
	}
	for _, p := range l.s.Points.All() {
		if p.ID == QuestionPoint || l.p.ID != QuestionPoint && p.ID != l.p.ID || !made(l.s, p, l.s.Round) {
			continue
		}
		l.add(MovedBySeats, "a concession of "+p.ID, func(x *course) {
			x.add(&state.PointConceded{Point: p.ID, By: p.Authors[0], Reason: "given up"})
		})
		for _, id := range p.Challenges {
			if c := l.s.Challenge(id); len(c.Defenses) == 0 && len(c.Facts) > 0 {
				l.add(MovedBySeats, "an answer to "+id, func(x *course) {
					x.add(&state.ChallengeAnswered{Challenge: id, By: p.Authors[0], Text: "an answer"})
				})
			}
		}
	}
}

func (l *lister) endOfSession() {
	if running(l.s) {
		l.add(MovedBySession, "the end of the session now", func(x *course) {
			x.add(&state.ExitReached{Exit: state.ExitUser, Reason: "the user closed the session"})
		})
	}
}

// questions tries each answer to a question about the point that moves something.
func (l *lister) questions() {
	for _, q := range l.s.Questions.All() {
		if q.Answered {
			continue
		}
		answer := func(text string, then func(*course)) {
			l.add(MovedByUser, "your answer "+quote(text)+" to "+q.ID, func(x *course) {
				x.add(&state.QuestionAnswered{ID: q.ID, By: state.User, Answer: text})
				then(x)
			})
		}
		if id, ok := strings.CutPrefix(q.About, state.AboutConflict); ok {
			l.conflictAnswers(l.s.Conflict(id), q, answer)
			continue
		}
		if p := l.s.Live(q.Point); p == nil || p.ID != l.p.ID {
			continue
		}
		id := l.p.ID
		switch q.Kind {
		case state.QuestionAnchorShift:
			answer("consent", func(x *course) {
				x.add(&state.AnchorShiftConsented{Point: id, Consented: true, Reading: l.p.Text})
			})
			answer("refuse", func(x *course) { x.add(&state.AnchorShiftConsented{Point: id}) })
		case state.QuestionTradeoff:
			for i, what := range []state.OverrideKind{state.OverrideAgree, state.OverrideDismiss} {
				if i < len(q.Options) && slices.Index(q.Options, q.Options[i]) == i {
					option := q.Options[i]
					answer(option, func(x *course) {
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
				answer(text, func(x *course) { x.fact("", text, nil).userEvidence("what you say", relation) })
			}
		case state.QuestionApproval:
			if challenge, ok := strings.CutPrefix(q.About, "concede "); ok {
				answer("concede", func(x *course) {
					x.add(&state.ChallengeConceded{Challenge: challenge, By: state.User, Reason: "the user gave it up"})
				})
			} else if l.s.Fact(q.About) != nil {
				answer("yes", func(x *course) {
					x.add(&state.ViolationNamed{Point: id, Fact: q.About, By: state.User, Confirmed: true})
				})
			}
		case state.QuestionEscalation, state.QuestionDefinition, state.QuestionPriority:
			// The answer becomes a fact, which moves nothing by itself.
		}
	}
}

// conflictAnswers tries each answer to the question about a conflict of the point.
func (l *lister) conflictAnswers(c *state.Conflict, q *state.Question, answer func(string, func(*course))) {
	t := newTable(l.s)
	if c == nil || !slices.Contains(t.about[t.Claim(l.p.ID)], c) {
		return
	}
	sides := t.between[c.ID]
	for _, option := range q.Options {
		if option != state.AnswerNeither && option != sides[0].Points[0] && option != sides[1].Points[0] {
			continue
		}
		answer(option, func(x *course) {
			for _, side := range sides {
				what := state.OverrideDismiss
				if option == side.Points[0] {
					what = state.OverrideAgree
				}
				for _, id := range side.Points {
					x.add(&state.OverrideMade{What: what, Point: id, Reason: state.DecidedReason(c.ID)})
				}
			}
		})
	}
}

// byUser tries what the user may do at any time.
func (l *lister) byUser() {
	p, id := l.p, l.p.ID
	if l.s.Settings.Format != state.FormatHearing {
		kind, with := state.Value, "your word that it is a value judgment"
		if l.b.value {
			kind, with = state.Empirical, "your word that it is empirical"
		}
		l.add(MovedByUser, with, func(x *course) {
			x.add(&state.OverrideMade{What: state.OverrideKindSet, Point: id, Set: kind})
		})
		for _, relation := range []ledger.Relation{ledger.Supports, ledger.Refutes} {
			with := "your evidence for it"
			if relation == ledger.Refutes {
				with = "your evidence against it"
			}
			l.add(MovedByUser, with, func(x *course) { x.userEvidence("what you say", relation) })
		}
		l.userFacts()
	}
	if running(l.s) && Held(p) && p.Deadlock == state.DeadlockNone {
		for _, c := range l.b.challenges[:min(len(l.b.challenges), mostTried)] {
			l.add(MovedByUser, "your answer to "+c.ID, func(x *course) {
				x.add(&state.ChallengeAnswered{Challenge: c.ID, By: state.User, Text: "an answer"})
				x.impossible = x.impossible || !Debated(&x.s, x.here())
			})
		}
	}
	if l.s.Settings.Format == state.FormatPanel {
		l.conflictMarks()
	}
	if l.s.Settings.Format == state.FormatCouncil && p.UserRuling == nil {
		with := "your mark as a key claim"
		if p.Key {
			with = "your mark as a key claim removed"
		}
		l.add(MovedByUser, with, func(x *course) {
			x.add(&state.ClaimMarkedKey{
				Point: id, By: state.User,
				Key: !p.Key,
			})
		})
	}
	for _, what := range rulingsOfUser() {
		l.add(MovedByUser, "your ruling: "+what.words,
			func(x *course) { x.add(&state.OverrideMade{What: what.kind, Point: id}) })
	}
	if p.Holds(state.User) && len(p.Authors) == 1 {
		l.add(MovedByUser, "your concession", func(x *course) {
			x.add(&state.PointConceded{Point: id, By: state.User, Reason: "given up"})
		})
	}
}

type userRuling struct {
	kind  state.OverrideKind
	words string
}

func rulingsOfUser() []userRuling {
	return []userRuling{
		{state.OverrideReopen, "reopen"},
		{state.OverrideAgree, "agree"},
		{state.OverrideDismiss, "dismiss"},
		{state.OverrideUnresolved, "leave unresolved"},
	}
}

// userFacts tries a fact that the point contradicts (AC5), and newer facts in
// place of those that the ruling read.
func (l *lister) userFacts() {
	last := ""
	for _, f := range l.s.Facts.All() {
		if !f.Live || f.Tag != ledger.TagUser {
			continue
		}
		last = f.ID
		if l.p.Predicate != nil && ledger.Incompatible(l.p.Predicate, f.Predicate) ||
			slices.ContainsFunc(l.p.Violates, func(v state.Violation) bool { return v.Fact == f.ID && v.Confirmed }) {
			l.add(MovedByUser, "a newer fact of yours in place of "+f.ID,
				func(x *course) { x.fact(f.ID, "another fact", nil) })
		}
	}
	known := slices.ContainsFunc(l.p.Violates, func(v state.Violation) bool { return v.Fact == last })
	if !running(l.s) || !Held(l.p) || last != "" && known {
		return
	}
	with := "a seat saying that it contradicts your fact " + last + ", which you confirm"
	if last == "" {
		with = "a new fact of yours that it contradicts, as a seat says and you confirm"
	}
	by := state.Orchestrator
	if l.s.Settings.Format == state.FormatCouncil {
		by = state.Critic
	}
	l.add(MovedByUser, with, func(x *course) {
		fact := last
		if fact == "" {
			fact = state.NextID('F', x.s.Facts.Len())
			x.fact("", "a fact", nil)
		}
		x.add(&state.ViolationNamed{Point: l.p.ID, Fact: fact, By: by})
		id := x.ask(state.QuestionApproval, "Does it contradict the fact?", fact, "yes", "no")
		x.add(&state.QuestionAnswered{ID: id, By: state.User, Answer: "yes"},
			&state.ViolationNamed{Point: l.p.ID, Fact: fact, By: state.User, Confirmed: true})
	})
}

// conflictMarks tries what the user may do about the conflicts of a panel's point:
// agree with the other side, or mark the pair differently.
func (l *lister) conflictMarks() {
	t := newTable(l.s)
	claim := t.Claim(l.p.ID)
	conflicts := t.about[claim]
	for _, c := range conflicts[:min(len(conflicts), mostTried)] {
		other := t.opposite(c, claim).Points[0]
		l.add(MovedByUser, fmt.Sprintf("your agreement with %s, the other side of %s", other, c.ID), func(x *course) {
			x.add(&state.OverrideMade{What: state.OverrideAgree, Point: other})
		})
		if !running(l.s) {
			continue
		}
		a, b := current(l.s, c.A), current(l.s, c.B)
		for _, same := range []bool{false, true} {
			with := fmt.Sprintf("your mark that %s and %s are unrelated", a, b)
			if same {
				with = fmt.Sprintf("your mark that %s and %s say the same", a, b)
			}
			l.add(MovedByUser, with, func(x *course) {
				x.add(&state.PointsPaired{A: a, B: b, Same: same, Alike: same, By: state.User},
					&state.ConflictDropped{ID: c.ID, By: state.User, Reason: "the user marked the pair again"})
			})
		}
	}
}

// answer lets the author answer a challenge.
func (x *course) answer(id string) *course {
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
func (x *course) answerAll() *course {
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
func (x *course) accept(id string) *course {
	c := x.s.Challenge(id)
	if x.impossible || c == nil || Contradicted(&x.s, x.point) != nil {
		x.impossible = true
		return x
	}
	judge := JudgeOf(&x.s, c)
	x.turn(judge, x.judging())
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
func (x *course) reject(id string) {
	c := x.s.Challenge(id)
	if x.impossible || c == nil {
		x.impossible = true
		return
	}
	judge := JudgeOf(&x.s, c)
	x.turn(judge, x.judging())
	x.add(&state.ChallengeJudged{
		Challenge: id, By: judge, Judgment: state.Rejected, Reason: "the answer does not hold",
		Reopens: c.Kind == state.Skeptical && c.RejectedDefenses() == 0,
	})
}

// silence lets the windows of a challenge pass (CH2, CH3).
func (x *course) silence(id string) {
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
func (x *course) classify(seat state.Seat, class state.Class, value bool) *course {
	x.turn(seat, x.judging())
	if x.here().Scope == state.Untriaged {
		x.add(&state.PointTriaged{
			Point: x.point, By: state.Protocol, Scope: state.InScope,
			Reason: "judged, so in scope",
		})
	}
	x.add(&state.PointClassified{Point: x.point, By: seat, Class: class, Reason: "a reason", Value: value})
	if class != state.Agree && (x.past || x.s.Round < LastRound(&x.s)) {
		x.challenge(seat, class)
	}
	return x
}

func (x *course) challenge(seat state.Seat, class state.Class) {
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
func (x *course) unanswered(kind state.RequestKind) {
	b := systemOf(x.s.Settings.Format).bench(&x.s, x.here())
	q := b.request(kind)
	switch _, upheld := b.upheld(); {
	case q != nil && !q.Open(), q == nil && (!upheld || kind != state.RequestEvidence || b.value ||
		b.firmSupport() != nil):
		x.impossible = true
		return
	case q == nil:
		x.add(&state.Requested{
			Point: x.point, What: kind, Of: slices.Concat(Defenders(b.p), Evaluators(&x.s, b.p)), By: state.Protocol,
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
func (x *course) evidence(k *proof, relation ledger.Relation, reference string) {
	seats := Defenders(x.here())
	if relation == ledger.Refutes {
		seats = Evaluators(&x.s, x.here())
	}
	by := state.Orchestrator
	if len(seats) > 0 {
		by = seats[0]
	}
	if x.s.Settings.Format == state.FormatCouncil {
		x.turn(by, ownStage(by))
	}
	id := state.NextID('E', x.s.Evidence.Len())
	x.add(&state.EvidenceOffered{
		ID: id, Point: x.point, Relation: relation, Reference: reference, Quote: "a passage", Direct: true, By: by,
	})
	if q := newBench(&x.s, x.here()).request(state.RequestEvidence); q != nil && q.Open() {
		x.add(&state.RequestSettled{Point: x.point, What: state.RequestEvidence, Answered: true, By: by})
	}
	x.verify(id, k, reference, "a passage")
}

// verify lets an item prove right.
func (x *course) verify(id string, k *proof, reference, excerpt string) {
	x.add(&state.EvidenceVerified{
		ID: id, Type: k.kind, SourceKind: k.source, Confidence: k.confidence,
		Reference: reference, Excerpt: excerpt, Admitted: true, Reason: "in place",
	})
}

// userEvidence is evidence of the user: it counts as verified and decisive. It
// bears on the objections.
func (x *course) userEvidence(text string, relation ledger.Relation, objections ...string) {
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
func (x *course) fact(supersedes, text string, predicate *ledger.Predicate) *course {
	return x.add(&state.FactRecorded{
		ID: state.NextID('F', x.s.Facts.Len()), Tag: ledger.TagUser, Seat: state.User,
		Text: text, Supersedes: supersedes, Predicate: predicate,
	})
}

// ask puts a question about the point to the user and returns its id.
func (x *course) ask(kind state.QuestionKind, text, about string, options ...string) string {
	id := state.NextID('Q', x.s.Questions.Len())
	x.add(&state.QuestionSurfaced{ID: id, Point: x.point, What: kind, Text: text, Options: options, About: about})
	return id
}

// saidOf is a value as a passage would say it.
func saidOf(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && text != "" {
		return text
	}
	return string(value)
}
