package dialectic

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Write writes a result as one line of JSON: the same result, the same bytes.
// The names of the contract stand in the order of the types; the values of
// fields stand as they were given, without white space between their parts.
func (r *Result) Write(to io.Writer) error {
	// Texts may hold any bytes where they come from a session.
	text, err := json.Marshal(r, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("encode the result: %w", err)
	}
	if _, err := to.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}
