package research

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/internal/confine"
	"moot/internal/redact"
	"moot/ledger"
	"moot/research/gocode"
)

// TestMain plays the commands of the tests when it is started as one.
func TestMain(m *testing.M) {
	if IsPDFHelper(os.Args) {
		os.Exit(MainPDF(os.Stdin, os.Stdout))
	}
	if confine.IsHelper(os.Args) {
		os.Exit(confine.Main(os.Args))
	}
	if gocode.IsHelper(os.Args) {
		os.Exit(gocode.Main(os.Stdin, os.Stdout))
	}
	if len(os.Args) > 2 && os.Args[1] == "play" {
		os.Exit(play(os.Args[2], os.Args[3:]))
	}
	os.Exit(m.Run())
}

// play is one command of the tests.
func play(part string, arguments []string) int {
	if server, found := strings.CutPrefix(part, "tools-"); found {
		return playTools(server, arguments)
	}
	switch part {
	case "exit":
		fmt.Println("on standard output")
		fmt.Fprintln(os.Stderr, "on standard error")
		return map[string]int{"0": 0, "3": 3, "255": 255}[arguments[0]]
	case "silent":
	case "write":
		os.Stdout.WriteString(strings.Repeat("0123456789abcde\n", 8<<10) + "the needle\n" +
			strings.Repeat("fedcba9876543210\n", 8<<10))
	case "endless":
		for {
			os.Stdout.WriteString(strings.Repeat("endless ", 1000))
		}
	case "control":
		os.Stdout.WriteString("\x1b]0;owned\x07\x1b[31mred\x1b[0m\r\n\x00\xff end")
	case "read":
		n, err := os.Stdin.Read(make([]byte, 10))
		fmt.Println(n, err)
	case "environment":
		fmt.Println(strings.Join(os.Environ(), "\n"))
	case "folder":
		dir, _ := os.Getwd()
		fmt.Println(dir)
	case "secret":
		fmt.Println("key: sk-proj-" + strings.Repeat("Ab3dEf6hIj", 5))
	default:
		return playSystem(part, arguments)
	}
	return 0
}

// self is a command that plays a part.
func self(t *testing.T, part ...string) string {
	t.Helper()
	words := []string{"$", "'" + os.Args[0] + "'", "play"}
	for _, p := range part {
		words = append(words, "'"+p+"'")
	}
	return strings.Join(words, " ")
}

