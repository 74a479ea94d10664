package serve

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"moot/protocol"
	"moot/protocol/run"
	"moot/report"
	"moot/state"
	"moot/view"
)

// Question holds the input of the tool consult, and the question for Sessions with absolute paths.
type Question struct {
	Text      string   `json:"question" jsonschema:"what to decide, in the user's words"`
	Format    string   `json:"format,omitempty" jsonschema:"consult (default), dialectic, panel or council"`
	Framing   string   `json:"framing,omitempty" jsonschema:"how a consultation starts: propose (default), critique, position, compare"`
	Mode      string   `json:"mode,omitempty" jsonschema:"how much of the protocol runs: standard (default), quick, high-stakes"`
	Consultee string   `json:"consultee,omitempty" jsonschema:"who answers: a model as in openai:MODEL, an agent program as in codex, or a name of the user's configuration; by default what the user configured"`
	Context   []string `json:"context,omitempty" jsonschema:"paths and globs in the workspace that both sides read"`
	Facts     []string `json:"facts,omitempty" jsonschema:"what you hold to be true; it counts as unverified until the user confirms it"`
	Design    string   `json:"design,omitempty" jsonschema:"the file of the design, for framing critique"`
	Workspace string   `json:"workspace,omitempty" jsonschema:"the folder to cite from, by default your first root"`
	Role      string   `json:"role,omitempty" jsonschema:"orchestrator (default): you take the seat that judges; observer: models take both seats"`
	MaxCost   float64  `json:"max_cost,omitempty" jsonschema:"a cap on the cost in US dollars"`

	// Roots are the folders of the client. No file outside of them is read for the agent.
	Roots []string `json:"-"`
}

// Review holds the input of the tool review, and the change for Sessions with an absolute folder.
type Review struct {
	Range     string   `json:"range,omitempty" jsonschema:"a commit, a branch (what HEAD has since it parted from it), or a range as in A..B; by default what is not pushed, with the working tree"`
	Gate      string   `json:"gate,omitempty" jsonschema:"the lowest severity that counts: blocking, high (default), medium, low"`
	Reviewers []string `json:"reviewers,omitempty" jsonschema:"2 to 5 participants, you included; by default those that the user configured"`
	Role      string   `json:"role,omitempty" jsonschema:"observer (default): you watch; reviewer: you take a seat; author: you answer the findings on your change"`
	Workspace string   `json:"workspace,omitempty" jsonschema:"a folder in the repository, by default your first root"`

	// Roots are the folders of the client, as in Question.
	Roots []string `json:"-"`
}

// The roles of an agent in a review.
const (
	RoleObserver = "observer"
	RoleReviewer = "reviewer"
	RoleAuthor   = "author"
)

// Earlier is a session as the tool sessions lists it.
type Earlier struct {
	ID       string `json:"session"`
	Question string `json:"question"`
	Format   string `json:"format"`
	State    string `json:"state" jsonschema:"running, waiting, paused, finished, inconclusive, ended early or cut off"`
	Updated  string `json:"updated"`
	// Places are the best of those that have the words of the query, as moot show --at takes them.
	Places []EarlierPlace `json:"places,omitempty"`
}

// EarlierPlace is a place in a session that has the words of a query, or some of them if the rest is elsewhere in it.
type EarlierPlace struct {
	ID   string `json:"id,omitempty"`
	Kind string `json:"kind"`
	Text string `json:"text"`
}

// Opened is a session that can run.
type Opened struct {
	State *state.State
	// Notes are lines for the agent, such as which participant was chosen.
	Notes []string
	// Runner prepares the loop, Close releases the session after it.
	Runner func(watch func(protocol.Notice)) (*run.Session, error)
	Close  func()
}

