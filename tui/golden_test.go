package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"moot/protocol"
	"moot/state"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// golden compares a screen with the one that is kept.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; write it with go test ./tui -update, and look at it", err)
	}
	if wanted := strings.ReplaceAll(strings.TrimSuffix(string(want), "\n"), "\r\n", "\n"); wanted != got {
		t.Errorf("%s differs; write it anew with go test ./tui -update, and look at it. Got:\n%s\nwant:\n%s", path, ansi.Strip(got), ansi.Strip(wanted))
	}
}

// sizes are those at which the screens are kept.
func sizes() [][2]int { return [][2]int{{20, 6}, {40, 12}, {80, 24}, {120, 40}, {200, 60}} }

func TestGoldenScreens(t *testing.T) {
	r := demo(t)
	for _, size := range sizes() {
		for _, theme := range []string{"dark", "light", "mono"} {
			name := fmt.Sprintf("screen-%dx%d-%s", size[0], size[1], theme)
			t.Run(name, func(t *testing.T) {
				m := screenOf(t, r, Options{NoColor: theme == "mono"}, size[0], size[1])
				m.appear(func(a *appearance) { a.light = theme == "light" })
				speak(m)
				content := m.View().Content
				if theme == "mono" {
					content = ansi.Strip(content)
				}
				golden(t, name, content)
			})
		}
	}
}

// Each pane has the screen of a compact layout for itself.
func TestGoldenPanes(t *testing.T) {
	m := screenOf(t, demo(t), Options{NoColor: true}, 80, 24)
	for _, p := range Panes() {
		m.focusOn(p)
		golden(t, "pane-"+strings.ToLower(p.String()), ansi.Strip(m.View().Content))
	}
}

func TestGoldenASCII(t *testing.T) {
	m := screenOf(t, demo(t), Options{NoColor: true, ASCII: true}, 120, 40)
	content := ansi.Strip(m.View().Content)
	for _, c := range content {
		if c > '~' {
			t.Fatalf("%q is no ASCII", c)
		}
	}
	golden(t, "ascii", content)
}

func TestGoldenDialogs(t *testing.T) {
	ready := protocol.TurnReady{Asks: []protocol.Ask{{Seat: state.Orchestrator, Stage: state.StageJudge}}}
	for name, keys := range map[string]string{
		"dialog-help": "?", "dialog-point": "2 enter", "dialog-challenge": "9 enter", "dialog-fact": "F",
		"dialog-question": "n", "dialog-evidence": "4 end up enter",
	} {
		t.Run(name, func(t *testing.T) {
			m := screenOf(t, demo(t), Options{NoColor: true}, 80, 24)
			tell(m, ready)
			typeKeys(m, keys)
			golden(t, name, ansi.Strip(m.View().Content))
		})
	}
}

func TestGoldenMoments(t *testing.T) {
	for name, notices := range map[string][]protocol.Notice{
		"moment-ready": {protocol.Forecast{Round: 4, Calls: 4, Tokens: 9200, Cost: 0.06, Priced: true}, protocol.TurnReady{Asks: []protocol.Ask{{Seat: state.Consultee, Stage: state.StageAnswer}}}},
		"moment-retry": {
			protocol.CallStarted{Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StageAnswer}, Participant: "openai:gpt-5.2", At: demoTime},
			protocol.Reported{Seat: state.Consultee, Text: "429, again in 12 s (2/5)"},
		},
		"moment-waiting": {protocol.Waiting{Questions: []string{"Q1"}}},
		"moment-failed":  {protocol.Ended{Err: fmt.Errorf("append to the session file: no space left on device; the session is saved up to event 40")}},
	} {
		t.Run(name, func(t *testing.T) {
			r := demo(t)
			m := screenOf(t, r, Options{NoColor: true, Opened: &Opened{ResumeCommand: "moot resume k3f9"}}, 100, 20)
			for i, n := range notices {
				if ended, ok := n.(protocol.Ended); ok {
					ended.State, ended.Rulings = m.state, m.rulings
					notices[i] = ended
				}
				tell(m, notices[i])
			}
			golden(t, name, ansi.Strip(m.View().Content))
		})
	}
}

func TestGoldenPausedAndClosed(t *testing.T) {
	r := demo(t)
	m := screenOf(t, r, Options{NoColor: true, Opened: &Opened{ShowCommand: "moot show k3f9"}}, 100, 20)
	tell(m, r.advanced(&state.SessionPaused{Why: state.PauseUnreachable, Reason: "consultee: openai:gpt-5.2 cannot be reached: connection refused; is the network up?"}), protocol.TurnReady{})
	golden(t, "moment-paused", ansi.Strip(m.View().Content))
	closed := r.advanced(&state.SessionResumed{Attended: true}, &state.ExitReached{Exit: state.ExitConverged}, &state.SessionClosed{Exit: state.ExitConverged})
	tell(m, closed, protocol.Ended{State: closed.State, Rulings: closed.Rulings})
	golden(t, "moment-closed", ansi.Strip(m.View().Content))
}

func TestGoldenModelless(t *testing.T) {
	r := &recorder{t: t}
	r.add(opened(
		state.SeatAssignment{Seat: state.Orchestrator, Participant: "rules", NoModel: true},
		state.SeatAssignment{Seat: state.Consultee, Participant: "rules", NoModel: true},
	))
	for _, size := range sizes()[:4] {
		m := screenOf(t, r, Options{NoColor: true}, size[0], size[1])
		content := ansi.Strip(m.View().Content)
		if !strings.Contains(content, "no language model") {
			t.Errorf("%v says nothing of models:\n%s", size, content)
		}
		golden(t, fmt.Sprintf("modelless-%dx%d", size[0], size[1]), content)
	}
}

// typeKeys presses keys by their names, in order.
func typeKeys(m *Model, keys string) []tea.Cmd {
	var cmds []tea.Cmd
	for name := range strings.FieldsSeq(keys) {
		_, cmd := m.Update(keyOf(name))
		cmds = append(cmds, cmd)
	}
	return cmds
}

// keyOf is the message of a key by its name.
func keyOf(name string) tea.KeyPressMsg {
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "space": tea.KeySpace, "up": tea.KeyUp, "down": tea.KeyDown,
		"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd,
	}
	var mod tea.KeyMod
	for prefix, bit := range map[string]tea.KeyMod{"ctrl+": tea.ModCtrl, "shift+": tea.ModShift} {
		if rest, found := strings.CutPrefix(name, prefix); found {
			name, mod = rest, mod|bit
		}
	}
	if code, found := named[name]; found {
		key := tea.KeyPressMsg{Code: code, Mod: mod}
		if code == tea.KeySpace {
			key.Text = " "
		}
		return key
	}
	key := tea.KeyPressMsg{Code: []rune(name)[0], Mod: mod}
	if mod == 0 {
		key.Text = name
	}
	return key
}
