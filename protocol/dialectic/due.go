package dialectic

import (
	"moot/protocol"
	"moot/protocol/dialectic/gates"
	"moot/state"
)

// Due implements Format. The proposer must answer each unsettled objection.
func (Format) Due(s *state.State, ask protocol.Ask) protocol.Due {
	var d protocol.Due
	if ask.Seat != state.Proposer {
		return d
	}
	cleared := map[string]bool{}
	if outcome, err := OutcomeOf(s); err == nil && outcome != nil {
		for _, r := range outcome.Artifact.Resolutions {
			cleared[r.Objection] = r.Outcome == gates.Cleared
		}
	}
	for _, c := range s.Challenges.All() {
		settled := c.Typed == nil || c.Typed.Verdict != "" || c.Status == state.StandsConceded || cleared[c.ID]
		if !settled && Proposed(s.Point(c.Point)) {
			d.Answer = append(d.Answer, c.ID)
		}
	}
	for _, r := range s.Requests.All() {
		if r.About != "" && r.Open() {
			d.Requests = append(d.Requests, r)
		}
	}
	return d
}