// Sessions opens and reads the sessions of the user.
type Sessions interface {
	// Open opens a new session. The caller takes the seat that judges; nil is an observer.
	Open(ctx context.Context, q *Question, caller *Caller) (*Opened, error)
	// Review opens a review of a change. The caller takes the seat of its role; nil is an observer.
	Review(ctx context.Context, q *Review, caller *Caller) (*Opened, error)
	// Resume opens an earlier session that isn't finished.
	Resume(id string, caller *Caller) (*Opened, error)
	// Read returns an earlier session, Render the result of a session as Markdown or JSON.
	Read(id string) (*state.State, error)
	Render(s *state.State, form report.Form) (string, error)
	// Decide records a decision of the user in a session that nothing runs, and returns the session after it.
	Decide(id string, move protocol.UserMove) (*state.State, error)
	// List returns the sessions in a folder, newest first, or those with the words of a query, best first. partly says
	// that some sessions could not be searched yet.
	List(ctx context.Context, workspace, query string, limit int) (found []Earlier, partly bool, err error)
}

// Options configure a Server.
type Options struct {
	// Folder is the workspace of clients without roots, and of all clients if the user Named it.
	Folder string
	Named  bool
	// Trust puts every question to the person at the agent, also approvals.
	Trust   bool
	Version string
}

// Server serves sessions to coding agents. It may serve several clients.
type Server struct {
	Options
	sessions Sessions
	mcp      *mcp.Server
	// ctx ends when the server stops.
	ctx     context.Context //nolint:containedctx // sessions outlive the calls that open them
	stop    context.CancelFunc
	running sync.WaitGroup
	// resuming is held while a session is resumed.
	resuming sync.Mutex

	mutex sync.Mutex
	lives map[string]*live
	// clients are those that have called.
	clients map[*mcp.ServerSession]*client
}

// client is a connection, with what is known of the program at its other end.
type client struct {
	// ask starts the request for its roots, answer takes the first answer, and asked is closed then.
	ask, answer sync.Once
	asked       chan struct{}
	roots       []string
	err         error
	// silent is set if the program was asked to put a question to its user, and failed to.
	silent atomic.Bool
}

// New returns a server.
func New(sessions Sessions, o Options) *Server {
	s := &Server{
		Options: o, sessions: sessions, lives: map[string]*live{}, clients: map[*mcp.ServerSession]*client{},
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "moot", Title: "moot", Version: o.Version}, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{},
		//nolint:staticcheck // roots are deprecated, and hosts declare them
		RootsListChangedHandler: func(_ context.Context, req *mcp.RootsListChangedRequest) {
			s.mutex.Lock()
			defer s.mutex.Unlock()
			delete(s.clients, req.Session)
		},
	})
	s.mcp.AddReceivingMiddleware(bounded)
	s.tools()
	s.resources()
	s.prompts()
	return s
}

// MCP returns the server of the protocol, to connect to transports.
func (s *Server) MCP() *mcp.Server { return s.mcp }

// Close leaves all sessions. They can be resumed.
func (s *Server) Close() {
	s.mutex.Lock()
	lives := make([]*live, 0, len(s.lives))
	for _, l := range s.lives {
		lives = append(lives, l)
	}
	s.mutex.Unlock()
	for _, l := range lives {
		l.runner.Leave(s.ctx)
	}
	s.stop()
	s.running.Wait()
}

// start runs a session.
func (s *Server) start(o *Opened, caller *Caller) (*live, error) {
	l := &live{
		id: o.State.ID, workspace: o.State.Settings.Workspace, caller: caller, changed: make(chan struct{}),
		state: o.State, transcript: view.NewTranscript(o.State), news: slices.Clone(o.Notes),
		put: map[string]bool{}, asking: map[state.Seat]string{}, released: make(chan struct{}),
	}
	if caller != nil {
		caller.changed = func() { l.update(func() {}) }
	}
	runner, err := o.Runner(l.watch)
	if err != nil {
		o.Close()
		return nil, err
	}
	l.runner = runner
	s.mutex.Lock()
	s.lives[l.id] = l
	s.mutex.Unlock()
	s.running.Go(func() {
		err := runner.Run(s.ctx)
		o.Close()
		close(l.released)
		if errors.Is(err, protocol.ErrStopped) {
			err = nil
		}
		l.update(func() { l.ended, l.err = true, err })
	})
	return l, nil
}

