package protocol

import (
	"fmt"
	"slices"
	"strings"

	"moot/resolver"
	"moot/state"
)

// Council has four seats test claims in four phases: the strategist presents them,
// the critic looks at method and evidence, the adversary at what breaks them, and
// the moderator says what follows. Code decides whether there is consensus; without
// it the claims are tested again.
type Council struct{}

// Next implements Format. The steps stand in the order of a round; each looks at
// the state alone.
func (Council) Next(s state.State) Turn {
	for _, due := range []step{
		convoking,
		checking,           // RD6
		approving,          // commands, before they are run
		breaching,          // CV3: violations of the constitution
		failing,            // EX4
		closingSteps,       // RD10, once an exit is reached
		presenting,         // phase 1, the strategist
		merging,            // RD2: identical text
		admitting,          // claims are in scope
		mending,            // what violates the constitution is given back once
		refuting,           // RD6: verified refutations are put to the author
		critiquing,         // phase 2, the critic
		answeringCritic,    // and the answers
		attacking,          // phase 3, the adversary
		answeringAdversary, // and the answers
		advising,           // the expert, where there is one
		urging,             // CH2, CH4
		weighing,           // CH5: who challenged judges the answers
		expiring,           // requests whose window went by
		synthesizing,       // phase 4, the moderator
		ruling,             // RD7
		polling,            // consensus
		adjourning,         // EX1, EX2
		repeating,
	} {
		if turn, ok := due(&s); ok {
			return turn
		}
	}
	return Turn{}
}

// convoking starts round 1.
func convoking(s *state.State) (Turn, bool) {
	if s.Round > 0 || s.Over() {
		return notDue()
	}
	return events(&state.RoundStarted{Round: 1})
}

// replies is how often a seat of a council is asked in one stage: once more where
// it left something out that is owed.
const replies = 2

// asking asks a seat in a stage until it gave what is owed there, twice at most.
// What it left out is asked for before the next stage begins.
func asking(s *state.State, seat state.Seat, stage state.Stage, moves ...MoveKind) (Ask, bool) {
	if _, seated := s.Assignment(seat); !seated || s.Round == 0 || s.Over() {
		return Ask{}, false
	}
	asked := s.AskedOf(seat, stage)
	if beside(s, seat) != "" {
		// That something is said already tells who asks again what the other said.
		asked.Refusals = slices.DeleteFunc(slices.Clone(asked.Refusals),
			func(r state.Refusal) bool { return r.Code == "repeated" })
	}
	ask := Ask{Seat: seat, Stage: stage, Moves: moves, Retry: retryOf(asked)}
	switch {
	case asked.Replies >= replies || asked.Replies == 1 && passed(s, stage):
		return Ask{}, false
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
		for _, c := range unjudged(s, seat) {
			left = append(left, "the defense of "+c.ID+" waits for your judgment: JUDGE it accepted or rejected, with the reason")
		}
		return strings.Join(left, "\n")
	case stage == state.StagePropose && s.Trivial && s.Points.Len() == 0:
	case stage == state.StagePropose && !hasPoint(s, seat):
		left = append(left, "the reply holds no discrete claim: give discrete claims on the question, each a RAISE")
	case stage == state.StageSynthesize && s.Council.Synthesis(s.Round) == nil:
		left = append(left, "the synthesis is missing: SYNTHESIZE says what follows, and whether you see agreement")
	}
	if missing := unscored(s, seat); len(missing) > 0 {
		left = append(left, "your confidence in "+strings.Join(idsOf(missing),
			", ")+" is missing: SCORE each from 0 to 1, with the cause")
	}
	return strings.Join(left, "\n")
}

// unscored are the live claims in which the seat reported no confidence. What was
// worded anew in this round it is asked about in the next one.
func unscored(s *state.State, seat state.Seat) []*state.Point {
	return slices.DeleteFunc(livePoints(s), func(p *state.Point) bool {
		return p.Score(seat) != nil || p.Revises != "" && p.Round == s.Round
	})
}

// alone is the turn of one ask.
func alone(ask Ask, due bool) (Turn, bool) {
	if !due {
		return notDue()
	}
	return Turn{Asks: []Ask{ask}}, true
}

