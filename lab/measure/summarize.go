package measure

import (
	"fmt"
	"slices"

	"moot/resolver/hearing"
	"moot/state"
)

// Comparison is two modes on the same hearings.
type Comparison struct {
	Half   Half   `json:"half,omitempty"`
	First  Mode   `json:"first"`
	Second Mode   `json:"second"`
	Pairs  Paired `json:"pairs"`
	// P is that of McNemar's test, for readers of the file.
	P float64 `json:"p"`
}

// heard is which hearing of which case a result is of.
type heard struct {
	id     string
	repeat int
}

// Summarize makes the summaries of runs over their cases: by half, the halves in the
// order of Halves, the runs in theirs. Each mode is set beside its reference where
// that is among the runs. An error names the run, the case and the repeat that cannot be.
func Summarize(cases []Case, runs []Run) ([]Summary, []Comparison, error) {
	known, err := caseIndex(cases)
	if err != nil {
		return nil, nil, err
	}
	tables := make([]map[heard]*Result, len(runs))
	for i := range runs {
		if tables[i], err = resultIndex(known, &runs[i]); err != nil {
			return nil, nil, err
		}
		if slices.ContainsFunc(runs[:i], func(r Run) bool { return r.Mode == runs[i].Mode }) {
			return nil, nil, fmt.Errorf("two runs have the mode %s", runs[i].Mode)
		}
	}
	var summaries []Summary
	var comparisons []Comparison
	for _, half := range Halves() {
		if !slices.ContainsFunc(cases, func(c Case) bool { return c.Half == half }) {
			continue
		}
		for i := range runs {
			reference := slices.IndexFunc(runs, func(r Run) bool { return r.Mode == runs[i].Mode.Reference() })
			s := newSummary(runs[i].Mode, half)
			for j := range runs[i].Results {
				r := &runs[i].Results[j]
				if known[r.Case].Half != half {
					continue
				}
				var other *Result
				if reference >= 0 && reference != i {
					other = tables[reference][heard{r.Case, r.Repeat}]
				}
				s.add(known[r.Case], r, other)
			}
			s.CalibrationError = s.Calibration.Error()
			summaries = append(summaries, s)
		}
		comparisons = append(comparisons, compare(cases, runs, tables, half)...)
	}
	return summaries, comparisons, nil
}

// caseIndex is the cases by their id.
func caseIndex(cases []Case) (map[string]Case, error) {
	known := make(map[string]Case, len(cases))
	for _, c := range cases {
		if _, twice := known[c.ID]; twice {
			return nil, fmt.Errorf("two cases have the id %q", c.ID)
		}
		if wrong := c.check(); wrong != "" {
			return nil, fmt.Errorf("case %q: %s", c.ID, wrong)
		}
		known[c.ID] = c
	}
	return known, nil
}

// resultIndex is the results of a run by their hearing; it refuses what cannot be.
func resultIndex(known map[string]Case, run *Run) (map[heard]*Result, error) {
	if lacks := run.Mode.check(); lacks != "" {
		return nil, fmt.Errorf("run %s: %s", run.Mode, lacks)
	}
	table := make(map[heard]*Result, len(run.Results))
	for i := range run.Results {
		r := &run.Results[i]
		at := heard{r.Case, r.Repeat}
		wrong := func(what string) error {
			return fmt.Errorf("run %s: case %q, repeat %d: %s", run.Mode, r.Case, r.Repeat, what)
		}
		if _, is := known[r.Case]; !is {
			return nil, wrong("it is none of the cases")
		}
		if table[at] != nil {
			return nil, wrong("it is there twice")
		}
		if r.Repeat < 1 || r.Repeat > mostRepeats {
			return nil, wrong(fmt.Sprintf("repeats are counted from 1 to %d", mostRepeats))
		}
		if r.Failed == "" {
			if !slices.Contains(state.Outcomes(), r.Outcome) {
				return nil, wrong(fmt.Sprintf("the outcome %q is none", r.Outcome))
			}
			if err := hearing.CheckConfidence(r.Confidence); err != nil {
				return nil, wrong("its confidence " + err.Error())
			}
		}
		if !r.Usage.sound() {
			return nil, wrong("no hearing takes so much of models, or less than nothing")
		}
		if len(r.Rounds) > mostRounds {
			return nil, wrong(fmt.Sprintf("%d rounds are more than a hearing has", len(r.Rounds)))
		}
		for n := range r.Rounds {
			for _, turn := range []*Turn{&r.Rounds[n].Architect, &r.Rounds[n].Skeptic} {
				if err := hearing.CheckConfidence(turn.Confidence); err != nil {
					return nil, wrong(fmt.Sprintf("round %d: the confidence %v", n+1, err))
				}
			}
		}
		table[at] = r
	}
	return table, nil
}

// mostRepeats bounds what one hearing can make a summary hold.
const mostRepeats = 10_000

// compare sets each two modes beside each other that differ in one thing: the form,
// the judge or the seats.
func compare(cases []Case, runs []Run, tables []map[heard]*Result, half Half) []Comparison {
	var found []Comparison
	for i := range runs {
		for k := i + 1; k < len(runs); k++ {
			if differences(runs[i].Mode, runs[k].Mode) != 1 {
				continue
			}
			c := Comparison{Half: half, First: runs[i].Mode, Second: runs[k].Mode}
			for _, one := range cases {
				for repeat := 1; one.Half == half && repeat <= mostRepeats; repeat++ {
					first, second := tables[i][heard{one.ID, repeat}], tables[k][heard{one.ID, repeat}]
					if first == nil && second == nil {
						break
					}
					if first != nil && second != nil && first.Failed == "" && second.Failed == "" {
						c.Pairs.Add(first.Right(one), second.Right(one))
					}
				}
			}
			c.P = c.Pairs.McNemar()
			found = append(found, c)
		}
	}
	return found
}

// differences counts in how many things two modes differ.
func differences(a, b Mode) int {
	n := 0
	for _, differs := range []bool{a.Form != b.Form || a.Gate != b.Gate || a.Then != b.Then, a.Judge != b.Judge, a.Seats != b.Seats} {
		if differs {
			n++
		}
	}
	return n
}
