package redact

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// codeFiles returns the real code of testdata and of Go's library, by language.
func codeFiles(t testing.TB) map[string][]txtar.File {
	t.Helper()
	code := map[string][]txtar.File{}
	for _, language := range []string{"python", "c", "javascript", "java"} {
		packed, err := os.ReadFile("testdata/code/" + language + ".txtar.gz")
		if err != nil {
			t.Fatal(err)
		}
		reader, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		code[language] = txtar.Parse(text).Files
	}
	root, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"net/http", "net/url", "net/smtp", "crypto/tls", "go/token", "go/scanner", "go/parser", "encoding/json", "os/user", "mime"} {
		names, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src", folder, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(name, "_test.go") {
				code["go"] = append(code["go"], txtar.File{Name: folder + "/" + filepath.Base(name), Data: text})
			}
		}
	}
	return code
}

// Of real code in five languages at most 2 lines in 1,000 change, whether the file has its name, has none, or is in a
// diff.
func TestRealCodeStays(t *testing.T) {
	t.Parallel()
	r, err := New()
	if err != nil {
		t.Fatal(err)
	}
	const least, perThousand = 3000, 2
	for language, files := range codeFiles(t) {
		lines := 0
		changed, example := map[string]int{}, map[string]string{}
		for _, f := range files {
			text := strings.TrimSuffix(strings.ToValidUTF8(string(f.Data), "?"), "\n")
			lines += strings.Count(text, "\n") + 1
			for how, in := range map[string][2]string{
				"with its name": {f.Name, text}, "without a name": {"", text}, "in a diff": {"change.diff", inDiff(f.Name, text, '+')},
			} {
				_, findings := r.Named(in[0], in[1])
				before := strings.Split(in[1], "\n")
				for _, found := range findings {
					changed[how] += found.Last - found.Line + 1
					example[how] = f.Name + ": " + before[found.Line-1]
				}
			}
		}
		if lines < least {
			t.Errorf("%s has %d lines", language, lines)
		}
		for _, how := range []string{"with its name", "without a name", "in a diff"} {
			t.Logf("%s %s: %d of %d lines change", language, how, changed[how], lines)
			if changed[how]*1000 > lines*perThousand {
				t.Errorf("%s %s: %d of %d lines change, such as %q", language, how, changed[how], lines, example[how])
			}
		}
	}
}

func BenchmarkNamed(b *testing.B) {
	r, err := New()
	if err != nil {
		b.Fatal(err)
	}
	for language, files := range codeFiles(b) {
		b.Run(language, func(b *testing.B) {
			size := 0
			for _, f := range files {
				size += len(f.Data)
			}
			b.SetBytes(int64(size))
			for b.Loop() {
				for _, f := range files {
					r.Named(f.Name, string(f.Data))
				}
			}
		})
	}
	b.Run("secrets", func(b *testing.B) {
		text := strings.ReplaceAll(secretLines, "·", "")
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			r.Named("secrets.env", text)
		}
	})
}
