package git

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

// start makes a repository with two commits and a change in the work tree.
func start(t testing.TB, options ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "w")
	gitIn(t, ".", append(append([]string{"init", "-q", "-b", "main"}, options...), dir)...)
	put(t, dir, "a.go", "package a\n\nconst n = 3\n")
	put(t, dir, "sub/b.txt", "one\ntwo\n")
	gitIn(t, dir, "add", ".")
	gitIn(t, dir, "commit", "-qm", "one")
	put(t, dir, "a.go", "package a\n\nconst n = 4\n")
	gitIn(t, dir, "commit", "-qam", "two")
	put(t, dir, "a.go", "package a\n\nconst n = 5\n")
	return dir
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// gitIn runs git as a user would, to make repositories.
func gitIn(t testing.TB, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@example.com", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		errors.As(err, &exit)
		t.Fatalf("git %v: %v\n%s", args, err, exit.Stderr)
	}
	return strings.TrimSpace(string(out))
}

// look does all that moot does with a repository, and returns the differences and files that it saw, and the errors.
func look(ctx context.Context, dir string) (seen string, failures error) {
	r, err := Open(ctx, dir)
	if err != nil {
		return "", err
	}
	defer r.Close()
	files, err := r.Files(ctx, dir)
	failures = errors.Join(failures, err)
	head, err := r.Commit(ctx, "HEAD")
	failures = errors.Join(failures, err)
	for _, worktree := range []bool{true, false} {
		from, to := head, head
		var withheld []Withheld
		if worktree {
			snapshot, err := r.WorkTree(ctx, head, true)
			failures = errors.Join(failures, err)
			if err != nil {
				continue
			}
			to, withheld = snapshot.Tree, snapshot.Withheld
		} else {
			from, _, err = r.Parent(ctx, head)
			failures = errors.Join(failures, err)
			if err != nil {
				continue
			}
			if from == "" {
				from = r.EmptyTree()
			}
		}
		changes, err := r.Changes(ctx, from, to)
		failures = errors.Join(failures, err)
		hidden := map[string]bool{}
		failures = errors.Join(failures, r.Contents(ctx, changes, func(i int, _ bool, _ []byte, why string) error {
			if path := changes[i].Path; why != "" && !hidden[path] {
				hidden[path] = true
				withheld = append(withheld, Withheld{path, why})
			}
			return nil
		}))
		changes = slices.DeleteFunc(changes, func(c Change) bool { return hidden[c.Path] })
		parts := map[int]string{}
		failures = errors.Join(failures, r.Hunks(ctx, changes, 1<<20, func(i int, hunks string) { parts[i] = hunks }))
		for i, c := range changes {
			seen += fmt.Sprintf("%s -> %s %s -> %s\n%s", c.From, c.Path, c.Was.Mode, c.Now.Mode, parts[i])
		}
		for _, w := range withheld {
			seen += "withheld " + w.Path + ": " + w.Reason + "\n"
		}
	}
	_, _, err = r.Subject(ctx, head)
	failures = errors.Join(failures, err)
	r.Name(ctx, "main")
	if short, err := r.Short(ctx, "HEAD"); err == nil {
		seen += "branch " + short + "\n"
	}
	tree, err := OpenTree(ctx, dir, head)
	failures = errors.Join(failures, err)
	if err == nil {
		for _, name := range tree.Names() {
			content, err := tree.Read(name, 1<<20)
			failures = errors.Join(failures, err)
			seen += "content " + name + ": " + string(content)
		}
		_, err = tree.Copy(ctx)
		failures = errors.Join(failures, err, tree.Close())
	}
	return seen + "files " + strings.Join(files, " ") + "\n", failures
}

