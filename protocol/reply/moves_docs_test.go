package reply_test

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

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/dialectic"
	"moot/protocol/formats"
	"moot/protocol/move"
	"moot/protocol/reply"
	"moot/state"
)

// TestMoveDocs keeps what is generated from the tables of moves up to date.
func TestMoveDocs(t *testing.T) {
	p := newTestParser(t)
	files := map[string]string{"../../docs/replies.md": repliesDoc(p)}
	addPrompts := func(path string, p *reply.Parser, kinds []move.Kind) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		before, _, _ := strings.Cut(string(text), "# moves\n")
		files[path] = before + "# moves\n\n" + movesPrompt(p, kinds)
	}
	for _, f := range formats.All() {
		if own := ownMoves(f); own != nil {
			addPrompts("../"+string(f.Name())+"/prompts.md", p.In(f), own)
		}
	}
	var shared []move.Kind
	for _, row := range claims.Moves().Seats {
		if kind := move.KindOf(row.Move); !slices.Contains(move.Lookups(), kind) {
			shared = append(shared, kind)
		}
	}
	addPrompts("../claims/prompts.md", p, shared)
	addPrompts("../prompts.md", p, move.Lookups())
	for path, want := range files {
		if *update {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is out of date (%v): run go test ./protocol/reply -run TestMoveDocs -update", path, err)
		}
	}
}

// ownMoves returns the moves that a format adds to those of all debates, or writes in its own way.
func ownMoves(f protocol.Format) []move.Kind {
	var own []move.Kind
	for _, row := range f.Moves().Seats {
		if !slices.ContainsFunc(claims.Moves().Seats, func(shared move.Row) bool {
			return reflect.TypeOf(shared.Move) == reflect.TypeOf(row.Move)
		}) {
			own = append(own, move.KindOf(row.Move))
		}
	}
	return own
}

// TestMoveList: a prompt lists the moves that a seat may make, and no other.
func TestMoveList(t *testing.T) {
	listed := map[move.Kind]int{}
	p := newTestParser(t)
	for _, f := range formats.All() {
		for _, kind := range p.Kinds {
			ask := protocol.Ask{Seat: "a", Stage: state.StageAnswer, Moves: []move.Kind{kind}}
			got := f.Prompt(&state.State{Rules: f}, ask).System
			if strings.Count(got, "\n- ") > 1 || strings.Count(got, "\n- ") != strings.Count(got, "\n- "+string(kind)+" ") {
				t.Errorf("%s is listed as %q", kind, got)
			}
			listed[kind] += strings.Count(got, "\n- ")
		}
	}
	for _, kind := range p.Kinds {
		if listed[kind] == 0 {
			t.Errorf("%s is not listed", kind)
		}
	}
}

// movesPrompt is the section "moves" of prompts.md: a line for each move with its fields and an example, as
// JSON and as a line.
func movesPrompt(p *reply.Parser, kinds []move.Kind) string {
	var out strings.Builder
	for _, kind := range kinds {
		row, full := &p.Specs[kind].Row, p.Specs[kind].Schema
		schema := *full
		schema.PropertyOrder = schema.PropertyOrder[1:] // without the name of the move
		fmt.Fprintf(&out, "- %s %s. Fields: %s. Example: %s or: %s\n", kind, row.Doc, fieldList(&schema),
			exampleJSON(kind), exampleLine(row))
	}
	return out.String()
}

// examples holds the fields of one move of each kind as JSON: a line "KIND {…}" each.
//
//go:embed testdata/examples.txt
var examples string

// example is the example of a move: its fields as JSON.
func example(kind move.Kind) string {
	_, after, _ := strings.Cut("\n"+examples, "\n"+string(kind)+" ")
	fields, _, _ := strings.Cut(after, "\n")
	return fields
}

// exampleJSON is the example of a move as an object, exampleLine the same as a line.
func exampleJSON(kind move.Kind) string {
	return `{"move":"` + string(kind) + `",` + example(kind)[1:]
}

