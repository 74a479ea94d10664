package protocol_test

import (
	"slices"
	"testing"

	"moot/constitution"
	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// vetted is the record of a council in which everything happens that only a council
// knows: violations that are mended, a claim that is marked key, limited and worded
// anew, syntheses and tests for consensus.
func vetted(t *testing.T) []state.Event {
	t.Helper()
	book, err := constitution.Default()
	if err != nil {
		t.Fatal(err)
	}
	log := &record{}
	seats := map[state.Seat]protocol.Participant{
		state.Strategist: says(map[state.Stage]string{
			state.StagePropose: `{"moves":[{"move":"RAISE","text":"Every job of the queue is run","confidence":1,"citations":[{"reference":"a/queue.md:3","quote":"acks late"}]}]}`,
			state.StageMend:    `{"moves":[{"move":"CLARIFY","point":"P1","term":"limit","text":"a broker that loses its disk"}]}`,
			state.StageAnswer:  `{"moves":[{"move":"DEFEND","challenge":"C1","text":"There is one loop"},{"move":"SCORE","point":"P2","confidence":0.8}]}`,
		}),
		state.Critic: says(map[state.Stage]string{
			state.StageCritique: `{"moves":[{"move":"CHALLENGE","point":"P1","class":"SKEPTICAL","flaw":"That is too bold","upgrade_if":"a second line"},{"move":"SCORE","point":"P1","confidence":0.4},{"move":"FLAG","flag":"key","point":"P1"}]}`,
			state.StageMend:     `{"moves":[{"move":"CHALLENGE","point":"P1","class":"SKEPTICAL","flaw":"The method is seen in one sample","upgrade_if":"a second line"}]}`,
			state.StageJudge:    `{"moves":[{"move":"JUDGE","challenge":"C1","judgment":"rejected","reason":"no line was cited"}]}`,
		}),
		state.Adversary: says(map[state.Stage]string{state.StageAttack: `{"moves":[{"move":"SCORE","point":"P1","confidence":0.6}]}`}),
		state.Moderator: says(map[state.Stage]string{
			state.StageSynthesize: `{"moves":[{"move":"SYNTHESIZE","text":"Nearly.","agreement":true},{"move":"REVISE","point":"P1","text":"Every job of the queue is run, where the broker keeps its disk","because":"narrower"}]}`,
		}),
	}
	o := options(t, log, asksCouncil(func(o *state.SessionOpened) {
		o.Settings.Council.Rounds, o.Settings.Council.Constitution = 2, book
	}), seats)
	o.Format = protocol.Council{}
	if err := protocol.NewRunner(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return log.events
}

// Whatever is forged of what only a council knows is found, though the chain of the
// file may be whole.
func TestAForgedCouncilIsFound(t *testing.T) {
	events := vetted(t)
	if _, err := resolver.Verify(events, resolver.Rule); err != nil {
		t.Fatal(err)
	}
	for name, forgery := range map[string]func() ([]state.Event, int){
		"consensus where there is none": forging(events, func(e *state.ConsensusTested) { e.Reached = !e.Reached }),
		"consensus, and nothing unsettled": forging(events, func(e *state.ConsensusTested) {
			e.Reached, e.Unsettled = true, []string{}
		}),
		"another claim unsettled": forging(events,
			func(e *state.ConsensusTested) { e.Unsettled = []string{"P1"} }),
		"the moderator reported otherwise": forging(events,
			func(e *state.ConsensusTested) { e.Reported = state.AgreementNo }),
		"the moderator reported nothing": forging(events, func(e *state.ConsensusTested) { e.Reported = "" }),
		"a synthesis turned": forging(events,
			func(e *state.Synthesized) { e.Agreement = !e.Agreement }),
		"a synthesis by another": forging(events, func(e *state.Synthesized) { e.By = state.Critic }),
		"a violation in other words": forging(events,
			func(e *state.ConstitutionViolated) { e.Text = "all is well" }),
		"a violation of another seat": forging(events,
			func(e *state.ConstitutionViolated) { e.Seat = state.Adversary }),
		"a violation by no challenge":     forging(events, func(e *state.ConstitutionViolated) { e.Challenge = "" }),
		"a limit by another":              forging(events, func(e *state.ClaimLimited) { e.By = state.Critic }),
		"a key mark taken back by a seat": forging(events, func(e *state.ClaimMarkedKey) { e.Key = false }),
		"a challenge mended by another": forging(events,
			func(e *state.ChallengeMended) { e.By = state.Adversary }),
		"a challenge mended into a weak one": forging(events, func(e *state.ChallengeMended) { e.Challenge = "C2" }),
		"a claim worded by another": forging(events, func(e *state.PointRaised) {
			if e.For != "" {
				e.By = state.Critic
			}
		}),
		"a claim worded for another": forging(events, func(e *state.PointRaised) {
			if e.For != "" {
				e.For = state.Critic
			}
		}),
		"a claim worded out of nothing": forging(events, func(e *state.PointRaised) {
			if e.For != "" {
				e.Revises = ""
			}
		}),
		"a claim raised by the moderator": forging(events,
			func(e *state.PointRaised) { e.By, e.For = state.Moderator, "" }),
		"a confidence changed":      forging(events, func(e *state.ConfidenceReported) { e.Admitted = 0.99 }),
		"a confidence beyond 1":     forging(events, func(e *state.ConfidenceReported) { e.Stated = 1.5 }),
		"a claim without its limit": forging(events, func(e *state.ClaimLimited) { e.Limit = "" }),
		"a ruling by another rule": forging(events, func(e *state.Ruled) {
			e.Rulings = append([]state.Ruling{}, e.Rulings...)
			for i := range e.Rulings {
				e.Rulings[i].Rule = "CV4"
			}
		}),
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

// No round begins, and no council ends, before consensus was tested.
func TestEachRoundOfACouncilIsTestedForConsensus(t *testing.T) {
	events := vetted(t)
	tests := 0
	for i, e := range events {
		if _, tested := e.Data.(*state.ConsensusTested); !tested {
			continue
		}
		tests++
		// What follows is looked at alone: the record moves up by one.
		without := slices.Clone(events[:i+2])[:i]
		next := events[i+1]
		next.Seq = e.Seq
		if _, err := resolver.Verify(append(without, next), resolver.Rule); err == nil {
			t.Errorf("without the test in %d %s passes", e.Seq, next.Data.Kind())
		}
	}
	if tests != 2 {
		t.Errorf("consensus was tested %d times", tests)
	}
}

// forging changes the events of one kind.
func forging[T any](events []state.Event, change func(*T)) func() ([]state.Event, int) {
	return func() ([]state.Event, int) { return forge(events, change) }
}

// What code found of the constitution, and what it tested, cannot be told twice.
func TestWhatACouncilTellsOnceIsToldOnce(t *testing.T) {
	events := vetted(t)
	for _, kind := range []string{"constitution-violated", "synthesized"} {
		var twice []state.Event
		for _, e := range events {
			twice = append(twice, e)
			if e.Data.Kind() == kind && len(twice) == e.Seq {
				e.Seq++
				twice = append(twice, e)
				break
			}
		}
		if _, err := resolver.Verify(twice[:len(twice)-1], resolver.Rule); err != nil {
			t.Fatal(err)
		}
		if _, err := resolver.Verify(twice, resolver.Rule); err == nil {
			t.Errorf("a second %s passes", kind)
		}
	}
}
