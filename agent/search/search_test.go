package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// writeTree makes files in a fresh folder; a path that ends in a slash is a folder.
func writeTree(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func find(t testing.TB, index *Index, question string) Result {
	t.Helper()
	result, err := index.Search(context.Background(), question, 8)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func paths(result Result) []string {
	var found []string
	for _, passage := range result.Passages {
		found = append(found, passage.Path)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

func TestPassagesAreVerbatim(t *testing.T) {
	t.Parallel()
	text := "package a\r\n\r\n// Flamingo  counts\tbirds. \r\nfunc Flamingo() int {   \r\n\treturn 1\r\n}\r\n"
	root := writeTree(t, map[string]string{"sub/a.go": text})
	result := find(t, openIndex(t, root), "what does Flamingo count?")
	if len(result.Passages) != 1 {
		t.Fatalf("found %d passages, want 1", len(result.Passages))
	}
	passage := result.Passages[0]
	if passage.Path != "sub/a.go" || passage.Line != 3 || passage.EndLine != 4 {
		t.Errorf("found %s:%d-%d", passage.Path, passage.Line, passage.EndLine)
	}
	if want := "// Flamingo  counts\tbirds. \nfunc Flamingo() int {   "; passage.Text != want {
		t.Errorf("quoted %q, want %q", passage.Text, want)
	}
	if want := []string{"flamingo", "count"}; !slices.Equal(passage.Terms, want) {
		t.Errorf("terms %q, want %q", passage.Terms, want)
	}
}

// TestPassagesAreInTheirFiles asks the whole battery and reads every passage back.
func TestPassagesAreInTheirFiles(t *testing.T) {
	t.Parallel()
	index := openIndex(t, "testdata/corpus")
	for _, question := range readQuestions(t, "testdata/questions.txt") {
		result := find(t, index, question.Text)
		for i, passage := range result.Passages {
			content, err := os.ReadFile(filepath.Join("testdata/corpus", filepath.FromSlash(passage.Path)))
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.Split(string(content), "\n")
			if got := strings.Join(lines[passage.Line-1:passage.EndLine], "\n"); got != passage.Text {
				t.Errorf("%s:%d-%d is %q, quoted %q", passage.Path, passage.Line, passage.EndLine, got, passage.Text)
			}
			if passage.EndLine-passage.Line >= maxPassage || passage.Score <= 0 || len(passage.Terms) == 0 {
				t.Errorf("%s: %+v", question.Text, passage)
			}
			if i > 0 && passage.Score > result.Passages[i-1].Score {
				t.Errorf("%s: passage %d is better than the one before", question.Text, i)
			}
		}
	}
}

func TestWalkLeavesOut(t *testing.T) {
	t.Parallel()
	const text = "the flamingo stands here\n"
	root := writeTree(t, map[string]string{
		".gitignore":            "*.log\n/out/\n",
		".git/config":           text,
		".git/info/exclude":     "private.txt\n",
		"a.txt":                 text,
		"a.log":                 text,
		"private.txt":           text,
		"out/a.txt":             text,
		"sub/out/a.txt":         text,
		"sub/.gitignore":        "!keep.log\nnested/*\n!nested/kept.txt\n",
		"sub/keep.log":          text,
		"sub/nested/gone.txt":   text,
		"sub/nested/kept.txt":   text,
		"node_modules/a/a.txt":  text,
		"go.sum":                text,
		"binary.txt":            text + "\x00",
		"large.txt":             text + strings.Repeat("x y z\n", 400_000),
		"minified.js":           text + strings.Repeat("a;", 30_000),
		"latin1.txt":            "die Stra\xdfe\n" + text,
		".github/workflow.yaml": "flamingo: true\n",
	})
	if runtime.GOOS != "windows" {
		for link, target := range map[string]string{"link.txt": "a.txt", "loop": ".", "outside": "/"} {
			if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
				t.Fatal(err)
			}
		}
	}
	result := find(t, openIndex(t, root), "where is the flamingo?")
	want := []string{".github/workflow.yaml", "a.txt", "latin1.txt", "sub/keep.log", "sub/nested/kept.txt", "sub/out/a.txt"}
	if got := paths(result); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	for reason, n := range map[Reason]int{
		ReasonIgnored: 4, ReasonTooling: 3, ReasonBinary: 1, ReasonTooLarge: 1, ReasonLongLines: 1,
	} {
		if got := result.Survey.Skipped[reason]; got != n {
			t.Errorf("skipped %d %s, want %d", got, reason, n)
		}
	}
	if got := result.Survey.Skipped[ReasonSymlink]; runtime.GOOS != "windows" && got != 3 {
		t.Errorf("skipped %d symlinks, want 3", got)
	}
	if result.Survey.Files != 8 {
		t.Errorf("read %d files, want 8: %s", result.Survey.Files, result.Survey)
	}
}

func TestWithPaths(t *testing.T) {
	t.Parallel()
	const text = "the flamingo stands here\n"
	root := writeTree(t, map[string]string{
		".gitignore": "*.log\n", "a/one.txt": text, "a/b/two.txt": text, "a/b/c.log": text, "d/three.log": text,
		"d/four.txt": text, "go.sum": text,
	})
	for name, test := range map[string]struct {
		paths []string
		want  []string
	}{
		"a folder, with the rules above it":    {[]string{"a"}, []string{"a/b/two.txt", "a/one.txt"}},
		"a file that is ignored":               {[]string{"d/three.log"}, []string{"d/three.log"}},
		"a lock file":                          {[]string{"go.sum"}, []string{"go.sum"}},
		"a folder, one in it and a file in it": {[]string{"a", "a/b", "./a/b/c.log"}, []string{"a/b/c.log", "a/b/two.txt", "a/one.txt"}},
		"the root and a file":                  {[]string{".", "d/three.log"}, []string{"a/b/two.txt", "a/one.txt", "d/four.txt", "d/three.log"}},
		"an absolute path":                     {[]string{filepath.Join(root, "d")}, []string{"d/four.txt"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result := find(t, openIndex(t, root, WithPaths(test.paths...)), "where is the flamingo?")
			if got := paths(result); !slices.Equal(got, test.want) {
				t.Errorf("found %q, want %q", got, test.want)
			}
			if total := result.Survey.Files; total < len(test.want) || total > len(test.want)+1 { // and .gitignore
				t.Errorf("read %d files, want each of %d once", total, len(test.want))
			}
		})
	}
	for _, bad := range []string{"missing.txt", "..", "../x", "/etc/passwd"} {
		if index, err := Open(root, WithPaths(bad)); err == nil {
			t.Errorf("Open with path %q succeeds", bad)
			index.Close()
		}
	}
}

func TestLockFilesAreSearchedIfNamed(t *testing.T) {
	t.Parallel()
	root := writeTree(t, map[string]string{"web/package-lock.json": "{\n  \"flamingo\": \"1.2.3\"\n}\n", "a.txt": "nothing\n"})
	index := openIndex(t, root)
	if got := paths(find(t, index, "which flamingo is locked?")); len(got) != 0 {
		t.Errorf("found %q, want nothing", got)
	}
	if got := paths(find(t, index, "which flamingo is in package-lock.json?")); len(got) != 1 {
		t.Errorf("found %q, want the lock file", got)
	}
}

func TestNothingIsInvented(t *testing.T) {
	t.Parallel()
	index := openIndex(t, "testdata/corpus")
	for _, question := range []string{"", "   ", "?", "is it?", "why", "\x00\xff", "zyxwv qponm", "`", strings.Repeat("a ", 100_000)} {
		if result := find(t, index, question); len(result.Passages) != 0 {
			t.Errorf("%.20q finds %s", question, result.Passages[0].Path)
		}
	}
}

func TestMentionedLine(t *testing.T) {
	t.Parallel()
	index := openIndex(t, "testdata/corpus")
	for _, question := range []string{
		"Is internal/lease/heartbeat.go:21 a race?", "Is `internal/lease/heartbeat.go#L21` a race?", "what of heartbeat.go:21-23?",
	} {
		result := find(t, index, question)
		if len(result.Passages) == 0 {
			t.Errorf("%s: nothing found", question)
			continue
		}
		first := result.Passages[0]
		if first.Path != "internal/lease/heartbeat.go" || first.Line > 21 || first.EndLine < 21 {
			t.Errorf("%s: found %s:%d-%d first", question, first.Path, first.Line, first.EndLine)
		}
	}
}

func TestSameResultHoweverManyWorkers(t *testing.T) {
	t.Parallel()
	root := writeTree(t, syntheticTree(300))
	const question = "how does the retry worker limit the queue size?"
	want := find(t, openIndex(t, root, WithWorkers(1)), question)
	if len(want.Passages) != 8 {
		t.Fatalf("found %d passages, want 8", len(want.Passages))
	}
	for workers := 1; workers <= 9; workers += 2 {
		got := find(t, openIndex(t, root, WithWorkers(workers)), question)
		if !reflect.DeepEqual(got.Passages, want.Passages) {
			t.Errorf("with %d workers another result:\n%v\n%v", workers, got.Passages, want.Passages)
		}
		got.Survey.Took = want.Survey.Took
		if !reflect.DeepEqual(got.Survey, want.Survey) {
			t.Errorf("with %d workers another survey: %s, not %s", workers, got.Survey, want.Survey)
		}
	}
}

func TestNoFileFillsTheResult(t *testing.T) {
	t.Parallel()
	var many strings.Builder
	for i := range 40 {
		fmt.Fprintf(&many, "flamingo stands in pond %d\n\n", i)
	}
	root := writeTree(t, map[string]string{"many.txt": many.String(), "one.txt": "the pond of a flamingo\n"})
	result := find(t, openIndex(t, root), "which pond has a flamingo?")
	if got := paths(result); len(got) != 2 {
		t.Errorf("found %q, want both files", got)
	}
	if len(result.Passages) > maxPerFile+1 {
		t.Errorf("%d passages, want at most %d of a file", len(result.Passages), maxPerFile)
	}
}

func TestSearchEndsWithItsContext(t *testing.T) {
	t.Parallel()
	root := writeTree(t, syntheticTree(200))
	ctx, cancel := context.WithCancel(context.Background())
	seen := 0
	// One worker: nobody else reads on while it is told.
	index := openIndex(t, root, WithWorkers(1), WithProgress(func(files int) {
		if files < seen {
			t.Errorf("progress went from %d to %d", seen, files)
		}
		seen = files
		cancel()
	}))
	result, err := index.Search(ctx, "how does the queue retry?", 8)
	if !errors.Is(err, context.Canceled) || len(result.Passages) != 0 {
		t.Errorf("Search gives %d passages and error %v, want none and %v", len(result.Passages), err, context.Canceled)
	}
	if seen == 0 || result.Survey.Files >= 200 {
		t.Errorf("the search went on to the end: %s", result.Survey)
	}
}

// syntheticTree makes source-like files, the same ones each time.
func syntheticTree(n int) map[string]string {
	random := rand.New(rand.NewPCG(3, 5))
	words := strings.Fields("queue worker retry limit size cache index token parse request handler session cluster shard " +
		"replica metric buffer stream cursor schema policy tenant invoice ledger window batch event route probe quota")
	pick := func() string { return words[random.IntN(len(words))] }
	title := func(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
	files := map[string]string{}
	for i := range n {
		var text strings.Builder
		fmt.Fprintf(&text, "package %s\n\nimport (\n\t\"context\"\n)\n\n", pick())
		for line := range 60 + i%40 {
			switch line % 6 {
			case 0:
				fmt.Fprintf(&text, "\n// %s%s returns the %s of a %s, or an error.\n", title(pick()), title(pick()), pick(), pick())
			case 1:
				fmt.Fprintf(&text, "func (x *%s) %s%s(ctx context.Context) error {\n", title(pick()), title(pick()), title(pick()))
			case 5:
				text.WriteString("\treturn nil\n}\n")
			default:
				fmt.Fprintf(&text, "\tvalue%d := x.lookup(ctx, %d)\n", line, random.IntN(10_000))
			}
		}
		files[fmt.Sprintf("pkg%02d/part%d/file%05d.go", i%40, i%7, i)] = text.String()
	}
	return files
}

func BenchmarkSearch10000Files(b *testing.B) {
	root := writeTree(b, syntheticTree(10_000))
	index := openIndex(b, root)
	b.ReportAllocs()
	for b.Loop() {
		result := find(b, index, "How does the retry worker limit the size of a request queue?")
		if len(result.Passages) == 0 || result.Survey.Files != 10_000 {
			b.Fatal(result.Survey)
		}
		b.SetBytes(result.Survey.Bytes)
	}
}
