package cli_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"moot/ledger"
	"moot/research"
)

// lineCount is a third kind of evidence: "LINES list.txt" with the quote 3 says that the file has 3 lines. It takes
// part in everything below without a change elsewhere.
type lineCount struct{ dir string }

func (lineCount) Kind() ledger.Kind {
	return ledger.Kind{
		Name: "count", Marks: "LINES", Type: ledger.Textual, SourceKind: ledger.DomainEvidence,
		Confidence: ledger.ConfidenceFindings,
		Says:       `To show how many lines a file has, cite LINES and its path: reference "LINES list.txt", quote "3".`,
	}
}

func (l lineCount) Check(_ context.Context, reference, quote string) ledger.Finding {
	name := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(reference), "LINES"))
	text, err := os.ReadFile(filepath.Join(l.dir, name))
	if err != nil {
		return ledger.Finding{Reason: "there is no file " + name}
	}
	count := strings.Count(string(text), "\n")
	return ledger.Finding{
		Verified: quote == strconv.Itoa(count), Reason: fmt.Sprintf("counted %d lines", count),
		Reference: "LINES " + name, Excerpt: fmt.Sprintf("%d lines", count), Digest: ledger.Digest(text),
	}
}

// TestANewKindOfEvidence takes a kind that moot does not have from the citations of a seat to the rulings, the screen
// and the exports. Its checker is a line in the list of the console.
func TestANewKindOfEvidence(t *testing.T) {
	d := newDesk(t)
	write := func(name, text string) string {
		path := filepath.Join(d.Dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return "script:" + path
	}
	write("list.txt", "one\ntwo\nthree\n")
	orchestrator := write("orchestrator.txt", "--- evaluate\nAGREE P1: E1 counts them\nAGREE P2: it may be\n")
	consultee := write("consultee.txt", `--- propose
{"moves":[
{"move":"RAISE","text":"The list has three entries","citations":[{"reference":"LINES list.txt","quote":"3"}]},
{"move":"RAISE","text":"The list names four people","citations":[{"reference":"LINES list.txt","quote":"4"}]}]}
--- answer
CITE P2 refutes LINES list.txt => 3
--- coverage
NOTHING
`)
	d.Checkers = append(d.Checkers, lineCount{d.Dir})
	run := func(want string, args ...string) string {
		t.Helper()
		d.out.Reset()
		d.err.Reset()
		d.run(args...)
		said := d.out.String() + d.err.String()
		if !strings.Contains(said, want) {
			t.Errorf("moot %s: want %q\n%s", strings.Join(args, " "), want, said)
		}
		return said
	}
	seats := []string{"--headless", "--orchestrator", orchestrator, "--consultee", consultee}
	said := run("LINES list.txt", append([]string{"ask", "How long is the list?"}, seats...)...)
	_, id, _ := strings.Cut(said, "saved      ")
	id, _, _ = strings.Cut(id, ",")
	for _, c := range []struct{ command, want string }{
		{"show ID", "E1: LINES list.txt (cited, domain evidence, 0.90)"},
		{"show ID", "really: counted 3 lines"},
		{"export ID --as json --events", `\"point\":\"P2\",\"relation\":\"refutes\",\"reference\":\"LINES list.txt\",\"quote\":\"3\"`},
		{"show ID -o json", `"reference": "LINES list.txt"`},
		{"show ID --why P1", "verified, accepted by the orchestrator, at LINES list.txt"},
		{"export ID --as json --events", `\"kinds\":[{\"name\":\"count\",\"marks\":\"LINES\"`},
		{"export ID --as markdown", "LINES list.txt"},
		{"replay ID", "counted 3 lines"},
		{"verify ID", "every ruling recomputes"},
		{"fork ID --at 5", ""},
	} {
		run(c.want, strings.Fields(strings.ReplaceAll(c.command, "ID", id))...)
	}
	fork := strings.TrimSpace(d.out.String())
	said = run("", "export", id, "--as", "json", "--events")
	if strings.Count(said, "To show how many lines a file has") < 4 {
		t.Error("the settings and the prompts do not all say how to cite it")
	}
	run("counted 3 lines", append([]string{"resume", fork}, seats...)...)

	// Without the checker, the record is read, verified and shown as before; what a fork cites then is refused.
	d.Checkers = nil
	run("LINES list.txt (cited, domain evidence, 0.90)", "show", id)
	run("every ruling recomputes", "verify", id)
	run("", "fork", id, "--at", "1")
	fork = strings.TrimSpace(d.out.String())
	run("does not check evidence of the kind count", append([]string{"resume", fork}, seats...)...)
}

// trial is a kind that runs something: "TRIAL make all".
type trial struct{ ran *[]string }

func (trial) Kind() ledger.Kind {
	return ledger.Kind{
		Name: "trial", Marks: "TRIAL", Runs: true,
		Type: ledger.Execution, SourceKind: ledger.LiveAPI, Confidence: ledger.ConfidenceExecution,
		Says: `To try a build, cite TRIAL and its command: reference "TRIAL make all", quote "exit 0".`,
	}
}

func (t trial) Check(_ context.Context, reference, expected string) ledger.Finding {
	*t.ran = append(*t.ran, reference+" => "+expected)
	return ledger.Finding{Verified: true, Reference: reference, Reason: "it was built", Excerpt: "built"}
}

// A kind that runs something is approved in its normal form, and a pattern for commands does not cover it.
func TestANewKindThatRunsIsApproved(t *testing.T) {
	for _, test := range []struct{ allow, says, ran string }{
		{"", "allow it with --allow-command 'TRIAL make all'", ""},
		{"make ...", "allow it with --allow-command 'TRIAL make all'", ""},
		{"TRIAL make *", "it was built", "TRIAL make all => exit 0"},
	} {
		d := newDesk(t)
		path := filepath.Join(d.Dir, "consultee.txt")
		text := `--- propose
{"moves":[{"move":"RAISE","text":"It builds","citations":[{"reference":"TRIAL  make   'all'","quote":"exits 0"}]}]}
--- coverage
NOTHING
`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var ran []string
		d.Checkers = []research.Checker{trial{&ran}}
		args := []string{"ask", "--headless", "--orchestrator", "script:" + path, "--consultee", "script:" + path}
		if test.allow != "" {
			args = append(args, "--allow-command", test.allow)
		}
		d.run(append(args, "Does it build?")...)
		if said := d.out.String() + d.err.String(); !strings.Contains(said, test.says) ||
			strings.Join(ran, "; ") != test.ran {
			t.Errorf("--allow-command %q: ran %q, want %q and %q\n%s", test.allow, ran, test.ran, test.says, said)
		}
	}
}
