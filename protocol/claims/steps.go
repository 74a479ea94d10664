package claims

import (
	"slices"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
)

// ScopeByDefault puts points in scope.
func ScopeByDefault(points []*state.Point) (protocol.Turn, bool) {
	var placed []state.Payload
	for _, p := range points {
		placed = append(placed, &state.PointTriaged{
			Point: p.ID, By: state.Protocol, Scope: state.InScope, Reason: "in scope unless said otherwise",
		})
	}
	return protocol.Turn{Events: placed}, len(placed) > 0
}

// ScopeUntriaged puts all points in scope that nobody placed.
func ScopeUntriaged(s *state.State) (protocol.Turn, bool) { return ScopeByDefault(Untriaged(s)) }

// CheckEvidence has references checked before they can count (RD6), and commands once they are
// approved.
func CheckEvidence(s *state.State) (protocol.Turn, bool) {
	var ids []string
	for i := s.Evidence.Len() - 1; i >= 0; i-- {
		// Citations are checked right after they are offered: unchecked ones are at the end.
		item := s.Evidence.At(i)
		if item.Approval != ledger.ApprovalNone {
			continue
		}
		if item.Checked && item.OfferedBy != string(state.User) {
			break
		}
		if !item.Checked {
			ids = append([]string{item.ID}, ids...)
		}
	}
	for _, id := range s.Commands {
		if item := s.Item(id); !item.Checked && item.Approval.Allows() {
			ids = append(ids, id)
		}
	}
	return protocol.Turn{Check: ids}, len(ids) > 0
}

// RaiseRefutations raises a SKEPTICAL challenge by code for a verified refutation on which no
// challenge rests, so that the author can respond (RD6).
func RaiseRefutations(s *state.State) (protocol.Turn, bool) {
	if s.Over() || !Of(s).Answerable(s) {
		return protocol.NotDue()
	}
	d := &protocol.Draft{State: s}
	for _, p := range LivePoints(s) {
		for _, id := range p.Evidence {
			if item := s.Item(id); resolver.Unanswered(s, p, item) {
				d.Attempt(resolver.RefutationChallenge(d.State.NextChallenge(), item))
			}
		}
	}
	return protocol.Turn{Events: d.Events}, len(d.Events) > 0
}

// HasPoint reports whether the seat is an author of a point.
func HasPoint(s *state.State, seat state.Seat) bool {
	return s.Points.Any(func(p *state.Point) bool { return p.IsAuthor(seat) })
}

// assertion is the key by which two points are the same (RD2): text, option and criterion.
func assertion(text, option, criterion string) string {
	return resolver.Normalized(text) + "\x00" + resolver.Normalized(option) + "\x00" + resolver.Normalized(criterion)
}

// MergeDuplicates merges points with the same normalized text (RD2).
func MergeDuplicates(s *state.State) (protocol.Turn, bool) {
	first := map[string]string{}
	var merged []state.Payload
	for _, p := range s.Points.All() {
		if !Live(p) || p.Round < s.Round-1 {
			continue
		}
		key := assertion(p.Text, p.Option, p.Criterion)
		if into, ok := first[key]; ok {
			merged = append(merged, &state.PointsMerged{Into: into, From: []string{p.ID}, By: state.Protocol})
			continue
		}
		first[key] = p.ID
	}
	return protocol.Turn{Events: merged}, len(merged) > 0
}

// Evaluation returns the stage in which points are judged in this round.
func Evaluation(s *state.State) state.Stage {
	if s.Round == 1 {
		return state.StageEvaluate
	}
	return state.StageJudge
}

// NeedsEvaluation reports whether an evaluator has not judged the point.
func NeedsEvaluation(s *state.State, p *state.Point) bool {
	return slices.ContainsFunc(resolver.Evaluators(s, p), func(seat state.Seat) bool { return p.Latest(seat) == nil })
}

// CanProgress reports whether another round can change something. Points that their evaluator never
// judged, although it was asked, do not prolong the session; they end Unresolved.
func CanProgress(s *state.State) bool {
	for _, p := range LivePoints(s) {
		if resolver.Waiting(s, p) != nil || !Weighed(s, p) {
			return true
		}
		if slices.ContainsFunc(p.Asked, func(at int) bool { return s.Requests.At(at).Open() }) {
			return true
		}
		if NeedsEvaluation(s, p) && (p.Round >= s.Round-1 || p.Reopened > s.RoundSeq) {
			return true
		}
	}
	return false
}

