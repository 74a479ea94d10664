package reply

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moot/ledger"
	"moot/protocol/move"
)

// maskLines fills the lines that a writer only quotes (ST6): block quotes and data fences,
// and with code also fenced code, which otherwise may hold the reply.
func maskLines(text string, code bool) string {
	m := []byte(text)
	fence, closing, start := "", "", 0
	for line := range strings.Lines(text) {
		end := start + len(strings.TrimSuffix(line, "\n"))
		line = strings.TrimSpace(line)
		masked := true
		switch {
		case closing != "":
			if line == closing {
				closing = ""
			}
		case fence != "":
			if strings.HasPrefix(line, fence) {
				fence = ""
			}
		case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
			if masked = code; code {
				fence = line[:3]
			}
		case strings.HasPrefix(line, "<<<"):
			closing = ">>>"
		case strings.HasPrefix(line, "--- BEGIN "):
			closing = strings.Replace(line, "BEGIN", "END", 1)
		case strings.HasPrefix(line, "<<DATA"):
			// A data fence of our prompts ends with its own nonce only (JU7).
			nonce, _, _ := strings.Cut(strings.TrimSpace(line[len("<<DATA"):]), " ")
			closing = strings.TrimSpace("DATA "+nonce) + ">>"
		default:
			masked = strings.HasPrefix(line, ">")
		}
		if masked {
			fill(m[start:end])
		}
		start = end + 1
	}
	return string(m)
}

// mask returns a text of the same length in which everything that is only quoted is filled
// with zeros: quoted lines, fenced code, code spans and quotations. Line ends stay.
func mask(text string) string {
	m := []byte(maskLines(text, true))
	for start := 0; start < len(m); {
		end := len(m)
		if i := bytes.Index(m[start:], []byte("\n\n")); i >= 0 {
			end = start + i + 2
		}
		maskSpans(m[start:end])
		start = end
	}
	return string(m)
}

// maskSpans fills code spans and quotations inside one paragraph. An opening mark without an
// end fills nothing: it may be an inch or a stray mark.
func maskSpans(m []byte) {
	unclosed := map[string]bool{}
	for i := 0; i < len(m); {
		open, closing := quoteAt(m, i)
		if open == 0 || unclosed[closing] {
			_, size := utf8.DecodeRune(m[i:])
			i += max(size, open)
			continue
		}
		end := -1
		for from := i + open; ; {
			at := bytes.Index(m[from:], []byte(closing))
			if at < 0 {
				break
			}
			from += at + len(closing)
			if closing != `"` || m[from-2] != '\\' {
				end = from
				break
			}
		}
		if end < 0 {
			unclosed[closing] = true
			i += open
			continue
		}
		fill(m[i:end])
		i = end
	}
}

// quoteAt returns the length of the mark that opens a quotation at i and the mark that ends
// it, 0 if none does.
func quoteAt(m []byte, i int) (open int, closing string) {
	switch {
	case m[i] == '`':
		run := len(m[i:]) - len(bytes.TrimLeft(m[i:], "`"))
		return run, string(m[i : i+run])
	case m[i] == '"':
		before, _ := utf8.DecodeLastRune(m[:i])
		opens := i == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before)
		if opens && i+1 < len(m) && m[i+1] != ' ' && m[i+1] != '\n' {
			return 1, `"`
		}
	case bytes.HasPrefix(m[i:], []byte("“")):
		return len("“"), "”"
	case bytes.HasPrefix(m[i:], []byte("„")):
		return len("„"), "“"
	case bytes.HasPrefix(m[i:], []byte("«")):
		return len("«"), "»"
	}
	return 0, ""
}

// fill masks bytes and keeps line ends.
func fill(m []byte) {
	for i, c := range m {
		if c != '\n' {
			m[i] = 0
		}
	}
}

func (b body) cut(from, to int) body { return body{text: b.text[from:to], mask: b.mask[from:to]} }

// trim removes characters at both ends of both copies. Quoted text stays: in the masked copy
// it holds none of them.
func (b body) trim(set string) body {
	from := len(b.mask) - len(strings.TrimLeft(b.mask, set))
	return b.cut(from, max(from, len(strings.TrimRight(b.mask, set))))
}

