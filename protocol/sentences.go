package protocol

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// FirstNonBlank returns the first text that is not blank, or "".
func FirstNonBlank(texts ...string) string {
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			return t
		}
	}
	return ""
}

// FirstSentence returns the first sentence of a text: a full stop, question or exclamation mark ends
// it if white space and a capital letter follow.
func FirstSentence(text string) string {
	text = strings.TrimSpace(text)
	for i := 0; i+2 < len(text); i++ {
		if !strings.ContainsRune(".!?", rune(text[i])) {
			continue
		}
		rest := strings.TrimLeft(text[i+1:], " \t\r\n")
		if len(rest) == len(text)-i-1 || rest == "" {
			continue
		}
		next, _ := utf8.DecodeRuneInString(rest)
		if unicode.IsUpper(next) && !abbreviation(text[:i]) {
			return text[:i+1]
		}
	}
	return text
}

// abbreviation reports whether the text ends like "e.g" or "vs", so that the
// full stop behind it ends no sentence.
func abbreviation(text string) bool {
	word := strings.ToLower(text[strings.LastIndexAny(text, " (\t\n")+1:])
	switch word {
	case "e.g", "i.e", "vs", "cf", "etc", "approx", "no", "fig":
		return true
	}
	return len(word) == 1
}

// positive reports whether a reason supports a point, rather than only saying that no problem was
// found (JU2).
func positive(reason string) bool { return strings.TrimSpace(reason) != "" && !FoundNothing(reason) }

// FoundNothing reports whether a text only says that no problem was found. With SKEPTICAL or REJECT
// that is a contradiction (RD3).
func FoundNothing(text string) bool {
	plain := strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && r != '\''
	}), " ")
	for _, lead := range []string{
		"i ", "we ", "there is ", "there are ", "there were ", "have ", "found ", "see ",
		"could find ", "can find ",
	} {
		plain = strings.TrimPrefix(plain, lead)
	}
	switch plain {
	case "no flaw", "no flaws", "no problem", "no problems", "no issue", "no issues", "none", "nothing", "n a", "na",
		"no objection", "no objections", "nothing wrong", "no concrete flaw", "no flaw found", "no problem found",
		"no problems found", "no issue found", "no issues found", "looks good", "looks fine", "looks good to me",
		"lgtm",
		"seems fine", "seems good", "fine", "ok", "okay", "good", "no concerns", "i agree", "agree", "agreed":
		return true
	}
	return false
}
