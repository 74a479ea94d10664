package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver/dialectic"
	"moot/state"
	"moot/view"
)

// dialectic lists the overrides of a proposal, whose points are fields with a value.
func (o overrides) dialectic() []Override {
	first, rest := o.questions()
	course := slices.DeleteFunc(o.course(), func(one Override) bool { return one.ID == "priorities" })
	return slices.Concat(o.selectedFact(), first, o.objections(), o.fields(), o.facts(), rest, course, o.answered())
}

// objectionText is an objection on one line.
func objectionText(c *state.Challenge) string {
	text := c.Typed.Severity
	if c.Typed.Verdict != "" {
		text += ", " + c.Typed.Verdict + " by you"
	}
	return text + ": " + c.Objection
}

// objections rule on objections and answer them: the selected one, those to the selected
// field, or any.
func (o overrides) objections() []Override {
	var list, rule, answer []Override
	for _, c := range o.Challenges.All() {
		if c.Typed == nil {
			continue
		}
		ruling, reply := o.ruleObjection(c), o.answerChallenge(c, "in place of the proposer: it counts as evidence")
		if c.ID == o.at.ID || c.Point == o.at.Point && o.Challenge(o.at.ID) == nil {
			list = append(list, ruling, reply)
		}
		ruling.Title, reply.Title = c.ID+" on "+c.Point, c.ID+" on "+c.Point
		reply.Detail = ruling.Detail
		rule, answer = append(rule, ruling), append(answer, reply)
	}
	if len(list) > 0 {
		return list
	}
	why := ""
	if len(rule) == 0 {
		why = "there is no objection yet"
	}
	return []Override{
		{
			ID: "rule", Title: "rule on an objection", Detail: "cleared or upheld, whatever the evidence says", Why: why,
			Heading: "Which objection?", Choose: func() []Override { return rule },
		},
		{
			ID: "answer", Title: "answer an objection", Detail: "in place of the proposer: it counts as evidence", Why: why,
			Heading: "Which objection?", Choose: func() []Override { return answer },
		},
	}
}

// ruleObjection rules on an objection, or takes a ruling back.
func (o overrides) ruleObjection(c *state.Challenge) Override {
	verdict := view.Field{
		Key: "verdict", Label: c.ID, Kind: view.FieldSelect, Default: c.Typed.Verdict, Help: objectionText(c),
		Choices: []view.Choice{
			{Value: string(dialectic.RulingCleared), Help: "it no longer blocks " + c.Point + ", until its value changes"},
			{Value: string(dialectic.RulingUpheld), Help: "it blocks " + c.Point + " until the field is withdrawn"},
		},
	}
	if c.Typed.Verdict != "" {
		verdict.Choices = append(verdict.Choices, view.Choice{Label: "taken back", Help: "the evidence decides again"})
	}
	return Override{
		ID: "rule", About: c.ID, Title: "rule on " + c.ID, Detail: objectionText(c), Heading: "Rule on " + c.ID + " against " + c.Point,
		Fields: []view.Field{verdict, reasonField("It goes on the record and may be empty.")},
		Build: func(v view.Values) ([]UserMove, string, error) {
			done := c.ID + " is " + v["verdict"] + ", by you"
			if v["verdict"] == "" {
				done = "your ruling on " + c.ID + " is taken back"
			}
			return one(RuleObjection{Challenge: c.ID, Verdict: dialectic.Ruling(v["verdict"]), Reason: v["reason"]}, done)
		},
	}
}

