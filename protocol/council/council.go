// Package council has four seats test claims in four phases, bound by a constitution. Start
// at Format.Next, which lists the steps of a round, then read admit.go.
package council

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/council/constitution"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Next implements Format. The steps are listed in the order of a round; the first one that
// is due becomes the turn. Each reads only the state.
func (Format) Next(s *state.State) protocol.Turn {
	turn, _ := protocol.FirstDue(s,
		claims.AskAboutFacts, // facts of the user that do not hold together
		protocol.OpenSession,
		claims.CheckEvidence,    // RD6
		claims.AskAboutPoints,   // AC5b
		claims.ApproveCommands,  // commands, before they are run
		recordBreaches,          // CV3: violations of the constitution
		protocol.EndOnFailures,  // EX4
		closeSession,            // RD10, once an exit is reached
		askStrategist,           // phase 1, the strategist
		claims.MergeDuplicates,  // RD2: identical text
		claims.ScopeUntriaged,   // without triage
		askFixes,                // constitution violations, once
		claims.RaiseRefutations, // RD6: the author answers verified refutations
		askTesters,              // phase 2, the critic
		askAnswers(state.StageAnswer),
		askTester(constitution.Adversary, StageAttack), // phase 3, the adversary
		askAnswers(state.StageRebut),
		askTester(constitution.Expert, StageAdvise), // if the seat is assigned
		remind,                // CH2, CH4
		askJudgments,          // CH5: challengers judge the answers
		claims.ExpireRequests, // unanswered requests
		askSynthesis,          // phase 4, the moderator
		claims.RecordRulings,  // RD7
		recordConsensus,       // CV1 to CV4
		testExit,              // EX1, EX2
		protocol.NextRound,
	)
	if len(turn.Asks) > 0 {
		turn.Least = leastAsks(s, turn.Asks)
	}
	return turn
}

// askUntilComplete asks a seat in a stage until nothing is missing, at most twice. Missing
// parts are requested before the next stage begins.
func askUntilComplete(
	s *state.State, seat state.Seat, stage state.Stage, moves ...move.Kind,
) (ask protocol.Ask, due bool) {
	if _, seated := s.Assignment(seat); !seated {
		return protocol.Ask{}, false
	}
	asked := s.AskedOf(seat, stage)
	if otherTester(s, seat) != "" {
		// A retry repeats known moves, so don't report those refusals.
		asked.Refusals = slices.DeleteFunc(slices.Clone(asked.Refusals),
			func(r state.Refusal) bool { return r.Code == "repeated" })
	}
	ask = protocol.Ask{Seat: seat, Stage: stage, Moves: moves, Retry: protocol.RetryOf(asked)}
	switch {
	case asked.Replies >= claims.MaxReplies || asked.Replies == 1 && passed(s, stage):
		return protocol.Ask{}, false
	case asked.Replies == 0:
		testable := s.Points.Any(func(p *state.Point) bool { return resolver.Debated(s, p) })
		return ask, stage == state.StagePropose || stage == StageSynthesize && s.Points.Len() > 0 || testable
	}
	left := missingIn(s, seat, stage)
	ask.Retry = left
	for _, r := range asked.Refusals {
		ask.Retry += "\n" + r.Text
	}
	return ask, left != ""
}

// stageOrder lists the stages of a round in order. The fix stage has no fixed position.
func stageOrder(s *state.State) map[state.Stage]int {
	attack := 3
	if SettingsOf(s).Parallel {
		attack = 1
	}
	return map[state.Stage]int{
		state.StagePropose: 0, StageCritique: 1, state.StageAnswer: 2, StageAttack: attack,
		state.StageRebut: 4,
		StageAdvise:      5, state.StageRemind: 6, state.StageJudge: 7, StageSynthesize: 8,
	}
}

// passed reports whether a later stage of the round has begun.
func passed(s *state.State, stage state.Stage) bool {
	place := stageOrder(s)
	return slices.ContainsFunc(s.Asked, func(a state.Asked) bool { return place[a.Stage] > place[stage] })
}

