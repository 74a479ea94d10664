package protocol

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"moot/ledger"
	"moot/state"
)

// TestMoveDocs keeps what is generated from the table of moves up to date.
func TestMoveDocs(t *testing.T) {
	p := newTestParser(t)
	for path, want := range map[string]string{"prompts/moves.md": p.movesPrompt(), "../docs/replies.md": p.repliesDoc()} {
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is out of date (%v): run go test ./protocol -run TestMoveDocs -update", path, err)
		}
	}
}

// TestMoveList: a prompt lists the moves that a seat may make, and no other.
func TestMoveList(t *testing.T) {
	for _, kind := range MoveKinds() {
		b := Brief{State: &state.State{}, Ask: Ask{Moves: []MoveKind{kind}}}
		if got := b.ReplyForm(); strings.Count(got, "\n- ") != 1 || !strings.Contains(got, "\n- "+string(kind)+" ") {
			t.Errorf("%s is listed as %q", kind, got)
		}
	}
}

// movesPrompt is prompts/moves.md: a line for each move with its fields and an example, as
// JSON and as a line.
func (p *Parser) movesPrompt() string {
	var out strings.Builder
	for _, kind := range MoveKinds() {
		row, schema := p.moves[kind].row, *p.moves[kind].schema
		schema.PropertyOrder = schema.PropertyOrder[1:] // without the name of the move
		fmt.Fprintf(&out, "- %s %s. Fields: %s. Example: %s or: %s\n", kind, row.doc, fieldList(&schema),
			row.exampleJSON(), row.exampleLine())
	}
	return out.String()
}

// examples holds the fields of one move of each kind as JSON: a line "KIND {…}" each.
//
//go:embed testdata/examples.txt
var examples string

// example is the example of a move: its fields as JSON.
func (row *moveRow) example() string {
	_, after, _ := strings.Cut("\n"+examples, "\n"+string(row.move.Kind())+" ")
	fields, _, _ := strings.Cut(after, "\n")
	return fields
}

// exampleJSON is the example of a move as an object, exampleLine the same as a line.
func (row *moveRow) exampleJSON() string {
	return `{"move":"` + string(row.move.Kind()) + `",` + row.example()[1:]
}

