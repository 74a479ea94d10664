package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"moot/internal/plain"
	"moot/protocol"
	"moot/report"
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

// Turn is the answer to consult, review, reply and wait.
type Turn struct {
	Session string `json:"session"`
	Status  Status `json:"status"`
	// Decision is the first line of the result of a review that has ended.
	Decision string `json:"decision,omitempty"`
	// Next says what to do now.
	Next   string   `json:"next"`
	Prompt string   `json:"prompt,omitempty"`
	Moves  []string `json:"moves,omitempty"`
	// Admitted counts the caller's moves that were admitted since its last call, Refused are the others.
	Admitted int      `json:"admitted,omitempty"`
	Refused  []string `json:"refused,omitempty"`
	// News lists the events since the last call, Questions what only the user can answer.
	News      []string `json:"news,omitempty"`
	Questions []string `json:"questions,omitempty"`

	// news is how many lines News is about.
	news int
	// reviewed is a review that has ended, whose outcome goes beside the text, or nil.
	reviewed *state.State
}

type replyInput struct {
	Session string           `json:"session"`
	Moves   []map[string]any `json:"moves,omitempty" jsonschema:"your moves, as the prompt describes them"`
	Text    string           `json:"text,omitempty" jsonschema:"instead of moves: a move on each line"`
}

type waitInput struct {
	Session string `json:"session"`
	Seconds int    `json:"seconds,omitempty" jsonschema:"how long to wait at most (default 25)"`
}

type sessionInput struct {
	Session string `json:"session"`
}

type resultInput struct {
	Session string `json:"session"`
	As      string `json:"as,omitempty" jsonschema:"markdown (default) or json"`
}

type sessionsInput struct {
	Query string `json:"query,omitempty" jsonschema:"words that a session must have, in its question, claims, objections, answers, evidence or files"`
	Limit int    `json:"limit,omitempty" jsonschema:"how many at most, 1 to 100 (default 10)"`
}

type sessionsOutput struct {
	Sessions []Earlier `json:"sessions"`
	// More says that some did not fit.
	More bool `json:"more,omitempty"`
	// Partly says that not all sessions could be searched yet; the same call later searches more.
	Partly bool `json:"partly_searched,omitempty"`
}

// StatusOutput is the answer to status.
type StatusOutput struct {
	Session  string `json:"session"`
	Question string `json:"question"`
	Status   Status `json:"status"`
	// Stopped says in a line why the session paused or ended badly, Failure the same as data.
	Stopped string        `json:"stopped,omitempty"`
	Failure *view.Failure `json:"failure,omitempty"`
	Phase   string        `json:"phase,omitempty"`
	Round   int           `json:"round"`
	// Points counts the points by bucket. Challenges wait for an answer or a judgment.
	Points     map[string]int `json:"points"`
	Challenges []string       `json:"challenges"`
	// Asked says who is asked for what, Questions are those that only the user can answer.
	Asked     []string `json:"asked"`
	Questions []string `json:"questions"`
	Calls     int      `json:"calls"`
	Tokens    int      `json:"tokens"`
	// Cost is in US dollars, of the calls whose price is known.
	Cost float64 `json:"cost"`
	// Resource has everything.
	Resource string `json:"resource"`
}

const instructions = "moot lets you put a question to a second model and argue it claim by claim. Call consult " +
	"with the question; you judge the other side's claims with reply, and code rules on them. Call review to have a " +
	"change to the code reviewed by several models. Only what code rules agreed is settled. You are not the user: what only the user can decide waits for them in moot attach."

// needsInput is the error of a call that the client or the person has to give something for. The client repeats the
// call with it.
type needsInput struct {
	state string
	mcp.InputRequestMap
}

// Error implements error.
func (needsInput) Error() string { return "the call needs more input" }

