package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"moot/protocol"
	"moot/protocol/claims"
	"moot/protocol/consult"
	"moot/protocol/formats"
	"moot/protocol/move"
	"moot/protocol/protocoltest"
	"moot/state"
	"moot/tui/home"
	"moot/tui/pane"
)

// finished is a session that ended with an answer, opened to be read.
func finished(t *testing.T, o Options) *Model {
	t.Helper()
	r := protocoltest.Consultation(t)
	r.State.Rules = formats.ByName(consult.Name)
	r.Add(&state.ExitReached{Exit: state.ExitCap}, &state.AnswerGiven{
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

// Enter on a sentence of the answer unfolds the point that it rests on, or lists them.
func TestASentenceLeadsToItsPoints(t *testing.T) {
	m := finished(t, Options{})
	m.View()
	typeKeys(m, "=S1 enter")
	if m.focus != pane.ResultID || m.topic != "P1" || m.outcome.Selected() != "P1" || !strings.Contains(screenText(m), "why  ") {
		t.Errorf("S1 leads to %s, point %s:\n%s", m.focus, m.topic, screenText(m))
	}
	typeKeys(m, "0")
	m.View()
	typeKeys(m, "=S2 enter")
	if text := screenText(m); !strings.Contains(text, "S2 rests on") || !strings.Contains(text, "there is no operational cost") {
		t.Errorf("the points of S2 are not listed:\n%s", text)
	}
	typeKeys(m, "=P3 enter")
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
				return Opened{State: &state.State{ID: id, Ending: state.Ending{Closed: true}}, Start: func(func(protocol.Notice)) (Session, error) { return &noting{}, nil }}, nil
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
			finish(m, typeKeys(m, keys)...)
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
	finish(m, typeKeys(m, "n")...)
	finish(m, typeKeys(m, "W h y ctrl+s")...)
	if len(asked) != 1 {
		t.Fatalf("asked %+v:\n%s", asked, screenText(m))
	}
	q := asked[0]
	if q.Text != "Why" || q.Follows != m.options.Opened.State.ID || q.Format != consult.Name ||
		q.Settings["consultee"] != "openai:gpt-5.2" || q.Settings["orchestrator"] != "claude" {
		t.Errorf("asked %+v", q)
	}
}

// A question that comes by itself is not answered by what one was typing.
func TestQuestionsWaitOutAQuietMoment(t *testing.T) {
	now := protocoltest.RecordTime()
	r := protocoltest.Consultation(t)
	m := screenOf(t, r, Options{NoColor: true, Now: func() time.Time { return now }}, 100, 30)
	tell(m, advanced(r, &state.QuestionSurfaced{ID: "Q2", What: state.QuestionTradeoff, Text: "cost or speed?"}))
	for range 4 {
		now = now.Add(300 * time.Millisecond)
		typeKeys(m, "n")
		if len(m.dialogs) != 0 {
			t.Fatal("a key opened the form without a quiet moment")
		}
	}
	now = now.Add(quietTime)
	typeKeys(m, "n")
	if len(m.dialogs) != 1 {
		t.Fatal("after a quiet moment the key opens the form")
	}
}

// A seat of the person opens its form, which takes no key of one who was
// typing, and gives the reply.
func TestPersonSpeaksForASeat(t *testing.T) {
	now := protocoltest.RecordTime()
	m := screenOf(t, protocoltest.Consultation(t), Options{NoColor: true, Now: func() time.Time { return now }}, 100, 30)
	person := NewPerson()
	person.attach(m.inbox)
	reply := make(chan string)
	go func() {
		text, err := person.Ask(t.Context(), protocol.Call{
			Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StageAnswer, Moves: []move.Kind{move.KindDefend}}, State: m.state,
		})
		reply <- fmt.Sprint(text, err)
	}()
	m.deliver(m.inbox.next().(delivery))
	if content := strings.Join(m.drawScreen(), "\n"); !strings.Contains(content, "You speak as consultee: answer") || !strings.Contains(content, "Re C1: your defense") {
		t.Fatalf("the form does not say what is asked:\n%s", content)
	}
	typeKeys(m, "x")
	now = now.Add(quietTime)
	typeKeys(m, "R e esc")
	if len(m.dialogs) != 0 || len(m.asking()) != 2 {
		t.Fatal("esc hides the form and keeps the request")
	}
	now = now.Add(quietTime)
	typeKeys(m, "n o k ctrl+s")
	if got := <-reply; got != "Reok<nil>" {
		t.Errorf("got %q", got)
	}
	if len(m.requests) != 0 || len(m.dialogs) != 0 {
		t.Error("the form stays open")
	}
}

// A small screen shows the effect of an answer, and the question can be scrolled. No answer is selected at first,
// so enter alone advances nothing.
func TestAQuestionIsReadOnASmallScreen(t *testing.T) {
	m := screenOf(t, protocoltest.Proposal(t), Options{NoColor: true}, 40, 12)
	tell(m, protocol.Waiting{Questions: []string{"Q1"}})
	for _, step := range []struct{ keys, shows, not string }{
		{"n", "1 cleared", "no longer holds"},
		{"enter", "a value is required", "is answered"},
		{"1", "C1 no longer holds", "blocks the field"},
		{"2", "C1 blocks the field", "no longer holds"},
		{strings.Repeat("pgdown ", 20), "without an", "rollback.command, "},
		{strings.Repeat("pgup ", 20), "rollback.command, ", "without an"},
		{"enter", "Q1 is answered; n answe", "best for"},
	} {
		typeKeys(m, step.keys)
		carry(m, &noting{})
		if text := screenText(m); !strings.Contains(text, step.shows) || strings.Contains(text, step.not) {
			t.Fatalf("%s: it does not show %q, or shows %q:\n%s", step.keys, step.shows, step.not, text)
		}
	}
}

// The effect of an answer is computed again when the question is opened again.
func TestAnAnswerDoesWhatItDoesNow(t *testing.T) {
	r := protocoltest.Proposal(t)
	m := screenOf(t, r, Options{NoColor: true}, 100, 40)
	tell(m, protocol.Waiting{Questions: []string{"Q1"}})
	typeKeys(m, "n esc")
	events, err := protocol.AdmitUser(r.State, protocol.AnswerQuestion{Question: "Q2", Answer: "withdraw"})
	if err != nil {
		t.Fatal(err)
	}
	tell(m, advanced(r, events...))
	typeKeys(m, "n")
	if text := screenText(m); !strings.Contains(text, "the proposal advances") {
		t.Errorf("it is what it was before:\n%s", text)
	}
}
