package changes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// put writes a file with its folders.
func put(t testing.TB, folder, path, content string) {
	t.Helper()
	full := filepath.Join(folder, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func look(t testing.TB, folder string) *snapshot {
	t.Helper()
	s, err := take(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What a program does to files is seen, and what only looks like a change is not.
func TestChangesAreSeen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(t *testing.T, folder string)
		want string
	}{
		"nothing": {func(*testing.T, string) {}, ""},
		"content": {func(t *testing.T, f string) { put(t, f, "a/b.go", "package c") }, "changed 1 file in the workspace: a/b.go"},
		"new": {func(t *testing.T, f string) {
			put(t, f, "a.go", "x")
			put(t, f, "a/0.go", "x")
			put(t, f, "z/z/z.go", "x")
		}, "changed 3 files in the workspace: a.go (new), a/0.go (new), z/z/z.go (new)"},
		"gone": {func(t *testing.T, f string) {
			if err := os.RemoveAll(filepath.Join(f, "a")); err != nil {
				t.Fatal(err)
			}
		}, "changed 2 files in the workspace: a/b.go (gone), a/c.go (gone)"},
		"moved": {func(t *testing.T, f string) {
			if err := os.Rename(filepath.Join(f, "a"), filepath.Join(f, "e")); err != nil {
				t.Fatal(err)
			}
		}, "changed 4 files in the workspace: a/b.go (gone), a/c.go (gone), e/b.go (new), e/c.go (new)"},
		// A folder that is left out is not looked at, a file that is is.
		"left out": {func(t *testing.T, f string) {
			put(t, f, "build/out.o", "x")
			put(t, f, "node_modules/x/y.js", "x")
			put(t, f, ".env", "KEY=x")
		}, "changed 1 file in the workspace: .env (new)"},
		"branch": {func(t *testing.T, f string) { put(t, f, ".git/HEAD", "ref: refs/heads/other\n") }, "changed 1 file in the workspace: .git/HEAD"},
		"commit": {func(t *testing.T, f string) { put(t, f, ".git/refs/heads/main", "22") }, "changed 1 file in the workspace: .git/refs/heads/main"},
		"a hook, and what is no matter": {func(t *testing.T, f string) {
			put(t, f, ".git/hooks/pre-commit", "#!/bin/sh")
			put(t, f, ".git/objects/aa/bb", "x")
			put(t, f, "m.go", "x")
		}, "changed 2 files in the workspace: .git/hooks/pre-commit (new), m.go (new)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			put(t, folder, ".gitignore", "build/\n.env\n")
			put(t, folder, "a/b.go", "package b")
			put(t, folder, "a/c.go", "package c")
			cmd := exec.CommandContext(t.Context(), "git", "init", "-q")
			cmd.Dir = folder
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			put(t, folder, ".git/HEAD", "ref: refs/heads/main\n")
			put(t, folder, ".git/refs/heads/main", "11")
			before := look(t, folder)
			c.do(t, folder)
			after := look(t, folder)
			if got := after.since(before, nil, "the workspace"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if again := look(t, folder).since(after, nil, "the workspace"); again != "" {
				t.Errorf("without a change: %s", again)
			}
		})
	}
}

func TestTakeErrors(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := take(ctx, t.TempDir()); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := take(t.Context(), filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "workspace") {
		t.Errorf("%v", err)
	}
}

func TestWhatMootWritesIsNoChange(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	k := NewKeeper(folder, filepath.Join(folder, "wire.jsonl"), filepath.Join(folder, "state", "moot"), filepath.Dir(folder), "")
	if err := os.MkdirAll(filepath.Join(folder, "state", "moot"), 0o700); err != nil {
		t.Fatal(err)
	}
	put := func(names ...string) {
		t.Helper()
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(name), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	look := k.Before(t.Context())
	put("wire.jsonl", "state/moot/session.jsonl")
	if told := look.After(); told != "" {
		t.Errorf("it is told of moot's own files: %s", told)
	}
	look = k.Before(t.Context())
	put("wire.jsonl2", "state/moots")
	if told := look.After(); !strings.Contains(told, "changed 2 files") || !strings.Contains(told, "wire.jsonl2") || !strings.Contains(told, "state/moots") {
		t.Errorf("it is told %q", told)
	}
}

func TestCancelledCallIsLookedAtOnceItHasEnded(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	k := NewKeeper(folder)
	put(t, folder, "before", "x")
	ctx, cancel := context.WithCancel(t.Context())
	look := k.Before(ctx)
	put(t, folder, "early", "x")
	cancel()
	ended := make(chan struct{})
	look.Cancelled(func() { <-ended })
	// The next call does not wait longer than it may, and changes nothing then.
	next := k.Before(ctx)
	next.Cancelled(func() {})
	if told := next.After(); told != "" {
		t.Errorf("a call that was never made %s", told)
	}
	put(t, folder, "late", "x")
	close(ended)
	next = k.Before(t.Context())
	put(t, folder, "next", "x")
	if told := next.After(); told != "changed 1 file in the workspace: next (new)" {
		t.Errorf("the next call %s", told)
	}
	if told := k.Aftermath("it"); len(told) != 1 || told[0] != "it changed 2 files in the workspace: early (new), late (new)" {
		t.Errorf("%q", told)
	}
	if told := k.Aftermath("it"); len(told) != 0 {
		t.Errorf("told again: %q", told)
	}
	k.Close()
	if told := new(Keeper).Before(t.Context()).After(); told != "" {
		t.Errorf("a Keeper of nothing: %s", told)
	}
}

// A folder that was only looked at in part reports changed files, but neither new nor
// removed ones.
func TestPartialSnapshots(t *testing.T) {
	t.Parallel()
	part := &snapshot{cut: true, files: map[string]mark{"a": {size: 1}, "b": {size: 1}}}
	whole := &snapshot{files: map[string]mark{"b": {size: 2}, "c": {size: 2}}}
	const want = "changed 1 file in the workspace: b; it is too large to compare completely"
	if got := part.since(whole, nil, "the workspace"); got != want {
		t.Errorf("%s", got)
	}
}

// A sentence is bounded, and its paths are escaped.
func TestSentencesAreBounded(t *testing.T) {
	t.Parallel()
	now := &snapshot{files: map[string]mark{}}
	for i := range 7 {
		now.files[fmt.Sprintf("%d\x1b[31m", i)] = mark{}
	}
	want := `changed 7 files in the workspace: 0\x1b[31m (new), 1\x1b[31m (new), 2\x1b[31m (new), 3\x1b[31m (new), 4\x1b[31m (new) and 2 more`
	if got := now.since(&snapshot{}, nil, "the workspace"); got != want {
		t.Errorf("%s", got)
	}
}
