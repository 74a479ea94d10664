package gates

import (
	"bytes"
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/unicode/norm"
)

// atomKind is the kind of an atom, a part of a value that a model can invent.
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

// atom is a number, date, name or passage in the form in which it is compared.
type atom struct {
	kind atomKind
	// text is canonical: "1000" for "1,000.0", "2026-11-21" for a date in words.
	text string
	// with is the unit of a number, the zone of a time, the line of a file, or "".
	with string
	// shown is how it is written in the folded text.
	shown string
	// digits is how many digits of a number follow the point, negative if its last digits are not given
	// ("1.2k").
	digits int
	// whole means that the text holds nothing else.
	whole bool
	// exact marks the number of a version: 1.20 is not 1.2.
	exact bool
}

// atomsOf returns the atoms of a JSON value, including names and texts at any depth.
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

// How far the scanner looks ahead, in bytes, to stay linear in the text: for the scheme of a URL, for a code,
// and for a path or a passage in single quotes.
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
	// quoting reads quoted text as one atom. It is off for the texts that values are looked up in, so that
	// quotes hide nothing there.
	quoting bool
	// ranged is the index plus 1 of a number that shares the unit of the next: the 10 of "10-20 ms".
	ranged int
	// fileless is the end of a run of characters that is not a path; no suffix of it is one either.
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

// startsWord reports whether a word begins here. Digits after a non-ASCII letter begin one, since some scripts
// have no spaces between words.
func (s *scanner) startsWord() bool {
	if s.at == 0 {
		return true
	}
	before := s.text[s.at-1]
	return !isWord(before) || before >= utf8.RuneSelf && isDigit(s.text[s.at])
}

// skip moves past a word or a character.
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

// add appends an atom that ends at end, and moves there.
func (s *scanner) add(kind atomKind, text, with string, end int) {
	s.found = append(s.found, atom{kind: kind, text: text, with: with, shown: s.text[s.at:end]})
	s.at = end
}

// passage reads text in quotes or backticks. If it holds exactly one other atom, it is that atom: `10 ms` is a
// number.
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

// fence reads text between double backticks and skips triple ones: the text of a code block is scanned like any
// other.
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

// quoted reads the text between two offsets; marks is the length of a quote.
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

// apostrophes returns the length of a passage in single quotes, or -1. Unlike an apostrophe, both quotes are at
// the edge of a word.
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

// url reads scheme://… up to a space, a quote or a bracket, without the punctuation of the sentence around it.
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

// trimRight is strings.TrimRight, faster for short cutsets.
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

// trimmed removes the punctuation that ends a sentence, and brackets that were opened before the text.
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

// file reads a path with a slash or an extension, and the line after it: ./a//b.go:12 is a/b.go at line 12.
func (s *scanner) file() bool {
	b := s.text[s.at]
	if s.at < s.fileless || !isWord(b) && strings.IndexByte(`/\.~$`, b) < 0 {
		return false
	}
	end := fileEnd(s.text, s.at)
	run := end
	name := trimRight(s.text[s.at:end], ".,:;!?-*@#+=%$")
	end = s.at + len(name)
	switch {
	case !isFile(name):
		s.fileless = run
		return false
	case isDigit(b) && s.quantities(end):
		return true
	}
	line, stop := lineAt(s.text, end)
	cleaned := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	s.add(atomFile, cleaned, line, stop)
	return true
}

