package lab

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/state"
)

// Version is the format of documents.
const Version = "moot.lab/1"

// Document is the result file of a run.
type Document struct {
	// Format is Version.
	Format string `json:"format"`
	// Title names the corpus.
	Title string `json:"title"`
	// Stated describes the run, line by line: participants, domain, and so on.
	Stated []string `json:"stated,omitempty"`
	// Planned and Done count the hearings; fewer are done if the run was interrupted.
	Planned int `json:"planned"`
	Done    int `json:"done"`
	// Cases and Runs are the hearings themselves.
	Cases []Case `json:"cases,omitempty"`
	Runs  []Run  `json:"runs,omitempty"`
	// Summaries and Comparisons are computed from them.
	Summaries   []Summary    `json:"summaries"`
	Comparisons []Comparison `json:"comparisons,omitempty"`
}

// NewDocument makes the document of runs over their cases.
func NewDocument(title string, stated []string, planned int, cases []Case, runs []Run) Document {
	d := Document{Format: Version, Title: title, Stated: stated, Planned: planned, Cases: cases, Runs: runs}
	for i := range runs {
		d.Done += len(runs[i].Results)
	}
	d.Summaries, d.Comparisons = Summarize(cases, runs)
	return d
}

// Whole reports whether all planned hearings were done.
func (d *Document) Whole() bool { return d.Done >= d.Planned }

// Write writes the document as JSON.
func (d *Document) Write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(d); err != nil {
		return fmt.Errorf("write the results: %w", err)
	}
	return nil
}

// TierCount counts the right verdicts of a tier.
type TierCount struct {
	Tier  Tier       `json:"tier"`
	Right Proportion `json:"right"`
}

// Trace is the confidence of both seats after a round, over the hearings that had it.
type Trace struct {
	Architect Moments `json:"architect"`
	Skeptic   Moments `json:"skeptic"`
}

// Against compares a mode with its reference on the same hearings: the flips.
type Against struct {
	Reference Mode   `json:"reference"`
	Pairs     Paired `json:"pairs"`
}

// FailureCount is the number of wrong verdicts with a failure.
type FailureCount struct {
	Failure Failure `json:"failure"`
	Count   int     `json:"count"`
}

// Wrong is a wrong verdict.
type Wrong struct {
	Case   Case `json:"case"`
	Repeat int  `json:"repeat"`
	// Outcome and Confidence are the verdict's.
	Outcome    judge.Outcome `json:"outcome"`
	Confidence float64       `json:"confidence"`
	Failure    Failure       `json:"failure"`
}

// Summary has the figures of one mode on one half of a corpus.
type Summary struct {
	Mode Mode `json:"mode"`
	Half Half `json:"half,omitempty"`
	// Hearings counts those that were held, Failed those of them without a verdict,
	// which are in no other figure.
	Hearings int `json:"hearings"`
	Failed   int `json:"failed"`
	// Accuracy is the share of verdicts that are as expected, Tiers the same per tier,
	// in the order of Tiers and with tiers that have no case.
	Accuracy  Proportion  `json:"accuracy"`
	Tiers     []TierCount `json:"tiers"`
	Confusion Confusion   `json:"confusion"`
	// Flips is nil for the reference mode, and if the run did not include it.
	Flips *Against `json:"flips,omitempty"`
	// Brier holds the scores of the verdicts, 0 to 2.
	Brier       Moments     `json:"brier"`
	Calibration Calibration `json:"calibration"`
	// CalibrationError is Calibration.Error, for readers of the file.
	CalibrationError float64 `json:"calibration_error"`
	// Traces are by round, from the first.
	Traces    []Trace `json:"traces"`
	Architect Conduct `json:"architect"`
	Skeptic   Conduct `json:"skeptic"`
	// Failures are of the wrong verdicts, in the order of Failures.
	Failures []FailureCount `json:"failures"`
	// Repeats holds the accuracy of each repeat, from the first.
	Repeats []Proportion `json:"repeats,omitempty"`
	// Opened counts the hearings whose gate opened; it is 0 in forms without a gate.
	Opened Proportion  `json:"opened"`
	Usage  state.Usage `json:"usage"`
	// Wrong lists the wrong verdicts if hearings are listed.
	Wrong []Wrong `json:"wrong,omitempty"`
}

// OverRepeats are the accuracies of the repeats: their mean and spread say how much a
// single repeat can be trusted.
func (s *Summary) OverRepeats() Moments {
	var m Moments
	for _, r := range s.Repeats {
		if r.Total > 0 {
			m.Add(r.Share())
		}
	}
	return m
}