// missingIn says what a seat's reply in a stage still lacks, or "".
func missingIn(s *state.State, seat state.Seat, stage state.Stage) string {
	var left []string
	switch {
	case stage == state.StageJudge:
		for _, c := range claims.Unjudged(s, seat) {
			left = append(left,
				"the defense of "+c.ID+" waits for your judgment: JUDGE it accepted or rejected, with the reason")
		}
		return strings.Join(left, "\n")
	case stage == state.StagePropose && s.Trivial && s.Points.Len() == 0:
	case stage == state.StagePropose && !claims.HasPoint(s, seat):
		left = append(left, "the reply holds no discrete claim: give discrete claims on the question, each a RAISE")
	case stage == StageSynthesize && Of(s).Synthesis(s.Round) == nil:
		left = append(left, "the synthesis is missing: SYNTHESIZE says what follows, and whether you see agreement")
	}
	if missing := unscored(s, seat); len(missing) > 0 {
		left = append(left, "your confidence in "+strings.Join(claims.IDsOf(missing),
			", ")+" is missing: SCORE each from 0 to 1, with the cause")
	}
	return strings.Join(left, "\n")
}

// unscored returns the live claims without a confidence of the seat. Claims reworded in
// this round are due in the next one.
func unscored(s *state.State, seat state.Seat) []*state.Point {
	return slices.DeleteFunc(claims.LivePoints(s), func(p *state.Point) bool {
		return p.Score(seat) != nil || p.Revises != "" && p.Round == s.Round
	})
}

// askOne returns a turn with one ask.
func askOne(ask protocol.Ask, due bool) (protocol.Turn, bool) {
	if !due {
		return protocol.NotDue()
	}
	return protocol.Turn{Asks: []protocol.Ask{ask}}, true
}

// askStrategist is phase 1: the strategist presents its claims.
func askStrategist(s *state.State) (protocol.Turn, bool) {
	if s.Round != 1 {
		return protocol.NotDue()
	}
	return askOne(askUntilComplete(s, constitution.Strategist, state.StagePropose, move.KindRaise,
		move.KindCite, move.KindScore, move.KindFlag, move.KindClarify))
}

// askTester returns the step that has a seat test the claims.
func askTester(seat state.Seat, stage state.Stage) protocol.Step {
	return func(s *state.State) (protocol.Turn, bool) {
		return askOne(askUntilComplete(s, seat, stage, claims.TestMoves()...))
	}
}

// askTesters is phase 2: the critic tests the claims. In parallel mode the adversary does too, and
// neither sees the other's reply.
func askTesters(s *state.State) (protocol.Turn, bool) {
	turn, due := askTester(constitution.Critic, StageCritique)(s)
	if SettingsOf(s).Parallel {
		other, also := askTester(constitution.Adversary, StageAttack)(s)
		turn.Asks, due = append(turn.Asks, other.Asks...), due || also
	}
	return turn, due
}

// askAnswers returns the step that asks the strategist for open answers: to the critic before the
// adversary speaks (or to both in parallel mode), and to the adversary and new evidence. Challenges
// that arrive after the next stage began are answered in the next round.
func askAnswers(stage state.Stage) protocol.Step {
	return func(s *state.State) (protocol.Turn, bool) {
		if s.AskedOf(constitution.Strategist, stage).Replies > 0 || passed(s, stage) {
			return protocol.NotDue()
		}
		answered := s.AskedOf(constitution.Strategist, state.StageAnswer)
		due := stage == state.StageAnswer && len(unreported(s)) > 0 ||
			len(claims.OpenChallenges(s, constitution.Strategist, state.StandsOpen)) > 0 ||
			slices.ContainsFunc(claims.RequestsOf(s, constitution.Strategist), func(r *state.Request) bool {
				shown := answered.Replies > 0 && (answered.Sent == 0 || r.Seq < answered.Sent)
				return !shown
			})
		if !due {
			return protocol.NotDue()
		}
		return protocol.AskOnce(s, stage, []state.Seat{constitution.Strategist},
			unlessLast(s, claims.AnswerMoves())...)
	}
}

