package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// block is a paragraph of what is read in a dialog.
type block struct {
	indent int
	lead   span
	body   span
}

// reader is a dialog in which one reads: help, a point, the next prompt.
type reader struct {
	heading string
	// blocks makes what is read, for a look; it is asked again after refresh.
	blocks func(l *look) []block
	// point is the point that is read about, or "".
	point string

	top    int
	height int
	drawn  []string
	width  int
	look   *look
}

// refresh drops what was drawn: what it says has changed.
func (r *reader) refresh() { r.drawn = nil }

func (r *reader) title() string { return r.heading }

func (r *reader) place() Place { return InReader }

func (r *reader) keys() string {
	if r.height > 0 && len(r.drawn) > r.height {
		return fmt.Sprintf("esc close  up down scroll  %d%%", 100*(r.top+r.height)/len(r.drawn))
	}
	return "esc close"
}

func (r *reader) key(tea.Msg) intent { return nil }

func (r *reader) send() intent { return nil }

func (r *reader) size(l *look, width, height int) (int, int) {
	w := min(width, 100)
	r.lay(l, w)
	return w, min(height, len(r.drawn))
}

func (r *reader) lay(l *look, width int) {
	if r.drawn != nil && r.width == width && r.look == l {
		return
	}
	r.drawn, r.width, r.look = []string{}, width, l
	for _, b := range r.blocks(l) {
		lead := []span{{text: strings.Repeat(" ", b.indent)}, b.lead}
		r.drawn = append(r.drawn, l.paragraph(width, lead, b.body, nil, 0)...)
	}
}

func (r *reader) view(l *look, width, height int) []string {
	r.lay(l, width)
	r.height = height
	r.top = max(min(r.top, len(r.drawn)-height), 0)
	rows := append([]string{}, r.drawn[r.top:min(r.top+height, len(r.drawn))]...)
	for len(rows) < height {
		rows = append(rows, blank(width))
	}
	return rows
}

func (r *reader) scroll(a Action, height int) {
	page := max(r.height-1, 1)
	switch {
	case a == ActionUp:
		r.top--
	case a == ActionDown:
		r.top++
	case a == ActionPageUp:
		r.top -= page
	case a == ActionPageDown:
		r.top += page
	case a == ActionHome:
		r.top = 0
	case a == ActionEnd:
		r.top = len(r.drawn)
	}
	r.top = max(min(r.top, len(r.drawn)-r.height), 0)
}
