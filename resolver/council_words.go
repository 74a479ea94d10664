package resolver

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// spaced is a text in lower case, its words parted by one blank, with one before and
// one behind; what is neither a letter nor a digit parts words.
func spaced(text string) string {
	words := make([]byte, 1, len(text)+2)
	words[0] = ' '
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			words = append(words, byte(r))
		case r >= 'A' && r <= 'Z':
			words = append(words, byte(r)+'a'-'A')
		case r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			words = utf8.AppendRune(words, unicode.ToLower(r))
		case words[len(words)-1] != ' ':
			words = append(words, ' ')
		}
	}
	if words[len(words)-1] != ' ' {
		words = append(words, ' ')
	}
	return string(words)
}

// said are the words of the claim, as of spaced.
func (b *bench) said() string {
	if b.words == "" {
		b.words = spaced(b.p.Text)
	}
	return b.words
}

// holdsAny reports whether words, as of spaced, hold one of the phrases. A phrase is
// a run of whole words in lower case, parted by one blank; a word that ends in *
// stands for all that begin so.
func holdsAny(words string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(phrase string) bool { return holds(words, phrase) })
}

// holds reports whether words, as of spaced, hold a phrase.
func holds(words, phrase string) bool {
	switch star := strings.IndexByte(phrase, '*'); {
	case star < 0:
		return strings.Contains(words, " "+phrase+" ")
	case star > 0 && star == len(phrase)-1:
		return strings.Contains(words, " "+phrase[:star])
	}
	run, all := strings.Fields(phrase), strings.Fields(words)
	for i := 0; i+len(run) <= len(all); i++ {
		if matches(all[i:i+len(run)], run) {
			return true
		}
	}
	return false
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
	return denied(spaced(text), phrases)
}

func denied(words string, phrases []string) string {
	for _, phrase := range phrases {
		if plain := deniedWords(phrase); plain != "" && holds(words, plain) {
			return phrase
		}
	}
	return ""
}

// deniedWords brings a phrase to the form of says: a star counts at the end of a
// word alone.
func deniedWords(phrase string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(phrase), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '*'
	}), " ")
}

// StatesLimit reports whether a text says where it does not hold.
func StatesLimit(text string) bool { return limited(spaced(text)) }

func limited(words string) bool {
	return holdsAny(words, []string{
		"except", "unless", "only if", "only when", "only where", "only for", "as long as", "provided that", "does not cover", "not for",
		"limited to", "up to", "at most", "at least", "within", "assuming", "so far as", "in this workspace", "as of",
	})
}

// StatesRange reports whether a text gives a range: two numbers with a dash or
// "to" between them, "between … and …", or ±.
func StatesRange(text string) bool {
	if strings.Contains(text, "±") {
		return true
	}
	if !strings.ContainsAny(text, "0123456789") {
		return false
	}
	words := strings.Fields(strings.ToLower(strings.ReplaceAll(strings.ReplaceAll(text, "–", " to "), "—", " to ")))
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
	return holdsAny(spaced(text), []string{
		"method*", "measur*", "benchmark*", "experiment*", "tested", "test*", "design of", "control*", "baseline*", "metric*", "calculat*", "estimat*",
		"sampl*", "subset*", "population", "representative", "data", "source*", "n of",
		"assum*", "presuppos*", "premise*", "taken for granted", "depends on",
		"confound*", "correlat*", "caus*", "other explanation*", "alternative explanation*", "side effect*", "bias*", "selection",
	})
}

// Proposes reports whether a claim recommends that something is done.
func Proposes(text string) bool { return proposing(spaced(text)) }

func proposing(words string) bool {
	return holdsAny(words, []string{
		"should", "must", "ought to", "recommend*", "propose*", "we need to", "needs to", "adopt", "migrate", "replace", "switch to", "move to", "introduce",
	})
}

// SaysHow reports whether a proposal names how it is carried out: by what means, in
// which steps, or behind what.
func SaysHow(text string) bool { return sayingHow(spaced(text)) }

func sayingHow(words string) bool {
	return holdsAny(words, []string{
		"by", "via", "using", "through", "with", "step*", "first", "then", "behind", "in stages", "in phases", "gradually", "after", "before", "per",
		"roll out", "rollout", "schedule*", "plan*", "script*", "command*",
	})
}