// tool adds a tool. Tools that only read say so. An answer is a text: one that is no text yet is written as JSON. Only the
// outcome of a review is structured content besides, since many hosts show a model both, and some nothing but that.
func tool[In any](
	s *Server, name, title, about string, reads bool, tune func(*jsonschema.Schema),
	handle func(context.Context, *mcp.CallToolRequest, In) (any, error),
) {
	var input any // without one, the library derives it, and says what is wrong with the type
	if schema, err := jsonschema.For[In](nil); err == nil {
		if tune != nil {
			tune(schema)
		}
		input = schema
	}
	closed := false
	mcp.AddTool(s.mcp, &mcp.Tool{
		Name: name, Description: about, InputSchema: input,
		Annotations: &mcp.ToolAnnotations{Title: title, ReadOnlyHint: reads, DestructiveHint: &closed},
	}, func(ctx context.Context, req *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		out, err := handle(ctx, req, in)
		if ask, is := errors.AsType[needsInput](err); is {
			return &mcp.CallToolResult{InputRequests: ask.InputRequestMap, RequestState: ask.state}, nil, nil
		}
		if err != nil {
			return nil, nil, err
		}
		text, is := out.(string)
		if !is {
			text = compact(out)
		}
		result := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
		if t, is := out.(Turn); is && t.reviewed != nil {
			result.StructuredContent = structured(view.FormatOf(t.reviewed).Outcome(t.reviewed), sessionURI+t.Session+".json")
		}
		return result, nil, nil
	})
}

func (s *Server) tools() {
	words := func(field string, list ...string) func(*jsonschema.Schema) {
		return func(schema *jsonschema.Schema) {
			for _, word := range list {
				schema.Properties[field].Enum = append(schema.Properties[field].Enum, word)
			}
		}
	}
	within := func(field string, most float64) func(*jsonschema.Schema) {
		return func(schema *jsonschema.Schema) {
			least := 1.0
			schema.Properties[field].Minimum, schema.Properties[field].Maximum = &least, &most
		}
	}
	tool(s, "consult", "Consult another model", "Open a session on a question. You take the seat that judges, and "+
		"get the first prompt; another model answers. The answer has session, status and next, which says what to do: "+
		"your-turn: reply; working or paused: wait; needs-user: tell the user; finished: result.", false,
		words("role", "orchestrator", "observer"), s.consult)
	tool(s, "review", "Review a change", "Have a change in git reviewed by several who do not see each other's "+
		"findings. The answer is as of consult; when status is finished, it has the decision, and the findings as "+
		"structured content.", false, words("role", RoleObserver, RoleReviewer, RoleAuthor), s.review)
	tool(s, "reply", "Reply in a session", "Make your moves when the status is your-turn. Moves that the rules "+
		"refuse come back with the reason.", false, nil, s.reply)
	tool(s, "wait", "Wait for a session", "Wait until it is your turn, or something else is due. It also resumes "+
		"a paused session.", false, within("seconds", longestWait.Seconds()), s.wait)
	tool(s, "status", "Status of a session", "Round, points, open challenges, who is asked, and what it cost.", true,
		nil, s.status)
	tool(s, "result", "Result of a session", "The result, with the answer first.", true,
		words("as", string(report.FormMarkdown), string(report.FormJSON)), s.result)
	tool(s, "sessions", "List sessions", "Earlier sessions of this workspace, newest first, or those that have words, with the places.", true,
		within("limit", 100), s.list)
	tool(s, "cancel", "Pause a session", "Pause a session. Nothing is lost: wait resumes it.", false, nil, s.cancel)
}

