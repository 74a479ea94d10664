package research_test

import (
	"os"
	"strings"
	"testing"

	"moot/internal/git"
	"moot/internal/redact"
	"moot/ledger"
	"moot/research"
	"moot/research/findings"
)

const sarif = `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"semgrep"}},"results":[{"ruleId":"go.lock","level":"error",
"message":{"text":"Lock is not released"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"file:///build/app/queue/lock.go"},"region":{"startLine":12}}}]}]}]}`

func TestFindingsOfAReport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, map[string]string{
		"report.sarif": sarif, "out/vet.txt": "queue/lock.go:14:2: unreachable code\n", "notes.md": "Nothing here.\n", ".env": "a.c:1: x\n",
		"old.txt": "moot.session/7\na.c:1: x\n", "tool.bin": "a.c:1: x\x00\n",
	})
	checker := research.OpenFindings(research.OpenAbsence(dir, nil, nil, nil, nil))
	checker.Give([]research.File{
		{Path: "ci/lint.txt.findings", Text: "# lines, 1 findings.\nqueue/my file.go:3: error: x is unused (lint unused)\n"}, {Path: "a.md", Text: "a.go:1: x"},
	}, false)
	for _, c := range []struct{ reference, quote, outcome, normal, says string }{
		{"FINDING report.sarif queue/lock.go:12", "not released", "verified", "FINDING report.sarif queue/lock.go:12", "SARIF with 1 finding"},
		{"FINDING report.sarif queue/lock.go", "go.lock", "verified", "FINDING report.sarif queue/lock.go:12", ""},
		{"FINDING `report.sarif` queue/lock.go:10-14", "Lock  is not", "verified", "FINDING report.sarif queue/lock.go:12", ""},
		{"FINDING ./out/vet.txt queue/lock.go:14", "unreachable", "verified", "FINDING ./out/vet.txt queue/lock.go:14", "lines with 1 finding"},
		{"FINDING ci/lint.txt queue/my file.go:3", "unused", "verified", "FINDING ci/lint.txt queue/my file.go:3", ledger.GivenByUser},
		{"FINDING lint.txt my_file.go:3", "unused", "unmet", "", "no finding is at my_file.go:3"},
		{"FINDING report.sarif queue/lock.go:13", "not released", "unmet", "", "no finding is at queue/lock.go:13"},
		{"FINDING report.sarif ock.go:12", "not released", "unmet", "", "no finding is at ock.go:12"},
		{"FINDING report.sarif queue/lock.go:12", "deadlock", "unmet", "", "no finding at queue/lock.go:12 has the quote"},
		{"FINDING report.sarif queue/lock.go:12", "", "open", "", "needs a quote"},
		{"FINDING report.sarif", "x", "open", "", "needs a report and a place"},
		{"FINDING", "x", "open", "", "needs a report and a place"},
		{"FINDING none.sarif a.go:1", "x", "open", "", "cannot be read"},
		{"FINDING notes.md a.go:1", "x", "open", "", "moot reads go test -json"},
		{"FINDING tool.bin a.c:1", "x", "open", "", "NUL byte"},
		{"FINDING .env a.c:1", "x", "open", "", "is not read"},
		{"FINDING old.txt a.c:1", "x", "open", "", "was written by moot"},
		{"FINDING ../x a.c:1", "x", "open", "", "leaves the workspace"},
		{"FINDING /etc/passwd a.c:1", "x", "open", "", "leaves the workspace"},
		{"FINDING a.md a.go:1", "x", "open", "", "cannot be read"},
	} {
		got := checker.Check(t.Context(), c.reference, c.quote)
		if outcome(got) != c.outcome || !strings.Contains(got.Reason, c.says) || c.normal != "" && got.Reference != c.normal {
			t.Errorf("%s %q: %s, %s: %s", c.reference, c.quote, outcome(got), got.Reference, got.Reason)
		}
	}
	got := checker.Check(t.Context(), "FINDING report.sarif queue/lock.go:1", "x")
	if want := "/build/app/queue/lock.go:12: error: Lock is not released (semgrep go.lock)"; got.Nearest != want {
		t.Errorf("the nearest finding is %q, want %q", got.Nearest, want)
	}
}

