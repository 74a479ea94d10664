//go:build unix

package tui

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// click presses and lets go of the left button on the first place that shows
// the text.
func (e *terminal) click(text string) {
	e.t.Helper()
	for y, row := range strings.Split(e.has(text), "\n") {
		if before, _, found := strings.Cut(row, text); found {
			at := fmt.Sprintf("%d;%d", utf8.RuneCountInString(before)+1, y+1)
			e.press("\x1b[<0;" + at + "M\x1b[<0;" + at + "m")
			return
		}
	}
}

// The terminal's own reports of the mouse run a session.
func TestMouseThroughTerminal(t *testing.T) {
	e := newTerminal(t, 120, 36)
	o, _ := sessionOptions(e, &speaker{replies: replies()})
	out := launch(t, o)
	e.shows("next: orchestrator map")
	for _, next := range []string{"consultee propose", "orchestrator evaluate", "consultee answer"} {
		e.click("space next turn")
		e.shows("next: " + next)
	}
	e.click("textual │")
	e.click("A agree")
	e.shows("P1 is Agreed, by you")
	e.click(": commands")
	e.click("why the selected point")
	// The list of commands that is still drawn says esc close, too, elsewhere.
	e.click("esc close  A agree")
	e.click("q leave")
	if l := gone(t, e, out); l.err != nil || !l.Left || len(l.Rulings) != 2 {
		t.Errorf("%v, left %v, %d rulings", l.err, l.Left, len(l.Rulings))
	}
}
