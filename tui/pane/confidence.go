package pane

import (
	"fmt"
	"strings"

	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Confidence lists the confidence of the seats in each point over the rounds.
type Confidence struct {
	List
	state  *state.State
	traces []view.Trace
	// stale means that the state is newer than the traces.
	stale bool
}

// NewConfidence returns an empty pane.
func NewConfidence(l *theme.Look) *Confidence {
	p := &Confidence{List: List{Look: l, id: ConfidenceID, empty: "no seat has reported a confidence yet", At: -1}}
	p.Draw, p.Key = p.drawPoint, func(i int) string { return p.traces[i].Point }
	p.Text = func(i int) string { return p.traces[i].Point + " " + p.state.Point(p.traces[i].Point).Text }
	return p
}

// SetState shows a state.
func (p *Confidence) SetState(s *state.State) {
	p.state, p.stale = s, true
	p.Changed()
}

// View implements Pane.
func (p *Confidence) View(width, height int) []string {
	if p.stale {
		p.stale, p.traces = false, view.Traces(p.state, "")
		p.SetCount(len(p.traces))
		p.count = 0
	}
	return p.List.View(width, height)
}

// Choose selects a point as soon as the pane shows it.
func (p *Confidence) Choose(id string) {
	if id != p.Chosen {
		p.Chosen, p.At, p.stale = id, -1, true
		p.Changed()
	}
}

const (
	// seatCells is the width of the names of seats, valueCells that of a value without its bar.
	seatCells, valueCells = 14, 7
	// A bar has leastBar to mostBar cells. It is left out if there is less room.
	leastBar, mostBar = 3, 8
)

// drawPoint draws the point, the values of each seat by round, and what is remarkable.
func (p *Confidence) drawPoint(i, width int, mark theme.Span) []string {
	t, l := &p.traces[i], p.Look
	head := []theme.Span{mark, idStyle(l, mark).Span(" " + t.Point + "  "), l.Text.Span(p.state.Point(t.Point).Text)}
	rows := []string{l.Row(width, head, nil)}
	rounds := min(p.state.Round, state.MaxRounds)
	bars := min((width-len("     ")-seatCells)/max(rounds, 1)-valueCells, mostBar)
	if bars < leastBar {
		bars = 0
	}
	for _, seat := range t.Seats {
		var values strings.Builder
		for _, r := range seat.Rounds[1 : rounds+1] {
			bar, value, warn := theme.Blank(bars), "   "+l.Glyphs.Bullet, " "
			if r.Known {
				full := int(r.Admitted*float64(bars) + 0.5)
				bar = strings.Repeat(l.Glyphs.Passed, full) + strings.Repeat(l.Glyphs.Ahead, bars-full)
				value = fmt.Sprintf("%.2f", r.Admitted)
			}
			if r.Marked {
				warn = l.Glyphs.Warn
			}
			values.WriteString(bar + " " + value + warn + " ")
		}
		lead := []theme.Span{l.SeatStyle(seat.Seat).Span("    " + l.Padded(string(seat.Seat), seatCells))}
		rows = append(rows, l.Paragraph(width, lead, l.Text.Span(values.String()), nil, 0)...)
	}
	for _, text := range t.Remarks {
		lead := []theme.Span{l.Warn.Span("    " + l.Glyphs.Warn + " ")}
		rows = append(rows, l.Paragraph(width, lead, l.Text.Span(text), nil, 0)...)
	}
	return append(rows, theme.Blank(width))
}
