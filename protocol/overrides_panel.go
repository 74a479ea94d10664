package protocol

import (
	"fmt"
	"slices"

	"moot/resolver"
	"moot/state"
	"moot/view"
)

func (o overrides) panel() []Override {
	first, rest := o.questions()
	return slices.Concat(o.selectedFact(), first, o.conflicts(), o.points(), []Override{o.pair()}, o.challenges(), o.facts(), rest,
		o.course(), o.answered())
}

// conflicts decide the selected conflict, or those that the selected point is in.
func (o overrides) conflicts() []Override {
	table := resolver.NewTable(o.State)
	var list []Override
	for _, c := range o.Panel.Conflicts.All() {
		claim := table.Claim(o.at.Point)
		if c.ID == o.at.ID || o.Conflict(o.at.ID) == nil && claim != nil && slices.Contains(claim.Conflicts, c.ID) {
			list = append(list, o.conflict(table, c)...)
		}
	}
	if len(list) > 0 {
		return list
	}
	any := Override{
		ID: "argue", Title: "have a conflict argued", Detail: "its two sides argue it in the next rounds", Heading: "Which conflict?",
		Choose: func() []Override {
			var list []Override
			for _, c := range o.Panel.Conflicts.All() {
				list = append(list, o.conflict(table, c)[0])
			}
			// Those that can be argued come first.
			slices.SortStableFunc(list, func(a, b Override) int { return len(a.Why) - len(b.Why) })
			return list
		},
	}
	if o.Panel.Conflicts.Len() == 0 {
		any.Why = "there are no conflicts"
	}
	return []Override{any}
}

// conflict has a conflict argued, decides it for one of its sides, or marks it again.
func (o overrides) conflict(table *resolver.Table, c *state.Conflict) []Override {
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
	argue := ArgueConflict{Conflict: c.ID}
	list := []Override{{
		ID: "argue", About: c.ID, Title: "have " + c.ID + " argued", Detail: "its two sides argue it in the next rounds: " + said,
		Why: o.refusal(argue),
		Build: func(view.Values) ([]UserMove, string, error) {
			return one(argue, c.ID+" is argued by its two sides from the next round on")
		},
	}}
	for i, side := range sides {
		other := sides[1-i]
		decide := Override{
			ID: "decide", About: c.ID + " " + side, Title: "decide " + c.ID + " for " + side,
			Detail: side + " is Agreed, " + other + " is Dismissed",
			Build: func(view.Values) ([]UserMove, string, error) {
				return o.decideConflict(table, c, side, other), fmt.Sprintf("%s is decided for %s, by you", c.ID, side), nil
			},
		}
		if table.Ending(c).Dropped {
			decide.Why = c.ID + " is not a conflict any more"
		}
		list = append(list, decide)
	}
	mark := o.markPair(sides[0], sides[1], c)
	mark.Title, mark.Detail = "mark "+sides[0]+" and "+sides[1]+" again", "how the two are related"
	return append(list, mark)
}

// decideConflict rules for one side and against the other, in all wordings of both. If a
// question asks for it, this is its answer.
func (o overrides) decideConflict(table *resolver.Table, c *state.Conflict, winner, loser string) []UserMove {
	for _, q := range o.Questions.All() {
		asks := q.Kind == state.QuestionEscalation && q.About == state.AboutConflict+c.ID
		if asks && !q.Answered && slices.Contains(q.Options, winner) {
			return []UserMove{AnswerQuestion{Question: q.ID, Answer: winner}}
		}
	}
	var moves []UserMove
	for _, ruling := range []RuleOn{{Point: winner, What: state.OverrideAgree}, {Point: loser, What: state.OverrideDismiss}} {
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

// pair says how two points are related.
func (o overrides) pair() Override {
	override := o.onPoint("point", func(point string) Override {
		override := o.markPair(point, "", nil)
		override.Title = "mark " + point + " and another point"
		return override
	})
	if o.at.Point == "" {
		override.Title = "mark two points"
	}
	if len(o.comparable(o.at.Point)) == 0 {
		override.Why = "there is nothing of another panelist to compare"
	}
	return override
}

// comparable are the points that a point can be compared with: the current ones of other
// panelists.
func (o overrides) comparable(point string) []*state.Point {
	p := o.Point(point)
	var list []*state.Point
	for _, q := range o.Points.All() {
		if q.MergedInto == "" && q.RevisedBy == "" && (p == nil || q.ID != p.ID && !slices.Equal(q.Authors, p.Authors)) {
			list = append(list, q)
		}
	}
	return list
}

func (o overrides) markPair(a, b string, c *state.Conflict) Override {
	other := view.Field{Key: "other", Label: "And", Kind: view.FieldSelect, Default: b, Help: "The point to compare " + a + " with."}
	for _, p := range o.comparable(a) {
		other.Choices = append(other.Choices, view.Choice{Value: p.ID, Help: p.Text})
	}
	words := map[string]string{
		"opposed": "contradict each other", "subject": "are on one subject", "alike": "say the same", "apart": "are unrelated",
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
	return Override{
		ID: "pair", About: a + " " + b, Detail: "opposed, one subject, the same, or unrelated",
		Heading: "Mark " + a + " and another point", Fields: []view.Field{other, how},
		Build: func(v view.Values) ([]UserMove, string, error) {
			move := MarkPair{
				A: a, B: v["other"], Same: v["how"] != "apart", Opposed: v["how"] == "opposed", Alike: v["how"] == "alike",
			}
			return one(move, fmt.Sprintf("%s and %s %s, as you say", a, v["other"], words[v["how"]]))
		},
	}
}
