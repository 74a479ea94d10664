// Package judge is the arithmetic of hearings: the versions of the judge, the gates, and when an exchange
// ends. It is pure and knows numbers and facts, not sessions. Start at Judge.
package judge

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"moot/internal/plain"
	"moot/state"
)

// Side is the judge's input from one side.
type Side struct {
	// Confidence is from 0 to 1.
	Confidence float64 `json:"confidence"`
	// Facts lists the ids that it cites; repetitions do not matter.
	Facts []string `json:"facts"`
}

// Verdict is the decision of the judge.
type Verdict struct {
	Outcome state.Outcome `json:"outcome"`
	// Confidence is the winner's, or the mean of both if nobody wins.
	Confidence float64 `json:"confidence"`
	// Supporting lists the distinct facts of the winner, or of both sides, in the order of first use, the
	// architect's first.
	Supporting []string `json:"supporting"`
	// Rule is the version and the row that decided, as in "v1.1", or Else.
	Rule string `json:"rule"`
}

// Else is the Rule of a verdict if no row applies.
const Else = "else"

// Judge decides by the confidences of both sides, compared as exact doubles, and by the numbers of their facts.
// It rejects a confidence that is not a number from 0 to 1.
func Judge(version state.JudgeVersion, architect, skeptic Side) (Verdict, error) {
	for _, side := range []struct {
		seat state.Seat
		Side
	}{{state.Architect, architect}, {state.Skeptic, skeptic}} {
		if err := CheckConfidence(side.Confidence); err != nil {
			return Verdict{}, fmt.Errorf("the confidence of the %s: %w", side.seat, err)
		}
	}
	rows := rowsOf(version)
	if rows == nil {
		return Verdict{}, fmt.Errorf("unknown version %q of the judge", version)
	}
	a, s := architect.Confidence, skeptic.Confidence
	ofArchitect, ofSkeptic := Distinct(architect.Facts), Distinct(skeptic.Facts)
	n := numbers{a: a, s: s, factsA: len(ofArchitect), factsS: len(ofSkeptic)}
	for i := range rows {
		r := &rows[i]
		if !n.decides(r) {
			continue
		}
		rule := ruleName(version, rows, i)
		if r.outcome == state.Confirmed {
			return Verdict{Outcome: r.outcome, Confidence: a, Supporting: ofArchitect, Rule: rule}, nil
		}
		return Verdict{Outcome: r.outcome, Confidence: s, Supporting: ofSkeptic, Rule: rule}, nil
	}
	both := Distinct(append(ofArchitect, ofSkeptic...))
	return Verdict{Outcome: state.Inconclusive, Confidence: (a + s) / 2, Supporting: both, Rule: Else}, nil
}

// CheckConfidence rejects a number outside of 0 to 1.
func CheckConfidence(confidence float64) error {
	if math.IsNaN(confidence) || confidence < 0 || confidence > 1 {
		return fmt.Errorf("%v is not from 0 to 1", confidence)
	}
	return nil
}

// Distinct returns the values without repetitions, in the order of first use. It is never nil.
func Distinct[T comparable](values []T) []T {
	distinct, seen := make([]T, 0, len(values)), make(map[T]bool, len(values))
	for _, v := range values {
		if !seen[v] {
			distinct, seen[v] = append(distinct, v), true
		}
	}
	return distinct
}

// quantity is a number that a test of the judge compares.
type quantity int

const (
	// ofA and ofS are the confidences of the architect and the skeptic.
	ofA quantity = iota
	ofS
	// leadA is a - s, leadS is s - a, apart is abs(a - s).
	leadA
	leadS
	apart
	// larger is max(a, s).
	larger
	// factsA and factsS are the numbers of distinct facts.
	factsA
	factsS
)

// relation compares a quantity with its bound.
type relation int

const (
	over relation = iota
	atLeast
	under
	atMost
)

// test is one comparison of a row. The bound is a number, or twice the other side's number of facts.
type test struct {
	of    quantity
	is    relation
	bound float64
	// twice is factsA or factsS if twice that number is the bound, else 0.
	twice quantity
}

