package pane

import (
	"fmt"
	"strings"

	"moot/figure"
	"moot/internal/plain"
	"moot/state"
	"moot/tui/theme"
)

// sidesPart shows how sure both sides are of the question, round by round, as a
// chart, and below it the claims of each with their own confidence.
type sidesPart struct {
	List
	state  state.State
	stale  bool
	chart  *figure.Chart
	claims []*claimSeen
	// wanted is the claim that was turned to last.
	wanted string
	// idWidth is the widest id of the claims.
	idWidth int
	drawn   cachedRows
	of      *figure.Chart
}

// claimSeen is a claim with how sure its side was of it.
type claimSeen struct {
	*state.Point
	seat    state.Seat
	reports []*state.Confidence
	// ignored are the rounds in which a fact against it was let pass.
	ignored []int
	// conceded is the round in which its side gave it up, 0 where it has not.
	conceded int
}

func newSidesPart(l *theme.Look) *sidesPart {
	p := &sidesPart{List: List{Look: l, At: -1, single: true}}
	p.Draw = func(i, width int, mark theme.Span) []string { return []string{p.claimRow(i, width, mark)} }
	p.Key = func(i int) string { return p.claims[i].ID }
	p.Text = func(i int) string {
		c := p.claims[i]
		return c.ID + " " + string(c.seat) + ": " + c.Text + "; " + c.course() + c.remarks(p.Look)
	}
	return p
}

// SetState takes over what stands now. It is read when it is looked at.
func (p *sidesPart) SetState(s state.State) { p.state, p.stale = s, true }

// Fresh reads how sure the sides are, unless that was done.
func (p *sidesPart) Fresh() {
	if !p.stale {
		return
	}
	p.stale = false
	p.chart = figure.Sides(&p.state)
	p.claims, p.idWidth = p.claims[:0], 2
	seen := map[string]*claimSeen{}
	for _, point := range p.state.Points.All() {
		if len(point.Authors) == 0 || state.Opponent(point.Authors[0]) == "" {
			continue
		}
		c := &claimSeen{Point: point, seat: point.Authors[0]}
		c.conceded, _ = point.Conceded()
		seen[point.ID] = c
		p.claims = append(p.claims, c)
		p.idWidth = max(p.idWidth, len(point.ID))
	}
	for _, report := range p.state.Confidence.All() {
		if c := seen[report.Point]; c != nil && report.Seat == c.seat {
			c.reports = append(c.reports, report)
		}
	}
	for i := range p.state.Hearing.Ignored {
		ignored := &p.state.Hearing.Ignored[i]
		if c := seen[ignored.Point]; c != nil {
			c.ignored = append(c.ignored, ignored.Round)
		}
	}
	p.SetCount(len(p.claims))
	p.List.Choose(p.wanted)
}

// course is how sure the side was of the claim, from report to report.
func (c *claimSeen) course() string {
	values := make([]string, len(c.reports))
	for i, r := range c.reports {
		values[i] = thousandths(r.Admitted)
	}
	return strings.Join(values, ", ")
}

// remarks say in signs and words what is remarkable about its course.
func (c *claimSeen) remarks(l *theme.Look) string {
	var words []string
	for _, r := range c.reports {
		if r.Stated < r.Admitted {
			words = append(words, fmt.Sprintf("%s drift kept, round %d (%s)", l.Glyphs.ScrollDown, r.Round, thousandths(r.Stated)))
		}
	}
	for _, round := range c.ignored {
		words = append(words, fmt.Sprintf("= rebuttal ignored, round %d", round))
	}
	if c.conceded > 0 {
		words = append(words, fmt.Sprintf("%s given up, round %d", l.Glyphs.Refused, c.conceded))
	}
	if len(words) == 0 {
		return ""
	}
	return "  " + strings.Join(words, "  ")
}

// Title says how sure the sides are now.
func (p *sidesPart) Title() string {
	var words []string
	for _, seat := range []state.Seat{state.Architect, state.Skeptic} {
		if a := p.state.Hearing.Argument(seat, p.state.Round); a != nil {
			words = append(words, string(seat)+" "+thousandths(a.Confidence))
		}
	}
	return strings.Join(append(words, plain.Counted(len(p.claims), "claim")), p.Look.Glyphs.Separator)
}

// The least room of the chart, in rows and cells, and how high it is at most.
const leastSidesRows, leastSidesWidth, mostSidesRows = 10, 36, 22

