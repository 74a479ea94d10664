package tui

import (
	"moot/tui/pane"
	"moot/tui/theme"
)

// mostFound is how many lines say what was found.
const mostFound = 3

// startRows are shown while there is no session: what was found on this machine,
// and what to do.
func (p *homePane) startRows(width, height int) []string {
	l := p.Look
	var rows []string
	most := when(height < 10, 1, 2)
	say := func(lead theme.Span, text theme.Span) {
		rows = append(rows, l.Paragraph(width, []theme.Span{{Text: "  "}, lead}, text, nil, most)...)
	}
	title := func(text string) {
		if height >= 5 {
			rows = append(rows, theme.Blank(width), l.Row(width, []theme.Span{l.Bold.Span("  " + text)}, nil))
		}
	}
	title("What to do")
	say(l.Accent.Span("n  "), l.Text.Span("ask a question, or have a proposal reviewed"))
	say(l.Accent.Span("$  "), l.Text.Span("moot demo  plays a recorded session, no key needed"))
	if !p.anyUsable() {
		say(l.Accent.Span("$  "), l.Text.Span("export OPENAI_API_KEY=…  lets a model take a seat, and so does a running Ollama"))
	}
	say(l.Faint.Span(l.Glyphs.Bullet+"  "), l.Faint.Span("rules need no model: they search, check, and quote"))
	title("What was found")
	for _, line := range p.foundLines() {
		say(line[0], line[1])
	}
	return pane.Fit(rows, width, height)
}

func (p *homePane) anyUsable() bool {
	if p.found == nil {
		// Do not suggest a key before the environment was checked.
		return true
	}
	for _, c := range p.found.Found {
		if c.Usable {
			return true
		}
	}
	return false
}

// foundLines say what was found, in three lines at most.
func (p *homePane) foundLines() [][2]theme.Span {
	l := p.Look
	if p.found == nil {
		return [][2]theme.Span{{l.Faint.Span(l.Glyphs.Pending + "  "), l.Faint.Span("looking for keys, local servers and agent programs")}}
	}
	var lines [][2]theme.Span
	told := map[string]bool{}
	for _, c := range p.found.Found {
		if told[c.Title] || len(lines) == mostFound {
			continue
		}
		told[c.Title] = true
		if c.Usable {
			lines = append(lines, [2]theme.Span{l.Agreed.Span(l.Glyphs.Agreed + "  "), l.Text.Span(c.Title + ": " + c.Why)})
			continue
		}
		lines = append(lines, [2]theme.Span{l.Faint.Span(l.Glyphs.Pending + "  "), l.Faint.Span(c.Title + ": " + c.Why + "; it cannot take a seat yet")})
	}
	if len(lines) == 0 {
		return [][2]theme.Span{{l.Faint.Span(l.Glyphs.NotEvaluated + "  "), l.Faint.Span("no key in the environment, no local server, no agent program")}}
	}
	return lines
}
