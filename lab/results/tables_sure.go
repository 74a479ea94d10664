package results

import (
	"fmt"
	"strconv"

	"moot/lab/measure"
	"moot/state"
)

func (p *part) calibration() Table {
	t := Table{
		Title:   p.title + "calibration: Brier score 0 (best) to 2, expected calibration error 0 (best) to 1",
		Columns: []string{"mode", "Brier", "its deviation", "error", "mean confidence", "right %"}, Left: 1,
	}
	for _, s := range p.shown {
		if s.Accuracy.Total == 0 {
			continue
		}
		total, sum := 0, 0.0
		for _, b := range s.Calibration {
			total, sum = total+b.Right.Total, sum+b.Confidence
		}
		t.Rows = append(t.Rows, []string{
			p.labels.of(s.Mode), figure3(s.Brier.Mean), figure3(s.Brier.Spread()), figure3(s.Calibration.Error()),
			figure3(sum / float64(max(total, 1))), onlyShare(s.Accuracy),
		})
	}
	return t
}

// bins are the figures of the calibration plots.
func (p *part) bins() Table {
	t := Table{
		Title:   p.title + "verdicts by tenth of confidence (a tenth holds its lower end; without verdicts it is left out)",
		Columns: []string{"mode", "confidence", "verdicts", "mean", "right %", "95 %"}, Left: 2, Long: true,
	}
	for _, s := range p.shown {
		for i, b := range s.Calibration {
			if b.Right.Total == 0 {
				continue
			}
			t.Rows = append(t.Rows, []string{
				p.labels.of(s.Mode), fmt.Sprintf("%.1f-%.1f", float64(i)/measure.Bins, float64(i+1)/measure.Bins),
				strconv.Itoa(b.Right.Total), figure3(b.Mean()), onlyShare(b.Right), interval(b.Right),
			})
		}
	}
	return t
}

// traces are the confidences by round.
func (p *part) traces() Table {
	t := Table{Title: p.title + "confidence by round, mean ± standard deviation", Columns: []string{"mode", "seat"}, Left: 2}
	most := 0
	for _, s := range p.shown {
		most = max(most, len(s.Traces))
	}
	for round := range most {
		t.Columns = append(t.Columns, fmt.Sprintf("round %d", round+1))
	}
	for _, s := range p.shown {
		for _, seat := range []state.Seat{state.Architect, state.Skeptic} {
			row := []string{p.labels.of(s.Mode), string(seat)}
			for round := range most {
				cell := "-"
				if round < len(s.Traces) {
					m := s.Traces[round].Architect
					if seat == state.Skeptic {
						m = s.Traces[round].Skeptic
					}
					cell = fmt.Sprintf("%.2f ± %.2f", m.Mean, m.Spread())
				}
				row = append(row, cell)
			}
			if len(s.Traces) > 0 {
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}

// conduct is how the seats kept to their confidence.
func (p *part) conduct() Table {
	t := Table{
		Title:   p.title + "retreats without a new fact, rigid before one, held back by the rule of conviction",
		Columns: []string{"mode", "seat", "retreats", "of", "%", "rigid", "of", "%", "held back"}, Left: 2,
	}
	for _, s := range p.shown {
		for _, seat := range []struct {
			name state.Seat
			measure.Conduct
		}{{state.Architect, s.Architect}, {state.Skeptic, s.Skeptic}} {
			if seat.HeldBack.Total == 0 {
				continue
			}
			t.Rows = append(t.Rows, []string{
				p.labels.of(s.Mode), string(seat.name),
				strconv.Itoa(seat.Retreats.Hits), strconv.Itoa(seat.Retreats.Total), onlyShare(seat.Retreats),
				strconv.Itoa(seat.Rigid.Hits), strconv.Itoa(seat.Rigid.Total), onlyShare(seat.Rigid), strconv.Itoa(seat.HeldBack.Hits),
			})
		}
	}
	return t
}
