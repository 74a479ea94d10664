package tui

import (
	"testing"

	"moot/state"
)

// everyBucket is the demo with a point in each bucket.
func everyBucket(t testing.TB) *recorder {
	r := demo(t)
	r.add(&state.PointRaised{ID: "P7", By: state.Consultee, Text: "the dashboards need new queries", Late: state.TagRaisedLate},
		&state.PointTriaged{Point: "P7", By: state.Orchestrator, Scope: state.Late},
		&state.ChallengeJudged{Challenge: "C1", By: state.Orchestrator, Judgment: state.Rejected, Reason: "the idle time itself is not covered", Reopens: true},
		&state.ConfidenceReported{Seat: state.Consultee, Point: "P1", Stated: 0.9, Admitted: 0.9},
		&state.ConfidenceReported{Seat: state.Orchestrator, Point: "P1", Stated: 0.7, Admitted: 0.7},
		&state.Arbitrated{Flags: []state.Flag{{Point: "P1", Text: "the file may not be the one that runs"}}},
	)
	r.add(&state.RoundStarted{Round: 5},
		&state.ConfidenceReported{Seat: state.Consultee, Point: "P1", Stated: 0.5, Admitted: 0.9},
		&state.DriftDetected{Seat: state.Consultee, Point: "P1", From: "it holds", To: "it may hold", Kept: true})
	return r
}
