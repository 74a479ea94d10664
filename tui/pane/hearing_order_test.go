package pane

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/state"
)

// Whatever is cited, searched and asked for, the facts are listed as a plain sort and
// filter of all of them would, and each is found where it stands.
func TestFactsAreListedInTheirOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(rt, "facts")
		packet, moments := timed(t, rapid.SliceOfN(rapid.IntRange(0, 9), n, n).Draw(rt, "minutes"))
		uses := map[int][]factUse{}
		for range rapid.IntRange(0, 20).Draw(rt, "uses") {
			place := rapid.IntRange(0, n-1).Draw(rt, "place")
			seat := rapid.SampledFrom([]state.Seat{state.Architect, state.Skeptic, state.Oracle}).Draw(rt, "seat")
			uses[place] = append(uses[place], factUse{seat: seat})
		}
		o := factOrder{n: n, turned: rapid.Bool().Draw(rt, "turned")}
		o.byTime, o.inTime = timeOrder(packet)
		who, byUse := whose(rapid.IntRange(0, int(whoseCount)-1).Draw(rt, "whose")), rapid.Bool().Draw(rt, "by use")
		byTime := make([]int, n)
		for i := range byTime {
			byTime[i] = i
		}
		slices.SortStableFunc(byTime, func(a, b int) int { return moments[a].Compare(moments[b]) })
		left := byTime
		if rapid.Bool().Draw(rt, "searched") {
			left, o.hits = nil, []int32{}
			for at, place := range byTime {
				if rapid.Bool().Draw(rt, "holds") {
					left, o.hits = append(left, place), append(o.hits, int32(at))
				}
			}
		}
		o.arrange(uses, who, byUse)
		want := slices.DeleteFunc(slices.Clone(left), func(place int) bool {
			return len(uses[place]) == 0 && who != whoseAll && who != whoseNobody || len(uses[place]) > 0 && !who.takes(uses[place])
		})
		if byUse {
			slices.SortStableFunc(want, func(a, b int) int { return len(uses[b]) - len(uses[a]) })
		}
		if o.turned {
			slices.Reverse(want)
		}
		got := make([]int, o.Count())
		for i := range got {
			got[i] = o.Place(i)
			if at := o.Find(got[i]); at != i {
				rt.Fatalf("the fact at %d is found at %d", i, at)
			}
		}
		if !slices.Equal(got, want) {
			rt.Fatalf("listed are %v, want %v", got, want)
		}
		for place := range n {
			if !slices.Contains(want, place) && o.Find(place) >= 0 {
				rt.Fatalf("fact %d is found, and not listed", place)
			}
		}
	})
}

// timedFrom is the time of the first fact of timed.
var timedFrom = time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)

// timed is a packet of facts at the minutes.
func timed(t testing.TB, minutes []int) (*ledger.Packet, []time.Time) {
	t.Helper()
	packet, err := ledger.NewPacket("timed", timedFrom, timedFrom.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	moments := make([]time.Time, len(minutes))
	for i, minute := range minutes {
		moments[i] = timedFrom.Add(time.Duration(minute) * time.Minute)
		if err := packet.Add(ledger.PacketFact{
			ID: fmt.Sprint("f", i), Entity: fmt.Sprint("host-", i%97), EntityType: ledger.EntityNode, Field: "bytes_out",
			Value: ledger.Value(fmt.Sprint(i * 31)), At: moments[i], SourceType: ledger.SourceNetflow, SourceID: "collector",
		}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := packet.Freeze(); err != nil {
		t.Fatal(err)
	}
	return packet, moments
}
