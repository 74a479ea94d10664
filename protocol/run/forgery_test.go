package run

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"moot/protocol"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/dialectic"
	"moot/protocol/dialectic/gates"
	"moot/protocol/formats"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/state"
)

// forge changes a copy of the events of one kind and counts them.
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

// mutations are copies of a JSON value in which one leaf differs, by their paths.
func mutations(path string, value any) map[string]any {
	out := map[string]any{}
	switch v := value.(type) {
	case bool:
		out[path] = !v
	case float64:
		out[path] = v + 0.07
	case string:
		out[path] = v + "x"
	case []any:
		for i, item := range v {
			for inner, changed := range mutations(fmt.Sprintf("%s[%d]", path, i), item) {
				list := slices.Clone(v)
				list[i] = changed
				out[inner] = list
			}
		}
		if len(v) > 0 {
			out[path+"[less]"] = v[1:]
		}
	case map[string]any:
		for name, field := range v {
			for inner, changed := range mutations(path+"."+name, field) {
				object := maps.Clone(v)
				object[name] = changed
				out[inner] = object
			}
		}
	}
	return out
}

// TestForgedRecordsAreFound changes, one at a time, each value that code derived in the
// record of a session of a format. None of them verifies, though the chain may be whole.
func TestForgedRecordsAreFound(t *testing.T) {
	// These only repeat what a seat stated.
	stated := []string{
		"argued.would_change", "confidence-reported.cause", "drift-detected.from", "drift-detected.to",
		"drift-detected.kept", "schema-violated.move", "schema-violated.text", "schema-violated.facts[0]",
	}
	for name, c := range map[string]struct {
		events []state.Event
		kinds  []string
	}{
		"panel":     {disputed(t), []string{"conflict-found", "conflict-settled", "conflict-argued", "ruled", "session-closed"}},
		"dialectic": {held(t), []string{"round-resolved", "ruled"}},
		"council":   {vetted(t), []string{"consensus-tested", "constitution-violated", "ruled", "session-closed"}},
		"hearing": {heardOut(t), []string{
			"gated", "argued", "confidence-reported", "drift-detected", "schema-violated",
			"rebuttal-ignored", "packet-frozen", "exit-reached", "ruled", "session-closed",
		}},
	} {
		if err := recomputes(t, c.events); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, kind := range c.kinds {
			at := slices.IndexFunc(c.events, func(e state.Event) bool { return state.KindOf(e.Data) == kind })
			if at < 0 {
				t.Errorf("%s: the record holds no %s", name, kind)
				continue
			}
			data, err := json.Marshal(c.events[at].Data)
			if err != nil {
				t.Fatal(err)
			}
			var value any
			if err := json.Unmarshal(data, &value); err != nil {
				t.Fatal(err)
			}
			for path, changed := range mutations(kind, value) {
				data, err := json.Marshal(changed)
				if err != nil {
					t.Fatal(err)
				}
				forged := slices.Clone(c.events)
				if forged[at].Data, err = state.NewDecoder(formats.Rules()...).Decode(kind, data); err != nil {
					continue
				}
				if err := recomputes(t, forged); err == nil && !slices.Contains(stated, path) {
					t.Errorf("%s: a forged %s verifies", name, path)
				}
			}
		}
	}
}

// disputed is the record of a panel of three with a conflict that a vote settles,
// K1, and one that is argued, K2.
func disputed(t testing.TB) []state.Event {
	t.Helper()
	log := &record{}
	answers := []string{
		"1. The queue is safe\n2. Retries are bounded",
		"1. The queue is not safe\n2. Retries are unbounded",
		"1. The queue is safe",
	}
	seats := several(len(answers))
	for i, answer := range answers {
		seat := panel.Panelist
		if i > 0 {
			seat += state.Seat([]string{"", "-2", "-3"}[i])
		}
		seats[seat] = says(map[state.Stage]string{state.StagePropose: answer})
	}
	opened := protocoltest.Opened(panel.Name, protocoltest.Panelists(len(answers)), func(o *state.SessionOpened) { o.Settings.Attended = false })
	opened.Settings.Own.(*panel.Settings).Then = panel.ThenConsult
	opened.Settings.Attended = false
	seats[state.Orchestrator] = says(map[state.Stage]string{panel.StageTriage: `{"moves":[
		{"move":"TRIAGE","point":"P1","other":"P3","same_subject":true,"opposed":true},
		{"move":"TRIAGE","point":"P2","other":"P4","same_subject":true,"opposed":true}]}`})
	o := options(t, log, opened, seats)
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return log.events
}

// held is the record of a session that ends with an objection that nothing
// settles.
func held(t *testing.T) []state.Event {
	t.Helper()
	log := &record{}
	opened := protocoltest.Opened(dialectic.Name, func(o *state.SessionOpened) { o.Question = "Roll out to 10 % of users" })
	o := options(t, log, opened, map[state.Seat]protocol.Participant{
		dialectic.Proposer: says(map[state.Stage]string{
			state.StagePropose: `{"moves":[{"move":"PROPOSE","path":"percent","value":10,"category":"Safety","citations":[{"reference":"a.md:1","quote":"10 %"}]}]}`,
		}),
		dialectic.PressureTester: says(map[state.Stage]string{
			state.StageEvaluate: `{"moves":[{"move":"OBJECT","point":"P1","flag":"no-rollback","text":"there is no way back"}]}`,
		}),
	})
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return log.events
}

