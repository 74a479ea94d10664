package consult

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
)

// limitScope keeps at most 7 points in scope, once all are triaged. A user that the session waits for chooses which;
// otherwise the first 7 remain (RD2).
func limitScope(s *state.State) (protocol.Turn, bool) {
	open, replies := claims.Untriaged(s), s.AskedOf(state.Orchestrator, claims.Evaluation(s)).Replies
	triaged := s.Points.Any(func(p *state.Point) bool {
		return p.Round == s.Round && p.Scope != state.Untriaged && p.Scope != state.OverLimit && !p.IsAuthor(state.User)
	})
	if len(open) > claims.MaxInScope && (replies > 1 || replies == 1 && triaged) {
		// The orchestrator was asked to triage them: what it says nothing about is in scope.
		var placed []state.Payload
		for _, p := range open {
			placed = append(placed, &state.PointTriaged{
				Point: p.ID, By: state.Protocol, Scope: state.InScope, Reason: "triage did not place it elsewhere",
			})
		}
		return protocol.Turn{Events: placed}, true
	}
	inScope := slices.DeleteFunc(claims.LivePoints(s), func(p *state.Point) bool { return p.Scope != state.InScope })
	if len(inScope) <= claims.MaxInScope || len(open) > 0 {
		return protocol.NotDue()
	}
	if s.Settings.Waits() {
		return askPriority(s, inScope)
	}
	// Points that the user put in scope take precedence over earlier ones.
	rank := func(p *state.Point) int {
		if p.Placed {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(inScope, func(p, q *state.Point) int { return cmp.Compare(rank(p), rank(q)) })
	var over []state.Payload
	for _, p := range inScope[claims.MaxInScope:] {
		over = append(over, &state.PointTriaged{
			Point: p.ID, By: state.Protocol, Scope: state.OverLimit, Reason: "over the limit of 7",
		})
	}
	return protocol.Turn{Events: over}, true
}

func askPriority(s *state.State, points []*state.Point) (protocol.Turn, bool) {
	asked := func(q *state.Question) bool { return q.Kind == state.QuestionPriority }
	if turn, due := protocol.Await(s, asked); due {
		return turn, due
	}
	listed := lists.Map(points, func(p *state.Point) string { return strings.TrimSpace(p.ID + " " + p.Theme) })
	return protocol.Surface(s, &state.QuestionSurfaced{
		What: state.QuestionPriority, Options: []string{},
		Text: fmt.Sprintf("%d points are in scope, %d can be evaluated. Which ones? (%s)", len(points),
			claims.MaxInScope, strings.Join(listed, ", ")),
	})
}

// askAnswers asks authors to answer open challenges and requests (RD4, RD5).
func askAnswers(s *state.State) (protocol.Turn, bool) {
	if s.Round < 2 || Of(s).Coverage == s.Round || s.Stress == s.Round {
		// Authors answer the points and challenges that come with the judging and the stress test in the next round.
		return protocol.NotDue()
	}
	return protocol.AskOnce(s, state.StageAnswer, claims.SeatsToAnswer(s),
		append(claims.AnswerMoves(), move.KindRaise, move.KindFlag)...)
}

// Seated implements Format.
func (Format) Seated(s *state.State) []state.Seat { return append(s.Consultees(), state.Orchestrator) }

// evaluate asks the seats to judge (RD2, RD3, CH5). Two questions need no call of their own and go along: headless, the
// orchestrator's first judging asks for the map (RD1), and one seat that judges in round 1 or 2 is asked for further
// points (RD8). Round 1 asks, too, because all may be agreed there.
func evaluate(s *state.State) (protocol.Turn, bool) {
	turn, due := claims.EvaluatePoints(s)
	if s.Settings.Mode == state.ModeQuick || s.Round > 2 || Of(s).Coverage == s.Round {
		return turn, due
	}
	// A seat that only triages very many points has not judged any yet, and built-in rules judge none.
	judges := func(ask protocol.Ask) bool {
		return slices.Contains(ask.Moves, move.KindClassify) && !s.ByRules(ask.Seat)
	}
	if at := slices.IndexFunc(turn.Asks, judges); at >= 0 {
		turn.Asks[at].Moves = append(turn.Asks[at].Moves, move.KindRaise)
	}
	return turn, due
}

// checksCoverage reports whether a seat is asked for further points with its judging.
func checksCoverage(ask protocol.Ask) bool {
	return (ask.Stage == state.StageEvaluate || ask.Stage == state.StageJudge) &&
		slices.Contains(ask.Moves, move.KindRaise)
}

// drawsMap reports whether the orchestrator is asked for the map with its first judging.
func drawsMap(s *state.State, ask protocol.Ask) bool {
	return ask.Seat == state.Orchestrator && ask.Stage == state.StageEvaluate && s.Settings.Mode != state.ModeQuick &&
		!s.Settings.Waits() && s.AskedOf(ask.Seat, ask.Stage).Replies == 0
}

// checkCoverage asks for further points by the end of round 2 if no seat had anything to judge before (RD8).
func checkCoverage(s *state.State) (protocol.Turn, bool) {
	if s.Settings.Mode == state.ModeQuick || Of(s).Coverage > 0 || s.Round < 2 {
		return protocol.NotDue()
	}
	seats := s.Consultees()
	return protocol.AskOnce(s, state.StageCoverage, seats[:min(1, len(seats))], move.KindRaise, move.KindFlag)
}

// stressTest makes a unanimous session steelman the strongest objection (RD9).
func stressTest(s *state.State) (protocol.Turn, bool) {
	if !stressRequired(s) || len(s.Consultees()) == 0 {
		return protocol.NotDue()
	}
	seat := s.Consultees()[0]
	asked := s.AskedOf(seat, state.StageStress)
	if asked.Replies >= 2 || asked.Failed >= 2 {
		return protocol.NotDue()
	}
	return protocol.Turn{Asks: []protocol.Ask{{
		Seat: seat, Stage: state.StageStress, Moves: []move.Kind{MoveSteelman},
		Retry: protocol.RetryOf(asked),
	}}}, true
}

// lowConfidence is the mean below which unanimity is stress-tested (RD9).
const lowConfidence = 0.6

// stressRequired reports whether the stress test is required: by the end of round 2, or of
// round 3 if the phase was extended for it (PH2).
func stressRequired(s *state.State) bool {
	if s.Settings.Mode != state.ModeStandard || s.Stress > 0 || !allAgree(s) {
		return false
	}
	switch trivial := trivialDone(s); {
	case trivial && !s.Settings.HighStakes && answered(s):
		return false
	case !trivial && s.Round != 2 && !(s.Round == 3 && s.Extended):
		return false
	}
	mean, reported := meanConfidence(s)
	return s.Settings.HighStakes || (reported && mean < lowConfidence) || agreedInRoundOne(s)
}

// answered reports whether evidence settled every point that is not out of the question (AC16).
func answered(s *state.State) bool {
	agreed := 0
	for _, r := range resolver.Rule(s) {
		switch {
		case r.Rule == "AC16":
			agreed++
		case r.Bucket == state.BucketOpen || r.Bucket == state.BucketUnresolved || r.Bucket == state.BucketAgreed:
			return false
		}
	}
	return agreed > 0
}

// meanConfidence is the mean of the last admitted confidence per seat and live point.
func meanConfidence(s *state.State) (mean float64, reported bool) {
	sum, n := 0.0, 0
	for _, p := range claims.LivePoints(s) {
		for _, score := range p.Scores {
			sum, n = sum+score.Admitted, n+1
		}
	}
	if n == 0 {
		return 0, false
	}
	return sum / float64(n), true
}

// agreedInRoundOne reports whether there are points on the question, and each was AGREE in round 1 for every seat that
// judges it and never challenged.
func agreedInRoundOne(s *state.State) bool {
	agreed := 0
	for _, p := range s.Points.All() {
		if p.MergedInto != "" || p.Scope != state.InScope && p.Scope != state.Untriaged {
			continue
		}
		judges := resolver.Evaluators(s, p)
		differs := func(c state.Classification) bool { return c.Round == 1 && c.Class != state.Agree }
		silent := func(seat state.Seat) bool {
			return !slices.ContainsFunc(p.Classes, func(c state.Classification) bool {
				return c.Seat == seat && c.Round == 1 && !c.ByRules && !c.Withdrawn
			})
		}
		if p.Round != 1 || len(p.Challenges) > 0 || slices.ContainsFunc(p.Classes, differs) ||
			!resolver.AllAuthors(s, p) && (len(judges) == 0 || slices.ContainsFunc(judges, silent)) {
			return false
		}
		agreed++
	}
	return agreed > 0
}

// expireRequests closes requests of earlier rounds that got no answer in this one, and
// asks the user about what is still unknown (JU5, AC12).
func expireRequests(s *state.State) (protocol.Turn, bool) {
	return claims.ExpireRequestsWith(s, func(d *protocol.Draft, p *state.Point) error {
		if hasQuestion(d.State, p.ID, state.QuestionBlocked) {
			return nil
		}
		return d.Add(missingData(d, p))
	})
}

// missingData asks the user for what would settle a point: what its challengers ask for, or the measurement that a seat
// says is missing.
func missingData(d *protocol.Draft, p *state.Point) *state.QuestionSurfaced {
	s := d.State
	text := fmt.Sprintf("Which evidence would settle %s (%q)?", p.ID, plain.Short(p.Text))
	var asked, conditions []string
	named := false
	for _, form := range resolver.Lineage(s, p) {
		for _, id := range form.Challenges {
			c := s.Challenge(id)
			named = named || c.By != state.Protocol && c.UpgradeIf != ""
			if c.By == state.Protocol || c.UpgradeIf == "" || c.Settled() && !c.Revised ||
				slices.Contains(conditions, c.UpgradeIf) {
				continue
			}
			conditions = append(conditions, c.UpgradeIf)
			asked = append(asked, fmt.Sprintf(" %s asks for: %s", c.ID, plain.Short(c.UpgradeIf)))
		}
	}
	offered := slices.DeleteFunc(
		slices.Clone(p.Evidence),
		func(id string) bool { return resolver.Counts(s, p, s.Item(id)) },
	)
	switch k := p.Blocked; {
	case k != nil:
		text = fmt.Sprintf("%s waits for a measurement that %s names: %s, against %s. Do you have it?", p.ID, k.By,
			plain.Short(k.Measurement), plain.Short(k.Threshold))
	case len(asked) > 0:
		text += strings.Join(asked, ";")
	case len(offered) > 0:
		text += " What was offered does not count: " + strings.Join(offered, ", ") + "."
	case !named:
		// A condition of a challenge that was settled is not asked for again, but it was named.
		text += " Neither seat named any."
	}
	return &state.QuestionSurfaced{
		ID: d.State.NextQuestion(), Point: p.ID, What: state.QuestionBlocked, Options: []string{}, Text: text,
	}
}

// challengeContradictions challenges two points of different seats that seem to say the
// opposite of each other if triage left the pair unmarked (RD1b). Agreeing to both would
// be a false consensus (ST6). The word measure only raises the question; it doesn't change
// pairs that the orchestrator marked.
func challengeContradictions(s *state.State) (protocol.Turn, bool) {
	points := claims.LivePoints(s)
	if len(points) > claims.MaxInScope || s.Round >= resolver.LastRound(s) {
		return protocol.NotDue()
	}
	a := &claims.Admitter{Draft: &protocol.Draft{State: s}, Seat: state.Protocol}
	for i, p := range points {
		for _, q := range points[i+1:] {
			if p.Scope != state.InScope || q.Scope != state.InScope || max(p.Round, q.Round) != s.Round ||
				slices.Equal(p.Authors, q.Authors) || claims.IsPaired(s, p, q) || !resolver.Opposed(p.Text, q.Text) {
				continue
			}
			a.Try(0, func() error {
				return a.Pair(p, &move.Triage{Point: p.ID, Other: q.ID, SameSubject: true, Opposed: true})
			})
		}
	}
	return protocol.Turn{Events: a.Events}, len(a.Events) > 0
}

// disputeRounds is the number of rounds after which a dispute is a deadlock (EX8).
const disputeRounds = 3

// surfaceDeadlocks classifies disputes that don't end and asks the user about them (EX8). A matter of definitions gets
// one more round first: both sides are asked for their terms, and the judge judges again.
func surfaceDeadlocks(s *state.State) (protocol.Turn, bool) {
	d := &protocol.Draft{State: s}
	for _, p := range claims.LivePoints(s) {
		c := resolver.Disputed(s, p)
		if resolver.Rejected(s, p) {
			// That challenge is settled. Only another one can keep the point open: nobody answers or judges it.
			if c = resolver.Waiting(s, p); c == nil {
				continue
			}
		}
		if unheard(s, p) || s.Round-disputedSince(s, p, c)+1 < disputeRounds {
			continue
		}
		class := resolver.NewBasis(s, p, resolver.KindOf(s, p)).Deadlock()
		if class == state.DeadlockDefinitional && s.Round < resolver.LastRound(s) {
			terms := resolver.Request(s, p, state.RequestTerms)
			if terms == nil || terms.Seq < p.Reopened {
				d.Try(0, func() error { return askTerms(d, p, c) })
				continue
			}
			if terms.Round == s.Round {
				continue
			}
		}
		d.Try(0, func() error { return deadlock(d, p, c, class) })
	}
	return protocol.Turn{Events: d.Events}, len(d.Events) > 0
}

// askTerms asks both sides of a dispute for their terms. The judge of the challenge judges again.
func askTerms(d *protocol.Draft, p *state.Point, c *state.Challenge) error {
	e := &state.Requested{
		Point: p.ID, Kind: state.RequestTerms, Of: p.Defenders(), By: state.Protocol,
		Text: "the seats may mean different things by " + p.ID + ": say what you mean by the term that it turns on " +
			"(CLARIFY, with the term)",
	}
	sides := resolver.Evaluators(d.State, p)
	if c != nil {
		e.About = c.ID
		sides = append(sides, resolver.JudgeOf(d.State, c))
	}
	for _, seat := range sides {
		if !slices.Contains(e.Of, seat) {
			e.Of = append(e.Of, seat)
		}
	}
	return d.Add(e)
}

// unheard reports whether no author of the point has had a turn since a challenge on it was raised or opened again
// (CH3b).
func unheard(s *state.State, p *state.Point) bool {
	return slices.ContainsFunc(p.Challenges, func(id string) bool {
		c := s.Challenge(id)
		return c.Status == state.StandsOpen && s.Round < resolver.LastRound(s) &&
			!slices.ContainsFunc(p.Defenders(), func(seat state.Seat) bool { return s.LastTurn(seat) > c.Seq })
	})
}

// disputedSince returns the round of the open challenge on the point, or of the contest that keeps it without support;
// without either, the next round. Challenges that ended when the point was revised count, too (RD5).
func disputedSince(s *state.State, p *state.Point, c *state.Challenge) int {
	since := s.Round + 1
	switch {
	case c != nil:
		since = c.Disputed
	case !resolver.Supported(s, p):
		for _, id := range p.Evidence {
			if item := s.Item(id); item.Proven() && item.Contested() != nil {
				since = min(since, item.Contested().Round)
			}
		}
	}
	if since > s.Round {
		return since
	}
	for _, form := range resolver.Lineage(s, p)[1:] {
		for _, id := range form.Challenges {
			if old := s.Challenge(id); old.Revised {
				since = min(since, old.Disputed)
			}
		}
	}
	return since
}

// surfaceTradeoffs asks the user about disputes that evidence doesn't settle (AC11).
func surfaceTradeoffs(s *state.State) (protocol.Turn, bool) {
	d := &protocol.Draft{State: s}
	for _, p := range claims.LivePoints(s) {
		c := resolver.Tradeoff(s, p)
		if c == nil || hasQuestion(s, p.ID, state.QuestionTradeoff) {
			continue
		}
		d.Try(0, func() error { return d.Add(tradeoff(d.State.NextQuestion(), p, c)) })
	}
	return protocol.Turn{Events: d.Events}, len(d.Events) > 0
}

func tradeoff(id string, p *state.Point, c *state.Challenge) *state.QuestionSurfaced {
	return &state.QuestionSurfaced{
		ID: id, Point: p.ID, What: state.QuestionTradeoff,
		Options: []string{plain.Short(p.Text), plain.Short(c.Objection)},
		Text:    fmt.Sprintf("%s is a tradeoff that only you can decide.", p.ID),
	}
}

// hasQuestion reports whether a question of this kind was asked and not withdrawn.
func hasQuestion(s *state.State, point string, kind state.QuestionKind) bool {
	return s.Questions.Any(func(q *state.Question) bool { return q.Point == point && q.Kind == kind && !q.Withdrawn })
}

// deadlock records the class of a deadlock and asks the user what only the user can say.
func deadlock(d *protocol.Draft, p *state.Point, c *state.Challenge, class state.Deadlock) error {
	crux := resolver.NewBasis(d.State, p, resolver.KindOf(d.State, p)).Crux(class, c)
	d.Record(&state.PointDeadlocked{Point: p.ID, Class: class, Crux: crux})
	var q *state.QuestionSurfaced
	switch class {
	case state.DeadlockMissingData:
		q = missingData(d, p)
	case state.DeadlockDefinitional:
		q = &state.QuestionSurfaced{
			ID: d.State.NextQuestion(), Point: p.ID, What: state.QuestionDefinition, Options: []string{},
			Text: fmt.Sprintf("%s hangs on what its terms mean (%q): %s", p.ID, plain.Short(p.Text), crux),
		}
	case state.DeadlockCriteria:
		if c == nil {
			return nil
		}
		q = tradeoff(d.State.NextQuestion(), p, c)
	case state.DeadlockDisputed, state.DeadlockNone:
		// The evidence is there: what it shows is for the record, not a question of taste.
		return nil
	}
	if hasQuestion(d.State, p.ID, q.What) {
		return nil
	}
	return d.Add(q)
}

// allAgree reports whether there are live points and each is agreed to by an
// evaluator or held by all seats (RD2), with no challenge waiting.
func allAgree(s *state.State) bool {
	points := claims.LivePoints(s)
	return len(points) > 0 && !slices.ContainsFunc(points, func(p *state.Point) bool {
		agreed := slices.ContainsFunc(resolver.Evaluators(s, p), func(seat state.Seat) bool {
			latest := p.Latest(seat)
			return latest != nil && latest.Class == state.Agree
		})
		return !agreed && !resolver.AllAuthors(s, p) || resolver.Waiting(s, p) != nil
	})
}
