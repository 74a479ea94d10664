package state_test

import (
	"testing"

	"moot/state"
)

// A name chosen by the user precedes the participant. Anything that only resembles a name is
// part of the participant.
func TestSplitName(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"rules":                  {"", "rules"},
		"fast=openai:gpt-5-mini": {"fast", "openai:gpt-5-mini"},
		"fast=openai:m (fallback b=ollama:n (fallback rules))": {"fast", "openai:m"},
		"script:a=b.txt":     {"", "script:a=b.txt"},
		"http://h/v1#a=b":    {"", "http://h/v1#a=b"},
		"=rules":             {"", "=rules"},
		"fast=":              {"", "fast="},
		"script:x (fallback": {"", "script:x (fallback"},
		"":                   {"", ""},
	} {
		if own, is := state.SplitName(text); own != want[0] || is != want[1] {
			t.Errorf("%q: %q, %q", text, own, is)
		}
	}
}
