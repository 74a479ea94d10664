package endpoint

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// errNotStrict says that a schema cannot be put into the strict form.
var errNotStrict = errors.New("the schema cannot be expressed in strict mode")

// member is one name and value of a JSON object. Members keep their order,
// because a model under a strict schema writes them in that order: what it
// must think of first has to stand first.
type member struct {
	name  string
	value any
}

// object is a JSON object in its order.
type object []member

// MarshalJSON writes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			out.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(value)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// get returns the value of a member, or nil.
func (o object) get(name string) any {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// Strict returns a JSON Schema in the form that strict modes demand, for whoever
// passes one on to such a mode by another way; see strictSchema.
func Strict(schema json.RawMessage) (json.RawMessage, error) { return strictSchema(schema) }

// strictSchema returns the schema in the form that strict mode demands: every
// object closed and each of its properties required, no keyword that it does
// not know. An optional property keeps its type where an empty value means
// absent in moot's moves; where there is no empty value, in numbers, objects and
// closed lists, it may be null as well. What a keyword that is left out
// would have forbidden, the protocol refuses later. A schema that strict mode
// cannot express is errNotStrict.
func strictSchema(schema json.RawMessage) (json.RawMessage, error) {
	decoder := json.NewDecoder(bytes.NewReader(schema))
	decoder.UseNumber()
	value, err := readValue(decoder, 0)
	if err != nil {
		return nil, fmt.Errorf("reading the schema of a reply: %w", err)
	}
	root, ok := value.(object)
	if !ok || root.get("properties") == nil {
		return nil, errNotStrict
	}
	closed, err := closeSchema(root)
	if err != nil {
		return nil, err
	}
	return json.Marshal(closed)
}

// deepest bounds the nesting of a schema that is read.
const deepest = 100

// readValue reads one JSON value and keeps the order of objects.
func readValue(decoder *json.Decoder, depth int) (any, error) {
	token, err := decoder.Token()
	if err != nil || depth > deepest {
		return nil, errors.Join(err, errNotStrictIf(depth > deepest))
	}
	switch token {
	case json.Delim('{'):
		out := object{}
		for decoder.More() {
			name, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			value, err := readValue(decoder, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, member{name: fmt.Sprint(name), value: value})
		}
		_, err = decoder.Token()
		return out, err
	case json.Delim('['):
		out := []any{}
		for decoder.More() {
			value, err := readValue(decoder, depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, value)
		}
		_, err = decoder.Token()
		return out, err
	}
	return token, nil
}

// errNotStrictIf returns errNotStrict if the condition holds.
func errNotStrictIf(condition bool) error {
	if condition {
		return errNotStrict
	}
	return nil
}

// anything is what strict mode has in place of a schema that allows all.
func anything() object {
	scalar := object{{"type", []any{"string", "number", "boolean", "null"}}}
	list := object{{"type", "array"}, {"items", scalar}}
	return object{{"anyOf", []any{scalar, list}}}
}

// closeSchema puts one schema and those inside it into the strict form.
func closeSchema(value any) (object, error) {
	schema, ok := value.(object)
	if !ok {
		if value == true {
			return anything(), nil
		}
		return nil, errNotStrict
	}
	out := object{}
	for _, m := range schema {
		kept, err := closeMember(m)
		if err != nil {
			return nil, err
		}
		out = append(out, kept...)
	}
	properties, isObject := out.get("properties").(object)
	switch {
	case isObject:
		names := make([]any, len(properties))
		for i, p := range properties {
			names[i] = p.name
			if !isRequired(schema, p.name) {
				properties[i].value = orNull(p.value)
			}
		}
		out = append(out, member{"required", names}, member{"additionalProperties", false})
	case out.get("type") == "object":
		return nil, errNotStrict // An open map has no strict form.
	case len(out) == 0 || !slices.ContainsFunc(out, says):
		return anything(), nil
	}
	return out, nil
}

// says reports that a member of a schema says which values there may be.
func says(m member) bool {
	switch m.name {
	case "type", "anyOf", "enum", "const", "$ref":
		return true
	}
	return false
}

// closeMember returns what becomes of one member of a schema: itself, another,
// or nothing.
func closeMember(m member) (object, error) {
	switch m.name {
	case "type", "description", "enum", "const", "$ref", "pattern", "format",
		"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems":
		return object{m}, nil
	case "properties", "$defs", "definitions":
		return closeEach(m)
	case "items":
		closed, err := closeSchema(m.value)
		return object{{m.name, closed}}, err
	case "anyOf", "oneOf":
		branches, ok := m.value.([]any)
		if !ok {
			return nil, errNotStrict
		}
		closed := make([]any, len(branches))
		for i, branch := range branches {
			var err error
			if closed[i], err = closeSchema(branch); err != nil {
				return nil, err
			}
		}
		return object{{"anyOf", closed}}, nil
	case "additionalProperties":
		// A schema for further properties makes the object a map.
		if further, isSchema := m.value.(object); isSchema && !isNever(further) {
			return nil, errNotStrict
		}
		return nil, nil
	case "allOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "prefixItems", "patternProperties":
		return nil, errNotStrict
	}
	return nil, nil // An annotation, or a bound that the protocol checks anyway.
}

// isNever reports that a schema is {"not": {}}, a long way to say false.
func isNever(schema object) bool {
	not, ok := schema.get("not").(object)
	return ok && len(schema) == 1 && len(not) == 0
}

// closeEach closes the schemas of an object whose names are free.
func closeEach(m member) (object, error) {
	schemas, ok := m.value.(object)
	if !ok {
		return nil, errNotStrict
	}
	closed := make(object, len(schemas))
	for i, s := range schemas {
		value, err := closeSchema(s.value)
		if err != nil {
			return nil, err
		}
		closed[i] = member{s.name, value}
	}
	return object{{m.name, closed}}, nil
}

// isRequired reports that the schema required the property already.
func isRequired(schema object, name string) bool {
	required, _ := schema.get("required").([]any)
	return slices.Contains(required, any(name))
}

// orNull allows null in place of an optional value, unless the value has an
// empty form that means absent: text without a closed list, a list, false. A
// number has none, nor has an object: a model that must write one invents it.
func orNull(value any) any {
	schema, ok := value.(object)
	if !ok {
		return value
	}
	values, closed := schema.get("enum").([]any)
	switch kind := schema.get("type").(type) {
	case string:
		switch {
		case closed && (slices.Contains(values, any("")) || slices.Contains(values, nil)):
			return schema
		case closed, kind == "number", kind == "integer":
			return withNull(schema, []any{kind, "null"}, values)
		case kind == "string", kind == "boolean", kind == "array", kind == "null":
			return schema
		}
	case []any:
		if slices.Contains(kind, any("null")) && !closed {
			return schema
		}
	}
	return object{{"anyOf", []any{schema, object{{"type", "null"}}}}}
}

// withNull returns the schema with that type, and with null in its closed list
// if it has one.
func withNull(schema object, kind, values []any) object {
	out := slices.Clone(schema)
	for i, m := range out {
		switch {
		case m.name == "type":
			out[i].value = kind
		case m.name == "enum" && values != nil:
			out[i].value = append(slices.Clone(values), nil)
		}
	}
	return out
}
