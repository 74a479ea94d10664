//go:build unix

package workspace

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"moot/protocol/move"
	"moot/state"
)

// BenchmarkFirstPrompt opens a workspace and draws the map with the passages for a question;
// BenchmarkLookup answers lookups of a workspace that was listed before.
func BenchmarkFirstPrompt(b *testing.B) {
	for name, root := range trees(b) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := opened(b, root).Map(b.Context(), "Where does the server limit the size of a header?", ""); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLookup(b *testing.B) {
	for name, root := range trees(b) {
		w := opened(b, root)
		if _, err := w.Files(b.Context()); err != nil {
			b.Fatal(err)
		}
		for _, lookup := range []move.Move{
			&move.List{Glob: "**/*_test.go"}, &move.Read{Path: "a/f1.go"}, &move.Search{Query: "header size"}, &move.Search{Query: "/MaxHeader/"},
		} {
			b.Run(fmt.Sprintf("%s/%s", name, move.KindOf(lookup)), func(b *testing.B) {
				for b.Loop() {
					_, _, _ = w.Look(b.Context(), lookup, 64<<10)
				}
			})
		}
	}
}

// BenchmarkQuality reports how many questions about real repositories are answered, in percent: by
// the right file among the first five results of SEARCH, and by the right lines among the passages
// of the first prompt. It skips repositories that are not on the machine. -v lists what was missed.
func BenchmarkQuality(b *testing.B) {
	questions := readBattery(b, "testdata/quality.txt")
	for len(questions) > 0 {
		name, n := questions[0].repository, 0
		for n < len(questions) && questions[n].repository == name {
			n++
		}
		asked := questions[:n]
		questions = questions[n:]
		b.Run(name, func(b *testing.B) {
			root := filepath.Join(runtime.GOROOT(), "src", name) //nolint:staticcheck // the sources of this toolchain
			if strings.Contains(name, ".") {
				dir, _ := exec.CommandContext(b.Context(), "go", "list", "-m", "-f", "{{.Dir}}", name).Output()
				root = strings.TrimSpace(string(dir))
			}
			if _, err := os.Stat(root); err != nil {
				b.Skip("the repository is not here")
			}
			w := opened(b, root)
			files, lines := 0, 0
			for b.Loop() {
				files, lines = 0, 0
				for _, q := range asked {
					_, found, _ := w.Look(b.Context(), &move.Search{Query: q.text}, 64<<10)
					right := slices.IndexFunc(found, func(p state.Passage) bool {
						return slices.ContainsFunc(q.answers, func(a [2]string) bool { return a[0] == p.Path })
					})
					m, err := w.Map(b.Context(), q.text, "")
					if err != nil {
						b.Fatal(err)
					}
					shown := slices.ContainsFunc(m.Passages, func(p state.Passage) bool { return q.answeredBy(p.Path, p.Text) })
					if right >= 0 && right < 5 {
						files++
					}
					if shown {
						lines++
					}
					if right < 0 || right >= 5 || !shown {
						b.Logf("file at %d, lines shown %t: %s", right, shown, q.text)
					}
				}
			}
			b.ReportMetric(100*float64(files)/float64(n), "%file")
			b.ReportMetric(100*float64(lines)/float64(n), "%lines")
		})
	}
}

// trees are generated workspaces of 10,000 and 100,000 files, and the sources of Go.
func trees(b *testing.B) map[string]string {
	b.Helper()
	roots := map[string]string{"go": filepath.Join(runtime.GOROOT(), "src")} //nolint:staticcheck // the sources of this toolchain
	for _, n := range []int{10_000, 100_000} {
		files := map[string]string{}
		for i := range n {
			files[fmt.Sprintf("%c/d%d/f%d.go", 'a'+i%20, i/500, i)] = fmt.Sprintf("package d%d\n\n// Limit%d bounds the header.\nfunc Limit%d() {}\n", i, i, i) +
				strings.Repeat("var filler = \"some text of a line in a file\"\n", 20)
		}
		files["a/f1.go"] = "package a\n"
		roots[fmt.Sprint(n)] = writeTree(b, files)
	}
	return roots
}
