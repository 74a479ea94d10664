package tui

import (
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/ledger"
	"moot/protocol"
	"moot/resolver"
	"moot/resolver/dialectic"
	"moot/state"
)

// composes reports whether moves can be written with forms: where the person
// speaks for a seat of a proposal.
func (f *personForm) composes() bool {
	return formatScreenOf(f.request.call.State.Settings.Format).proposes
}

// add writes a line below what is typed.
func (f *personForm) add(line string) {
	text := strings.TrimRight(f.area.Value(), "\n ")
	f.area.SetValue(text + when(text == "", "", "\n") + line + "\n")
	f.area.MoveToEnd()
}

// openCompose lists the moves that the seat may make, to write one with a form.
func (m *Model) openCompose() {
	f, speaks := m.dialog().(*personForm)
	if !speaks || !m.open(f) {
		return
	}
	m.push(newPicker("Which move?", func() []pick {
		var list []pick
		for _, kind := range f.request.call.Ask.Moves {
			fields := moveFields(&f.request.call.State, kind)
			list = append(list, pick{
				id: string(kind), name: string(kind), detail: moveMeans(kind), why: lacking(fields),
				do: opens(func(m *Model) { m.openMove(f, kind, fields) }),
			})
		}
		return list
	}))
}

// lacking says why a move cannot be made: what it is about is not there.
func lacking(fields []*field) string {
	for _, f := range fields {
		if f.kind == fieldChoice && len(f.options) == 0 {
			return when(f.name == "challenge", "there is no objection", "there is no field")
		}
	}
	return ""
}

// openMove asks for the parts of a move, and writes it as a line.
func (m *Model) openMove(to *personForm, kind protocol.MoveKind, fields []*field) {
	m.push(newFieldForm(string(kind), fields, func(v map[string]string) perform {
		return func(*Model) tea.Cmd {
			to.add(protocol.TextOf(moveOf(kind, v)))
			return nil
		}
	}))
}

func moveMeans(kind protocol.MoveKind) string {
	switch kind { //nolint:exhaustive // those of a consultation
	case protocol.MovePropose:
		return "a field: path, value, category, severity"
	case protocol.MoveRevise:
		return "another value for a field"
	case protocol.MoveDefend:
		return "an argument; evidence with it may clear the objection"
	case protocol.MoveConcede:
		return "the objection holds"
	case protocol.MoveWithdraw:
		return "the field is no longer proposed"
	case protocol.MoveObject:
		return "what is wrong with a field"
	case protocol.MoveRequest:
		return "which evidence is owed for an objection"
	case protocol.MoveSupply:
		return "a passage or a command, for or against"
	case protocol.MoveNoObjection:
		return "there is nothing more"
	}
	return ""
}

// moveFields are the parts of a move of a proposal.
func moveFields(s *state.State, kind protocol.MoveKind) []*field {
	line := func(name, label, help string, required bool) *field {
		return &field{name: name, label: label, help: help, required: required, placeholder: when(required, "", "none")}
	}
	evidence := []*field{
		line("reference", "Reference", "path:12 or path:12-14 of the workspace, or $ and a command.", kind == protocol.MoveSupply),
		line("quote", "Quote", "The words that stand there; of a command what must come, as in exit 0.", kind == protocol.MoveSupply),
	}
	switch kind { //nolint:exhaustive // those of a consultation
	case protocol.MovePropose:
		return append([]*field{
			line("path", "Field", "Its name, as in rollout.percent.", true), line("value", "Value", "A number, a text, true or false, or a [list].", true),
			categoryField(s), severityField("How much hangs on it."), line("why", "Why", "In a sentence.", false),
		}, evidence...)
	case protocol.MoveRevise:
		return append([]*field{fieldField(s), line("value", "Value", "The new one.", true), line("why", "Why", "In a sentence.", true)}, evidence...)
	case protocol.MoveObject:
		flagless := func(f *field) *field {
			f.hidden = func(v map[string]string) bool { return v["flag"] != "" }
			return f
		}
		return append([]*field{
			fieldField(s), flagField(s), line("text", "Objection", "What is wrong, in a sentence.", true),
			flagless(categoryField(s)), flagless(severityField("How grave it is.")), flagless(line("predicate", "Must hold", "The statement that would have to be true.", true)),
			line("request", "Evidence owed", "Which evidence you ask for.", false),
		}, evidence...)
	case protocol.MoveRequest:
		return []*field{objectionField(s), line("text", "Evidence", "Which evidence is owed.", true)}
	case protocol.MoveSupply:
		return append([]*field{objectionField(s), {name: "relation", label: "It", kind: fieldChoice, options: relationChoices()}}, evidence...)
	case protocol.MoveDefend:
		return append([]*field{objectionField(s), line("text", "Answer", "In a sentence.", true)}, evidence...)
	case protocol.MoveConcede:
		return []*field{objectionField(s)}
	case protocol.MoveWithdraw:
		return []*field{fieldField(s), line("why", "Why", "In a sentence.", false)}
	}
	return []*field{line("why", "Looked for", "What you looked for and did not find.", false)}
}

