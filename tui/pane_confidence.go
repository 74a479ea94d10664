package tui

import (
	"strings"

	"moot/state"
)

// confidencePane draws what changed over the rounds: confidence, buckets, cost.
type confidencePane struct {
	look    *look
	focused bool
	point   string
}

func newConfidencePane(l *look) *confidencePane { return &confidencePane{look: l} }

func (p *confidencePane) setState(state.State, []state.Event) {}

func (p *confidencePane) setLook(l *look) { p.look = l }

func (p *confidencePane) setFocused(on bool) { p.focused = on }

func (p *confidencePane) title() string { return PaneConfidence.String() }

// View draws the pane.
func (p *confidencePane) View(width, height int) string {
	return strings.Join(p.view(width, height), "\n")
}

func (p *confidencePane) view(width, height int) []string { return fit(nil, width, height) }

func (p *confidencePane) more() bool { return false }

func (p *confidencePane) move(Action, int, int) {}

func (p *confidencePane) wheel(int, int, int) {}

func (p *confidencePane) click(int, int, int, int) {}

func (p *confidencePane) selected() string { return p.point }

func (p *confidencePane) choose(id string) { p.point = id }

func (p *confidencePane) copied() string { return "" }

func (p *confidencePane) find(string, bool, bool, int, int) bool { return false }

// nextChart shows the next chart.
func (p *confidencePane) nextChart() {}
