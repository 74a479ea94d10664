package workspace

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shownBelow lists what the folder shows, by LIST and by READ, which must agree.
func shownBelow(t *testing.T, dir string) string {
	t.Helper()
	w := open(t, dir)
	files, err := w.Files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if why := w.guard.Secret(t.Context(), name, nil); why != "" {
			t.Errorf("%s is listed, but not read: %s", name, why)
		}
	}
	return strings.Join(files, " ")
}

// What git ignores is not shown, and what it tracks is, whatever .gitignore says.
func TestTrackedFilesAreShown(t *testing.T) {
	for name, c := range map[string]struct {
		files   map[string]string
		tracked []string
		want    string
	}{
		"a tracked file that a pattern names":    {map[string]string{".gitignore": "*.gen.go\n", "a.gen.go": "x\n", "b.gen.go": "x\n"}, []string{"a.gen.go"}, ".gitignore a.gen.go"},
		"a tracked file of an ignored folder":    {map[string]string{".gitignore": "dist/\n", "dist/a.js": "x\n", "dist/b.js": "x\n"}, []string{"dist/a.js"}, ".gitignore dist/a.js"},
		"everything is ignored":                  {map[string]string{".gitignore": "*\n", "a.go": "x\n", "c/b.go": "x\n", "c/d.go": "x\n"}, []string{"a.go", "c/b.go"}, "a.go c/b.go"},
		"a pattern that only git reads":          {map[string]string{".gitignore": "[[:digit:]]*.txt\n", "1.txt": "x\n", "a.txt": "x\n"}, nil, ".gitignore a.txt"},
		"a rule of the repository":               {map[string]string{".git/info/exclude": "mine.txt\n", "mine.txt": "x\n", "a.txt": "x\n"}, nil, "a.txt"},
		"a secret by name, tracked":              {map[string]string{".env": "A=b\n", "a.txt": "x\n"}, []string{".env"}, "a.txt"},
		"odd names":                              {map[string]string{".gitignore": "*.tmp\n", "a b.tmp": "x\n", "c\nd.tmp": "x\n", "ü.tmp": "x\n"}, []string{"a b.tmp", "c\nd.tmp", "ü.tmp"}, ".gitignore a b.tmp c\nd.tmp ü.tmp"},
		"outside of a repository nothing is":     {map[string]string{".gitignore": "*.txt\n", "a.txt": "x\n"}, nil, ".gitignore a.txt"},
		"a .git that git takes for none":         {map[string]string{".gitignore": "*.txt\n", "a.txt": "x\n", ".git/HEAD": "x\n"}, nil, ".gitignore a.txt"},
		"dependencies are read when a seat asks": {map[string]string{".gitignore": "vendor/\n", "vendor/v.go": "x\n"}, nil, ".gitignore"},
	} {
		t.Run(name, func(t *testing.T) {
			create := repository
			if strings.HasPrefix(name, "outside") || strings.Contains(name, "takes for none") {
				create = func(t testing.TB, files map[string]string, _ ...string) string { return writeTree(t, files) }
			}
			dir := create(t, c.files, c.tracked...)
			if got := shownBelow(t, dir); got != c.want {
				t.Errorf("shown %q, want %q", got, c.want)
			}
			if why := open(t, dir).guard.Secret(t.Context(), "vendor/v.go", nil); why != "" {
				t.Errorf("vendor/v.go: %s", why)
			}
		})
	}
}

// A repository inside of the folder has its own rules; below an ignored folder it stays ignored.
func TestRepositoriesInside(t *testing.T) {
	dir := repository(t, map[string]string{
		".gitignore": "*.log\nout/\n", "a.go": "x\n", "in/b.go": "x\n", "in/b.log": "x\n", "in/.gitignore": "c.go\n",
		"in/c.go": "x\n", "in/d.go": "x\n", "out/e.go": "x\n",
	})
	gitIn(t, filepath.Join(dir, "in"), "init", "-q")
	gitIn(t, filepath.Join(dir, "in"), "add", "-f", "c.go")
	gitIn(t, filepath.Join(dir, "out"), "init", "-q")
	if got, want := shownBelow(t, dir), ".gitignore a.go in/.gitignore in/b.go in/b.log in/c.go in/d.go"; got != want {
		t.Errorf("shown %q, want %q", got, want)
	}
}

