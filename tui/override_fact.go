package tui

import (
	"bytes"
	"encoding/json"
	"strings"

	"moot/ledger"
	"moot/protocol"
)

// relationChoices are the ways in which evidence bears on a proposal; what is
// neutral decides nothing.
func relationChoices() []choice {
	return []choice{
		{value: string(ledger.Supports), label: "supports the field"}, {value: string(ledger.Refutes), label: "speaks against it"},
	}
}

// openConstraint records a fact about a proposal, which may say what a field must
// be: that one is then the selected field, and else typed. An older fact is
// replaced where it is named.
func (m *Model) openConstraint(supersedes, point string) {
	fact := &field{name: "fact", label: "Fact", placeholder: "the limit itself", help: "What the user says outranks everyone; it is never left out of a prompt."}
	path := &field{name: "path", label: "Limits", placeholder: "no field", help: "The field that it limits, as in rollout.percent; empty for none (G6)."}
	op := &field{name: "op", label: "Must be", kind: fieldChoice, help: "What its value must be.", hidden: unlimited}
	for _, word := range ledger.Operators() {
		op.options = append(op.options, choice{value: word, label: operatorMeans(word)})
	}
	value := &field{name: "value", label: "Value", required: true, help: "A number, a text, true or false; after in several, with commas.", hidden: unlimited}
	name, heading, said := "limit "+point, "Record a fact, as the user", "recorded as a fact of the user"
	if p := m.state.Point(point); p != nil && p.Field != nil {
		heading, path.value, value.value = "A limit on "+point, p.Field.Path, textOfValue(p.Field.Value)
	}
	if f := m.state.Fact(supersedes); f != nil {
		name, heading, said = "fact "+supersedes, "Replace "+supersedes, supersedes+" is superseded; it stays on the record"
		fact.value = f.Text
		if f.Predicate != nil {
			path.value, op.value, value.value = f.Predicate.Path, f.Predicate.Op, textOfValue(f.Predicate.Value)
		}
	}
	m.decide(strings.TrimSpace(name), heading, []*field{fact, path, op, value}, func(f *fieldForm, v map[string]string) (protocol.UserMove, string) {
		move := protocol.RecordFact{Text: v["fact"], Supersedes: supersedes}
		if v["path"] != "" {
			move.Predicate = &ledger.Predicate{Path: v["path"], Op: v["op"], Value: valueOf(v["value"], v["op"])}
			if move.Text == "" {
				move.Text = v["path"] + " " + v["op"] + " " + v["value"]
			}
		}
		if move.Text == "" {
			f.setError("fact", "this is needed, or a limit below")
			return nil, ""
		}
		return move, said
	})
}

// unlimited says that no field is named that a fact limits.
func unlimited(v map[string]string) bool { return v["path"] == "" }

func operatorMeans(op string) string {
	return map[string]string{
		"=": "exactly", "≠": "anything but", "<": "less than", "≤": "at most", ">": "more than", "≥": "at least", "in": "one of",
	}[op]
}

// valueOf is a typed value as JSON: a number, true, false, a quoted text or a list
// as it is, anything else as a text. After "in" it is a list, parted by commas.
func valueOf(text, op string) json.RawMessage {
	text = strings.TrimSpace(text)
	if op == "in" && !strings.HasPrefix(text, "[") {
		var parts []string
		for part := range strings.SplitSeq(text, ",") {
			parts = append(parts, string(valueOf(part, "")))
		}
		return json.RawMessage("[" + strings.Join(parts, ",") + "]")
	}
	return protocol.ValueOf(text)
}

// textOfValue is a JSON value as one types it.
func textOfValue(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil && bytes.Equal(protocol.ValueOf(text), value) {
		return text
	}
	return string(value)
}