// Clones, archives and work trees of every kind are read, or named.
func TestKindsOfRepositories(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		make func(t *testing.T, dir string) string
		// want must be seen, and fails must be in the error.
		want  []string
		fails string
	}{
		"an ordinary one": {func(_ *testing.T, dir string) string { return dir }, []string{
			"-const n = 4\n+const n = 5", "-const n = 3\n+const n = 4", "content a.go: package a\n\nconst n = 4",
			"files a.go sub/b.txt", "branch main",
		}, ""},
		"a folder of it": {func(_ *testing.T, dir string) string { return filepath.Join(dir, "sub") }, []string{
			"+const n = 5", "content b.txt: one", "files b.txt",
		}, ""},
		"packed": {func(t *testing.T, dir string) string {
			gitIn(t, dir, "gc", "-q")
			gitIn(t, dir, "pack-refs", "--all")
			return dir
		}, []string{"+const n = 5", "+const n = 4"}, ""},
		"a new file, a link, a program and a deleted file": {func(t *testing.T, dir string) string {
			put(t, dir, "new.txt", "new text\n")
			if err := errors.Join(os.Remove(filepath.Join(dir, "sub", "b.txt")), os.Symlink("/etc/passwd", filepath.Join(dir, "l")),
				os.Chmod(filepath.Join(dir, "a.go"), 0o700)); err != nil {
				t.Skip(err)
			}
			return dir
		}, []string{"+new text", " -> sub/b.txt 100644 -> \n", " -> l  -> 120000", "+/etc/passwd\n\\ No newline", "a.go 100644 -> 100755"}, ""},
		"a folder became a link": {func(t *testing.T, dir string) string {
			put(t, dir, "other/b.txt", "one\ntwo\n")
			if err := errors.Join(os.RemoveAll(filepath.Join(dir, "sub")), os.Symlink("other", filepath.Join(dir, "sub"))); err != nil {
				t.Skip(err)
			}
			return dir
		}, []string{"sub/b.txt -> other/b.txt 100644", " -> sub  -> 120000"}, ""},
		"a linked work tree": {func(t *testing.T, dir string) string {
			gitIn(t, dir, "worktree", "add", "-q", "../linked", "-b", "side")
			put(t, dir, "../linked/a.go", "package a\n\nconst n = 6\n")
			return filepath.Join(filepath.Dir(dir), "linked")
		}, []string{"+const n = 6", "branch side"}, ""},
		"a submodule": {func(t *testing.T, dir string) string {
			outer := filepath.Join(filepath.Dir(dir), "outer")
			gitIn(t, ".", "init", "-q", "-b", "main", outer)
			gitIn(t, outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", dir, "m")
			gitIn(t, outer, "commit", "-qm", "with m")
			return outer
		}, []string{"withheld m: it is a submodule", "files .gitmodules m"}, ""},
		"in a submodule": {func(t *testing.T, dir string) string {
			outer := filepath.Join(filepath.Dir(dir), "outer")
			gitIn(t, ".", "init", "-q", "-b", "main", outer)
			gitIn(t, outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", dir, "m")
			put(t, outer, "m/a.go", "package a\n\nconst n = 7\n")
			return filepath.Join(outer, "m")
		}, []string{"+const n = 7"}, ""},
		"a repository inside": {func(t *testing.T, dir string) string {
			gitIn(t, dir, "init", "-q", "in")
			put(t, dir, "in/x.txt", "x\n")
			gitIn(t, filepath.Join(dir, "in"), "add", ".")
			gitIn(t, filepath.Join(dir, "in"), "commit", "-qm", "x")
			return dir
		}, []string{"withheld in: it is a repository of its own"}, ""},
		"a clone of which nothing is checked out": {func(t *testing.T, dir string) string {
			gitIn(t, ".", "clone", "-qn", dir, dir+"-n")
			return dir + "-n"
		}, []string{"-const n = 3\n+const n = 4", "content a.go: package a"}, ""},
		"a shallow clone": {func(t *testing.T, dir string) string {
			gitIn(t, ".", "clone", "-q", "--depth", "1", "file://"+dir, dir+"-s")
			put(t, dir, "../w-s/a.go", "package a\n\nconst n = 8\n")
			return dir + "-s"
		}, []string{"-const n = 4\n+const n = 8"}, "is not in this shallow clone"},
		"a partial clone": {func(t *testing.T, dir string) string {
			gitIn(t, dir, "config", "uploadpack.allowFilter", "true")
			gitIn(t, ".", "clone", "-q", "--filter=blob:none", "file://"+dir, dir+"-p")
			return dir + "-p"
		}, []string{"withheld a.go: its contents are not in this clone", "content a.go: package a\n\nconst n = 4"}, ""},
		"a shared clone": {func(t *testing.T, dir string) string {
			gitIn(t, ".", "clone", "-q", "--shared", dir, dir+"-a")
			return dir + "-a"
		}, nil, "keeps objects in another place"},
		"with extensions.worktreeConfig": {func(t *testing.T, dir string) string {
			gitIn(t, dir, "config", "extensions.worktreeConfig", "true")
			gitIn(t, dir, "config", "--worktree", "diff.external", "touch ran")
			return dir
		}, []string{"+const n = 5"}, ""},
		"with a split index": {func(t *testing.T, dir string) string {
			gitIn(t, dir, "update-index", "--split-index")
			return dir
		}, []string{"+const n = 5", "files a.go sub/b.txt"}, ""},
		"with a sparse index": {func(t *testing.T, dir string) string {
			put(t, dir, "kept/c.txt", "c\n")
			gitIn(t, dir, "add", ".")
			gitIn(t, dir, "commit", "-qm", "three")
			gitIn(t, dir, "sparse-checkout", "set", "--cone", "--sparse-index", "kept")
			put(t, dir, "kept/c.txt", "d\n")
			return dir
		}, []string{"-c\n+d", "content sub/b.txt: one"}, ""},
		"with an unknown extension": {func(t *testing.T, dir string) string {
			gitIn(t, dir, "config", "core.repositoryFormatVersion", "1")
			gitIn(t, dir, "config", "extensions.rot13", "true")
			return dir
		}, nil, "extensions.rot13, which moot does not know"},
		"with another work tree": {func(t *testing.T, dir string) string {
			gitIn(t, dir, "config", "core.worktree", t.TempDir())
			return dir
		}, nil, "core.worktree of the repository names another work tree"},
		"that ignores by a file outside of it": {func(t *testing.T, dir string) string {
			gitIn(t, dir, "config", "core.excludesFile", filepath.Join(t.TempDir(), "ignore"))
			return dir
		}, nil, "names a file outside of it"},
		"replaced objects": {func(t *testing.T, dir string) string {
			gitIn(t, dir, "replace", "HEAD", "HEAD~1")
			return dir
		}, []string{"-const n = 3\n+const n = 4", "content a.go: package a\n\nconst n = 4"}, ""},
		"grafted": {func(t *testing.T, dir string) string {
			put(t, dir, ".git/info/grafts", gitIn(t, dir, "rev-parse", "HEAD")+"\n")
			return dir
		}, []string{"-const n = 3\n+const n = 4"}, ""},
		"damaged": {func(t *testing.T, dir string) string {
			put(t, dir, ".git/config", "[core\n")
			return dir
		}, nil, "the configuration of the repository is damaged"},
		"with its objects behind a link": {func(t *testing.T, dir string) string {
			other := filepath.Join(t.TempDir(), "objects")
			if err := errors.Join(os.Rename(filepath.Join(dir, ".git", "objects"), other),
				os.Symlink(other, filepath.Join(dir, ".git", "objects"))); err != nil {
				t.Skip(err)
			}
			return dir
		}, nil, "keeps objects in another place"},
		"a git file that names a repository of the user": {func(t *testing.T, dir string) string {
			put(t, dir, "../archive/.git", "gitdir: "+filepath.Join(dir, ".git")+"\n")
			return filepath.Join(filepath.Dir(dir), "archive")
		}, nil, "does not name"},
		"a git file that names a work tree of the user": {func(t *testing.T, dir string) string {
			gitIn(t, dir, "worktree", "add", "-q", "../linked", "-b", "side")
			put(t, dir, "../archive/.git", "gitdir: "+filepath.Join(dir, ".git", "worktrees", "linked")+"\n")
			return filepath.Join(filepath.Dir(dir), "archive")
		}, nil, "belongs to another work tree"},
		"a common folder that is a repository of the user": {func(t *testing.T, dir string) string {
			gitIn(t, ".", "init", "-q", dir+"-c")
			put(t, dir, "../w-c/.git/commondir", filepath.Join(dir, ".git")+"\n")
			return dir + "-c"
		}, nil, "does not know it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := c.make(t, start(t))
			seen, err := look(t.Context(), dir)
			for _, want := range c.want {
				if !strings.Contains(seen, want) {
					t.Errorf("%q is missing in:\n%s\n%v", want, seen, err)
				}
			}
			if c.fails == "" && err != nil || err != nil && !strings.Contains(err.Error(), c.fails) || c.fails != "" && err == nil {
				t.Errorf("error %v, want %q", err, c.fails)
			}
			if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
				t.Error("a program ran")
			}
		})
	}
}

