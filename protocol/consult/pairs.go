package consult

import (
	"slices"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// challengeContradictions challenges two points of different seats that seem to say the
// opposite of each other if triage left the pair unmarked (RD1b). Agreeing to both would
// be a false consensus (ST6). The word measure only raises the question; it doesn't change
// pairs that the orchestrator marked.
func challengeContradictions(s *state.State) (protocol.Turn, bool) {
	points := protocol.LivePoints(s)
	if len(points) > protocol.MaxInScope || s.Round >= protocol.LastRound(s) {
		return protocol.NotDue()
	}
	a := &protocol.Admitter{Draft: &protocol.Draft{State: *s}, Seat: state.Protocol}
	for i, p := range points {
		for _, q := range points[i+1:] {
			if p.Scope != state.InScope || q.Scope != state.InScope || max(p.Round, q.Round) != s.Round ||
				slices.Equal(p.Authors, q.Authors) || protocol.Paired(s, p, q) || !resolver.Opposed(p.Text, q.Text) {
				continue
			}
			a.Try(0, func() error {
				return a.Pair(p, &protocol.Triage{Point: p.ID, Other: q.ID, SameSubject: true, Opposed: true})
			})
		}
	}
	return protocol.Turn{Events: a.Events}, len(a.Events) > 0
}
