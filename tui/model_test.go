package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"moot/protocol"
	"moot/protocol/protocoltest"
	"moot/state"
	"moot/tui/pane"
)

// The debate follows the end until it is scrolled, and again from the end on.
func TestDebateFollowsUntilScrolled(t *testing.T) {
	r := protocoltest.Consultation(t)
	m := screenOf(t, r, Options{NoColor: true}, 100, 30)
	note := func(text string) {
		tell(m, advanced(r, &state.PointNoted{Point: "P1", Text: text}))
	}
	shown := func(text string) bool { return strings.Contains(m.View().Content, text) }
	note("first note")
	if !shown("first note") {
		t.Error("the end is not in view")
	}
	typeKeys(m, "up up up")
	before := strings.Split(ansi.Strip(m.View().Content), "\n")[3]
	for i := range 20 {
		note(fmt.Sprint("later note ", i))
	}
	if after := strings.Split(ansi.Strip(m.View().Content), "\n")[3]; after != before || shown("later note 19") {
		t.Errorf("the place moved: %q, then %q", before, after)
	}
	top := m.debate.Win.Top
	m.Update(tea.WindowSizeMsg{Width: 130, Height: 30})
	if m.View(); m.debate.Win.Top != top || m.debate.Win.Follow {
		t.Errorf("a resize moved the place from entry %d to %d", top, m.debate.Win.Top)
	}
	typeKeys(m, "end")
	note("last note")
	if !shown("last note") {
		t.Error("the end is not followed again")
	}
}

// The selection stays with its point while points change buckets around it.
func TestSelectionStays(t *testing.T) {
	r := protocoltest.Consultation(t)
	m := screenOf(t, r, Options{NoColor: true}, 100, 30)
	typeKeys(m, "8 end")
	if m.buckets.Chosen != "P2" {
		t.Fatalf("%s is selected", m.buckets.Chosen)
	}
	tell(m, advanced(r, &state.OverrideMade{What: state.OverrideAgree, Point: "P2"}))
	if m.buckets.Chosen != "P2" || m.buckets.KeyOf(m.buckets.At) != "P2" {
		t.Errorf("%s is selected", m.buckets.Chosen)
	}
	if content := ansi.Strip(m.View().Content); m.buckets.Counts[state.BucketAgreed] != 3 || !strings.Contains(content, "▸✓ P2  consumer groups replace the    User") {
		t.Errorf("the override does not show at once:\n%s", content)
	}
}

// The focused pane is visible, whatever the main view and the size.
func TestFocusIsSeen(t *testing.T) {
	m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true}, 60, 20)
	for _, main := range m.views()[:7] {
		for _, beside := range []pane.ID{pane.BucketsID, pane.ChallengesID} {
			for _, width := range []int{60, 120} {
				m.Update(tea.WindowSizeMsg{Width: width, Height: 20})
				m.focusOn(main)
				m.focusOn(beside)
				m.Update(tea.WindowSizeMsg{Width: 180 - width, Height: 20})
				if m.focus != beside || m.layout.Panes[beside].Empty() {
					t.Errorf("%s after %s, from %d columns on: %s has the keys, and its room is %v", beside, main, width, m.focus, m.layout.Panes[beside])
				}
			}
		}
	}
}

// A click focuses and selects, the wheel scrolls what is under it.
func TestMouse(t *testing.T) {
	m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true}, 100, 30)
	r := m.layout.Panes[pane.LedgerID]
	m.Update(tea.MouseClickMsg{X: r.X + 2, Y: r.Y + 1, Button: tea.MouseLeft})
	if m.focus != pane.LedgerID || m.ledger.Chosen != "F2" {
		t.Errorf("focus %v, selected %s", m.focus, m.ledger.Chosen)
	}
	d := m.layout.Panes[pane.DebateID]
	before := m.View().Content
	m.Update(tea.MouseWheelMsg{X: d.X + 2, Y: d.Y + 1, Button: tea.MouseWheelUp})
	if m.focus != pane.LedgerID || m.View().Content == before {
		t.Error("the wheel scrolls the pane under it and leaves the focus")
	}
}

// An idle screen wakes nobody: no tick without a call, none after it.
func TestIdleDoesNotTick(t *testing.T) {
	m := screenOf(t, protocoltest.Consultation(t), Options{}, 100, 30)
	tell(m, ready(state.Consultee))
	if m.ticking || m.startTicking() != nil {
		t.Error("it ticks without a call")
	}
	speak(m)
	if !m.ticking {
		t.Error("it does not tick during a call")
	}
	tell(m, protocol.CallEnded{Seat: state.Orchestrator})
	if _, cmd := m.Update(tick{}); cmd != nil || m.ticking {
		t.Error("it ticks after the call")
	}
}

// What did not change is not drawn again.
func TestViewIsKept(t *testing.T) {
	m := screenOf(t, protocoltest.Consultation(t), Options{}, 100, 30)
	first := m.View()
	m.Update(tea.KeyboardEnhancementsMsg{})
	if m.dirty || m.View().Content != first.Content {
		t.Error("a message that changes nothing draws the screen anew")
	}
}

// NO_COLOR with any value forbids colors, whatever the terminal can.
func TestColors(t *testing.T) {
	for _, test := range []struct {
		environ []string
		want    colorprofile.Profile
	}{
		{[]string{"TERM=xterm-256color", "COLORTERM=truecolor"}, colorprofile.TrueColor},
		{[]string{"TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=yes please"}, colorprofile.ASCII},
		{[]string{"TERM=xterm-256color", "NO_COLOR=0"}, colorprofile.ASCII},
		{[]string{"TERM=xterm-256color", "NO_COLOR="}, colorprofile.ANSI256},
		{[]string{"TERM=xterm-256color"}, colorprofile.ANSI256},
		{[]string{"TERM=xterm-color"}, colorprofile.ANSI},
		{[]string{"TERM=dumb"}, colorprofile.NoTTY},
	} {
		if got := profile(Options{Environ: test.environ}); got != test.want {
			t.Errorf("%v: got %v, want %v", test.environ, got, test.want)
		}
	}
	m := screenOf(t, protocoltest.Consultation(t), Options{Environ: []string{"TERM=xterm", "NO_COLOR=1"}}, 100, 30)
	if content := m.View().Content; strings.Contains(content, "38;") {
		t.Error("a screen without colors holds one")
	}
}
