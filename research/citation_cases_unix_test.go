//go:build unix

package research

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// readCases reads a file of JSON lines in testdata/citations.
func readCases[T any](t *testing.T, name string) []T {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "citations", name))
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	var all []T
	for decoder.More() {
		var one T
		if err := decoder.Decode(&one); err != nil {
			t.Fatalf("%s:%d: %v", name, len(all)+1, err)
		}
		all = append(all, one)
	}
	return all
}

// layOut makes the workspace of the cases in a folder: testdata/citations/workspace, and the files of made.jsonl
// that a repository cannot hold, such as symlinks, pipes and files of 16 MiB.
func layOut(t *testing.T, folder string) (workspace string) {
	t.Helper()
	workspace = filepath.Join(folder, "repository", "app")
	if err := os.CopyFS(workspace, os.DirFS(filepath.Join("testdata", "citations", "workspace"))); err != nil {
		t.Fatal(err)
	}
	for _, m := range readCases[struct {
		Path, Text, Tail, Link string
		Repeat                 int
		Base64                 []byte
		FIFO, Folder           bool
	}](t, "made.jsonl") {
		path := filepath.Join(folder, filepath.FromSlash(m.Path))
		err := os.MkdirAll(filepath.Dir(path), 0o750)
		switch {
		case err != nil:
		case m.Link != "":
			err = os.Symlink(m.Link, path)
		case m.FIFO:
			err = syscall.Mkfifo(path, 0o600)
		case m.Folder:
			err = os.Mkdir(path, 0o750)
		default:
			text := strings.Repeat(m.Text, max(1, m.Repeat)) + m.Tail + string(m.Base64)
			err = os.WriteFile(path, []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return workspace
}

// TestCitations checks the citations of testdata/citations/cases.jsonl: exact, moved, altered by one character,
// invented, or pointing where they must not. Each has a known outcome and, if known, the lines and the reason.
func TestCitations(t *testing.T) {
	c, err := OpenCitation(layOut(t, t.TempDir()))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	lines := func(reference string) string { return reference[strings.LastIndexByte(reference, ':')+1:] }
	for _, k := range readCases[struct {
		Group, Name, Reference, Quote, At, Near, Reason string
		Expect                                          string
		Times                                           int
	}](t, "cases.jsonl") {
		finding := c.Check(t.Context(), k.Reference, strings.Repeat(k.Quote, max(1, k.Times)))
		name := k.Group + ": " + k.Name
		switch {
		case outcomeOf(&finding) != k.Expect:
			t.Errorf("%s: %s (%s), want %s", name, outcomeOf(&finding), finding.Reason, k.Expect)
		case k.At != "" && lines(finding.Reference) != k.At:
			t.Errorf("%s: at %s, want %s", name, finding.Reference, k.At)
		case k.Near != "" && lines(finding.NearestReference) != k.Near:
			t.Errorf("%s: the nearest passage is at %q, want %s", name, finding.NearestReference, k.Near)
		case !strings.Contains(finding.Reason, k.Reason) || finding.Reason == "":
			t.Errorf("%s: the reason is %q, want %q", name, finding.Reason, k.Reason)
		}
	}
}
