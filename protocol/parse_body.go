package protocol

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"moot/ledger"
)

// body is what follows the head of a passage, with its masked copy.
type body struct{ text, mask string }

// newBody cuts the body out and trims it on both sides.
func newBody(r *reader, from, to int) body {
	return body{text: r.text[from:to], mask: r.mask[from:to]}.trim(" \t\r\n")
}

func (b body) cut(from, to int) body { return body{text: b.text[from:to], mask: b.mask[from:to]} }

// trim removes characters at both ends of both copies. Quoted text stays: in
// the masked copy it holds none of them.
func (b body) trim(set string) body {
	from := len(b.mask) - len(strings.TrimLeft(b.mask, set))
	to := len(strings.TrimRight(b.mask, set))
	if from > to {
		return body{}
	}
	return b.cut(from, to)
}

// trimLead removes what separates a head from its body.
func (b body) trimLead() body {
	from := len(b.mask) - len(strings.TrimLeft(b.mask, " \t\r\n:–—-=>→*_,.|"))
	return b.cut(from, len(b.mask)).trim(" \t\r\n")
}

// trimLeadOfNumber is trimLead, and leaves a number the sign or the point that it
// begins with: "-0.5" is no 0.5, and ".5" is no 5.
func (b body) trimLeadOfNumber() body {
	rest := b.trimLead()
	if rest.mask == "" || rest.mask[0] < '0' || rest.mask[0] > '9' {
		return rest
	}
	at := len(b.mask) - len(rest.mask)
	if at > 0 && b.mask[at-1] == '.' {
		at--
	}
	if at > 0 && b.mask[at-1] == '-' && (at == 1 || strings.IndexByte(" \t:=", b.mask[at-2]) >= 0) {
		at--
	}
	return b.cut(at, len(b.mask))
}

// drop removes a range from both copies and closes the gap.
func (b body) drop(from, to int) body {
	left := b.cut(0, len(strings.TrimRight(b.text[:from], " \t")))
	return body{text: left.text + b.text[to:], mask: left.mask + b.mask[to:]}.trim(" \t\r\n")
}

// plainReason is a reason without the word that leads to it.
func plainReason(text string) string {
	text = strings.TrimLeft(text, " \t\r\n:–—-=>→*_,.;|")
	if len(text) > 8 && strings.EqualFold(text[:8], "because ") {
		text = text[8:]
	}
	return strings.TrimSpace(text)
}

// split reads "lead | kind: x | grounds: y" and parts on lines of their own.
func (t *textForm) split(b body) (lead body, parts map[string]body) { return splitAt(t.labels, b) }

func splitAt(labels *regexp.Regexp, b body) (lead body, parts map[string]body) {
	parts = map[string]body{}
	found := labels.FindAllStringSubmatchIndex(b.mask, maxItems)
	if len(found) == 0 {
		return b, parts
	}
	lead = b
	for i, f := range found {
		start, end := f[4], f[5]
		if start < 0 {
			start, end = f[2], f[3]
		}
		if i == 0 {
			lead = b.cut(0, start).trim(" \t\r\n|;(*_-•")
		}
		until := len(b.mask)
		if i+1 < len(found) {
			until = max(found[i+1][4], found[i+1][2])
		}
		name := strings.ToLower(b.mask[start:end])
		if strings.HasPrefix(name, "upgrade") {
			name = "upgrade if"
		}
		if _, known := parts[name]; !known {
			parts[name] = b.cut(f[1], until).trim(" \t\r\n|;(*_-•")
		}
	}
	return lead, parts
}

// confidence takes a confidence out of the text.
func (t *textForm) confidence(b body) (body, *float64) {
	if !strings.ContainsAny(b.mask, "([") && !strings.Contains(b.mask, "onfidence") {
		return b, nil
	}
	found := t.share.FindAllStringSubmatchIndex(b.mask, maxItems)
	if len(found) == 0 {
		return b, nil
	}
	f := found[len(found)-1]
	for group := 2; group < len(f); group += 2 {
		if f[group] >= 0 {
			if share := parseShare(b.mask[f[group]:f[group+1]]); share != nil {
				return b.drop(f[0], f[1]), share
			}
		}
	}
	return b, nil
}

