package reply

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"moot/internal/lists"
	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol/move"
	"moot/state"
)

// newGrammar compiles the patterns of the line form, for any moves.
func newGrammar() *grammar {
	const (
		quotation = "(?:\"((?:[^\"\\\\]|\\\\.)+)\"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|「([^」]+)」|『([^』]+)』|`([^`\n]+)`)"
		marker    = `[-*+•·–][ \t]|\(?\p{Nd}{1,3}[.)][ \t]|\p{Nd}{1,3}[、．）]`
	)
	return &grammar{
		decoration: regexp.MustCompile(`^(?:[ \t]|\*\*|__|#{1,6}[ \t]|` + marker + `|[\p{So}\x{FE0F}])*`),
		listed:     regexp.MustCompile(`^[ \t]*(` + marker + `)`),
		word:       regexp.MustCompile(`^[A-Za-z]+(?:([ _-])[A-Za-z]+)?`),
		id: regexp.MustCompile(`^[ \t,/&+*_#[(]*(?:and[ \t]+)?[[(#*_]*(?i:points? |challenges? |claims? )?` +
			`([PCEFpcef]\d{1,6})\b[])*_]*`),
		amount: regexp.MustCompile(`^[(\[*_]*(?i:(?:overall )?confidence[ \t:=*_]*)?` +
			`([-+]?[\d.][^\s:;|)\]]*(?:[ \t]?%)?)[)\]]?`),
		marks: regexp.MustCompile(`(?i)[\[(][ \t]*([^\[\]()\n]{1,40}?)[ \t]*[\])]|\b(EVIDENCE|INFERENCE|GUESS):`),
		behind: regexp.MustCompile("^[`)\\]」』》）>*_]*[ \\t]*(?:[,，:：–—(（-][ \\t]*)?" +
			`(says|reads|states|contains|quotes|写着|写道|内容是|内容为)?[ \t]*(?:that[ \t]*)?[:：]?[ \t]*\n?[ \t]*` + quotation),
		file: regexp.MustCompile(
			`(?:^|[\s` + "`" + `"'(（\[“「，：、])((?:[\pL\pM\pN_.@+~-]*[/\\])*[\pL\pM\pN_.@+-]*\.[A-Za-z][\w-]{0,11}` +
				`|(?:[\w.-]+/)+[A-Z]\w+)\b`,
		),
		symbol: regexp.MustCompile(`^:[A-Za-z_][\w.]*(?:\(\))?`),
		block:  regexp.MustCompile("(?ms)^[ \\t]*```[ \\t]*([\\w+-]*)[^\\n]*\\n(.*?\\n)[ \\t]*```[ \\t]*$"),
		proposes: regexp.MustCompile(
			`(?i)\b(?:fix|suggest\w*|instead|should|could|replace|recommend\w*|change (?:it )?to|propos\w*|` +
				`for example|such as|try|write|add)\b|修复|建议|应该|改为`,
		),
		fact:     regexp.MustCompile(`\bF\d{1,6}\b`),
		evidence: regexp.MustCompile(`(?i)(?:^|[|\n(])[ \t]*(?:[-*•][ \t]+)?(?:evidence|source|证据)[ \t]*[:：]$`),
		command:  regexp.MustCompile("(?m)`\\$ ([^`\n]+)`|(?:^|[ \\t(\\[])\\$ ([^\n]+)$"),
		answers:  regexp.MustCompile(`(?i)\([ \t]*answers[: ][ \t]*(C\d{1,6})[ \t]*\)`),
		silence: regexp.MustCompile(`(?i)^[^\pL\pN|]*(?:none|nothing|nothing found|nothing to (?:add|say|report)` +
			`|n/a|[–—-])[^\pL\pN|]*$`),
		// One ^ for both alternatives: with two, regexp looks for a match at every place of a long reply.
		conditional: regexp.MustCompile(
			`(?i)^(?:[^\pL\pN]*(?:but|only|if|unless|when|once|until|provided|in part|partly)\b` +
				`|[^.;:]*\?[ \t]*$)`,
		),
		conceding: regexp.MustCompile(`(?:^|[.!][ \t]+|\n)[ \t]*(?:I|We) concede[ \t]+([CP]\d{1,6})\b`),
		anyID:     regexp.MustCompile(`\b[PCEFpcef]\d{1,6}\b`),
		ends:      regexp.MustCompile(`(?i)^[ \t*_]*(?:$|[.,;:!(|–—-]|(?:because|since|as)\b)`),
	}
}

// of returns the grammar of some moves, with the same patterns.
func (g grammar) of(kinds []move.Kind, moves map[move.Kind]*move.Spec) *grammar {
	g.moves, g.words, g.bare = moves, map[string][]wordForm{}, nil
	for _, kind := range kinds {
		m := moves[kind]
		for i := range m.Row.Lines {
			form := wordForm{&m.Row.Lines[i], m}
			if form.Words == "" {
				g.bare = append(g.bare, form)
				continue
			}
			for word := range strings.SplitSeq(form.Words, "|") {
				word = move.Spaced(word)
				g.words[word] = append(g.words[word], form)
			}
		}
	}
	return &g
}

