package council

import (
	"fmt"
	"slices"
	"strings"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Council has four seats test claims in four phases: the strategist presents them,
// the critic looks at method and evidence, the adversary at what breaks them, and
// the moderator says what follows. Code decides whether there is consensus; without
// it the claims are tested again.
type Format struct{}

// Next implements Format. The steps stand in the order of a round; each looks at
// the state alone.
func (Format) Next(s state.State) protocol.Turn {
	for _, due := range []protocol.Step{
		convoking,
		protocol.Checking,     // RD6
		protocol.Approving,    // commands, before they are run
		breaching,             // CV3: violations of the constitution
		protocol.Failing,      // EX4
		protocol.ClosingSteps, // RD10, once an exit is reached
		presenting,            // phase 1, the strategist
		protocol.Merging,      // RD2: identical text
		admitting,             // claims are in scope
		mending,               // what violates the constitution is given back once
		protocol.Refuting,     // RD6: verified refutations are put to the author
		critiquing,            // phase 2, the critic
		answeringCritic,       // and the answers
		attacking,             // phase 3, the adversary
		answeringAdversary,    // and the answers
		advising,              // the expert, where there is one
		urging,                // CH2, CH4
		weighing,              // CH5: who challenged judges the answers
		protocol.Expiring,     // requests whose window went by
		synthesizing,          // phase 4, the moderator
		protocol.Ruling,       // RD7
		polling,               // consensus
		adjourning,            // EX1, EX2
		repeating,
	} {
		if turn, ok := due(&s); ok {
			return turn
		}
	}
	return protocol.Turn{}
}

// convoking starts round 1.
func convoking(s *state.State) (protocol.Turn, bool) {
	if s.Round > 0 || s.Over() {
		return protocol.NotDue()
	}
	return protocol.Emit(&state.RoundStarted{Round: 1})
}

// asking asks a seat in a stage until it gave what is owed there, twice at most.
// What it left out is asked for before the next stage begins.
func asking(s *state.State, seat state.Seat, stage state.Stage, moves ...protocol.MoveKind) (protocol.Ask, bool) {
	if _, seated := s.Assignment(seat); !seated || s.Round == 0 || s.Over() {
		return protocol.Ask{}, false
	}
	asked := s.AskedOf(seat, stage)
	if beside(s, seat) != "" {
		// That something is said already tells who asks again what the other said.
		asked.Refusals = slices.DeleteFunc(slices.Clone(asked.Refusals),
			func(r state.Refusal) bool { return r.Code == "repeated" })
	}
	ask := protocol.Ask{Seat: seat, Stage: stage, Moves: moves, Retry: protocol.RetryOf(asked)}
	switch {
	case asked.Replies >= protocol.MaxReplies || asked.Replies == 1 && passed(s, stage):
		return protocol.Ask{}, false
	case asked.Replies == 0:
		return ask, stage == state.StagePropose || stage == state.StageSynthesize && s.Points.Len() > 0 || anyLive(s)
	}
	left := leftOut(s, seat, stage)
	ask.Retry = left
	for _, r := range asked.Refusals {
		ask.Retry += "\n" + r.Text
	}
	return ask, left != ""
}

// places are the stages of a round in order; to mend belongs to none.
func places(s *state.State) map[state.Stage]int {
	attack := 3
	if c := s.Settings.Council; c != nil && c.Parallel {
		attack = 1
	}
	return map[state.Stage]int{
		state.StagePropose: 0, state.StageCritique: 1, state.StageAnswer: 2, state.StageAttack: attack,
		state.StageRebut:  4,
		state.StageAdvise: 5, state.StageRemind: 6, state.StageJudge: 7, state.StageSynthesize: 8,
	}
}

// passed reports whether a later stage of the round has begun.
func passed(s *state.State, stage state.Stage) bool {
	place := places(s)
	return slices.ContainsFunc(s.Asked, func(a state.Asked) bool { return place[a.Stage] > place[stage] })
}

// anyLive reports whether a claim is left that can be tested.
func anyLive(s *state.State) bool {
	for _, p := range s.Points.All() {
		if resolver.Debated(s, p) {
			return true
		}
	}
	return false
}

// leftOut says what of the stage the seat still owes; "" where nothing is.
func leftOut(s *state.State, seat state.Seat, stage state.Stage) string {
	var left []string
	switch {
	case stage == state.StageJudge:
		for _, c := range protocol.Unjudged(s, seat) {
			left = append(left, "the defense of "+c.ID+" waits for your judgment: JUDGE it accepted or rejected, with the reason")
		}
		return strings.Join(left, "\n")
	case stage == state.StagePropose && s.Trivial && s.Points.Len() == 0:
	case stage == state.StagePropose && !protocol.HasPoint(s, seat):
		left = append(left, "the reply holds no discrete claim: give discrete claims on the question, each a RAISE")
	case stage == state.StageSynthesize && s.Council.Synthesis(s.Round) == nil:
		left = append(left, "the synthesis is missing: SYNTHESIZE says what follows, and whether you see agreement")
	}
	if missing := unscored(s, seat); len(missing) > 0 {
		left = append(left, "your confidence in "+strings.Join(protocol.IdsOf(missing),
			", ")+" is missing: SCORE each from 0 to 1, with the cause")
	}
	return strings.Join(left, "\n")
}

// unscored are the live claims in which the seat reported no confidence. What was
// worded anew in this round it is asked about in the next one.
func unscored(s *state.State, seat state.Seat) []*state.Point {
	return slices.DeleteFunc(protocol.LivePoints(s), func(p *state.Point) bool {
		return p.Score(seat) != nil || p.Revises != "" && p.Round == s.Round
	})
}

// alone is the turn of one ask.
func alone(ask protocol.Ask, due bool) (protocol.Turn, bool) {
	if !due {
		return protocol.NotDue()
	}
	return protocol.Turn{Asks: []protocol.Ask{ask}}, true
}

// presenting is phase 1: the strategist gives its claims.
func presenting(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 {
		return protocol.NotDue()
	}
	return alone(asking(s, state.Strategist, state.StagePropose, protocol.MoveRaise, protocol.MoveCite, protocol.MoveScore, protocol.MoveFlag, protocol.MoveClarify))
}

// admitting puts claims in scope: a council triages nothing, and the user may.
func admitting(s *state.State) (protocol.Turn, bool) {
	var placed []state.Payload
	for _, p := range protocol.Untriaged(s) {
		placed = append(placed, &state.PointTriaged{
			Point: p.ID, By: state.Protocol, Scope: state.InScope,
			Reason: "in scope unless said otherwise",
		})
	}
	return protocol.Turn{Events: placed}, len(placed) > 0
}

// critiquing is phase 2: the critic tests the claims; in parallel the adversary
// does, too, and neither sees what the other says.
func critiquing(s *state.State) (protocol.Turn, bool) {
	var asks []protocol.Ask
	if ask, due := asking(s, state.Critic, state.StageCritique, protocol.TestMoves()...); due {
		asks = append(asks, ask)
	}
	if c := s.Settings.Council; c != nil && c.Parallel {
		if ask, due := asking(s, state.Adversary, state.StageAttack, protocol.TestMoves()...); due {
			asks = append(asks, ask)
		}
	}
	return protocol.Turn{Asks: asks}, len(asks) > 0
}

// answeringCritic has the strategist answer before the adversary speaks; in
// parallel what both said.
func answeringCritic(s *state.State) (protocol.Turn, bool) {
	return answeringIn(s, state.StageAnswer, len(unreported(s)) > 0)
}

// answeringIn has the strategist answer what waits for it, and what else is due.
// What comes once the next stage has begun waits for the next round.
func answeringIn(s *state.State, stage state.Stage, due bool) (protocol.Turn, bool) {
	if s.Round == 0 || s.Over() || s.AskedOf(state.Strategist, stage).Replies > 0 || passed(s, stage) {
		return protocol.NotDue()
	}
	due = due || len(protocol.OpenChallenges(s, state.Strategist, state.StandsOpen)) > 0 ||
		slices.ContainsFunc(protocol.RequestsOf(s, state.Strategist),
			func(r *state.Request) bool { return !shownIn(s, r, state.StageAnswer) })
	if !due {
		return protocol.NotDue()
	}
	return protocol.AskOnce(s, stage, []state.Seat{state.Strategist}, answerMovesIn(s)...)
}

// shownIn reports whether the strategist was asked for it in a stage of this round
// already.
func shownIn(s *state.State, r *state.Request, stage state.Stage) bool {
	asked := s.AskedOf(state.Strategist, stage)
	return asked.Replies > 0 && (asked.Sent == 0 || r.Seq < asked.Sent)
}

// unreported are the claims of earlier rounds in which the strategist reported no
// confidence: those that were worded anew.
func unreported(s *state.State) []*state.Point {
	if s.Round < 2 {
		return nil
	}
	return unscored(s, state.Strategist)
}

// answerMovesIn are those with which what is open is answered. What is worded anew
// is tested in the next round, so that there must be one.
func answerMovesIn(s *state.State) []protocol.MoveKind {
	return unlessLast(s, protocol.AnswerMoves())
}

// unlessLast takes REVISE from moves in the last round.
func unlessLast(s *state.State, moves []protocol.MoveKind) []protocol.MoveKind {
	if s.Round < protocol.LastRound(s) {
		return moves
	}
	return slices.DeleteFunc(moves, func(m protocol.MoveKind) bool { return m == protocol.MoveRevise })
}

// attacking is phase 3: the adversary tests the claims.
func attacking(s *state.State) (protocol.Turn, bool) {
	return alone(asking(s, state.Adversary, state.StageAttack, protocol.TestMoves()...))
}

// answeringAdversary has the strategist answer the adversary, and what was verified since.
func answeringAdversary(s *state.State) (protocol.Turn, bool) {
	return answeringIn(s, state.StageRebut, false)
}

// advising asks the expert, where somebody sits there.
func advising(s *state.State) (protocol.Turn, bool) {
	return alone(asking(s, state.Expert, state.StageAdvise, protocol.TestMoves()...))
}

// urging reminds the strategist of what it dropped (CH2, CH4).
func urging(s *state.State) (protocol.Turn, bool) {
	turn, due := protocol.Reminding(s)
	for i := range turn.Asks {
		turn.Asks[i].Moves = unlessLast(s, turn.Asks[i].Moves)
	}
	return turn, due
}

// weighing has those who challenged judge the answers, at once (CH5). What comes of
// it may change their confidence.
func weighing(s *state.State) (protocol.Turn, bool) {
	if s.Over() {
		return protocol.NotDue()
	}
	var asks []protocol.Ask
	for _, seat := range []state.Seat{state.Critic, state.Adversary, state.Expert} {
		if len(protocol.Unjudged(s, seat)) == 0 {
			continue
		}
		if ask, due := asking(s, seat, state.StageJudge, protocol.MoveJudge, protocol.MoveScore, protocol.MoveCite, protocol.MoveContest, protocol.MoveFlag); due {
			asks = append(asks, ask)
		}
	}
	return protocol.Turn{Asks: asks}, len(asks) > 0
}

// synthesizing is phase 4: the moderator says what follows. What it words anew is
// tested in the next round, so that there must be one.
func synthesizing(s *state.State) (protocol.Turn, bool) {
	moves := []protocol.MoveKind{protocol.MoveSynthesize, protocol.MoveScore, protocol.MoveMerge, protocol.MoveFlag, protocol.MoveClarify}
	if s.Round < protocol.LastRound(s) {
		moves = append(moves, protocol.MoveRevise, protocol.MoveCite)
	}
	return alone(asking(s, state.Moderator, state.StageSynthesize, moves...))
}

// polling records whether there is consensus, by the rules.
func polling(s *state.State) (protocol.Turn, bool) {
	if s.Over() || s.RuledRound < s.Round || s.Council.Consensus(s.Round) != nil || s.Points.Len() == 0 {
		return protocol.NotDue()
	}
	return protocol.Emit(&state.ConsensusTested{Consensus: resolver.ConsensusOf(s)})
}

// adjourning ends the session once there is consensus, or after the last round.
func adjourning(s *state.State) (protocol.Turn, bool) {
	if s.Points.Len() == 0 {
		return protocol.Emit(&state.ExitReached{
			Exit:   state.ExitTrivial,
			Reason: "the strategist found the question factual or trivial, and gave no claim",
		})
	}
	if s.Council.Consensus(s.Round) == nil {
		return protocol.NotDue()
	}
	unsettled := resolver.Unsettled(s)
	switch {
	case s.Round < protocol.LastRound(s) && reopenedSince(s, s.RuledSeq):
		// The user wants to hear more of it than was said.
		return protocol.NotDue()
	case len(unsettled) == 0:
		return protocol.Emit(&state.ExitReached{
			Exit:   state.ExitConverged,
			Reason: fmt.Sprintf("consensus in round %d: CV1 to CV4 leave no live claim unsettled", s.Round),
		})
	case s.Round >= protocol.LastRound(s):
		return protocol.Emit(&state.ExitReached{
			Exit:   state.ExitCap,
			Reason: fmt.Sprintf("round %d is the last, and %s not settled", s.Round, isOrAre(unsettled)),
		})
	}
	return protocol.NotDue()
}

// reopenedSince reports whether the user reopened a live claim after the event.
func reopenedSince(s *state.State, seq int) bool {
	return slices.ContainsFunc(protocol.LivePoints(s), func(p *state.Point) bool { return p.Reopened > seq })
}

// isOrAre are the ids with their verb.
func isOrAre(ids []string) string {
	verb := " is"
	if len(ids) > 1 {
		verb = " are"
	}
	return strings.Join(ids, ", ") + verb
}

// repeating begins the next round with the claims as they now are. The phases of a
// consultation mean nothing here.
func repeating(s *state.State) (protocol.Turn, bool) {
	return protocol.Emit(&state.RoundStarted{Round: s.Round + 1})
}

// Seated implements Format.
func (Format) Seated(s *state.State) []state.Seat {
	return slices.DeleteFunc(state.CouncilSeats(), func(seat state.Seat) bool {
		_, seated := s.Assignment(seat)
		return !seated
	})
}

// Due implements Format.
func (Format) Due(s *state.State, ask protocol.Ask) protocol.Due {
	var d protocol.Due
	switch ask.Stage { //nolint:exhaustive // no others are asked
	case state.StageAnswer, state.StageRebut, state.StageRemind:
		for _, c := range protocol.OpenChallenges(s, ask.Seat, state.StandsOpen, state.StandsReminded) {
			d.Answer = append(d.Answer, c.ID)
		}
		d.Requests = protocol.RequestsOf(s, ask.Seat)
		if ask.Stage == state.StageAnswer {
			d.Score = protocol.IdsOf(unreported(s))
		}
	case state.StageCritique, state.StageAttack, state.StageAdvise:
		d.Classify, d.Optional = protocol.IdsOf(protocol.LivePoints(s)), true
		d.Score = protocol.IdsOf(unscored(s, ask.Seat))
		d.Requests = protocol.RequestsOf(s, ask.Seat)
	case state.StageJudge:
		for _, c := range protocol.Unjudged(s, ask.Seat) {
			d.Judge = append(d.Judge, c.ID)
		}
	case state.StageMend:
		d.Mend = unmended(s, ask.Seat)
	case state.StageSynthesize:
		d.Score = protocol.IdsOf(unscored(s, ask.Seat))
	}
	return d
}

// Deliberated implements Format.
func (Format) Deliberated(s *state.State) []*state.Point { return protocol.LivePoints(s) }

// Answerable implements Format: the strategist answers within the round, as long as
// it was not asked for its last answer there.
func (Format) Answerable(s *state.State) bool {
	return s.Round < protocol.LastRound(s) || s.AskedOf(state.Strategist, state.StageRebut).Replies == 0 &&
		!passed(s, state.StageRebut)
}

// Undecided implements Format: the rulings alone say what a council came to.
func (Format) Undecided(*state.State) bool { return false }

// Missing implements Format: nobody can be done without.
func (Format) Missing(*state.State, protocol.Ask, string) []state.Payload { return nil }

// Name implements Format.
func (Format) Name() state.Format { return state.FormatCouncil }

// AsksAtOnce implements Format.
func (Format) AsksAtOnce() bool { return true }

// Blind implements Format.
func (Format) Blind(s *state.State, participant string) (owes, unseen bool) {
	return s.Owes(participant), s.Unseen(participant)
}

// Asking implements Format: all its questions are shared ones.
func (Format) Asking(*state.State, *state.Question) (protocol.Asking, bool) {
	return protocol.Asking{}, false
}

// Rulings implements protocol.Format.
func (Format) Rulings() resolver.Format { return resolver.Councils() }

// View implements protocol.Format.
func (Format) View() view.Format { return view.Councils() }
