package gates

import (
	"slices"
	"strconv"
	"strings"
)

// numeral is the written form of a number.
type numeral struct {
	negative bool
	// The digits before and after the point, and the power of ten to multiply the number by.
	whole, fraction string
	power           int
	// end is where it ends in the text.
	end int
}

// number reads a number with its sign, separators, scale and unit, and numbers attached to it: 1h30m.
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

// currencyAt returns the currency sign that a text begins with, or "".
func currencyAt(text string) string {
	for _, sign := range [...]string{"$", "€", "£", "¥"} {
		if strings.HasPrefix(text, sign) {
			return sign
		}
	}
	return ""
}

// digitsAt returns the end of the digits at an offset.
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
		// After a bracket it is a minus, not a sign.
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
	// The second period of 10..20 does not belong to a number.
	if end == at && (byteAt(s.text, at) != '.' || !isDigit(byteAt(s.text, at+1)) || before == '.') {
		return n, false
	}
	n.whole = s.text[at:end]
	n.group(s.text, end, before == '[' || before == ',')
	n.exponent(s.text)
	return n, true
}

// group reads thousands and decimal separators after the digits that end at an offset. listed means that they
// are in a list.
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
	// 1.234,56: a comma shows that the periods group digits.
	if separator == '.' && !(byteAt(text, end) == ',' && isDigit(byteAt(text, end+1))) {
		return at
	}
	n.whole = whole
	return end
}

// threeAt reports whether exactly three digits are at an offset.
func threeAt(text string, at int) bool { return digitsAt(text, at) == at+3 }

// byteAt returns the byte at an offset, or 0 beyond the end.
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

// canonical writes the number in plain digits without redundant zeros. ok is false if it is too large or too
// small.
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

// unitAt reads the scale (a power of ten) and the canonical unit after a number. It returns where they end.
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
	// Other single letters after a space are names: plan 3 b.
	case !attached && (unit == "" || len(word) == 1 && !strings.ContainsAny(word, "smhdgx%")):
		return "", power, at
	case unit == "":
		unit = word
	}
	of, to := rateAt(text, to)
	return unit + of, power, to
}

// rateAt reads the time of a rate: /s in req/s and in requests per second.
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

// unitWord returns the word or sign that may be a unit, directly at an offset or after a space or hyphen
// ("30-second").
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

// unitLetter returns the length of the first letter if units may contain it, else 0.
func unitLetter(text string) int {
	switch {
	case text[0] >= 'a' && text[0] <= 'z':
		return 1
	case strings.HasPrefix(text, "°"), strings.HasPrefix(text, "µ"):
		return len("µ")
	}
	return 0
}

const percent = "%"

// units lists groups of words for the same unit, the canonical one first. Units are distinguished, not
// converted.
const units = "| % percent pct | usd $ dollar dollars | eur € euro euros | gbp £ pound pounds | jpy ¥ yen | permille " +
	"| x time times fold | ° degree degrees | °c celsius | °f fahrenheit " +
	"| ns nanosecond nanoseconds | µs us microsecond microseconds | ms msec msecs millis millisecond milliseconds " +
	"| s sec secs second seconds | min m mins minute minutes | h hr hrs hour hours | d day days " +
	"| w wk wks week weeks | month mo months | y yr yrs year years " +
	"| b byte bytes | bit bits | kb kilobyte kilobytes | mb megabyte megabytes | gb gigabyte gigabytes " +
	"| tb terabyte terabytes | pb petabyte petabytes | kib | mib | gib | tib | pib | kbps | mbps | gbps | bps " +
	"| kbit | mbit | gbit | qps | rps | tps | iops | hz | khz | mhz | ghz | mm | cm | km | mg | g | kg | kw | kwh " +
	"| mw | mwh | dpi | px | pp | metre meter meters metres | request req | person people "

// nouns are countable nouns that numbers come with, in the singular.
const nouns = " request user row line file call query retry connection node server engineer person core cpu replica " +
	"pod instance host shard partition message event item test error failure customer token point commit dependency " +
	"region zone cluster worker thread process job task attempt round client record table column key page ticket " +
	"incident alert service machine vm container byte packet session transaction deploy deployment release version " +
	"change account device order article seat member vulnerability reply entry copy proxy patch batch crash class " +
	"address case step stage "

// canonicalUnit returns the canonical word for a unit, or "".
func canonicalUnit(word string) string {
	if word == "" || strings.ContainsAny(word, " |") {
		return ""
	}
	if at := strings.Index(units, " "+word+" "); at >= 0 {
		group := units[strings.LastIndexByte(units[:at+1], '|')+1:]
		return strings.Fields(group)[0]
	}
	singular := word
	if stem, ok := strings.CutSuffix(word, "ies"); ok {
		singular = stem + "y"
	} else if stem, ok := strings.CutSuffix(word, "es"); ok && len(stem) > 2 &&
		strings.ContainsAny(stem[len(stem)-1:], "sxh") {
		singular = stem
	} else if len(word) > 1 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
		singular = word[:len(word)-1]
	}
	if strings.Contains(nouns, " "+singular+" ") {
		return singular
	}
	return ""
}

// isTime reports whether a canonical unit is one of time.
func isTime(unit string) bool {
	return slices.Contains([]string{"ns", "µs", "ms", "s", "min", "h", "d", "w", "month", "y"}, unit)
}

// isOrdinal reports whether letters after a number make it an ordinal: 3rd.
func isOrdinal(word string) bool {
	return word == "st" || word == "nd" || word == "rd" || word == "th"
}

// scale returns the power of ten of a word such as thousand, or 0.
func scale(word string) int {
	switch word {
	case "k", "thousand", "thousands":
		return 3
	case "mn", "mio", "million", "millions":
		return 6
	case "bn", "mrd", "billion", "billions":
		return 9
	case "tn", "trillion", "trillions":
		return 12
	}
	return 0
}
