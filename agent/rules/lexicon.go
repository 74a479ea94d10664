package rules

import (
	"embed"
	"strings"
	"unicode"
)

//go:embed data/*.txt
var data embed.FS

// lexicon is what the participant knows of words, read from data/.
type lexicon struct {
	sentences map[phrase]string
	fillers   map[string]bool
	contrary  map[string]bool
	binding   map[string]bool
	negations map[string]bool
	loose     map[string]bool
	comments  map[string]bool
	decisions map[string]bool
	// measures, methods, hedges, absolutes, conditions and failures are what the
	// seats of a council look for.
	measures, methods, hedges, absolutes, conditions, failures, leaning map[string]bool

	gaps []string
	// before, keywords and after are those of definitions.txt.
	before, keywords, after map[string]bool
	shapes                  []shape
	runs                    []goRun
	// numbers are the figures of numbers as words.
	numbers map[string]string
}

// shape is the form of a valid answer to a question that holds one of words.
type shape struct {
	words map[string]bool
	text  string
}

func readLexicon() *lexicon {
	l := &lexicon{
		sentences:  map[phrase]string{},
		fillers:    wordSet(lines("fillers")),
		contrary:   wordSet(lines("contrary")),
		binding:    wordSet(lines("binding")),
		negations:  wordSet(lines("negations")),
		loose:      wordSet(lines("loose")),
		numbers:    readNumbers(),
		comments:   wordSet(lines("comments")),
		decisions:  wordSet(lines("decisions")),
		measures:   wordSet(lines("measures")),
		methods:    wordSet(lines("methods")),
		hedges:     wordSet(lines("hedges")),
		absolutes:  wordSet(lines("absolutes")),
		conditions: wordSet(lines("conditions")),
		failures:   wordSet(lines("failures")),
		leaning:    wordSet(lines("leaning")),
		gaps:       lines("gaps"),
		before:     map[string]bool{},
		keywords:   map[string]bool{},
		after:      map[string]bool{},
	}
	l.comments["#"] = true
	for _, line := range lines("sentences") {
		key, text, _ := strings.Cut(line, ": ")
		l.sentences[phrase(key)] = text
	}
	for _, line := range lines("definitions") {
		role, words, _ := strings.Cut(line, " ")
		into := l.keywords
		switch role {
		case "before":
			into = l.before
		case "after":
			into = l.after
		}
		for word := range strings.FieldsSeq(words) {
			into[word] = true
		}
	}
	for _, line := range lines("shapes") {
		words, text, _ := strings.Cut(line, " | ")
		l.shapes = append(l.shapes, shape{wordSet([]string{words}), text})
	}
	for _, line := range lines("commands") {
		command, words, _ := strings.Cut(line, " | ")
		l.runs = append(l.runs, goRun{command, wordSet([]string{words})})
	}
	return l
}

// lines returns the lines of a data file without comments and empty ones.
func lines(name string) []string {
	text, err := data.ReadFile("data/" + name + ".txt")
	if err != nil {
		// The names are fixed; a test opens every one of them.
		return nil
	}
	var kept []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			kept = append(kept, line)
		}
	}
	return kept
}

func wordSet(lines []string) map[string]bool {
	set := map[string]bool{}
	for _, line := range lines {
		for word := range strings.FieldsSeq(line) {
			set[word] = true
		}
	}
	return set
}

// words is the set of a text's words that say something: in lower case, cut at
// everything but letters and digits and where the case changes, without
// fillers and endings of the plural.
type words map[string]bool

func (l *lexicon) wordsOf(text string) words {
	found := words{}
	for _, word := range l.sequence(text) {
		found[word] = true
	}
	return found
}

// sequence is the words of wordsOf in their order.
func (l *lexicon) sequence(text string) []string {
	var found []string
	for _, word := range split(text) {
		word = strings.ToLower(word)
		if !l.fillers[word] && (len(word) > 1 || unicode.IsDigit(rune(word[0]))) {
			found = append(found, singular(word))
		}
	}
	return found
}

// split returns the words and the parts of identifiers of a text:
// "maxIdleConns" gives max, Idle, Conns.
func split(text string) []string {
	var found []string
	for _, run := range strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		runes, start := []rune(run), 0
		for i := 1; i < len(runes); i++ {
			if unicode.IsLower(runes[i-1]) && unicode.IsUpper(runes[i]) {
				found, start = append(found, string(runes[start:i])), i
			}
		}
		found = append(found, string(runes[start:]))
	}
	return found
}

func singular(word string) string {
	if len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
		return word[:len(word)-1]
	}
	return word
}

// shared counts the words that both sets hold.
func (w words) shared(o words) int {
	n := 0
	for word := range w {
		if o[word] {
			n++
		}
	}
	return n
}

// bears reports whether two texts share a word that says something.
func (l *lexicon) bears(text, passage string) bool {
	return l.wordsOf(text).shared(l.wordsOf(passage)) > 0
}

// sameButFiller reports whether two texts hold the same words, fillers, order
// and punctuation aside.
func (l *lexicon) sameButFiller(a, b string) bool {
	first, second := l.wordsOf(a), l.wordsOf(b)
	return len(first) >= minStated && len(first) == len(second) && first.shared(second) == len(first)
}

// shapeOf returns the shape of a valid answer to the question.
func (l *lexicon) shapeOf(question string) string {
	asked := map[string]bool{}
	for _, word := range strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return !unicode.IsLetter(r) }) {
		asked[word] = true
	}
	for _, s := range l.shapes {
		for word := range s.words {
			if asked[word] {
				return s.text
			}
		}
	}
	if n := len(l.shapes); n > 0 {
		return l.shapes[n-1].text
	}
	return ""
}
