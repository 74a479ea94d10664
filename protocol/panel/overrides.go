package panel

import (
	"fmt"
	"slices"

	"moot/protocol"
	"moot/state"
	"moot/view"
)

// Overrides implements protocol.Format.
func (Format) Overrides(o protocol.Decisions) []protocol.Override {
	first, rest := o.OnQuestions()
	return slices.Concat(o.SelectedFact(), first, conflicts(o), o.OnPoints(), []protocol.Override{pair(o)},
		o.OnChallenges(), o.OnFacts(), rest,
		o.SessionOverrides(), o.Answered())
}

// conflicts lists the decisions on the selected conflict, or on those that the selected
// point is in.
func conflicts(o protocol.Decisions) []protocol.Override {
	table := NewTable(o.State)
	var list []protocol.Override
	for _, c := range o.Panel.Conflicts.All() {
		claim := table.Claim(o.At.Point)
		if c.ID == o.At.ID || o.Conflict(o.At.ID) == nil && claim != nil && slices.Contains(claim.Conflicts, c.ID) {
			list = append(list, conflictForms(o, table, c)...)
		}
	}
	if len(list) > 0 {
		return list
	}
	choose := protocol.Override{
		ID: "argue", Title: "have a conflict argued", Detail: "its two sides argue it in the next rounds",
		Heading: "Which conflict?", Choose: func() []protocol.Override {
			var list []protocol.Override
			for _, c := range o.Panel.Conflicts.All() {
				list = append(list, conflictForms(o, table, c)[0])
			}
			// Conflicts that can be argued come first.
			slices.SortStableFunc(list, func(a, b protocol.Override) int { return len(a.Why) - len(b.Why) })
			return list
		},
	}
	if o.Panel.Conflicts.Len() == 0 {
		choose.Why = "there are no conflicts"
	}
	return []protocol.Override{choose}
}

// conflictForms offers to have a conflict argued, to decide it for one side, or to mark
// the pair again.
func conflictForms(o protocol.Decisions, table *Table, c *state.Conflict) []protocol.Override {
	sides := [2]string{c.A, c.B}
	for i, id := range sides {
		if claim := table.Claim(id); claim != nil {
			sides[i] = claim.Points[0]
		}
	}
	said := ""
	for _, id := range sides {
		if p := o.Point(id); p != nil {
			if said != "" {
				said += " against "
			}
			said += id + " " + p.Text
		}
	}
	argue := protocol.ArgueConflict{Conflict: c.ID}
	list := []protocol.Override{{
		ID: "argue", About: c.ID, Title: "have " + c.ID +
			" argued", Detail: "its two sides argue it in the next rounds: " + said,
		Why: o.Refusal(argue),
		Build: func(view.Values) ([]protocol.UserMove, string, error) {
			return protocol.SingleMove(argue, c.ID+" is argued by its two sides from the next round on")
		},
	}}
	for i, side := range sides {
		other := sides[1-i]
		decide := protocol.Override{
			ID: "decide", About: c.ID + " " + side, Title: "decide " + c.ID + " for " + side,
			Detail: side + " is Agreed, " + other + " is Dismissed",
			Build: func(view.Values) ([]protocol.UserMove, string, error) {
				return decideConflict(o, table, c, side, other), fmt.Sprintf("%s is decided for %s, by you", c.ID,
					side), nil
			},
		}
		if table.Ending(c).Dropped {
			decide.Why = c.ID + " is not a conflict any more"
		}
		list = append(list, decide)
	}
	mark := markPairForm(o, sides[0], sides[1], c)
	mark.Title, mark.Detail = "mark "+sides[0]+" and "+sides[1]+" again", "how the two are related"
	return append(list, mark)
}

// decideConflict rules for one side and against the other, in every wording of both. It
// also answers an open question about the conflict.
func decideConflict(o protocol.Decisions, table *Table, c *state.Conflict, winner, loser string) []protocol.UserMove {
	for _, q := range o.Questions.All() {
		asks := q.Kind == state.QuestionEscalation && q.About == state.AboutConflict+c.ID
		if asks && !q.Answered && slices.Contains(q.Options, winner) {
			return []protocol.UserMove{protocol.AnswerQuestion{Question: q.ID, Answer: winner}}
		}
	}
	var moves []protocol.UserMove
	for _, ruling := range []protocol.RuleOn{
		{Point: winner, What: state.OverrideAgree},
		{Point: loser, What: state.OverrideDismiss},
	} {
		ruling.Reason = state.DecidedReason(c.ID)
		if claim := table.Claim(ruling.Point); claim != nil {
			for _, point := range claim.Points {
				ruling.Point = point
				moves = append(moves, ruling)
			}
		}
	}
	return moves
}

// pair describes how two points are related.
func pair(o protocol.Decisions) protocol.Override {
	override := o.OnPoint("point", func(point string) protocol.Override {
		override := markPairForm(o, point, "", nil)
		override.Title = "mark " + point + " and another point"
		return override
	})
	if o.At.Point == "" {
		override.Title = "mark two points"
	}
	if len(pairable(o, o.At.Point)) == 0 {
		override.Why = "there is nothing of another panelist to compare"
	}
	return override
}

// pairable returns the current points of other panelists.
func pairable(o protocol.Decisions, point string) []*state.Point {
	p := o.Point(point)
	var list []*state.Point
	for _, q := range o.Points.All() {
		if q.MergedInto == "" && q.RevisedBy == "" &&
			(p == nil || q.ID != p.ID && !slices.Equal(q.Authors, p.Authors)) {
			list = append(list, q)
		}
	}
	return list
}

func markPairForm(o protocol.Decisions, a, b string, c *state.Conflict) protocol.Override {
	other := view.Field{
		Key: "other", Label: "And", Kind: view.FieldSelect, Default: b,
		Help: "The point to compare " + a + " with.",
	}
	for _, p := range pairable(o, a) {
		other.Choices = append(other.Choices, view.Choice{Value: p.ID, Help: p.Text})
	}
	words := map[string]string{
		"opposed": "contradict each other", "subject": "are on one subject",
		"alike": "say the same", "apart": "are unrelated",
	}
	how := view.Field{
		Key: "how", Label: "They", Kind: view.FieldSelect, Help: "What you say outranks what was marked so far.",
		Choices: []view.Choice{
			{Value: "opposed", Label: words["opposed"], Help: "a contradiction: both cannot be true"},
			{Value: "subject", Label: words["subject"], Help: "a disagreement: one subject, but not the same claim"},
			{Value: "alike", Label: words["alike"], Help: "one claim in two wordings"},
			{Value: "apart", Label: words["apart"], Help: "no conflict"},
		},
	}
	if c != nil && c.Kind == state.Disagreement {
		how.Default = "subject"
	}
	return protocol.Override{
		ID: "pair", About: a + " " + b, Detail: "opposed, one subject, the same, or unrelated",
		Heading: "Mark " + a + " and another point", Fields: []view.Field{other, how},
		Build: func(v view.Values) ([]protocol.UserMove, string, error) {
			move := protocol.MarkPair{
				A: a, B: v["other"], Same: v["how"] != "apart",
				Opposed: v["how"] == "opposed", Alike: v["how"] == "alike",
			}
			return protocol.SingleMove(move, fmt.Sprintf("%s and %s %s, as you say", a, v["other"], words[v["how"]]))
		},
	}
}
