package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"moot/protocol"
	"moot/protocol/protocoltest"
	"moot/state"
	"moot/state/store"
	"moot/tui/pane"
	"moot/view"
)

// bottom is the last row of a screen.
func bottom(m *Model) string {
	rows := strings.Split(ansi.Strip(m.View().Content), "\n")
	return strings.TrimSpace(rows[len(rows)-1])
}

// The footer names keys whole, at every width; what has no room is left out. The
// first key is named on the narrowest screen, too.
func TestFooterNamesKeysWhole(t *testing.T) {
	record := protocoltest.Consultation(t)
	for width := smallWidth; width <= 160; width++ {
		m := screenOf(t, record, Options{}, width, 24)
		tell(m, ready(state.Consultee))
		row := bottom(m)
		if strings.Contains(row, m.look.Glyphs.Ellipsis) || !strings.HasPrefix(row, "space next") || !strings.HasSuffix(row, "? help") {
			t.Errorf("%d wide: %q", width, row)
		}
	}
}

// A screen that is too small shows the required size.
func TestTooSmallScreenSaysWhatIsNeeded(t *testing.T) {
	m := screenOf(t, protocoltest.Consultation(t), Options{}, 10, 3)
	if got := strings.Join(strings.Fields(ansi.Strip(m.View().Content)), " "); got != fmt.Sprintf("moot needs %dx%d", smallWidth, smallHeight) {
		t.Errorf("10x3 says %q", got)
	}
}

// A wait on the wire counts down; the seconds of the call come back after it.
func TestWaitCountsDown(t *testing.T) {
	begun := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := pane.Call{Seat: state.Consultee, Stage: state.StagePropose, Since: begun, Note: "429, again in 12 s (2/5)", Until: begun.Add(14 * time.Second)}
	for after, want := range map[time.Duration]string{
		2 * time.Second:  "2 s, 429, again in 12 s (2/5), 12 s left",
		13 * time.Second: "13 s, 429, again in 12 s (2/5), 1 s left",
		15 * time.Second: "15 s, 429, again in 12 s (2/5)",
	} {
		if got := c.Progress(pane.Clock{Now: begun.Add(after)}); got != want {
			t.Errorf("after %s: %q, want %q", after, got, want)
		}
	}
}

// In auto mode the cost of the round stays visible if there is room, until the round ends.
func TestForecastStaysWhileCallsRun(t *testing.T) {
	const want = "round %d: 3+ calls, 1.2k tok, $0.02  auto"
	for width, seen := range map[int]bool{120: true, 60: false} {
		m := screenOf(t, protocoltest.Consultation(t), Options{}, width, 36)
		m.auto = true
		begins := protocol.CallStarted{Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StageAnswer}, Participant: "ollama:a", At: m.options.Now()}
		tell(m, protocol.Forecast{Round: m.state.Round, Calls: 3, Tokens: 1200, Cost: 0.02}, begins)
		if got := strings.Contains(ansi.Strip(m.View().Content), fmt.Sprintf(want, m.state.Round)); got != seen {
			t.Errorf("%d wide: %t\n%s", width, got, ansi.Strip(m.View().Content))
		}
		tell(m, protocol.Forecast{Round: m.state.Round + 1, Calls: 3, Tokens: 1200, Cost: 0.02})
		if strings.Contains(ansi.Strip(m.View().Content), "3+ calls") {
			t.Errorf("%d wide: the forecast of another round is told", width)
		}
	}
}

// In the wide layout the line above the main view names the panes that are not on
// the screen, as far as there is room.
func TestPanesThatAreNotShownAreNamed(t *testing.T) {
	m := screenOf(t, protocoltest.Consultation(t), Options{}, 120, 36)
	rows := strings.Split(ansi.Strip(m.View().Content), "\n")
	line := rows[m.layout.Panes[pane.DebateID].Y-1]
	if !strings.Contains(line, " 2 Points  3 Point  5 Graph  6 Confidence  7 Record ") {
		t.Fatalf("the line says %q", line)
	}
	narrow := screenOf(t, protocoltest.Consultation(t), Options{}, 100, 30)
	if got := ansi.Strip(narrow.View().Content); !strings.Contains(got, "1-9 0 views") {
		t.Errorf("100 wide:\n%s", got)
	}
}

// While one types into the search the footer names no keys that are text now.
func TestFooterWhileTyping(t *testing.T) {
	m := screenOf(t, protocoltest.Consultation(t), Options{}, 120, 36)
	tell(m, ready(state.Consultee))
	typeKeys(m, "/ p")
	if got := bottom(m); got != "esc end search  enter go there" {
		t.Errorf("the footer says %q", got)
	}
	typeKeys(m, "esc")
	if got := bottom(m); !strings.HasPrefix(got, "space next turn") {
		t.Errorf("after it: %q", got)
	}
}

