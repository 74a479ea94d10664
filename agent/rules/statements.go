package rules

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"moot/plain"
)

const (
	// longestStatement is how much of a statement is proposed, in bytes; the whole
	// stands in what it cites.
	longestStatement = 300
	// fewestWords is how many words a statement has at least.
	fewestWords = 3
)

// block is some lines of a document that belong together: a heading, an item of
// a list, a paragraph.
type block struct {
	first, last int
	text        string
	heading     bool
	item        bool
}

// draftStatements drafts a field for the document as a whole, which its first
// line without a secret names, and one for each statement that decides something: an item of a
// list, or a heading or paragraph with a word of decision in it.
func (t *turn) draftStatements(m *material) []drafted {
	blocks := t.blocks(m)
	said := len(blocks)
	blocks = slices.DeleteFunc(blocks, func(b block) bool { return t.hides(m, b.first, b.last) || t.source.secret(b.text) })
	if said > len(blocks) {
		t.note(sayNoteSecrets, "file", shown(m.path), "count", plain.Counted(said-len(blocks), "statement"))
	}
	switch {
	case said == 0:
		return nil
	case len(blocks) == 0:
		return []drafted{{path: fieldPath("document", m.path), value: encoded("the document as it is"), from: m, file: m.path}}
	}
	title := &blocks[0]
	all := []drafted{{
		path: fieldPath("document", m.path), value: encoded(shortened(title.text)), from: m, file: m.path,
		line: title.first, last: title.last, quote: m.span(title.first, title.last),
	}}
	for i := range blocks[1:] {
		b := &blocks[i+1]
		if len(strings.Fields(b.text)) < fewestWords || !b.item && !t.decides(b.text) {
			continue
		}
		all = append(all, drafted{
			path: fieldPath("statement", itoa(b.first)), value: encoded(shortened(b.text)), from: m, file: m.path,
			line: b.first, last: b.last, quote: m.span(b.first, b.last),
		})
	}
	return all
}

// decides reports whether a text holds a word of decision.
func (t *turn) decides(text string) bool {
	for _, word := range split(text) {
		if t.decisions[strings.ToLower(word)] {
			return true
		}
	}
	return false
}

// shortened is the beginning of a text, whole words only.
func shortened(text string) string {
	if len(text) <= longestStatement {
		return text
	}
	cut := strings.LastIndexByte(text[:longestStatement], ' ')
	if cut < 1 {
		cut = longestStatement
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
	}
	return text[:cut]
}

// itemMark is what an item of a list begins with, headingMark a heading.
const (
	itemMark    = `^\s{0,12}(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?`
	headingMark = `^#{1,6}\s+`
)

// blocks parts a document. Code between fences is no statement, and neither is a
// table or a line that is no text.
func (t *turn) blocks(m *material) []block {
	var all []block
	var open *block
	fenced, number := "", 0
	for raw := range bytes.Lines(m.text) {
		number++
		line := strings.TrimRight(string(raw), "\r\n")
		bare := strings.TrimSpace(line)
		mark := fence(bare)
		switch {
		case fenced != "":
			if mark == fenced {
				fenced = ""
			}
			open = nil
			continue
		case mark != "":
			fenced, open = mark, nil
			continue
		case bare == "", !utf8.ValidString(line), len(line) > maxLine, strings.HasPrefix(bare, "|"), strings.Trim(bare, "-=*_ ") == "":
			open = nil
			continue
		}
		heading, item := t.patterns.heading.FindString(line), t.patterns.item.FindString(line)
		if open == nil || heading != "" || item != "" || open.heading || number-open.first > mostJoined {
			text := strings.TrimSpace(line[len(heading)+len(item):])
			all = append(all, block{first: number, last: number, text: text, heading: heading != "", item: item != ""})
			open = &all[len(all)-1]
			continue
		}
		open.last, open.text = number, open.text+" "+bare
	}
	return all
}

// mostJoined is how many lines of a paragraph belong to one statement.
const mostJoined = 12

// fence is the mark that begins or ends a stretch of code, "" for none.
func fence(line string) string {
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

// documentPatterns are how documents are parted.
type documentPatterns struct{ item, heading *regexp.Regexp }

func newDocumentPatterns() documentPatterns {
	return documentPatterns{regexp.MustCompile(itemMark), regexp.MustCompile(headingMark)}
}
