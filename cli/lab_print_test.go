package cli

import (
	"bytes"
	"context"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"moot/figure"
)

func TestPicturesHaveColorOnlyWhereATerminalHasIt(t *testing.T) {
	row := figure.Row{{Text: "● ", Role: figure.RoleOrchestrator}, {Text: "architect", Role: figure.RoleText}}
	for _, c := range []struct {
		what     string
		terminal bool
		environ  []string
		colored  bool
	}{
		{"a terminal", true, []string{"TERM=xterm-256color"}, true},
		{"NO_COLOR", true, []string{"TERM=xterm-256color", "NO_COLOR=1"}, false},
		{"a dumb terminal", true, []string{"TERM=dumb"}, false},
		{"a pipe", false, []string{"TERM=xterm-256color"}, false},
	} {
		console := &Console{OutTerminal: c.terminal, Environ: c.environ}
		got := console.colored(row)
		if strings.Contains(got, "\x1b[") != c.colored || ansi.Strip(got) != "● architect" {
			t.Errorf("%s: %q", c.what, got)
		}
	}
	for _, r := range figure.Roles() {
		if _, has := styleOf(r); !has && r != figure.RoleText {
			t.Errorf("the role %s looks like text", r)
		}
	}
}

// TestASimulationIsLeftWithWhatItHas sends the signal once the first hearings are told.
func TestASimulationIsLeftWithWhatItHas(t *testing.T) {
	signals := make(chan os.Signal, 1)
	var out bytes.Buffer
	console := &Console{Out: &out, Err: &sender{to: signals}, Signals: signals}
	code := Run(context.Background(), console, []string{"lab", "simulate", "--hearings", "5000000", "--form", "single,multi", "--pictures", "none"})
	if code != ExitInterrupted {
		t.Fatalf("the exit code is %d", code)
	}
	text := out.String()
	if !strings.Contains(text, "of 5000000 hearings were held, and the figures are of those") || !strings.Contains(text, "simulated, judge v2: accuracy") {
		t.Errorf("what was drawn is not shown:\n%s", text)
	}
}

// sender sends a signal when something is said to it.
type sender struct{ to chan os.Signal }

func (s *sender) Write(text []byte) (int, error) {
	select {
	case s.to <- syscall.SIGINT:
	default:
	}
	return len(text), nil
}

func TestASimulationThatHasNothingSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, said bytes.Buffer
	console := &Console{Out: &out, Err: &said, Signals: make(chan os.Signal)}
	code := Run(ctx, console, []string{"lab", "simulate", "--hearings", "5000000"})
	if code != ExitInterrupted {
		t.Fatalf("the exit code is %d: %s", code, said.String())
	}
	// Whether a first piece was drawn by then is a matter of chance.
	if nothing := strings.Contains(said.String(), "there is nothing to show"); nothing != (out.Len() == 0) {
		t.Errorf("printed are %d bytes, and said is %q", out.Len(), said.String())
	}
}
