package hearing

import (
	"fmt"
	"slices"
	"strings"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Hearing has two sides argue a question from the facts of a frozen packet, and from
// nothing else. A rule of arithmetic decides. How many rounds there are is a matter of
// the form.
type Format struct{}

// Next implements Format. The steps stand in the order of a round.
func (Format) Next(s state.State) protocol.Turn {
	for _, due := range []protocol.Step{
		seating,               // the packet is there, and the question is on record
		protocol.Failing,      // EX4
		protocol.ClosingSteps, // RD10, once an exit is reached
		pleading,              // round 1: each side, unseen by the other
		contesting,            // audit: each claim is put to the other side
		meeting,               // audit: its author answers contradictions
		reviewing,             // audit: which are then withdrawn or maintained
		exchanging,            // multi, anchored: the sides know each other's arguments
		heedless,              // who left a fact unanswered
		silent,                // who gave no confidence at all
		protocol.Ruled,        // RD7
		gating,                // selective: whether it goes on
		ending,                // what ends it
		probing,               // the oracle
		resuming,              // the next round
	} {
		if turn, ok := due(&s); ok {
			return turn
		}
	}
	return protocol.Turn{}
}

// sides are the seats that argue, in the order in which they are read.
func sides() []state.Seat { return []state.Seat{state.Architect, state.Skeptic} }

// seating opens the hearing: without a packet nothing could be argued.
func seating(s *state.State) (protocol.Turn, bool) {
	switch {
	case s.Round > 0 || s.Over():
		return protocol.NotDue()
	case s.Hearing.Packet == nil:
		return protocol.Emit(&state.ExitReached{Exit: state.ExitQuality, Reason: "no packet of facts was frozen before the first turn"})
	}
	return protocol.Emit(
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: resolver.QuestionPoint, By: state.Protocol, Text: s.Question},
		&state.PointTriaged{Point: resolver.QuestionPoint, By: state.Protocol, Scope: state.InScope, Reason: "it is the question"},
	)
}

// pleading asks both sides for their first argument, at once.
func pleading(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 || s.Over() {
		return protocol.NotDue()
	}
	return askingSides(s, state.StageArgue, protocol.MoveClaim, protocol.MoveConclude, protocol.MoveFlag)
}

// contesting puts each claim to the other side, which accepts it, calls it true but not bearing, or
// contradicts it with facts. What it is silent about it is asked once more.
func contesting(s *state.State) (protocol.Turn, bool) {
	if s.Round < 2 || s.Over() || s.Course() != state.FormAudit || s.RuledRound == s.Round {
		return protocol.NotDue()
	}
	var asks []protocol.Ask
	for _, seat := range sides() {
		claims, asked := protocol.IdsOf(resolver.Unaudited(s, seat)), s.AskedOf(seat, state.StageContest)
		if len(claims) == 0 || asked.Replies >= protocol.MaxReplies {
			continue
		}
		ask := protocol.Ask{Seat: seat, Stage: state.StageContest, Moves: []protocol.MoveKind{protocol.MoveClassify, protocol.MoveContradict, protocol.MoveFlag}, Retry: protocol.RetryOf(asked)}
		if asked.Replies > 0 {
			ask.Retry = "you have said nothing yet about " + strings.Join(claims, ", ") + "\n" + ask.Retry
		}
		asks = append(asks, ask)
	}
	return protocol.Turn{Asks: asks}, len(asks) > 0
}

// meeting has each side answer the contradictions of its claims, and conclude.
func meeting(s *state.State) (protocol.Turn, bool) {
	if s.Round < 2 || s.Over() || s.Course() != state.FormAudit {
		return protocol.NotDue()
	}
	return askingSides(s, state.StageAnswer, protocol.MoveAnswer, protocol.MoveScore, protocol.MoveConcede, protocol.MoveConclude, protocol.MoveFlag)
}

// reviewing has a side withdraw or maintain its contradictions that were answered.
func reviewing(s *state.State) (protocol.Turn, bool) {
	if s.Round < 2 || s.Over() || s.Course() != state.FormAudit || s.RuledRound == s.Round {
		return protocol.NotDue()
	}
	seats := slices.DeleteFunc(sides(), func(seat state.Seat) bool { return len(resolver.Unreviewed(s, seat)) == 0 })
	return protocol.AskOnce(s, state.StageJudge, seats, protocol.MoveJudge, protocol.MoveFlag)
}

