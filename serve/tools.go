package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"moot/internal/plain"
	"moot/resolver"
	"moot/state"
	"moot/view"
)

// Status says what a session waits for.
type Status string

// The statuses.
const (
	YourTurn  Status = "your-turn"
	Working   Status = "working"
	NeedsUser Status = "needs-user"
	Paused    Status = "paused"
	Finished  Status = "finished"
)

// Turn is the answer to consult, reply and wait.
type Turn struct {
	Session   string   `json:"session" jsonschema:"the ID of the session, for the other tools"`
	Status    Status   `json:"status" jsonschema:"your-turn: call reply; working: call wait; needs-user: only the user can continue it; paused: call wait to resume; finished: call result"`
	Next      string   `json:"next" jsonschema:"what to do now"`
	Prompt    string   `json:"prompt,omitempty" jsonschema:"what you are asked, if it is your turn"`
	Moves     []string `json:"moves,omitempty" jsonschema:"the moves that you may make now"`
	Admitted  int      `json:"admitted,omitempty" jsonschema:"how many of your moves were admitted since your last call"`
	Refused   []string `json:"refused,omitempty" jsonschema:"moves of yours that were refused, and why"`
	News      []string `json:"news,omitempty" jsonschema:"what happened since your last call"`
	Questions []string `json:"questions,omitempty" jsonschema:"questions that only the user can answer"`
}

type replyInput struct {
	Session string           `json:"session"`
	Moves   []map[string]any `json:"moves,omitempty" jsonschema:"your moves, as the prompt describes them"`
	Text    string           `json:"text,omitempty" jsonschema:"instead of moves: a move on each line"`
}

type waitInput struct {
	Session string `json:"session"`
	Seconds int    `json:"seconds,omitempty" jsonschema:"how long to wait at most, 1 to 50 (default 50)"`
}

type sessionInput struct {
	Session string `json:"session"`
}

type resultInput struct {
	Session string `json:"session"`
	As      string `json:"as,omitempty" jsonschema:"markdown (default) or json"`
}

type sessionsInput struct {
	Query string `json:"query,omitempty" jsonschema:"a text in the question"`
	Limit int    `json:"limit,omitempty" jsonschema:"how many at most, 1 to 100 (default 10)"`
}

type sessionsOutput struct {
	Sessions []Earlier `json:"sessions"`
}

// StatusOutput is the answer to status.
type StatusOutput struct {
	Session    string         `json:"session"`
	Question   string         `json:"question"`
	Status     Status         `json:"status"`
	Stopped    string         `json:"stopped,omitempty" jsonschema:"why it paused or ended badly, in a line"`
	Failure    *view.Failure  `json:"failure,omitempty" jsonschema:"the same as data"`
	Phase      string         `json:"phase,omitempty"`
	Round      int            `json:"round"`
	Points     map[string]int `json:"points" jsonschema:"how many points are agreed, dismissed, unresolved or open"`
	Challenges []string       `json:"challenges" jsonschema:"challenges that wait for an answer or a judgment"`
	Asked      []string       `json:"asked" jsonschema:"who is asked for what"`
	Questions  []string       `json:"questions" jsonschema:"questions that only the user can answer"`
	Calls      int            `json:"calls"`
	Tokens     int            `json:"tokens"`
	Cost       float64        `json:"cost" jsonschema:"in US dollars, of the calls whose price is known"`
}

const instructions = "moot lets you put a question to a second model and argue it claim by claim. Call consult " +
	"with the question; you judge the other side's claims with reply, and code rules on them. Only what code " +
	"rules agreed is settled. You are not the user: what only the user can decide waits for them in moot attach."

// needsInput is the error of a call that the client or the person has to give something for. The client repeats the
// call with it.
type needsInput struct{ mcp.InputRequestMap }

// Error implements error.
func (needsInput) Error() string { return "the call needs more input" }