// What the user gave is a list of findings, which says who gave it.
func TestFindingsThatTheUserGave(t *testing.T) {
	t.Parallel()
	report, err := findings.Parse([]byte(sarif))
	if err != nil {
		t.Fatal(err)
	}
	for byAgent, says := range map[bool]string{false: ledger.GivenByUser, true: ledger.GivenByAgent} {
		checker := research.OpenFindings(research.OpenAbsence(t.TempDir(), nil, nil, nil, nil))
		checker.Give([]research.File{{Path: "ci/r.sarif.findings", Text: report.List("ci/r.sarif.findings")}}, byAgent)
		for _, name := range []string{"ci/r.sarif.findings", "ci/r.sarif", "r.sarif"} {
			got := checker.Check(t.Context(), "FINDING "+name+" queue/lock.go:12", "go.lock")
			if !got.Verified || !strings.HasSuffix(got.Reason, says) || !strings.Contains(got.Excerpt, "(semgrep go.lock)") {
				t.Errorf("%s: %+v", name, got)
			}
		}
	}
}

// In a review, the report is the one of the reviewed commit.
func TestFindingsInAReviewedCommit(t *testing.T) {
	t.Parallel()
	dir := history(t)
	put(t, dir, map[string]string{"vet.txt": "queue.go:3:1: not in the commit\n"})
	tree, err := git.OpenTree(t.Context(), dir, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	got := research.OpenFindings(research.OpenAbsence(dir, nil, tree, nil, nil)).Check(t.Context(), "FINDING vet.txt queue.go:3", "commit")
	if outcome(got) != "open" || !strings.Contains(got.Reason, "cannot be read") {
		t.Errorf("%s: %s", outcome(got), got.Reason)
	}
}

func TestReportsOfCommands(t *testing.T) {
	t.Parallel()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	put(t, dir, map[string]string{"vet.txt": "# q\nqueue.go:14:2: unreachable code\n", "prose.txt": "all is well\n", "empty.txt": ""})
	command, err := research.OpenCommand(dir, os.Environ(), redactor)
	if err != nil {
		t.Fatal(err)
	}
	checker := &research.Reports{Command: command}
	for _, c := range []struct{ reference, quote, outcome, says string }{
		{"REPORT cat vet.txt", `output has "queue.go:14"`, "verified", "it ended with exit 0 and reported 1 finding (lines)"},
		{"REPORT  cat 'vet.txt'", `exit 0; output lacks "lock.go"`, "verified", ""},
		{"REPORT cat vet.txt", `output has "lock.go"`, "unmet", "expected and not met"},
		{"REPORT cat vet.txt", `output has "# q"`, "unmet", ""},
		{"REPORT cat empty.txt", `output lacks "queue.go"`, "verified", "reported 0 findings (no output)"},
		{"REPORT cat prose.txt", `output has "well"`, "open", "moot reads go test -json"},
		{"REPORT false", "exit 1", "open", "printed nothing"},
		{"REPORT no-such-program", "exit 0", "open", "there is no program"},
		{"REPORT cat vet.txt | head", "exit 0", "open", ""},
		{"REPORT cat vet.txt", "nonsense", "open", "cannot be read"},
		{"REPORT", "exit 0", "open", ""},
	} {
		got := checker.Check(t.Context(), c.reference, c.quote)
		if outcome(got) != c.outcome || !strings.Contains(got.Reason, c.says) {
			t.Errorf("%s => %s: %s: %s", c.reference, c.quote, outcome(got), got.Reason)
		}
		if got.Verified && (got.Run == nil || got.Excerpt == "" || !strings.HasPrefix(got.Reference, "REPORT cat ")) {
			t.Errorf("%s: %+v", c.reference, got)
		}
	}
	if got := (&research.Reports{}).Check(t.Context(), "REPORT true", "exit 0"); got.Verified || got.Unmet {
		t.Errorf("without a workspace: %+v", got)
	}
	kinds := []ledger.Kind{checker.Kind(), research.OpenFindings(nil).Kind(), research.OpenAbsence(".", nil, nil, nil, nil).Kind()}
	if err := ledger.CheckKinds(kinds); err != nil {
		t.Error(err)
	}
}
