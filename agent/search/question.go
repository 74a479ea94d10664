package search

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// maxTerms bounds how many different words of a question are sought; a mask of
// them fits 32 bits.
const maxTerms = 32

// maxQuestion is how much of a question is read, in bytes.
const maxQuestion = 16 << 10

// A term is one thing that a question asks about: a word, an identifier, or a
// phrase that it quotes.
type term struct {
	label    string  // what is matched, in lower case: an identifier without its separators
	spelled  string  // how the question spells it, in lower case
	weight   float64 // how much finding it counts, at most 1.5
	optional bool    // not finding it does not count against a passage
	phrase   bool    // the label is a quotation, matched as it stands
	cue      *cue    // the term is no word of the question, but what its way of asking hints at
}

// A mention is a file or folder that a question names, and a line in it or 0.
type mention struct {
	path string
	line int
}

// An intent is what kind of answer a question wants.
type intent struct {
	definition bool // where something is defined
	number     bool // a size, a count, a duration, a default
	tests      bool // tests are what it is about
}

// A query is a question, taken apart.
type query struct {
	terms    []term
	mentions []mention
	intent   intent
	joined   []joinedWords
}

// joinedWords are two neighbouring words of a question written as one, which
// is how they may stand in code: "shut down" and Shutdown.
type joinedWords struct {
	text  string
	terms [2]int // the terms of the two words, -1 for one that is no term
}

// readQuestion takes a question apart. The same text gives the same query.
func readQuestion(question string, v *vocabulary) *query {
	question = question[:min(len(question), maxQuestion)]
	q := &query{mentions: readMentions(question)}
	for _, phrase := range quotations(question) {
		q.add(term{label: phrase, spelled: phrase, weight: 1.5, optional: true, phrase: true})
	}
	text := []byte(question)
	lower := appendLower(nil, text)
	parts := splitWords(nil, text)
	for rest := parts; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].word == rest[0].word {
			n++
		}
		q.addWord(lower, rest[:n], v)
		rest = rest[n:]
	}
	q.joinNeighbours(lower, parts)
	words := strings.Fields(string(lower))
	q.intent = readIntent(words)
	if len(q.terms) > 0 {
		q.addCue(strings.Join(words, " "), v)
	}
	return q
}

// addCue adds what the question's way of asking hints at, if it is a known one.
func (q *query) addCue(lower string, v *vocabulary) {
	for i, c := range v.cues {
		if strings.Contains(" "+lower, " "+c.asked+" ") && len(q.terms) < maxTerms {
			q.terms = append(q.terms, term{label: c.asked, weight: 0.6, optional: true, cue: &v.cues[i]})
			return
		}
	}
}

// joinNeighbours notes each two words in a row, of which one at least is a term.
func (q *query) joinNeighbours(lower []byte, parts []part) {
	for i := 1; i < len(parts); i++ {
		first, second := string(lower[parts[i-1].start:parts[i-1].end]), string(lower[parts[i].start:parts[i].end])
		pair := joinedWords{first + second, [2]int{q.termOf(first), q.termOf(second)}}
		if len(pair.text) >= 5 && (pair.terms[0] >= 0 || pair.terms[1] >= 0) {
			q.joined = append(q.joined, pair)
		}
	}
}

// termOf returns which term a word of the question became, or -1.
func (q *query) termOf(word string) int {
	return slices.IndexFunc(q.terms, func(t term) bool {
		return !t.phrase && t.cue == nil && stemOf(t.label) == stemOf(word)
	})
}

// addWord adds the terms of one word of the question: the word itself, and for
// an identifier its parts, which need not be found if the whole is.
func (q *query) addWord(lower []byte, parts []part, v *vocabulary) {
	if len(parts) == 1 {
		q.addPart(string(lower[parts[0].start:parts[0].end]), 1, false, v)
		return
	}
	joined := string(joinParts(nil, lower, parts))
	spelled := string(lower[parts[0].start:parts[len(parts)-1].end])
	hyphenated := strings.Contains(spelled, "-")
	if hyphenated {
		// Prose hyphenates freely ("built-in"): its parts are words in their own right.
		q.add(term{label: joined, spelled: spelled, weight: 0.5, optional: true})
	} else {
		q.add(term{label: joined, spelled: spelled, weight: 1.2})
	}
	for _, p := range parts {
		weight := 0.4
		if hyphenated {
			weight = 1
		}
		q.addPart(string(lower[p.start:p.end]), weight, !hyphenated, v)
	}
}