// fields are the decisions about a field of the proposal.
func (o overrides) fields() []Override {
	var list []Override
	add := func(make func(point string) Override) {
		list = append(list, o.onPoint("field", func(point string) Override {
			override := make(point)
			override.About = point
			if point != "" {
				override.Title = strings.ReplaceAll(override.Title, "%", point)
			}
			return override
		}))
	}
	add(func(point string) Override {
		return ruleOn(point, state.OverrideAgree, "agree with %", "it is accepted as it is: no objection and no gate blocks it", "Agree with "+point)
	})
	add(func(point string) Override {
		return ruleOn(point, state.OverrideDismiss, "dismiss %", "it is not part of what advances", "Dismiss "+point)
	})
	add(func(point string) Override {
		return ruleOn(point, state.OverrideUnresolved, "leave % aside", "it stays Unresolved, and is not part of what advances",
			"Leave "+point+" aside")
	})
	add(func(point string) Override {
		return Override{
			ID: "withdraw", Title: "withdraw %", Detail: "it is no longer proposed, and objections to it are moot", Undo: OverrideReopen,
			Heading: "Withdraw " + point,
			Fields:  []view.Field{reasonField("It goes on the record and may be empty. Reopening the field brings it back.")},
			Build: func(v view.Values) ([]UserMove, string, error) {
				return one(WithdrawField{Point: point, Reason: v["reason"]}, point+" is withdrawn, by you")
			},
		}
	})
	add(func(point string) Override {
		return ruleOn(point, state.OverrideReopen, "reopen %", "all your rulings on it are taken back", "Reopen "+point)
	})
	add(o.object)
	add(o.fieldEvidence)
	add(func(point string) Override {
		override := o.limit(nil, o.Point(point))
		override.ID, override.Title, override.Detail = "limit", "set a limit on %", "a fact that its value may not contradict"
		return override
	})
	return list
}

// object objects to a field: by a red flag of the playbook, or by none.
func (o overrides) object(point string) Override {
	own := Override{
		ID: "object", Heading: "Object to " + point,
		Fields: []view.Field{
			severityField("How serious it is."),
			{Key: "text", Label: "Objection", Kind: view.FieldText, Required: true, Help: "What is wrong, in one sentence."},
		},
		Build: func(v view.Values) ([]UserMove, string, error) {
			move := RaiseObjection{Point: point, Text: v["text"], Severity: dialectic.Severity(v["severity"])}
			return one(move, "you object to "+point)
		},
	}
	if book := o.Settings.Playbook; book != nil && len(book.Flags) > 0 && point != "" {
		own.About, own.Title, own.Detail = point, "none", "an objection in your own words"
		list := []Override{own}
		for i := range book.Flags {
			flag := &book.Flags[i]
			list = append(list, Override{
				ID: "object", About: point + " " + flag.ID, Title: flag.ID, Detail: flag.Severity + ": " + flag.Title,
				Heading: "Object to " + point + ": " + flag.ID,
				Fields:  []view.Field{{Key: "text", Label: "Objection", Kind: view.FieldText, Required: true, Help: flag.Look}},
				Build: func(v view.Values) ([]UserMove, string, error) {
					return one(RaiseObjection{Point: point, Text: v["text"], Flag: flag.ID}, "you object to "+point)
				},
			})
		}
		own = Override{ID: "object", Heading: "By which red flag?", Choose: func() []Override { return list }}
	}
	own.Title, own.Detail = "object to %", "by a red flag, or in your own words"
	return own
}

// severityField asks for a severity. HIGH is the default.
func severityField(help string) view.Field {
	f := view.Field{Key: "severity", Label: "Severity", Kind: view.FieldSelect, Default: string(dialectic.High), Help: help}
	for _, s := range dialectic.Severities() {
		f.Choices = append(f.Choices, view.Choice{Value: string(s), Help: map[dialectic.Severity]string{
			dialectic.Blocking: "it blocks, and only the strongest sources clear it",
			dialectic.High:     "it blocks until it is cleared",
			dialectic.Medium:   "it blocks until the last round, and then warns",
			dialectic.Low:      "it is noted, and blocks nothing",
		}[s]})
	}
	return f
}

