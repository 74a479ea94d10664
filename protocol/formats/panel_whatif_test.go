package formats_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"moot/ledger"
	"moot/protocol/formats"
	"moot/protocol/panel"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// drawPanel is a random panel at a random moment: what is drawn and cannot follow
// is left out.
func drawPanel(t *rapid.T) state.State {
	var s state.State
	follow := func(p state.Payload) {
		if next, err := state.Apply(s, state.Event{Seq: s.Seq + 1, At: s.At, Data: p}); err == nil {
			s = next
		}
	}
	seats := []state.SeatAssignment{{Seat: state.Orchestrator}, {Seat: state.Panelist}, {Seat: "panelist-2"}, {Seat: "panelist-3"}, {Seat: "panelist-4"}}
	follow(&state.SessionOpened{
		Rules:   formats.ByName(state.FormatPanel),
		Version: state.Version, ID: "s", Seats: seats,
		Settings: state.Settings{Format: state.FormatPanel, Mode: state.ModeStandard, Attended: true, Panel: &state.PanelSettings{
			Strategy: rapid.SampledFrom([]string{"vote", "tiered", "evidence_weight", "escalate"}).Draw(t, "strategy"),
		}},
	})
	follow(&state.RoundStarted{Round: 1})
	for range rapid.IntRange(2, 5).Draw(t, "points") {
		id := state.NextID('P', s.Points.Len())
		follow(&state.PointRaised{ID: id, By: seats[rapid.IntRange(1, 4).Draw(t, "by")].Seat, Text: "Alpha holds in " + id, Value: rapid.Bool().Draw(t, "value")})
		follow(&state.PointTriaged{Point: id, Scope: state.InScope})
	}
	for range rapid.IntRange(3, 40).Draw(t, "length") {
		for _, p := range panelMoment(t, &s, seats) {
			follow(p)
		}
	}
	return s
}

// panelMoment draws what may come next in a panel.
func panelMoment(t *rapid.T, s *state.State, seats []state.SeatAssignment) []state.Payload {
	n := func(what string, count int) string {
		return fmt.Sprintf("%s%d", what, rapid.IntRange(1, max(1, count)).Draw(t, what))
	}
	point := func() string { return n("P", s.Points.Len()) }
	seat := func() state.Seat { return seats[rapid.IntRange(0, 4).Draw(t, "seat")].Seat }
	flag := func() bool { return rapid.Bool().Draw(t, "flag") }
	switch rapid.IntRange(0, 14).Draw(t, "kind") {
	case 0, 1:
		opposed := flag()
		return []state.Payload{&state.PointsPaired{A: point(), B: point(), Same: true, Opposed: opposed, Alike: !opposed && flag(), By: state.Orchestrator}}
	case 2, 3:
		var found []state.Payload
		for i, apart := range panel.Contradictory(s) {
			found = append(found, &state.ConflictFound{ID: state.NextID('K', s.Panel.Conflicts.Len()+i), What: apart.Kind, A: apart.A, B: apart.B, By: apart.By, Challenges: []string{}})
		}
		return found
	case 4, 5:
		var settled []state.Payload
		table := panel.NewTable(s)
		for _, c := range table.Conflicts() {
			if !c.Argued && !s.Over() {
				settled = append(settled, &state.ConflictSettled{ID: c.ID, Settlement: table.Settle(c)})
			}
		}
		return settled
	case 6, 7:
		return []state.Payload{&state.PointClassified{Point: point(), By: seat(), Class: rapid.SampledFrom(state.Classes()).Draw(t, "class"), Reason: "so", Value: flag()}}
	case 8:
		id := state.NextID('E', s.Evidence.Len())
		stamp := rapid.SampledFrom([]ledger.Evidence{
			{Type: ledger.Execution, SourceKind: ledger.LiveAPI},
			{Type: ledger.Textual, SourceKind: ledger.DomainEvidence},
			{Type: ledger.Textual, SourceKind: ledger.UserOverride},
			{Type: ledger.Claim, SourceKind: ledger.LLMInference},
		}).Draw(t, "stamp")
		return []state.Payload{
			&state.EvidenceOffered{ID: id, Point: point(), Relation: rapid.SampledFrom(ledger.Relations()).Draw(t, "relation"), Reference: "a:1", Quote: id, By: seat(), Direct: flag()},
			&state.EvidenceVerified{ID: id, Type: stamp.Type, SourceKind: stamp.SourceKind, Reference: "a:1", Excerpt: id, Admitted: true},
		}
	case 9:
		return []state.Payload{
			&state.PointsMerged{Into: point(), From: []string{point()}, By: state.Protocol},
			&state.ConflictArgued{ID: n("K", s.Panel.Conflicts.Len()), By: state.User, Challenges: []string{}},
		}
	case 10:
		return []state.Payload{&state.OverrideMade{What: rapid.SampledFrom([]state.OverrideKind{state.OverrideAgree, state.OverrideDismiss, state.OverrideUnresolved, state.OverrideReopen}).Draw(t, "what"), Point: point()}}
	case 11:
		id := point()
		challenge := state.NextID('C', s.Challenges.Len())
		return []state.Payload{
			&state.ChallengeRaised{ID: challenge, Point: id, By: seat(), What: rapid.SampledFrom([]state.Class{state.Skeptical, state.Reject}).Draw(t, "what"), Objection: "flaw"},
			&state.ChallengeAnswered{Challenge: challenge, By: seat(), Text: "because"},
			&state.ChallengeJudged{Challenge: challenge, By: seat(), Judgment: rapid.SampledFrom([]state.Judgment{state.Accepted, state.Rejected}).Draw(t, "judgment")},
		}
	case 12:
		// Each side of what is argued agrees with the other.
		var agreed []state.Payload
		for _, c := range s.Panel.Conflicts.All() {
			p, q := s.Point(c.A), s.Point(c.B)
			if flag() {
				agreed = append(agreed, &state.ConflictArgued{ID: c.ID, By: state.User, Challenges: []string{}})
			}
			agreed = append(agreed, &state.PointClassified{Point: p.ID, By: q.Authors[0], Class: state.Agree, Value: true}, &state.PointClassified{Point: q.ID, By: p.Authors[0], Class: state.Agree, Value: true})
		}
		return agreed
	}
	return []state.Payload{rapid.SampledFrom([]state.Payload{
		&state.RoundStarted{Round: s.Round + 1},
		&state.PointConceded{Point: point(), By: seat()},
		&state.ConflictDropped{ID: n("K", s.Panel.Conflicts.Len()), By: state.User},
		&state.SeatMissed{Seat: seat(), Stage: state.StagePropose, Reason: "gone"},
		&state.PointTriaged{Point: point(), Scope: state.OutOfScope},
		&state.ExitReached{Exit: state.ExitDecided},
	}).Draw(t, "rare")}
}

