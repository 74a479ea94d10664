//go:build unix

package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"moot/cli"
	"moot/protocol"
)

// TestInputsThatAreNoFiles names pipes, devices, folders and huge files wherever a command reads a
// file. Each is refused at once and by name.
func TestInputsThatAreNoFiles(t *testing.T) {
	folder := t.TempDir()
	pipe, huge := filepath.Join(folder, "pipe.txt"), filepath.Join(folder, "huge.txt")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	write(t, huge, nil)
	if err := os.Truncate(huge, 600<<20); err != nil { // A file with a hole takes no space.
		t.Fatal(err)
	}
	ask := []string{"ask", "--headless", "--orchestrator", "rules", "--consultee", "rules"}
	for _, command := range [][]string{
		{"verify", "FILE"},
		{"resolve", "FILE"},
		{"conflicts", "FILE"},
		{"judge", "FILE"},
		{"packet", "check", "FILE"},
		{"packet", "make", "FILE"},
		append(ask, "--context", "FILE", "Why?"),
		{"ask", "--headless", "--consultee", "script:FILE", "Why?"},
		{"ask", "--headless", "--format", "dialectic", "--playbook", "FILE", "Why?"},
		{"ask", "--headless", "--format", "hearing", "--closed-world", "FILE"},
	} {
		for _, file := range []string{pipe, "/dev/zero", folder, huge} {
			if command[1] == "make" && file == folder {
				continue // It reads folders.
			}
			d := newDesk(t)
			args := strings.Split(strings.ReplaceAll(strings.Join(command, "\x00"), "FILE", file), "\x00")
			started := time.Now()
			code := d.run(args...)
			if code == int(protocol.ExitConcluded) || !strings.Contains(d.err.String(), file) && !strings.Contains(d.err.String(), filepath.Base(file)) {
				t.Errorf("moot %s: exit code %d, %s", strings.Join(args, " "), code, d.err.String())
			}
			if took := time.Since(started); took > 20*time.Second {
				t.Errorf("moot %s took %s", strings.Join(args, " "), took)
			}
		}
	}
}

// TestNamesOfFilesAreEscaped names files so that a terminal would obey the names.
func TestNamesOfFilesAreEscaped(t *testing.T) {
	name := "x\x1b]52;c;aGk=\x07\u009b2J\u202etxt"
	for _, command := range [][]string{
		{"verify", name + ".jsonl"},
		{"resolve", name},
		{"packet", "check", name},
		{"packet", "show", name},
		{"ask", "--headless", "--consultee", "rules", "--context", name, "Why?"},
		{"ask", "--headless", "--consultee", "script:" + name, "Why?"},
		{"show", name},
		{"export", "--as", "json", name},
		{"rm", "--yes", name},
	} {
		for _, exists := range []bool{false, true} {
			d := newDesk(t)
			if exists {
				write(t, filepath.Join(d.Dir, command[len(command)-1]), []byte("{}\n"))
				write(t, filepath.Join(d.Dir, name), []byte("{}\n"))
			}
			d.run(command...)
			for _, said := range []string{d.out.String(), d.err.String()} {
				if strings.ContainsAny(said, "\x1b\x07\u009b\u202e") || !utf8.ValidString(said) {
					t.Errorf("moot %q: %q", command, said)
				}
			}
		}
	}
}

// TestHiddenCharactersAreEscapedInJSON prints what a model wrote as JSON.
func TestHiddenCharactersAreEscapedInJSON(t *testing.T) {
	d := newDesk(t)
	d.OutTerminal = true
	write(t, filepath.Join(d.Dir, "in.json"), []byte(`{"question":"q","agents":[{"id":"a","answer":"yes"},{"id":"b","answer":"no"}]}`))
	hostile := "hidden \u009b\u200b\u202e\ufeff\U000e0001 text"
	write(t, filepath.Join(d.Dir, "consultee.txt"), []byte("--- propose\n1. The limit is 8, "+hostile+"\n"))
	if code := d.run("ask", "--headless", "--no-workspace", "-o", "json", "--consultee", "script:consultee.txt", "Why is it "+hostile+"?"); code == int(protocol.ExitUsage) {
		t.Fatal(d.err.String())
	}
	said := d.out.String()
	for _, hidden := range strings.TrimSuffix(strings.TrimPrefix(hostile, "hidden "), " text") {
		if strings.ContainsRune(said, hidden) {
			t.Errorf("%U is printed", hidden)
		}
	}
	if !strings.Contains(said, `hidden \u009b\u200b\u202e\ufeff\udb40\udc01 text`) {
		t.Errorf("the text is not there:\n%.2000s", said)
	}
}

func write(t testing.TB, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestKeysAreTypedUnseen types a key at a terminal, which doesn't show it, and leaves the next question.
func TestKeysAreTypedUnseen(t *testing.T) {
	keyring := fileKeyring(filepath.Join(t.TempDir(), "keys.json"))
	for _, c := range []struct {
		keys, stored string
		code         int
	}{{"sk-proj-abcdefgh\r", "sk-proj-abcdefgh", int(protocol.ExitConcluded)}, {"sk-\x03", "", int(protocol.ExitInterrupted)}} {
		_ = keyring.Delete("moot", "OPENAI_API_KEY")
		s := newScreen(t, 80, 10)
		s.start(&cli.Console{Err: s.slave, Keyring: keyring, Dir: t.TempDir()}, "key", "set", "OPENAI_API_KEY")
		s.shows("OPENAI_API_KEY")
		s.press(c.keys)
		s.left(c.code)
		if strings.Contains(s.text(), "sk-") {
			t.Errorf("the key is shown:\n%s", s.text())
		}
		if key, _ := keyring.Get("moot", "OPENAI_API_KEY"); key != c.stored {
			t.Errorf("%q is stored", key)
		}
	}
}
