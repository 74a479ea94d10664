package endpoint

import (
	"encoding/json"
	"errors"
	"testing"

	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/move"
	"moot/protocol/reply"
)

func TestStrictSchema(t *testing.T) {
	cases := map[string][2]string{
		"optional becomes required, in order": {
			`{"type":"object","properties":{"text":{"type":"string"},"citations":{"type":"array","items":{"type":"object","properties":{"quote":{"type":"string"}}}}},"required":["text"],"additionalProperties":false}`,
			`{"type":"object","properties":{"text":{"type":"string"},"citations":{"type":"array","items":{"type":"object","properties":{"quote":{"type":"string"}},"required":["quote"],"additionalProperties":false}}},"required":["text","citations"],"additionalProperties":false}`,
		},
		"an optional choice may be null": {
			`{"type":"object","properties":{"class":{"type":"string","enum":["AGREE","REJECT"]},"label":{"type":"string","enum":["","GUESS"]},"kind":{"const":"RAISE","type":"string"}},"required":["kind"]}`,
			`{"type":"object","properties":{"class":{"type":["string","null"],"enum":["AGREE","REJECT",null]},"label":{"type":"string","enum":["","GUESS"]},"kind":{"const":"RAISE","type":"string"}},"required":["class","label","kind"],"additionalProperties":false}`,
		},
		"an optional value that has no empty form may be null": {
			`{"type":"object","properties":{"confidence":{"type":"number","description":"d"},"predicate":{"type":"object","properties":{"op":{"type":"string"}},"required":["op"]},"direct":{"type":"boolean"},"text":{"type":"string"}}}`,
			`{"type":"object","properties":{"confidence":{"type":["number","null"],"description":"d"},"predicate":{"anyOf":[{"type":"object","properties":{"op":{"type":"string"}},"required":["op"],"additionalProperties":false},{"type":"null"}]},"direct":{"type":"boolean"},"text":{"type":"string"}},"required":["confidence","predicate","direct","text"],"additionalProperties":false}`,
		},
	}
	for name, c := range cases {
		got, err := Strict(json.RawMessage(c[0]))
		if err != nil || string(got) != c[1] {
			t.Errorf("%s: error %v\n got %s\nwant %s", name, err, got, c[1])
		}
	}
}

// Every reply that the protocol asks for can be put into the strict form, and
// what a model must write for "absent" there is read as absent.
func TestTheSchemasOfMovesAreStrict(t *testing.T) {
	parser, err := reply.NewParser(formats.All())
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range parser.Kinds {
		if _, err := Strict(parser.Schema([]move.Kind{kind})); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if _, err := Strict(parser.Schema(parser.Kinds)); err != nil {
		t.Error(err)
	}
	said := `{"moves":[{"move":"RAISE","text":"The cache is not safe.","value_judgment":false,"label":null,"confidence":null,` +
		`"citations":[],"holder":"","option":"","criterion":"","predicate":null}]}`
	parsed, failed := parser.Parse(said, protocol.Ask{Moves: []move.Kind{move.KindRaise}})
	if failed != nil || len(parsed.Refused) > 0 || len(parsed.Moves) != 1 {
		t.Fatalf("%+v, error %v", parsed, failed)
	}
	if raise := parsed.Moves[0].(*move.Raise); raise.Confidence != nil || raise.Predicate != nil || raise.Label != "" {
		t.Errorf("%+v is not what was said", raise)
	}
}

func TestSchemasThatStrictModeCannotExpress(t *testing.T) {
	for _, schema := range []string{
		`{"type":`, `true`, `{"type":"array"}`, `{"anyOf":[]}`,
		`{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"string"}}}}`,
		`{"type":"object","properties":{"m":{"type":"object"}}}`,
		`{"type":"object","properties":{"m":{"allOf":[{}]}}}`,
		`{"type":"object","properties":{"m":false}}`,
	} {
		if got, err := Strict(json.RawMessage(schema)); !errors.Is(err, errNotStrict) {
			t.Errorf("%s becomes %s, error %v", schema, got, err)
		}
	}
}
