package research

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"moot/ledger"
)

// plainLines is the rule of comparison once more, written plainly: the lines of
// a text without their ends and trailing blanks.
func plainLines(text string) []string {
	text = regexp.MustCompile(`\r\n|\r`).ReplaceAllString(text, "\n")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t")
	}
	if text == "" {
		return nil
	}
	return lines
}

// holds is the rule of quotes once more: a part of a line; or the end of one
// line, whole lines, and the beginning of another. What stands before the first
// line and behind the last counts as an empty line.
func holds(lines []string, quote string) bool {
	lines = slices.Concat([]string{""}, lines, []string{""})
	parts := plainLines(quote + "|")
	parts[len(parts)-1] = strings.TrimRight(strings.TrimSuffix(parts[len(parts)-1], "|"), " \t")
	for at := 0; at+len(parts) <= len(lines); at++ {
		window := lines[at : at+len(parts)]
		last := len(parts) - 1
		if last == 0 && strings.Contains(window[0], parts[0]) {
			return true
		}
		if last > 0 && strings.HasSuffix(window[0], parts[0]) && strings.HasPrefix(window[last], parts[last]) &&
			slices.Equal(window[1:last], parts[1:last]) {
			return true
		}
	}
	return false
}

func visible(text string) int {
	n := 0
	for _, r := range text {
		if unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.IsMark(r) {
			n++
		}
	}
	return n
}

// randomText is made of few characters, so that much of it is repeated.
func randomText(random *rand.Rand, length int) string {
	pieces := []string{"a", "b", "a", "b", " ", "\t", "\n", "\r", "\r\n", "é", "()"}
	var b strings.Builder
	for range length {
		b.WriteString(pieces[random.IntN(len(pieces))])
	}
	return b.String()
}

// randomQuote is a part of a text, altered every other time.
func randomQuote(random *rand.Rand, text string) string {
	from := random.IntN(len(text) + 1)
	quote := text[from : from+random.IntN(min(30, len(text)-from)+1)]
	if random.IntN(2) == 0 {
		at := random.IntN(len(quote) + 1)
		quote = quote[:at] + randomText(random, 1+random.IntN(2)) + quote[at:]
	}
	return quote
}

// A quote is verified if and only if the plain rule finds it, in place if and
// only if the cited lines alone hold it; and what is said to stand at lines
// stands there.
func TestChecksAgreeWithThePlainRule(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 120 {
		content := randomText(random, 1+random.IntN(120))
		lines := plainLines(content)
		c, _ := open(t, map[string]string{"a.txt": content})
		for range 25 {
			quote := randomQuote(random, content)
			if visible(quote) < MinQuote {
				continue
			}
			first := 1 + random.IntN(len(lines))
			last := first + random.IntN(len(lines)-first+1)
			finding, outcome := c.Examine(t.Context(), fmt.Sprintf("a.txt:%d-%d", first, last), quote)
			want := Absent
			switch {
			case holds(lines[first-1:last], quote):
				want = InPlace
			case holds(lines, quote):
				want = Moved
			}
			if outcome != want {
				t.Fatalf("%q at %d-%d of %q: %s, want %s", quote, first, last, content, outcome, want)
			}
			checkFinding(t, c, content, finding)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
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
		if !strings.Contains(content, passage[1]) {
			t.Fatalf("%q is not in %q", passage[1], content)
		}
		if len(passage[1]) > MaxExcerpt {
			t.Fatalf("an excerpt of %d bytes", len(passage[1]))
		}
		// A recheck of the excerpt finds it where the first check did.
		if again, outcome := c.Examine(t.Context(), passage[0], passage[1]); outcome != InPlace && visible(passage[1]) >= MinQuote {
			t.Fatalf("%q is said to stand at %s of %q, and is checked as %s: %s", passage[1], passage[0], content, outcome, again.Reason)
		}
	}
}

// The places of lines agree with counting, over the distance of two marks.
func TestTextFindsItsLines(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		content := randomText(random, random.IntN(4000))
		text, lines := newText([]byte(content)), plainLines(content)
		if text.lines != len(lines) {
			t.Fatalf("%d lines, want %d", text.lines, len(lines))
		}
		if want := "\n" + strings.Join(append(lines, ""), "\n"); len(lines) > 0 && string(text.plain) != want {
			t.Fatalf("normalised as %q, want %q", text.plain, want)
		}
		at := 1
		for i, line := range lines {
			if got := text.plainStart(i + 1); got != at {
				t.Fatalf("line %d begins at %d, want %d", i+1, got, at)
			}
			for _, offset := range []int{at, at + len(line)} {
				if got := text.lineAt(offset); got != i+1 {
					t.Fatalf("offset %d lies in line %d, want %d", offset, got, i+1)
				}
			}
			start, end := text.rawBounds(i + 1)
			if got := strings.TrimRight(content[start:end], " \t"); got != line {
				t.Fatalf("line %d stands at %q, want %q", i+1, got, line)
			}
			at += len(line) + 1
		}
	}
}

