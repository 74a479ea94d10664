// Package hearing has two sides argue from a frozen packet of facts, and arithmetic decide.
// Start at Format.Next, then read state.go and rounds.go.
package hearing

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/hearing/judge"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Next implements Format. The steps are listed in the order of a round; the first one that
// is due becomes the turn.
func (Format) Next(s *state.State) protocol.Turn {
	turn, _ := protocol.FirstDue(s,
		claims.AskAboutFacts,   // facts of the user that do not hold together
		openHearing,            // needs a packet
		protocol.EndOnFailures, // EX4
		claims.ClosingSteps,    // RD10, once an exit is reached
		askArguments,           // round 1, without seeing each other
		askAudit,               // audit: each claim, by the other side
		askAnswers,             // audit: authors answer contradictions
		askReview,              // audit: withdraw or maintain contradictions
		askExchange,            // multi, anchored: with the other side's argument
		recordUnanswered,       // sides that ignored a fact
		endIfSilent,            // a side without any confidence
		claims.RecordRulings,   // RD7
		gate,                   // selective: whether it continues
		testExit,               // form or user
		askOracle,              // after round 1
		protocol.NextRound,
	)
	if len(turn.Asks) > 0 {
		turn.Least = leastAsks(s, turn.Asks)
	}
	return turn
}

// openHearing starts the hearing. It needs a packet.
func openHearing(s *state.State) (protocol.Turn, bool) {
	switch {
	case s.Round > 0 || s.Over():
		return protocol.NotDue()
	case !s.Packet.Frozen():
		return protocol.Emit(&state.ExitReached{
			Exit:   state.ExitQuality,
			Reason: "no packet of facts was frozen before the first turn",
		})
	}
	return protocol.Emit(
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: QuestionPoint, By: state.Protocol, Text: s.Question},
		&state.PointTriaged{
			Point: QuestionPoint, By: state.Protocol, Scope: state.InScope,
			Reason: "it is the question",
		},
	)
}

// askArguments asks both sides for their first argument, in parallel. Rules on one side only are
// asked last, because they check what the other side cites.
func askArguments(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 || s.Over() {
		return protocol.NotDue()
	}
	turn, due := askSides(s, StageArgue, missingIn, MoveClaim, MoveConclude, move.KindFlag)
	if len(turn.Asks) > 1 && ByRules(s, judge.Architect) != ByRules(s, judge.Skeptic) {
		turn.Asks = lists.Filter(turn.Asks, func(ask protocol.Ask) bool { return !ByRules(s, ask.Seat) })
	}
	return turn, due
}

// auditing reports whether the claims of an audit are argued now.
func auditing(s *state.State) bool {
	return s.Round >= 2 && !s.Over() && CurrentForm(s) == FormAudit && s.RuledRound < s.Round
}

// askAudit shows each claim to the other side, which accepts it, calls it irrelevant, or
// contradicts it with facts. Skipped claims are asked about once more.
func askAudit(s *state.State) (protocol.Turn, bool) {
	if !auditing(s) {
		return protocol.NotDue()
	}
	unaudited := func(s *state.State, seat state.Seat) []string {
		if claims := claims.IDsOf(Unaudited(s, seat)); len(claims) > 0 {
			return []string{"you have said nothing yet about " + strings.Join(claims, ", ")}
		}
		return nil
	}
	return askSides(s, StageContest, unaudited, move.KindClassify, MoveContradict, move.KindFlag)
}

// askAnswers asks each side to answer the contradictions of its claims, and to conclude.
func askAnswers(s *state.State) (protocol.Turn, bool) {
	if !auditing(s) {
		return protocol.NotDue()
	}
	return askSides(s, state.StageAnswer, missingIn, MoveRebut, move.KindScore, move.KindConcede,
		MoveConclude, move.KindFlag)
}

// askReview asks a side to withdraw or maintain its answered contradictions.
func askReview(s *state.State) (protocol.Turn, bool) {
	if !auditing(s) {
		return protocol.NotDue()
	}
	seats := slices.DeleteFunc(sides(), func(seat state.Seat) bool { return len(Unreviewed(s, seat)) == 0 })
	return protocol.AskOnce(s, state.StageJudge, seats, move.KindJudge, move.KindFlag)
}

// askExchange asks both sides for an argument that takes the other's into account.
func askExchange(s *state.State) (protocol.Turn, bool) {
	if s.Round < 2 || s.Over() || CurrentForm(s) == FormAudit {
		return protocol.NotDue()
	}
	return askSides(s, StageExchange, missingIn, MoveClaim, MoveContradict, MoveRebut,
		move.KindScore, move.KindConcede, MoveConclude, move.KindFlag)
}