// row is a rule of the judge. The first whose tests all hold decides.
type row struct {
	outcome state.Outcome
	tests   []test
	// number is the number of the row in the documented table if it is not its position. The rule about the
	// larger side is one row there and two here.
	number int
}

// rowsOf returns the rules of a version of the judge.
func rowsOf(version state.JudgeVersion) []row {
	confirmed := func(tests ...test) row { return row{outcome: state.Confirmed, tests: tests} }
	dismissed := func(tests ...test) row { return row{outcome: state.Dismissed, tests: tests} }
	v1 := []row{
		confirmed(test{of: ofA, is: atLeast, bound: 0.7}, test{of: ofS, is: under, bound: 0.5}),
		dismissed(test{of: ofS, is: atLeast, bound: 0.7}, test{of: ofA, is: under, bound: 0.5}),
	}
	switch version {
	case state.JudgeV1:
		return v1
	case state.JudgeV1Facts:
		return append(
			v1,
			confirmed(test{of: ofA, is: atLeast, bound: 0.7}, test{of: factsA, is: over, twice: factsS}),
			dismissed(test{of: ofS, is: atLeast, bound: 0.7}, test{of: factsS, is: over, twice: factsA}),
		)
	case state.JudgeV2:
		far, high := test{of: apart, is: over, bound: 0.15}, test{of: larger, is: over, bound: 0.6}
		rows := []row{
			confirmed(test{of: ofA, is: over, bound: 0.85}),
			dismissed(test{of: ofS, is: over, bound: 0.85}),
			confirmed(far, high, test{of: leadA, is: over, bound: 0}),
			dismissed(far, high, test{of: leadS, is: over, bound: 0}),
		}
		rows[3].number = 3
		return rows
	case state.JudgeV2Bounded:
		return []row{
			confirmed(test{of: ofA, is: atLeast, bound: 0.85}, test{of: ofS, is: atMost, bound: 0.65}),
			dismissed(test{of: ofS, is: atLeast, bound: 0.85}, test{of: ofA, is: atMost, bound: 0.65}),
			confirmed(test{of: leadA, is: atLeast, bound: 0.15}, test{of: ofA, is: atLeast, bound: 0.6}),
			dismissed(test{of: leadS, is: atLeast, bound: 0.15}, test{of: ofS, is: atLeast, bound: 0.6}),
		}
	}
	return nil
}

// numbers holds what the tests compare.
type numbers struct {
	a, s           float64
	factsA, factsS int
}

// value returns the number that a test compares.
func (n *numbers) value(of quantity) float64 {
	switch of {
	case ofA:
		return n.a
	case ofS:
		return n.s
	case leadA:
		return n.a - n.s
	case leadS:
		return n.s - n.a
	case apart:
		return math.Abs(n.a - n.s)
	case larger:
		return max(n.a, n.s)
	case factsA:
		return float64(n.factsA)
	case factsS:
		return float64(n.factsS)
	}
	return math.NaN()
}

// bound returns the number that a test compares with.
func (n *numbers) bound(t *test) float64 {
	if t.twice != ofA {
		return 2 * n.value(t.twice) //nolint:mnd // as the rule says
	}
	return t.bound
}

func (n *numbers) holds(t *test) bool {
	value, bound := n.value(t.of), n.bound(t)
	switch t.is {
	case over:
		return value > bound
	case atLeast:
		return value >= bound
	case under:
		return value < bound
	case atMost:
		return value <= bound
	}
	return false
}

func (n *numbers) decides(r *row) bool {
	for i := range r.tests {
		if !n.holds(&r.tests[i]) {
			return false
		}
	}
	return true
}

// Comparison is one test of a row with its numbers.
type Comparison struct {
	// Test is the rule, as in "a ≥ 0.7".
	Test string `json:"test"`
	// Numbers shows the compared numbers in full, as in "architect 0.9 ≥ 0.7" or, if the test fails, "architect
	// 0.6 is not ≥ 0.7".
	Numbers string `json:"numbers"`
	Holds   bool   `json:"holds"`
}

// Row is a row of the judge, applied to two sides.
type Row struct {
	// Rule is the version and the row, as in "v1.1".
	Rule string `json:"rule"`
	// Outcome follows if all tests hold.
	Outcome state.Outcome `json:"outcome"`
	Tests   []Comparison  `json:"tests"`
	Holds   bool          `json:"holds"`
}

