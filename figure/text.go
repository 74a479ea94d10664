package figure

import (
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"moot/plain"
)

// maxBytes is how much of a text a box looks at; no box shows as much.
const maxBytes = 4096

// ruler measures and cuts texts.
type ruler struct {
	measure  Measure
	ascii    bool
	ellipsis string
}

// newRuler returns a ruler for the measure, nil for grapheme clusters. Where
// the signs of a frame take two cells only ASCII ones keep their place.
func newRuler(measure Measure, ascii bool) ruler {
	if measure == nil {
		measure = displaywidth.String
	}
	if ascii || measure("│") != 1 || measure("═") != 1 || measure("●") != 1 {
		return ruler{measure: measure, ascii: true, ellipsis: "~"}
	}
	return ruler{measure: measure, ellipsis: "…"}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// width measures a text that is safe to show.
func (r ruler) width(s string) int {
	if isASCII(s) {
		return len(s)
	}
	total := 0
	for clusters := displaywidth.StringGraphemes(s); clusters.Next(); {
		total += r.measure(clusters.Value())
	}
	return total
}

// cut returns the longest beginning of the text that fits, and the rest.
func (r ruler) cut(s string, width int) (head, rest string) {
	if isASCII(s) {
		at := max(0, min(width, len(s)))
		return s[:at], s[at:]
	}
	used, at := 0, 0
	for clusters := displaywidth.StringGraphemes(s); clusters.Next(); {
		used += r.measure(clusters.Value())
		if used > width {
			break
		}
		at += len(clusters.Value())
	}
	return s[:at], s[at:]
}

// clip shortens a text to the width, with an ellipsis where it was cut.
func (r ruler) clip(s string, width int) string {
	if r.width(s) <= width {
		return s
	}
	if width <= 1 {
		return strings.Repeat(r.ellipsis, max(width, 0))
	}
	head, _ := r.cut(s, width-1)
	return strings.TrimRight(head, " ") + r.ellipsis
}

// safe makes a text of others safe to show, and short enough to look at.
func safe(s string) string {
	if len(s) <= maxBytes {
		return plain.Line(s)
	}
	at := maxBytes
	for at > maxBytes-utf8.UTFMax && !utf8.RuneStart(s[at]) {
		at--
	}
	return plain.Line(s[:at]) + " …"
}

// wrap breaks a safe text at its words into lines of at most the width; a word
// that is longer is broken as well. More lines than most are cut.
func (r ruler) wrap(s string, width, most int) []string {
	if width < 1 || most < 1 {
		return nil
	}
	var lines []string
	line, used := "", 0
	for word := range strings.FieldsSeq(s) {
		wide := r.width(word)
		if line != "" && used+1+wide <= width {
			line, used = line+" "+word, used+1+wide
			continue
		}
		if line != "" {
			if len(lines)+1 == most {
				return append(lines, r.clip(line+" "+word, width))
			}
			lines = append(lines, line)
		}
		for wide > width {
			head, rest := r.cut(word, width)
			if head == "" || len(lines)+1 == most {
				return append(lines, r.clip(word, width))
			}
			lines, word, wide = append(lines, head), rest, r.width(rest)
		}
		line, used = word, wide
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// runsWidth measures a row.
func (r ruler) runsWidth(row Row) int {
	total := 0
	for _, run := range row {
		total += r.width(run.Text)
	}
	return total
}

// clipRow shortens a row to the width.
func (r ruler) clipRow(row Row, width int) Row {
	var kept Row
	for _, run := range row {
		if width <= 0 {
			break
		}
		run.Text = r.clip(run.Text, width)
		width -= r.width(run.Text)
		kept = append(kept, run)
	}
	return kept
}
