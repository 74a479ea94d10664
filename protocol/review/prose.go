package review

import (
	"cmp"
	"fmt"
	"regexp"

	"moot/internal/plain"
	"moot/ledger"
	"moot/protocol"
	"moot/protocol/move"
	"moot/protocol/review/written"
)

// findingLine is a line in the form of the move, which is no prose.
var findingLine = regexp.MustCompile(`(?m)^[ \t>*-]*(?:FINDING (?:BLOCKING|HIGH|MEDIUM|LOW)\b|FINDING:|NO[ _]FINDINGS\b)`)

// ReadProse reads the review of a reviewer that did not write moves, such as a file of another program: in Markdown,
// SARIF or JSON. Each of its findings becomes a FINDING with what the text says, and no more.
func (Format) ReadProse(text string, ask protocol.Ask, lines []move.Move) ([]move.Move, string) {
	if ask.Stage != StageFind || findingLine.MatchString(text) {
		return nil, ""
	}
	for _, m := range lines {
		if f, is := m.(*finding); !is && move.KindOf(m) != MoveNoFindings || is && f.Path != "" && f.Line > 0 {
			return nil, ""
		}
	}
	r := written.Read(text)
	from := "it was not in the form of moves"
	if r.Nothing {
		said := cmp.Or(r.NothingText, "an empty list of findings")
		return []move.Move{&NoFindings{Text: plain.Clip(plain.OneLine(said), 400)}}, fmt.Sprintf("%s: read as %s without findings", from, r.Layout)
	}
	if len(r.Findings) == 0 {
		return nil, ""
	}
	moves := make([]move.Move, 0, len(r.Findings))
	for i := range r.Findings {
		f := &r.Findings[i]
		m := &finding{
			Path: f.Path, Line: f.Line, End: f.End, Severity: f.Severity, Category: f.Category,
			What: plain.Clip(plain.OneLine(f.What), 600), Why: plain.Clip(f.Why, 2000), Fix: plain.Clip(f.Fix, 2000),
		}
		own := ledger.Span{First: f.Line, Last: f.End}
		for _, c := range f.Citations {
			if len(m.Citations) < 5 && len(c.Spans) > 0 && (c.Path != f.Path || c.Spans[0] != own) {
				m.Citations = append(m.Citations, move.Citation{Reference: c.String()})
			}
		}
		moves = append(moves, m)
	}
	how := fmt.Sprintf("%s: %s read from %s", from, plain.Counted(len(moves), "finding"), r.Layout)
	if r.More > 0 {
		how += fmt.Sprintf(", and %d more are not", r.More)
	}
	return moves, how
}
