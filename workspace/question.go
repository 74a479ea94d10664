package workspace

import (
	"bytes"
	"cmp"
	_ "embed" // for words.txt
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"golang.org/x/text/unicode/norm"
)

const (
	// maxTerms is the maximum number of different words of a question, so that a set of them fits in 64 bits.
	maxTerms = 64
	// maxQuestion is the maximum length of a question, in bytes; the rest is ignored.
	maxQuestion = 16 << 10
)

//go:embed words.txt
var wordLists string

// lists holds the lists of words.txt.
type lists struct {
	// stop and weak are sets of words. forms maps the stem of a word to the stems of its group.
	stop, weak map[string]bool
	forms      map[string][]string
	// foreign holds the stop words of each language with a stemmer.
	foreign map[string]map[string]bool
	// cut, faint and endings are about languages without spaces, and Korean.
	cut, endings []string
	faint        map[string]bool
	// opinion and judges are phrases that occur in questions for an opinion, and in their answers.
	opinion, judges []string
}

// readWords reads words.txt, whose sections start with a dashed line.
func readWords() *lists {
	w := &lists{
		stop: map[string]bool{}, weak: map[string]bool{}, forms: map[string][]string{}, faint: map[string]bool{},
		foreign: map[string]map[string]bool{},
	}
	section := ""
	for line := range strings.Lines(wordLists) {
		if name, begins := strings.CutPrefix(line, "-- "); begins {
			section, _, _ = strings.Cut(name, ":")
			continue
		}
		var stems []string
		for word := range strings.FieldsSeq(line) {
			switch section {
			case "stop", "korean":
				w.stop[word] = true
			case "weak":
				w.weak[word] = true
			case "forms":
				stems = append(stems, stemOf(word))
			case "cut":
				w.cut = append(w.cut, word)
			case "faint":
				w.faint[word] = true
			case "endings":
				w.endings = append(w.endings, word)
			case "opinion":
				w.opinion = append(w.opinion, strings.ReplaceAll(word, "_", " "))
				if first, _ := utf8.DecodeRuneInString(word); scriptOf(first) == paired {
					w.cut = append(w.cut, word)
				}
			case "judges":
				w.judges = append(w.judges, strings.ReplaceAll(word, "_", " "))
			default:
				if w.foreign[section] == nil {
					w.foreign[section] = map[string]bool{}
				}
				w.foreign[section][word] = true
			}
		}
		for _, s := range stems {
			w.forms[s] = stems
		}
	}
	longestFirst := func(a, b string) int { return cmp.Compare(len(b), len(a)) }
	slices.SortStableFunc(w.cut, longestFirst)
	slices.SortStableFunc(w.endings, longestFirst)
	return w
}

// stemmers returns the stemmers for lower-case words by language. For English, see stemOf.
func stemmers() map[string]func(*snowballstem.Env) bool {
	return map[string]func(*snowballstem.Env) bool{
		"de": german.Stem, "fr": french.Stem, "es": spanish.Stem, "pt": portuguese.Stem, "it": italian.Stem,
		"ru": russian.Stem,
	}
}

// language guesses the language of a question if it is not English, or returns "": by the stop words, or by the
// letters.
func (l *lists) language(text string) string {
	found, most := "", 0
	all := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return r != '-' && !unicode.IsLetter(r) && !unicode.IsMark(r)
	})
	count := func(stop map[string]bool) (n int) {
		for _, word := range all {
			if stop[word] {
				n++
			}
		}
		return n
	}
	english := count(l.stop)
	for _, name := range slices.Sorted(maps.Keys(l.foreign)) {
		if n := count(l.foreign[name]); n > max(most, english) {
			found, most = name, n
		}
	}
	if found == "" && strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
		return "ru"
	}
	return found
}

// says reports whether a text contains one of the phrases. "^" is the start of the text, and "*" any ending.
func says(text string, phrases []string) bool {
	text = " " + strings.Join(strings.Fields(strings.ToLower(norm.NFKC.String(text))), " ") + " "
	return slices.ContainsFunc(phrases, func(phrase string) bool {
		phrase, first := strings.CutPrefix(phrase, "^")
		phrase, open := strings.CutSuffix(phrase, "*")
		begin, _ := utf8.DecodeRuneInString(phrase)
		end, _ := utf8.DecodeLastRuneInString(phrase)
		for at := 0; ; {
			found := strings.Index(text[at:], phrase)
			if found < 0 {
				return false
			}
			at += found
			before, _ := utf8.DecodeLastRuneInString(text[:at])
			after, _ := utf8.DecodeRuneInString(text[at+len(phrase):])
			starts := scriptOf(begin) == paired || scriptOf(before) != spaced && before != '-'
			stops := open || scriptOf(end) == paired || scriptOf(after) != spaced && after != '-'
			if starts && stops && (!first || strings.Trim(text[:at], " ¿¡\"'") == "") {
				return true
			}
			at += len(phrase)
		}
	})
}

