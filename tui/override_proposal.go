package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"moot/ledger"
	"moot/protocol"
	"moot/resolver/dialectic"
	"moot/state"
)

// proposalDecisions are all that the person can decide about a proposal: first
// what bears on the selected objection, field, fact or question, then the rest.
func (m *Model) proposalDecisions(point, id string) []pick {
	about, asked := m.questionPicks(point, id)
	course := slices.DeleteFunc(m.coursePicks(), func(p pick) bool { return p.id == "priorities" })
	return slices.Concat(
		m.factPicks(id), about, m.objectionPicks(point, id), m.fieldPicks(point, id), m.knownPicks(), asked, course, m.answeredPicks(),
	)
}

// opens makes something to do of what opens a form.
func opens(open func(m *Model)) perform {
	return func(m *Model) tea.Cmd {
		open(m)
		return nil
	}
}

// objectionPicks rule on objections and answer them: on the selected one, or on
// those to the field.
func (m *Model) objectionPicks(point, id string) []pick {
	var list []pick
	for _, c := range m.state.Challenges.All() {
		if c.Typed == nil || c.ID != id && (c.Point != point || m.state.Challenge(id) != nil) {
			continue
		}
		list = append(
			list,
			pick{id: "rule " + c.ID, name: "rule on " + c.ID, detail: objectionInWords(c), do: opens(func(m *Model) { m.openVerdict(c.ID) })},
			pick{id: c.ID, name: "answer " + c.ID, detail: "in the proposer's place: it counts as evidence", do: opens(func(m *Model) { m.openDefense(c.ID) })},
		)
	}
	if len(list) > 0 {
		return list
	}
	why := when(m.state.Challenges.Len() == 0, "there is no objection yet", "")
	return []pick{
		{id: "rule", name: "rule on an objection", detail: "cleared or upheld, whatever the evidence says", why: why, do: opens(func(m *Model) { m.chooseObjection((*Model).openVerdict) })},
		{id: "answer", name: "answer an objection", detail: "in the proposer's place: it counts as evidence", why: why, do: opens(func(m *Model) { m.chooseObjection((*Model).openDefense) })},
	}
}

// objectionInWords is an objection in a line.
func objectionInWords(c *state.Challenge) string {
	return c.Typed.Severity + when(c.Typed.Verdict == "", "", ", "+c.Typed.Verdict+" by you") + ": " + c.Objection
}

// chooseObjection lists the objections to do something with one.
func (m *Model) chooseObjection(then func(m *Model, id string)) {
	m.push(newPicker("Which objection?", func() []pick {
		var list []pick
		for _, c := range m.state.Challenges.All() {
			if c.Typed != nil {
				list = append(list, pick{
					id: c.ID, name: c.ID + " on " + c.Point, detail: objectionInWords(c), do: opens(func(m *Model) { then(m, c.ID) }),
				})
			}
		}
		return list
	}))
}

// openVerdict rules on an objection, or takes a ruling back.
func (m *Model) openVerdict(id string) {
	c := m.state.Challenge(id)
	if c == nil || c.Typed == nil {
		return
	}
	verdict := &field{
		name: "verdict", label: c.ID, kind: fieldChoice, value: c.Typed.Verdict, help: objectionInWords(c),
		options: []choice{
			{value: string(dialectic.RulingCleared), help: "it holds " + c.Point + " no longer, until its value changes"},
			{value: string(dialectic.RulingUpheld), help: "it holds " + c.Point + " until the field is withdrawn"},
		},
	}
	if c.Typed.Verdict != "" {
		verdict.options = append(verdict.options, choice{label: "taken back", help: "the evidence decides again"})
	}
	fields := []*field{verdict, reasonField("It goes on the record; it may be empty.")}
	m.decide("rule "+id, "Rule on "+id+" against "+c.Point, fields, func(_ *fieldForm, v map[string]string) (protocol.UserMove, string) {
		said := when(v["verdict"] == "", "your ruling on "+id+" is taken back", id+" is "+v["verdict"]+", by you")
		return protocol.RuleObjection{Challenge: id, Verdict: dialectic.Ruling(v["verdict"]), Reason: v["reason"]}, said
	})
}

// fieldPicks decide a field of the proposal.
func (m *Model) fieldPicks(point, id string) []pick {
	why := when(m.state.Points.Len() == 0, "there is no field yet", "")
	name := when(point == "", "a field", point)
	var list []pick
	add := func(what, detail, key string, then func(m *Model, point string)) {
		list = append(list, pick{id: what, name: fmt.Sprintf(what, name), detail: detail, key: key, why: why, do: m.onPoint(point, then)})
	}
	rule := func(what state.OverrideKind) func(m *Model, point string) {
		return func(m *Model, point string) { m.openRuling(point, what) }
	}
	add("agree with %s", "it stands as it is: no objection and no gate holds it", m.keyOf(ActionAgree), rule(state.OverrideAgree))
	add("dismiss %s", "it is no part of what advances", m.keyOf(ActionDismiss), rule(state.OverrideDismiss))
	add("leave %s aside", "it stays Unresolved, and no part of what advances", "", rule(state.OverrideUnresolved))
	add("withdraw %s", "it is no longer proposed; objections to it are moot", "", (*Model).openWithdrawal)
	add("reopen %s", "all that you ruled on it is taken back", m.keyOf(ActionReopen), rule(state.OverrideReopen))
	add("object to %s", "by a red flag, or in words of your own", "", (*Model).openObjection)
	add("give evidence on %s", "yours is of the highest authority", "", func(m *Model, point string) { m.openFieldEvidence(point, id) })
	add("set a limit on %s", "a fact that its value may not contradict", "", func(m *Model, point string) { m.openConstraint("", point) })
	return list
}