// saysSomething reports whether a paragraph has three words, or is in a script that has no
// blanks between them.
func saysSomething(mask string) bool {
	words := strings.FieldsFunc(mask, func(c rune) bool { return c <= ' ' })
	return len(words) > 2 || len(mask) > 2*utf8.RuneCountInString(mask)
}

// Read splits a text into passages and makes moves of them.
func (g *grammar) read(text string, c *collector) {
	stage := c.ask.Stage
	r := &lineReader{
		grammar: g, collector: c, text: text, mask: mask(text),
		points:    c.allows(move.KindRaise) && (stage == state.StagePropose || stage == state.StageCoverage),
		answering: c.allows(move.KindDefend) && (stage == state.StageAnswer || stage == state.StageRemind),
	}
	var sections []section
	if r.points {
		sections = r.sectionsOf()
		r.sections = sections
	}
	gap, start := true, 0
	for line := range strings.Lines(r.mask) {
		end := start + len(strings.TrimSuffix(line, "\n"))
		for len(r.sections) > 0 && r.sections[0].to <= start {
			r.close()
			r.sections = r.sections[1:]
		}
		if strings.TrimSpace(text[start:end]) == "" {
			gap = true
		} else {
			r.line(start, end, gap)
			gap = false
		}
		start += len(line)
	}
	r.close()
	r.noteUnread(sections)
}

// line decides what a line that is not blank belongs to.
func (r *lineReader) line(start, end int, gap bool) {
	line := r.mask[start:end]
	lead := len(r.decoration.FindString(line))
	if h := r.head(line, lead); h != nil {
		r.close()
		r.now = &passage{head: h, from: start + h.body, to: end}
		return
	}
	if len(r.sections) > 0 && r.sections[0].from <= start && r.sections[0].kind != sectionPlain {
		if here := &r.sections[0]; here.kind == sectionFinding && here.from == start {
			r.close()
			r.now = &passage{finding: here}
		}
		return
	}
	if r.silence.MatchString(line[lead:]) && !strings.Contains(line, "\x00") {
		r.close()
		r.silent = true
		if r.allows(move.KindFlag) && !r.listed.MatchString(line) {
			r.value(map[string]any{move.Key: string(move.KindFlag), "flag": string(move.FlagNothing)})
		}
		return
	}
	var list byte
	indent := len(line) - len(strings.TrimLeft(line, " \t"))
	if found := r.listed.FindStringSubmatch(line); found != nil {
		list = '-'
		if strings.ContainsFunc(found[1], unicode.IsDigit) {
			list = '1'
		}
	}
	if list != 0 && r.startsPoint(list, indent, gap) {
		r.close()
		r.now = &passage{item: true, from: start + lead, to: end}
		r.list, r.indent = list, indent
		return
	}
	// The items of a list without ids may answer different challenges (CH4).
	answer := list != 0 && indent == 0 && r.answering && r.now != nil && r.now.head == nil
	continues := !gap
	if r.now != nil && gap {
		// The fields of a move may follow a blank line.
		continues = r.now.item && indent > r.indent
		if h := r.now.head; h != nil {
			at := h.move.Parts.FindStringIndex(line)
			continues = h.Long || at != nil && at[0] == 0
		}
	}
	if r.now == nil || answer || !continues {
		r.close()
		r.now = &passage{from: start, to: end}
		if list != 0 {
			r.now.from += lead
		}
		return
	}
	r.now.to = end
}

// startsPoint reports whether an item of a list is a point of its own: not one below
// another point, and not part of a move unless it is numbered and the move takes one line.
func (r *lineReader) startsPoint(list byte, indent int, gap bool) bool {
	switch {
	case !r.points:
		return false
	case r.now != nil && r.now.head != nil && !gap:
		return !r.now.head.Long && list == '1' && indent == 0
	case r.now != nil && r.now.item:
		return indent <= r.indent && (list == r.list || list == '1')
	}
	return true
}

// head reads the beginning of a line: a word with its ids, ids with a word, or ids alone.
// It is nil if the line begins no move.
func (r *lineReader) head(line string, at int) *head {
	if word, end := r.lookup(line, at); end > 0 {
		if h := r.wordFirst(line, line[at:end], r.words[word], end); h != nil {
			return h
		}
	}
	first, _ := r.idList(line, at, "PCEF")
	if len(first) == 0 {
		return nil
	}
	ids, after := r.idList(line, at, first[0][:1])
	colon, rest := separated(line, after)
	if h := r.idsFirst(line, ids, rest); h != nil {
		return h
	}
	for i := range r.bare {
		form := &r.bare[i]
		switch {
		case !r.allows(form.move.Kind) || !fits(form.IDs, ids):
		case !colon && !(strings.HasPrefix(form.Lead, "[") && strings.HasPrefix(line[rest:], "[")):
		case form.IDs == "-" && !r.points:
		case form.Lead == "pair" && r.pair(line[rest:]) == "":
		default:
			return &head{*form, ids, rest, false}
		}
	}
	return nil
}