// term is a word, pair of characters or identifier in a question.
type term struct {
	// stems are the stems of a word and its irregular forms. An identifier has joined instead: its letters in lower
	// case without separators. A word in a script without spaces has a pair: two characters, or its only one.
	stems        []string
	joined, pair string
	weight       float64
	// A passage can match without an optional term. A term with alone set needs no second term.
	optional, alone bool
}

// query is a question prepared for searching. starts has a bit for each pair of lower-case bytes that starts a term.
type query struct {
	terms    []term
	mentions []mention
	starts   [256]uint32
	// identifiers are the indexes of terms that are identifiers, and pairs of those that are pairs of characters.
	identifiers []int
	pairs       map[string]int
	// inflect stems a lower-case word; it is nil for English.
	inflect func(*snowballstem.Env) bool
	// literal is a lower-case text to find anywhere, even inside words, or "".
	literal string
	// apart is the minimum number of lines between two passages of a file, because the lines around the first are
	// shown anyway.
	apart int
	// judges are phrases. Unless nil, a passage must contain one of them or the whole question.
	judges []string
}

// mention is a file or folder in a question, with a line or 0.
type mention struct {
	path string
	line int
}

// readQuestion extracts the words, identifiers and paths from a question.
func readQuestion(text string, lists *lists) *query {
	q := &query{pairs: map[string]int{}}
	text = strings.ToValidUTF8(text[:min(len(text), maxQuestion)], "")
	for field := range strings.FieldsSeq(text) {
		name := strings.Trim(field, "\"'`“”‘’()[]{}<>,;:!?.，。？！；：（）「」『』《》、")
		file, line, _ := strings.Cut(name, ":")
		line, _, _ = strings.Cut(line, "-")
		if strings.ContainsAny(file, "/.") && len(file) > 3 && path.Clean(file) != "." {
			number, _ := strconv.Atoi(line) // 0 if there is no line
			q.mentions = append(q.mentions, mention{strings.TrimPrefix(path.Clean(file), "/"), number})
		}
	}
	if says(text, lists.opinion) {
		q.judges = lists.judges
	}
	language := lists.language(text)
	q.inflect = stemmers()[language]
	// In a text without spaces, a Latin word is usually a name.
	names := strings.ContainsFunc(text, func(r rune) bool { return scriptOf(r) == paired })
	for w := (words{rest: []byte(text)}); w.next(); {
		if w.run != nil {
			q.addRun(norm.NFKC.String(string(w.run)), lists)
			continue
		}
		if w.identifier {
			q.add(term{joined: strings.ToLower(string(bytes.Join(w.parts, nil))), weight: 1.5, alone: true})
		}
		for _, part := range w.parts {
			part := lowered(part)
			asks := lists.stop[part] || lists.foreign[language][part] || q.judges != nil && says(part, lists.opinion)
			if asks || len(part) < 2 {
				continue
			}
			t := term{weight: 1, optional: w.identifier, alone: names}
			t.stems = append([]string{stemOf(part)}, lists.forms[stemOf(part)]...)
			if stem := q.inflected(part); stem != "" {
				t.stems = append(t.stems, inflectedMark+stem)
			}
			if lists.weak[part] {
				t.weight, t.optional, t.alone = 0.4, true, false
			}
			q.add(t)
		}
	}
	if !slices.ContainsFunc(q.terms, func(t term) bool { return !t.optional }) {
		for i := range q.terms {
			q.terms[i].optional = false
		}
	}
	return q
}

// inflectedMark is the prefix of foreign stems, so that they do not equal English ones.
const inflectedMark = "~"

// inflected returns the stem of a word in the question's language, or "" for English.
func (q *query) inflected(word string) string {
	if q.inflect == nil {
		return ""
	}
	env := snowballstem.NewEnv(word)
	q.inflect(env)
	return env.Current()
}

