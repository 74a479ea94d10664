package pane

import (
	"fmt"

	"moot/state"
	"moot/tui/theme"
)

// HearingPart is one of the parts of the view of a hearing.
type HearingPart int

const (
	HearingFacts HearingPart = iota
	hearingConfidence
	hearingJudge
	HearingParts
)

// String returns the part's name as it is shown.
func (p HearingPart) String() string {
	return [HearingParts]string{"Facts", "Confidence", "Judge"}[p]
}

// part is one of the parts: a pane whose title says what counts in it. Its own
// name stands in the bar above.
type part interface {
	Pane
	// SetState takes over what stands now.
	SetState(s state.State)
}

// Hearing is the view of a hearing: the facts of its packet with who cites
// them, how sure both sides are round by round, and what the judge reckons. One of
// these parts is seen at a time.
type Hearing struct {
	look   *theme.Look
	Which  HearingPart
	parts  [HearingParts]part
	Facts  *factsPart
	judge  *judgePart
	places [HearingParts]Rect
}

func NewHearing(l *theme.Look) *Hearing {
	p := &Hearing{look: l, Facts: newFactsPart(l), judge: newJudgePart(l)}
	p.parts = [HearingParts]part{p.Facts, newSidesPart(l), p.judge}
	return p
}

// now is the part that is seen.
func (p *Hearing) now() part { return p.parts[p.Which] }

// NextPart shows the next part.
func (p *Hearing) NextPart() { p.Which = (p.Which + 1) % HearingParts }

// SetState takes over what stands now. What it takes to show it is done when it is
// looked at.
func (p *Hearing) SetState(s state.State) {
	for _, each := range p.parts {
		each.SetState(s)
	}
}

func (p *Hearing) SetLook(l *theme.Look) {
	p.look = l
	for _, each := range p.parts {
		each.SetLook(l)
	}
}

func (p *Hearing) SetFocused(on bool) {
	for _, each := range p.parts {
		each.SetFocused(on)
	}
}

func (p *Hearing) Title() string { return HearingID.String() }

// barred is from how many rows on the parts are named above.
const barred = 3

// bar is how many rows the names of the parts take.
func (p *Hearing) bar(height int) int { return when(height >= barred, 1, 0) }

func (p *Hearing) View(width, height int) []string {
	rows := p.now().View(width, height-p.bar(height))
	if p.bar(height) == 0 {
		return rows
	}
	return append([]string{p.drawBar(width)}, rows...)
}

// drawBar names the parts, and says at the right end what counts in the one that is
// seen.
func (p *Hearing) drawBar(width int) string {
	l := p.look
	spans, x := []theme.Span{{Text: " "}}, 1
	for which := range HearingParts {
		name, st := "  "+which.String(), l.Faint
		if width < ledgerWidth {
			name = fmt.Sprintf("%.1s", which)
		}
		if which == p.Which {
			name, st = l.Glyphs.Pointer+" "+which.String(), l.Bold
		}
		spans = append(spans, st.Span(name), theme.Span{Text: "  "})
		p.places[which] = Rect{x, 0, l.Width(name), 1}
		x += l.Width(name) + 2
	}
	title := l.Clip(p.now().Title(), width-x-1)
	return l.Row(width, append(spans, theme.Span{Text: theme.Blank(width - x - 1 - l.Width(title))}, l.Faint.Span(title)), nil)
}

func (p *Hearing) More() bool { return p.now().More() }

func (p *Hearing) Move(a Motion, width, height int) {
	p.now().Move(a, width, height-p.bar(height))
}

func (p *Hearing) Wheel(by, width, height int) { p.now().Wheel(by, width, height-p.bar(height)) }

// Click selects what stands at the cell, or the part whose name stands there.
func (p *Hearing) Click(x, y, width, height int) {
	if y >= p.bar(height) {
		p.now().Click(x, y-p.bar(height), width, height-p.bar(height))
		return
	}
	for which, at := range p.places {
		if at.Contains(x, y) {
			p.Which = HearingPart(which)
		}
	}
}

// opens reports whether a second click on the cell opens what is selected.
func (p *Hearing) opens(x, y, width, height int) bool {
	return y >= p.bar(height) && CanOpen(p.now(), x, y-p.bar(height), width, height-p.bar(height))
}

func (p *Hearing) Selected() string { return p.now().Selected() }

// Choose turns the parts that show claims to one.
func (p *Hearing) Choose(id string) {
	for _, each := range p.parts {
		each.Choose(id)
	}
}

func (p *Hearing) Copied() string { return p.now().Copied() }

func (p *Hearing) Find(query string, forwards, from bool, width, height int) bool {
	return p.now().Find(query, forwards, from, width, height-p.bar(height))
}
