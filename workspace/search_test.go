package workspace

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
)

// writeTree makes files in a fresh folder.
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

// repository makes files in a fresh git repository, and adds the tracked ones to its index, ignored or not.
func repository(t testing.TB, files map[string]string, tracked ...string) string {
	t.Helper()
	root := writeTree(t, files)
	gitIn(t, root, "init", "-q")
	if text, ok := files[".git/info/exclude"]; ok {
		if err := os.WriteFile(filepath.Join(root, ".git", "info", "exclude"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if len(tracked) > 0 {
		gitIn(t, root, append([]string{"add", "-f", "--"}, tracked...)...)
	}
	return root
}

func gitIn(t testing.TB, dir string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// unpackCorpus returns a folder with the small repository of testdata/corpus.txtar.
func unpackCorpus(t testing.TB) string {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/corpus.txtar")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	if err := txtar.Write(archive, root); err != nil {
		t.Fatal(err)
	}
	return root
}

func open(t testing.TB, root string, allow ...string) *Workspace {
	t.Helper()
	w, err := New(root, nil, allow)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	return w
}

func find(t testing.TB, root, question string) []Passage {
	t.Helper()
	result, err := open(t, root).Passages(context.Background(), question, 8)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func paths(result []Passage) []string {
	var found []string
	for _, passage := range result {
		found = append(found, passage.Path)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// batteryQuestion is a question of a battery with the places that answer it: a path, and a text
// that the line must contain. Repository is set in files about several.
type batteryQuestion struct {
	repository, text string
	answers          [][2]string
}

func (q *batteryQuestion) answeredBy(path, text string) bool {
	return slices.ContainsFunc(q.answers, func(a [2]string) bool { return a[0] == path && strings.Contains(text, a[1]) })
}

func readBattery(t testing.TB, name string) []batteryQuestion {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var questions []batteryQuestion
	repository := ""
	for line := range strings.Lines(string(data)) {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || strings.HasPrefix(line, "#") || trimmed == "nothing":
		case strings.HasPrefix(line, "-- "):
			repository = trimmed[3:]
		case strings.HasPrefix(line, trimmed):
			questions = append(questions, batteryQuestion{repository: repository, text: trimmed})
		default:
			path, text, _ := strings.Cut(trimmed, ": ")
			last := &questions[len(questions)-1]
			last.answers = append(last.answers, [2]string{path, text})
		}
	}
	return questions
}

// A battery of questions with the lines that answer them: passages are verbatim, and the
// answers are found early and often enough. "nothing" below a question says that nothing
// in the corpus bears on it.
func TestBattery(t *testing.T) {
	t.Parallel()
	corpus := unpackCorpus(t)
	asked, first, early, nothing, silent := 0, 0, 0, 0, 0
	for _, q := range readBattery(t, "testdata/questions.txt") {
		result := find(t, corpus, q.text)
		rank := 0
		for i, p := range result {
			content, err := os.ReadFile(filepath.Join(corpus, filepath.FromSlash(p.Path)))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(strings.Split(string(content), "\n")[p.Line-1:p.EndLine], "\n"); got != p.Text || p.EndLine-p.Line >= maxPassage {
				t.Errorf("%s:%d-%d is %q, quoted %q", p.Path, p.Line, p.EndLine, got, p.Text)
			}
			if rank == 0 && q.answeredBy(p.Path, p.Text) {
				rank = i + 1
			}
		}
		switch {
		case len(q.answers) == 0:
			nothing++
			if len(result) == 0 {
				silent++
			} else {
				t.Logf("not silent: %s %+v", q.text, result[0])
			}
		default:
			asked++
			if rank == 1 {
				first++
			}
			if 1 <= rank && rank <= 3 {
				early++
			} else {
				t.Logf("rank %d: %s", rank, q.text)
			}
		}
	}
	t.Logf("of %d questions %d answered by the first passage, %d by the first three; silent on %d of %d", asked, first, early, silent, nothing)
	if 100*first < 52*asked || 100*early < 66*asked || 100*silent < 80*nothing {
		t.Error("the search got worse than its floor")
	}
}

// What answers no question stays out unless the question names it.
func TestWhatIsLeftOut(t *testing.T) {
	t.Parallel()
	const text = "the flamingo stands here\n"
	numbers := strings.Repeat("12.5,13.25,99\n", 100)
	root := repository(t, map[string]string{
		".gitignore": "*.log\n/out/\n", ".git/notes.txt": text, ".git/info/exclude": "private.txt\n",
		"a.txt": text, "a.log": text, "private.txt": text, "out/a.txt": text, "sub/out/a.txt": text,
		"sub/.gitignore": "!keep.log\nnested/*\n!nested/kept.txt\n", "sub/keep.log": text,
		"sub/nested/gone.txt": text, "sub/nested/kept.txt": text, "node_modules/a/a.txt": text,
		"LICENSE": text, "sub/COPYING.md": text, "license.go": text, "go.sum": text, "web/package-lock.json": text,
		"api.pb.go": "// Code generated by protoc. DO NOT EDIT.\n" + text, "data.csv": text + numbers,
		"session.jsonl": `{"seq":1,"kind":"session-opened","data":{}}` + "\n" + text, "export.json": `{"schema": "moot.session/1"}` + "\n" + text,
		"export.md": "<!-- moot.session/1 -->\n" + text, "map.svg": "<svg>\n<!-- moot.session/1 -->\n" + text,
		"binary.txt": text + "\x00", "large.txt": text + strings.Repeat("x y z\n", 400_000),
		"minified.js": text + strings.Repeat("a;", 30_000), "latin1.txt": "die Stra\xdfe\n" + text, ".github/workflow.yaml": "flamingo: true\n",
	})
	if runtime.GOOS != "windows" {
		for link, target := range map[string]string{"link.txt": "a.txt", "loop": ".", "outside": "/"} {
			if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
				t.Fatal(err)
			}
		}
	}
	w := open(t, root)
	names, err := w.Files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var files []candidate
	for _, name := range names {
		files = append(files, candidate{path: name})
	}
	var read []string
	w.each(t.Context(), 1, files, func(_, i int, data []byte) {
		if !foreign(files[i].path, data) {
			read = append(read, files[i].path)
		}
	})
	want := []string{
		".github/workflow.yaml", ".gitignore", "a.txt", "latin1.txt", "license.go", "sub/.gitignore", "sub/keep.log", "sub/nested/kept.txt",
		"sub/out/a.txt",
	}
	slices.Sort(read)
	slices.Sort(want)
	if !slices.Equal(read, want) {
		t.Errorf("read %q, want %q", read, want)
	}
	for question, path := range map[string]string{
		"where does sub/COPYING.md say flamingo?": "sub/COPYING.md", "which flamingo is in package-lock.json?": "web/package-lock.json",
	} {
		if got := paths(find(t, root, question)); !slices.Contains(got, path) {
			t.Errorf("%s: found %q, want %s among them", question, got, path)
		}
	}
	// Naming a file that git ignores isn't enough; the user must allow it.
	for question, path := range map[string]string{
		"does out/a.txt have a flamingo?": "out/a.txt", "what is in a.log about the flamingo": "a.log",
	} {
		if got := paths(find(t, root, question)); slices.Contains(got, path) {
			t.Errorf("%s: found %q", question, got)
		}
		if got, err := open(t, root, path).Passages(t.Context(), question, 20); err != nil || !slices.Contains(paths(got), path) {
			t.Errorf("%s: found %q, %v, want %s among them", question, paths(got), err, path)
		}
	}
}

func TestALicenseAnswersNothing(t *testing.T) {
	t.Parallel()
	root := writeTree(t, map[string]string{
		"LICENSE":     "Permission is hereby granted, free of charge, to any person obtaining a copy\nof the carousel, waterproof or not\n",
		"carousel.go": "package a\n\nfunc carousel() {}\n",
	})
	if got := find(t, root, "Is the carousel waterproof?"); len(got) != 0 {
		t.Errorf("found %+v", got)
	}
}

func TestHostileContent(t *testing.T) {
	t.Parallel()
	root := writeTree(t, map[string]string{
		"invalid.txt":   "flamingo \xff\xfe here\nflamingo pond\n",
		"nul.txt":       "flamingo\x00pond",
		"utf16.txt":     "\xff\xfef\x00l\x00a\x00",
		"huge-line.txt": strings.Repeat("flamingo pond ", 140),
		"no-newline":    "flamingo pond",
		"newlines.txt":  strings.Repeat("\n", 5000) + "a flamingo pond",
		"escape.txt":    "flamingo \x1b[31m pond\x1b[0m \x07\n",
		"long-word.txt": strings.Repeat("flamingo_", 100) + "\n",
	})
	result := find(t, root, "Which pond has a flamingo?")
	for _, p := range result {
		switch {
		case !utf8.ValidString(p.Text) || len(p.Text) > maxPassage*1001:
			t.Errorf("%s: quoted %q", p.Path, p.Text)
		case p.Path == "nul.txt" || p.Path == "utf16.txt" || p.Path == "huge-line.txt":
			t.Errorf("found %s", p.Path)
		case p.Path == "invalid.txt" && (p.Line != 2 || p.EndLine != 2):
			t.Errorf("invalid.txt: quoted lines %d-%d, want 2", p.Line, p.EndLine)
		case p.Path == "newlines.txt" && p.Line != 5001:
			t.Errorf("newlines.txt: found in line %d, want 5001", p.Line)
		case p.Path == "escape.txt" && !strings.Contains(p.Text, "\x1b[31m"):
			t.Errorf("escape.txt: quoted %q, want it byte for byte", p.Text)
		}
	}
	for _, name := range []string{"newlines.txt", "escape.txt"} {
		if !slices.Contains(paths(result), name) {
			t.Errorf("%s was not found, but %q", name, paths(result))
		}
	}
	for _, question := range []string{"", "   ", "?", "is it?", "\x00\xff", "zyxwv qponm", "`", strings.Repeat("a ", 100_000)} {
		if got := find(t, root, question); len(got) != 0 {
			t.Errorf("%.20q: found %+v", question, got)
		}
	}
}

// A file that became a link out of the workspace after it was listed is not read.
func TestLinkInPlaceOfAFile(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege here")
	}
	outside := writeTree(t, map[string]string{"secret.txt": "flamingo\n"})
	w := open(t, t.TempDir())
	if err := os.Symlink(filepath.Join(outside, "secret.txt"), filepath.Join(w.root.Name(), "a.txt")); err != nil {
		t.Fatal(err)
	}
	if data, ok := readRegular(w.root, "a.txt"); ok {
		t.Errorf("read %q through a link", data)
	}
}

func BenchmarkSearch(b *testing.B) {
	w := open(b, "..")
	for b.Loop() {
		if _, err := w.Passages(context.Background(), "Where is the session file locked against a second writer?", 8); err != nil {
			b.Fatal(err)
		}
	}
}