// In random panels every change comes true, all that is read is explained, and
// what is Agreed and empirical rests on verified evidence (INV3) and on more than
// its author (INV1).
func TestPanelWhatIfComesTrue(t *testing.T) {
	follow := func(s state.State, p state.Payload) (state.State, error) {
		return state.Apply(s, state.Event{Seq: s.Seq + 1, At: s.At, Data: p})
	}
	rapid.Check(t, func(t *rapid.T) {
		s := drawPanel(t)
		for _, r := range resolver.Rule(s) {
			alone, ok := resolver.RuleOne(s, r.Point)
			if !ok || !alone.Equal(&r) {
				t.Fatalf("alone %+v, among all %+v", alone, r)
			}
			p := s.Point(r.Point)
			if r.Bucket == state.BucketAgreed && r.Rule != "AC1" && !resolver.IsValue(&s, p) && !resolver.Supported(&s, p) {
				t.Fatalf("Agreed with nothing verified: %+v", r)
			}
			e := resolver.Explain(s, r)
			if again := resolver.Explain(s, r); !reflect.DeepEqual(e, again) {
				t.Fatalf("one state, two explanations:\n%s\n%s", shown(&e), shown(&again))
			}
			if e.Sentence == "" || e.Says == "" || e.Where == "" || e.Means == "" {
				t.Fatalf("something is left unsaid: %s", shown(&e))
			}
			for _, id := range r.Reads {
				if !slices.ContainsFunc(e.Reads, func(read resolver.Reading) bool { return read.ID == id && read.What != "" }) {
					t.Fatalf("%s is read and not explained: %s", id, shown(&e))
				}
			}
			for _, c := range e.Changes {
				for _, way := range c.Ways {
					comesTrue(t, s, &e.Ruling, &c, &way, follow)
				}
			}
		}
		for _, c := range s.Panel.Conflicts.All() {
			d, ok := view.FormatOf(&s).Explain(&s, c.ID)
			if !ok || d.Verdict[0] == "" || len(d.Sections[0].Items) != 2 || d.Sections[0].Items[1].Text == "" {
				t.Fatalf("%s is not explained: %+v", c.ID, d)
			}
		}
	})
}

