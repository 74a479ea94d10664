package change

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReopen reads a change, changes everything in the folder, and opens the tree under review again.
func TestReopen(t *testing.T) {
	t.Parallel()
	changeAll := func(r *hider) {
		r.write("a.go", "package a\n\n// Not the last line.\nconst one = 11")
		r.write("new/empty.txt", "")
		r.write("new/d.go", "package d\n")
		r.git("mv", "lib/c.go", "lib/moved.go")
		r.write("lib/moved.go", "package lib\n\nfunc Three() int {\n\treturn 33\n}\n")
		if err := os.Remove(filepath.Join(r.dir, "b.go")); err != nil {
			r.t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(r.dir, "lib", "moved.go"), 0o755); err != nil {
			r.t.Fatal(err)
		}
	}
	reset := func(r *hider) {
		r.git("reset", "-q", "--hard")
		r.git("clean", "-qfd")
	}
	for _, c := range []struct {
		name string
		do   func(r *hider) Options
		// later changes the folder after the review began.
		later func(r *hider)
		// withheld are paths of which the session does not hold everything.
		withheld []string
		// note and fails are parts of the note and the error. without is a file that is left out.
		note, fails, without string
	}{
		{
			name: "the working tree as it was", do: func(r *hider) Options { changeAll(r); return Options{} },
			later: func(*hider) {},
		},
		{
			name: "a changed working tree", do: func(r *hider) Options { changeAll(r); return Options{} },
			later: reset, note: "they were made again",
		},
		{
			name: "a commit, and another branch", do: func(r *hider) Options {
				changeAll(r)
				r.commit("two")
				return Options{Revision: "HEAD"}
			}, later: func(r *hider) { r.git("checkout", "-q", "HEAD~1") },
		},
		{
			name: "the index as it was", do: func(r *hider) Options { changeAll(r); r.git("add", "-A"); return Options{Staged: true} },
			later: func(r *hider) { r.write("a.go", "package later\n") },
		},
		{
			name: "a changed index", do: func(r *hider) Options { changeAll(r); r.git("add", "-A"); return Options{Staged: true} },
			later: reset, note: "they were made again",
		},
		{
			name: "a patch", do: func(r *hider) Options {
				changeAll(r)
				r.git("add", "-A")
				text := r.git("diff", "--cached", "-M") + "\n"
				reset(r)
				return Options{Patch: &Patch{Name: "-", Text: []byte(text)}}
			}, later: func(r *hider) { r.write("a.go", "package other\n"); r.commit("later") }, note: "they were made again",
		},
		{
			name: "a binary file", do: func(r *hider) Options {
				changeAll(r)
				r.write("new/binary", strings.Repeat("\x00\x01\x02", 99))
				return Options{}
			}, later: reset, note: "except for 1 file, whose change it does not hold as a whole and which cannot be read now: new/binary",
			without: "new/binary",
		},
		{
			name: "withheld lines", do: func(r *hider) Options { changeAll(r); return Options{} }, later: reset,
			withheld: []string{"a.go"}, note: "except for 1 file", without: "a.go",
		},
		{
			name: "a commit that is gone", do: func(r *hider) Options {
				r.write("a.go", "package b\n")
				r.commit("two")
				changeAll(r)
				return Options{}
			}, later: func(r *hider) {
				r.git("reset", "-q", "--hard", "HEAD~1")
				r.git("reflog", "expire", "--expire=now", "--all")
				r.git("gc", "-q", "--prune=now")
			}, fails: "the commit that they were compared with cannot be read",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRepository(t)
			m, files, err := r.read(c.do(r))
			if err != nil {
				t.Fatal(err)
			}
			first, err := m.Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]string{}
			for _, name := range first.Names() {
				text, err := first.Read(name, 1<<20)
				if err != nil {
					t.Fatal(err)
				}
				want[name] = string(text)
			}
			if err := first.Close(); err != nil {
				t.Fatal(err)
			}
			c.later(r)
			recorded := Recorded{Change: &m.Change, Withheld: map[string]bool{}}
			for _, name := range c.withheld {
				recorded.Withheld[name] = true
			}
			tree, note, err := Reopen(t.Context(), r.dir, m.Tree, recorded)
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Fatalf("the error is %v", err)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v (%s)", err, files)
			}
			defer tree.Close()
			if (note != "") != (c.note != "") || !strings.Contains(note, c.note) {
				t.Errorf("the note is %q, want %q", note, c.note)
			}
			if c.without != "" {
				delete(want, c.without)
				if tree.Withheld(c.without) == "" {
					t.Errorf("%s is not withheld", c.without)
				}
			}
			if len(tree.Names()) != len(want) {
				t.Errorf("the tree has %q", tree.Names())
			}
			for name, text := range want {
				if got, err := tree.Read(name, 1<<20); err != nil || string(got) != text {
					t.Errorf("%s has %q, %v, want %q", name, got, err, text)
				}
			}
		})
	}
}
