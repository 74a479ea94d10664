package tui

import (
	"strings"

	"moot/state"
)

// graphPane draws the argument as a map.
type graphPane struct {
	look    *look
	focused bool
	node    string
}

func newGraphPane(l *look) *graphPane { return &graphPane{look: l} }

func (p *graphPane) setState(state.State, []state.Ruling) {}

func (p *graphPane) setLook(l *look) { p.look = l }

func (p *graphPane) setFocused(on bool) { p.focused = on }

func (p *graphPane) title() string { return PaneGraph.String() }

// View draws the pane.
func (p *graphPane) View(width, height int) string { return strings.Join(p.view(width, height), "\n") }

func (p *graphPane) view(width, height int) []string { return fit(nil, width, height) }

func (p *graphPane) more() bool { return false }

func (p *graphPane) move(Action, int, int) {}

func (p *graphPane) wheel(int, int, int) {}

func (p *graphPane) click(int, int, int, int) {}

func (p *graphPane) selected() string { return p.node }

func (p *graphPane) choose(id string) { p.node = id }

func (p *graphPane) copied() string { return "" }

func (p *graphPane) find(string, bool, bool, int, int) bool { return false }

// toggleOnly collapses the map to what bears on the selected point, or shows it
// all.
func (p *graphPane) toggleOnly() {}
