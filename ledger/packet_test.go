package ledger_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/ledger"
)

// opens is when the windows of tests begin.
func opens() time.Time { return time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC) }

// sample is a packet of some facts, not frozen yet.
func sample(tb testing.TB, count int) *ledger.Packet {
	tb.Helper()
	p, err := ledger.NewPacket("case-1", opens(), opens().Add(24*time.Hour))
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
		ID: fmt.Sprintf("f%d", i), Entity: fmt.Sprintf("host-%d", i%50), EntityType: ledger.EntityNode,
		Field: "event_id",
		Value: ledger.Value(fmt.Sprint(4600 + i%100)), At: opens().Add(time.Duration(i%86400) * time.Second),
		SourceType: ledger.SourceAuthLog, SourceID: "dc-1/security.evtx", ParserVersion: "1.0",
		Raw: fmt.Sprintf("An account was logged on: record %d", i),
	}
}

func freeze(tb testing.TB, p *ledger.Packet) string {
	tb.Helper()
	digest, err := p.Freeze()
	if err != nil {
		tb.Fatal(err)
	}
	return digest
}

func TestWhatCannotBeAdded(t *testing.T) {
	for says, change := range map[string]func(*ledger.PacketFact){
		`fact 2: id: it is missing`:                              func(f *ledger.PacketFact) { f.ID = "" },
		`fact "f0": id: another fact has this id`:                func(f *ledger.PacketFact) { f.ID = "f0" },
		`fact "f1": entity: it is missing`:                       func(f *ledger.PacketFact) { f.Entity = "" },
		`fact "f1": field: it is missing`:                        func(f *ledger.PacketFact) { f.Field = "" },
		`fact "f1": raw: it is not valid UTF-8`:                  func(f *ledger.PacketFact) { f.Raw = "\xff" },
		`fact "f1": value: it is missing`:                        func(f *ledger.PacketFact) { f.Value = "" },
		`fact "f1": value: it is not valid JSON`:                 func(f *ledger.PacketFact) { f.Value = "nope" },
		`fact "f1": source_id: it is missing: source_type and`:   func(f *ledger.PacketFact) { f.SourceID = "" },
		`fact "f1": source_type: it is missing: source_type and`: func(f *ledger.PacketFact) { f.SourceType = "" },
		`fact "f1": source_type: unknown source type "sys"`:      func(f *ledger.PacketFact) { f.SourceType = "sys" },
		`fact "f1": entity_type: it is missing`:                  func(f *ledger.PacketFact) { f.EntityType = "" },
		`fact "f1": timestamp: 2026-11-21T09:59:59Z is outside`:  func(f *ledger.PacketFact) { f.At = opens().Add(-time.Second) },
	} {
		p := sample(t, 1)
		f := sampleFact(1)
		change(&f)
		err := p.Add(f)
		var wrong *ledger.PacketError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), `packet "case-1": `+says) {
			t.Errorf("it says %v, want %s", err, says)
		}
		if p.Len() != 1 {
			t.Errorf("%s: it was added all the same", says)
		}
	}
}

func TestWhatIsNoPacket(t *testing.T) {
	for says, open := range map[string]func() (*ledger.Packet, error){
		`packet "": packet_id: it is missing`: func() (*ledger.Packet,
			error,
		) {
			return ledger.NewPacket("", opens(), opens())
		},
		`packet "a": window: it ends at 2026-11-21T09:00:00Z, before it begins at 2026-11-21T10:00:00Z`: func() (*ledger.Packet, error) {
			return ledger.NewPacket("a", opens(), opens().Add(-time.Hour))
		},
		"packet \"a\xff\": packet_id: it is not valid UTF-8": func() (*ledger.Packet, error) {
			return ledger.NewPacket("a\xff", opens(), opens())
		},
		`packet "a": window: it is outside of the years 0 to 9999 in UTC`: func() (*ledger.Packet, error) {
			return ledger.NewPacket("a", opens(), opens().AddDate(9000, 0, 0))
		},
		`packet "case-1": facts: there are none`: func() (*ledger.Packet, error) {
			p := sample(t, 0)
			_, err := p.Freeze()
			return nil, err
		},
	} {
		if p, err := open(); p != nil || err == nil ||
			!strings.Contains(strings.ReplaceAll(err.Error(), `\xff`, "\xff"), says) {
			t.Errorf("it says %v, want %s", err, says)
		}
	}
}

// The digest is the SHA-256 of the file.
func TestTheDigestIsThatOfTheBytes(t *testing.T) {
	p := sample(t, 2000)
	digest := freeze(t, p)
	var text bytes.Buffer
	if err := p.Write(&text); err != nil {
		t.Fatal(err)
	}
	if sum := fmt.Sprintf("sha256:%x", sha256.Sum256(text.Bytes())); sum != digest {
		t.Errorf("the digest is %s, that of the bytes %s", digest, sum)
	}
	if lines := bytes.Count(text.Bytes(), []byte("\n")); lines != 2002 {
		t.Errorf("%d lines", lines)
	}
	if back := read(t, text.String()); back.Digest() != digest {
		t.Errorf("read again it has the digest %s", back.Digest())
	}
}

func TestChunksGiveThePacketBack(t *testing.T) {
	p := sample(t, 20_000)
	digest := freeze(t, p)
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
	if back.Digest() != digest || back.Seal() != p.Seal() {
		t.Errorf("the digest is %s, not %s", back.Digest(), digest)
	}
	for range p.Chunks() {
		break
	}
}

func TestChunksThatWereChangedAreRefused(t *testing.T) {
	p := sample(t, 3)
	freeze(t, p)
	chunk := string(slices.Collect(p.Chunks())[0])
	for says, changed := range map[string]string{
		`digest: its content has the digest sha256:`: strings.Replace(chunk, "4600", "4601", 1),
		`facts: there are 2 of them, not 3`:          `[` + chunk[strings.Index(chunk, "},")+2:],
		`fact "f0": id: another fact has this id`:    strings.Replace(chunk, `"f1"`, `"f0"`, 1),
		`fact "f2": timestamp: 2027-11-21T10:00:02Z is outside`: strings.Replace(chunk, `2026-11-21T10:00:02Z`,
			`2027-11-21T10:00:02Z`, 1),
		`fact "f0": entities: there is no such field`: strings.Replace(chunk, `"entity"`, `"entities"`, 1),
		`facts: it takes a list, not an object`:       `{}`,
		`unexpected EOF`:                              chunk[:len(chunk)-200],
		`invalid character`:                           chunk + "?",
	} {
		_, err := ledger.RestorePacket(p.Seal(), []json.RawMessage{json.RawMessage(changed)})
		if err == nil || !strings.HasPrefix(err.Error(), `packet "case-1": `) || !strings.Contains(err.Error(), says) {
			t.Errorf("it says %v, want %s", err, says)
		}
	}
}
