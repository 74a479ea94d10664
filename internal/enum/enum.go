// Package enum reads words of closed lists: the buckets, tags, moves and
// flags of moot. A word outside its list is an error that names the nearest
// known one; it is never taken as a default. The package is pure and imports
// nothing of moot, so that every other package may use it. Start at Parse.
package enum

import (
	"fmt"
	"strings"
)

// UnknownError says that a word is not in a closed list.
type UnknownError struct {
	// What the list holds, in the singular: "bucket", "framing".
	What string
	// Word is the input.
	Word string
	// Known are the allowed words, in their order.
	Known []string
	// Nearest is the known word most like Word, or "" when none is near.
	Nearest string
}

// manyKnown is the longest list that Error prints if there is a near word.
const manyKnown = 16

// Error names the word and the nearest known one. It lists all words if none is near or the list is short.
func (e *UnknownError) Error() string {
	if e.Nearest != "" && len(e.Known) > manyKnown {
		return fmt.Sprintf("unknown %s %q: did you mean %q?", e.What, e.Word, e.Nearest)
	}
	if e.Nearest != "" {
		return fmt.Sprintf("unknown %s %q: did you mean %q? (known: %s)", e.What, e.Word, e.Nearest,
			strings.Join(e.Known, ", "))
	}
	return fmt.Sprintf("unknown %s %q (known: %s)", e.What, e.Word, strings.Join(e.Known, ", "))
}

// Parse returns the member of known that is spelled as word, exactly; else an
// *UnknownError.
func Parse[T ~string](what, word string, known []T) (T, error) {
	for _, k := range known {
		if string(k) == word {
			return k, nil
		}
	}
	words := Words(known)
	return "", &UnknownError{What: what, Word: word, Known: words, Nearest: Nearest(word, words)}
}

// Unmarshal is Parse for an UnmarshalText method: it sets *into.
func Unmarshal[T ~string](what string, text []byte, known []T, into *T) error {
	word, err := Parse(what, string(text), known)
	if err != nil {
		return err
	}
	*into = word
	return nil
}

// Words returns the members of a closed list as plain strings.
func Words[T ~string](known []T) []string {
	words := make([]string, len(known))
	for i, k := range known {
		words[i] = string(k)
	}
	return words
}

// Nearest returns the known word with the smallest edit distance to word, case
// folded, if that distance is at most a third of the longer word's length (and
// at least 1 is allowed); else the only known word that word begins; else "".
func Nearest(word string, known []string) string {
	lower := strings.ToLower(word)
	best, bestDistance := "", -1
	for _, k := range known {
		d := distance(lower, strings.ToLower(k))
		limit := max(1, max(len(lower), len(k))/3)
		if d <= limit && (bestDistance < 0 || d < bestDistance) {
			best, bestDistance = k, d
		}
	}
	if best != "" || lower == "" {
		return best
	}
	for _, k := range known {
		if strings.HasPrefix(strings.ToLower(k), lower) {
			if best != "" {
				return ""
			}
			best = k
		}
	}
	return best
}

// distance is the Damerau-Levenshtein distance (optimal string alignment) of
// two strings in bytes: insertions, deletions, substitutions and swaps of
// neighbours count 1 each.
func distance(a, b string) int {
	before, previous := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current := make([]int, len(b)+1)
		current[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			current[j] = min(previous[j]+1, current[j-1]+1, previous[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, previous = previous, current
	}
	return previous[len(b)]
}