func (s *Server) consult(ctx context.Context, req *mcp.CallToolRequest, in Question) (any, error) {
	err := known("role", in.Role, "orchestrator", "observer")
	if strings.TrimSpace(in.Text) == "" {
		err = errors.New("question is empty: put what is to be decided there")
	}
	if in.MaxCost < 0 {
		err = errors.Join(err, fmt.Errorf("max_cost is %g: it is 0 or more", in.MaxCost))
	}
	if err != nil {
		return nil, err
	}
	roots, workspace, err := s.folder(ctx, req, in.Workspace)
	if err != nil {
		return nil, err
	}
	in.Workspace, in.Roots = workspace, roots
	for i, name := range in.Context {
		glob, without := strings.CutPrefix(name, "!")
		if name, err = inside(roots, workspace, "context", glob); err != nil {
			return nil, err
		}
		if without {
			name = "!" + name
		}
		in.Context[i] = name
	}
	if in.Design != "" {
		if in.Design, err = inside(roots, workspace, "design", in.Design); err != nil {
			return nil, err
		}
	}
	caller := NewCaller(clientName(req.Session))
	if in.Role == "observer" {
		caller = nil
	}
	opened, err := s.sessions.Open(ctx, &in, caller)
	if err != nil {
		return nil, err
	}
	return s.begin(ctx, req, opened, caller)
}

func (s *Server) review(ctx context.Context, req *mcp.CallToolRequest, in Review) (any, error) {
	if err := known("role", in.Role, RoleObserver, RoleReviewer, RoleAuthor); err != nil {
		return nil, err
	}
	var err error
	if in.Roots, in.Workspace, err = s.folder(ctx, req, in.Workspace); err != nil {
		return nil, err
	}
	var caller *Caller
	if in.Role == RoleReviewer || in.Role == RoleAuthor {
		caller = NewCaller(clientName(req.Session))
	}
	opened, err := s.sessions.Review(ctx, &in, caller)
	if err != nil {
		return nil, err
	}
	return s.begin(ctx, req, opened, caller)
}

// folder returns the roots of a client, and the folder that it named, by default its first root.
func (s *Server) folder(
	ctx context.Context, req *mcp.CallToolRequest, name string,
) (roots []string, workspace string, err error) {
	if roots, err = s.place(ctx, req); err != nil {
		return nil, "", err
	}
	if name == "" {
		return roots, roots[0], nil
	}
	workspace, err = inside(roots, roots[0], "workspace", name)
	return roots, workspace, err
}

// begin runs a new session, and returns the first turn.
func (s *Server) begin(ctx context.Context, req *mcp.CallToolRequest, opened *Opened, caller *Caller) (any, error) {
	l, err := s.start(opened, caller)
	if err != nil {
		return nil, err
	}
	t, err := s.await(ctx, req, l, longestWait)
	t.Next += "; tell the user that they can watch and decide in their terminal: moot attach " + l.id
	return t, err
}

func (s *Server) reply(ctx context.Context, req *mcp.CallToolRequest, in replyInput) (any, error) {
	l, err := s.find(ctx, req, in.Session)
	if err != nil {
		return nil, err
	}
	text := in.Text
	switch {
	case len(in.Moves) > 0 && strings.TrimSpace(text) != "":
		return nil, errors.New("moves and text were both given: choose one")
	case len(in.Moves) == 0 && strings.TrimSpace(text) == "" && in.Moves == nil:
		return nil, errors.New("moves is missing: give your moves, or [] if you have nothing to say")
	case len(text) > longestReply:
		return nil, fmt.Errorf("text has %d bytes: %d are the most", len(text), longestReply)
	case in.Moves != nil:
		data, err := json.Marshal(map[string]any{"moves": in.Moves})
		if err != nil {
			return nil, fmt.Errorf("moves: %w", err)
		}
		if text = string(data); len(data) > longestReply {
			return nil, fmt.Errorf("moves have %d bytes: %d are the most", len(data), longestReply)
		}
	}
	if l.caller == nil {
		return nil, fmt.Errorf("you observe session %s, and others have all seats; call wait", l.id)
	}
	if t, _ := l.snapshot(); t.Status == Finished || t.Status == Paused {
		return nil, fmt.Errorf("session %s is %s and takes no reply; %s", l.id, t.Status, t.Next)
	}
	if err := l.caller.answer(text); err != nil {
		return nil, err
	}
	return s.await(ctx, req, l, longestWait)
}

// longestReply is the most that an agent may reply, in bytes.
const longestReply = 1 << 20

