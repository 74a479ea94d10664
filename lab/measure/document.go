package measure

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"moot/state"
)

// Version is the format of documents.
const Version = "moot.lab/1"

// Document is what a run or a simulation leaves behind, as it is written to a file.
type Document struct {
	// Format is Version.
	Format string `json:"format"`
	Origin Origin `json:"origin"`
	// Title names the corpus, or what was drawn.
	Title string `json:"title"`
	// Stated is what a reader must know, line by line: who sat, which dynamics.
	Stated []string `json:"stated,omitempty"`
	// Planned and Done count the hearings that were to be held, and those that were;
	// fewer are done where it was broken off.
	Planned int `json:"planned"`
	Done    int `json:"done"`
	// Judges are the versions whose figures are told in full; none are all.
	Judges []state.JudgeVersion `json:"judges,omitempty"`
	// Published are figures of others to set beside these.
	Published []Published `json:"published,omitempty"`
	// Cases and Runs are the hearings themselves; simulated ones are not kept.
	Cases []Case `json:"cases,omitempty"`
	Runs  []Run  `json:"runs,omitempty"`
	// Summaries and Comparisons follow from them.
	Summaries   []Summary    `json:"summaries"`
	Comparisons []Comparison `json:"comparisons,omitempty"`
}

// Published is a figure that others have published, and the same of these hearings.
type Published struct {
	// What is counted, and what was Said of it.
	What string     `json:"what"`
	Said string     `json:"said"`
	Here Proportion `json:"here"`
}

// NewDocument makes the document of runs over their cases. The errors are those of
// Summarize; no run at all is one too.
func NewDocument(title string, stated []string, planned int, cases []Case, runs []Run) (Document, error) {
	if len(runs) == 0 {
		return Document{}, errors.New("there are no hearings to report on")
	}
	d := Document{Format: Version, Origin: runs[0].Origin, Title: title, Stated: stated, Planned: planned, Cases: cases, Runs: runs}
	for i := range runs {
		d.Done += len(runs[i].Results)
	}
	var err error
	d.Summaries, d.Comparisons, err = Summarize(cases, runs)
	return d, err
}

// Whole reports whether all that was planned was done.
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

// Read reads a document. Where the hearings are there, every figure is computed anew
// from them; else what cannot be is refused.
func Read(r io.Reader) (Document, error) {
	var d Document
	decoder := json.NewDecoder(r)
	if err := decoder.Decode(&d); err != nil {
		return Document{}, fmt.Errorf("read the results: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Document{}, errors.New("read the results: something follows the end of the document")
	}
	if d.Format != Version {
		return Document{}, fmt.Errorf("the results have the format %q; this version of moot reads %q, which moot lab run --json writes", d.Format, Version)
	}
	if !slices.Contains(Origins(), d.Origin) {
		return Document{}, errors.New("the results do not say whether they are measured or simulated")
	}
	if len(d.Runs) > 0 {
		read := d
		var err error
		if d, err = NewDocument(read.Title, read.Stated, read.Planned, read.Cases, read.Runs); err != nil {
			return Document{}, err
		}
		if d.Origin != read.Origin {
			return Document{}, &MixedError{What: "a run", One: read.Origin, Other: d.Origin}
		}
		d.Judges, d.Published = read.Judges, read.Published
		return d, nil
	}
	if err := d.check(); err != nil {
		return Document{}, err
	}
	return d, nil
}

// check refuses summaries that cannot be, where there are no hearings to go by.
func (d *Document) check() error {
	if len(d.Summaries) == 0 {
		return errors.New("the results hold no summary of any mode")
	}
	for i := range d.Summaries {
		s := &d.Summaries[i]
		if s.Origin != d.Origin {
			return &MixedError{What: "the mode " + s.Mode.String(), One: d.Origin, Other: s.Origin}
		}
		if what := s.wrong(); what != "" {
			return fmt.Errorf("the summary of the mode %s: %s", s.Mode, what)
		}
		if s.Flips != nil {
			s.Flips.Reference = s.Mode.Reference()
		}
		s.CalibrationError = s.Calibration.Error()
	}
	for i := range d.Comparisons {
		c := &d.Comparisons[i]
		if c.First.check() != "" || c.Second.check() != "" {
			return errors.New("a comparison names no modes")
		}
		if !c.Pairs.counts() {
			return fmt.Errorf("the comparison of %s with %s counts fewer than none, or more than can be", c.First, c.Second)
		}
		c.P = c.Pairs.McNemar()
	}
	return nil
}

// counts reports whether no count is negative, and none beyond what can be.
func (p Paired) counts() bool {
	return min(p.Both, p.Neither, p.Bad, p.Good) >= 0 && max(p.Both, p.Neither, p.Bad, p.Good) <= mostPairs
}

// What bounds a file: how many pairs a comparison counts, how many rounds a hearing has,
// and what one hearing can take of models.
const (
	mostPairs  = 1_000_000_000
	mostRounds = 64
	mostUsed   = 1_000_000_000
)

// sound reports whether one hearing can have taken it.
func (u Usage) sound() bool {
	return min(u.Calls, u.PromptTokens, u.CompletionTokens) >= 0 && max(u.Calls, u.PromptTokens, u.CompletionTokens) <= mostUsed &&
		u.Cost >= 0 && u.Cost <= mostUsed
}

// wrong says what cannot be in a summary, or "".
func (s *Summary) wrong() string {
	for _, lacks := range []string{s.Mode.check(), s.unnamed()} {
		if lacks != "" {
			return lacks
		}
	}
	switch {
	case s.Hearings < 0 || s.Failed < 0 || s.Accuracy.Total > s.Hearings:
		return "its hearings do not add up"
	case s.Flips != nil && !s.Flips.Pairs.counts():
		return "it counts fewer flips than none, or more than can be"
	case !s.Brier.within(2):
		return "its Brier score is none"
	}
	traces := [][]Trace{s.Traces}
	for _, t := range s.Tiers {
		traces = append(traces, t.Traces)
	}
	for _, trace := range traces {
		if len(trace) > mostRounds {
			return fmt.Sprintf("%d rounds are more than a hearing has", len(trace))
		}
		for _, t := range trace {
			if !t.Architect.within(1) || !t.Skeptic.within(1) {
				return "a confidence is not from 0 to 1"
			}
		}
	}
	for i, b := range s.Calibration {
		if mean := b.Mean(); mean < 0 || mean > 1 || b.Right.Total == 0 && b.Confidence != 0 {
			return fmt.Sprintf("the confidences of bin %d are not from 0 to 1", i+1)
		}
	}
	return ""
}

// unnamed says which part of a summary has no word of its list, or "".
func (s *Summary) unnamed() string {
	for _, t := range s.Tiers {
		if !slices.Contains(Tiers(), t.Tier) {
			return "a count is of no tier"
		}
	}
	for _, f := range s.Failures {
		if !slices.Contains(Failures(), f.Failure) {
			return "a count is of no failure"
		}
	}
	for i := range s.Wrong {
		w := &s.Wrong[i]
		if w.Case.check() != "" || !slices.Contains(state.Outcomes(), w.Outcome) || !slices.Contains(Failures(), w.Failure) {
			return "a wrong verdict lacks its case, its outcome or its failure"
		}
	}
	return ""
}

// within reports whether the values can lie between 0 and most.
func (m Moments) within(most float64) bool {
	return m.N >= 0 && m.Mean >= 0 && m.Mean <= most && m.Squares >= 0 && !math.IsInf(m.Squares, 0) &&
		m.Squares <= float64(m.N)*most*most
}