func openCommand(t *testing.T, environ ...string) *Command {
	t.Helper()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	c, err := OpenCommand(t.TempDir(), append(environ, "PATH="+os.Getenv("PATH")), redactor)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What the reason of a finding says.
const (
	runMet           = "expected and met"
	runUnmet         = "expected and not met"
	runUnreadable    = ""
	runNotFound      = "there is no program"
	runNotExecutable = "cannot be run here"
	runLate          = "still running after"
	runEndless       = "over 4 MiB"
	runSignalled     = "did not exit by itself"
	runHeld          = "held its output open"
	runEnded         = "was canceled"
)

func runs(t *testing.T, c *Command, reference, expected string, want string) ledger.Finding {
	t.Helper()
	f := Checkers{List: []Checker{c}}.Check(t.Context(), reference, expected)
	if !strings.Contains(f.Reason, want) {
		t.Fatalf("%s, expected %s: %s, want %s\n%.300s", reference, expected, f.Reason, want,
			f.Nearest+f.Excerpt)
	}
	if f.Verified != (want == runMet) {
		t.Errorf("verified is %v: %s", f.Verified, f.Reason)
	}
	ran := want == runMet || want == runUnmet
	if stamped := f.Type == ledger.Execution && f.SourceKind == ledger.LiveAPI; stamped != ran ||
		f.Unmet != (want == runUnmet) {
		t.Errorf("it is stamped %s %s, unmet is %v", f.Type, f.SourceKind, f.Unmet)
	}
	if !ran && (f.Type != ledger.Claim || f.SourceKind != ledger.LLMInference) ||
		!f.Verified && (f.Excerpt != "" || f.Reason == "") {
		t.Errorf("a refusal is stamped %s %s and says %q", f.Type, f.SourceKind, f.Reason)
	}
	return f
}

// Expectations are compared by code: exit code, literals and patterns on either stream.
func TestCommandIsJudgedByItsExpectation(t *testing.T) {
	t.Parallel()
	c := openCommand(t)
	for _, test := range []struct {
		code, expected string
		want           string
	}{
		{"0", "exit 0", runMet},
		{"3", "exit 3", runMet},
		{"255", "exit 255; stdout has 'standard output'; stderr matches '^on .* error$'", runMet},
		{"0", "output has 'standard error', output lacks panic", runUnreadable},
		{"0", "output has 'standard error', output lacks 'panic'", runMet},
		{"3", "exit 0", runUnmet},
		{"0", "exit 0; stdout has 'standard error'", runUnmet},
		{"0", "stderr lacks 'standard error'", runUnmet},
		{"0", "stdout matches '^standard'", runUnmet},
		{"0", "", runUnreadable},
	} {
		f := runs(t, c, self(t, "exit", test.code), test.expected, test.want)
		if test.want == runUnreadable {
			continue
		}
		output := f.Excerpt + f.Nearest
		if output != "on standard output\n[standard error]\non standard error\n" {
			t.Errorf("the output is %q", output)
		}
		if fmt.Sprint(f.Run.ExitCode) != test.code || f.Run.OutputBytes != 37 ||
			f.Digest != ledger.Digest([]byte("on standard output\non standard error\n")) {
			t.Errorf("the run is %+v, digest %s", f.Run, f.Digest)
		}
		if f.Verified && (f.Type != ledger.Execution || f.SourceKind != ledger.LiveAPI || f.Confidence != 0.95) {
			t.Errorf("it is stamped %s %s %.2f", f.Type, f.SourceKind, f.Confidence)
		}
	}
	if f := runs(t, c, self(t, "exit", "3"), "exit 0; stdout has 'on'", runUnmet); !strings.Contains(f.Reason,
		"ended with exit 3") || !strings.HasSuffix(f.Reason, "not met: exit 0") {
		t.Errorf("the reason is %q", f.Reason)
	}
	if f := runs(t, c, self(t, "silent"), "exit 0", runMet); f.Excerpt != "" || f.Digest != ledger.Digest(nil) {
		t.Errorf("nothing was written, and the finding has %q", f.Excerpt)
	}
}

// What cannot be run is refused, each with its reason.
func TestCommandThatCannotRun(t *testing.T) {
	t.Parallel()
	c := openCommand(t)
	write(t, filepath.Join(c.directory, "notes.txt"), "no program")
	for _, test := range []struct {
		reference string
		want      string
		reason    string
	}{
		{"$ no-such-program-anywhere", runNotFound, "there is no program"},
		{"$ ./no-such-file", runNotFound, "there is no program"},
		{"$ ./notes.txt", runNotExecutable, "cannot be run here: "},
		{"$ ls | wc", runUnreadable, "joins commands (|)"},
		{"$ echo $HOME", runUnreadable, "a variable"},
		{"$ ", runUnreadable, "it is empty"},
	} {
		if test.want == runNotExecutable && os.PathSeparator != '/' {
			continue
		}
		if f := runs(t, c, test.reference, "exit 0", test.want); !strings.Contains(f.Reason, test.reason) ||
			f.Run != nil {
			t.Errorf("%s: %s", test.reference, f.Reason)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if f := c.Check(ended, self(t, "silent"), "exit 0"); f.Verified || f.Run != nil {
		t.Error(f.Reason)
	}
}

// Of long output the middle is left out and what was looked for is kept; output
// without an end is cut off.
func TestCommandOutputIsBounded(t *testing.T) {
	t.Parallel()
	c := openCommand(t)
	f := runs(t, c, self(t, "write"), "stdout has 'the needle'", runMet)
	if len(f.Excerpt) > MaxKept+200 || !strings.Contains(f.Excerpt, "\nthe needle\n") ||
		strings.Count(f.Excerpt, "bytes left out …]") != 2 {
		t.Errorf("%d bytes are kept:\n%.100s", len(f.Excerpt), f.Excerpt)
	}
	if !strings.HasPrefix(f.Excerpt, "0123456789abcde\n") || !strings.HasSuffix(f.Excerpt, "\nfedcba9876543210\n") ||
		!strings.Contains(f.Reason, "left out here") {
		t.Errorf("the ends are not kept: %s", f.Reason)
	}
	f = runs(t, c, self(t, "write"), "exit 0", runMet)
	if len(f.Excerpt) > MaxKept+200 || strings.Contains(f.Excerpt, "needle") ||
		strings.Count(f.Excerpt, "bytes left out …]") != 1 {
		t.Errorf("%d bytes are kept", len(f.Excerpt))
	}
	f = runs(t, c, self(t, "endless"), "exit 0", runEndless)
	if f.Run.OutputBytes != MaxOutput || f.Run.ExitCode != -1 || len(f.Nearest) > MaxKept+200 ||
		!strings.Contains(f.Reason, "over 4 MiB") {
		t.Errorf("%+v: %s", f.Run, f.Reason)
	}
}

// Control sequences are kept as they came, in the file as well.
func TestCommandOutputIsKeptByteForByte(t *testing.T) {
	t.Parallel()
	f := runs(t, openCommand(t), self(t, "control"), `stdout has "\x1b[31mred"`, runMet)
	if f.Excerpt != "\x1b]0;owned\x07\x1b[31mred\x1b[0m\r\n\x00\uFFFD end" {
		t.Errorf("the excerpt is %q", f.Excerpt)
	}
	encoded, err := json.Marshal(f.Excerpt)
	var back string
	if err != nil || json.Unmarshal(encoded, &back) != nil || back != f.Excerpt {
		t.Errorf("%s comes back as %q", encoded, back)
	}
}

// A command has nothing to read, runs in the workspace, and finds no secret in
// its environment.
func TestCommandSurroundings(t *testing.T) {
	t.Parallel()
	secret := "sk-proj-" + strings.Repeat("Ab3dEf6hIj", 5)
	c := openCommand(t,
		"OPENAI_API_KEY="+secret, "AWS_SECRET_ACCESS_KEY=abc", "GITHUB_TOKEN=x", "LD_PRELOAD=/evil.so", "EDITOR=vi",
		"LC_ALL=C",
		"GOFLAGS=-mod=mod -ldflags="+secret, "GOCACHE=/cache", "HOME=/home/me")
	f := runs(t, c, self(t, "environment"), "exit 0", runMet)
	for _, gone := range []string{"KEY", "TOKEN", "PRELOAD", "EDITOR", secret, "GOFLAGS"} {
		if strings.Contains(f.Excerpt, gone) {
			t.Errorf("%s is in the environment:\n%s", gone, f.Excerpt)
		}
	}
	lines := strings.Split(f.Excerpt, "\n")
	for _, there := range []string{"GOCACHE=/cache", "HOME=/home/me", "LC_ALL=C", "TERM=dumb", "PWD=" + c.directory} {
		if !slices.Contains(lines, there) {
			t.Errorf("%s is missing:\n%s", there, f.Excerpt)
		}
	}
	if f := runs(t, c, self(t, "read"), "exit 0", runMet); f.Excerpt != "0 EOF\n" {
		t.Errorf("standard input gave %q", f.Excerpt)
	}
	resolved, err := filepath.EvalSymlinks(c.directory)
	if err != nil {
		t.Fatal(err)
	}
	if f := runs(t, c, self(t, "folder"), "exit 0", runMet); f.Excerpt != resolved+"\n" &&
		f.Excerpt != c.directory+"\n" {
		t.Errorf("it ran in %q", f.Excerpt)
	}
}

// A secret that a command writes is redacted where citations are.
func TestCommandOutputIsRedacted(t *testing.T) {
	t.Parallel()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	checker := Checkers{List: []Checker{openCommand(t)}, Redactor: redactor}
	for _, expected := range []string{"exit 0", "exit 1"} {
		f := checker.Check(t.Context(), self(t, "secret"), expected)
		if strings.Contains(f.Excerpt+f.Nearest, "sk-proj") ||
			!strings.Contains(f.Excerpt+f.Nearest, "key: [REDACTED") {
			t.Errorf("%s: %q %q", expected, f.Excerpt, f.Nearest)
		}
	}
}

// ready is the file that a command makes in its folder once it can be ended.
const ready = "ready"

// endedOnceReady runs a command, and ends its check for a reason once it is ready.
func endedOnceReady(t *testing.T, reference string, cause error, want string) ledger.Finding {
	t.Helper()
	c := openCommand(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	finished := make(chan struct{})
	go func() {
		for {
			if _, err := os.Stat(filepath.Join(c.directory, ready)); err == nil {
				cancel(cause)
				return
			}
			select {
			case <-finished:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	f := c.Check(ctx, reference, "exit 0")
	close(finished)
	if !strings.Contains(f.Reason, want) || f.Verified || f.Run.ExitCode != -1 {
		t.Fatalf("%s, %+v", f.Reason, f.Run)
	}
	return f
}