// tool adds a tool. Tools that only read say so. An output that is a text is the whole answer.
func tool[In, Out any](
	s *Server, name, title, about string, reads bool,
	handle func(context.Context, *mcp.CallToolRequest, In) (Out, error),
) {
	closed := false
	mcp.AddTool(s.mcp, &mcp.Tool{
		Name: name, Title: title, Description: about,
		Annotations: &mcp.ToolAnnotations{Title: title, ReadOnlyHint: reads, DestructiveHint: &closed},
	}, func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, Out, error) {
		out, err := handle(ctx, req, in)
		if ask, is := errors.AsType[needsInput](err); is {
			return &mcp.CallToolResult{InputRequests: ask.InputRequestMap}, out, nil
		}
		if text, is := any(out).(string); is && err == nil {
			var none Out
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, none, nil
		}
		return nil, out, err
	})
}

func (s *Server) tools() {
	tool(s, "consult", "Consult another model", "Open a session on a question. You take the seat that judges, and "+
		"get the first prompt; another model answers. Returns within a minute: with status working, call "+
		"wait.", false, s.consult)
	tool(s, "reply", "Reply in a session", "Make your moves when the status is your-turn. They are admitted by "+
		"the same rules as everybody's; refused moves come back with the reason.", false, s.reply)
	tool(s, "wait", "Wait for a session", "Wait until it is your turn, or something else is due. It also resumes "+
		"a paused session.", false, s.wait)
	tool(s, "status", "Status of a session", "Round, points, open challenges, who is asked, and what it cost.", true,
		s.status)
	tool(s, "result", "Result of a session", "The result, with the answer first.", true, s.result)
	tool(s, "sessions", "List sessions", "Earlier sessions of this workspace, newest first.", true, s.list)
	tool(s, "cancel", "Pause a session", "Pause a session. Nothing is lost: wait resumes it.", false, s.cancel)
}

func (s *Server) consult(ctx context.Context, req *mcp.CallToolRequest, in Question) (Turn, error) {
	err := known("role", in.Role, "orchestrator", "observer")
	if strings.TrimSpace(in.Text) == "" {
		err = errors.New("question is empty: put what is to be decided there")
	}
	if in.MaxCost < 0 {
		err = errors.Join(err, fmt.Errorf("max_cost is %g: it is 0 or more", in.MaxCost))
	}
	if err != nil {
		return Turn{}, err
	}
	roots, err := s.place(req)
	if err != nil {
		return Turn{}, err
	}
	workspace := roots[0]
	if in.Workspace != "" {
		if workspace, err = inside(roots, roots[0], "workspace", in.Workspace); err != nil {
			return Turn{}, err
		}
	}
	in.Workspace = workspace
	for i, name := range in.Context {
		glob, without := strings.CutPrefix(name, "!")
		if name, err = inside(roots, workspace, "context", glob); err != nil {
			return Turn{}, err
		}
		if without {
			name = "!" + name
		}
		in.Context[i] = name
	}
	if in.Design != "" {
		if in.Design, err = inside(roots, workspace, "design", in.Design); err != nil {
			return Turn{}, err
		}
	}
	caller := NewCaller(clientName(req.Session))
	if in.Role == "observer" {
		caller = nil
	}
	opened, err := s.sessions.Open(ctx, &in, caller)
	if err != nil {
		return Turn{}, err
	}
	l, err := s.start(opened, caller)
	if err != nil {
		return Turn{}, err
	}
	return s.await(ctx, req, l, shortWait)
}