// idsFirst reads "IDS: WORD …": the word is in capitals, or a mark follows it, as in "P5:
// agree – it is so".
func (r *lineReader) idsFirst(line string, ids []string, at int) *head {
	word, end := r.lookup(line, at)
	if end == 0 {
		return nil
	}
	marked, _ := separated(line, end)
	if text := line[at:end]; text != strings.ToUpper(text) && !marked && strings.TrimSpace(line[end:]) != "" {
		return nil
	}
	forms := r.words[word]
	i := slices.IndexFunc(forms, func(f wordForm) bool { return fits(f.IDs, ids) && r.allows(f.move.Kind) })
	if i < 0 {
		i = slices.IndexFunc(forms, func(f wordForm) bool { return fits(f.IDs, ids) && !f.move.Row.Plain })
	}
	if i < 0 || forms[i].IDs == "-" {
		return nil
	}
	return r.verdict(&head{forms[i], ids, end, false}, line[end:])
}

// lookup returns the known word, or two words, at an offset in a line, and where they end.
func (r *lineReader) lookup(line string, at int) (word string, end int) {
	found := r.word.FindStringSubmatchIndex(line[at:])
	if found == nil {
		return "", 0
	}
	if word = move.Spaced(line[at : at+found[1]]); r.words[word] != nil {
		return word, at + found[1]
	}
	if found[2] >= 0 {
		if word = move.Spaced(line[at : at+found[2]]); r.words[word] != nil {
			return word, at + found[2]
		}
	}
	return "", 0
}

// wordFirst reads "WORD IDS: …". A word in capitals begins a move, and so does one that is
// followed by a colon, a number or a bracket.
func (r *lineReader) wordFirst(line, text string, forms []wordForm, at int) *head {
	capitals := text == strings.ToUpper(text) && len(text) > 1
	colon, from := separated(line, at)
	form, ids, after := r.choose(forms, text, line, from)
	if form == nil {
		return nil
	}
	if len(ids) == 0 {
		after = at
	} else {
		more, _ := separated(line, after)
		colon = colon || more
	}
	rest := strings.TrimLeft(line[after:], " \t*_:–—→>-")
	blank := strings.Trim(rest, ".") == ""
	value := rest != "" && (strings.IndexByte("[(.0123456789", rest[0]) >= 0 || form.IDs == "" && form.Lead != "")
	spoken := strings.Contains(move.Spaced(text), " CONCEDE")
	switch {
	case spoken:
		if len(ids) == 0 || !r.ends.MatchString(line[after:]) {
			return nil
		}
	case len(ids) > 0:
		if !capitals && !colon && !blank && !value {
			return nil
		}
	case form.IDs == "" || form.Free:
		if !colon && !(capitals && (blank || value)) {
			return nil
		}
	case !capitals || !colon && !blank && !value || strings.Contains(form.move.Row.Lax, form.IDs):
		// A move without the id that it needs is refused only if it plainly is one.
		return nil
	}
	return r.verdict(&head{*form, ids, after, false}, line[after:])
}

// choose returns the form that fits the ids at an offset, preferably of an allowed move.
func (r *lineReader) choose(forms []wordForm, word, line string, at int) (best *wordForm, ids []string, after int) {
	rank := 0
	for i := range forms {
		form := &forms[i]
		found, end := r.idList(line, at, move.Letters(form.IDs))
		allowed, complete := r.allows(form.move.Kind), fits(form.IDs, found)
		_, rest := separated(line, end)
		switch {
		case !allowed && form.move.Row.Plain, form.Lead == "pair" && r.pair(line[rest:]) == "":
			continue
		case form.Lead == "value" && !strings.HasPrefix(strings.TrimLeft(line[end:], " \t"), "="):
			continue
		}
		mine := 1
		if complete || len(found) == 0 && form.Free {
			mine += 4
		}
		if allowed {
			mine += 2
		}
		if strings.EqualFold(word, string(form.move.Kind)) {
			mine++
		}
		if mine > rank {
			rank, best, ids, after = mine, form, found, end
		}
	}
	return best, ids, after
}

// verdict marks an AGREE or ACCEPT under a condition or a question, which is refused. Such a
// concession is plain text, since it may be a defense.
func (r *lineReader) verdict(h *head, rest string) *head {
	conditional := r.conditional.MatchString(rest)
	switch {
	case h.move.Kind == move.KindConcede && conditional:
		return nil
	case h.Set == "class=AGREE" || h.Set == "judgment=accepted":
		h.conditional = conditional
	}
	return h
}

// fits reports whether a form accepts the ids, and none is missing.
func fits(form string, ids []string) bool {
	switch {
	case form == "":
		return len(ids) == 0
	case form == "point,other" && len(ids) != 2, strings.HasSuffix(form, "fact") && len(ids) > 2, len(ids) == 0:
		return false
	}
	return !slices.ContainsFunc(ids, func(id string) bool { return !strings.Contains(move.Letters(form), id[:1]) })
}

