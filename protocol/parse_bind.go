package protocol

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// bind sets into from a decoded JSON value. What a Go value cannot tell any
// more is checked here (types, a missing number), the rest by check.
func (s *shape) bind(into reflect.Value, value any) *misread {
	if into.Kind() == reflect.Pointer {
		into.Set(reflect.New(into.Type().Elem()))
		into = into.Elem()
	}
	switch s.as {
	case asText, asID, asWord:
		text, ok := value.(string)
		if !ok {
			return misreadf("wrong-type", "%s must be a text, not %s", s.name, jsonType(value))
		}
		into.SetString(s.normal(text))
	case asShare:
		return s.bindShare(into, value)
	case asFlag:
		return s.bindFlag(into, value)
	case asValue:
		return s.bindValue(into, value)
	case asList:
		return s.bindList(into, value)
	case asObject:
		return s.bindObject(into, value)
	}
	return nil
}

// normal is the text as the program holds it: free text verbatim, ids and
// words in their spelling. A word outside its list is left for check to name.
func (s *shape) normal(text string) string {
	switch s.as {
	case asID:
		text = strings.Trim(text, " \t\r\n[]().:#")
		if len(text) > 1 && len(text) < 12 && text[0] >= 'a' && text[0] <= 'z' && isDigits(text[1:]) {
			return strings.ToUpper(text)
		}
	case asWord:
		return closedWord(text, s.words)
	case asText:
		if strings.TrimSpace(text) == "" {
			return ""
		}
	case asShare, asFlag, asValue, asList, asObject:
	}
	return text
}

// normalise brings a move that was not read from JSON to the form that JSON
// would have given it, so that one is as good as the other.
func (s *shape) normalise(v reflect.Value) *misread {
	switch s.as {
	case asText, asID, asWord:
		v.SetString(s.normal(v.String()))
	case asValue:
		var value any
		decoder := json.NewDecoder(bytes.NewReader(v.Bytes()))
		decoder.UseNumber()
		if decoder.Decode(&value) == nil {
			return s.bindValue(v, value)
		}
	case asList:
		return s.normaliseList(v)
	case asObject:
		return s.normaliseObject(v)
	case asShare, asFlag:
	}
	return nil
}

// normaliseList leaves out the items that are blank. It makes a list of its
// own: moves that one line makes share theirs.
func (s *shape) normaliseList(v reflect.Value) *misread {
	if v.Len() == 0 {
		return nil
	}
	list := reflect.MakeSlice(v.Type(), 0, v.Len())
	for i := range v.Len() {
		item := reflect.New(v.Type().Elem()).Elem()
		item.Set(v.Index(i))
		if r := s.item.normalise(item); r != nil {
			return r
		}
		list = appendSaid(list, item)
	}
	if list.Len() == 0 {
		list = reflect.Zero(v.Type())
	}
	v.Set(list)
	return nil
}

// appendSaid appends an item that says something: of an id, marks alone do not.
func appendSaid(list, item reflect.Value) reflect.Value {
	if item.Kind() == reflect.String && strings.TrimSpace(item.String()) == "" {
		return list
	}
	return reflect.Append(list, item)
}

func (s *shape) normaliseObject(v reflect.Value) *misread {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	for i := range s.fields {
		f := &s.fields[i]
		if r := f.normalise(v.FieldByIndex(f.index)); r != nil {
			return r
		}
	}
	return nil
}

