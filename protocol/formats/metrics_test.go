package formats_test

import (
	"math"
	"testing"

	"moot/ledger"
	"moot/protocol/consult"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

// measured is a session whose metrics are asked for, with a ruling for each point.
type measured struct {
	session
	rulings []state.Ruling
}

// debate opens a session of a format with the seats, in round 1.
func debate(t testing.TB, settings state.Settings, seats ...state.Seat) *measured {
	t.Helper()
	m := &measured{session: session{t: t, state: &state.State{}}}
	assigned := make([]state.SeatAssignment, len(seats))
	for i, seat := range seats {
		assigned[i].Seat = seat
	}
	m.add(&state.SessionOpened{Rules: formats.ByName(settings.Format), Version: state.Version, ID: "s", Question: "Q?", Settings: settings, Seats: assigned}, &state.RoundStarted{Round: 1})
	return m
}

func consultDebate(t testing.TB) *measured {
	return debate(t, state.Settings{Format: consult.Name}, state.Orchestrator, state.Consultee, state.Arbiter)
}

func councilDebate(t testing.TB) *measured {
	return debate(t, state.Settings{Format: council.Name, Own: &council.Settings{
		Weights: council.DefaultWeights(), Decision: council.DefaultDecision,
		Constitution: constitution.Constitution{Constraints: []constitution.Constraint{{ID: "S1", Seat: constitution.Strategist}, {ID: "S2", Seat: constitution.Strategist}}},
	}}, constitution.Strategist, constitution.Critic, constitution.Adversary, constitution.Moderator)
}

// raise brings the next point of the seat.
func (m *measured) raise(by state.Seat, text string) *measured {
	m.add(&state.PointRaised{ID: state.NextID('P', m.state.Points.Len()), By: by, Text: text})
	return m
}

// challenge brings the next challenge to the point.
func (m *measured) challenge(by state.Seat, point, objection string) *measured {
	m.add(&state.ChallengeRaised{ID: state.NextID('C', m.state.Challenges.Len()), Point: point, By: by, Kind: state.Skeptical, Objection: objection})
	return m
}

// checked brings the next item, verified.
func (m *measured) checked(point, reference string, kind ledger.SourceKind) *measured {
	id := state.NextID('E', m.state.Evidence.Len())
	m.add(
		&state.EvidenceOffered{ID: id, Point: point, Relation: ledger.Supports, Reference: reference, By: state.User},
		&state.EvidenceVerified{ID: id, Type: ledger.Textual, SourceKind: kind, Reference: reference, Admitted: true},
	)
	return m
}

// score has a seat report its confidence.
func (m *measured) score(by state.Seat, point string, confidence float64) *measured {
	m.add(&state.ConfidenceReported{Seat: by, Point: point, Stated: confidence, Admitted: confidence})
	return m
}

// revise replaces a point by the next one.
func (m *measured) revise(by state.Seat, point, text string) *measured {
	id := state.NextID('P', m.state.Points.Len())
	m.add(&state.PointRaised{ID: id, By: by, Text: text, Revises: point}, &state.PointRevised{Point: point, New: id, By: by})
	return m
}

// ruled says where the points are, in their order, and records it.
func (m *measured) ruled(buckets ...state.Bucket) *measured {
	m.rulings = nil
	for i, bucket := range buckets {
		m.rulings = append(m.rulings, state.Ruling{Point: state.NextID('P', i), Bucket: bucket})
	}
	m.add(&state.Ruled{Round: m.state.Round, Rulings: m.rulings})
	return m
}

func (m *measured) metrics() state.Metrics { return resolver.Measure(m.state, m.rulings) }

// figure fails unless a metric equals the value computed by hand, in nine digits.
func figure(t *testing.T, name string, got *float64, want float64) {
	t.Helper()
	if got == nil || *got != math.Round(want*1e9)/1e9 {
		t.Errorf("%s is %s, want %v", name, written(got), want)
	}
}

// none fails unless there is no such metric.
func none(t *testing.T, name string, got *float64) {
	t.Helper()
	if got != nil {
		t.Errorf("%s is %v, want none", name, *got)
	}
}

func written(figure *float64) any {
	if figure == nil {
		return "none"
	}
	return *figure
}
