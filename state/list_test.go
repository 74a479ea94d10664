package state_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"moot/state"
)

// A List is a slice of which every version stays as it was.
func TestListAgainstSlices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type version struct {
			list  state.List[int]
			model []int
		}
		versions := []version{{}}
		for range rapid.IntRange(1, 200).Draw(t, "changes") {
			v := versions[rapid.IntRange(max(0, len(versions)-3), len(versions)-1).Draw(t, "of")]
			next := version{v.list, slices.Clone(v.model)}
			value := rapid.Int().Draw(t, "value")
			if len(v.model) > 0 && rapid.Bool().Draw(t, "update") {
				at := rapid.IntRange(0, len(v.model)-1).Draw(t, "at")
				next.list = v.list.Update(at, func(i *int) { *i = value })
				next.model[at] = value
			} else {
				// In bulk, so that the list grows.
				for range rapid.IntRange(1, 70).Draw(t, "many") {
					item := value
					next.list = next.list.Append(&item)
					next.model = append(next.model, value)
				}
			}
			versions = append(versions, next)
		}
		for _, v := range versions {
			var walked []int
			for i, item := range v.list.All() {
				if item != v.list.At(i) {
					t.Fatalf("All and At differ at %d", i)
				}
				walked = append(walked, *item)
			}
			if v.list.Len() != len(v.model) || !slices.Equal(walked, v.model) {
				t.Fatalf("a version changed: %v, want %v", walked, v.model)
			}
		}
	})
}

func TestListOutside(t *testing.T) {
	var l state.List[int]
	one := 1
	l = l.Append(&one)
	for _, i := range []int{-1, 1, 1 << 30} {
		if l.At(i) != nil {
			t.Errorf("At(%d) is not nil", i)
		}
		if l.Update(i, func(*int) { t.Error("changed what is not there") }).Len() != 1 {
			t.Errorf("Update(%d) changed the length", i)
		}
	}
}
