package tui

import (
	"encoding/json"
	"testing"

	"moot/state"
)

// resolvedScenes are what code decided of a proposal.
func resolvedScenes() []scene {
	of := func(name, shows string, record func(t testing.TB) *recorder, keys string) scene {
		return scene{name, shows, func(s *stage) *Model { return s.proposed(record).session(keys, ready(state.Proposer)) }}
	}
	return []scene{
		of("decision-escalated", "Q1, Q2 and Q3 ask you", pressed, "6"),
		of("decision-end", "Receipts", pressed, "6 z end"),
		of("decision-held", "owed by proposer  a run of the command on staging", firstRound, "6"),
		of("decision-advanced", "Every gate passes, and no objection holds it; C4 only warns", advancing, "6 z"),
		of("decision-changed", "Changed since: it will be resolved again", ruledSince, "6"),
		of("decision-none", "No round is resolved yet", unresolved, "6"),
		of("decision-unreadable", "The decision cannot be shown", unreadable, "6"),
		of("decision-why", "the hashes of all receipts fit", pressed, "6 down w"),
		of("decision-gate", "INVENTED(2026-11-24)", pressed, "6 / i n v e n t e d enter esc enter"),
		of("decision-round", "Round 1: HOLD", pressed, "6 / h o l d space space r o u n d enter esc enter"),
		of("decision-searched", "search: freshness", pressed, "6 / f r e s h n e s s enter"),
		{"decision-replay", "round 1/2", func(s *stage) *Model {
			s.proposed(pressed)
			return s.past(resolvedAt(s.record)+1, "6")
		}},
	}
}

// proposed puts a proposal on the stage: the one that is asked for, or the foul
// one of the cast.
func (s *stage) proposed(of func(t testing.TB) *recorder) *stage {
	record := s.proposal
	if record == nil {
		record = of(s.t)
	}
	s.cast = &cast{record: record, proposal: s.proposal, text: s.text}
	return s
}

// firstRound is a session whose first round was held.
var firstRound = kept("firstRound", func(t testing.TB) *recorder { return held(t).recorder })

// ruledSince is a session in which the user ruled after the last resolution.
func ruledSince(t testing.TB) *recorder {
	r := pressed(t)
	r.add(&state.ObjectionRuled{Challenge: "C1", Verdict: "cleared", Reason: "we ran it"})
	return r
}

// unresolved is a session in its first round.
func unresolved(t testing.TB) *recorder {
	r := &recorder{t: t}
	r.add(pressedOpened(), &state.RoundStarted{Round: 1})
	return r
}

// unreadable is a session whose resolution is of a form that is not known.
func unreadable(t testing.TB) *recorder {
	r := unresolved(t)
	r.add(&state.RoundResolved{Resolution: state.Resolution{Round: 1, Decision: "HOLD", Result: json.RawMessage(`{"decision":"PERHAPS"}`)}})
	return r
}

// resolvedAt is the number of the first event that resolves a round.
func resolvedAt(r *recorder) int {
	for i, e := range r.events {
		if _, resolves := e.Data.(*state.RoundResolved); resolves {
			return i + 1
		}
	}
	return 1
}
