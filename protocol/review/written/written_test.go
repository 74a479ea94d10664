package written_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/protocol/review/written"
)

var update = flag.Bool("update", false, "write what is read from the samples")

// TestSamples reads reviews in the layouts of people and products. A file holds samples behind lines "=== name", each
// with what was read behind a line "--- read".
func TestSamples(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for sample := range strings.SplitSeq(strings.TrimPrefix(string(data), "=== "), "\n=== ") {
			name, rest, _ := strings.Cut(sample, "\n")
			input, want, _ := strings.Cut(rest, "\n--- read\n")
			got := show(t, input)
			fmt.Fprintf(&out, "=== %s\n%s\n--- read\n%s", name, strings.TrimRight(input, "\n"), got)
			if !*update && strings.TrimSpace(got) != strings.TrimSpace(want) {
				t.Errorf("%s: %s reads\n%s\nnot\n%s", file, name, got, want)
			}
		}
		if *update {
			if err := os.WriteFile(file, []byte(strings.TrimRight(out.String(), "\n")+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func show(t *testing.T, text string) string {
	t.Helper()
	r := written.Read(text)
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d\n", r.Layout, len(r.Findings))
	if r.Nothing {
		fmt.Fprintf(&b, "nothing: %q\n", r.NothingText)
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(&b, "%s:%d-%d [%s] (%s) %q\n", f.Path, f.Line, f.End, f.Severity, f.Category, f.What)
		if f.Why != "" {
			fmt.Fprintf(&b, "  why %q\n", f.Why)
		}
		if f.Fix != "" {
			fmt.Fprintf(&b, "  fix %q\n", f.Fix)
		}
		for _, c := range f.Citations {
			fmt.Fprintf(&b, "  cites %s: %q\n", c.String(), text[c.From:c.To])
		}
		for _, c := range f.Blocks {
			fmt.Fprintf(&b, "  block %t %q\n", c.Fix, text[c.From:c.To])
		}
	}
	return b.String()
}

// FuzzRead reads anything: offsets stay inside of the text.
func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.txt")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for sample := range strings.SplitSeq(string(data), "\n=== ") {
			_, rest, _ := strings.Cut(sample, "\n")
			input, _, _ := strings.Cut(rest, "\n--- read\n")
			f.Add(input)
		}
	}
	f.Fuzz(func(t *testing.T, text string) { check(t, text) })
}

func check(t *testing.T, text string) {
	t.Helper()
	r := written.Read(text)
	if len(r.Findings) > written.MaxFindings || r.Nothing && len(r.Findings) > 0 {
		t.Fatalf("%d findings, nothing %t", len(r.Findings), r.Nothing)
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.What == "" || f.Line < 0 || f.End < f.Line || f.From < 0 || f.To < f.From || f.To > len(text) {
			t.Fatalf("%+v", f)
		}
		for _, c := range f.Citations {
			if c.From < f.From || c.To < c.From || c.To > f.To {
				t.Fatalf("a citation at %d to %d of a finding at %d to %d", c.From, c.To, f.From, f.To)
			}
		}
		for _, c := range f.Blocks {
			if c.From < f.From || c.To < c.From || c.To > f.To {
				t.Fatalf("a block at %d to %d of a finding at %d to %d", c.From, c.To, f.From, f.To)
			}
		}
	}
}

// TestHugeReviews reads texts that are long, deep or repeat what is expensive.
func TestHugeReviews(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		strings.Repeat("- [P1] a.go:1 the lock is lost\n", 6_000),
		strings.Repeat("[", 100_000),
		strings.Repeat("> ", 5_000) + "a.go:1 is wrong",
		strings.Repeat("<details><summary>a.go (1)</summary>\n\n", 3_000),
		strings.Repeat("<!-- <b>", 10_000),
		strings.Repeat("<b>", 30_000),
		"### a.go:1\n" + strings.Repeat("b.go:2 is wrong, too\n\n", 4_000),
		"[" + strings.Repeat(`{"path":"a.go","line":1,"message":"no"},`, 3_000) + `{"path":"a.go"}]`,
		strings.Repeat("# Finding\n", 8_000),
	} {
		check(t, text)
	}
	r := written.Read(strings.Repeat("- [P1] a.go:1 lost\n", written.MaxFindings+5))
	if len(r.Findings) != written.MaxFindings || r.More != 5 {
		t.Errorf("%d findings and %d more", len(r.Findings), r.More)
	}
	if r := written.Read(strings.Repeat("ü", written.MaxText)); !r.Cut {
		t.Error("a review of 2 MiB was read whole")
	}
}

func BenchmarkRead(b *testing.B) {
	text := strings.Repeat("- [P1] a.go:1 the lock is lost, so that two processes hold it\n  See b.go:7.\n", 200_000/76)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		written.Read(text)
	}
}
