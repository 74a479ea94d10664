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
