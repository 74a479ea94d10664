package resolver

import (
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
)

// colon adds a quoted text as the end of a sentence, or a full stop.
func colon(text string) string {
	if strings.TrimSpace(text) == "" {
		return "."
	}
	return ": " + quote(text) + "."
}

// quote is a text of somebody else's inside a sentence.
func quote(text string) string { return "“" + clip(text) + "”" }

// clip is a foreign text on one line, short enough for a sentence.
func clip(text string) string { return plain.Clip(text, 120) }

// listed joins words: "C1, C2 and C3". More than 6 are counted.
func listed(words []string) string {
	const most = 6
	if more := len(words) - most; more > 0 {
		words = append(slices.Clone(words[:most]), fmt.Sprintf("%d more", more))
	}
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
