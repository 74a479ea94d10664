package jsonlines_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/jsonlines"
)

// read returns what a reader finds: each object, or its error.
func read(text string) string {
	var found []string
	reader := jsonlines.NewReader([]byte(text))
	for {
		object, err := reader.Next()
		switch {
		case errors.Is(err, io.EOF):
			return strings.Join(found, "; ")
		case err != nil:
			found = append(found, err.Error())
		default:
			found = append(found, string(object))
		}
	}
}

func TestObjectsAreFound(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"one a line", "{}\n{\"a\":1}\n", `{}; {"a":1}`},
		{"without a last line break", "{}\n{}", "{}; {}"},
		{"on one line", "{} {}{}", "{}; {}; {}"},
		{"blank lines", "\n\n{}\n \t\n\n{}\n\n", "{}; {}"},
		{"line breaks of two characters", "{}\r\n{}\r\n", "{}; {}"},
		{"a byte order mark", "\ufeff{}\n{}", "{}; {}"},
		{"a byte order mark alone", "\ufeff", "line 1: there is no JSON object"},
		{"a byte order mark later", "{}\n\ufeff{}\n{}", `{}; line 2: invalid character '\ufeff' at start of value; {}`},
		{"nothing", "", "line 1: there is no JSON object"},
		{"blanks alone", "\n \n", "line 1: there is no JSON object"},
		{"one byte", "x", "line 1: invalid character 'x' at start of value"},
		{"a comma behind", "{},\n{}", "{}; line 1: invalid character ',' at start of value; {}"},
		{"a comma within", "{\"a\":1,}\n{}", "line 1: invalid character '}' at start of string (expecting '\"'); {}"},
		{"half an object", "{}\n{\"a\": {\"b\": 1", "{}; line 2: a: the JSON ends before the object does"},
		{"a name twice", "{\"a\": {\"b\": 1,\n \"b\": 2}}\n{}", "line 2: a.b: duplicate object member name; {}"},
		{"bytes that are no text", "{\"a\": [\"\xff\"]}\n{}", "line 1: a[0]: invalid UTF-8; {}"},
		{"half a pair", `{"a": "\ud800"}`, "line 1: a: invalid surrogate pair `\\ud800\"}` in string"},
		{
			"something else", "[{}]\nnull\n\"a\" 1 true\n{}",
			"line 1: it takes an object, not a list; line 2: it takes an object, not null; line 3: it takes an object, not a text; " +
				"line 3: it takes an object, not a number; line 3: it takes an object, not true or false; {}",
		},
	} {
		if got := read(c.text); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// As deep as the limit is found, one deeper is an error that names the limit.
func TestReaderBoundsTheDepth(t *testing.T) {
	nested := func(lists int) string { return `{"a":` + strings.Repeat("[", lists) + strings.Repeat("]", lists) + "}" }
	deepest := nested(jsonlines.Deepest - 1)
	if got := read(deepest + "\n{}"); got != deepest+"; {}" {
		t.Errorf("%.200s", got)
	}
	got := read("{}\n" + nested(jsonlines.Deepest) + "\n{}")
	if !strings.HasPrefix(got, "{}; line 2: a[0][0]") ||
		!strings.HasSuffix(got, ": objects and lists are nested more than 10000 deep; {}") || len(got) > 1000 {
		t.Errorf("%.1000s", got)
	}
}

// For a place that does not exist, the line of the innermost value around it is reported.
func TestWrongNamesTheLine(t *testing.T) {
	const text = "{}\n\n {\"a\": [\n1,\n {\"b\": [],\n \"c\": \"x\"}],\n \"d\": 1}"
	reader := jsonlines.NewReader([]byte(text))
	for range 2 {
		if _, err := reader.Next(); err != nil {
			t.Fatal(err)
		}
	}
	for at, want := range map[jsontext.Pointer]string{
		"": "line 3: w", "/a": "line 3: a: w", "/a/0": "line 4: a[0]: w", "/a/1": "line 5: a[1]: w",
		"/a/1/b": "line 5: a[1].b: w",
		"/a/1/c": "line 6: a[1].c: w", "/d": "line 7: d: w",
		"/e": "line 3: e: w", "/a/2": "line 3: a[2]: w", "/a/1/b/0": "line 5: a[1].b[0]: w",
		"/a/1/z":   "line 5: a[1].z: w",
		"/a/1/c/d": "line 6: a[1].c.d: w", "/a/x": "line 3: a.x: w",
	} {
		if got := reader.Locate(jsonlines.Faultf(at, "w")).Error(); got != want {
			t.Errorf("%s: %s, want %s", at, got, want)
		}
	}
}

func TestDecode(t *testing.T) {
	var into struct {
		Name   string            `json:"name"`
		Number float64           `json:"number"`
		List   []map[string]bool `json:"list"`
	}
	for text, want := range map[string]string{
		`{"name": "a", "number": 1, "list": [{"a": true}]}`: "ok",
		`{"nam": "a"}`:                    `nam: there is no such field; did you mean "name"?`,
		`{"other": "a"}`:                  `other: there is no such field (known: name, number, list)`,
		`{"number": null}`:                "number: null is not a number; leave it out to get the default",
		`{"number": 1e400}`:               "number: 1e400 is not a number that a double can hold",
		`{"number": {}}`:                  "number: it takes a number that a double can hold, not an object",
		`{"list": [{}, 1]}`:               "list[1]: it takes an object, not a number",
		`{"list": [{"a": true, "b": 0}]}`: "list[0].b: it takes true or false, not a number",
		`{"name": null, "list": null}`:    "ok",
	} {
		got := "ok"
		if err := jsonlines.Decode(jsontext.Value(text), &into); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Whatever the bytes are, the reader ends, what it finds is an object, and its
// errors name a line that is there.
func FuzzReader(f *testing.F) {
	for _, text := range []string{
		"{}\n{\"a\":[1,2,{\"b\":null}]}\r\n", "\ufeff{\"a\"", "{\"a\":1,}\n{}", "[[[[",
		"{\"a\":\"\xff\"}\nx\n{}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		reader := jsonlines.NewReader(text)
		for n := 0; ; n++ {
			object, err := reader.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if n > len(text) {
				t.Fatal("the reader does not end")
			}
			var wrong *jsonlines.Error
			if err != nil && !errors.As(err, &wrong) {
				t.Fatal(err)
			}
			if err == nil {
				if !object.IsValid() || object.Kind() != jsontext.KindBeginObject || !bytes.Contains(text, object) {
					t.Fatalf("%q is no object", object)
				}
				errors.As(reader.Locate(jsonlines.Faultf("/a/1/b", "w")), &wrong)
			}
			if wrong.Line < 1 || wrong.Line > 1+bytes.Count(text, []byte("\n")) {
				t.Fatalf("%v: there is no such line", wrong)
			}
		}
	})
}