// Both sides of a contradiction are never Agreed, but by the user's word.
func TestNoContradictionStandsOnBothSides(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawPanel(t)
		agreed := map[string]bool{}
		for _, r := range resolver.Rule(s) {
			agreed[r.Point] = r.Bucket == state.BucketAgreed && r.Rule != "AC1"
		}
		table := panel.NewTable(&s)
		for _, c := range table.Conflicts() {
			a, b := table.Sides(c)
			for _, p := range a.Points {
				for _, q := range b.Points {
					if c.Kind == state.Contradiction && agreed[p] && agreed[q] {
						t.Fatalf("%s: %s and %s are both Agreed: %+v", c.ID, p, q, resolver.Rule(s))
					}
				}
			}
		}
	})
}

// What is settled is so whatever the order in which the votes came, and a further
// vote for the winner never unsettles it.
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
		settle := func(votes []vote) state.Settlement {
			var s state.State
			seats := []state.SeatAssignment{{Seat: state.Orchestrator}}
			for i := 1; i <= 9; i++ {
				seats = append(seats, state.SeatAssignment{Seat: seatOf(fmt.Sprint(i))})
			}
			events := []state.Payload{
				&state.SessionOpened{Rules: formats.ByName(state.FormatPanel), Version: state.Version, ID: "s", Seats: seats, Settings: state.Settings{Format: state.FormatPanel, Panel: &state.PanelSettings{Strategy: strategy}}},
				&state.RoundStarted{Round: 1},
				&state.PointRaised{ID: "P1", By: state.Panelist, Text: "it is"}, &state.PointRaised{ID: "P2", By: "panelist-2", Text: "it is not"},
				&state.PointsPaired{A: "P1", B: "P2", Same: true, Opposed: true, By: state.Orchestrator},
				&state.ConflictFound{ID: "K1", What: state.Contradiction, A: "P1", B: "P2", By: state.Orchestrator, Challenges: []string{}},
			}
			for _, v := range votes {
				events = append(events, &state.PointClassified{Point: v.point, By: v.seat, Class: state.Agree})
			}
			for _, e := range events {
				next, err := state.Apply(s, state.Event{Seq: s.Seq + 1, Data: e})
				if err != nil {
					t.Fatal(err)
				}
				s = next
			}
			return panel.NewTable(&s).Settle(s.Conflict("K1"))
		}
		first, shuffled := settle(votes), settle(rapid.Permutation(votes).Draw(t, "order"))
		if !panel.SameSettlement(&first, &shuffled) {
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
		weigh := func(winning, losing []*state.EvidenceVerified) state.Settlement {
			var s state.State
			follow := func(p state.Payload) {
				next, err := state.Apply(s, state.Event{Seq: s.Seq + 1, Data: p})
				if err != nil {
					t.Fatal(err)
				}
				s = next
			}
			follow(&state.SessionOpened{Rules: formats.ByName(state.FormatPanel), Version: state.Version, ID: "s", Seats: []state.SeatAssignment{{Seat: state.Orchestrator}, {Seat: state.Panelist}, {Seat: "panelist-2"}}, Settings: state.Settings{Format: state.FormatPanel, Panel: &state.PanelSettings{Strategy: "evidence_weight"}}})
			follow(&state.RoundStarted{Round: 1})
			follow(&state.PointRaised{ID: "P1", By: state.Panelist, Text: "it is"})
			follow(&state.PointRaised{ID: "P2", By: "panelist-2", Text: "it is not"})
			follow(&state.ConflictFound{ID: "K1", What: state.Contradiction, A: "P1", B: "P2", By: state.Orchestrator, Challenges: []string{}})
			for i, side := range [][]*state.EvidenceVerified{winning, losing} {
				for _, e := range side {
					verified := *e
					verified.ID = state.NextID('E', s.Evidence.Len())
					verified.Excerpt = verified.ID
					follow(&state.EvidenceOffered{ID: verified.ID, Point: []string{"P1", "P2"}[i], Relation: ledger.Supports, Reference: "a", By: state.Panelist})
					follow(&verified)
				}
			}
			return panel.NewTable(&s).Settle(s.Conflict("K1"))
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
