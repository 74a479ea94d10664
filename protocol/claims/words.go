package claims

import (
	"strings"
	"unicode"
)

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
