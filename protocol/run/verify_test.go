package run

import (
	"slices"
	"strings"
	"testing"
	"time"

	"moot/protocol/consult"
	"moot/state"
)

// renumbered are events with consecutive numbers, as somebody writes them who recomputes the hashes.
func renumbered(events []state.Event) []state.Event {
	events = slices.Clone(events)
	for i := range events {
		events[i].Seq = i + 1
	}
	return events
}

// TestForgeriesAreFound deletes each event of whole sessions, swaps each pair of neighbors, turns a
// judgment around, and sets a time back.
func TestForgeriesAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("verifies thousands of sessions")
	}
	log := &record{}
	if err := New(options(t, log, openedAs(consult.Name), agreeable())).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for name, events := range map[string][]state.Event{
		"consult": log.events, "panel": disputed(t), "dialectic": held(t), "council": vetted(t), "hearing": heardOut(t),
	} {
		t.Run(name, func(t *testing.T) {
			if err := recomputes(t, events); err != nil {
				t.Fatal(err)
			}
			var left []string
			passes := func(what string, i int, forged []state.Event) {
				if err := recomputes(t, renumbered(forged)); err == nil {
					left = append(left, what+" "+state.KindOf(events[i].Data))
				}
			}
			for i := range events[:len(events)-1] { // without the last one it is a shorter session
				passes("without", i, slices.Delete(slices.Clone(events), i, i+1))
				swapped := slices.Clone(events)
				swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
				passes("swapped", i, swapped)
			}
			earlier := slices.Clone(events)
			earlier[len(earlier)-1].At = earlier[0].At.Add(-time.Second)
			passes("earlier", len(events)-1, earlier)
			for i, e := range events {
				judged, ok := e.Data.(*state.PointClassified)
				if !ok || judged.Class == state.Agree {
					continue
				}
				agrees := *judged
				agrees.Class = state.Agree
				forged := slices.Clone(events)
				forged[i].Data = &agrees
				passes("turned around", i, forged)
				forged = slices.DeleteFunc(forged, func(e state.Event) bool {
					raised, ok := e.Data.(*state.ChallengeRaised)
					return ok && raised.Point == judged.Point
				})
				passes("turned around without its challenge", i, forged)
			}
			if len(left) > 0 {
				t.Errorf("not found: %s", strings.Join(left, ", "))
			}
		})
	}
}

// Nothing judges, merges or raises points in the name of the user: what the user rules is tagged USER.
func TestTheUserMakesNoMovesOfSeats(t *testing.T) {
	for _, p := range []state.Payload{
		&state.PointClassified{By: state.User}, &state.ChallengeJudged{By: state.User}, &state.PointsMerged{By: state.User},
		&state.PointRaised{By: state.User}, &state.PointTriaged{By: state.User}, &state.ConfidenceReported{Seat: state.User},
		&state.FactSuperseded{Fact: "F1", By: "F2"}, &state.QuestionAnswered{By: state.Protocol},
	} {
		if byUser(p) {
			t.Errorf("%s counts as a decision of the user", state.KindOf(p))
		}
	}
}

// BenchmarkVerify verifies sessions until 10,000 events were replayed, replies parsed again.
func BenchmarkVerify(b *testing.B) {
	events := disputed(b)
	parser, err := theParser()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for n := 0; n < 10_000; n += len(events) {
			if _, err := Verify(parser, events); err != nil {
				b.Fatal(err)
			}
		}
	}
}
