package run

import (
	"slices"
	"testing"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// What the user reopens after the consensus, before the session is closed, is tested
// in the next round; after the last round the rules go by what they have.
func TestReopenedAfterTheConsensus(t *testing.T) {
	for rounds, ends := range map[int]int{1: 1, 2: 2} {
		log := &record{}
		o := sits(t, log, quiet(), func(o *state.SessionOpened) { o.Settings.Council.Rounds = rounds })
		runs(t, o, log, nothing)
		at := slices.IndexFunc(log.events,
			func(e state.Event) bool { return e.Data.Kind() == (&state.ExitReached{}).Kind() })
		log.events = log.events[:at+1]
		o = again(t, o, log)
		log.does(t, o.State, protocol.RuleOn{Point: "P1", What: state.OverrideReopen})
		log.does(t, again(t, o, log).State, protocol.RecordFact{Text: "the disk was changed"})
		s, _ := runs(t, again(t, o, log), log, nothing)
		if s.Round != ends || s.Exit != state.ExitConverged {
			t.Errorf("of %d rounds: exit %q in round %d", rounds, s.Exit, s.Round)
		}
		if tested := s.Council.Consensus(ends); tested == nil || !tested.Reached {
			t.Errorf("of %d rounds: round %d came to %+v", rounds, ends, tested)
		}
		if ruled, _ := resolver.RuleOne(s, "P1"); ruled.Bucket != state.BucketAgreed || ruled.Rule != "CV" {
			t.Errorf("of %d rounds: %+v", rounds, ruled)
		}
	}
}
