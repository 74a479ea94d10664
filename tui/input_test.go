package tui

import "testing"

// The parts of an emoji are typed in whatever pieces the terminal sends. Control characters are not.
func TestTypeable(t *testing.T) {
	for text, want := range map[string]bool{
		"a": true, "🏳": true, "\ufe0f": true, "\u200d": true, "\ufe0f\u200d": true, "\u200d🌈": true, "🏳\ufe0f\u200d🌈": true,
		"\x1b": false, "a\u202e": false, "\u200b": false,
	} {
		if got := typeable(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
