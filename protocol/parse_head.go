package protocol

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"moot/state"
)

// head is the beginning of a passage of the telegraphic form.
type head struct {
	keyword
	// name is the keyword as it is to be told back.
	name string
	ids  []string
	// clause is where the words after the ids begin, body where the text does,
	// both from the start of the line.
	clause, body int
	// free says that the line has ids but no keyword: "P1: text"; bare that it
	// has nothing else.
	free, bare bool
	// pairs says that it is two ids and how they are to each other: "P1 P5: alike".
	pairs bool
	// spoken says that it is a sentence: "I concede C1".
	spoken bool
	// hedged says that the verdict is denied, asked or under a condition.
	hedged bool
}

// cursor reads a masked line from left to right.
type cursor struct {
	line string
	at   int
}

func (c *cursor) rest() string { return c.line[c.at:] }

func (c *cursor) skip(set string) {
	c.at = len(c.line) - len(strings.TrimLeft(c.rest(), set))
}

// decoration skips what precedes the words of a line: indent, bullets, numbers,
// headings, emphasis. It returns the last list mark: '1', '-' or 0.
func (c *cursor) decoration() (list byte) {
	for range 4 {
		c.skip(" \t")
		c.symbols()
		rest := c.rest()
		switch {
		case rest == "":
			return list
		case strings.HasPrefix(rest, "**") || strings.HasPrefix(rest, "__"):
			c.skip("*_")
			continue
		}
		if mark := bullet(rest); mark > 0 {
			c.at += mark
			list = '-'
			continue
		}
		if mark := numbering(rest); mark > 0 {
			c.at += mark
			list = '1'
			continue
		}
		if trimmed := strings.TrimLeft(rest, "#"); len(trimmed) < len(rest) && strings.HasPrefix(trimmed, " ") {
			c.skip("#")
			continue
		}
		break
	}
	return list
}

// symbols skips what only decorates a word: a tick, a cross, a warning sign.
func (c *cursor) symbols() {
	for {
		r, size := utf8.DecodeRuneInString(c.rest())
		if r == utf8.RuneError || !unicode.Is(unicode.So, r) && r != '\uFE0F' {
			return
		}
		c.at += size
		c.skip(" \t*_")
	}
}

// bullet returns the length of a bullet and its blank, or 0.
func bullet(text string) int {
	for _, mark := range []string{"- ", "* ", "+ ", "• ", "– ", "· ", "-\t", "*\t"} {
		if strings.HasPrefix(text, mark) {
			return len(mark)
		}
	}
	return 0
}

// numbering returns the length of "1. ", "2) ", "(3) ", or of "4、" and "5．" as lists
// are numbered where words have no blanks between them, in the digits of any script;
// or 0.
func numbering(text string) int {
	at := 0
	if strings.HasPrefix(text, "(") {
		at++
	}
	const most = 3
	digits := 0
	for ; digits < most; digits++ {
		c, size := utf8.DecodeRuneInString(text[at:])
		if !unicode.IsDigit(c) {
			break
		}
		at += size
	}
	mark, size := utf8.DecodeRuneInString(text[at:])
	after, blank := utf8.DecodeRuneInString(text[at+size:])
	switch {
	case digits == 0:
		return 0
	case strings.ContainsRune(".)", mark) && (after == ' ' || after == '\t'):
		return at + size + blank
	case strings.ContainsRune("、．）", mark) && !unicode.IsDigit(after):
		return at + size
	}
	return 0
}

// word reads a word of letters and hyphens.
func (c *cursor) word() string {
	start := c.at
	for c.at < len(c.line) && c.at < start+24 {
		b := c.line[c.at]
		letter := b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
		if !letter && (b != '-' || c.at == start) {
			break
		}
		c.at++
	}
	return strings.TrimRight(c.line[start:c.at], "-")
}

// ids reads a list of ids: "P1", "C1, C2 and C3", "[P1]".
func (c *cursor) ids() []string { return c.idsUpTo(maxItems) }

