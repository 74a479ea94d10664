package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/jsonlines"
)

// Value is a JSON value in the canonical form of RFC 8785, in which numbers with a fraction or an exponent are doubles;
// whole numbers keep all their digits. Texts of the same value are the same Value, whatever their white space,
// escapes and order of names. ParseValue makes one; the zero Value is invalid.
type Value string

// ParseValue reads a JSON value. It refuses duplicate names, invalid UTF-8 and numbers too large for a double.
func ParseValue(text []byte) (Value, error) {
	value := jsontext.Value(bytes.Clone(text))
	if err := value.Canonicalize(jsontext.CanonicalizeRawInts(false)); err != nil {
		return "", errors.New("it is not valid JSON: " + syntaxOf(err))
	}
	var wrong *json.SemanticError
	if bytes.Contains(value, []byte(largestNumber)) && errors.As(json.Unmarshal(text, new(any)), &wrong) {
		return "", fmt.Errorf("the number %s is too large for a double, at most 1.8e308: make it a text, in quotes",
			cut(string(wrong.JSONValue)))
	}
	return Value(value), nil
}

// largestNumber is the largest double. The JSON library writes it for every larger number.
const largestNumber = "1.7976931348623157e+308"

// TextValue is a text as a Value. Invalid UTF-8 in it is replaced.
func TextValue(text string) Value {
	// The only error is about invalid UTF-8, which is replaced.
	quoted, _ := jsontext.AppendQuote(nil, text)
	return Value(quoted)
}

// String returns the canonical JSON.
func (v Value) String() string { return string(v) }

// Kind returns the first byte of the value, with '0' for all numbers, or 0 for an empty value.
func (v Value) Kind() byte {
	switch {
	case v == "":
		return 0
	case v[0] == '-' || v[0] >= '0' && v[0] <= '9':
		return '0'
	}
	return v[0]
}

// Text returns the content of a text, and whether the value is one.
func (v Value) Text() (string, bool) {
	if len(v) < 2 || v[0] != '"' {
		return "", false
	}
	if strings.IndexByte(string(v), '\\') < 0 {
		return string(v[1 : len(v)-1]), true
	}
	text, err := jsontext.AppendUnquote(nil, string(v))
	return string(text), err == nil
}

// Number returns a number as the nearest double, and whether the value is a number in its range.
func (v Value) Number() (float64, bool) {
	if v.Kind() != '0' {
		return 0, false
	}
	number, err := strconv.ParseFloat(string(v), 64)
	return number, err == nil
}

// MarshalJSON returns the canonical JSON.
func (v Value) MarshalJSON() ([]byte, error) {
	if v == "" {
		return nil, errors.New("a fact without a value cannot be written")
	}
	return []byte(v), nil
}

// UnmarshalJSON reads any JSON value as ParseValue does.
func (v *Value) UnmarshalJSON(text []byte) error {
	value, err := ParseValue(text)
	if err != nil {
		return jsonlines.Faultf("", "%v", err)
	}
	*v = value
	return nil
}

// syntaxOf describes a JSON syntax error.
func syntaxOf(err error) string {
	var syntactic *jsontext.SyntacticError
	if !errors.As(err, &syntactic) {
		return err.Error()
	}
	what := syntactic.Err.Error()
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return "the JSON ends before its end"
	case errors.Is(err, jsontext.ErrDuplicateName):
		return what + " " + quoted(syntactic.JSONPointer.LastToken())
	case strings.HasPrefix(what, "invalid surrogate pair"):
		return "a text has half of a character (an invalid surrogate pair)"
	}
	return what
}
