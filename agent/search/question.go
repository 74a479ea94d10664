package search

import (
	_ "embed" // The word lists are a file of their own.
	"path"
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

// stemOf returns the part that all forms of a lower-case word share.
func stemOf(word string) string { return string(root(stem([]byte(word)))) }

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
	q := &query{}
	lists := readWords()
	text = text[:min(len(text), maxQuestion)]
	for field := range strings.FieldsSeq(text) {
		name := strings.Trim(field, "\"'`“”‘’()[]{}<>,;:!?.")
		file, line, numbered := strings.Cut(name, ":")
		number := 0
		if numbered {
			line, _, _ = strings.Cut(line, "-")
			number, _ = strconv.Atoi(line)
		}
		if strings.ContainsAny(file, "/.") && len(file) > 3 && path.Clean(file) != "." {
			q.mentions = append(q.mentions, mention{strings.TrimPrefix(path.Clean(file), "/"), number})
		}
	}
	line := []byte(text)
	parts := splitWords(nil, line)
	for i := 0; i < len(parts); {
		j := i
		for j < len(parts) && parts[j].word == parts[i].word {
			j++
		}
		identifier := j-i > 1 && !strings.Contains(string(line[parts[i].start:parts[j-1].end]), "-")
		if identifier {
			joined := ""
			for _, p := range parts[i:j] {
				joined += strings.ToLower(string(line[p.start:p.end]))
			}
			q.add(term{joined: joined, weight: 1.5})
		}
		for _, p := range parts[i:j] {
			word := strings.ToLower(string(line[p.start:p.end]))
			if lists.stop[word] || len(word) < 2 {
				continue
			}
			t := term{weight: 1, optional: identifier}
			t.stems = append([]string{stemOf(word)}, lists.forms[stemOf(word)]...)
			if lists.weak[word] {
				t.weight, t.optional = 0.4, true
			}
			q.add(t)
		}
		i = j
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