func (q *query) addPart(word string, weight float64, optional bool, v *vocabulary) {
	if len(word) < 2 || v.stop[word] {
		return
	}
	if v.weak[word] {
		weight, optional = min(weight, 0.35), true
	}
	q.add(term{label: word, spelled: word, weight: weight, optional: optional})
}

// add adds a term, or raises the one with the same stem.
func (q *query) add(t term) {
	for i, known := range q.terms {
		if known.phrase == t.phrase && stemOf(known.label) == stemOf(t.label) {
			q.terms[i].weight = max(known.weight, t.weight)
			q.terms[i].optional = known.optional && t.optional
			return
		}
	}
	if len(q.terms) < maxTerms {
		q.terms = append(q.terms, t)
	}
}

// joinParts appends the parts of one identifier without what is between them.
func joinParts(dst, lower []byte, parts []part) []byte {
	for _, p := range parts {
		dst = append(dst, lower[p.start:p.end]...)
	}
	return dst
}

// quotations returns what a question puts between backquotes or double quotes,
// in lower case, where that is more than one word.
func quotations(question string) []string {
	var quoted []string
	for _, mark := range []string{"`", `"`} {
		pieces := strings.Split(question, mark)
		for i := 1; i+1 < len(pieces); i += 2 {
			text := strings.TrimSpace(string(appendLower(nil, []byte(pieces[i]))))
			if len(text) >= 4 && len(text) <= 120 && strings.ContainsAny(text, " .:(=-/") {
				quoted = append(quoted, text)
			}
		}
	}
	return quoted
}

// readMentions finds the paths in a question: words with a slash, or with a
// dot and an extension, and an optional ":12" or "#L12" behind them. A mention
// that is no file of the workspace does no harm.
func readMentions(question string) []mention {
	var mentions []mention
	for field := range strings.FieldsSeq(question) {
		field = strings.Trim(field, "`'\"()[]{}<>?!,;:.*")
		name, line := field, 0
		if before, after, found := cutLine(field); found {
			after, _, _ = strings.Cut(after, "-")
			if n, err := strconv.Atoi(strings.TrimPrefix(after, "L")); err == nil && n > 0 {
				name, line = before, n
			}
		}
		name = strings.Trim(strings.ReplaceAll(name, `\`, "/"), "/")
		name = strings.TrimPrefix(name, "./")
		extension := path.Ext(name)
		if name == "" || !strings.Contains(name, "/") && (extension == "" || len(extension) > 6 || extension == name) {
			continue
		}
		mentions = append(mentions, mention{path: name, line: line})
	}
	return mentions
}

func cutLine(field string) (before, after string, found bool) {
	if before, after, found = strings.Cut(field, "#"); found {
		return before, after, true
	}
	return strings.Cut(field, ":")
}

// names says whether the mention is the file at path, or a folder above it.
func (m mention) names(file string) bool {
	if file == m.path || strings.HasSuffix(file, "/"+m.path) {
		return true
	}
	return strings.Contains(m.path, "/") && strings.Contains("/"+file, "/"+m.path+"/")
}

// readIntent guesses from a question's words what answer it wants.
func readIntent(words []string) intent {
	var in intent
	for i, word := range words {
		word = strings.Trim(word, "?,.!`'\"()")
		next := ""
		if i+1 < len(words) {
			next = words[i+1]
		}
		switch word {
		case "where", "defined", "declared", "definition", "implemented":
			in.definition = true
		case "what", "which":
			in.definition = in.definition || i == 0
		case "how":
			in.number = in.number || slices.Contains([]string{"many", "much", "long", "large", "big", "often", "deep", "far"}, next)
		case "default", "maximum", "minimum", "limit", "size", "number", "timeout", "interval", "threshold", "port":
			in.number = true
		case "test", "tests", "tested", "testing", "coverage", "benchmark", "fixture", "mock":
			in.tests = true
		}
	}
	return in
}
