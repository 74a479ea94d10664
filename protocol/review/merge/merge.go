// Package merge finds out which findings mean the same.
package merge

import (
	"cmp"
	"slices"
	"strings"
)

// Finding is a finding as it is compared.
type Finding struct {
	ID, Reviewer, Path string
	Line, End, Hunk    int
	Symbol, Category   string
	Text               string
}

// Same is the likeness from which two findings mean the same.
const Same = 0.5

// Likeness is 0 to 1.
func Likeness(a, b *Finding) float64 {
	words := func(text string) []string { return strings.Fields(strings.ToLower(text)) }
	one, other := words(a.Text), words(b.Text)
	n := 0
	for _, w := range one {
		if slices.Contains(other, w) {
			n++
		}
	}
	like := float64(n) / float64(max(1, min(len(one), len(other))))
	if a.Path != b.Path && a.Path != "" && b.Path != "" {
		like /= 2
	}
	return min(1, like)
}

// IsSame reports whether two findings mean the same.
func IsSame(a, b *Finding) bool { return Likeness(a, b) >= Same }

// Groups returns the groups.
func Groups(findings []Finding, apart [][2]string) [][]int {
	var groups [][]int
	for i := range findings {
		at := slices.IndexFunc(groups, func(g []int) bool {
			return !slices.ContainsFunc(g, func(j int) bool {
				pair := func(p [2]string) bool {
					return slices.Contains(p[:], findings[i].ID) && slices.Contains(p[:], findings[j].ID)
				}
				return findings[i].Reviewer == findings[j].Reviewer || !IsSame(&findings[i], &findings[j]) ||
					slices.ContainsFunc(apart, pair)
			})
		})
		if at < 0 {
			groups = append(groups, []int{i})
		} else {
			groups[at] = append(groups[at], i)
		}
	}
	slices.SortFunc(groups, func(a, b []int) int { return cmp.Compare(a[0], b[0]) })
	return groups
}
