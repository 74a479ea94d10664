// Package dialectic has a typed proposal attacked until code lets it advance, holds it, or asks the
// user. Start at Format.Next, then read admit.go and escalation.go.
package dialectic

import (
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

// Next implements Format. The steps are listed in the order of a round; the first one that
// is due becomes the turn. Each reads only the state.
func (Format) Next(s *state.State) protocol.Turn {
	turn, _ := protocol.FirstDue(s,
		claims.AskAboutFacts, // facts of the user that do not hold together
		protocol.OpenSession,
		claims.CheckEvidence,   // every reference, before it can count
		claims.ApproveCommands, // commands, before they are run
		protocol.EndOnFailures, // format failures
		closeSession,
		awaitCommands,  // commands that need the user's approval
		askProposal,    // PROPOSE, later REVISE and answers
		endIfEmpty,     // no field is left
		askExamination, // OBJECT
		askEvidence,    // SUPPLY_EVIDENCE against objections
		askRebuttal,    // response to that evidence
		askLastReply,   // response to the tester's, in the last round
		resolve,
		retractSettled, // obsolete questions
		awaitAnswers,   // open escalations
		decide,
	)
	if len(turn.Asks) > 0 {
		turn.Least = leastAsks(s, turn.Asks)
	}
	return turn
}

// askProposal asks the proposer for its proposal, and in later rounds to answer what blocks it. A
// reply without a field gets one critique.
func askProposal(s *state.State) (protocol.Turn, bool) {
	var more []move.Kind
	if s.Settings.Change() != nil {
		more = append(more, MoveNotProposed)
	}
	if s.Round > 1 {
		return askTwice(s, Proposer, state.StagePropose, append(more, MovePropose, move.KindRevise,
			move.KindDefend, move.KindConcede, move.KindWithdraw, MoveSupply, move.KindContest)...)
	}
	moves := slices.Concat(more, []move.Kind{MovePropose, MoveNoObjection})
	if asked := s.AskedOf(Proposer, state.StagePropose); asked.Replies == 1 && s.Quality == 1 {
		retry := s.QualityReason + ": give the fields of the proposal, each a PROPOSE\n" + protocol.RetryOf(asked)
		return ask(Proposer, state.StagePropose, retry, moves)
	}
	return askTwice(s, Proposer, state.StagePropose, moves...)
}

// endIfEmpty ends a session whose last field was withdrawn, after it was resolved: that is never ADVANCE.
func endIfEmpty(s *state.State) (protocol.Turn, bool) {
	if AnyProposed(s) {
		return protocol.NotDue()
	}
	if turn, due := protocol.FirstDue(s, resolve, retractSettled); due {
		return turn, due
	}
	return protocol.Emit(&state.ExitReached{
		Exit: state.ExitDecided, Reason: string(decision(s)) + ": nothing is proposed any more",
	})
}

// askExamination asks the pressure-tester to examine the proposal. If all its moves were
// refused, even on retry, the session ends: otherwise the proposal would advance as if
// there were no objection.
func askExamination(s *state.State) (protocol.Turn, bool) {
	moves := []move.Kind{
		MoveObject, MoveRequest, MoveSupply, move.KindAccept, move.KindContest, move.KindWithdraw,
		MoveNoObjection,
	}
	asked := s.AskedOf(PressureTester, state.StageEvaluate)
	// Refusals of repeats or of what is settled don't count.
	refused, settled := 0, 0
	for _, r := range asked.Refusals {
		switch r.Code {
		case "repeated", "too-many", state.NotTaken, "closed-point", "closed-challenge", "withdrawn", "own-evidence":
			settled++
		case state.DroppedField:
		default:
			refused++
		}
	}
	switch {
	case refused == 0 || settled > 0 || contributed(s, asked.Seat):
		return askTwice(s, asked.Seat, asked.Stage, moves...)
	case asked.Replies > 1:
		reason := fmt.Sprintf("no move of %s could be taken, also when it was asked again: "+
			"nobody was heard on the proposal", asked.Seat)
		return protocol.Emit(&state.ExitReached{
			Exit: state.ExitQuality, Reason: reason, Failure: claims.Formless(asked.Seat, reason),
		})
	}
	return ask(asked.Seat, asked.Stage, protocol.RetryOf(asked), moves)
}

// contributed reports whether a seat objected, requested, brought evidence or gave its word on some in this round.
func contributed(s *state.State, seat state.Seat) bool {
	for _, c := range s.Challenges.All() {
		if c.By == seat && (c.Round == s.Round || c.Status == state.StandsEnded && c.Seq > s.RoundSeq) {
			return true
		}
	}
	for _, r := range s.Requests.All() {
		if r.By == seat && r.Round == s.Round {
			return true
		}
	}
	return s.Evidence.Any(func(item *ledger.Evidence) bool {
		return item.OfferedBy == string(seat) && item.Round == s.Round ||
			slices.ContainsFunc(item.Accepted, func(by ledger.Acceptance) bool {
				return by.Seat == string(seat) && by.Seq > s.RoundSeq
			}) || slices.ContainsFunc(item.Contests, func(by ledger.Contest) bool {
			return by.Seat == string(seat) && by.Round == s.Round
		})
	})
}

// askEvidence asks the proposer to answer this round's objections. It can't change values,
// since nobody would examine them.
func askEvidence(s *state.State) (protocol.Turn, bool) {
	if !challenged(s) {
		return protocol.NotDue()
	}
	return askTwice(s, Proposer, state.StageAnswer, MoveSupply, move.KindDefend,
		move.KindConcede, move.KindWithdraw, move.KindContest)
}

// challenged reports whether this round brought an objection that the user did not rule on,
// or a request for evidence that is still open.
func challenged(s *state.State) bool {
	for _, c := range s.Challenges.All() {
		o := ObjectionOf(c)
		if c.Round == s.Round && o != nil && o.Verdict == "" && c.Status != state.StandsEnded &&
			Proposed(s.Point(c.Point)) {
			return true
		}
	}
	return s.Requests.Any(func(r *state.Request) bool {
		c := s.Challenge(r.About)
		return r.Round == s.Round && ObjectionOf(c) != nil && !requestAnswered(s, r, c)
	})
}

// maxJudged is how often the pressure-tester is asked about evidence in a round.
const maxJudged = 4

// askRebuttal shows the pressure-tester what the proposer cited or supplied since its last turn, also an item that was
// cited before, and what its own requests showed, before any of it can decide anything. About an item that only its
// word lets count it is asked once more.
func askRebuttal(s *state.State) (protocol.Turn, bool) {
	asked := s.AskedOf(PressureTester, state.StageJudge)
	last := s.LastTurn(PressureTester)
	news := false
	for _, item := range s.Evidence.All() {
		brought := item.OfferedBy == string(Proposer) || item.Asked && item.Relation == ledger.Supports
		news = news || brought && item.Proven() && item.Seq > last && Proposed(s.Point(item.Point))
	}
	for _, c := range s.Challenges.All() {
		o := ObjectionOf(c)
		if o == nil || !Proposed(s.Point(c.Point)) || c.Status == state.StandsEnded {
			continue
		}
		for _, supply := range o.Supplies {
			item := s.Item(supply.Evidence)
			news = news || supply.Seq > last && item.Relation == ledger.Supports && item.OfferedBy == string(Proposer)
		}
	}
	ids, turns := toAccept(s)
	once := slices.ContainsFunc(ids, func(id string) bool { return turns[id] < 2 })
	moves := []move.Kind{
		MoveObject, MoveSupply, MoveRequest, move.KindAccept, move.KindContest, move.KindWithdraw,
		MoveNoObjection,
	}
	if asked.Replies < maxJudged && (news || once) && !s.ByRules(PressureTester) {
		return ask(PressureTester, state.StageJudge, protocol.RetryOf(asked), moves)
	}
	if !news && asked.Replies == 0 && asked.Failed == 0 {
		return protocol.NotDue()
	}
	return askTwice(s, PressureTester, state.StageJudge, moves...)
}

// askLastReply lets the proposer answer evidence against the proposal that was offered in the last
// round, before it can decide anything.
func askLastReply(s *state.State) (protocol.Turn, bool) {
	asked := s.AskedOf(Proposer, state.StageRebut)
	due := asked.Replies > 0 || asked.Failed > 0
	for _, id := range s.Unheard {
		p := s.Point(s.Item(id).Point)
		due = due || Proposed(p)
	}
	if !due || s.Round < Configured(s).MaxRounds {
		return protocol.NotDue()
	}
	return askTwice(s, Proposer, state.StageRebut, move.KindDefend, move.KindConcede,
		move.KindWithdraw, move.KindContest)
}

// askTwice asks a seat once, and once more if a move was refused only for the way it was
// written.
func askTwice(s *state.State, seat state.Seat, stage state.Stage, moves ...move.Kind) (protocol.Turn, bool) {
	asked := s.AskedOf(seat, stage)
	fixable := slices.ContainsFunc(asked.Refusals, func(r state.Refusal) bool {
		switch r.Code {
		case "missing-field", "invalid-field", "unknown-flag", "unknown-point", "unknown-challenge", "path":
			return true
		}
		return false
	})
	if asked.Replies > 1 || asked.Replies == 1 && !fixable {
		return protocol.NotDue()
	}
	return ask(seat, stage, protocol.RetryOf(asked), moves)
}

func ask(seat state.Seat, stage state.Stage, retry string, moves []move.Kind) (protocol.Turn, bool) {
	return protocol.Turn{Asks: []protocol.Ask{{Seat: seat, Stage: stage, Moves: moves, Retry: retry}}}, true
}

// awaitCommands waits for the user's approval of offered commands, so that both seats see
// the results before they continue.
func awaitCommands(s *state.State) (protocol.Turn, bool) {
	if !s.Settings.Waits() {
		return protocol.NotDue()
	}
	return protocol.Await(s, claims.IsRun)
}

// resolve records the resolution once per round, and again after the user changed
// something. The rulings follow from the same state.
func resolve(s *state.State) (protocol.Turn, bool) {
	if resolvedNow(s) {
		return protocol.NotDue()
	}
	d := &protocol.Draft{State: s}
	d.Try(0, func() error {
		if err := d.Add(&RoundResolved{Resolution: Recorded(s, s.At)}); err != nil {
			return err
		}
		return d.Add(&state.Ruled{Round: s.Round, Rulings: resolver.Changed(d.State, resolver.Rule(d.State))})
	})
	return protocol.Turn{Events: d.Events}, true
}

// decide acts on the last resolution.
func decide(s *state.State) (protocol.Turn, bool) {
	switch decision(s) {
	case gates.Advance:
		return protocol.Emit(&state.ExitReached{Exit: state.ExitDecided, Reason: "ADVANCE: nothing holds the proposal"})
	case gates.Escalate:
		return escalate(s)
	case gates.Hold:
	}
	return nextRound(s)
}

// nextRound starts the next round, or ends the session after the last.
func nextRound(s *state.State) (protocol.Turn, bool) {
	if rounds := Configured(s).MaxRounds; s.Round >= rounds {
		exit, reason := state.ExitCap, fmt.Sprintf("round %d was the last, and the proposal does not advance", s.Round)
		if answeredByUser(s) {
			exit, reason = state.ExitDecided, "the user ruled, and the proposal does not advance"
		}
		return protocol.Emit(&state.ExitReached{Exit: exit, Reason: reason})
	}
	return protocol.NextRound(s)
}

// answeredByUser reports whether the user answered an escalation of this round, or upheld
// an objection that still holds a field.
func answeredByUser(s *state.State) bool {
	return s.Challenges.Any(func(c *state.Challenge) bool {
		return upheldByUser(s, c) && Proposed(s.Point(c.Point))
	}) || s.Questions.Any(func(q *state.Question) bool {
		return isEscalation(q) && q.Round == s.Round && q.Answered && q.Answer != settled
	})
}

// closeSession runs once an exit is reached.
func closeSession(s *state.State) (protocol.Turn, bool) {
	if !s.Over() {
		return protocol.NotDue()
	}
	if turn, due := protocol.WithdrawQuestions(s, protocol.AnswerEnded, isEscalation); due {
		return turn, due
	}
	if turn, due := protocol.FirstDue(s, claims.RefuseUnapproved, claims.LastRulings); due {
		return turn, due
	}
	return protocol.Turn{Close: true}, true
}

// Seated implements Format: the two seats, in order.
func (Format) Seated(*state.State) []state.Seat {
	return []state.Seat{Proposer, PressureTester}
}

// Examines implements Format: a review of a change tests the documents that come with it.
func (Format) Examines(s *state.State) bool { return SettingsOf(s).Playbook.Name == "code-review" }

// ExitCode implements Format. A person must decide what is escalated.
func (Format) ExitCode(s *state.State) protocol.ExitCode {
	if len(escalated(s)) > 0 {
		return protocol.ExitPerson
	}
	return ExitCodeOf(decision(s))
}

// ExitCodeOf returns the exit code for a decision, in a session and in moot resolve. Before the first round is decided,
// the decision is "" and the code that of HOLD.
func ExitCodeOf(d gates.Decision) protocol.ExitCode {
	switch d {
	case gates.Advance:
		return protocol.ExitConcluded
	case gates.Escalate:
		return protocol.ExitPerson
	case gates.Hold:
	}
	return protocol.ExitInconclusive
}

// leastAsks returns the asks that the round makes at least, given its first ones.
func leastAsks(_ *state.State, asks []protocol.Ask) []protocol.Ask {
	least := append([]protocol.Ask{}, asks...)
	if asks[0].Stage == state.StagePropose {
		least = append(least, protocol.Ask{Seat: PressureTester, Stage: state.StageEvaluate})
	}
	return least
}

// fieldNamed returns the point of the field with this id or path.
func fieldNamed(s *state.State, name string) *state.Point {
	if p := s.Point(name); FieldOf(p) != nil {
		return p
	}
	return FieldAt(s, strings.TrimSpace(name))
}

// Name implements Format.
func (Format) Name() state.Format { return Name }

// Rulings implements protocol.Format.
func (Format) Rulings() resolver.Format { return rules{} }

// Due implements Format. The proposer must answer each unsettled objection, and the pressure-tester says whether the
// evidence against its grave objections bears on them.
func (Format) Due(s *state.State, ask protocol.Ask) claims.Due {
	var d claims.Due
	if ask.Seat != Proposer {
		d.Weigh, _ = toAccept(s)
		return d
	}
	result := &gates.Result{}
	if last := Of(s).Last(); last != nil {
		result = &last.Result
	}
	for _, c := range s.Challenges.All() {
		r := resolutionOf(result, c.ID)
		settled := ObjectionOf(c) == nil || ObjectionOf(c).Verdict != "" || c.Status == state.StandsConceded ||
			c.Status == state.StandsEnded ||
			r != nil && r.Outcome == gates.Cleared
		if !settled && Proposed(s.Point(c.Point)) {
			d.Answer = append(d.Answer, c.ID)
		}
	}
	for _, r := range s.Requests.All() {
		c := s.Challenge(r.About)
		if ObjectionOf(c) != nil && !r.Typed() && !requestAnswered(s, r, c) {
			d.Requests = append(d.Requests, r)
		}
	}
	return d
}

// AnswerSeat implements protocol.Format: the decision is the answer.
func (Format) AnswerSeat(*state.State) state.Seat { return "" }
