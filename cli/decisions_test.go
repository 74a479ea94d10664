package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mattn/go-shellwords"
	"github.com/rogpeppe/go-internal/txtar"

	"moot/resolver/dialectic"
	"moot/state"
	"moot/state/store"
)

// TestDecisionsPage runs the sessions that docs/decisions.md tells of, and
// compares what they say, and the receipts of their records, with the page. A run
// is an archive in testdata/decisions: the commands, then their files.
func TestDecisionsPage(t *testing.T) {
	path := filepath.Join("..", "docs", "decisions.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := strings.ReplaceAll(string(text), "\r\n", "\n")
	block := regexp.MustCompile(`(?s)(<!-- run: (\w+) -->\n).*?(<!-- end of the run -->\n)`)
	found := 0
	got := block.ReplaceAllStringFunc(page, func(text string) string {
		parts := block.FindStringSubmatch(text)
		found++
		return parts[1] + runOf(t, parts[2]) + parts[3]
	})
	archives, err := filepath.Glob(filepath.Join("testdata", "decisions", "*.txtar"))
	if err != nil || found != len(archives) {
		t.Fatalf("the page has %d runs of %d, %v", found, len(archives), err)
	}
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(page, got); diff != "" {
		t.Errorf("%s is not what comes out (-page +run); -update writes it:\n%s", path, diff)
	}
}

// runOf runs the commands of an archive, and writes down what they say and what
// the record has.
func runOf(t *testing.T, name string) string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "decisions", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	d.Now = func() time.Time { return time.Date(2026, 11, 21, 15, 30, 45, 0, time.UTC) }
	for _, f := range archive.Files {
		file := filepath.Join(d.Dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	for command := range strings.Lines(string(archive.Comment)) {
		command = strings.TrimSpace(command)
		line, input, redirected := strings.Cut(command, " < ")
		words, err := shellwords.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		d.In = strings.NewReader("")
		if redirected {
			answers, err := os.ReadFile(filepath.Join(d.Dir, input))
			if err != nil {
				t.Fatal(err)
			}
			d.In = strings.NewReader(string(answers))
		}
		d.out.Reset()
		d.err.Reset()
		code := d.run(words[1:]...)
		fmt.Fprintf(&out, "```sh\n%s\n```\n\n", folded(command))
		for _, stream := range []struct{ says, text string }{{"On the way it says", d.err.String()}, {"The result", d.out.String()}} {
			if stream.text != "" {
				fmt.Fprintf(&out, "%s:\n\n```text\n%s```\n\n", stream.says, masked(d, stream.text))
			}
		}
		fmt.Fprintf(&out, "Its exit code is %d.\n\n", code)
	}
	return out.String() + recorded(t)
}

// folded breaks a long command between its flags.
func folded(command string) string {
	return strings.NewReplacer(" --playbook", " \\\n    --playbook", " --pressure-tester", " \\\n    --pressure-tester", " '", " \\\n    '").Replace(command)
}

// masked is what was said without what is another at each run: the folder, the id
// of the session, the head of the record, which has both in it, and whether the
// session had to wait for the answer that was typed before it asked.
func masked(d *desk, said string) string {
	said = strings.ReplaceAll(said, d.Dir+string(filepath.Separator), "")
	for _, other := range []struct{ pattern, text string }{
		{`OK \S+[/\\]`, "OK "},
		{`[0-9]{8}-[0-9]{6}-[a-z0-9]{4}\b`, "20261121-153045-k3f9"},
		{`\bhead [0-9a-f]{64}\b`, "head …"},
		{`(?m)[ \t]+$`, ""},
		{`(?m)^wait .*\n`, ""},
	} {
		said = regexp.MustCompile(other.pattern).ReplaceAllString(said, other.text)
	}
	return said
}

// recorded writes the receipts of each resolution in the record of the run.
func recorded(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(os.Getenv(store.StateVariable), "*", "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("records %q, %v", files, err)
	}
	record, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	rounds := map[int]int{}
	for line := range strings.Lines(string(record)) {
		var event struct {
			Kind string           `json:"kind"`
			Data state.Resolution `json:"data"`
		}
		if !strings.Contains(line, `"round-resolved"`) {
			continue
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatal(err)
		}
		var result dialectic.Result
		if err := json.Unmarshal(event.Data.Result, &result); err != nil {
			t.Fatal(err)
		}
		if last, err := dialectic.Replay(result.Receipts); err != nil || last != event.Data.Head {
			t.Fatalf("the receipts do not replay: %v", err)
		}
		again := ""
		if rounds[event.Data.Round]++; rounds[event.Data.Round] > 1 {
			again = ", resolved again after the user's ruling"
		}
		fmt.Fprintf(&out, "Receipts of round %d%s: **%s**\n\n%s\nThe last hash is `%s`.\n\n", event.Data.Round, again, result.Decision, receipts(result.Receipts), event.Data.Head)
	}
	return out.String()
}

// receipts is a chain as a table.
func receipts(chain []dialectic.Receipt) string {
	var out strings.Builder
	out.WriteString("| seq | rule | subject | reads | outcome | reason | hash |\n|---|---|---|---|---|---|---|\n")
	for _, r := range chain {
		fmt.Fprintf(&out, "| %d | %s | %s | %s | %s | %s | `%.12s` |\n", r.Seq, r.Rule, r.Subject, strings.Join(r.Reads, " "), r.Outcome,
			strings.NewReplacer("|", `\|`, "`", "'").Replace(r.Reason), r.Hash)
	}
	return out.String()
}
