package change

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"moot/internal/redact"
)

// BenchmarkRead5000 opens a diff of 5,000 files with its tree, which must take less than 2 s, and copies the tree for a
// program.
func BenchmarkRead5000(b *testing.B) {
	redactor, err := redact.New()
	if err != nil {
		b.Fatal(err)
	}
	r := &hider{t: b, dir: b.TempDir()}
	r.git("init", "-q", "-b", "main")
	text := "package p\n\n" + strings.Repeat("func Work(n int) int {\n\treturn n + 1\n}\n\n", 20)
	for i := range 5000 {
		r.write(fmt.Sprintf("d%02d/f%04d.go", i%50, i), fmt.Sprintf("%s// %d\n", text, i))
	}
	r.commit("one")
	for i := range 5000 {
		r.write(fmt.Sprintf("d%02d/f%04d.go", i%50, i), fmt.Sprintf("%s// changed %d\n", text, i))
	}
	r.commit("two")
	var opening, copying time.Duration
	runs := 0
	for b.Loop() {
		began := time.Now()
		m, err := Read(b.Context(), Options{Folder: r.dir, Revision: "HEAD", Redact: redactor.Named})
		if err != nil {
			b.Fatal(err)
		}
		tree, err := m.Open(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		opening += time.Since(began)
		began = time.Now()
		if _, err := CopyForPrograms(b.Context(), tree, nil); err != nil {
			b.Fatal(err)
		}
		copying += time.Since(began)
		if err := tree.Close(); err != nil {
			b.Fatal(err)
		}
		runs++
	}
	b.ReportMetric(opening.Seconds()/float64(runs), "s/open")
	b.ReportMetric(copying.Seconds()/float64(runs), "s/copy")
}