// live returns a session that runs here, or ran here.
func (s *Server) live(id string) *live {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.lives[id]
}

// client returns what is known of the program at the other end of a connection.
func (s *Server) client(session *mcp.ServerSession) *client {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	c := s.clients[session]
	if c == nil {
		open := slices.Collect(s.mcp.Sessions())
		maps.DeleteFunc(s.clients, func(other *mcp.ServerSession,
			_ *client,
		) bool {
			return !slices.Contains(open, other)
		})
		c = &client{asked: make(chan struct{})}
		s.clients[session] = c
	}
	return c
}

const (
	// rootsTime is how long a client may take to list its roots. Some declare that they have some, and never answer.
	rootsTime = 3 * time.Second
	// byInputRequests is the first version of the protocol in which a server asks in its answer to a call. The client
	// answers by repeating the call.
	byInputRequests = "2026-07-28"
	// askedRoots and askedQuestions tell such a call what it answers.
	askedRoots, askedQuestions = "roots", "questions"
)

// place returns the folders of a client: those that it declares as roots, or the server's folder. The first is its
// workspace. A client that doesn't list its roots in time, or can't, has none.
//
//nolint:staticcheck // roots are deprecated, and hosts declare them
func (s *Server) place(ctx context.Context, req *mcp.CallToolRequest) ([]string, error) {
	params := req.Session.InitializeParams()
	if s.Named || params == nil || params.Capabilities == nil || params.Capabilities.RootsV2 == nil {
		return s.allowed(nil)
	}
	c := s.client(req.Session)
	answer := func(list *mcp.ListRootsResult) {
		c.answer.Do(func() {
			if list != nil {
				c.roots, c.err = folders(list.Roots)
			}
			close(c.asked)
		})
	}
	switch {
	case params.ProtocolVersion < byInputRequests:
		// This call may be cancelled, and others wait for the same answer.
		c.ask.Do(func() {
			s.running.Go(func() {
				asking, cancel := context.WithTimeout(s.ctx, rootsTime)
				defer cancel()
				list, _ := req.Session.ListRoots(asking, nil)
				answer(list)
			})
		})
	case req.Params.RequestState == askedRoots:
		list, _ := req.Params.InputResponses[askedRoots].(*mcp.ListRootsResult)
		answer(list)
	default:
		select {
		case <-c.asked:
		default:
			return nil, needsInput{askedRoots, mcp.InputRequestMap{askedRoots: &mcp.ListRootsParams{}}}
		}
	}
	select {
	case <-c.asked:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c.err != nil {
		return nil, c.err
	}
	return s.allowed(c.roots)
}

// folders returns the folders of roots.
//
//nolint:staticcheck // roots are deprecated, and hosts declare them
func folders(roots []*mcp.Root) (found []string, err error) {
	for _, root := range roots {
		if root == nil {
			continue
		}
		if name, err := folderOf(root.URI); err == nil {
			found = append(found, name)
		}
	}
	if len(roots) > 0 && len(found) == 0 {
		return nil, errors.New("none of your roots is a file:// folder on this machine")
	}
	return found, nil
}

// allowed returns the roots of a client, by default the server's folder. It refuses folders that hold more than a
// project: sessions would search all of them.
func (s *Server) allowed(roots []string) ([]string, error) {
	if len(roots) == 0 {
		roots = []string{s.Folder}
	}
	home, err := os.UserHomeDir()
	if actual, linked := filepath.EvalSymlinks(home); linked == nil {
		home = actual
	}
	for _, root := range roots {
		above, why := "", error(nil)
		if err == nil {
			above, why = filepath.Rel(root, home)
		}
		if filepath.Dir(root) == root || err == nil && why == nil && filepath.IsLocal(above) {
			if s.Named {
				continue
			}
			return nil, fmt.Errorf("%s is no workspace: it holds a home folder or the whole machine; start the agent "+
				"in "+
				"the folder of a project, or have the user set it: moot mcp --workspace DIR", root)
		}
	}
	return roots, nil
}

// folderOf returns the folder of a root.
func folderOf(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return "", fmt.Errorf("the root %q is not a file:// folder", uri)
	}
	name := u.Path
	if runtime.GOOS == "windows" {
		name = strings.TrimPrefix(name, "/")
	}
	return filepath.EvalSymlinks(filepath.FromSlash(name))
}