func (s *Server) wait(ctx context.Context, req *mcp.CallToolRequest, in waitInput) (any, error) {
	if in.Seconds < 0 || in.Seconds > int(longestWait/time.Second) {
		return nil, fmt.Errorf("seconds is %d: it is 1 to %d", in.Seconds, int(longestWait/time.Second))
	}
	l, err := s.find(ctx, req, in.Session)
	if err != nil {
		return nil, err
	}
	if t, _ := l.snapshot(); t.Status == Paused {
		if l, err = s.resume(req, l.id); err != nil {
			return nil, err
		}
	}
	// A client of the newest protocol can only be asked in an answer, and comes back when its user has answered. So
	// it is asked when nothing else is due.
	if t, _ := l.snapshot(); asksInAnswers(req.Session) && (t.Status == NeedsUser || t.Status == Finished) {
		if req.Params.RequestState == askedQuestions {
			for id, response := range req.Params.InputResponses {
				s.answered(l, id, response)
			}
		} else if forms := l.questionsFor(s.Trust); len(forms) > 0 {
			return nil, needsInput{askedQuestions, forms}
		}
	}
	return s.await(ctx, req, l, cmp.Or(time.Duration(in.Seconds)*time.Second, longestWait))
}

// resume runs a session again that was left. Of several calls that resume it at once, one does.
func (s *Server) resume(req *mcp.CallToolRequest, id string) (*live, error) {
	s.resuming.Lock()
	defer s.resuming.Unlock()
	if l := s.live(id); l != nil {
		if t, _ := l.snapshot(); t.Status != Paused {
			return l, nil
		}
		<-l.released
	}
	caller := NewCaller(clientName(req.Session))
	opened, err := s.sessions.Resume(id, caller)
	if err != nil {
		return nil, err
	}
	isCaller := func(a state.SeatAssignment) bool { return a.Participant == caller.Name() }
	if !slices.ContainsFunc(opened.State.Seats, isCaller) {
		caller = nil
	}
	return s.start(opened, caller)
}

