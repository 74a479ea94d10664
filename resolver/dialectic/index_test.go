package dialectic_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"moot/resolver/dialectic"
)

// An index says what a map of the ids would: numbered ones, those that nearly are,
// and any others.
func TestAnIndexIsAMapOfIDs(t *testing.T) {
	id := rapid.OneOf(
		rapid.StringMatching(`E[0-9]{0,3}`), rapid.StringMatching(`[EFé]0?[0-9]{0,10}x?`), rapid.String(),
		rapid.SampledFrom([]string{"", "E", "E0", "E00", "E01", "E-1", "E+1", "E4294967297", "E99999999999999999999", "1", "e1", "E1 ", "E１"}),
	)
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOf(id).Draw(t, "ids")
		places, twice := map[string]int{}, []int(nil)
		for i, id := range ids {
			if _, known := places[id]; known {
				twice = append(twice, i)
				continue
			}
			places[id] = i
		}
		at, again := dialectic.Places(ids)
		if !slices.Equal(again, twice) {
			t.Fatalf("%v are there twice, not %v", twice, again)
		}
		for _, id := range append(ids, rapid.SliceOf(id).Draw(t, "others")...) {
			want, known := places[id]
			if got, found := at(id); found != known || known && got != want {
				t.Fatalf("%q stands at %d %v, not %d %v", id, want, known, got, found)
			}
		}
	})
}
