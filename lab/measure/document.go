package measure

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Version is the format of documents.
const Version = "moot.lab/1"

// Document is what a run leaves behind, as it is written to a file.
type Document struct {
	// Format is Version.
	Format string `json:"format"`
	// Title names the corpus.
	Title string `json:"title"`
	// Stated is what a reader must know, line by line: who sat, in which domain.
	Stated []string `json:"stated,omitempty"`
	// Planned and Done count the hearings that were to be held, and those that were;
	// fewer are done where it was broken off.
	Planned int `json:"planned"`
	Done    int `json:"done"`
	// Cases and Runs are the hearings themselves.
	Cases []Case `json:"cases,omitempty"`
	Runs  []Run  `json:"runs,omitempty"`
	// Summaries and Comparisons follow from them.
	Summaries   []Summary    `json:"summaries"`
	Comparisons []Comparison `json:"comparisons,omitempty"`
}

// NewDocument makes the document of runs over their cases. The errors are those of
// Summarize; no run at all is one too.
func NewDocument(title string, stated []string, planned int, cases []Case, runs []Run) (Document, error) {
	if len(runs) == 0 {
		return Document{}, errors.New("there are no hearings to report on")
	}
	d := Document{Format: Version, Title: title, Stated: stated, Planned: planned, Cases: cases, Runs: runs}
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

// Read reads a document. Every figure is computed again from its hearings.
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
	return NewDocument(d.Title, d.Stated, d.Planned, d.Cases, d.Runs)
}

// What bounds a file: how many rounds a hearing has, and what one hearing can take of models.
const (
	mostRounds = 64
	mostUsed   = 1_000_000_000
)

// sound reports whether one hearing can have taken it.
func (u Usage) sound() bool {
	return min(u.Calls, u.PromptTokens, u.CompletionTokens) >= 0 && max(u.Calls, u.PromptTokens, u.CompletionTokens) <= mostUsed &&
		u.Cost >= 0 && u.Cost <= mostUsed
}
