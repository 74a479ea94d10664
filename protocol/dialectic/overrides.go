package dialectic

import (
	"slices"

	"moot/ledger"
	"moot/protocol"
	"moot/protocol/dialectic/gates"
	"moot/state"
	"moot/view"
)

// Overrides implements Format. The points of a proposal are fields with values.
func (Format) Overrides(decisions protocol.Decisions) []protocol.Override {
	o := protocol.ClaimsDecisions{Decisions: decisions}
	first, rest := o.OnQuestions()
	course := slices.DeleteFunc(o.SessionOverrides(),
		func(one protocol.Override) bool { return one.ID == "priorities" })
	return slices.Concat(o.SelectedFact(), first, objectionForms(o), fields(o), o.OnEvidence(), o.OnFacts(), rest,
		course, o.Answered())
}

// objectionText returns an objection on one line.
func objectionText(c *state.Challenge) string {
	o := ObjectionOf(c)
	text := string(o.Severity)
	if o.Verdict != "" {
		text += ", " + string(o.Verdict) + " by you"
	}
	return text + ": " + c.Objection
}

// objectionForms offers rulings and answers for the selected objection, for those to the
// selected field, or for any.
func objectionForms(o protocol.ClaimsDecisions) []protocol.Override {
	var list, rule, answer []protocol.Override
	for _, c := range o.Challenges.All() {
		if ObjectionOf(c) == nil {
			continue
		}
		ruling, reply := ruleObjectionForm(c), o.AnswerChallenge(c, "in place of the proposer: it counts as evidence")
		if c.ID == o.At.ID || c.Point == o.At.Point && o.Challenge(o.At.ID) == nil {
			list = append(list, ruling, reply)
		}
		ruling.Title, reply.Title = c.ID+" on "+c.Point, c.ID+" on "+c.Point
		reply.Detail = ruling.Detail
		rule, answer = append(rule, ruling), append(answer, reply)
	}
	if len(list) > 0 {
		return list
	}
	choose := func(id, title, detail string, all []protocol.Override) []protocol.Override {
		one := protocol.Override{ID: id, Title: title, Detail: detail, Heading: "Which objection?"}
		return protocol.Among(nil, all, one, "there is no objection yet")
	}
	return slices.Concat(
		choose("rule", "rule on an objection", "cleared or upheld, whatever the evidence says", rule),
		choose("answer", "answer an objection", "in place of the proposer: it counts as evidence", answer))
}

// ruleObjectionForm rules on an objection, or takes a ruling back.
func ruleObjectionForm(c *state.Challenge) protocol.Override {
	o := ObjectionOf(c)
	verdict := view.Field{
		Key: "verdict", Label: c.ID, Kind: view.FieldSelect, Default: string(o.Verdict), Help: objectionText(c),
		Choices: []view.Choice{
			{Value: string(gates.RulingCleared), Help: "it no longer blocks " + c.Point + ", until its value changes"},
			{Value: string(gates.RulingUpheld), Help: "it blocks " + c.Point + " until the field is withdrawn"},
		},
	}
	if o.Verdict != "" {
		verdict.Choices = append(verdict.Choices, view.Choice{Label: "taken back", Help: "the evidence decides again"})
	}
	return protocol.Override{
		ID: "rule", About: c.ID, Title: "rule on " + c.ID, Detail: objectionText(c), Heading: "Rule on " + c.ID +
			" against " + c.Point,
		Fields: []view.Field{verdict, protocol.ReasonField("It goes on the record and may be empty.")},
		Build: func(v view.Values) ([]protocol.UserMove, string, error) {
			done := c.ID + " is " + v["verdict"] + ", by you"
			if v["verdict"] == "" {
				done = "your ruling on " + c.ID + " is taken back"
			}
			return protocol.SingleMove(RuleObjection{
				Challenge: c.ID, Verdict: gates.Ruling(v["verdict"]),
				Reason: v["reason"],
			}, done)
		},
	}
}

// fields offers the decisions about a field of the proposal.
func fields(o protocol.ClaimsDecisions) []protocol.Override {
	var list []protocol.Override
	for _, build := range []func(point string) protocol.Override{
		protocol.RulePoint(state.OverrideAgree, "agree with %",
			"it is accepted as it is: no objection and no gate blocks it"),
		protocol.RulePoint(state.OverrideDismiss, "dismiss %", "it is not part of what advances"),
		protocol.RulePoint(state.OverrideUnresolved, "leave % aside",
			"it stays Unresolved, and is not part of what advances"),
		withdrawForm,
		protocol.RulePoint(state.OverrideReopen, "reopen %", "all your rulings on it are taken back"),
		func(point string) protocol.Override { return objectForm(o, point) },
		func(point string) protocol.Override { return fieldEvidence(o, point) },
	} {
		list = append(list, o.OnPoint("field", build))
	}
	return list
}

