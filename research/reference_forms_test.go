package research

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"moot/protocol"
	"moot/protocol/formats"
	"moot/protocol/move"
	"moot/protocol/reply"
	"moot/state"
)

// fileStyles are files named in six ways, each with the same lines. Their names and tails all differ.
func fileStyles() []string {
	return []string{
		"src/core/queue.go", ".github/workflows/check.yml", "my notes/retry plan.md", "设计/队列说明.md", "build/Makefile",
		"Größe/ÜBERSICHT.TXT",
	}
}

const formLines = "first line of it\n\nfunc Retry() {\n\tfor {\n\t\tdoWork()\n\t}\n}\nthe last line of it\n"

// referenceForms are ways to write line 5, or lines 4 to 6, of PATH. BASE is its last element, TAIL what follows its
// first folder, BACK the path with backslashes, ROOT the folder of the workspace.
func referenceForms() []string {
	return strings.Split(strings.TrimSpace(`
PATH:5
PATH:4-6
PATH:4–6
PATH:4—6
PATH:4..6
PATH:4 to 6
PATH:4～6
PATH:5:3
PATH:5:3-6:2
PATH:3,5
PATH:1,4-6
PATH:L5
PATH:L4-L6
PATH:~5
PATH:5+
PATH::5
PATH:5.
PATH:5,
PATH:5;
PATH:4-6:
PATH：5
PATH#L5
PATH#L4-L6
PATH#L4-6
PATH#L5C3
PATH (line 5)
PATH (lines 4-6)
PATH (lines 4–6)
PATH line 5
PATH, line 5
PATH lines 4-6
PATH, lines 4–6
PATH, lines 4 to 6
PATH at line 5
PATH L5
PATH L4-6
PATH, L5
PATH 第5行
PATH第 4-6 行
PATH（第5行）
line 5 of PATH
lines 4-6 of PATH
lines 4-6 in PATH
line 5 in the file PATH
line 5 of `+"`PATH`"+`
`+"`PATH:5`"+`
`+"`PATH`:5"+`
`+"`PATH` line 5"+`
`+"`PATH` (line 5)"+`
`+"(`PATH:5`)"+`
`+"`PATH#L5`"+`
**PATH:5**
**`+"`PATH:5`"+`**
(PATH:5)
[PATH:5]
<PATH:5>
「PATH:5」
（PATH:5）
《PATH》：5
“PATH”:5
“PATH:5”
"PATH":5
[BASE:5](PATH#L5)
[BASE](PATH:5)
[PATH](PATH#L4-L6)
[PATH](/Users/somebody/work/PATH:5)
[the loop](PATH:5)
./PATH:5
a/PATH:5
b/PATH:5
b/PATH:4-6
@PATH:5
@PATH#L5
/PATH:5
/Users/somebody/work/PATH:5
/workspace/PATH:4-6
/home/runner/work/app/app/PATH:5
ROOT/PATH:5
C:\work\BACK:5
BACK:5
.\BACK:5
\/home\/somebody\/work\/ESCAPED:5
BASE:5
BASE:4-6
`+"`BASE:5`"+`
UPPER:5
PATH:5 (Retry)
PATH:5 in Retry()
PATH:9
PATH:4-100
PATH
file://ROOT/PATH#L5
vscode://file/ROOT/PATH:5
证据：PATH:5
见 PATH:5
PATH: 5
PATH : 5
PATH(5)
PATH(5,3)
PATH @ 5
PATH#5
`), "\n")
}

