package panel_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol/panel"
	"moot/resolver/conflict"
	"moot/state"
)

// The order of the votes does not matter, and a further vote for the winner never unsettles a
// conflict.
func TestVotesAreCountedWhateverTheirOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type vote struct {
			seat  state.Seat
			point string
		}
		var votes []vote
		for i := 3; i <= 8; i++ {
			if point := rapid.SampledFrom([]string{"", "P1", "P2"}).Draw(t, "point"); point != "" {
				votes = append(votes, vote{seatOf(fmt.Sprint(i)), point})
			}
		}
		strategy := rapid.SampledFrom([]string{"vote", "tiered"}).Draw(t, "strategy")
		settle := func(votes []vote) panel.Settlement {
			seats := []state.SeatAssignment{{Seat: state.Orchestrator}}
			for i := 1; i <= 9; i++ {
				seats = append(seats, state.SeatAssignment{Seat: seatOf(fmt.Sprint(i))})
			}
			events := []state.Payload{
				&state.SessionOpened{Rules: panel.Format{}, Version: state.Version, ID: "s", Seats: seats, Settings: state.Settings{Format: panel.Name, Own: &panel.Settings{Strategy: strategy}}},
				&state.RoundStarted{Round: 1},
				&state.PointRaised{ID: "P1", By: panel.Panelist, Text: "it is"}, &state.PointRaised{ID: "P2", By: "panelist-2", Text: "it is not"},
				&state.PointsPaired{A: "P1", B: "P2", Same: true, Opposed: true, By: state.Orchestrator},
				&panel.ConflictFound{ID: "K1", What: conflict.Contradiction, A: "P1", B: "P2", By: state.Orchestrator, Challenges: []string{}},
			}
			for _, v := range votes {
				events = append(events, &state.PointClassified{Point: v.point, By: v.seat, Class: state.Agree})
			}
			s, _, err := state.Extend(&state.State{}, time.Time{}, events...)
			if err != nil {
				t.Fatal(err)
			}
			return panel.NewTable(s).Settle(panel.Of(s).Conflict("K1"))
		}
		first, shuffled := settle(votes), settle(rapid.Permutation(votes).Draw(t, "order"))
		if !reflect.DeepEqual(first, shuffled) {
			t.Fatalf("%+v, in another order %+v", first, shuffled)
		}
		if first.Settled {
			if more := settle(append(votes, vote{"panelist-9", first.Winner})); !more.Settled || more.Winner != first.Winner || more.Confidence < first.Confidence {
				t.Fatalf("%+v, and with a further vote for it %+v", first, more)
			}
		}
	})
}

// A weaker item in the place of one on the losing side never turns evidence_weight,
// nor does a further item on the winning side.
func TestAWeakerItemTurnsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		item := func(name string) *state.EvidenceVerified {
			return &state.EvidenceVerified{
				Type: rapid.SampledFrom(ledger.Types()).Draw(t, name+" type"), SourceKind: rapid.SampledFrom(ledger.SourceKinds()).Draw(t, name+" source"), Admitted: true, Reference: name,
			}
		}
		weigh := func(winning, losing []*state.EvidenceVerified) panel.Settlement {
			s := &state.State{}
			follow := func(p state.Payload) {
				next, err := state.Apply(s, state.Event{Seq: s.Seq + 1, Data: p})
				if err != nil {
					t.Fatal(err)
				}
				s = next
			}
			follow(&state.SessionOpened{Rules: panel.Format{}, Version: state.Version, ID: "s", Seats: []state.SeatAssignment{{Seat: state.Orchestrator}, {Seat: panel.Panelist}, {Seat: "panelist-2"}}, Settings: state.Settings{Format: panel.Name, Own: &panel.Settings{Strategy: "evidence_weight"}}})
			follow(&state.RoundStarted{Round: 1})
			follow(&state.PointRaised{ID: "P1", By: panel.Panelist, Text: "it is"})
			follow(&state.PointRaised{ID: "P2", By: "panelist-2", Text: "it is not"})
			follow(&panel.ConflictFound{ID: "K1", What: conflict.Contradiction, A: "P1", B: "P2", By: state.Orchestrator, Challenges: []string{}})
			for i, side := range [][]*state.EvidenceVerified{winning, losing} {
				for _, e := range side {
					verified := *e
					verified.ID = state.NextID('E', s.Evidence.Len())
					verified.Excerpt = verified.ID
					follow(&state.EvidenceOffered{ID: verified.ID, Point: []string{"P1", "P2"}[i], Relation: ledger.Supports, Reference: "a", By: panel.Panelist})
					follow(&verified)
				}
			}
			return panel.NewTable(s).Settle(panel.Of(s).Conflict("K1"))
		}
		strength := func(e *state.EvidenceVerified) int {
			return panel.Strength(&ledger.Evidence{Type: e.Type, SourceKind: e.SourceKind})
		}
		mine, theirs, other := item("mine"), item("theirs"), item("other")
		before := weigh([]*state.EvidenceVerified{mine}, []*state.EvidenceVerified{theirs})
		if before.Winner != "P1" {
			return
		}
		if strength(other) <= strength(theirs) {
			if after := weigh([]*state.EvidenceVerified{mine}, []*state.EvidenceVerified{other}); after.Winner != "P1" || after.Confidence < before.Confidence {
				t.Fatalf("%+v, and with a weaker item on the other side %+v", before, after)
			}
		}
		if after := weigh([]*state.EvidenceVerified{mine, other}, []*state.EvidenceVerified{theirs}); after.Winner != "P1" || after.Confidence < before.Confidence {
			t.Fatalf("%+v, and with more for it %+v", before, after)
		}
	})
}
