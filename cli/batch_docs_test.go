//go:build unix

package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"moot/state/store"
)

// The recipe of docs/batch.md for a question over many repositories works as it is written, without a key.
func TestRecipeForManyRepositories(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "docs", "batch.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), "## A question over many repositories")
	_, block, begins := strings.Cut(section, "```sh\n")
	block, _, ends := strings.Cut(block, "```\n")
	if !found || !begins || !ends {
		t.Fatal("docs/batch.md has no such recipe")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"billing/.git/x": "", "search/.git/x": "",
		"billing/retry.go": "package billing\n\n// Retries are limited to three.\nconst maxRetries = 3\n",
		"search/retry.md":  "Retries are limited to five, in the client.\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // The second time nothing is left to do.
		cmd := exec.Command("sh", "-ec", block)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "MOOT_CONFIG=/dev/null", store.StateVariable+"="+filepath.Join(dir, "state"))
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	results, err := os.ReadFile(filepath.Join(dir, "retries.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| billing |", "| search |", "retry.go:3", "retry.md:1"} {
		if !strings.Contains(string(results), want) {
			t.Errorf("the results lack %q:\n%s", want, results)
		}
	}
	if n := strings.Count(string(results), "\n"); n != 6 {
		t.Errorf("%d lines for two items, a header and a mark:\n%s", n, results)
	}
}
