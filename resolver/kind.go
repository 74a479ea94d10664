package resolver

import (
	"strings"

	"moot/state"
)

// IsValue reports whether a point is a value judgment: the user said so, or
// its author and an evaluator both call it one and its text holds no number
// with unit, path or identifier. Else it is empirical. In a panel who holds the
// other side of a conflict, or says the same in other words, and says that of its
// own point, is an evaluator too.
func IsValue(s *state.State, p *state.Point) bool {
	seconded := systemOf(s.Settings.Format).seconded
	return isValue(p, func() bool { return seconded != nil && seconded(s, p) })
}

// isValue is IsValue; seconded says whether another panelist calls what it holds,
// and what bears on this point, a value judgment.
func isValue(p *state.Point, seconded func() bool) bool {
	switch p.UserKind {
	case state.Value:
		return true
	case state.Empirical:
		return false
	}
	author, evaluator := false, false
	for _, seat := range p.CalledValue {
		switch {
		case p.IsAuthor(seat) && !author:
			author = true
		default:
			evaluator = true
		}
	}
	return author && !Measurable(p.Text) && (evaluator || seconded())
}

// Measurable reports whether a text holds something that can be looked up or
// measured: a number with a unit, a path, or an identifier.
func Measurable(text string) bool {
	if strings.Contains(text, "`") {
		return true
	}
	fields := strings.Fields(text)
	for i, f := range fields {
		call := strings.HasSuffix(strings.TrimRight(f, `.,;:!?"'`), "()")
		f = strings.Trim(f, `.,;:!?"'()[]{}`)
		if call && f != "" || isIdentifier(f) || isPath(f) {
			return true
		}
		number, unit := splitNumber(f)
		if number && unit == "" && i+1 < len(fields) {
			unit = strings.Trim(fields[i+1], `.,;:!?"'()[]{}`)
			if !isUnit(unit) {
				unit = ""
			}
		}
		if number && unit != "" {
			return true
		}
	}
	return false
}

func splitNumber(word string) (bool, string) {
	end := 0
	for end < len(word) && (word[end] >= '0' && word[end] <= '9' || word[end] == '.' || word[end] == ',') {
		end++
	}
	return end > 0, word[end:]
}

func isUnit(word string) bool {
	switch strings.ToLower(word) {
	case "%", "percent", "ms", "s", "seconds", "second", "minutes", "minute", "hours", "hour", "days", "day",
		"weeks", "months", "years", "b", "bytes", "kb", "kib", "mb", "mib", "gb", "gib", "tb", "qps", "rps",
		"requests", "users", "rows", "lines", "files", "eur", "usd", "dollars", "hz", "mhz", "ghz", "cores",
		"times", "retries", "calls", "queries", "connections", "nodes", "servers", "engineers", "people":
		return true
	}
	return false
}

func isPath(word string) bool {
	slash := strings.IndexByte(word, '/')
	dot := strings.LastIndexByte(word, '.')
	return slash >= 0 && (slash > 0 || len(word) > 1) && !strings.EqualFold(word, "and/or") ||
		// "main.c" is a file, "e.g" is none.
		dot > 0 && len(word) > 3 && dot < len(word)-1 && len(word)-dot <= 5 && isLetter(word[dot+1]) && isLetter(word[dot-1])
}

func isIdentifier(word string) bool {
	if strings.Contains(word, "_") || strings.Contains(word, "::") {
		return true
	}
	for i := 1; i < len(word); i++ {
		if word[i-1] >= 'a' && word[i-1] <= 'z' && word[i] >= 'A' && word[i] <= 'Z' {
			return true
		}
	}
	return false
}

func isLetter(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }
