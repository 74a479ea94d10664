package council

import (
	"slices"

	"moot/protocol"
	"moot/state"
)

// recordBreaches records constitution violations of this round. It looks at a claim only
// once the whole reply is recorded, because a later move may add what the claim lacks;
// bias is checked after all seats have replied.
func recordBreaches(s *state.State) (protocol.Turn, bool) {
	if s.Round == 0 || s.Over() || s.Settings.Council == nil {
		return protocol.NotDue()
	}
	var found []state.Payload
	since := unseenSince(s)
	for _, p := range s.Points.All() {
		if p.Seq <= since || !recent(s, p) {
			continue
		}
		for _, b := range BreachesOf(s, p) {
			if s.Council.Breached(b.Constraint, b.Point, b.Challenge) || !checkable(s, &b) {
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

// unseenSince returns the sequence number after which nothing was checked yet: all earlier
// events were checked before the last prompt was sent. After the adversary's reply the
// whole round is checked again, because bias can then be judged.
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

// recent reports whether a point, or a challenge to it, is from this round.
func recent(s *state.State, p *state.Point) bool {
	return protocol.Live(p) && (p.Round == s.Round ||
		slices.ContainsFunc(p.Challenges, func(id string) bool { return s.Challenge(id).Round == s.Round }))
}

// checkable reports whether a constraint can be checked at this time.
func checkable(s *state.State, b *state.Breach) bool {
	if !s.OnlyFlags(b.Constraint) {
		return true
	}
	return s.AskedOf(state.Adversary, state.StageAttack).Replies > 0
}

// unfixed returns the violations that still exist and weren't yet returned to the seat.
func unfixed(s *state.State, seat state.Seat) []state.Breach {
	asked := s.AskedOf(seat, state.StageMend)
	var open []state.Breach
	for _, b := range s.Council.Breaches {
		switch p := s.Point(b.Point); {
		case b.Seat != seat || b.Round != s.Round:
		case asked.Replies > 0 && !askedBetween(s, asked.Sent, b.Seq):
			// Already returned to the seat, or caused by its fix.
		case !protocol.Live(p) || s.OnlyFlags(b.Constraint):
		case Breaks(s, p, &b):
			open = append(open, b)
		}
	}
	return open
}

// askedBetween reports whether a seat was asked for anything but a fix between two events.
// A violation without such an ask came from the fix; returning it too could loop forever.
func askedBetween(s *state.State, after, before int) bool {
	return after > 0 && slices.ContainsFunc(s.Asked, func(a state.Asked) bool {
		return a.Stage != state.StageMend && after < a.Sent && a.Sent < before
	})
}

// askFixes returns violations to their seats, once, before any other seat speaks.
func askFixes(s *state.State) (protocol.Turn, bool) {
	if s.Over() {
		return protocol.NotDue()
	}
	var asks []protocol.Ask
	for _, seat := range protocol.Seated(s) {
		asked := s.AskedOf(seat, state.StageMend)
		if len(unfixed(s, seat)) == 0 || asked.Failed > 1 {
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
