package research_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/internal/redact"
	"moot/research"
)

// A secret in a cited file reaches no finding.
func TestRedactingFindings(t *testing.T) {
	dir := t.TempDir()
	token := "ghp_" + strings.Repeat("a1B2", 9)
	text := "first line\ntoken := \"" + token + "\"\nlast line\n"
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	citation, err := research.OpenCitation(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer citation.Close()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	checker := research.Kinds{Citation: citation, Redactor: redactor}
	found := checker.Check(t.Context(), "a.go:2", "token :=")
	if !found.Verified || strings.Contains(found.Excerpt, token) || !strings.Contains(found.Excerpt, "[REDACTED: ") ||
		!strings.Contains(found.Reason, "redacted") {
		t.Errorf("%+v", found)
	}
	found = checker.Check(t.Context(), "a.go:2", "token := \"ghp_"+strings.Repeat("a1B3", 9)+"\"")
	if found.Verified || strings.Contains(found.Nearest, token) {
		t.Errorf("%+v", found)
	}
	// A line of a key is recognised by the lines around it.
	key := "-----BEGIN RSA PRIVATE KEY-----\nMIIEow line\nsecond line\n-----END RSA PRIVATE KEY-----\n"
	long := strings.Repeat("x ", 1000) + "quoted" + strings.Repeat(" y", 1000) + "\n"
	if err := os.WriteFile(filepath.Join(dir, "k.txt"), []byte(key+long), 0o600); err != nil {
		t.Fatal(err)
	}
	citation.Redact(redactor)
	for _, quote := range []string{"MIIEow", "", "MIIEow lone"} {
		found = checker.Check(t.Context(), "k.txt:2", quote)
		if strings.Contains(found.Excerpt+found.Nearest, "MII") || !strings.Contains(found.Reason, "redacted") {
			t.Errorf("%q: %+v", quote, found)
		}
	}
	found = checker.Check(t.Context(), "k.txt:5", "quoted")
	if !found.Verified || len(found.Excerpt) != len("quoted")+research.MaxRest {
		t.Errorf("%+v", found)
	}
	found = checker.Check(t.Context(), "a.go:1", "first line")
	if !found.Verified || found.Excerpt != "first line" || strings.Contains(found.Reason, "redacted") {
		t.Errorf("%+v", found)
	}
}
