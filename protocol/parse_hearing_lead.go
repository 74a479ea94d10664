package protocol

import (
	"strings"
	"unicode/utf8"
)

// lead is what a move of a hearing says: the facts in brackets and the number that it
// begins with, its parts by their names, and the text.
type lead struct {
	facts  []string
	number number
	rest   body
	parts  map[string]body
}

// number is a confidence as it is written. One that is given without a value cannot be
// read.
type number struct {
	given bool
	value *float64
	// bare says that it is a whole number without a percent sign, size how many bytes
	// it takes.
	bare bool
	size int
}

// part is the part with the name, empty where there is none.
func (l *lead) part(name string) body { return l.parts[name] }

// would is the part that says what would change a mind, however it is called.
func (l *lead) would() string {
	for name, b := range l.parts {
		if strings.HasPrefix(name, "would") {
			if strings.Count(b.text, ")") > strings.Count(b.text, "(") {
				// It closes the remark that the part stands in.
				return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(b.text, " ."), ")"), " ")
			}
			return b.text
		}
	}
	return ""
}

// readLead reads what a body begins with, and its parts; told says that a colon stands
// before it.
func (r *reader) readLead(kind MoveKind, b body, told bool) lead {
	l := lead{parts: map[string]body{}}
	l.rest = r.heardParts(kind, b, l.parts)
	for {
		l.rest = l.rest.trim(" \t\r\n*_,")
		size := 0
		switch mask := l.rest.mask; {
		case mask == "":
		case mask[0] == '[':
			size = l.bracket(r, kind)
		case separatorAt(mask) > 0:
			size, told = separatorAt(mask), true
		default:
			size = l.confidence(r, kind, told)
		}
		if size == 0 {
			break
		}
		l.rest = l.rest.cut(size, len(l.rest.mask))
	}
	for _, name := range []string{"facts", "fact"} {
		if text := l.parts[name].text; kind != MoveScore && text != "" && len(l.facts) == 0 {
			l.facts = factIDs(text)
		}
	}
	if !l.number.given && (kind == MoveClaim || kind == MoveConclude) {
		l.later(r)
	}
	return l
}

// heardParts cuts the parts of a move off its body.
func (r *reader) heardParts(kind MoveKind, b body, parts map[string]body) body {
	pattern := r.hearing.parts[kind]
	if pattern == nil {
		return b
	}
	found := pattern.FindAllStringSubmatchIndex(b.mask, maxItems)
	for i, f := range found {
		until := len(b.mask)
		if i+1 < len(found) {
			until = found[i+1][0]
		}
		name := strings.NewReplacer("_", " ", "-", " ").Replace(strings.ToLower(b.mask[f[2]:f[3]]))
		if _, known := parts[name]; !known {
			parts[name] = b.cut(f[1], until).trim(" \t\r\n|;*_")
		}
	}
	if len(found) == 0 {
		return b
	}
	return b.cut(0, found[0][2]).trim(" \t\r\n|;(*_-•")
}

// separatorAt is the length of the mark that a text begins with and that parts it from
// what leads to it; 0 where there is none.
func separatorAt(mask string) int {
	for _, mark := range []string{":", "–", "—", "->", "=>", "→", "- "} {
		if strings.HasPrefix(mask, mark) {
			return len(mark)
		}
	}
	return 0
}

// bracket takes the ids of facts, and a confidence beside them, that the rest begins
// with; or a label, which says nothing here. It returns how much it took.
func (l *lead) bracket(r *reader, kind MoveKind) int {
	end := strings.IndexByte(l.rest.mask, ']')
	if end < 0 {
		return 0
	}
	inner := l.rest.text[1:end]
	if isLabel(inner) {
		return end + 1
	}
	sure := func(text string) bool {
		text = strings.TrimSpace(text)
		at := r.hearing.sure.FindStringIndex(text)
		if n := r.shareAt(text[endOf(at):]); n.given && !l.number.given && kind == MoveClaim && (at != nil || len(l.facts) > 0) {
			l.number = n
			return true
		}
		return false
	}
	if len(l.facts) > 0 {
		if sure(inner) {
			return end + 1
		}
		return 0
	}
	for _, part := range strings.Split(inner, ";") {
		if !sure(part) {
			l.facts = append(l.facts, factIDs(part)...)
		}
	}
	return end + 1
}

