package pane

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"moot/tui/theme"
)

// Debate shows the transcript and, below it, the replies under way. It
// follows the end until it is scrolled.
type Debate struct {
	look       *theme.Look
	focused    bool
	Transcript *Transcript
	// shown is how many of its entries are shown, at the one that was clicked or
	// found, -1 for none.
	shown, At int
	live      []*Call
	clock     Clock
	// blind says that what others say meanwhile is hidden.
	blind   bool
	Win     Window
	version int
	cached  cachedRows
}

// NewDebate returns an empty pane.
func NewDebate(l *theme.Look) *Debate {
	return &Debate{look: l, Transcript: NewTranscript(), At: -1, Win: Window{Follow: true}}
}

// Changed drops what was drawn.
func (p *Debate) Changed() { p.version++ }

// SetLook changes how the pane is drawn.
func (p *Debate) SetLook(l *theme.Look) {
	p.look = l
	p.Changed()
}

// SetLive takes over the calls under way and the time to show them at; blind hides
// what they say.
func (p *Debate) SetLive(calls []*Call, clock Clock, blind bool) {
	p.live, p.clock, p.blind = calls, clock, blind
	p.Changed()
}

// SetShown hides what was said after the event: a replay shows what stood.
func (p *Debate) SetShown(seq int) {
	if n := p.Transcript.upTo(seq); n != p.shown {
		p.shown = n
		if p.At >= n {
			p.At = -1
		}
		p.Changed()
	}
}

// SetFocused says whether keys go to the pane.
func (p *Debate) SetFocused(on bool) {
	if p.focused != on {
		p.focused = on
		p.Changed()
	}
}

// Title implements Pane.
func (p *Debate) Title() string { return DebateID.String() }

// More implements Pane.
func (p *Debate) More() bool { return p.cached.more }

// Count returns the number of items.
func (p *Debate) Count() int { return p.shown + len(p.live) }

// Rows draws an item.
func (p *Debate) Rows(i, width int) []string {
	if i >= p.shown {
		return p.live[i-p.shown].Rows(p.look, width, p.clock, p.tail())
	}
	rows := p.Transcript.Entries[i].Rows(p.look, width)
	if i != p.At || !p.focused {
		return rows
	}
	return pointed(p.look, rows)
}

// tail is how many rows of a streamed reply are shown.
func (p *Debate) tail() int {
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

// Move scrolls; home and end go to an edge; left and right select the entry
// before and after.
func (p *Debate) Move(a Motion, width, height int) {
	switch a { //nolint:exhaustive // the others scroll
	case MoveHome, MoveEnd:
		p.Edge(a == MoveEnd)
	case MoveLeft, MoveRight:
		p.step(when(a == MoveLeft, -1, 1), width, height)
	default:
		p.Wheel(map[Motion]int{MoveUp: -1, MoveDown: 1, MovePageUp: 1 - height, MovePageDown: height - 1}[a], width, height)
	}
}

// step selects the entry before or after the selected one; without one, the last
// one that is seen.
func (p *Debate) step(by, width, height int) {
	next := p.At + by
	if p.At < 0 {
		next = p.Win.ItemAt(p, height-1, width, height)
		if next < 0 || next >= p.shown {
			next = p.shown - 1
		}
	}
	if next < 0 || next >= p.shown {
		return
	}
	p.At = next
	p.Win.Show(p, next, width, height)
	p.Win.Follow = next == p.Count()-1
	p.Changed()
}

// Wheel moves the window; at the end it follows again.
func (p *Debate) Wheel(by, width, height int) {
	p.Win.scroll(p, by, width, height, true)
	p.Changed()
}

// Edge goes to the beginning or to the end.
func (p *Debate) Edge(end bool) {
	p.Win = Window{Follow: end}
	p.Changed()
}

// Click selects what the entry at the cell is about.
func (p *Debate) Click(_, y, width, height int) {
	p.At = -1
	if i := p.Win.ItemAt(p, y, width, height); i >= 0 && i < p.shown {
		p.At = i
	}
	p.Changed()
}

// Selected is the id that the selected entry is about, or its event; "" without
// one.
func (p *Debate) Selected() string {
	if p.At < 0 || p.At >= p.shown {
		return ""
	}
	e := p.Transcript.Entries[p.At]
	if id := e.about(); id != "" {
		return id
	}
	return fmt.Sprintf("#%d", e.seq)
}

// Choose implements Pane.
func (p *Debate) Choose(string) {}

// Copied is the clicked entry, or all that is seen.
func (p *Debate) Copied() string {
	if p.At >= 0 && p.At < p.shown {
		return p.Transcript.Entries[p.At].plainText()
	}
	var lines []string
	for _, row := range p.cached.Rows {
		lines = append(lines, strings.TrimRight(ansi.Strip(row), " "))
	}
	return strings.Join(lines, "\n")
}

// Find goes to the next entry that holds the query.
func (p *Debate) Find(query string, forwards, from bool, width, height int) bool {
	at := p.At
	if at < 0 {
		at, _ = p.Win.start(p, width, height)
	}
	i := nextHolding(query, p.shown, at, forwards, from, func(i int, query string) bool { return p.Transcript.Entries[i].holds(query) })
	if i < 0 {
		return false
	}
	p.At = i
	p.Win.Show(p, i, width, height)
	p.Changed()
	return true
}

// View implements Pane.
func (p *Debate) View(width, height int) []string {
	if !p.cached.fits(width, height, p.version) {
		rows, more := p.Win.View(p, width, height)
		if p.Count() == 0 && height > 0 {
			rows[0] = p.look.Row(width, []theme.Span{p.look.Faint.Span("  nobody has spoken yet")}, nil)
		}
		p.cached = cachedRows{rows, more, width, height, p.version}
	}
	return p.cached.Rows
}
