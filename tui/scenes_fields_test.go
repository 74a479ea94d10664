package tui

import (
	"testing"

	"moot/state"
)

// fieldScenes are the views of a proposal: its fields, what is objected to them,
// and evidence by its authority.
func fieldScenes() []scene {
	of := func(name, shows string, record func(t testing.TB) *recorder, keys string) scene {
		return scene{name, shows, func(s *stage) *Model { return s.proposed(record).session(keys, ready(state.Proposer)) }}
	}
	return []scene{
		of("fields-debate", "Q3 asks you", pressed, "1"),
		of("fields-points", "C1 unresolved", pressed, "2"),
		of("fields-points-sorted", "Points 6 by severity", pressed, "2 > > > i end"),
		of("fields-point", "asks whether  the error budget allows the share", pressed, "3 end"),
		of("fields-point-held", "C1 (BLOCKING) is UNRESOLVED by R4", pressed, "3 right"),
		of("fields-point-failing", "INVENTED(2026-11-24)", pressed, "3 right right right"),
		of("fields-ledger", "live-api  decides up to BLOCKING", pressed, "4"),
		of("fields-ledger-end", "schedctl rollback left two shards without an owner", pressed, "4 end"),
		of("fields-graph", "cleared by E10", pressed, "5"),
		of("fields-record", "round-resolved", pressed, "7"),
		of("fields-buckets", "C6 upheld", pressed, "8"),
		of("fields-challenges", "2 stand", pressed, "9"),
		of("fields-owed", "owed  a run of the command on staging", firstRound, "9"),
		of("fields-unresolved", "not resolved yet", objectedOnly, "9"),
		of("fields-ruled", "cleared by you, R0", ruledSince, "9"),
		of("fields-challenge", "C1 BLOCKING", pressed, "9 enter"),
		of("fields-item", "it counts as llm-inference", pressed, "4 / m i s s i n g enter esc enter"),
		of("fields-why", "Receipts", pressed, "2 down w"),
	}
}

// objectedOnly is a session whose first round was not resolved yet.
func objectedOnly(t testing.TB) *recorder {
	r := &recorder{t: t}
	for _, e := range firstRound(t).events {
		if _, resolves := e.Data.(*state.RoundResolved); resolves {
			break
		}
		r.add(e.Data)
	}
	return r
}
