package store_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/ledger"
	"moot/state"
	"moot/state/store"
)

// talk returns n events of a session in the mix of a real one: of eight
// events, a prompt and a reply with their texts, their cost, and what the
// reply's moves became; every twelfth is a ruling.
func talk(n int) []state.Event {
	prompt := strings.Repeat("You evaluate the points of the other seat; cite what you claim.\n", 30)
	reply := strings.Repeat("The key is \"unique\": a duplicate is refused by the database <7>. ", 12)
	events := []state.Event{opened("Which queue?")}
	at := func(p state.Payload) {
		seq := len(events) + 1
		events = append(events, state.Event{Seq: seq, At: noon.Add(time.Duration(seq) * 1234567 * time.Microsecond), Data: p})
	}
	for i := 0; len(events) < n; i++ {
		point, challenge, item := state.NextID('P', i), state.NextID('C', i), state.NextID('E', i)
		at(&state.PromptSent{Seat: "consultee", Stage: state.StagePropose, System: "You are a consultee.", Text: prompt, Omitted: []string{}})
		at(&state.ReplyReceived{Seat: "consultee", Stage: state.StagePropose, Text: reply, Model: "m-1", Valid: true})
		at(&state.UsageCounted{Seat: "consultee", Calls: 1, PromptTokens: 812, CompletionTokens: 211, Cost: 0.0031, Attempts: 1, TookMillis: 4021})
		at(&state.PointRaised{ID: point, By: "consultee", Text: fmt.Sprintf("The queue of shard %d keeps the order of its entries.", i)})
		at(&state.PointTriaged{Point: point, By: "orchestrator", Scope: state.InScope, Reason: "it answers the question"})
		at(&state.PointClassified{Point: point, By: "orchestrator", Class: state.Skeptical, Reason: "no source"})
		at(&state.ChallengeRaised{ID: challenge, Point: point, By: "orchestrator", What: state.Skeptical, Objection: "Nothing in the code says so.", UpgradeIf: "a line is cited"})
		at(&state.EvidenceOffered{ID: item, Point: point, Relation: ledger.Supports, Reference: "queue/order.go:88", Quote: "sort.Stable(entries)", By: "consultee"})
		at(&state.EvidenceVerified{
			ID: item, Type: ledger.Textual, SourceKind: ledger.DomainEvidence, Confidence: ledger.ConfidenceInPlace,
			Reference: "queue/order.go:88", Excerpt: "sort.Stable(entries)", Digest: ledger.Digest(nil), Admitted: true, Reason: "found in place",
		})
		at(&state.ChallengeAnswered{Challenge: challenge, By: "consultee", Text: "queue/order.go sorts them in a stable way."})
		at(&state.ChallengeJudged{Challenge: challenge, By: "orchestrator", Judgment: state.Accepted, Reason: "the line says so"})
		at(&state.Ruled{Round: 1, Rulings: []state.Ruling{{
			Point: point, Bucket: state.BucketAgreed, Tag: state.TagTextual, Reason: "the challenge was answered with a verified quote",
			Receipt: state.Receipt{Rule: "AC16", Reads: []string{challenge, item}},
		}}})
	}
	return events[:n]
}

// file returns the text of the file that holds the events, written in units of
// so many.
func file(t testing.TB, events []state.Event, unit int) []byte {
	t.Helper()
	var memory store.Memory
	for some := range slices.Chunk(events, unit) {
		if err := memory.Append(some); err != nil {
			t.Fatal(err)
		}
	}
	return []byte(strings.Join(memory.Lines(), "\n") + "\n")
}

// One unit is what one reply brings: four events.
func benchmarkAppend(b *testing.B, options ...store.Option) {
	f, err := store.Create(b.TempDir(), "s1", options...)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	if err := f.Append([]state.Event{opened("q")}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := f.Append(points(f.Len()+1, 4)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendSync(b *testing.B) { benchmarkAppend(b) }

func BenchmarkAppendNoSync(b *testing.B) { benchmarkAppend(b, store.WithoutSync()) }

// Reading is decoding and folding, as at the opening of a session.
func benchmarkRead(b *testing.B, n int) {
	text := file(b, talk(n), 4)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		got, err := store.Decode(bytes.NewReader(text), "")
		if err != nil {
			b.Fatal(err)
		}
		if s, err := state.Replay(got.Events); err != nil || s.Seq != n {
			b.Fatal(s.Seq, err)
		}
	}
}

func BenchmarkRead10000(b *testing.B) { benchmarkRead(b, 10_000) }

func BenchmarkRead100000(b *testing.B) { benchmarkRead(b, 100_000) }

func BenchmarkVerify10000(b *testing.B) {
	text := file(b, talk(10_000), 4)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, _, err := store.VerifyChain(bytes.NewReader(text), ""); err != nil {
			b.Fatal(err)
		}
	}
}