// A repository whose objects are named by SHA-256 is read like others.
func TestSHA256(t *testing.T) {
	t.Parallel()
	seen, err := look(t.Context(), start(t, "--object-format=sha256"))
	if err != nil || !strings.Contains(seen, "-const n = 4\n+const n = 5") || !strings.Contains(seen, "content a.go: package a\n\nconst n = 4") {
		t.Errorf("%v\n%s", err, seen)
	}
}

// Without a commit, or a HEAD, or a repository, the error says so.
func TestWithoutCommit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var failed *Error
	if _, err := Open(t.Context(), dir); !errors.As(err, &failed) || !failed.NoRepository {
		t.Errorf("no repository: %v", err)
	}
	gitIn(t, dir, "init", "-q")
	put(t, dir, "a.txt", "a\n")
	r, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if files, err := r.Files(t.Context(), dir); err != nil || !slices.Equal(files, []string{"a.txt"}) {
		t.Errorf("no commit: %v, %v", files, err)
	}
	if _, err := r.Commit(t.Context(), "HEAD"); err == nil {
		t.Error("there is a commit")
	}
	if err := os.Remove(filepath.Join(dir, ".git", "HEAD")); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), dir); !errors.As(err, &failed) || !failed.NoRepository {
		t.Errorf("no HEAD: %v", err)
	}
}

