package tui

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
)

// factPicks bear on the selected fact.
func (m *Model) factPicks(id string) []pick {
	if f := m.state.Fact(id); f != nil && f.Live {
		return []pick{m.replacePick(id, "replace "+id, f.Text)}
	}
	return nil
}

// knownPicks bear on what is known.
func (m *Model) knownPicks() []pick {
	list := []pick{
		{
			id: "fact", name: "record a fact or constraint", detail: "it outranks everyone; prompts hold it", key: m.keyOf(ActionFact),
			do: func(m *Model) tea.Cmd {
				m.openFact("")
				return nil
			},
		},
		{
			id: "term", name: "define a term", detail: "what a word means, as a fact of yours",
			do: func(m *Model) tea.Cmd {
				m.openTerm()
				return nil
			},
		},
	}
	return append(list, pick{
		id: "replace fact", name: "replace a fact", detail: "the older one stays on the record",
		why: when(len(m.liveFacts()) == 0, "nothing is known yet", ""),
		do: func(m *Model) tea.Cmd {
			m.push(newPicker("Which fact?", m.liveFacts))
			return nil
		},
	})
}

func (m *Model) replacePick(id, name, detail string) pick {
	return pick{id: "replace " + id, name: name, detail: detail, do: func(m *Model) tea.Cmd {
		m.openFact(id)
		return nil
	}}
}

// liveFacts are those that hold.
func (m *Model) liveFacts() []pick {
	var list []pick
	for _, f := range m.state.Facts.All() {
		if f.Live {
			list = append(list, m.replacePick(f.ID, f.ID, f.Text))
		}
	}
	return list
}

// coursePicks decide how the session goes on.
func (m *Model) coursePicks() []pick {
	form := func(open func(m *Model)) perform {
		return func(m *Model) tea.Cmd {
			open(m)
			return nil
		}
	}
	list := []pick{
		{
			id: "priorities", name: "set priorities", detail: fmt.Sprintf("at most %d points stay in scope", protocol.MaxInScope),
			why: when(m.state.Points.Len() == 0, "there is no point yet", ""), do: form(func(m *Model) { m.openPriorities(nil) }),
		},
		{
			id: "prompt", name: "edit the next prompt", detail: "the record says that it was you", key: m.keyOf(ActionEditPrompt),
			why: m.disabled(ActionEditPrompt), do: func(m *Model) tea.Cmd { return m.act(ActionEditPrompt) },
		},
		{
			id: "replace", name: "replace a participant", detail: "in a seat, from the next call on",
			why: when(m.options.Services.Replace == nil, "no participant can be made from here", ""), do: form((*Model).openSeats),
		},
		{
			id: "budget", name: "set the budget", detail: m.capsInWords(), do: form((*Model).openBudget),
		},
		{
			id: "stop", name: "close the session", detail: "now; what is open becomes Unresolved", why: when(m.state.Over(), "it is closing already", ""),
			do: form((*Model).openEnd),
		},
	}
	return list
}

// mostChoices is up to how many points priorities are a list of choices.
const mostChoices = 40

// openPriorities keeps points in scope: as the answer to a question, where one
// asks.
func (m *Model) openPriorities(q *state.Question) {
	points := &field{
		name: "points", label: "Keep", required: true, kind: fieldChoices,
		help: fmt.Sprintf("At most %d; the others are put aside, and a later choice brings them back.", protocol.MaxInScope),
	}
	for _, p := range m.state.Points.All() {
		if p.MergedInto == "" {
			points.options = append(points.options, choice{value: p.ID, help: p.Text})
		}
	}
	if len(points.options) > mostChoices {
		points.kind, points.options = fieldLine, nil
		points.placeholder = "P1 P4 P9"
	}
	name, heading := "priorities", "Which points matter most?"
	if q != nil {
		name, heading = q.ID, q.ID+" asks you: which points matter most?"
	}
	m.decide(name, heading, []*field{points}, func(f *fieldForm, v map[string]string) (protocol.UserMove, string) {
		ids := strings.FieldsFunc(strings.ToUpper(v["points"]), func(r rune) bool { return strings.ContainsRune(" ,;\n", r) })
		if len(ids) > protocol.MaxInScope {
			f.setError("points", fmt.Sprintf("%d are taken, and at most %d can be evaluated", len(ids), protocol.MaxInScope))
			return nil, ""
		}
		said := "kept in scope: " + strings.Join(ids, " ")
		if q != nil {
			return protocol.AnswerQuestion{Question: q.ID, Answer: strings.Join(ids, " ")}, said
		}
		return protocol.SetPriority{Points: ids}, said
	})
}

