package council_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/formats"
	"moot/protocol/protocoltest"
	"moot/state"
	"moot/view"
)

var update = flag.Bool("update", false, "write the golden files of explanations")

// seated is a council whose events a test writes itself.
type seated struct{ *protocoltest.Desk }

func (s seated) add(payloads ...state.Payload) seated {
	s.T.Helper()
	s.Append(payloads...)
	return s
}

// validated are small councils by the rule that fires on their P1, and what else is
// special to them: CV, CV1 to CV4 and those of AC1 to AC8 that read otherwise in a
// council.
func validated(t testing.TB) map[string]seated {
	start := func() seated { return seatedCouncil(t) }
	limited := func() seated {
		return start().add(&council.ClaimLimited{Point: "P1", By: constitution.Strategist, Limit: "one worker"})
	}
	shown := func() seated { return limited().shows("P1", "a.go", ledger.Supports) }
	agreed := func() seated { return shown().scored("P1", 0.85, 0.72, 0.68, 0.70) }
	harmful := func() seated {
		s := start().add(
			&state.PointRaised{ID: "P2", By: constitution.Strategist, Text: "We delete what was run"}, &state.PointTriaged{Point: "P2", Scope: state.InScope},
			&council.ClaimLimited{Point: "P2", By: constitution.Strategist, Limit: "one worker"}, &state.PointsMerged{Into: "P2", From: []string{"P1"}, By: constitution.Moderator},
		)
		return s.shows("P2", "a.go", ledger.Supports).scored("P2", 0.85, 0.72, 0.68, 0.70)
	}
	over := func(s seated) seated {
		return s.tested().add(&state.ExitReached{Exit: state.ExitCap, Reason: "round 3 is the last"})
	}
	return map[string]seated{
		"CV":      agreed(),
		"CV over": over(agreed()),
		"CV value": start().add(&state.OverrideMade{What: state.OverrideKindSet, Point: "P1", Set: state.Value}).add(
			&council.ClaimLimited{Point: "P1", By: constitution.Strategist, Limit: "one worker"}).scored("P1", 0.85, 0.72),
		"CV1":          limited().scored("P1", 0.85, 0.72, 0.68, 0.70),
		"CV1 over":     over(limited().scored("P1", 0.85, 0.72, 0.68, 0.70)),
		"CV1 key":      agreed().add(&council.ClaimMarkedKey{Point: "P1", By: constitution.Critic}),
		"CV1 all":      start().scored("P1", 0.9, 0.4).doubted("C1", "P1"),
		"CV2 low":      shown().scored("P1", 0.7, 0.45, 0.68, 0.70),
		"CV2 low over": over(shown().scored("P1", 0.7, 0.45, 0.68, 0.70)),
		"CV2 spread":   shown().scored("P1", 0.95, 0.6, 0.68, 0.70),
		"CV2 missing":  shown().scored("P1", 0.85, -1, 0.68),
		"CV2 weak":     shown().scored("P1", 0.6, 0.55, 0.5, 0.6),
		"CV2 open":     agreed().doubted("C1", "P1"),
		"CV2 rejected": agreed().doubted("C1", "P1").add(
			&state.ChallengeAnswered{Challenge: "C1", By: constitution.Strategist, Text: "two workers"},
			&state.ChallengeJudged{Challenge: "C1", By: constitution.Critic, Judgment: state.Rejected, Reason: "one is no sample", Reopens: true}),
		"CV2 nothing": shown(),
		"CV3":         harmful(),
		"CV3 over":    over(harmful()),
		"CV4":         start().shows("P1", "a.go", ledger.Supports).scored("P1", 1, 0.8, 0.75, 0.8),
		"AC1":         agreed().add(&state.OverrideMade{What: state.OverrideDismiss, Point: "P1", Reason: "beside the matter"}),
		"AC6 worded": agreed().add(
			&state.PointRaised{ID: "P2", By: constitution.Moderator, For: constitution.Strategist, Text: "Every job of a worker is run", Revises: "P1"},
			&state.PointRevised{Point: "P1", New: "P2", By: constitution.Moderator}),
		"AC7": agreed().doubted("C1", "P1").add(&state.ChallengeDropped{Challenge: "C1"}, &state.ChallengeReminded{Challenge: "C1"}, &state.ChallengeUndefended{Challenge: "C1"}),
	}
}

