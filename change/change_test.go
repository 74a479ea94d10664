package change

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moot/internal/redact"
)

// newRepository makes a repository whose branch main has the commit one: a.go, b.go and lib/c.go.
func newRepository(t *testing.T) *hider {
	t.Helper()
	r := &hider{t: t, dir: t.TempDir()}
	r.git("init", "-q", "-b", "main")
	r.write("a.go", "package a\n\nconst one = 1\n")
	r.write("b.go", "package a\n\nconst two = 2\n")
	r.write("lib/c.go", "package lib\n\nfunc Three() int {\n\treturn 3\n}\n")
	r.commit("one")
	return r
}

func (h *hider) commit(subject string) {
	h.t.Helper()
	h.git("add", "-A")
	h.git("commit", "-qm", subject)
}

// read reads a change, and returns its files as "path status", those that are ignored or withheld in parentheses.
func (h *hider) read(o Options) (m *Material, files string, err error) {
	h.t.Helper()
	if o.Folder == "" {
		o.Folder = h.dir
	}
	m, err = Read(h.t.Context(), o)
	if err != nil {
		return nil, "", err
	}
	h.t.Cleanup(m.Close)
	var list []string
	for _, f := range m.Files {
		text := f.Path + " " + string(f.Status)
		if f.From != "" {
			text = f.From + " > " + text
		}
		if f.Diff == "" {
			text = "(" + text + ")"
		}
		list = append(list, text)
	}
	return m, strings.Join(list, ", "), nil
}

