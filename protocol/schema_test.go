package protocol

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// supported are the keywords that OpenAI's json_schema and llama.cpp's grammar
// converter both take.
func supported() []string {
	return []string{"type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "description"}
}

func TestReplySchemaUsesOnlyWhatEndpointsTake(t *testing.T) {
	p := newTestParser(t)
	var schema map[string]any
	if err := json.Unmarshal(p.Schema(MoveKinds()), &schema); err != nil {
		t.Fatal(err)
	}
	if schema["type"] != "object" || schema["anyOf"] != nil {
		t.Errorf("the root must be a plain object: %v", schema["type"])
	}
	objects := 0
	var walk func(path string, node map[string]any)
	walk = func(path string, node map[string]any) {
		for key, value := range node {
			if !slices.Contains(supported(), key) {
				t.Errorf("%s: keyword %q is not supported everywhere", path, key)
			}
			if _, ok := value.([]any); ok && key == "type" {
				t.Errorf("%s: a list of types is not supported everywhere", path)
			}
		}
		if node["type"] == "object" {
			objects++
			if node["additionalProperties"] != false {
				t.Errorf("%s: additionalProperties must be false", path)
			}
		}
		properties, _ := node["properties"].(map[string]any)
		for name, property := range properties {
			walk(path+"."+name, property.(map[string]any))
		}
		if items, ok := node["items"].(map[string]any); ok {
			walk(path+"[]", items)
		}
		variants, _ := node["anyOf"].([]any)
		for _, variant := range variants {
			walk(path+"|", variant.(map[string]any))
		}
	}
	walk("reply", schema)
	if objects < len(MoveKinds()) {
		t.Errorf("only %d objects were looked at", objects)
	}
}

func TestReplySchemaNamesWordsAndKeepsDescriptions(t *testing.T) {
	p := newTestParser(t)
	text := string(p.Schema([]MoveKind{MoveClassify, MoveRaise}))
	for _, part := range []string{
		`"move":{"type":"string","enum":["RAISE"]}`,
		`"enum":["AGREE","SKEPTICAL","REJECT","ILL-FORMED"]`,
		`"enum":["=","≠","<","≤",">","≥","in"]`,
		`"one claim in one or two terse sentences"`,
		`"required":["move","text"]`,
	} {
		if !strings.Contains(text, part) {
			t.Errorf("the schema lacks %s", part)
		}
	}
	if strings.Contains(text, string(MoveTriage)) {
		t.Error("the schema offers a move that is not allowed")
	}
}

func TestReplySchemaIsTheSameForTheSameSetOfMoves(t *testing.T) {
	p := newTestParser(t)
	one := p.Schema([]MoveKind{MoveRaise, MoveFlag})
	two := p.Schema([]MoveKind{MoveFlag, MoveRaise, MoveFlag})
	if string(one) != string(two) {
		t.Error("the same set of moves gave two schemas")
	}
	if p.Schema(nil) != nil {
		t.Error("where nothing is allowed there is no schema")
	}
}

// tolerant is the schema as the parser means it: unknown fields are ignored,
// and what the rules answer may be absent (CH4, CH7).
func tolerant(t *testing.T, p *Parser, kind MoveKind) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	text, err := json.Marshal(p.schemas.moves[kind])
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	var open func(s *jsonschema.Schema)
	open = func(s *jsonschema.Schema) {
		if s == nil {
			return
		}
		s.AdditionalProperties = nil
		open(s.Items)
		for _, property := range s.Properties {
			open(property)
		}
	}
	open(&s)
	for _, f := range p.schemas.shapes[kind].fields {
		if f.lax {
			s.Required = slices.DeleteFunc(s.Required, func(name string) bool { return name == f.name })
		}
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return resolved
}

// TestShapesAgreeWithTheSchemas proves that the parser's own check and
// jsonschema's validation say the same of strictly written moves. Where the
// parser is kinder on purpose (words in any case, numbers in strings, null),
// the corpus of testdata has the cases.
func TestShapesAgreeWithTheSchemas(t *testing.T) {
	p := newTestParser(t)
	for _, kind := range MoveKinds() {
		resolved := tolerant(t, p, kind)
		for _, text := range mutants(t, p, kind) {
			var value any
			if err := json.Unmarshal([]byte(text), &value); err != nil {
				t.Fatal(err)
			}
			valid := resolved.Validate(value) == nil
			parsed, err := p.Parse(text, Ask{Moves: []MoveKind{kind}})
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if read := len(parsed.Moves) == 1; read != valid {
				t.Errorf("%s: schema says %t, parser says %t %v", text, valid, read, parsed.Refused)
			}
		}
	}
}

// mutants are a full move of the kind, and that move with each field left out,
// of a wrong type, or, for words, outside its list.
func mutants(t *testing.T, p *Parser, kind MoveKind) []string {
	t.Helper()
	schema := p.schemas.moves[kind]
	full := example(schema).(map[string]any)
	var texts []string
	add := func(change func(object map[string]any)) {
		text, err := json.Marshal(full)
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := json.Unmarshal(text, &object); err != nil {
			t.Fatal(err)
		}
		change(object)
		if text, err = json.Marshal(object); err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	add(func(map[string]any) {})
	add(func(o map[string]any) { o["mood"] = "good" })
	for name, property := range schema.Properties {
		if name == moveKey {
			continue
		}
		// A concession of nothing is refused beyond the schema.
		if kind != MoveConcede {
			add(func(o map[string]any) { delete(o, name) })
		}
		add(func(o map[string]any) { o[name] = map[string]any{"a": 1} })
		add(func(o map[string]any) { o[name] = 7.5e3 })
		if property.Enum != nil {
			add(func(o map[string]any) { o[name] = "no such word" })
		}
		if item := property.Items; item != nil && item.Properties != nil {
			for inner := range item.Properties {
				add(func(o map[string]any) { delete(o[name].([]any)[0].(map[string]any), inner) })
			}
		}
	}
	return slices.DeleteFunc(texts, func(text string) bool {
		// A share of 7,500 and a list given as one object are the parser's own
		// business: see testdata.
		return strings.Contains(text, `"confidence":7500`) || strings.Contains(text, `"citations":{`) ||
			strings.Contains(text, `"value":{`)
	})
}

// example is a value that the schema takes, with every field.
func example(s *jsonschema.Schema) any {
	switch {
	case s.Enum != nil:
		return s.Enum[0]
	case s.AnyOf != nil:
		return example(s.AnyOf[0])
	case s.Type == "object":
		object := map[string]any{}
		for name, property := range s.Properties {
			object[name] = example(property)
		}
		return object
	case s.Type == "array":
		return []any{example(s.Items)}
	case s.Type == "number":
		return 0.5
	case s.Type == "boolean":
		return true
	}
	return "X1"
}
