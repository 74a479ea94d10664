package resolver

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// wording are the words of a text in lower case with a blank around each, so that a
// run of whole words is found as a part of it, and the beginning of one without the
// blank behind it. Marks are gone, but for " . " where a sentence or clause ends.
// Apostrophes and what is not seen part no words.
func wording(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }) {
		// The same letter is written in several ways, some of which only look so.
		text = norm.NFKC.String(text)
	}
	var out strings.Builder
	out.Grow(len(text) + 8)
	out.WriteByte(' ')
	inWord, ended := false, true
	for i, r := range text {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			out.WriteRune(r)
			inWord, ended = true, false
			continue
		case r == '\'' || r == '’' || r >= 0x80 && unicode.Is(unicode.Cf, r):
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r):
			out.WriteRune(unicode.ToLower(r))
			inWord, ended = true, false
			continue
		case inWord:
			out.WriteByte(' ')
			inWord = false
		}
		if !inWord && !ended && endsClause(text[i:]) {
			out.WriteString(". ")
			ended = true
		}
	}
	if inWord {
		out.WriteByte(' ')
	}
	return out.String()
}

// endsClause reports whether a text begins with a mark that ends a sentence or a
// clause: the dot in a number or a file's name does not.
func endsClause(text string) bool {
	switch text[0] {
	case '\n', ';', '?', '!':
		return true
	case '.', ':':
		return len(text) == 1 || text[1] == ' ' || text[1] == '\n'
	}
	return false
}

// said is the wording of the claim.
func (b *bench) said() string {
	if b.words == "" {
		b.words = wording(b.p.Text)
	}
	return b.words
}

// says reports whether a wording holds one of the phrases: runs of words with a blank
// in front, and one behind where the last word is whole.
func says(words string, phrases ...string) bool {
	begun := beginnings(words)
	return slices.ContainsFunc(phrases, func(phrase string) bool { return begun.may(phrase) && strings.Contains(words, phrase) })
}

// begun are the two letters with which words begin, the second ones as bits at the
// place of the first: lists of phrases are long, and most of a list begin otherwise
// than any word of a text.
type begun [32]uint32

// beginnings are those of a wording.
func beginnings(words string) *begun {
	b := &begun{}
	for i := range len(words) - 2 {
		if words[i] == ' ' {
			b[words[i+1]%32] |= 1 << (words[i+2] % 32)
		}
	}
	return b
}

// may reports whether a phrase of at least one word can stand in the wording: false
// is certain, true is not.
func (b *begun) may(phrase string) bool { return b[phrase[1]%32]&(1<<(phrase[2]%32)) != 0 }

// follows reports whether one of the phrases, each between blanks, is followed
// directly by a word of the next.
func follows(words string, next func(string) bool, phrases ...string) bool {
	begun := beginnings(words)
	for _, phrase := range phrases {
		for rest := words; begun.may(phrase); {
			at := strings.Index(rest, phrase)
			if at < 0 {
				break
			}
			after := rest[at+len(phrase):]
			if word, _, _ := strings.Cut(after, " "); next(word) {
				return true
			}
			rest = rest[at+len(phrase)-1:]
		}
	}
	return false
}

// oneOf is whether a word is in a list.
func oneOf(list ...string) func(string) bool {
	return func(word string) bool { return slices.Contains(list, word) }
}

// Denied returns the phrase of a deny list that a text says, or "". A phrase is a
// run of whole words in any case, whatever marks stand between them; a word that ends
// in * stands for all that begin so. It knows words, not meaning.
func Denied(text string, phrases []string) string { return denied(wording(text), phrases) }

func denied(words string, phrases []string) string {
	words = strings.ReplaceAll(words, " . ", " ")
	for _, phrase := range phrases {
		run := strings.Fields(strings.ToLower(norm.NFKC.String(phrase)))
		for i, word := range run {
			stem, starred := strings.CutSuffix(word, "*")
			stem = strings.TrimRight(strings.ReplaceAll(wording(stem), " . ", " "), " ")
			if !starred {
				stem += " "
			}
			run[i] = stem
		}
		if len(run) == 0 || strings.TrimSpace(strings.Join(run, "")) == "" {
			continue
		}
		if holdsRun(words, run) {
			return phrase
		}
	}
	return ""
}

