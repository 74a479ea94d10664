package report_test

import (
	"path/filepath"
	"strings"
	"testing"

	"moot/report"
	"moot/resolver"
)

func why(t *testing.T, point string, width int) string {
	t.Helper()
	s, _ := sample(t)
	r, ok := resolver.RuleOne(s, point)
	if !ok {
		t.Fatalf("there is no %s", point)
	}
	e := resolver.Explain(s, r)
	return report.Why(&e, width)
}

func TestWhy(t *testing.T) {
	for _, point := range []string{"P1", "P2", "P4"} {
		golden(t, filepath.Join("testdata", "why-"+point+".txt"), []byte(why(t, point, 72)))
	}
}

// What seats and sources wrote acts on no terminal.
func TestWhyIsEscaped(t *testing.T) {
	text := why(t, "P1", 0)
	if strings.ContainsAny(text, "\x1b\u202e\t") || !strings.Contains(text, `\u202e`) {
		t.Errorf("hostile text is not escaped:\n%s", text)
	}
}