// idList reads ids such as "P1, P2 and P3" or "[C1]", and where they end.
func (g *grammar) idList(line string, at int, letters string) (ids []string, end int) {
	for len(ids) < move.MostFound {
		found := g.id.FindStringSubmatchIndex(line[at:])
		if found == nil {
			break
		}
		id := strings.ToUpper(line[at+found[2] : at+found[3]])
		if !strings.Contains(letters, id[:1]) {
			break
		}
		ids, at = append(ids, id), at+found[1]
	}
	return ids, at
}

// separated skips blanks, emphasis and a colon, dash or arrow, and reports whether there
// was one of these three.
func separated(line string, at int) (colon bool, end int) {
	trimmed := strings.TrimLeft(line[at:], " \t*_")
	for _, mark := range []string{":", "：", "–", "—", "->", "=>", "→", "- ", ". "} {
		if rest, ok := strings.CutPrefix(trimmed, mark); ok {
			return true, len(line) - len(strings.TrimLeft(rest, " \t*_✅❌⚠\uFE0F"))
		}
	}
	return false, len(line) - len(trimmed)
}

// pair returns the word for how two points relate at the beginning of a text, or "".
func (g *grammar) pair(text string) string {
	for _, word := range []string{move.PairOpposed, move.PairSubject, move.PairAlike} {
		if _, ok := cutWord(text, word); ok {
			return word
		}
	}
	return ""
}

// cutWord removes a word from the beginning of a text, in any case and with blanks for hyphens.
func cutWord(text, word string) (rest string, ok bool) {
	if len(text) < len(word) || move.ClosedWord(text[:len(word)], []string{word}) != word {
		return text, false
	}
	rest = text[len(word):]
	if rest != "" && (unicode.IsLetter(rune(rest[0])) || rest[0] == '-' && len(rest) > 1 && rest[1] != ' ') {
		return text, false
	}
	return rest, true
}

// close converts the current passage to moves.
func (r *lineReader) close() {
	p := r.now
	r.now = nil
	if p == nil {
		return
	}
	if p.finding != nil {
		r.finding(p.finding)
		return
	}
	b := body{text: r.text[p.from:p.to], mask: r.mask[p.from:p.to]}.trim(" \t\r\n")
	switch {
	case p.head != nil:
		r.move(p.head, b)
	case p.item:
		r.move(&head{wordForm: r.words["RAISE"][0]}, b)
	case r.answering && saysSomething(b.mask) &&
		!strings.HasSuffix(b.text, ":") && !strings.HasSuffix(b.text, "：") &&
		(!strings.HasPrefix(b.text, "#") || strings.Contains(b.text, "\n")):
		// A defense whose id is missing (CH4).
		r.move(&head{wordForm: r.words["RE"][0]}, b)
	case r.points && len(r.cite(b, false)) > 0:
		r.missed++
	}
}

// move converts a passage to moves.
func (r *lineReader) move(h *head, b body) {
	m := h.move
	b = b.trimLead(false)
	if m.Kind == move.KindDefend {
		before, answered := r.number, h.ids
		h.ids = r.concessions(answered, b)
		if r.number > before && len(h.ids) == 0 {
			return
		}
	}
	switch {
	case h.conditional:
		if !r.next() {
			r.unread(b.text)
		} else {
			r.refuse("conditional", fmt.Sprintf(
				"%s: a verdict under a condition or a question does not count; SKEPTICAL says what would upgrade a point",
				m.Kind))
		}
		return
	case h.IDs != "" && h.Words != "" && len(h.ids) == 0 && !h.Free && m.Kind != move.KindDefend:
		switch {
		case b.text == "" || r.silence.MatchString(b.mask):
			r.silent = true
		case !r.next():
			r.unread(b.text)
		default:
			r.refuse("missing-field", fmt.Sprintf("%s names no id, as in %s", m.Kind, m.Row.Template(h.LineForm)))
		}
		return
	case (h.Claim || m.Kind == move.KindFlag) && h.IDs == "" && b.text == strings.Trim(b.mask, "\x00") &&
		r.silence.MatchString(b.mask):
		// "AMBIGUITY: none", "CLAIM: none"
		r.silent = true
		if h.Claim && r.allows(move.KindFlag) {
			r.value(map[string]any{move.Key: string(move.KindFlag), "flag": string(move.FlagNothing)})
		}
		return
	}
	object := map[string]any{move.Key: string(m.Kind)}
	if field, value, ok := strings.Cut(h.Set, "="); ok {
		object[field] = value
	}
	rest, offered := r.fields(h, b, object)
	r.fill(h, &rest, object)
	var citations []any
	if !m.Requests() || m.Schema.Properties["citations"] != nil {
		citations, _ = r.citations(offered, m.Schema.Properties["reference"] != nil)
	}
	if strings.Contains(h.Lead, "place") {
		// The place is not a citation as well.
		citations = slices.DeleteFunc(citations, func(c any) bool {
			fields, _ := c.(map[string]any)
			reference, err := ledger.ParseReference(fmt.Sprint(fields["reference"]))
			return err == nil && fields["quote"] == nil && reference.Path == object["path"] && len(reference.Spans) == 1 &&
				strconv.Itoa(reference.Spans[0].First) == object["line"]
		})
	}
	if m.Kind == move.KindCite {
		if other := marked(offered, r.ask.Kinds); other != nil {
			citations = other
		}
	}
	r.emit(h, object, citations)
}

