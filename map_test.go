package main

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func readMap(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("AGENTS.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestMapNamesEveryFolder finds each folder with Go code in the table of AGENTS.md.
func TestMapNamesEveryFolder(t *testing.T) {
	t.Parallel()
	_, folders, _ := strings.Cut(readMap(t), "\n## Folders\n")
	folders, _, _ = strings.Cut(folders, "\n## ")
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != "." && (entry.Name() == "testdata" || entry.Name()[0] == '.') {
			return filepath.SkipDir
		}
		folder := path.Dir(filepath.ToSlash(name)) + "/"
		if filepath.Ext(name) == ".go" && folder != "./" && !seen[folder] && !strings.Contains(folders, "`"+folder+"`") {
			t.Errorf("AGENTS.md has no line for %s", folder)
		}
		seen[folder] = seen[folder] || filepath.Ext(name) == ".go"
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) < 30 {
		t.Fatalf("only %d folders with Go code were found: the test looks in the wrong place", len(seen))
	}
}

// TestFlowsNameFunctionsThatExist finds each function of the flows in AGENTS.md in the file that is named with it.
func TestFlowsNameFunctionsThatExist(t *testing.T) {
	t.Parallel()
	_, flows, _ := strings.Cut(readMap(t), "\n## Follow the flow\n")
	named := regexp.MustCompile("`(\\w+)`\\s+in\\s+`(\\S+\\.go)`").FindAllStringSubmatch(flows, -1)
	if len(named) < 30 {
		t.Fatalf("the flows name only %d functions: the test does not find them", len(named))
	}
	for _, one := range named {
		code, err := os.ReadFile(filepath.FromSlash(one[2]))
		if err != nil {
			t.Errorf("AGENTS.md names %s in %s: %v", one[1], one[2], err)
			continue
		}
		if !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + one[1] + `[\[(]`).Match(code) {
			t.Errorf("AGENTS.md names %s in %s, which does not exist", one[1], one[2])
		}
	}
}
