package dialectic

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// atomKind is the kind of an atom: the parts of a value that a model can invent.
type atomKind uint8

// The kinds. A code is a version or a name with a number in it; a passage is text in quotes or back-quotes.
const (
	atomNumber atomKind = iota
	atomDate
	atomClock
	atomURL
	atomFile
	atomCode
	atomHash
	atomPassage
)

// atom is one of them, in the form in which it is compared.
type atom struct {
	kind atomKind
	// text is canonical: "1000" for "1,000.0", "2026-11-21" for a date in words.
	text string
	// with is the unit of a number, the zone of a time, the line of a file, or "".
	with string
	// shown is how the folded text has it.
	shown string
	// digits is how many digits of a number follow the point, negative where its
	// last digits are not given ("1.2k").
	digits int
	// whole says that the text has nothing else.
	whole bool
	// exact marks the number of a version: 1.20 is not 1.2.
	exact bool
}

// atomsOf returns the atoms of a JSON value, of its names and texts at any depth.
func atomsOf(raw []byte) []atom {
	var found []atom
	eachLiteral(raw, func(text string, isNumber bool) {
		text = fold(text)
		s := scanner{text: text, quoting: !isNumber}
		s.run()
		for i := range s.found {
			s.found[i].whole = s.found[i].shown == text
		}
		found = append(found, s.found...)
	})
	return found
}

// eachLiteral visits the texts, names and numbers of a JSON value, in order.
func eachLiteral(raw []byte, visit func(text string, isNumber bool)) {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(raw),
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			return
		}
		if kind := token.Kind(); kind == '"' || kind == '0' {
			visit(token.String(), kind == '0')
		}
	}
}

// How far the scanner looks ahead, in bytes, so that it takes time in proportion to the text: for the scheme of a URL,
// for a code, and for a path or a passage in single quotes.
const (
	longestScheme = 32
	longestCode   = 136
	longestPath   = 1024
)

// scanner finds the atoms of a folded text.
type scanner struct {
	text  string
	at    int
	found []atom
	// quoting takes what stands between quotes for one atom. The texts that a
	// value is looked up in are taken as they are: there a quote hides nothing.
	quoting bool
	// ranged is the place of a number plus 1 that shares the unit of the next:
	// the 10 of "10-20 ms".
	ranged int
	// fileless is the end of a run of characters that is no path: nor is any part
	// of it that goes up to its end.
	fileless int
}

func (s *scanner) run() {
	for s.at < len(s.text) {
		if s.quoting && s.passage() {
			continue
		}
		if s.startsWord() && (s.url() || s.date() || s.clock() || s.code() || s.file() || s.number()) {
			continue
		}
		s.skip()
	}
}

// startsWord reports whether a word begins here. Digits after a letter beyond ASCII begin one, as some scripts have no
// blanks between words.
func (s *scanner) startsWord() bool {
	if s.at == 0 {
		return true
	}
	before := s.text[s.at-1]
	return !isWord(before) || before >= utf8.RuneSelf && isDigit(s.text[s.at])
}

// skip passes a word, or a character.
func (s *scanner) skip() {
	if !isWord(s.text[s.at]) {
		s.at++
		return
	}
	s.at++
	for s.at < len(s.text) && isWord(s.text[s.at]) && !s.startsWord() {
		s.at++
	}
}

// add appends an atom that ends before a place, and goes there.
func (s *scanner) add(kind atomKind, text, with string, end int) {
	s.found = append(s.found, atom{kind: kind, text: text, with: with, shown: s.text[s.at:end]})
	s.at = end
}

// passage takes text in quotes or back-quotes. If it is exactly one other atom, it is that: `10 ms` is a number.
func (s *scanner) passage() bool {
	quote := s.text[s.at]
	if quote != '`' && quote != '"' && quote != '\'' {
		return false
	}
	if quote == '`' && byteAt(s.text, s.at+1) == quote {
		return s.fence()
	}
	length := strings.IndexByte(s.text[s.at+1:], quote)
	if quote == '\'' {
		length = s.apostrophes()
	}
	if length < 0 {
		return false
	}
	return s.quoted(s.at+1, s.at+1+length, 1)
}

// fence takes what stands between two back-quotes on each side, and passes by
// three: what a block of code holds is looked at as any other text.
func (s *scanner) fence() bool {
	end := s.at
	for byteAt(s.text, end) == '`' {
		end++
	}
	if end-s.at == len("``") {
		if length := strings.Index(s.text[end:], "``"); length > 0 {
			return s.quoted(end, end+length, len("``"))
		}
	}
	s.at = end
	return true
}

// quoted takes what stands between two places; marks is how long a quote is.
func (s *scanner) quoted(from, end, marks int) bool {
	quote := s.text[s.at]
	inside := strings.Trim(s.text[from:end], " ")
	if quote == '`' {
		inside = strings.TrimSuffix(inside, "()")
	} else {
		inside = trimRight(inside, ".,;:!? ")
	}
	if inside == "" {
		s.at = end + marks
		return true
	}
	inner := scanner{text: inside}
	inner.run()
	if len(inner.found) == 1 && inner.found[0].shown == inside {
		a := inner.found[0]
		a.shown = s.text[s.at : end+marks]
		s.found, s.at = append(s.found, a), end+marks
		return true
	}
	s.add(atomPassage, inside, "", end+marks)
	return true
}

// apostrophes returns the length of a passage in single quotes, or -1. Both quotes are at the edge of words, unlike an
// apostrophe.
func (s *scanner) apostrophes() int {
	if s.at > 0 && isWord(s.text[s.at-1]) {
		return -1
	}
	for end := s.at + 1; end < len(s.text) && end-s.at < longestPath; end++ {
		if s.text[end] == '\'' && (end+1 == len(s.text) || !isWord(s.text[end+1])) {
			return end - s.at - 1
		}
	}
	return -1
}

// url takes scheme://… up to a blank, a quote or a bracket, without the
// punctuation of the sentence around it.
func (s *scanner) url() bool {
	end := s.at
	for end < len(s.text) && end-s.at < longestScheme &&
		(isLetter(s.text[end]) || isDigit(s.text[end]) || strings.IndexByte("+-.", s.text[end]) >= 0) {
		end++
	}
	if end == s.at || !isLetter(s.text[s.at]) || !strings.HasPrefix(s.text[end:], "://") {
		return false
	}
	for end < len(s.text) && strings.IndexByte(" \"'`<>", s.text[end]) < 0 {
		end++
	}
	end = s.at + len(trimmed(s.text[s.at:end]))
	address, _, _ := strings.Cut(s.text[s.at:end], "#")
	s.add(atomURL, strings.TrimRight(address, "/"), fragment(s.text[s.at:end]), end)
	return true
}

// trimRight is strings.TrimRight for the few bytes of a word's end.
func trimRight(text, cut string) string {
	for text != "" && strings.IndexByte(cut, text[len(text)-1]) >= 0 {
		text = text[:len(text)-1]
	}
	return text
}

func fragment(url string) string {
	_, after, _ := strings.Cut(url, "#")
	return after
}

// trimmed takes off the punctuation that ends a sentence, and brackets that
// were opened before.
func trimmed(text string) string {
	for text != "" {
		last := text[len(text)-1]
		switch {
		case strings.IndexByte(".,;:!?*", last) >= 0:
		case last == ')' && strings.Count(text, "(") < strings.Count(text, ")"):
		case last == ']' && strings.Count(text, "[") < strings.Count(text, "]"):
		case last == '}' && strings.Count(text, "{") < strings.Count(text, "}"):
		default:
			return text
		}
		text = text[:len(text)-1]
	}
	return text
}
