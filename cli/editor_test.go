package cli

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// onPath makes a PATH of one folder that holds the programs, and returns it.
func onPath(t *testing.T, programs ...string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("programs are made of shell scripts here")
	}
	dir := t.TempDir()
	for _, name := range programs {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	return dir
}

func TestTheEditorIsTheOneThatIsNamed(t *testing.T) {
	dir := onPath(t, "vim", "code", "nano", "my editor/run it", "-f")
	spaced := filepath.Join(dir, "my editor", "run it")
	for name, test := range map[string]struct {
		environ []string
		want    []string
	}{
		"VISUAL before EDITOR":    {[]string{"EDITOR=vim", "VISUAL=code"}, []string{"code", "--goto", "/f:3"}},
		"an empty one is not set": {[]string{"EDITOR=vim", "VISUAL= "}, []string{"vim", "+3", "/f"}},
		"none":                    {nil, []string{"nano", "+3", "/f"}},
		"arguments":               {[]string{"EDITOR=code --wait -n"}, []string{"code", "--wait", "-n", "--goto", "/f:3"}},
		"quotes":                  {[]string{`EDITOR=vim -c 'set nu rnu' "+set ft=go"`}, []string{"vim", "-c", "set nu rnu", "+set ft=go", "+3", "/f"}},
		"a folder":                {[]string{"EDITOR=" + filepath.Join(dir, "vim")}, []string{filepath.Join(dir, "vim"), "+3", "/f"}},
		"blanks in its path":      {[]string{"EDITOR=" + spaced}, []string{spaced, "/f"}},
		"quoted blanks":           {[]string{"EDITOR='" + spaced + "' -x"}, []string{spaced, "-x", "/f"}},
	} {
		cmd, err := editorCommand(&Console{Environ: test.environ}, "/f", 3)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := slices.Clone(test.want)
		if !filepath.IsAbs(want[0]) {
			want[0] = filepath.Join(dir, want[0])
		}
		if !slices.Equal(cmd.Args, want) {
			t.Errorf("%s: %q, want %q", name, cmd.Args, want)
		}
	}
}

func TestAMissingEditorIsReported(t *testing.T) {
	onPath(t, "vim")
	for environ, want := range map[string]string{
		"EDITOR=ed-is-gone --wait":     `the editor "ed-is-gone": `,
		"EDITOR=vim 'half":             "$EDITOR is not an editor: the command \"vim 'half\"",
		"VISUAL=vim; rm -rf /":         "which needs a shell",
		"VISUAL=vim && true":           "which needs a shell",
		"VISUAL=vim $(cat /etc/motd) ": "only a shell can expand",
		"VISUAL=vim $HOME":             "only a shell can expand",
		"VISUAL=''":                    "it names no program",
	} {
		cmd, err := editorCommand(&Console{Environ: []string{environ}}, "/f", 1)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %s", environ, cmd, err, want)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := editorCommand(&Console{}, "/f", 1); err == nil || !strings.Contains(err.Error(), "none of nano, vim, vi, notepad is on the PATH; set EDITOR") {
		t.Errorf("nothing at all: %v", err)
	}
}

// cited makes a workspace with a folder next to it.
func cited(t *testing.T) string {
	t.Helper()
	top := t.TempDir()
	for name, text := range map[string]string{
		"elsewhere/secret.txt": "s", "work/queue/consumer.go": "package queue\n", "work/a b.md": "a\n", "work/C++: notes.txt": "n\n",
	} {
		path := filepath.Join(top, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{
		"work/out.txt": "../elsewhere/secret.txt", "work/far": "../elsewhere", "work/in.txt": "queue/consumer.go", "work/dangling": "nowhere", "work/loop": "loop",
	} {
		if err := os.Symlink(filepath.FromSlash(target), filepath.Join(top, filepath.FromSlash(link))); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	return filepath.Join(top, "work")
}

func TestACitedFileIsOneOfTheWorkspace(t *testing.T) {
	work := cited(t)
	for reference, want := range map[string]int{
		"queue/consumer.go:88": 88, "queue/consumer.go:12-18": 12, "./queue/../a b.md:1": 0, "a b.md:3,9": 3, "in.txt:2": 2,
		"C++: notes.txt:1": 1, "queue/consumer.go#L5-L9": 5, `queue\consumer.go:4`: 4,
	} {
		path, line, err := citedFile(work, reference)
		if want == 0 {
			want = 1
		}
		if err != nil || line != want || !strings.HasPrefix(path, work+string(filepath.Separator)) {
			t.Errorf("%s: %s line %d, %v", reference, path, line, err)
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			t.Errorf("%s: %s is no file, %v", reference, path, err)
		}
	}
	permalink := "https://github.com/o/r/blob/0123456789012345678901234567890123456789/queue/consumer.go#L7"
	if path, line, err := citedFile(work, permalink); err != nil || line != 7 || path != filepath.Join(work, "queue", "consumer.go") {
		t.Errorf("a permalink: %s line %d, %v", path, line, err)
	}
}
