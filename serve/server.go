package serve

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"moot/protocol"
	"moot/protocol/run"
	"moot/state"
	"moot/view"
)

// Question holds the input of the tool consult, and the question for Sessions with absolute paths.
type Question struct {
	Text      string   `json:"question" jsonschema:"what to decide, in the user's words"`
	Format    string   `json:"format,omitempty" jsonschema:"consult (default), dialectic, panel or council"`
	Framing   string   `json:"framing,omitempty" jsonschema:"how a consultation starts: propose (default), critique, position, compare"`
	Mode      string   `json:"mode,omitempty" jsonschema:"how much of the protocol runs: standard (default), quick, high-stakes"`
	Consultee string   `json:"consultee,omitempty" jsonschema:"who answers: a model as in openai:gpt-5.2, an agent program as in codex, or a name of the user's configuration; by default what the user configured"`
	Context   []string `json:"context,omitempty" jsonschema:"paths and globs in the workspace that both sides read"`
	Facts     []string `json:"facts,omitempty" jsonschema:"what you hold to be true; it counts as unverified until the user confirms it"`
	Design    string   `json:"design,omitempty" jsonschema:"the file of the design, for framing critique"`
	Workspace string   `json:"workspace,omitempty" jsonschema:"the folder to cite from, by default your first root"`
	Role      string   `json:"role,omitempty" jsonschema:"orchestrator (default): you take the seat that judges; observer: models take both seats"`
	MaxCost   float64  `json:"max_cost,omitempty" jsonschema:"a cap on the cost in US dollars"`
}

// Earlier is a session as the tool sessions lists it.
type Earlier struct {
	ID       string `json:"session"`
	Question string `json:"question"`
	Format   string `json:"format"`
	State    string `json:"state" jsonschema:"running, waiting, paused, finished, inconclusive or cut off"`
	Updated  string `json:"updated"`
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
	// Resume opens an earlier session that isn't finished.
	Resume(id string, caller *Caller) (*Opened, error)
	// Read returns an earlier session, Render the result of a session as Markdown or JSON.
	Read(id string) (*state.State, error)
	Render(s *state.State, asJSON bool) (string, error)
	// List returns the sessions in a folder whose question has a text, newest first.
	List(workspace, query string, limit int) ([]Earlier, error)
}

// Server serves sessions to coding agents. It may serve several clients.
type Server struct {
	sessions Sessions
	// folder is the workspace of clients without roots.
	folder string
	mcp    *mcp.Server
	// ctx ends when the server stops.
	ctx     context.Context //nolint:containedctx // sessions outlive the calls that open them
	stop    context.CancelFunc
	running sync.WaitGroup

	mutex sync.Mutex
	lives map[string]*live
	// roots are the folders of clients that declare any.
	roots map[*mcp.ServerSession][]string
}

// New returns a server for the sessions of a folder.
func New(sessions Sessions, folder, version string) *Server {
	s := &Server{
		sessions: sessions, folder: folder, lives: map[string]*live{},
		roots: map[*mcp.ServerSession][]string{},
	}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "moot", Title: "moot", Version: version}, &mcp.ServerOptions{
		Instructions: instructions, Capabilities: &mcp.ServerCapabilities{},
	})
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
		declined: map[string]bool{}, asking: map[state.Seat]string{},
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

// place returns the folders of a client: its roots, or the server's folder. The first is its workspace. If the client
// has to be asked for its roots, the error is needsInput.
//
//nolint:staticcheck // roots are deprecated, and hosts declare them
func (s *Server) place(req *mcp.CallToolRequest) (roots []string, err error) {
	s.mutex.Lock()
	roots = s.roots[req.Session]
	s.mutex.Unlock()
	if len(roots) > 0 {
		return roots, nil
	}
	params := req.Session.InitializeParams()
	if params == nil || params.Capabilities == nil || params.Capabilities.RootsV2 == nil {
		return []string{s.folder}, nil
	}
	const key = "roots"
	response, answered := req.Params.InputResponses[key]
	if !answered {
		return nil, needsInput{mcp.InputRequestMap{key: &mcp.ListRootsParams{}}}
	}
	if list, ok := response.(*mcp.ListRootsResult); ok {
		for _, root := range list.Roots {
			if name, err := folderOf(root.URI); err == nil {
				roots = append(roots, name)
			}
		}
		if len(list.Roots) > 0 && len(roots) == 0 {
			return nil, errors.New("none of your roots is a file:// folder on this machine")
		}
	}
	if len(roots) == 0 {
		roots = []string{s.folder}
	}
	s.mutex.Lock()
	s.roots[req.Session] = roots
	s.mutex.Unlock()
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
	longestWait = 50 * time.Second
	shortWait   = 40 * time.Second
	progressGap = 10 * time.Second
)

// await returns the turn when it is not at work anymore, or when the time is up.
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
			l.clearNews(&t)
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
			l.clearNews(&t)
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