// written fills in a form for a file.
func written(form, file, root string) string {
	_, tail, _ := strings.Cut(file, "/")
	return strings.NewReplacer(
		"PATH", file, "BASE", filepath.Base(file), "TAIL", tail, "BACK", strings.ReplaceAll(file, "/", `\`),
		"ROOT", root, "ESCAPED", strings.ReplaceAll(file, "/", `\/`),
		"UPPER", strings.ToUpper(file[:strings.IndexByte(file, '/')])+file[strings.IndexByte(file, '/'):],
	).Replace(form)
}

var theParser = sync.OnceValues(func() (*reply.Parser, error) { return reply.NewParser(formats.All()) })

// citedIn are the citations of a reply that raises one point.
func citedIn(t *testing.T, r string) []move.Citation {
	t.Helper()
	parser, err := theParser()
	if err != nil {
		t.Fatal(err)
	}
	parsed, failed := parser.Parse(r, protocol.Ask{
		Seat: state.Consultee, Stage: state.StagePropose, Moves: []move.Kind{move.KindRaise},
	})
	if failed != nil || len(parsed.Moves) != 1 {
		t.Fatalf("%s: %v, %d moves", r, failed, len(parsed.Moves))
	}
	raised, _ := parsed.Moves[0].(*move.Raise)
	return raised.Citations
}

// At least 98 % of the ways to write one place are read, in JSON and in lines, and none is taken for another place.
func TestReferenceForms(t *testing.T) {
	files := map[string]string{"other/retry.go": "nothing of it\n"}
	for _, file := range fileStyles() {
		files[file] = formLines
	}
	c, root := open(t, files)
	total, read := 0, 0
	forms := referenceForms()
	if len(forms) < 100 {
		t.Errorf("%d forms", len(forms))
	}
	for _, form := range forms {
		for _, file := range fileStyles() {
			cited := written(form, file, filepath.ToSlash(root))
			for name, citations := range map[string][]move.Citation{
				"JSON":  {{Reference: cited, Quote: "doWork()"}},
				"lines": citedIn(t, fmt.Sprintf("1. The work is done in a loop. [EVIDENCE] %s %q", cited, "doWork()")),
			} {
				total++
				ok := len(citations) == 1
				for _, citation := range citations {
					finding := c.Check(t.Context(), citation.Reference, citation.Quote)
					ok = ok && finding.Verified
					if at, _, _ := strings.Cut(finding.Reference, ":"); finding.Verified && at != file {
						t.Errorf("%s, %s: taken for %s", name, cited, finding.Reference)
					}
				}
				if ok {
					read++
				} else {
					t.Logf("%s, not read: %s as %+v", name, cited, citations)
				}
			}
		}
	}
	t.Logf("%d of %d are read", read, total)
	if 100*read < 98*total {
		t.Errorf("%d of %d are read, want 98 %%", read, total)
	}
}

// What names no place of the workspace is not read in prose, and refused in JSON.
func TestWhatIsNoReference(t *testing.T) {
	files := map[string]string{"Makefile": formLines, "queue.go": formLines}
	for _, file := range fileStyles() {
		files[file] = formLines
	}
	c, _ := open(t, files)
	for _, text := range []string{
		"https://github.com/somebody/else/blob/main/src/core/queue.go#L5",
		"[queue.go:5](https://github.com/somebody/else/blob/main/src/core/queue.go#L5)",
		"https://example.com/src/core/queue.go:5", "http://127.0.0.1:8080/src/core/queue.go",
		"github.com/somebody/queue/other.go:5",
		"golang.org/x/mod/modfile:5", "src/core/queue.go:0", "src/core/queue.go:0-3", "src/core/queue.go:6-4",
		"12:30", "at 12:30:05",
		"localhost:8080", "example.com:443", "db.internal:5432", "10.0.0.1:80", "v1.22.3:4", "go1.22:5",
		"queue.Retry:5", "queue.retry(5)",
		"somebody/queue#5", "somebody/worker:12", "retries.max: 5", "Note: 5", "ratio 3:4", "step 2:5", "a:5",
		"2026-01-02T12:30",
	} {
		for _, quote := range []string{"", ` "doWork()"`} {
			for _, citation := range citedIn(t, "1. The work is done in a loop, see "+text+quote) {
				if finding := c.Check(t.Context(), citation.Reference, citation.Quote); finding.Verified {
					t.Errorf("%s%s is read as %s: %s", text, quote, citation.Reference, finding.Reason)
				} else if quote == "" {
					t.Errorf("%s is read as %s", text, citation.Reference)
				}
			}
		}
		for _, quote := range []string{"", "doWork()"} {
			if finding := c.Check(t.Context(), text, quote); finding.Verified {
				t.Errorf("%s %q is read as %s: %s", text, quote, finding.Reference, finding.Reason)
			}
		}
	}
}
