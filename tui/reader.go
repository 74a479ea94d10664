package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"moot/tui/pane"
	"moot/tui/theme"
)

// reader is a dialog in which one reads: help, a challenge, the next prompt.
type reader struct {
	heading string
	// titled is the heading where it changes with what is read; else nil.
	titled func() string
	// blocks makes what is read; it is asked again after refresh.
	blocks func(l *theme.Look) []pane.Block
	// point is the point that is read about, or "".
	point string
	// about is the id of what is read, or "".
	about string
	// prompt says that it is what goes out next, which can be edited.
	prompt bool
	// copies is what is copied of it; nil is all that is read.
	copies func() string

	text pane.Text
}

// refresh drops what was drawn: what it says has changed.
func (r *reader) refresh() { r.text.Refresh() }

// ended reports whether the end is on the screen.
func (r *reader) ended() bool { return r.text.Height > 0 && !r.text.More() }

func (r *reader) title() string {
	if r.titled != nil {
		return r.titled()
	}
	return r.heading
}

func (r *reader) place() Place { return InReader }

func (r *reader) hint() string {
	if s := &r.text; s.Height > 0 && len(s.Drawn) > s.Height {
		return fmt.Sprintf("%d%%", 100*(s.Top+s.Height)/len(s.Drawn))
	}
	return ""
}

func (r *reader) key(tea.Msg) intent { return nil }

func (r *reader) send() intent { return nil }

func (r *reader) size(l *theme.Look, width, height int) (int, int) {
	w := min(width, 100)
	r.text.Blocks = r.blocks
	r.text.Lay(l, w)
	return w, min(height, len(r.text.Drawn))
}

func (r *reader) view(l *theme.Look, width, height int) []string {
	r.text.Blocks = r.blocks
	return r.text.Read(l, width, height)
}

func (r *reader) scroll(a Action, _ int) { r.text.MoveBy(pane.Motion(a)) }

// keyColumn is how wide the keys are in the help.
const keyColumn = 13

// helpBlocks lists the keys of the focused pane by what they are for, and why one
// does nothing now; then those of the dialogs.
func (m *Model) helpBlocks(l *theme.Look) []pane.Block {
	open := m.dialogs
	defer func() { m.dialogs = open }()
	m.dialogs = nil
	var list []pane.Block
	here := m.places()
	for _, place := range here {
		if place != Everywhere {
			list = append(list, m.placeBlocks(l, place)...)
		}
	}
	for _, place := range []Place{InReader, InForm, InList, Everywhere} {
		list = append(list, pane.Block{Section: place.Title()})
		list = append(list, m.keyBlocks(l, place, nil)...)
	}
	return list
}

// placeBlocks are the keys of a place on the screen, a section for each family.
func (m *Model) placeBlocks(l *theme.Look, place Place) []pane.Block {
	where := when(place == OnSession || place == OnHome, "", place.Title())
	var list []pane.Block
	for i := range m.families {
		keys := m.keyBlocks(l, place, &m.families[i])
		if len(keys) == 0 {
			continue
		}
		list = append(list, pane.Block{Section: m.families[i].title, Right: l.Faint.Span(where)})
		list = append(list, keys...)
	}
	return list
}

// keyBlocks are the keys of a place, of one family or of all for nil. Those of a
// dialog that is not open are never disabled.
func (m *Model) keyBlocks(l *theme.Look, place Place, of *family) []pane.Block {
	onScreen := slices.Contains(m.places(), place)
	var list []pane.Block
	for i := range m.keys.table {
		b := &m.keys.table[i]
		if b.Place != place || !m.holds(b) || of != nil && m.familyOf(b.Action) != of {
			continue
		}
		lead, body := l.Bold.Span(l.Padded(b.Shown, keyColumn)), l.Text.Span(b.Help)
		if why := m.disabled(b.Action); onScreen && why != "" {
			lead.Style, body = l.Faint, l.Faint.Span(b.Help+" (not now: "+why+")")
		}
		list = append(list, pane.Block{Indent: 1, Lead: lead, Body: body, Hang: keyColumn + 1})
	}
	return list
}
