package battery

import (
	"fmt"
	"math"
	"strings"

	"moot/ledger"
	"moot/research"
)

// Score counts how findings compare with the known answers. "Verified" is the
// positive class.
type Score struct {
	// Right counts verified findings that should be, at the right lines;
	// Refused counts refusals that should be.
	Right, Refused int
	// False counts findings that are verified and should be refused; Missed
	// those that are refused and should be verified.
	False, Missed int
	// Misplaced counts findings that are rightly verified at the wrong lines.
	// Each is one false positive (what it says stands there does not) and one
	// false negative (what does stand was not found).
	Misplaced int
	// Misnamed counts refusals for another reason than the known one, or with
	// another nearest passage. They change neither precision nor recall.
	Misnamed int
	// Mistakes are all cases of the last four kinds, in their order.
	Mistakes []Mistake
	// Skipped are the cases whose files this system cannot hold: on Windows
	// named pipes, some symlinks, and colons in names.
	Skipped []Case
}

// Mistake is a case that came out otherwise than it should.
type Mistake struct {
	Case    Case
	Finding ledger.Finding
	Outcome research.Outcome
	// Why says in one clause what is wrong.
	Why string
}

// String is one line: the case, and what is wrong.
func (m Mistake) String() string {
	return fmt.Sprintf("%s: %s: %s (%s: %s)", m.Case.Group, m.Case.Name, m.Why, m.Outcome, m.Finding.Reason)
}

// Cases returns how many cases were run, the skipped ones not counted.
func (s Score) Cases() int {
	return s.Right + s.Refused + s.False + s.Missed + s.Misplaced + s.Misnamed
}

// Precision is the share, 0 to 1, of verified findings that are right; NaN if
// nothing was verified.
func (s Score) Precision() float64 { return share(s.Right, s.Right+s.False+s.Misplaced) }

// Recall is the share, 0 to 1, of the cases to be verified that were, at the
// right lines; NaN if there are none.
func (s Score) Recall() float64 { return share(s.Right, s.Right+s.Missed+s.Misplaced) }

// share is part/whole, or NaN of nothing.
func share(part, whole int) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return float64(part) / float64(whole)
}

// count adds what became of one case.
func (s *Score) count(c Case, finding ledger.Finding, outcome research.Outcome) {
	counter := &s.Right
	var why string
	switch {
	case finding.Verified && !c.Expect.Verified():
		counter, why = &s.False, fmt.Sprintf("verified at %s, should be refused", finding.Reference)
	case !finding.Verified && c.Expect.Verified():
		counter, why = &s.Missed, "refused, should be verified"
	case finding.Verified:
		if why = c.misplaced(finding, outcome); why != "" {
			counter = &s.Misplaced
		}
	default:
		counter = &s.Refused
		if why = c.misnamed(finding, outcome); why != "" {
			counter = &s.Misnamed
		}
	}
	*counter++
	if why != "" {
		s.Mistakes = append(s.Mistakes, Mistake{Case: c, Finding: finding, Outcome: outcome, Why: why})
	}
}

// misplaced says what is wrong with a finding that is rightly verified, or "".
func (c Case) misplaced(finding ledger.Finding, outcome research.Outcome) string {
	at := lines(finding.Reference)
	switch {
	case outcome != c.Expect || finding.Moved != (c.Expect == research.Moved):
		return fmt.Sprintf("%s, should be %s", outcome, c.Expect)
	case c.At != "" && at != c.At:
		return fmt.Sprintf("at %s, should be at %s", at, c.At)
	}
	return ""
}

// misnamed says what is wrong with a finding that is rightly refused, or "".
func (c Case) misnamed(finding ledger.Finding, outcome research.Outcome) string {
	near := lines(finding.NearestReference)
	switch {
	case outcome != c.Expect:
		return fmt.Sprintf("%s, should be %s", outcome, c.Expect)
	case c.Near != "" && near != c.Near:
		return fmt.Sprintf("nearest at %q, should be at %s", near, c.Near)
	case !strings.Contains(finding.Reason, c.Reason):
		return fmt.Sprintf("the reason does not say %q", c.Reason)
	}
	return ""
}

// lines returns what stands behind the last colon of a reference.
func lines(reference string) string {
	return reference[strings.LastIndexByte(reference, ':')+1:]
}
