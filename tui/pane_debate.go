package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"moot/tui/theme"
)

// debatePane shows the transcript and, below it, the replies under way. It
// follows the end until it is scrolled.
type debatePane struct {
	look       *theme.Look
	focused    bool
	transcript *transcript
	// shown is how many of its entries are shown, at the one that was clicked or
	// found, -1 for none.
	shown, at int
	live      []*call
	clock     clockReading
	// blind says that what others say meanwhile is hidden.
	blind   bool
	win     window
	version int
	cached  cachedRows
}

func newDebatePane(l *theme.Look) *debatePane {
	return &debatePane{look: l, transcript: newTranscript(), at: -1, win: window{follow: true}}
}

func (p *debatePane) changed() { p.version++ }

// setLook changes how the pane is drawn.
func (p *debatePane) setLook(l *theme.Look) {
	p.look = l
	p.changed()
}

// setLive takes over the calls under way and the time to show them at; blind hides
// what they say.
func (p *debatePane) setLive(calls []*call, clock clockReading, blind bool) {
	p.live, p.clock, p.blind = calls, clock, blind
	p.changed()
}

// setShown hides what was said after the event: a replay shows what stood.
func (p *debatePane) setShown(seq int) {
	if n := p.transcript.upTo(seq); n != p.shown {
		p.shown = n
		if p.at >= n {
			p.at = -1
		}
		p.changed()
	}
}

// setFocused says whether keys go to the pane.
func (p *debatePane) setFocused(on bool) {
	if p.focused != on {
		p.focused = on
		p.changed()
	}
}

func (p *debatePane) title() string { return PaneDebate.String() }

func (p *debatePane) more() bool { return p.cached.more }

func (p *debatePane) count() int { return p.shown + len(p.live) }

func (p *debatePane) rows(i, width int) []string {
	if i >= p.shown {
		return p.live[i-p.shown].rows(p.look, width, p.clock, p.tail())
	}
	rows := p.transcript.entries[i].rows(p.look, width)
	if i != p.at || !p.focused {
		return rows
	}
	return pointed(p.look, rows)
}

// tail is how many rows of a streamed reply are shown.
func (p *debatePane) tail() int {
	switch {
	case p.blind:
		return 0
	case len(p.live) < 2:
		return tailRows
	}
	return max(tailRows/len(p.live), fewestRows)
}

// pointed marks an entry by a pointer in its first cell.
func pointed(l *theme.Look, rows []string) []string {
	rows = slices.Clone(rows)
	k := 0
	for k < len(rows)-1 && strings.TrimSpace(rows[k]) == "" {
		k++
	}
	if rest, empty := strings.CutPrefix(rows[k], " "); empty {
		rows[k] = l.Accent.Paint(l.Glyphs.Pointer) + rest
	}
	rows[k] = l.Selected.Over(rows[k])
	return rows
}

// move scrolls; home and end go to an edge; left and right select the entry
// before and after.
func (p *debatePane) move(a Motion, width, height int) {
	switch a { //nolint:exhaustive // the others scroll
	case MoveHome, MoveEnd:
		p.edge(a == MoveEnd)
	case MoveLeft, MoveRight:
		p.step(when(a == MoveLeft, -1, 1), width, height)
	default:
		p.wheel(map[Motion]int{MoveUp: -1, MoveDown: 1, MovePageUp: 1 - height, MovePageDown: height - 1}[a], width, height)
	}
}

// step selects the entry before or after the selected one; without one, the last
// one that is seen.
func (p *debatePane) step(by, width, height int) {
	next := p.at + by
	if p.at < 0 {
		next = p.win.itemAt(p, height-1, width, height)
		if next < 0 || next >= p.shown {
			next = p.shown - 1
		}
	}
	if next < 0 || next >= p.shown {
		return
	}
	p.at = next
	p.win.show(p, next, width, height)
	p.win.follow = next == p.count()-1
	p.changed()
}

// wheel moves the window; at the end it follows again.
func (p *debatePane) wheel(by, width, height int) {
	p.win.scroll(p, by, width, height, true)
	p.changed()
}

// edge goes to the beginning or to the end.
func (p *debatePane) edge(end bool) {
	p.win = window{follow: end}
	p.changed()
}

// click selects what the entry at the cell is about.
func (p *debatePane) click(_, y, width, height int) {
	p.at = -1
	if i := p.win.itemAt(p, y, width, height); i >= 0 && i < p.shown {
		p.at = i
	}
	p.changed()
}

// selected is the id that the selected entry is about, or its event; "" without
// one.
func (p *debatePane) selected() string {
	if p.at < 0 || p.at >= p.shown {
		return ""
	}
	e := p.transcript.entries[p.at]
	if id := e.about(); id != "" {
		return id
	}
	return fmt.Sprintf("#%d", e.seq)
}

func (p *debatePane) choose(string) {}

// copied is the clicked entry, or all that is seen.
func (p *debatePane) copied() string {
	if p.at >= 0 && p.at < p.shown {
		return p.transcript.entries[p.at].plainText()
	}
	var lines []string
	for _, row := range p.cached.rows {
		lines = append(lines, strings.TrimRight(ansi.Strip(row), " "))
	}
	return strings.Join(lines, "\n")
}

// find goes to the next entry that holds the query.
func (p *debatePane) find(query string, forwards, from bool, width, height int) bool {
	at := p.at
	if at < 0 {
		at, _ = p.win.start(p, width, height)
	}
	i := nextHolding(query, p.shown, at, forwards, from, func(i int, query string) bool { return p.transcript.entries[i].holds(query) })
	if i < 0 {
		return false
	}
	p.at = i
	p.win.show(p, i, width, height)
	p.changed()
	return true
}

func (p *debatePane) view(width, height int) []string {
	if !p.cached.fits(width, height, p.version) {
		rows, more := p.win.view(p, width, height)
		if p.count() == 0 && height > 0 {
			rows[0] = p.look.Row(width, []theme.Span{p.look.Faint.Span("  nobody has spoken yet")}, nil)
		}
		p.cached = cachedRows{rows, more, width, height, p.version}
	}
	return p.cached.rows
}