// exchanging asks both sides for an argument that knows the other's.
func exchanging(s *state.State) (protocol.Turn, bool) {
	if s.Round < 2 || s.Over() || s.Course() == state.FormAudit {
		return protocol.NotDue()
	}
	return askingSides(s, state.StageExchange, protocol.MoveClaim, protocol.MoveContradict, protocol.MoveAnswer, protocol.MoveScore, protocol.MoveConcede, protocol.MoveConclude, protocol.MoveFlag)
}

// askingSides asks the sides in a stage until they gave what is owed there, twice at most.
func askingSides(s *state.State, stage state.Stage, moves ...protocol.MoveKind) (protocol.Turn, bool) {
	if s.RuledRound == s.Round {
		return protocol.NotDue()
	}
	var asks []protocol.Ask
	for _, seat := range sides() {
		asked := s.AskedOf(seat, stage)
		ask := protocol.Ask{Seat: seat, Stage: stage, Moves: moves, Retry: protocol.RetryOf(asked)}
		if asked.Replies > 0 {
			left := lacking(s, seat)
			if asked.Replies >= protocol.MaxReplies || len(left) == 0 {
				continue
			}
			ask.Retry = strings.Join(left, "\n")
			for _, r := range asked.Refusals {
				ask.Retry += "\n" + r.Text
			}
		}
		asks = append(asks, ask)
	}
	return protocol.Turn{Asks: asks}, len(asks) > 0
}

// lacking says what an argument of the side still lacks in this round.
func lacking(s *state.State, seat state.Seat) []string {
	var left []string
	last := s.Hearing.Argument(seat, s.Round)
	if last == nil || last.Round < s.Round {
		left = append(left, "your overall confidence is missing: CONCLUDE with a confidence from 0 to 1")
	}
	for _, owed := range resolver.Unheeded(s, seat) {
		if s.Course() != state.FormAnchored {
			break // a multi hearing records what stays unanswered, and asks nobody again
		}
		left = append(left, fmt.Sprintf(
			"%s cites %s against %s, and you neither answered it nor lowered your confidence: ANSWER %s, or SCORE %s lower, or CONCLUDE with the fact that would change your mind (would_change)",
			owed.Challenge, quoted([]string{owed.Fact})[0], owed.Point, owed.Challenge, owed.Point,
		))
	}
	for _, c := range resolver.Unprobed(s) {
		if resolver.AnswerDue(s, seat, c) {
			left = append(left, fmt.Sprintf("the oracle's %s waits for your ANSWER", c.ID))
		}
	}
	return left
}

// heedless records who was rebutted and let it pass, also when asked again.
func heedless(s *state.State) (protocol.Turn, bool) {
	if s.Over() || s.RuledRound == s.Round {
		return protocol.NotDue()
	}
	var ignored []state.Payload
	for _, seat := range sides() {
		for _, owed := range resolver.Unheeded(s, seat) {
			known := slices.ContainsFunc(s.Hearing.Ignored, func(i state.IgnoredRebuttal) bool {
				return i.Seat == seat && i.Challenge == owed.Challenge && i.Round == s.Round
			})
			if !known {
				ignored = append(ignored, &state.RebuttalIgnored{Seat: seat, Challenge: owed.Challenge, Fact: owed.Fact})
			}
		}
	}
	return protocol.Turn{Events: ignored}, len(ignored) > 0
}

// silent ends a hearing in which a side never said how sure it is: nothing could be
// judged. In a later round what it said last stands.
func silent(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 || s.Over() {
		return protocol.NotDue()
	}
	for _, seat := range sides() {
		if s.Hearing.Argument(seat, s.Round) == nil {
			return protocol.Emit(&state.ExitReached{Exit: state.ExitQuality, Reason: fmt.Sprintf("the %s gave no confidence, also when asked again", seat)})
		}
	}
	return protocol.NotDue()
}

// gating says whether a selective hearing goes on.
func gating(s *state.State) (protocol.Turn, bool) {
	if s.HearingSettings().Form != state.FormSelective || s.Hearing.Gated != nil || s.Over() {
		return protocol.NotDue()
	}
	return protocol.Emit(&state.Gated{Gating: resolver.GatingOf(s)})
}