func exampleLine(row *move.Row) string {
	m, _ := reflect.New(reflect.TypeOf(row.Move).Elem()).Interface().(move.Move)
	if json.Unmarshal([]byte(example(move.KindOf(row.Move))), m) != nil {
		return ""
	}
	return textOf(row, m)
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
		if words := move.EnumWords(schema.Properties[name]); len(words) > 0 {
			field += " (" + strings.Join(words, "|") + ")"
		}
		out = append(out, field)
	}
	return strings.Join(out, ", ")
}

// repliesDoc is docs/replies.md: how replies are written.
func repliesDoc(p *reply.Parser) string {
	var out strings.Builder
	out.WriteString(repliesIntro)
	section := func(p *reply.Parser, kind move.Kind, title string) {
		row, schema := &p.Specs[kind].Row, p.Specs[kind].Schema
		fmt.Fprintf(&out, "\n## %s\n\n%s %s.\n\n| field | | |\n|---|---|---|\n", title, kind, row.Doc)
		for _, name := range schema.PropertyOrder {
			if name == move.Key {
				continue
			}
			s, need := schema.Properties[name], "optional"
			if slices.Contains(schema.Required, name) {
				need = "required"
			}
			what := strings.TrimSuffix(move.Wanted(s), fmt.Sprintf(" of at most %d bytes", move.MaxText))
			if s.Description != "" && !strings.HasSuffix(what, s.Description) {
				what += ": " + s.Description
			}
			fmt.Fprintf(&out, "| `%s` | %s | %s |\n", name, need, strings.ReplaceAll(what, "|", "\\|"))
		}
		fmt.Fprintf(&out, "\n```\n%s\n%s\n```\n\nLines: ", exampleJSON(kind), exampleLine(row))
		var forms []string
		for i := range row.Lines {
			forms = append(forms, "`"+row.Template(&row.Lines[i])+"`")
		}
		out.WriteString(strings.Join(forms, ", ") + "\n")
	}
	for _, kind := range p.Kinds {
		section(p, kind, string(kind))
	}
	for _, f := range formats.All() {
		for _, kind := range ownMoves(f) {
			if own := p.In(f); reflect.TypeOf(own.Specs[kind].Row.Move) != reflect.TypeOf(p.Specs[kind].Row.Move) {
				section(own, kind, fmt.Sprintf("%s in a %s", kind, f.Name()))
			}
		}
	}
	return out.String()
}

const repliesIntro = `# Replies

<!-- Generated from the table of moves; run: go test ./protocol/reply -run TestMoveDocs -update -->

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
- Fields follow after a bar or on lines of their own; ` + "`[EVIDENCE]`, `(0.8)` and `[decision]`" + `
  set the label, the confidence and the kind. ` + "`value_judgment: true`" + ` is still read as kind value.
- Evidence is a reference with its quote, ` + "`path:12 \"quote\"`" + `, a reference alone, a fact of the user (` + "`F2`" + `) in a
  field of its own, or a command with what is expected of it, ` + "`$ go vet ./... => exit 0`" + `. References are read
  in [all usual forms](evidence.md#citations). Code in back-quotes beside a place is a quote only after
  *says*, *reads* or *contains*, or as a fenced block.
- When points are asked for, each item of a list is one, and so is a heading with prose and a place below it.
  Lists under headings such as Tests, Fix or Recommendations are not; the result says what was not read. When challenges are to be answered,
  ` + "`C1: text`" + ` answers one, and a paragraph without an id is confirmed with its author.
- ` + "`NOTHING`" + ` says that there is nothing to say.

Quoted text is never a move: block quotes, code, quotation marks and data fences. An AGREE,
ACCEPT or CONCEDE under a condition or with a question mark is no move either. Thinking
between ` + "`<think>` and `</think>`" + ` is left out.

An unknown field, or an optional field that is not valid, is dropped with a notice to the
seat, and the move is kept. A move that lacks a required field is refused. A text has at most
8 KiB, a list 50 items, a reply 200 moves and 256 KiB. A reply raises at most 20 points: the result says how
many findings were not taken. To have a longer review argued, give it in several replies.
`