// A change is found by its content: no time, size or mark of the index hides it.
func TestHiddenEdits(t *testing.T) {
	t.Parallel()
	for name, hide := range map[string]func(t *testing.T, dir string){
		"the same size in the second of the commit": func(*testing.T, string) {},
		"assumed to be unchanged": func(t *testing.T, dir string) {
			gitIn(t, dir, "update-index", "--assume-unchanged", "a.go")
		},
		"left out of a sparse checkout": func(t *testing.T, dir string) {
			gitIn(t, dir, "update-index", "--skip-worktree", "a.go")
		},
		"without the times of changes": func(t *testing.T, dir string) {
			gitIn(t, dir, "config", "core.trustctime", "false")
			gitIn(t, dir, "config", "core.checkStat", "minimal")
		},
		"by a commit graph, a cache of new files and a monitor": func(t *testing.T, dir string) {
			gitIn(t, dir, "config", "core.fsmonitor", "true")
			gitIn(t, dir, "commit-graph", "write", "--reachable")
		},
		"not text for git": func(t *testing.T, dir string) {
			put(t, dir, ".git/info/attributes", "* -diff -text\n")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := start(t)
			file := filepath.Join(dir, "a.go")
			old := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
			put(t, dir, "a.go", "package a\n\nconst n = 4\n")
			if err := os.Chtimes(file, old, old); err != nil {
				t.Fatal(err)
			}
			gitIn(t, dir, "add", "a.go")
			hide(t, dir)
			put(t, dir, "a.go", "package a\n\nconst n = 9\n")
			if err := os.Chtimes(file, old, old); err != nil {
				t.Fatal(err)
			}
			if seen, err := look(t.Context(), dir); err != nil || !strings.Contains(seen, "-const n = 4\n+const n = 9") {
				t.Errorf("%v\n%s", err, seen)
			}
		})
	}
}

// What git converts when it checks files out is no change, and hides none.
func TestConversions(t *testing.T) {
	t.Parallel()
	dir := start(t)
	put(t, dir, "a.go", "package a\n\nconst n = 4\n")
	put(t, dir, ".gitattributes", "*.bat text eol=crlf\n*.id ident\n*.bin filter=lfs\n")
	put(t, dir, "same.bat", "echo one\necho two\n")
	put(t, dir, "other.bat", "echo one\necho two\n")
	put(t, dir, "same.id", "// $Id$\nx\n")
	put(t, dir, "other.id", "// $Id$\nx\n")
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" +
		"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\nsize 5\n"
	put(t, dir, "same.bin", pointer)
	put(t, dir, "other.bin", pointer)
	put(t, dir, "lines.txt", "one\ntwo\n")
	gitIn(t, dir, "add", ".")
	gitIn(t, dir, "commit", "-qm", "converted")
	id := gitIn(t, dir, "rev-parse", "HEAD:same.id")
	put(t, dir, "same.bat", "echo one\r\necho two\r\n")
	put(t, dir, "other.bat", "echo one\r\necho 2\r\n")
	put(t, dir, "same.id", "// $Id: "+id+" $\nx\n")
	put(t, dir, "other.id", "// $Id: */ run() /* $\nx\n")
	put(t, dir, "same.bin", "hello")
	put(t, dir, "other.bin", "jello")
	put(t, dir, "lines.txt", "one\r\ntwo\r\n")
	seen, err := look(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"-echo two\n+echo 2\n", "+// $Id: */ run() /* $", "+jello", "+one\r\n+two\r\n"} {
		if !strings.Contains(seen, want) {
			t.Errorf("%q is missing in:\n%s", want, seen)
		}
	}
	before, _, _ := strings.Cut(seen, " -> .gitattributes  -> 100644")
	for _, unwanted := range []string{" -> same.", "-echo one"} {
		if strings.Contains(before, unwanted) {
			t.Errorf("%q is in:\n%s", unwanted, before)
		}
	}
}

