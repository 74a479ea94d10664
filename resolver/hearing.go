package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/resolver/hearing"
	"moot/state"
)

// hearings is how sessions of the format hearing are ruled on.
func hearings() system {
	return system{
		rule:      ruleHearing,
		ruleOne:   ruleOneHeard,
		ruler:     func() func(*state.State) []state.Ruling { return ruleHearing },
		lastRound: lastOfHearing,
		because:   becauseHeard,
		explain:   explainHeard,
		bench:     newBench,
		evaluators: func(_ *state.State, p *state.Point) []state.Seat {
			if p.ID == QuestionPoint {
				return []state.Seat{state.Architect, state.Skeptic}
			}
			return []state.Seat{state.Opponent(p.Authors[0])}
		},
	}
}

// QuestionPoint is the point that is the question of a hearing.
const QuestionPoint = "P1"

// The rules on the claims of an audit.
const (
	ruleSupported   = "HR1"
	ruleContested   = "HR2"
	ruleUnsupported = "HR3"
)

// lastOfHearing is the last round of the form by which the hearing goes now.
func lastOfHearing(s *state.State) int {
	switch s.Course() {
	case state.FormMulti, state.FormAnchored:
		return s.HearingSettings().Rounds
	case state.FormAudit:
		return 2
	case state.FormSingle, state.FormSelective:
	}
	return 1
}

func ruleHearing(s *state.State) []state.Ruling {
	rulings := make([]state.Ruling, 0, s.Points.Len())
	for _, p := range s.Points.All() {
		rulings = append(rulings, ruleOneHeard(s, p))
	}
	return rulings
}

// ruleOneHeard rules on the question of a hearing, or on one of its claims: the user's word first
// (AC1), then whether its side withdrew it (AC6), then the judge or the audit.
func ruleOneHeard(s *state.State, p *state.Point) state.Ruling {
	if p.MergedInto != "" {
		return mergedAway(p)
	}
	b := benchOf(s, p, false)
	if ruling, ok := b.userRuled(); ok {
		return ruledBy(ruling, p.ID, "AC1")
	}
	if ruling, ok := b.givenUp(); ok {
		return ruledBy(ruling, p.ID, "AC6")
	}
	if p.ID == QuestionPoint {
		return onQuestion(s)
	}
	return onClaim(s, p)
}

// onQuestion is the verdict, as the ruling on the question.
func onQuestion(s *state.State) state.Ruling {
	v, err := verdict(s, s.HearingSettings().Judge, s.Round)
	if !s.Over() {
		ruling := state.Ruling{Bucket: state.BucketOpen, Reason: "under deliberation"}
		if err == nil {
			ruling.Reason += "; so far " + v.Sentence
		}
		return ruledBy(ruling, QuestionPoint, "AC19")
	}
	if err != nil {
		ruling, _ := unresolved(state.StatusOpen, "there is no verdict: "+err.Error(),
			"an argument of each side, with a confidence")
		return ruledBy(ruling, QuestionPoint, "AC18")
	}
	ruling := state.Ruling{Reason: v.Sentence, Receipt: state.Receipt{Reads: v.Supporting}}
	switch v.Outcome {
	case state.Confirmed:
		ruling.Bucket, ruling.Tag = state.BucketAgreed, state.TagFacts
	case state.Dismissed:
		ruling.Bucket, ruling.Tag = state.BucketDismissed, state.TagRejected
	case state.Inconclusive:
		ruling.Bucket, ruling.Status = state.BucketUnresolved, state.StatusOpen
		ruling.Crux = "facts that bring one side ahead of the other"
	}
	return ruledBy(ruling, QuestionPoint, v.Rule)
}

// onClaim is the ruling on a claim of a side: the form audit rules on each, the others on none.
func onClaim(s *state.State, p *state.Point) state.Ruling {
	if !s.Over() {
		return ruledBy(state.Ruling{Bucket: state.BucketOpen, Reason: "under deliberation"}, p.ID, "AC19")
	}
	audited, ok := AuditOf(s, p)
	if !ok {
		why := fmt.Sprintf("the form %s rules on the question alone", s.Course())
		ruling, _ := unresolved(state.StatusOpen, why, "the form audit, which rules on each claim", p.Facts...)
		return ruledBy(ruling, p.ID, "AC18")
	}
	reason := fmt.Sprintf("%s: %s", audited.Support, audited.Why)
	switch audited.Support {
	case state.Supported:
		ruling := state.Ruling{
			Bucket: state.BucketAgreed, Tag: state.TagFacts, Reason: reason,
			Receipt: state.Receipt{Reads: p.Facts},
		}
		return ruledBy(ruling, p.ID, ruleSupported)
	case state.Disputed:
		ruling, _ := unresolved(state.StatusOpen, reason, "what both sides accept about these facts", p.Facts...)
		return ruledBy(ruling, p.ID, ruleContested)
	case state.Unsupported:
	}
	ruling, _ := dismissed(state.TagRejected, reason, p.Facts...)
	return ruledBy(ruling, p.ID, ruleUnsupported)
}

