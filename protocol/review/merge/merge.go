// Package merge finds the findings of different reviewers that mean the same.
//
// Likeness compares two findings by their words and their places. Groups puts findings into groups, from the likest
// pair down, with at most one finding of each reviewer in a group. Both are pure, and the order of the input changes
// nothing.
package merge

import (
	"cmp"
	"math"
	"slices"
)

// Finding is a defect that a reviewer reports at one place.
type Finding struct {
	ID       string
	Reviewer string
	Path     string
	// Line and End are the first and the last line, 0 if unknown.
	Line, End int
	// Hunk is the number of the hunk of the changed file in which the lines are, or 0 if they are in none.
	Hunk int
	// Symbol is the function or type around the lines, or "" if unknown.
	Symbol   string
	Category string
	// Text says what is wrong, and why.
	Text string
}

// The numbers of the measure. Same was chosen on public reviews of 25 changes, whose findings have no places; the
// factors of places and categories were not.
const (
	// Same is the likeness from which two findings are the same.
	Same = 0.2
	// neighbors is the share of the likeness that comes from the other findings: two findings that resemble the same
	// others are alike, even if they share few words.
	neighbors = 0.3
	// average is the share of the mean in the likeness of two groups. The rest comes from their likest members.
	average = 0.3
	// closeLines is how many lines apart two findings are about the same place.
	closeLines = 5
)

// The likeness of the words is multiplied by what the places and the categories say.
const (
	samePlace     = 1.25
	sameHunk      = 1.15
	otherFile     = 0.65
	sameCategory  = 1.03
	otherCategory = 0.97
)

// Groups returns the findings that are the same, as indexes: each finding is in one group, which may be its own. No
// group has two findings of a reviewer, or both ids of a pair in apart. Groups are ordered by the path, line and text
// of their first members, and so are the members.
func Groups(findings []Finding, apart [][2]string) [][]int {
	order := make([]int, len(findings))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return compare(&findings[i], &findings[j]) })
	sorted := make([]*Finding, len(findings))
	for i, at := range order {
		sorted[i] = &findings[at]
	}
	groups := grow(likenesses(sorted), barred(sorted, apart))
	for _, group := range groups {
		for i, at := range group {
			group[i] = order[at]
		}
	}
	return groups
}

// Likeness says how alike two findings are, from 0 to 1. It ignores the reviewers.
func Likeness(a, b *Finding) float64 {
	if compare(a, b) > 0 {
		a, b = b, a
	}
	return likenesses([]*Finding{a, b})[0][1]
}

// IsSame reports whether Groups would merge two findings of different reviewers if there were no others.
func IsSame(a, b *Finding) bool { return Likeness(a, b) >= Same }

// compare orders findings by path, line and text. What else they have only makes the order complete.
func compare(a, b *Finding) int {
	return cmp.Or(
		cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Text, b.Text),
		cmp.Compare(a.End, b.End), cmp.Compare(a.Hunk, b.Hunk), cmp.Compare(a.Symbol, b.Symbol),
		cmp.Compare(a.Category, b.Category), cmp.Compare(a.Reviewer, b.Reviewer), cmp.Compare(a.ID, b.ID),
	)
}

// likenesses compares all findings with each other.
func likenesses(findings []*Finding) [][]float64 {
	direct := wordLikenesses(findings)
	for i, a := range findings {
		for j, b := range findings[:i] {
			likeness := min(1, direct[i][j]*place(a, b)*category(a, b))
			direct[i][j], direct[j][i] = likeness, likeness
		}
	}
	// A row of squares, of length 1, says which findings one resembles. Squares let the likest ones decide.
	rows := square(len(findings))
	for i, row := range rows {
		length := 0.0
		for j := range row {
			row[j] = direct[i][j] * direct[i][j]
			length += row[j] * row[j]
		}
		for j := range row {
			row[j] /= math.Sqrt(length)
		}
	}
	result := square(len(findings))
	for i := range rows {
		for j := range i {
			shared := 0.0
			for k, x := range rows[i] {
				shared += x * rows[j][k]
			}
			result[i][j] = min(1, (1-neighbors)*direct[i][j]+neighbors*shared)
			result[j][i] = result[i][j]
		}
	}
	return result
}

// place says what the places of two findings do to their likeness. Without a path, words alone decide.
func place(a, b *Finding) float64 {
	switch {
	case a.Path == "" || b.Path == "":
		return 1
	case a.Path != b.Path:
		return otherFile
	case a.Symbol != "" && a.Symbol == b.Symbol:
		return samePlace
	case a.Line > 0 && b.Line > 0 && IsNear(a, b):
		return samePlace
	case a.Hunk != 0 && a.Hunk == b.Hunk:
		return sameHunk
	}
	return 1
}

// IsNear reports whether two findings are about the same lines of a file or lines close by, or both about a whole file.
func IsNear(a, b *Finding) bool {
	apart := max(a.Line, b.Line) - min(max(a.Line, a.End), max(b.Line, b.End))
	return a.Path == b.Path && (a.Line > 0) == (b.Line > 0) && apart <= closeLines
}

func category(a, b *Finding) float64 {
	switch {
	case a.Category == "" || b.Category == "":
		return 1
	case a.Category == b.Category:
		return sameCategory
	}
	return otherCategory
}

// barred says which findings must not be in the same group.
func barred(findings []*Finding, apart [][2]string) [][]bool {
	ids := map[string][]int{}
	result := make([][]bool, len(findings))
	for i, a := range findings {
		result[i] = make([]bool, len(findings))
		ids[a.ID] = append(ids[a.ID], i)
		for j, b := range findings[:i] {
			result[i][j] = a.Reviewer == b.Reviewer
			result[j][i] = result[i][j]
		}
	}
	for _, pair := range apart {
		for _, i := range ids[pair[0]] {
			for _, j := range ids[pair[1]] {
				result[i][j], result[j][i] = true, true
			}
		}
	}
	return result
}

// grow joins the likest two groups until none are alike enough. Of pairs that are equally alike, it takes the first.
func grow(likeness [][]float64, barred [][]bool) [][]int {
	n := len(likeness)
	groups := make([][]int, n)
	sum, top := square(n), square(n)
	for i := range groups {
		groups[i] = []int{i}
		copy(sum[i], likeness[i])
		copy(top[i], likeness[i])
	}
	for {
		into, from, best := -1, -1, Same
		for i := range groups {
			for j := i + 1; j < n && groups[i] != nil; j++ {
				if groups[j] == nil || barred[i][j] {
					continue
				}
				mean := sum[i][j] / float64(len(groups[i])*len(groups[j]))
				link := average*mean + (1-average)*top[i][j]
				if link > best || link == best && into < 0 {
					into, from, best = i, j, link
				}
			}
		}
		if into < 0 {
			break
		}
		groups[into] = append(groups[into], groups[from]...)
		groups[from] = nil
		for k := range groups {
			sum[into][k] += sum[from][k]
			top[into][k] = max(top[into][k], top[from][k])
			barred[into][k] = barred[into][k] || barred[from][k]
			sum[k][into], top[k][into], barred[k][into] = sum[into][k], top[into][k], barred[into][k]
		}
	}
	groups = slices.DeleteFunc(groups, func(group []int) bool { return group == nil })
	for _, group := range groups {
		slices.Sort(group)
	}
	return groups
}

func square(n int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, n)
	}
	return rows
}
