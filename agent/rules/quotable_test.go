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

// A passage that holds a secret is not quoted.
func TestSecretsAreNotQuoted(t *testing.T) {
	from := &source{redactor: New(Options{}).redactor}
	if !from.secret(`password = "hV7_pQ2x9sLm4Zk8"`) || from.secret("the password is asked for") {
		t.Error("a secret is not told from a word")
	}
	if (&source{}).secret(`password = "hV7_pQ2x9sLm4Zk8"`) {
		t.Error("the user wants them, and they are taken")
	}
}