// The distance agrees with the plain table of edit distances.
func TestAlignAgreesWithThePlainTable(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for range 300 {
		text := randomText(random, random.IntN(300))
		needle := randomText(random, 1+random.IntN(200))
		align := newAligner([]byte(needle))
		start, end, distance := align.align([]byte(text), random.IntN(len(text)+1))
		best := len(needle)
		for _, d := range lastRow([]rune(needle), []rune(text), 0) {
			best = min(best, d)
		}
		if distance != best {
			t.Fatalf("%q in %q: distance %d, want %d", needle, text, distance, best)
		}
		part := []rune(text[start:end])
		if got := lastRow([]rune(needle), part, 1); got[len(part)] != distance {
			t.Fatalf("%q and %q: distance %d, said to be %d", needle, string(part), got[len(part)], distance)
		}
	}
}

// lastRow is the last row of the table of edit distances between a needle and
// the prefixes of a text; step is what the text's beginning costs per character.
func lastRow(needle, text []rune, step int) []int {
	row := make([]int, len(text)+1)
	for j := range row {
		row[j] = j * step
	}
	for i, c := range needle {
		diagonal := row[0]
		row[0] = i + 1
		for j, d := range text {
			cost := 1
			if c == d {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row
}

// One altered character of a line that stands once is found again, in any file.
func TestNearestFindsAnAlteredCharacter(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	lines := make([]string, 3000)
	for i := range lines {
		lines[i] = fmt.Sprintf("\tvalue%d := compute(%d, %q)", random.IntN(100000), random.IntN(100000), randomWord(random))
	}
	c, directory := open(t, map[string]string{"a.go": strings.Join(lines, "\n")})
	age(t, filepath.Join(directory, "a.go"), time.Hour)
	for range 60 {
		n := random.IntN(len(lines))
		quote := []byte(strings.TrimSpace(lines[n]))
		quote[random.IntN(len(quote))] = '~'
		finding := examine(t, c, "a.go:1", string(quote), Absent)
		if want := fmt.Sprintf("a.go:%d", n+1); finding.NearestReference != want || finding.Similarity != 1-1/float64(len(quote)) {
			t.Errorf("%q: nearest at %s, similarity %v; want %s", quote, finding.NearestReference, finding.Similarity, want)
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
		{"a.go:1", "é\xff\xfe", "\xff\xfe\r"},
		{"a.go:99", strings.Repeat("ab", 600), strings.Repeat("ba\n", 700)},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	above := f.TempDir()
	directory := filepath.Join(above, "w")
	write(f, filepath.Join(above, "secret.txt"), secret)
	write(f, filepath.Join(directory, ".git", "HEAD"), someCommit)
	linkOut(f, directory)
	c, err := OpenCitation(directory)
	if err != nil {
		f.Fatal(err)
	}
	defer c.Close()
	f.Fuzz(func(t *testing.T, reference, quote, content string) {
		write(t, filepath.Join(directory, "a.go"), content)
		finding, outcome := c.Examine(t.Context(), reference, quote)
		if finding.Verified != outcome.Verified() || !slices.Contains(Outcomes(), outcome) || finding.Reason == "" {
			t.Fatalf("%s: %+v", outcome, finding)
		}
		if finding.Digest == ledger.Digest([]byte(secret)) && content != secret {
			t.Fatal("a file outside of the workspace was read")
		}
		if !utf8.ValidString(finding.Reference) || !utf8.ValidString(finding.Reason) || len(finding.Reference) > MaxReference+3 {
			t.Fatalf("reference %q, reason %q", finding.Reference, finding.Reason)
		}
		if finding.Digest == ledger.Digest([]byte(content)) {
			checkFinding(t, c, content, finding)
		}
	})
}
