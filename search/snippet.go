package search

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"moot/internal/plain"
)

// snippetBytes is about how much of a text a snippet shows.
const snippetBytes = 240

// snippet returns the part of a text that has most of the terms, on one line and escaped, with the places of the terms.
func snippet(text string, list []term) (string, [][2]int) {
	found := marks(text, list)
	from, to := 0, len(text)
	if len(text) > snippetBytes {
		from = bestWindow(found)
		// Some words before the first one say what it is about.
		from = wordStart(text, max(0, from-snippetBytes/4))
		to = min(len(text), from+snippetBytes)
		for to < len(text) && !utf8.RuneStart(text[to]) {
			to++
		}
		if to == len(text) {
			from = wordStart(text, max(0, to-snippetBytes))
		}
	}
	line := strings.Join(strings.Fields(plain.Line(text[from:to])), " ")
	if from > 0 {
		line = "… " + line
	}
	if to < len(text) {
		line += " …"
	}
	return line, ranges(marks(line, list))
}

// mark is a term in a text.
type mark struct{ start, end, term int }

// marks returns where the terms are in a text, in order, without overlaps.
func marks(text string, list []term) []mark {
	var tokens []token
	tokenize(text, func(t token) { tokens = append(tokens, t) })
	var found []mark
	for i := range tokens {
		for n := range list {
			if end, ok := list[n].at(tokens, i); ok {
				found = append(found, mark{tokens[i].start, end, n})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b mark) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	return found
}

// ranges joins marks that overlap.
func ranges(found []mark) [][2]int {
	var joined [][2]int
	for _, m := range found {
		if n := len(joined); n > 0 && m.start < joined[n-1][1] {
			joined[n-1][1] = max(joined[n-1][1], m.end)
			continue
		}
		joined = append(joined, [2]int{m.start, m.end})
	}
	return joined
}

// bestWindow returns the start of the mark from which the most different terms are near.
func bestWindow(found []mark) int {
	best, most := 0, 0
	for i, m := range found {
		near := map[int]bool{}
		for _, other := range found[i:] {
			if other.end > m.start+snippetBytes/2 {
				break
			}
			near[other.term] = true
		}
		if len(near) > most {
			best, most = m.start, len(near)
		}
	}
	return best
}

// wordStart returns the start of a word at most 20 bytes after a place, or else of the character there.
func wordStart(text string, at int) int {
	if at == 0 {
		return 0
	}
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	if i := strings.IndexAny(text[at:min(len(text), at+20)], " \n\t"); i >= 0 {
		return at + i + 1
	}
	return at
}

// Fit cuts a snippet to a width in columns, so that its first mark is in what is left, and returns it with the marks in
// that.
func Fit(line string, marks [][2]int, columns int) (string, [][2]int) {
	const dots = "…"
	if columns < 2 || ansi.StringWidth(line) <= columns {
		return line, marks
	}
	from := 0
	if len(marks) > 0 && ansi.StringWidth(line[:marks[0][1]]) > columns-1 {
		// The mark is in the first half, after some of the words before it.
		from = wordStart(line, max(0, marks[0][0]-columns/4))
		for from > marks[0][0] {
			from = marks[0][0]
		}
	}
	cut := line[from:]
	shift := from
	if from > 0 {
		cut, shift = dots+cut, from-len(dots)
	}
	if ansi.StringWidth(cut) > columns {
		cut = ansi.Truncate(cut, columns, dots)
	}
	limit := len(cut)
	if strings.HasSuffix(cut, dots) {
		limit -= len(dots)
	}
	var kept [][2]int
	for _, m := range marks {
		start, end := m[0]-shift, min(m[1]-shift, limit)
		if start >= 0 && start < end {
			kept = append(kept, [2]int{start, end})
		}
	}
	return cut, kept
}
