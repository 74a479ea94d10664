package queue

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestReadLines(t *testing.T) {
	field := func(name string, values ...string) Field { return Field{Name: name, Values: values} }
	for _, test := range []struct {
		name, file, text string
		want             []Line
	}{
		{"a question on each line", "q.txt", "\ufeffIs it fast?\r\n\n  Is it safe?  \n", []Line{
			{1, "", []Field{field("question", "Is it fast?")}}, {3, "", []Field{field("question", "Is it safe?")}},
		}},
		{"JSON Lines", "q.jsonl", `{"id":"a","question":"Why?","facts":["one","two"],"max_tokens":5,"closed_world":true}` + "\n\n" +
			`{"question":"How?","seats":{"consultee":"rules","orchestrator":"rules"}}`, []Line{
			{1, "a", []Field{
				field("question", "Why?"), field("fact", "one", "two"), field("max-tokens", "5"),
				field("closed-world", "true"),
			}},
			{3, "", []Field{field("question", "How?"), field("seat", "consultee=rules", "orchestrator=rules")}},
		}},
		{"JSON from standard input", "-", ` {"review":"A..B","workspace":"x"}`, []Line{
			{1, "", []Field{field("review", "A..B"), field("workspace", "x")}},
		}},
		{"CSV with an empty cell and a line break in a cell", "q.csv", "id,question,max_tokens\n1,\"Is it\nsafe?\",\n2,Fast?,7\n", []Line{
			{2, "1", []Field{field("question", "Is it\nsafe?")}},
			{4, "2", []Field{field("question", "Fast?"), field("max-tokens", "7")}},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := ReadLines(test.file, []byte(test.text))
			if err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, %v\nwant %+v", got, err, test.want)
			}
		})
	}
}

func TestLinesThatAreWrongAreNamed(t *testing.T) {
	for _, test := range []struct{ file, text, want string }{
		{"q.txt", "\n \n", "it has no items"},
		{"q.txt", "a\xff", "not UTF-8"},
		{"q.txt", "ok\n" + strings.Repeat("x", maxLine+1), "line 2: it is longer than 1024 KiB"},
		{"q.jsonl", `{"question":"a"}` + "\n[1]", "line 2: it is not a JSON object"},
		{"q.jsonl", `{"question":"a",}`, "line 1: it is not valid JSON"},
		{"q.jsonl", `{"question":"a"} {"question":"b"}`, "line 1: something follows the object"},
		{"q.jsonl", `{"question":"a","question":"b"}`, "line 1: it"},
		{"q.jsonl", `{"max_tokens":1,"max-tokens":2}`, "line 1: it has the field max-tokens twice"},
		{"q.jsonl", `{"question":null}`, "line 1: question: it is null"},
		{"q.jsonl", `{"facts":[["a"]]}`, "line 1: fact: it is nested too deeply"},
		{"q.jsonl", `{"id":["a","b"]}`, "line 1: id: it is a text"},
		{"q.csv", "", "it has no items"},
		{"q.csv", "a,b\n1,2\n", "no column question or review"},
		{"q.csv", "question,question\n1,2\n", "column 2 has no name of its own"},
		{"q.csv", "question\na,b\n", "line 2: it has 2 cells, and the header has 1"},
		{"q.csv", "question\n\"a\n", "line 2:"},
	} {
		if _, err := ReadLines(test.file, []byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%.40q: got %v, want %q", test.text, err, test.want)
		}
	}
}

func TestManyWrongLinesAreCounted(t *testing.T) {
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, "{\"question\":\"Is %d safe?\"}\n", i)
		if i == 7 || i > 9000 {
			text.WriteString("{\n")
		}
	}
	_, err := ReadLines("q.jsonl", []byte(text.String()))
	if err == nil || !strings.Contains(err.Error(), "line 9:") || !strings.Contains(err.Error(), "\nand 992 mistakes more") {
		t.Errorf("got %v", err)
	}
}

func FuzzReadLines(f *testing.F) {
	f.Add("q.jsonl", []byte(`{"id":"a","question":"Why?","seats":{"a":"b"}}`))
	f.Add("q.csv", []byte("id,question\n1,Why?\n"))
	f.Add("q.txt", []byte("Why?\n"))
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		lines, err := ReadLines(name, text)
		if err != nil {
			return
		}
		for _, line := range lines {
			if line.Number < 1 {
				t.Errorf("a line has the number %d", line.Number)
			}
			for _, f := range line.Fields {
				if f.Name == FieldID {
					t.Error("the id is a field")
				}
			}
		}
	})
}
