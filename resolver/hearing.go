package resolver

import (
	"fmt"
	"strings"

	"moot/resolver/hearing"
	"moot/state"
)

// hearings is how sessions of the format hearing are ruled on.
func hearings() system {
	return system{
		rule:    func(s *state.State) []state.Ruling { return NewHearingJudge().Rule(s) },
		ruleOne: func(s *state.State, p *state.Point) state.Ruling { return NewHearingJudge().ruleOne(s, p) },
		// What the rules of the domain find in the packet is found once.
		ruler:     func() func(*state.State) []state.Ruling { return NewHearingJudge().Rule },
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

// The rules on the claims of a hearing, by how they stand on their facts.
const (
	ruleSupported   = "HR1"
	ruleWeak        = "HR2"
	ruleUnsupported = "HR3"
)

// lastOfHearing is the cap on rounds, by the form as the hearing goes now.
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

// Rule gives the rulings of all points of a session, as the function Rule does.
func (j *HearingJudge) Rule(s *state.State) []state.Ruling {
	rulings := make([]state.Ruling, 0, s.Points.Len())
	stands, why := j.standingAtLast(s)
	for _, p := range s.Points.All() {
		rulings = append(rulings, j.ruleOn(s, p, stands[p.ID], why))
	}
	return rulings
}

// ruleOne gives the ruling of one point.
func (j *HearingJudge) ruleOne(s *state.State, p *state.Point) state.Ruling {
	if p.ID == QuestionPoint {
		return j.ruleOn(s, p, nil, "")
	}
	stands, why := j.standingAtLast(s)
	return j.ruleOn(s, p, stands[p.ID], why)
}

// standingAtLast is standing once the session is over: before, no claim is ruled on by
// its facts.
func (j *HearingJudge) standingAtLast(s *state.State) (stands map[string]*hearing.Ruled, why string) {
	if !s.Over() {
		return nil, ""
	}
	return j.standing(s)
}

// ruleOn is the ruling on the question of a hearing, or on one of its claims: the
// user's word first (AC1), then whether its side gave it up (AC6), then the facts.
func (j *HearingJudge) ruleOn(s *state.State, p *state.Point, stands *hearing.Ruled, why string) state.Ruling {
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
		return j.onQuestion(s)
	}
	return onClaim(s, p, stands, why)
}

// onQuestion is the verdict, as the ruling on the question.
func (j *HearingJudge) onQuestion(s *state.State) state.Ruling {
	v, err := j.verdict(s, s.HearingSettings().Judge, s.Round)
	if !s.Over() {
		ruling := state.Ruling{Bucket: state.BucketOpen, Reason: "under deliberation"}
		if err == nil {
			ruling.Reason += "; so far " + v.Sentence
		}
		return ruledBy(ruling, QuestionPoint, "AC19")
	}
	if err != nil {
		ruling, _ := unresolved(state.StatusOpen, "there is no verdict: "+err.Error(), "an argument of each side, with a confidence")
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

// onClaim is the ruling on a claim of a side, by how it stands on its facts.
func onClaim(s *state.State, p *state.Point, stands *hearing.Ruled, why string) state.Ruling {
	if !s.Over() {
		return ruledBy(state.Ruling{Bucket: state.BucketOpen, Reason: "under deliberation"}, p.ID, "AC19")
	}
	if stands == nil {
		ruling, _ := unresolved(state.StatusOpen, "its facts were not judged: "+orElse(why, "it is a claim of neither side"), "facts that the rules of the domain read", p.Facts...)
		return ruledBy(ruling, p.ID, "AC18")
	}
	reason := supportWordsOf(stands)
	switch stands.Support {
	case state.Supported:
		return ruledBy(state.Ruling{
			Bucket: state.BucketAgreed, Tag: state.TagFacts, Reason: reason, Receipt: state.Receipt{Reads: p.Facts},
		}, p.ID, ruleSupported)
	case state.Weak:
		ruling, _ := unresolved(state.StatusOpen, reason, "facts that bear it out, or that speak against it", p.Facts...)
		return ruledBy(ruling, p.ID, ruleWeak)
	case state.Unsupported:
	}
	ruling, _ := dismissed(state.TagRejected, reason, p.Facts...)
	return ruledBy(ruling, p.ID, ruleUnsupported)
}

// supportWordsOf says how a claim stands on its facts: "SUPPORTED: by its facts it
// weighs 0.62; f02, f04 speak against it".
func supportWordsOf(r *hearing.Ruled) string {
	words := fmt.Sprintf("%s: by its facts it weighs %s", r.Support, hearing.Figure(r.Weight))
	switch against := r.Against; len(against) {
	case 0:
	case 1:
		words += "; " + against[0] + " speaks against it"
	default:
		words += "; " + strings.Join(against, ", ") + " speak against it"
	}
	return words
}
