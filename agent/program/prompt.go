package program

import (
	"slices"
	"strings"

	"moot/protocol"
)

// inPlace introduces a system prompt to a program that was started with another one.
const inPlace = "For this turn the following holds, in place of the rules and the list of moves that you were given before:\n\n"

// prompt is what the program reads on standard input: what it does not take as an
// argument, before the text. V is what the program was started with.
func (t *turn) prompt(v *values) []byte {
	var parts []string
	switch system := t.call.Prompt.System; {
	case v.system == "":
		parts = append(parts, system)
	case v.system != system:
		parts = append(parts, inPlace+system)
	}
	if v.schema == "" && len(t.call.Schema) > 0 {
		parts = append(parts, protocol.SchemaInFence+string(t.call.Schema))
	}
	parts = slices.DeleteFunc(append(parts, t.call.Prompt.Text), func(part string) bool { return strings.TrimSpace(part) == "" })
	return []byte(strings.Join(parts, "\n\n"))
}