// concessions makes a CONCEDE of each sentence of an answer that concedes, and returns the
// ids that are still answered, as in "Re C1: You are right. I concede C1".
func (r *lineReader) concessions(ids []string, b body) []string {
	concede := func(id, reason string) {
		r.move(&head{wordForm: r.words["CONCEDE"][0], ids: []string{id}}, body{text: reason, mask: reason})
		ids = slices.DeleteFunc(slices.Clone(ids), func(other string) bool { return other == id })
	}
	if word, end := r.lookup(b.mask, 0); end > 0 && strings.Contains(word, "CONCEDE") && len(ids) > 0 &&
		r.ends.MatchString(b.mask[end:]) && !r.conditional.MatchString(b.mask[end:]) {
		for _, id := range ids {
			concede(id, b.text)
		}
		return ids
	}
	for _, f := range r.conceding.FindAllStringSubmatchIndex(b.mask, move.MostFound) {
		line, _, _ := strings.Cut(b.mask[f[3]:], "\n")
		if r.ends.MatchString(line) && !r.conditional.MatchString(line) {
			id := b.mask[f[2]:f[3]]
			reason := b.text
			if !slices.Contains(ids, id) {
				reason = ""
			}
			concede(id, reason)
		}
	}
	return ids
}

// flawKind matches the kind of a flaw.
var flawKind = regexp.MustCompile(`^[*_]*(?i:empirical|value)\b`)

// fields cuts "name: value" off the end of a body. In offered, what the move asks for is left out: it cites nothing.
func (r *lineReader) fields(h *head, b body, object map[string]any) (rest, offered body) {
	s := h.move.Schema
	end := 0
	found := h.move.Parts.FindAllStringSubmatchIndex(b.mask, move.MostFound)
	for i, f := range found {
		name := strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(b.mask[f[2]:f[3]]))
		if name == move.ValueJudgment && s.Properties[name] == nil {
			word, _, _ := strings.Cut(strings.ReplaceAll(b.text[f[1]:], "|", "\n"), "\n")
			if value := move.IsTrue(strings.Trim(word, " .")); value != nil && *value && object["kind"] == nil {
				object["kind"] = string(state.Value)
			}
			continue
		}
		if name == "kind" && s.Properties["flaw_kind"] != nil && object["flaw_kind"] == nil &&
			(object["class"] == string(state.Reject) || h.Set == "class="+string(state.Reject)) &&
			flawKind.MatchString(b.mask[f[1]:]) {
			// In the line of a REJECT it is the kind of the flaw.
			name = "flaw_kind"
		}
		if s.Properties[name] == nil {
			for _, field := range move.PartAliases()[strings.ReplaceAll(name, "_", " ")] {
				if s.Properties[field] != nil && field != h.Text {
					name = field
					break
				}
			}
		}
		until := len(b.mask)
		if i+1 < len(found) {
			until = found[i+1][2]
		}
		next := len(b.mask)
		if i+1 < len(found) {
			next = found[i+1][0]
		}
		if asksFor(h.move, name) {
			// A citation behind a bar is offered as evidence.
			for at := f[1]; at < until; at++ {
				behind := b.cut(at, until)
				if behind.mask[0] != '|' {
					continue
				}
				if all := r.cite(behind, false); len(all) > 0 &&
					strings.Trim(behind.text[:all[0].from], "| \t\n") == "" {
					until, next = at, at
				}
			}
			offered = body{offered.text + b.text[end:f[0]] + "\n", offered.mask + b.mask[end:f[0]] + "\n"}
			end = next
		}
		value := b.cut(f[1], until).trim(" \t\r\n|;(*_-•")
		if strings.Count(value.mask, ")") > strings.Count(value.mask, "(") {
			// It closes the remark that contains the field.
			value = value.trim(" \t.").trim(")")
		}
		if _, known := object[name]; s.Properties[name] != nil && (!known || strings.HasPrefix(h.Set, name)) {
			object[name] = r.fieldValue(h.move, name, s.Properties[name], value)
		}
	}
	offered = body{offered.text + b.text[end:], offered.mask + b.mask[end:]}
	if len(found) == 0 {
		return b, offered
	}
	return b.cut(0, found[0][2]).trim(" \t\r\n|;(*_-•"), offered
}

// asksFor reports whether a field of a move says which evidence is asked for.
func asksFor(m *move.Spec, name string) bool {
	switch name {
	case "request", "command", "query", "lookup", "url", "expect", "clears":
		return m.Requests()
	}
	return false
}

