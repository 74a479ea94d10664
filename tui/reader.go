package tui

import (
	"fmt"

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
