package move

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"moot/ledger"
	"moot/state"
)

// Key names the move in its JSON object, movesKey the list of a reply.
const (
	Key     = "move"
	ListKey = "moves"
)

// patchField is the field of a citation that may be longer than MaxText, up to ledger.MaxPatch.
const patchField = "patch"

// Bounds of one move.
const (
	// MaxText is the length of one text field in bytes.
	MaxText = 8 << 10
	// maxItems is the length of one list.
	maxItems = 200
	// MostFound is how many items of one kind the line form looks for. The schema keeps maxItems of a list, and says
	// how many more there were.
	MostFound = 10 * maxItems
)

// Spec is a row of the table of moves with its schema.
type Spec struct {
	Row  Row
	Kind Kind
	// Schema goes to endpoints; Text is its JSON, and Tool that of the fields of a lookup alone.
	Schema     *jsonschema.Schema
	Text, Tool []byte
	// Parts finds "name: value" on a line.
	Parts *regexp.Regexp
}

// schema is the JSON Schema of a move without its name, inferred from the Go type.
func (row *Row) schema(closed map[reflect.Type]*jsonschema.Schema) (*jsonschema.Schema, error) {
	options := &jsonschema.ForOptions{TypeSchemas: closed}
	schema, err := jsonschema.ForType(reflect.TypeOf(row.Move).Elem(), options)
	if err != nil {
		return nil, fmt.Errorf("infer the schema of %s: %w", KindOf(row.Move), err)
	}
	tidySchema(schema)
	for field, words := range row.Words {
		schema.Properties[field].Enum = wordSchema(words...).Enum
	}
	return schema, nil
}

// NewSpec makes the schema of a move ready for endpoints and for reading.
func NewSpec(row Row, closed map[reflect.Type]*jsonschema.Schema) (*Spec, error) {
	schema, err := row.schema(closed)
	if err != nil {
		return nil, err
	}
	m := &Spec{Row: row, Kind: KindOf(row.Move), Schema: schema, Parts: partPattern(&row, schema)}
	if slices.Contains(Lookups(), m.Kind) {
		if m.Tool, err = EncodeJSON(schema); err != nil {
			return nil, fmt.Errorf("write the schema of %s: %w", m.Kind, err)
		}
	}
	// The name of the move is an enum of one word, since some endpoints do not support "const".
	schema.Properties[Key] = wordSchema(m.Kind)
	schema.PropertyOrder = slices.Insert(schema.PropertyOrder, 0, Key)
	schema.Required = slices.Insert(schema.Required, 0, Key)
	if m.Text, err = EncodeJSON(schema); err != nil {
		return nil, fmt.Errorf("write the schema of %s: %w", m.Kind, err)
	}
	// The library escapes < and >.
	m.Text = bytes.ReplaceAll(bytes.ReplaceAll(m.Text, []byte(`\u003c`), []byte("<")), []byte(`\u003e`), []byte(">"))
	return m, nil
}

// EncodeJSON writes JSON for models, without the escapes that HTML needs.
func EncodeJSON(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSpace(out.Bytes()), err
}

// ClosedTypes returns the schemas of the Go types that cannot be inferred: closed lists of words,
// and values of any type. The words are those that a seat may use, without those that only the
// rules set.
func ClosedTypes() map[reflect.Type]*jsonschema.Schema {
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[Label]():           wordSchema(LabelEvidence, LabelInference, LabelGuess),
		reflect.TypeFor[FlagKind]():        wordSchema(FlagKinds()...),
		reflect.TypeFor[ledger.Relation](): wordSchema(ledger.Relations()...),
		reflect.TypeFor[state.Scope]():     wordSchema(state.InScope, state.OutOfScope, state.AnchorShift),
		reflect.TypeFor[state.Kind]():      wordSchema(state.Kinds()...),
		reflect.TypeFor[state.Part]():      wordSchema(state.Parts()...),
		reflect.TypeFor[state.Class]():     wordSchema(state.Classes()...),
		reflect.TypeFor[state.Judgment]():  wordSchema(state.Accepted, state.Rejected),
		reflect.TypeFor[Operator]():        wordSchema(ledger.Operators()...),
		reflect.TypeFor[json.RawMessage](): {AnyOf: []*jsonschema.Schema{
			{Type: "string"},
			{Type: "number"},
			{Type: "boolean"},
			{Type: "array", Items: &jsonschema.Schema{AnyOf: []*jsonschema.Schema{
				{Type: "string"}, {Type: "number"}, {Type: "boolean"},
			}}},
		}},
	}
}

