package council_test

import (
	"fmt"
	"strings"
	"testing"

	"moot/ledger"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/move"
	"moot/protocol/protocoltest"
	"moot/state"
)

// tested is a council in round 1, where a claim was challenged by the critic and is
// defended, the adversary challenged it too, and the strategist was asked for evidence.
func tested(t *testing.T, change ...func(*state.SessionOpened)) *protocoltest.Desk {
	t.Helper()
	d := protocoltest.New(t, protocoltest.Opened(council.Name, change...))
	d.Append(
		&state.RoundStarted{Round: 1},
		&state.FactRecorded{ID: "F1", Tag: ledger.TagUser, Seat: state.User, Text: "the budget is 5 ms"},
		&state.PointRaised{ID: "P1", By: constitution.Strategist, Text: "The cache answers in 2 ms"},
		&council.ClaimLimited{Point: "P1", By: constitution.Strategist, Limit: "warm runs"},
		&state.PointTriaged{Point: "P1", By: state.Protocol, Scope: state.InScope},
		&state.ConfidenceReported{
			Seat: constitution.Strategist, Point: "P1", Stated: 0.85, Admitted: 0.85,
			Cause: "one machine",
		},
		&state.EvidenceOffered{
			ID: "E1", Point: "P1", Relation: ledger.Supports, Reference: "bench/run.txt:3",
			By: constitution.Strategist,
		},
		&state.EvidenceVerified{
			ID: "E1", Type: ledger.Textual, SourceKind: ledger.DomainEvidence,
			Reference: "bench/run.txt:3", Excerpt: "2 ms", Admitted: true,
		},
		&state.ReplyReceived{Seat: constitution.Strategist, Stage: state.StagePropose, Valid: true},
		&state.ChallengeRaised{
			ID: "C1", Point: "P1", By: constitution.Critic, Kind: state.Skeptical, Objection: "One machine is no sample",
			UpgradeIf: "a second machine is cited",
			Narrower:  "It answers in 2 ms on that machine",
		},
		&state.ConfidenceReported{
			Seat: constitution.Critic, Point: "P1", Stated: 0.55, Admitted: 0.55,
			Cause: "a lone benchmark",
		},
		&council.ClaimMarkedKey{Point: "P1", By: constitution.Critic},
		&state.FactRecorded{
			ID: "F2", Tag: ledger.TagUnverified, Seat: constitution.Critic,
			Text: "the machine had no other load",
		},
		&state.Requested{
			Point: "P1", Kind: state.RequestEvidence, Of: []state.Seat{constitution.Strategist},
			By: constitution.Critic, Text: "the figure of a cold run",
		},
		&state.ReplyReceived{Seat: constitution.Critic, Stage: council.StageCritique, Valid: true},
		&state.ChallengeRaised{
			ID: "C2", Point: "P1", By: constitution.Adversary, Kind: state.Skeptical,
			Objection: "A full disk stops it", UpgradeIf: "a run with a full disk",
		},
		&state.ConfidenceReported{
			Seat: constitution.Adversary, Point: "P1", Stated: 0.65, Admitted: 0.65,
			Cause: "disks do fill",
		},
		&state.EvidenceOffered{
			ID: "E2", Point: "P1", Relation: ledger.Refutes, Reference: "docs/issues.md:7",
			Quote: "stalls", By: constitution.Adversary,
		},
		&state.FactRecorded{
			ID: "F3", Tag: ledger.TagUnverified, Seat: constitution.Adversary,
			Text: "disks fill up each month",
		},
		&state.ReplyReceived{Seat: constitution.Adversary, Stage: council.StageAttack, Valid: true},
	)
	return d
}