// unreported returns reworded claims of earlier rounds without a confidence of the
// strategist.
func unreported(s *state.State) []*state.Point {
	if s.Round < 2 {
		return nil
	}
	return unscored(s, constitution.Strategist)
}

// unlessLast removes REVISE in the last round, because reworded claims are tested in the next one.
func unlessLast(s *state.State, moves []move.Kind) []move.Kind {
	if s.Round < resolver.LastRound(s) {
		return moves
	}
	return slices.DeleteFunc(moves, func(m move.Kind) bool { return m == move.KindRevise })
}

// remind reminds the strategist of unanswered challenges (CH2, CH4).
func remind(s *state.State) (protocol.Turn, bool) {
	turn, due := claims.RemindSeats(s)
	for i := range turn.Asks {
		turn.Asks[i].Moves = unlessLast(s, turn.Asks[i].Moves)
	}
	return turn, due
}

// askJudgments asks challengers to judge the answers, in parallel (CH5). They may also
// change their confidence.
func askJudgments(s *state.State) (protocol.Turn, bool) {
	var asks []protocol.Ask
	for _, seat := range []state.Seat{constitution.Critic, constitution.Adversary, constitution.Expert} {
		if len(claims.Unjudged(s, seat)) == 0 {
			continue
		}
		if ask, due := askUntilComplete(s, seat, state.StageJudge, move.KindJudge, move.KindScore,
			move.KindCite, move.KindContest, move.KindFlag); due {
			asks = append(asks, ask)
		}
	}
	return protocol.Turn{Asks: asks}, len(asks) > 0
}

// askSynthesis is phase 4: the moderator draws conclusions. Reworded claims are tested in
// the next round, so REVISE is not offered in the last one.
func askSynthesis(s *state.State) (protocol.Turn, bool) {
	moves := []move.Kind{
		MoveSynthesize, move.KindScore, move.KindMerge, move.KindFlag,
		move.KindClarify,
	}
	if s.Round < resolver.LastRound(s) {
		moves = append(moves, move.KindRevise, move.KindCite)
	}
	return askOne(askUntilComplete(s, constitution.Moderator, StageSynthesize, moves...))
}

// recordConsensus records whether the rules find consensus.
func recordConsensus(s *state.State) (protocol.Turn, bool) {
	if s.RuledRound < s.Round || Of(s).Consensus(s.Round) != nil || s.Points.Len() == 0 {
		return protocol.NotDue()
	}
	return protocol.Emit(&ConsensusTested{Consensus: ConsensusOf(s)})
}

// testExit ends the session on consensus or after the last round.
func testExit(s *state.State) (protocol.Turn, bool) {
	if s.Points.Len() == 0 {
		exit := &state.ExitReached{Exit: state.ExitUnresolved, Reason: "the strategist gave no claim"}
		if s.Trivial {
			exit.Exit = state.ExitTrivial
			exit.Reason = "the question was found factual or trivial, and the strategist gave no claim"
		}
		return protocol.Emit(exit)
	}
	if Of(s).Consensus(s.Round) == nil {
		return protocol.NotDue()
	}
	unsettled := Unsettled(s)
	since := func(p *state.Point) bool { return p.Reopened > s.RuledSeq }
	reopened := slices.ContainsFunc(claims.LivePoints(s), since)
	switch {
	case s.Round < resolver.LastRound(s) && reopened:
		// The user reopened a claim, so continue.
		return protocol.NotDue()
	case len(unsettled) == 0 && len(agreedClaims(s)) > 0:
		return protocol.Emit(settled(s))
	case s.Round >= resolver.LastRound(s):
		return protocol.Emit(capReached(s, unsettled))
	case len(unsettled) == 0 && !slices.ContainsFunc(current(s), func(p *state.Point) bool {
		ruling := (rules{}).RuleOne(s, p)
		return ruling.Bucket == state.BucketOpen || ruling.Bucket == state.BucketUnresolved
	}):
		// Another round has nothing to test.
		return protocol.Emit(settled(s))
	}
	return protocol.NotDue()
}

