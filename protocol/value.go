package protocol

import (
	"encoding/json"
	"strings"
)

// ValueOf is the JSON of a value as a person types it: a number, true, false, a
// quoted text or a list of them as it is, anything else as a text.
func ValueOf(typed string) json.RawMessage {
	typed = strings.TrimSpace(typed)
	var value any
	if json.Unmarshal([]byte(typed), &value) == nil {
		switch value.(type) {
		case map[string]any, nil:
		default:
			return json.RawMessage(typed)
		}
	}
	encoded, err := encodeJSON(strings.ToValidUTF8(typed, "\uFFFD"))
	if err != nil {
		// A text always has a JSON.
		return json.RawMessage(`""`)
	}
	return encoded
}
