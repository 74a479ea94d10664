package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/cockroachdb/apd/v3"
	"github.com/go-json-experiment/json/jsontext"

	"moot/internal/jsonlines"
)

// DeepestValue is the maximum nesting depth of a value.
const DeepestValue = 1000

// Value is a JSON value in canonical form: that of RFC 8785, except that numbers keep all their digits. Texts of the
// same value are the same Value, whatever their white space, escapes, order of names or notation of numbers.
// ParseValue makes one; the zero Value is invalid.
type Value string

// ParseValue reads a JSON value. It refuses duplicate names, invalid UTF-8, more than DeepestValue levels, and numbers
// with an exponent beyond 100,000.
func ParseValue(text []byte) (Value, error) {
	formatted, err := jsontext.AppendFormat(nil, text, jsontext.ReorderRawObjects(true))
	if err != nil {
		return "", errors.New("it is not valid JSON: " + syntaxOf(err))
	}
	var canonical bytes.Buffer
	decoder, encoder := jsontext.NewDecoder(bytes.NewBuffer(formatted)), jsontext.NewEncoder(&canonical)
	for err == nil {
		var token jsontext.Token
		if token, err = decoder.ReadToken(); err != nil {
			break
		}
		if decoder.StackDepth() > DeepestValue {
			return "", fmt.Errorf("more than %d nested lists and objects", DeepestValue)
		}
		if token.Kind() != jsontext.KindNumber {
			err = encoder.WriteToken(token)
			continue
		}
		var number []byte
		if number, err = canonicalNumber(token.String()); err == nil {
			err = encoder.WriteValue(number)
		}
	}
	if !errors.Is(err, io.EOF) {
		return "", err
	}
	return Value(strings.TrimSuffix(canonical.String(), "\n")), nil
}

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

// mostExponent bounds the exponent of a number, as the decimal library does.
const mostExponent = 100_000

// canonicalNumber formats a number like RFC 8785, but with all of its digits: 1.50 is 1.5, 1E3 is 1000, and -0 is 0.
func canonicalNumber(number string) ([]byte, error) {
	decimal, _, err := apd.NewFromString(number)
	if err != nil {
		return nil, fmt.Errorf("the number %s has an exponent beyond %d", cut(number), mostExponent)
	}
	decimal.Reduce(decimal)
	if decimal.IsZero() {
		return []byte("0"), nil
	}
	var sign []byte
	if decimal.Negative {
		sign = []byte("-")
	}
	digits := decimal.Coeff.Append(nil, 10)
	return appendDecimal(sign, digits, len(digits)+int(decimal.Exponent)), nil
}

// appendDecimal formats 0.DIGITS times ten to the power of point like ECMAScript.
func appendDecimal(to, digits []byte, point int) []byte {
	const widest, smallest = 21, -6
	switch {
	case point >= len(digits) && point <= widest:
		to = append(to, digits...)
		return append(to, bytes.Repeat([]byte("0"), point-len(digits))...)
	case point > 0 && point <= widest:
		to = append(append(to, digits[:point]...), '.')
		return append(to, digits[point:]...)
	case point > smallest && point <= 0:
		to = append(append(to, "0."...), bytes.Repeat([]byte("0"), -point)...)
		return append(to, digits...)
	}
	to = append(to, digits[0])
	if len(digits) > 1 {
		to = append(append(to, '.'), digits[1:]...)
	}
	to = append(to, 'e')
	if point > 0 {
		to = append(to, '+')
	}
	return strconv.AppendInt(to, int64(point-1), 10)
}