func wordSchema[T ~string](words ...T) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, word := range words {
		s.Enum = append(s.Enum, string(word))
	}
	return s
}

// tidySchema removes null from the types of pointers and slices: such a field can be left out, and
// every endpoint understands a schema without lists of types.
func tidySchema(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	tidySchema(s.Items)
	for _, property := range s.Properties {
		tidySchema(property)
	}
}

// Invalid is the reason that a move is refused or one of its fields is dropped.
type Invalid struct{ Code, Text string }

// Read converts a decoded JSON object to a move. It returns a notice for each optional field that
// was dropped, or the reason that the move cannot be read.
func (m *Spec) Read(object map[string]any) (Move, []string, *Invalid) {
	if m.Requests() {
		object = requestFields(object)
	}
	fields, notices, bad := m.object(m.Schema, object)
	if a, b, ok := strings.Cut(m.Row.Either, "|"); bad == nil && ok && fields[a] == nil && fields[b] == nil {
		bad = &Invalid{"missing-field", strings.Join(append(notices, a+" or "+b+" is missing"), "; ")}
	}
	move := reflect.New(reflect.TypeOf(m.Row.Move).Elem()).Interface()
	if bad == nil {
		text, err := json.Marshal(fields)
		if err == nil {
			err = json.Unmarshal(text, move)
		}
		if err != nil {
			bad = &Invalid{"invalid-field", err.Error()}
		}
	}
	if bad != nil {
		return nil, nil, &Invalid{bad.Code, string(m.Kind) + ": " + bad.Text}
	}
	return move, notices, nil
}

// Requests reports whether the move may ask for evidence in a form that code checks.
func (m *Spec) Requests() bool { return m.Schema.Properties["clears"] != nil }

// requestFields returns the fields of a move that asks for evidence: a request that is an object of its own is part of
// it, and the challenge may be called objection, as in exports.
func requestFields(object map[string]any) map[string]any {
	inner, nested := object["request"].(map[string]any)
	objection, named := object["objection"]
	if !nested && !named {
		return object
	}
	object = maps.Clone(object)
	if nested {
		delete(object, "request")
		for name, value := range inner {
			if name == "text" {
				name = "request"
			}
			if _, known := object[name]; !known {
				object[name] = value
			}
		}
	}
	if _, known := object["challenge"]; named && !known && object["point"] == nil {
		object["challenge"] = objection
		delete(object, "objection")
	}
	return object
}

// object reads the fields of an object. An unknown field and an invalid optional one are
// dropped; an object that lacks a required one is invalid.
func (m *Spec) object(s *jsonschema.Schema, object map[string]any) (map[string]any, []string, *Invalid) {
	fields, notices := map[string]any{}, []string(nil)
	required := func(name string) bool {
		lax := s == m.Schema && (name == Key || slices.Contains(strings.Fields(m.Row.Lax), name))
		return slices.Contains(s.Required, name) && !lax
	}
	names := slices.AppendSeq(make([]string, 0, len(object)), maps.Keys(object))
	slices.Sort(names)
	for _, name := range names {
		if s == m.Schema && name == Key {
			continue
		}
		property := s.Properties[name]
		if name == ValueJudgment && property == nil && s.Properties["kind"] != nil {
			if value := IsTrue(object[name]); value == nil {
				notices = append(notices, fmt.Sprintf("%s must be true or false, not %s", name, Shown(object[name])))
			} else if *value && object["kind"] == nil {
				fields["kind"] = string(state.Value)
			}
			continue
		}
		if property == nil {
			notices = append(notices, fmt.Sprintf("there is no field %.40q", name))
			continue
		}
		value, inner, bad := m.value(name, property, object[name])
		if bad != nil && required(name) {
			return nil, nil, bad
		}
		if bad != nil {
			inner = append(inner, bad.Text)
		}
		notices = append(notices, inner...)
		if bad == nil && value != nil {
			fields[name] = value
		}
	}
	for _, name := range s.Required {
		if fields[name] == nil && required(name) {
			return nil, nil, &Invalid{"missing-field", name + " is missing"}
		}
	}
	return fields, notices, nil
}

