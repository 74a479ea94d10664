package pane

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Preview turns a reply that streams in into what a person reads: of JSON the words, ids and texts of its moves, of
// anything else the text itself. Pieces may be cut at any byte. What it has shown is never taken back. The zero Preview
// is ready.
type Preview struct {
	// out is the end of what was read so far.
	out []byte
	// held are bytes that can't be read without those after them: of a character, of an escape, of the beginning of
	// JSON.
	held string
	// middle says that the text continues a line; fenced that a code fence is open whose content is JSON.
	middle, fenced bool

	// open are the containers around the next token of the JSON, empty outside of JSON.
	open []container
	// quote is the delimiter of the string that is being read, or 0. kept says that the string is shown, or is a key.
	quote byte
	kept  bool
	// fresh says that nothing of the string was shown yet.
	fresh bool
	// word is the key or the bare word that is being read.
	word []byte
}

// container is an object or a list of the JSON.
type container struct {
	list bool
	// key is the key whose value comes next, "" before it was read. Values of a list have the key of the list.
	key string
	// shown says that it has texts of moves, rather than those of a citation, for example.
	shown bool
}

// isLead reports whether a field of a move fits in front of its text.
func isLead(key string) bool {
	switch key {
	case "move", "point", "challenge", "evidence", "sentence", "fact", "into", "other", "class", "judgment", "scope",
		"path", "severity", "flag":
		return true
	}
	return false
}

// isText reports whether a field of a move is a text that a person reads.
func isText(key string) bool {
	switch key {
	case "text",
		"reason",
		"flaw",
		"upgrade_if",
		"grounds",
		"why_not_skeptical",
		"narrower",
		"because",
		"limit",
		"value",
		"measurement",
		"threshold",
		"below",
		"above",
		"reading",
		"would_change",
		"request",
		"words":
		return true
	}
	return false
}

// Text returns the end of what was read so far.
func (p *Preview) Text() string { return string(p.out) }

// Feed reads the next piece of the reply.
func (p *Preview) Feed(piece string) {
	p.held += piece
	for p.held != "" {
		n := p.plain
		switch {
		case p.quote != 0:
			n = p.inString
		case len(p.open) > 0:
			n = p.inJSON
		}
		used := n(p.held)
		if used == 0 {
			break
		}
		p.held = p.held[used:]
	}
	p.held = strings.Clone(p.held)
	if len(p.out) > 2*TailBytes {
		from := len(p.out) - TailBytes
		for !utf8.RuneStart(p.out[from]) {
			from++
		}
		p.out = slices.Clone(p.out[from:])
	}
}

// maxHeld is how much of a line is held until it is clear whether it begins JSON.
const maxHeld = 64

// plain reads text outside of JSON. It returns how much was read, or 0 if more is needed.
func (p *Preview) plain(s string) int {
	// However the reply is cut, only these bytes decide.
	first := s[:min(len(s), maxHeld)]
	if !p.middle && s[0] == '`' {
		line, _, whole := strings.Cut(first, "\n")
		if !whole && len(first) < maxHeld {
			return 0
		}
		info := strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "`")))
		opens := strings.HasPrefix(info, "json")
		if strings.HasPrefix(line, "```") && (opens || p.fenced && info == "") {
			p.fenced = opens
			return len(line)
		}
	}
	end := strings.IndexAny(s, "\n{[")
	if end < 0 {
		end = wholeRunes(s)
	}
	if blanks := len(s) - len(strings.TrimLeft(s, " \t")); blanks > 0 && !p.middle {
		end = blanks
	}
	if end > 0 || s[0] >= utf8.RuneSelf {
		p.out = append(p.out, s[:end]...)
		p.middle = p.middle || strings.TrimSpace(s[:end]) != ""
		return end
	}
	if s[0] != '\n' {
		switch begins, known := beginsMoves(first, p.middle); {
		case begins:
			p.endLine()
			p.push(s[0] == '[')
			return 1
		case !known && len(first) < maxHeld:
			return 0
		}
	}
	p.out = append(p.out, s[0])
	p.middle = s[0] != '\n'
	return 1
}

// beginsMoves reports whether the bracket at the beginning of s begins JSON, if that is known already. In the middle of
// a line only an object of moves is JSON.
func beginsMoves(s string, middle bool) (begins, known bool) {
	rest := strings.TrimLeft(s[1:], " \t\r\n")
	if rest == "" {
		return false, false
	}
	if s[0] == '[' {
		if rest[0] != '{' {
			return false, true
		}
		return beginsMoves(rest, middle)
	}
	if !middle && strings.ContainsAny(rest[:1], `"'}`) {
		return true, true
	}
	rest = strings.TrimLeft(rest, `"'`)
	const name = "move"
	return strings.HasPrefix(rest, name), len(rest) >= len(name) || !strings.HasPrefix(name, rest)
}