// parseShare reads "0.8" or "80 %"; nil where it is no number.
func parseShare(text string) *float64 {
	digits, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	share, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || math.IsInf(share, 0) || math.IsNaN(share) {
		return nil
	}
	if percent {
		share /= 100
	}
	return &share
}

// labelled takes a label out of the text.
func (t *textForm) labelled(b body) (body, Label) {
	f := t.label.FindStringSubmatchIndex(b.mask)
	if f == nil {
		return b, LabelNone
	}
	start, end := max(f[2], f[4]), max(f[3], f[5])
	return b.drop(f[0], f[1]), Label(strings.ToUpper(b.mask[start:end]))
}

// valued takes the mark of a value judgment out of the text.
func (t *textForm) valued(b body) (body, bool) {
	f := t.value.FindStringIndex(b.mask)
	if f == nil {
		return b, false
	}
	return b.drop(f[0], f[1]), true
}

// citations finds every reference with its quote.
func (t *textForm) citations(b body) []Citation {
	found, _ := t.cited(b)
	return found
}

// citing is a citation and the bytes of the body that hold it.
type citing struct {
	Citation
	from, to int
}

// cited also returns where the citations stand that nothing but marks follows.
func (t *textForm) cited(b body) (found []Citation, tail int) {
	tail = len(b.text)
	all := t.commands(b)
	if strings.Contains(b.text, ":") && strings.ContainsAny(b.text, "\"“`") {
		all = append(all, t.quotations(b, all)...)
	}
	slices.SortFunc(all, func(x, y citing) int { return cmp.Compare(x.from, y.from) })
	for i := range all {
		c := &all[i]
		if mark := t.direct.FindStringIndex(b.text[c.to:min(len(b.text), c.to+16)]); mark != nil {
			c.Direct = true
			c.to += mark[1]
		}
		if strings.TrimSpace(c.Quote) != "" {
			found = append(found, c.Citation)
		}
	}
	for _, c := range slices.Backward(all) {
		if strings.Trim(b.text[c.to:tail], " \t\r\n.,;:()[]|-–—*_\x00") != "" {
			break
		}
		tail = c.from
	}
	return found, tail
}

// quotations finds every reference with its quote, outside of the commands.
func (t *textForm) quotations(b body, commands []citing) []citing {
	var found []citing
	for _, f := range t.citation.FindAllStringSubmatchIndex(b.text, maxItems) {
		if slices.ContainsFunc(commands, func(c citing) bool { return f[0] < c.to && c.from < f[1] }) {
			continue
		}
		group := func(i int) string {
			if f[2*i] < 0 {
				return ""
			}
			return b.text[f[2*i]:f[2*i+1]]
		}
		c := Citation{
			Reference: strings.ReplaceAll(group(1)+group(8), "–", "-"),
			Quote:     group(2) + group(3) + group(4) + group(5) + group(6) + group(7),
		}
		if group(2)+group(5) != "" {
			c.Quote = strings.ReplaceAll(c.Quote, `\"`, `"`)
		}
		found = append(found, citing{c, f[0], f[1]})
	}
	return found
}

// commands finds every proposal of a command, as in "$ go vet ./... => exit 0":
// between backquotes, or to the end of its line. What expects nothing is only
// talked of.
func (t *textForm) commands(b body) []citing {
	if !strings.Contains(b.text, "$ ") || !strings.Contains(b.text, "=>") {
		return nil
	}
	var found []citing
	for _, f := range t.command.FindAllStringSubmatchIndex(b.text, maxItems) {
		from, to, start := f[2], f[3], f[0]
		if from < 0 {
			// Behind a bare one marks may follow on its line.
			from, start = f[4], f[4]-len("$ ")
			text := strings.TrimRight(b.text[from:f[5]], " \t\r.)")
			text = strings.TrimRight(strings.TrimSuffix(text, "[DIRECT]"), " \t")
			to = from + len(text)
		}
		command, expectation, ok := ledger.CutProposal(b.text[from:to])
		if !ok {
			continue
		}
		if f[2] >= 0 {
			to = f[1]
		}
		found = append(found, citing{Citation{Reference: "$ " + command, Quote: expectation}, start, to})
	}
	return found
}
