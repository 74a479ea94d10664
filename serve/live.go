package serve

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

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
	// questions wait for the user; put are those that were put to the person at the agent.
	questions []string
	put       map[string]bool
	// prompted is the call whose prompt is shown, part the part of it that is due.
	prompted *protocol.Call
	part     int
	// asking names the seats that are being asked.
	asking map[state.Seat]string
	// ended is set when the run is over, with its error. Then the session's file is released.
	ended    bool
	err      error
	released chan struct{}
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
		Session: l.id, Status: Working, News: newest(l.news, longestNews), news: len(l.news), Admitted: l.admitted,
		Refused: first(l.refused, longestRefused, "make fewer moves at once"),
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
		return t, l.changed
	case asked != nil:
		if l.prompted != asked {
			l.prompted, l.part = asked, 0
		}
		parts := split(asked.Prompt.System + "\n\n" + asked.Prompt.Text)
		at := l.part % len(parts)
		t.Status, t.Prompt = YourTurn, parts[at]
		for _, m := range asked.Ask.Moves {
			t.Moves = append(t.Moves, string(m))
		}
		t.Next = "call reply with your moves as JSON objects, or with the text"
		if at < len(parts)-1 {
			t.Next = fmt.Sprintf("this is part %d of %d of the prompt: call wait for the next one before you reply",
				at+1, len(parts))
		}
	case len(l.questions) > 0:
		t.Status = NeedsUser
		t.Next = "only the user can continue it, in moot attach " + l.id + "; tell them, then call wait"
	default:
		t.Next = "call wait"
	}
	t.ask(l.state)
	return t, l.changed
}

// delivered removes what a call has returned: lines, counts, and the part of the prompt.
func (l *live) delivered(t *Turn) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.news = l.news[min(t.news, len(l.news)):]
	l.admitted, l.refused = 0, nil
	if t.Prompt != "" {
		l.part++
	}
}

// over reports whether the session runs no longer here, and its file is released.
func (l *live) over() bool {
	select {
	case <-l.released:
		return true
	default:
		return false
	}
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

// questionsFor returns the open questions that may be put to the person at the agent, and were not yet. An approval
// isn't, unless the user trusts the client: it would let a program act for the user.
func (l *live) questionsFor(trusted bool) mcp.InputRequestMap {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	forms := mcp.InputRequestMap{}
	for _, q := range protocol.OpenToUser(l.state) {
		if l.put[q.ID] || q.Kind == state.QuestionApproval && !trusted {
			continue
		}
		l.put[q.ID] = true
		answer := map[string]any{"type": "string", "title": "Your answer"}
		if len(q.Options) > 0 {
			shown := make([]string, len(q.Options))
			for i, option := range q.Options {
				shown[i] = plain.Line(option)
			}
			answer["enum"] = shown
		}
		message := "moot asks you: " + plain.Clip(plain.Line(q.Text), 2000)
		for _, about := range protocol.QuestionInfoOf(l.state, q).About {
			if about.Lines { // A patch is approved by those who saw all of it.
				message += "\n" + strings.Join(about.Printed(), "\n")
			}
		}
		forms[q.ID] = &mcp.ElicitParams{
			Mode: "form", Message: message,
			RequestedSchema: map[string]any{
				"type": "object", "properties": map[string]any{"answer": answer}, "required": []string{"answer"},
			},
		}
	}
	return forms
}

// elicitTime is how long the person at the agent may take to answer a question. Until then, and afterwards, they can
// answer it in their own terminal.
const elicitTime = 5 * time.Minute

// canElicit reports whether the agent's program says that it can put questions to its user.
func canElicit(session *mcp.ServerSession) bool {
	params := session.InitializeParams()
	return params != nil && params.Capabilities != nil && params.Capabilities.Elicitation != nil
}

// asksInAnswers reports whether such a program can only be asked in an answer to a call.
func asksInAnswers(session *mcp.ServerSession) bool {
	return canElicit(session) && session.InitializeParams().ProtocolVersion >= byInputRequests
}

// askPerson puts the open questions of a session to the person at the agent, while its calls continue. A program that
// doesn't answer is treated as one that can't. In the newest protocol only an answer to a call can ask, see wait.
func (s *Server) askPerson(session *mcp.ServerSession, l *live) {
	c := s.client(session)
	if !canElicit(session) || asksInAnswers(session) || c.silent.Load() {
		return
	}
	forms := l.questionsFor(s.Trust)
	if len(forms) == 0 {
		return
	}
	s.running.Go(func() {
		for _, id := range slices.Sorted(maps.Keys(forms)) {
			if c.silent.Load() {
				return
			}
			ctx, cancel := context.WithTimeout(s.ctx, elicitTime)
			form, _ := forms[id].(*mcp.ElicitParams)
			result, err := session.Elicit(ctx, form)
			cancel()
			if err != nil {
				c.silent.Store(true)
				return
			}
			s.answered(l, id, result)
		}
	})
}

// answered records what the person at the agent answered to a question.
func (s *Server) answered(l *live, id string, response mcp.InputResponse) {
	result, ok := response.(*mcp.ElicitResult)
	if !ok || result == nil || result.Action != "accept" {
		return
	}
	answer, _ := result.Content["answer"].(string)
	if q := l.now().QuestionByID(id); q != nil {
		for _, option := range q.Options {
			if plain.Line(option) == answer {
				answer = option
			}
		}
	}
	channel := state.ChannelElicitation
	if s.Trust {
		channel = state.ChannelTrusted
	}
	move := protocol.Through{Channel: channel, Move: protocol.AnswerQuestion{Question: id, Answer: answer}}
	err := l.runner.Override(s.ctx, move)
	if errors.Is(err, run.ErrOver) {
		// The session has ended. What the user decides now is taken in all the same.
		<-l.released
		var now *state.State
		if now, err = s.sessions.Decide(l.id, move); err == nil {
			l.update(func() { l.state = now })
		}
	}
	if err != nil {
		l.update(func() { l.add("the answer to " + id + " was refused: " + err.Error()) })
	}
}