// idsUpTo reads at most so many ids.
func (c *cursor) idsUpTo(most int) []string {
	var ids []string
	for {
		before := c.at
		if len(ids) > 0 {
			c.skip(" \t,/&+")
			if rest := strings.ToLower(c.rest()); strings.HasPrefix(rest, "and ") {
				c.at += 4
			}
		}
		c.skip(" \t[(#*_")
		id := idAt(c.rest())
		if id == "" || len(ids) == most {
			c.at = before
			return ids
		}
		ids = append(ids, strings.ToUpper(id))
		c.at += len(id)
		c.skip("])")
	}
}

// idAt returns the id that text begins with, or "".
func idAt(text string) string {
	if len(text) < 2 || !strings.ContainsRune("PCEFpcef", rune(text[0])) {
		return ""
	}
	end := len(text) - len(strings.TrimLeft(text[1:], "0123456789"))
	after, _ := utf8.DecodeRuneInString(text[end:])
	if end == 1 || end > 7 || unicode.IsLetter(after) {
		return ""
	}
	return text[:end]
}

// separator skips blanks, emphasis, and a colon, dash or arrow, which a remark
// in parentheses may precede, and reports whether it found one of these three.
func (c *cursor) separator() bool {
	c.skip(" \t*_")
	after := *c
	if strings.HasPrefix(after.rest(), "(") {
		end := strings.IndexByte(after.rest(), ')')
		// A confidence in parentheses is no mere remark.
		remark := &cursor{line: after.rest(), at: 1}
		if word := strings.ToLower(remark.word()); end > 0 && end < 60 && word != "" && word != "confidence" {
			after.at += end + 1
			after.skip(" \t*_")
		}
	}
	for _, mark := range []string{":", "：", "–", "—", "->", "=>", "→", "-", ". "} {
		if !strings.HasPrefix(after.rest(), mark) {
			continue
		}
		after.at += len(mark)
		after.skip(" \t*_")
		after.symbols()
		*c = after
		return true
	}
	return false
}

// head reads the beginning of a line, or nil where it begins no move.
func (t *textForm) head(line string) *head {
	c := &cursor{line: line}
	c.decoration()
	if ids := c.ids(); len(ids) > 0 {
		return t.idFirst(c, ids)
	}
	start := c.at
	word := c.word()
	if word == "I" || word == "We" || word == "we" {
		c.at = start
		return t.iConcede(c)
	}
	name, k, ok := t.lookup(c, word)
	if !ok {
		return nil
	}
	capitals := word == strings.ToUpper(word) && word != "P"
	colon := c.separator()
	if k.ids != "" {
		// "Point P1", "challenge C1", "point 1" all say which.
		t.noun(c)
	}
	h := &head{keyword: k, name: name}
	switch k.kind { //nolint:exhaustive // the others name all that they are about
	case MovePropose, MoveSynthesize:
		// A path may look like an id, and a synthesis may begin with one.
	case MoveSupply:
		// What follows are ids of evidence.
		h.ids = c.idsUpTo(1)
	default:
		h.ids = c.ids()
	}
	if !fits(h.ids, k.ids) || k.needs && len(h.ids) == 0 {
		return nil
	}
	h.clause = c.at
	if len(h.ids) > 0 {
		colon = c.separator() || colon
	}
	h.body = c.at
	if !colon && !t.plain(h, c.rest(), capitals) {
		return nil
	}
	return t.guard(h, line)
}

// plain reports whether a keyword begins a move though no colon follows it:
// alone on its line or with ids, in capitals, or with a colon soon after.
func (t *textForm) plain(h *head, rest string, capitals bool) bool {
	blank := strings.Trim(rest, " \t*_.") == ""
	switch {
	case h.word == string(FlagNothing):
		return t.nothing.MatchString(rest)
	case h.kind == MovePropose:
		return capitals
	case h.colon:
		return capitals && blank && (h.word == string(FlagTrivial) || h.word == string(FlagOffTopic))
	case len(h.ids) == 0 && h.kind != MoveFlag:
		return capitals && blank
	case len(h.ids) > 0 && blank:
		return true
	}
	return capitals || t.soon.MatchString(rest)
}

