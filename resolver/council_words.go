package resolver

import (
	"slices"
	"strings"
	"unicode"
)

// lowered are the words of a text in lower case, without marks.
func lowered(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// says reports whether a text says one of the phrases, each a run of whole words;
// a word that ends in * stands for all that begin so.
func says(text string, phrases []string) string {
	words := lowered(text)
	for _, phrase := range phrases {
		run := strings.Fields(strings.ToLower(phrase))
		if len(run) == 0 {
			continue
		}
		for i := 0; i+len(run) <= len(words); i++ {
			if matches(words[i:i+len(run)], run) {
				return phrase
			}
		}
	}
	return ""
}

func matches(words, run []string) bool {
	for i, want := range run {
		start, open := strings.CutSuffix(want, "*")
		if words[i] != want && !(open && strings.HasPrefix(words[i], start)) {
			return false
		}
	}
	return true
}

// Denied returns the phrase of a deny list that a text says, or "". A phrase is a
// run of whole words in any case; a word that ends in * stands for all that begin
// so.
func Denied(text string, phrases []string) string {
	plain := make([]string, len(phrases))
	for i, phrase := range phrases {
		plain[i] = deniedWords(phrase)
	}
	if found := says(text, plain); found != "" {
		return phrases[slices.Index(plain, found)]
	}
	return ""
}

// deniedWords brings a phrase to the form of lowered, its stars kept.
func deniedWords(phrase string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(phrase), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '*'
	}), " ")
}

// StatesLimit reports whether a text says where it does not hold.
func StatesLimit(text string) bool {
	return says(text, []string{
		"except", "unless", "only if", "only when", "only where", "only for", "as long as", "provided that", "does not cover", "not for",
		"limited to", "up to", "at most", "at least", "within", "assuming", "so far as", "in this workspace", "as of",
	}) != ""
}

// StatesRange reports whether a text gives a range: two numbers with a dash or
// "to" between them, "between … and …", or ±.
func StatesRange(text string) bool {
	if strings.Contains(text, "±") {
		return true
	}
	words := strings.Fields(strings.ToLower(strings.NewReplacer("–", " to ", "—", " to ").Replace(text)))
	for i, word := range words {
		word = strings.Trim(word, ".,;:!?()[]")
		if from, to, dashed := strings.Cut(word, "-"); dashed && numeric(from) && numeric(to) {
			return true
		}
		next := func(n int) string {
			if i+n >= len(words) {
				return ""
			}
			return strings.Trim(words[i+n], ".,;:!?()[]")
		}
		if numeric(word) && (next(1) == "to" && numeric(next(2)) || next(2) == "to" && numeric(next(3))) {
			return true
		}
		if word == "between" && numeric(next(1)) && slices.ContainsFunc([]string{next(2), next(3)}, func(w string) bool { return w == "and" }) {
			return true
		}
	}
	return false
}

// numeric reports whether a word begins with a digit.
func numeric(word string) bool {
	return word != "" && (word[0] >= '0' && word[0] <= '9' || len(word) > 1 && word[0] == '.' && word[1] >= '0' && word[1] <= '9')
}

// NamesMethod reports whether a challenge names method, sample, assumption or
// confounder.
func NamesMethod(text string) bool {
	return says(text, []string{
		"method*", "measur*", "benchmark*", "experiment*", "tested", "test*", "design of", "control*", "baseline*", "metric*", "calculat*", "estimat*",
		"sampl*", "subset*", "population", "representative", "data", "source*", "n of",
		"assum*", "presuppos*", "premise*", "taken for granted", "depends on",
		"confound*", "correlat*", "caus*", "other explanation*", "alternative explanation*", "side effect*", "bias*", "selection",
	}) != ""
}

// Proposes reports whether a claim recommends that something is done.
func Proposes(text string) bool {
	return says(text, []string{
		"should", "must", "ought to", "recommend*", "propose*", "we need to", "needs to", "adopt", "migrate", "replace", "switch to", "move to", "introduce",
	}) != ""
}

// SaysHow reports whether a proposal names how it is carried out: by what means, in
// which steps, or behind what.
func SaysHow(text string) bool {
	return says(text, []string{
		"by", "via", "using", "through", "with", "step*", "first", "then", "behind", "in stages", "in phases", "gradually", "after", "before", "per",
		"roll out", "rollout", "schedule*", "plan*", "script*", "command*",
	}) != ""
}
