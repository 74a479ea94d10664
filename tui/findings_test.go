package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"moot/protocol"
	"moot/protocol/protocoltest"
	"moot/protocol/review"
	"moot/state"
	"moot/tui/pane"
)

// reviewed is a review with a finding that two raised, two single ones, and a reviewer that gave no answer.
func reviewed(t testing.TB, more ...state.Payload) *protocoltest.Record {
	r := &protocoltest.Record{T: t, State: &state.State{}}
	opened := protocoltest.Opened(review.Name)
	opened.Rules = review.Format{}
	finding := func(id string, by state.Seat, severity review.Severity, path string, line int, what string) *review.FindingMade {
		return &review.FindingMade{
			Point: id, By: by, What: what, Why: "the reason of " + id, Fix: "the fix of " + id, Severity: severity,
			Category: "correctness", Path: path, Line: line, End: line,
		}
	}
	r.Add(opened,
		finding("P1", review.Reviewer, review.Blocking, "lock.go", 11, "Unlock calls d before a returned"),
		finding("P2", "reviewer-2", review.High, "lock.go", 11, "d runs while a has not returned"),
		finding("P3", review.Reviewer, review.High, "store.go", 3, "open is written without a lock"),
		finding("P4", "reviewer-2", review.Low, "store.go", 1, "the package has no comment"),
		&review.FindingsGrouped{Groups: [][]string{{"P1", "P2"}}, Compared: 4},
	)
	r.Add(more...)
	return r
}

// reviewScreen is the screen of a review after some keys.
func reviewScreen(t *testing.T, width, height int, keys string, more ...state.Payload) *Model {
	t.Helper()
	s := &stage{t: t, cast: friendly(t), options: Options{NoColor: true}, width: width, height: height}
	return s.of(reviewed(t, more...), keys)
}

func TestAReviewShowsItsFindings(t *testing.T) {
	t.Parallel()
	m := reviewScreen(t, 120, 36, "")
	text := screenText(m)
	for _, want := range []string{
		"2 Findings 3", "HIGH", "lock.go:11", "2 reviewers", "reviewer-3", "no answer yet", "the fix of P1",
		"raised by  ", "also P2", "-b()", "+d()",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the screen lacks %q:\n%s", want, text)
		}
	}
	if m.focus != pane.FindingsID || m.target() != "P1" {
		t.Errorf("%s has the focus and %q is selected", m.focus, m.target())
	}
}

func TestFindingsAreFiltered(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ keys, title, target string }{
		{"", "Findings 3", "P1"},
		{"v", "Findings 2 of 3: HIGH", "P1"},
		{"v v", "Findings 1 of 3: LOW", "P4"},
		{"v v v", "Findings 3", "P4"},
		{"down i", "Findings 2 of 3: store.go", "P3"},
		{"down i v", "Findings 1 of 3: HIGH, store.go", "P3"},
		{"down i v c", "Findings 3", "P3"},
		{"down i i", "Findings 3", "P3"},
	} {
		m := reviewScreen(t, 120, 36, c.keys)
		if title := m.findings.Title(); title != c.title || m.target() != c.target {
			t.Errorf("after %q the title is %q and %s is selected, not %q and %s", c.keys, title, m.target(), c.title, c.target)
		}
	}
	if m := reviewScreen(t, 120, 36, "t"); !m.findings.Filtered() {
		t.Error("t filters nothing")
	}
	if m := reviewScreen(t, 120, 36, "c"); m.flash != "all findings are shown already" {
		t.Errorf("c says %q", m.flash)
	}
}

// Each decision about a finding has a key, which opens its form or says why it cannot.
func TestFindingsAreDecidedByKey(t *testing.T) {
	t.Parallel()
	for keys, heading := range map[string]string{"A": "P1 stands", "D": "P1 is wrong", "I": "P1 is intended", "m": "Merge P1", "M": "Split P1"} {
		m := reviewScreen(t, 120, 36, keys)
		if d := m.dialog(); d == nil || d.title() != heading {
			t.Errorf("%s opens %v, and says %q", keys, d, m.flash)
		}
	}
	if m := reviewScreen(t, 120, 36, "down M"); m.flash != "P3 is not merged with another finding" {
		t.Errorf("M says %q", m.flash)
	}
	closed := []state.Payload{&state.ExitReached{Exit: state.ExitDecided}, &state.SessionClosed{Exit: state.ExitDecided}}
	m := reviewScreen(t, 120, 36, "", closed...)
	tell(m, protocol.Ended{State: m.state, Rulings: m.rulings})
	if m.disabled(ActionIntended) == "" {
		t.Error("a decision after the end can be recorded without Services.Decide")
	}
	if m.focus != pane.ResultID {
		t.Errorf("after the end %s has the focus", m.focus)
	}
	consult := (&stage{t: t, cast: friendly(t), options: Options{NoColor: true}, width: 120, height: 36}).session("I")
	if consult.dialog() != nil || consult.keyOf(ActionIntended) != "" {
		t.Error("a consultation has the key for intended findings")
	}
}

func TestAFindingIsCopiedAsAComment(t *testing.T) {
	t.Parallel()
	m := reviewScreen(t, 120, 36, "")
	want := "lock.go:11 (HIGH, correctness, independent 2 of 3)"
	text := m.findings.Copied()
	if first, _, _ := strings.Cut(text, ": "); !strings.HasPrefix(first, "lock.go:11 (HIGH, correctness") {
		t.Errorf("the comment begins with %q, not as in %q", first, want)
	}
	for _, part := range []string{"\n\nthe reason of P1\n\nFix: the fix of P1\n\nRaised by "} {
		if !strings.Contains(text, part) {
			t.Errorf("the comment lacks %q:\n%s", part, text)
		}
	}
	if place := m.cited(); place != "lock.go:11" {
		t.Errorf("o opens %q", place)
	}
}

// Whatever the findings say, and however many there are, each row of the pane has its width.
func TestFindingsFitAnySize(t *testing.T) {
	t.Parallel()
	var more []state.Payload
	for i := 5; i <= 150; i++ {
		more = append(more, &review.FindingMade{
			Point: fmt.Sprintf("P%d", i), By: "reviewer-3", What: nasty()[i%len(nasty())] + " x", Why: nasty()[(i+1)%len(nasty())],
			Severity: review.Severities()[i%4], Path: strings.Repeat("folder/", 28) + "文件.go", Line: i, End: i,
		})
	}
	m := reviewScreen(t, 120, 36, "", more...)
	for _, size := range [][2]int{{1, 1}, {5, 3}, {20, 7}, {40, 8}, {80, 20}, {95, 30}, {96, 4}, {120, 32}, {200, 56}} {
		for _, where := range []pane.Motion{pane.MoveHome, pane.MoveDown, pane.MovePageDown, pane.MoveEnd} {
			m.findings.Move(where, size[0], size[1])
			rows := m.findings.View(size[0], size[1])
			if len(rows) != size[1] {
				t.Errorf("%d rows at %v", len(rows), size)
			}
			for _, row := range rows {
				if w := m.look.Method.StringWidth(row); w != size[0] {
					t.Fatalf("a row of %d cells at %v: %q", w, size, ansi.Strip(row))
				}
			}
		}
	}
}