// presenting is phase 1: the strategist gives its claims.
func presenting(s *state.State) (Turn, bool) {
	if s.Round != 1 {
		return notDue()
	}
	return alone(asking(s, state.Strategist, state.StagePropose, MoveRaise, MoveCite, MoveScore, MoveFlag, MoveClarify))
}

// admitting puts claims in scope: a council triages nothing, and the user may.
func admitting(s *state.State) (Turn, bool) {
	var placed []state.Payload
	for _, p := range untriaged(s) {
		placed = append(placed, &state.PointTriaged{
			Point: p.ID, By: state.Protocol, Scope: state.InScope,
			Reason: "in scope unless said otherwise",
		})
	}
	return Turn{Events: placed}, len(placed) > 0
}

// testMoves are those with which a claim is tested.
func testMoves() []MoveKind {
	return []MoveKind{MoveClassify, MoveChallenge, MoveCite, MoveContest, MoveScore, MoveClarify, MoveFlag}
}

// critiquing is phase 2: the critic tests the claims; in parallel the adversary
// does, too, and neither sees what the other says.
func critiquing(s *state.State) (Turn, bool) {
	var asks []Ask
	if ask, due := asking(s, state.Critic, state.StageCritique, testMoves()...); due {
		asks = append(asks, ask)
	}
	if c := s.Settings.Council; c != nil && c.Parallel {
		if ask, due := asking(s, state.Adversary, state.StageAttack, testMoves()...); due {
			asks = append(asks, ask)
		}
	}
	return Turn{Asks: asks}, len(asks) > 0
}

// answeringCritic has the strategist answer before the adversary speaks; in
// parallel what both said.
func answeringCritic(s *state.State) (Turn, bool) {
	return answeringIn(s, state.StageAnswer, len(unreported(s)) > 0)
}

