package tui

import (
	"fmt"
	"strings"

	"moot/internal/plain"
	"moot/state"
	"moot/state/store"
	"moot/tui/pane"
	"moot/tui/theme"
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

func (p *homePane) View(width, height int) []string {
	switch {
	case !p.read:
		return pane.Fit(nil, width, height)
	case len(p.sessions) == 0 && p.failed == nil:
		return p.startRows(width, height)
	}
	return p.RowsOrEmpty(width, height, when(p.filtering, "no session holds these words", ""))
}

// sessionRows draws a session: in columns, in two lines, or as a line on a tiny
// screen.
func (p *homePane) sessionRows(s *store.Summary, width int, mark theme.Span) []string {
	l := p.Look
	sign, st := standingOf(s).sign(l)
	question, body := s.Question, when(mark.Text == " ", l.Text, l.Bold)
	if s.Question == "" {
		question, body = s.ID, l.Faint
	}
	lead := []theme.Span{mark, st.Span(" " + sign + " ")}
	if width >= pane.WideWidth {
		return []string{p.columns(s, width, lead, body.Span(question))}
	}
	first := l.Row(width, append(lead, body.Span(question)), []theme.Span{l.Faint.Span(p.ageOf(s) + " ")})
	second := []theme.Span{{Text: "   "}, st.Span(" " + standingOf(s).String())}
	if s.Broken != "" {
		return []string{first, l.Row(width, append(second, l.Faint.Span(": "+s.Broken)), nil)}
	}
	second = append(second, l.Faint.Span("  "+where(s)))
	return []string{first, l.Row(width, second, append(bucketSpans(l, s, false), theme.Span{Text: " "}))}
}

// columns draws a session in a line of columns.
func (p *homePane) columns(s *store.Summary, width int, lead []theme.Span, question theme.Span) string {
	l := p.Look
	standing, st := standingOf(s), lead[1].Style
	left := append(lead, st.Span(padded(l, standing.String(), standingColumn))) //nolint:gocritic // the lead is not used again
	if s.Broken != "" {
		return l.Row(width, append(left, question, l.Faint.Span("  "+s.Broken)), []theme.Span{l.Faint.Span(p.ageOf(s) + " ")})
	}
	right, used := []theme.Span{l.Text.Span(padded(l, where(s), phaseColumn))}, phaseColumn+ageColumn
	if width >= seatsWidth {
		right = append([]theme.Span{l.Faint.Span(padded(l, string(s.Format), formatColumn))}, right...)
		right = append(append(right, bucketSpans(l, s, true)...), l.Faint.Span(padded(l, seated(s, l.Glyphs.Separator), seatsColumn)))
		used += formatColumn + len(state.Buckets())*bucketColumn + seatsColumn
	} else {
		counts, taken := bucketSpans(l, s, false), 0
		for _, c := range counts {
			taken += l.Width(c.Text)
		}
		right = append(append(right, counts...), theme.Span{Text: theme.Blank(bucketsColumn - taken)})
		used += max(bucketsColumn, taken)
	}
	right = append(right, l.Faint.Span(fmt.Sprintf("%*s ", ageColumn-1, p.ageOf(s))))
	room := max(width-used-4-standingColumn-2, 1)
	left = append(left, question.Style.Span(padded(l, question.Text, room)))
	return l.Row(width, append(append(left, theme.Span{Text: "  "}), right...), nil)
}

// padded is a text in a column of its own: cut and filled, with a gap behind it.
func padded(l *theme.Look, text string, width int) string {
	text = l.Clip(plain.Line(text), width-1)
	return text + theme.Blank(width-l.Width(text))
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
func bucketSpans(l *theme.Look, s *store.Summary, columns bool) []theme.Span {
	var spans []theme.Span
	for _, b := range state.Buckets() {
		glyph, st, _ := l.Bucket(b)
		text := ""
		if n := s.Buckets[b]; n > 0 {
			text = fmt.Sprintf("%s%d", glyph, n)
		}
		switch {
		case columns:
			spans = append(spans, st.Span(text+theme.Blank(bucketColumn-l.Width(text))))
		case text != "":
			spans = append(spans, st.Span(" "+text))
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
		if l.Width(what)+len(" moot   ") > width {
			what = shorter
		}
	}
	return l.Row(width, []theme.Span{l.Accent.Span(" moot"), l.Faint.Span("  " + what)}, nil)
}

// homeStatus says what is waited for, or how many sessions there are.
func (m *Model) homeStatus() (theme.Style, string) {
	p, l := m.home, m.look
	switch {
	case p.busy != "":
		return l.Faint, p.busy
	case p.filtering:
		return when(len(p.seen) == 0, l.Warn, l.Text), p.filterStatus()
	case p.failed != nil:
		return l.Warn, p.failed.Error()
	case !p.read, p.then != "":
		return l.Faint, "reading your sessions"
	}
	return l.Faint, p.counted()
}