// endOf is where a match ends, 0 where there is none.
func endOf(match []int) int {
	if match == nil {
		return 0
	}
	return match[1]
}

// factIDs are the ids in a list: "f1, f2", "facts: f1 f2", "`f1`".
func factIDs(text string) []string {
	var ids []string
	for i, word := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(", \t\r\n;[]", c) }) {
		word = strings.Trim(word, "`*\"'“”")
		lower := strings.ToLower(strings.TrimRight(word, ":"))
		if word == "" || word == "and" || word == "&" || i == 0 && (lower == "facts" || lower == "fact") {
			continue
		}
		ids = append(ids, word)
	}
	return ids
}

// confidence takes a number that the rest begins with, as in "0.8", "(80 %)" and
// "confidence 0.8"; of moves that have none it takes nothing. It returns how much it
// took.
func (l *lead) confidence(r *reader, kind MoveKind, told bool) int {
	if l.number.given || kind != MoveClaim && kind != MoveScore && kind != MoveConclude {
		return 0
	}
	n, named, end := r.shareIn(l.rest.mask)
	if !n.given {
		return 0
	}
	if after := strings.TrimLeft(l.rest.mask[end:], " \t*_"); kind == MoveClaim && !named && after != "" {
		if n.bare && len(l.facts) == 0 && !told && strings.IndexByte(":[.", after[0]) >= 0 {
			// It is the number of the claim.
			return end
		}
		if told && n.value != nil && strings.IndexByte("[|", after[0]) < 0 && separatorAt(after) == 0 {
			// The text begins with a number.
			return 0
		}
	}
	l.number = n
	return end
}

// shareIn reads a confidence that a text begins with, and where it ends; named says
// that it is called one, or stands in parentheses. A remark that begins with a number
// is none.
func (r *reader) shareIn(mask string) (n number, named bool, end int) {
	at, closed := 0, 0
	if mask[0] == '(' {
		at = 1
		if closed = strings.IndexByte(mask, ')'); closed < 0 {
			return n, false, 0
		}
	}
	word := endOf(r.hearing.sure.FindStringIndex(mask[at:]))
	n = r.shareAt(mask[at+word:])
	end = at + word + n.size
	if closed > 0 {
		if n.value != nil && strings.TrimSpace(mask[end:max(end, closed)]) != "" {
			return number{}, false, 0
		}
		end = max(end, closed+1)
	}
	return n, word > 0 || closed > 0, end
}

// later takes a confidence that is named behind the text: "… (confidence 0.8)".
func (l *lead) later(r *reader) {
	at := strings.LastIndex(strings.ToLower(l.rest.mask), "confidence")
	if at < 0 || len(strings.ToLower(l.rest.mask)) != len(l.rest.mask) {
		return
	}
	named := endOf(r.hearing.sure.FindStringIndex(l.rest.mask[at:]))
	n := r.shareAt(l.rest.mask[at+named:])
	if !n.given {
		return
	}
	l.number = n
	if at > 0 && l.rest.mask[at-1] == '(' {
		at--
	}
	l.rest = l.rest.cut(0, at).trim(" \t\r\n,;|–—-")
}

// shareAt reads the number that a text begins with.
func (r *reader) shareAt(mask string) number {
	f := r.amount.FindStringIndex(mask)
	if f == nil {
		return number{}
	}
	n := number{given: true, bare: !strings.ContainsAny(mask[:f[1]], ".%eE"), size: f[1]}
	if goesOn(mask[f[1]:]) {
		// All of it is no number, so that its beginning is none either.
		for n.size < len(mask) && strings.IndexByte(" \t\n:|)]", mask[n.size]) < 0 {
			_, size := utf8.DecodeRuneInString(mask[n.size:])
			n.size += size
		}
		return n
	}
	n.value = parseShare(mask[:f[1]])
	return n
}