// fileEnd returns the end of a path. A colon ends it, except after a drive letter.
func fileEnd(text string, at int) int {
	end := at
	for end < len(text) && end-at < longestPath &&
		(isWord(text[end]) || strings.IndexByte(`./\-~+@%#*$`, text[end]) >= 0) {
		// A line follows the number sign.
		if text[end] == '#' {
			break
		}
		end++
		if end == at+1 && isLetter(text[at]) && byteAt(text, end) == ':' &&
			strings.IndexByte(`/\`, byteAt(text, end+1)) >= 0 &&
			byteAt(text, end+2) != '/' {
			end++
		}
	}
	return end
}

// quantities reads numbers with their units up to end: 10mb/s, 24/7 and 61/100 are not paths.
func (s *scanner) quantities(end int) bool {
	trial := scanner{text: s.text[:end], at: s.at, found: s.found[:len(s.found):len(s.found)]}
	for trial.number() {
		switch {
		case trial.at == end:
			s.found, s.at = trial.found, end
			return true
		case s.text[trial.at] == '/' || s.text[trial.at] == '-':
			trial.at++
		}
		if trial.at < end && !isDigit(s.text[trial.at]) {
			return false
		}
	}
	return false
}

// isFile reports whether a text is the name of a file or folder.
func isFile(name string) bool {
	if strings.ContainsAny(name, `/\`) {
		return strings.Trim(name, `/\.~`) != "" && !isAlternative(name)
	}
	if hidden, ok := strings.CutPrefix(name, "."); ok {
		return len(hidden) > 1 && isLetter(hidden[0]) && !strings.Contains(hidden, ".")
	}
	dot := strings.LastIndexByte(name, '.')
	if dot < 1 || len(name) < 4 || len(name)-dot > 6 || len(name)-dot < 2 {
		return false
	}
	return isLetter(name[dot+1]) && isWord(name[dot-1]) && !isInitials(name)
}

// isInitials reports whether a name is single letters with periods: u.s.a.
func isInitials(name string) bool {
	for part := range strings.SplitSeq(name, ".") {
		if len(part) > 1 {
			return false
		}
	}
	return true
}

// isAlternative reports whether a slash separates two words, or comes before a unit of time.
func isAlternative(name string) bool {
	switch name {
	case "and/or", "n/a", "w/", "w/o", "i/o", "tcp/ip", "he/she", "his/her", "s/he", "yes/no", "on/off", "true/false",
		"read/write", "input/output", "client/server", "either/or", "pros/cons", "ci/cd", "a/b", "up/down", "in/out",
		"start/stop", "before/after", "pass/fail", "http/https", "ipv4/ipv6", "http/1.1", "http/2", "http/3":
		return true
	}
	before, of, one := strings.Cut(name, "/")
	return one && before != "" && !strings.Contains(of, "/") && canonicalUnit(before) != "" && isTime(canonicalUnit(of))
}

// lineAt reads the line after a path: :12, :12-14, :12:5, #l12.
func lineAt(text string, at int) (line string, end int) {
	from := after(text, at, ":", "#l")
	if from == at {
		return "", at
	}
	end = digitsAt(text, from)
	if end == from {
		return "", at
	}
	line = text[from:end]
	for {
		next := after(text, end, "-l", "-", ":")
		stop := digitsAt(text, next)
		if next == end || stop == next {
			return line, end
		}
		line, end = line+"-"+text[next:stop], stop
	}
}

// code reads versions, hashes, addresses and names with a number in them: 1.2.3-rc1, go1.26, 3f9a2b1c,
// 10.0.0.1, cve-2026-1234.
func (s *scanner) code() bool {
	end := s.at
	for end < len(s.text) && end-s.at < longestCode &&
		(isWord(s.text[end]) || strings.IndexByte(".-+", s.text[end]) >= 0) {
		end++
	}
	word := trimRight(s.text[s.at:end], ".-+_")
	end = s.at + len(word)
	if word == "" || !strings.ContainsAny(word, "0123456789") || strings.IndexByte(`/\@`, byteAt(s.text, end)) >= 0 &&
		isWord(byteAt(s.text, end+1)) {
		return false
	}
	switch {
	case isHash(word):
		s.add(atomHash, word, "", end)
	case isVersion(word):
		if word[0] == 'v' && isDigit(word[1]) && strings.Contains(word, ".") {
			word = word[1:]
		}
		s.add(atomCode, word, "", end)
	case isNumbered(word), isRadix(word):
		s.add(atomCode, word, "", end)
	default:
		return false
	}
	return true
}

// shortestHash is the length of the shortest abbreviated hash.
const shortestHash = 7

// isHash reports whether a word is hexadecimal with digits and letters and long enough. Hyphens may separate
// the groups of a UUID.
func isHash(word string) bool {
	letters, digits, hyphens := 0, 0, 0
	for i := range len(word) {
		switch b := word[i]; {
		case isDigit(b):
			digits++
		case b >= 'a' && b <= 'f':
			letters++
		case b == '-' && i > 0:
			hyphens++
		default:
			return false
		}
	}
	if canonicalUnit(word[digitsAt(word, 0):]) != "" {
		return false
	}
	if letters == 1 && strings.IndexByte(word, 'e') > 0 && digits < 2*shortestHash {
		// 12345e67 is a number.
		return false
	}
	return letters > 0 && digits > 0 && letters+digits >= shortestHash &&
		(hyphens == 0 || hyphens == 4)
}

// isVersion reports whether a word is a version or an address: two periods between numbers, or one after
// letters.
func isVersion(word string) bool {
	letters := 0
	for letters < len(word) && isLetter(word[letters]) {
		letters++
	}
	if letters == len(word) || !isDigit(word[letters]) {
		return false
	}
	if word[0] == 'v' && letters == 1 {
		return true
	}
	points, at := 0, digitsAt(word, letters)
	for byteAt(word, at) == '.' && isDigit(byteAt(word, at+1)) {
		points++
		at = digitsAt(word, at+1)
	}
	return points > 1 || points == 1 && letters > 0 || points == 1 && byteAt(word, at) == '-' &&
		isLetter(byteAt(word, at+1)) && canonicalUnit(word[at+1:]) == ""
}

// isNumbered reports whether a word is a hyphenated name with a number: eu-west-1, utf-8.
func isNumbered(word string) bool {
	return isLetter(word[0]) && strings.Contains(word, "-") && !strings.HasSuffix(word, "-")
}

// isRadix reports whether a word is a number in another base: 0x1f, 0b101, 0o755.
func isRadix(word string) bool {
	if len(word) < len("0x1") || word[0] != '0' || strings.IndexByte("xbo", word[1]) < 0 {
		return false
	}
	for i := 2; i < len(word); i++ {
		if b := word[i]; !isDigit(b) && (word[1] != 'x' || b < 'a' || b > 'f') {
			return false
		}
	}
	return true
}

// fold normalizes a text for comparison: NFKC, lower case, single spaces, and one form of quotes, dashes and
// digits. Zero-width and other format characters are dropped.
func fold(text string) string {
	text = millions(text)
	for i := range len(text) {
		if text[i] < utf8.RuneSelf {
			continue
		}
		// Quotes and dashes come before NFKC, which changes some of them into other characters.
		text = strings.NewReplacer(
			"‐", "-", "‑", "-", "‒", "-", "–", "-", "—", "-", "―", "-", "−", "-", "﹣", "-",
			"“", `"`, "”", `"`, "„", `"`, "‟", `"`, "«", `"`, "»", `"`, "″", `"`, "「", `"`, "」", `"`, "『", `"`,
			"』", `"`, "〝", `"`, "〞", `"`, "〟", `"`, "❝", `"`, "❞", `"`,
			"‘", "'", "’", "'", "‚", "'", "‛", "'", "‹", "'", "›", "'", "′", "'", "❛", "'", "❜", "'",
			"⁰", "^0", "¹", "^1", "²", "^2", "³", "^3", "⁴", "^4", "⁵", "^5", "⁶", "^6", "⁷", "^7", "⁸", "^8",
			"⁹", "^9",
			"×", "x", "⁄", "/", "٪", "%", "٫", ".", "ß", "ss", "ẞ", "ss", "‰", " permille",
		).Replace(norm.NFC.String(text))
		text = strings.Map(plainRune, strings.ReplaceAll(norm.NFKC.String(text), "⁄", "/"))
		break
	}
	return strings.ReplaceAll(strings.Join(strings.Fields(strings.ToLower(text)), " "), "ς", "σ")
}

// plainRune drops format characters (-1), converts decimal digits to ASCII, and replaces other symbols by
// spaces.
func plainRune(r rune) rune {
	switch {
	case r < utf8.RuneSelf, strings.ContainsRune("€£¥°", r):
		return r
	case unicode.Is(unicode.Nd, r):
		// Decimal digits come in runs of ten.
		first := r
		for unicode.Is(unicode.Nd, first-1) {
			first--
		}
		return '0' + (r-first)%10
	case unicode.Is(unicode.Cf, r):
		return -1
	case r == 'μ':
		return 'µ'
	case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r):
		return r
	}
	return ' '
}

// millions replaces 10M by 10mn, since in lower case it would be ten minutes.
func millions(text string) string {
	var out strings.Builder
	for i := range len(text) {
		out.WriteByte(text[i])
		if text[i] != 'M' || i == 0 || isWord(byteAt(text, i+1)) || byteAt(text, i+1) >= 'A' &&
			byteAt(text, i+1) <= 'Z' {
			continue
		}
		if before := text[i-1]; isDigit(before) || before == ' ' && i > 1 && isDigit(text[i-2]) {
			out.WriteByte('n')
		}
	}
	return out.String()
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// isWord reports whether a byte of folded text is part of a word. Non-ASCII bytes are; currency and degree
// signs are handled before.
func isWord(b byte) bool {
	return b >= 'a' && b <= 'z' || isDigit(b) || b == '_' || b >= utf8.RuneSelf
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= utf8.RuneSelf }

// occurs reports whether a folded text contains a folded passage as whole words: no letter, digit or version number
// continues at its ends. A prefix may continue to the right.
func occurs(text, passage string, prefix bool) bool {
	for from := 0; passage != ""; {
		at := strings.Index(text[from:], passage)
		if at < 0 {
			return false
		}
		at += from
		end := at + len(passage)
		if begins(text, at) && (prefix || ends(text, end) && !continues(text, end, passage[0] == '-')) {
			return true
		}
		from = at + 1
	}
	return false
}

// continues reports whether a version has a pre-release suffix (1.2.3-rc1), or an option is part of a longer
// one (--force-with-lease).
func continues(text string, end int, option bool) bool {
	if byteAt(text, end) != '-' || !isWord(byteAt(text, end+1)) {
		return false
	}
	if option {
		return true
	}
	for _, stage := range [...]string{"alpha", "beta", "rc", "pre", "dev", "snapshot", "nightly", "canary"} {
		if isDigit(text[end-1]) && strings.HasPrefix(text[end+1:], stage) {
			return true
		}
	}
	return false
}

// joins are characters that belong to the word next to them: /tmp, --force, ../a.
const joins = `/\.-~=`

func begins(text string, at int) bool {
	if at == 0 {
		return true
	}
	if !isWord(text[at]) {
		return strings.IndexByte(joins, text[at]) < 0 || !isWord(text[at-1])
	}
	before := text[at-1]
	dotted := before == '.' && at > 1 && isDigit(text[at-2]) && isDigit(text[at])
	return !isWord(before) && !dotted
}

func ends(text string, end int) bool {
	if end == len(text) {
		return true
	}
	after := text[end]
	if !isWord(text[end-1]) {
		return strings.IndexByte(joins, text[end-1]) < 0 || !isWord(after)
	}
	dotted := after == '.' && end+1 < len(text) && isDigit(text[end+1]) && isDigit(text[end-1])
	return !isWord(after) && !dotted
}
