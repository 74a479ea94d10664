package dialectic

import (
	"strconv"
	"strings"
)

// numeral is a number as it is written.
type numeral struct {
	negative bool
	// The digits before and after the point, and the power of ten to multiply the number by.
	whole, fraction string
	power           int
	// end is where it ends in the text.
	end int
}

// number takes a number with its sign, separators, scale and unit, and numbers attached to it: 1h30m.
func (s *scanner) number() bool {
	if !s.oneNumber() {
		return false
	}
	for s.at < len(s.text) && isDigit(s.text[s.at]) && !isDigit(s.text[s.at-1]) && s.oneNumber() {
		continue
	}
	return true
}

func (s *scanner) oneNumber() bool {
	at := s.at
	currency := 0
	if sign := currencyAt(s.text[at:]); sign != "" {
		currency = len(sign)
		at += currency
	}
	n, ok := s.numeral(at)
	if !ok {
		return false
	}
	unit, power, end := unitAt(s.text, n.end)
	n.power += power
	if unit == "" && currency > 0 {
		unit = canonicalUnit(s.text[s.at : s.at+currency])
	}
	text, ok := n.canonical()
	if !ok {
		return false
	}
	bare, before := unit == "", s.ranged
	s.add(atomNumber, text, unit, end)
	last := len(s.found) - 1
	s.found[last].digits = len(n.fraction) - n.power
	if before > 0 && s.found[before-1].with == "" {
		s.found[before-1].with = unit
	}
	s.ranged = 0
	if bare && end+1 < len(s.text) && s.text[end] == '-' && isDigit(s.text[end+1]) {
		s.ranged = last + 1
	}
	return true
}

// currencyAt returns the sign of a currency that a text begins with, or "".
func currencyAt(text string) string {
	for _, sign := range [...]string{"$", "€", "£", "¥"} {
		if strings.HasPrefix(text, sign) {
			return sign
		}
	}
	return ""
}

// digitsAt returns the end of the digits at a place.
func digitsAt(text string, at int) int {
	for at < len(text) && isDigit(text[at]) {
		at++
	}
	return at
}

// numeral reads a number without its unit.
func (s *scanner) numeral(at int) (numeral, bool) {
	var n numeral
	if at < len(s.text) && (s.text[at] == '-' || s.text[at] == '+') {
		// What follows a bracket is a difference, not a sign.
		if at > 0 && s.text[at-1] == ')' {
			return n, false
		}
		n.negative = s.text[at] == '-'
		at++
		if sign := currencyAt(s.text[at:]); sign != "" {
			at += len(sign)
		}
	}
	end := digitsAt(s.text, at)
	before := byte(0)
	if at > 0 {
		before = s.text[at-1]
	}
	// The second point of 10..20 is not that of a number.
	if end == at && (byteAt(s.text, at) != '.' || !isDigit(byteAt(s.text, at+1)) || before == '.') {
		return n, false
	}
	n.whole = s.text[at:end]
	n.group(s.text, end, before == '[' || before == ',')
	n.exponent(s.text)
	return n, true
}

// group reads the separators of thousands and of decimals behind the digits that
// end at a place; listed says that they stand in a list.
func (n *numeral) group(text string, end int, listed bool) {
	if len(n.whole) <= 3 && n.whole != "" && n.whole != "0" {
		end = n.thousands(text, end)
	}
	n.end = end
	switch byteAt(text, end) {
	case '.':
		if to := digitsAt(text, end+1); to > end+1 {
			n.fraction, n.end = text[end+1:to], to
		}
	case ',':
		// A comma between digits is a decimal comma unless it groups thousands or separates a list.
		to := digitsAt(text, end+1)
		listed = listed || byteAt(text, to) == ',' && isDigit(byteAt(text, to+1))
		if to > end+1 && !listed {
			n.fraction, n.end = text[end+1:to], to
		}
	}
}

// thousands reads groups of three digits, and returns where they end.
func (n *numeral) thousands(text string, at int) int {
	separator := byteAt(text, at)
	if separator == 0 || strings.IndexByte(",_' .", separator) < 0 {
		return at
	}
	whole, end := n.whole, at
	for byteAt(text, end) == separator && threeAt(text, end+1) {
		whole += text[end+1 : end+4]
		end += 4
	}
	// 1.234,56: points group where a comma shows it.
	if separator == '.' && !(byteAt(text, end) == ',' && isDigit(byteAt(text, end+1))) {
		return at
	}
	n.whole = whole
	return end
}

