package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Bounds of the search for JSON.
const (
	// maxDepth is how deep objects and lists may nest.
	maxDepth = 32
	// maxUnclosed is how many opening braces without an end are tried before
	// the search gives up; it keeps the search linear.
	maxUnclosed = 8
)

// EncodeMoves writes moves as a reply that Parse reads back: {"moves":[…]}.
func EncodeMoves(moves []Move) (string, error) {
	var out, one bytes.Buffer
	encoder := json.NewEncoder(&one)
	encoder.SetEscapeHTML(false)
	out.WriteString(`{"` + movesKey + `":[`)
	for i, move := range moves {
		if i > 0 {
			out.WriteByte(',')
		}
		one.Reset()
		if err := encoder.Encode(move); err != nil {
			return "", fmt.Errorf("write move %d, %s: %w", i+1, move.Kind(), err)
		}
		fmt.Fprintf(&out, `{"%s":"%s"`, moveKey, move.Kind())
		fields := bytes.TrimSpace(one.Bytes())[1:]
		if len(fields) > 1 {
			out.WriteByte(',')
		}
		out.Write(fields)
	}
	out.WriteString("]}")
	return out.String(), nil
}

// movesOf reads the shapes that a reply may have: an object with "moves", a
// move, or, where lists are told from brackets in prose, a list of moves.
func movesOf(value any, lists bool) ([]any, bool) {
	switch v := value.(type) {
	case map[string]any:
		if moves, ok := v[movesKey]; ok {
			switch m := moves.(type) {
			case nil:
				return nil, true
			case []any:
				return m, true
			}
			return []any{moves}, true
		}
		_, ok := v[moveKey]
		return []any{v}, ok
	case []any:
		if !lists {
			return nil, false
		}
		for _, item := range v {
			if object, ok := item.(map[string]any); ok && object[moveKey] != nil {
				return v, true
			}
		}
	}
	return nil, false
}

// balanced returns the length of the object that text begins with, 0 if it
// has no end.
func balanced(text string) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{':
			depth++
		case c == '}':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

var (
	errDepth = errors.New("nested too deep")
	errMore  = errors.New("more follows the value")
	errTwice = errors.New("an object has a field twice")
)

// decodeJSON decodes a text that is one JSON value. Where that fails it mends
// what models commonly break inside of texts, and tries once more. What that took
// is noted.
func decodeJSON(text string, notes *repairs) (any, error) {
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil, io.ErrUnexpectedEOF
	}
	if tooDeep(text) {
		return nil, errDepth
	}
	value, err := decodeExact(text)
	if err == nil || errors.Is(err, errMore) || errors.Is(err, errTwice) {
		return value, err
	}
	mended, found := mendJSON(text)
	if mended == text {
		return nil, err
	}
	if value, err = decodeExact(mended); err == nil {
		notes.join(found)
	}
	return value, err
}

// decodeExact keeps numbers as they are written: 1e400 must fail its own move
// and no other.
func decodeExact(text string) (any, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	if decoder.InputOffset() < int64(len(text)) {
		return nil, errMore
	}
	if contradicts(json.NewDecoder(strings.NewReader(text))) {
		return nil, errTwice
	}
	return value, nil
}

// contradicts reports whether an object of a valid value has a field twice with
// different values. The library keeps the last of them: what the other said, a whole
// list of moves perhaps, would be lost without a word.
func contradicts(decoder *json.Decoder) bool {
	decoder.UseNumber()
	differs := false
	var read func() any
	read = func() any {
		token, _ := decoder.Token() // It was decoded once: nothing of it fails.
		switch token {
		case json.Delim('{'):
			fields := map[string]any{}
			for decoder.More() {
				name, _ := decoder.Token()
				field, _ := name.(string)
				value := read()
				before, twice := fields[field]
				differs = differs || twice && !reflect.DeepEqual(before, value)
				fields[field] = value
			}
			_, _ = decoder.Token()
			return fields
		case json.Delim('['):
			items := []any{}
			for decoder.More() {
				items = append(items, read())
			}
			_, _ = decoder.Token()
			return items
		}
		return token
	}
	read()
	return differs
}

// tooDeep reports whether brackets nest deeper than maxDepth.
func tooDeep(text string) bool {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			if depth > maxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// mendJSON escapes line breaks and stray backslashes inside strings, and drops
// commas before a closing bracket. The meaning of valid JSON is unchanged. It comes
// before the library, which is for shorter texts and would drop the backslashes.
func mendJSON(text string) (string, repairs) {
	var out strings.Builder
	var notes repairs
	out.Grow(len(text) + 64)
	quoted := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\' && (i+1 == len(text) || !strings.ContainsRune(`"\/bfnrtu`, rune(text[i+1]))):
			notes.note(mendedBackslash)
			out.WriteString(`\\`)
		case quoted && c == '\\':
			out.WriteString(text[i : i+2])
			i++
		case quoted && c < ' ':
			notes.note(mendedBreak)
			fmt.Fprintf(&out, `\u%04x`, c)
		case c == ',' && !quoted:
			next := strings.TrimLeft(text[i+1:], " \t\r\n")
			if next == "" || next[0] != ']' && next[0] != '}' {
				out.WriteByte(c)
				continue
			}
			notes.note(mendedComma)
		default:
			if c == '"' {
				quoted = !quoted
			}
			out.WriteByte(c)
		}
	}
	return out.String(), notes
}
