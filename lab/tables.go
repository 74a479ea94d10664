package lab

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"moot/internal/enum"
	"moot/internal/lists"
	"moot/protocol/hearing/judge"
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
	if l.judges {
		name += ", " + string(m.Judge)
	}
	if m.Seats != l.seats {
		name += ", " + m.Seats
	}
	return name
}

// Show makes a document of the results: what they state about their run, and their tables, half by half, without empty
// ones. Only the tables of all show more than accuracy, also by tier, and outcomes.
func Show(d *Document, all bool) view.Document {
	shown := view.Document{Title: d.Title}
	if !d.Whole() {
		shown.Warnings = []string{fmt.Sprintf("incomplete: the figures cover %d of %d hearings", d.Done, d.Planned)}
	}
	stated := view.Section{Title: "RUN", Uncounted: true}
	for _, line := range d.Stated {
		stated.Items = append(stated.Items, view.Item{Text: line})
	}
	shown.Add(stated)
	for _, p := range parts(d) {
		tables := p.verdicts()
		if all {
			tables = append(append(tables, p.more()...), append(p.seats(), p.pairs(d), p.wrong())...)
		}
		for _, t := range tables {
			if len(t.Table) > 1 {
				t.Title = p.title + t.Title
				shown.Add(*t)
			}
		}
	}
	return shown
}

// newTable returns a table without rows. Its first column is left-aligned.
func newTable(title string, columns ...string) *view.Section {
	return &view.Section{Title: title, Table: [][]string{columns}, Uncounted: true}
}

// add appends a row that begins with the name of a mode.
func add(t *view.Section, mode string, cells ...any) {
	row := []string{mode}
	for _, cell := range cells {
		row = append(row, fmt.Sprint(cell))
	}
	t.Table = append(t.Table, row)
}

// verdicts makes the tables on the verdicts.
func (p *part) verdicts() []*view.Section {
	accuracy := newTable("accuracy, with 95 % Wilson intervals", "mode", "verdicts", "right", "right %", "95 %",
		"failed")
	tiers := newTable("right by tier, % and 95 % interval", append([]string{"mode"}, enum.Words(Tiers())...)...)
	confusion := newTable("what came out (across), by what was expected (down)",
		append([]string{"mode", "expected"}, enum.Words(judge.Outcomes())...)...)
	for _, s := range p.summaries {
		mode, right := p.labels.of(s.Mode), s.Accuracy
		add(accuracy, mode, right.Total, right.Hits, share(right), interval(right), s.Failed)
		add(tiers, mode, lists.Map(s.Tiers, func(c TierCount) any { return withInterval(c.Right) })...)
		for i, counts := range s.Confusion {
			if counts != [3]int{} {
				add(confusion, mode, judge.Outcomes()[i], counts[0], counts[1], counts[2])
			}
		}
	}
	return []*view.Section{accuracy, tiers, confusion}
}

// more makes the other tables on the verdicts.
func (p *part) more() []*view.Section {
	flips := newTable("flips against single: bad turns right into wrong, good wrong into right",
		"mode", "pairs", "bad", "bad %", "good", "good %", "right kept %", "McNemar p")
	calibration := newTable("calibration: Brier score 0 (best) to 2, expected calibration error 0 (best) to 1",
		"mode", "Brier", "its deviation", "error", "mean confidence", "right %")
	plot := newTable("calibration plot: the bar is the share of right verdicts, ◆ the mean confidence",
		"mode", "confidence", fmt.Sprintf("0%*d", plotCells-1, 1), "verdicts")
	failures := newTable("why verdicts are wrong", append([]string{"mode", "wrong"}, enum.Words(Failures())...)...)
	repeats := newTable("accuracy over repeats",
		"mode", "repeats", "mean %", "standard deviation", "lowest %", "highest %")
	cost := newTable("cost", "mode", "hearings", "calls", "tokens in", "tokens out", "cost")
	for _, s := range p.summaries {
		mode, right := p.labels.of(s.Mode), s.Accuracy
		if s.Flips != nil {
			f := s.Flips.Pairs
			add(flips, mode, f.Total(), f.Bad, share(f.BadFlips()), f.Good, share(f.GoodFlips()),
				withInterval(f.Kept()),
				chance(f.McNemar()))
		}
		if right.Total > 0 {
			sum := 0.0
			for i, b := range s.Calibration {
				sum += b.Confidence
				if b.Right.Total > 0 {
					tenth := fmt.Sprintf("%.1f-%.1f", float64(i)/Bins, float64(i+1)/Bins)
					add(plot, mode, tenth, plotBar(b.Right.Share(), b.Mean()), b.Right.Total)
				}
			}
			add(calibration, mode, figure3(s.Brier.Mean), figure3(s.Brier.Spread()), figure3(s.Calibration.Error()),
				figure3(sum/float64(right.Total)), share(right))
		}
		cells := []any{right.Total - right.Hits}
		for _, f := range s.Failures {
			cells = append(cells, f.Count)
		}
		add(failures, mode, cells...)
		if over := s.OverRepeats(); over.N > 1 {
			low, high := 1.0, 0.0
			for _, r := range s.Repeats {
				if r.Total > 0 {
					low, high = min(low, r.Share()), max(high, r.Share())
				}
			}
			add(repeats, mode, over.N, percent(over.Mean), percent(over.Spread()), percent(low), percent(high))
		}
		if u := s.Usage; u != (state.Usage{}) {
			price := view.Price(u.Cost, u.Unpriced)
			add(cost, mode, s.Hearings, u.Calls, u.PromptTokens, u.CompletionTokens, price)
		}
	}
	return []*view.Section{flips, calibration, plot, failures, repeats, cost}
}

