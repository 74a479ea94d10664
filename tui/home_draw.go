package tui

import (
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/state"
	"moot/state/store"
)

// seatsWidth is the width from which it is said who sat in a session and of what
// format it is, and from which each bucket has a column of its own.
const seatsWidth = 140

// The widths of the columns beside the question.
const (
	standingColumn = 14
	formatColumn   = 9
	phaseColumn    = 20
	bucketsColumn  = 14
	bucketColumn   = 4
	seatsColumn    = 34
	ageColumn      = 9
)

func (p *homePane) view(width, height int) []string {
	switch {
	case !p.read:
		return fit(nil, width, height)
	case len(p.sessions) == 0 && p.failed == nil:
		return p.startRows(width, height)
	}
	return p.rowsOrEmpty(width, height, when(p.filtering, "no session holds these words", ""))
}

// sessionRows draws a session: in columns, in two lines, or as a line on a tiny
// screen.
func (p *homePane) sessionRows(s *store.Summary, width int, mark span) []string {
	l := p.look
	sign, st := standingOf(s).sign(l)
	question, body := s.Question, when(mark.text == " ", l.text, l.bold)
	if s.Question == "" {
		question, body = s.ID, l.faint
	}
	lead := []span{mark, {st, " " + sign + " "}}
	switch {
	case width >= wideWidth:
		return []string{p.columns(s, width, lead, span{body, question})}
	case width < compactWidth:
		return []string{l.row(width, append(lead[:1:1], span{st, sign + " "}, span{body, question}), nil)}
	}
	first := l.row(width, append(lead, span{body, question}), []span{{l.faint, p.ageOf(s) + " "}})
	second := []span{{text: "   "}, {st, " " + standingOf(s).String()}}
	if s.Broken != "" {
		return []string{first, l.row(width, append(second, span{l.faint, ": " + s.Broken}), nil)}
	}
	second = append(second, span{l.faint, "  " + where(s)})
	return []string{first, l.row(width, second, append(bucketSpans(l, s, false), span{text: " "}))}
}

// columns draws a session in a line of columns.
func (p *homePane) columns(s *store.Summary, width int, lead []span, question span) string {
	l := p.look
	standing, st := standingOf(s), lead[1].style
	left := append(lead, span{st, padded(l, standing.String(), standingColumn)}) //nolint:gocritic // the lead is not used again
	if s.Broken != "" {
		return l.row(width, append(left, question, span{l.faint, "  " + s.Broken}), []span{{l.faint, p.ageOf(s) + " "}})
	}
	right, used := []span{{l.text, padded(l, where(s), phaseColumn)}}, phaseColumn+ageColumn
	if width >= seatsWidth {
		right = append([]span{{l.faint, padded(l, string(s.Format), formatColumn)}}, right...)
		right = append(append(right, bucketSpans(l, s, true)...), span{l.faint, padded(l, seated(s, l.glyphs.separator), seatsColumn)})
		used += formatColumn + len(state.Buckets())*bucketColumn + seatsColumn
	} else {
		counts, taken := bucketSpans(l, s, false), 0
		for _, c := range counts {
			taken += l.width(c.text)
		}
		right = append(append(right, counts...), span{text: blank(bucketsColumn - taken)})
		used += max(bucketsColumn, taken)
	}
	right = append(right, span{l.faint, fmt.Sprintf("%*s ", ageColumn-1, p.ageOf(s))})
	room := max(width-used-4-standingColumn-2, 1)
	left = append(left, span{question.style, padded(l, question.text, room)})
	return l.row(width, append(append(left, span{text: "  "}), right...), nil)
}

// padded is a text in a column of its own: cut and filled, with a gap behind it.
func padded(l *look, text string, width int) string {
	text = l.clip(plain.Line(text), width-1)
	return text + blank(width-l.width(text))
}

// where is how far a session has come, or its exit.
func where(s *store.Summary) string {
	switch {
	case s.Exit != state.ExitNone:
		if ended := formatScreenOf(s.Format).ended; ended != nil && ended(s) != "" {
			return ended(s)
		}
		return string(s.Exit) + when(s.Decision == "", "", ", "+s.Decision)
	case s.Round == 0:
		return "not begun"
	}
	return formatScreenOf(s.Format).listed(s)
}

// bucketSpans are the counts of the buckets that hold something, each with its
// sign; in columns the others leave their place empty.
func bucketSpans(l *look, s *store.Summary, columns bool) []span {
	var spans []span
	for _, b := range state.Buckets() {
		glyph, st, _ := l.bucket(b)
		text := ""
		if n := s.Buckets[b]; n > 0 {
			text = fmt.Sprintf("%s%d", glyph, n)
		}
		switch {
		case columns:
			spans = append(spans, span{st, text + blank(bucketColumn-l.width(text))})
		case text != "":
			spans = append(spans, span{st, " " + text})
		}
	}
	return spans
}

// seated names who sat in a session.
func seated(s *store.Summary, separator string) string {
	var names []string
	for _, a := range s.Seats {
		names = append(names, a.Participant)
	}
	return strings.Join(names, separator)
}

func (p *homePane) ageOf(s *store.Summary) string { return age(p.now.Sub(s.UpdatedAt)) }

// homeHeader says what moot is.
func (m *Model) homeHeader(width int) string {
	l := m.look
	what := "models argue your question; code decides what stands"
	for _, shorter := range []string{"models argue; code decides", "your sessions"} {
		if l.width(what)+len(" moot   ") > width {
			what = shorter
		}
	}
	return l.row(width, []span{{l.accent, " moot"}, {l.faint, "  " + what}}, nil)
}

// homeStatus says what is waited for, or how many sessions there are.
func (m *Model) homeStatus() (style, string) {
	p, l := m.home, m.look
	switch {
	case p.busy != "":
		return l.faint, p.busy
	case p.filtering:
		return when(len(p.seen) == 0, l.warn, l.text), p.filterStatus()
	case p.failed != nil:
		return l.warn, p.failed.Error()
	case !p.read, p.then != "":
		return l.faint, "reading your sessions"
	}
	return l.faint, p.counted()
}
