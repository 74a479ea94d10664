package tui

import (
	"context"
	"fmt"
	"slices"

	"moot/protocol"
	"moot/state"
)

// panelDecisions are all that the person can decide about the answers of a panel:
// first what bears on the selected conflict, point, fact or question, then the
// rest.
func (m *Model) panelDecisions(point, id string) []pick {
	about, asked := m.questionPicks(point, id)
	return slices.Concat(
		m.factPicks(id), about, m.conflictPicks(point, id), m.rulingPicks(point), m.pairPicks(point), m.challengePicks(point, id),
		m.knownPicks(), asked, m.coursePicks(), m.answeredPicks(),
	)
}

// conflictPicks decide the selected conflict, or those that the point is in.
func (m *Model) conflictPicks(point, id string) []pick {
	clashes := m.telling.conflicts()
	of := clashes.of(point)
	if c := m.state.Conflict(id); c != nil {
		of = []*state.Conflict{c}
	}
	var list []pick
	for _, c := range of {
		list = append(list, pick{
			id: "argue " + c.ID, name: "have " + c.ID + " argued", detail: "its two sides argue it in the next rounds: " + clashes.apart(c),
			why: m.refusal(protocol.ArgueConflict{Conflict: c.ID}), do: opens(func(m *Model) {
				m.override(protocol.ArgueConflict{Conflict: c.ID}, c.ID+" is argued by its two sides from the next round on")
			}),
		})
		for i, side := range clashes.sides(c) {
			other := clashes.sides(c)[1-i]
			list = append(list, pick{
				id: "decide " + c.ID + " " + side, name: "decide " + c.ID + " for " + side, detail: side + " is Agreed, " + other + " is Dismissed",
				why: when(clashes.endings[c.ID].Dropped, c.ID+" is no conflict any more", ""), do: opens(func(m *Model) { m.decideConflict(c.ID, side, other) }),
			})
		}
		a, b := clashes.sides(c)[0], clashes.sides(c)[1]
		list = append(list, pick{
			id: "mark " + c.ID, name: "mark " + a + " and " + b + " anew", detail: "what the two have to do with each other",
			do: opens(func(m *Model) { m.openPair(a, b) }),
		})
	}
	if len(list) > 0 {
		return list
	}
	return []pick{{
		id: "argue", name: "have a conflict argued", detail: "its two sides argue it in the next rounds",
		why: when(m.state.Panel.Conflicts.Len() == 0, "no conflict was found", ""), do: opens(func(m *Model) { m.chooseConflict() }),
	}}
}

// refusal says why the session would refuse a move now, or "".
func (m *Model) refusal(move protocol.UserMove) string {
	if _, err := protocol.AdmitUser(m.state, move); err != nil {
		return err.Error()
	}
	return ""
}

// chooseConflict lists the conflicts to have one argued.
func (m *Model) chooseConflict() {
	m.push(newPicker("Which conflict?", func() []pick {
		var list []pick
		for _, c := range m.telling.conflicts().all() {
			list = append(list, m.conflictPicks("", c.ID)[0])
		}
		return list
	}))
}

// decideConflict rules for one side of a conflict and against the other, in all
// wordings of both.
func (m *Model) decideConflict(id, winner, loser string) {
	said := fmt.Sprintf("%s is decided for %s, by you", id, winner)
	for _, q := range m.state.Questions.All() {
		if !q.Answered && q.Kind == state.QuestionEscalation && slices.Contains(q.Options, winner) && q.About == state.AboutConflict+id {
			m.override(protocol.AnswerQuestion{Question: q.ID, Answer: winner}, said)
			return
		}
	}
	var moves []protocol.UserMove
	for what, side := range map[state.OverrideKind]string{state.OverrideAgree: winner, state.OverrideDismiss: loser} {
		if claim := m.telling.conflicts().table.Claim(side); claim != nil {
			for _, point := range claim.Points {
				moves = append(moves, protocol.RuleOn{Point: point, What: what, Reason: state.DecidedReason(id)})
			}
		}
	}
	m.orderAll(nil, "", said, func(ctx context.Context, s Session) error {
		for _, move := range moves {
			if err := s.Override(ctx, move); err != nil {
				return err
			}
		}
		return nil
	})
}

// pairPicks say how two points are to each other.
func (m *Model) pairPicks(point string) []pick {
	name, why := when(point == "", "two points", point+" and another point"), ""
	if len(m.comparable(point)) == 0 {
		why = "there is nothing of another panelist to compare"
	}
	return []pick{{
		id: "pair", name: "mark " + name, detail: "opposed, one subject, the same, or nothing to do with each other", why: why,
		do: m.onPoint(point, func(m *Model, point string) { m.openPair(point, "") }),
	}}
}

// comparable are the points that a point can be compared with: those of other
// panelists that stand for themselves.
func (m *Model) comparable(point string) []*state.Point {
	p := m.state.Point(point)
	var list []*state.Point
	for _, q := range m.state.Points.All() {
		if q.MergedInto == "" && q.RevisedBy == "" && (p == nil || q.ID != p.ID && !slices.Equal(q.Authors, p.Authors)) {
			list = append(list, q)
		}
	}
	return list
}

// openPair asks how two points are to each other; "" is a point that is chosen
// in the form.
func (m *Model) openPair(a, b string) {
	other := &field{name: "other", label: "And", kind: fieldChoice, value: b, help: "The point to compare " + a + " with."}
	for _, p := range m.comparable(a) {
		other.options = append(other.options, choice{value: p.ID, help: p.Text})
	}
	how := &field{name: "how", label: "They", kind: fieldChoice, options: pairChoices(), help: "What you say counts before what was marked so far."}
	for _, c := range m.telling.conflicts().of(a) {
		if sides := m.telling.conflicts().sides(c); slices.Contains(sides[:], b) && c.Kind == state.Disagreement {
			// It begins with what is marked.
			how.value = "subject"
		}
	}
	fields := []*field{other, how}
	m.decide("pair "+a+" "+b, "Mark "+a+" and another point", fields, func(_ *fieldForm, v map[string]string) (protocol.UserMove, string) {
		move := protocol.MarkPair{A: a, B: v["other"]}
		switch v["how"] {
		case "opposed":
			move.Same, move.Opposed = true, true
		case "alike":
			move.Same, move.Alike = true, true
		case "subject":
			move.Same = true
		}
		return move, fmt.Sprintf("%s and %s %s, as you say", a, v["other"], pairMeans(v["how"]))
	})
}

// pairChoices are the ways in which two points can be to each other.
func pairChoices() []choice {
	var list []choice
	for _, c := range [][2]string{
		{"opposed", "a contradiction: both cannot hold"},
		{"subject", "a disagreement: one subject, and not the same"},
		{"alike", "one claim in two wordings"},
		{"apart", "no conflict"},
	} {
		list = append(list, choice{value: c[0], label: pairMeans(c[0]), help: c[1]})
	}
	return list
}

func pairMeans(how string) string {
	switch how {
	case "opposed":
		return "contradict each other"
	case "alike":
		return "say the same"
	case "subject":
		return "are on one subject"
	}
	return "have nothing to do with each other"
}
