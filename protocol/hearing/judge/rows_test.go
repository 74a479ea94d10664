package judge_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"moot/protocol/hearing/judge"
)

// fences are the bounds of all versions, their neighboring doubles, and values in between.
func fences() []float64 {
	grid := []float64{0, 0.1, 0.3, 0.35, 0.55, 0.75, 0.8, 0.9, 1}
	for _, bound := range []float64{0.5, 0.6, 0.65, 0.7, 0.85} {
		grid = append(grid, math.Nextafter(bound, 0), bound, math.Nextafter(bound, 1))
		// Confidences that lie 0.15 apart, as far as doubles do.
		grid = append(grid, bound-0.15, bound+0.15)
	}
	return grid
}

// said is the table of a version as it was published, in words of its own.
func said(version judge.Version, a, s float64, factsA, factsS int) judge.Outcome {
	type row struct {
		holds   bool
		outcome judge.Outcome
	}
	v1 := []row{{a >= 0.7 && s < 0.5, judge.Confirmed}, {s >= 0.7 && a < 0.5, judge.Dismissed}}
	larger := judge.Confirmed
	if s > a {
		larger = judge.Dismissed
	}
	for _, r := range map[judge.Version][]row{
		judge.V1: v1,
		judge.V1Facts: append(v1,
			row{a >= 0.7 && factsA > 2*factsS, judge.Confirmed}, row{s >= 0.7 && factsS > 2*factsA, judge.Dismissed}),
		judge.V2: {
			{a > 0.85, judge.Confirmed},
			{s > 0.85, judge.Dismissed},
			{math.Abs(a-s) > 0.15 && math.Max(a, s) > 0.60, larger},
		},
		judge.V2Bounded: {
			{a >= 0.85 && s <= 0.65, judge.Confirmed},
			{s >= 0.85 && a <= 0.65, judge.Dismissed},
			{a-s >= 0.15 && a >= 0.6, judge.Confirmed},
			{s-a >= 0.15 && s >= 0.6, judge.Dismissed},
		},
	}[version] {
		if r.holds {
			return r.outcome
		}
	}
	return judge.Inconclusive
}

func byNumbers() []judge.Version {
	return []judge.Version{judge.V1, judge.V1Facts, judge.V2, judge.V2Bounded}
}

func facts(letter string, n int) []string {
	ids := []string{}
	for i := range n {
		ids = append(ids, fmt.Sprint(letter, i))
	}
	return ids
}

// Each version says what its table says, on both sides of every bound, and its rows
// say which of them decided.
func TestJudgesFollowTheirTables(t *testing.T) {
	for _, version := range byNumbers() {
		for _, a := range fences() {
			for _, s := range fences() {
				for _, n := range [][2]int{{1, 1}, {2, 1}, {3, 1}, {1, 3}, {0, 0}} {
					architect, skeptic := judge.Side{Confidence: a, Facts: facts("a", n[0])}, judge.Side{Confidence: s, Facts: facts("s", n[1])}
					got, err := judge.Judge(version, architect, skeptic)
					if err != nil {
						t.Fatal(err)
					}
					if want := said(version, a, s, n[0], n[1]); got.Outcome != want {
						t.Fatalf("%s of %v and %v with %v facts: %s, want %s", version, a, s, n, got.Outcome, want)
					}
					first := judge.Else
					for _, row := range judge.Rows(version, architect, skeptic) {
						if row.Holds {
							first = row.Rule
							break
						}
					}
					if first != got.Rule {
						t.Fatalf("%s of %v and %v: decided by %s, and the first row that holds is %s", version, a, s, got.Rule, first)
					}
				}
			}
		}
	}
}

// The page tells each row as the code has it.
func TestTheRowsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/hearing.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, version := range byNumbers() {
		for _, r := range judge.Rows(version, judge.Side{}, judge.Side{}) {
			want := fmt.Sprintf("| `%s` | %s | %s |", r.Rule, strings.ReplaceAll(r.Says, "|", `\|`), r.Outcome)
			if !strings.Contains(string(page), want) {
				t.Errorf("docs/hearing.md lacks %s", want)
			}
		}
	}
}
