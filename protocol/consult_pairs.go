package protocol

import (
	"slices"

	"moot/resolver"
	"moot/state"
)

// contradicting challenges two points of different seats that seem to say the
// opposite of each other where triage left the pair unmarked (RD1b): to agree
// to both would be a false consensus (ST6). The word measure only asks the
// question; a pair that the orchestrator marked stays as it marked it.
func contradicting(s *state.State) (Turn, bool) {
	points := livePoints(s)
	if len(points) > MaxInScope || s.Round >= lastRound(s) {
		return notDue()
	}
	a := &admission{draft: &draft{s: *s}, seat: state.Protocol}
	for i, p := range points {
		for _, q := range points[i+1:] {
			if p.Scope != state.InScope || q.Scope != state.InScope || max(p.Round, q.Round) != s.Round ||
				slices.Equal(p.Authors, q.Authors) || paired(s, p, q) || !resolver.Opposed(p.Text, q.Text) {
				continue
			}
			a.try(0, func() error {
				return a.pair(p, &Triage{Point: p.ID, Other: q.ID, SameSubject: true, Opposed: true})
			})
		}
	}
	return Turn{Events: a.events}, len(a.events) > 0
}

// paired reports whether somebody marked the pair.
func paired(s *state.State, p, q *state.Point) bool {
	for _, known := range s.Pairs.All() {
		if (known.A == p.ID && known.B == q.ID) || (known.A == q.ID && known.B == p.ID) {
			return true
		}
	}
	return false
}
