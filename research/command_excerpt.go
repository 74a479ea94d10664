package research

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"moot/ledger"
)

// MaxKept bounds what a finding carries of what a command wrote, in bytes, not
// counting the marks of what is left out.
const MaxKept = 64 << 10

// between separates standard output from standard error, if there is both.
const between = "[standard error]\n"

// excerpt returns the output of a command, without its middle if it is long, and its full size in bytes. Text that the
// expectation matched is kept.
func excerpt(e ledger.Ended, expectation ledger.Expectation) (text string, left int) {
	var where ledger.Stream
	var at [2]int
	for _, c := range expectation {
		if stream, found, ok := c.Locate(e); ok {
			where, at = stream, found
			break
		}
	}
	room := [2]int{MaxKept, MaxKept}
	if len(e.Stdout)+len(e.Stderr) > MaxKept {
		// The shorter one stays whole where it takes no more than its half.
		room[0] = max(MaxKept/2, MaxKept-len(e.Stderr))
		room[1] = max(MaxKept/2, MaxKept-len(e.Stdout))
	}
	out := &strings.Builder{}
	for i, s := range []struct {
		stream ledger.Stream
		bytes  []byte
	}{{ledger.Stdout, e.Stdout}, {ledger.Stderr, e.Stderr}} {
		if len(s.bytes) == 0 {
			continue
		}
		if i == 1 && out.Len() > 0 {
			if !strings.HasSuffix(out.String(), "\n") {
				out.WriteByte('\n')
			}
			out.WriteString(between)
		}
		kept, gone := elide(string(s.bytes), room[i], at, where == s.stream)
		out.WriteString(kept)
		left += gone
	}
	return strings.ToValidUTF8(out.String(), "\uFFFD"), left
}

// elide cuts the middle out of a text over a limit, in whole characters. Matched text is kept, up to a third of the
// limit.
func elide(text string, limit int, at [2]int, seen bool) (kept string, left int) {
	if len(text) <= limit {
		return text, 0
	}
	head, tail := limit/2, len(text)-limit/2
	parts := [][2]int{{0, head}, {tail, len(text)}}
	if seen && at[1] > head && at[0] < tail {
		third := limit / 3
		from := max(0, at[0]-third/4)
		parts = [][2]int{{0, third}, {from, min(len(text), from+third)}, {len(text) - third, len(text)}}
	}
	out := &strings.Builder{}
	end := 0
	for _, p := range parts {
		from, to := max(end, whole(text, p[0])), whole(text, p[1])
		if from >= to {
			continue
		}
		if gap := from - end; gap > 0 {
			left += gap
			fmt.Fprintf(out, "\n[… %d bytes left out …]\n", gap)
		}
		out.WriteString(text[from:to])
		end = to
	}
	return out.String(), left
}

// whole moves an offset to the beginning of a character.
func whole(text string, at int) int {
	for at < len(text) && at > 0 && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}
