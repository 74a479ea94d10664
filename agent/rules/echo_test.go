package rules

import "testing"

// A passage that only asks the same question bears on nothing.
func TestEchoes(t *testing.T) {
	for text, want := range map[string]bool{
		`go run . ask "Where is the lock held?"`: true,
		"- where is the LOCK held":               true,
		"The lock is held by the file.":          false,
	} {
		if got := echoes("Where is the lock held?", text); got != want {
			t.Errorf("%q echoes: %v, want %v", text, got, want)
		}
	}
	if echoes("The lock is held by the file.", "The lock is held by the file.") {
		t.Error("a statement is no question: who states the same supports it")
	}
}
