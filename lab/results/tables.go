package results

import (
	"fmt"
	"strconv"

	"moot/internal/plain"
	"moot/lab/measure"
	"moot/state"
)

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
	t := Table{Title: p.title + "accuracy, with 95 % Wilson intervals", Columns: []string{"mode", "verdicts", "right", "right %", "95 %", "failed"}, Left: 1, Chief: true}
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
	t := Table{Title: p.title + "what came out (across), by what was expected (down)", Columns: []string{"mode", "expected"}, Left: 2, Chief: true}
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
	t := Table{Title: p.title + "accuracy over repeats", Columns: []string{"mode", "repeats", "mean %", "standard deviation", "lowest %", "highest %"}, Left: 1}
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
		t.Rows = append(t.Rows, []string{p.labels.of(s.Mode), strconv.Itoa(over.N), percent(over.Mean), percent(over.Spread()), percent(low), percent(high)})
	}
	return t
}

func (p *part) cost() Table {
	t := Table{Title: p.title + "what it took", Columns: []string{"mode", "hearings", "calls", "tokens in", "tokens out", "cost $"}, Left: 1}
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
		Title:   titleOf(p.half) + "two modes that differ in one thing, on the same hearings (McNemar's exact test)",
		Columns: []string{"first", "second", "pairs", "only first right", "only second right", "p"}, Left: 2, Long: true,
	}
	for _, c := range d.Comparisons {
		if c.Half != p.half {
			continue
		}
		l.seats = ""
		t.Rows = append(t.Rows, []string{l.of(c.First), l.of(c.Second), strconv.Itoa(c.Pairs.Total()), strconv.Itoa(c.Pairs.Bad), strconv.Itoa(c.Pairs.Good), chance(c.Pairs.McNemar())})
	}
	return t
}

func (p *part) wrong() Table {
	t := Table{Title: p.title + "every wrong verdict", Columns: []string{"mode", "case", "tier", "expected", "came out", "why", "repeat", "confidence"}, Left: 6, Long: true}
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