func (row *moveRow) exampleLine() string {
	move, _ := reflect.New(reflect.TypeOf(row.move).Elem()).Interface().(Move)
	if json.Unmarshal([]byte(row.example()), move) != nil {
		return ""
	}
	return textOf(move)
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

// repliesDoc is docs/replies.md: how replies are written.
func (p *Parser) repliesDoc() string {
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

<!-- Generated from the table of moves; run: go test ./protocol -run TestMoveDocs -update -->

A seat replies with moves. The best form is one JSON object, ` + "`{\"moves\":[…]}`" + `, with the
moves in order; ` + "`{\"moves\":[]}`" + ` says that the seat has nothing to say. The object may stand in a fenced
block or in prose. Damaged JSON (comments, trailing commas, single quotation marks) is
repaired; JSON that breaks off is asked for again.

A reply without JSON is read as lines, one move each:

` + "```" + `
WORD IDS: text | field: value | field: value path:12 "quote"
` + "```" + `

- The word is in capitals, or a colon follows it. Several ids (` + "`P1, P2`" + `) make a move each.
- The ids may come first: ` + "`P1: AGREE – reason`" + `.
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

// A move that is written as a line is read back as the same move.
func TestLinesAreReadBack(t *testing.T) {
	parser := newTestParser(t)
	no := false
	quoted := []Citation{{Reference: "docs/a.md:1-3", Quote: `it says "so" | and more`}}
	for _, move := range []Move{
		&Propose{
			Path: "rollout.percent", Value: ValueOf("10"), Category: "Safety",
			Severity: "HIGH", Text: "the budget bears it", Citations: quoted,
		},
		&Propose{Path: "p1.name", Value: ValueOf("a | b = c"), Category: "Taste", Grounded: &no},
		&Revise{Point: "P1", Value: ValueOf("-5"), Text: "as the fact says", Citations: quoted},
		&Object{Point: "P1", Flag: "no-rollback", Text: "nobody tried it", Request: "a run"},
		&Object{
			Point: "P2", Text: "it is long", Category: "Factual", Severity: "MEDIUM",
			Predicate: "payments can wait", Citations: quoted,
		},
		&RequestMove{Challenge: "C1", Text: "the load at the last peak"},
		&Supply{Challenge: "C1", Reference: "docs/a.md:9", Quote: "set it to 0", Relation: ledger.Refutes},
		&Supply{Point: "P1", Reference: "$ make check", Quote: "exit 0"},
		&Defend{Challenge: "C1", Text: "it was run on staging"},
		&Concede{Challenge: "C1"},
		&Withdraw{Point: "P1", Reason: "no part of the change"},
		&NoObjection{Reason: "nothing found"},
		&Triage{Point: "P1", Other: "P5", SameSubject: true, Opposed: true},
		&Triage{Point: "P1", Other: "P5", SameSubject: true, Alike: true},
		&Triage{Point: "P1", Other: "P5", SameSubject: true},
		&Triage{Point: "P2", Scope: state.OutOfScope, Reason: "about billing"},
		&Merge{From: []string{"P5"}, Into: "P1"},
		&Classify{Point: "P1", Class: state.Agree, Reason: "the acks say so"},
		&Classify{Point: "P5", Class: state.Reject, Flaw: "it leaves out the acks"},
	} {
		text := textOf(move)
		parsed, failure := parser.Parse(text, Ask{Moves: MoveKinds()})
		if failure != nil || len(parsed.Moves) != 1 || len(parsed.Refused) > 0 {
			t.Errorf("%s: %v %+v", text, failure, parsed)
			continue
		}
		if want, got := movesText(t, move), movesText(t, parsed.Moves[0]); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", text, got, want)
		}
	}
}

// textOf writes a move on one line, as the parser reads it. Free text loses its line ends
// and bars. It returns "" if no form of the move can hold it.
func textOf(m Move) string {
	var fields map[string]json.RawMessage
	text, err := encodeJSON(m)
	if err != nil || json.Unmarshal(text, &fields) != nil {
		return ""
	}
	for _, row := range moveTable() {
		if row.move.Kind() != m.Kind() {
			continue
		}
		for i := range row.lines {
			if line, ok := row.write(&row.lines[i], fields); ok && row.lines[i].words != "" {
				return line
			}
		}
	}
	return ""
}

// lineWriter writes one move in one form.
type lineWriter struct {
	fields map[string]json.RawMessage
	// used are the fields that are on the line.
	used map[string]bool
	line string
}

// write writes a move in a form and reports whether the form fits it.
func (row *moveRow) write(form *lineForm, fields map[string]json.RawMessage) (string, bool) {
	word, _, _ := strings.Cut(form.words, "|")
	w := &lineWriter{fields: fields, used: map[string]bool{}, line: word}
	field, value, ok := strings.Cut(form.set, "=")
	if ok && !strings.Contains(form.lead, field) && w.plain(field) != value || !w.ids(form) || !w.lead(form) {
		return "", false
	}
	if text := w.plain(form.text); form.text != "" && text != "" {
		w.line += ": " + text
	}
	w.rest(reflect.TypeOf(row.move).Elem())
	return w.line, true
}

// plain is a field as one writes it on a line.
func (w *lineWriter) plain(name string) string {
	w.used[name] = true
	return plainJSON(w.fields[name])
}

// ids writes the ids of a form and reports whether the move has them.
func (w *lineWriter) ids(form *lineForm) bool {
	before, after, two := strings.Cut(form.ids, ",")
	switch {
	case form.ids == "" || form.ids == "-":
		return true
	case two:
		w.line += strings.TrimRight(" "+w.plain(before)+" "+w.plain(after), " ")
		return w.plain(before) != "" && (w.plain(after) != "" || after == "fact")
	}
	for name := range strings.SplitSeq(form.ids, "|") {
		if id := w.plain(name); id != "" {
			w.line += " " + id
			return true
		}
	}
	return form.free
}

// lead writes the fields before the colon and reports whether the move has them.
func (w *lineWriter) lead(form *lineForm) bool {
	for _, field := range strings.Fields(form.lead) {
		name := strings.Trim(field, "[]?")
		value := w.plain(name)
		switch {
		case name == "pair":
			same, opposed, alike := w.plain("same_subject"), w.plain("opposed"), w.plain("alike")
			value = pairSubject
			if opposed == "yes" {
				value = pairOpposed
			} else if alike == "yes" {
				value = pairAlike
			}
			if same+opposed+alike == "" {
				return false
			}
			w.line += ": " + value
		case value == "" && !strings.HasSuffix(field, "?"):
			return false
		case value == "":
		case name == "into":
			w.line += " INTO " + value
		case name == "value":
			w.line += " = " + string(w.fields[name])
		case strings.HasPrefix(field, "["):
			w.line += " [" + value + "]"
		default:
			w.line += " " + value
		}
	}
	return true
}

// rest writes the other fields of a move, each behind a bar.
func (w *lineWriter) rest(t reflect.Type) {
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch value := plainJSON(w.fields[name]); {
		case f.Anonymous || w.used[name] || value == "" || name == "quote":
		case name == "citations":
			var citations []Citation
			if json.Unmarshal(w.fields[name], &citations) == nil {
				for _, c := range citations {
					w.line += " |" + cited(c.Reference, c.Quote)
				}
			}
		case name == "reference":
			w.line += cited(value, plainJSON(w.fields["quote"]))
		case name == "derived":
			var d Derivation
			if json.Unmarshal(w.fields[name], &d) == nil {
				w.line += " | derived: " + d.Op + " of " + strings.Join(d.Of, ", ")
			}
		case name == "predicate" && w.fields[name][0] == '{':
		default:
			w.line += " | " + strings.ReplaceAll(name, "_", " ") + ": " + value
		}
	}
}

// plainJSON is a value as one writes it on a line.
func plainJSON(raw json.RawMessage) string {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return ""
	}
	switch v := value.(type) {
	case nil:
		return ""
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case string:
		return strings.ReplaceAll(OneLine(v), "|", "/")
	case []any:
		words := make([]string, len(v))
		for i := range v {
			words[i] = fmt.Sprint(v[i])
		}
		return strings.Join(words, ", ")
	}
	return string(raw)
}

// cited is a reference with its quote, or a command with what is expected of it.
func cited(reference, quote string) string {
	reference = strings.ReplaceAll(OneLine(reference), "|", "/")
	if strings.HasPrefix(reference, "$") {
		return " `" + reference + " => " + strings.ReplaceAll(OneLine(quote), "|", "/") + "`"
	}
	return " " + reference + ` "` + strings.ReplaceAll(OneLine(quote), `"`, `\"`) + `"`
}
