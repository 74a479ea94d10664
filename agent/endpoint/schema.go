package endpoint

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// errNotStrict reports that a schema has no strict form.
var errNotStrict = errors.New("the schema cannot be expressed in strict mode")

// Strict returns the strict-mode form of a JSON Schema: every object is closed and all its properties are required,
// in order, because models write them in that order. An optional property keeps its type if its empty value means
// absent in moot's moves; an optional number, object or enum may be null. Only the keywords of moot's own schemas are
// supported.
func Strict(schema json.RawMessage) (json.RawMessage, error) {
	root := gjson.ParseBytes(schema)
	if !json.Valid(schema) || !root.Get("properties").IsObject() {
		return nil, errNotStrict
	}
	text, err := strictSchema(root, false)
	if err != nil {
		return nil, err
	}
	return json.RawMessage(text), nil
}

func strictSchema(schema gjson.Result, optional bool) (string, error) {
	kind, words := schema.Get("type").Str, schema.Get("enum")
	mayBeEmpty := kind == "string" || kind == "boolean" || kind == "array"
	if words.Exists() {
		mayBeEmpty = slices.ContainsFunc(words.Array(), func(word gjson.Result) bool { return word.String() == "" })
	}
	orNull := optional && !mayBeEmpty && (words.Exists() || kind == "number" || kind == "integer")
	var members, names []string
	var failed error
	inner := func(value gjson.Result, optional bool) string {
		text, err := strictSchema(value, optional)
		failed = cmp.Or(failed, err)
		return text
	}
	schema.ForEach(func(key, value gjson.Result) bool {
		text, list := value.Raw, []string{}
		switch key.Str {
		case "required", "additionalProperties":
			return true // set below
		case "description", "const":
		case "type", "enum":
			if values := strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"); orNull && key.Str == "type" {
				text = "[" + values + `,"null"]`
			} else if orNull {
				text = "[" + values + ",null]"
			}
		case "items":
			text = inner(value, false)
		case "anyOf":
			for _, branch := range value.Array() {
				list = append(list, inner(branch, false))
			}
			text = "[" + strings.Join(list, ",") + "]"
		case "properties":
			required := schema.Get("required").Array()
			value.ForEach(func(name, property gjson.Result) bool {
				isRequired := func(r gjson.Result) bool { return r.Str == name.Str }
				list = append(list, name.Raw+":"+inner(property, !slices.ContainsFunc(required, isRequired)))
				names = append(names, name.Raw)
				return true
			})
			text = "{" + strings.Join(list, ",") + "}"
		default:
			failed = errNotStrict
		}
		members = append(members, key.Raw+":"+text)
		return failed == nil
	})
	isObject := schema.Get("properties").IsObject()
	if isObject {
		members = append(members, `"required":[`+strings.Join(names, ",")+`]`, `"additionalProperties":false`)
	}
	isOpen := kind == "object" && !isObject // an open map has no strict form
	if isOpen || kind == "" && !schema.Get("anyOf").IsArray() {
		failed = cmp.Or(failed, errNotStrict)
	}
	text := "{" + strings.Join(members, ",") + "}"
	if optional && !mayBeEmpty && !orNull {
		text = `{"anyOf":[` + text + `,{"type":"null"}]}`
	}
	return text, failed
}

// withoutWords removes keywords from a JSON Schema. A const becomes an enum of one value.
func withoutWords(schema json.RawMessage, words []string) json.RawMessage {
	if len(words) == 0 || len(schema) == 0 {
		return schema
	}
	return json.RawMessage(withoutWordsIn(gjson.ParseBytes(schema), words, false))
}

func withoutWordsIn(value gjson.Result, words []string, names bool) string {
	if !value.IsObject() && !value.IsArray() {
		return value.Raw
	}
	var parts []string
	value.ForEach(func(key, inner gjson.Result) bool {
		switch {
		case value.IsArray():
			parts = append(parts, withoutWordsIn(inner, words, false))
		case names || !slices.Contains(words, key.Str):
			isNames := !names && (key.Str == "properties" || key.Str == "$defs")
			parts = append(parts, key.Raw+":"+withoutWordsIn(inner, words, isNames))
		case key.Str == "const":
			parts = append(parts, `"enum":[`+inner.Raw+`]`)
		}
		return true
	})
	if value.IsArray() {
		return "[" + strings.Join(parts, ",") + "]"
	}
	return "{" + strings.Join(parts, ",") + "}"
}