// resolutionIn returns the place of the first resolution on a record.
func resolutionIn(t *testing.T, events []state.Event) int {
	t.Helper()
	at := slices.IndexFunc(events, func(e state.Event) bool {
		_, ok := e.Data.(*dialectic.RoundResolved)
		return ok
	})
	if at < 0 {
		t.Fatal("nothing was resolved")
	}
	return at
}

// vetted records a council with every council event: fixed violations, a claim that is marked key, limited and
// revised, syntheses, and consensus tests.
func vetted(t *testing.T) []state.Event {
	t.Helper()
	book, err := constitution.Default()
	if err != nil {
		t.Fatal(err)
	}
	log := &record{}
	seats := map[state.Seat]protocol.Participant{
		constitution.Strategist: says(map[state.Stage]string{
			state.StagePropose: `{"moves":[{"move":"RAISE","text":"Every job of the queue is run","confidence":1,"citations":[{"reference":"a/queue.md:3","quote":"acks late"}]}]}`,
			council.StageFix:   `{"moves":[{"move":"CLARIFY","point":"P1","term":"limit","text":"a broker that loses its disk"}]}`,
			state.StageAnswer:  `{"moves":[{"move":"DEFEND","challenge":"C1","text":"There is one loop"},{"move":"SCORE","point":"P2","confidence":0.8}]}`,
		}),
		constitution.Critic: says(map[state.Stage]string{
			council.StageCritique: `{"moves":[{"move":"CHALLENGE","point":"P1","class":"SKEPTICAL","flaw":"That is too bold","upgrade_if":"a second line"},{"move":"SCORE","point":"P1","confidence":0.4},{"move":"FLAG","flag":"key","point":"P1"}]}`,
			council.StageFix:      `{"moves":[{"move":"CHALLENGE","point":"P1","class":"SKEPTICAL","flaw":"The method is seen in one sample","upgrade_if":"a second line"}]}`,
			state.StageJudge:      `{"moves":[{"move":"JUDGE","challenge":"C1","judgment":"rejected","reason":"no line was cited"}]}`,
		}),
		constitution.Adversary: says(map[state.Stage]string{council.StageAttack: `{"moves":[{"move":"SCORE","point":"P1","confidence":0.6}]}`}),
		constitution.Moderator: says(map[state.Stage]string{
			council.StageSynthesize: `{"moves":[{"move":"SYNTHESIZE","text":"Nearly.","agreement":true},{"move":"REVISE","point":"P1","text":"Every job of the queue is run, where the broker keeps its disk","because":"narrower"}]}`,
		}),
	}
	o := options(t, log, protocoltest.Opened(council.Name, func(o *state.SessionOpened) {
		o.Settings.Own.(*council.Settings).Rounds, o.Settings.Own.(*council.Settings).Constitution = 2, book
	}), seats)
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return log.events
}

// Nor can a resolution be left out, or what it read be changed.
func TestAResolutionHoldsWhatItRead(t *testing.T) {
	events := held(t)
	at := resolutionIn(t, events)
	without := slices.Delete(slices.Clone(events), at, at+1)
	for i := range without {
		without[i].Seq = i + 1
	}
	if err := recomputes(t, without); err == nil {
		t.Error("a resolution is left out, and nobody sees it")
	}
	forged := slices.Clone(events)
	for i, e := range forged {
		if filed, ok := e.Data.(*dialectic.ObjectionFiled); ok {
			mild := *filed
			mild.Severity = gates.Low
			forged[i].Data = &mild
		}
	}
	if err := recomputes(t, forged); err == nil {
		t.Error("a graver objection is made a mild one, and nobody sees it")
	}
}

// No round begins, and no council ends, before consensus was tested.
func TestEachRoundOfACouncilIsTestedForConsensus(t *testing.T) {
	events := vetted(t)
	tests := 0
	for i, e := range events {
		if _, tested := e.Data.(*council.ConsensusTested); !tested {
			continue
		}
		tests++
		// What follows is looked at alone: the record moves up by one.
		without := slices.Clone(events[:i+2])[:i]
		next := events[i+1]
		next.Seq = e.Seq
		if err := recomputes(t, append(without, next)); err == nil {
			t.Errorf("without the test in %d %s passes", e.Seq, state.KindOf(next.Data))
		}
	}
	if tests != 2 {
		t.Errorf("consensus was tested %d times", tests)
	}
}

// Violations and consensus tests cannot be recorded twice.
func TestCouncilEventsAreNotRepeated(t *testing.T) {
	events := vetted(t)
	for _, kind := range []string{"constitution-violated", "synthesized"} {
		var twice []state.Event
		for _, e := range events {
			twice = append(twice, e)
			if state.KindOf(e.Data) == kind && len(twice) == e.Seq {
				e.Seq++
				twice = append(twice, e)
				break
			}
		}
		if err := recomputes(t, twice[:len(twice)-1]); err != nil {
			t.Fatal(err)
		}
		if err := recomputes(t, twice); err == nil {
			t.Errorf("a second %s passes", kind)
		}
	}
}