// trimLead removes what separates a head from its body. It leaves a number its sign and
// point: "-0.5" is no 0.5, and ".5" is no 5. After a field it stops at a colon, which ends
// the fields.
func (b body) trimLead(read bool) body {
	set := " \t\r\n:：–—-=>→*_,.|"
	if read {
		set = " \t*_,"
	}
	from := len(b.mask) - len(strings.TrimLeft(b.mask, set))
	if rest := b.mask[from:]; rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		if from > 0 && b.mask[from-1] == '.' {
			from--
		}
		if from > 0 && b.mask[from-1] == '-' && (from == 1 || strings.IndexByte(" \t:=", b.mask[from-2]) >= 0) {
			from--
		}
	}
	if rest := b.mask[from:]; rest != "" && from > 0 && b.mask[from-1] == '.' && unicode.IsLetter(rune(rest[0])) &&
		(from == 1 || strings.IndexByte(" \t:|", b.mask[from-2]) >= 0) {
		// The name of a file begins with a dot.
		from--
	}
	if at := strings.IndexByte(b.mask[:from], '='); at >= 0 {
		// The value of a field of a proposal follows.
		from = at
	}
	return b.cut(from, len(b.mask))
}

// drop removes a range from both copies and closes the gap.
func (b body) drop(from, to int) body {
	left, gap := b.cut(0, len(strings.TrimRight(b.text[:from], " \t"))), ""
	if to < len(b.text) && strings.IndexByte(" \t\r\n.,;:", b.text[to]) < 0 {
		// Keep the words before and after the range apart.
		gap = " "
	}
	return body{text: left.text + gap + b.text[to:], mask: left.mask + gap + b.mask[to:]}.trim(" \t\r\n")
}

// citing is a citation and its position in the body.
type citing struct {
	reference, quote string
	from, to         int
}

// citations finds every reference with its quote and every command with its expected result, as
// JSON. tail is where the citations at the end of the body begin. With facts, the id of a fact
// (F2) is a reference anywhere in it.
func (g *grammar) citations(b body, facts bool) (found []any, tail int) {
	all := g.cite(b, facts)
	for i := range all {
		c := &all[i]
		fields := map[string]any{"reference": c.reference, "quote": c.quote}
		if strings.TrimSpace(c.quote) == "" {
			delete(fields, "quote")
		}
		found = append(found, fields)
	}
	tail = len(b.text)
	for _, c := range slices.Backward(all) {
		// A reference without a quote is part of the sentence, unless it has a field of its own.
		own := strings.HasSuffix(strings.TrimRight(b.text[:c.from], " \t"), "|")
		if c.quote == "" && !own || strings.Trim(b.text[c.to:tail], " \t\r\n.,;:()[]|-–—*_，。；（）\x00") != "" {
			break
		}
		tail = c.from
	}
	return found, tail
}

