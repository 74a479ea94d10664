package measure

import (
	"fmt"
	"strconv"

	"moot/internal/enum"
	"moot/internal/plain"
	"moot/state"
	"moot/view"
)

// part has the summaries of one half of a corpus.
type part struct {
	half Half
	// title starts the titles of its tables.
	title     string
	summaries []*Summary
	labels    labels
}

// parts groups the summaries of a document by half.
func parts(d *Document) []part {
	var found []part
	for _, half := range Halves() {
		p := part{half: half, title: "all cases: "}
		if half != NoHalf {
			p.title = string(half) + " half: "
		}
		for i := range d.Summaries {
			s := &d.Summaries[i]
			if s.Half != half {
				continue
			}
			p.summaries = append(p.summaries, s)
			p.labels.seats = p.summaries[0].Mode.Seats
			p.labels.judges = p.labels.judges || s.Mode.Judge != p.summaries[0].Mode.Judge
		}
		if len(p.summaries) > 0 {
			found = append(found, p)
		}
	}
	return found
}

// labels makes short names that tell modes apart.
type labels struct {
	// seats are the participants of the first mode, which the names leave out.
	seats string
	// judges adds the judge to the names.
	judges bool
}

func (l labels) of(m Mode) string {
	name := string(m.Form)
	if m.Form == state.FormSelective {
		name = fmt.Sprintf("%s %s > %s", m.Form, m.Gate, m.Then)
	}
	if l.judges {
		name += ", " + string(m.Judge)
	}
	if m.Seats != l.seats {
		name += ", " + m.Seats
	}
	return plain.Line(name)
}

// Tables makes the tables of a document, half by half, without empty ones.
func Tables(d *Document) []Table {
	var tables []Table
	for _, p := range parts(d) {
		for _, t := range append(p.verdicts(), append(p.seats(), p.pairs(d), p.wrong())...) {
			if len(t.Rows) > 0 {
				t.Title = p.title + t.Title
				tables = append(tables, t)
			}
		}
	}
	return tables
}

// add appends a row that begins with the name of a mode.
func (t *Table) add(mode string, cells ...any) {
	row := []string{mode}
	for _, cell := range cells {
		row = append(row, fmt.Sprint(cell))
	}
	t.Rows = append(t.Rows, row)
}

// verdicts makes the tables on the verdicts.
func (p *part) verdicts() []Table {
	accuracy := Table{
		Title:   "accuracy, with 95 % Wilson intervals",
		Columns: []string{"mode", "verdicts", "right", "right %", "95 %", "failed"}, Left: 1, Chief: true,
	}
	tiers := Table{
		Title:   "right by tier, % and 95 % interval",
		Columns: append([]string{"mode"}, enum.Words(Tiers())...), Left: 1, Chief: true,
	}
	confusion := Table{
		Title:   "what came out (across), by what was expected (down)",
		Columns: append([]string{"mode", "expected"}, enum.Words(state.Outcomes())...), Left: 2, Chief: true,
	}
	flips := Table{
		Title:   "flips against single: bad turns right into wrong, good wrong into right",
		Columns: []string{"mode", "pairs", "bad", "bad %", "good", "good %", "right kept %", "McNemar p"}, Left: 1,
	}
	calibration := Table{
		Title:   "calibration: Brier score 0 (best) to 2, expected calibration error 0 (best) to 1",
		Columns: []string{"mode", "Brier", "its deviation", "error", "mean confidence", "right %"}, Left: 1,
	}
	failures := Table{
		Title: "why verdicts are wrong", Left: 1,
		Columns: append([]string{"mode", "wrong"}, enum.Words(Failures())...),
	}
	repeats := Table{
		Title:   "accuracy over repeats",
		Columns: []string{"mode", "repeats", "mean %", "standard deviation", "lowest %", "highest %"}, Left: 1,
	}
	cost := Table{
		Title:   "cost",
		Columns: []string{"mode", "hearings", "calls", "tokens in", "tokens out", "cost"}, Left: 1,
	}
	for _, s := range p.summaries {
		mode, right := p.labels.of(s.Mode), s.Accuracy
		accuracy.add(mode, right.Total, right.Hits, share(right), interval(right), s.Failed)
		var cells []any
		for _, c := range s.Tiers {
			cell := share(c.Right)
			if c.Right.Total > 0 {
				cell += " " + interval(c.Right)
			}
			cells = append(cells, cell)
		}
		tiers.add(mode, cells...)
		for i, counts := range s.Confusion {
			if counts != [3]int{} {
				confusion.add(mode, state.Outcomes()[i], counts[0], counts[1], counts[2])
			}
		}
		if s.Flips != nil {
			f := s.Flips.Pairs
			kept := share(f.Kept())
			if f.Kept().Total > 0 {
				kept += " " + interval(f.Kept())
			}
			flips.add(mode, f.Total(), f.Bad, share(f.BadFlips()), f.Good, share(f.GoodFlips()), kept,
				chance(f.McNemar()))
		}
		if right.Total > 0 {
			sum := 0.0
			for _, b := range s.Calibration {
				sum += b.Confidence
			}
			calibration.add(mode, figure3(s.Brier.Mean), figure3(s.Brier.Spread()), figure3(s.Calibration.Error()),
				figure3(sum/float64(right.Total)), share(right))
		}
		cells = []any{right.Total - right.Hits}
		for _, f := range s.Failures {
			cells = append(cells, f.Count)
		}
		failures.add(mode, cells...)
		if over := s.OverRepeats(); over.N > 1 {
			low, high := 1.0, 0.0
			for _, r := range s.Repeats {
				if r.Total > 0 {
					low, high = min(low, r.Share()), max(high, r.Share())
				}
			}
			repeats.add(mode, over.N, percent(over.Mean), percent(over.Spread()), percent(low), percent(high))
		}
		if u := s.Usage; u != (state.Usage{}) {
			price := view.Price(u.Cost, u.Unpriced)
			cost.add(mode, s.Hearings, u.Calls, u.PromptTokens, u.CompletionTokens, price)
		}
	}
	return []Table{accuracy, tiers, confusion, flips, calibration, failures, repeats, cost}
}

