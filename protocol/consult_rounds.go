package protocol

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// limiting keeps at most 7 points in scope: the user chooses; without one the
// first 7 stay (RD2).
func limiting(s *state.State) (Turn, bool) {
	var inScope []*state.Point
	for _, p := range livePoints(s) {
		if p.Scope == state.InScope {
			inScope = append(inScope, p)
		}
	}
	if len(inScope) <= MaxInScope || len(untriaged(s)) > 0 {
		return notDue()
	}
	if s.Settings.Attended {
		return askPriority(s, inScope)
	}
	// What the user put in scope stays before what came first.
	slices.SortStableFunc(inScope, func(p, q *state.Point) int { return cmp.Compare(rank(p), rank(q)) })
	var over []state.Payload
	for _, p := range inScope[MaxInScope:] {
		over = append(over, &state.PointTriaged{
			Point: p.ID, By: state.Protocol, Scope: state.OverLimit,
			Reason: "over the limit of 7",
		})
	}
	return Turn{Events: over}, true
}

func rank(p *state.Point) int {
	if p.Placed {
		return 0
	}
	return 1
}

func askPriority(s *state.State, points []*state.Point) (Turn, bool) {
	for _, q := range s.Questions.All() {
		if q.Kind == state.QuestionPriority && !q.Answered {
			return Turn{Await: []string{q.ID}}, true
		}
	}
	themes := map[string][]string{}
	var order []string
	for _, p := range points {
		theme := first(p.Theme, "other")
		if themes[theme] == nil {
			order = append(order, theme)
		}
		themes[theme] = append(themes[theme], p.ID)
	}
	var groups []string
	for _, theme := range order {
		groups = append(groups, theme+": "+strings.Join(themes[theme], " "))
	}
	return events(&state.QuestionSurfaced{
		ID: state.NextID('Q', s.Questions.Len()), What: state.QuestionPriority, Options: []string{},
		Text: fmt.Sprintf("%d points are in scope, %d can be evaluated. Which ones? (%s)", len(points), MaxInScope,
			strings.Join(groups, "; ")),
	})
}

// answering has the authors answer what is open (RD4, RD5).
func answering(s *state.State) (Turn, bool) {
	if s.Round < 2 || s.Coverage == s.Round {
		return notDue()
	}
	return askOnce(s, state.StageAnswer, owing(s), append(answerMoves(), MoveRaise, MoveFlag)...)
}

// owing are the seats that have something to answer.
func owing(s *state.State) []state.Seat {
	return slices.DeleteFunc(seated(s), func(seat state.Seat) bool {
		return len(openChallenges(s, seat, state.StandsOpen)) == 0 &&
			(len(requestsOf(s, seat)) == 0 || judgesOnly(s, seat))
	})
}

// answerMoves are the moves with which what is open can be answered.
func answerMoves() []MoveKind {
	return []MoveKind{MoveDefend, MoveConcede, MoveRevise, MoveCite, MoveContest, MoveBlocked, MoveClarify, MoveScore}
}

// seated returns the seats that take part in the rounds.
func seated(s *state.State) []state.Seat { return formatOf(s).seated(s) }

// seated implements Format.
func (Consult) seated(s *state.State) []state.Seat {
	return append(s.Consultees(), state.Orchestrator)
}

// judgesOnly reports whether every request to the seat is about points that it
// judges: then it answers with its judgment.
func judgesOnly(s *state.State, seat state.Seat) bool {
	for _, r := range requestsOf(s, seat) {
		if slices.Contains(defenders(s.Live(r.Point)), seat) {
			return false
		}
	}
	return true
}

// reminding gives what was dropped one more window, which is no round (CH2),
// and asks to confirm what seems to be answered (CH4).
func reminding(s *state.State) (Turn, bool) {
	var reminded []state.Payload
	var seats []state.Seat
	for _, seat := range seated(s) {
		for _, c := range openChallenges(s, seat, state.StandsDropped) {
			if !slices.ContainsFunc(reminded, func(p state.Payload) bool {
				r, ok := p.(*state.ChallengeReminded)
				return ok && r.Challenge == c.ID
			}) {
				reminded = append(reminded, &state.ChallengeReminded{Challenge: c.ID})
			}
		}
		if toRemind(s, seat) {
			seats = append(seats, seat)
		}
	}
	if len(reminded) > 0 {
		return Turn{Events: reminded}, true
	}
	return askOnce(s, state.StageRemind, seats, MoveDefend, MoveConcede, MoveRevise, MoveCite, MoveBlocked, MoveClarify)
}