func (s *Server) reply(ctx context.Context, req *mcp.CallToolRequest, in replyInput) (Turn, error) {
	l, err := s.find(req, in.Session)
	if err != nil {
		return Turn{}, err
	}
	text := in.Text
	switch {
	case len(in.Moves) > 0 && strings.TrimSpace(text) != "":
		return Turn{}, errors.New("moves and text were both given: choose one")
	case len(in.Moves) == 0 && strings.TrimSpace(text) == "" && in.Moves == nil:
		return Turn{}, errors.New("moves is missing: give your moves, or [] if you have nothing to say")
	case len(text) > longestReply:
		return Turn{}, fmt.Errorf("text has %d bytes: %d are the most", len(text), longestReply)
	case in.Moves != nil:
		data, err := json.Marshal(map[string]any{"moves": in.Moves})
		if err != nil {
			return Turn{}, fmt.Errorf("moves: %w", err)
		}
		if text = string(data); len(data) > longestReply {
			return Turn{}, fmt.Errorf("moves have %d bytes: %d are the most", len(data), longestReply)
		}
	}
	if l.caller == nil {
		return Turn{}, fmt.Errorf("you observe session %s: models take both seats; call wait", l.id)
	}
	if t, _ := l.snapshot(); t.Status == Finished || t.Status == Paused {
		return Turn{}, fmt.Errorf("session %s is %s and takes no reply; %s", l.id, t.Status, t.Next)
	}
	if err := l.caller.answer(text); err != nil {
		return Turn{}, err
	}
	return s.await(ctx, req, l, shortWait)
}

// longestReply is the most that an agent may reply, in bytes.
const longestReply = 1 << 20

func (s *Server) wait(ctx context.Context, req *mcp.CallToolRequest, in waitInput) (Turn, error) {
	if in.Seconds < 0 || in.Seconds > int(longestWait/time.Second) {
		return Turn{}, fmt.Errorf("seconds is %d: it is 1 to %d", in.Seconds, int(longestWait/time.Second))
	}
	l, err := s.find(req, in.Session)
	if err != nil {
		return Turn{}, err
	}
	if t, _ := l.snapshot(); t.Status == Paused {
		if l, err = s.resume(req, l.id); err != nil {
			return Turn{}, err
		}
	}
	for id, response := range req.Params.InputResponses {
		if err := l.answered(ctx, id, response); err != nil {
			return Turn{}, err
		}
	}
	longest := cmp.Or(time.Duration(in.Seconds)*time.Second, longestWait)
	t, err := s.await(ctx, req, l, longest)
	if len(t.Questions) > 0 && err == nil && len(req.Params.InputResponses) == 0 {
		if form := l.form(req.Session); len(form) > 0 {
			return Turn{}, needsInput{form}
		}
	}
	return t, err
}

// resume runs a session again that was left.
func (s *Server) resume(req *mcp.CallToolRequest, id string) (*live, error) {
	caller := NewCaller(clientName(req.Session))
	opened, err := s.sessions.Resume(id, caller)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(opened.State.Seats, func(a state.SeatAssignment) bool { return a.Participant == caller.Name() }) {
		caller = nil
	}
	return s.start(opened, caller)
}

// find returns the session of a call: one that this server runs or, of the client's folders, one that can be resumed.
func (s *Server) find(req *mcp.CallToolRequest, id string) (*live, error) {
	st, err := s.seen(req, id)
	if err != nil {
		return nil, err
	}
	if l := s.live(st.ID); l != nil {
		return l, nil
	}
	if st.Closed {
		return nil, fmt.Errorf("session %s is finished; call result", st.ID)
	}
	return s.resume(req, st.ID)
}

// seen returns the state of a session of the client's folders.
func (s *Server) seen(req *mcp.CallToolRequest, id string) (*state.State, error) {
	roots, err := s.place(req)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(id) == "" {
		return nil, errors.New("session is empty: give the ID that consult returned; the tool sessions lists " +
			"earlier ones")
	}
	if l := s.live(id); l != nil {
		now := l.now()
		return s.visible(roots, now)
	}
	st, err := s.sessions.Read(id)
	if err != nil {
		return nil, fmt.Errorf("session: %w", err)
	}
	return s.visible(roots, st)
}

// visible returns a session if its workspace is in the client's folders.
func (s *Server) visible(roots []string, st *state.State) (*state.State, error) {
	if _, err := inside(roots, roots[0], "session", cmp.Or(st.Settings.Workspace, s.folder)); err != nil {
		return nil, fmt.Errorf("session %s is of another workspace", st.ID)
	}
	return st, nil
}