// fieldValue returns the JSON value of a field written on a line.
func (r *lineReader) fieldValue(m *move.Spec, name string, s *jsonschema.Schema, b body) any {
	switch {
	case s.Type == "string" && move.IsIDField(name):
		return r.anyID.FindString(b.mask)
	case asksFor(m, name) && s.Enum == nil:
		return b.text
	case s.Type == "object":
		// "sum of E1, a.b"
		op, of, _ := strings.Cut(b.text, " of ")
		return map[string]any{"op": strings.TrimSpace(op), "of": listOf(FactIDs(of))}
	case name == "needs":
		// Claims are sentences, so only a semicolon or a line separates them.
		return listOf(lists.Map(strings.FieldsFunc(b.text, func(c rune) bool { return c == ';' || c == '\n' }),
			strings.TrimSpace))
	case s.Type == "array" && move.IsIDField(name):
		return listOf(r.anyID.FindAllString(b.mask, move.MostFound))
	case s.Type == "array":
		return listOf(FactIDs(b.text))
	case s.Type == "string" && s.Enum == nil && name != "grounds" && name != "severity":
		_, tail := r.citations(b, false)
		if cut := b.cut(0, tail).trim(" \t\r\n,;:(|"); cut.text != "" {
			return cut.text
		}
	case name == "severity" || s.Enum != nil || s.Type == "number" || s.Type == "integer" || s.Type == "boolean":
		word, _, _ := strings.Cut(strings.ReplaceAll(b.text, "|", "\n"), "\n")
		if word = strings.Trim(word, " ."); name == "severity" {
			return strings.ToUpper(word)
		}
		return word
	}
	return b.text
}

// FactIDs splits a list at commas and blanks.
func FactIDs(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(", ;`\t\r\n[]", c) })
}

func listOf(words []string) []any { return lists.Map(words, func(word string) any { return word }) }

// fill reads the fields before the colon, the marks inside the text, and the text.
func (r *lineReader) fill(h *head, b *body, object map[string]any) {
	s := h.move.Schema
	*b = r.lead(h, *b, object)
	if h.move.Kind == move.KindRevise {
		if f := r.answers.FindStringSubmatchIndex(b.mask); f != nil {
			object["challenge"] = b.mask[f[2]:f[3]]
			*b = b.drop(f[0], f[1])
		}
	}
	// The citations at the end are found with the marks in front of them, which end a name.
	evidence := body{}
	if _, tail := r.citations(*b, false); tail < len(b.text) {
		evidence, *b = b.cut(tail, len(b.text)), b.cut(0, tail)
	}
	for _, f := range slices.Backward(r.marks.FindAllStringSubmatchIndex(b.mask, move.MostFound)) {
		at := max(f[2], f[4])
		if name, value := markOf(s, b.mask[at:max(f[3], f[5])]); name != "" {
			if object[name] == nil {
				object[name] = value
			}
			*b = b.drop(f[0], f[1])
		}
	}
	*b = body{text: b.text + evidence.text, mask: b.mask + evidence.mask}
	text := b.trim(" \t\r\n")
	_, tail := r.citations(text, false)
	if evidence.text != "" {
		tail = len(
			strings.TrimRight(b.text[:len(b.text)-len(evidence.text)], " \t\r\n"),
		) - (len(b.text) - len(strings.TrimLeft(b.text, " \t\r\n")))
		tail = min(max(tail, 0), len(text.text))
	}
	if h.Claim || strings.HasSuffix(strings.TrimRight(text.mask[:tail], " \t"), "|") {
		// A claim is stored without the citations at its end, other texts without those after a
		// bar.
		cut := text.cut(0, tail).trim(endOfClaim)
		if rest, labeled := strings.CutSuffix(cut.text, "证据"); labeled {
			cut = cut.cut(0, len(rest)).trim(endOfClaim)
		}
		if cut.text != "" {
			text = cut
		}
	}
	if s.Properties["cites"] != nil && h.Text == "" && object["cites"] == nil {
		if ids, _ := r.idList(b.mask, 0, "E"); ids != nil {
			object["cites"] = listOf(ids)
		}
	}
	switch {
	case h.Text == "" || object[h.Text] != nil && text.text == "":
		return
	case h.Claim:
		claim := strings.TrimLeft(strings.ReplaceAll(text.text, "**", ""), " \t\r\n:：")
		object[h.Text] = plain.OneLine(claim)
		return
	}
	words := text.trimLead(false).text
	if len(words) > 8 && strings.EqualFold(words[:8], "because ") && h.Text != "text" {
		words = strings.TrimSpace(words[8:])
	}
	if h.Text == "cause" {
		words = strings.Trim(words, " ().[]")
	}
	object[h.Text] = words
}

// endOfClaim separates a claim from the citations behind it.
const endOfClaim = " \t\r\n,;:(–—-*_|，；：（。"

