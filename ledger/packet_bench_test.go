package ledger_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"testing"

	"moot/ledger"
)

// written is a packet as another program may write it: with white space, and with its
// facts last.
func written(count int) []byte {
	var text bytes.Buffer
	text.Grow(count*400 + 200)
	text.WriteString(`{"packet_id": "large", "window": ["2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"], "facts": [`)
	for i := range count {
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, "\n  "+`{"id": "fact-%07d", "entity": "host-%d", "entity_type": "node", "field": "event_id", "value": %d, `+
			`"timestamp": "2026-11-21T%02d:%02d:%02dZ", "source_type": "auth_log", "source_id": "dc-1/security.evtx", "parser_version": "1.0", `+
			`"raw": "<13>Nov 21 host sshd[%d]: Accepted publickey for \"deploy\" from 10.0.%d.%d port 22 ssh2"}`,
			i, i%5000, 4600+i%100, i/3600%24, i/60%60, i%60, i, i/256%256, i%256)
	}
	text.WriteString("\n]}\n")
	return text.Bytes()
}

// BenchmarkReadPacket reads, checks and freezes a packet.
func BenchmarkReadPacket(b *testing.B) {
	for _, count := range []int{20, 1_000_000} {
		b.Run(fmt.Sprintf("%d_facts", count), func(b *testing.B) {
			text := written(count)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ledger.ReadPacket(bytes.NewReader(text), "large.json"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkChunks takes a packet apart, and puts it together again.
func BenchmarkChunks(b *testing.B) {
	p, err := ledger.ReadPacket(bytes.NewReader(written(100_000)), "large.json")
	if err != nil {
		b.Fatal(err)
	}
	var chunks []json.RawMessage
	b.Run("apart", func(b *testing.B) {
		for b.Loop() {
			chunks = slices.Collect(p.Chunks())
		}
	})
	b.Run("together", func(b *testing.B) {
		for b.Loop() {
			if _, err := ledger.RestorePacket(p.Seal(), chunks); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkWritePacket writes a packet of 100,000 facts.
func BenchmarkWritePacket(b *testing.B) {
	p, err := ledger.ReadPacket(bytes.NewReader(written(100_000)), "large.json")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := p.WriteTo(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
