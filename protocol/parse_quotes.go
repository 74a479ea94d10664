package protocol

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moot/ledger"
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

// body is a part of a text with its masked copy.
type body struct{ text, mask string }

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
	if at := strings.IndexByte(b.mask[:from], '='); at >= 0 {
		// The value of a field of a proposal follows.
		from = at
	}
	return b.cut(from, len(b.mask))
}

// drop removes a range from both copies and closes the gap.
func (b body) drop(from, to int) body {
	left := b.cut(0, len(strings.TrimRight(b.text[:from], " \t")))
	return body{text: left.text + b.text[to:], mask: left.mask + b.mask[to:]}.trim(" \t\r\n")
}

// citing is a citation and its position in the body.
type citing struct {
	reference, quote string
	from, to         int
}

// citations finds every reference with its quote and every command with its expected result, as
// JSON. tail is where the citations at the end of the body begin.
func (g *grammar) citations(b body) (found []any, tail int) {
	var all []citing
	if strings.Contains(b.text, "$ ") && strings.Contains(b.text, "=>") {
		all = g.commands(b)
	}
	if strings.Contains(b.text, ":") && strings.ContainsAny(b.text, "\"“`") {
		commands := all
		for _, f := range g.citation.FindAllStringSubmatchIndex(b.text, maxItems) {
			if slices.ContainsFunc(commands, func(c citing) bool { return f[0] < c.to && c.from < f[1] }) {
				continue
			}
			group := make([]string, len(f)/2)
			for i := range group {
				if f[2*i] >= 0 {
					group[i] = b.text[f[2*i]:f[2*i+1]]
				}
			}
			quote := cmp.Or(group[3], group[4], group[6], group[7])
			if group[2]+group[5] != "" {
				quote = strings.ReplaceAll(group[2]+group[5], `\"`, `"`)
			}
			all = append(all, citing{strings.ReplaceAll(group[1]+group[8], "–", "-"), quote, f[0], f[1]})
		}
	}
	all = append(all, g.bareCitations(b, all)...)
	slices.SortFunc(all, func(x, y citing) int { return cmp.Compare(x.from, y.from) })
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
		// A reference without a quote is part of the sentence.
		if c.quote == "" || strings.Trim(b.text[c.to:tail], " \t\r\n.,;:()[]|-–—*_\x00") != "" {
			break
		}
		tail = c.from
	}
	return found, tail
}

// maxBare bounds the citations without a quote that one move may hold.
const maxBare = 8

// bareCitations finds references without a quote: path:12, path#L12, path (line 12), a permalink,
// and "line 14" behind one of them, which means the same file.
func (g *grammar) bareCitations(b body, quoted []citing) (found []citing) {
	if !strings.ContainsAny(b.text, ":#(") {
		return nil
	}
	file := ""
	for _, f := range g.cited.FindAllStringSubmatchIndex(b.text, maxItems) {
		group := func(i int) string {
			if f[2*i] < 0 {
				return ""
			}
			return b.text[f[2*i]:f[2*i+1]]
		}
		path, lines := group(3), cmp.Or(group(4), strings.ReplaceAll(group(5), "L", ""), group(6))
		if path == "" && group(2) == "" {
			path, lines = file, group(7)
		}
		reference := cmp.Or(group(2), path+":"+strings.ReplaceAll(lines, "–", "-"))
		inQuotes := b.mask[f[0]] == 0 && b.text[f[0]] != '`'
		switch {
		case group(2) == "" && (path == "" || strings.HasPrefix(path, "//") || isHost(path)), inQuotes, len(found) == maxBare:
			continue
		case group(3) != "":
			file = path
		}
		if slices.ContainsFunc(slices.Concat(quoted, found), func(c citing) bool {
			return f[0] < c.to && c.from < f[1] || c.reference == reference
		}) {
			continue
		}
		to := f[1]
		if strings.HasPrefix(b.text[to:], "`") && group(1) == "`" || strings.HasPrefix(b.text[to:], ")") && group(1) == "(" {
			to++
		}
		found = append(found, citing{reference: reference, from: f[0], to: to})
	}
	return found
}

// citeBare adds the references in the text of a move that has no citations, as in "see
// store.go:14".
func (g *grammar) citeBare(move Move) {
	text, citations := "", (*[]Citation)(nil)
	switch m := move.(type) {
	case *Raise:
		text, citations = m.Text, &m.Citations
	case *Revise:
		text, citations = m.Text, &m.Citations
	case *Defend:
		text, citations = m.Text, &m.Citations
	case *Classify:
		text, citations = m.Reason+"\n"+m.Flaw+"\n"+m.Grounds, &m.Citations
	case *Challenge:
		text, citations = m.Flaw+"\n"+m.Grounds, &m.Citations
	}
	if citations == nil || len(*citations) > 0 {
		return
	}
	for _, c := range g.bareCitations(body{text: text, mask: mask(text)}, nil) {
		*citations = append(*citations, Citation{Reference: c.reference})
	}
}

// isHost reports whether an apparent file is the name of a host, as in example.com:443.
func isHost(path string) bool {
	dot := strings.LastIndexByte(path, '.')
	return !strings.Contains(path, "/") &&
		slices.Contains([]string{"com", "org", "net", "io", "dev", "local", "internal", "test", "example"}, path[dot+1:])
}

// commands finds proposals of a command, as in "$ go vet ./... => exit 0": between
// backquotes, or to the end of the line.
func (g *grammar) commands(b body) (found []citing) {
	for _, f := range g.command.FindAllStringSubmatchIndex(b.text, maxItems) {
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