// sections formats what a format adds to the explanation of a ruling.
func sections(s *state.State, r *state.Ruling) string {
	var b strings.Builder
	for _, sec := range view.FormatOf(s).Why(s, r) {
		fmt.Fprintf(&b, "  %s\n", sec.Title)
		for _, line := range sec.Lines {
			fmt.Fprintf(&b, "    %s\n", line)
		}
		for i := range sec.Items {
			it := &sec.Items[i]
			fmt.Fprintf(&b, "    %s %s: %s %q\n", it.ID, it.Mark, it.Text, it.Notes)
		}
		if sec.After != "" {
			fmt.Fprintf(&b, "    %s\n", sec.After)
		}
	}
	return b.String()
}

// Each rule of a council reads as its golden file says: what it decided, why, how
// the seats stand, and what would change it.
func TestCouncilExplainGolden(t *testing.T) {
	seen := map[string]bool{}
	for name, s := range validated(t) {
		rule, _, _ := strings.Cut(name, " ")
		seen[rule] = true
		point := "P1"
		if rule == "CV3" {
			point = "P2"
		}
		e := protocoltest.Explain(t, s.State, point)
		if e.Rule != rule {
			t.Errorf("%s: %s fired (%s)", name, e.Rule, e.Ruling.Reason)
		}
		protocoltest.Golden(t, *update, strings.ReplaceAll(name, " ", "-"), protocoltest.Explained(&e)+sections(s.State, &e.Ruling))
	}
	said := map[string]bool{}
	for _, rule := range []string{"CV", "CV1", "CV2", "CV3", "CV4"} {
		says := council.Format{}.Rulings().Says(rule)
		if !seen[rule] || !strings.HasSuffix(says, ".") || said[says] {
			t.Errorf("%s: no session shows it, or it says nothing of its own: %q", rule, says)
		}
		said[says] = true
	}
}

// seatedCouncil is a council with the claim P1 of the strategist, in round 1.
func seatedCouncil(t testing.TB) seated {
	t.Helper()
	settings := &council.Settings{Rounds: 3, Weights: council.DefaultWeights(), Decision: council.DefaultDecision, Constitution: constitution.Constitution{
		Name: "test", Constraints: []constitution.Constraint{{ID: "no-harm", Seat: constitution.Strategist, Text: "Recommend no deletion.", Check: constitution.CheckNoHarm, Deny: []string{"delete"}}},
	}}
	return seated{&protocoltest.Desk{T: t, State: &state.State{}, Quiet: true}}.add(
		&state.SessionOpened{
			Rules:   formats.ByName(council.Name),
			Version: state.Version, ID: "s", Question: "Is every job run?",
			Settings: state.Settings{Format: council.Name, Mode: state.ModeStandard, Attended: true, Own: settings},
			Seats:    []state.SeatAssignment{{Seat: constitution.Strategist}, {Seat: constitution.Critic}, {Seat: constitution.Adversary}, {Seat: constitution.Moderator}},
		},
		&state.RoundStarted{Round: 1},
		&state.PointRaised{ID: "P1", By: constitution.Strategist, Text: "Every job is run"},
		&state.PointTriaged{Point: "P1", By: state.Protocol, Scope: state.InScope},
	)
}

// scored has the seats report their confidence in a claim, in the order in which
// they speak; less than 0 is no report.
func (s seated) scored(point string, scores ...float64) seated {
	for i, seat := range []state.Seat{constitution.Strategist, constitution.Critic, constitution.Adversary, constitution.Moderator} {
		if i < len(scores) && scores[i] >= 0 {
			s.add(&state.ConfidenceReported{Seat: seat, Point: point, Stated: scores[i], Admitted: scores[i], Cause: "one source"})
		}
	}
	return s
}

// doubted is a challenge of the critic's.
func (s seated) doubted(id, point string) seated {
	return s.add(&state.ChallengeRaised{ID: id, Point: point, By: constitution.Critic, Kind: state.Skeptical, Objection: "the sample is one worker", UpgradeIf: "a second worker"})
}

// shows brings verified evidence of a file.
func (s seated) shows(point, file string, relation ledger.Relation) seated {
	id := state.NextID('E', s.State.Evidence.Len())
	return s.add(
		&state.EvidenceOffered{ID: id, Point: point, Relation: relation, Reference: file + ":1", Quote: "acked", By: constitution.Strategist},
		&state.EvidenceVerified{ID: id, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Reference: file + ":1", Excerpt: "acked", Admitted: true},
		&state.EvidenceAccepted{ID: id, By: constitution.Moderator},
	)
}

// tested ends the round.
func (s seated) tested() seated {
	return s.add(&council.ConsensusTested{Consensus: council.ConsensusOf(s.State)})
}
