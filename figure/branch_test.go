package figure

import (
	"slices"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// A branch has what its box has: the id, the level and the bearing, and only texts that are safe to show.
func TestBranchesAreTheBoxes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := drawn(rt, t, hostile())
		branches := m.Branches()
		if len(branches) != len(m.Nodes) {
			rt.Fatalf("%d branches of %d boxes", len(branches), len(m.Nodes))
		}
		for i, b := range branches {
			if b.ID != m.Nodes[i].ID || b.Kind != m.Nodes[i].Kind || b.Level != len(b.Trunks) {
				rt.Fatalf("%+v is not the box %s", b, m.Nodes[i].ID)
			}
			if (b.Level == 0) != (b.Bearing == BearsNot) {
				rt.Fatalf("%s is at level %d and bears %q", b.ID, b.Level, b.Bearing)
			}
			if begins := i == 0 || b.Level == 0 && b.Heading != nil; b.Heading != nil && !begins {
				rt.Fatalf("%s begins a bucket", b.ID)
			}
			for _, text := range append([]string{b.Word, b.By, b.Text}, texts(b.Title)...) {
				if slices.ContainsFunc([]rune(text), unicode.IsControl) {
					rt.Fatalf("%s has a control character: %q", b.ID, text)
				}
			}
		}
	})
}

func texts(row Row) (list []string) {
	for _, run := range row {
		list = append(list, run.Text)
	}
	return list
}
