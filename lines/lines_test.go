package lines_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"moot/lines"
)

// Offsets are in the lines in which they stand, also once those before are forgotten,
// however the stream is cut into reads.
func TestCounterTellsLines(t *testing.T) {
	t.Parallel()
	c := lines.NewCounter(iotest.OneByteReader(strings.NewReader("ab\n\ncd\ne")), 5)
	if text, err := io.ReadAll(c); err != nil || string(text) != "ab\n\ncd\ne" {
		t.Fatalf("%q, %v", text, err)
	}
	want := []int{5, 5, 5, 6, 7, 7, 7, 8}
	for from := range want {
		c.Forget(int64(from))
		for offset := from; offset < len(want); offset++ {
			if got := c.At(int64(offset)); got != want[offset] {
				t.Errorf("with %d forgotten, offset %d is in line %d, not %d", from, offset, got, want[offset])
			}
		}
	}
}

// The end is no failure, and what comes before it is.
func TestCounterKeepsWhatFailed(t *testing.T) {
	t.Parallel()
	whole := lines.NewCounter(strings.NewReader("a"), 1)
	if _, err := io.ReadAll(whole); err != nil || whole.Failed() != nil {
		t.Errorf("%v, %v", err, whole.Failed())
	}
	broken := errors.New("broken")
	cut := lines.NewCounter(io.MultiReader(strings.NewReader("a"), iotest.ErrReader(broken)), 1)
	if _, err := io.ReadAll(cut); !errors.Is(err, broken) || !errors.Is(cut.Failed(), broken) {
		t.Errorf("%v, %v", err, cut.Failed())
	}
}
