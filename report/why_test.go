package report_test

import (
	"path/filepath"
	"strings"
	"testing"

	"moot/report"
	"moot/resolver"
	"moot/view"
)

func why(t *testing.T, point string, width int) string {
	t.Helper()
	s, _ := sample(t)
	r, ok := resolver.RuleOne(s, point)
	if !ok {
		t.Fatalf("there is no %s", point)
	}
	d := view.Why(s, &r)
	return report.Text(&d, width)
}

// What seats and sources wrote acts on no terminal.
func TestWhyIsEscaped(t *testing.T) {
	text := why(t, "P1", 0)
	if strings.ContainsAny(text, "\x1b\u202e\t") || !strings.Contains(text, `\u202e`) {
		t.Errorf("hostile text is not escaped:\n%s", text)
	}
}

// A conflict is explained by its sides, who took which, and how it came out.
func TestWhyOfAConflict(t *testing.T) {
	s, _ := played(t, "panel/mixed")
	d, ok := view.FormatOf(s).Explain(s, "k1")
	if !ok {
		t.Fatal("K1 is not explained")
	}
	golden(t, filepath.Join("testdata", "why-conflict.txt"), []byte(report.Text(&d, 80)))
}

// The explanations of the question and of the claims of a hearing.
func TestWhyOfAHearing(t *testing.T) {
	for _, c := range []struct{ session, point string }{{"anchored", "P1"}, {"anchored", "P2"}, {"audit", "P1"}, {"audit", "P4"}, {"nothing", "P1"}, {"opened", "P1"}, {"stopped", "P1"}} {
		s, _ := played(t, "hearing/"+c.session)
		ruling, ok := resolver.RuleOne(s, c.point)
		if !ok {
			t.Fatalf("%s has no %s", c.session, c.point)
		}
		explanation := view.Why(s, &ruling)
		golden(t, filepath.Join("testdata", "hearing", "why-"+c.session+"-"+c.point+".txt"), []byte(report.Text(&explanation, 80)))
	}
}