// markOf returns the field for a mark in brackets: a label, a confidence, or a field that is true.
func markOf(s *jsonschema.Schema, mark string) (name string, value any) {
	mark = strings.TrimSpace(mark)
	if label := s.Properties["label"]; label != nil {
		if word := move.ClosedWord(mark, move.EnumWords(label)); slices.Contains(move.EnumWords(label), word) {
			return "label", word
		}
	}
	if kind := s.Properties["kind"]; kind != nil {
		if move.ClosedWord(mark, []string{move.ValueJudgment}) == move.ValueJudgment {
			mark = string(state.Value)
		}
		if word := move.ClosedWord(mark, move.EnumWords(kind)); slices.Contains(move.EnumWords(kind), word) {
			return "kind", word
		}
	}
	if s.Properties["key"] != nil && move.ClosedWord(mark, []string{"key"}) == "key" {
		return "key", true
	}
	if s.Properties["confidence"] != nil {
		digits, named := strings.CutPrefix(strings.ToLower(mark), "confidence")
		digits = strings.Trim(digits, " \t:=")
		if _, ok := move.AsNumber(digits, nil).(float64); ok &&
			(named || strings.HasPrefix(digits, "0.") || strings.HasPrefix(digits, "1.") ||
				strings.HasPrefix(digits, ".")) {
			return "confidence", digits
		}
	}
	return "", nil
}

// lead reads the fields between the ids and the colon.
func (r *lineReader) lead(h *head, b body, object map[string]any) body {
	left := slices.DeleteFunc(strings.Fields(h.Lead), func(field string) bool {
		return object[strings.Trim(field, "[]?")] != nil && !strings.HasPrefix(h.Set, strings.Trim(field, "[]?"))
	})
	for read := false; len(left) > 0; {
		trimmed := b.trimLead(read)
		i := slices.IndexFunc(left, func(field string) bool {
			rest, ok := r.leadField(h, strings.Trim(field, "[]?"), trimmed, object)
			if ok {
				trimmed = rest
			}
			return ok
		})
		if i < 0 {
			return trimmed
		}
		left, b, read = slices.Delete(left, i, i+1), trimmed, true
	}
	return b.trim(" \t\r\n")
}

// severityWord is how bad a finding is, at the beginning of a text. The format reads the words of other programs too.
var severityWord = regexp.MustCompile(`(?i)^[\[(*_]*(BLOCKING|BLOCKER|CRITICAL|HIGH|MAJOR|MEDIUM|MODERATE|LOW|MINOR|NIT)[\])*_]*(?:[ \t:]|$)`)

// severity reads such a word.
func severity(b body, object map[string]any) (body, bool) {
	found := severityWord.FindStringSubmatchIndex(b.mask)
	if found == nil {
		return b, false
	}
	object["severity"] = strings.ToUpper(b.mask[found[2]:found[3]])
	return b.cut(len(strings.TrimRight(b.mask[:found[1]], " \t:")), len(b.mask)), true
}

// place reads a place at the beginning of a text, up to a colon with a blank behind it: path:12, path:12-18, path.
func place(b body, object map[string]any) (body, bool) {
	line, _, _ := strings.Cut(b.mask, "\n")
	end := len(line)
	for _, mark := range []string{": ", " | ", "：", " - ", " – ", " — "} {
		if at := strings.Index(line, mark); at >= 0 {
			end = min(end, at)
		}
	}
	reference, err := ledger.ParseReference(strings.Trim(b.text[:end], " \t`*"))
	isPath := err == nil && !strings.ContainsAny(reference.Path, " \t") && strings.ContainsAny(reference.Path, "./")
	if err != nil || len(reference.Spans) == 0 && !isPath {
		return b, false
	}
	object["path"] = reference.Path
	if len(reference.Spans) > 0 {
		object["line"] = strconv.Itoa(reference.Spans[0].First)
		if last := reference.Spans[0].Last; last > reference.Spans[0].First {
			object["end"] = strconv.Itoa(last)
		}
	}
	return b.cut(end, len(b.mask)), true
}

var sentenceID = regexp.MustCompile(`^\[?(S\d{1,3})\b\]?`)

// sentence reads the id of a sentence of the answer.
func sentence(b body, object map[string]any) (body, bool) {
	found := sentenceID.FindStringSubmatchIndex(b.mask)
	if found == nil {
		return b, false
	}
	object["sentence"] = b.mask[found[2]:found[3]]
	return b.cut(found[1], len(b.mask)), true
}

