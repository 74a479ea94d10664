package cli_test

import "testing"

// The default of moot lab run, which keeps nothing.
func BenchmarkLabRun(b *testing.B) {
	for b.Loop() {
		d := newDesk(b)
		if code := d.run("lab", "run"); code != 0 {
			b.Fatalf("it ends with %d: %s", code, d.err.String())
		}
	}
}
