package pane

import (
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/state"
	"moot/tui/theme"
	"moot/view"
)

// Result shows the result of a session as a document, of which each item can be selected.
type Result struct {
	List
	state   state.State
	rulings []state.Ruling
	parts   []part
	// stale means that the state is newer than the parts.
	stale bool
}

// NewResult returns an empty pane.
func NewResult(l *theme.Look) *Result {
	p := &Result{List: List{Look: l, At: -1}}
	p.Draw = func(i, width int, mark theme.Span) []string {
		var rows []string
		for n, b := range p.parts[i].blocks {
			for k, row := range b.Rows(p.Look, max(width-1, 0), i == 0) {
				lead := " "
				if n == 0 && k == 0 && p.parts[i].id != "" {
					lead = mark.Style.Paint(mark.Text)
				}
				if width == 0 {
					lead = ""
				}
				rows = append(rows, lead+row)
			}
		}
		return rows
	}
	p.Key = func(i int) string { return p.parts[i].id }
	p.Text = func(i int) string {
		var lines []string
		for _, b := range p.parts[i].blocks {
			lines = append(lines, b.Section+b.Lead.Text+b.Body.Text)
		}
		return plain.Text(strings.Join(lines, "\n"))
	}
	return p
}

// SetState shows a state.
func (p *Result) SetState(s state.State, rulings []state.Ruling) {
	p.state, p.rulings, p.stale = s, rulings, true
	p.Changed()
}

// SetLook changes how the pane is drawn; its parts hold styles.
func (p *Result) SetLook(l *theme.Look) {
	p.List.SetLook(l)
	p.stale = true
}

// fresh makes the document of the state.
func (p *Result) fresh() {
	if !p.stale {
		return
	}
	p.stale, p.parts = false, nil
	if p.state.Seq > 0 {
		d := view.Session(&p.state, p.rulings)
		d.Add(view.Metrics(&p.state, p.rulings))
		d.Question = ""
		p.parts = documentParts(p.Look, &d)
	}
	p.SetCount(len(p.parts))
}

// Title implements Pane.
func (p *Result) Title() string { return ResultID.String() }

// View implements Pane.
func (p *Result) View(width, height int) []string {
	p.fresh()
	return p.RowsOrEmpty(width, height, "nothing is recorded yet")
}

// Move implements Pane. Without anything to select it scrolls.
func (p *Result) Move(a Motion, width, height int) {
	p.fresh()
	if !slices.ContainsFunc(p.parts, func(part part) bool { return part.id != "" }) {
		p.Wheel(a.rows(height), width, height)
		return
	}
	p.List.Move(a, width, height)
}

// Choose keeps the selection: the result stays in view when another pane turns to a point.
func (p *Result) Choose(string) { p.fresh() }

// Click implements Pane.
func (p *Result) Click(x, y, width, height int) {
	p.fresh()
	p.List.Click(x, y, width, height)
}

// Find implements Pane.
func (p *Result) Find(query string, forwards, from bool, width, height int) bool {
	p.fresh()
	return p.List.Find(query, forwards, from, width, height)
}