// value normalizes a value that models commonly write in another form than the schema asks for:
// null and "" are absent (nil), words may be in any case, numbers and booleans may be texts, and
// one item may replace a list. Then it validates the value.
func (m *Spec) value(name string, s *jsonschema.Schema, value any) (_ any, notices []string, _ *Invalid) {
	text, isText := value.(string)
	if number, ok := value.(json.Number); ok {
		text = string(number)
	}
	size := len(text)
	text = strings.TrimSpace(text)
	switch {
	case value == nil || isText && text == "":
		return nil, nil, nil
	case s.Enum != nil && isText:
		value = ClosedWord(text, EnumWords(s))
	case s.Type == "number":
		value = AsNumber(text, value)
	case s.Type == "integer":
		if n, err := strconv.Atoi(text); err == nil {
			value = n
		}
	case s.Type == "boolean" && isText:
		if read := IsTrue(text); read != nil {
			value = *read
		}
	case s.Type == "string" && isText && IsIDField(name):
		if value = NormalID(text); value == "" {
			return nil, nil, nil
		}
	case s.Type == "array":
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		items := []any{}
		for i, item := range list {
			item, inner, bad := m.value(name, s.Items, item)
			if bad != nil {
				inner = append(inner, bad.Text)
			}
			for _, why := range inner {
				notices = append(notices, fmt.Sprintf("%s %d: %s", name, i+1, why))
			}
			if bad == nil && item != nil {
				items = append(items, item)
			}
		}
		if len(items) == 0 {
			return nil, notices, nil
		}
		if more := len(items) - maxItems; more > 0 {
			atLeast := ""
			if len(items) >= MostFound {
				atLeast = "at least "
			}
			items = items[:maxItems]
			notices = append(
				notices,
				fmt.Sprintf("%s: the first %d were read, and %s%d more were not", name, maxItems, atLeast, more),
			)
		}
		value = items
	case s.Type == "object":
		object, ok := value.(map[string]any)
		if !ok {
			break
		}
		fields, inner, bad := m.object(s, object)
		if bad != nil {
			return nil, nil, bad
		}
		value, notices = fields, inner
	}
	most := MaxText
	if name == patchField {
		most = ledger.MaxPatch
	}
	if isText && size > most {
		wanted := strings.Replace(Wanted(s), strconv.Itoa(MaxText), strconv.Itoa(most), 1)
		return nil, notices, &Invalid{state.NotTaken, fmt.Sprintf("%s must be %s, and it has %d", name, wanted, size)}
	}
	if !valid(s, value) {
		return nil, notices, &Invalid{"invalid-field", fmt.Sprintf("%s must be %s, not %s", name, Wanted(s),
			Shown(value))}
	}
	return value, notices, nil
}

// ValueJudgment is an older way to say that a point is of kind value.
const ValueJudgment = "value_judgment"

// IsTrue reads true or false, which may be written as a text. It returns nil for anything else; null is false.
func IsTrue(value any) *bool {
	switch v := value.(type) {
	case nil:
		return new(bool)
	case bool:
		return &v
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true", "yes":
			return new(true)
		case "false", "no", "":
			return new(bool)
		}
	}
	return nil
}