// The first rounds of the later phases (PH1).
const (
	FirstDevelopment     = 3
	firstCrystallization = 6
)

// PhaseByRound is the phase of a round (PH1).
func PhaseByRound(n int) state.Phase {
	switch {
	case n < FirstDevelopment:
		return state.Constructive
	case n < firstCrystallization:
		return state.Development
	}
	return state.Crystallization
}

// ClosingSteps are the steps of a debate over claims after an exit was reached (RD10).
func ClosingSteps(s *state.State) (protocol.Turn, bool) { return CloseAfter(s) }

// CloseAfter is ClosingSteps with steps before the answer.
func CloseAfter(s *state.State, steps ...protocol.Step) (protocol.Turn, bool) {
	if s.Decided > 0 {
		return afterEnd(s)
	}
	// No question to the user holds back the answer (AN2). But a command can only run before the end: in front of a
	// user, the session stays open with its answer until the commands are decided.
	ends := []protocol.Step{RefuseUnapproved, conclude}
	if s.Settings.Waits() && s.Exit != state.ExitUser && len(protocol.OpenQuestions(s, IsRun)) > 0 {
		ends = []protocol.Step{conclude, correctAnswer, awaitCommands}
	}
	if turn, due := protocol.FirstDue(s, protocol.WithdrawStop, LastRulings); due {
		return turn, due
	}
	return protocol.Close(s, slices.Concat(steps, ends, []protocol.Step{correctAnswer, withdrawClose})...)
}

// afterEnd takes in a decision of the user that followed the end of the session: the rulings, the answer as code
// corrects it, and the new end (AN3). No seat is asked.
func afterEnd(s *state.State) (protocol.Turn, bool) {
	if s.RuledSeq < s.Decided {
		return protocol.Emit(&state.Ruled{Round: s.Round, Rulings: resolver.Changed(s, resolver.Rule(s))})
	}
	if turn, due := correctAnswer(s); due {
		return turn, due
	}
	return protocol.Turn{Close: true}, true
}

// awaitCommands keeps the session open until the user has decided on the proposed commands, or closes it.
func awaitCommands(s *state.State) (protocol.Turn, bool) {
	if !protocol.WasAsked(s, aboutClose) {
		return protocol.Surface(s, &state.QuestionSurfaced{
			What: state.QuestionApproval, About: aboutClose, Options: []string{answerClose},
			Text: "The debate is over and the answer is given; a command can still change the rulings. " +
				"Decide whether it may run, or close the session.",
		})
	}
	if len(protocol.OpenQuestions(s, offersClose)) == 0 {
		return RefuseUnapproved(s)
	}
	return protocol.Await(s, func(q *state.Question) bool { return IsRun(q) || offersClose(q) })
}

// withdrawClose withdraws the offer to close the session: it closes now.
func withdrawClose(s *state.State) (protocol.Turn, bool) {
	return protocol.WithdrawQuestions(s, protocol.AnswerEnded, offersClose)
}

func offersClose(q *state.Question) bool { return q.About == aboutClose }

// JudgeAfter returns a seat that judges the answers of the asked seats.
func JudgeAfter(s *state.State, asks []protocol.Ask) state.Seat {
	for _, ask := range asks {
		for _, c := range OpenChallenges(s, ask.Seat, state.StandsOpen) {
			return resolver.JudgeOf(s, c)
		}
	}
	return state.Orchestrator
}

// IsPaired reports whether a seat marked the two points as a pair.
func IsPaired(s *state.State, p, q *state.Point) bool {
	return s.Pairs.Any(func(known *state.PointsPaired) bool {
		return (known.A == p.ID && known.B == q.ID) || (known.A == q.ID && known.B == p.ID)
	})
}

// SeatsToAnswer returns the seats that have something to answer.
func SeatsToAnswer(s *state.State) []state.Seat {
	return slices.DeleteFunc(Seated(s), func(seat state.Seat) bool {
		// On points that it judges, a seat answers requests and weighs evidence with its judgment.
		weighs := slices.ContainsFunc(awaitsVerdict(s, seat), func(e *ledger.Evidence) bool {
			return !slices.Contains(resolver.Evaluators(s, s.Live(e.Point)), seat)
		})
		asked := slices.ContainsFunc(RequestsOf(s, seat), func(r *state.Request) bool {
			return slices.Contains(s.Live(r.Point).Defenders(), seat)
		})
		return !weighs && !asked && len(OpenChallenges(s, seat, state.StandsOpen)) == 0
	})
}