// inside returns a path or glob of an agent as an absolute one. It refuses what lies outside of the roots, also by a
// link.
func inside(roots []string, workspace, field, name string) (string, error) {
	full := filepath.FromSlash(name)
	if !filepath.IsAbs(full) {
		full = filepath.Join(workspace, full)
	}
	full = filepath.Clean(full)
	// A glob is judged by the folder that it is in.
	place := full
	if cut := strings.IndexAny(full, "*?[{"); cut >= 0 {
		place = filepath.Dir(full[:cut] + "x")
	}
	for {
		found, err := filepath.EvalSymlinks(place)
		if err == nil {
			place = found
			break
		}
		if filepath.Dir(place) == place {
			break
		}
		place = filepath.Dir(place)
	}
	for _, root := range roots {
		if actual, err := filepath.EvalSymlinks(root); err == nil {
			root = actual
		}
		if below, err := filepath.Rel(root, place); err == nil && filepath.IsLocal(below) {
			return full, nil
		}
	}
	return "", fmt.Errorf("%s: %s is outside of your roots (%s); name something inside", field, name,
		strings.Join(roots, ", "))
}

// clientName returns the name of the agent's program.
func clientName(session *mcp.ServerSession) string {
	if params := session.InitializeParams(); params != nil && params.ClientInfo != nil {
		return params.ClientInfo.Name
	}
	return ""
}

// The longest times of a call. Hosts end silent calls after 300 s or earlier.
const (
	longestWait = 25 * time.Second
	progressGap = 10 * time.Second
)

// await returns the turn when it is not at work anymore, or when the time is up. The open questions are put to the
// person at the agent; no call waits for that.
func (s *Server) await(
	ctx context.Context, req *mcp.CallToolRequest, l *live, longest time.Duration,
) (Turn, error) {
	deadline := time.NewTimer(longest)
	defer deadline.Stop()
	tick := time.NewTicker(progressGap)
	defer tick.Stop()
	token, sent := req.Params.GetProgressToken(), 0.0
	for {
		t, changed := l.snapshot()
		if t.Status != Working {
			l.delivered(&t)
			if s.askPerson(req.Session, l); t.Status == Finished && len(t.Questions) > 0 && asksInAnswers(req.Session) {
				t.Next += "; call wait to ask them now"
			}
			return t, nil
		}
		select {
		case <-changed:
		case <-tick.C:
			if token != nil {
				sent++
				at := "round " + strconv.Itoa(l.now().Round)
				if asked := l.asked(); len(asked) > 0 {
					at += ": asked " + strings.Join(asked, ", ")
				}
				_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
					ProgressToken: token, Progress: sent, Message: at,
				})
			}
		case <-deadline.C:
			l.delivered(&t)
			s.askPerson(req.Session, l)
			return t, nil
		case <-ctx.Done():
			return t, fmt.Errorf("the call was cancelled; session %s continues: call wait, or cancel to pause it",
				l.id)
		}
	}
}

// known reports whether a value is one of a closed set, with an error that names the field.
func known(field, value string, list ...string) error {
	if value == "" || slices.Contains(list, value) {
		return nil
	}
	return fmt.Errorf("%s is %q; it is one of: %s", field, value, strings.Join(list, ", "))
}
