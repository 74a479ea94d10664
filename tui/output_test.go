package tui

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/protocoltest"
	"moot/state"
)

// toTerminal are the sequences and texts that a command sends to the terminal.
func toTerminal(cmd tea.Cmd) []string {
	if cmd == nil {
		return nil
	}
	var list []string
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		for _, c := range msg {
			list = append(list, toTerminal(c)...)
		}
	case tea.RawMsg:
		list = append(list, fmt.Sprint(msg.Msg))
	case nil, answer:
	default:
		list = append(list, fmt.Sprint(msg))
	}
	return list
}

// A copy claims what was done and no more.
func TestCopySaysWhatWasDone(t *testing.T) {
	const osc52 = "sent to the terminal's clipboard (OSC 52; it does not answer)"
	works := func(context.Context, string) (string, error) { return "the system clipboard, with wl-copy", nil }
	fails := func(context.Context, string) (string, error) {
		return "", errors.New("no system clipboard: install wl-clipboard")
	}
	for _, test := range []struct {
		name, keys string
		service    func(context.Context, string) (string, error)
		want       string
	}{
		{"a point", "8 y", nil, "P1: " + osc52},
		{"and to the system", "8 y", works, "P1: " + osc52 + "; copied to the system clipboard, with wl-copy"},
		{"but not to the system", "8 y", fails, "P1: " + osc52 + "; no system clipboard: install wl-clipboard"},
		{"a fact", "4 y", nil, "F1: " + osc52},
		{"an event", "7 y", nil, "#"},
		{"what is read", "9 enter y", nil, "C1: " + osc52},
		{"the keys", "? y", nil, "the text: " + osc52},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true, Services: Services{Copy: test.service}}, 100, 30)
			pressAll(m, test.keys)
			if !strings.HasPrefix(m.flash, test.want) || test.service == nil && strings.Contains(m.flash, "system") {
				t.Errorf("it says %q, want %q", m.flash, test.want)
			}
		})
	}
}

// A copied text has no control characters, and a line stays a line.
func TestWhatIsCopied(t *testing.T) {
	r := protocoltest.Consultation(t)
	r.Add(&state.FactRecorded{ID: "F5", Tag: "user", Seat: state.User, Text: "red \x1b[31m and a very long line that no screen of that width could ever show in one row of its own"})
	var copied string
	m := screenOf(t, r, Options{NoColor: true, Services: Services{Copy: func(_ context.Context, text string) (string, error) {
		copied = text
		return "the system clipboard", nil
	}}}, 60, 30)
	pressAll(m, "4 =F5 enter y")
	if !strings.Contains(copied, `red \x1b[31m and a very long line that no screen of that width could ever show in one row of its own`) {
		t.Errorf("copied %q", copied)
	}
	if !strings.Contains(m.flash, "with control characters escaped") {
		t.Errorf("it says %q", m.flash)
	}
	if plain.Text(copied) != copied {
		t.Errorf("what is copied can act: %q", copied)
	}
}

// A text that is too long for terminals is not sent, and the message says so.
func TestCopyIsBounded(t *testing.T) {
	m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true}, 100, 30)
	if cmd := m.copyOut("it", strings.Repeat("x", maxOSC52)); len(toTerminal(cmd)) != 1 || m.flashWarn {
		t.Errorf("the longest that fits is not sent: %q", m.flash)
	}
	if cmd := m.copyOut("it", strings.Repeat("x", maxOSC52+1)); len(toTerminal(cmd)) != 0 || m.flash != "it: not sent to the terminal, 75k bytes are more than most accept by OSC 52 (75k)" {
		t.Errorf("it says %q", m.flash)
	}
}

// Inside of tmux and screen the sequence is wrapped, so that it gets through.
func TestCopyThroughMultiplexers(t *testing.T) {
	sequence := ansi.SetSystemClipboard("text")
	for _, test := range []struct {
		environ string
		want    []string
	}{
		{"TERM=xterm", []string{"text"}},
		{"TMUX=/tmp/tmux", []string{"text", ansi.TmuxPassthrough(sequence)}},
		{"STY=1.pts", []string{ansi.ScreenPassthrough(sequence, screenChunk)}},
	} {
		m := screenOf(t, protocoltest.Consultation(t), Options{Environ: []string{test.environ}}, 100, 30)
		if got := toTerminal(m.copyOut("it", "text")); fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%s: sent %q, want %q", test.environ, got, test.want)
		}
	}
}

