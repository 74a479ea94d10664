package view_test

import (
	"testing"

	"moot/state"
	"moot/view"
)

func TestFlips(t *testing.T) {
	var f view.Flips
	for _, c := range []struct {
		before, after state.Bucket
		truth         bool
	}{
		{state.BucketAgreed, state.BucketDismissed, false},         // wrong to right: good
		{state.BucketAgreed, state.BucketUnresolved, false},        // wrong to undecided: good
		{state.BucketAgreed, state.BucketAgreed, true},             // right and right
		{state.BucketAgreed, state.BucketDismissed, true},          // right to wrong: bad
		{state.BucketNotEvaluated, state.BucketAgreed, true},       // undecided to right: good
		{state.BucketNotEvaluated, state.BucketNotEvaluated, true}, // undecided
	} {
		f.Add(view.Change{Before: c.before, After: c.after}, c.truth)
	}
	want := view.Flips{Labeled: 6, Good: 3, Corrected: 1, Bad: 1, Corrupted: 1, RightBefore: 2, RightAfter: 3}
	if f != want {
		t.Errorf("got %+v, want %+v", f, want)
	}
}
