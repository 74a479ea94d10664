package protocol

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// MoveList describes the allowed moves for a prompt: a line for each with its fields and an
// example, as JSON and as a line.
func MoveList(allowed []MoveKind) string {
	var lines []string
	for _, row := range moveTable() {
		if !slices.Contains(allowed, row.move.Kind()) {
			continue
		}
		schema, err := row.schema()
		if err != nil {
			// The types are fixed; a test makes every schema.
			continue
		}
		line := fmt.Sprintf("- %s %s. Fields: %s. Example: %s", row.move.Kind(), row.doc, fieldList(schema),
			row.exampleJSON())
		if example := row.exampleLine(); example != "" {
			line += " or: " + example
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// exampleJSON is the example of a move as an object, exampleLine the same as a line.
func (row *moveRow) exampleJSON() string {
	return `{"move":"` + string(row.move.Kind()) + `",` + row.example[1:]
}

func (row *moveRow) exampleLine() string {
	move, _ := reflect.New(reflect.TypeOf(row.move).Elem()).Interface().(Move)
	if json.Unmarshal([]byte(row.example), move) != nil {
		return ""
	}
	return TextOf(move)
}

// fieldList names the fields of a move; "?" marks optional ones, and the words of a list
// follow in parentheses.
func fieldList(schema *jsonschema.Schema) string {
	var out []string
	for _, name := range schema.PropertyOrder {
		field := name
		if !slices.Contains(schema.Required, name) {
			field += "?"
		}
		if words := enumWords(schema.Properties[name]); len(words) > 0 {
			field += " (" + strings.Join(words, "|") + ")"
		}
		out = append(out, field)
	}
	return strings.Join(out, ", ")
}

// RepliesDoc is docs/replies.md: how replies are written, made from the table of moves.
func (p *Parser) RepliesDoc() string {
	var out strings.Builder
	out.WriteString(repliesIntro)
	for _, kind := range MoveKinds() {
		m := p.moves[kind]
		fmt.Fprintf(&out, "\n## %s\n\n%s %s.\n\n| field | | |\n|---|---|---|\n", kind, kind, m.row.doc)
		for _, name := range m.schema.PropertyOrder {
			if name == moveKey {
				continue
			}
			s, need := m.schema.Properties[name], "optional"
			if slices.Contains(m.schema.Required, name) {
				need = "required"
			}
			what := strings.TrimSuffix(wanted(s), fmt.Sprintf(" of at most %d bytes", maxText))
			if s.Description != "" && !strings.HasSuffix(what, s.Description) {
				what += ": " + s.Description
			}
			fmt.Fprintf(&out, "| `%s` | %s | %s |\n", name, need, strings.ReplaceAll(what, "|", "\\|"))
		}
		fmt.Fprintf(&out, "\n```\n%s\n%s\n```\n\nLines: ", m.row.exampleJSON(), m.row.exampleLine())
		var forms []string
		for i := range m.row.lines {
			forms = append(forms, "`"+m.row.template(&m.row.lines[i])+"`")
		}
		out.WriteString(strings.Join(forms, ", ") + "\n")
	}
	return out.String()
}

const repliesIntro = `# Replies

<!-- Generated from the table of moves; run: go test ./protocol -run TestRepliesDoc -update -->

A seat replies with moves. The best form is one JSON object, ` + "`{\"moves\":[…]}`" + `, with the
moves in order; ` + "`{\"moves\":[]}`" + ` says that the seat has nothing to say. The object may stand in a fenced
block or in prose. Damaged JSON (comments, trailing commas, single quotation marks) is
repaired; JSON that breaks off is asked for again.

A reply without JSON is read as lines, one move each:

` + "```" + `
WORD IDS: text | field: value | field: value path:12 "quote"
` + "```" + `

- The word is in capitals, or a colon follows it. Several ids (` + "`P1, P2`" + `) make a move each.
- The ids may come first: ` + "`P1: AGREE – reason`" + `. A word alone on its line holds for the ids
  in the lines below it.
- Fields follow after a bar or on lines of their own; ` + "`[EVIDENCE]`, `(0.8)` and `[value judgment]`" + `
  set the label, the confidence and value_judgment.
- Evidence is a reference with its quote, ` + "`path:12 \"quote\"`" + `, or a command with what is expected of it,
  ` + "`$ go vet ./... => exit 0`" + `.
- When points are asked for, each item of a list is one. When challenges are to be answered,
  ` + "`C1: text`" + ` answers one, and a paragraph without an id is confirmed with its author.
- ` + "`NOTHING`" + ` says that there is nothing to say.

Quoted text is never a move: block quotes, code, quotation marks and data fences. An AGREE,
ACCEPT or CONCEDE under a condition or with a question mark is no move either. Thinking
between ` + "`<think>` and `</think>`" + ` is left out.

An unknown field, or an optional field that is not valid, is dropped with a notice to the
seat, and the move is kept. A move that lacks a required field is refused. A text has at most
8 KiB, a list 50 items, a reply 200 moves and 256 KiB.
`