// The first line of a session has the first sentence of its question.
func TestHeaderHasTheTitle(t *testing.T) {
	r := protocoltest.Consultation(t)
	r.State.Question = "Is the cache safe\nunder load? It holds money.\n\nMore."
	first, _, _ := strings.Cut(ansi.Strip(screenOf(t, r, Options{}, 120, 36).View().Content), "\n")
	if !strings.Contains(first, "Is the cache safe under load?  ") {
		t.Errorf("the first line is %q", first)
	}
}

// At 80 columns the price of the next round is visible.
func TestForecastFits(t *testing.T) {
	m := screenOf(t, protocoltest.Consultation(t), Options{}, 80, 24)
	tell(m, protocol.Forecast{Round: m.state.Round, Calls: 3, Tokens: 1200, Unpriced: 3},
		protocol.TurnReady{Asks: []protocol.Ask{{Seat: state.Orchestrator, Stage: state.StageEvaluate}}})
	if text := ansi.Strip(m.View().Content); !strings.Contains(text, "3+ calls, 1.2k tok, price unknown") {
		t.Errorf("the price is cut:\n%s", text)
	}
}

// However small the screen, what can be done next is never cut off the status.
func TestTheStatusOfALongFailureEndsWithWhatToDo(t *testing.T) {
	for _, size := range [][2]int{{40, 12}, {60, 20}, {80, 24}, {120, 36}} {
		r := protocoltest.Consultation(t)
		m := screenOf(t, r, Options{NoColor: true}, size[0], size[1])
		tell(m, advanced(r, &state.SessionPaused{
			Why: state.PauseUnreachable, Reason: strings.Repeat("the server at 127.0.0.1 says that it is busy; ", 20),
		}))
		m.idle = true
		_, text := m.status()
		rows := m.look.Wrap(text, m.width-statusMargin)
		if len(rows) > maxStatus || !strings.HasSuffix(text, "tries again") || !strings.Contains(text, "the server at") {
			t.Errorf("%v: %d rows: %s", size, len(rows), text)
		}
	}
}

// The screen and home say why a session paused or ended badly, in the words of every other form (SE3, SE4).
func TestScreensSayWhyASessionStopped(t *testing.T) {
	failure := state.Failure{
		Seat: state.Consultee, Kind: state.FailureLimit, Text: "You exceeded your quota.", Said: true,
		Resets: time.Date(2026, 11, 28, 16, 30, 0, 0, time.UTC),
	}
	refused := state.Failure{Seat: state.Consultee, Kind: state.FailureRefused, Text: "I will not.", Said: true}
	paused := &state.SessionPaused{Why: state.PauseUnreachable, Reason: view.FailureLine("ollama:qwen3", failure), Failure: &failure}
	exit := &state.ExitReached{Exit: state.ExitQuality, Reason: view.FailureLine("ollama:qwen3", refused, refused), Failure: &refused}
	for name, c := range map[string]struct {
		end     []state.Payload
		summary store.Summary
	}{
		"paused": {[]state.Payload{paused}, store.Summary{
			ID: "k3f9", Question: "Is it so?", Paused: paused.Why, Reason: paused.Reason, Failure: paused.Failure,
		}},
		"ended": {[]state.Payload{exit, &state.SessionClosed{Exit: exit.Exit, Inconclusive: true}}, store.Summary{
			ID: "k3f9", Question: "Is it so?", Exit: exit.Exit, Closed: true, Reason: exit.Reason, Failure: exit.Failure,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			h := protocoltest.NewRecord(t)
			h.Add(protocoltest.ConsultOpened(
				state.SeatAssignment{Seat: state.Orchestrator, Participant: "rules", NoModel: true},
				state.SeatAssignment{Seat: state.Consultee, Participant: "ollama:qwen3"},
			), &state.RoundStarted{Round: 1})
			h.Add(c.end...)
			_, want := view.StopOf(h.State)
			says := func(where, text string) {
				t.Helper()
				if !strings.Contains(strings.Join(strings.Fields(text), " "), want) {
					t.Errorf("%s lacks %q:\n%s", where, want, text)
				}
			}
			m := screenOf(t, h, Options{}, 200, 40)
			m.idle, m.ended = true, h.State.Closed
			_, status := m.status()
			says("the status", status)
			m.focusOn(pane.ResultID)
			says("the result", screenText(m))
			sessions := &house{sessions: []store.Summary{c.summary}, preview: func(string) (view.Document, error) {
				return view.Preview(h.State, nil), nil
			}}
			home := homeOf(t, sessions, Options{}, 200, 30)
			says("the preview", home.preview.Content())
			if text := screenText(home); !strings.Contains(text, "    "+want[:40]) {
				t.Errorf("the row lacks %q:\n%s", want, text)
			}
		})
	}
}
