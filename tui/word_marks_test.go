package tui

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// bracketed writes the marked words of a text in brackets.
func bracketed(words []markedWord) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 && !w.joined {
			b.WriteByte(' ')
		}
		b.WriteString(when(w.apart, "["+w.text+"]", w.text))
	}
	return b.String()
}

func TestTheWordsThatDifferAreMarked(t *testing.T) {
	for _, test := range []struct{ a, b, left, right string }{
		{"The queue is safe", "The queue is not safe", "The queue is safe", "The queue is [not] safe"},
		{"The move takes a week", "The move takes a month, at least", "The move takes a [week]", "The move takes a [month,] [at] [least]"},
		{"Acks are sent late.", "acks are sent, late", "Acks are sent late.", "acks are sent, late"},
		{"one two three", "one two three", "one two three", "one two three"},
		{"a b c d", "b c d a", "[a] b c d", "b c d [a]"},
		{"鍵は安全です", "鍵は危険です", "鍵は[安][全]です", "鍵は[危][険]です"},
		{"x != y here", "x == y here", "x [!=] y here", "x [==] y here"},
		{"", "", "", ""},
	} {
		left, right, told := differingWords(test.a, test.b)
		if !told || bracketed(left) != test.left || bracketed(right) != test.right {
			t.Errorf("%q and %q: %q and %q, %v", test.a, test.b, bracketed(left), bracketed(right), told)
		}
	}
}

// Where marks would say nothing there are none.
func TestNoWordIsMarkedWhereMostDiffer(t *testing.T) {
	long := strings.Repeat("word ", mostMarked+1)
	for _, pair := range [][2]string{
		{"Streams have consumer groups", "Nobody ever measured throughput here"},
		{long, long},
		{"something", ""},
	} {
		left, right, told := differingWords(pair[0], pair[1])
		if told || strings.Contains(bracketed(left)+bracketed(right), "[") {
			t.Errorf("%.30q and %.30q: %.60q and %.60q", pair[0], pair[1], bracketed(left), bracketed(right))
		}
	}
}

// What is not marked is the same in both texts, and no word is lost.
func TestWhatIsNotMarkedIsTheSame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		words := rapid.SliceOf(rapid.SampledFrom([]string{"a", "b", "c", "not", "Safe,", "日本"}))
		a, b := strings.Join(words.Draw(rt, "a"), " "), strings.Join(words.Draw(rt, "b"), " ")
		left, right, told := differingWords(a, b)
		var common [2][]string
		for i, side := range [][]markedWord{left, right} {
			for k, w := range bare(side) {
				if !side[k].apart {
					common[i] = append(common[i], w)
				}
			}
		}
		if told && strings.Join(common[0], " ") != strings.Join(common[1], " ") {
			rt.Fatalf("%q and %q: %q is not %q", a, b, common[0], common[1])
		}
		for i, text := range []string{a, b} {
			side := [][]markedWord{left, right}[i]
			for k := range side {
				side[k].apart = false
			}
			if got := bracketed(side); got != text {
				rt.Fatalf("%q became %q", text, got)
			}
		}
	})
}
