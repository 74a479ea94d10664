package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// rules is a small table of rules whose tests miss two things: the second part of the condition of R1, and the order of
// R1 and R2. It reads a file that the program contains, which a changed program must contain too.
const rules = `package rules

import _ "embed"

//go:embed rules.txt
var text string

type row struct {
	Rule string
	When func(a, b int) *int
}

var table = []row{
	{Rule: "R1", When: func(a, b int) *int {
		if a < 3 && b < 3 {
			return nil
		}
		return &a
	}},
	{Rule: "R2", When: func(a, b int) *int {
		if b != 2 {
			return nil
		}
		return &b
	}},
}

func decide(a, b int) string {
	for _, r := range table {
		if r.When(a, b) != nil {
			return r.Rule
		}
	}
	return ""
}
`

const rulesTest = `package rules

import "testing"

func TestRules(t *testing.T) {
	if text != "R1, R2" || decide(3, 0) != "R1" || decide(0, 0) != "" || decide(0, 2) != "R2" {
		t.Error("wrong")
	}
}
`

func TestChangesThatNoTestNoticesSurvive(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("rules", 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod": "module example\n\ngo 1.26\n", "rules/rules.go": rules, "rules/rules_test.go": rulesTest,
		"rules/rules.txt": "R1, R2",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	set := []group{{"T", []string{"rules/rules.go"}, []suite{{folder: "rules", run: "."}}}}
	var out bytes.Buffer
	n, err := mutate(t.Context(), &out, set, &options{timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	survivors := slices.Sorted(func(yield func(string) bool) {
		for line := range strings.Lines(out.String()) {
			if text, ok := strings.CutPrefix(line, "survives  rules/rules.go:"); ok {
				_, text, _ = strings.Cut(text, "  ")
				if !yield(strings.TrimSpace(text)) {
					return
				}
			}
		}
	})
	want := []string{"R1  dropped: b < 3", "R1  swapped with the row after it, R2: {Rule: \"R1\""}
	if n != len(want) || len(survivors) != n || survivors[0] != want[0] || !strings.HasPrefix(survivors[1], "R1  swapped") {
		t.Errorf("%d survivors:\n%s", n, out.String())
	}
	if !strings.Contains(out.String(), "T: the tests notice") {
		t.Errorf("no count in:\n%s", out.String())
	}

	// A test that fails by itself would notice every change.
	if err := os.WriteFile("rules/more_test.go", []byte("package rules\n\nimport \"testing\"\n\nfunc TestBroken(t *testing.T) { t.Error(1) }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := mutate(t.Context(), &out, set, &options{timeout: time.Minute}); err == nil || !strings.Contains(err.Error(), "fail without any change") {
		t.Errorf("got %v", err)
	}
}

// A folder that has no scenarios would make every change of its group survive.
func TestEachGroupHasScenarios(t *testing.T) {
	t.Parallel()
	for _, g := range groups() {
		played := 0
		for _, s := range g.tests {
			if s.run != "^TestScenarios$" {
				continue
			}
			played++
			if files, err := os.ReadDir(filepath.Join("..", "..", s.folder, "testdata", "scenarios")); err != nil || len(files) == 0 {
				t.Errorf("%s: %d scenarios: %v", g.name, len(files), err)
			}
		}
		if played == 0 {
			t.Errorf("%s plays no scenario", g.name)
		}
	}
}
