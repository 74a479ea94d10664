package figure

import (
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol/formats"
	"moot/resolver"
	"moot/state"
)

// councilled is a council after its first round: a key claim that is attacked, a claim
// that is not, and one that the moderator reworded.
func councilled(t testing.TB) *recorder {
	r := &recorder{t: t}
	settings := &state.CouncilSettings{Rounds: 3, Weights: state.DefaultWeights(), Decision: state.DefaultDecision}
	opened := &state.SessionOpened{
		Rules:   formats.ByName(state.FormatCouncil),
		Version: state.Version, ID: "k3f9", Question: "Is the queue safe?", Settings: state.Settings{Format: state.FormatCouncil, Council: settings},
	}
	for _, seat := range []state.Seat{state.Strategist, state.Critic, state.Adversary, state.Moderator} {
		opened.Seats = append(opened.Seats, state.SeatAssignment{Seat: seat, Participant: "openai:gpt"})
	}
	r.add(opened, &state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: state.Strategist, Text: "A job is run at least once", Limit: "not when\x1b[2J the disk is lost"},
		&state.PointRaised{ID: "P2", By: state.Strategist, Text: "Jobs should go to streams", Key: true},
		&state.PointRaised{ID: "P3", By: state.Strategist, Text: "A job starts within 30 s"},
		&state.EvidenceOffered{ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "a.md:1", Quote: "once", By: state.Strategist},
		&state.EvidenceVerified{ID: "E1", Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: 0.9, Reference: "a.md:1", Admitted: true},
		&state.ChallengeRaised{ID: "C1", Point: "P2", By: state.Critic, What: state.Skeptical, Objection: "assumes that lists are the bottleneck"},
	)
	r.sure(state.Strategist, "P1", 0.85, 0.85)
	r.sure(state.Critic, "P1", 0.72, 0.72)
	r.sure(state.Strategist, "P2", 0.9, 0.9)
	r.sure(state.Critic, "P2", 0.3, 0.3)
	r.add(
		&state.PointRaised{ID: "P4", By: state.Moderator, For: state.Strategist, Text: "A job starts within 30 s on an idle broker", Revises: "P3"},
		&state.PointRevised{Point: "P3", New: "P4", By: state.Moderator},
	)
	for _, p := range []string{"P1", "P2", "P3", "P4"} {
		r.add(&state.PointTriaged{Point: p, By: state.Protocol, Scope: state.InScope})
	}
	return r
}

// A claim's box says how sure the seats are; the box of a form that was replaced does
// not.
func TestTheMapOfACouncil(t *testing.T) {
	r := councilled(t)
	w := newWriter(&r.state, resolver.Rule(r.state), newRuler(nil, false))
	for id, want := range map[string]string{
		"P1": "aggregate 0.78", "P2": "key; aggregate 0.56", "P3": "replaced by P4", "P4": "replaces P3",
	} {
		if got := strings.Join(w.point(r.state.Point(id)).also, "; "); got != want {
			t.Errorf("%s says %q, want %q", id, got, want)
		}
	}
}