func toRemind(s *state.State, seat state.Seat) bool {
	for _, c := range openChallenges(s, seat, state.StandsReminded, state.StandsOpen) {
		if c.Status == state.StandsReminded || c.Confirm {
			return true
		}
	}
	return false
}

// evaluating has the seats triage, classify and judge what is new to them
// (RD2, RD3, CH5). A seat that left something out is asked once more.
func evaluating(s *state.State) (Turn, bool) {
	if s.Coverage == s.Round && s.Coverage > 0 {
		return notDue()
	}
	stage := evaluation(s)
	var asks []Ask
	for _, seat := range seated(s) {
		asked := s.AskedOf(seat, stage)
		moves := evaluationMoves(s, seat)
		if len(moves) == 0 || asked.Replies >= mostReplies(s) {
			continue
		}
		asks = append(asks, Ask{Seat: seat, Stage: stage, Moves: moves, Retry: retryOf(asked)})
	}
	return Turn{Asks: asks}, len(asks) > 0
}

// mostReplies is how often a seat is asked to judge in a round: once more where
// it left something out, and once before that to sort very many points.
func mostReplies(s *state.State) int {
	if s.Points.Len() > MaxInScope {
		return 3
	}
	return 2
}

func evaluationMoves(s *state.State, seat state.Seat) []MoveKind {
	open := untriaged(s)
	if seat == state.Orchestrator && len(open) > MaxInScope && s.AskedOf(seat, evaluation(s)).Replies == 0 {
		// So many points are sorted first; what stays is judged then.
		return []MoveKind{MoveTriage, MoveMerge, MoveFlag}
	}
	toClassify, toJudge := len(unclassified(s, seat)) > 0, len(unjudged(s, seat)) > 0
	toTriage := seat == state.Orchestrator && len(open) > 0
	if !toClassify && !toJudge && !toTriage {
		return nil
	}
	moves := []MoveKind{MoveClassify, MoveChallenge, MoveCite, MoveContest, MoveScore, MoveClarify, MoveFlag}
	if toJudge {
		moves = append(moves, MoveJudge)
	}
	if seat == state.Orchestrator {
		moves = append(moves, MoveTriage, MoveMerge)
	}
	if requested := requestsOf(s, seat); len(requested) > 0 {
		moves = append(moves, MoveBlocked)
	}
	return moves
}

// covering asks whether there are other points, at the end of round 2 and
// before any exit by convergence (RD8).
func covering(s *state.State) (Turn, bool) {
	if s.Settings.Mode == state.ModeQuick || s.Coverage > 0 || (s.Round < 2 && !trivialDone(s)) {
		return notDue()
	}
	seats := s.Consultees()
	if len(seats) > 1 {
		seats = seats[:1]
	}
	return askOnce(s, state.StageCoverage, seats, MoveRaise, MoveFlag)
}

// stressing has a unanimous session steelman the strongest objection (RD9).
func stressing(s *state.State) (Turn, bool) {
	if !stressRequired(s) || len(s.Consultees()) == 0 {
		return notDue()
	}
	seat := s.Consultees()[0]
	asked := s.AskedOf(seat, state.StageStress)
	if asked.Replies >= 2 || asked.Failed >= 2 {
		return notDue()
	}
	return Turn{Asks: []Ask{{
		Seat: seat, Stage: state.StageStress, Moves: []MoveKind{MoveSteelman},
		Retry: retryOf(asked),
	}}}, true
}

// lowConfidence is the mean under which unanimity is put to the test (RD9).
const lowConfidence = 0.6

// stressRequired reports whether the stress test is owed: by the end of round
// 2, or of round 3 where it was borrowed for it (PH2).
func stressRequired(s *state.State) bool {
	if s.Settings.Mode != state.ModeStandard || s.Stress > 0 || !allAgree(s) {
		return false
	}
	if s.Round != 2 && !(s.Round == 3 && s.Extended) && !trivialDone(s) {
		return false
	}
	mean, reported := meanConfidence(s)
	return s.Settings.HighStakes || (reported && mean < lowConfidence) || agreedAtOnce(s)
}