// The cited place of what is selected or read is opened.
func TestTheCitedPlaceIsOpened(t *testing.T) {
	for keys, want := range map[string]string{
		"4 o": "nothing here cites a file", "4 =F3 o": "queue/consumer.go:88", "4 =E2 o": "docs/operations.md:12",
		"8 o": "queue/consumer.go:88", "3 o": "queue/consumer.go:88", "4 =E1 enter o": "queue/consumer.go:88",
		"9 o": "nothing here cites a file", "? o": "nothing here cites a file",
	} {
		var opened string
		m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true, Services: Services{OpenFile: func(_, reference string) (*exec.Cmd, error) {
			opened = reference
			return nil, errors.New("there is no file " + reference)
		}}}, 120, 40)
		pressAll(m, keys)
		if opened != want && m.flash != want {
			t.Errorf("%s: opened %q, want %q, says %q", keys, opened, want, m.flash)
		}
		if opened != "" && m.flash != "there is no file "+want {
			t.Errorf("%s: the error is not said: %q", keys, m.flash)
		}
	}
}

// An export says where it went; one that fails keeps what was typed.
func TestExport(t *testing.T) {
	var exported []Export
	fail := errors.New("there is no folder out; make it, or name another")
	m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true, Services: Services{Export: func(_ context.Context, e Export) (string, error) {
		exported = append(exported, e)
		return "/home/k3f9-2.json", fail
	}}}, 100, 30)
	pressAll(m, "x =json_with_events enter o u t enter")
	if content := ansi.Strip(m.View().Content); !strings.Contains(content, "! there is no folder out") {
		t.Fatalf("it does not say why:\n%s", content)
	}
	fail = nil
	pressAll(m, "2 enter")
	if fmt.Sprint(exported) != "[{k3f9 json with events out} {k3f9 json with events out2}]" || m.flash != "written to /home/k3f9-2.json" || m.dialog() != nil {
		t.Errorf("exported %v, says %q", exported, m.flash)
	}
}

// A fork leaves the session and sits at the other one, from the present or from
// the event that is shown.
func TestFork(t *testing.T) {
	for keys, want := range map[string]int{"f": 0, "r left left f": len(protocoltest.Consultation(t).Events) - 2} {
		asked, other := -1, protocoltest.Consultation(t)
		other.State.ID, other.State.Fork = "m4p8", state.Fork{From: "k3f9", Seq: 40}
		m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true, Services: Services{Fork: func(_ context.Context, id string, at int) (Opened, error) {
			asked = at
			return Opened{State: other.State, Events: other.Events}, nil
		}}}, 100, 30)
		pressAll(m, strings.TrimSuffix(keys, "f"))
		cmds := typeKeys(m, "f")
		_, leave := m.Update(cmds[0]().(answer))
		if asked != want || !m.leaving || leave == nil {
			t.Fatalf("%s: forked at %d, leaving %v", keys, asked, m.leaving)
		}
		n := &noting{}
		for _, f := range m.driver.take() {
			f(t.Context(), n)
		}
		tell(m, sessionOver{of: m.session})
		if fmt.Sprint(n.orders) != "[leave]" || m.state.ID != "m4p8" || !strings.Contains(m.flash, "forked from k3f9 at event 40") {
			t.Errorf("%s: ordered %q, sits at %s, says %q", keys, n.orders, m.state.ID, m.flash)
		}
	}
}

// A session without a file, such as a demo, is neither exported nor forked, and no message says that a key does so.
func TestUnsavedSession(t *testing.T) {
	o := Options{NoColor: true, Opened: &Opened{
		Start: func(func(protocol.Notice)) (Session, error) { return &noting{}, nil },
	}, Services: Services{
		Export: func(context.Context, Export) (string, error) { panic("exported") },
		Fork:   func(context.Context, string, int) (Opened, error) { panic("forked") },
	}}
	m := screenOf(t, protocoltest.Consultation(t), o, 100, 30)
	closed := m.state
	closed.Closed = true
	tell(m, protocol.Ended{State: closed, Rulings: m.rulings})
	for key, want := range map[string]string{
		"space": "the session is closed", "x": "this session has no file to export", "f": "this session has no file to fork",
	} {
		typeKeys(m, key)
		if m.flash != want {
			t.Errorf("%s says %q, want %q", key, m.flash, want)
		}
	}
}