// askSides asks the sides in a stage until nothing is missing, at most twice. missing says what a
// side's reply still lacks.
func askSides(
	s *state.State, stage state.Stage, missing func(*state.State, state.Seat) []string, moves ...move.Kind,
) (protocol.Turn, bool) {
	if s.RuledRound == s.Round {
		return protocol.NotDue()
	}
	var asks []protocol.Ask
	for _, seat := range sides() {
		asked, left := s.AskedOf(seat, stage), missing(s, seat)
		if len(left) == 0 || asked.Replies >= claims.MaxReplies {
			continue
		}
		ask := protocol.Ask{Seat: seat, Stage: stage, Moves: moves, Retry: protocol.RetryOf(asked)}
		if asked.Replies > 0 {
			for _, r := range asked.Refusals {
				left = append(left, r.Text)
			}
			ask.Retry = strings.Join(left, "\n")
		}
		asks = append(asks, ask)
	}
	return protocol.Turn{Asks: asks}, len(asks) > 0
}

// missingIn says what a side's argument still lacks in this round.
func missingIn(s *state.State, seat state.Seat) []string {
	var left []string
	last := Of(s).Argument(seat, s.Round)
	if last == nil || last.Round < s.Round {
		left = append(left, "your overall confidence is missing: CONCLUDE with a confidence from 0 to 1")
	}
	if CurrentForm(s) == FormAnchored { // a multi hearing records what stays unanswered, and asks nobody again
		for _, c := range ignoredBy(s, seat) {
			left = append(left, fmt.Sprintf(
				"%s cites %s against %s, and you neither answered it nor lowered your confidence: REBUT %s, or SCORE "+
					"%s lower, or CONCLUDE with the fact that would change your mind (would_change)",
				c.ID, quoted(Releasing(s, c, s.Round)[0]), c.Point, c.ID, c.Point,
			))
		}
	}
	for _, c := range s.Challenges.All() {
		if c.By == Oracle && contested(s.Point(c.Point)) && answerDue(s, seat, c) {
			left = append(left, fmt.Sprintf("the oracle's %s waits for your REBUT", c.ID))
		}
	}
	return left
}

// recordUnanswered records which sides left a challenge unanswered, even when asked again.
func recordUnanswered(s *state.State) (protocol.Turn, bool) {
	if s.Over() || s.RuledRound == s.Round {
		return protocol.NotDue()
	}
	var ignored []state.Payload
	for _, seat := range sides() {
		for _, c := range ignoredBy(s, seat) {
			known := slices.ContainsFunc(Of(s).Ignored, func(e RebuttalIgnored) bool {
				return e.Seat == seat && e.Challenge == c.ID && e.Round == s.Round
			})
			if !known {
				fact := Releasing(s, c, s.Round)[0]
				ignored = append(ignored, &RebuttalIgnored{Seat: seat, Challenge: c.ID, Fact: fact})
			}
		}
	}
	return protocol.Turn{Events: ignored}, len(ignored) > 0
}

// endIfSilent ends a hearing in which a side never gave a confidence, since nothing could
// be judged. In later rounds its last confidence applies.
func endIfSilent(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 || s.Over() {
		return protocol.NotDue()
	}
	silent := slices.DeleteFunc(sides(), func(seat state.Seat) bool { return Of(s).Argument(seat, s.Round) != nil })
	if len(silent) == 0 {
		return protocol.NotDue()
	}
	reason := resolver.SeatNames(silent) + " gave no confidence, also when asked again"
	return protocol.Emit(&state.ExitReached{
		Exit: state.ExitQuality, Reason: reason, Failure: claims.Formless(silent[0], reason),
	})
}

// gate decides whether a selective hearing continues.
func gate(s *state.State) (protocol.Turn, bool) {
	settings := SettingsOf(s)
	if settings.Form != FormSelective || Of(s).Gated != nil || s.Over() {
		return protocol.NotDue()
	}
	gated := &Gated{Flags: []judge.Flag{}}
	if v, err := VerdictBy(s, settings.Judge, 1); err == nil {
		gated.Confidence, gated.Flags = v.Confidence, view.Some(FlagsOf(s, &v))
		gated.Opens = judge.GateOpens(settings.Gate, v.Confidence, gated.Flags)
	}
	return protocol.Emit(gated)
}

