package consult

import (
	_ "embed" // for prompts.md
	"slices"
	"strings"

	"moot/internal/enum"
	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/move"
	"moot/resolver"
	"moot/state"
)

// Moves implements Format.
func (Format) Moves() protocol.Moves {
	return claims.Moves([]move.Row{{
		Move: (*Steelman)(nil), Doc: "states the strongest objection to what all agree on",
		Words: map[string][]string{"grade": enum.Words(state.StressGrades())},
		Lines: []move.LineForm{{Words: "STEELMAN", IDs: "point", Lead: "grade", Text: "objection"}},
	}}...)
}

// admitter admits a reply. In addition to the moves on claims it admits the map (RD1), the stress test (RD9)
// and the doubts of the arbiter (AR).
type admitter struct {
	*claims.Admitter
	drawn    Map
	doubts   []state.Flag
	offTopic bool
	// maps says that the reply is asked for the map along with its judgments, mapped that it drew it.
	maps, mapped bool
}

// Admit implements Format.
func (Format) Admit(s *state.State, ask protocol.Ask, moves []move.Move) protocol.Admission {
	if ask.Stage == state.StageConclude {
		return claims.AdmitAnswer(s, ask, moves)
	}
	a := &admitter{Admitter: claims.NewAdmitter(s, ask), maps: drawsMap(s, ask)}
	a.FramedKind = func(m *move.Raise) (state.Kind, bool) { return framedKind(s, ask, m) }
	a.Each(moves, a.move)
	a.Finish()
	switch ask.Stage { //nolint:exhaustive // nothing is due at the end of the other stages
	case state.StageMap:
		a.drawn.Ambiguities = append([]string{}, a.drawn.Ambiguities...)
		a.Attempt(&MapDrawn{Map: a.drawn})
	case state.StageEvaluate, state.StageJudge:
		if a.mapped {
			a.drawn.Ambiguities = append([]string{}, a.drawn.Ambiguities...)
			a.Attempt(&MapDrawn{Map: a.drawn})
		}
		if checksCoverage(ask) {
			a.Attempt(&CoverageChecked{New: a.Raised})
		}
	case state.StageCoverage:
		a.Attempt(&CoverageChecked{New: a.Raised})
	case state.StageArbiter:
		a.Attempt(&state.Arbitrated{Flags: append([]state.Flag{}, a.doubts...)})
	}
	return a.Admission()
}

// framedKind returns the kind that the framing gives to a point that a seat raises, unless its author says otherwise,
// and whether the framing alone gives it (KI): the choice of an option and what fills a gap of a design are decisions
// if they are worded so, and a stated position is one.
func framedKind(s *state.State, ask protocol.Ask, m *move.Raise) (kind state.Kind, framed bool) {
	switch framing := s.Settings.Framing; {
	case framing == state.FramingPosition && ask.Seat == state.Orchestrator && ask.Stage == state.StagePropose &&
		(m.Kind == "" || m.Kind == state.Position):
		return state.Position, true
	case m.Kind != "" && m.Kind != state.Decision:
	case framing == state.FramingCompare && m.Option != "" && m.Criterion == "":
		named := slices.ContainsFunc(s.Settings.Input.Options, func(option string) bool {
			return resolver.Normalized(option) == resolver.Normalized(m.Text)
		})
		if named || resolver.WordedAsDecision(m.Text) {
			return state.Decision, named
		}
	case framing == state.FramingComplete && resolver.WordedAsDecision(m.Text):
		return state.Decision, false
	}
	return "", false
}

func (a *admitter) move(m move.Move) error {
	switch m := m.(type) {
	case *Steelman:
		return a.steelman(m)
	case *move.Flag:
		return a.flag(m)
	}
	return a.Move(m)
}

// steelman admits a STEELMAN (RD9): one objection, one answer.
func (a *admitter) steelman(m *Steelman) error {
	if a.State.Stress != 0 {
		return protocol.Refuse("repeated", "the stress test takes one objection")
	}
	p, err := a.Point(m.Point)
	if err != nil {
		return err
	}
	if strings.TrimSpace(m.Objection) == "" {
		return protocol.Refuse("empty", "the strongest objection needs a text")
	}
	a.Record(&state.StressTested{By: a.Seat, Point: p.ID, Objection: m.Objection, Grade: m.Grade})
	if m.Grade == state.StressMitigable || a.State.Round >= resolver.LastRound(a.State) {
		return a.Add(
			&state.PointNoted{Point: p.ID, Text: "strongest objection (" + string(m.Grade) + "): " + m.Objection},
		)
	}
	e := &state.ChallengeRaised{
		ID: a.State.NextChallenge(), Point: p.ID, By: state.Protocol, Kind: state.Skeptical,
		Objection: plain.FirstSentence(m.Objection), UpgradeIf: "an answer to the strongest objection",
	}
	if m.Grade == state.StressFatal {
		e.Kind, e.FlawKind, e.Grounds = state.Reject, state.Empirical, m.Objection
		e.WhyNotSkeptical = "the stress test graded it fatal"
	}
	return a.Add(e)
}

// maxAmbiguities is how many ambiguities of the question a map may name (RD1).
const maxAmbiguities = 2

// flag admits a FLAG.
func (a *admitter) flag(m *move.Flag) error {
	text := strings.TrimSpace(m.Text)
	switch m.Flag { //nolint:exhaustive // the others are no part of the map
	case move.FlagShape, move.FlagTangents, move.FlagDriftSignals, move.FlagAmbiguity:
		a.mapped = a.mapped || a.maps
	}
	switch m.Flag {
	case move.FlagShape:
		a.drawn.Shape = text
	case move.FlagTangents:
		a.drawn.Tangents = text
	case move.FlagDriftSignals:
		a.drawn.DriftSignals = text
	case move.FlagAmbiguity:
		switch {
		case text == "":
			return protocol.Refuse("empty", "an ambiguity needs a text")
		case len(a.drawn.Ambiguities) >= maxAmbiguities:
			return protocol.OverLimit(text, "up to %d ambiguities of the question are named", maxAmbiguities)
		}
		a.drawn.Ambiguities = append(a.drawn.Ambiguities, text)
		return a.Add(&state.QuestionSurfaced{
			ID: a.State.NextQuestion(), What: state.QuestionDefinition,
			Text: "Your question can be read in more than one way: " + text, Options: []string{},
		})
	case move.FlagOffTopic:
		switch {
		case a.Seat != state.Orchestrator:
			return protocol.Refuse("not-allowed", "the orchestrator alone flags a reply as off-topic")
		case a.offTopic:
			return protocol.Refuse("repeated", "the reply is flagged already")
		}
		a.offTopic = true
		return a.Add(&state.QualityFailed{
			Seat: state.Consultee, Stage: a.Ask.Stage, Reason: plain.FirstNonBlank(text, "off-topic"),
		})
	case move.FlagDoubt:
		p, err := a.Point(m.Point)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(a.doubts, func(f state.Flag) bool { return f.Point == p.ID }) {
			return protocol.Refuse("repeated", "%s is flagged already", p.ID)
		}
		a.doubts = append(a.doubts, state.Flag{Point: p.ID, Text: plain.FirstNonBlank(text, "doubted")})
	case move.FlagTrivial, move.FlagFact, move.FlagNothing, move.FlagKey:
		return a.Move(m)
	}
	return nil
}
