package panel

import (
	"fmt"
	"slices"

	"moot/protocol"
	"moot/state"
	"moot/view"
)

// Overrides implements protocol.Format.
func (Format) Overrides(decisions protocol.Decisions) []protocol.Override {
	o := protocol.ClaimsDecisions{Decisions: decisions}
	first, rest := o.OnQuestions()
	return slices.Concat(o.SelectedFact(), first, conflicts(o), o.OnPoints(), o.OnChallenges(), o.OnEvidence(),
		o.OnFacts(), rest,
		o.SessionOverrides(), o.Answered())
}

// conflicts decides the selected conflict, or those that the selected point is in. Without a
// selection it offers all of them.
func conflicts(o protocol.ClaimsDecisions) []protocol.Override {
	table := NewTable(o.State)
	var selected, all []protocol.Override
	for _, c := range Of(o.State).Conflicts.All() {
		if !table.isLive(c) {
			continue
		}
		sides := table.between[c.ID]
		both := []protocol.Override{decide(o, c, sides[0], sides[1]), decide(o, c, sides[1], sides[0])}
		all = append(all, both...)
		claim := table.Claim(o.At.Point)
		about := claim != nil && slices.Contains(claim.Conflicts, c.ID)
		if c.ID == o.At.ID || about && Of(o.State).Conflict(o.At.ID) == nil {
			selected = append(selected, both...)
		}
	}
	return protocol.Among(selected, all, protocol.Override{
		ID: "decide", Title: "decide a conflict", Detail: "one side is Agreed, the other Dismissed",
		Heading: "Which side of which conflict?",
	}, "there are no conflicts")
}

// decide rules for one side of a conflict and against the other, in every wording of both. If a
// question about the conflict is open, this answers it.
func decide(o protocol.ClaimsDecisions, c *Conflict, winner, loser *Claim) protocol.Override {
	side, other := winner.Points[0], loser.Points[0]
	return protocol.Override{
		ID: "decide", About: c.ID + " " + side, Title: "decide " + c.ID + " for " + side,
		Detail: side + " is Agreed, " + other + " is Dismissed: " + o.Point(side).Text,
		Build: func(view.Values) ([]protocol.UserMove, string, error) {
			done := fmt.Sprintf("%s is decided for %s, by you", c.ID, side)
			if q := questionAbout(o.State, c); q != nil && !q.Answered &&
				slices.Contains(q.Options, side) {
				return protocol.SingleMove(protocol.AnswerQuestion{Question: q.ID, Answer: side}, done)
			}
			var moves []protocol.UserMove
			rule := func(points []string, what state.OverrideKind) {
				for _, point := range points {
					moves = append(moves, protocol.RuleOn{Point: point, What: what, Reason: decidedReason(c.ID)})
				}
			}
			rule(winner.Points, state.OverrideAgree)
			rule(loser.Points, state.OverrideDismiss)
			return moves, done, nil
		},
	}
}