// TestChanges reads changes of all kinds: what is compared, and how the change is named.
func TestChanges(t *testing.T) {
	t.Parallel()
	work := func(r *hider) {
		r.git("checkout", "-qb", "work")
		r.write("a.go", "package a\n\nconst one = 11\n")
		r.commit("eleven")
		r.write("d.go", "package a\n")
		r.commit("new file")
	}
	behind := func(r *hider) {
		work(r)
		r.git("checkout", "-q", "main")
		r.write("b.go", "package a\n\nconst two = 22\n")
		r.commit("of main")
		r.git("checkout", "-q", "work")
	}
	for _, c := range []struct {
		name  string
		do    func(r *hider)
		o     Options
		title string
		files string
		// fails is a part of the error.
		fails string
	}{
		{
			name: "the working tree", do: func(r *hider) { r.write("b.go", "package a\n"); r.write("new.txt", "x\n") },
			title: "Review of the working tree (2 files)", files: "b.go modified, new.txt added",
		},
		{name: "no change", do: func(*hider) {}, fails: "no file changed since main"},
		{
			name: "commits that are not pushed", do: func(r *hider) {
				r.git("clone", "-q", "--bare", ".", "../"+filepath.Base(r.dir)+".git")
				r.t.Cleanup(func() { _ = os.RemoveAll(r.dir + ".git") })
				r.git("remote", "add", "origin", r.dir+".git")
				r.git("fetch", "-q", "origin")
				r.git("branch", "-q", "--set-upstream-to=origin/main")
				r.write("a.go", "package a\n")
				r.commit("shorter")
				r.write("b.go", "package b\n")
			},
			title: "Review of 1 commit and the working tree on branch main (2 files)", files: "a.go modified, b.go modified",
		},
		{
			name: "a branch", do: behind, o: Options{Revision: "main"},
			title: "Review of 2 commits on branch work (2 files)", files: "a.go modified, d.go added",
		},
		{
			name: "a range", do: behind, o: Options{Revision: "main..work"},
			title: "Review of main..work (3 files)", files: "a.go modified, b.go modified, d.go added",
		},
		{
			name: "a range since both parted", do: behind, o: Options{Revision: "main...work"},
			title: "Review of 2 commits on branch work (2 files)", files: "a.go modified, d.go added",
		},
		{
			name: "a range without an end", do: work, o: Options{Revision: "main.."},
			title: "Review of 2 commits on branch work (2 files)", files: "a.go modified, d.go added",
		},
		{
			name: "a commit", do: work, o: Options{Revision: "HEAD~1"},
			title: `Review of commit HASH "eleven" (1 file)`, files: "a.go modified",
		},
		{
			name: "the first commit", do: func(*hider) {}, o: Options{Revision: "HEAD"},
			title: `Review of commit HASH "one" (3 files)`, files: "a.go added, b.go added, lib/c.go added",
		},
		{
			name: "a merge", do: func(r *hider) {
				behind(r)
				r.git("checkout", "-q", "main")
				r.git("merge", "-q", "--no-ff", "-m", "merged", "work")
			}, o: Options{Revision: "HEAD"},
			title: `Review of merge commit HASH "merged" against its first parent (2 files)`,
			files: "a.go modified, d.go added",
		},
		{
			name: "a detached head", do: func(r *hider) { work(r); r.git("checkout", "-q", "--detach") },
			o: Options{Revision: "main"}, title: "Review of 2 commits since main (2 files)",
			files: "a.go modified, d.go added",
		},
		{name: "the branch that is checked out", do: work, o: Options{Revision: "work"}, fails: "work is checked out"},
		{
			name: "a branch with nothing new on HEAD", do: func(r *hider) { work(r); r.git("checkout", "-q", "main") },
			o: Options{Revision: "work"}, fails: "HEAD has no commit that work does not have",
		},
		{name: "an unknown revision", do: work, o: Options{Revision: "nowhere"}, fails: "there is no commit nowhere here"},
		{name: "an empty range", do: work, o: Options{Revision: "HEAD..HEAD"}, fails: "HEAD..HEAD changes no file"},
		{
			name: "histories with nothing in common", do: func(r *hider) {
				r.git("checkout", "-q", "--orphan", "other")
				r.commit("other")
			}, o: Options{Revision: "main...other"}, fails: "main and other have no common commit",
		},
		{
			name: "the index", do: func(r *hider) {
				r.write("a.go", "package staged\n")
				r.git("add", "a.go")
				r.write("b.go", "package a // not staged\n")
			}, o: Options{Staged: true}, title: "Review of the index (1 file)", files: "a.go modified",
		},
		{
			name: "the index with files that are only intended", do: func(r *hider) {
				r.write("empty.txt", "")
				r.git("add", "empty.txt")
				r.write("later.go", "package later\n")
				r.git("add", "-N", "later.go")
			}, o: Options{Staged: true}, title: "Review of the index (1 file)", files: "empty.txt added",
		},
		{
			name: "a working tree with files that are only intended", do: func(r *hider) {
				r.write("later.go", "package later\n")
				r.git("add", "-N", "later.go")
			}, title: "Review of the working tree (1 file)", files: "later.go added",
		},
		{name: "an empty index", do: func(*hider) {}, o: Options{Staged: true}, fails: "the index has no change"},
		{
			name: "an index with conflicts", do: func(r *hider) {
				work(r)
				r.git("checkout", "-q", "main")
				r.write("a.go", "package a\n\nconst one = 12\n")
				r.commit("twelve")
				_ = r.try("merge", "-q", "work")
			}, o: Options{Staged: true}, fails: "a merge is not finished: a.go has conflicts",
		},
		{
			name: "a renamed file", do: func(r *hider) {
				r.git("mv", "lib/c.go", "lib/moved.go")
				r.commit("moved")
			}, o: Options{Revision: "HEAD"}, title: `Review of commit HASH "moved" (1 file)`,
			files: "lib/c.go > lib/moved.go renamed",
		},
		{
			name: "modes, links, binary files and submodules", do: func(r *hider) {
				r.git("update-index", "--chmod=+x", "a.go")
				r.write("binary", strings.Repeat("\x00\x01\x02\xff", 99))
				r.git("add", "binary")
				r.git("update-index", "--add", "--cacheinfo", "160000,"+strings.Repeat("1", 40)+",module")
				id := r.git("hash-object", "-w", "b.go")
				r.git("update-index", "--add", "--cacheinfo", "120000,"+id+",link")
				r.git("rm", "-q", "--cached", "b.go")
				r.git("commit", "-qm", "kinds")
			}, o: Options{Revision: "HEAD"}, title: `Review of commit HASH "kinds" (5 files)`,
			files: "a.go modified, b.go deleted, (binary added), link added, (module added)",
		},
		{
			name: "a name that is not UTF-8", do: func(r *hider) {
				r.git("config", "core.precomposeunicode", "false")
				id := r.git("hash-object", "-w", "b.go")
				r.git("update-index", "--add", "--cacheinfo", "100644,"+id+",na\xefve.go")
				r.git("commit", "-qm", "odd")
			}, o: Options{Revision: "HEAD"}, title: `Review of commit HASH "odd" (1 file)`, files: "na\uFFFDve.go added",
		},
		{
			name: "some paths", do: work, o: Options{Revision: "main", Paths: []string{"d.go", "lib"}},
			title: "Review of 2 commits on branch work (1 of 2 files)", files: "(a.go modified), d.go added",
		},
		{
			name: "no such path", do: work, o: Options{Revision: "main", Paths: []string{"docs"}},
			fails: "the change has 2 files, and nothing of it is among the paths you named",
		},
		{
			name: "a path outside", do: work, o: Options{Revision: "main", Paths: []string{"../x"}},
			fails: "is outside of the repository",
		},
		{
			name: "ignored files", do: work, o: Options{Revision: "main", Ignore: []string{"d.*", "docs/**"}},
			title: "Review of 2 commits on branch work (1 of 2 files)", files: "a.go modified, (d.go added)",
		},
		{name: "only ignored files", do: work, o: Options{Revision: "main", Ignore: []string{"*.go"}}, fails: "leaves out all of the 2"},
		{name: "a bad glob", do: work, o: Options{Revision: "main", Ignore: []string{"[a"}}, fails: "is not a valid glob"},
		{
			name: "a repository in the folder", do: func(r *hider) {
				r.write("a.go", "package b\n")
				r.git("init", "-q", "own")
				r.write("own/x", "x\n")
			}, title: "Review of the working tree (2 files)", files: "a.go modified, (own added)",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRepository(t)
			c.do(r)
			m, files, err := r.read(c.o)
			if c.fails != "" {
				if mistake := (*Error)(nil); !errors.As(err, &mistake) || !strings.Contains(err.Error(), c.fails) {
					t.Fatalf("the error is %v, want %q", err, c.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			title := c.title
			if before, after, found := strings.Cut(title, "HASH"); found {
				title = before + r.git("rev-parse", "--short", c.o.Revision) + after
			}
			if m.Title != title || files != c.files {
				t.Errorf("%s: %s\nwant %s: %s", m.Title, files, title, c.files)
			}
			for _, w := range m.Withheld {
				if w.Reason == "" {
					t.Errorf("%s is withheld without a reason", w.Path)
				}
			}
		})
	}
}

// try runs git, which may fail.
func (h *hider) try(args ...string) (err error) {
	h.t.Helper()
	return h.command(args...).Run()
}

func TestShallowClonesNeedTheParent(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write("a.go", "package b\n")
	r.commit("two")
	shallow := &hider{t: t, dir: t.TempDir()}
	shallow.git("clone", "-q", "--depth=1", "file://"+r.dir, ".")
	_, _, err := shallow.read(Options{Revision: "HEAD"})
	if err == nil || !strings.Contains(err.Error(), "git fetch --deepen=1 brings it") {
		t.Errorf("the error is %v", err)
	}
}

func TestPatches(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.git("checkout", "-qb", "work")
	r.write("a.go", "package a\n\nconst one = 11\n")
	r.commit("eleven")
	r.write("a.go", "package a\n\n// More.\nconst one = 111\n")
	r.write("d.go", "package a\n")
	r.commit("more")
	series := r.git("format-patch", "--stdout", "main..work") + "\n"
	r.git("checkout", "-q", "main")
	patch := func(name string) Options { return Options{Patch: &Patch{Name: name, Text: []byte(series)}} }

	m, files, err := r.read(patch("dir/fix.diff"))
	if err != nil {
		t.Fatal(err)
	}
	if m.Title != "Review of fix.diff (2 files)" || files != "a.go modified, d.go added" || m.Tree == "" {
		t.Errorf("%s: %s in %q", m.Title, files, m.Tree)
	}
	if !strings.Contains(m.Files[0].Diff, "+const one = 111") || strings.Contains(m.Files[0].Diff, "const one = 11\n") {
		t.Errorf("the commits are not one change:\n%s", m.Files[0].Diff)
	}

	// Elsewhere the hunks of several commits count different lines, so they are no diff together.
	elsewhere := &hider{t: t, dir: t.TempDir()}
	elsewhere.git("init", "-q")
	m, files, err = elsewhere.read(patch("-"))
	if err != nil {
		t.Fatal(err)
	}
	if m.Title != "Review of the patch from standard input (2 files)" || files != "(a.go modified), d.go added" || m.Tree != "" {
		t.Errorf("%s: %s in %q", m.Title, files, m.Tree)
	}
	if len(m.Withheld) != 1 || !strings.Contains(m.Withheld[0].Reason, "several commits of the patch change it") {
		t.Errorf("withheld: %+v", m.Withheld)
	}
	for _, text := range []string{"", "hello\n", "@@@ -1 -1 +1 @@@\n", "--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n"} {
		if _, _, err := r.read(Options{Patch: &Patch{Name: "-", Text: []byte(text)}}); err == nil {
			t.Errorf("no error for %q", text)
		}
	}
}

// TestFunctionContext changes the middle of functions. Their beginning is shown if it is at most 20 lines away.
func TestFunctionContext(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	function := func(middle string, lines int) string {
		text := "package a\n\nfunc Long() {\n"
		for i := range lines {
			if i == lines/2 {
				text += "\t" + middle + "\n"
			}
			text += fmt.Sprintf("\tline%d()\n", i)
		}
		return text + "}\n\nvar after = 1\n"
	}
	for _, c := range []struct{ lines, context int }{{8, 8}, {30, 19}, {200, 6}} {
		r.write("long.go", function("before()", c.lines))
		r.commit("before")
		r.write("long.go", function("after()", c.lines))
		m, _, err := r.read(Options{})
		if err != nil {
			t.Fatal(err)
		}
		r.commit("after")
		context := 0
		for _, hunk := range m.Files[0].Hunks() {
			for _, line := range hunk.Lines {
				if line.Sign == ' ' {
					context++
				}
			}
		}
		if context != c.context || m.Files[0].Hunks()[0].Symbol != "func Long() {" {
			t.Errorf("%d lines of context for a function of %d lines:\n%s", context, c.lines, m.Files[0].Diff)
		}
	}
}

func TestTextsKeepTheirLineEnds(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	r.write(".gitattributes", "* text=auto eol=lf\n")
	id := r.put("one\r\ntwo\r\n")
	r.git("update-index", "--add", "--cacheinfo", "100644,"+id+",dos.txt")
	r.git("commit", "-qm", "dos")
	m, _, err := r.read(Options{Revision: "HEAD"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := m.Files[0].Diff; !strings.Contains(diff, "+one\r\n+two\r\n") {
		t.Errorf("the diff is %q", diff)
	}
}

// put stores a text as an object.
func (h *hider) put(text string) string {
	h.t.Helper()
	cmd := h.command("hash-object", "-w", "--stdin")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		h.t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestSurroundingFiles(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	for i := range 60 {
		r.write(fmt.Sprintf("many/f%02d.go", i), "package many\n")
	}
	r.commit("many")
	r.write("many/f30.go", "package other\n")
	r.write("a.go", "package other\n")
	m, _, err := r.read(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if around := m.Files[0].Around; !slices.Equal(around, []string{"b.go", "lib/", "many/"}) {
		t.Errorf("beside a.go: %q", around)
	}
	if around := m.Files[1].Around; len(around) != maxAround || !slices.Contains(around, "f29.go") ||
		!slices.Contains(around, "f31.go") || slices.Contains(around, "f30.go") {
		t.Errorf("beside many/f30.go: %q", around)
	}
}

func TestKeysAreTakenOut(t *testing.T) {
	t.Parallel()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	r := newRepository(t)
	key := "sk-proj-" + strings.Repeat("aB3dE5", 8)
	r.write("a.go", "package a\n\nconst key = \""+key+"\"\nconst two = 2\n")
	m, _, err := r.read(Options{Redact: redactor.Named})
	if err != nil {
		t.Fatal(err)
	}
	if diff := m.Files[0].Diff; strings.Contains(diff, key) || !strings.Contains(diff, "+const two = 2") {
		t.Errorf("the diff is\n%s", diff)
	}
	if len(m.Withheld) != 1 || m.Withheld[0].Lines != "3" || m.Redacted != 1 {
		t.Errorf("withheld %+v, redacted %d", m.Withheld, m.Redacted)
	}
}

func TestCopiesForPrograms(t *testing.T) {
	t.Parallel()
	r := newRepository(t)
	for _, name := range []string{
		"CLAUDE.md", "docs/AGENTS.md", ".claude/settings.json", ".mcp.json", "x/.cursor/rules/a.mdc",
		".github/copilot-instructions.md", "Gemini.md", ".env",
	} {
		r.write(name, "steers\n")
	}
	r.write("docs/claude.txt", "does not steer\n")
	r.commit("steering")
	r.write("a.go", "package changed\n")
	m, _, err := r.read(Options{})
	if err != nil {
		t.Fatal(err)
	}
	tree, err := m.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for range 2 {
		folder, err := CopyForPrograms(t.Context(), tree, nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		if err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() {
				name, _ := filepath.Rel(folder, path)
				names = append(names, filepath.ToSlash(name))
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		if want := []string{"a.go", "b.go", "docs/claude.txt", "lib/c.go"}; !slices.Equal(names, want) {
			t.Errorf("the copy has %q, want %q", names, want)
		}
		if text, err := os.ReadFile(filepath.Join(folder, "a.go")); err != nil || string(text) != "package changed\n" {
			t.Errorf("a.go has %q, %v", text, err)
		}
		if err := os.WriteFile(filepath.Join(folder, "a.go"), []byte("of another program"), 0o600); err != nil {
			t.Fatal(err)
		}
		folders = append(folders, folder)
	}
	if err := tree.Close(); err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s was left behind", folder)
		}
	}
}

// TestSteeringNames checks names in any case and place.
func TestSteeringNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"CLAUDE.md": true, "a/b/claude.MD": true, ".claude/commands/x.md": true, "a/.vscode/tasks.json": true, ".envrc": true,
		".aider.conf.yml": true, "claude.go": false, "docs/claude/x.md": false, "agents.md.txt": false,
	} {
		if Steers(name) != want {
			t.Errorf("Steers(%q) = %v", name, !want)
		}
	}
	if !IsGenerated("a/go.sum") || IsGenerated("sum.go") {
		t.Error("wrong names of generated files")
	}
}
