package protocol

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// masked fills what a writer only quotes. It is no character of any reply's
// grammar, so that no pattern reads through it.
const masked = 0

// speech is a text without the lines that its writer only quotes: blockquotes
// and data fences (ST6). Code fences stay, since they may hold the reply.
func speech(text string) string {
	return string(maskLines([]byte(thinkless(text)), false))
}

// mask returns a text of the same length in which everything that is only
// quoted is filled: blockquotes, data fences, code fences, code spans and
// quotations (ST6). Line ends stay.
func mask(text string) string {
	m := maskLines([]byte(text), true)
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

// maskLines fills whole lines.
func maskLines(m []byte, code bool) []byte {
	fence, nonce, data := "", "", false
	for start := 0; start < len(m); {
		end := len(m)
		if i := bytes.IndexByte(m[start:], '\n'); i >= 0 {
			end = start + i
		}
		line := bytes.TrimSpace(m[start:end])
		begins, ends := dataFence(string(line), nonce)
		quoted := true
		switch {
		case data:
			if data = !ends; ends {
				nonce = ""
			}
		case fence != "":
			if bytes.HasPrefix(line, []byte(fence)) {
				fence = ""
			}
		case bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~")):
			if code {
				fence = string(line[:3])
			}
			quoted = code
		case begins:
			data, nonce = true, nonceOf(string(line))
		default:
			quoted = bytes.HasPrefix(line, []byte(">"))
		}
		if quoted {
			fill(m[start:end])
		}
		start = end + 1
	}
	return m
}

// dataFence reports whether the line opens or ends a data fence (JU7), as a
// model may echo it: that of our prompts, "<<DATA nonce" to "DATA nonce>>",
// which ends with its own nonce only, and what models make of it: <<<, --- BEGIN
// DATA ---, <data>. A rule or a heading of Markdown is none.
func dataFence(line, nonce string) (begins, ends bool) {
	if len(line) < 3 || len(line) > 200 {
		return false, false
	}
	words := strings.ToUpper(strings.TrimLeft(line, "<>-=/ "))
	switch {
	case strings.HasPrefix(line, "DATA") && strings.HasSuffix(line, ">>"):
		return false, nonce == "" || strings.Contains(line, nonce)
	case nonce != "":
		return false, false
	case strings.HasPrefix(line, "<<DATA"):
		return true, false
	case strings.HasPrefix(line, "<<<"):
		ends = strings.HasPrefix(words, "END")
		return !ends, ends
	case strings.HasPrefix(line, "---"), strings.HasPrefix(line, "==="):
		return strings.HasPrefix(words, "BEGIN") && strings.Contains(words, "DATA"), strings.HasPrefix(words, "END")
	case strings.HasPrefix(line, "<data"):
		return true, false
	}
	return false, strings.HasPrefix(line, ">>>") || strings.HasPrefix(line, "</data")
}

// nonceOf is the nonce of a line that opens a data fence of ours, or "".
func nonceOf(line string) string {
	words := strings.Fields(line)
	if len(words) > 1 && words[0] == "<<DATA" {
		return words[1]
	}
	return ""
}

// maskSpans fills code spans and quotations inside one paragraph. An opening
// mark without an end fills nothing: it may be an inch or a stray mark.
func maskSpans(m []byte) {
	noClose := map[string]bool{}
	for i := 0; i < len(m); {
		mark := closingMark(m, i)
		if mark == "" || noClose[mark] {
			_, size := utf8.DecodeRune(m[i:])
			i += size
			continue
		}
		open := markLength(m, i, mark)
		end := closeAt(m, i+open, mark)
		if end < 0 {
			noClose[mark] = true
			i += open
			continue
		}
		fill(m[i:end])
		i = end
	}
}

// closingMark returns the mark that would end a quotation which opens at i, or "".
func closingMark(m []byte, i int) string {
	switch {
	case m[i] == '`':
		run := 1
		for i+run < len(m) && m[i+run] == '`' && run < 8 {
			run++
		}
		return "````````"[:run]
	case m[i] == '"':
		before, _ := utf8.DecodeLastRune(m[:i])
		opens := i == 0 || !unicode.IsLetter(before) && !unicode.IsDigit(before)
		if opens && i+1 < len(m) && m[i+1] != ' ' && m[i+1] != '\n' {
			return `"`
		}
	case bytes.HasPrefix(m[i:], []byte("“")):
		return "”"
	case bytes.HasPrefix(m[i:], []byte("„")):
		return "“"
	case bytes.HasPrefix(m[i:], []byte("«")):
		return "»"
	}
	return ""
}

func markLength(m []byte, i int, mark string) int {
	if mark[0] == '`' {
		return len(mark)
	}
	_, size := utf8.DecodeRune(m[i:])
	return size
}

// closeAt returns the offset behind the closing mark, or -1. A backslash
// keeps a straight quotation mark from closing.
func closeAt(m []byte, from int, mark string) int {
	if mark != `"` {
		i := bytes.Index(m[from:], []byte(mark))
		if i < 0 {
			return -1
		}
		return from + i + len(mark)
	}
	for i := from; i < len(m); i++ {
		switch m[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// fill masks bytes and keeps line ends.
func fill(m []byte) {
	for i, c := range m {
		if c != '\n' {
			m[i] = masked
		}
	}
}
