package council

import (
	"slices"

	"moot/protocol"
	"moot/resolver"
	"moot/state"
)

// breaching records the violations of the constitution by what came in this round.
// What a claim lacks can come with the rest of a reply, so that it is looked at
// once the reply is on the record; bias once all seats had their say.
func breaching(s *state.State) (protocol.Turn, bool) {
	if s.Round == 0 || s.Over() || s.Settings.Council == nil {
		return protocol.NotDue()
	}
	var found []state.Payload
	since := unseenSince(s)
	for _, p := range s.Points.All() {
		if p.Seq <= since || !recent(s, p) {
			continue
		}
		for _, b := range resolver.BreachesOf(s, p) {
			if s.Council.Breached(b.Constraint, b.Point, b.Challenge) || !ripe(s, &b) {
				continue
			}
			found = append(found, &state.ConstitutionViolated{
				Constraint: b.Constraint, Seat: b.Seat, Point: b.Point,
				Challenge: b.Challenge, Text: b.Text,
			})
		}
	}
	return protocol.Turn{Events: found}, len(found) > 0
}

// unseenSince is the place behind which nothing was looked at yet: a prompt goes out
// only when all before it was. Once the adversary had its say all of the round is
// looked at again, since it is ripe then to say what is biased.
func unseenSince(s *state.State) int {
	since := 0
	for i := range s.Asked {
		since = max(since, s.Asked[i].Sent)
	}
	if attacked := s.AskedOf(state.Adversary, state.StageAttack); attacked.Replies > 0 && attacked.Sent == since {
		return 0
	}
	return since
}

// recent reports whether something of this round can be seen in a point: itself, or
// a challenge to it.
func recent(s *state.State, p *state.Point) bool {
	return protocol.Live(p) && (p.Round == s.Round ||
		slices.ContainsFunc(p.Challenges, func(id string) bool { return s.Challenge(id).Round == s.Round }))
}

// ripe reports whether it can be said already that a constraint is violated.
func ripe(s *state.State, b *state.Breach) bool {
	if !s.OnlyFlags(b.Constraint) {
		return true
	}
	return s.AskedOf(state.Adversary, state.StageAttack).Replies > 0
}

// unmended are the violations that were not given back to the seat yet, and that
// still are some.
func unmended(s *state.State, seat state.Seat) []state.Breach {
	asked := s.AskedOf(seat, state.StageMend)
	var open []state.Breach
	for _, b := range s.Council.Breaches {
		switch p := s.Point(b.Point); {
		case b.Seat != seat || b.Round != s.Round:
		case asked.Replies > 0 && !spokenBetween(s, asked.Sent, b.Seq):
			// It was given back, or is what the seat mended with.
		case !protocol.Live(p) || s.OnlyFlags(b.Constraint):
		case resolver.Breaks(s, p, &b):
			open = append(open, b)
		}
	}
	return open
}

// spokenBetween reports whether a seat was asked for more than to mend after one
// place and before another: what came without that came of the mending. Were it
// given back too, a seat that words one violation as another would be asked for ever.
func spokenBetween(s *state.State, after, before int) bool {
	return after > 0 && slices.ContainsFunc(s.Asked, func(a state.Asked) bool {
		return a.Stage != state.StageMend && after < a.Sent && a.Sent < before
	})
}

// mending gives violations back to their seats, once, before anyone else speaks.
func mending(s *state.State) (protocol.Turn, bool) {
	if s.Over() {
		return protocol.NotDue()
	}
	var asks []protocol.Ask
	for _, seat := range protocol.Seated(s) {
		asked := s.AskedOf(seat, state.StageMend)
		if len(unmended(s, seat)) == 0 || asked.Failed > 1 {
			continue
		}
		moves := []protocol.MoveKind{protocol.MoveChallenge, protocol.MoveCite, protocol.MoveScore, protocol.MoveClarify}
		switch seat { //nolint:exhaustive // the others mend challenges
		case state.Strategist:
			moves = unlessLast(s, []protocol.MoveKind{protocol.MoveCite, protocol.MoveScore, protocol.MoveClarify, protocol.MoveRevise, protocol.MoveConcede})
		case state.Moderator:
			moves = unlessLast(s, []protocol.MoveKind{protocol.MoveCite, protocol.MoveScore, protocol.MoveClarify, protocol.MoveRevise})
		}
		asks = append(asks, protocol.Ask{
			Seat: seat, Stage: state.StageMend, Moves: moves,
			Retry: protocol.RetryOf(state.Asked{Failed: asked.Failed, Refusals: asked.Refusals}),
		})
	}
	return protocol.Turn{Asks: asks}, len(asks) > 0
}