// find returns the session of a call: one that this server runs or, of the client's folders, one that can be resumed.
func (s *Server) find(ctx context.Context, req *mcp.CallToolRequest, id string) (*live, error) {
	st, err := s.seen(ctx, req, id)
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
func (s *Server) seen(ctx context.Context, req *mcp.CallToolRequest, id string) (*state.State, error) {
	roots, err := s.place(ctx, req)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(id) == "" {
		return nil, errors.New("session is empty: give the ID that consult returned; the tool sessions lists " +
			"earlier ones")
	}
	l := s.live(id)
	if l != nil && !l.over() {
		return s.visible(roots, l.now())
	}
	// The user may have continued the session, or decided something after its end.
	st, err := s.sessions.Read(id)
	switch {
	case err == nil:
	case l != nil: // it was not stored
		st = l.now()
	default:
		return nil, unknownSession(id)
	}
	if st.ID != id {
		return nil, unknownSession(id)
	}
	return s.visible(roots, st)
}

// visible returns a session if its workspace is in the client's folders.
func (s *Server) visible(roots []string, st *state.State) (*state.State, error) {
	folder := st.Settings.Workspace
	if actual, err := filepath.EvalSymlinks(folder); err == nil {
		folder = actual
	}
	for _, root := range roots {
		if actual, err := filepath.EvalSymlinks(root); err == nil {
			root = actual
		}
		if below, err := filepath.Rel(root, folder); folder != "" && err == nil && filepath.IsLocal(below) {
			return st, nil
		}
	}
	return nil, unknownSession(st.ID)
}

// unknownSession is the error of a session that a client may not see. It doesn't say whether there is one.
func unknownSession(id string) error {
	return fmt.Errorf("there is no session %s in this workspace, or it is of another workspace; the tool sessions "+
		"lists "+
		"those of this one", plain.Clip(plain.Line(id), 60))
}

func (s *Server) status(ctx context.Context, req *mcp.CallToolRequest, in sessionInput) (any, error) {
	st, err := s.seen(ctx, req, in.Session)
	if err != nil {
		return nil, err
	}
	out := StatusOutput{
		Session: st.ID, Question: clip(st.Question), Resource: sessionURI + st.ID,
		Phase: string(st.Phase), Round: st.Round, Points: map[string]int{},
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
	out.Challenges = first(out.Challenges, longestNews, "read "+out.Resource)
	t := Turn{}
	if l := s.live(st.ID); l != nil && !l.over() {
		t, _ = l.snapshot()
		out.Asked = l.asked()
	} else {
		t.rest(st)
	}
	out.Status, out.Questions = t.Status, append(out.Questions, t.Questions...)
	if failure, stopped := view.StopOf(st); stopped != "" {
		failure.Text = clip(failure.Text)
		out.Failure, out.Stopped = &failure, clip(stopped)
	}
	return out, nil
}

func (s *Server) result(ctx context.Context, req *mcp.CallToolRequest, in resultInput) (any, error) {
	if err := known("as", in.As, string(report.FormMarkdown), string(report.FormJSON)); err != nil {
		return nil, err
	}
	st, err := s.seen(ctx, req, in.Session)
	if err != nil {
		return nil, err
	}
	form := cmp.Or(report.Form(in.As), report.FormMarkdown)
	text, err := s.sessions.Render(st, form)
	if err != nil {
		return nil, err
	}
	resource := sessionURI + st.ID
	if form == report.FormJSON {
		return cutJSON(text, resource+".json")
	}
	return cut(text, fmt.Sprintf("(This is the beginning of the result. The resource %s has all of it.)\n", resource)),
		nil
}

func (s *Server) list(ctx context.Context, req *mcp.CallToolRequest, in sessionsInput) (any, error) {
	if in.Limit < 0 || in.Limit > 100 {
		return nil, fmt.Errorf("limit is %d: it is 1 to 100", in.Limit)
	}
	roots, err := s.place(ctx, req)
	if err != nil {
		return nil, err
	}
	found, partly, err := s.sessions.List(ctx, roots[0], in.Query, cmp.Or(in.Limit, 10))
	out, room := sessionsOutput{Sessions: []Earlier{}, Partly: partly}, longestText
	for i := range found {
		found[i].Question = clip(found[i].Question)
		if room -= sizeInside(compact(found[i])); room < 0 {
			out.More = true
			break
		}
		out.Sessions = append(out.Sessions, found[i])
	}
	return out, err
}

func (s *Server) cancel(ctx context.Context, req *mcp.CallToolRequest, in sessionInput) (any, error) {
	st, err := s.seen(ctx, req, in.Session)
	if err != nil {
		return nil, err
	}
	l := s.live(st.ID)
	if l == nil {
		return nil, fmt.Errorf("session %s does not run here", st.ID)
	}
	l.runner.Leave(ctx)
	for {
		t, changed := l.snapshot()
		if t.Status == Paused || t.Status == Finished {
			l.delivered(&t)
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
	t.ask(s)
	switch {
	case !s.Closed:
		t.Status, t.Next = Paused, "call wait to continue"
	case len(t.Questions) > 0:
		t.Next = "call result; it was given with what is open, which the user can still decide: moot answer " + s.ID +
			" QUESTION TEXT"
	}
	if s.Closed && view.ListsFindings(s) {
		t.Decision, t.reviewed = plain.Clip(plain.Line(view.FormatOf(s).Decision(s)), longestDecision), s
	}
	if _, stopped := view.StopOf(s); stopped != "" {
		t.Next = clip(stopped) + "; " + t.Next
	}
}

// ask lists the questions for the user.
func (t *Turn) ask(s *state.State) {
	var open []string
	for _, q := range protocol.OpenToUser(s) {
		text := q.ID + ": " + q.Text
		if len(q.Options) > 0 {
			text += " (" + strings.Join(q.Options, " | ") + ")"
		}
		open = append(open, clip(text))
	}
	t.Questions = first(open, longestQuestion, "the user sees them in moot attach")
}

// clip is a text on one line, for an answer.
func clip(text string) string { return plain.Clip(plain.Line(text), 400) }
