package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
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

func take(t testing.TB, folder string, before *Snapshot) *Snapshot {
	t.Helper()
	s, err := Take(t.Context(), folder, before)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// told are changes, a word each.
func told(c Changes) string {
	var words []string
	for _, f := range c.Files {
		words = append(words, string(f.Kind)+" "+f.Path)
	}
	return strings.Join(words, ", ")
}

// What a program does to files is seen, and what only looks like a change is not.
func TestChangesAreSeen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(t *testing.T, folder string)
		want string
	}{
		"nothing": {func(*testing.T, string) {}, ""},
		"content": {func(t *testing.T, f string) { put(t, f, "a/b.go", "package c") }, "changed a/b.go"},
		// The size and the time may be as they were.
		"content of one size, and the old time": {func(t *testing.T, f string) {
			put(t, f, "a/b.go", "package x")
			if err := os.Chtimes(filepath.Join(f, "a/b.go"), old(), old()); err != nil {
				t.Fatal(err)
			}
		}, "changed a/b.go"},
		"written as it was": {func(t *testing.T, f string) { put(t, f, "a/b.go", "package b") }, ""},
		"touched": {func(t *testing.T, f string) {
			if err := os.Chtimes(filepath.Join(f, "a/b.go"), time.Now(), time.Now()); err != nil {
				t.Fatal(err)
			}
		}, ""},
		"new": {func(t *testing.T, f string) {
			put(t, f, "a.go", "x")
			put(t, f, "a/0.go", "x")
			put(t, f, "z/z/z.go", "x")
		}, "new a.go, new a/0.go, new z/z/z.go"},
		"gone": {func(t *testing.T, f string) {
			if err := os.RemoveAll(filepath.Join(f, "a")); err != nil {
				t.Fatal(err)
			}
		}, "gone a/b.go, gone a/c.go"},
		"moved": {func(t *testing.T, f string) {
			if err := os.Rename(filepath.Join(f, "a"), filepath.Join(f, "e")); err != nil {
				t.Fatal(err)
			}
		}, "gone a/b.go, gone a/c.go, new e/b.go, new e/c.go"},
		// A folder that is left out is not looked at, a file that is is.
		"left out": {func(t *testing.T, f string) {
			put(t, f, "build/out.o", "x")
			put(t, f, "node_modules/x/y.js", "x")
			put(t, f, ".env", "KEY=x")
		}, "new .env"},
		"branch": {func(t *testing.T, f string) { put(t, f, ".git/HEAD", "ref: refs/heads/other\n") }, "changed .git/HEAD"},
		"commit": {func(t *testing.T, f string) { put(t, f, ".git/refs/heads/main", "22") }, "changed .git/refs/heads/main"},
		"a hook, and what is no matter": {func(t *testing.T, f string) {
			put(t, f, ".git/hooks/pre-commit", "#!/bin/sh")
			put(t, f, ".git/objects/aa/bb", "x")
			put(t, f, "m.go", "x")
		}, "new m.go, new .git/hooks/pre-commit"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			put(t, folder, ".gitignore", "build/\n.env\n")
			put(t, folder, "a/b.go", "package b")
			put(t, folder, "a/c.go", "package c")
			put(t, folder, ".git/HEAD", "ref: refs/heads/main\n")
			put(t, folder, ".git/refs/heads/main", "11")
			if err := os.Chtimes(filepath.Join(folder, "a/b.go"), old(), old()); err != nil {
				t.Fatal(err)
			}
			before := take(t, folder, nil)
			c.do(t, folder)
			after := take(t, folder, before)
			if got := told(after.Since(before)); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if again := take(t, folder, after).Since(after); len(again.Files) > 0 || again.Cut {
				t.Errorf("without a change: %+v", again)
			}
			// What comes back is no change.
			if back := before.Since(before); len(back.Files) > 0 {
				t.Errorf("of itself: %+v", back)
			}
		})
	}
}

func old() time.Time { return time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC) }

func TestIndexOfGit(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	git := func(arguments ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-C", folder, "-c", "user.name=a", "-c", "user.email=a@example.org"}, arguments...)...)
		if out, err := command.CombinedOutput(); err != nil {
			t.Skipf("git %s: %v: %s", arguments, err, out)
		}
	}
	git("init", "-q")
	put(t, folder, "a.go", "package a")
	put(t, folder, "folder/a name of another length.go", "package b")
	git("add", ".")
	git("commit", "-q", "-m", "one")
	before := take(t, folder, nil)
	index, err := os.ReadFile(filepath.Join(folder, ".git/index"))
	if err != nil {
		t.Fatal(err)
	}
	if got := staged(index); len(got) == len(index) {
		t.Error("the index was not read")
	}
	if err := os.Chtimes(filepath.Join(folder, "a.go"), old(), old()); err != nil {
		t.Fatal(err)
	}
	git("status")
	anew, err := os.ReadFile(filepath.Join(folder, ".git/index"))
	if err != nil || slices.Equal(anew, index) {
		t.Skip("this git does not write its index anew")
	}
	after := take(t, folder, before)
	if got := told(after.Since(before)); got != "" {
		t.Errorf("after git status: %s", got)
	}
	put(t, folder, "a.go", "package other")
	git("add", ".")
	if got := told(take(t, folder, after).Since(after)); got != "changed a.go, changed .git/index" {
		t.Errorf("after git add: %s", got)
	}
	git("checkout", "-q", "-b", "branch")
	if got := told(take(t, folder, before).Since(before)); !strings.Contains(got, "changed .git/HEAD") || !strings.Contains(got, "new .git/refs/heads/branch") {
		t.Errorf("after git checkout: %s", got)
	}
}

// A sentence is bounded, and its paths are escaped.
func TestChangesAreTold(t *testing.T) {
	t.Parallel()
	var c Changes
	for i := range 7 {
		c.Files = append(c.Files, Change{Path: fmt.Sprintf("%d\x1b[31m", i), Kind: Added})
	}
	want := `changed 7 files in the workspace: 0\x1b[31m (new), 1\x1b[31m (new), 2\x1b[31m (new), 3\x1b[31m (new), 4\x1b[31m (new) and 2 more`
	if c.String() != want {
		t.Errorf("%s", c)
	}
	if (Changes{}).String() != "" {
		t.Error("nothing is told of")
	}
}

func TestTakeErrors(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Take(ctx, t.TempDir(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if _, err := Take(t.Context(), filepath.Join(t.TempDir(), "none"), nil); err == nil || !strings.Contains(err.Error(), "workspace") {
		t.Errorf("%v", err)
	}
}

// An index of git that is damaged is read as far as it goes, or whole.
func FuzzStaged(f *testing.F) {
	entry := append(make([]byte, 62), "a.go\x00\x00\x00\x00\x00\x00"...)
	f.Add(append(append([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"), entry...), make([]byte, 20)...))
	f.Add([]byte("DIRC"))
	f.Fuzz(func(t *testing.T, index []byte) {
		if got := staged(index); len(got) > len(index) {
			t.Errorf("%d bytes of %d", len(got), len(index))
		}
	})
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
	one := func(cut bool, content uint64, paths ...string) *Snapshot {
		s := &Snapshot{cut: cut, files: map[string]file{}}
		for _, p := range paths {
			s.files[p] = file{content: content, hashed: true}
		}
		return s
	}
	got := one(true, 1, "a", "b").Since(one(false, 2, "b", "c"))
	if told(got) != "changed b" || !got.Cut || !strings.Contains(got.String(), "too large") {
		t.Errorf("%+v: %s", got, got)
	}
}
