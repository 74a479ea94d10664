package redflag_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"testing"

	"moot/agent/rules/redflag"
)

// BenchmarkFind examines a change that adds about 8,700 lines of code. Target: 0.3 s.
func BenchmarkFind(b *testing.B) {
	code, err := os.ReadFile("find.go")
	if err != nil {
		b.Fatal(err)
	}
	var diff bytes.Buffer
	lines := bytes.Count(code, []byte("\n"))
	for i := range 8700 / lines {
		fmt.Fprintf(&diff, "diff --git a/f%[1]d.go b/f%[1]d.go\nnew file mode 100644\n--- /dev/null\n+++ b/f%[1]d.go\n"+
			"@@ -0,0 +1,%[2]d @@\n", i, lines)
		for line := range bytes.Lines(code) {
			diff.WriteString("+" + string(line))
		}
	}
	change, err := redflag.ReadDiff("change.diff", diff.Bytes())
	if err != nil {
		b.Fatal(err)
	}
	checker, book := newChecker(b), bookOf(b, "code-review")
	for b.Loop() {
		if _, err := checker.Find(context.Background(), book, change, nil); err != nil {
			b.Fatal(err)
		}
	}
}
