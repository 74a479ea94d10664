package gates

import (
	"bytes"
	"cmp"
	"fmt"
	"math/big"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/unicode/norm"
)

// atomKind is the kind of an atom, a part of a value that a model can invent.
type atomKind uint8

// The kinds. A name is a URL, a path, a version, a hash or a name with a number in it; a passage is text in
// quotes or backticks.
const (
	atomNumber atomKind = iota
	atomDate
	atomName
	atomPassage
)

// atom is a number, date, name or passage in the form in which it is compared.
type atom struct {
	kind atomKind
	// text is canonical: "2026-11-21" for a date in words. It is "" for a number.
	text     string
	quantity quantity
	// shown is how it is written in the folded text.
	shown string
	// whole means that the text holds nothing else.
	whole bool
}

// quantity is a number with its canonical unit, or "" for a bare number.
type quantity struct {
	number *big.Rat
	unit   string
	// places counts the decimals as written: 1 for 0.5, and -2 for 5e2.
	places int
}

// Units as groups of words, the canonical one first. Units are distinguished, not converted.
const (
	words = "percent pct|permille|dollar dollars usd|euro euros eur|pound pounds gbp|yen jpy|degree degrees|" +
		"ns nanosecond nanoseconds|us μs microsecond microseconds|ms msec millisecond milliseconds|" +
		"s sec secs second seconds|min mins minute minutes|h hr hrs hour hours|d day days|w wk week weeks|" +
		"mo month months|y yr year years|b byte bytes|bit bits|kb kilobyte kilobytes|mb megabyte megabytes|" +
		"gb gigabyte gigabytes|tb terabyte terabytes|kib|mib|gib|tib|kbps|mbps|gbps|qps|rps|tps|iops|hz|khz|mhz|ghz|" +
		"mm|cm|km|mg|g|kg|kw|kwh|px|request requests req|x times"
	signs = "percent %|dollar $|euro €|pound £|yen ¥|degree °|celsius °c|fahrenheit °f"
)

// quotes matches quoted passages in folded text. An apostrophe inside a word opens none.
var quotes = regexp.MustCompile("``[^`]+``|`[^`]+`" + `|"[^"]+"|\B'[^']{1,200}'\B`)

// pattern matches the atoms of folded text. Its last alternative consumes any other word, so that no atom
// begins in the middle of one. Alternatives that may fail late have bounds, which keep the search linear.
var pattern = regexp.MustCompile(
	`(?P<url>\b[a-z][a-z0-9+.-]{0,30}://[^\s"'<>` + "`" + `]+)` +
		`|(?P<date>\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}` +
		`|\b\d{1,2}\.\d{1,2}\.\d{4}|\b\d{1,2}(?:st|nd|rd|th)? ` + month + `,? \d{4}` +
		`|\b` + month + ` \d{1,2}(?:st|nd|rd|th)?,? \d{4})(?P<clock>t[\d:.]+(?:z|[-+][\d:]+)?|\b)` +
		`|(?P<path>(?:(?:\b[a-z]:|\B(?:~|\.\.?)?)[/\\]|\b[a-z_][\w.@+~-]{0,99}[/\\])[\w.@+~%$*/\\-]*` +
		`|\b\w(?:[\w-]{1,99}(?:\.[\w-]{1,30}){0,4}\.[a-z]|(?:\.[\w-]{2,30}){0,4}\.[a-z]\w)\w{0,4}\b` +
		`|\B\.[a-z][\w-]+(?:\.[\w-]+)*)(?P<line>:\d+(?:-\d+)?)?` +
		`|(?P<name>\bv?\d+(?:\.\d+){2,}(?:[-+][\w.+-]*\w)?|\bv\d+(?:\.\d+)?\b|\b[a-z]+\d+(?:\.\d+)+` +
		`|\b[a-z][\w-]{0,60}-\d\w*(?:-\w+)*)` +
		`|(?P<number>(?:\B[-+])?[$€£¥]?(?:\d{1,3}(?:[,_' ]\d{3})+|\d+)(?:\.\d+)?(?:e[-+]?\d{1,3})?)` +
		`(?:[ -]?(?P<unit>` + unit() + `)(?:(?:/| per )(?P<per>` + unit() + `))?|\b)|\w+(?:-\w+)*`)

const month = `(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`