// meanConfidence is the mean of the last admitted confidence per seat and live
// point.
func meanConfidence(s *state.State) (float64, bool) {
	latest := map[[2]string]float64{}
	for _, r := range s.Confidence.All() {
		if p := s.Live(r.Point); p != nil && live(p) {
			latest[[2]string{string(r.Seat), p.ID}] = r.Admitted
		}
	}
	// Summed in the order of the reports, so that rounding is the same always.
	sum, n := 0.0, 0
	for _, r := range s.Confidence.All() {
		key := [2]string{string(r.Seat), ""}
		if p := s.Live(r.Point); p != nil {
			key[1] = p.ID
		}
		if v, ok := latest[key]; ok {
			sum, n = sum+v, n+1
			delete(latest, key)
		}
	}
	if n == 0 {
		return 0, false
	}
	return sum / float64(n), true
}

// agreedAtOnce reports whether all points were AGREE in round 1.
func agreedAtOnce(s *state.State) bool {
	for _, p := range livePoints(s) {
		if p.Round != 1 || len(p.Classes) == 0 || p.Classes[0].Round != 1 || p.Classes[0].Class != state.Agree ||
			len(p.Challenges) > 0 {
			return false
		}
	}
	return true
}

// windows ends the requests of earlier rounds that nobody answered in this
// one; what is still unknown then is put to the user (JU5, AC12).
func windows(s *state.State) (Turn, bool) {
	return lapsing(s, func(d *draft, p *state.Point) error {
		return d.add(&state.QuestionSurfaced{
			ID: d.nextQuestion(), Point: p.ID, What: state.QuestionBlocked, Options: []string{},
			Text: fmt.Sprintf("Which evidence would settle %s (%q)? Neither seat named any.", p.ID, clip(p.Text)),
		})
	})
}

// lapsing ends the requests of earlier rounds that nobody answered in this one;
// unknown says what becomes of a point whose evidence nobody named.
func lapsing(s *state.State, unknown func(d *draft, p *state.Point) error) (Turn, bool) {
	d := &draft{s: *s}
	for i, r := range s.Requests.All() {
		// Settling one settles those of its kind that a merge brought together.
		if !d.s.Requests.At(i).Open() || r.Round >= s.Round {
			continue
		}
		p := s.Live(r.Point)
		if p == nil {
			continue
		}
		d.try(0, func() error {
			if err := d.add(&state.RequestSettled{Point: p.ID, What: r.Kind, By: state.Protocol}); err != nil ||
				!live(p) {
				return err
			}
			if r.Kind == state.RequestEvidence {
				return unknown(d, p)
			}
			return nil
		})
	}
	return Turn{Events: d.events}, len(d.events) > 0
}

// grounding asks both sides, once, which evidence would settle a point that is
// argued on mere claims: an AGREE without evidence, a dispute of two rounds (JU5), or a
// point that faces built-in rules alone (AC17).
func grounding(s *state.State) (Turn, bool) {
	var asked []state.Payload
	for _, p := range livePoints(s) {
		if resolver.IsValue(s, p) || resolver.Supported(s, p) || request(s, p, state.RequestEvidence) != nil ||
			s.RuledRound == s.Round {
			continue
		}
		c := resolver.Disputed(s, p)
		disputed := c != nil && s.Round-c.Round >= 1 && !hasVerified(s, p)
		if !resolver.Upheld(s, p) && !disputed && !resolver.FacesRules(s, p) {
			continue
		}
		asked = append(asked, &state.Requested{
			Point: p.ID, What: state.RequestEvidence, Of: slices.Concat(defenders(p), evaluators(s, p)),
			By:   state.Protocol,
			Text: "which evidence, that anyone can check, would settle " + p.ID + "? Cite it.",
		})
	}
	return Turn{Events: asked}, len(asked) > 0
}

// hasVerified reports whether verified evidence speaks for or against the
// point; what is neutral grounds nothing.
func hasVerified(s *state.State, p *state.Point) bool {
	for _, id := range p.Evidence {
		if item := s.Item(id); item.Counts() && item.Relation != ledger.Neutral {
			return true
		}
	}
	return false
}
