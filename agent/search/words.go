package search

import (
	"bytes"
	"strings"
)

// A part is one piece of an identifier or word, as byte offsets in its line.
// The parts of one identifier share its ordinal: "maxIdleConns" has three.
type part struct {
	start, end int
	word       int
}

// splitWords appends the parts of line to parts. A word is a run of letters,
// digits and underscores, with single hyphens between letters (kebab-case); it
// is cut at underscores, hyphens and where the case changes ("HTTPServer" is
// "HTTP" and "Server", "userIDs" is "user" and "IDs"). Bytes beyond ASCII count
// as letters without case, so that any encoding goes through unharmed.
func splitWords(parts []part, line []byte) []part {
	word := 0
	for i := 0; i < len(line); {
		if !isLetter(line[i]) && !isDigit(line[i]) {
			i++
			continue
		}
		end := wordEnd(line, i)
		parts = splitIdentifier(parts, line[:end], i, word)
		word++
		i = end
	}
	return parts
}

// wordEnd returns where the word that begins at i ends.
func wordEnd(line []byte, i int) int {
	for ; i < len(line); i++ {
		c := line[i]
		if isLetter(c) || isDigit(c) || c == '_' {
			continue
		}
		if c == '-' && i+1 < len(line) && isLetter(line[i+1]) && isLetter(line[i-1]) {
			continue
		}
		break
	}
	return i
}

func splitIdentifier(parts []part, line []byte, start, word int) []part {
	for i := start; i < len(line); i++ {
		if line[i] == '_' || line[i] == '-' {
			if i > start {
				parts = append(parts, part{start, i, word})
			}
			start = i + 1
			continue
		}
		if i > start && caseBoundary(line, i) {
			parts = append(parts, part{start, i, word})
			start = i
		}
	}
	if start < len(line) {
		parts = append(parts, part{start, len(line), word})
	}
	return parts
}

// caseBoundary says whether a new part begins at the letter line[i].
func caseBoundary(line []byte, i int) bool {
	if !isUpper(line[i]) {
		return false
	}
	before := line[i-1]
	if isLower(before) {
		return true
	}
	if i+1 >= len(line) || !isLower(line[i+1]) || !isUpper(before) && !isDigit(before) {
		return false
	}
	// The last letter of an acronym's plural starts no word: "IDs".
	plural := line[i+1] == 's' && (i+2 >= len(line) || !isLower(line[i+2]))
	return !plural
}

func isUpper(c byte) bool  { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool  { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return isLower(c) || isUpper(c) || c >= 0x80 }

// stem cuts the endings of English inflection from a lower-case word: plural,
// -ed, -ing, and the final e or y, on which the inflected forms differ
// ("queue" and "queuing" are "queu", "retry" and "retries" are "retr"). The
// stem is always a prefix of the word, which the scan relies on.
func stem(word []byte) []byte {
	word = cutPlural(word)
	switch {
	case len(word) > 4 && bytes.HasSuffix(word, []byte("ing")):
		word = cutInflection(word, 3)
	case len(word) > 4 && bytes.HasSuffix(word, []byte("ied")):
		return word[:len(word)-3]
	case len(word) > 3 && bytes.HasSuffix(word, []byte("ed")) && word[len(word)-3] != 'e':
		word = cutInflection(word, 2)
	}
	n := len(word)
	switch {
	case n > 3 && word[n-1] == 'e':
		word = word[:n-1]
	case n > 3 && word[n-1] == 'y' && !isVowel(word[n-2]):
		word = word[:n-1]
	case n > 5 && word[n-1] == 'l' && word[n-2] == 'l':
		word = word[:n-1]
	}
	return word
}

func cutPlural(word []byte) []byte {
	n := len(word)
	if n < 4 || word[n-1] != 's' {
		return word
	}
	switch before := word[n-2]; {
	case before == 's' || before == 'u' || before == 'i':
		return word
	case n > 4 && bytes.HasSuffix(word, []byte("ies")):
		return word[:n-3]
	case bytes.HasSuffix(word, []byte("sses")), bytes.HasSuffix(word, []byte("xes")),
		bytes.HasSuffix(word, []byte("ches")), bytes.HasSuffix(word, []byte("shes")):
		return word[:n-2]
	default:
		return word[:n-1]
	}
}

// cutInflection cuts the last n bytes if a word remains: three letters or more
// with a vowel among them, so that "string" and "need" stay. A consonant that
// was doubled for the ending goes too ("running", "stopped").
func cutInflection(word []byte, n int) []byte {
	rest := word[:len(word)-n]
	if len(rest) < 3 || !hasVowel(rest) {
		return word
	}
	last := rest[len(rest)-1]
	if last == rest[len(rest)-2] && !isVowel(last) && last != 's' && last != 'l' && last != 'z' && len(rest) > 3 {
		rest = rest[:len(rest)-1]
	}
	return rest
}

func hasVowel(word []byte) bool {
	for _, c := range word {
		if isVowel(c) || c == 'y' {
			return true
		}
	}
	return false
}

func isVowel(c byte) bool {
	return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'
}

// root cuts the endings that make one word of another from a stem, as often as
// they follow each other: "authentication", "authenticator" and "authenticate"
// meet at "authent". Four letters always remain. Like stem it returns a prefix.
func root(stem []byte) []byte {
	const endings = "ization isation ation ition ion ment er or abl ibl iv al anc enc ic iz is at nes ful ag ur"
	for rest := endings; rest != ""; {
		var ending string
		ending, rest, _ = strings.Cut(rest, " ")
		if cut := len(stem) - len(ending); cut >= 4 && string(stem[cut:]) == ending {
			stem, rest = stem[:cut], endings
		}
	}
	return stem
}
