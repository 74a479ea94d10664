package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/spf13/pflag"

	"moot/config"
)

// The template, with all that it says in force, has no problems, names every seat
// of every format and every limit, and shows what holds without it.
func TestTemplateHoldsAndIsComplete(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.toml"), []byte(regexp.MustCompile(`(?m)^#([^ \n])`).ReplaceAllString(config.Template(), "$1")), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &Console{Dir: dir, Environ: []string{ConfigVariable + "=mine.toml"}}
	h := c.readDefaults()
	for _, p := range h.allProblems(c) {
		t.Error(p)
	}
	numbered := regexp.MustCompile(`-\d+$`)
	for _, name := range seatNames(c.formats()...) {
		if !numbered.MatchString(name) && !slices.ContainsFunc(h.seats, func(s value) bool { return s.name == name }) {
			t.Errorf("the template names nobody for the seat %s", name)
		}
	}
	for _, section := range []struct {
		flags *pflag.FlagSet
		held  []value
	}{{limitFlags(), h.limits}, {budgetFlags(), h.budget}} {
		section.flags.VisitAll(func(f *pflag.Flag) {
			i := slices.IndexFunc(section.held, func(s value) bool { return s.name == f.Name })
			if i < 0 {
				t.Errorf("the template does not show %s", f.Name)
				return
			}
			shown := section.held[i].text
			if err := f.Value.Set(shown); err != nil || f.Value.String() != f.DefValue {
				t.Errorf("the template shows %s = %s, and %s holds without it (%v)", f.Name, shown, f.DefValue, err)
			}
		})
	}
}