// settled is the exit if no live claim is unsettled: consensus needs a claim that is Agreed.
func settled(s *state.State) *state.ExitReached {
	if len(agreedClaims(s)) == 0 {
		return &state.ExitReached{Exit: state.ExitUnresolved, Reason: noneAgreed(s)}
	}
	// A decision of the user after the test may settle what the test found unsettled.
	reason := "consensus in round %d: %s"
	if test := Of(s).Consensus(s.Round); test == nil || !test.Reached {
		reason = "no consensus was found in round %d; now %s"
	}
	return &state.ExitReached{Exit: state.ExitConverged, Reason: fmt.Sprintf(reason, s.Round, agreement(s))}
}

// agreement says which claims are agreed if no live claim is unsettled. A claim that the user left unresolved does not
// prevent consensus, and is named.
func agreement(s *state.State) string {
	var left []string
	for _, p := range current(s) {
		if ruling := (rules{}).RuleOne(s, p); ruling.Bucket == state.BucketUnresolved {
			left = append(left, p.ID)
		}
	}
	agreed := view.AreOrIs(agreedClaims(s)) + " agreed, and "
	if len(left) > 0 {
		return agreed + "the user left " + strings.Join(left, ", ") + " unresolved"
	}
	return agreed + "no live claim is unsettled"
}

// noneAgreed says that no claim is agreed, and how the claims ended.
func noneAgreed(s *state.State) string {
	ended := map[string][]string{}
	var ways []string
	for _, p := range current(s) {
		ruling := (rules{}).RuleOne(s, p)
		how := strings.ToLower(string(ruling.Tag))
		switch ruling.Tag { //nolint:exhaustive // the others say how a claim ended
		case state.TagUser, state.TagNone:
			how = view.BucketName(ruling.Bucket)
			if p.UserRuling != nil {
				how += " by the user"
			}
		case state.TagViolates:
			how = "against a fact of the user"
		}
		if ended[how] == nil {
			ways = append(ways, how)
		}
		ended[how] = append(ended[how], p.ID)
	}
	words := lists.Map(ways, func(how string) string { return view.AreOrIs(ended[how]) + " " + how })
	return view.Join(": ", "no claim is agreed", strings.Join(words, ", "))
}

func capReached(s *state.State, unsettled []string) *state.ExitReached {
	reason := fmt.Sprintf("round %d is the last", s.Round)
	switch {
	case len(unsettled) > 0:
		reason += fmt.Sprintf(", and %s not settled", view.AreOrIs(unsettled))
	case len(agreedClaims(s)) == 0:
		reason += ", and " + noneAgreed(s)
	}
	return &state.ExitReached{Exit: state.ExitCap, Reason: reason}
}

// closeSession closes the session. A decision of the user after the end changes which claims are not settled.
func closeSession(s *state.State) (protocol.Turn, bool) {
	turn, due := claims.ClosingSteps(s)
	var exit *state.ExitReached
	switch unsettled := Unsettled(s); {
	case !turn.Close:
	case s.Exit == state.ExitCap:
		exit = capReached(s, unsettled)
	case s.Points.Len() == 0:
	case s.Exit == state.ExitConverged, s.Exit == state.ExitUnresolved:
		if exit = settled(s); len(unsettled) > 0 {
			exit = &state.ExitReached{Exit: state.ExitUnresolved, Reason: view.AreOrIs(unsettled) + " not settled"}
		}
	}
	switch {
	case exit == nil:
	case s.Decided > 0:
		turn.Exit = *exit
	case exit.Reason != s.ExitReason:
		return protocol.Emit(exit)
	}
	return turn, due
}