// cite finds the citations of a body in their order. Of a place inside of a quotation, somebody
// else is the author.
func (g *grammar) cite(b body, facts bool) (all []citing) {
	if strings.Contains(b.text, "$ ") && strings.Contains(b.text, "=>") {
		all = g.commands(b)
	}
	taken := func(from, to int) bool {
		return slices.ContainsFunc(all, func(c citing) bool { return from < c.to && c.from < to })
	}
	places := ledger.FindPlaces(b.text, move.MostFound)
	file := ""
	if mentioned := g.mentioned(b); len(mentioned) == 1 {
		file = mentioned[0]
	}
	var bare []citing
	free := 0 // where the text begins that belongs to no quote yet
	for _, p := range places {
		if b.mask[p.From] == 0 && !opensMark(b.text[p.From:]) || taken(p.From, p.To) {
			continue
		}
		if p.Path == "" {
			p.Path = file
		}
		c := citing{reference: p.Cited(), from: p.From, to: p.To}
		if quote, end := g.quoteBehind(b.text, p.To, g.evidence.MatchString(strings.TrimRight(b.text[:p.From], " \t"))); end > 0 {
			c.quote, c.to, free = quote, end, end
		} else if quote, start := g.quoteBefore(b.text, p.From, free); start >= 0 && !taken(start, p.From) {
			c.quote, c.from, free = quote, start, p.To
		}
		if p.Path == "" || p.Weak && c.quote == "" {
			continue
		}
		switch file = p.Path; {
		case c.quote == "":
			bare = append(bare, g.wholeName(b, c, p))
		default:
			all = append(all, g.wholeName(b, c, p))
		}
	}
	all = append(all, g.filesQuoted(b, taken)...)
	all = append(all, g.blocks(b, &bare)...)
	all = append(all, g.facts(b, facts, taken)...)
	for _, c := range bare {
		same := slices.ContainsFunc(all, func(other citing) bool {
			return other.reference == c.reference || c.from < other.to && other.from < c.to
		})
		if !same {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(x, y citing) int { return cmp.Compare(x.from, y.from) })
	return all
}

// opensMark reports whether a text begins with a mark that may enclose a reference.
func opensMark(text string) bool {
	c, _ := utf8.DecodeRuneInString(text)
	return strings.ContainsRune("`\"“‘「『《<[*", c)
}

// mentioned are the files that a body names, with or without lines.
func (g *grammar) mentioned(b body) (files []string) {
	for _, f := range g.file.FindAllStringSubmatch(b.text, move.MostFound) {
		if name := strings.TrimPrefix(f[1], "./"); ledger.IsFile(name) && !slices.Contains(files, name) {
			files = append(files, name)
		}
	}
	return files
}

// quoteBehind returns the quotation that follows a place, and where it ends, or 0. Code in
// back-quotes is one if a word says so ("store.go:14 reads `x`") or the place is a field of its own (introduced):
// else it names what the place is about.
func (g *grammar) quoteBehind(text string, at int, introduced bool) (quote string, end int) {
	f := g.behind.FindStringSubmatchIndex(text[at:])
	if f == nil {
		return "", 0
	}
	quote, code := g.quoted(text[at:], f, 2)
	if code && f[2] < 0 && !introduced {
		return "", 0
	}
	return quote, at + f[1]
}

// quoteBefore returns the quotation that ends before a place, and where it begins, or -1. It
// begins at free or later.
func (g *grammar) quoteBefore(text string, at, free int) (quote string, start int) {
	before := strings.TrimRight(text[free:at], " \t\n([（")
	for _, word := range []string{" in", " at", " from", "–", "—", "-", "→", "在", "见"} {
		if rest, ok := strings.CutSuffix(before, word); ok {
			before = strings.TrimRight(rest, " \t\n,，")
			break
		}
	}
	for _, pair := range [][2]string{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"«", "»"}, {"「", "」"}, {"『", "』"}} {
		inner, ok := strings.CutSuffix(before, pair[1])
		if !ok {
			continue
		}
		from := strings.LastIndex(inner, pair[0])
		for from > 0 && pair[0] == `"` && inner[from-1] == '\\' {
			from = strings.LastIndex(inner[:from], pair[0])
		}
		if from < 0 || strings.Contains(inner[from:], "\n\n") || strings.TrimSpace(inner[from+len(pair[0]):]) == "" {
			return "", -1
		}
		quote = inner[from+len(pair[0]):]
		if pair[0] == `"` {
			// An opening quotation mark follows a blank or a mark.
			if c, _ := utf8.DecodeLastRuneInString(inner[:from]); from > 0 &&
				(unicode.IsLetter(c) || unicode.IsDigit(c)) {
				return "", -1
			}
			quote = strings.ReplaceAll(quote, `\"`, `"`)
		}
		return quote, free + from
	}
	return "", -1
}

// quoted returns the quotation among the groups of a match from one on, and whether it is code.
func (g *grammar) quoted(text string, f []int, from int) (quote string, code bool) {
	for i := from; 2*i < len(f); i++ {
		if f[2*i] < 0 {
			continue
		}
		quote = text[f[2*i]:f[2*i+1]]
		if i == from {
			quote = strings.ReplaceAll(quote, `\"`, `"`)
		}
		return quote, 2*i+2 == len(f)
	}
	return "", false
}

// wholeName extends the name of a place to the beginning of its field, behind a bar or a
// mark such as [EVIDENCE]: a name may have blanks there. The check drops words before it.
func (g *grammar) wholeName(b body, c citing, p ledger.Place) citing {
	const mostWords = 6
	if p.Commit != "" || opensMark(b.text[p.From:]) || c.from < p.From {
		return c
	}
	if len(p.Spans) == 0 || strings.HasPrefix(strings.ToLower(b.text[p.From:]), "line") {
		return c
	}
	line := b.text[:p.From]
	start := strings.LastIndexAny(line, "|]\n") + 1
	lead := strings.TrimSpace(line[start:])
	if start == 0 || lead == "" || line[start-1] == '\n' || len(strings.Fields(lead)) > mostWords ||
		strings.ContainsAny(lead, "`\"“”():;,*_<>") || !strings.HasSuffix(line, " ") {
		return c
	}
	whole, err := ledger.ParseReference(lead + " " + p.Path + ":" + ledger.Spans(p.Spans))
	if err != nil {
		return c
	}
	c.reference, c.from = whole.String(), start+len(line[start:])-len(strings.TrimLeft(line[start:], " \t"))
	return c
}

