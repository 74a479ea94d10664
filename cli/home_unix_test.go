//go:build unix

package cli_test

import (
	"errors"
	"image/color"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/cli"
	"moot/protocol"
	"moot/state/store"
)

// asks opens a session of rules that waits before each turn.
func (s *screen) asks(question string) {
	s.t.Helper()
	s.walk(
		act{keys: "n", shows: "Orchestrator   rules"},
		act{keys: question, shows: question},
		// How it runs is the last field.
		act{keys: backtab + "2" + send, shows: "next: orchestrator to map"},
	)
	s.shows("no language model", "step by step")
}

// stateIn makes a folder for sessions, and one to ask questions about.
func stateIn(t *testing.T) (workspace string) {
	t.Helper()
	t.Setenv(store.StateVariable, t.TempDir())
	t.Setenv(cli.ConfigVariable, filepath.Join(t.TempDir(), "config.toml"))
	if err := os.WriteFile(os.Getenv(cli.ConfigVariable), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	workspace = t.TempDir()
	if err := os.WriteFile(filepath.Join(workspace, "consumer.go"), []byte("// maxRetries limits how often the consumer retries.\nconst maxRetries = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return workspace
}

// Home tells what was decided in each session. With -update the picture of the docs is drawn.
func TestHomeTellsWhatWasDecided(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	d := newDesk(t)
	ask := func(folder, demo string, args ...string) {
		t.Helper()
		d.Dir = filepath.Join(home, folder)
		if err := os.CopyFS(d.Dir, os.DirFS("../demo/testdata/turnstile")); err != nil && !errors.Is(err, fs.ErrExist) {
			t.Fatal(err)
		}
		script, err := filepath.Abs("../demo/scripts/" + demo + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for i, arg := range args {
			args[i] = strings.ReplaceAll(arg, "SCRIPT", "script:"+script)
		}
		if code := d.run(append([]string{"ask", "--headless"}, args...)...); code != int(protocol.ExitConcluded) {
			t.Fatalf("%s ends with %d:\n%s", demo, code, d.err.String())
		}
	}
	ask("gateway", "dialectic", "--format", "dialectic", "--playbook", "infrastructure-change", "--proposer", "SCRIPT",
		"--pressure-tester", "SCRIPT", "Give partners on the search plan 25 requests per second: which settings, which rollout?")
	ask("turnstile", "panel", "--format", "panel", "--then", "consult", "--orchestrator", "SCRIPT", "--panelist", "SCRIPT",
		"--seat", "panelist-2=SCRIPT", "--seat", "panelist-3=SCRIPT", "How can a client get more than its limit out of turnstile?")
	ask("turnstile", "consult", "--orchestrator", "SCRIPT", "--consultee", "SCRIPT",
		"Does turnstile hold every client to 10 requests per second?")
	for _, c := range []struct {
		ending string
		ground color.Color
		colors colors
	}{{"", nil, colors{}}, {".svg", nil, dark()}, {"-light.svg", color.White, light()}} {
		if c.ending != "" && !*update {
			continue
		}
		s := newScreen(t, 120, 30)
		if c.ground != nil {
			s.emulator.SetDefaultBackgroundColor(c.ground)
		}
		environ := []string{"TERM=xterm-256color", "COLORTERM=truecolor", "HOME=" + home}
		if c.ending == "" {
			environ = append(environ, "NO_COLOR=1")
		}
		s.start(&cli.Console{Err: &s.said, Dir: filepath.Join(home, "turnstile"), Environ: environ, Transport: scripted{}})
		s.shows(
			"turnstile  ~/turnstile", "Does turnstile hold every client", "No: each of the three servers", "gateway  ~/gateway", "ADVANCE",
			"rests on  ✓ P1 cited", "Open for you", "P5 is a tradeoff that only you can decide.", "An exact limit is worth",
		)
		if c.ending != "" {
			s.mutex.Lock()
			drawn := svg(s.emulator, "moot", "Home: what was decided in each session, and the answer of the selected one", c.colors)
			s.mutex.Unlock()
			if err := os.WriteFile(filepath.Join("..", "docs", "home"+c.ending), drawn, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s.press("q")
		s.left(int(protocol.ExitConcluded))
	}
}

// From the first start over a question and its session to its deletion.
func TestTheWholeWayFromHome(t *testing.T) {
	s := newScreen(t, 120, 36)
	s.moot(stateIn(t))
	s.atHome()
	s.shows("What to do", "ask a question")
	s.asks("Where are retries limited?")
	s.walk(act{keys: "q", shows: "saved; press enter to continue"})
	s.shows("Where are retries limited?", "paused")
	// The same session at once, and again.
	for range 2 {
		s.walk(act{keys: enter, shows: "next: orchestrator to map"})
		s.shows("CONSTRUCTIVE", "step by step")
		s.walk(act{keys: "q", shows: "saved; press enter to continue"})
	}
	s.walk(act{keys: "d", shows: "This cannot be undone"})
	s.shows("Where are retries limited?")
	s.walk(act{keys: down + enter, shows: "deleted 2"})
	s.shows("What to do")
	s.press("q")
	s.left(int(protocol.ExitConcluded))
	if said := s.said.String(); said != "" {
		t.Errorf("it says %q", said)
	}
}