// A file that is new is known at once, and a link is judged by its target.
func TestNewFilesAndLinks(t *testing.T) {
	dir := repository(t, map[string]string{".gitignore": "*.log\n", "a.go": "x\n", "b.log": "x\n", "sub/c.go": "x\n"})
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	guard := NewGuard(root)
	for link, target := range map[string]string{"alias.txt": "b.log", "into": "sub"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	for name, want := range map[string]string{"a.go": "", "b.log": "git ignores it", "alias.txt": "git ignores it", "into/c.go": "", "none.log": ""} {
		if why := guard.Secret(t.Context(), name, nil); why != want {
			t.Errorf("%s: %q, want %q", name, why, want)
		}
	}
	guard.asked = guard.asked.Add(-2 * missFresh)
	if err := os.WriteFile(filepath.Join(dir, "new.go"), []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if why := guard.Secret(t.Context(), "new.go", nil); why != "" {
		t.Errorf("new.go: %s", why)
	}
}

// Where git cannot be asked no file is shown, and the reason says why.
func TestWithoutGitNothingIsShown(t *testing.T) {
	dir := repository(t, map[string]string{".gitignore": "*.log\n", "a.go": "x\n"})
	for name, c := range map[string]struct {
		prepare func(t *testing.T)
		want    string
	}{
		"git is not installed": {func(t *testing.T) { t.Setenv("PATH", t.TempDir()) }, "git is not installed"},
		"its configuration is damaged": {func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, ".git", "config"), []byte("[core\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "bad config line"},
	} {
		t.Run(name, func(t *testing.T) {
			c.prepare(t)
			w := open(t, dir)
			if _, err := w.Files(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
			if why := w.guard.Secret(t.Context(), "a.go", nil); !strings.Contains(why, c.want) {
				t.Errorf("%q", why)
			}
		})
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := open(t, repository(t, nil)).guard.fresh(canceled, 0); err == nil {
		t.Error("a list was made after the context ended")
	}
}

// Nothing that a repository names is started, and the variables of a hook lead nowhere else.
func TestNoProgramOfTheRepositoryRuns(t *testing.T) {
	dir := repository(t, map[string]string{".gitignore": "*.log\n", "a.go": "x\n", "b.log": "x\n", ".gitattributes": "* filter=evil\n"})
	mark := filepath.Join(t.TempDir(), "started")
	for _, setting := range []string{"core.fsmonitor", "core.pager", "filter.evil.clean", "core.sshCommand", "core.askPass"} {
		gitIn(t, dir, "config", setting, "touch "+mark+"; true")
	}
	gitIn(t, dir, "config", "alias.ls-files", "!touch "+mark)
	t.Setenv("GIT_DIR", filepath.Join(t.TempDir(), "elsewhere"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(t.TempDir(), "index"))
	if got := shownBelow(t, dir); got != ".gitattributes .gitignore a.go" {
		t.Errorf("shown %q", got)
	}
	if _, err := os.Lstat(mark); err == nil {
		t.Error("a program that the repository names was started")
	}
}

// One call of git answers for all files.
func TestGitIsAskedOnce(t *testing.T) {
	files := map[string]string{}
	var names []string
	for _, name := range strings.Fields("a b c d e f g h") {
		files[name+".go"] = "x\n"
		names = append(names, name+".go")
	}
	dir := repository(t, files)
	w := open(t, dir)
	if _, err := w.Files(t.Context()); err != nil {
		t.Fatal(err)
	}
	asked := w.guard.asked
	for _, name := range names {
		if why := w.guard.Secret(t.Context(), name, nil); why != "" {
			t.Errorf("%s: %s", name, why)
		}
	}
	if w.guard.asked != asked || !slices.Equal(names, w.files) {
		t.Errorf("asked again, or %q instead of %q", w.files, names)
	}
}
