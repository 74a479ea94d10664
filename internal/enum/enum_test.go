package enum_test

import (
	"errors"
	"strings"
	"testing"

	"moot/internal/enum"
)

func TestNearest(t *testing.T) {
	known := []string{"propose", "critique", "steelman", "redteam", "parallel"}
	for word, want := range map[string]string{
		"critque": "critique", "Critique": "critique", "red": "redteam", "paralell": "parallel",
		"prpoose": "propose", "xyzzy": "", "": "", "p": "",
	} {
		if got := enum.Nearest(word, known); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// A word outside its list is an error that names the nearest, never a default.
func TestParse(t *testing.T) {
	known := []string{"agree", "dismiss"}
	if got, err := enum.Parse("ruling", "agree", known); err != nil || got != "agree" {
		t.Errorf("%q, %v", got, err)
	}
	_, err := enum.Parse("ruling", "agre", known)
	var unknown *enum.UnknownError
	if !errors.As(err, &unknown) || unknown.Nearest != "agree" {
		t.Fatalf("%v", err)
	}
	if want := `unknown ruling "agre": did you mean "agree"? (known: agree, dismiss)`; err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
}

// A long list would hide the suggestion, so it is printed only if no word is near.
func TestALongListIsPrintedIfNothingIsSimilar(t *testing.T) {
	var many []string
	for c := 'a'; c <= 'z'; c++ {
		many = append(many, strings.Repeat(string(c), 5))
	}
	if _, err := enum.Parse("word", "aaaab", many); err == nil || err.Error() != `unknown word "aaaab": did you mean "aaaaa"?` {
		t.Errorf("%v", err)
	}
	if _, err := enum.Parse("word", "1234567", many); err == nil || !strings.Contains(err.Error(), "zzzzz)") {
		t.Errorf("%v", err)
	}
}
