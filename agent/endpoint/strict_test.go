package endpoint

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestStrictSchema(t *testing.T) {
	cases := map[string][2]string{
		"optional becomes required, in order": {
			`{"type":"object","properties":{"text":{"type":"string"},"citations":{"type":["null","array"],"items":{"type":"object","properties":{"quote":{"type":"string"}}}}},"required":["text"],"additionalProperties":false}`,
			`{"type":"object","properties":{"text":{"type":"string"},"citations":{"type":["null","array"],"items":{"type":"object","properties":{"quote":{"type":"string"}},"required":["quote"],"additionalProperties":false}}},"required":["text","citations"],"additionalProperties":false}`,
		},
		"an optional choice may be null": {
			`{"type":"object","properties":{"class":{"type":"string","enum":["AGREE","REJECT"]},"label":{"type":"string","enum":["","GUESS"]},"kind":{"const":"RAISE","type":"string"}},"required":["kind"]}`,
			`{"type":"object","properties":{"class":{"type":["string","null"],"enum":["AGREE","REJECT",null]},"label":{"type":"string","enum":["","GUESS"]},"kind":{"const":"RAISE","type":"string"}},"required":["class","label","kind"],"additionalProperties":false}`,
		},
		"one of several becomes any of them": {
			`{"type":"object","properties":{"m":{"oneOf":[{"type":"string"},{"$ref":"#/$defs/x"}]}},"$defs":{"x":{"type":"object","properties":{}}},"required":["m"]}`,
			`{"type":"object","properties":{"m":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/x"}]}},"$defs":{"x":{"type":"object","properties":{},"required":[],"additionalProperties":false}},"required":["m"],"additionalProperties":false}`,
		},
		"anything becomes what strict mode has for it": {
			`{"type":"object","properties":{"value":true,"other":{"description":"d"}},"required":["value","other"]}`,
			`{"type":"object","properties":{"value":{"anyOf":[{"type":["string","number","boolean","null"]},{"type":"array","items":{"type":["string","number","boolean","null"]}}]},"other":{"anyOf":[{"type":["string","number","boolean","null"]},{"type":"array","items":{"type":["string","number","boolean","null"]}}]}},"required":["value","other"],"additionalProperties":false}`,
		},
		"unknown keywords go": {
			`{"$schema":"x","title":"t","type":"object","properties":{"a":{"type":"string","maxLength":9,"default":"x","pattern":"^a"}},"required":["a"],"additionalProperties":{"not":{}}}`,
			`{"type":"object","properties":{"a":{"type":"string","pattern":"^a"}},"required":["a"],"additionalProperties":false}`,
		},
	}
	for name, c := range cases {
		got, err := strictSchema(json.RawMessage(c[0]))
		if err != nil || string(got) != c[1] {
			t.Errorf("%s: error %v\n got %s\nwant %s", name, err, got, c[1])
		}
	}
}

func TestSchemasThatStrictModeCannotExpress(t *testing.T) {
	for _, schema := range []string{
		`true`, `{"type":"array"}`, `{"anyOf":[]}`,
		`{"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"string"}}}}`,
		`{"type":"object","properties":{"m":{"type":"object"}}}`,
		`{"type":"object","properties":{"m":{"allOf":[{}]}}}`,
		`{"type":"object","properties":{"m":false}}`,
	} {
		if got, err := strictSchema(json.RawMessage(schema)); !errors.Is(err, errNotStrict) {
			t.Errorf("%s becomes %s, error %v", schema, got, err)
		}
	}
	if _, err := strictSchema(json.RawMessage(`{"type":`)); err == nil {
		t.Error("half a schema is taken")
	}
}