// ExitCode implements Format: consensus is the result.
func (Format) ExitCode(s *state.State) protocol.ExitCode {
	if consensusRound(s) == 0 {
		return protocol.ExitInconclusive
	}
	return protocol.ExitConcluded
}

// Examines implements Format: a council tests what it is given.
func (Format) Examines(*state.State) bool { return true }

// consensusRound returns the round of the consensus if it still holds, or 0.
func consensusRound(s *state.State) int {
	if n := len(Of(s).Tested); n > 0 && Of(s).Tested[n-1].Reached && len(Unsettled(s)) == 0 &&
		len(agreedClaims(s)) > 0 {
		return Of(s).Tested[n-1].Round
	}
	return 0
}

// Seated implements Format.
func (Format) Seated(s *state.State) []state.Seat { return seated(s) }

// Due implements Format.
func (Format) Due(s *state.State, ask protocol.Ask) claims.Due {
	var d claims.Due
	switch ask.Stage { //nolint:exhaustive // no others are asked
	case state.StageAnswer, state.StageRebut, state.StageRemind:
		for _, c := range claims.OpenChallenges(s, ask.Seat, state.StandsOpen, state.StandsReminded) {
			d.Answer = append(d.Answer, c.ID)
		}
		d.Requests = claims.RequestsOf(s, ask.Seat)
		if ask.Stage == state.StageAnswer {
			d.Score = claims.IDsOf(unreported(s))
		}
	case StageCritique, StageAttack, StageAdvise:
		d.Classify, d.Optional = claims.IDsOf(claims.LivePoints(s)), true
		d.Score = claims.IDsOf(unscored(s, ask.Seat))
		d.Requests = claims.RequestsOf(s, ask.Seat)
	case state.StageJudge:
		for _, c := range claims.Unjudged(s, ask.Seat) {
			d.Judge = append(d.Judge, c.ID)
		}
	case StageSynthesize:
		d.Score = claims.IDsOf(unscored(s, ask.Seat))
	}
	return d
}

// Answerable implements Format. The strategist answers within the round unless its last
// chance in this round has passed.
func (Format) Answerable(s *state.State) bool {
	return s.Round < resolver.LastRound(s) || s.AskedOf(constitution.Strategist, state.StageRebut).Replies == 0 &&
		!passed(s, state.StageRebut)
}

// Name implements Format.
func (Format) Name() state.Format { return Name }

// AsksAtOnce implements Format.
func (Format) AsksAtOnce() bool { return true }

// Rulings implements protocol.Format.
func (Format) Rulings() resolver.Format { return rules{} }

// leastAsks returns the asks that the round makes at least, given its first ones.
func leastAsks(s *state.State, asks []protocol.Ask) []protocol.Ask {
	least := slices.Clone(asks)
	for _, next := range []protocol.Ask{
		{Seat: constitution.Critic, Stage: StageCritique},
		{Seat: constitution.Adversary, Stage: StageAttack},
		{Seat: constitution.Expert, Stage: StageAdvise},
		{Seat: constitution.Moderator, Stage: StageSynthesize},
	} {
		_, seated := s.Assignment(next.Seat)
		already := s.AskedOf(next.Seat, next.Stage).Replies > 0 ||
			slices.ContainsFunc(asks, func(a protocol.Ask) bool { return a.Seat == next.Seat && a.Stage == next.Stage })
		if seated && !already {
			least = append(least, next)
		}
	}
	return least
}

// phases returns the names of the phases in order.
func phases() []string {
	return []string{"presentation", "critical analysis", "adversarial testing", "test for consensus"}
}

// phaseOf returns the phase, from 1, that a stage begins; 0 if it begins none.
func phaseOf(stage state.Stage) int {
	stages := []state.Stage{state.StagePropose, StageCritique, StageAttack, StageSynthesize}
	return slices.Index(stages, stage) + 1
}

