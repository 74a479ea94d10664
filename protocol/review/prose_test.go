package review_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/move"
	"moot/protocol/protocoltest"
	"moot/protocol/review"
	"moot/state"
	"moot/view"
)

// read returns the moves that are read from a reply of a reviewer, as JSON, and how it was read.
func read(t *testing.T, text string, stage state.Stage, lines ...move.Move) (moves, how string) {
	t.Helper()
	read, how := review.Format{}.ReadProse(text, protocol.Ask{Seat: "reviewer", Stage: stage}, lines)
	data, err := json.Marshal(read)
	if err != nil {
		t.Fatal(err)
	}
	return string(data), how
}

// TestReadProse reads replies that are not in the form of moves: each finding becomes a move with what the text says.
func TestReadProse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, text string
		stage      state.Stage
		moves, how []string // parts of the moves and of how they were read; none if the text is not read
	}{
		{
			name: "a finding with its place, severity and reason", stage: review.StageFind,
			text:  "- [P1] Keep the lock file — queue/lock.go:11-13\n  Two processes hold it; see queue/wait.go:5.\n",
			moves: []string{`"path":"queue/lock.go"`, `"line":11`, `"end":13`, `"severity":"P1"`, `"what":"Keep the lock file"`, `"why":"Two processes hold it; see queue/wait.go:5."`, `queue/wait.go:5`},
			how:   []string{"1 finding read from Markdown"},
		},
		{
			name: "the place of a finding is not among its evidence", stage: review.StageFind,
			text:  `[{"path":"queue/lock.go","line":7,"message":"The error is lost."}]`,
			moves: []string{`"line":7`, `"what":"The error is lost."`},
			how:   []string{"1 finding read from JSON"},
		},
		{
			name: "nothing found", stage: review.StageFind, text: "I read both files. No issues found.",
			moves: []string{`"No issues found."`}, how: []string{"read as Markdown without findings"},
		},
		{
			name: "an empty list", stage: review.StageFind, text: `{"findings":[]}`,
			moves: []string{`"an empty list of findings"`}, how: []string{"read as JSON without findings"},
		},
		{
			name: "more findings than are read are counted", stage: review.StageFind, text: strings.Repeat("- [P1] a.go:1 lost\n", 1003),
			how: []string{"1000 findings read from Markdown, and 3 more are not"},
		},
		{name: "words without a finding", stage: review.StageFind, text: "The change adds a flag."},
		{name: "one kind of problem is ruled out", stage: review.StageFind, text: "No security issues. The loop never ends though."},
		{name: "another turn", stage: review.StageExamine, text: "- [P1] Keep it — queue/lock.go:11"},
		{name: "the lines of the move", stage: review.StageFind, text: "FINDING HIGH queue/lock.go:11 Keep it"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			moves, how := read(t, test.text, test.stage)
			if len(test.how) == 0 && how != "" {
				t.Errorf("read as %s: %s", how, moves)
			}
			for _, part := range test.how {
				if !strings.Contains(how, part) {
					t.Errorf("read as %q, want %q", how, part)
				}
			}
			for _, part := range test.moves {
				if !strings.Contains(moves, part) {
					t.Errorf("moves without %s: %s", part, moves)
				}
			}
			if test.name == "the place of a finding is not among its evidence" && strings.Contains(moves, "reference") {
				t.Errorf("the place is evidence, too: %s", moves)
			}
		})
	}
}

// TestAbsolutePathsNameChangedFiles finds the changed file with the longest end of an absolute path.
func TestAbsolutePathsNameChangedFiles(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ path, want string }{
		{"/home/me/src/queue/lock.go", "queue/lock.go"},
		{`C:\src\queue\lock.go`, "queue/lock.go"},
		{"/home/me/src/other/lock.go", "lock.go"},
		{"lock.go", "lock.go"},
		{"b/queue/lock.go", "queue/lock.go"},
		{"wait.go", "wait.go"}, // Two files end with it.
		{"/src/block.go", "/src/block.go"},
	} {
		d := protocoltest.New(t, protocoltest.Opened(review.Name, func(o *state.SessionOpened) {
			settings, is := o.Settings.Own.(*review.Settings)
			if !is {
				t.Fatalf("settings %T", o.Settings.Own)
			}
			settings.Change.Files = nil
			for _, path := range []string{"lock.go", "queue/lock.go", "a/wait.go", "b2/wait.go"} {
				settings.Change.Files = append(settings.Change.Files, review.File{Path: path, Status: review.Modified, Lines: 9, Was: 9})
			}
		}))
		d.Run()
		d.Reply("reviewer", "- [P1] Keep the lock file — "+test.path+":3\n  Two processes hold it.")
		if found := review.Of(d.State).Finding("P1"); found == nil || found.Path != test.want || found.Line != 3 {
			t.Errorf("%s: %+v, want %s", test.path, found, test.want)
		}
	}
}

// TestSilentReviewersAreNamed says in the result on how many findings a reviewer that was asked gave no answer, as a file
// does that holds a review and nothing else.
func TestSilentReviewersAreNamed(t *testing.T) {
	t.Parallel()
	d := protocoltest.New(t, protocoltest.Opened(review.Name))
	d.Run()
	d.Reply("reviewer", "- [P1] Keep the lock file — lock.go:11\n  Two processes hold it.\n- [P2] Name the limit — lock.go:13")
	d.Reply("reviewer-2", "LGTM")
	d.Reply("reviewer-3", "LGTM")
	d.Run()
	d.Reply("reviewer-2", `{"moves":[]}`)
	d.Reply("reviewer-3", `{"moves":[{"move":"UNSURE","point":"P1","reason":"I can't tell."},{"move":"UNSURE","point":"P2","reason":"I can't tell."}]}`)
	d.Run()
	notes := map[string]string{}
	for _, section := range view.Session(d.State, nil).Sections {
		for _, item := range section.Items {
			seat, _, _ := strings.Cut(item.Text, ":")
			for _, note := range item.Notes {
				if section.Title == "REVIEWERS" && note.Label == "cross-examined" {
					notes[seat] = note.Text
				}
			}
		}
	}
	if want := map[string]string{"reviewer-2": "gave no answer on 2 of 2 findings"}; !maps.Equal(notes, want) {
		t.Errorf("the result says %v, want %v", notes, want)
	}
}