// fieldEvidence gives evidence on a field: for one objection or for all.
func (o overrides) fieldEvidence(point string) Override {
	override := evidenceOn(point)
	override.Detail = "yours has the highest authority"
	override.Fields[2].Help = "Where it is found or what you ran, such as docs/slo.md:7 or $ go test ./…. It may be empty."
	about := view.Field{
		Key: "challenge", Label: "Objection", Kind: view.FieldSelect, Help: "The objection that it is about.",
		Choices: []view.Choice{{Label: "all of them", Help: "every objection to " + point}},
	}
	if p := o.Point(point); p != nil {
		for _, id := range p.Challenges {
			if c := o.Challenge(id); c.Typed != nil {
				about.Choices = append(about.Choices, view.Choice{Value: id, Help: objectionText(c)})
			}
		}
	}
	if o.Challenge(o.at.ID) != nil {
		about.Default = o.at.ID
	}
	if len(about.Choices) > 1 {
		override.Fields = append([]view.Field{about}, override.Fields...)
	}
	override.Build = func(v view.Values) ([]UserMove, string, error) {
		return one(SupplyEvidence{
			Point: point, Challenge: v["challenge"], Text: v["text"], Reference: v["reference"], Relation: ledger.Relation(v["relation"]),
		}, "your evidence on "+point+" is recorded")
	}
	return override
}

// limit records a fact about a proposal, which may say what the value of a field must be. It
// replaces the old fact if there is one, and limits the field of the point if there is one.
func (o overrides) limit(old *ledger.Fact, point *state.Point) Override {
	unlimited := func(v view.Values) bool { return v["path"] == "" }
	fact := view.Field{
		Key: "fact", Label: "Fact", Placeholder: "the limit itself",
		Help: "What the user says outranks everyone, and is never left out of a prompt.",
	}
	path := view.Field{
		Key: "path", Label: "Limits", Placeholder: "no field", Help: "The field that it limits, such as rollout.percent. Empty means none (G6).",
	}
	operator := view.Field{Key: "op", Label: "Must be", Kind: view.FieldSelect, Help: "What its value must be.", Hidden: unlimited}
	for _, word := range ledger.Operators() {
		operator.Choices = append(operator.Choices, view.Choice{Value: word, Label: map[string]string{
			"=": "exactly", "≠": "anything but", "<": "less than", "≤": "at most", ">": "more than", "≥": "at least", "in": "one of",
		}[word]})
	}
	value := view.Field{
		Key: "value", Label: "Value", Required: true, Hidden: unlimited,
		Help: "A number, a text, true or false. After \"one of\", several separated by commas.",
	}
	override := Override{ID: OverrideFact, Heading: "Record a fact, as the user"}
	done := "recorded as a fact of the user"
	if point != nil && point.Field != nil {
		override.ID, override.Heading = "limit", "A limit on "+point.ID
		path.Default, value.Default = point.Field.Path, typedValue(point.Field.Value)
	}
	supersedes := ""
	if old != nil {
		override.ID, override.About, override.Heading = "replace", old.ID, "Replace "+old.ID
		supersedes, done, fact.Default = old.ID, old.ID+" is replaced and stays on the record", old.Text
		if old.Predicate != nil {
			path.Default, operator.Default, value.Default = old.Predicate.Path, old.Predicate.Op, typedValue(old.Predicate.Value)
		}
	}
	override.Fields = []view.Field{fact, path, operator, value}
	override.Build = func(v view.Values) ([]UserMove, string, error) {
		move := RecordFact{Text: v["fact"], Supersedes: supersedes}
		if v["path"] != "" {
			move.Predicate = &ledger.Predicate{Path: v["path"], Op: v["op"], Value: parseValue(v["value"], v["op"])}
			if move.Text == "" {
				move.Text = v["path"] + " " + v["op"] + " " + v["value"]
			}
		}
		if move.Text == "" {
			return nil, "", &view.FieldError{Key: "fact", Err: errors.New("enter a fact, or a limit below")}
		}
		return one(move, done)
	}
	return override
}

// parseValue reads a typed value: a number, true, false, a quoted text or a list as it is,
// anything else as a text. After "in" it is a list separated by commas.
func parseValue(text, op string) json.RawMessage {
	text = strings.TrimSpace(text)
	if op == "in" && !strings.HasPrefix(text, "[") {
		var parts []string
		for part := range strings.SplitSeq(text, ",") {
			parts = append(parts, string(parseValue(part, "")))
		}
		return json.RawMessage("[" + strings.Join(parts, ",") + "]")
	}
	return ValueOf(text)
}

// typedValue is a JSON value as a person types it.
func typedValue(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && bytes.Equal(ValueOf(text), value) {
		return text
	}
	return string(value)
}
