package research

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// program is a text of at least some bytes, every line of which is different.
func program(size int) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "\tresult%d, err := step(ctx, %d, \"argument %d\") // %x\n", i, i*7, i%13, i*i)
	}
	return b.String()[:size]
}

func benchmark(b *testing.B, size int, kept bool, quote string, want Outcome) {
	b.Helper()
	c, directory := open(b, map[string]string{"a.go": program(size)})
	if kept {
		age(b, filepath.Join(directory, "a.go"), time.Hour)
	}
	for b.Loop() {
		if finding, outcome := c.Examine(b.Context(), "a.go:9", quote); outcome != want {
			b.Fatalf("%s: %s", outcome, finding.Reason)
		}
	}
}

// The usual check: the file was read for an earlier one.
func BenchmarkCheckKept1MiB(b *testing.B) {
	benchmark(b, 1<<20, true, "result8, err := step(", InPlace)
}

// The first check of a file reads, hashes and normalises it.
func BenchmarkCheckRead1MiB(b *testing.B) {
	benchmark(b, 1<<20, false, "result8, err := step(", InPlace)
}

// The dearest answers: a quote that is nowhere in the largest file.
func BenchmarkNearestLine16MiB(b *testing.B) {
	benchmark(b, MaxFile, true, "result70000, err := stop(ctx, 490000,", Absent)
}

func BenchmarkNearestPage16MiB(b *testing.B) {
	quote := program(3000)
	benchmark(b, MaxFile, true, quote[:1500]+"~"+quote[1501:], Absent)
}

func BenchmarkNearestLongest16MiB(b *testing.B) {
	quote := program(MaxQuote)
	benchmark(b, MaxFile, true, quote[:9000]+"~"+quote[9001:], Absent)
}