// AnswerMoves returns the moves that answer challenges and requests.
func AnswerMoves() []move.Kind {
	return []move.Kind{
		move.KindDefend, move.KindConcede, move.KindRevise, move.KindCite, move.KindAccept, move.KindContest, move.KindWithdraw, move.KindViolates, move.KindBlocked,
		move.KindClarify, move.KindScore,
	}
}

// RemindSeats gives dropped challenges one more window, which costs no round (CH2), and asks
// authors to confirm likely answers (CH4).
func RemindSeats(s *state.State) (protocol.Turn, bool) {
	var reminded []state.Payload
	var seats []state.Seat
	for _, seat := range Seated(s) {
		for _, c := range OpenChallenges(s, seat, state.StandsDropped) {
			if !slices.ContainsFunc(reminded, func(p state.Payload) bool {
				r, ok := p.(*state.ChallengeReminded)
				return ok && r.Challenge == c.ID
			}) {
				reminded = append(reminded, &state.ChallengeReminded{Challenge: c.ID})
			}
		}
		open := OpenChallenges(s, seat, state.StandsReminded, state.StandsOpen)
		if slices.ContainsFunc(open, func(c *state.Challenge) bool {
			return c.Status == state.StandsReminded || c.Confirm
		}) {
			seats = append(seats, seat)
		}
	}
	if len(reminded) > 0 {
		return protocol.Turn{Events: reminded}, true
	}
	return protocol.AskOnce(
		s,
		state.StageRemind,
		seats,
		move.KindDefend,
		move.KindConcede,
		move.KindRevise,
		move.KindCite,
		move.KindContest,
		move.KindBlocked,
		move.KindClarify,
	)
}

// EvaluatePoints asks the seats to triage, classify and judge what is new to them (RD2, RD3, CH5).
// A seat that left something out is asked once more.
func EvaluatePoints(s *state.State) (protocol.Turn, bool) {
	stage := Evaluation(s)
	var asks []protocol.Ask
	for _, seat := range Seated(s) {
		asked := s.AskedOf(seat, stage)
		moves := evaluationMoves(s, seat)
		if len(moves) == 0 || asked.Replies >= MostReplies(s) {
			continue
		}
		asks = append(asks, protocol.Ask{Seat: seat, Stage: stage, Moves: moves, Retry: protocol.RetryOf(asked)})
	}
	return protocol.Turn{Asks: asks}, len(asks) > 0
}

// MostReplies limits how often a seat is asked to judge in a round: once more if it left something
// out, and once before that to triage very many points.
func MostReplies(s *state.State) int {
	if s.Points.Len() > MaxInScope {
		return 3
	}
	return 2
}

func evaluationMoves(s *state.State, seat state.Seat) []move.Kind {
	open := Untriaged(s)
	if seat == state.Orchestrator && len(open) > MaxInScope && s.AskedOf(seat, Evaluation(s)).Replies == 0 {
		// Very many points are triaged first, and those in scope judged after that.
		return []move.Kind{move.KindTriage, move.KindMerge, move.KindFlag}
	}
	toClassify, toJudge := len(unclassified(s, seat)) > 0, len(Unjudged(s, seat)) > 0
	toTriage := seat == state.Orchestrator && len(open) > 0
	// Without a challenge to judge, a seat is asked for its terms alone (EX8).
	toDefine := s.AskedOf(seat, Evaluation(s)).Replies == 0 &&
		slices.ContainsFunc(RequestsOf(s, seat), func(r *state.Request) bool {
			return r.Kind == state.RequestTerms && !slices.Contains(s.Live(r.Point).Defenders(), seat)
		})
	if !toClassify && !toJudge && !toTriage && !toDefine {
		return nil
	}
	moves := TestMoves()
	if toJudge {
		moves = append(moves, move.KindJudge)
	}
	if seat == state.Orchestrator {
		moves = append(moves, move.KindTriage, move.KindMerge)
	}
	if len(RequestsOf(s, seat)) > 0 {
		moves = append(moves, move.KindBlocked)
	}
	return moves
}

