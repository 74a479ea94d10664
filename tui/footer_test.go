package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"moot/protocol"
	"moot/state"
	"moot/tui/pane"
)

// bottom is the last row of a screen.
func bottom(m *Model) string {
	rows := strings.Split(ansi.Strip(m.View().Content), "\n")
	return strings.TrimSpace(rows[len(rows)-1])
}

// The footer names keys whole, at every width; what has no room is left out. The
// first key is named on the narrowest screen, too.
func TestFooterNamesKeysWhole(t *testing.T) {
	record := demo(t)
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
	m := screenOf(t, demo(t), Options{}, 10, 3)
	if got := strings.Join(strings.Fields(ansi.Strip(m.View().Content)), " "); got != fmt.Sprintf("moot needs %dx%d", smallWidth, smallHeight) {
		t.Errorf("10x3 says %q", got)
	}
}

// A wait on the wire counts down; the seconds of the call come back after it.
func TestWaitCountsDown(t *testing.T) {
	begun := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	c := pane.Call{Seat: state.Consultee, Stage: state.StagePropose, Since: begun, Note: "429, again in 12 s (2/5)", Until: begun.Add(14 * time.Second)}
	for after, want := range map[time.Duration]string{
		2 * time.Second:  "429, again in 12 s (2/5)  12 s left",
		13 * time.Second: "429, again in 12 s (2/5)  1 s left",
		15 * time.Second: "429, again in 12 s (2/5)  15 s",
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
		m := screenOf(t, demo(t), Options{}, width, 36)
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
	m := screenOf(t, demo(t), Options{}, 120, 36)
	rows := strings.Split(ansi.Strip(m.View().Content), "\n")
	line := rows[m.layout.Panes[pane.DebateID].Y-1]
	if !strings.Contains(line, " 2 Points  3 Point  5 Graph  6 Confidence  7 Record ") {
		t.Fatalf("the line says %q", line)
	}
	narrow := screenOf(t, demo(t), Options{}, 100, 30)
	if got := ansi.Strip(narrow.View().Content); !strings.Contains(got, "1-9 0 views") {
		t.Errorf("100 wide:\n%s", got)
	}
}

// While one types into the search the footer names no keys that are text now.
func TestFooterWhileTyping(t *testing.T) {
	m := screenOf(t, demo(t), Options{}, 120, 36)
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
	r := demo(t)
	r.state.Question = "Is the cache safe\nunder load? It holds money.\n\nMore."
	first, _, _ := strings.Cut(ansi.Strip(screenOf(t, r, Options{}, 120, 36).View().Content), "\n")
	if !strings.Contains(first, "Is the cache safe under load?  ") {
		t.Errorf("the first line is %q", first)
	}
}

// At 80 columns the price of the next round is visible.
func TestForecastFits(t *testing.T) {
	m := screenOf(t, demo(t), Options{}, 80, 24)
	tell(m, protocol.Forecast{Round: m.state.Round, Calls: 3, Tokens: 1200, Unpriced: 3},
		protocol.TurnReady{Asks: []protocol.Ask{{Seat: state.Orchestrator, Stage: state.StageEvaluate}}})
	if text := ansi.Strip(m.View().Content); !strings.Contains(text, "3+ calls, 1.2k tok, price unknown") {
		t.Errorf("the price is cut:\n%s", text)
	}
}