// fieldField asks for a field of the proposal, objectionField for an objection to
// one.
func fieldField(s *state.State) *field {
	f := &field{name: "point", label: "Field", kind: fieldChoice}
	for _, p := range resolver.ProposedFields(s) {
		f.options = append(f.options, choice{value: p.ID, help: p.Text})
	}
	return f
}

func objectionField(s *state.State) *field {
	f := &field{name: "challenge", label: "Objection", kind: fieldChoice}
	for _, c := range s.Challenges.All() {
		if c.Typed != nil && resolver.Proposed(s.Point(c.Point)) {
			f.options = append(f.options, choice{value: c.ID, help: objectionInWords(c)})
		}
	}
	return f
}

func categoryField(s *state.State) *field {
	f := &field{name: "category", label: "Category", kind: fieldChoice, help: "It says how sure evidence must be."}
	for _, name := range slices.Sorted(maps.Keys(resolver.Configured(s).Thresholds)) {
		f.options = append(f.options, choice{value: name})
	}
	return f
}

func flagField(s *state.State) *field {
	f := &field{name: "flag", label: "Red flag", kind: fieldChoice, options: []choice{{label: "none", help: "an objection of your own"}}}
	if book := s.Settings.Playbook; book != nil {
		for i := range book.Flags {
			f.options = append(f.options, choice{value: book.Flags[i].ID, help: book.Flags[i].Severity + ": " + book.Flags[i].Title})
		}
	}
	return f
}

// moveOf makes a move of what was filled in.
func moveOf(kind protocol.MoveKind, v map[string]string) protocol.Move {
	var citations []protocol.Citation
	if v["reference"] != "" {
		citations = []protocol.Citation{{Reference: v["reference"], Quote: v["quote"]}}
	}
	switch kind { //nolint:exhaustive // those of a consultation
	case protocol.MovePropose:
		return &protocol.Propose{
			Path: v["path"], Value: protocol.ValueOf(v["value"]), Category: v["category"], Severity: v["severity"], Text: v["why"], Citations: citations,
		}
	case protocol.MoveRevise:
		return &protocol.Revise{Point: v["point"], Value: protocol.ValueOf(v["value"]), Text: v["why"], Citations: citations}
	case protocol.MoveObject:
		return &protocol.Object{
			Point: v["point"], Flag: v["flag"], Text: v["text"], Category: v["category"], Severity: dialectic.Severity(v["severity"]),
			Predicate: v["predicate"], Request: v["request"], Citations: citations,
		}
	case protocol.MoveRequest:
		return &protocol.RequestMove{Challenge: v["challenge"], Text: v["text"]}
	case protocol.MoveSupply:
		return &protocol.Supply{Challenge: v["challenge"], Reference: v["reference"], Quote: v["quote"], Relation: ledger.Relation(v["relation"])}
	case protocol.MoveDefend:
		return &protocol.Defend{Challenge: v["challenge"], Text: v["text"], Citations: citations}
	case protocol.MoveConcede:
		return &protocol.Concede{Challenge: v["challenge"]}
	case protocol.MoveWithdraw:
		return &protocol.Withdraw{Point: v["point"], Reason: v["why"]}
	}
	return &protocol.NoObjection{Reason: v["why"]}
}