// A move that is written as a line is read back as the same move.
func TestLinesAreReadBack(t *testing.T) {
	parser := newTestParser(t)
	no := false
	quoted := []move.Citation{{Reference: "docs/a.md:1-3", Quote: `it says "so" | and more`}}
	for _, m := range []move.Move{
		&dialectic.Propose{
			Path: "rollout.percent", Value: reply.ValueOf("10"), Category: "Safety",
			Severity: "HIGH", Text: "the budget bears it", Citations: quoted,
		},
		&dialectic.Propose{Path: "p1.name", Value: reply.ValueOf("a | b = c"), Category: "Taste", Grounded: &no},
		&move.Revise{Point: "P1", Value: reply.ValueOf("-5"), Text: "as the fact says", Citations: quoted},
		&dialectic.Object{Point: "P1", Flag: "no-rollback", Text: "nobody tried it", Request: "a run"},
		&dialectic.Object{
			Point: "P2", Text: "it is long", Category: "Factual", Severity: "MEDIUM",
			Predicate: "payments can wait", Citations: quoted,
		},
		&dialectic.RequestEvidence{Challenge: "C1", Text: "the load at the last peak"},
		&dialectic.SupplyEvidence{Challenge: "C1", Reference: "docs/a.md:9", Quote: "set it to 0", Relation: ledger.Refutes},
		&dialectic.SupplyEvidence{Point: "P1", Reference: "$ make check", Quote: "exit 0"},
		&move.Defend{Challenge: "C1", Text: "it was run on staging"},
		&move.Concede{Challenge: "C1"},
		&move.Withdraw{Point: "P1", Reason: "no part of the change"},
		&dialectic.NoObjection{Reason: "nothing found"},
		&move.Triage{Point: "P1", Other: "P5", SameSubject: true, Opposed: true},
		&move.Triage{Point: "P1", Other: "P5", SameSubject: true, Alike: true},
		&move.Triage{Point: "P1", Other: "P5", SameSubject: true},
		&move.Triage{Point: "P2", Scope: state.OutOfScope, Reason: "about billing"},
		&move.Merge{From: []string{"P5"}, Into: "P1"},
		&move.Classify{Point: "P1", Class: state.Agree, Reason: "the acks say so"},
		&move.Classify{Point: "P5", Class: state.Reject, Flaw: "it leaves out the acks"},
	} {
		row := &parser.Specs[move.KindOf(m)].Row
		text := textOf(row, m)
		parsed, failure := parser.Parse(text, protocol.Ask{Moves: parser.Kinds})
		if failure != nil || len(parsed.Moves) != 1 || len(parsed.Refused) > 0 {
			t.Errorf("%s: %v %+v", text, failure, parsed)
			continue
		}
		if want, got := movesText(t, m), movesText(t, parsed.Moves[0]); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", text, got, want)
		}
	}
}

