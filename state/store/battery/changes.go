package battery

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
)

// units returns the numbers of the lines that end their units: those that do
// not say how many follow.
func units(sample []byte) []int {
	var ends []int
	line := 0
	for raw := range bytes.Lines(sample) {
		line++
		var said struct {
			Left int `json:"left"`
		}
		if err := json.Unmarshal(raw, &said); err == nil && said.Left == 0 {
			ends = append(ends, line)
		}
	}
	return ends
}

// changes yields the sample changed in every way. The text of a change is
// valid until the next one.
func changes(sample []byte) iter.Seq[change] {
	return func(yield func(change) bool) {
		_ = flips(sample, yield) && drops(sample, yield) && doubles(sample, yield) && swaps(sample, yield) && cuts(sample, yield)
	}
}

// masks are what a byte is changed by: its lowest bit, the case of a letter,
// its highest bit (which also breaks UTF-8), and all bits.
func masks() []byte { return []byte{0x01, 0x20, 0x80, 0xFF} }

// flips changes every byte by every mask.
func flips(sample []byte, yield func(change) bool) bool {
	text := bytes.Clone(sample)
	line := 1
	for i, b := range sample {
		place := "in a line"
		switch {
		case i == len(sample)-1:
			place = "the last newline"
		case b == '\n':
			place = "a newline"
		}
		for _, mask := range masks() {
			text[i] = b ^ mask
			if !yield(change{"flip", place, fmt.Sprintf("byte %d by %#02x", i, mask), text, line}) {
				return false
			}
		}
		text[i] = b
		if b == '\n' {
			line++
		}
	}
	return true
}

// drops leaves out every line.
func drops(sample []byte, yield func(change) bool) bool {
	lines := slices.Collect(bytes.Lines(sample))
	for i := range lines {
		place := "a line"
		if i == len(lines)-1 {
			place = "the last line"
		}
		text := bytes.Join(slices.Concat(lines[:i], lines[i+1:]), nil)
		if !yield(change{"drop", place, "drop", text, i + 1}) {
			return false
		}
	}
	return true
}

// doubles repeats every line.
func doubles(sample []byte, yield func(change) bool) bool {
	lines := slices.Collect(bytes.Lines(sample))
	for i := range lines {
		text := bytes.Join(slices.Insert(slices.Clone(lines), i, lines[i]), nil)
		if !yield(change{"double", "a line", "double", text, i + 1}) {
			return false
		}
	}
	return true
}

// swaps changes every two neighbours.
func swaps(sample []byte, yield func(change) bool) bool {
	for i := range slices.Collect(bytes.Lines(sample))[1:] {
		lines := slices.Collect(bytes.Lines(sample))
		lines[i], lines[i+1] = lines[i+1], lines[i]
		if !yield(change{"swap", "two lines", "swap", bytes.Join(lines, nil), i + 1}) {
			return false
		}
	}
	return true
}

// cuts keeps the first n bytes, for every n below all. The line of a cut is
// the one that is cut into, or ends there.
func cuts(sample []byte, yield func(change) bool) bool {
	line, ends := 1, units(sample)
	for n := range sample {
		between := n > 0 && (sample[n-1] == '\n' || sample[n] == '\n')
		place := "in a line"
		switch {
		case n == 0:
			place = "everything"
		case between && slices.Contains(ends, line) && sample[n] == '\n':
			place = "before the newline of a unit"
		case between && slices.Contains(ends, line):
			place = "after a unit"
		case between && line < ends[0]:
			place = "between lines of the first unit"
		case between:
			place = "between lines of a unit"
		case line <= ends[0]:
			place = "in a line of the first unit"
		}
		if !yield(change{"cut", place, fmt.Sprintf("cut to %d bytes", n), sample[:n], line}) {
			return false
		}
		if n > 0 && sample[n-1] == '\n' {
			line++
		}
	}
	return true
}
