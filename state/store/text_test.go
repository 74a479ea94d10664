package store

import (
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Any text, valid or not, comes back from its disguise, which is valid; text
// that needs none is left as it is.
func TestADisguiseIsRevealed(t *testing.T) {
	pieces := []string{
		"a", "\\", "ü", "✓", "\ufffd", "\x80", "\xff", "\xf4\x8f", "\xbe\x80", "\xbf\xbf",
		"\U0010FF7F", "\U0010FF80", "\U0010FFBF", "\U0010FFC0", "\U0010FFFF", "\xed\xb2\x80",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := ""
		for _, piece := range rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "pieces") {
			text += piece
		}
		hidden := disguise(text)
		if !utf8.ValidString(hidden) || reveal(hidden) != text {
			t.Fatalf("%q is %q is %q", text, hidden, reveal(hidden))
		}
		if utf8.ValidString(text) && !holdsDisguise([]byte(text)) && hidden != text {
			t.Fatalf("%q became %q", text, hidden)
		}
	})
}