// threeAt reports whether exactly three digits stand at a place.
func threeAt(text string, at int) bool { return digitsAt(text, at) == at+3 }

// byteAt is the byte at a place, 0 beyond the end.
func byteAt(text string, at int) byte {
	if at >= len(text) {
		return 0
	}
	return text[at]
}

// exponent reads e-3.
func (n *numeral) exponent(text string) {
	if byteAt(text, n.end) != 'e' {
		return
	}
	from := n.end + 1
	to := from
	if b := byteAt(text, to); b == '+' || b == '-' {
		to++
	}
	to = digitsAt(text, to)
	if to < len(text) && isWord(text[to]) {
		return
	}
	if power, err := strconv.Atoi(text[from:to]); err == nil && power >= -farthest && power <= farthest {
		n.power, n.end = power, to
	}
}

// canonical writes the number in plain digits, without zeros that say nothing;
// ok is false for one that is too far from 1 to be written so.
func (n *numeral) canonical() (text string, ok bool) {
	digits, point := n.whole+n.fraction, len(n.whole)+n.power
	for digits != "" && digits[0] == '0' {
		digits = digits[1:]
		point--
	}
	digits = trimRight(digits, "0")
	if digits == "" {
		return "0", true
	}
	if point > len(n.whole)+2*farthest || point < -2*farthest {
		return "", false
	}
	switch {
	case point <= 0:
		digits = "0." + strings.Repeat("0", -point) + digits
	case point >= len(digits):
		digits += strings.Repeat("0", point-len(digits))
	default:
		digits = digits[:point] + "." + digits[point:]
	}
	if n.negative {
		digits = "-" + digits
	}
	return digits, true
}

// unitAt reads what follows a number: a scale, by its power of ten, and a unit
// in its canonical form. It returns where they end.
func unitAt(text string, at int) (unit string, power, end int) {
	word, from, to := unitWord(text, at)
	attached := from == at
	if p := scale(word); p > 0 && (attached || word != "k") {
		power, at, attached = p, to, false
		word, _, to = unitWord(text, at)
	}
	switch {
	case word == "":
		return "", power, at
	case attached && isOrdinal(word):
		return "", power, to
	case word == "per" && strings.HasPrefix(text[to:], " cent") && !isWord(byteAt(text, to+len(" cent"))):
		return percent, power, to + len(" cent")
	}
	unit = canonicalUnit(word)
	switch {
	case !attached && (unit == "" || len(word) == 1 && !isShortUnit(word)):
		return "", power, at
	case unit == "":
		unit = word
	}
	of, to := rateAt(text, to)
	return unit + of, power, to
}

// rateAt reads what a unit is measured in: /s in req/s, and in requests per
// second.
func rateAt(text string, at int) (of string, end int) {
	for _, per := range [...]string{"/", " per ", "/ "} {
		if !strings.HasPrefix(text[at:], per) {
			continue
		}
		word, from, to := unitWord(text, at+len(per))
		if from == at+len(per) && isTime(canonicalUnit(word)) {
			return "/" + canonicalUnit(word), to
		}
	}
	return "", at
}

// unitWord returns the word or sign that may be a unit, directly at a place or
// after a blank or a hyphen ("30-second").
func unitWord(text string, at int) (word string, from, to int) {
	from = at
	if b := byteAt(text, from); b == ' ' || b == '-' {
		from++
	}
	rest := text[min(from, len(text)):]
	if strings.HasPrefix(rest, "%") {
		return "%", from, from + 1
	}
	if sign := currencyAt(rest); sign != "" {
		return sign, from, from + len(sign)
	}
	to = from
	for to < len(text) {
		if n := unitLetter(text[to:]); n > 0 {
			to += n
			continue
		}
		break
	}
	// A word followed by digits is a unit only if it is attached: 1h30m.
	if to < len(text) && (text[to] == '_' || isDigit(text[to]) && from != at) {
		return "", at, at
	}
	return text[from:to], from, to
}

// unitLetter is the length of the letter that a text begins with, if units are
// written with it, else 0.
func unitLetter(text string) int {
	switch {
	case text[0] >= 'a' && text[0] <= 'z':
		return 1
	case strings.HasPrefix(text, "°"), strings.HasPrefix(text, "µ"):
		return len("µ")
	}
	return 0
}
