//go:build unix

package workspace

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"moot/protocol"
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
		for _, lookup := range []protocol.Move{
			&protocol.List{Glob: "**/*_test.go"}, &protocol.Read{Path: "a/f1.go"}, &protocol.Search{Query: "header size"}, &protocol.Search{Query: "/MaxHeader/"},
		} {
			b.Run(fmt.Sprintf("%s/%s", name, lookup.Kind()), func(b *testing.B) {
				for b.Loop() {
					_, _, _ = w.Look(b.Context(), lookup, 64<<10)
				}
			})
		}
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