// leadField reads one field at the beginning of a body and reports whether it is there.
func (r *lineReader) leadField(h *head, field string, b body, object map[string]any) (body, bool) {
	s := h.move.Schema.Properties[field]
	switch {
	case field == "pair":
		word := r.pair(b.mask)
		if word == "" {
			return b, false
		}
		object["same_subject"], object["opposed"], object["alike"] = true, word == move.PairOpposed, word == move.PairAlike
		return b.cut(len(b.mask), len(b.mask)), true
	case field == "into":
		rest, ok := cutWord(b.mask, field)
		ids, end := r.idList(rest, 0, "P")
		if !ok || len(ids) != 1 {
			return b, false
		}
		object[field] = ids[0]
		return b.cut(len(b.mask)-len(rest)+end, len(b.mask)), true
	case field == "place":
		return place(b, object)
	case field == "severity" && s.Enum == nil:
		return severity(b, object)
	case field == "point":
		ids, end := r.idList(b.mask, 0, "P")
		if ids == nil {
			return b, false
		}
		object[field] = ids[0]
		return b.cut(end, len(b.mask)), true
	case field == "path" || field == "value":
		before, _, ok := strings.Cut(b.mask, "=")
		if !ok {
			return b, false
		}
		if field == "path" {
			object[field] = strings.Trim(b.text[:len(before)], " \t*_`:")
			return b.cut(len(before), len(b.mask)), true
		}
		value := b.cut(len(before)+1, len(b.mask))
		if end := strings.IndexAny(value.mask, "|\n"); end >= 0 {
			value = value.cut(0, end)
		}
		object[field] = decoded(string(ValueOf(value.text)))
		return b.cut(len(b.mask), len(b.mask)), true
	case field == "sentence":
		return sentence(b, object)
	case field == "term" || field == "file":
		end := strings.IndexByte(b.mask, ':')
		if end < 0 {
			return b, false
		}
		around := " \t\"“”`"
		if field == "term" {
			around += "*_"
		}
		object[field] = strings.Trim(b.text[:end], around)
		return b.cut(end, len(b.mask)), true
	case s.Type == "number":
		found := r.amount.FindStringSubmatchIndex(b.mask)
		if found == nil {
			return b, false
		}
		object[field] = strings.TrimRight(b.mask[found[2]:found[3]], ".,*_")
		return b.cut(found[1], len(b.mask)), true
	case s.Enum != nil:
		for _, word := range move.EnumWords(s) {
			if rest, ok := cutWord(b.mask, word); ok {
				object[field] = word
				return b.cut(len(b.mask)-len(rest), len(b.mask)), true
			}
		}
		if slices.Contains(strings.Fields(h.Lead), field) && object[field] == nil {
			// The unknown word is kept, so that the refusal names it.
			word := r.word.FindString(b.mask)
			object[field] = word
			return b.cut(len(word), len(b.mask)), true
		}
	case strings.HasPrefix(b.mask, "["):
		end := strings.IndexByte(b.mask, ']')
		if end < 0 {
			return b, false
		}
		if inner := b.text[1:end]; s.Type == "array" {
			object[field] = listOf(FactIDs(inner))
		} else {
			object[field] = strings.TrimSpace(inner)
		}
		return b.cut(end+1, len(b.mask)), true
	}
	return b, false
}

// emit passes the moves of a passage to the JSON reader: one per id, and one per citation of a move
// that is itself a citation.
func (r *lineReader) emit(h *head, object map[string]any, citations []any) {
	objects := []map[string]any{object}
	if h.move.Schema.Properties["reference"] == nil {
		if len(citations) > 0 {
			object["citations"] = citations
		}
	} else if len(citations) > 0 {
		objects = nil
		for _, citation := range citations {
			one := maps.Clone(object)
			fields, _ := citation.(map[string]any)
			for name, value := range fields {
				if h.move.Schema.Properties[name] != nil {
					one[name] = value
				}
			}
			objects = append(objects, one)
		}
	}
	fields := strings.FieldsFunc(h.IDs, func(c rune) bool { return c == '|' || c == ',' })
	for _, one := range objects {
		switch {
		case len(h.ids) == 0 || h.IDs == "-":
			r.value(one)
		case h.IDs == "from":
			one["from"] = listOf(h.ids)
			r.value(one)
		case h.IDs == "item":
			one["challenge"] = h.ids[0]
			r.value(one)
		case strings.Contains(h.IDs, ",") || strings.HasPrefix(h.ids[len(h.ids)-1], "F"):
			if len(fields) > len(h.ids) {
				fields = []string{"point", "fact"}
			}
			for i, id := range h.ids {
				one[fields[i]] = id
			}
			r.value(one)
		default:
			for _, id := range h.ids {
				each := maps.Clone(one)
				for _, field := range fields {
					if move.IDLetter(field) == id[:1] {
						each[field] = id
					}
				}
				r.value(each)
			}
		}
	}
}

// ValueOf returns the JSON of a typed value: a number, true, false, a quoted text or a list of them
// as it is, anything else as a text.
func ValueOf(typed string) json.RawMessage {
	typed = strings.TrimSpace(typed)
	var value any
	if json.Unmarshal([]byte(typed), &value) == nil {
		switch value.(type) {
		case map[string]any, nil:
		default:
			return json.RawMessage(typed)
		}
	}
	encoded, err := move.EncodeJSON(strings.ToValidUTF8(typed, "\uFFFD"))
	if err != nil {
		// Unreachable: a text can always be written as JSON.
		return json.RawMessage(`""`)
	}
	return encoded
}
