package protocol

import (
	"fmt"
	"strings"

	"moot/ledger"
	"moot/state"
)

// The limits on what a reply may flag.
const (
	maxAmbiguities = 2
	maxFacts       = 20
)

// steelman is STEELMAN (RD9): one objection, one answer.
func (a *admission) steelman(m *Steelman) error {
	if a.s.Stress != 0 {
		return refuse("repeated", "the stress test takes one objection")
	}
	p, err := a.point(m.Point)
	if err != nil {
		return err
	}
	if strings.TrimSpace(m.Objection) == "" {
		return refuse("empty", "the strongest objection needs a text")
	}
	if err := a.add(&state.StressTested{By: a.seat, Point: p.ID, Objection: m.Objection, Grade: m.Grade}); err != nil {
		return err
	}
	note := &state.PointNoted{Point: p.ID, Text: "strongest objection (" + string(m.Grade) + "): " + m.Objection}
	if m.Grade == state.StressMitigable || a.s.Round >= lastRound(&a.s) {
		return a.add(note)
	}
	e := &state.ChallengeRaised{
		ID: a.nextChallenge(), Point: p.ID, By: state.Protocol, What: state.Skeptical,
		Objection: firstSentence(m.Objection), UpgradeIf: "an answer to the strongest objection",
	}
	if m.Grade == state.StressFatal {
		e.What, e.FlawKind, e.Grounds = state.Reject, state.Empirical, m.Objection
		e.WhyNotSkeptical = "the stress test graded it fatal"
	}
	return a.add(e)
}

// flag is FLAG.
func (a *admission) flag(m *FlagMove) error {
	text := strings.TrimSpace(m.Text)
	switch m.Flag {
	case FlagShape:
		a.drawn.Shape = text
	case FlagTangents:
		a.drawn.Tangents = text
	case FlagDriftSignals:
		a.drawn.DriftSignals = text
	case FlagAmbiguity:
		return a.ambiguity(text)
	case FlagTrivial:
		if a.s.Round > 2 {
			return refuse("late", "a question is found trivial by round 2 (EX3)")
		}
		a.trivial = true
		return a.add(&state.FoundTrivial{By: a.seat, Reason: text})
	case FlagOffTopic:
		if a.seat != state.Orchestrator {
			return refuse("not-allowed", "the orchestrator alone flags a reply as off-topic")
		}
		if a.offTopic {
			return refuse("repeated", "the reply is flagged already")
		}
		a.offTopic = true
		return a.add(&state.QualityFailed{Seat: state.Consultee, Stage: a.ask.Stage, Reason: first(text, "off-topic")})
	case FlagDoubt:
		return a.doubt(m.Point, text)
	case FlagFact:
		return a.fact(text)
	case FlagViolates:
		return a.violates(m)
	case FlagNothing, FlagKey:
	}
	return nil
}

func (a *admission) ambiguity(text string) error {
	if text == "" || len(a.drawn.Ambiguities) >= maxAmbiguities {
		return refuse("too-many", "up to %d ambiguities are named", maxAmbiguities)
	}
	a.drawn.Ambiguities = append(a.drawn.Ambiguities, text)
	return a.add(&state.QuestionSurfaced{
		ID: a.nextQuestion(), What: state.QuestionDefinition,
		Text: "Your question can be read in more than one way: " + text, Options: []string{},
	})
}

func (a *admission) doubt(point, text string) error {
	p, err := a.point(point)
	if err != nil {
		return err
	}
	for _, f := range a.doubts {
		if f.Point == p.ID {
			return refuse("repeated", "%s is flagged already", p.ID)
		}
	}
	a.doubts = append(a.doubts, state.Flag{Point: p.ID, Text: first(text, "doubted")})
	return nil
}

// fact offers an unverified fact (LE2): a hypothesis of the seat's.
func (a *admission) fact(text string) error {
	if text == "" {
		return refuse("empty", "a fact needs a text")
	}
	mine := 0
	for _, f := range a.s.Facts.All() {
		if f.Live && f.Text == text {
			return refuse("repeated", "%s says that already", f.ID)
		}
		if f.Seat == string(a.seat) && f.Tag == ledger.TagUnverified && f.Round == a.s.Round {
			mine++
		}
	}
	if mine >= maxFacts {
		return refuse("too-many", "a seat offers at most %d facts a round", maxFacts)
	}
	return a.add(&state.FactRecorded{ID: a.nextFact(), Tag: ledger.TagUnverified, Seat: a.seat, Text: text})
}

// violates names a user fact that a point contradicts; the user confirms
// (AC5).
func (a *admission) violates(m *FlagMove) error {
	p, err := a.point(m.Point)
	if err != nil {
		return err
	}
	fact := a.s.Fact(m.Fact)
	if fact == nil || !fact.Live || fact.Tag != ledger.TagUser {
		return refuse("unknown-fact", "%q is no live fact of the user's", m.Fact)
	}
	for _, v := range p.Violates {
		if v.Fact == fact.ID {
			return refuse("repeated", "%s and %s were named already", p.ID, fact.ID)
		}
	}
	return a.all(
		&state.ViolationNamed{Point: p.ID, Fact: fact.ID, By: a.seat},
		&state.QuestionSurfaced{
			ID: a.nextQuestion(), Point: p.ID, What: state.QuestionApproval, Options: []string{"yes", "no"},
			About: fact.ID,
			Text: fmt.Sprintf("%s says that %s contradicts your fact %s (%q). Does it?", a.seat, p.ID, fact.ID,
				clip(fact.Text)),
		},
	)
}
