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
	canonical, err := appendCanonical(nil, text)
	if err != nil {
		return "", err
	}
	return Value(canonical), nil
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
	*v = value
	return err
}

// appendCanonical appends the canonical form of a JSON value.
func appendCanonical(to, text []byte) ([]byte, error) {
	if depth(text) > DeepestValue {
		return to, fmt.Errorf("more than %d nested lists and objects", DeepestValue)
	}
	formatted, err := jsontext.AppendFormat(nil, text, jsontext.ReorderRawObjects(true))
	if err != nil {
		return to, errors.New("it is not valid JSON: " + syntaxOf(err))
	}
	return appendNumbers(to, formatted)
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

// depth returns the nesting depth of lists and objects.
func depth(text []byte) int {
	now, most, inside := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inside && c == '\\':
			i++
		case c == '"':
			inside = !inside
		case inside:
		case c == '{' || c == '[':
			now++
			most = max(most, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return most
}

// appendNumbers copies JSON without white space, with its numbers in canonical form.
func appendNumbers(to, text []byte) ([]byte, error) {
	inside := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case inside && c == '\\':
			to = append(to, c)
			i++
			c = text[i]
		case c == '"':
			inside = !inside
		case inside:
		case c == '-' || c >= '0' && c <= '9':
			end := i + 1
			for end < len(text) && strings.IndexByte("+-.0123456789eE", text[end]) >= 0 {
				end++
			}
			var err error
			if to, err = appendNumber(to, text[i:end]); err != nil {
				return to, err
			}
			i = end - 1
			continue
		}
		to = append(to, c)
	}
	return to, nil
}

// mostExponent bounds the exponent of a number, as the decimal library does.
const mostExponent = 100_000

// appendNumber formats a number like RFC 8785, but with all of its digits: 1.50 is 1.5, 1E3 is 1000, and -0 is 0.
func appendNumber(to, number []byte) ([]byte, error) {
	if plainInteger(number) {
		return append(to, number...), nil
	}
	decimal, _, err := apd.NewFromString(string(number))
	if err != nil {
		return to, fmt.Errorf("the number %s has an exponent beyond %d", cut(string(number)), mostExponent)
	}
	decimal.Reduce(decimal)
	if decimal.IsZero() {
		return append(to, '0'), nil
	}
	if decimal.Negative {
		to = append(to, '-')
	}
	digits := decimal.Coeff.Append(nil, 10)
	return appendDecimal(to, digits, len(digits)+int(decimal.Exponent)), nil
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

// plainInteger reports whether a number is a whole number of at most 21 digits, which is canonical.
func plainInteger(number []byte) bool {
	if bytes.Equal(number, []byte("-0")) || len(number) > 21 {
		return false
	}
	for i, c := range number {
		if (c < '0' || c > '9') && (i > 0 || c != '-') {
			return false
		}
	}
	return true
}
