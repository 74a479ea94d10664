package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"moot/protocol"
	"moot/protocol/protocoltest"
	"moot/protocol/review"
	"moot/protocol/run"
	"moot/resolver"
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

// reviewDesk is a review to its end. Each reviewer gives a reply: "" finds nothing, "gone" is no answer. Nobody says
// anything about the findings of the others.
func reviewDesk(t testing.TB, before []state.Payload, replies ...string) *protocoltest.Record {
	t.Helper()
	d := protocoltest.New(t, protocoltest.Opened(review.Name))
	d.Append(before...)
	d.Run()
	for i, text := range replies {
		seat := review.Reviewers(d.State)[i]
		switch text {
		case "gone":
			d.Append(&state.SeatMissed{Seat: seat, Stage: review.StageFind, Reason: "the endpoint refused the key"})
		case "":
			d.Reply(seat, "NO FINDINGS: both files")
		default:
			d.Reply(seat, text)
		}
	}
	for d.Run(); len(d.Asks) > 0; d.Run() {
		for _, ask := range d.Asks {
			d.Reply(ask.Seat, `{"moves":[]}`)
		}
	}
	return &protocoltest.Record{T: t, State: d.State, Events: d.Events}
}

// knownLock is a finding that the user ruled wrong in an earlier review.
func knownLock(id string) review.Known {
	return review.Known{ID: id, Unchanged: true, Remembered: review.Remembered{
		Fingerprint: "f" + id, Session: "earlier", Path: "lock.go", Line: 12, End: 12, Severity: review.High,
		What: "the lock is never taken by readers", Bucket: state.BucketDismissed, Tag: state.TagUser, ByUser: true,
	}}
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
		"2 Findings 3", "High", "lock.go:11", "2 reviewers", "reviewer-3", "no answer yet", "the fix of P1",
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
		{"v", "Findings 2 of 3: High", "P1"},
		{"v v", "Findings 1 of 3: Low", "P4"},
		{"v v v", "Findings 3", "P4"},
		{"down i", "Findings 2 of 3: store.go", "P3"},
		{"down i v", "Findings 1 of 3: High, store.go", "P3"},
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
	want := "lock.go:11 (High, correctness, independent 2 of 3)"
	text := m.findings.Copied()
	if first, _, _ := strings.Cut(text, ": "); !strings.HasPrefix(first, "lock.go:11 (High, correctness") {
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

// A finding whose dialog is open is decided by the keys of the list.
func TestAnOpenFindingIsDecidedByKey(t *testing.T) {
	t.Parallel()
	for keys, heading := range map[string]string{
		"A": "P1 stands", "D": "P1 is wrong", "I": "P1 is intended", "m": "Merge P1", "M": "Split P1",
	} {
		m := reviewScreen(t, 120, 36, "enter")
		for _, want := range []string{"A stands", "D is wrong", "I intended", "m merge", "M split"} {
			if text := screenText(m); !strings.Contains(text, want) {
				t.Errorf("the dialog does not name %q:\n%s", want, text)
			}
		}
		pressAll(m, keys)
		if d := m.dialog(); d == nil || d.title() != heading {
			t.Errorf("%s opens %v, and says %q", keys, d, m.flash)
		}
	}
}

// ended is the screen of a review that has ended, whose decisions are recorded in its record.
func ended(t *testing.T, r *protocoltest.Record) *Model {
	t.Helper()
	s := &stage{t: t, cast: friendly(t), options: Options{NoColor: true}, width: 120, height: 36}
	s.options.Opened = &Opened{ShowCommand: "moot show k3f9"}
	m := s.of(r, "")
	m.options.Services.Decide = func(_ context.Context, _ string, moves []protocol.UserMove) (Opened, error) {
		for _, move := range moves {
			events, next, err := run.Decide(r.State, move, protocoltest.RecordTime())
			if err != nil {
				return Opened{}, err
			}
			r.State, r.Events = next, append(r.Events, events...)
		}
		return Opened{State: r.State, Rulings: resolver.Rule(r.State), Events: r.Events, ShowCommand: "moot show k3f9"}, nil
	}
	return m
}

// Decisions after the end change the first line of the result, and the list stays on the screen for the next one.
func TestDecisionsAfterTheEndChangeTheDecision(t *testing.T) {
	t.Parallel()
	same := "lock.go:12: Unlock runs d before a has returned"
	for _, c := range []struct{ keys, before, after string }{
		{"2 D enter", "DON'T MERGE", "MERGE"},
		{"2 I enter", "DON'T MERGE", "MERGE"},
		{"2 enter I enter", "DON'T MERGE", "MERGE"},
		{"0 D enter", "DON'T MERGE", "MERGE"},
		{"2 M ctrl+s", "DON'T MERGE", "NEEDS YOU"},
		{"2 down A enter", "DON'T MERGE", "DON'T MERGE"},
		{"2 I enter down A enter", "DON'T MERGE", "MERGE"},
		{"2 M ctrl+s m down ctrl+s", "DON'T MERGE", "DON'T MERGE"},
	} {
		r := reviewDesk(t, nil, "FINDING HIGH "+same+"\nFINDING LOW store.go:3: counting open matters little", "FINDING HIGH "+same, "")
		m := ended(t, r)
		if d := review.DecisionOf(m.state); d.Verdict.Words() != c.before {
			t.Fatalf("before it the decision is %s", d.String())
		}
		pressAll(m, c.keys)
		want := c.after + ": "
		if pressAll(m, "0"); !strings.Contains(screenText(m), " "+want) {
			t.Errorf("after %q the result does not begin with %q, and the screen says %q:\n%s", c.keys, want, m.flash, screenText(m))
		}
	}
}

func TestTheListStaysAfterADecision(t *testing.T) {
	t.Parallel()
	r := reviewDesk(t, nil, "FINDING HIGH lock.go:12: the first matter\nFINDING HIGH lock.go:13: quite another thing", "", "")
	m := ended(t, r)
	pressAll(m, "2 v down")
	at := m.target()
	pressAll(m, "A enter")
	if m.focus != pane.FindingsID || m.target() != at || !m.findings.Filtered() {
		t.Errorf("%s has the focus, %s is selected and not %s, filtered %t", m.focus, m.target(), at, m.findings.Filtered())
	}
	if text := m.findings.Finding(at).Mark; !strings.Contains(text, "user") {
		t.Errorf("%s is %s", at, text)
	}
	pressAll(m, "D")
	if text := screenText(m); strings.Contains(text, "Reopening") {
		t.Errorf("the form offers to reopen after the end:\n%s", text)
	}
}

// A review begins with its findings: when it runs here, in another process, and when it is replayed.
func TestAReviewBeginsWithItsFindings(t *testing.T) {
	t.Parallel()
	start := func(func(protocol.Notice)) (Session, error) { return &noting{}, nil }
	for name, opened := range map[string]Opened{
		"run": {Start: start}, "attach": {Start: start, Joined: true}, "watch": {Start: start, Joined: true, Watching: true},
		"replay": {At: 1}, "show": {},
	} {
		r := protocoltest.NewRecord(t)
		r.Add(protocoltest.Opened(review.Name))
		m := screenOf(t, r, Options{NoColor: true, Opened: &opened}, 120, 36)
		if text := screenText(m); m.focus != pane.FindingsID || !strings.Contains(text, "▸ 2 Findings") ||
			!strings.Contains(text, "reviewer-3  no answer yet") || strings.Contains(text, "CONSTRUCTIVE") {
			t.Errorf("%s begins with %s:\n%s", name, m.focus, text)
		}
	}
}

// If what all reviewers did does not fit one row, the row names them, or counts them.
func TestTheReviewersFitOneRow(t *testing.T) {
	t.Parallel()
	r := reviewDesk(t, nil, "FINDING HIGH lock.go:12: d runs before a", "", "gone")
	for width, want := range map[int]string{
		120: " ✓ reviewer 1 finding ✓ reviewer-2 found nothing ! reviewer-3 no answer: the endpoint refused the key",
		80:  " ✓ reviewer 1 finding ✓ reviewer-2 found nothing ! reviewer-3 no answer",
		40:  " ✓ reviewer ✓ reviewer-2 ! reviewer-3",
		30:  " 2 of 3 reviewers answered",
	} {
		m := ended(t, r)
		if row := strings.TrimRight(ansi.Strip(m.findings.View(width, 20)[0]), " "); row != want {
			t.Errorf("at %d columns the row is %q, not %q", width, row, want)
		}
	}
}

// A finding in a hunk has its lines of the diff beside it, also if there is nothing to quote, as on an empty line.
func TestAFindingWithoutAQuoteHasItsDiff(t *testing.T) {
	t.Parallel()
	m := reviewScreen(t, 120, 36, "", &review.FindingMade{
		Point: "P5", By: "reviewer-2", What: "a line is missing here", Severity: review.Blocking, Path: "store.go", Line: 2, End: 2,
	})
	m.findings.Choose("P5")
	if quote := m.findings.Finding("P5").Notes[0].Quote; quote != "" {
		t.Fatalf("the finding quotes %q", quote)
	}
	if text := screenText(m); !strings.Contains(text, "▸2 +") || !strings.Contains(text, "3 +var open") {
		t.Errorf("the diff is not on the screen:\n%s", text)
	}
}