// holdsRun reports whether a wording holds words one behind the other; each begins
// with a blank, and ends in one where it is whole.
func holdsRun(words string, run []string) bool {
	for at := 0; ; {
		found := strings.Index(words[at:], run[0])
		if found < 0 {
			return false
		}
		at += found
		rest, matched := words[at:], true
		for _, want := range run {
			if matched = strings.HasPrefix(rest, want); !matched {
				break
			}
			// What follows begins with the blank that ends this word.
			end := strings.IndexByte(rest[len(strings.TrimRight(want, " ")):], ' ')
			rest = rest[len(strings.TrimRight(want, " "))+max(end, 0):]
		}
		if matched {
			return true
		}
		at++
	}
}

// Nothing reports whether a text that is to say something says that there is nothing:
// "none", "n/a", "-".
func Nothing(text string) bool {
	switch strings.Trim(wording(text), " .") {
	case "", "none", "none known", "n a", "na", "nil", "null", "nothing", "no", "no limit", "no limits", "no limitation", "no limitations",
		"no known limits", "no known limitations", "not applicable", "unlimited", "unknown", "not known", "tbd", "todo":
		return true
	}
	return false
}

// StatesLimit reports whether a text says where it does not hold, or under what
// condition alone it does.
func StatesLimit(text string) bool { return limited(wording(text)) }

func limited(words string) bool {
	if strings.Contains(words, " except ") && !says(words, " try except ", " except clause", " except block", " except branch") {
		return true
	}
	if says(
		words,
		" unless ", " excluding ", " other than ", " apart from ", " aside from ", " exception of ",
		" only if ", " only when ", " only where ", " only while ", " only for ", " only under ", " only as long ",
		" only tested ", " only measured ", " only checked ", " only covers ", " covers only ", " only applies ",
		" as long as ", " so long as ", " provided that ", " assuming ", " insofar as ", " so far as ", " as far as ", " to the extent ",
		" not cover ", " doesnt cover ", " dont cover ", " not covered ", " not apply ", " doesnt apply ", " dont apply ", " not include ",
		" nothing about ", " no claim about ", " left open ", " leaves open ", " not measured ",
		" limited to ", " restricted to ", " confined to ", " not necessarily ", " not always ",
		" in this workspace ", " in this repository ", " in this codebase ", " on this machine ", " on this hardware ", " under this load ",
		" in this test ", " in these tests ", " in our tests ", " in our measurements ", " as of ",
	) {
		return true
	}
	where := oneOf("for", "if", "when", "where", "on", "in", "under", "while", "with", "at")
	return follows(
		words, where, " not hold ", " doesnt hold ", " holds only ", " true only ", " applies only ", " valid only ",
		" tested only ", " measured only ", " checked only ", " but not ",
	) || follows(words, func(word string) bool { return word != "nothing" && word != "long" && word != "the" }, " not for ")
}

// NamesMethod reports whether a challenge names how the claim is known: a method, a
// sample, an assumption, a confounder, or evidence that does not carry it.
func NamesMethod(text string) bool {
	words := wording(text)
	return says(
		words,
		// Method.
		" method", " measur", " benchmark", " experiment", " test ", " tests ", " tested ", " testing ", " untested ", " baseline", " metric ", " metrics ",
		" control group", " controlled for", " control for", " controls for", " calculat", " computed ", " estimated from ", " how it was ", " how was ",
		" reproduc", " replicat", " margin of error ", " statistic", " averag", " median ", " warm run", " cold run",
		// Sample.
		" sample", " sampling ", " subset", " population", " representative", " generali", " extrapolat", " one run ", " single run",
		" single case", " one case ", " data set", " dataset", " the data is ", " the data are ", " the data cover", " the data come", " the data do ", " data point", " no data ", " data from ", " data are ", " data of ", " cherry", " survivorship ",
		" anecdot", " out of context ",
		// Assumption.
		" assum", " presuppos", " premise", " taken for granted ", " takes for granted ", " takes it for granted ", " rests on ", " relies on ", " holds only if ",
		" only if ", " precondition",
		// Confounder.
		" confound", " correlat", " causation ", " causal", " other cause", " another cause", " other explanation", " another explanation",
		" alternative explanation", " explained by ", " explains it ", " explain it ", " could also ", " may also be ", " might also be ", " coincidence", " side effect",
		" bias", " selection effect", " regression to ",
		// Evidence that does not carry the claim.
		" evidence ", " citation", " cited ", " the quote ", " quoted ", " does not show ", " doesnt show ", " shows only ", " only shows ", " does not follow ",
		" doesnt follow ", " does not prove ", " doesnt prove ", " proves only ", " does not establish ", " single source", " one source ", " primary source", " the source ",
	)
}