// textOf writes a move on one line, as the parser reads it. Free text loses its line ends
// and bars. It returns "" if no form of the move can hold it.
func textOf(row *move.Row, m move.Move) string {
	var fields map[string]json.RawMessage
	text, err := move.EncodeJSON(m)
	if err != nil || json.Unmarshal(text, &fields) != nil {
		return ""
	}
	for i := range row.Lines {
		if line, ok := write(row, &row.Lines[i], fields); ok && row.Lines[i].Words != "" {
			return line
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
func write(row *move.Row, form *move.LineForm, fields map[string]json.RawMessage) (string, bool) {
	word, _, _ := strings.Cut(form.Words, "|")
	w := &lineWriter{fields: fields, used: map[string]bool{}, line: word}
	field, value, ok := strings.Cut(form.Set, "=")
	if ok && !strings.Contains(form.Lead, field) && w.plain(field) != value || !w.ids(form) || !w.lead(form) {
		return "", false
	}
	if text := w.plain(form.Text); form.Text != "" && text != "" {
		w.line += ": " + text
	}
	w.rest(reflect.TypeOf(row.Move).Elem())
	return w.line, true
}

// plain is a field as one writes it on a line.
func (w *lineWriter) plain(name string) string {
	w.used[name] = true
	return plainJSON(w.fields[name])
}

// ids writes the ids of a form and reports whether the move has them.
func (w *lineWriter) ids(form *move.LineForm) bool {
	before, after, two := strings.Cut(form.IDs, ",")
	switch {
	case form.IDs == "" || form.IDs == "-":
		return true
	case two:
		w.line += strings.TrimRight(" "+w.plain(before)+" "+w.plain(after), " ")
		return w.plain(before) != "" && (w.plain(after) != "" || after == "fact")
	}
	for name := range strings.SplitSeq(form.IDs, "|") {
		if id := w.plain(name); id != "" {
			w.line += " " + id
			return true
		}
	}
	return form.Free
}

// lead writes the fields before the colon and reports whether the move has them.
func (w *lineWriter) lead(form *move.LineForm) bool {
	for _, field := range strings.Fields(form.Lead) {
		name := strings.Trim(field, "[]?")
		value := w.plain(name)
		switch {
		case name == "pair":
			same, opposed, alike := w.plain("same_subject"), w.plain("opposed"), w.plain("alike")
			value = "same-subject"
			if opposed == "yes" {
				value = "opposed"
			} else if alike == "yes" {
				value = "alike"
			}
			if same+opposed+alike == "" {
				return false
			}
			w.line += ": " + value
		case name == "place":
			w.line += " " + w.plain("path") + ":" + w.plain("line")
			w.plain("end")
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
			var citations []move.Citation
			if json.Unmarshal(w.fields[name], &citations) == nil {
				for _, c := range citations {
					w.line += " |" + cited(c.Reference, c.Quote)
				}
			}
		case name == "reference":
			w.line += cited(value, plainJSON(w.fields["quote"]))
		case name == "derived":
			var d move.Derivation
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
		return strings.ReplaceAll(plain.OneLine(v), "|", "/")
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
	reference = strings.ReplaceAll(plain.OneLine(reference), "|", "/")
	if strings.HasPrefix(reference, "$") {
		return " `" + reference + " => " + strings.ReplaceAll(plain.OneLine(quote), "|", "/") + "`"
	}
	return " " + reference + ` "` + strings.ReplaceAll(plain.OneLine(quote), `"`, `\"`) + `"`
}

// The lines that docs/dialectic.md shows, and those of both forms of a revision, are read as they are written.
func TestDocumentedLinesAreRead(t *testing.T) {
	parser := newTestParser(t)
	doc, err := os.ReadFile("../../docs/dialectic.md")
	if err != nil {
		t.Fatal(err)
	}
	_, doc2, _ := strings.Cut(string(doc), "on their own lines:\n\n")
	block, _, _ := strings.Cut(doc2, "\n\n")
	lines := append(strings.Split(block, "\n"), "REVISE P1 = 5", "REVISE P1: text | challenge: C1", "ACCEPT E2",
		"CONTEST E2: reason", "WITHDRAW E2", "CONCEDE C1")
	for _, line := range lines {
		line = strings.TrimSpace(line)
		parsed, failure := parser.Parse(line, protocol.Ask{Moves: parser.Kinds})
		if failure != nil || len(parsed.Moves) != 1 || len(parsed.Refused) > 0 {
			t.Errorf("%s: %v %+v", line, failure, parsed)
		}
	}
	for line, want := range map[string]string{
		"REVISE P1: text | challenge: C1": `{"point":"P1","text":"text","challenge":"C1"`,
		"OBJECT P1: x | category: a | severity: LOW | predicate: p | request: $ git log -1 => exit 0": `"request":"$ git log -1 =\u003e exit 0"}`,
		"REQUEST C1: $ go test ./... => exit 0 | clears: unmet":                                       `"text":"$ go test ./... =\u003e exit 0","clears":"unmet"}`,
	} {
		parsed, _ := parser.Parse(line, protocol.Ask{Moves: parser.Kinds})
		if got, _ := json.Marshal(parsed.Moves[0]); !strings.Contains(string(got), want) {
			t.Errorf("%s is read as %s, without %s", line, got, want)
		}
	}
}