// phase returns the name of the current phase, or "" before the first.
func phase(s *state.State) string {
	if s.Round == 0 {
		return ""
	}
	// The claims are presented once.
	current := min(s.Round, 2)
	for _, asked := range s.Asked {
		if asked.Sent > 0 || asked.Replies > 0 {
			current = max(current, phaseOf(asked.Stage))
		}
	}
	return phases()[current-1]
}

// recordBreaches records constitution violations of this round. It looks at a claim only
// once the whole reply is recorded, because a later move may add what the claim lacks;
// bias is checked after all seats have replied.
func recordBreaches(s *state.State) (protocol.Turn, bool) {
	if s.Round == 0 || s.Over() {
		return protocol.NotDue()
	}
	var found []state.Payload
	since := unseenSince(s)
	attacked := s.AskedOf(constitution.Adversary, StageAttack).Replies > 0
	for _, p := range s.Points.All() {
		recent := p.Round == s.Round ||
			slices.ContainsFunc(p.Challenges, func(id string) bool { return s.Challenge(id).Round == s.Round })
		if p.Seq <= since || !claims.Live(p) || !recent {
			continue
		}
		for _, b := range BreachesOf(s, p) {
			if !Of(s).Breached(b.Constraint, b.Point, b.Challenge) && (attacked || !onlyFlags(s, b.Constraint)) {
				found = append(found, &b.ConstitutionViolated)
			}
		}
	}
	return protocol.Turn{Events: found}, len(found) > 0
}

// unseenSince returns the sequence number after which nothing was checked yet: all earlier
// events were checked before the last prompt was sent. After the adversary's reply the
// whole round is checked again, because bias can then be judged.
func unseenSince(s *state.State) int {
	since := 0
	for i := range s.Asked {
		since = max(since, s.Asked[i].Sent)
	}
	if attacked := s.AskedOf(constitution.Adversary, StageAttack); attacked.Replies > 0 && attacked.Sent == since {
		return 0
	}
	return since
}

// Unfixed returns the violations that still exist and weren't yet returned to the seat.
func Unfixed(s *state.State, seat state.Seat) []Breach {
	fixed := s.AskedOf(seat, StageFix)
	return lists.Filter(Of(s).Breaches, func(b Breach) bool {
		p := s.Point(b.Point)
		if b.Seat != seat || b.Round != s.Round || !claims.Live(p) || onlyFlags(s, b.Constraint) {
			return false
		}
		// A violation without an ask for anything else came from the fix. Returning it too could loop
		// forever.
		since := fixed.Replies == 0 || fixed.Sent > 0 && slices.ContainsFunc(s.Asked, func(a state.Asked) bool {
			return a.Stage != StageFix && fixed.Sent < a.Sent && a.Sent < b.Seq
		})
		return since && Breaks(s, p, &b)
	})
}

// askFixes returns violations to their seats, once, before any other seat speaks.
func askFixes(s *state.State) (protocol.Turn, bool) {
	var asks []protocol.Ask
	for _, seat := range claims.Seated(s) {
		asked := s.AskedOf(seat, StageFix)
		if len(Unfixed(s, seat)) == 0 || asked.Failed > 1 {
			continue
		}
		moves := []move.Kind{move.KindCite, move.KindScore, move.KindClarify}
		switch seat { //nolint:exhaustive // the others fix challenges
		case constitution.Strategist:
			moves = unlessLast(s, append(moves, move.KindRevise, move.KindConcede))
		case constitution.Moderator:
			moves = unlessLast(s, append(moves, move.KindRevise))
		default:
			moves = append(moves, move.KindChallenge)
		}
		asks = append(asks, protocol.Ask{
			Seat: seat, Stage: StageFix, Moves: moves,
			Retry: protocol.RetryOf(state.Asked{Failed: asked.Failed, Refusals: asked.Refusals}),
		})
	}
	return protocol.Turn{Asks: asks}, len(asks) > 0
}

// AnswerSeat implements protocol.Format.
func (Format) AnswerSeat(*state.State) state.Seat { return constitution.Moderator }
