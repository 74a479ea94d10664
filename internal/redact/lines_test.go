package redact

import (
	_ "embed"
	"strings"
	"testing"
)

var (
	//go:embed testdata/secrets.txt
	secretLines string
	//go:embed testdata/harmless.txt
	harmlessLines string
)

// Each line of secrets.txt loses what holds its "·"; those of harmless.txt stay: 250 lines chosen at
// random, before any was tried, from the 16,596 of Go's library that name a key, a token, a password or a URL.
func TestLines(t *testing.T) {
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(secretLines) {
		before, after, _ := strings.Cut(strings.TrimSpace(line), "·")
		got, _ := r.Text(strings.TrimSpace(strings.ReplaceAll(line, "·", "")))
		if tail := before[max(0, len(before)-4):] + after[:min(3, len(after))]; !strings.Contains(got, "[REDACTED: ") || strings.Contains(got, tail) {
			t.Errorf("%s is kept in %q", tail, got)
		}
	}
	if n := strings.Count(harmlessLines, "\n"); n < 200 {
		t.Errorf("%d harmless lines", n)
	}
	for line := range strings.Lines(harmlessLines) {
		if got, _ := r.Text(line); got != line {
			t.Errorf("%q became %q", line, got)
		}
	}
}