func (s *Server) status(_ context.Context, req *mcp.CallToolRequest, in sessionInput) (StatusOutput, error) {
	st, err := s.seen(req, in.Session)
	if err != nil {
		return StatusOutput{}, err
	}
	out := StatusOutput{
		Session: st.ID, Question: st.Question, Phase: string(st.Phase), Round: st.Round, Points: map[string]int{},
		Challenges: []string{}, Asked: []string{}, Questions: []string{},
		Calls: st.Usage.Calls, Tokens: st.Usage.PromptTokens + st.Usage.CompletionTokens, Cost: st.Usage.Cost,
	}
	for _, r := range resolver.Rule(st) {
		out.Points[string(r.Bucket)]++
	}
	for _, c := range st.Challenges.All() {
		if !c.Settled() {
			out.Challenges = append(out.Challenges,
				clip(fmt.Sprintf("%s on %s by %s: %s", c.ID, c.Point, c.By, c.Objection)))
		}
	}
	t := Turn{Status: Paused}
	if l := s.live(st.ID); l != nil {
		t, _ = l.snapshot()
		out.Asked = l.asked()
	} else {
		t.rest(st)
	}
	out.Status, out.Questions = t.Status, append(out.Questions, t.Questions...)
	if failure, stopped := view.StopOf(st); stopped != "" {
		out.Failure, out.Stopped = &failure, stopped
	}
	return out, nil
}

func (s *Server) result(_ context.Context, req *mcp.CallToolRequest, in resultInput) (any, error) {
	if err := known("as", in.As, "markdown", "json"); err != nil {
		return nil, err
	}
	st, err := s.seen(req, in.Session)
	if err != nil {
		return nil, err
	}
	return s.sessions.Render(st, in.As == "json")
}

func (s *Server) list(_ context.Context, req *mcp.CallToolRequest, in sessionsInput) (sessionsOutput, error) {
	if in.Limit < 0 || in.Limit > 100 {
		return sessionsOutput{}, fmt.Errorf("limit is %d: it is 1 to 100", in.Limit)
	}
	roots, err := s.place(req)
	if err != nil {
		return sessionsOutput{}, err
	}
	found, err := s.sessions.List(roots[0], in.Query, cmp.Or(in.Limit, 10))
	return sessionsOutput{Sessions: append([]Earlier{}, found...)}, err
}

func (s *Server) cancel(ctx context.Context, req *mcp.CallToolRequest, in sessionInput) (Turn, error) {
	st, err := s.seen(req, in.Session)
	if err != nil {
		return Turn{}, err
	}
	l := s.live(st.ID)
	if l == nil {
		return Turn{}, fmt.Errorf("session %s does not run here", st.ID)
	}
	l.runner.Leave(ctx)
	for {
		t, changed := l.snapshot()
		if t.Status == Paused || t.Status == Finished {
			l.clearNews(&t)
			return t, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return t, ctx.Err()
		}
	}
}

// rest sets the status of a session that does not run.
func (t *Turn) rest(s *state.State) {
	t.Session, t.Status, t.Next = s.ID, Finished, "call result"
	if !s.Closed {
		t.Status, t.Next = Paused, "call wait to continue"
		t.ask(s)
	}
	if _, stopped := view.StopOf(s); stopped != "" {
		t.Next = clip(stopped) + "; " + t.Next
	}
}

// ask lists the questions for the user.
func (t *Turn) ask(s *state.State) {
	for _, q := range s.Questions.All() {
		text := q.ID + ": " + q.Text
		if len(q.Options) > 0 {
			text += " (" + strings.Join(q.Options, " | ") + ")"
		}
		if !q.Answered {
			t.Questions = append(t.Questions, clip(text))
		}
	}
}

// clip is a text on one line, for an answer.
func clip(text string) string { return plain.Clip(plain.Line(text), 400) }