// firesUnseen reports whether the gate of a selective hearing fires on its verdict too, and nobody is there to look
// at it. The other forms have no gate.
func firesUnseen(s *state.State) bool {
	settings, question := SettingsOf(s), s.Point(QuestionPoint)
	if settings.Form != FormSelective || s.Settings.Attended || question == nil || question.UserRuling != nil {
		return false
	}
	v, err := VerdictOf(s)
	return err == nil && judge.GateOpens(settings.Gate, v.Confidence, FlagsOf(s, &v))
}

// ExitCode implements Format: the verdict is the result, of the judge or of the user.
func (Format) ExitCode(s *state.State) protocol.ExitCode {
	switch {
	case s.Closed && firesUnseen(s):
		return protocol.ExitPerson
	case s.Inconclusive:
		return protocol.ExitInconclusive
	}
	return protocol.ExitConcluded
}

// testExit ends the hearing if its form or the user says so.
func testExit(s *state.State) (protocol.Turn, bool) {
	exit, reason := EndOf(s)
	if exit == state.ExitNone {
		return protocol.NotDue()
	}
	return protocol.Emit(&state.ExitReached{Exit: exit, Reason: reason})
}

// askOracle asks the oracle, after round 1, for the strongest argument against the more
// confident side.
func askOracle(s *state.State) (protocol.Turn, bool) {
	if !SettingsOf(s).Oracle || s.Round != 1 || s.Over() {
		return protocol.NotDue()
	}
	return protocol.AskOnce(s, StageProbe, []state.Seat{Oracle}, MoveContradict, move.KindFlag)
}

// leastAsks returns the asks that the round makes at least, given its first ones.
// first. contested claims are answered in the same round.
func leastAsks(s *state.State, asks []protocol.Ask) []protocol.Ask {
	least := slices.Clone(asks)
	switch asks[0].Stage { //nolint:exhaustive // nothing must follow the others
	case StageArgue:
		other := Opponent(asks[0].Seat)
		if len(asks) == 1 && ByRules(s, other) && Of(s).Argument(other, s.Round) == nil {
			least = append(least, protocol.Ask{Seat: other, Stage: StageArgue})
		}
		// A selective hearing may end before the oracle's turn.
		if h := SettingsOf(s); h.Oracle && h.Form != FormSelective && h.Form != FormSingle {
			least = append(least, protocol.Ask{Seat: Oracle, Stage: StageProbe})
		}
	case StageContest:
		for _, seat := range sides() {
			least = append(least, protocol.Ask{Seat: seat, Stage: state.StageAnswer})
		}
	}
	return least
}

// Seated implements Format.
func (Format) Seated(s *state.State) []state.Seat {
	return s.SeatsThat(func(seat state.Seat) bool { return slices.Contains(Seats(), seat) })
}

// Due implements Format.
func (Format) Due(s *state.State, ask protocol.Ask) claims.Due {
	var d claims.Due
	switch ask.Stage { //nolint:exhaustive // no others are asked
	case state.StageAnswer, StageExchange:
		for _, c := range s.Challenges.All() {
			if answerDue(s, ask.Seat, c) {
				d.Answer = append(d.Answer, c.ID)
			}
		}
	case StageContest:
		d.Classify = claims.IDsOf(Unaudited(s, ask.Seat))
	case state.StageJudge:
		for _, c := range Unreviewed(s, ask.Seat) {
			d.Judge = append(d.Judge, c.ID)
		}
	}
	return d
}

// Name implements Format.
func (Format) Name() state.Format { return Name }

// Rulings implements protocol.Format.
func (Format) Rulings() resolver.Format { return rules{} }

// Blind implements Format. The sides of a hearing argue in parallel: a participant that has
// yet to argue for one of them must not see the other's argument.
func (Format) Blind(s *state.State, participant string) (owes, unseen bool) {
	mine := lists.Filter(sides(), func(seat state.Seat) bool {
		a, _ := s.Assignment(seat)
		return a.Participant == participant
	})
	if len(mine) != 1 {
		return false, false
	}
	for _, due := range []protocol.Step{askArguments, askAudit, askAnswers, askExchange} {
		turn, ok := due(s)
		if !ok {
			continue
		}
		owes = slices.ContainsFunc(turn.Asks, func(ask protocol.Ask) bool { return ask.Seat == mine[0] })
		asked := s.AskedOf(Opponent(mine[0]), turn.Asks[0].Stage)
		return owes, owes && asked.Replies+asked.Failed > 0
	}
	return false, false
}

// AnswerSeat implements protocol.Format: the verdict is the answer.
func (Format) AnswerSeat(*state.State) state.Seat { return "" }
