package serve

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"moot/internal/plain"
	"moot/protocol"
	"moot/protocol/run"
	"moot/state"
	"moot/view"
)

// live is a session that this server runs.
type live struct {
	id     string
	caller *Caller // nil for an observer
	runner *run.Session
	// workspace is the folder of the session.
	workspace string

	mutex sync.Mutex
	// changed is closed, and replaced, whenever something changes.
	changed    chan struct{}
	state      *state.State
	transcript *view.Transcript
	news       []string
	admitted   int
	refused    []string
	// questions wait for the user; declined are those that the user didn't want to answer in the agent.
	questions []string
	declined  map[string]bool
	// asking names the seats that are being asked.
	asking map[state.Seat]string
	// ended is set when the run is over, with its error.
	ended bool
	err   error
}

func (l *live) update(f func()) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	f()
	close(l.changed)
	l.changed = make(chan struct{})
}

// watch receives the notices of the run.
func (l *live) watch(n protocol.Notice) {
	switch n := n.(type) {
	case protocol.Advanced:
		l.update(func() { l.advanced(n) })
	case protocol.CallStarted:
		l.update(func() { l.asking[n.Ask.Seat] = string(n.Ask.Seat) + " to " + view.StageName(n.Ask.Stage) })
	case protocol.CallEnded:
		l.update(func() { delete(l.asking, n.Seat) })
	case protocol.Reported:
		if n.Lookup {
			l.update(func() { l.add(string(n.Seat) + " " + n.Text) })
		}
	case protocol.Waiting:
		l.update(func() { l.questions = n.Questions })
	case protocol.TurnReady:
		// The session paused. It is left, so that its file is free for the user.
		go l.runner.Leave(context.Background())
	}
}

// maxNews is how many lines are kept for the next call.
const maxNews = 200

func (l *live) add(line string) {
	l.news = append(l.news, clip(line))
	l.news = l.news[max(0, len(l.news)-maxNews):]
}

func (l *live) advanced(n protocol.Advanced) {
	l.state, l.questions = n.State, nil
	lines, err := l.transcript.Add(n.Events)
	if err != nil {
		l.add("warning: " + err.Error())
	}
	for i := range lines {
		if !lines[i].Minor {
			l.add(lines[i].Label + " " + lines[i].String())
		}
	}
	for i := range n.Events {
		e, is := n.Events[i].Data.(*state.ReplyReceived)
		if !is || l.caller == nil {
			continue
		}
		if a, ok := n.State.Assignment(e.Seat); !ok || a.Participant != l.caller.name {
			continue
		}
		l.admitted += e.Moves
		for _, r := range e.Refused {
			l.refused = append(l.refused, clip(fmt.Sprintf("move %d (%s): %s", r.Move, r.Code, r.Text)))
		}
	}
}

// snapshot returns the current turn, and a channel that is closed at the next change.
func (l *live) snapshot() (Turn, <-chan struct{}) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	t := Turn{
		Session: l.id, Status: Working, News: slices.Clone(l.news), Admitted: l.admitted,
		Refused: slices.Clone(l.refused),
	}
	var asked *protocol.Call
	if l.caller != nil {
		asked = l.caller.asked()
	}
	switch {
	case l.ended:
		t.rest(l.state)
		if l.err != nil {
			t.Status, t.Next = Paused, "the session stopped: "+clip(l.err.Error())+"; call wait to continue"
		}
	case asked != nil:
		t.ask(l.state)
		t.Status, t.Prompt = YourTurn, asked.Prompt.System+"\n\n"+asked.Prompt.Text
		for _, m := range asked.Ask.Moves {
			t.Moves = append(t.Moves, string(m))
		}
		t.Next = "call reply with your moves as JSON objects, or with the text"
	case len(l.questions) > 0:
		t.Status = NeedsUser
		t.Next = "only the user can continue it, in moot attach " + l.id + "; tell them, then call wait"
		t.ask(l.state)
	default:
		t.ask(l.state)
		t.Next = "call wait"
	}
	return t, l.changed
}

// clearNews removes the lines that a call has returned, and resets the counts.
func (l *live) clearNews(t *Turn) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.news = l.news[min(len(t.News), len(l.news)):]
	l.admitted, l.refused = 0, nil
}

// now returns the state of the session.
func (l *live) now() *state.State {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.state
}

// asked describes who is asked for what.
func (l *live) asked() []string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return slices.Sorted(maps.Values(l.asking))
}

// form returns requests that put the questions for the user to the person at the agent, or nil if the agent's program
// can't, or the person doesn't want to answer them.
func (l *live) form(session *mcp.ServerSession) mcp.InputRequestMap {
	params := session.InitializeParams()
	if params == nil || params.Capabilities == nil || params.Capabilities.Elicitation == nil {
		return nil
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	forms := mcp.InputRequestMap{}
	for _, q := range l.state.Questions.All() {
		if q.Answered || l.declined[q.ID] {
			continue
		}
		answer := map[string]any{"type": "string", "title": "Your answer"}
		if len(q.Options) > 0 {
			answer["enum"] = q.Options
		}
		forms[q.ID] = &mcp.ElicitParams{
			Mode: "form", Message: "moot asks you: " + plain.Line(q.Text),
			RequestedSchema: map[string]any{
				"type": "object", "properties": map[string]any{"answer": answer}, "required": []string{"answer"},
			},
		}
	}
	return forms
}

// answered records what the person at the agent answered to a question.
func (l *live) answered(ctx context.Context, id string, response mcp.InputResponse) error {
	result, ok := response.(*mcp.ElicitResult)
	if !ok {
		return nil
	}
	answer, _ := result.Content["answer"].(string)
	if result.Action != "accept" || strings.TrimSpace(answer) == "" {
		l.update(func() { l.declined[id] = true })
		return nil
	}
	return l.runner.Override(ctx, protocol.AnswerQuestion{Question: id, Answer: answer})
}