// Rows returns the rows of a version in order, each applied to the two sides.
func Rows(version state.JudgeVersion, architect, skeptic Side) []Row {
	n := read(architect, skeptic)
	rows := rowsOf(version)
	out := make([]Row, len(rows))
	for i := range rows {
		out[i] = Row{Rule: ruleName(version, rows, i), Outcome: rows[i].outcome, Holds: n.decides(&rows[i])}
		for j := range rows[i].tests {
			t := &rows[i].tests[j]
			out[i].Tests = append(out[i].Tests, Comparison{Test: t.says(), Numbers: n.says(t), Holds: n.holds(t)})
		}
	}
	return out
}

// Says returns the row in a line: "a ≥ 0.7 and s < 0.5".
func (r *Row) Says() string {
	parts := make([]string, len(r.Tests))
	for i := range r.Tests {
		parts[i] = r.Tests[i].Test
	}
	return strings.Join(parts, " and ")
}

// Numbers returns the row with its numbers: all tests if it holds, or the tests that fail.
func (r *Row) Numbers() string {
	var parts []string
	for _, t := range r.Tests {
		if t.Holds == r.Holds {
			parts = append(parts, t.Numbers)
		}
	}
	return strings.Join(parts, " and ")
}

func read(architect, skeptic Side) *numbers {
	return &numbers{
		a: architect.Confidence, s: skeptic.Confidence,
		factsA: len(Distinct(architect.Facts)), factsS: len(Distinct(skeptic.Facts)),
	}
}

func ruleName(version state.JudgeVersion, rows []row, at int) string {
	number := at + 1
	if rows[at].number > 0 {
		number = rows[at].number
	}
	return string(version) + "." + strconv.Itoa(number)
}

// sign returns the symbol of a relation.
func (r relation) sign() string { return [...]string{">", "≥", "<", "≤"}[r] }

// letters returns the notation of a quantity.
func (q quantity) letters() string {
	return [...]string{"a", "s", "a − s", "s − a", "|a − s|", "max(a, s)", "facts(a)", "facts(s)"}[q]
}

func (t *test) says() string {
	switch {
	case t.is == over && t.bound == 0 && t.of == leadA:
		return "a > s"
	case t.is == over && t.bound == 0 && t.of == leadS:
		return "s > a"
	}
	if t.twice != ofA {
		return fmt.Sprintf("%s %s 2·%s", t.of.letters(), t.is.sign(), t.twice.letters())
	}
	return fmt.Sprintf("%s %s %s", t.of.letters(), t.is.sign(), Figure(t.bound))
}

// says describes a test with its numbers.
func (n *numbers) says(t *test) string {
	sign := t.is.sign()
	if !n.holds(t) {
		sign = "is not " + sign
	}
	a, s, value := Figure(n.a), Figure(n.s), Figure(n.value(t.of))
	var what string
	switch {
	case t.is == over && t.bound == 0 && t.of == leadA:
		return fmt.Sprintf("architect %s %s skeptic %s", a, sign, s)
	case t.is == over && t.bound == 0 && t.of == leadS:
		return fmt.Sprintf("skeptic %s %s architect %s", s, sign, a)
	}
	switch t.of {
	case ofA:
		what = "architect " + a
	case ofS:
		what = "skeptic " + s
	case leadA:
		what = fmt.Sprintf("architect %s − skeptic %s = %s", a, s, value)
	case leadS:
		what = fmt.Sprintf("skeptic %s − architect %s = %s", s, a, value)
	case apart:
		what = fmt.Sprintf("|%s − %s| = %s", a, s, value)
	case larger:
		what = "the larger, " + value + ","
	case factsA:
		what = "the architect's " + plain.Counted(n.factsA, "fact")
	case factsS:
		what = "the skeptic's " + plain.Counted(n.factsS, "fact")
	}
	if t.twice != ofA {
		return fmt.Sprintf("%s %s 2·%s", what, sign, Figure(n.value(t.twice)))
	}
	return fmt.Sprintf("%s %s %s", what, sign, Figure(t.bound))
}

// Figure formats a number as the shortest decimal of exactly this double.
func Figure(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
