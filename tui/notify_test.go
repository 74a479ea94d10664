package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"moot/protocol"
	"moot/state"
)

// raw is what commands write to the terminal past the screen.
func raw(cmd tea.Cmd) string {
	if cmd == nil {
		return ""
	}
	switch msg := cmd().(type) {
	case tea.RawMsg:
		return fmt.Sprint(msg.Msg)
	case tea.BatchMsg:
		var text strings.Builder
		for _, c := range msg {
			text.WriteString(raw(c))
		}
		return text.String()
	}
	return ""
}

// away is a screen that the person does not look at.
func away(t *testing.T, r *recorder, o Options) *Model {
	m := screenOf(t, r, o, 100, 30)
	// Nothing waits for what happens outside.
	m.inbox.close()
	m.Update(tea.BlurMsg{})
	return m
}

// delivered is what a screen writes to the terminal when the session tells.
func delivered(m *Model, notices ...protocol.Notice) string {
	var items delivery
	for _, n := range notices {
		items = append(items, told{m.sitting, n})
	}
	_, cmd := m.Update(items)
	return raw(cmd)
}

func TestNotifies(t *testing.T) {
	question := func(text string) *state.QuestionSurfaced {
		return &state.QuestionSurfaced{ID: "Q2", Point: "P1", What: state.QuestionTradeoff, Text: text, Options: []string{"a", "b"}}
	}
	turn := protocol.TurnReady{Asks: []protocol.Ask{{Seat: state.Consultee, Stage: state.StageAnswer}}}
	for name, test := range map[string]struct {
		options Options
		notices func(r *recorder) []protocol.Notice
		want    string
	}{
		"turn": {Options{}, func(*recorder) []protocol.Notice { return []protocol.Notice{turn} }, "\x1b]9;moot waits for you: consultee answer\a\a"},
		"question, and that it is waited for": {Options{}, func(r *recorder) []protocol.Notice {
			return []protocol.Notice{r.advanced(question("Which?")), protocol.Waiting{Questions: []string{"Q2"}}}
		}, "\x1b]9;moot asks you: Which?\a\a"},
		"paused": {Options{}, func(r *recorder) []protocol.Notice {
			return []protocol.Notice{r.advanced(&state.SessionPaused{Why: state.PauseUnreachable, Reason: "gone"}), turn}
		}, "\x1b]9;moot is paused: unreachable\a\a"},
		"end": {Options{}, func(r *recorder) []protocol.Notice {
			return []protocol.Notice{protocol.Ended{State: r.state}}
		}, "\x1b]9;the session ended\a\a"},
		"hostile": {Options{}, func(r *recorder) []protocol.Notice {
			return []protocol.Notice{r.advanced(question("a;b\x1b]0;x\a\u009c" + strings.Repeat("long ", 100)))}
		}, "\x1b]9;moot asks you: a,b"},
		"rxvt":   {Options{Environ: []string{"TERM=rxvt-unicode-256color"}}, func(*recorder) []protocol.Notice { return []protocol.Notice{turn} }, "\x1b]777;notify;moot;moot waits for you: consultee answer\a\a"},
		"off":    {Options{NoNotify: true}, func(*recorder) []protocol.Notice { return []protocol.Notice{turn} }, ""},
		"no one": {Options{}, func(*recorder) []protocol.Notice { return []protocol.Notice{protocol.Forecast{}} }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := demo(t)
			m := away(t, r, test.options)
			got := delivered(m, test.notices(r)...)
			if name == "hostile" {
				inner, found := strings.CutPrefix(got, test.want)
				if inner, ends := strings.CutSuffix(inner, "\a\a"); !found || !ends || strings.ContainsAny(inner, "\x1b\a;\u009c") || len(inner) > maxNotice+10 {
					t.Errorf("got %q", got)
				}
				return
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// Who looks at the screen is not called, nor is anyone where the terminal never
// said where they look.
func TestNotifiesOnlyWhoLooksAway(t *testing.T) {
	m := away(t, demo(t), Options{})
	turn := protocol.TurnReady{Asks: []protocol.Ask{{Seat: state.Consultee, Stage: state.StageAnswer}}}
	m.Update(tea.FocusMsg{})
	if got := delivered(m, turn); got != "" {
		t.Errorf("who looks is told %q", got)
	}
	m = screenOf(t, demo(t), Options{}, 100, 30)
	m.inbox.close()
	if got := delivered(m, turn); got != "" {
		t.Errorf("a terminal that never said is told %q", got)
	}
}

func TestWindowTitle(t *testing.T) {
	r := demo(t)
	m := screenOf(t, r, Options{}, 100, 30)
	if got := m.View().WindowTitle; got != "moot: Should the job queue move from Redis lists to Redis streams? (1 asked)" {
		t.Errorf("got %q", got)
	}
	typeKeys(m, "r home")
	if got := m.View().WindowTitle; !strings.HasSuffix(got, "(1 asked)") {
		t.Errorf("in the past it is %q", got)
	}
	for i := range nasty() {
		m := screenOf(t, hostile(t, i), Options{}, 100, 30)
		if got := m.View().WindowTitle; strings.ContainsAny(got, "\x1b\a\n\r\u009c\u202e") || m.look.width(got) > maxTitle {
			t.Errorf("got %q", got)
		}
	}
	for _, term := range []string{"linux", "dumb"} {
		m := screenOf(t, r, Options{Environ: []string{"TERM=" + term}}, 100, 30)
		if v := m.View(); v.WindowTitle != "" {
			t.Errorf("%s has the title %q", term, v.WindowTitle)
		}
	}
}