// lookup finds the keyword; "ILL FORMED", "NO OBJECTION" and "SUPPLY_EVIDENCE" are
// two words.
func (t *textForm) lookup(c *cursor, word string) (string, keyword, bool) {
	name := strings.ToUpper(word)
	switch name {
	case "ILL", "OFF", "DRIFT", "VALUE", "NO", "REQUEST", "SUPPLY":
		after := *c
		after.skip(" _")
		if k, ok := t.words[name+"-"+strings.ToUpper(after.word())]; ok {
			*c = after
			return name, k, true
		}
	}
	k, ok := t.words[name]
	return name, k, ok
}

// noun skips "point", "challenge" and a plain number before the colon.
func (t *textForm) noun(c *cursor) {
	after := *c
	after.skip(" \t")
	switch strings.ToLower(after.word()) {
	case "point", "points", "challenge", "challenges":
		after.skip(" \t")
		if idAt(after.rest()) != "" {
			*c = after
		}
	}
}

// fits reports whether all ids have one of the letters.
func fits(ids []string, letters string) bool {
	for _, id := range ids {
		if !strings.Contains(letters, id[:1]) {
			return false
		}
	}
	return true
}

// idFirst reads "P1: AGREE – reason", "C1: ACCEPTED", or text after an id.
func (t *textForm) idFirst(c *cursor, ids []string) *head {
	after := c.at
	colon := c.separator()
	text := c.at
	word := c.word()
	name, k, ok := t.lookup(c, word)
	verdict := ok && k.ids != "" && fits(ids, k.ids) && k.kind != MoveRaise && k.kind != MoveDefend
	capitals := word == strings.ToUpper(word)
	end := strings.TrimSpace(c.rest())
	if verdict && (capitals || colon && (end == "" || strings.ContainsAny(end[:1], ":,.;|-*(") || strings.HasPrefix(end, "–") || strings.HasPrefix(end, "—"))) {
		h := &head{keyword: k, name: name, ids: ids, clause: c.at, body: c.at}
		return t.guard(h, c.line)
	}
	bare := strings.Trim(c.line[after:], " \t*_.") == ""
	if !colon && !bare {
		return nil
	}
	return &head{ids: ids, body: text, free: true, bare: bare, pairs: colon && len(ids) == 2 && t.paired.MatchString(c.line[text:])}
}

// iConcede reads "I concede C2 because …" (CH1).
func (t *textForm) iConcede(c *cursor) *head {
	found := t.concede.FindStringSubmatchIndex(c.rest())
	if found == nil || found[0] != 0 {
		return nil
	}
	c.at += found[2]
	h := &head{keyword: t.words["CONCEDE"], name: "CONCEDE", ids: c.ids(), spoken: true}
	h.clause, h.body = c.at, c.at
	if !t.concedes("", c.rest()) {
		return nil
	}
	return h
}

// guard finds verdicts that are said under a condition, denied or asked (ST6).
// Only the verdict's own clause counts: a reason may hold any word. What looks
// like a concession and is none is plain text, since it may be a defense.
func (t *textForm) guard(h *head, line string) *head {
	verdict := h.kind == MoveConcede || h.kind == MoveJudge || h.kind == MoveClassify && h.word == string(state.Agree)
	h.hedged = verdict && t.unsure(line[h.clause:])
	if h.hedged && h.kind == MoveConcede {
		return nil
	}
	return h
}

// unsure reports whether the rest of a verdict's sentence takes it back.
func (t *textForm) unsure(rest string) bool {
	clause := rest
	if at := t.reason.FindStringIndex(rest); at != nil {
		clause = rest[:at[0]]
	}
	return t.hedge.MatchString(clause) || t.condition.MatchString(strings.TrimLeft(rest, " \t*_:–—-=>→,."))
}
