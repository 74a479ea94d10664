package protocol_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"moot/protocol"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// held is the record of a session that ends with an objection that nothing
// settles.
func held(t *testing.T) []state.Event {
	t.Helper()
	log := &record{}
	o := pressedOptions(t, log, map[state.Seat]protocol.Participant{
		state.Proposer: says(map[state.Stage]string{
			state.StagePropose: `{"moves":[{"move":"PROPOSE","path":"percent","value":10,"category":"Safety","citations":[{"reference":"a.md:1","quote":"10 %"}]}]}`,
		}),
		state.PressureTester: says(map[state.Stage]string{
			state.StageEvaluate: `{"moves":[{"move":"OBJECT","point":"P1","flag":"no-rollback","text":"there is no way back"}]}`,
		}),
	})
	if err := protocol.NewRunner(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return log.events
}

// resolutionIn returns the place of the first resolution on a record.
func resolutionIn(t *testing.T, events []state.Event) int {
	t.Helper()
	at := slices.IndexFunc(events, func(e state.Event) bool {
		_, ok := e.Data.(*state.RoundResolved)
		return ok
	})
	if at < 0 {
		t.Fatal("nothing was resolved")
	}
	return at
}

// favorable is a resolution as somebody would like it: without the objection.
// Its own receipts are a whole chain.
func favorable(t *testing.T, r *state.Resolution) {
	t.Helper()
	var result dialectic.Result
	if err := json.Unmarshal(r.Result, &result); err != nil {
		t.Fatal(err)
	}
	in := dialectic.Input{Directive: "10 %", Round: r.Round, Artifact: result.Artifact}
	in.Artifact.Objections[0].Ruling = dialectic.RulingCleared
	in.Artifact.Proposal.Fields[0].Category, in.Artifact.Proposal.Fields[0].Evidence = "Taste", nil
	forged := dialectic.Resolve(&in)
	if _, err := dialectic.Replay(forged.Receipts); err != nil || forged.Decision != dialectic.Advance {
		t.Fatalf("the forgery is no good: %s, %v", forged.Decision, err)
	}
	encoded, err := json.Marshal(&forged)
	if err != nil {
		t.Fatal(err)
	}
	r.Result, r.Decision, r.Head = encoded, string(forged.Decision), forged.Receipts[len(forged.Receipts)-1].Hash
}

// Whatever is forged of a resolution is found, though its receipts and the chain
// of the file may be whole.
func TestAForgedResolutionIsFound(t *testing.T) {
	events := held(t)
	if _, err := resolver.Verify(events, resolver.Rule); err != nil {
		t.Fatal(err)
	}
	at := resolutionIn(t, events)
	for name, forge := range map[string]func(*state.Resolution){
		"another decision": func(r *state.Resolution) { r.Decision = "ADVANCE" },
		"another head":     func(r *state.Resolution) { r.Head = "0" + r.Head[1:] },
		"another round":    func(r *state.Resolution) { r.Round++ },
		"another moment":   func(r *state.Resolution) { r.AsOf = r.AsOf.Add(-time.Hour) },
		"no receipts":      func(r *state.Resolution) { r.Result = json.RawMessage("{}") },
		"one letter":       func(r *state.Resolution) { r.Result = json.RawMessage(string(r.Result[:len(r.Result)-1]) + " }") },
		"another result":   func(r *state.Resolution) { favorable(t, r) },
	} {
		forged := slices.Clone(events)
		resolution := *forged[at].Data.(*state.RoundResolved)
		forge(&resolution.Resolution)
		forged[at].Data = &resolution
		if _, err := resolver.Verify(forged, resolver.Rule); err == nil {
			t.Errorf("%s: it passes", name)
		}
	}
}

// Nor can a resolution be left out, or what it read be changed.
func TestAResolutionHoldsWhatItRead(t *testing.T) {
	events := held(t)
	at := resolutionIn(t, events)
	without := slices.Delete(slices.Clone(events), at, at+1)
	for i := range without {
		without[i].Seq = i + 1
	}
	if _, err := resolver.Verify(without, resolver.Rule); err == nil {
		t.Error("a resolution is left out, and nobody sees it")
	}
	forged := slices.Clone(events)
	for i, e := range forged {
		if filed, ok := e.Data.(*state.ObjectionFiled); ok {
			mild := *filed
			mild.Severity = string(dialectic.Low)
			forged[i].Data = &mild
		}
	}
	if _, err := resolver.Verify(forged, resolver.Rule); err == nil {
		t.Error("a graver objection is made a mild one, and nobody sees it")
	}
}
