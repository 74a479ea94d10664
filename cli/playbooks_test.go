package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/shell"
)

// TestExamplesOfPlaybooks runs each command of examples/playbooks/README.md, and compares the decision, the exit code
// and the rule that decided with what the table of the page says.
func TestExamplesOfPlaybooks(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("..", "examples", "playbooks"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(string(text), "\\\n", " ")
	for _, c := range []struct {
		name, decision string
		code           int
		// decided is the objection and the rule that settled it, and asked a request that was answered for an objection.
		decided, asked string
	}{
		{"support-refund", "ADVANCE", 0, "C1, R1", "SEARCH /^20417,/ in refunds.csv = 0, clears C2 if met (met, E"},
		{"contract-clause", "ESCALATE", 5, "C1, R2", `READ calendar.csv => has "Larkspur", clears C2 if met (met, E`},
		{"medical-triage", "ESCALATE", 5, "C1, R5", "breathing rate, blood pressure and alertness, with their time (answered by E3)"},
		{"experiment-protocol", "ADVANCE", 0, "C3, R1", "SEARCH /Okafor 2017/ in sources/retractions.csv = 0, clears C4 if met (not met, E"},
		{"media-plan", "ADVANCE", 0, "C1, R1", `plan.csv => stdout has "60000", clears C1 if met (met, E`},
		{"infrastructure-change", "ESCALATE", 5, "C1, R2", `READ policy.txt => has "FAIL", clears C4 if not met (met, E`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := exec.LookPath("awk"); err != nil && c.name == "media-plan" {
				t.Skip("there is no awk")
			}
			_, section, _ := strings.Cut(page, "\n## "+c.name+"\n")
			command := regexp.MustCompile(`(?m)^    moot (ask .*)$`).FindStringSubmatch(section)
			if command == nil {
				t.Fatal("the page has no command for it")
			}
			args, err := shell.Fields(command[1], nil)
			if err != nil {
				t.Fatal(err)
			}
			d := newDesk(t)
			d.Dir = dir
			if code := d.run(args...); code != c.code {
				t.Fatalf("exit code %d, want %d\n%s%s", code, c.code, d.err.String(), d.out.String())
			}
			if c.name == "medical-triage" {
				for _, said := range []string{d.out.String(), d.err.String()} {
					if !strings.Contains(said, "only these sources clear it: user-override, official-source\n") {
						t.Errorf("the sources that clear C1 are not shown:\n%s", said)
					}
				}
			}
			for _, want := range []string{" " + c.decision + ": ", c.asked} {
				if !strings.Contains(d.out.String(), want) {
					t.Errorf("the result lacks %q:\n%s", want, d.out.String())
				}
			}
			if held := strings.Contains(d.err.String(), "HOLD after round 1: "); held == (c.name == "medical-triage") {
				t.Errorf("the first round is held: %t", held)
			}
			if said := d.err.String(); strings.Contains(said, "\nrefused ") || strings.Contains(said, "\nignored ") {
				t.Errorf("a reply of the script does not fit:\n%s", said)
			}
			if code := d.run("verify"); code != 0 {
				t.Errorf("verify: exit code %d\n%s", code, d.err.String())
			}
			objection, rule, _ := strings.Cut(c.decided, ", ")
			if got := resolvedBy(t, d, objection); got != rule {
				t.Errorf("%s was settled by %q, want %s", objection, got, rule)
			}
			row := fmt.Sprintf("| %s | %d | %s |", c.decision, c.code, c.decided)
			if !slices.ContainsFunc(strings.Split(page, "\n"), func(line string) bool {
				return strings.HasPrefix(line, "| ["+c.name+"]") && strings.HasSuffix(line, row) ||
					strings.HasPrefix(line, "| "+c.name+" ") && strings.HasSuffix(line, row)
			}) {
				t.Errorf("the table of the page does not say %s", row)
			}
		})
	}
}

// resolvedBy returns the rule that settled an objection of the only session.
func resolvedBy(t *testing.T, d *desk, objection string) string {
	t.Helper()
	d.out.Reset()
	if code := d.run("export", "--as", "json"); code != 0 {
		t.Fatalf("export: exit code %d\n%s", code, d.err.String())
	}
	var exported struct {
		Outcome struct {
			Resolutions []struct{ Objection, Rule string }
		}
	}
	if err := json.Unmarshal([]byte(d.out.String()), &exported); err != nil {
		t.Fatal(err)
	}
	for _, r := range exported.Outcome.Resolutions {
		if r.Objection == objection {
			return r.Rule
		}
	}
	return ""
}

// What docs/playbooks.md teaches works as it says: the files of the page, its commands, and how each ends.
func TestTenMinutesOfThePage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "playbooks.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Write one in ten minutes\n")
	section, _, _ = strings.Cut(section, "\n## ")
	d := newDesk(t)
	blocks := regexp.MustCompile("(?s)```(?:toml|text)\n(.*?)```").FindAllStringSubmatch(section, -1)
	names := []string{"prices.toml", "change.txt", "proposal.txt", "costs.csv", "both.txt"}
	if len(blocks) != len(names) {
		t.Fatalf("the page has %d files, want %d", len(blocks), len(names))
	}
	for i, name := range names {
		if err := os.WriteFile(filepath.Join(d.Dir, name), []byte(blocks[i][1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	commands := regexp.MustCompile(`(?m)^    moot (ask .*)$`).
		FindAllStringSubmatch(strings.ReplaceAll(section, "\\\n", " "), -1)
	wants := []struct {
		code int
		says string
	}{
		{5, "red flag below-cost"},
		{5, "E2 (domain-evidence 0.95) is not of a kind that clears C1"},
		{0, "is cleared by E2"},
	}
	if len(commands) != len(wants) {
		t.Fatalf("the page has %d commands, want %d", len(commands), len(wants))
	}
	for i, want := range wants {
		args, err := shell.Fields(commands[i][1], nil)
		if err != nil {
			t.Fatal(err)
		}
		d.out.Reset()
		d.err.Reset()
		if code := d.run(args...); code != want.code || !strings.Contains(d.out.String(), want.says) {
			t.Errorf("command %d: exit code %d, want %d and %q\n%s%s", i+1, code, want.code, want.says, d.err.String(), d.out.String())
		}
	}
}

// The patterns of a playbook find the plan's dangers without a model, and the flags that need a reader are listed.
func TestRulesReadAPlan(t *testing.T) {
	d := newDesk(t)
	dir, err := filepath.Abs(filepath.Join("..", "examples", "playbooks"))
	if err != nil {
		t.Fatal(err)
	}
	d.Dir = dir
	text, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(strings.ReplaceAll(string(text), "\\\n", " "), "\n## Without a model\n")
	command := regexp.MustCompile(`(?m)^    moot (ask .*)$`).FindStringSubmatch(section)
	if command == nil {
		t.Fatal("the page has no command for it")
	}
	args, err := shell.Fields(command[1], nil)
	if err != nil {
		t.Fatal(err)
	}
	if code := d.run(args...); code != 5 {
		t.Fatalf("exit code %d\n%s", code, d.err.String())
	}
	for _, want := range []string{
		"red flag open-to-the-world", "red flag data-can-vanish", "red flag policy-refused", "red flag plan-destroys",
		"red flag drift-in-plan",
	} {
		if !strings.Contains(d.out.String(), want) {
			t.Errorf("no %s:\n%s", want, d.out.String())
		}
	}
	if !strings.Contains(d.err.String(), "the others need a reader and were not checked: way-back-untried") {
		t.Errorf("the flags for a reader are not listed:\n%s", d.err.String())
	}
}
