package rules

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// likeness is what words alone tell of two answers of a panel.
type likeness string

const (
	// apart is that words do not tell how the two are to each other.
	apart likeness = ""
	// sameWords is that they say the same, but for case, marks, words that say
	// nothing, and a phrase that stands first in one and last in the other.
	sameWords likeness = "same words"
	// otherValue is that they differ in numbers or identifiers alone: they are on
	// one subject, and do not say the same of it.
	otherValue likeness = "other value"
)

// compareClaims tells how two texts are to each other, as far as words can. In
// doubt they are apart: what it lets through is near to one text written twice. A
// negation that differs, a number or a word that binds leaves them never the
// same.
func (l *lexicon) compareClaims(a, b string) likeness {
	first, second := l.tokens(l.claimed(a)), l.tokens(l.claimed(b))
	if len(first) < minStated || len(first) != len(second) {
		return apart
	}
	if turned(first, second) {
		return sameWords
	}
	differing := 0
	for i := range first {
		switch {
		case first[i] == second[i]:
		case isNumber(first[i]) && isNumber(second[i]), i > 0 && isIdentifier(first[i]) && isIdentifier(second[i]):
			// Of identifiers the first word is what a sentence is about: two files
			// that do the same are no disagreement.
			differing++
		default:
			return apart
		}
	}
	if differing*minStated > len(first) {
		return apart
	}
	return otherValue
}

// turned reports whether the words are the same in the same order, or would be if
// a phrase went from the front to the end: "in the store writes are locked". No
// other order is the same: "the reader waits for the writer" turned round is
// another statement.
func turned(a, b []string) bool {
	for i := range a {
		if slices.Equal(a[i:], b[:len(b)-i]) && slices.Equal(a[:i], b[len(b)-i:]) {
			return true
		}
	}
	return false
}

// tokens are the words of a text in their order, in lower case unless they are
// identifiers, without the marks of a sentence around them and without words that
// say nothing. Operators and signs stay: "-5" is not "5". Numbers as words become
// figures.
func (l *lexicon) tokens(text string) []string {
	var found []string
	for word := range strings.FieldsSeq(text) {
		word = strings.TrimRight(strings.TrimLeft(word, "\"'“”‘’`([{,;:"), "\"'“”‘’`)]},;:.!?")
		lower := strings.ToLower(word)
		if n, isWord := l.numbers[lower]; isWord {
			lower = n
		}
		switch {
		case word == "" || l.loose[lower] || l.comments[word]:
		case isIdentifier(word):
			found = append(found, word)
		default:
			found = append(found, lower)
		}
	}
	return found
}

func isNumber(word string) bool {
	return strings.ContainsFunc(word, unicode.IsDigit) && !isIdentifier(word)
}

// isIdentifier reports whether a word is one of a program rather than of a
// sentence: a path, a call, a word with an underscore, or one that goes on with
// a capital.
func isIdentifier(word string) bool {
	if strings.ContainsAny(word, "_/()") {
		return true
	}
	letters := false
	for i, r := range word {
		switch {
		case unicode.IsUpper(r) && i > 0:
			return true
		case r == '.' && letters:
			next, _ := utf8.DecodeRuneInString(word[i+1:])
			return unicode.IsLetter(next)
		}
		letters = letters || unicode.IsLetter(r)
	}
	return false
}

// claimed is what a text claims without where it stands, as this package words it
// for a panel and for other sessions.
func (l *lexicon) claimed(text string) string {
	if place, quote, ok := strings.Cut(text, l.between(saySays)); ok && !strings.Contains(place, " ") {
		return strings.TrimSuffix(quote, `"`)
	}
	if open := strings.LastIndex(text, " ("); open > 0 && strings.HasSuffix(text, ")") {
		if file, _ := splitReference(text[open+len(" (") : len(text)-1]); file != "" {
			return text[:open]
		}
	}
	return text
}

// between is what stands between the place and the quotation of a sentence.
func (l *lexicon) between(key phrase) string {
	_, rest, _ := strings.Cut(l.sentences[key], "{place}")
	middle, _, _ := strings.Cut(rest, "{quote}")
	return middle
}

// statement is a sentence of a passage, and the lines that it stands on.
type statement struct {
	text        string
	first, last int
}

// statementsOf are the sentences of the prose of a passage: of its comments, and
// of all its lines where its file is a text. A sentence whose beginning is not
// seen is none: one begins with a capital, or with the name that is defined there.
func (l *lexicon) statementsOf(p *passage) []statement {
	var found []statement
	var words []string
	first, begun, name := 0, p.line == 1, l.defined(p.text)
	end := func(last int) {
		text := strings.TrimRight(strings.Join(words, " "), ".")
		if len(words) > 0 && (begun || beginsUpper(words[0]) || words[0] == name) && len(l.sequence(text)) >= minStated {
			found = append(found, statement{text, first, last})
		}
		words, begun = nil, true
	}
	lines := strings.Split(p.text, "\n")
	for i, line := range lines {
		prose, begins, ok := l.prose(p.path, line)
		if !ok || begins {
			end(p.line + i - 1)
		}
		for word := range strings.FieldsSeq(prose) {
			if len(words) == 0 {
				first = p.line + i
			}
			if words = append(words, word); strings.ContainsAny(word[len(word)-1:], ".!?") {
				end(p.line + i)
			}
		}
	}
	end(p.line + len(lines) - 1)
	return found
}

func beginsUpper(word string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(word, "`\"'“*"))
	return unicode.IsUpper(r)
}

// prose is what a line says in words, "" and not ok for code, a title, a table or
// an empty line. An item of a list begins a statement of its own.
func (l *lexicon) prose(path, line string) (text string, begins, ok bool) {
	fields := strings.Fields(line)
	switch text := isText(path); {
	case len(fields) == 0, !text && !l.comments[fields[0]]:
		return "", false, false
	case !text:
		fields = fields[1:]
	case strings.HasPrefix(fields[0], "#"), strings.HasPrefix(fields[0], "|"), strings.HasPrefix(fields[0], "```"):
		return "", false, false
	}
	if len(fields) > 0 && (fields[0] == "-" || fields[0] == "*") {
		return strings.Join(fields[1:], " "), true, true
	}
	return strings.Join(fields, " "), false, len(fields) > 0
}

func isText(path string) bool {
	return slices.ContainsFunc([]string{".md", ".txt", ".rst", ".adoc"}, func(end string) bool {
		return strings.HasSuffix(strings.ToLower(path), end)
	})
}

// narrowed is the passage without the lines that the statement does not stand on.
func (p *passage) narrowed(to *statement) passage {
	lines := strings.Split(p.text, "\n")
	part := *p
	part.line, part.last = to.first, to.last
	part.text = strings.Join(lines[to.first-p.line:to.last-p.line+1], "\n")
	return part
}

// readNumbers gives for each number as a word its figures.
func readNumbers() map[string]string {
	numbers := map[string]string{}
	for _, line := range lines("numbers") {
		for word := range strings.FieldsSeq(line) {
			numbers[word] = strconv.Itoa(len(numbers))
		}
	}
	return numbers
}