// withdrawForm takes a field out of the proposal.
func withdrawForm(point string) protocol.Override {
	return protocol.Override{
		ID: "withdraw", Title: "withdraw %", Detail: "it is no longer proposed, and objections to it are moot",
		Undo: protocol.OverrideReopen, Heading: "Withdraw %",
		Fields: []view.Field{
			protocol.ReasonField("It goes on the record and may be empty. Reopening the field brings it back."),
		},
		Build: func(v view.Values) ([]protocol.UserMove, string, error) {
			return protocol.SingleMove(WithdrawField{Point: point, Reason: v["reason"]},
				point+" is withdrawn, by you")
		},
	}
}

// objectForm raises an objection, with or without a red flag of the playbook.
func objectForm(o protocol.ClaimsDecisions, point string) protocol.Override {
	own := protocol.Override{
		ID: "object", Heading: "Object to " + point,
		Fields: []view.Field{
			severityField(),
			{
				Key: "text", Label: "Objection", Kind: view.FieldText, Required: true,
				Help: "What is wrong, in one sentence.",
			},
		},
		Build: func(v view.Values) ([]protocol.UserMove, string, error) {
			move := RaiseObjection{Point: point, Text: v["text"], Severity: gates.Severity(v["severity"])}
			return protocol.SingleMove(move, "you object to "+point)
		},
	}
	if book := &SettingsOf(o.State).Playbook; len(book.Flags) > 0 && point != "" {
		own.About, own.Title, own.Detail = point, "none", "an objection in your own words"
		list := []protocol.Override{own}
		for i := range book.Flags {
			flag := &book.Flags[i]
			list = append(list, protocol.Override{
				ID: "object", About: point + " " + flag.ID, Title: flag.ID,
				Detail:  string(flag.Severity) + ": " + flag.Title,
				Heading: "Object to " + point + ": " + flag.ID,
				Fields: []view.Field{{
					Key: "text", Label: "Objection", Kind: view.FieldText, Required: true,
					Help: flag.Look,
				}},
				Build: func(v view.Values) ([]protocol.UserMove, string, error) {
					return protocol.SingleMove(RaiseObjection{Point: point, Text: v["text"], Flag: flag.ID},
						"you object to "+point)
				},
			})
		}
		own = protocol.Override{
			ID: "object", Heading: "By which red flag?",
			Choose: func() []protocol.Override { return list },
		}
	}
	own.Title, own.Detail = "object to %", "by a red flag, or in your own words"
	return own
}

// severityField asks for a severity. HIGH is the default.
func severityField() view.Field {
	return view.Field{
		Key: "severity", Label: "Severity", Kind: view.FieldSelect, Default: string(gates.High),
		Help: "How serious it is.",
		Choices: []view.Choice{
			{Value: string(gates.Blocking), Help: "it blocks, and only the strongest sources clear it"},
			{Value: string(gates.High), Help: "it blocks until it is cleared"},
			{Value: string(gates.Medium), Help: "it blocks until the last round, and then warns"},
			{Value: string(gates.Low), Help: "it is noted, and blocks nothing"},
		},
	}
}

// fieldEvidence gives evidence on a field, for one objection or for all.
func fieldEvidence(o protocol.ClaimsDecisions, point string) protocol.Override {
	override := protocol.EvidenceOn(point)
	override.Detail = "yours has the highest authority"
	override.Fields[2].Help = "Where it is found or what you ran, such as docs/slo.md:7 or $ go test ./…. " +
		"It may be empty."
	about := view.Field{
		Key: "challenge", Label: "Objection", Kind: view.FieldSelect, Help: "The objection that it is about.",
		Choices: []view.Choice{{Label: "all of them", Help: "every objection to " + point}},
	}
	if p := o.Point(point); p != nil {
		for _, id := range p.Challenges {
			if c := o.Challenge(id); ObjectionOf(c) != nil {
				about.Choices = append(about.Choices, view.Choice{Value: id, Help: objectionText(c)})
			}
		}
	}
	if o.Challenge(o.At.ID) != nil {
		about.Default = o.At.ID
	}
	if len(about.Choices) > 1 {
		override.Fields = append([]view.Field{about}, override.Fields...)
	}
	override.Build = func(v view.Values) ([]protocol.UserMove, string, error) {
		return protocol.SingleMove(protocol.SupplyEvidence{
			Point: point, Challenge: v["challenge"], Text: v["text"], Reference: v["reference"],
			Relation: ledger.Relation(v["relation"]),
		}, "your evidence on "+point+" is recorded")
	}
	return override
}
