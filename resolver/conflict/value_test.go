package conflict_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"moot/resolver/conflict"
)

func text(s string) conflict.Value { return conflict.Value{Kind: conflict.String, Text: s} }

// value is the Value of a JSON text.
func value(t testing.TB, text string) conflict.Value {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return valueOf(v)
}

func valueOf(v any) conflict.Value {
	switch v := v.(type) {
	case bool:
		return conflict.Value{Kind: conflict.Boolean, Truth: v}
	case float64:
		return conflict.Value{Kind: conflict.Number, Float: v}
	case string:
		return text(v)
	case []any:
		made := conflict.Value{Kind: conflict.Array}
		for _, item := range v {
			made.Items = append(made.Items, valueOf(item))
		}
		return made
	case map[string]any:
		made := conflict.Value{Kind: conflict.Object, Names: slices.Sorted(maps.Keys(v))}
		for _, name := range made.Names {
			made.Items = append(made.Items, valueOf(v[name]))
		}
		return made
	}
	return conflict.Value{}
}

func TestEqualValues(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`null`, `null`, true},
		{`null`, `false`, false},
		{`true`, `true`, true},
		{`true`, `false`, false},
		{`1`, `1.0`, true},
		{`0`, `-0`, true},
		{`1`, `"1"`, false},
		{`9007199254740993`, `9007199254740992`, true},
		{`"a b"`, `"b a"`, false},
		{`"A"`, `"a"`, false},
		{`{"a":1,"b":[2]}`, `{"b":[2],"a":1}`, true},
		{`{"a":1}`, `{"b":1}`, false},
		{`{"a":1}`, `{"a":1,"b":null}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`[]`, `{}`, false},
		{`[[]]`, `[[]]`, true},
	} {
		a, b := value(t, c.a), value(t, c.b)
		if got := a.Equal(&b); got != c.want {
			t.Errorf("%s and %s: %t, want %t", c.a, c.b, got, c.want)
		}
	}
}

// nested is a value within arrays and objects by turns, as many levels deep.
func nested(levels int, within conflict.Value) conflict.Value {
	for level := range levels {
		outer := conflict.Value{Kind: conflict.Array, Items: []conflict.Value{within}}
		if level%2 == 0 {
			outer.Kind, outer.Names = conflict.Object, []string{"in"}
		}
		within = outer
	}
	return within
}
