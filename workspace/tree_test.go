package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/internal/git"
	"moot/protocol/move"
)

// In a review of a commit, lookups and searches see its files and not those of the folder.
func TestLookupsOfACommit(t *testing.T) {
	dir := repository(t, map[string]string{
		".gitignore": "*.log\n", "zoo.txt": "The pelican sleeps at noon.\n", "gone.txt": "The otter is gone.\n",
		"tracked.log": "a log\n", ".env": "PASSWORD=one\n",
	}, ".gitignore", "zoo.txt", "gone.txt", "tracked.log", ".env")
	gitIn(t, dir, "update-index", "--add", "--cacheinfo", "160000,4f2d8c1b7a6e5d3c2b1a0f9e8d7c6b5a49382716,module")
	gitIn(t, dir, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "one")
	place, err := git.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"zoo.txt": "The pelican sleeps at midnight.\n", "new.txt": "The pelican is new.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(dir, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	tree, err := git.OpenTree(t.Context(), dir, place.Head())
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	w := open(t, dir)
	w.In(tree)
	if files, err := w.Files(t.Context()); err != nil || strings.Join(files, " ") != ".gitignore gone.txt tracked.log zoo.txt" {
		t.Errorf("%v, %v", files, err)
	}
	for _, c := range []struct {
		lookup move.Move
		want   string
	}{
		{&move.Read{Path: "zoo.txt"}, "1: The pelican sleeps at noon.\n"},
		{&move.Read{Path: filepath.Join(dir, "gone.txt")}, "1: The otter is gone.\n"},
		{&move.Search{Query: "/pelican/"}, "zoo.txt:1: The pelican sleeps at noon.\n"},
		{&move.Read{Path: "new.txt"}, "there is no file new.txt"},
		{&move.Read{Path: ".env"}, ".env is not shown: it holds environment variables, such as passwords"},
		{&move.Read{Path: "module/a.go"}, "module is not shown, as it is in commit "},
		{&move.Read{Path: "."}, "is not a file of the workspace"},
	} {
		text, _, err := w.Look(t.Context(), c.lookup, 2000)
		if err != nil {
			text = err.Error()
		}
		if !strings.HasPrefix(text, c.want) && !(err != nil && strings.Contains(text, c.want)) {
			t.Errorf("%+v: %q, want %q", c.lookup, text, c.want)
		}
	}
	found, err := w.Passages(t.Context(), "When does the pelican sleep?", 5)
	if err != nil || len(found) != 1 || found[0].Text != "The pelican sleeps at noon." {
		t.Errorf("%+v, %v", found, err)
	}
}
