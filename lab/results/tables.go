package results

import (
	"fmt"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/lab/measure"
	"moot/state"
)

// part has the summaries of one half.
type part struct {
	// title starts the titles of its tables.
	title  string
	shown  []*measure.Summary
	labels labels
	half   measure.Half
}

// Tables makes the tables of a document, those of each half together. A table that has
// nothing to show is left out.
func Tables(d *measure.Document) []Table {
	var tables []Table
	add := func(t Table) {
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	for _, p := range parts(d) {
		add(p.accuracy())
		add(p.tiers())
		add(p.confusion())
		add(p.flips())
		add(p.calibration())
		add(p.bins())
		add(p.traces())
		add(p.conduct())
		add(p.failures())
		add(p.repeats())
		add(p.cost())
		add(comparisons(d, &p))
		add(p.wrong())
	}
	return tables
}

func (p *part) accuracy() Table {
	t := Table{
		Title:   p.title + "accuracy, with 95 % Wilson intervals",
		Columns: []string{"mode", "verdicts", "right", "right %", "95 %", "failed"}, Left: 1, Chief: true,
	}
	for _, s := range p.shown {
		t.Rows = append(t.Rows, []string{
			p.labels.of(s.Mode), strconv.Itoa(s.Accuracy.Total), strconv.Itoa(s.Accuracy.Hits), onlyShare(s.Accuracy), interval(s.Accuracy), strconv.Itoa(s.Failed),
		})
	}
	return t
}

func (p *part) tiers() Table {
	t := Table{Title: p.title + "right by tier, % and 95 % interval", Columns: []string{"mode"}, Left: 1, Chief: true}
	for _, tier := range measure.Tiers() {
		t.Columns = append(t.Columns, string(tier))
	}
	for _, s := range p.shown {
		row := []string{p.labels.of(s.Mode)}
		for _, tier := range measure.Tiers() {
			var right measure.Proportion
			for _, c := range s.Tiers {
				if c.Tier == tier {
					right = c.Right
				}
			}
			row = append(row, shareOf(right))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (p *part) confusion() Table {
	t := Table{
		Title:   p.title + "what came out (across), by what was expected (down)",
		Columns: []string{"mode", "expected"}, Left: 2, Chief: true,
	}
	for _, o := range state.Outcomes() {
		t.Columns = append(t.Columns, string(o))
	}
	for _, s := range p.shown {
		for _, expected := range state.Outcomes() {
			row, some := []string{p.labels.of(s.Mode), string(expected)}, false
			for _, o := range state.Outcomes() {
				n := s.Confusion.Of(expected, o)
				some = some || n > 0
				row = append(row, strconv.Itoa(n))
			}
			if some {
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}

func (p *part) flips() Table {
	t := Table{
		Title:   p.title + "flips against single: bad turns right into wrong, good wrong into right",
		Columns: []string{"mode", "pairs", "bad", "bad %", "good", "good %", "right kept %", "McNemar p"}, Left: 1,
	}
	for _, s := range p.shown {
		if s.Flips == nil {
			continue
		}
		pairs := s.Flips.Pairs
		t.Rows = append(t.Rows, []string{
			p.labels.of(s.Mode), strconv.Itoa(pairs.Total()), strconv.Itoa(pairs.Bad), onlyShare(pairs.BadFlips()),
			strconv.Itoa(pairs.Good), onlyShare(pairs.GoodFlips()), shareOf(pairs.Kept()), chance(pairs.McNemar()),
		})
	}
	return t
}

func (p *part) failures() Table {
	t := Table{Title: p.title + "why verdicts are wrong", Columns: []string{"mode", "wrong"}, Left: 1}
	for _, f := range measure.Failures() {
		t.Columns = append(t.Columns, string(f))
	}
	for _, s := range p.shown {
		row := []string{p.labels.of(s.Mode), strconv.Itoa(s.Accuracy.Total - s.Accuracy.Hits)}
		for _, f := range measure.Failures() {
			n := 0
			for _, c := range s.Failures {
				if c.Failure == f {
					n = c.Count
				}
			}
			row = append(row, strconv.Itoa(n))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (p *part) repeats() Table {
	t := Table{Title: p.title + "accuracy over repeats", Columns: []string{
		"mode", "repeats", "mean %",
		"standard deviation", "lowest %", "highest %",
	}, Left: 1}
	for _, s := range p.shown {
		over := s.OverRepeats()
		if over.N < 2 {
			continue
		}
		low, high := 1.0, 0.0
		for _, r := range s.Repeats {
			if r.Total > 0 {
				low, high = min(low, r.Share()), max(high, r.Share())
			}
		}
		t.Rows = append(t.Rows, []string{
			p.labels.of(s.Mode), strconv.Itoa(over.N), percent(over.Mean),
			percent(over.Spread()), percent(low), percent(high),
		})
	}
	return t
}

func (p *part) cost() Table {
	t := Table{Title: p.title + "what it took", Columns: []string{
		"mode", "hearings", "calls", "tokens in",
		"tokens out", "cost $",
	}, Left: 1}
	for _, s := range p.shown {
		if s.Usage == (measure.Usage{}) {
			continue
		}
		t.Rows = append(t.Rows, []string{
			p.labels.of(s.Mode), strconv.Itoa(s.Hearings), strconv.Itoa(s.Usage.Calls), strconv.Itoa(s.Usage.PromptTokens), strconv.Itoa(s.Usage.CompletionTokens),
			fmt.Sprintf("%.4f", s.Usage.Cost),
		})
	}
	return t
}

func comparisons(d *measure.Document, p *part) Table {
	l := labels{judges: true}
	t := Table{
		Title: titleOf(p.half) + "two modes that differ in one thing, on the same hearings (McNemar's exact test)",
		Columns: []string{
			"first", "second", "pairs", "only first right", "only second right",
			"p",
		}, Left: 2, Long: true,
	}
	for _, c := range d.Comparisons {
		if c.Half != p.half {
			continue
		}
		l.seats = ""
		t.Rows = append(t.Rows, []string{
			l.of(c.First), l.of(c.Second), strconv.Itoa(c.Pairs.Total()),
			strconv.Itoa(c.Pairs.Bad), strconv.Itoa(c.Pairs.Good), chance(c.Pairs.McNemar()),
		})
	}
	return t
}

func (p *part) wrong() Table {
	t := Table{Title: p.title + "every wrong verdict", Columns: []string{
		"mode", "case", "tier", "expected",
		"came out", "why", "repeat", "confidence",
	}, Left: 6, Long: true}
	for _, s := range p.shown {
		for _, w := range s.Wrong {
			t.Rows = append(t.Rows, []string{
				p.labels.of(s.Mode), plain.Line(w.Case.ID), string(w.Case.Tier), string(w.Case.Expected), string(w.Outcome), string(w.Failure),
				strconv.Itoa(w.Repeat), figure3(w.Confidence),
			})
		}
	}
	return t
}

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
	t := Table{
		Title: p.title + "confidence by round, mean ± standard deviation", Columns: []string{"mode", "seat"},
		Left: 2,
	}
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

// percent is a share in hundredths, without its sign.
func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) }

// interval formats the interval of a proportion in percent.
func interval(p measure.Proportion) string {
	low, high := p.Wilson()
	return percent(low) + "-" + percent(high)
}

// shareOf is a share with its interval, "-" of nothing.
func shareOf(p measure.Proportion) string {
	if p.Total == 0 {
		return "-"
	}
	return percent(p.Share()) + " " + interval(p)
}

// onlyShare is a share, "-" of nothing.
func onlyShare(p measure.Proportion) string {
	if p.Total == 0 {
		return "-"
	}
	return percent(p.Share())
}

// figure3 writes a number with three digits behind the point.
func figure3(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// chance formats a p value.
func chance(p float64) string {
	if p < 0.0001 {
		return "< 0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}

// labels makes short names that tell modes apart.
type labels struct {
	// seats are those that need no word: of the first mode. judges says that the
	// judge is named.
	seats  string
	judges bool
}

// labelsOf are for the modes of some summaries.
func labelsOf(summaries []*measure.Summary) labels {
	l := labels{}
	for i, s := range summaries {
		if i == 0 {
			l.seats = s.Mode.Seats
		}
		l.judges = l.judges || s.Mode.Judge != summaries[0].Mode.Judge
	}
	return l
}

// of is the name of a mode.
func (l labels) of(m measure.Mode) string {
	parts := []string{m.FormName()}
	if m.Form == state.FormSelective {
		parts[0] = fmt.Sprintf("%s %s > %s", m.Form, m.Gate, m.Then)
	}
	if l.judges {
		parts = append(parts, string(m.Judge))
	}
	if m.Seats != l.seats {
		parts = append(parts, m.Seats)
	}
	return plain.Line(strings.Join(parts, ", "))
}

// parts cuts the summaries of a document by half.
func parts(d *measure.Document) []part {
	var found []part
	for _, half := range measure.Halves() {
		p := part{half: half, title: titleOf(half)}
		for i := range d.Summaries {
			if s := &d.Summaries[i]; s.Half == half {
				p.shown = append(p.shown, s)
			}
		}
		if len(p.shown) > 0 {
			p.labels = labelsOf(p.shown)
			found = append(found, p)
		}
	}
	return found
}

// titleOf is the half that a table is about, as its title begins.
func titleOf(half measure.Half) string {
	if half == measure.NoHalf {
		return "all cases: "
	}
	return string(half) + " half: "
}
