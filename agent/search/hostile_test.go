package search

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestHostileContent(t *testing.T) {
	t.Parallel()
	const word = "flamingo"
	root := writeTree(t, map[string]string{
		"invalid.txt":   "flamingo \xff\xfe here\nflamingo pond\n",
		"nul.txt":       "flamingo\x00pond",
		"utf16.txt":     "\xff\xfef\x00l\x00a\x00",
		"huge-line.txt": strings.Repeat("flamingo pond ", 140),
		"no-newline":    "flamingo pond",
		"newlines.txt":  strings.Repeat("\n", 5000) + "flamingo pond",
		"returns.txt":   "flamingo pond\rflamingo pond\r\n",
		"empty.txt":     "",
		"escape.txt":    "flamingo \x1b[31mpond\x1b[0m \x07\n",
		"long-word.txt": strings.Repeat("flamingo_", 100) + "\n",
	})
	result := find(t, openIndex(t, root), "Which pond has a "+word+"?")
	for _, passage := range result.Passages {
		if !utf8.ValidString(passage.Text) || len(passage.Text) > maxPassage*(maxQuoted+1) {
			t.Errorf("%s: quoted %q", passage.Path, passage.Text)
		}
		switch passage.Path {
		case "nul.txt", "utf16.txt", "huge-line.txt", "empty.txt":
			t.Errorf("found %s", passage.Path)
		case "invalid.txt":
			if passage.Line != 2 || passage.EndLine != 2 {
				t.Errorf("invalid.txt: quoted lines %d-%d, want 2", passage.Line, passage.EndLine)
			}
		case "newlines.txt":
			if passage.Line != 5001 {
				t.Errorf("newlines.txt: found in line %d, want 5001", passage.Line)
			}
		case "escape.txt":
			if !strings.Contains(passage.Text, "\x1b[31m") {
				t.Errorf("escape.txt: quoted %q, want it byte for byte", passage.Text)
			}
		}
	}
	for _, name := range []string{"invalid.txt", "newlines.txt", "no-newline", "escape.txt"} {
		if !slices.Contains(paths(result), name) {
			t.Errorf("%s was not found, but %q", name, paths(result))
		}
	}
}

func TestDeepFoldersEnd(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	folder, err := os.OpenRoot(root)
	if err != nil {
		t.Fatal(err)
	}
	for range maxDepth + 20 {
		if err := folder.Mkdir("d", 0o750); err != nil {
			t.Skipf("the file system does not go so deep: %v", err)
		}
		next, err := folder.OpenRoot("d")
		if err != nil {
			t.Fatal(err)
		}
		folder.Close()
		folder = next
	}
	defer folder.Close()
	result := find(t, openIndex(t, root), "where is the flamingo?")
	if got := result.Survey.Skipped[ReasonTooDeep]; got != 1 {
		t.Errorf("skipped %d too deep, want 1: %s", got, result.Survey)
	}
}

func TestUnreadableIsCounted(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("nothing is unreadable here")
	}
	root := writeTree(t, map[string]string{"file.txt": "flamingo\n", "folder/a.txt": "flamingo\n", "ok.txt": "flamingo\n"})
	for _, name := range []string{"file.txt", "folder"} {
		if err := os.Chmod(filepath.Join(root, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if err := os.Chmod(filepath.Join(root, "folder"), 0o700); err != nil {
			t.Error(err)
		}
	})
	result := find(t, openIndex(t, root), "where is the flamingo?")
	if got := result.Survey.Skipped[ReasonUnreadable]; got != 2 {
		t.Errorf("skipped %d unreadable, want 2", got)
	}
	if got := paths(result); !slices.Equal(got, []string{"ok.txt"}) {
		t.Errorf("found %q", got)
	}
}

// TestFilesThatVanish takes files away between the two passes.
func TestFilesThatVanish(t *testing.T) {
	t.Parallel()
	files := map[string]string{"stays.txt": "flamingo pond\n", "empties.txt": "flamingo pond\n", "goes.txt": "flamingo pond\n"}
	root := writeTree(t, files)
	index := openIndex(t, root)
	v := index.vocabulary
	m := newMatcher(readQuestion("which pond has a flamingo?", v), v)
	census, _, err := index.scan(context.Background(), m)
	if err != nil || len(census.hits) != 3 {
		t.Fatalf("the first pass finds %d files, error %v", len(census.hits), err)
	}
	if err := os.Remove(filepath.Join(root, "goes.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "empties.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	passages, err := index.rank(context.Background(), newRanker(m, census), 8)
	if err != nil || len(passages) != 1 || passages[0].Path != "stays.txt" {
		t.Errorf("found %+v, error %v; want stays.txt alone", passages, err)
	}
}

// TestLinkInPlaceOfAFile shows that a file that became a link out of the
// workspace after it was listed is not read.
func TestLinkInPlaceOfAFile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege here")
	}
	outside := writeTree(t, map[string]string{"secret.txt": "flamingo\n"})
	root := writeTree(t, map[string]string{"a.txt": "flamingo\n"})
	index := openIndex(t, root)
	if err := os.Remove(filepath.Join(root, "a.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "secret.txt"), filepath.Join(root, "a.txt")); err != nil {
		t.Fatal(err)
	}
	r := reader{limit: DefaultMaxFileSize}
	if data, reason := r.read(index.root, "a.txt", false); reason != ReasonUnreadable {
		t.Errorf("read gives %q and reason %q, want %s", data, reason, ReasonUnreadable)
	}
}
