package pane

import (
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Result shows the result of a session as a document.
type Result struct {
	*Document
	state   *state.State
	rulings []state.Ruling
}

// NewResult returns an empty pane.
func NewResult(l *theme.Look) *Result {
	p := &Result{}
	p.Document = NewDocument(l, func(l *theme.Look) []Part {
		if p.state.Seq == 0 {
			return nil
		}
		d := view.Session(p.state, p.rulings)
		d.Add(view.Metrics(p.state, p.rulings))
		d.Question = ""
		return DocumentParts(l, &d)
	})
	p.id, p.empty = ResultID, "nothing is recorded yet"
	return p
}

// SetState shows a state.
func (p *Result) SetState(s *state.State, rulings []state.Ruling) {
	p.state, p.rulings = s, rulings
	p.Refresh()
}
