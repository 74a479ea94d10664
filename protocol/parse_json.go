package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// locateJSON finds the moves of a reply that is JSON or holds some, and
// reports whether it did. A text that is plainly meant as JSON and cannot be
// read is an error, so that its lines are not taken for speech.
func locateJSON(text string) (values []any, found bool, err *FormatError) {
	whole := strings.TrimSpace(text)
	if value, e := decodeJSON(whole); e == nil {
		if values, found = movesOf(value, true); found {
			return values, true, nil
		}
		if list, isList := value.([]any); isList && len(list) == 0 {
			return nil, true, nil
		}
		if _, isObject := value.(map[string]any); isObject {
			return nil, false, &FormatError{Code: "no-moves", Reason: `the object has neither "moves" nor "move": answer {"moves":[…]}`}
		}
	} else if errors.Is(e, errDepth) {
		return nil, false, &FormatError{Code: "too-deep", Reason: fmt.Sprintf("the JSON nests deeper than %d levels", maxDepth)}
	}
	said := strings.TrimSpace(speech(text))
	if values, found = fencedJSON(said); found {
		return values, true, nil
	}
	values, found, broken := objectsIn(said)
	if found && !broken {
		return values, true, nil
	}
	if broken || meantAsJSON(said) {
		return nil, false, &FormatError{Code: "broken-json", Reason: "the JSON of the reply cannot be read: it broke off or is malformed"}
	}
	return nil, false, nil
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

// fencedJSON reads the first fenced block that is a reply.
func fencedJSON(text string) ([]any, bool) {
	for rest := text; ; {
		_, after, ok := strings.Cut(rest, "```")
		if !ok {
			return nil, false
		}
		block, after, _ := strings.Cut(after, "```")
		rest = after
		// The word after the fence names the language.
		block = strings.TrimSpace(strings.TrimLeft(block, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"))
		if block == "" || block[0] != '{' && block[0] != '[' {
			continue
		}
		if value, err := decodeJSON(block); err == nil {
			if values, found := movesOf(value, true); found {
				return values, true
			}
		}
	}
}

// objectsIn reads the objects in prose: the first with "moves", or else all
// that are moves themselves, one after the other. A reply that broke off is not
// read in part: what was to follow would count as silence (CH6).
func objectsIn(text string) (values []any, found, broken bool) {
	unclosed := 0
	for at := strings.IndexByte(text, '{'); at >= 0 && unclosed < maxUnclosed; {
		length := balanced(text[at:])
		if length == 0 {
			if strings.HasPrefix(strings.TrimSpace(text[at+1:min(len(text), at+64)]), `"`+moveKey) {
				return nil, false, true
			}
			unclosed++
			length = 1
		} else if moves, whole, ok := movesIn(text[at : at+length]); whole {
			return moves, true, false
		} else if ok {
			values, found = append(values, moves...), true
		}
		next := strings.IndexByte(text[at+length:], '{')
		if next < 0 {
			break
		}
		at += length + next
	}
	return values, found, false
}

// movesIn reads an object that may hold moves. It is the whole reply where it
// has the list "moves".
func movesIn(object string) (moves []any, whole, ok bool) {
	if !strings.Contains(object, `"`+moveKey) {
		return nil, false, false
	}
	value, err := decodeJSON(object)
	if err != nil {
		return nil, false, false
	}
	moves, ok = movesOf(value, false)
	fields, isObject := value.(map[string]any)
	return moves, ok && isObject && fields[movesKey] != nil, ok
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

// meantAsJSON reports whether a text that holds no readable JSON was to be
// some.
func meantAsJSON(text string) bool {
	text = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(text, "```json"), "```"))
	if strings.HasPrefix(text, "{") {
		return true
	}
	if list, ok := strings.CutPrefix(text, "["); ok && strings.HasPrefix(strings.TrimSpace(list), "{") {
		return true
	}
	_, after, ok := strings.Cut(text, `"`+movesKey+`"`)
	return ok && strings.HasPrefix(strings.TrimSpace(after), ":")
}

var (
	errDepth = errors.New("nested too deep")
	errMore  = errors.New("more follows the value")
)

// decodeJSON decodes a text that is one JSON value. Where that fails it mends
// what models commonly break, and tries once more.
func decodeJSON(text string) (any, error) {
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil, io.ErrUnexpectedEOF
	}
	if tooDeep(text) {
		return nil, errDepth
	}
	value, err := decodeExact(text)
	if err == nil || errors.Is(err, errMore) {
		return value, err
	}
	if mended := mendJSON(text); mended != text {
		return decodeExact(mended)
	}
	return nil, err
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
	return value, nil
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
// commas before a closing bracket. The meaning of valid JSON is unchanged.
func mendJSON(text string) string {
	var out strings.Builder
	out.Grow(len(text) + 64)
	quoted := false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\' && (i+1 == len(text) || !strings.ContainsRune(`"\/bfnrtu`, rune(text[i+1]))):
			out.WriteString(`\\`)
		case quoted && c == '\\':
			out.WriteString(text[i : i+2])
			i++
		case quoted && c < ' ':
			fmt.Fprintf(&out, `\u%04x`, c)
		case c == ',' && !quoted:
			if next := strings.TrimLeft(text[i+1:], " \t\r\n"); next == "" || next[0] != ']' && next[0] != '}' {
				out.WriteByte(c)
			}
		default:
			if c == '"' {
				quoted = !quoted
			}
			out.WriteByte(c)
		}
	}
	return out.String()
}
