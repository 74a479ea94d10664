package tui

import (
	"fmt"
	"testing"

	"moot/ledger"
	"moot/state"
)

// foulCouncil is a session of the format council in which every text is nasty:
// claims that were worded anew, violations, numbers at the edges, and a moderator
// that the rules contradict.
func foulCouncil(t testing.TB, at int) *recorder {
	t.Helper()
	next := turning(at)
	r := &recorder{t: t}
	open := councilledOpened(t)
	open.Question = next()
	for i := range open.Seats {
		open.Seats[i].Participant, open.Seats[i].Model = next(), next()
	}
	open.Seats = append(open.Seats, state.SeatAssignment{Seat: state.Expert, Participant: next()})
	constraint := open.Settings.Council.Constitution.Constraints[0]
	r.add(open, &state.RoundStarted{Round: 1})
	r.add(replied(state.Strategist, state.StagePropose, next(), 1, 1)...)
	for i := range 24 {
		id, c, e := fmt.Sprint("P", i+1), fmt.Sprint("C", i+1), fmt.Sprint("E", i+1)
		r.add(
			&state.PointRaised{ID: id, By: state.Strategist, Text: next(), Label: next(), Limit: next()},
			&state.PointTriaged{Point: id, By: state.Protocol, Scope: state.InScope, Reason: next()},
			&state.ClaimMarkedKey{Point: id, By: state.Critic, Key: i%2 == 0},
			&state.ChallengeRaised{ID: c, Point: id, By: state.Critic, What: state.Skeptical, Objection: next(), UpgradeIf: next()},
			&state.EvidenceOffered{ID: e, Point: id, Relation: ledger.Supports, Reference: next(), Quote: next(), By: state.Strategist},
			&state.EvidenceVerified{ID: e, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: next(), Excerpt: next(), Admitted: i%3 > 0, Reason: next()},
			&state.ConstitutionViolated{Constraint: constraint.ID, Seat: constraint.Seat, Point: id, Challenge: when(i%2 == 0, c, ""), Text: next()},
		)
		for k, seat := range state.CouncilSeats()[:i%6] {
			score := float64((i+k)%3) / 2
			r.add(&state.ConfidenceReported{Seat: seat, Point: id, Stated: score, Admitted: score, Cause: next()})
		}
	}
	open2 := []string{"P1", "P2"}
	r.add(
		&state.PointRevised{Point: "P3", New: "P4", By: state.Moderator},
		&state.Synthesized{By: state.Moderator, Text: next(), Agreement: true, Open: open2},
		&state.ConsensusTested{Consensus: state.Consensus{Round: 1, Reported: state.AgreementYes, Unsettled: []string{"P1", "P2", "P4", "P5", "P6", "P7", "P8", "P9", "P10"}}},
		&state.RoundStarted{Round: 2},
	)
	return r
}
