package cli_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"moot/cli"
)

var update = flag.Bool("update", false, "update docs/commands.md")

func TestManual(t *testing.T) {
	path := filepath.Join("..", "docs", "commands.md")
	got := cli.Manual()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := diff.Diff("want", want, "got", []byte(got)); len(diff) > 0 {
		t.Errorf("%s is not what the program says (-file +program); -update writes it:\n%s", path, diff)
	}
}

// The commands of the pages have the flags that they are written with.
func TestCommandsOfThePages(t *testing.T) {
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	top, err := filepath.Glob("../*.md")
	if err != nil || len(top) == 0 {
		t.Fatalf("no pages at the top: %v", err)
	}
	for _, page := range append(append(pages, top...), "../examples/README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range cli.UnknownFlags(string(text)) {
			t.Errorf("%s: unknown flag: %s", page, command)
		}
	}
}