// Text with a NUL byte inside is shown as text. Binary files and very large ones are withheld.
func TestBinaries(t *testing.T) {
	t.Parallel()
	dir := start(t)
	put(t, dir, "hidden.go", "package a\n\nfunc init() { backdoor() }\n// \x00\n")
	put(t, dir, "picture.png", "\x89PNG\x00\x00\x00\x01\x02\x03\x04\x05\x06")
	put(t, dir, "large.txt", strings.Repeat("a", maxBlob+1))
	seen, err := look(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"+func init() { backdoor() }", "withheld picture.png: it is a binary file", "withheld large.txt: it has more than 32 MiB",
	} {
		if !strings.Contains(seen, want) {
			t.Errorf("%q is missing in:\n%s", want, seen)
		}
	}
}

// An object that holds something else than its name says is no evidence.
func TestDamagedObject(t *testing.T) {
	t.Parallel()
	dir := start(t)
	one, two := gitIn(t, dir, "rev-parse", "HEAD:a.go"), gitIn(t, dir, "rev-parse", "HEAD~1:a.go")
	object := func(id string) string { return filepath.Join(dir, ".git", "objects", id[:2], id[2:]) }
	content, err := os.ReadFile(object(two))
	if err == nil {
		err = errors.Join(os.Remove(object(one)), os.WriteFile(object(one), content, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	if seen, err := look(t.Context(), dir); err == nil || strings.Contains(seen, "content a.go: package a\n\nconst n = 3") {
		t.Errorf("%v\n%s", err, seen)
	}
}

// A file of a commit that is too large is named, and git does not load it.
func TestLargeObject(t *testing.T) {
	t.Parallel()
	dir := start(t)
	put(t, dir, "large.txt", strings.Repeat("0\n", maxBlob))
	gitIn(t, dir, "add", ".")
	gitIn(t, dir, "commit", "-qm", "large")
	if err := os.Remove(filepath.Join(dir, "large.txt")); err != nil {
		t.Fatal(err)
	}
	seen, err := look(t.Context(), dir)
	if err != nil || strings.Contains(seen, "content large.txt") || strings.Count(seen, "withheld large.txt: it has more than 32 MiB") != 2 {
		t.Errorf("%v\n%s", err, seen[:min(len(seen), 2000)])
	}
}

// The files of a commit that is not there, as after a garbage collection, are an error that names it.
func TestTreeOfAMissingCommit(t *testing.T) {
	t.Parallel()
	commit := strings.Repeat("1", 40)
	if _, err := OpenTree(t.Context(), start(t), commit); err == nil || !strings.Contains(err.Error(), "there is no commit "+commit) {
		t.Error(err)
	}
}

// A difference that is larger than the limit is not cut, but refused; the others are read.
func TestLargeDiff(t *testing.T) {
	t.Parallel()
	dir := start(t)
	put(t, dir, "a.go", strings.Repeat("const n = 5\n", 2_600_000))
	put(t, dir, "new.go", "package b\n")
	r, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	snapshot, err := r.WorkTree(t.Context(), r.Head(), true)
	if err != nil {
		t.Fatal(err)
	}
	changes, err := r.Changes(t.Context(), r.Head(), snapshot.Tree)
	if err != nil || len(changes) != 2 {
		t.Fatalf("%v, %v", changes, err)
	}
	got := map[string]string{}
	err = r.Hunks(t.Context(), changes, 1<<10, func(i int, hunks string) { got[changes[i].Path] = hunks })
	if err != nil || len(got) != 2 || got["a.go"] != "" || !strings.Contains(got["new.go"], "+package b") {
		t.Errorf("%q, %v", got, err)
	}
}

// Nothing is written into the repository.
func TestNothingIsWritten(t *testing.T) {
	t.Parallel()
	dir := start(t)
	put(t, dir, "new.txt", "new\n")
	list := func() (all string) {
		err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
			info, infoErr := entry.Info()
			if err == nil && infoErr == nil {
				all += name + " " + info.ModTime().String() + "\n"
			}
			return errors.Join(err, infoErr)
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	before := list()
	if _, err := look(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	if after := list(); after != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, after)
	}
}
