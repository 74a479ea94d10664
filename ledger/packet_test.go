package ledger_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"moot/ledger"
)

// moment0 is when the windows of tests begin.
func moment0() time.Time { return time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC) }

// sample is a packet of some facts, not frozen yet.
func sample(tb testing.TB, count int) *ledger.Packet {
	tb.Helper()
	p, err := ledger.NewPacket("case-1", moment0(), moment0().Add(24*time.Hour))
	if err != nil {
		tb.Fatal(err)
	}
	for i := range count {
		if err := p.Add(sampleFact(i)); err != nil {
			tb.Fatal(err)
		}
	}
	return p
}

func sampleFact(i int) ledger.PacketFact {
	return ledger.PacketFact{
		ID: fmt.Sprintf("f%d", i), Entity: fmt.Sprintf("host-%d", i%50), EntityType: ledger.EntityNode, Field: "event_id",
		Value: ledger.Value(fmt.Sprint(4600 + i%100)), At: moment0().Add(time.Duration(i%86400) * time.Second),
		SourceType: ledger.SourceAuthLog, SourceID: "dc-1/security.evtx", ParserVersion: "1.0",
		Raw: fmt.Sprintf("An account was logged on: record %d", i),
	}
}

func TestChunksGiveThePacketBack(t *testing.T) {
	p := sample(t, 20_000)
	digest, err := p.Freeze()
	if err != nil {
		t.Fatal(err)
	}
	chunks := slices.Collect(p.Chunks())
	if len(chunks) < 3 {
		t.Errorf("%d chunks", len(chunks))
	}
	for i, chunk := range chunks {
		// As an event of a session is written and read.
		text, err := json.Marshal(map[string]json.RawMessage{"facts": chunk})
		if err != nil {
			t.Fatal(err)
		}
		var event map[string]json.RawMessage
		if err := json.Unmarshal(text, &event); err != nil {
			t.Fatal(err)
		}
		chunks[i] = event["facts"]
	}
	back, err := ledger.RestorePacket(p.Seal(), chunks)
	if err != nil {
		t.Fatal(err)
	}
	if back.Digest() != digest {
		t.Errorf("the digest is %s, not %s", back.Digest(), digest)
	}
}
