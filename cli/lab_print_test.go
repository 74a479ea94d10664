package cli

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"moot/figure"
)

func TestPicturesHaveColorOnlyWhereATerminalHasIt(t *testing.T) {
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
		got := console.styled("● architect", ansi.NewStyle().Bold())
		if strings.Contains(got, "\x1b[") != c.colored || ansi.Strip(got) != "● architect" {
			t.Errorf("%s: %q", c.what, got)
		}
	}
	for r := figure.RoleText; r <= figure.RoleSeat; r++ {
		if _, has := roleStyle(r); !has && r != figure.RoleText {
			t.Errorf("role %d looks like text", r)
		}
	}
}