// addRun adds the pairs of characters of a text written without spaces, or of a Korean word.
func (q *query) addRun(run string, lists *lists) {
	if lists.stop[run] {
		return
	}
	if first, _ := utf8.DecodeRuneInString(run); unicode.Is(unicode.Hangul, first) {
		for _, ending := range lists.endings {
			if stem, ends := strings.CutSuffix(run, ending); ends &&
				(stem == "" || utf8.RuneCountInString(stem) > 1 || utf8.RuneCountInString(ending) > 1) {
				run = stem
				break
			}
		}
	}
	var pieces []string
	for from, at := 0, 0; at <= len(run); {
		length := 1
		word := slices.IndexFunc(lists.cut, func(word string) bool { return strings.HasPrefix(run[at:], word) })
		if word >= 0 {
			length = len(lists.cut[word])
		}
		if at == len(run) || word >= 0 {
			pieces = append(pieces, run[from:at])
			from = at + length
		}
		at += length
	}
	for _, piece := range pieces {
		pairsOf([]byte(piece), func(pair []byte, whole bool) {
			t := term{pair: string(pair), weight: 0.6}
			for _, r := range t.pair {
				if unicode.Is(unicode.Hiragana, r) || lists.faint[string(r)] {
					t.weight, t.optional = 0.2, true
				}
			}
			// A single character is a word in Chinese and Japanese.
			first, length := utf8.DecodeRuneInString(t.pair)
			if length == len(t.pair) && (t.optional || !whole || unicode.Is(unicode.Hangul, first)) {
				return
			}
			q.add(t)
		})
	}
}

// pairsOf calls use with each pair of adjacent characters in a run, or with a single character. Combining marks
// belong to the character before them. whole says that the pair is the whole run.
func pairsOf(run []byte, use func(pair []byte, whole bool)) {
	before, at := 0, 0
	for at < len(run) {
		start := at
		_, n := utf8.DecodeRune(run[at:])
		at += n
		for at < len(run) {
			r, n := utf8.DecodeRune(run[at:])
			if !unicode.IsMark(r) {
				break
			}
			at += n
		}
		if start > 0 || at == len(run) {
			use(run[before:at], before == 0 && at == len(run))
		}
		before = start
	}
}

// add adds a term unless it exists.
func (q *query) add(t term) {
	for i := range q.terms {
		known := &q.terms[i]
		if t.joined != known.joined || t.pair != known.pair {
			continue
		}
		if len(t.stems) == 0 || t.stems[0] == known.stems[0] {
			return
		}
	}
	if len(q.terms) == maxTerms {
		return
	}
	if t.joined != "" {
		q.identifiers = append(q.identifiers, len(q.terms))
		q.starts[t.joined[0]|0x20] |= 1<<('_'&31) | 1<<('-'&31) // "x_value" spells xValue
	}
	if t.pair != "" {
		q.pairs[t.pair] = len(q.terms)
	}
	q.terms = append(q.terms, t)
	for _, text := range append(t.stems, t.joined) {
		if text = strings.TrimPrefix(text, inflectedMark); len(text) > 1 {
			q.starts[text[0]|0x20] |= 1 << (text[1] & 31)
		}
	}
}

// seekLiteral makes the query find a text anywhere, even inside words.
func (q *query) seekLiteral(text string) {
	const longest = 500
	text = strings.TrimSpace(text)
	if n := len(text); n > 2 && text[0] == text[n-1] && strings.IndexByte("\"'`", text[0]) >= 0 {
		text = text[1 : n-1]
	}
	if len(text) <= longest && !strings.Contains(text, "\n") {
		q.literal = strings.ToLower(text)
	}
}

// literally reports whether a text contains the literal.
func (q *query) literally(text []byte) bool {
	if q.literal == "" {
		return false
	}
	return bytes.Contains(text, []byte(q.literal)) || bytes.Contains(bytes.ToLower(text), []byte(q.literal))
}

// names reports whether the question names a file: by its path, the end of it, or its base name.
func (q *query) names(file string) bool {
	return slices.ContainsFunc(q.mentions, func(m mention) bool {
		return m.path == file || strings.HasSuffix(file, "/"+m.path) || strings.HasPrefix(file, m.path+"/")
	})
}

