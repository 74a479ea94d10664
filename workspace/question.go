package workspace

import (
	"bytes"
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

// lists holds the lists of words.txt.
type lists struct {
	// stop and weak have an entry for each word, forms maps the stem of a word to the stems of its group.
	stop, weak map[string]bool
	forms      map[string][]string
}

// readWords reads words.txt, whose three sections begin with a line in dashes.
func readWords() *lists {
	w := &lists{stop: map[string]bool{}, weak: map[string]bool{}, forms: map[string][]string{}}
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

// query is a question as the search reads it. Starts has a bit for each pair of bytes, in lower
// case, that a term begins with.
type query struct {
	terms    []term
	mentions []mention
	starts   [256]uint32
	// identifiers are the indexes of the terms that are one.
	identifiers []int
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
	for w := (words{rest: []byte(text)}); w.next(); {
		if w.identifier {
			q.add(term{joined: strings.ToLower(string(bytes.Join(w.parts, nil))), weight: 1.5})
		}
		for _, part := range w.parts {
			part := strings.ToLower(string(part))
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
	if len(q.terms) == maxTerms {
		return
	}
	if t.joined != "" {
		q.identifiers = append(q.identifiers, len(q.terms))
	}
	q.terms = append(q.terms, t)
	for _, text := range append(t.stems, t.joined) {
		if len(text) > 1 {
			q.starts[text[0]|0x20] |= 1 << (text[1] & 31)
		}
	}
	if t.joined != "" {
		q.starts[t.joined[0]|0x20] |= 1<<('_'&31) | 1<<('-'&31) // "x_value" spells xValue
	}
}

// names reports whether the question names a file: by its path, the end of it, or its
// base name.
func (q *query) names(file string) bool {
	return slices.ContainsFunc(q.mentions, func(m mention) bool {
		return m.path == file || strings.HasSuffix(file, "/"+m.path) || strings.HasPrefix(file, m.path+"/")
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

// words takes the words of a text one by one: "maxIdleConns" is an identifier with three parts,
// "kebab-case" a word with two. Characters beyond ASCII count as letters without case.
type words struct {
	rest       []byte
	parts      [][]byte
	identifier bool
	// known holds the terms of the words that were met, in lower case.
	known map[string]uint32
}

// terms returns the terms of a query that a word is a form of.
func (w *words) terms(q *query, word []byte) uint32 {
	const longest, mostKnown = 64, 1 << 12
	var buffer [longest]byte
	lower := append(buffer[:0], word...)
	for i, c := range lower {
		if isUpper(c) {
			lower[i] = c | 0x20
		}
	}
	found, known := w.known[string(lower)]
	if known {
		return found
	}
	stem := stemOf(strings.ToLower(string(word)))
	for t := range q.terms {
		if slices.Contains(q.terms[t].stems, stem) {
			found |= 1 << t
		}
	}
	if w.known == nil {
		w.known = map[string]uint32{}
	}
	if len(w.known) < mostKnown && len(word) <= longest {
		w.known[string(lower)] = found
	}
	return found
}

func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return isLower(c) || isUpper(c) || c >= 0x80 }

// next reports whether there is another word, which is in parts then.
func (w *words) next() bool {
	text, start := w.rest, 0
	for start < len(text) && !isLetter(text[start]) && !isDigit(text[start]) {
		start++
	}
	at, hyphen := start, false
	w.parts = w.parts[:0]
	cut := func(end int) {
		if end > start {
			w.parts = append(w.parts, text[start:end])
		}
		start = end
	}
	following := func(n int) byte {
		if at+n < len(text) {
			return text[at+n]
		}
		return 0
	}
loop:
	for ; at < len(text); at++ {
		switch c := text[at]; {
		case c == '_' || c == '-' && isLetter(following(1)):
			hyphen = hyphen || c == '-'
			cut(at)
			start++
		case isUpper(c) && at > start:
			// A part begins at the B of "aB", and at that of "ABc", but not in the plural "IDs".
			next := following(1)
			if isLower(text[at-1]) || isLower(next) && (next != 's' || isLower(following(2))) {
				cut(at)
			}
		case !isLetter(c) && !isDigit(c):
			break loop
		}
	}
	cut(at)
	w.rest, w.identifier = text[at:], len(w.parts) > 1 && !hyphen
	return len(w.parts) > 0
}

// spell reports whether the parts make up an identifier, which is in lower case.
func (w *words) spell(identifier string) bool {
	for _, part := range w.parts {
		if len(part) > len(identifier) || !strings.EqualFold(identifier[:len(part)], string(part)) {
			return false
		}
		identifier = identifier[len(part):]
	}
	return identifier == ""
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