// Audited is how a claim of an audit ends, and why, in a clause.
type Audited struct {
	Support state.Support
	Why     string
}

// AuditOf rules on a claim of an audit; ok is false in other forms, and before the claims were
// put to the other side. What the seats argued decides: no word is counted and no fact weighed.
//
// A claim without facts says that nothing was found, and rests on the whole packet; admission
// refuses every other claim without facts.
func AuditOf(s *state.State, p *state.Point) (audited Audited, ok bool) {
	other := state.Opponent(p.Authors[0])
	if s.Course() != state.FormAudit || s.Round < 2 || p.ID == QuestionPoint || other == "" {
		return audited, false
	}
	if u := p.UserRuling; u != nil {
		switch u.Bucket { //nolint:exhaustive // the user can rule on no other bucket
		case state.BucketAgreed:
			return Audited{state.Supported, "the user agreed with it"}, true
		case state.BucketDismissed:
			return Audited{state.Unsupported, "the user dismissed it"}, true
		}
		return Audited{state.Disputed, "the user left it unresolved"}, true
	}
	if _, conceded := p.Conceded(); conceded {
		return Audited{state.Unsupported, "its side withdrew it"}, true
	}
	var withdrawn, maintained []string
	for _, c := range Contradictions(s, p) {
		answer := c.Last()
		switch {
		case answer == nil:
			return Audited{
				state.Unsupported,
				fmt.Sprintf("%s contradicts it by %s, and nobody answered", c.ID, strings.Join(c.Facts, ", ")),
			}, true
		case answer.Judgment == state.Accepted:
			withdrawn = append(withdrawn, c.ID)
		default:
			maintained = append(maintained, c.ID)
		}
	}
	switch class := lastClass(p, other); {
	case len(maintained) > 0:
		return Audited{state.Disputed, fmt.Sprintf("the %s maintains %s", other, strings.Join(maintained, ", "))}, true
	case len(withdrawn) > 0:
		return Audited{state.Supported, fmt.Sprintf("the %s withdrew %s", other, strings.Join(withdrawn, ", "))}, true
	case class == nil:
		return Audited{state.Disputed, fmt.Sprintf("the %s said nothing about it, also when asked again", other)}, true
	case class.Class == state.Agree:
		return Audited{state.Supported, fmt.Sprintf("the %s accepted it", other)}, true
	default:
		return Audited{state.Disputed, fmt.Sprintf("the %s calls it true but not bearing on the question: %s", other,
			class.Reason)}, true
	}
}

// lastClass is the last verdict of a seat on a claim, or nil.
func lastClass(p *state.Point, seat state.Seat) *state.Classification {
	for i := len(p.Classes) - 1; i >= 0; i-- {
		if p.Classes[i].Seat == seat {
			return &p.Classes[i]
		}
	}
	return nil
}

// Unaudited are the claims of the other side to which a seat has said nothing yet: it neither
// accepted them, nor called them not bearing, nor contradicted them.
func Unaudited(s *state.State, seat state.Seat) []*state.Point {
	return slices.DeleteFunc(ClaimsOf(s, state.Opponent(seat), s.Round), func(p *state.Point) bool {
		contradicted := slices.ContainsFunc(p.Challenges, func(id string) bool { return s.Challenge(id).By == seat })
		return contradicted || lastClass(p, seat) != nil || !ContestedBy(s, seat, p)
	})
}

// Unreviewed are the contradictions of a seat that were answered, and that it neither withdrew nor
// maintained yet.
func Unreviewed(s *state.State, seat state.Seat) []*state.Challenge {
	var due []*state.Challenge
	for _, c := range s.Challenges.All() {
		answer := c.Last()
		if c.By == seat && answer != nil && answer.Judgment == state.Unjudged && Contested(s.Point(c.Point)) {
			due = append(due, c)
		}
	}
	return due
}

// auditedSide is what the judge reads of a side of an audit: the smaller of its confidence and the
// highest admitted confidence of its supported claims, 0 if it has none. Why says what bounds it.
func auditedSide(s *state.State, seat state.Seat, side hearing.Side) (bounded hearing.Side, why string) {
	highest, best := 0.0, ""
	for _, p := range ClaimsOf(s, seat, s.Round) {
		audited, ok := AuditOf(s, p)
		if score := p.Score(seat); ok && audited.Support == state.Supported && score != nil &&
			(best == "" || score.Admitted > highest) {
			highest, best = score.Admitted, p.ID
		}
	}
	switch {
	case best == "":
		why = fmt.Sprintf("the %s has no supported claim", seat)
	case highest < side.Confidence:
		why = fmt.Sprintf("the %s's %s counts as that of %s", seat, hearing.Figure(side.Confidence), best)
	}
	side.Confidence = min(side.Confidence, highest)
	return side, why
}