// AsNumber reads a number that may be written as a text or in percent. Anything else is returned
// unchanged, for validation to refuse.
func AsNumber(text string, value any) any {
	digits, percent := strings.CutSuffix(text, "%")
	number, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || math.IsInf(number, 0) || math.IsNaN(number) {
		if text != "" {
			return text
		}
		return value
	}
	if percent {
		number /= 100
	}
	return number + 0 // -0 is 0
}

// valid reports whether a value fits its schema. The items of lists and the fields of objects were checked before.
func valid(s *jsonschema.Schema, value any) bool {
	switch v := value.(type) {
	case string:
		return s.AnyOf != nil || s.Type == "string" && (s.Enum == nil || slices.Contains(s.Enum, any(v)))
	case bool:
		return s.AnyOf != nil || s.Type == "boolean"
	case float64:
		return s.Type == "number" && v >= 0 && v <= 1
	case int:
		return s.Type == "integer" && v >= 0
	case json.Number:
		number, err := v.Float64()
		return s.AnyOf != nil && err == nil && !math.IsInf(number, 0)
	case []any:
		if s.AnyOf == nil {
			return s.Type == "array"
		}
		return !slices.ContainsFunc(v, func(item any) bool {
			_, isList := item.([]any)
			return isList || !valid(s, item)
		})
	case map[string]any:
		return s.Type == "object"
	}
	return false
}

// Wanted describes in words what a schema accepts.
func Wanted(s *jsonschema.Schema) string {
	switch {
	case s.Enum != nil:
		return "one of " + strings.Join(EnumWords(s), ", ")
	case s.AnyOf != nil:
		return "a text, a number, true, false or a list of them"
	case s.Type == "number":
		return "a number from 0 to 1"
	case s.Type == "integer":
		return "a line number"
	case s.Type == "boolean":
		return "true or false"
	case s.Type == "array" && s.Items.Type == "object":
		return "a list of objects with " + strings.Join(s.Items.Required, ", ")
	case s.Type == "array":
		return "a list of texts"
	case s.Type == "object":
		return "an object with " + strings.Join(s.Required, ", ")
	}
	return fmt.Sprintf("a text of at most %d bytes", MaxText)
}

// Shown returns a value for an error message, shortened.
func Shown(value any) string {
	text, err := EncodeJSON(value)
	const most = 60
	if err != nil || len(text) <= most {
		return string(text)
	}
	return strings.ToValidUTF8(string(text[:most]), "") + "…"
}

// EnumWords returns the words of a closed list, or nil.
func EnumWords(s *jsonschema.Schema) []string {
	words := make([]string, 0, len(s.Enum))
	for _, word := range s.Enum {
		if w, ok := word.(string); ok {
			words = append(words, w)
		}
	}
	return words
}

// ClosedWord returns the word of the list that the text means, or the text itself. Case, and
// whether blanks, hyphens or underscores are used, do not matter, and comparisons may be in ASCII.
func ClosedWord[T ~string](text string, words []T) string {
	if slices.Contains(words, T(text)) {
		return text
	}
	switch text {
	case "==":
		text = "="
	case "!=", "<>":
		text = "≠"
	case "<=":
		text = "≤"
	case ">=":
		text = "≥"
	}
	fold := strings.NewReplacer(" ", "-", "_", "-")
	for _, word := range words {
		if strings.EqualFold(fold.Replace(string(word)), fold.Replace(strings.TrimSpace(text))) {
			return string(word)
		}
	}
	return text
}

// NormalID returns an id in capitals and without the marks around it. Other texts, such as the path
// of a field, stay as they are.
func NormalID(text string) string {
	text = strings.Trim(text, " \t\r\n[]().:#")
	if len(text) > 1 && len(text) < 12 && strings.Trim(text[1:], "0123456789") == "" {
		return strings.ToUpper(text)
	}
	return text
}

// MaxItems is the maximum length of a list in a move.
const MaxItems = maxItems
