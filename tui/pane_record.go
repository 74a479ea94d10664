package tui

import (
	"fmt"
	"strings"

	"moot/state"
)

// recordPane lists every event of the session.
type recordPane struct {
	list
	events []state.Event
}

func newRecordPane(l *look) *recordPane {
	p := &recordPane{list: list{look: l, at: -1, win: window{follow: true}}}
	p.draw, p.key, p.text = p.drawEvent, p.keyOf, p.textOf
	return p
}

// setEvents takes over the events that are shown.
func (p *recordPane) setEvents(events []state.Event) {
	p.events = events
	p.setCount(len(events))
}

func (p *recordPane) title() string {
	if p.n > 0 {
		return fmt.Sprintf("%s %d", PaneRecord, p.n)
	}
	return PaneRecord.String()
}

// View draws the pane.
func (p *recordPane) View(width, height int) string { return strings.Join(p.view(width, height), "\n") }

func (p *recordPane) view(width, height int) []string {
	return p.rowsOrEmpty(width, height, "nothing is recorded yet")
}

func (p *recordPane) keyOf(i int) string { return fmt.Sprintf("#%d", p.events[i].Seq) }

func (p *recordPane) textOf(i int) string { return p.keyOf(i) + " " + p.events[i].Data.Kind() }

func (p *recordPane) drawEvent(i, width int, mark span) []string {
	return []string{p.look.row(width, []span{mark, {p.look.text, " " + p.textOf(i)}}, nil)}
}

// eventBlocks is an event whole.
func (p *recordPane) eventBlocks(l *look, id string) []block {
	return []block{{body: span{l.text, id}}}
}
