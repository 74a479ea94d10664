package protocol_test

import (
	"slices"
	"testing"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// disputed is the record of a panel of three with a conflict that a vote settles,
// K1, and one that is argued, K2.
func disputed(t *testing.T) []state.Event {
	t.Helper()
	log := &record{}
	answers := []string{
		"1. The queue is safe\n2. Retries are bounded",
		"1. The queue is not safe\n2. Retries are unbounded",
		"1. The queue is safe",
	}
	seats := several(len(answers))
	for i, answer := range answers {
		seat := state.Panelist
		if i > 0 {
			seat += state.Seat([]string{"", "-2", "-3"}[i])
		}
		seats[seat] = says(map[state.Stage]string{state.StagePropose: answer})
	}
	opened := asksSeveral(len(answers), func(o *state.SessionOpened) { o.Settings.Attended = false })
	opened.Settings.Panel.Then = state.ThenConsult
	opened.Settings.Attended = false
	seats[state.Orchestrator] = says(map[state.Stage]string{state.StageTriage: `{"moves":[
		{"move":"TRIAGE","point":"P1","other":"P3","same_subject":true,"opposed":true},
		{"move":"TRIAGE","point":"P2","other":"P4","same_subject":true,"opposed":true}]}`})
	o := options(t, log, opened, seats)
	o.Format = protocol.Panel{}
	if err := protocol.NewRunner(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return log.events
}

// forge changes a copy of the events of one kind, and says how many there were.
func forge[T any](events []state.Event, change func(*T)) ([]state.Event, int) {
	forged, count := slices.Clone(events), 0
	for i, e := range forged {
		if data, ok := any(e.Data).(*T); ok {
			changed := *data
			change(&changed)
			forged[i].Data = any(&changed).(state.Payload)
			count++
		}
	}
	return forged, count
}

// Whatever is forged of a conflict is found, though the chain of the file may be
// whole.
func TestAForgedConflictIsFound(t *testing.T) {
	events := disputed(t)
	if _, err := resolver.Verify(events, resolver.Rule); err != nil {
		t.Fatal(err)
	}
	settled := func(change func(*state.ConflictSettled)) func() ([]state.Event, int) {
		return func() ([]state.Event, int) { return forge(events, change) }
	}
	found := func(change func(*state.ConflictFound)) func() ([]state.Event, int) {
		return func() ([]state.Event, int) { return forge(events, change) }
	}
	argued := func(change func(*state.ConflictArgued)) func() ([]state.Event, int) {
		return func() ([]state.Event, int) { return forge(events, change) }
	}
	for name, forgery := range map[string]func() ([]state.Event, int){
		"another winner":     settled(func(e *state.ConflictSettled) { e.Winner = "P3" }),
		"another confidence": settled(func(e *state.ConflictSettled) { e.Confidence = 0.9 }),
		"another reason":     settled(func(e *state.ConflictSettled) { e.Reasoning = "all agreed" }),
		"another method":     settled(func(e *state.ConflictSettled) { e.Method = "evidence_weight" }),
		"another measure":    settled(func(e *state.ConflictSettled) { e.Measure = "tokens" }),
		"settled or not":     settled(func(e *state.ConflictSettled) { e.Settled = !e.Settled }),
		"a position less":    settled(func(e *state.ConflictSettled) { e.Positions = slices.Clone(e.Positions)[1:] }),
		"a position turned": settled(func(e *state.ConflictSettled) {
			e.Positions = slices.Clone(e.Positions)
			e.Positions[0].Answered = false
		}),
		"another kind":           found(func(e *state.ConflictFound) { e.What = state.Disagreement }),
		"another point":          found(func(e *state.ConflictFound) { e.B = "P5" }),
		"another finder":         found(func(e *state.ConflictFound) { e.By = state.User }),
		"a challenge of another": found(func(e *state.ConflictFound) { e.Challenges = []string{"C9"} }),
		"argued by another":      argued(func(e *state.ConflictArgued) { e.ID = "K1" }),
		"marks that give none": func() ([]state.Event, int) {
			return forge(events, func(e *state.PointsPaired) { e.Same, e.Opposed, e.Alike = false, false, false })
		},
		"a ruling by another rule": func() ([]state.Event, int) {
			return forge(events, func(e *state.Ruled) {
				e.Rulings = slices.Clone(e.Rulings)
				for i := range e.Rulings {
					if e.Rulings[i].Rule == "PN1" {
						e.Rulings[i].Rule = "PN2"
					}
				}
			})
		},
		"a lost point agreed": func() ([]state.Event, int) {
			return forge(events, func(e *state.Ruled) {
				e.Rulings = slices.Clone(e.Rulings)
				for i := range e.Rulings {
					if e.Rulings[i].Rule == "PN1" {
						e.Rulings[i].Bucket = state.BucketAgreed
					}
				}
			})
		},
	} {
		forged, count := forgery()
		if count == 0 {
			t.Errorf("%s: there is nothing to forge", name)
			continue
		}
		if _, err := resolver.Verify(forged, resolver.Rule); err == nil {
			t.Errorf("%s: it passes", name)
		}
	}
}

// What is forged of the end, or of who had a conflict argued, is found, too.
func TestAForgedEndIsFound(t *testing.T) {
	events := disputed(t)
	for name, forgery := range map[string]func() ([]state.Event, int){
		"inconclusive": func() ([]state.Event, int) {
			return forge(events, func(e *state.SessionClosed) { e.Inconclusive = !e.Inconclusive })
		},
		"argued by a panelist": func() ([]state.Event, int) {
			return forge(events, func(e *state.ConflictArgued) { e.By = state.Panelist })
		},
	} {
		forged, count := forgery()
		if _, err := resolver.Verify(forged, resolver.Rule); count == 0 || err == nil {
			t.Errorf("%s: %d events were forged, and it passes", name, count)
		}
	}
}

// A vote that was left out, or made another, is found in what it settled.
func TestAForgedVoteIsFound(t *testing.T) {
	events := disputed(t)
	forged, count := forge(events, func(e *state.PointRaised) {
		if e.By == "panelist-3" {
			e.By = "panelist-2"
		}
	})
	if _, err := resolver.Verify(forged, resolver.Rule); count == 0 || err == nil {
		t.Errorf("an answer is given to another panelist, and nobody sees it: %v", err)
	}
}
