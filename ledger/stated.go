package ledger

import (
	"encoding/json"
	"strings"
	"unicode"
)

// InName reports whether a rune belongs to a name or a plain value: retries, max_size, v1.2.
func InName(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-' || r == '.'
}

// Test looks in a text for the value of the predicate's last element, as in "retries: 3" or
// `"retries" = 3`, and reports whether it satisfies the predicate. Found is false if the text
// does not give a value, or gives several that disagree.
func (p *Predicate) Test(text string) (holds, found bool) {
	name := p.Path[strings.LastIndexByte(p.Path, '.')+1:]
	for rest := text; name != ""; {
		at := strings.Index(strings.ToLower(rest), strings.ToLower(name))
		if at < 0 {
			break
		}
		before, after := rest[:at], rest[at+len(name):]
		rest = after
		if InName(lastRune(before)) && lastRune(before) != '.' {
			continue
		}
		value, ok := valueAfter(after)
		if !ok {
			continue
		}
		if h := holdsFor(p, value); !found {
			holds, found = h, true
		} else if h != holds {
			return false, false
		}
	}
	return holds, found
}

func lastRune(text string) rune {
	if text == "" {
		return ' '
	}
	return rune(text[len(text)-1])
}

// valueAfter reads the value that a text assigns at its beginning: `: 3`, ` = "fast"`, `":true`.
func valueAfter(text string) (value any, ok bool) {
	text = strings.TrimLeft(text, "\"'`")
	text = strings.TrimLeft(text, " \t")
	trimmed := strings.TrimLeft(text, ":=")
	if trimmed == text || len(text)-len(trimmed) > 2 {
		return nil, false
	}
	text = strings.TrimLeft(trimmed, " \t")
	if unquoted := strings.TrimLeft(text, "\"'`"); unquoted != text {
		word, _, closed := strings.Cut(unquoted, text[:1])
		return word, closed
	}
	end := strings.IndexFunc(text, func(r rune) bool { return !InName(r) })
	if end < 0 {
		end = len(text)
	}
	word := strings.TrimRight(text[:end], ".")
	if word == "" {
		return nil, false
	}
	if json.Unmarshal([]byte(word), &value) != nil {
		value = word
	}
	return value, true
}

// holdsFor is holds; values that cannot be compared do not satisfy the predicate.
func holdsFor(p *Predicate, value any) bool {
	switch p.Op {
	case "<", "≤", ">", "≥":
		var limit float64
		if _, isNumber := value.(float64); !isNumber || json.Unmarshal(p.Value, &limit) != nil {
			return false
		}
	}
	return holds(p, value)
}
