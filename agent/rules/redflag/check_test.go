package redflag_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/txtar"

	"moot/agent/rules/redflag"
	"moot/internal/redact"
	"moot/protocol/dialectic/playbook"
	"moot/research"
)

// change is a case of a check: files before and after, and what must be found.
type change struct {
	before, after map[string][]byte
	want          []string
}

// readCases reads an archive of testdata: the check in check, and files named
// CASE/old/PATH, CASE/new/PATH and CASE/want.
func readCases(t *testing.T, name string) (check string, cases map[string]*change) {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	cases = map[string]*change{}
	for _, file := range archive.Files {
		if file.Name == "check" {
			check = string(file.Data)
			continue
		}
		title, rest, _ := strings.Cut(file.Name, "/")
		c := cases[title]
		if c == nil {
			c = &change{before: map[string][]byte{}, after: map[string][]byte{}}
			cases[title] = c
		}
		switch side, name, _ := strings.Cut(rest, "/"); side {
		case "old":
			c.before[name] = file.Data
		case "new":
			c.after[name] = file.Data
		case "want":
			for line := range strings.Lines(string(file.Data)) {
				c.want = append(c.want, strings.TrimSpace(line))
			}
		default:
			t.Fatalf("%s: %s is nothing that a case has", name, file.Name)
		}
	}
	return check, cases
}

// diffOf is the change as git would show it.
func (c *change) diffOf() []byte {
	all := maps.Clone(c.before)
	maps.Copy(all, c.after)
	var out bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(all)) {
		before, had := c.before[name]
		after, has := c.after[name]
		if bytes.Equal(before, after) {
			continue
		}
		fmt.Fprintf(&out, "diff --git a/%s b/%s\n", name, name)
		from, to := "a/"+name, "b/"+name
		if !had {
			from = "/dev/null"
			out.WriteString("new file mode 100644\n")
		}
		if !has {
			to = "/dev/null"
			out.WriteString("deleted file mode 100644\n")
		}
		_, hunks, _ := bytes.Cut(diff.Diff(from, before, to, after), []byte("\n"))
		out.Write(hunks)
	}
	return out.Bytes()
}

// one is a playbook with nothing but one flag of one check.
func one(t testing.TB, check string) *playbook.Playbook {
	t.Helper()
	book, err := playbook.Read("test.toml", []byte(`title = "Test"
[[flag]]
id = "it"
title = "It"
look = "It."
why = "It."
category = "Safety"
severity = "HIGH"
predicate = "it is not so"
clears = "That."
[[flag.check]]
`+check))
	if err != nil {
		t.Fatal(err)
	}
	return &book
}

// finder finds red flags with one redactor.
type finder struct{ *redact.Redactor }

func (f finder) Find(
	ctx context.Context, book *playbook.Playbook, change *redflag.Change, workspace fs.FS,
) ([]redflag.Finding, error) {
	return redflag.Find(ctx, f.Redactor, book, change, workspace)
}

func newChecker(t testing.TB) finder {
	t.Helper()
	redactor, err := redact.New()
	if err != nil {
		t.Fatal(err)
	}
	return finder{redactor}
}

// Every kind of check fires where it should, is silent where it should be, and
// cites what the citation researcher finds.
func TestChecks(t *testing.T) {
	files, err := filepath.Glob("testdata/checks/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	checker := newChecker(t)
	tried := map[string]bool{"binary-file": true} // TestBinaryFiles has it.
	for _, file := range files {
		kind := strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".txtar")
		tried[kind] = true
		check, cases := readCases(t, file)
		book := one(t, check)
		fires, silent := 0, 0
		for _, title := range slices.Sorted(maps.Keys(cases)) {
			c := cases[title]
			t.Run(kind+"/"+title, func(t *testing.T) { c.try(t, checker, book) })
			if len(c.want) > 0 {
				fires++
			} else {
				silent++
			}
		}
		if fires == 0 || silent == 0 {
			t.Errorf("%s fires in %d cases and is silent in %d: it needs both", kind, fires, silent)
		}
	}
	for _, kind := range playbook.Kinds() {
		if !tried[string(kind)] {
			t.Errorf("no case for the check %s", kind)
		}
	}
}

func (c *change) try(t *testing.T, checker finder, book *playbook.Playbook) {
	folder, workspace := t.TempDir(), fstest.MapFS{}
	patch := c.diffOf()
	write := func(name string, data []byte) {
		name = filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range c.after {
		write(name, data)
		workspace[name] = &fstest.MapFile{Data: data}
	}
	write("change.diff", patch)
	read, err := redflag.ReadDiff("change.diff", patch)
	if err != nil {
		t.Fatalf("%v\n%s", err, patch)
	}
	found, err := checker.Find(context.Background(), book, read, workspace)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range found {
		got = append(got, strings.TrimSpace(f.Reference+" "+strconv.Quote(f.Quote)))
		verify(t, folder, &f)
	}
	// A want without what it is about leaves that open.
	if !slices.EqualFunc(got, c.want, func(got, want string) bool { return got == want || strings.HasPrefix(got, want+" ") }) {
		t.Errorf("found %q, want %q in\n%s", got, c.want, patch)
	}
	// The diff alone shows less, and never more.
	alone, err := checker.Find(context.Background(), book, read, nil)
	if err != nil || len(alone) > len(found) {
		t.Errorf("%d findings without a workspace, %d with one (%v)", len(alone), len(found), err)
	}
	for i := range alone {
		verify(t, folder, &alone[i])
	}
}

// verify looks a finding up as any citation is.
func verify(t *testing.T, folder string, f *redflag.Finding) {
	t.Helper()
	citation, err := research.OpenCitation(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer citation.Close()
	if got := citation.Check(context.Background(), f.Reference, f.Quote); !got.Verified || got.Moved {
		t.Errorf("%s %q does not stand there: %s", f.Reference, f.Quote, got.Reason)
	}
	if f.What == "" || f.Flag != "it" {
		t.Errorf("a finding that says too little: %+v", f)
	}
}