// JU8: what a seat of a council must know in a stage is in its prompt: the question,
// the user's facts, the claims with the confidences and their reasons, and what waits
// for it.
func TestEveryPromptOfACouncilIsComplete(t *testing.T) {
	d := tested(t)
	answer := []string{
		"C1 SKEPTICAL on P1, round 1, for you to answer: One machine is no sample",
		"it falls if: a second machine is cited",
		"this would stand: It answers in 2 ms on that machine", "C2 SKEPTICAL on P1", "To answer: C1 C2.",
	}
	held := []string{
		"C1 SKEPTICAL on P1, by critic, round 1, open: One machine is no sample",
		"C2 SKEPTICAL on P1, by adversary",
	}
	for _, c := range []struct {
		seat  state.Seat
		stage state.Stage
		holds []string
	}{
		{constitution.Strategist, state.StageAnswer, append([]string{"of a cold run"}, answer...)},
		{constitution.Strategist, state.StageRebut, answer},
		{constitution.Strategist, state.StageRemind, answer},
		{constitution.Critic, council.StageCritique, append([]string{"To test: P1."}, held...)},
		{constitution.Adversary, council.StageAttack, append([]string{"To test: P1."}, held...)},
		{constitution.Expert, council.StageAdvise, append([]string{"To test: P1.", "To score: P1."}, held...)},
		{
			constitution.Moderator, council.StageSynthesize,
			append([]string{
				"P1 is not accepted: ", "critic would accept this: It answers in 2 ms on that machine",
				"To score: P1.",
			}, held...),
		},
	} {
		p := d.PromptFor(c.seat, c.stage, move.KindScore)
		protocoltest.MustHold(t, p.System, "Your seat: "+string(c.seat)+".", "- SCORE ")
		protocoltest.MustHold(t, p.Text, append(c.holds,
			"<<DATA 5eed question", "Round 1 of 3.", "F1 [user]: the budget is 5 ms",
			"P1 [empirical; by strategist; round 1]: The cache answers in 2 ms",
			"P1: key claim; strategist 0.85; critic 0.55; adversary 0.65", "does not cover: warm runs",
			"critic says why: a lone benchmark",
			"E1 supports P1, by strategist, bench/run.txt:3, verified; does not count yet: 2 ms",
		)...)
		if t.Failed() {
			t.Fatalf("to the %s, to %s", c.seat, c.stage)
		}
	}
	d.Append(&state.ChallengeAnswered{Challenge: "C1", By: constitution.Strategist, Text: "A second machine gives 3 ms"})
	protocoltest.MustHold(t, d.PromptFor(constitution.Critic, state.StageJudge).Text,
		"C1 SKEPTICAL on P1, round 1: One machine is no sample",
		"defense by strategist, round 1, for you to judge: A second machine gives 3 ms", "To judge: C1.")
	protocoltest.MustHold(t, d.PromptFor(constitution.Moderator, council.StageSynthesize).Text,
		"strategist answered: A second machine gives 3 ms")
}

// CV3: a seat that must fix its text sees the constraint, the violation and its own words. Other seats do not see
// its constraints.
func TestPromptsToFixViolations(t *testing.T) {
	d := tested(t, func(o *state.SessionOpened) {
		o.Settings.Own.(*council.Settings).Constitution.Constraints = []constitution.Constraint{
			{ID: "how", Seat: constitution.Strategist, Text: "Say how.", Check: constitution.CheckFeasible},
			{
				ID: "method", Seat: constitution.Adversary, Text: "Attack\nhow it is known:\x0b" + strings.Repeat("so ", 400),
				Check: constitution.CheckMethod,
			},
			{ID: "calm", Seat: constitution.Adversary, Text: "Be calm."},
		}
	})
	d.Append(&council.ConstitutionViolated{
		Constraint: "method", Seat: constitution.Adversary, Point: "P1", Challenge: "C2",
		Text: "names no method",
	})
	p := d.PromptFor(constitution.Adversary, council.StageFix, move.KindChallenge)
	protocoltest.MustHold(t, p.System, "\nmethod: Attack how it is known: so so ",
		"… (checked by code: challenges-method)\ncalm: Be calm.\n")
	protocoltest.MustHold(t, p.Text, "method, C2 on P1: names no method", "you said: A full disk stops it",
		"CHALLENGE the claim again")
	if strings.Contains(p.System, "Say how.") {
		t.Error("the adversary is shown what binds the strategist")
	}
	if length := len(p.System) - len(d.PromptFor(constitution.Critic, council.StageFix,
		move.KindChallenge).System); length > 700 {
		t.Errorf("a constraint takes %d bytes of a prompt", length)
	}
	protocoltest.MustHold(t, d.PromptFor(constitution.Strategist, council.StageFix).Text, "CLARIFY with term limit")
}

// In parallel neither critic nor adversary is shown anything that the other said in
// the round, in whichever stage it is asked again; in the next round both are. One
// after the other they are shown it at once.
func TestParallelSeatsDoNotSeeEachOther(t *testing.T) {
	of := map[state.Seat][]string{
		constitution.Critic: {
			"One machine", "lone benchmark", "second machine", "no other load", "cold run",
			"on that machine", "key claim", "critic 0.55", "C1",
		},
		constitution.Adversary: {
			"full disk", "disks do fill", "issues.md", "fill up each month", "adversary 0.65", "C2",
			"E2",
		},
	}
	stages := []state.Stage{council.StageCritique, council.StageAttack, state.StageJudge, council.StageFix}
	for _, round := range []int{1, 2} {
		for _, parallel := range []bool{true, false} {
			d := tested(t, func(o *state.SessionOpened) { o.Settings.Own.(*council.Settings).Parallel = parallel })
			if round == 2 {
				d.Append(&state.RoundStarted{Round: 2})
			}
			for other, seat := range map[state.Seat]state.Seat{
				constitution.Critic:    constitution.Adversary,
				constitution.Adversary: constitution.Critic,
			} {
				for _, stage := range stages {
					shown := ""
					p := d.PromptFor(seat, stage)
					for _, word := range of[other] {
						if strings.Contains(p.Text, word) {
							shown += fmt.Sprintf(" %q", word)
						}
					}
					if blind := parallel && round == 1; blind != (shown == "") {
						t.Errorf("round %d, parallel %v: the %s, asked to %s, is shown%s of the %s:\n%s", round,
							parallel, seat, stage, shown, other, p.Text)
					}
				}
			}
		}
	}
}
