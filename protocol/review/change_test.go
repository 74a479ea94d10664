package review_test

import (
	"testing"

	"moot/protocol/review"
)

// TestHunks reads the hunks of a diff, by which places are resolved (RW1, RW3).
func TestHunks(t *testing.T) {
	t.Parallel()
	file := review.File{Diff: `diff --git a/lock.go b/lock.go
--- a/lock.go
+++ b/lock.go
@@ -10,3 +10,3 @@ func Unlock() {
 	a()
-	b()
+--- c()
 }
@@ -20 +19,0 @@ func Lock() {
-	d()
\ No newline at end of file
`}
	hunks := file.Hunks()
	if len(hunks) != 2 {
		t.Fatalf("%d hunks, want 2", len(hunks))
	}
	first, second := hunks[0], hunks[1]
	if first.From != 10 || first.To != 12 || first.WasFrom != 10 || first.WasTo != 12 || first.Symbol != "func Unlock() {" {
		t.Errorf("first hunk: %+v", first)
	}
	if got := first.Lines[2]; got.Sign != '+' || got.Now != 11 || got.Was != 0 || got.Text != "--- c()" {
		t.Errorf("the added line: %+v", got)
	}
	if second.From != 20 || second.To != 19 || second.WasFrom != 20 || second.WasTo != 20 || len(second.Lines) != 1 {
		t.Errorf("second hunk, which only removes: %+v", second)
	}
}