// plotCells is the width of a plot from 0 to 1.
const plotCells = 21

// plotBar draws a bar for a share, and a mark at a mean. Both are from 0 to 1.
func plotBar(share, mean float64) string {
	full := int(math.Round(share * plotCells))
	cells := []rune(strings.Repeat("━", full) + strings.Repeat("┄", plotCells-full))
	cells[int(math.Round(mean*(plotCells-1)))] = '◆'
	return string(cells)
}

// seats makes the tables on the confidence of the seats.
func (p *part) seats() []*view.Section {
	rounds := 0
	for _, s := range p.summaries {
		rounds = max(rounds, len(s.Traces))
	}
	columns := []string{"mode", "seat", "trace"}
	for round := range rounds {
		columns = append(columns, fmt.Sprintf("round %d", round+1))
	}
	traces := newTable("confidence by round, mean ± standard deviation", columns...)
	conduct := newTable("retreats without a new fact, rigid before one, held back by the rule of conviction",
		"mode", "seat", "retreats", "of", "%", "rigid", "of", "%", "held back")
	for _, s := range p.summaries {
		for i, c := range []Conduct{s.Architect, s.Skeptic} {
			mode, seat := p.labels.of(s.Mode), []state.Seat{judge.Architect, judge.Skeptic}[i]
			trace, cells := "", []any{}
			for round := range rounds {
				cell, column := "-", ' '
				if round < len(s.Traces) {
					m := []Moments{s.Traces[round].Architect, s.Traces[round].Skeptic}[i]
					cell = fmt.Sprintf("%.2f ± %.2f", m.Mean, m.Spread())
					column = '▁' + rune(math.Round(m.Mean*('█'-'▁')))
				}
				trace, cells = trace+string(column), append(cells, cell)
			}
			if len(s.Traces) > 0 {
				add(traces, mode, append([]any{seat, trace}, cells...)...)
			}
			if c.HeldBack.Total > 0 {
				add(conduct, mode, seat, c.Retreats.Hits, c.Retreats.Total, share(c.Retreats),
					c.Rigid.Hits, c.Rigid.Total, share(c.Rigid), c.HeldBack.Hits)
			}
		}
	}
	return []*view.Section{traces, conduct}
}

// pairs compares the modes that differ in one thing.
func (p *part) pairs(d *Document) *view.Section {
	t := newTable("two modes that differ in one thing, on the same hearings (McNemar's exact test)",
		"first", "second", "pairs", "only first right", "only second right", "p")
	full := labels{judges: true}
	for _, c := range d.Comparisons {
		if c.Half == p.half {
			add(t, full.of(c.First), full.of(c.Second), c.Pairs.Total(), c.Pairs.Bad, c.Pairs.Good, chance(c.P))
		}
	}
	return t
}

// wrong lists the wrong verdicts.
func (p *part) wrong() *view.Section {
	t := newTable("every wrong verdict", "mode", "case", "tier", "expected", "came out", "why", "repeat", "confidence")
	for _, s := range p.summaries {
		for _, w := range s.Wrong {
			add(t, p.labels.of(s.Mode), w.Case.ID, w.Case.Tier, w.Case.Expected, w.Outcome, w.Failure, w.Repeat,
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

// withInterval is share with its interval.
func withInterval(p Proportion) string {
	if p.Total == 0 {
		return share(p)
	}
	return share(p) + " " + interval(p)
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