// used is what was used so far of each cap.
func (m *Model) used() (tokens int, cost float64, seconds int) {
	s := &m.state
	active := s.Active
	if !s.Resumed.IsZero() && s.Paused == state.PauseNone && !s.Closed {
		active += max(m.options.Now().Sub(s.Resumed), 0)
	}
	return s.Usage.PromptTokens + s.Usage.CompletionTokens, s.Usage.Cost, int(active / time.Second)
}

// capsInWords says what is used of which caps.
func (m *Model) capsInWords() string {
	s := &m.state
	tokens, cost, seconds := m.used()
	of := func(used, most string, capped bool) string { return used + when(capped, " of "+most, "") }
	return strings.Join([]string{
		of(count(tokens), count(s.MaxTokens), s.MaxTokens > 0) + " tok",
		of(money(cost), money(s.MaxCost), s.MaxCost > 0),
		of(strconv.Itoa(seconds), strconv.Itoa(s.MaxSeconds), s.MaxSeconds > 0) + " s used",
	}, ", ")
}

// openBudget sets the caps; the present ones are filled in.
func (m *Model) openBudget() {
	s := &m.state
	tokens, cost, seconds := m.used()
	shown := func(capped bool, text string) string { return when(capped, text, "") }
	fields := []*field{
		{name: "tokens", label: "Tokens", value: shown(s.MaxTokens > 0, strconv.Itoa(s.MaxTokens)), placeholder: "no cap", help: "prompt and completion; used so far: " + strconv.Itoa(tokens)},
		{name: "cost", label: "Cost in $", value: shown(s.MaxCost > 0, strconv.FormatFloat(s.MaxCost, 'f', -1, 64)), placeholder: "no cap", help: "US dollars; used so far: " + money(cost)},
		{name: "seconds", label: "Seconds", value: shown(s.MaxSeconds > 0, strconv.Itoa(s.MaxSeconds)), placeholder: "no cap", help: "of running time; used so far: " + strconv.Itoa(seconds)},
	}
	m.decide("budget", "Budget: an empty cap is none", fields, func(f *fieldForm, v map[string]string) (protocol.UserMove, string) {
		var move protocol.SetBudget
		for _, limit := range []struct {
			name string
			read func(text string) error
		}{
			{"tokens", func(text string) (err error) { move.MaxTokens, err = strconv.Atoi(text); return err }},
			{"cost", func(text string) (err error) { move.MaxCost, err = finite(text); return err }},
			{"seconds", func(text string) (err error) { move.MaxSeconds, err = strconv.Atoi(text); return err }},
		} {
			if text := v[limit.name]; text != "" && limit.read(text) != nil {
				f.setError(limit.name, "this is no number: a cap is one, or empty for none")
				return nil, ""
			}
		}
		return move, "the budget is set; " + m.keyOf(ActionNext) + " goes on after a pause"
	})
}

// openEnd asks once more before the session is closed.
func (m *Model) openEnd() {
	const yes = "close"
	fields := []*field{
		{
			name: "sure", label: "Close it?", kind: fieldChoice, help: "A closed session is never rewritten; a fork goes on from an earlier event.",
			options: []choice{{value: "no", help: "the session goes on"}, {value: yes, label: "yes, close it", help: "what is open becomes Unresolved"}},
		},
		reasonField("It goes on the record; it may be empty."),
	}
	m.decide("end", "Close the session", fields, func(_ *fieldForm, v map[string]string) (protocol.UserMove, string) {
		if v["sure"] != yes {
			return nil, "the session goes on"
		}
		return protocol.EndSession{Reason: v["reason"]}, "the session closes, by you"
	})
}

// finite reads a number that JSON can hold.
func finite(text string) (float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err == nil && (math.IsNaN(n) || math.IsInf(n, 0)) {
		return 0, strconv.ErrRange
	}
	return n, err
}