func newSummary(mode Mode, half Half) Summary {
	s := Summary{Mode: mode, Half: half, Tiers: []TierCount{}, Traces: []Trace{}, Failures: []FailureCount{}}
	for _, tier := range Tiers() {
		s.Tiers = append(s.Tiers, TierCount{Tier: tier})
	}
	for _, f := range Failures() {
		s.Failures = append(s.Failures, FailureCount{Failure: f})
	}
	return s
}

// add counts a hearing of a case. reference is the same hearing in the reference mode, or nil.
func (s *Summary) add(c Case, r, reference *Result) {
	s.Hearings++
	s.Usage.Add(&r.Usage)
	if r.Failed != "" {
		s.Failed++
		return
	}
	right := r.Right(c)
	s.Accuracy.Add(right)
	for i := range s.Tiers {
		if s.Tiers[i].Tier == c.Tier {
			s.Tiers[i].Right.Add(right)
		}
	}
	s.Confusion.Add(c.Expected, r.Outcome)
	s.Brier.Add(Brier(r.Outcome, r.Confidence, c.Expected))
	s.Calibration.Add(r.Confidence, right)
	for len(s.Repeats) < r.Repeat {
		s.Repeats = append(s.Repeats, Proportion{})
	}
	s.Repeats[r.Repeat-1].Add(right)
	if s.Mode.Form == hearing.FormSelective {
		s.Opened.Add(r.Opened)
	}
	for i := range r.Rounds {
		now := &r.Rounds[i]
		if i == len(s.Traces) {
			s.Traces = append(s.Traces, Trace{})
		}
		s.Traces[i].Architect.Add(now.Architect.Confidence)
		s.Traces[i].Skeptic.Add(now.Skeptic.Confidence)
		if i > 0 {
			s.Architect.Add(&r.Rounds[i-1].Architect, &now.Architect)
			s.Skeptic.Add(&r.Rounds[i-1].Skeptic, &now.Skeptic)
		}
	}
	if failure := FailureOf(c, r); failure != "" {
		for i := range s.Failures {
			if s.Failures[i].Failure == failure {
				s.Failures[i].Count++
			}
		}
		s.Wrong = append(s.Wrong, Wrong{
			Case: c, Repeat: r.Repeat, Outcome: r.Outcome, Confidence: r.Confidence,
			Failure: failure,
		})
	}
	if reference != nil && reference.Failed == "" {
		if s.Flips == nil {
			s.Flips = &Against{Reference: s.Mode.Reference()}
		}
		s.Flips.Pairs.Add(reference.Right(c), right)
	}
}

// Comparison compares two modes on the same hearings.
type Comparison struct {
	Half   Half   `json:"half,omitempty"`
	First  Mode   `json:"first"`
	Second Mode   `json:"second"`
	Pairs  Paired `json:"pairs"`
	// P is the p value of McNemar's test, for readers of the file.
	P float64 `json:"p"`
}

// hearingKey identifies a hearing of a case.
type hearingKey struct {
	id     string
	repeat int
}

// Summarize makes the summaries of runs over their cases: by half, the halves in the
// order of Halves, the runs in theirs. Each mode is compared with its reference if
// that is among the runs.
func Summarize(cases []Case, runs []Run) ([]Summary, []Comparison) {
	known := make(map[string]Case, len(cases))
	for _, c := range cases {
		known[c.ID] = c
	}
	tables := make([]map[hearingKey]*Result, len(runs))
	for i := range runs {
		tables[i] = make(map[hearingKey]*Result, len(runs[i].Results))
		for j := range runs[i].Results {
			r := &runs[i].Results[j]
			tables[i][hearingKey{r.Case, r.Repeat}] = r
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
					other = tables[reference][hearingKey{r.Case, r.Repeat}]
				}
				s.add(known[r.Case], r, other)
			}
			s.CalibrationError = s.Calibration.Error()
			summaries = append(summaries, s)
		}
		comparisons = append(comparisons, compare(known, runs, tables, half)...)
	}
	return summaries, comparisons
}

// compare compares each two modes that differ in one thing: the form, the judge or the seats.
func compare(known map[string]Case, runs []Run, tables []map[hearingKey]*Result, half Half) []Comparison {
	var found []Comparison
	for i := range runs {
		for k := i + 1; k < len(runs); k++ {
			a, b := runs[i].Mode, runs[k].Mode
			differences := 0
			for _, differs := range []bool{a.Form != b.Form, a.Judge != b.Judge, a.Seats != b.Seats} {
				if differs {
					differences++
				}
			}
			if differences != 1 {
				continue
			}
			c := Comparison{Half: half, First: a, Second: b}
			for at, first := range tables[i] {
				one, second := known[at.id], tables[k][at]
				if one.Half == half && second != nil && first.Failed == "" && second.Failed == "" {
					c.Pairs.Add(first.Right(one), second.Right(one))
				}
			}
			c.P = c.Pairs.McNemar()
			found = append(found, c)
		}
	}
	return found
}
