package research

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A model cannot have a secret file quoted, however it names it.
func TestSecretFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	initGit(t, dir)
	for name, text := range map[string]string{
		".git/HEAD": strings.Repeat("a", 40) + "\n", ".gitignore": "notes\n",
		"notes": "PGPASSWORD=one\n", "sub/.env": "A=1\nPGPASSWORD=one\n", "vendor/notes": "vendored text\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c, err := OpenCitation(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, cited := range []string{
		"sub/.env:2", ".env:2", filepath.Join(dir, "sub/.env") + ":2", ".git/config:1", "notes:1", "./sub/.env#L2",
		"https://example.com/o/r/blob/" + strings.Repeat("a", 40) + "/sub/.env#L2",
	} {
		for _, quote := range []string{"", "PGPASSWORD", "PGPASSWORD=two"} {
			found := c.Check(t.Context(), cited, quote)
			if outcomeOf(&found) != "secret" || found.Excerpt+found.Nearest != "" ||
				!strings.Contains(found.Reason, "--allow-path") {
				t.Errorf("%s %q: %+v", cited, quote, found)
			}
		}
	}
	if found := c.Check(t.Context(), "vendor/notes:1", "vendored text"); !found.Verified {
		t.Errorf("vendor: %+v", found)
	}
	c.Since(c.opened, "notes")
	if found := c.Check(t.Context(), "notes:1", "PGPASSWORD"); !found.Verified {
		t.Errorf("named by the user: %+v", found)
	}
	c.Allow([]string{"**/.env"})
	if found := c.Check(t.Context(), "sub/.env:2", "PGPASSWORD"); !found.Verified {
		t.Errorf("allowed: %+v", found)
	}
}