// wholeRunes returns the length of s without the beginning of a character at its end.
func wholeRunes(s string) int {
	for i := len(s) - 1; i >= max(0, len(s)-utf8.UTFMax); i-- {
		if utf8.RuneStart(s[i]) {
			if !utf8.FullRuneInString(s[i:]) {
				return i
			}
			break
		}
	}
	return len(s)
}

// push opens a list or an object.
func (p *Preview) push(list bool) {
	c := container{list: list, shown: true}
	if n := len(p.open); n > 0 {
		outer := &p.open[n-1]
		c.shown = outer.shown && (outer.list || outer.key == "move" || outer.key == "moves" ||
			outer.key == "sentences")
		if list {
			c.key = outer.key
		}
	}
	p.open = append(p.open, c)
}

// inJSON reads what is between the strings of the JSON.
func (p *Preview) inJSON(s string) int {
	at := &p.open[len(p.open)-1]
	switch c := s[0]; c {
	case '{', '[':
		p.push(c == '[')
		p.word = nil
	case '}', ']':
		if at.shown && !at.list {
			p.endLine()
		}
		p.open = p.open[:len(p.open)-1]
		p.word = nil
		p.middle = false
	case '"', '\'':
		p.quote, p.word, p.fresh = c, nil, true
		isKey := !at.list && at.key == ""
		p.kept = isKey || at.shown && (isLead(at.key) || isText(at.key))
	case ':':
		if !at.list && at.key == "" {
			at.key = strings.ToLower(string(p.word))
		}
		p.word = nil
	case ',':
		if !at.list {
			at.key = ""
		}
		p.word = nil
	default:
		if c > ' ' && len(p.word) < maxHeld {
			p.word = append(p.word, c)
		}
	}
	return 1
}

// endLine ends a line that has text.
func (p *Preview) endLine() {
	if n := len(p.out); n > 0 && p.out[n-1] != '\n' {
		p.out = append(p.out, '\n')
	}
}

// inString reads a part of a string of the JSON. It returns 0 if more is needed.
func (p *Preview) inString(s string) int {
	if i := strings.IndexAny(s, `\`+string(p.quote)); i != 0 {
		if i < 0 {
			i = wholeRunes(s)
		}
		p.add(s[:i])
		return i
	}
	if s[0] == p.quote {
		at := p.open[len(p.open)-1]
		if p.kept && isText(at.key) {
			p.endLine()
		}
		p.quote = 0
		return 1
	}
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case 'n':
		p.add("\n")
	case 'r', 'b', 'f':
	case 't':
		p.add(" ")
	case 'u':
		first, ok := hexadecimal(s)
		switch {
		case !ok && len(s) < 6:
			return 0
		case !ok:
			// A broken escape stands for itself.
			p.add(`\u`)
			return 2
		case !utf16.IsSurrogate(first):
			p.add(string(first))
			return 6
		case first < lowSurrogates && len(s) < 12 && (len(s) == 6 || s[6] == '\\' && (len(s) == 7 || s[7] == 'u')):
			return 0
		}
		r := rune(utf8.RuneError)
		if second, ok := hexadecimal(s[6:]); ok {
			r = utf16.DecodeRune(first, second)
		}
		p.add(string(r))
		if r == utf8.RuneError {
			return 6
		}
		return 12
	default:
		r, n := utf8.DecodeRuneInString(s[1:])
		if !utf8.FullRuneInString(s[1:]) {
			return 0
		}
		p.add(string(r))
		return 1 + n
	}
	return 2
}

// lowSurrogates is the first code unit that can't begin a surrogate pair.
const lowSurrogates = 0xDC00

// hexadecimal returns the code unit of an escape such as \u201c at the beginning of s.
func hexadecimal(s string) (rune, bool) {
	if len(s) < 6 || s[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n), err == nil
}

// add adds a part of a string to what is shown, or to a key.
func (p *Preview) add(s string) {
	at := p.open[len(p.open)-1]
	switch {
	case !p.kept || s == "":
	case at.list || at.key != "":
		if n := len(p.out); p.fresh && n > 0 && p.out[n-1] != '\n' {
			p.out = append(p.out, ' ')
		}
		p.fresh = false
		p.out = append(p.out, s...)
	case len(p.word) < maxHeld:
		p.word = append(p.word, s...)
	}
}
