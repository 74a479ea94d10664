package state

import "strings"

// OwnName parts what the record calls a participant into the name that the person
// gave it and the participant itself: of "fast=openai:gpt-5-mini (fallback rules)"
// that is "fast" and "openai:gpt-5-mini". One without such a name is itself, and
// own is "".
func OwnName(participant string) (own, is string) {
	own, is, named := strings.Cut(participant, "=")
	if !named || own == "" || is == "" || strings.ContainsFunc(own, notOfName) {
		return "", participant
	}
	is, _, _ = strings.Cut(is, " (fallback ")
	return own, is
}

// notOfName reports what does not stand in a name of the person's own.
func notOfName(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
}
