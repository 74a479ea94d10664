package ledger_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"moot/ledger"
)

func TestComparePackets(t *testing.T) {
	one, other := goodFact(), goodFact("f1", "f2")
	before := read(t, inPacket(one, other))
	for name, c := range map[string]struct {
		after string
		check func(d *ledger.PacketDiff) bool
	}{
		"nothing": {inPacket(one, other), func(d *ledger.PacketDiff) bool { return d.Equal() && d.Same == 2 }},
		"an order": {
			inPacket(other, one),
			func(d *ledger.PacketDiff) bool { return d.Reordered && d.Same == 2 && !d.Equal() },
		},
		"one more": {
			inPacket(one, other, goodFact("f1", "f3")),
			func(d *ledger.PacketDiff) bool { return len(d.Added) == 1 && d.Added[0].ID == "f3" && !d.Reordered },
		},
		"one less": {inPacket(other), func(d *ledger.PacketDiff) bool {
			return len(d.Removed) == 1 &&
				d.Removed[0].ID == "f1" && d.Same == 1
		}},
		"a number": {
			inPacket(goodFact(`"ok"`, "1"), other),
			func(d *ledger.PacketDiff) bool { return slices.Equal(d.Changed[0].Keys, []string{"value"}) },
		},
		"two keys": {
			inPacket(one, goodFact("f1", "f2", "node", "edge", "dc-1", "dc-2")),
			func(d *ledger.PacketDiff) bool {
				return slices.Equal(d.Changed[0].Keys, []string{"entity_type", "source_id"})
			},
		},
		"another form": {
			inPacket(goodFact("10:00:00Z", "11:00:00+01:00"), other),
			func(d *ledger.PacketDiff) bool { return d.Equal() },
		},
		"what was raw": {
			inPacket(goodFact(`"dc-1"`, `"dc-1","raw":"x"`), other),
			func(d *ledger.PacketDiff) bool { return slices.Equal(d.Changed[0].Keys, []string{"raw"}) },
		},
		"what made one": {
			inPacket(goodFact(`"dc-1"`, `"dc-1","parser_version":"x"`), other),
			func(d *ledger.PacketDiff) bool { return slices.Equal(d.Changed[0].Keys, []string{"parser_version"}) },
		},
	} {
		d := ledger.ComparePackets(before, read(t, c.after))
		if !c.check(&d) {
			t.Errorf("%s: %+v", name, d)
		}
	}
	longer, err := ledger.NewPacket("case-1", opens(), opens().Add(2*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if d := ledger.ComparePackets(before, longer); !d.Window || d.ID || d.Equal() {
		t.Errorf("another window: %+v", d)
	}
	if d := ledger.ComparePackets(sample(t, 1), packetOf(t, []ledger.PacketFact{sampleFact(0)})); !d.ID {
		t.Errorf("another id: %+v", d)
	}
}

// Two packets are equal where their digests are, and only there.
func TestEqualPacketsHaveOneDigest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		facts := anyFacts(t)
		changed := slices.Clone(facts)
		switch rapid.IntRange(0, 2).Draw(t, "change") {
		case 1:
			slices.Reverse(changed)
		case 2:
			place := rapid.IntRange(0, len(facts)-1).Draw(t, "place")
			changed[place] = anyFact(facts[place].ID).Draw(t, "fact")
		}
		before, after := packetOf(t, facts), packetOf(t, changed)
		if d := ledger.ComparePackets(before, after); d.Equal() != (before.Digest() == after.Digest()) {
			t.Fatalf("%+v, and the digests are %s and %s", d, before.Digest(), after.Digest())
		}
	})
}
