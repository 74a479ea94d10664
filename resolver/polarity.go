package resolver

import (
	"strings"
	"unicode"

	"moot/ledger"
	"moot/resolver/conflict"
)

// Similarity is the word measure of two strings, 0 to 1 (conflict.Words).
func Similarity(a, b string) float64 {
	return conflict.WordsOf(a).Similarity(conflict.WordsOf(b))
}

// The likeness thresholds of the protocol.
const (
	// Addressed is the likeness from which a passage without an id seems to
	// answer a challenge (CH4).
	Addressed = 0.3
	// Repeats is the likeness from which an argument repeats an earlier one
	// (JU6).
	Repeats = 0.8
	// SameSubject is the likeness from which two points are proposed as a
	// pair (RD1b); the measure proposes and never merges.
	SameSubject = 0.3
)

// Normalised is ledger.Normalised.
func Normalised(text string) string { return ledger.Normalised(text) }

// negations turn a statement into its opposite. Contractions are compared
// with their apostrophe removed.
func negation(word string) bool {
	switch word {
	case "not", "no", "never", "none", "nothing", "without", "cannot", "neither", "nor",
		"isnt", "arent", "doesnt", "dont", "didnt", "wont", "wouldnt", "shouldnt", "cant", "couldnt",
		"wasnt", "werent", "hasnt", "havent", "hadnt", "mustnt", "neednt":
		return true
	}
	return false
}

// opposite returns the word that a predicate is turned round by, or "".
func opposite(word string) string {
	pairs := [...][2]string{
		{"safe", "unsafe"},
		{"secure", "vulnerable"},
		{"secure", "insecure"},
		{"valid", "invalid"},
		{"true", "false"},
		{"correct", "incorrect"},
		{"correct", "wrong"},
		{"possible", "impossible"},
		{"always", "never"},
		{"should", "shouldnt"},
		{"must", "mustnt"},
		{"faster", "slower"},
		{"better", "worse"},
		{"more", "less"},
		{"higher", "lower"},
		{"increase", "decrease"},
		{"necessary", "unnecessary"},
		{"consistent", "inconsistent"},
		{"sufficient", "insufficient"},
		{"enabled", "disabled"},
		{"allowed", "forbidden"},
		{"supported", "unsupported"},
		{"with", "without"},
		{"reliable", "unreliable"},
		{"stable", "unstable"},
		{"bounded", "unbounded"},
		{"keep", "remove"},
		{"present", "absent"},
		{"success", "failure"},
		{"accept", "reject"},
		{"simple", "complex"},
		{"simpler", "harder"},
		{"cheaper", "costlier"},
		{"before", "after"},
		{"above", "below"},
	}
	for _, p := range &pairs {
		switch word {
		case p[0]:
			return p[1]
		case p[1]:
			return p[0]
		}
	}
	return ""
}

// Opposed reports whether two statements seem to say the opposite of the same:
// their words are alike (Repeats) once negations and pairs of opposites are
// set aside, and an odd number of those differs. It is a proposal for a
// question, never a verdict.
func Opposed(a, b string) bool {
	wordsA, negatedA := polarity(a)
	wordsB, negatedB := polarity(b)
	turns := 0
	if negatedA != negatedB {
		turns++
	}
	for word := range wordsA {
		if _, shared := wordsB[word]; shared {
			continue
		}
		other := singular(opposite(word))
		if _, there := wordsB[other]; other == "" || !there {
			continue
		}
		if _, both := wordsA[other]; both {
			continue
		}
		delete(wordsA, word)
		delete(wordsB, other)
		turns++
	}
	return turns%2 == 1 && wordsA.Similarity(wordsB) >= Repeats
}

// polarity returns the words without negations, and whether their number is
// odd.
func polarity(text string) (conflict.Words, bool) {
	words, negated := conflict.Words{}, false
	for _, w := range strings.Fields(strings.ToLower(text)) {
		w = strings.TrimFunc(w, unicode.IsPunct)
		w = strings.NewReplacer("'", "", "’", "").Replace(w)
		switch {
		case w == "", w == "do", w == "does", w == "did":
			// "does not hold" and "holds": the auxiliary that a negation needs says
			// nothing of its own.
		case negation(w):
			negated = !negated
		default:
			words[singular(w)] = struct{}{}
		}
	}
	return words, negated
}

// singular drops the s of a plural or of a verb's third person, so that
// "holds" and "does not hold" share a word.
func singular(word string) string {
	if len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
		return word[:len(word)-1]
	}
	return word
}