// filesQuoted finds files that are cited without lines, by a quote behind them: store.go says "x".
func (g *grammar) filesQuoted(b body, taken func(from, to int) bool) (found []citing) {
	for _, f := range g.file.FindAllStringSubmatchIndex(b.text, move.MostFound) {
		name, at := b.text[f[2]:f[3]], f[1]
		if !ledger.IsFile(name) || b.mask[f[2]] == 0 && (f[2] == 0 || b.text[f[2]-1] != '`') || taken(f[2], at) {
			continue
		}
		if symbol := g.symbol.FindString(b.text[at:]); symbol != "" {
			at += len(symbol)
		}
		if quote, end := g.quoteBehind(b.text, at, false); end > 0 && !taken(f[2], end) {
			found = append(found, citing{reference: name, quote: quote, from: f[0], to: end})
		}
	}
	return found
}

// blocks finds the fenced blocks that quote what stands at the last place of the paragraph before
// them. A patch is no quotation, nor is a block that proposes how to write it.
func (g *grammar) blocks(b body, bare *[]citing) (found []citing) {
	for _, f := range g.block.FindAllStringSubmatchIndex(b.text, move.MostFound) {
		language, code := strings.ToLower(b.text[f[2]:f[3]]), b.text[f[4]:f[5]]
		paragraph := strings.TrimRight(b.text[:f[0]], " \t\r\n")
		begin := strings.LastIndex(paragraph, "\n\n") + 1
		at := -1
		for i, c := range *bare {
			if begin <= c.from && c.to <= len(paragraph) {
				at = i
			}
		}
		patch := slices.Contains(
			[]string{"diff", "patch", "suggestion", "sh", "bash", "shell", "console", "text"},
			language,
		)
		if at < 0 || patch || g.proposes.MatchString(paragraph[begin:]) || strings.TrimSpace(code) == "" ||
			strings.Contains(code, "...") {
			continue
		}
		c := (*bare)[at]
		c.quote = code
		*bare = slices.Delete(*bare, at, at+1)
		found = append(found, c)
	}
	return found
}

// facts finds facts of the user that are cited: with a quote, in a field of their own, behind a
// mark such as [EVIDENCE], or everywhere if the move itself is a citation.
func (g *grammar) facts(b body, everywhere bool, taken func(from, to int) bool) (found []citing) {
	for _, f := range g.fact.FindAllStringIndex(b.mask, move.MostFound) {
		if taken(f[0], f[1]) {
			continue
		}
		quote, end := g.quoteBehind(b.text, f[1], false)
		before, after := strings.TrimRight(b.mask[:f[0]], " \t"), strings.TrimLeft(b.mask[max(f[1], end):], " \t.")
		own := (before == "" || strings.HasSuffix(before, "|") || strings.HasSuffix(before, "]") || g.evidence.MatchString(before)) &&
			(after == "" || strings.IndexByte("|\n,;", after[0]) >= 0)
		if end > 0 || own || everywhere {
			found = append(found, citing{reference: b.mask[f[0]:f[1]], quote: quote, from: f[0], to: max(f[1], end)})
		}
	}
	return found
}

// citeBare adds the references in the text of a move that has no citations, as in "see
// store.go:14".
func (g *grammar) citeBare(one move.Move) {
	text, citations := "", (*[]move.Citation)(nil)
	if m := move.RaiseIn(one); m != nil {
		text, citations = m.Text, &m.Citations
	}
	switch m := one.(type) {
	case *move.Revise:
		text, citations = m.Text, &m.Citations
	case *move.Defend:
		text, citations = m.Text, &m.Citations
	case *move.Classify:
		text, citations = m.Reason+"\n"+m.Flaw+"\n"+m.Grounds, &m.Citations
	case *move.Challenge:
		text, citations = m.Flaw+"\n"+m.Grounds, &m.Citations
	}
	if citations == nil || len(*citations) > 0 {
		return
	}
	for _, c := range g.cite(body{text: text, mask: mask(text)}, false) {
		if !ledger.IsCommand(c.reference) {
			*citations = append(*citations, move.Citation{Reference: c.reference, Quote: c.quote})
		}
	}
}

// commands finds proposals of a command, as in "$ go vet ./... => exit 0": between
// backquotes, or to the end of the line.
func (g *grammar) commands(b body) (found []citing) {
	for _, f := range g.command.FindAllStringSubmatchIndex(b.text, move.MostFound) {
		from, to, start := f[2], f[3], f[0]
		if from < 0 {
			from, start = f[4], f[4]-len("$ ")
			text := strings.TrimRight(b.text[from:f[5]], " \t\r.)")
			to = from + len(strings.TrimRight(strings.TrimSuffix(text, "[DIRECT]"), " \t"))
		}
		command, expectation, ok := ledger.CutProposal(b.text[from:to])
		if !ok {
			continue
		}
		if f[2] >= 0 {
			to = f[1]
		}
		found = append(found, citing{"$ " + command, expectation, start, to})
	}
	return found
}
