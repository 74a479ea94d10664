package pane

import (
	"fmt"
	"strings"

	"moot/resolver"
	"moot/state"
	"moot/tui/theme"
)

// councillors are the seats of a council whose confidence has a place of its own in
// the table, in the order in which they speak.
func (p *Points) councillors() []state.Seat {
	var list []state.Seat
	for _, seat := range state.CouncilSeats() {
		if _, seated := p.state.Assignment(seat); seated {
			list = append(list, seat)
		}
	}
	return list
}

// scoreCells is the room for one confidence: "0.85".
const scoreCells = 4

// seatHeads name those seats, each over its confidence.
func (p *Points) seatHeads() string {
	var heads []string
	for _, seat := range p.councillors() {
		heads = append(heads, fmt.Sprintf("%-*.*s", scoreCells, scoreCells, seat))
	}
	return strings.Join(heads, " ")
}

// scores are how sure each of the seats is of a claim.
func (p *Points) scores(point *state.Point) string {
	if len(point.Scores) == 0 {
		return ""
	}
	var cells []string
	for _, seat := range p.councillors() {
		cell := strings.Repeat(" ", scoreCells-1) + p.Look.Glyphs.Bullet
		if score := point.Score(seat); score != nil {
			cell = fmt.Sprintf("%.2f", score.Admitted)
		}
		cells = append(cells, cell)
	}
	return strings.Join(cells, " ")
}

// aggregate is the weighted confidence in a claim, -1 where there is none.
func (p *Points) aggregate(point *state.Point) float64 {
	weight := func(seat state.Seat) float64 {
		if council := p.state.Settings.Council; council != nil {
			return council.Weight(seat)
		}
		return 0
	}
	if aggregate := resolver.Aggregate(point.Scores, weight); aggregate != nil {
		return *aggregate
	}
	return -1
}

// rulesOf are those of CV1 to CV4 that fail of a claim, where they decided on it. It
// is asked of what is seen only.
func (p *Points) rulesOf(at int) (string, theme.Style) {
	r := &p.rulings[at]
	point := p.state.Point(r.Point)
	switch {
	case point == nil || !validated(r):
		return "", p.Look.Faint
	case r.Rule == "CV":
		return "all hold", p.Look.Agreed
	}
	var failing []string
	v := resolver.Validate(&p.state, point)
	for i := range v.Rules {
		if !v.Rules[i].Passed {
			failing = append(failing, v.Rules[i].Rule)
		}
	}
	return strings.Join(failing, " "), p.Look.Dismissed
}