// ExpireRequests ends the requests of earlier rounds that nobody answered in this one: the user is asked
// about the conflict as a whole.
func ExpireRequests(s *state.State) (protocol.Turn, bool) {
	return ExpireRequestsWith(s, func(*protocol.Draft, *state.Point) error { return nil })
}

// ExpireRequestsWith ends the requests of earlier rounds that nobody answered in this one; unknown
// is called for a point for which nobody named evidence.
func ExpireRequestsWith(s *state.State, unknown func(d *protocol.Draft, p *state.Point) error) (protocol.Turn, bool) {
	d := &protocol.Draft{State: s}
	for i, r := range s.Requests.All() {
		// Settling a request also settles those of its kind on the same point, which it may have
		// from a merge.
		if !d.State.Requests.At(i).Open() || r.Round >= s.Round {
			continue
		}
		p := s.Live(r.Point)
		if p == nil {
			continue
		}
		d.Try(0, func() error {
			if err := d.Add(&state.RequestSettled{Point: p.ID, What: r.Kind, By: state.Protocol}); err != nil ||
				!resolver.Debated(d.State, p) {
				return err
			}
			if r.Kind == state.RequestEvidence && !resolver.Rejected(s, p) {
				return unknown(d, p)
			}
			return nil
		})
	}
	return protocol.Turn{Events: d.Events}, len(d.Events) > 0
}

// RequestEvidence asks both sides, once, which evidence would settle a point that is
// argued on mere claims: an AGREE without evidence, a dispute of two rounds (JU5), or a
// point that faces built-in rules alone (AC17).
func RequestEvidence(s *state.State) (protocol.Turn, bool) {
	var asked []state.Payload
	for _, p := range LivePoints(s) {
		if resolver.KindOf(s, p) != state.Empirical || resolver.Supported(s, p) || resolver.Request(s, p, state.RequestEvidence) != nil ||
			s.RuledRound == s.Round ||
			resolver.Rejected(s, p) {
			continue
		}
		if slices.ContainsFunc(p.Evidence, func(id string) bool {
			item := s.Item(id)
			return item.Proven() && item.Relation == ledger.Supports && item.Contested() == nil
		}) && (!Weighed(s, p) || resolver.FacesRules(s, p)) {
			// There is evidence, but no seat has said yet that it bears on the point, or none can.
			continue
		}
		c := resolver.Disputed(s, p)
		disputed := c != nil && s.Round-c.Round >= 1 && !hasVerified(s, p)
		if !resolver.Upheld(s, p) && !disputed && !resolver.FacesRules(s, p) {
			continue
		}
		asked = append(asked, &state.Requested{
			Point: p.ID, Kind: state.RequestEvidence, Of: slices.Concat(p.Defenders(), resolver.Evaluators(s, p)),
			By:   state.Protocol,
			Text: "which evidence, that anyone can check, would settle " + p.ID + "? Cite it.",
		})
	}
	return protocol.Turn{Events: asked}, len(asked) > 0
}

// hasVerified reports whether verified evidence supports or refutes the point.
func hasVerified(s *state.State, p *state.Point) bool {
	return slices.ContainsFunc(p.Evidence, func(id string) bool {
		item := s.Item(id)
		return item.Proven() && item.Relation != ledger.Neutral
	})
}

// MaxReplies limits how often a council's seat is asked in one stage: a second time if it left
// something out.
const MaxReplies = 2

// TestMoves returns the moves that test a claim.
func TestMoves() []move.Kind {
	return []move.Kind{
		move.KindClassify, move.KindChallenge, move.KindCite, move.KindAccept, move.KindContest, move.KindWithdraw, move.KindViolates, move.KindScore,
		move.KindClarify,
		move.KindFlag,
	}
}

// LastRulings records the rulings that changed since those of the round.
func LastRulings(s *state.State) (protocol.Turn, bool) {
	if !s.Over() {
		return protocol.NotDue()
	}
	changed := resolver.Changed(s, resolver.Rule(s))
	if len(changed) == 0 && s.RuledSeq >= s.Constraints {
		return protocol.NotDue()
	}
	return protocol.Emit(&state.Ruled{Round: s.Round, Rulings: changed})
}

// RecordRulings records the changed rulings, once a round (RD7).
func RecordRulings(s *state.State) (protocol.Turn, bool) {
	if s.RuledRound == s.Round {
		return protocol.NotDue()
	}
	return protocol.Emit(&state.Ruled{Round: s.Round, Rulings: resolver.Changed(s, resolver.Rule(s))})
}
