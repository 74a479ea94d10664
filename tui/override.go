package tui

import (
	"context"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"moot/internal/lists"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// openAnswer opens the first question, but not just after it has appeared.
func (m *Model) openAnswer() {
	if !m.armed {
		m.say("a question has just appeared: press again to answer", false)
		return
	}
	first := m.asking()[0]
	if first.request != nil {
		m.push(first.request.form)
		return
	}
	m.startOverride(protocol.AnswerOverride(m.state, first.question))
}

// openOverride lists the decisions that the user can make about the selected item.
func (m *Model) openOverride() {
	at := m.selection()
	heading := "Override"
	if at.Point != "" || m.state.Fact(at.ID) != nil {
		heading += ", about " + at.ID
	}
	m.push(newPicker(heading, func() []pick { return withoutDialogs(m, func() []pick { return m.overridePicks(at) }) }))
}

// selection returns the item that overrides are about.
func (m *Model) selection() protocol.Selection {
	at := protocol.Selection{Point: m.target(), ID: m.paneOf(m.focus).Selected()}
	if at.Point == "" {
		at.Point = m.pointOf(at.ID)
	}
	return at
}

// overridePicks returns the overrides of the session, and decisions that are not moves of the user.
func (m *Model) overridePicks(at protocol.Selection) []pick {
	var list []pick
	for _, o := range protocol.Overrides(m.state, at) {
		if o.ID == "budget" {
			list = append(list, m.screenPicks()...)
		}
		list = append(list, m.overridePick(o))
	}
	return list
}

// screenPicks returns decisions that are not moves of the user.
func (m *Model) screenPicks() []pick {
	replace := pick{
		ID: "replace participant", Name: "replace a participant", Detail: "in a seat, from the next call on",
		Do: (*Model).openReplace,
	}
	if m.options.Services.Replace == nil {
		replace.Why = "participants can't be replaced here"
	}
	return []pick{{
		ID: "prompt", Name: "edit the next prompt", Detail: "the record says that you did",
		Key: m.keyOf(ActionEditPrompt), Why: m.disabled(ActionEditPrompt),
		Do: func(m *Model) tea.Cmd { return m.act(ActionEditPrompt) },
	}, replace}
}

// overrideActions returns the actions of the overrides that have a key.
func overrideActions() map[string]Action {
	return map[string]Action{
		protocol.OverrideAgree: ActionAgree, protocol.OverrideDismiss: ActionDismiss,
		protocol.OverrideReopen: ActionReopen, protocol.OverrideFact: ActionFact,
		protocol.OverrideIntended: ActionIntended, protocol.OverrideMerge: ActionMerge,
		protocol.OverrideSplit: ActionSplit,
	}
}

func (m *Model) overridePick(o protocol.Override) pick {
	p := pick{
		ID: o.ID + " " + o.About, Name: o.Title, Detail: o.Detail, Why: o.Why,
		Do: func(m *Model) tea.Cmd { m.startOverride(o); return nil },
	}
	if a, ok := overrideActions()[o.ID]; ok {
		p.Key = m.keyOf(a)
	}
	return p
}

// overrideByKey starts the override of a key for the selected point. If no point is selected, the user chooses one.
func (m *Model) overrideByKey(a Action) {
	for _, o := range protocol.Overrides(m.state, m.selection()) {
		if overrideActions()[o.ID] != a || o.ID == protocol.OverrideFact && o.About != "" {
			continue
		}
		if o.Why != "" {
			m.say(o.Why, true)
			return
		}
		m.startOverride(o)
		return
	}
}

// startOverride asks for what an override needs and passes its moves to the session.
func (m *Model) startOverride(o protocol.Override) {
	switch {
	case o.Choose != nil:
		m.push(newPicker(o.Heading, func() []pick {
			return lists.Map(o.Choose(), m.overridePick)
		}))
	case len(o.Fields) == 0:
		moves, done, err := o.Build(nil)
		if err != nil {
			m.say(err.Error(), true)
			return
		}
		m.overrideFrom(nil, "", moves, done+m.undoHint(o))
	default:
		name := o.ID + " " + o.About
		var f *formDialog
		f = newForm(o.Heading, o.Fields, func(values view.Values) perform {
			moves, done, err := o.Build(values)
			if wrong, ok := errors.AsType[*view.FieldError](err); ok {
				f.SetError(wrong.Key, wrong.Error())
				return nil
			}
			return func(m *Model) tea.Cmd {
				if len(moves) == 0 {
					m.say(done, false)
					return nil
				}
				for _, a := range m.asking() {
					if o.Question != nil && a.question != nil && a.question.ID != o.Question.ID {
						done += "; " + m.keyOf(ActionAnswer) + " answers " + a.question.ID
						break
					}
				}
				return m.overrideFrom(f, name, moves, done+m.undoHint(o))
			}
		})
		if o.Question != nil {
			about := ""
			if p := m.state.Point(o.Question.Point); p != nil {
				about = p.ID + "  " + p.Text
			}
			f.Head = func(l *theme.Look, width int) []string {
				rows, _ := questionHead(l, width, &o, about)
				return rows
			}
			if claims.IsRun(o.Question) {
				f.HeadEnd = func(l *theme.Look, width int) int {
					_, end := questionHead(l, width, &o, about)
					return end
				}
				f.NeedsHead = func(v view.Values) bool { return claims.NeedsReading(o.Question, v["answer"]) }
				f.Unread = "read the whole command first: pgdn shows the rest"
				if o.Info.Has("patch") {
					f.Unread = "read the whole patch first: pgdn shows the rest"
				}
			}
		}
		m.openForm(name, f)
	}
}

// undoHint names the key that undoes an override.
func (m *Model) undoHint(o protocol.Override) string {
	if key := m.keyOf(ActionReopen); o.Undo == protocol.OverrideReopen && key != "" {
		return "; " + key + " reopens it"
	}
	return ""
}

// openReplace asks for a seat and its next participant.
func (m *Model) openReplace() tea.Cmd {
	fields := func() []view.Field {
		seat := view.Field{Key: "seat", Label: "Seat", Kind: view.FieldSelect}
		to := view.Field{
			Key: "participant", Label: "Participant", Kind: view.FieldParticipant, Other: "by its name",
			OtherPlaceholder: "openai:MODEL", Help: "It is asked from the next call on.",
		}
		add := func(name, help string) {
			if !slices.ContainsFunc(to.Choices, func(c view.Choice) bool { return c.Value == name }) {
				to.Choices = append(to.Choices, view.Choice{Value: name, Help: help})
			}
		}
		for _, a := range m.state.Seats {
			now := "now " + a.Participant
			if by, fallback := a.Answers(); fallback {
				now += ", answered by its fallback " + by
			}
			seat.Choices = append(seat.Choices, view.Choice{Value: string(a.Seat), Help: now})
			add(a.Participant, "now "+string(a.Seat))
		}
		add(state.BuiltInRules, "no language model")
		add(state.Person, "you speak for the seat")
		if c := m.home.Candidates; c != nil {
			for _, one := range slices.Concat(c.Named, c.Found) {
				if one.Usable {
					add(one.Name, one.Title+": "+one.Why)
				}
			}
		}
		return []view.Field{seat, to}
	}
	f := newForm("Replace a participant", fields(), nil)
	f.submit = func(v view.Values) perform {
		return func(m *Model) tea.Cmd { return m.replaceIn(f, state.Seat(v["seat"]), v["participant"]) }
	}
	m.push(f)
	return m.findCandidates(func() { f.SetFields(fields()) })
}

// serviceTime bounds how long a service may take.
const serviceTime = 10 * time.Second

// replaceIn gives a seat to another participant. If the name is unknown, the form is shown again.
func (m *Model) replaceIn(form *formDialog, seat state.Seat, name string) tea.Cmd {
	replace, id, of := m.options.Services.Replace, m.state.ID, m.session
	return m.outside(func() answer {
		ctx, cancel := context.WithTimeout(context.Background(), serviceTime)
		defer cancel()
		participant, err := replace(ctx, id, seat, name)
		return func(m *Model) tea.Cmd {
			switch {
			case m.session != of:
			case err != nil:
				form.SetError("participant", err.Error())
				m.push(form)
			default:
				done := string(seat) + " is " + participant.Name() + " from the next call on"
				m.order(nil, "", done, func(ctx context.Context, s Session) error {
					return s.Replace(ctx, seat, participant)
				})
			}
			return nil
		}
	})
}