// openWithdrawal takes a field out of the proposal.
func (m *Model) openWithdrawal(point string) {
	fields := []*field{reasonField("It goes on the record; it may be empty." + when(m.keyOf(ActionReopen) == "", "", " Reopening the field brings it back."))}
	m.decide("withdraw "+point, "Withdraw "+point, fields, func(_ *fieldForm, v map[string]string) (protocol.UserMove, string) {
		return protocol.WithdrawField{Point: point, Reason: v["reason"]}, point + " is withdrawn, by you" + m.undoing(state.OverrideDismiss)
	})
}

// openObjection objects to a field: by a red flag of the playbook, which is chosen
// first, or by none.
func (m *Model) openObjection(point string) {
	book := m.state.Settings.Playbook
	if book == nil || len(book.Flags) == 0 {
		m.openObjectionBy(point, nil)
		return
	}
	m.push(newPicker("By which red flag?", func() []pick {
		list := []pick{{id: "own", name: "none", detail: "an objection in words of your own", do: opens(func(m *Model) { m.openObjectionBy(point, nil) })}}
		for i := range book.Flags {
			flag := &book.Flags[i]
			list = append(list, pick{
				id: flag.ID, name: flag.ID, detail: flag.Severity + ": " + flag.Title, do: opens(func(m *Model) { m.openObjectionBy(point, flag) }),
			})
		}
		return list
	}))
}

// openObjectionBy asks what is wrong with a field; nil is no red flag.
func (m *Model) openObjectionBy(point string, flag *state.RedFlag) {
	name, heading := "object "+point, "Object to "+point
	fields := []*field{{name: "text", label: "Objection", kind: fieldText, required: true, help: "What is wrong, in a sentence."}}
	if flag != nil {
		name, heading = name+" "+flag.ID, heading+": "+flag.ID
		fields[0].help = flag.Look
	} else {
		fields = append([]*field{severityField("How grave it is.")}, fields...)
	}
	m.decide(name, heading, fields, func(_ *fieldForm, v map[string]string) (protocol.UserMove, string) {
		move := protocol.RaiseObjection{Point: point, Text: v["text"], Severity: dialectic.Severity(v["severity"])}
		if flag != nil {
			move.Flag = flag.ID
		}
		return move, "you object to " + point
	})
}

// severityField asks for a severity; HIGH is the usual one.
func severityField(help string) *field {
	f := &field{name: "severity", label: "Severity", kind: fieldChoice, value: string(dialectic.High), help: help}
	for _, s := range dialectic.Severities() {
		f.options = append(f.options, choice{value: string(s), help: severityMeans(s)})
	}
	return f
}

func severityMeans(s dialectic.Severity) string {
	switch s {
	case dialectic.Blocking:
		return "it holds, and only the strongest sources clear it"
	case dialectic.High:
		return "it holds until it is cleared"
	case dialectic.Medium:
		return "it holds until the last round, and then warns"
	case dialectic.Low:
		return "it is noted, and holds nothing"
	}
	return ""
}

// openFieldEvidence gives evidence on a field: for one objection, where id is
// one, or for all.
func (m *Model) openFieldEvidence(point, id string) {
	all := choice{label: "all of them", help: "every objection to " + point}
	bears := &field{name: "challenge", label: "Objection", kind: fieldChoice, help: "Which one it bears on.", options: []choice{all}}
	for _, c := range m.state.Point(point).Challenges {
		if o := m.state.Challenge(c); o.Typed != nil {
			bears.options = append(bears.options, choice{value: c, help: objectionInWords(o)})
		}
	}
	if m.state.Challenge(id) != nil {
		bears.value = id
	}
	fields := []*field{
		{name: "relation", label: "It", kind: fieldChoice, options: relationChoices(), help: "Which way it points."},
		{name: "text", label: "Evidence", kind: fieldText, required: true, help: "What you know; it counts as verified."},
		{name: "reference", label: "Reference", placeholder: "none", help: "Where it stands or what you ran, as in docs/slo.md:7 or $ go test ./…; it may be empty."},
	}
	if len(bears.options) > 1 {
		fields = append([]*field{bears}, fields...)
	}
	m.decide("evidence "+point+" "+bears.value, "Evidence on "+point, fields, func(_ *fieldForm, v map[string]string) (protocol.UserMove, string) {
		return protocol.SupplyEvidence{
			Point: point, Challenge: v["challenge"], Text: v["text"], Reference: v["reference"], Relation: ledger.Relation(v["relation"]),
		}, "your evidence on " + point + " is recorded"
	})
}
