package protocol

import (
	"fmt"
	"strings"

	"moot/ledger"
	"moot/resolver"
	"moot/state"
)

// The limits on what a reply may flag.
const (
	maxAmbiguities = 2
	maxFacts       = 20
)

// steelman is STEELMAN (RD9): one objection, one answer.
func (a *Admitter) steelman(m *Steelman) error {
	if a.State.Stress != 0 {
		return Refuse("repeated", "the stress test takes one objection")
	}
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	if strings.TrimSpace(m.Objection) == "" {
		return Refuse("empty", "the strongest objection needs a text")
	}
	a.Record(&state.StressTested{By: a.Seat, Point: p.ID, Objection: m.Objection, Grade: m.Grade})
	note := &state.PointNoted{Point: p.ID, Text: "strongest objection (" + string(m.Grade) + "): " + m.Objection}
	if m.Grade == state.StressMitigable || a.State.Round >= resolver.LastRound(&a.State) {
		return a.Add(note)
	}
	e := &state.ChallengeRaised{
		ID: a.NextChallenge(), Point: p.ID, By: state.Protocol, What: state.Skeptical,
		Objection: firstSentence(m.Objection), UpgradeIf: "an answer to the strongest objection",
	}
	if m.Grade == state.StressFatal {
		e.What, e.FlawKind, e.Grounds = state.Reject, state.Empirical, m.Objection
		e.WhyNotSkeptical = "the stress test graded it fatal"
	}
	return a.Add(e)
}

// flag is FLAG.
func (a *Admitter) flag(m *FlagMove) error {
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
		if a.State.Round > 2 {
			return Refuse("late", "a question is found trivial by round 2")
		}
		a.trivial = true
		return a.Add(&state.FoundTrivial{By: a.Seat, Reason: text})
	case FlagOffTopic:
		if a.Seat != state.Orchestrator {
			return Refuse("not-allowed", "the orchestrator alone flags a reply as off-topic")
		}
		if a.offTopic {
			return Refuse("repeated", "the reply is flagged already")
		}
		a.offTopic = true
		return a.Add(&state.QualityFailed{
			Seat: state.Consultee, Stage: a.Ask.Stage,
			Reason: FirstNonBlank(text, "off-topic"),
		})
	case FlagDoubt:
		return a.doubt(m.Point, text)
	case FlagFact:
		return a.fact(text)
	case FlagNothing, FlagKey:
	}
	return nil
}

func (a *Admitter) ambiguity(text string) error {
	if text == "" || len(a.drawn.Ambiguities) >= maxAmbiguities {
		return Refuse("too-many", "up to %d ambiguities are named", maxAmbiguities)
	}
	a.drawn.Ambiguities = append(a.drawn.Ambiguities, text)
	return a.Add(&state.QuestionSurfaced{
		ID: a.NextQuestion(), What: state.QuestionDefinition,
		Text: "Your question can be read in more than one way: " + text, Options: []string{},
	})
}

func (a *Admitter) doubt(point, text string) error {
	p, err := a.Point(point)
	if err != nil {
		return err
	}
	for _, f := range a.doubts {
		if f.Point == p.ID {
			return Refuse("repeated", "%s is flagged already", p.ID)
		}
	}
	a.doubts = append(a.doubts, state.Flag{Point: p.ID, Text: FirstNonBlank(text, "doubted")})
	return nil
}

// fact offers an unverified fact (LE2): a hypothesis of the seat's.
func (a *Admitter) fact(text string) error {
	if text == "" {
		return Refuse("empty", "a fact needs a text")
	}
	mine := 0
	for _, f := range a.State.Facts.All() {
		if f.Live && f.Text == text {
			return Refuse("repeated", "%s says that already", f.ID)
		}
		if f.Seat == string(a.Seat) && f.Tag == ledger.TagUnverified && f.Round == a.State.Round {
			mine++
		}
	}
	if mine >= maxFacts {
		return Refuse("too-many", "a seat offers at most %d facts a round", maxFacts)
	}
	return a.Add(&state.FactRecorded{ID: a.NextFact(), Tag: ledger.TagUnverified, Seat: a.Seat, Text: text})
}

// violates is VIOLATES: it names a user fact that a point contradicts; the user confirms
// (AC5).
func (a *Admitter) violates(m *Violates) error {
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	fact := a.State.Fact(m.Fact)
	if fact == nil || !fact.Live || fact.Tag != ledger.TagUser {
		return Refuse("unknown-fact", "%q is not a current fact of the user", m.Fact)
	}
	for _, v := range p.Violates {
		if v.Fact == fact.ID && !v.Denied {
			return Refuse("repeated", "%s and %s were named already", p.ID, fact.ID)
		}
	}
	return a.Add(
		&state.ViolationNamed{Point: p.ID, Fact: fact.ID, By: a.Seat, Words: Clip(m.Words)},
		&state.QuestionSurfaced{
			ID: a.NextQuestion(), Point: p.ID, What: state.QuestionApproval, Options: []string{"yes", "no"},
			About: fact.ID,
			Text: fmt.Sprintf("%s says that %s contradicts your fact %s (%q). Does it?", a.Seat, p.ID, fact.ID,
				Clip(fact.Text)),
		},
	)
}