// closedWord is the word of the list that is meant: in any case, with blanks,
// hyphens or underscores for one another, comparisons in ASCII; else the text
// itself, cut.
func closedWord(text string, words []string) string {
	text = strings.TrimSpace(text)
	if len(text) > 40 {
		return strings.ToValidUTF8(text[:40], "") + "…"
	}
	for _, word := range words {
		if strings.EqualFold(word, text) {
			return word
		}
	}
	hyphened := strings.NewReplacer(" ", "-", "_", "-").Replace(text)
	underscored := strings.NewReplacer(" ", "_", "-", "_").Replace(text)
	switch text {
	case "==":
		hyphened = "="
	case "!=", "<>":
		hyphened = "≠"
	case "<=":
		hyphened = "≤"
	case ">=":
		hyphened = "≥"
	}
	for _, word := range words {
		if strings.EqualFold(word, hyphened) || strings.EqualFold(word, underscored) {
			return word
		}
	}
	return text
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

func (s *shape) bindShare(into reflect.Value, value any) *misread {
	var text string
	switch v := value.(type) {
	case json.Number:
		text = string(v)
	case string:
		text = strings.TrimSpace(v)
	default:
		return misreadf("wrong-type", "%s must be a number, not %s", s.name, jsonType(value))
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(number, 0) || math.IsNaN(number) {
		return misreadf("out-of-range", "%s is no finite number: %.40q", s.name, text)
	}
	into.SetFloat(number + 0) // -0 is 0
	return nil
}

func (s *shape) bindFlag(into reflect.Value, value any) *misread {
	switch v := value.(type) {
	case bool:
		into.SetBool(v)
		return nil
	case string:
		if flag := strings.ToLower(strings.TrimSpace(v)); flag == "true" || flag == "false" || flag == "" {
			into.SetBool(flag == "true")
			return nil
		}
	}
	return misreadf("wrong-type", "%s must be true or false, not %s", s.name, jsonType(value))
}

// bindValue takes a scalar or a list of scalars, and keeps its JSON.
func (s *shape) bindValue(into reflect.Value, value any) *misread {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	if len(list) > maxItems {
		return misreadf("too-long", "%s has %d items; %d are the most", s.name, len(list), maxItems)
	}
	for _, item := range list {
		switch v := item.(type) {
		case string, bool:
		case json.Number:
			if number, err := v.Float64(); err != nil || math.IsInf(number, 0) {
				return misreadf("out-of-range", "%s is no finite number: %.40q", s.name, string(v))
			}
		default:
			return misreadf("wrong-type", "%s must be a text, a number, true, false or a list of them", s.name)
		}
	}
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return misreadf("wrong-type", "%s cannot be read: %v", s.name, err)
	}
	into.SetBytes(bytes.TrimSpace(buffer.Bytes()))
	return nil
}

// bindList takes a single item for a list of one.
func (s *shape) bindList(into reflect.Value, value any) *misread {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	if len(list) > maxItems {
		return misreadf("too-long", "%s has %d items; %d are the most", s.name, len(list), maxItems)
	}
	if len(list) == 0 {
		return nil
	}
	slice := reflect.MakeSlice(into.Type(), 0, len(list))
	for i, value := range list {
		if text, isText := value.(string); value == nil || isText && strings.TrimSpace(text) == "" {
			continue
		}
		item := reflect.New(into.Type().Elem()).Elem()
		if r := s.item.bind(item, value); r != nil {
			return misreadf(r.code, "%s %d: %s", s.name, i+1, strings.TrimLeft(r.text, " "))
		}
		slice = appendSaid(slice, item)
	}
	if slice.Len() > 0 {
		into.Set(slice)
	}
	return nil
}

func (s *shape) bindObject(into reflect.Value, value any) *misread {
	object, ok := value.(map[string]any)
	if !ok {
		return misreadf("wrong-type", "%s must be an object, not %s", s.name, jsonType(value))
	}
	for i := range s.fields {
		f := &s.fields[i]
		value := object[f.name]
		// null is absent, and so is "": an endpoint that makes every field
		// required leaves a model no other way to say nothing.
		if text, isText := value.(string); value == nil || isText && strings.TrimSpace(text) == "" {
			if f.required && !f.lax && f.as != asText && f.as != asID && f.as != asWord {
				return missingField(f.name)
			}
			continue
		}
		if r := f.bind(into.FieldByIndex(f.index), value); r != nil {
			return r
		}
	}
	return nil
}

// jsonType names the type of a decoded value for a person.
func jsonType(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case string:
		return "a text"
	case bool:
		return "true or false"
	case json.Number:
		return "a number"
	case []any:
		return "a list"
	}
	return "an object"
}
