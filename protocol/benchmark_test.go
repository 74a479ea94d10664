package protocol_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// manyEvents is a session of about n events: points that are triaged, judged,
// challenged, answered, supported by evidence, and facts.
func manyEvents(n int) []state.Event {
	var events []state.Event
	add := func(p state.Payload) { events = append(events, state.Event{Seq: len(events) + 1, Data: p}) }
	add(opened())
	add(&state.RoundStarted{Round: 1})
	add(&state.PhaseChanged{Phase: state.Constructive})
	for i := 1; len(events) < n; i++ {
		p, c, e := fmt.Sprintf("P%d", i), fmt.Sprintf("C%d", i), fmt.Sprintf("E%d", i)
		add(&state.PointRaised{ID: p, By: state.Consultee, Text: "The handler of queue " + p + " acknowledges late"})
		add(&state.PointTriaged{Point: p, By: state.Orchestrator, Scope: state.InScope})
		add(&state.EvidenceOffered{ID: e, Point: p, Relation: ledger.Supports, Reference: "queue/consumer.go:88",
			Quote: "ack(job)", By: state.Consultee})
		add(&state.EvidenceVerified{ID: e, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: 0.95,
			Reference: "queue/consumer.go:88", Excerpt: "ack(job)", Admitted: true})
		add(&state.FactRecorded{ID: fmt.Sprintf("F%d", i), Tag: ledger.TagVerified, Seat: state.Consultee,
			Text: "ack(job) " + p, Reference: "queue/consumer.go:88"})
		add(&state.PointClassified{Point: p, By: state.Orchestrator, Class: state.Skeptical,
			Reason: "one line is no proof"})
		add(&state.ChallengeRaised{ID: c, Point: p, By: state.Orchestrator, What: state.Skeptical,
			Objection: "one line is no proof", UpgradeIf: "its caller is cited"})
		add(&state.ChallengeAnswered{Challenge: c, By: state.Consultee, Text: "it has one caller"})
		add(&state.ChallengeJudged{Challenge: c, By: state.Orchestrator, Judgment: state.Accepted,
			Reason: "the caller is shown"})
		add(&state.ConfidenceReported{Seat: state.Consultee, Point: p, Stated: 0.8, Admitted: 0.8})
	}
	return events
}

// BenchmarkReplay folds a session and rules once at the end. Target: 100 ms
// for 10,000 events, 1.2 s for 100,000.
func BenchmarkReplay(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		events := manyEvents(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s, err := state.Replay(events)
				if err != nil {
					b.Fatal(err)
				}
				resolver.Rule(s)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(events)), "ns/event")
		})
	}
}

// BenchmarkRulings rules 1,000 points from nothing, and again after one of
// them changed.
func BenchmarkRulings(b *testing.B) {
	s, err := state.Replay(manyEvents(10_003))
	if err != nil {
		b.Fatal(err)
	}
	b.Run("full", func(b *testing.B) {
		for b.Loop() {
			resolver.Rule(s)
		}
	})
	changed, err := state.Apply(s, state.Event{Seq: s.Seq + 1,
		Data: &state.PointDeadlocked{Point: "P500", Class: state.DeadlockCriteria}})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("one changed", func(b *testing.B) {
		ruler := resolver.NewRuler()
		for i := 0; b.Loop(); i++ {
			if i%2 == 0 {
				ruler(s)
			} else {
				ruler(changed)
			}
		}
	})
}

// BenchmarkLoop runs whole sessions over participants that answer at once:
// what the loop adds to a call, parsing included. Target: under 1 ms of CPU.
func BenchmarkLoop(b *testing.B) {
	parser, err := theParser()
	if err != nil {
		b.Fatal(err)
	}
	calls := 0
	seats := agreeable()
	for name, p := range seats {
		seats[name] = counting{p, &calls}
	}
	for b.Loop() {
		log := &record{}
		first := state.Event{Seq: 1, Data: opened()}
		s, err := state.Apply(state.State{}, first)
		if err != nil {
			b.Fatal(err)
		}
		r := protocol.NewRunner(protocol.Options{
			Format: protocol.Consult{}, State: s, Log: log, Participants: seats, Researcher: checks{},
			Parser: parser, Now: time.Now,
		})
		if err := r.Run(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(calls), "µs/call")
}

type counting struct {
	protocol.Participant
	calls *int
}

func (c counting) Reply(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
	*c.calls++
	return c.Participant.Reply(ctx, call, watch)
}
