package resolver

import (
	"slices"
	"strings"

	"moot/ledger"
	"moot/resolver/conflict"
)

// Similarity compares the words of two strings, 0 to 1 (conflict.Words).
func Similarity(a, b string) float64 { return conflict.WordsOf(a).Similarity(conflict.WordsOf(b)) }

// The similarity thresholds of the protocol.
const (
	// Addressed is the similarity from which a passage without an id seems to answer a challenge
	// (CH4).
	Addressed = 0.3
	// Repeats is the similarity from which an argument repeats an earlier one (JU6).
	Repeats = 0.8
	// SameSubject is the similarity from which two points are proposed as a pair (RD1b). They are
	// never merged because of it.
	SameSubject = 0.3
)

// Normalized is ledger.Normalized.
func Normalized(text string) string { return ledger.Normalized(text) }

// opposite returns the antonym of a word, or "".
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

// Opposed reports whether two statements seem to contradict each other: their words are similar
// (Repeats) without negations and antonyms, and they differ in an odd number of those. It is used
// to ask a question, never as a verdict.
func Opposed(a, b string) bool {
	statement := StatementOf(a)
	return statement.Opposes(StatementOf(b))
}

// Statement is a text that is prepared for comparison with others.
type Statement struct {
	words conflict.Words
	// bare are the words without negations, in the singular, each with its antonym, or "".
	bare map[string]string
	// negated says that the number of negations is odd.
	negated bool
}

// StatementOf prepares a text for comparison.
func StatementOf(text string) *Statement {
	s := &Statement{words: conflict.WordsOf(text), bare: map[string]string{}}
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		switch word = conflict.BareWord(word); {
		case word == "", word == "do", word == "does", word == "did":
			// The auxiliary verb of a negation has no meaning of its own: "does not hold" and
			// "holds".
		case conflict.Negates(word):
			s.negated = !s.negated
		default:
			word = conflict.Singular(word)
			s.bare[word] = conflict.Singular(opposite(word))
		}
	}
	return s
}

// Similarity compares the words of the two texts, 0 to 1.
func (s *Statement) Similarity(o *Statement) float64 { return s.words.Similarity(o.words) }

// Opposes is Opposed of the two texts.
func (s *Statement) Opposes(o *Statement) bool {
	shared := 0
	var turned []string
	for word, other := range s.bare {
		if _, both := o.bare[word]; both {
			shared++
			continue
		}
		if _, there := o.bare[other]; other == "" || !there || slices.Contains(turned, other) {
			continue
		}
		if _, both := s.bare[other]; both {
			continue
		}
		turned = append(turned, other)
	}
	turns := len(turned)
	if s.negated != o.negated {
		turns++
	}
	if turns%2 == 0 || len(s.bare) == len(turned) || len(o.bare) == len(turned) {
		return false
	}
	return float64(shared)/float64(len(s.bare)+len(o.bare)-2*len(turned)-shared) >= Repeats
}
