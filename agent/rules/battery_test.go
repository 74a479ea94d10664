package rules_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/agent/rules"
	"moot/agent/search"
	"moot/protocol"
	"moot/state"
)

// TestBattery puts the questions of the search's battery to the participant:
// the points quote a line that answers, and where nothing does it says so. Each
// quotation stands at its lines. The floors are what it reached when they were
// set, less a few questions.
func TestBattery(t *testing.T) {
	t.Parallel()
	file, err := os.Open("../search/testdata/questions.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	questions, err := search.ReadBattery(file)
	if err != nil {
		t.Fatal(err)
	}
	participant := rules.New(rules.Options{Workspace: corpus})
	answerable, answered, none, silent := 0, 0, 0, 0
	for _, q := range questions {
		points := proposal(t, participant, q.Text)
		nothing := len(points) == 1 && len(points[0].Citations) == 0
		if len(q.Answers) == 0 {
			none++
			if nothing {
				silent++
			}
			continue
		}
		answerable++
		if answers(points, q) {
			answered++
		} else {
			t.Logf("not answered: %s", q.Text)
		}
	}
	t.Logf("%d of %d answered, %d of %d told apart as unanswerable", answered, answerable, silent, none)
	if float64(answered) < 0.8*float64(answerable) || float64(silent) < 0.85*float64(none) {
		t.Errorf("%d of %d answered, %d of %d silent", answered, answerable, silent, none)
	}
}

func proposal(t *testing.T, participant *rules.Rules, text string) []*protocol.Raise {
	t.Helper()
	reply, err := participant.Reply(context.Background(), protocol.Call{
		Ask:   protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose, Moves: protocol.MoveKinds()},
		State: state.State{Question: text},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var moves struct{ Moves []*protocol.Raise }
	if err := json.Unmarshal([]byte(reply.Text), &moves); err != nil {
		t.Fatal(err)
	}
	for _, m := range moves.Moves {
		for _, c := range m.Citations {
			checkPlace(t, c)
		}
	}
	return moves.Moves
}

// checkPlace demands that a quotation is exactly the lines that it cites.
func checkPlace(t *testing.T, c protocol.Citation) {
	t.Helper()
	path, lines, _ := strings.Cut(c.Reference, ":")
	content, err := os.ReadFile(filepath.Join(corpus, path))
	if err != nil {
		t.Fatal(err)
	}
	from, to, isRange := strings.Cut(lines, "-")
	if !isRange {
		to = from
	}
	first, last := number(from), number(to)
	if got := strings.Join(strings.Split(string(content), "\n")[first-1:last], "\n"); got != c.Quote {
		t.Errorf("%s holds %q, not %q", c.Reference, got, c.Quote)
	}
}

func number(text string) int {
	n := 0
	for _, digit := range text {
		n = 10*n + int(digit-'0')
	}
	return n
}

func answers(points []*protocol.Raise, q search.Question) bool {
	for _, p := range points {
		for _, c := range p.Citations {
			for _, a := range q.Answers {
				if strings.HasPrefix(c.Reference, a.Path+":") && strings.Contains(c.Quote, a.Text) {
					return true
				}
			}
		}
	}
	return false
}
