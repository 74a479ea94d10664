package person

import (
	_ "embed" // The hints are a file of their own.
	"strings"

	"moot/internal/enum"
	"moot/protocol"
	"moot/state"
)

//go:embed hints.txt
var hints string

// Hints are lines that can be typed in answer to a call: by its stage, or for a
// proposal by the moves that are asked for.
func Hints(call *protocol.Call) []string {
	keys := []string{string(call.Ask.Stage)}
	switch {
	case call.State.Settings.Format == state.FormatDialectic:
		keys = enum.Words(call.Ask.Moves)
	case call.State.Settings.Format == state.FormatHearing && call.Ask.Stage == state.StageAnswer:
		// A claim of a hearing is defended by facts of the packet.
		keys = []string{"heard answer"}
	}
	var list []string
	for _, key := range keys {
		for line := range strings.Lines(hints) {
			if of, hint, ok := strings.Cut(strings.TrimSpace(line), " | "); ok && of == key {
				list = append(list, hint)
			}
		}
	}
	return list
}
