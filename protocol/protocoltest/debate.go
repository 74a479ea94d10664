package protocoltest

import (
	"testing"

	"moot/ledger"
	"moot/protocol/consult"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

// Debate is a session whose events a test writes itself: points, challenges and confidences, and no seat is asked.
type Debate struct {
	*Desk
	// Rulings are those that the test gives; see Ruled.
	Rulings []state.Ruling
}

// NewDebate opens a session with these settings and seats, in round 1.
func NewDebate(t testing.TB, settings state.Settings, seats ...state.Seat) *Debate {
	t.Helper()
	d := &Debate{Desk: &Desk{T: t, State: &state.State{}, Quiet: true}}
	assigned := make([]state.SeatAssignment, len(seats))
	for i, seat := range seats {
		assigned[i].Seat = seat
	}
	d.Append(&state.SessionOpened{Rules: formats.ByName(settings.Format), Version: state.Version, ID: "s", Question: "Q?", Settings: settings, Seats: assigned}, &state.RoundStarted{Round: 1})
	return d
}

// ConsultDebate is a consultation with an arbiter.
func ConsultDebate(t testing.TB) *Debate {
	return NewDebate(t, state.Settings{Format: consult.Name}, state.Orchestrator, state.Consultee, state.Arbiter)
}

// CouncilDebate is a council with two constraints that no code checks.
func CouncilDebate(t testing.TB) *Debate {
	return NewDebate(t, state.Settings{Format: council.Name, Own: &council.Settings{
		Weights: council.DefaultWeights(), Decision: council.DefaultDecision,
		Constitution: constitution.Constitution{Constraints: []constitution.Constraint{{ID: "S1", Seat: constitution.Strategist}, {ID: "S2", Seat: constitution.Strategist}}},
	}}, constitution.Strategist, constitution.Critic, constitution.Adversary, constitution.Moderator)
}

// Raise brings the next point of the seat.
func (d *Debate) Raise(by state.Seat, text string) *Debate {
	d.Append(&state.PointRaised{ID: state.NextID('P', d.State.Points.Len()), By: by, Text: text})
	return d
}

// Challenge brings the next challenge to the point.
func (d *Debate) Challenge(by state.Seat, point, objection string) *Debate {
	d.Append(&state.ChallengeRaised{ID: state.NextID('C', d.State.Challenges.Len()), Point: point, By: by, Kind: state.Skeptical, Objection: objection})
	return d
}

// Checked brings the next item, verified.
func (d *Debate) Checked(point, reference string, kind ledger.SourceKind) *Debate {
	id := state.NextID('E', d.State.Evidence.Len())
	d.Append(
		&state.EvidenceOffered{ID: id, Point: point, Relation: ledger.Supports, Reference: reference, By: state.User},
		&state.EvidenceVerified{ID: id, Type: ledger.Textual, SourceKind: kind, Reference: reference, Admitted: true},
	)
	return d
}

// Score has a seat report its confidence.
func (d *Debate) Score(by state.Seat, point string, confidence float64) *Debate {
	d.Append(&state.ConfidenceReported{Seat: by, Point: point, Stated: confidence, Admitted: confidence})
	return d
}

// Revise replaces a point by the next one.
func (d *Debate) Revise(by state.Seat, point, text string) *Debate {
	id := state.NextID('P', d.State.Points.Len())
	d.Append(&state.PointRaised{ID: id, By: by, Text: text, Revises: point}, &state.PointRevised{Point: point, New: id, By: by})
	return d
}

// Ruled says where the points are, in their order, and records it.
func (d *Debate) Ruled(buckets ...state.Bucket) *Debate {
	d.Rulings = nil
	for i, bucket := range buckets {
		d.Rulings = append(d.Rulings, state.Ruling{Point: state.NextID('P', i), Bucket: bucket})
	}
	d.Append(&state.Ruled{Round: d.State.Round, Rulings: d.Rulings})
	return d
}

// Metrics measures the session with the rulings of the test.
func (d *Debate) Metrics() state.Metrics { return resolver.Measure(d.State, d.Rulings) }

// Scored has all seats report the same confidence in P1, the strategist with its
// reason.
func (d *Debate) Scored(confidence float64, because string) *Debate {
	d.Append(&state.ConfidenceReported{Seat: constitution.Strategist, Point: "P1", Stated: confidence, Admitted: confidence, Cause: because})
	return d.Score(constitution.Critic, "P1", confidence).Score(constitution.Adversary, "P1", confidence).Score(constitution.Moderator, "P1", confidence)
}

// Claimed raises a claim that passes CV1, CV2 and CV4.
func (d *Debate) Claimed(text string) *Debate {
	d.Raise(constitution.Strategist, text)
	d.Append(&state.PointTriaged{Point: "P1", By: state.Protocol, Scope: state.InScope})
	return d.Checked("P1", "docs/a.md:1", ledger.DomainEvidence).Scored(0.9, "seen on one machine")
}

// Offered brings an item that nobody has checked.
func (d *Debate) Offered(by state.Seat, relation ledger.Relation, reference string) *Debate {
	d.Append(&state.EvidenceOffered{ID: state.NextID('E', d.State.Evidence.Len()), Point: "P1", Relation: relation, Reference: reference, By: by})
	return d
}