// chartRows is how many rows the chart takes: what the claims leave, and at least
// half.
func (p *sidesPart) chartRows(width, height int) int {
	switch {
	case p.N == 0:
		return height
	case width < leastSidesWidth || height < leastSidesRows+2:
		// As lines, one for each side.
		return min(len(p.sidesLines()), height/2)
	}
	return min(max(height-p.N-1, height/2, leastSidesRows), mostSidesRows)
}

// sidesLines name the sides that have argued.
func (p *sidesPart) sidesLines() []state.Seat {
	var seats []state.Seat
	for _, seat := range []state.Seat{state.Architect, state.Skeptic} {
		if p.state.Hearing.Argument(seat, p.state.Round) != nil {
			seats = append(seats, seat)
		}
	}
	return seats
}

// View draws the chart above the claims.
func (p *sidesPart) View(width, height int) []string {
	p.Fresh()
	room := p.chartRows(width, height)
	rows := Fit(append([]string{}, p.drawChart(width, room)...), width, room)
	if height > room {
		rows = append(rows, p.RowsOrEmpty(width, height-room, "Nobody claims anything yet.")...)
	}
	return Fit(rows, width, height)
}

// drawChart draws the chart, unless that was done for the room.
func (p *sidesPart) drawChart(width, height int) []string {
	if !p.drawn.fits(width, height, p.version) || p.of != p.chart {
		rows := p.Look.Figure(p.chart.Draw(max(width-1, 0), height, p.Look.ASCII, p.Look.Width))
		for i := range rows {
			rows[i] = when(width > 0, " ", "") + rows[i]
		}
		if empty := p.chart.Empty(); empty != "" {
			rows = Fit(p.Look.Paragraph(width, []theme.Span{{Text: "  "}}, p.Look.Faint.Span(empty), nil, 0), width, height)
		}
		p.drawn, p.of = cachedRows{rows, false, width, height, p.version}, p.chart
	}
	return p.drawn.Rows
}

// claimRow is a claim: whose it is, how sure that side was of it, and what is
// remarkable about that.
func (p *sidesPart) claimRow(i, width int, mark theme.Span) string {
	l, c := p.Look, p.claims[i]
	sign := when(l.ASCII, "*", "●")
	if c.seat == state.Skeptic {
		sign = when(l.ASCII, "+", "◆")
	}
	body := when(c.conceded > 0, l.Faint, l.Text)
	spans := []theme.Span{
		mark,
		l.SeatStyle(c.seat).Span(sign + " " + l.Padded(when(width < ledgerWidth, fmt.Sprintf("%.1s", c.seat), string(c.seat)), when(width < ledgerWidth, 2, 11))),
		when(mark.Text == " ", l.Bold, l.Accent).Span(l.Padded(c.ID, p.idWidth) + "  "),
		l.Bold.Span(l.Padded(c.course(), when(width < ledgerWidth, 5, 18)) + "  "),
	}
	if remarks := c.remarks(l); remarks != "" && width >= ledgerWidth {
		return l.Row(width, append(spans, body.Span(c.Text)), []theme.Span{l.Warn.Span(strings.TrimSpace(remarks) + " ")})
	} else if remarks != "" {
		spans = append(spans, l.Warn.Span(fmt.Sprintf("%.1s", strings.TrimSpace(plain.Line(remarks)))+" "))
	}
	return l.Row(width, append(spans, body.Span(c.Text)), nil)
}

// Move selects a claim.
func (p *sidesPart) Move(a Motion, width, height int) {
	p.Fresh()
	p.List.Move(a, width, height-p.chartRows(width, height))
}

func (p *sidesPart) Wheel(by, width, height int) {
	p.Fresh()
	p.List.Wheel(by, width, height-p.chartRows(width, height))
}

// Click selects the claim at the cell.
func (p *sidesPart) Click(x, y, width, height int) {
	p.Fresh()
	if room := p.chartRows(width, height); y >= room {
		p.List.Click(x, y-room, width, height-room)
	}
}

// opens reports whether a second click on the cell opens the claim.
func (p *sidesPart) opens(x, y, width, height int) bool {
	p.Fresh()
	room := p.chartRows(width, height)
	return y >= room && p.List.opens(x, y-room, width, height-room)
}

// Selected is the selected claim.
func (p *sidesPart) Selected() string {
	p.Fresh()
	return p.List.Selected()
}

// Choose selects the claim, once the claims are read.
func (p *sidesPart) Choose(id string) {
	p.wanted = id
	if !p.stale {
		p.List.Choose(id)
	}
}

func (p *sidesPart) Copied() string {
	p.Fresh()
	return p.List.Copied()
}

func (p *sidesPart) Find(query string, forwards, from bool, width, height int) bool {
	p.Fresh()
	return p.List.Find(query, forwards, from, width, height-p.chartRows(width, height))
}