// answeringIn has the strategist answer what waits for it, and what else is due.
// What comes once the next stage has begun waits for the next round.
func answeringIn(s *state.State, stage state.Stage, due bool) (Turn, bool) {
	if s.Round == 0 || s.Over() || s.AskedOf(state.Strategist, stage).Replies > 0 || passed(s, stage) {
		return notDue()
	}
	due = due || len(openChallenges(s, state.Strategist, state.StandsOpen)) > 0 ||
		slices.ContainsFunc(requestsOf(s, state.Strategist),
			func(r *state.Request) bool { return !shownIn(s, r, state.StageAnswer) })
	if !due {
		return notDue()
	}
	return askOnce(s, stage, []state.Seat{state.Strategist}, answerMovesIn(s)...)
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
func answerMovesIn(s *state.State) []MoveKind {
	return unlessLast(s, answerMoves())
}

// unlessLast takes REVISE from moves in the last round.
func unlessLast(s *state.State, moves []MoveKind) []MoveKind {
	if s.Round < lastRound(s) {
		return moves
	}
	return slices.DeleteFunc(moves, func(m MoveKind) bool { return m == MoveRevise })
}

// attacking is phase 3: the adversary tests the claims.
func attacking(s *state.State) (Turn, bool) {
	return alone(asking(s, state.Adversary, state.StageAttack, testMoves()...))
}

// answeringAdversary has the strategist answer the adversary, and what was verified since.
func answeringAdversary(s *state.State) (Turn, bool) {
	return answeringIn(s, state.StageRebut, false)
}

// advising asks the expert, where somebody sits there.
func advising(s *state.State) (Turn, bool) {
	return alone(asking(s, state.Expert, state.StageAdvise, testMoves()...))
}

// urging reminds the strategist of what it dropped (CH2, CH4).
func urging(s *state.State) (Turn, bool) {
	turn, due := reminding(s)
	for i := range turn.Asks {
		turn.Asks[i].Moves = unlessLast(s, turn.Asks[i].Moves)
	}
	return turn, due
}

// weighing has those who challenged judge the answers, at once (CH5). What comes of
// it may change their confidence.
func weighing(s *state.State) (Turn, bool) {
	if s.Over() {
		return notDue()
	}
	var asks []Ask
	for _, seat := range []state.Seat{state.Critic, state.Adversary, state.Expert} {
		if len(unjudged(s, seat)) == 0 {
			continue
		}
		if ask, due := asking(s, seat, state.StageJudge, MoveJudge, MoveScore, MoveCite, MoveContest, MoveFlag); due {
			asks = append(asks, ask)
		}
	}
	return Turn{Asks: asks}, len(asks) > 0
}

// synthesizing is phase 4: the moderator says what follows. What it words anew is
// tested in the next round, so that there must be one.
func synthesizing(s *state.State) (Turn, bool) {
	moves := []MoveKind{MoveSynthesize, MoveScore, MoveMerge, MoveFlag, MoveClarify}
	if s.Round < lastRound(s) {
		moves = append(moves, MoveRevise, MoveCite)
	}
	return alone(asking(s, state.Moderator, state.StageSynthesize, moves...))
}

// polling records whether there is consensus, by the rules.
func polling(s *state.State) (Turn, bool) {
	if s.Over() || s.RuledRound < s.Round || s.Council.Consensus(s.Round) != nil || s.Points.Len() == 0 {
		return notDue()
	}
	return events(&state.ConsensusTested{Consensus: resolver.ConsensusOf(s)})
}

// adjourning ends the session once there is consensus, or after the last round.
func adjourning(s *state.State) (Turn, bool) {
	if s.Points.Len() == 0 {
		return events(&state.ExitReached{
			Exit:   state.ExitTrivial,
			Reason: "the strategist found the question factual or trivial, and gave no claim",
		})
	}
	if s.Council.Consensus(s.Round) == nil {
		return notDue()
	}
	unsettled := resolver.Unsettled(s)
	switch {
	case s.Round < lastRound(s) && reopenedSince(s, s.RuledSeq):
		// The user wants to hear more of it than was said.
		return notDue()
	case len(unsettled) == 0:
		return events(&state.ExitReached{
			Exit:   state.ExitConverged,
			Reason: fmt.Sprintf("consensus in round %d: CV1 to CV4 leave no live claim unsettled", s.Round),
		})
	case s.Round >= lastRound(s):
		return events(&state.ExitReached{
			Exit:   state.ExitCap,
			Reason: fmt.Sprintf("round %d is the last, and %s not settled", s.Round, isOrAre(unsettled)),
		})
	}
	return notDue()
}

// reopenedSince reports whether the user reopened a live claim after the event.
func reopenedSince(s *state.State, seq int) bool {
	return slices.ContainsFunc(livePoints(s), func(p *state.Point) bool { return p.Reopened > seq })
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
func repeating(s *state.State) (Turn, bool) {
	return events(&state.RoundStarted{Round: s.Round + 1})
}

// seated implements Format.
func (Council) seated(s *state.State) []state.Seat {
	return slices.DeleteFunc(state.CouncilSeats(), func(seat state.Seat) bool {
		_, seated := s.Assignment(seat)
		return !seated
	})
}

// due implements Format.
func (Council) due(s *state.State, ask Ask) Due {
	var d Due
	switch ask.Stage { //nolint:exhaustive // no others are asked
	case state.StageAnswer, state.StageRebut, state.StageRemind:
		for _, c := range openChallenges(s, ask.Seat, state.StandsOpen, state.StandsReminded) {
			d.Answer = append(d.Answer, c.ID)
		}
		d.Requests = requestsOf(s, ask.Seat)
		if ask.Stage == state.StageAnswer {
			d.Score = idsOf(unreported(s))
		}
	case state.StageCritique, state.StageAttack, state.StageAdvise:
		d.Classify = idsOf(livePoints(s))
		d.Score = idsOf(unscored(s, ask.Seat))
		d.Requests = requestsOf(s, ask.Seat)
	case state.StageJudge:
		for _, c := range unjudged(s, ask.Seat) {
			d.Judge = append(d.Judge, c.ID)
		}
	case state.StageMend:
		d.Mend = unmended(s, ask.Seat)
	case state.StageSynthesize:
		d.Score = idsOf(unscored(s, ask.Seat))
	}
	return d
}

// deliberated implements Format.
func (Council) deliberated(s *state.State) []*state.Point { return livePoints(s) }

// answerable implements Format: the strategist answers within the round, as long as
// it was not asked for its last answer there.
func (Council) answerable(s *state.State) bool {
	return s.Round < lastRound(s) || s.AskedOf(state.Strategist, state.StageRebut).Replies == 0 &&
		!passed(s, state.StageRebut)
}

// undecided implements Format: the rulings alone say what a council came to.
func (Council) undecided(*state.State) bool { return false }

// missing implements Format: nobody can be done without.
func (Council) missing(*state.State, Ask, string) []state.Payload { return nil }