// ending ends the hearing where its form, or the user, says so.
func ending(s *state.State) (protocol.Turn, bool) {
	exit, reason := resolver.EndOf(s)
	if exit == state.ExitNone {
		return protocol.NotDue()
	}
	return protocol.Emit(&state.ExitReached{Exit: exit, Reason: reason})
}

// probing asks the oracle, after round 1, for the strongest argument against the side
// that is more confident.
func probing(s *state.State) (protocol.Turn, bool) {
	if !s.HearingSettings().Oracle || s.Round != 1 || s.Over() {
		return protocol.NotDue()
	}
	return protocol.AskOnce(s, state.StageProbe, []state.Seat{state.Oracle}, protocol.MoveContradict, protocol.MoveFlag)
}

// resuming begins the next round.
func resuming(s *state.State) (protocol.Turn, bool) {
	return protocol.Emit(&state.RoundStarted{Round: s.Round + 1})
}

// Least implements Format: each side speaks once in a round, and the oracle after the
// first; claims that are contested are answered in the same round.
func (Format) Least(s state.State, asks []protocol.Ask) []protocol.Ask {
	least := slices.Clone(asks)
	switch asks[0].Stage { //nolint:exhaustive // nothing must follow the others
	case state.StageArgue:
		// A selective hearing may end before the oracle is heard.
		if h := s.HearingSettings(); h.Oracle && h.Form != state.FormSelective && h.Form != state.FormSingle {
			least = append(least, protocol.Ask{Seat: state.Oracle, Stage: state.StageProbe})
		}
	case state.StageContest:
		for _, seat := range sides() {
			least = append(least, protocol.Ask{Seat: seat, Stage: state.StageAnswer})
		}
	}
	return least
}

// Seated implements Format.
func (Format) Seated(s *state.State) []state.Seat {
	return slices.DeleteFunc(state.HearingSeats(), func(seat state.Seat) bool {
		_, seated := s.Assignment(seat)
		return !seated
	})
}

// Due implements Format.
func (Format) Due(s *state.State, ask protocol.Ask) protocol.Due {
	var d protocol.Due
	switch ask.Stage { //nolint:exhaustive // no others are asked
	case state.StageAnswer, state.StageExchange:
		for _, c := range s.Challenges.All() {
			if resolver.AnswerDue(s, ask.Seat, c) {
				d.Answer = append(d.Answer, c.ID)
			}
		}
	case state.StageContest:
		d.Classify = protocol.IdsOf(resolver.Unaudited(s, ask.Seat))
	case state.StageJudge:
		for _, c := range resolver.Unreviewed(s, ask.Seat) {
			d.Judge = append(d.Judge, c.ID)
		}
	case state.StageProbe:
		d.Classify = protocol.IdsOf(resolver.ClaimsOf(s, resolver.MoreConfident(s), s.Round))
	}
	return d
}

// Deliberated implements Format.
func (Format) Deliberated(s *state.State) []*state.Point {
	var points []*state.Point
	for _, p := range s.Points.All() {
		if _, conceded := p.Conceded(); !conceded && p.MergedInto == "" {
			points = append(points, p)
		}
	}
	return points
}

// Answerable implements Format: what is raised now is answered in a later round.
func (Format) Answerable(s *state.State) bool { return s.Round < resolver.LastRound(s) }

// Undecided implements Format: a hearing whose verdict is inconclusive came to
// nothing.
func (Format) Undecided(s *state.State) bool {
	ruled, ok := resolver.RuleOne(*s, resolver.QuestionPoint)
	return !ok || ruled.Bucket == state.BucketUnresolved
}

// Missing implements Format: neither side can be done without.
func (Format) Missing(*state.State, protocol.Ask, string) []state.Payload { return nil }

// Name implements Format.
func (Format) Name() state.Format { return state.FormatHearing }

// AsksAtOnce implements Format.
func (Format) AsksAtOnce() bool { return false }

// Asking implements Format: all its questions are shared ones.
func (Format) Asking(*state.State, *state.Question) (protocol.Asking, bool) {
	return protocol.Asking{}, false
}

// Rulings implements protocol.Format.
func (Format) Rulings() resolver.Format { return resolver.Hearings() }

// View implements protocol.Format.
func (Format) View() view.Format { return view.Hearings() }
