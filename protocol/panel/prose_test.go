package panel_test

import (
	"slices"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/move"
	"moot/protocol/panel"
	"moot/protocol/reply"
	"moot/state"
)

// answerOf reads a reply as the first answer of a panelist, and returns its points and the places that they cite.
func answerOf(t *testing.T, text string) (points, places []string) {
	t.Helper()
	parser, err := reply.NewParser([]protocol.Format{panel.Format{}})
	if err != nil {
		t.Fatal(err)
	}
	parsed, refused := parser.In(panel.Format{}).Parse(text, protocol.Ask{
		Seat: panel.Panelist, Stage: state.StagePropose,
		Moves: []move.Kind{move.KindRaise, move.KindCite, move.KindFlag, move.KindClarify},
	})
	if refused != nil {
		return nil, nil
	}
	for _, m := range parsed.Moves {
		raise, ok := m.(*move.Raise)
		if !ok {
			continue
		}
		points = append(points, raise.Text)
		for _, c := range raise.Citations {
			place := c.Reference
			if c.Quote != "" {
				place += " " + c.Quote
			}
			places = append(places, place)
		}
	}
	return points, places
}

func TestProseAnswersAreRead(t *testing.T) {
	for _, c := range []struct {
		name, text     string
		points, places []string
	}{
		{
			"sentences with places are the points",
			"I read the code. The loop stops after three tries (queue.go:8). That seems fine to me.\n\n" +
				"The last error is lost, see queue.go:12. Add a backoff.\n",
			[]string{"The loop stops after three tries (queue.go:8).", "The last error is lost, see queue.go:12."},
			[]string{"queue.go:8", "queue.go:12"},
		},
		{
			"without a place, those of the first paragraph are",
			"# Answer\n\nYes. The queue is safe to retry. Each job runs at most three times!\n\nMore could be said about it here.\n",
			[]string{"Yes. The queue is safe to retry.", "Each job runs at most three times!"},
			nil,
		},
		{
			"below a heading, too",
			"## Short answer\nYes. A job is tried three times (queue.go:3). I would keep it so.\n\n## Details\n" +
				"The last error is lost at queue.go:12. That may hurt.\n",
			[]string{"Yes. A job is tried three times (queue.go:3).", "The last error is lost at queue.go:12."},
			[]string{"queue.go:3", "queue.go:12"},
		},
		{
			"a lead-in, a code block and a table are no paragraph",
			"Here is my answer to it:\n\n```go\nfor i := range 3 {\n\tcall me maybe.\n}\n```\n\n| a | b | c |\n|---|---|---|\n\n" +
				"The retries are limited to three.\n",
			[]string{"The retries are limited to three."},
			nil,
		},
		{
			"a heading right above the paragraph",
			"## Short answer\nNo, retrying is not safe e.g. after a crash. Jobs run twice.\n",
			[]string{"No, retrying is not safe e.g. after a crash.", "Jobs run twice."},
			nil,
		},
		{
			"German", "Die Warteschlange ist sicher. Jeder Auftrag läuft höchstens dreimal.",
			[]string{"Die Warteschlange ist sicher.", "Jeder Auftrag läuft höchstens dreimal."},
			nil,
		},
		{
			"Chinese", "队列可以安全重试。每个任务最多执行三次。",
			[]string{"队列可以安全重试。", "每个任务最多执行三次。"},
			nil,
		},
		{
			"items of a list stay points", "Two things matter:\n\n- A job is tried three times\n- Nothing waits between the tries\n",
			[]string{"A job is tried three times", "Nothing waits between the tries"},
			nil,
		},
		{
			"the lines of a file that was named before",
			"`store/queue.go` decides it. Line 12 drops the last error there.\n\n## Tests to add\n- a worker that fails, queue_test.go:4\n",
			[]string{"Line 12 drops the last error there."},
			[]string{"store/queue.go:12"},
		},
		{
			"rows of a table, and quotes",
			"| place | what |\n|---|---|\n| queue.go:3 | the loop has no end |\n\n## Conclusion\nIt says \"for {\" at queue.go:3 \"for {\".\n",
			[]string{"queue.go:3; the loop has no end", "It says \"for {\" at queue.go:3 \"for {\"."},
			[]string{"queue.go:3", "queue.go:3 for {"},
		},
		{
			"a reply in the form of moves is no prose",
			"RAISE: the loop has no end (queue.go:3)\nI am sure of it, see queue.go:9.\n",
			[]string{"the loop has no end (queue.go:3) I am sure of it, see queue.go:9."},
			[]string{"queue.go:3", "queue.go:9"},
		},
		{
			"a list keeps its marks, quotes and commands if a paragraph follows",
			"1. The loop has no end [EVIDENCE] queue.go:3 \"for {\"\n2. Waiting is better [value]\n" +
				"3. It builds. `$ go build ./... => exit 0`\n\nOverall I would keep it as it is.\n",
			[]string{"The loop has no end", "Waiting is better", "It builds."},
			[]string{"queue.go:3 for {", "$ go build ./... exit 0"},
		},
		{
			"what is below an item belongs to it",
			"- The loop has no end, queue.go:3\n  - it burns a whole core\n\nI would stop it after three turns.\n",
			[]string{"The loop has no end, queue.go:3 - it burns a whole core"},
			[]string{"queue.go:3"},
		},
		{"nothing to read", "# Yes\n", nil, nil},
	} {
		points, places := answerOf(t, c.text)
		if !slices.Equal(points, c.points) || !slices.Equal(places, c.places) {
			t.Errorf("%s:\n%q, places %q\nwant %q, places %q", c.name, points, places, c.points, c.places)
		}
	}
	long := strings.Repeat("Every one of these counts as a sentence. ", 30)
	if points, _ := answerOf(t, long); len(points) != 7 {
		t.Errorf("%d sentences of one paragraph are points, want 7", len(points))
	}
}
