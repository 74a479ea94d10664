package tui

import (
	"fmt"

	"moot/state"
	"moot/tui/theme"
)

// hearingPart is one of the parts of the view of a hearing.
type hearingPart int

const (
	hearingFacts hearingPart = iota
	hearingConfidence
	hearingJudge
	hearingParts
)

// String returns the part's name as it is shown.
func (p hearingPart) String() string {
	return [hearingParts]string{"Facts", "Confidence", "Judge"}[p]
}

// part is one of the parts: a pane whose title says what counts in it. Its own
// name stands in the bar above.
type part interface {
	pane
	// setState takes over what stands now.
	setState(s state.State)
}

// hearingPane is the view of a hearing: the facts of its packet with who cites
// them, how sure both sides are round by round, and what the judge reckons. One of
// these parts is seen at a time.
type hearingPane struct {
	look   *theme.Look
	which  hearingPart
	parts  [hearingParts]part
	facts  *factsPart
	judge  *judgePart
	places [hearingParts]Rect
}

func newHearingPane(l *theme.Look) *hearingPane {
	p := &hearingPane{look: l, facts: newFactsPart(l), judge: newJudgePart(l)}
	p.parts = [hearingParts]part{p.facts, newSidesPart(l), p.judge}
	return p
}

// now is the part that is seen.
func (p *hearingPane) now() part { return p.parts[p.which] }

// nextPart shows the next part.
func (p *hearingPane) nextPart() { p.which = (p.which + 1) % hearingParts }

// setState takes over what stands now. What it takes to show it is done when it is
// looked at.
func (p *hearingPane) setState(s state.State) {
	for _, each := range p.parts {
		each.setState(s)
	}
}

func (p *hearingPane) setLook(l *theme.Look) {
	p.look = l
	for _, each := range p.parts {
		each.setLook(l)
	}
}

func (p *hearingPane) setFocused(on bool) {
	for _, each := range p.parts {
		each.setFocused(on)
	}
}

func (p *hearingPane) title() string { return PaneHearing.String() }

// barred is from how many rows on the parts are named above.
const barred = 3

// bar is how many rows the names of the parts take.
func (p *hearingPane) bar(height int) int { return when(height >= barred, 1, 0) }

func (p *hearingPane) view(width, height int) []string {
	rows := p.now().view(width, height-p.bar(height))
	if p.bar(height) == 0 {
		return rows
	}
	return append([]string{p.drawBar(width)}, rows...)
}

// drawBar names the parts, and says at the right end what counts in the one that is
// seen.
func (p *hearingPane) drawBar(width int) string {
	l := p.look
	spans, x := []theme.Span{{Text: " "}}, 1
	for which := range hearingParts {
		name, st := "  "+which.String(), l.Faint
		if width < ledgerWidth {
			name = fmt.Sprintf("%.1s", which)
		}
		if which == p.which {
			name, st = l.Glyphs.Pointer+" "+which.String(), l.Bold
		}
		spans = append(spans, st.Span(name), theme.Span{Text: "  "})
		p.places[which] = Rect{x, 0, l.Width(name), 1}
		x += l.Width(name) + 2
	}
	title := l.Clip(p.now().title(), width-x-1)
	return l.Row(width, append(spans, theme.Span{Text: theme.Blank(width - x - 1 - l.Width(title))}, l.Faint.Span(title)), nil)
}

func (p *hearingPane) more() bool { return p.now().more() }

func (p *hearingPane) move(a Motion, width, height int) {
	p.now().move(a, width, height-p.bar(height))
}

func (p *hearingPane) wheel(by, width, height int) { p.now().wheel(by, width, height-p.bar(height)) }

// click selects what stands at the cell, or the part whose name stands there.
func (p *hearingPane) click(x, y, width, height int) {
	if y >= p.bar(height) {
		p.now().click(x, y-p.bar(height), width, height-p.bar(height))
		return
	}
	for which, at := range p.places {
		if at.Contains(x, y) {
			p.which = hearingPart(which)
		}
	}
}

// opens reports whether a second click on the cell opens what is selected.
func (p *hearingPane) opens(x, y, width, height int) bool {
	return y >= p.bar(height) && canOpen(p.now(), x, y-p.bar(height), width, height-p.bar(height))
}

func (p *hearingPane) selected() string { return p.now().selected() }

// choose turns the parts that show claims to one.
func (p *hearingPane) choose(id string) {
	for _, each := range p.parts {
		each.choose(id)
	}
}

func (p *hearingPane) copied() string { return p.now().copied() }

func (p *hearingPane) find(query string, forwards, from bool, width, height int) bool {
	return p.now().find(query, forwards, from, width, height-p.bar(height))
}
