package conflict

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Write writes the conflicts of the case and their review as one line of JSON, row
// by row: it holds none. The outputs stand in it as they were written, without
// white space between their parts.
func (c *Case) Write(to io.Writer) error {
	out := bufio.NewWriter(to)
	w := &rowWriter{of: c, to: out, texts: make([]jsontext.Value, len(c.texts))}
	_, _ = out.WriteString(`{"conflicts":[`)
	for pair := range Detect(c.Outputs, c.Thresholds) {
		if err := w.row(pair); err != nil {
			return err
		}
	}
	// A bufio.Writer that failed says so in the end.
	_, _ = out.WriteString(`],"review":`)
	review, err := json.Marshal(w.reviewer.Review())
	if err != nil {
		return fmt.Errorf("encode the review: %w", err)
	}
	_, _ = out.Write(append(review, "}\n"...))
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write the conflicts: %w", err)
	}
	return nil
}

// rowWriter writes conflicts as they come.
type rowWriter struct {
	of *Case
	to *bufio.Writer
	// texts are the outputs without white space, those that were asked for.
	texts    []jsontext.Value
	written  int
	reviewer Reviewer
}

// rowHead is a row up to its outputs, rowTail what is behind them. The outputs are
// copied between the two: as a part of one type they would be read again for each
// row.
type (
	rowHead struct {
		ID       string    `json:"id"`
		Type     Type      `json:"type"`
		AgentIDs [2]string `json:"agentIds"`
	}
	rowTail struct {
		Similarity  float64    `json:"similarity"`
		Description string     `json:"description"`
		Resolution  Resolution `json:"resolution"`
	}
)

func (w *rowWriter) row(pair Pair) error {
	w.written++
	told, resolution := Tell(w.written, w.of.Outputs, pair), Settle(w.of.Strategy, w.of.Outputs, pair)
	w.reviewer.Add(&resolution)
	head, err := json.Marshal(rowHead{told.ID, told.Type, told.Agents})
	if err != nil {
		return fmt.Errorf("encode %s: %w", told.ID, err)
	}
	tail, err := json.Marshal(rowTail{told.Similarity, told.Description, resolution})
	if err != nil {
		return fmt.Errorf("encode %s: %w", told.ID, err)
	}
	a, err := w.text(pair.First)
	if err != nil {
		return err
	}
	b, err := w.text(pair.Second)
	if err != nil {
		return err
	}
	separator := ","
	if w.written == 1 {
		separator = ""
	}
	_, _ = w.to.WriteString(separator)
	for _, piece := range [][]byte{bytes.TrimSuffix(head, []byte("}")), []byte(`,"outputs":[`), a, []byte(","), b, []byte("],")} {
		_, _ = w.to.Write(piece)
	}
	if _, err := w.to.Write(bytes.TrimPrefix(tail, []byte("{"))); err != nil {
		return fmt.Errorf("write %s: %w", told.ID, err)
	}
	return nil
}

// text is an output without white space between its parts.
func (w *rowWriter) text(i int) (jsontext.Value, error) {
	if w.texts[i] == nil {
		compact := w.of.texts[i]
		if k := compact.Kind(); k == jsontext.KindBeginArray || k == jsontext.KindBeginObject {
			compact = compact.Clone()
			if err := compact.Compact(); err != nil {
				return nil, fmt.Errorf("write the output of %s: %w", w.of.Outputs[i].AgentID, err)
			}
		}
		w.texts[i] = compact
	}
	return w.texts[i], nil
}

// WriteSummary writes the numbers of conflicts by type and agent, and their review,
// as one line of JSON.
func (c *Case) WriteSummary(to io.Writer) error {
	counted := Summarize(c.Outputs, c.Thresholds)
	s := summary{
		Outputs: len(c.Outputs), Pairs: counted.Pairs, Contradictions: counted.Total.Contradictions, Disagreements: counted.Total.Disagreements,
		Agents: make([]agentSummary, len(c.Outputs)), Review: c.review(&counted),
	}
	for i, n := range counted.Outputs {
		s.Agents[i] = agentSummary{c.Outputs[i].AgentID, n.Contradictions, n.Disagreements}
	}
	line, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("encode the summary: %w", err)
	}
	if _, err := to.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write the summary: %w", err)
	}
	return nil
}

// summary is a Summary as it is written.
type summary struct {
	Outputs        int            `json:"outputs"`
	Pairs          int            `json:"pairs"`
	Contradictions int            `json:"contradictions"`
	Disagreements  int            `json:"disagreements"`
	Agents         []agentSummary `json:"agents"`
	Review         Review         `json:"review"`
}

// agentSummary has the conflicts that an agent takes part in.
type agentSummary struct {
	AgentID        string `json:"agentId"`
	Contradictions int    `json:"contradictions"`
	Disagreements  int    `json:"disagreements"`
}

// review is that of all conflicts, which were counted. It looks at no more of them
// than it must: of two agents the largest group and the largest share are never less
// than half, so that the first conflict decides with either strategy, and the
// strategy of that name always escalates.
func (c *Case) review(counted *Summary) Review {
	var reviewer Reviewer
	switch c.Strategy {
	case Vote, EvidenceWeight, Escalate:
		if pair, found := c.first(counted); found {
			resolution := Settle(c.Strategy, c.Outputs, pair)
			reviewer.Add(&resolution)
		}
	case Tiered:
		for pair := range Detect(c.Outputs, c.Thresholds) {
			resolution := Settle(c.Strategy, c.Outputs, pair)
			if reviewer.Add(&resolution); reviewer.escalated {
				break
			}
		}
	}
	return reviewer.Review()
}

// first is the first conflict of those that were counted.
func (c *Case) first(counted *Summary) (Pair, bool) {
	i := slices.IndexFunc(counted.Outputs, func(n Counts) bool { return n != Counts{} })
	if i < 0 {
		return Pair{}, false
	}
	for j := i + 1; j < len(c.Outputs); j++ {
		similarity := Similarity(&c.Outputs[i].Value, &c.Outputs[j].Value)
		if kind, found := c.Thresholds.Classify(similarity); found {
			return Pair{First: i, Second: j, Type: kind, Similarity: similarity}, true
		}
	}
	return Pair{}, false
}
