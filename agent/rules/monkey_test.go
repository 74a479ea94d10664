package rules_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"moot/ledger"
	"moot/protocol"
	"moot/state"
)

// monkey makes random moves with ids that exist, and some that do not.
type monkey struct {
	// Seats may be asked at the same time.
	mutex  sync.Mutex
	random *rand.Rand
	s      *state.State
}

func (*monkey) Name() string    { return "monkey" }
func (*monkey) Modelless() bool { return true }

func (m *monkey) Reply(_ context.Context, call protocol.Call, _ func(protocol.Delta)) (protocol.Reply, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.s = &call.State
	if m.random.IntN(12) == 0 {
		return protocol.Reply{Text: "???"}, nil
	}
	var moves []protocol.Move
	for range m.random.IntN(9) {
		moves = append(moves, m.move(call.Ask.Moves[m.random.IntN(len(call.Ask.Moves))]))
	}
	text, err := protocol.EncodeMoves(moves)
	return protocol.Reply{Text: text}, err
}

func pick[T any](m *monkey, of ...T) T { return of[m.random.IntN(len(of))] }

func (m *monkey) id(prefix string, n int) string {
	return fmt.Sprintf("%s%d", prefix, 1+m.random.IntN(n+1))
}

func (m *monkey) point() string     { return m.id("P", m.s.Points.Len()) }
func (m *monkey) challenge() string { return m.id("C", m.s.Challenges.Len()) }

func (m *monkey) text() string {
	return pick(m, "The queue retries a job three times", "the queue retries the job three times", "The queue does not retry a job three times",
		"Postgres is better", "we should keep Postgres", "E1 shows it", "leases expire after 30 seconds. They do", "no flaw", "x",
		"docs/operations.md:19 says that leases expire", "the wait is min(base<<attempt, ceiling)", "é\u202ex\x1b[2J")
}

func (m *monkey) citations() []protocol.Citation {
	var found []protocol.Citation
	for range m.random.IntN(3) {
		found = append(found, m.citation())
	}
	return found
}

func (m *monkey) citation() protocol.Citation {
	return protocol.Citation{
		Reference: pick(m, "internal/backoff/backoff.go:1", "internal/queue/transition.go:46", "README.md:3", "nowhere.go:1", "nonsense"),
		Quote:     pick(m, "// Package backoff computes how long to wait before a job is tried again.", "backoff.Delay(j.Attempt)", "Ferry is a small job queue", "made up"),
		Relation:  pick(m, ledger.Relations()...), Direct: pick(m, true, false),
	}
}

func (m *monkey) move(kind protocol.MoveKind) protocol.Move {
	share := m.random.Float64()
	switch kind {
	case protocol.MoveRaise:
		return &protocol.Raise{Text: m.text() + pick(m, "", " "+m.text()), ValueJudgment: pick(m, true, false), Citations: m.citations(), Confidence: &share}
	case protocol.MoveTriage:
		t := &protocol.Triage{Point: m.point(), Scope: pick(m, state.InScope, state.InScope, state.OutOfScope, state.AnchorShift), Reason: "r"}
		if pick(m, true, false) {
			t.Other, t.SameSubject, t.Opposed, t.Alike = m.point(), true, pick(m, true, false), pick(m, true, false)
		}
		return t
	case protocol.MoveMerge:
		return &protocol.Merge{Into: m.point(), From: []string{m.point()}}
	case protocol.MoveClassify:
		return &protocol.Classify{
			Point: m.point(), Class: pick(m, state.Classes()...), Flaw: m.text(), Reason: m.text(), UpgradeIf: "u", FlawKind: state.Empirical,
			Grounds: "g", WhyNotSkeptical: "w", ValueJudgment: pick(m, true, false), Citations: m.citations(), Confidence: &share, Because: pick(m, "", "because of E1"),
		}
	case protocol.MoveChallenge:
		return &protocol.Challenge{Point: m.point(), Class: pick(m, state.Skeptical, state.Reject), Flaw: m.text(), UpgradeIf: "u", FlawKind: state.Value, Grounds: "g", WhyNotSkeptical: "w"}
	case protocol.MoveSynthesize:
		return &protocol.Synthesize{Text: m.text(), Agreement: pick(m, true, false), Open: []string{m.point()}}
	case protocol.MoveDefend:
		return &protocol.Defend{Challenge: pick(m, "", m.challenge(), m.challenge()), Text: m.text(), Citations: m.citations()}
	case protocol.MoveConcede:
		return &protocol.Concede{Challenge: m.challenge(), Reason: "r"}
	case protocol.MoveJudge:
		return &protocol.Judge{Challenge: m.challenge(), Judgment: pick(m, state.Accepted, state.Rejected), Reason: m.text(), Lift: pick(m, state.Agree, state.Skeptical)}
	case protocol.MoveRevise:
		return &protocol.Revise{Point: m.point(), Text: m.text(), Challenge: pick(m, "", m.challenge()), Because: "E1"}
	case protocol.MoveCite:
		return &protocol.Cite{Point: m.point(), Citation: m.citation()}
	case protocol.MoveContest:
		return &protocol.Contest{Evidence: m.id("E", m.s.Evidence.Len()), Reason: "r"}
	case protocol.MoveBlocked:
		return &protocol.Blocked{Challenge: m.challenge(), Point: m.point(), Measurement: "m", Threshold: "t", Below: "b", Above: pick(m, "", "a")}
	case protocol.MoveClarify:
		return &protocol.Clarify{Point: m.point(), Text: m.text()}
	case protocol.MoveScore:
		return &protocol.Score{Point: m.point(), Confidence: share, Cause: "E1"}
	case protocol.MoveSteelman:
		return &protocol.Steelman{Point: m.point(), Objection: m.text(), Grade: pick(m, state.StressGrades()...)}
	case protocol.MoveFlag:
		return &protocol.FlagMove{Flag: pick(m, protocol.FlagKinds()...), Text: m.text(), Point: m.point(), Fact: "F1"}
	case protocol.MovePropose, protocol.MoveWithdraw, protocol.MoveObject, protocol.MoveRequest, protocol.MoveSupply, protocol.MoveNoObjection,
		protocol.MoveClaim, protocol.MoveContradict, protocol.MoveAnswer, protocol.MoveConclude:
		// They are those of other formats than the one that is played here.
	}
	return nil
}

// TestAnyState seats rules across from somebody who makes random moves: each
// session ends, and every reply of rules is valid and admitted whole.
func TestAnyState(t *testing.T) {
	sessions := 120
	if testing.Short() {
		sessions = 20
	}
	for seed := range sessions {
		random := rand.New(rand.NewPCG(7, uint64(seed)))
		framings, modes := state.Framings(), state.Modes()
		b := newTable(framings[seed%len(framings)], modes[random.IntN(len(modes))])
		b.settings.HighStakes = random.IntN(2) == 0
		m := &monkey{random: random}
		switch seed % 4 {
		case 0:
			b.sit(state.Orchestrator, m)
		case 1:
			b.sit(state.Consultee, m)
		case 2:
			b.sit("consultee-2", m)
		case 3:
			// Two seats are asked at once: each has its own.
			other := &monkey{random: rand.New(rand.NewPCG(8, uint64(seed)))}
			b.sit(state.Orchestrator, m).sit("consultee-2", other)
		}
		b.sit(state.Arbiter, blind())
		t.Run(fmt.Sprintf("%d %s", seed, b.settings.Framing), func(t *testing.T) { b.run(t) })
	}
}
