package workspace

import (
	_ "embed" // The word lists are a file of their own.
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	// maxTerms bounds how many different words of a question are sought: a set of them
	// fits 32 bits.
	maxTerms = 32
	// maxQuestion is how much of a question is read, in bytes.
	maxQuestion = 16 << 10
)

//go:embed words.txt
var wordLists string

// words are the lists of words.txt.
type words struct {
	// stop and weak have an entry for each word, forms maps the stem of a word to the stems of its group.
	stop, weak map[string]bool
	forms      map[string][]string
}

// readWords reads words.txt, whose three sections begin with a line in dashes.
func readWords() *words {
	w := &words{stop: map[string]bool{}, weak: map[string]bool{}, forms: map[string][]string{}}
	section := ""
	for line := range strings.Lines(wordLists) {
		if name, begins := strings.CutPrefix(line, "-- "); begins {
			section, _, _ = strings.Cut(name, ":")
			continue
		}
		var stems []string
		for word := range strings.FieldsSeq(line) {
			switch section {
			case "stop":
				w.stop[word] = true
			case "weak":
				w.weak[word] = true
			case "forms":
				stems = append(stems, stemOf(word))
			}
		}
		for _, s := range stems {
			w.forms[s] = stems
		}
	}
	return w
}

// term is one word or identifier that a question asks about.
type term struct {
	// stems are the word's own and those of its irregular forms. An identifier has joined
	// instead: its letters in lower case, without separators.
	stems  []string
	joined string
	weight float64
	// optional says that a passage may do without it.
	optional bool
}

// query is a question as the search reads it.
type query struct {
	terms    []term
	mentions []mention
}

// mention is a file or folder that a question names, and a line in it or 0.
type mention struct {
	path string
	line int
}

// readQuestion takes the words, identifiers and paths out of a question.
func readQuestion(text string) *query {
	q, lists := &query{}, readWords()
	text = text[:min(len(text), maxQuestion)]
	for field := range strings.FieldsSeq(text) {
		name := strings.Trim(field, "\"'`“”‘’()[]{}<>,;:!?.")
		file, line, _ := strings.Cut(name, ":")
		line, _, _ = strings.Cut(line, "-")
		if strings.ContainsAny(file, "/.") && len(file) > 3 && path.Clean(file) != "." {
			number, _ := strconv.Atoi(line) // 0 without a line.
			q.mentions = append(q.mentions, mention{strings.TrimPrefix(path.Clean(file), "/"), number})
		}
	}
	for _, w := range splitWords(text) {
		if w.identifier {
			q.add(term{joined: strings.Join(w.parts, ""), weight: 1.5})
		}
		for _, part := range w.parts {
			if lists.stop[part] || len(part) < 2 {
				continue
			}
			t := term{weight: 1, optional: w.identifier}
			t.stems = append([]string{stemOf(part)}, lists.forms[stemOf(part)]...)
			if lists.weak[part] {
				t.weight, t.optional = 0.4, true
			}
			q.add(t)
		}
	}
	return q
}

// add takes a term that is not there yet.
func (q *query) add(t term) {
	for i := range q.terms {
		known := &q.terms[i]
		if t.joined != "" && t.joined == known.joined ||
			t.joined == "" && len(known.stems) > 0 && known.stems[0] == t.stems[0] {
			return
		}
	}
	if len(q.terms) < maxTerms {
		q.terms = append(q.terms, t)
	}
}

// names reports whether the question names a file: by its path, the end of it, or its
// base name.
func (q *query) names(file string) bool {
	return slices.ContainsFunc(q.mentions, func(m mention) bool {
		return m.path == file || strings.HasSuffix(file, "/"+m.path) || strings.HasPrefix(file, m.path+"/")
	})
}

// leadsTo reports whether the question names a path or something below it.
func (q *query) leadsTo(name string) bool {
	return q.names(name) || slices.ContainsFunc(q.mentions, func(m mention) bool {
		return strings.HasPrefix(m.path, name+"/")
	})
}

// line is the line of a file that the question names, or 0.
func (q *query) line(file string) int {
	for _, m := range q.mentions {
		if m.line > 0 && (m.path == file || strings.HasSuffix(file, "/"+m.path)) {
			return m.line
		}
	}
	return 0
}

// word is a word or an identifier of a line, in lower case: "maxIdleConns" is an identifier
// with three parts, and "kebab-case" a word with two.
type word struct {
	parts      []string
	identifier bool
}

// Characters beyond ASCII count as letters without case, so that any encoding works.
var (
	wordPattern = regexp.MustCompile(
		`[A-Za-z0-9\x{80}-\x{10FFFF}](?:[\w\x{80}-\x{10FFFF}]|-[A-Za-z\x{80}-\x{10FFFF}])*`)
	// A part begins at the B of "aB", and at that of "ABc", but not in the plural "IDs".
	camelCase = regexp.MustCompile(`([a-z])([A-Z])`)
	acronym   = regexp.MustCompile(`([A-Z0-9])([A-Z](?:[a-rt-z]|s[a-z]))`)
)

func splitWords(line string) []word {
	var words []word
	for _, text := range wordPattern.FindAllString(line, -1) {
		hyphen := strings.Contains(text, "-")
		if lower := strings.ToLower(text); lower[1:] == text[1:] && !strings.ContainsAny(text, "_-") {
			// Most words have one part.
			words = append(words, word{parts: []string{lower}})
			continue
		}
		text = acronym.ReplaceAllString(camelCase.ReplaceAllString(text, "${1}_${2}"), "${1}_${2}")
		parts := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return c == '_' || c == '-' })
		words = append(words, word{parts, len(parts) > 1 && !hyphen})
	}
	return words
}

// stemOf cuts endings from a lower-case English word, so that its forms meet: "queues" and
// "queuing" are "queu", "authentication" and "authenticator" are "authent". The stem is a
// prefix of the word, which the scan relies on.
func stemOf(word string) string {
	const vowels = "aeiou"
	n := len(word)
	switch {
	case n > 4 && strings.HasSuffix(word, "ies"):
		word = word[:n-3]
	case n > 4 && (strings.HasSuffix(word, "sses") || strings.HasSuffix(word, "xes") ||
		strings.HasSuffix(word, "ches") || strings.HasSuffix(word, "shes")):
		word = word[:n-2]
	case n > 3 && word[n-1] == 's' && strings.IndexByte("sui", word[n-2]) < 0:
		word = word[:n-1]
	}
	for _, ending := range []string{"ing", "ied", "ed"} {
		rest, cut := strings.CutSuffix(word, ending)
		// "string" and "need" stay.
		if !cut || len(rest) < 3 || !strings.ContainsAny(rest, vowels+"y") || strings.HasSuffix(word, "eed") {
			continue
		}
		n := len(rest)
		if last := rest[n-1:]; n > 3 && last == rest[n-2:n-1] && !strings.ContainsAny(last, vowels+"slz") {
			rest = rest[:n-1] // "stopped"
		}
		word = rest
		break
	}
	if n = len(word); n > 3 && (word[n-1] == 'e' || word[n-1] == 'y' && !strings.Contains(vowels, word[n-2:n-1]) ||
		n > 5 && strings.HasSuffix(word, "ll")) {
		word = word[:n-1]
	}
	const endings = "ization isation ation ition ion ment er or abl ibl iv al anc enc ic iz is at nes ful ag ur"
	for rest := endings; rest != ""; {
		var ending string
		ending, rest, _ = strings.Cut(rest, " ")
		if cut := len(word) - len(ending); cut >= 4 && word[cut:] == ending {
			word, rest = word[:cut], endings
		}
	}
	return word
}