// line returns the line of a file that the question names, or 0.
func (q *query) line(file string) int {
	for _, m := range q.mentions {
		if m.line > 0 && (m.path == file || strings.HasSuffix(file, "/"+m.path)) {
			return m.line
		}
	}
	return 0
}

// words iterates over the words of a text. "maxIdleConns" is an identifier with three parts, "kebab-case" a word with
// two. Text in a script without spaces, and a Korean word, is a run instead; a word ends where such a script starts.
type words struct {
	rest       []byte
	parts      [][]byte
	run        []byte
	identifier bool
	// known caches the terms of words.
	known map[string]uint64
}

// terms returns the query terms that a word matches.
func (w *words) terms(q *query, word []byte) uint64 {
	const longest, mostKnown = 64, 1 << 12
	found, known := w.known[string(word)]
	if known {
		return found
	}
	lower := lowered(word)
	stem, inflected := stemOf(lower), q.inflected(lower)
	for t := range q.terms {
		stems := q.terms[t].stems
		if slices.Contains(stems, stem) || inflected != "" && slices.Contains(stems, inflectedMark+inflected) {
			found |= 1 << t
		}
	}
	if w.known == nil {
		w.known = map[string]uint64{}
	}
	if len(w.known) < mostKnown && len(word) <= longest {
		w.known[string(word)] = found
	}
	return found
}

// lowered returns a word in lower case and normalized.
func lowered(word []byte) string { return strings.ToLower(norm.NFKC.String(string(word))) }

func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return isLower(c) || isUpper(c) || c >= 0x80 }

// script says how text is split into terms: at spaces in most scripts, into pairs of characters in some.
type script int

const (
	noScript script = iota // punctuation, signs and spaces
	spaced
	paired
)

func scriptOf(r rune) script {
	switch {
	case r < utf8.RuneSelf:
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return spaced
		}
		return noScript
	case 0x4E00 <= r && r < 0xA000, 0xAC00 <= r && r < 0xD7A4:
		return paired // Han and Hangul
	case r == utf8.RuneError:
		return spaced // a letter of another encoding
	case !unicode.In(r, unicode.L, unicode.M, unicode.Nd):
		return noScript
	case 0x0E00 <= r && r < 0x0F00, 0x1000 <= r && r < 0x10A0, 0x1100 <= r && r < 0x1200, 0x1780 <= r && r < 0x1800,
		0x3000 <= r && r < 0xA000, 0xAC00 <= r && r < 0xD800, 0xF900 <= r && r < 0xFB00, 0xFF66 <= r && r < 0xFFDD,
		0x20000 <= r && r < 0x40000:
		// Thai and Lao; Myanmar; Hangul; Khmer; Kana and Han; and their forms further up.
		return paired
	}
	return spaced
}

// next advances to the next word, and reports whether there is one. The word is in parts or in run.
func (w *words) next() bool {
	text, start := w.rest, 0
	w.parts, w.run = w.parts[:0], nil
	for start < len(text) {
		if text[start] < utf8.RuneSelf {
			if isLetter(text[start]) || isDigit(text[start]) {
				break
			}
			start++
			continue
		}
		r, n := utf8.DecodeRune(text[start:])
		script := scriptOf(r)
		if script == paired {
			end := start
			for scriptOf(r) == paired && end < len(text) {
				end += n
				r, n = utf8.DecodeRune(text[end:])
			}
			w.run, w.rest = text[start:end], text[end:]
			return true
		}
		if script == spaced {
			break
		}
		start += n
	}
	at, hyphen := start, false
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
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(text[at:])
			if scriptOf(r) != spaced {
				break loop
			}
			at += n - 1
		case c == '_' || c == '-' && isLetter(following(1)):
			hyphen = hyphen || c == '-'
			cut(at)
			start++
		case isUpper(c) && at > start:
			// A part starts at the B in "aB" and in "ABc", but not in the plural "IDs".
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

// spell reports whether the parts spell a lower-case identifier.
func (w *words) spell(identifier string) bool {
	for _, part := range w.parts {
		if len(part) > len(identifier) || !strings.EqualFold(identifier[:len(part)], string(part)) {
			return false
		}
		identifier = identifier[len(part):]
	}
	return identifier == ""
}

// stemOf removes endings from a lower-case English word, so that its forms match: "queues" and "queuing" become
// "queu", "authentication" and "authenticator" become "authent". The stem is a prefix of the word; the scan relies on
// that.
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
		// Keep "string" and "need".
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
