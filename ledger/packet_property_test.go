package ledger_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"moot/ledger"
)

// anyValue draws a JSON value as a program might write it.
func anyValue(depth int) *rapid.Generator[any] {
	plain := []*rapid.Generator[any]{
		rapid.Just[any](nil), rapid.Bool().AsAny(), rapid.String().AsAny(), rapid.Float64().AsAny(),
		rapid.Int64().AsAny(), rapid.Just[any](json.Number("1e3")),
		rapid.Just[any](json.Number("123456789012345678901234567890.50")),
		rapid.SampledFrom([]any{"<script>", "\u2028", "\x00", "é\"\\"}),
	}
	if depth > 0 {
		plain = append(
			plain,
			rapid.SliceOfN(anyValue(depth-1), 0, 3).AsAny(),
			rapid.MapOfN(rapid.String(), anyValue(depth-1), 0, 3).AsAny(),
		)
	}
	return rapid.OneOf(plain...)
}

func anyFact(id string) *rapid.Generator[ledger.PacketFact] {
	word := rapid.StringN(1, 8, -1)
	return rapid.Custom(func(t *rapid.T) ledger.PacketFact {
		text, err := json.Marshal(anyValue(2).Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		value, err := ledger.ParseValue(text)
		if err != nil {
			t.Fatal(err)
		}
		return ledger.PacketFact{
			ID: id, Entity: word.Draw(t, "entity"),
			EntityType: rapid.SampledFrom(ledger.EntityTypes()).Draw(t, "entity type"),
			Field:      word.Draw(t, "field"), Value: value,
			At:            opens().Add(time.Duration(rapid.Int64Range(0, int64(time.Hour)).Draw(t, "time"))),
			SourceType:    rapid.SampledFrom(ledger.SourceTypes()).Draw(t, "source type"),
			SourceID:      word.Draw(t, "source"),
			ParserVersion: rapid.String().Draw(t, "parser"), Raw: rapid.String().Draw(t, "raw"),
		}
	})
}

func packetOf(tb rapid.TB, facts []ledger.PacketFact) *ledger.Packet {
	tb.Helper()
	p, err := ledger.NewPacket("p", opens(), opens().Add(time.Hour))
	if err != nil {
		tb.Fatal(err)
	}
	for i := range facts {
		if err := p.Add(facts[i]); err != nil {
			tb.Fatal(err)
		}
	}
	if _, err := p.Freeze(); err != nil {
		tb.Fatal(err)
	}
	return p
}

func anyFacts(t *rapid.T) []ledger.PacketFact {
	facts := make([]ledger.PacketFact, rapid.IntRange(1, 4).Draw(t, "facts"))
	for i := range facts {
		facts[i] = anyFact(fmt.Sprintf("f%d", i)).Draw(t, "fact")
	}
	return facts
}

// rewritten is JSON as other programs write it.
func rewritten(t *rapid.T, text []byte) map[string][]byte {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var all any
	if err := decoder.Decode(&all); err != nil {
		t.Fatal(err)
	}
	// The keys are sorted, and <, > and & escaped.
	sorted, err := json.MarshalIndent(all, " ", "\t")
	if err != nil {
		t.Fatal(err)
	}
	var ascii strings.Builder
	for _, r := range string(text) {
		switch {
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&ascii, `\u%04X\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		case r > '~':
			fmt.Fprintf(&ascii, `\u%04x`, r)
		default:
			ascii.WriteRune(r)
		}
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"as it was written": text, "sorted": sorted, "in ASCII": []byte(ascii.String()),
		"compact": compact.Bytes(),
	}
}

// Whatever writes a packet to JSON, it is the same packet when it is read.
func TestAPacketIsTheSameHoweverItIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := packetOf(t, anyFacts(t))
		var text bytes.Buffer
		if err := p.Write(&text); err != nil {
			t.Fatal(err)
		}
		for how, text := range rewritten(t, text.Bytes()) {
			back, err := ledger.ReadPacket(bytes.NewReader(text), how)
			if err != nil {
				t.Fatalf("%s: %s\n%s", how, err, text)
			}
			if back.Digest() != p.Digest() {
				t.Fatalf("%s has the digest %s, not %s:\n%s", how, back.Digest(), p.Digest(), text)
			}
			for i, f := range p.All() {
				if back.At(i) != f {
					t.Fatalf("%s: fact %d is %+v, not %+v", how, i, back.At(i), f)
				}
			}
		}
	})
}

// FuzzReadPacket reads anything. What it takes it gives back the same, by every way.
func FuzzReadPacket(f *testing.F) {
	f.Add(inPacket(goodFact()))
	f.Add(inPacket(goodFact("ok", `\u003c\ud83d\ude00`), goodFact("f1", "f2", `"ok"`, `{"b":[1.0,-0,1e400],"a":null}`)))
	f.Add(`{"facts":[` + goodFact("Z", "+00:00") +
		`],"window":["2026-11-21T10:00:00","2026-11-21 11:00:00"],"packet_id":"p"}`)
	f.Add(inPacket(goodFact(), goodFact()))
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ledger.ReadPacket(strings.NewReader(text), "fuzz.json")
		_, mistakes, failed := ledger.CheckPacket(strings.NewReader(text), "fuzz.json", 100)
		if failed != nil || (err == nil) != (len(mistakes) == 0) {
			t.Fatalf("it is read with %v, and checked with %v, %v", err, mistakes, failed)
		}
		if err != nil {
			if err.Error() != mistakes[0].Error() {
				t.Fatalf("the first mistake is %q, and it says %q", mistakes[0], err)
			}
			return
		}
		var once bytes.Buffer
		if err := p.Write(&once); err != nil {
			t.Fatal(err)
		}
		var chunks []json.RawMessage
		for chunk := range p.Chunks() {
			chunks = append(chunks, chunk)
		}
		if _, err := ledger.RestorePacket(p.Seal(), chunks); err != nil {
			t.Fatalf("%s\n%s", err, once.Bytes())
		}
		again, err := ledger.ReadPacket(&once, "again.json")
		if err != nil || again.Digest() != p.Digest() {
			t.Fatalf("read again it is another: %v\n%s", err, once.Bytes())
		}
	})
}
