package resolver

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// StatesRange reports whether a text gives a range: two numbers, the lower first,
// with a dash or "to" between them, "between … and …", ±, or a number that is a bound,
// as in "at most 20 ms". Dates, versions, lines of a file and what changed from one
// number to another are none.
func StatesRange(text string) bool {
	if !strings.ContainsAny(text, "0123456789") {
		return false
	}
	for _, dash := range [...]string{"–", "—", "−"} {
		text = strings.ReplaceAll(text, dash, "-")
	}
	tokens := strings.Fields(strings.ReplaceAll(strings.ReplaceAll(text, "+/-", "±"), "+-", "±"))
	for i := range tokens {
		// A number may begin with a dot, and ends in none.
		tokens[i] = strings.ToLower(strings.TrimLeft(strings.TrimRight(tokens[i], ".,;:!?)]}\"'`*_"), "([{\"'`*_"))
	}
	for i := range tokens {
		r := &ranges{tokens: tokens, at: i}
		if r.deviates() || r.dashed() || r.spoken() || r.between() || r.bound() {
			return true
		}
	}
	return false
}

// ranges looks for a range at one of the tokens of a text.
type ranges struct {
	tokens []string
	at     int
}

// token is that so many places on, "" beyond the ends.
func (r *ranges) token(on int) string {
	if i := r.at + on; i >= 0 && i < len(r.tokens) {
		return r.tokens[i]
	}
	return ""
}

// quantity is a number with its unit.
type quantity struct {
	value float64
	unit  string
	// year says that it reads as a year.
	year bool
}

// quantityOf reads "20", "1,000", "$5", "10%" or "20ms"; versions and names that hold
// digits are none.
func quantityOf(token string) (quantity, bool) {
	token = strings.TrimLeft(token, "$€£~≈")
	end := strings.IndexFunc(token, func(c rune) bool { return (c < '0' || c > '9') && c != '.' && c != ',' })
	if end < 0 {
		end = len(token)
	}
	unit := token[end:]
	value, err := strconv.ParseFloat(strings.ReplaceAll(token[:end], ",", ""), 64)
	odd := strings.ContainsFunc(unit, func(c rune) bool { return !unicode.IsLetter(c) && c != '%' && c != '°' })
	if err != nil || odd || slices.Contains([]string{"st", "nd", "rd", "th"}, unit) {
		return quantity{}, false
	}
	const first, last = 1900, 2100
	return quantity{value: value, unit: unit, year: unit == "" && end == 4 && value >= first && value <= last}, true
}

// span reports whether two tokens are the ends of a range.
func span(from, to string) bool {
	low, isNumber := quantityOf(from)
	high, too := quantityOf(to)
	if !isNumber || !too || low.year && high.year {
		return false
	}
	return low.value < high.value || low.unit != high.unit && low.unit != ""
}

// deviates is "±2", "20±2" and "± 2 ms".
func (r *ranges) deviates() bool {
	_, after, found := strings.Cut(r.token(0), "±")
	if !found {
		return false
	}
	if after == "" {
		after = r.token(1)
	}
	_, isNumber := quantityOf(after)
	return isNumber
}

// dashed is "10-20" and "10 - 20".
func (r *ranges) dashed() bool {
	if r.names() {
		return false
	}
	if r.token(1) == "-" {
		return span(r.token(0), r.token(2))
	}
	from, to, found := strings.Cut(r.token(0), "-")
	if _, err := strconv.ParseFloat(r.token(0), 64); !found || err == nil {
		// 1e-3 is one number.
		return false
	}
	return span(from, to)
}

// names reports whether the number here is the name of something: line 3, version 2.
func (r *ranges) names() bool {
	switch strings.TrimSuffix(r.token(-1), "s") {
	case "line", "page", "step", "section", "rule", "version", "release", "chapter", "row", "column", "item", "go", "python", "rfc", "issue", "figure", "round", "point":
		return true
	}
	return false
}

// spoken is "10 to 20 ms", "10 ms to 2 s" and "2 or 3", but not "was raised from 10
// to 20".
func (r *ranges) spoken() bool {
	from, join := r.token(0), 1
	if isUnit(r.token(1)) {
		from, join = from+r.token(1), 2
	}
	if word := r.token(join); word != "to" && word != "or" || !span(from, r.token(join+1)) || r.names() {
		return false
	}
	if r.token(-1) != "from" {
		return true
	}
	return !slices.ContainsFunc(r.tokens[max(0, r.at-8):r.at], changed)
}

// changed reports whether a word says that a number was another one before.
func changed(word string) bool {
	return slices.ContainsFunc([]string{
		"rais", "rise", "rose", "lower", "chang", "went", "goes", "gone", "upgrad", "downgrad", "drop", "fall", "fell", "grew", "grow", "cut", "reduc",
		"increas", "decreas", "mov", "extend", "shorten", "bump", "doubl", "halv", "improv", "shr", "expand",
	}, func(start string) bool { return strings.HasPrefix(word, start) })
}

// between is "between 3 and 5".
func (r *ranges) between() bool {
	if r.token(0) != "between" {
		return false
	}
	join := 2
	if r.token(2) != "and" {
		join = 3
	}
	return r.token(join) == "and" && span(r.token(1), r.token(join+1))
}

// bound is a number that is the most or the least.
func (r *ranges) bound() bool {
	number := strings.TrimLeft(r.token(0), "<>=≤≥")
	q, isNumber := quantityOf(number)
	if !isNumber || q.year {
		return false
	}
	if number != r.token(0) && !strings.HasPrefix(r.token(0), "=") {
		return true
	}
	switch r.token(-1) {
	case "within", "under", "below", "above", "over", "≤", "≥", "<", ">", "<=", ">=":
		return true
	case "most", "least":
		return r.token(-2) == "at"
	case "to":
		return r.token(-2) == "up"
	case "than":
		return slices.Contains([]string{"more", "less", "fewer", "longer", "faster", "slower", "higher", "lower", "greater"}, r.token(-2))
	}
	return false
}
