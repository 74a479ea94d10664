package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/state"
)

// openOverride lists all that can be decided about what is selected.
func (m *Model) openOverride() {
	point, id := m.target(), m.paneOf(m.focus).selected()
	heading := "Override"
	if point == "" {
		point = m.pointOf(id)
	}
	if point != "" || m.state.Fact(id) != nil {
		heading += ", about " + id
	}
	p := newPicker(heading, func() []pick { return m.uncovered(func() []pick { return m.decisions(point, id) }) })
	p.empty = "nothing of that name can be decided"
	m.push(p)
}

// decisions are all that the person can decide: first what bears on the selected
// point, challenge, fact or question, then the rest.
func (m *Model) decisions(point, id string) []pick {
	return m.format().decisions(m, point, id)
}

// pointDecisions are those about the points of a deliberation.
func (m *Model) pointDecisions(point, id string) []pick {
	about, asked := m.questionPicks(point, id)
	return slices.Concat(
		m.factPicks(id), about, m.rulingPicks(point), m.challengePicks(point, id), m.knownPicks(), asked, m.coursePicks(), m.answeredPicks(),
	)
}

// onPoint does something with a point, which is chosen first where none is
// selected.
func (m *Model) onPoint(point string, then func(m *Model, point string)) perform {
	return func(m *Model) tea.Cmd {
		if point != "" {
			then(m, point)
			return nil
		}
		m.push(newPicker(when(m.format().proposes, "Which field?", "Which point?"), func() []pick {
			var list []pick
			for _, p := range m.state.Points.All() {
				if p.MergedInto == "" {
					list = append(list, pick{id: p.ID, name: p.ID, detail: p.Text, do: m.onPoint(p.ID, then)})
				}
			}
			return list
		}))
		return nil
	}
}

// rulingPicks decide a point.
func (m *Model) rulingPicks(point string) []pick {
	why := when(m.state.Points.Len() == 0, "there is no point yet", "")
	name := when(point == "", "a point", point)
	var list []pick
	add := func(what, detail, key string, then func(m *Model, point string)) {
		list = append(list, pick{id: what, name: fmt.Sprintf(what, name), detail: detail, key: key, why: why, do: m.onPoint(point, then)})
	}
	rule := func(what state.OverrideKind) func(m *Model, point string) {
		return func(m *Model, point string) { m.openRuling(point, what) }
	}
	if p := m.state.Point(point); p != nil && m.tradeoff(point) {
		add("choose a side of %s", "for the point: Agreed; for what stands against it: Dismissed", "", (*Model).openSide)
	}
	add("agree with %s", "it is Agreed, whatever the seats say", m.keyOf(ActionAgree), rule(state.OverrideAgree))
	add("dismiss %s", "it is Dismissed, whatever the seats say", m.keyOf(ActionDismiss), rule(state.OverrideDismiss))
	add("leave %s unresolved", "it is argued no further", "", rule(state.OverrideUnresolved))
	add("reopen %s", "your ruling is taken back; it is argued anew", m.keyOf(ActionReopen), rule(state.OverrideReopen))
	add("challenge %s", "an objection of yours, to be answered", "", (*Model).openChallenge)
	add("give evidence on %s", "yours counts as verified", "", (*Model).openEvidence)
	add("set the kind of %s", "empirical, or a value judgment", "", (*Model).openKind)
	concede := m.onPoint(point, (*Model).openConcession)
	list = append(list, pick{
		id: "concede", name: "concede " + name, detail: "you give up a point that you brought", why: m.whyNoConcession(point), do: concede,
	})
	return list
}

// tradeoff reports whether a point hangs on a choice that no question asks.
func (m *Model) tradeoff(point string) bool {
	for _, q := range m.state.Questions.All() {
		if q.Point == point && q.Kind == state.QuestionTradeoff && !q.Answered {
			return false
		}
	}
	for i := range m.rulings {
		if m.rulings[i].Point == point {
			return m.rulings[i].Status == state.StatusTradeoff
		}
	}
	return false
}

func (m *Model) whyNoConcession(point string) string {
	p := m.state.Point(point)
	switch {
	case p == nil:
		return "select a point that you brought"
	case !p.IsAuthor(state.User):
		return p.ID + " is not yours; dismiss it instead"
	}
	return ""
}

// challengePicks answer a challenge in a seat's place: the selected one, or those
// on the point.
func (m *Model) challengePicks(point, id string) []pick {
	var list []pick
	for _, c := range m.state.Challenges.All() {
		if c.ID != id && (c.Point != point || c.Settled() || m.telling.conflicts().echoed(c)) {
			continue
		}
		list = append(list, pick{
			id: c.ID, name: "answer " + c.ID, detail: "in the seat's place: " + c.Objection,
			do: func(m *Model) tea.Cmd {
				m.openDefense(c.ID)
				return nil
			},
		})
	}
	if len(list) > 0 {
		return list
	}
	return []pick{{
		id: "answer", name: "answer a challenge", detail: "in a seat's place",
		why: when(m.state.Challenges.Len() == 0, "there is no challenge yet", ""), do: (*Model).chooseChallenge,
	}}
}

// chooseChallenge lists the challenges to answer one.
func (m *Model) chooseChallenge() tea.Cmd {
	m.push(newPicker("Which challenge?", func() []pick {
		var list []pick
		for _, c := range m.state.Challenges.All() {
			list = append(list, pick{
				id: c.ID, name: c.ID + " on " + c.Point, detail: c.Objection,
				do: func(m *Model) tea.Cmd {
					m.openDefense(c.ID)
					return nil
				},
			})
		}
		return list
	}))
	return nil
}

// questionPicks answer what the session asks: about what is selected, or about
// anything where no point is, and about the rest.
func (m *Model) questionPicks(point, id string) (about, rest []pick) {
	for _, q := range m.state.Questions.All() {
		if q.Answered {
			continue
		}
		one := m.questionPick(q, q.Text)
		if q.ID == id || point == "" || q.Point == point {
			about = append(about, one)
		} else {
			rest = append(rest, one)
		}
	}
	return about, rest
}

// answeredPicks answer anew what was answered: a later answer undoes the earlier.
func (m *Model) answeredPicks() []pick {
	var list []pick
	for _, q := range m.state.Questions.All() {
		if q.Answered {
			one := m.questionPick(q, when(q.Answer == "", "no answer came", "so far: "+q.Answer))
			one.name += " anew"
			list = append(list, one)
		}
	}
	return list
}

func (m *Model) questionPick(q *state.Question, detail string) pick {
	name := map[state.QuestionKind]string{
		state.QuestionTradeoff: "choose a side", state.QuestionDefinition: "define the term",
		state.QuestionAnchorShift: "consent to another reading, or refuse it", state.QuestionPriority: "set priorities",
		state.QuestionApproval: "approve or refuse", state.QuestionEscalation: when(m.format().proposes, "decide what holds the proposal", "decide the conflict"),
	}[q.Kind]
	if name == "" {
		name = "answer"
	}
	if strings.HasPrefix(q.About, state.AboutMissing) {
		name = "ask again, or go on without it"
	}
	return pick{
		id: q.ID, name: q.ID + ": " + name, detail: detail,
		do: func(m *Model) tea.Cmd {
			m.openQuestion(q)
			return nil
		},
	}
}
