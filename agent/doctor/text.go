package doctor

import (
	"strings"

	"moot/plain"
)

const (
	// mostQuoted is how much is shown of what a server or program says, in
	// characters.
	mostQuoted = 120
	// mostNamed is the longest name of a model, in bytes.
	mostNamed = 200
)

// quoted is foreign text fit to be shown: on one line, without control
// characters, and not longer than people read.
func quoted(text string) string {
	return plain.Clip(plain.Line(strings.Join(strings.Fields(text), " ")), mostQuoted)
}

// sound reports that a name of a model can be shown and typed.
func sound(name string) bool {
	return name != "" && len(name) <= mostNamed && plain.Line(name) == name && strings.TrimSpace(name) == name
}
