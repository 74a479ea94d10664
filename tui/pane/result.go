package pane

import (
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Result shows the result of a session: the answer, what is open for the user, and the claims, a row for each that can
// be unfolded. The selection goes over the sentences and the claims.
type Result struct {
	*Document
	state   *state.State
	rulings []state.Ruling
	// unfolded are the keys of the parts whose notes are shown.
	unfolded map[string]bool
}

// NewResult returns an empty pane.
func NewResult(l *theme.Look) *Result {
	p := &Result{unfolded: map[string]bool{}}
	p.Document = NewDocument(l, func(l *theme.Look) []Part {
		if p.state.Seq == 0 {
			return nil
		}
		d := view.Session(p.state, p.rulings)
		d.Question = ""
		w := &documentWriter{Look: l, unfolded: func(key string) bool { return p.unfolded[key] }}
		parts := w.document(&d)
		if metrics := view.Metrics(p.state, p.rulings); !metrics.Empty() {
			parts = append(parts, w.section(&metrics, nil)...)
		}
		return parts
	})
	p.id, p.empty = ResultID, "nothing is recorded yet"
	return p
}

// SetState shows a state.
func (p *Result) SetState(s *state.State, rulings []state.Ruling) {
	p.state, p.rulings = s, rulings
	p.Refresh()
}

// Toggle folds or unfolds the selected item. It returns false if that item has nothing to unfold.
func (p *Result) Toggle(width, height int) bool {
	p.fresh()
	if p.At < 0 || p.At >= len(p.parts) || !p.parts[p.At].Folds {
		return false
	}
	key := p.parts[p.At].Key
	p.unfolded[key] = !p.unfolded[key]
	p.Refresh()
	p.fresh()
	p.reveal(width, height)
	return true
}

// Show selects and unfolds the item with an id. It returns false if no item with the id can be unfolded.
func (p *Result) Show(id string, width, height int) bool {
	p.fresh()
	for i := range p.parts {
		if p.parts[i].ID == id && p.parts[i].Folds {
			p.pick(i)
			p.unfolded[p.parts[i].Key] = false
			return p.Toggle(width, height)
		}
	}
	return false
}

// Move selects the sentence or the item above or below. Where none is near, it scrolls.
func (p *Result) Move(a Motion, width, height int) {
	p.fresh()
	if a != MoveUp && a != MoveDown {
		p.Document.Move(a, width, height)
		p.settle(width, height)
		return
	}
	step := a.rows(height)
	next := p.At + step
	for next >= 0 && next < p.N && p.parts[next].ID == "" {
		next += step
	}
	first, last := p.visible(width, height)
	top, skip := p.Win.start(p, width, height)
	// The rest of a long item is read before the next one is selected.
	hidden := a == MoveUp && p.At == top && skip > 0 || a == MoveDown && p.At == last && p.below(p.At, width, height)
	if near := next >= first-1 && next <= last+1; next >= 0 && next < p.N && near && !hidden {
		p.pick(next)
		p.Win.Show(p, max(next-1, 0), width, height)
		p.reveal(width, height)
		return
	}
	p.Wheel(step, width, height)
	first, last = p.visible(width, height)
	if p.At < first || p.At > last {
		p.pick(max(min(p.At, last), first))
		p.settle(width, height)
	}
}

// below reports whether rows of a part are below the window.
func (p *Result) below(i, width, height int) bool {
	top, skip := p.Win.start(p, width, height)
	used := -skip
	for k := top; k <= i; k++ {
		used += len(p.Rows(k, width))
	}
	return used > height
}

// settle moves the selection from text to the nearest sentence or item that is on the screen, if there is one.
func (p *Result) settle(width, height int) {
	if p.At < 0 || p.At >= len(p.parts) || p.parts[p.At].ID != "" {
		return
	}
	first, last := p.visible(width, height)
	for by := 1; by <= last-first; by++ {
		for _, i := range []int{p.At - by, p.At + by} {
			if i >= first && i <= last && p.parts[i].ID != "" {
				p.pick(i)
				return
			}
		}
	}
}

// Click selects the item at a cell. A click on the row with its sign folds or unfolds it.
func (p *Result) Click(x, y, width, height int) {
	p.Document.Click(x, y, width, height)
	top, skip := p.Win.start(p, width, height)
	row := -skip
	for i := top; i < p.At; i++ {
		row += len(p.Rows(i, width))
	}
	if row == y {
		p.Toggle(width, height)
	}
}

// Adopt takes over what was unfolded in an earlier pane of the session, and its place.
func (p *Result) Adopt(before *Result) {
	p.unfolded, p.Win, p.At, p.Chosen = before.unfolded, before.Win, before.At, before.Chosen
	p.Refresh()
}