func unit() string { return `(?:` + strings.ReplaceAll(words, " ", "|") + `)\b|°[cf]?|[%$€£¥]` }

// atomsOf returns the atoms of a JSON value, including names and texts at any depth.
func atomsOf(raw []byte) []atom {
	var found []atom
	eachLiteral(raw, func(text string, isNumber bool) {
		text = fold(text)
		rest, first := text, len(found)
		if !isNumber {
			rest = quotes.ReplaceAllStringFunc(strings.ReplaceAll(text, "```", " "), func(quoted string) string {
				inside := strings.TrimRight(strings.Trim(quoted, "`\"' "), ".,;:!? ")
				inside = strings.TrimSuffix(inside, "()")
				// `10 ms` in backticks is a number.
				if inner := scan(inside); len(inner) == 1 && inner[0].shown == inside {
					inner[0].shown = quoted
					found = append(found, inner[0])
				} else if inside != "" {
					found = append(found, atom{kind: atomPassage, text: inside, shown: quoted})
				}
				return " "
			})
		}
		found = append(found, scan(rest)...)
		for i := range found[first:] {
			found[first+i].whole = found[first+i].shown == text
		}
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

// scan returns the atoms of a folded text. Quotes hide nothing.
func scan(text string) []atom {
	var found []atom
	for _, at := range pattern.FindAllStringSubmatchIndex(text, -1) {
		group := func(name string) string {
			i := 2 * pattern.SubexpIndex(name)
			if at[i] < 0 {
				return ""
			}
			return text[at[i]:at[i+1]]
		}
		a := atom{kind: atomName, shown: text[at[0]:at[1]]}
		switch {
		case group("url") != "":
			a.shown = trimmed(a.shown)
			a.text = strings.TrimRight(a.shown, "/")
		case group("date") != "":
			a.text = a.shown
			if day := canonicalDate(group("date")); day != "" {
				a.kind, a.text = atomDate, day+group("clock")
			}
		case group("path") != "":
			name := group("path")
			if group("line") == "" {
				name = trimmed(name)
				a.shown = name
			}
			if strings.Trim(name, `/\.~`) == "" || isAlternative(name) {
				continue
			}
			a.text = path.Clean(strings.ReplaceAll(name, `\`, "/")) + group("line")
		case group("name") != "":
			a.text = a.shown
			if strings.Contains(a.text, ".") && a.text[0] == 'v' {
				a.text = a.text[1:]
			}
		case group("number") != "":
			a.kind = atomNumber
			a.quantity, _ = parseQuantity(group("number"), group("unit"), group("per"))
		case isDigit(a.shown[0]) || isHash(a.shown):
			a.text = a.shown
		default:
			continue
		}
		found = append(found, a)
	}
	return found
}

// trimmed removes the punctuation that ends a sentence, and brackets that were opened before the text.
func trimmed(text string) string {
	for text != "" {
		last := text[len(text)-1]
		unopened := last == ')' && strings.Count(text, "(") < strings.Count(text, ")")
		if !unopened && !strings.ContainsRune(".,;:!?*-]}", rune(last)) {
			return text
		}
		text = text[:len(text)-1]
	}
	return text
}

// isAlternative reports whether a slash separates two words or units rather than folders.
func isAlternative(name string) bool {
	const known = " and/or n/a w/o i/o tcp/ip he/she yes/no on/off true/false read/write input/output client/server " +
		"either/or ci/cd a/b up/down in/out start/stop before/after pass/fail http/2 http/3 "
	before, of, _ := strings.Cut(name, "/")
	return strings.Contains(known, " "+name+" ") || canonicalUnits[before] != "" && canonicalUnits[of] != ""
}

// isHash reports whether a word is an abbreviated hexadecimal hash with digits and letters.
func isHash(word string) bool {
	return len(word) >= 7 && strings.Trim(word, "0123456789abcdef") == "" && strings.ContainsAny(word, "0123456789")
}

// canonicalDate returns a date as 2026-11-21, or "" if there is no such day.
func canonicalDate(text string) string {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,.-/", r) })
	for i, part := range parts {
		if isDigit(part[0]) {
			parts[i] = strings.TrimRight(part, "stndrh")
		} else {
			parts[i] = part[:len("jan")]
		}
	}
	for _, layout := range []string{"2006 1 2", "2 1 2006", "2 Jan 2006", "Jan 2 2006"} {
		if day, err := time.Parse(layout, strings.Join(parts, " ")); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	return ""
}

// canonicalUnits has the first word of its group for each unit.
var canonicalUnits = func() map[string]string { //nolint:gochecknoglobals // a table
	units := map[string]string{}
	for group := range strings.SplitSeq(signs+"|"+words, "|") {
		list := strings.Fields(group)
		for _, word := range list {
			if units[word] == "" {
				units[word] = list[0]
			}
		}
	}
	return units
}()

// parseQuantity reads a number with its sign, separators, currency and unit.
func parseQuantity(text, unit, per string) (quantity, error) {
	digits := strings.Map(func(r rune) rune {
		if strings.ContainsRune("+,_' $€£¥", r) {
			return -1
		}
		return r
	}, text)
	q := quantity{unit: canonicalUnits[unit]}
	if unit == "" {
		q.unit = canonicalUnits[strings.Trim(text, "+-,._' 0123456789e")]
	}
	if per != "" {
		q.unit += "/" + canonicalUnits[per]
	}
	mantissa, exponent, _ := strings.Cut(digits, "e")
	_, decimals, _ := strings.Cut(mantissa, ".")
	shift, err := strconv.Atoi(cmp.Or(exponent, "0"))
	q.places = len(decimals) - shift
	var ok bool
	if q.number, ok = new(big.Rat).SetString(digits); !ok || err != nil {
		return q, fmt.Errorf("not a number: %q", text)
	}
	return q, nil
}

// String writes the number in plain digits, with its unit.
func (q *quantity) String() string {
	places, _ := q.number.FloatPrec()
	return strings.TrimSuffix(q.number.FloatString(places)+" "+q.unit, " ")
}

// fold normalizes a text for comparison: NFKC, case, single spaces, and one form of quotes, dashes and digits.
func fold(text string) string {
	text = strings.NewReplacer("ß", "ss", "ς", "σ").Replace(strings.ToLower(norm.NFKC.String(text)))
	text = strings.Map(plainRune, text)
	return strings.Join(strings.Fields(text), " ")
}

// plainRune drops format characters (-1), converts quotes, dashes and digits to ASCII, and replaces other symbols
// by spaces.
func plainRune(r rune) rune {
	switch {
	case r < utf8.RuneSelf, strings.ContainsRune("€£¥°", r):
		return r
	case r == '−', unicode.Is(unicode.Pd, r):
		return '-'
	case r == '⁄':
		return '/'
	case strings.ContainsRune("‘’‚‛‹›′", r):
		return '\''
	case unicode.In(r, unicode.Pi, unicode.Pf), strings.ContainsRune("„″〝〞〟「」『』", r):
		return '"'
	case unicode.Is(unicode.Nd, r):
		// Decimal digits come in runs of ten.
		first := r
		for unicode.Is(unicode.Nd, first-1) {
			first--
		}
		return '0' + (r-first)%10
	case unicode.Is(unicode.Cf, r):
		return -1
	case unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r):
		return r
	}
	return ' '
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// isWord reports whether a byte of folded text is part of a word.
func isWord(b byte) bool {
	return b >= 'a' && b <= 'z' || isDigit(b) || b == '_' || b >= utf8.RuneSelf
}

// occurs reports whether a folded text contains a folded passage as whole words.
func occurs(text, passage string) bool {
	byteAt := func(i int) byte {
		if i < 0 || i >= len(text) {
			return 0
		}
		return text[i]
	}
	// These belong to the word next to them: /tmp, --force, ../a.
	joins := func(b byte) bool { return isWord(b) || strings.IndexByte(`/\.-~=`, b) >= 0 }
	for from := 0; ; from++ {
		at := strings.Index(text[from:], passage)
		if at < 0 {
			return false
		}
		from += at
		end := from + len(passage)
		before, after := byteAt(from-1), byteAt(end)
		begins := !isWord(before) || !joins(text[from])
		ends := !isWord(after) || !joins(text[end-1])
		// 10 is neither in 5.10 nor in 10.5, and --force is not in --force-with-lease.
		fraction := before == '.' && isDigit(byteAt(from-2)) && isDigit(text[from]) ||
			after == '.' && isDigit(text[end-1]) && isDigit(byteAt(end+1))
		if begins && ends && !fraction && !(after == '-' && isWord(byteAt(end+1))) {
			return true
		}
	}
}
