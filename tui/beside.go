package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"moot/plain"
)

// beside is a dialog in which one reads two answers of a panel side by side, or
// the two sides of a conflict.
type beside struct {
	// of is how the answers lie beside each other now.
	of func() *comparison
	// details write what belongs to a point.
	details func() details
	// left and right are the places of the two participants.
	left, right int
	// conflict is the id of the conflict whose sides are read, "" for two answers.
	conflict string

	text scrolled
	// kept are passages that were drawn, in the look and the width of text.
	kept map[twoPassages][]string
}

// openBeside opens what is selected in the matrix beside points: two participants,
// or a conflict. It reports whether it was one of those.
func (m *Model) openBeside(id string) bool {
	if m.focus != PaneMatrix {
		return false
	}
	m.matrix.fresh()
	b := &beside{of: m.comparison, details: m.details}
	switch left, right, pair := m.matrix.pair(); {
	case pair:
		b.left, b.right = left, right
	case m.matrix.compared.disputeAt(id) >= 0:
		b.conflict = id
	default:
		return false
	}
	m.push(b)
	return true
}

// comparison is how the answers lie beside each other in what is shown.
func (m *Model) comparison() *comparison {
	m.matrix.fresh()
	return m.matrix.compared
}

// refresh drops what was drawn: what it says has changed.
func (b *beside) refresh() { b.text.refresh() }

// ended reports whether the end is on the screen.
func (b *beside) ended() bool { return b.text.height > 0 && !b.text.more() }

func (b *beside) title() string {
	if b.conflict != "" {
		return b.conflict + ", side by side"
	}
	return fmt.Sprintf("%d and %d, side by side", b.left+1, b.right+1)
}

func (b *beside) place() Place { return InComparison }

func (b *beside) hint() string {
	if s := &b.text; s.height > 0 && len(s.drawn) > s.height {
		return fmt.Sprintf("%d%%", 100*(s.top+s.height)/len(s.drawn))
	}
	return ""
}

func (b *beside) key(tea.Msg) intent { return nil }

func (b *beside) send() intent { return nil }

// widestBeside is how wide the dialog is at most: longer lines are hard to read.
const widestBeside = 160

// mostKept is from how many passages on those that were drawn are dropped.
const mostKept = 4000

func (b *beside) size(l *look, width, height int) (int, int) {
	w := min(width, widestBeside)
	b.lay(l, w)
	return w, min(height, len(b.text.drawn))
}

func (b *beside) view(l *look, width, height int) []string {
	b.lay(l, width)
	return b.text.read(l, width, height)
}

// lay draws all that is read, unless it is drawn.
func (b *beside) lay(l *look, width int) {
	s := &b.text
	if s.drawn != nil && s.width == width && s.look == l {
		return
	}
	if s.width != width || s.look != l || len(b.kept) == 0 || len(b.kept) > mostKept {
		b.kept = map[twoPassages][]string{}
	}
	r := besideReading{look: l, c: b.of(), details: b.details(), width: width, kept: b.kept}
	s.drawn, s.width, s.look = r.rows(b), width, l
}

// scroll moves what is read, or turns to another participant, or another conflict.
func (b *beside) scroll(a Action, _ int) {
	if a == ActionLeft || a == ActionRight {
		b.turn(when(a == ActionLeft, -1, 1), false)
		return
	}
	b.text.moveBy(a)
}

// turn puts the participant after the one on the right in its place, or on the
// left; a conflict makes room for the next one.
func (b *beside) turn(by int, left bool) {
	c := b.of()
	if b.conflict != "" {
		if n := len(c.disputes); n > 0 {
			b.conflict = c.disputes[(max(c.disputeAt(b.conflict), 0)+by+n)%n].ID
		}
	} else if n := len(c.seats); n > 2 {
		side, other := &b.right, b.left
		if left {
			side, other = &b.left, b.right
		}
		*side = (*side + by + n) % n
		if *side == other {
			*side = (*side + by + n) % n
		}
	}
	b.text.top = 0
	b.refresh()
}

// copied is what is read, as it is drawn.
func (b *beside) copied(l *look) string {
	b.lay(l, when(b.text.width > 0, b.text.width, widestBeside))
	return plain.Text(strings.TrimSpace(b.text.plainText()))
}