// seats makes the tables on the confidence of the seats.
func (p *part) seats() []Table {
	traces := Table{
		Title: "confidence by round, mean ± standard deviation", Columns: []string{"mode", "seat"}, Left: 2,
	}
	conduct := Table{
		Title:   "retreats without a new fact, rigid before one, held back by the rule of conviction",
		Columns: []string{"mode", "seat", "retreats", "of", "%", "rigid", "of", "%", "held back"}, Left: 2,
	}
	rounds := 0
	for _, s := range p.summaries {
		rounds = max(rounds, len(s.Traces))
	}
	for round := range rounds {
		traces.Columns = append(traces.Columns, fmt.Sprintf("round %d", round+1))
	}
	for _, s := range p.summaries {
		for i, c := range []Conduct{s.Architect, s.Skeptic} {
			mode, seat := p.labels.of(s.Mode), []state.Seat{state.Architect, state.Skeptic}[i]
			cells := []any{seat}
			for round := range rounds {
				cell := "-"
				if round < len(s.Traces) {
					m := []Moments{s.Traces[round].Architect, s.Traces[round].Skeptic}[i]
					cell = fmt.Sprintf("%.2f ± %.2f", m.Mean, m.Spread())
				}
				cells = append(cells, cell)
			}
			if len(s.Traces) > 0 {
				traces.add(mode, cells...)
			}
			if c.HeldBack.Total > 0 {
				conduct.add(mode, seat, c.Retreats.Hits, c.Retreats.Total, share(c.Retreats),
					c.Rigid.Hits, c.Rigid.Total, share(c.Rigid), c.HeldBack.Hits)
			}
		}
	}
	return []Table{traces, conduct}
}

// pairs compares the modes that differ in one thing.
func (p *part) pairs(d *Document) Table {
	t := Table{
		Title:   "two modes that differ in one thing, on the same hearings (McNemar's exact test)",
		Columns: []string{"first", "second", "pairs", "only first right", "only second right", "p"}, Left: 2,
	}
	full := labels{judges: true}
	for _, c := range d.Comparisons {
		if c.Half == p.half {
			t.add(full.of(c.First), full.of(c.Second), c.Pairs.Total(), c.Pairs.Bad, c.Pairs.Good, chance(c.P))
		}
	}
	return t
}

// wrong lists the wrong verdicts.
func (p *part) wrong() Table {
	t := Table{
		Title:   "every wrong verdict",
		Columns: []string{"mode", "case", "tier", "expected", "came out", "why", "repeat", "confidence"}, Left: 6,
	}
	for _, s := range p.summaries {
		for _, w := range s.Wrong {
			t.add(p.labels.of(s.Mode), plain.Line(w.Case.ID), w.Case.Tier, w.Case.Expected, w.Outcome, w.Failure, w.Repeat,
				figure3(w.Confidence))
		}
	}
	return t
}

// percent formats a share in percent, without the sign.
func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) }

// share formats a proportion in percent, or "-" without trials.
func share(p Proportion) string {
	if p.Total == 0 {
		return "-"
	}
	return percent(p.Share())
}

// interval formats the interval of a proportion in percent.
func interval(p Proportion) string {
	low, high := p.Wilson()
	return percent(low) + "-" + percent(high)
}

func figure3(v float64) string { return strconv.FormatFloat(v, 'f', 3, 64) }

// chance formats a p value.
func chance(p float64) string {
	if p < 0.0001 {
		return "< 0.0001"
	}
	return strconv.FormatFloat(p, 'f', 4, 64)
}

// Broken reports that a document does not hold all that was planned, or "".
func Broken(d *Document) string {
	if d.Whole() {
		return ""
	}
	return fmt.Sprintf("incomplete: the figures cover %d of %d hearings", d.Done, d.Planned)
}
