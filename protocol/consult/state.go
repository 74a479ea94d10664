package consult

import (
	_ "embed" // for prompts.md
	"fmt"
	"strings"

	"moot/protocol/claims"
	"moot/protocol/move"
	"moot/state"
	"moot/view"
)

//go:embed prompts.md
var prompts string

// MoveSteelman is the move of the stress test (RD9).
const MoveSteelman move.Kind = "STEELMAN"

// Steelman is the strongest objection to what all agree on, graded (RD9).
type Steelman struct {
	Point     string            `json:"point"`
	Objection string            `json:"objection"`
	Grade     state.StressGrade `json:"grade" jsonschema:"fatal, unresolved or mitigable"`
}

// Name is the format's name in session files.
const Name state.Format = "consult"

// Format is the consultation: an orchestrator consults one or more consultees, claim by
// claim, in at most 8 rounds.
type Format struct{ claims.Base }

// Consult is the part of a state that only consultations use.
type Consult struct {
	Map Map
	// Coverage is the round in which the coverage check was done, 0 before (RD8). NewDisputes counts the disputes
	// that it brought.
	Coverage, NewDisputes int
}

// Map is the solution space as the orchestrator sees it before asking (RD1).
type Map struct {
	Shape        string `json:"shape"`
	Tangents     string `json:"tangents"`
	DriftSignals string `json:"drift_signals"`
	// Ambiguities are at most two; the list may be empty.
	Ambiguities []string `json:"ambiguities"`
}

// Of returns the consultation's own part of a state.
func Of(s *state.State) *Consult { return state.OwnOf[Consult](s) }

// Own implements state.Rules.
func (Format) Own() state.Own {
	return state.Own{
		Claims: true, State: &Consult{},
		Kinds: []func() state.Payload{state.Create[MapDrawn], state.Create[CoverageChecked]},
	}
}

// MapDrawn is the orchestrator's map of the solution space (RD1).
type MapDrawn struct {
	Map
}

// Fold implements state.Payload.
func (e *MapDrawn) Fold(s *state.State) error {
	return state.ChangeOwn(s, func(c *Consult) { c.Map = e.Map })
}

// CoverageChecked is the answer to "are there other points?" (RD8).
type CoverageChecked struct {
	// New is how many disputes it brought.
	New int `json:"new"`
}

// Fold implements state.Payload.
func (e *CoverageChecked) Fold(s *state.State) error {
	return state.ChangeOwn(s, func(c *Consult) { c.Coverage, c.NewDisputes = s.Round, e.New })
}

// View implements protocol.Format.
func (Format) View() view.Format { return document{} }

// document describes a consultation.
type document struct{ view.Claims }

// Space returns the map for the exported JSON.
func (document) Space(s *state.State) view.Space { return view.Space(Of(s).Map) }

// Event describes the map and the coverage check.
func (document) Event(_, _ *state.State, data state.Payload) (lines []view.Line, ok bool) {
	switch e := data.(type) {
	case *MapDrawn:
		lines = view.One(view.Say("map", "map", e.Shape, view.RoleQuiet).AsMinor())
		for _, part := range []view.Row{
			{Label: "tangents", Text: e.Tangents},
			{Label: "drift signals", Text: e.DriftSignals},
			{Label: "ambiguous", Text: strings.Join(e.Ambiguities, "; ")},
		} {
			if part.Text != "" {
				lines = append(lines, view.Say("map", part.Label, part.Text, view.RoleQuiet).AsMinor())
			}
		}
		return lines, true
	case *CoverageChecked:
		text := "no new dispute"
		if e.New > 0 {
			text = fmt.Sprintf("%d new", e.New)
		}
		return view.One(view.Say("coverage", "coverage", text, view.RoleQuiet).AsMinor()), true
	}
	return nil, false
}
