package research

import (
	"strings"
	"testing"
)

// What shares the most pieces with a quote is not always what is most like it:
// the best places are compared exactly.
func TestNearestComparesOrder(t *testing.T) {
	const quote = "one apple for the teacher, two pears for the class, and three plums for the cook"
	shuffled := "and three plums for the cook, one apple for the teacher, two pears for the class"
	misspelt := strings.NewReplacer("apple", "appel", "teacher", "taecher", "pears", "paers", "class", "calss",
		"three", "there", "plums", "plmus").Replace(quote)
	filler := strings.Repeat("nothing of the kind stands here\n", 20)
	c, _ := open(t, map[string]string{"a.txt": shuffled + "\n" + filler + misspelt + "\n"})
	if finding := examine(t, c, "a.txt:1", quote, Absent); finding.Nearest != misspelt {
		t.Errorf("nearest is %q, similarity %v", finding.Nearest, finding.Similarity)
	}
}

// Of two passages as like, the one closest to the cited lines is shown, though
// an edit at its end would leave more pieces whole.
func TestNearestPrefersTheCitedLines(t *testing.T) {
	filler := strings.Repeat("nothing of the kind stands here\n", 20)
	c, _ := open(t, map[string]string{"a.txt": filler + "the quick brown fox jumps over it!\n" + filler +
		"the quick brown fex jumps over it.\n" + filler})
	for reference, want := range map[string]string{
		"a.txt:20": "a.txt:21", "a.txt:22": "a.txt:21",
		"a.txt:41": "a.txt:42", "a.txt:62": "a.txt:42",
	} {
		finding := examine(t, c, reference, "the quick brown fox jumps over it.", Absent)
		if finding.NearestReference != want {
			t.Errorf("%s: nearest at %s, want %s", reference, finding.NearestReference, want)
		}
	}
}

// A quote with a line end that is not there is alike, and not the same.
func TestNearestIsNeverTheSame(t *testing.T) {
	c, _ := open(t, map[string]string{"a.go": source})
	finding := examine(t, c, "a.go:3", "func A()\n", Absent)
	if finding.NearestReference != "a.go:3" || finding.Similarity >= 1 || finding.Similarity < 0.8 {
		t.Errorf("nearest at %s, similarity %v", finding.NearestReference, finding.Similarity)
	}
}

// Where nothing is alike at all, no passage is made up.
func TestNearestMayBeNothing(t *testing.T) {
	c, _ := open(t, map[string]string{"a.go": source, "blank.txt": "\n\n\n", "empty.txt": ""})
	for _, test := range []struct {
		reference string
		want      Outcome
	}{{"a.go:3", Absent}, {"blank.txt:2", Absent}, {"empty.txt:1", OutOfBounds}} {
		finding := examine(t, c, test.reference, "价格 §§ 価格", test.want)
		if finding.Nearest != "" || finding.NearestReference != "" || finding.Similarity != 0 {
			t.Errorf("%s: nearest %q at %s, similarity %v", test.reference, finding.Nearest, finding.NearestReference,
				finding.Similarity)
		}
	}
}
