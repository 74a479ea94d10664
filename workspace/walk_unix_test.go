//go:build unix

package workspace

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"moot/protocol/move"
)

// A folder outside of git work trees is listed and searched up to a limit, near its top first, and answers report the
// limit. A work tree is searched as a whole.
func TestLargeFolder(t *testing.T) {
	t.Parallel()
	files := map[string]string{"top.txt": "the pelican sleeps\n", "a/b/c/deep.txt": "the pelican wakes\n"}
	for i := range 50 {
		files[fmt.Sprintf("a/f%02d.txt", i)] = "filler\n"
	}
	root := writeTree(t, files)
	w := opened(t, root)
	if w.Bound() != "" || w.limits.files != 20_000 {
		t.Errorf("bound %q, limits %+v", w.Bound(), w.limits)
	}
	w.limits.files = 20
	names, err := w.Files(t.Context())
	if err != nil || len(names) != 20 || !slices.Contains(names, "top.txt") || slices.Contains(names, "a/b/c/deep.txt") {
		t.Errorf("listed %q, %v", names, err)
	}
	m, err := w.Map(t.Context(), "Where does the pelican sleep?", "")
	if err != nil || m.Bound != "the first 20 files" || len(m.Passages) != 1 {
		t.Errorf("map %+v, %v", m, err)
	}
	for _, lookup := range []move.Move{
		&move.List{}, &move.Search{Query: "pelican"}, &move.Search{Query: "/pelican/"},
		&move.Search{Query: "/walrus/"}, &move.Search{Query: "walrus"}, &move.List{Glob: "*.zip"},
	} {
		text, _, err := w.Look(t.Context(), lookup, 64<<10)
		if err != nil {
			text = err.Error()
		}
		if !strings.Contains(text, "only the first 20 files") {
			t.Errorf("%#v: %q", lookup, text)
		}
	}
	if text, _, err := w.Look(t.Context(), &move.Read{Path: "a/b/c/deep.txt"}, 1000); err != nil || strings.Contains(text, "only") {
		t.Errorf("READ is bounded: %q, %v", text, err)
	}

	w = opened(t, root)
	w.limits.bytes = 1
	found, err := w.Passages(t.Context(), "Where does the pelican sleep?", 5)
	if err != nil || len(found) != 1 || found[0].Path != "top.txt" || !strings.HasPrefix(w.Bound(), "the first ") {
		t.Errorf("with little to read: %+v, %v, bound %q", found, err, w.Bound())
	}
	w = opened(t, root)
	w.limits.listing = time.Nanosecond
	if _, err := w.Files(t.Context()); !errors.Is(err, errNoFiles) {
		t.Errorf("without time: %v", err)
	}

	gitIn(t, root, "init", "-q")
	w = opened(t, root)
	if names, err := w.Files(t.Context()); err != nil || len(names) != 52 || w.Bound() != "" || w.limits.files <= 20_000 {
		t.Errorf("a work tree: %d files, %v, bound %q, limits %+v", len(names), err, w.Bound(), w.limits)
	}
}

// Nothing in a folder makes a search wait: no pipe, socket, loop of links, depth, size or missing permission.
func TestStrangeFolder(t *testing.T) {
	t.Parallel()
	root := writeTree(t, map[string]string{"a.txt": "the heron stands\n", "closed/b.txt": "the heron flies\n"})
	deep := root
	for range 2 * maxDepth {
		deep = filepath.Join(deep, "d")
	}
	huge := filepath.Join(root, "huge.txt")
	socket, listenErr := (&net.ListenConfig{}).Listen(t.Context(), "unix", filepath.Join(root, "s"))
	err := errors.Join(
		listenErr, os.MkdirAll(deep, 0o700), os.WriteFile(filepath.Join(deep, "e.txt"), []byte("the heron dives\n"), 0o600),
		syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600), os.Symlink(".", filepath.Join(root, "loop")),
		os.Symlink("../closed", filepath.Join(root, "closed", "up")), os.WriteFile(huge, []byte("the heron eats\n"), 0o600),
		os.Truncate(huge, 4<<30), os.Chmod(filepath.Join(root, "closed"), 0),
	)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(socket.Close(), os.Chmod(filepath.Join(root, "closed"), 0o700)) })
	names, err := opened(t, root).Files(t.Context())
	want := []string{"a.txt", "huge.txt"}
	if os.Geteuid() == 0 {
		want = []string{"a.txt", "closed/b.txt", "huge.txt"}
	}
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("listed %q, %v, want %q", names, err, want)
	}
	if found := find(t, root, "Where does the heron stand?"); len(found) == 0 || found[0].Path != "a.txt" {
		t.Errorf("found %+v", found)
	}
}

// A walk ends with its context, also in the middle of a large folder.
func TestCanceledWalk(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("d%d/f.txt", i)] = "x\n"
	}
	root := writeTree(t, files)
	ctx, cancel := context.WithCancel(t.Context())
	visited := 0
	err := Files(ctx, root, func(*os.Root, string, os.DirEntry) error {
		visited++
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || visited != 1 {
		t.Errorf("%d files were visited, %v", visited, err)
	}
	if _, err := opened(t, root).Files(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("listed with a canceled context: %v", err)
	}
}

func TestVirtualFolder(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("no /proc here")
	}
	if names, err := opened(t, "/proc").Files(t.Context()); !errors.Is(err, errNoFiles) {
		t.Errorf("/proc has %d files, %v", len(names), err)
	}
}

func TestTooWide(t *testing.T) {
	t.Parallel()
	home := writeTree(t, map[string]string{"work/a.txt": "x\n", "repository/a.txt": "x\n"})
	gitIn(t, filepath.Join(home, "repository"), "init", "-q")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(home, link); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]bool{
		"/": true, "//": true, home: true, home + "/": true, link: true, filepath.Join(home, "work"): false,
		filepath.Join(home, "repository"): false,
	} {
		if got := TooWide(dir, home); got != want {
			t.Errorf("%s: %t, want %t", dir, got, want)
		}
	}
	if TooWide(home, filepath.Join(home, "repository")) || TooWide(filepath.Join(home, "repository"), filepath.Join(home, "repository")) {
		t.Error("a folder that holds a home folder, or a home folder with a repository, is too wide")
	}
}
