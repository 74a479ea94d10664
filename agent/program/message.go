package program

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"
)

// message is a line of JSON that a program is told, with places in its texts: names
// in braces. A text that is a place and nothing else becomes what stands for it, of
// any kind, and is left out with its key where nothing does.
type message struct {
	value map[string]any
	// id is what the answer to it holds as its id (JSON-RPC 2.0, section 5), written
	// as JSON; "" where no answer comes.
	id string
}

// Errors of a message.
var (
	errNoLine = errors.New("is no object of JSON on one line; a place stands in a text, in quotes")
	errNoID   = errors.New("has an id that is neither a number nor a text without places: by what would its answer be known?")
)

// inBraces finds places.
var inBraces = regexp.MustCompile(`\{([^{}]+)\}`)

// readMessage reads a message as a file says it; its id is not looked at.
func readMessage(line string) (message, error) {
	var m message
	decoder := json.NewDecoder(strings.NewReader(line))
	decoder.UseNumber()
	if strings.ContainsAny(line, "\r\n") || !json.Valid([]byte(line)) || decoder.Decode(&m.value) != nil || m.value == nil {
		return message{}, errNoLine
	}
	return m, nil
}

// readSaid reads a message that may have an answer.
func readSaid(line string) (message, error) {
	m, err := readMessage(line)
	if err != nil {
		return m, err
	}
	switch id := m.value["id"].(type) {
	case nil:
		if _, null := m.value["id"]; null {
			return m, errNoID
		}
		return m, nil
	case json.Number:
	case string:
		if inBraces.MatchString(id) {
			return m, errNoID
		}
	default:
		return m, errNoID
	}
	m.id = gjson.Get(line, "id").Raw
	return m, nil
}

// places are the names in braces.
func (m *message) places() []string {
	var all []string
	m.line(func(place string) any {
		all = append(all, place)
		return nil
	})
	return all
}

// line is the message as it is written. What stands for a place is a string, JSON,
// or nil for nothing.
func (m *message) line(of func(place string) any) []byte {
	filled, _ := put(m.value, of)
	line, err := json.Marshal(filled)
	if err != nil {
		// What a program told is no JSON after all, and no answer is due to it.
		return nil
	}
	return append(line, '\n')
}

// put puts in what stands for the places of a value; said is false where nothing is
// left of it.
func put(value any, of func(string) any) (filled any, said bool) {
	switch v := value.(type) {
	case map[string]any:
		all := make(map[string]any, len(v))
		for key, inner := range v {
			if filled, said := put(inner, of); said {
				all[key] = filled
			}
		}
		return all, true
	case []any:
		all := make([]any, 0, len(v))
		for _, inner := range v {
			if filled, said := put(inner, of); said {
				all = append(all, filled)
			}
		}
		return all, true
	case string:
		if found := inBraces.FindStringSubmatch(v); found != nil && found[0] == v {
			filled := of(found[1])
			return filled, filled != nil
		}
		return inBraces.ReplaceAllStringFunc(v, func(place string) string {
			switch inner := of(place[1 : len(place)-1]).(type) {
			case string:
				return inner
			case json.RawMessage:
				return string(inner)
			}
			return ""
		}), true
	}
	return value, true
}

// orNothing is a text that stands for a place, nil where it is empty.
func orNothing(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// answers reports whether a line answers the message of an id; why is what it says
// that went wrong, "" where nothing did.
func answers(line []byte, id string) (why string, is bool) {
	value := gjson.ParseBytes(trim(line))
	if value.Get("id").Raw != id || value.Get("method").Exists() {
		return "", false
	}
	if wrong := value.Get("error"); wrong.Exists() && wrong.Type != gjson.Null {
		if why = text(wrong, "message"); why == "" {
			why = unsaid
		}
	}
	return why, true
}
