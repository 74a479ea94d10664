package tui

import (
	"context"
	"strings"
	"testing"

	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/state"
	"moot/tui/home"
	"moot/tui/pane"
)

// finished is a session that ended with an answer, opened to be read.
func finished(t *testing.T, o Options) *Model {
	t.Helper()
	r := demo(t)
	r.state.Rules = formats.ByName(consult.Name)
	r.add(&state.ExitReached{Exit: state.ExitCap}, &state.AnswerGiven{
		By: state.Orchestrator, LeftOut: []state.LeftOut{}, Sentences: []state.Sentence{
			{ID: "S1", Text: "Streams acknowledge.", Points: []string{"P1"}, Denies: []string{}},
			{ID: "S2", Text: "They cost an upgrade.", Points: []string{"P2"}, Denies: []string{"P3"}},
		},
	}, &state.SessionClosed{Exit: state.ExitCap})
	o.NoColor, o.Opened = true, &Opened{}
	m := screenOf(t, r, o, 120, 40)
	m.ended = true
	typeKeys(m, "0")
	return m
}

// Enter on a sentence of the answer goes to the point that it rests on, or lists them.
func TestASentenceLeadsToItsPoints(t *testing.T) {
	m := finished(t, Options{})
	m.View()
	typeKeys(m, "home enter")
	if m.focus != pane.PointID || m.topic != "P1" {
		t.Errorf("S1 leads to %s, point %s", m.focus, m.topic)
	}
	typeKeys(m, "0")
	m.View()
	typeKeys(m, "home down enter")
	if text := screenText(m); !strings.Contains(text, "S2 rests on") || !strings.Contains(text, "there is no operational cost") {
		t.Errorf("the points of S2 are not listed:\n%s", text)
	}
	typeKeys(m, "down enter")
	if m.topic != "P3" {
		t.Errorf("it leads to %s, not P3", m.topic)
	}
}

// In a closed session the answer is rewritten, beginning with its text, points are ruled on, and the question that is
// left is answered. What seats would have to act on cannot be decided.
func TestDecisionsAfterTheEnd(t *testing.T) {
	for _, c := range []struct {
		keys []string
		want protocol.UserMove
	}{
		{
			[]string{"u", "r e w r i t e", "enter", "!", "ctrl+s"},
			claims.RewriteAnswer{Text: "Streams acknowledge. [P1]\nThey cost an upgrade. [P2]\n!"},
		},
		{[]string{"D", "P 4", "enter", "ctrl+s"}, claims.RuleOn{Point: "P4", What: state.OverrideDismiss}},
		{[]string{"n", "enter", "ctrl+s"}, protocol.AnswerQuestion{Question: "Q1", Answer: "under 100"}},
	} {
		var moves []protocol.UserMove
		m := finished(t, Options{Services: Services{
			Decide: func(_ context.Context, id string, list []protocol.UserMove) (Opened, error) {
				moves = list
				return Opened{State: &state.State{ID: id, Closed: true}, Start: func(func(protocol.Notice)) (Session, error) { return &noting{}, nil }}, nil
			},
		}})
		if text := screenText(m); !strings.Contains(text, "1 question for you") {
			t.Errorf("the status does not name the open question:\n%s", text)
		}
		typeKeys(m, "u")
		if text := screenText(m); strings.Contains(text, "reopen a point") || strings.Contains(text, "challenge a point") {
			t.Errorf("the decisions are:\n%s", text)
		}
		typeKeys(m, "esc")
		for _, keys := range c.keys {
			awaited(m, typeKeys(m, keys)...)
		}
		if len(moves) != 1 || moves[0] != c.want {
			t.Errorf("recorded %q, not %q:\n%s", moves, c.want, screenText(m))
		}
	}
}

// A question that follows up on a finished session keeps its format, seats and folder.
func TestAFollowUpIsAsked(t *testing.T) {
	var asked []home.Question
	m := finished(t, Options{Services: Services{
		New: func(_ context.Context, q home.Question) (Opened, error) {
			asked = append(asked, q)
			return Opened{State: &state.State{ID: "next"}, Start: func(func(protocol.Notice)) (Session, error) { return &noting{}, nil }}, nil
		},
		Found: func(context.Context) home.Candidates { return home.Candidates{Consultee: "ollama:qwen3"} },
	}})
	if text := screenText(m); !strings.Contains(text, "follow up") {
		t.Errorf("the footer does not name it:\n%s", text)
	}
	saved := m.opened
	m.opened.Start = func(func(protocol.Notice)) (Session, error) { return &noting{}, nil }
	if m.mayFollowUp() {
		t.Error("a session without a file can be followed up")
	}
	m.opened = saved
	awaited(m, typeKeys(m, "n")...)
	awaited(m, typeKeys(m, "W h y ctrl+s")...)
	if len(asked) != 1 {
		t.Fatalf("asked %+v:\n%s", asked, screenText(m))
	}
	q := asked[0]
	if q.Text != "Why" || q.Follows != m.options.Opened.State.ID || q.Format != consult.Name ||
		q.Settings["consultee"] != "openai:gpt-5.2" || q.Settings["orchestrator"] != "claude" {
		t.Errorf("asked %+v", q)
	}
}
