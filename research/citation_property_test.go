package research

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"moot/ledger"
)

func visible(text string) int {
	n := 0
	for _, r := range text {
		if unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.IsMark(r) {
			n++
		}
	}
	return n
}

// checkFinding demands what every finding promises of the file's content.
func checkFinding(t *testing.T, c *Citation, content string, finding ledger.Finding) {
	t.Helper()
	if finding.Similarity < 0 || finding.Similarity > 1 {
		t.Fatalf("similarity %v", finding.Similarity)
	}
	passages := [][2]string{{finding.NearestReference, finding.Nearest}}
	if finding.Verified {
		passages = append(passages, [2]string{finding.Reference, finding.Excerpt})
	}
	for _, passage := range passages {
		if passage[0] == "" {
			continue
		}
		parts := []string{passage[1]}
		if finding.Shown {
			// The cited lines need not follow one another.
			parts = strings.Split(passage[1], "\n")
		}
		for _, part := range parts {
			if !strings.Contains(content, part) {
				t.Fatalf("%q is not in %q", part, content)
			}
		}
		if len(passage[1]) > MaxExcerpt {
			t.Fatalf("an excerpt of %d bytes", len(passage[1]))
		}
		// A recheck of the excerpt finds it where the first check did.
		if again := c.Check(t.Context(), passage[0], passage[1]); outcomeOf(&again) != "in-place" &&
			!finding.Shown && visible(passage[1]) >= MinQuote {
			t.Fatalf("%q is said to stand at %s of %q, and is checked as %s", passage[1], passage[0], content,
				again.Reason)
		}
	}
}

// A line with one altered character is found as the nearest passage.
func TestNearestFindsAnAlteredCharacter(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	lines := make([]string, 3000)
	for i := range lines {
		lines[i] = fmt.Sprintf("\tvalue%d := compute(%d, %q)", random.IntN(100000), random.IntN(100000),
			randomWord(random))
	}
	c, _ := open(t, map[string]string{"a.go": strings.Join(lines, "\n")})
	for range 60 {
		n := random.IntN(len(lines))
		quote := []byte(strings.TrimSpace(lines[n]))
		quote[random.IntN(len(quote))] = '~'
		finding := examine(t, c, "a.go:1", string(quote), "absent")
		if want := fmt.Sprintf("a.go:%d", n+1); finding.NearestReference != want ||
			finding.Similarity != 1-1/float64(len(quote)) {
			t.Errorf("%q: nearest at %s, similarity %v; want %s", quote, finding.NearestReference,
				finding.Similarity, want)
		}
	}
}

func randomWord(random *rand.Rand) string {
	word := make([]byte, 4+random.IntN(8))
	for i := range word {
		word[i] = byte('a' + random.IntN(26))
	}
	return string(word)
}

// Whatever is cited, a check does not panic, reads nothing outside of the
// workspace, and says only what is so.
func FuzzCheck(f *testing.F) {
	const secret = "the secret that lies outside"
	for _, seed := range [][3]string{
		{"a.go:4", "return nil", source},
		{"a.go:4-5", "nil\r\n}", source},
		{"../secret.txt:1", secret, source},
		{"out.txt:1", secret, source},
		{"https://github.com/o/r/blob/" + someCommit + "/%2e%2e/secret.txt#L1", secret, source},
		{"a.go:1,3", "x\x00", "\ufeff\r\r\n\n \t"},
		{"a.go:1,3", "", "\ufeff\r\r\n\x16 \t"},
		{"a.go:1", "é\xff\xfe", "\xff\xfe\r"},
		{"a.go:99", strings.Repeat("ab", 600), strings.Repeat("ba\n", 700)},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	above := f.TempDir()
	directory := filepath.Join(above, "w")
	write(f, filepath.Join(above, "secret.txt"), secret)
	for name, text := range map[string]string{"HEAD": someCommit, "objects/x": "", "refs/x": ""} {
		write(f, filepath.Join(directory, ".git", filepath.FromSlash(name)), text)
	}
	linkOut(f, directory)
	c, err := OpenCitation(directory)
	if err != nil {
		f.Fatal(err)
	}
	defer c.Close()
	f.Fuzz(func(t *testing.T, reference, quote, content string) {
		write(t, filepath.Join(directory, "a.go"), content)
		finding := c.Check(t.Context(), reference, quote)
		if finding.Reason == "" {
			t.Fatalf("%+v", finding)
		}
		if finding.Digest == ledger.Digest([]byte(secret)) && content != secret {
			t.Fatal("a file outside of the workspace was read")
		}
		if !utf8.ValidString(finding.Reference) || !utf8.ValidString(finding.Reason) ||
			len(finding.Reference) > ledger.MaxReference+3 {
			t.Fatalf("reference %q, reason %q", finding.Reference, finding.Reason)
		}
		if finding.Digest == ledger.Digest([]byte(content)) {
			checkFinding(t, c, string(decodeText([]byte(content))), finding)
		}
	})
}
