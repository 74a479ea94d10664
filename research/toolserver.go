package research

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"moot/config"
	"moot/internal/plain"
	"moot/internal/process"
	"moot/ledger"
)

// toolServer is one MCP server. It starts with the first call, and again after it failed.
type toolServer struct {
	config.ToolServer

	tools *Tools
	// free holds a token that guards live and starts. It is a channel so that waiting for it ends with a context.
	free   chan struct{}
	live   *toolConn
	starts int
	closed bool

	// mutex guards seen, the digest of each tool's definition as it was listed first in this session, and trusted, the
	// tools that were called read-only then.
	mutex   sync.Mutex
	seen    map[string]string
	trusted []string
}

// toolConn is a connection to a server.
type toolConn struct {
	session *mcp.ClientSession
	process *process.Process
	// alive ends with the connection, and its cause says why.
	alive context.Context //nolint:containedctx // it is the life of the connection
	fail  context.CancelCauseFunc
}

// toolList holds the tools that a server lists.
type toolList struct {
	tools  map[string]*listedTool
	hidden int
}

// listedTool is a tool of which the name is a plain word.
type listedTool struct {
	digest    string
	arguments []string
	readOnly  bool
}

// protocolVersion is the one that all servers speak: later ones are stateless, and let servers cache their lists.
const protocolVersion = "2025-11-25"

// connect returns a connection that works, with the tools that the server lists now. It starts the server if needed.
func (s *toolServer) connect(ctx context.Context) (*toolConn, *toolList, error) {
	select {
	case <-s.free:
	case <-ctx.Done():
		return nil, nil, fmt.Errorf("the tool server %s was still starting", s.Name)
	}
	defer func() { s.free <- struct{}{} }()
	ctx, cancel := context.WithTimeout(ctx, ToolStartTime)
	defer cancel()
	if s.live != nil && s.live.alive.Err() != nil {
		s.live = nil
	}
	if s.live == nil {
		if err := s.start(ctx); err != nil {
			return nil, nil, fmt.Errorf("the tool server %s does not start: %w", s.Name, err)
		}
	}
	conn := s.live
	list, err := s.list(ctx, conn)
	if err != nil {
		s.end(conn, err)
		return nil, nil, fmt.Errorf("the tool server %s does not list its tools: %w", s.Name, err)
	}
	return conn, list, nil
}

// start connects to the server. The caller holds the token.
func (s *toolServer) start(ctx context.Context) (err error) {
	depth, _ := strconv.Atoi(s.variable(DepthVariable))
	switch {
	case s.closed:
		return errors.New("the session has ended")
	case depth > 0:
		return fmt.Errorf("this moot runs below a tool server itself (%s=%d)", DepthVariable, depth)
	case s.starts == mostStarts:
		return fmt.Errorf("it failed %d times in this session", mostStarts)
	}
	s.starts++
	conn := &toolConn{}
	conn.alive, conn.fail = context.WithCancelCause(context.Background())
	defer func() {
		if err != nil {
			s.end(conn, err)
		}
	}()
	var transport mcp.Transport
	if s.URL != "" {
		transport = s.remote(conn)
	} else {
		path := s.Command[0]
		if filepath.Base(path) != path && !filepath.IsAbs(path) {
			path = filepath.Join(s.tools.options.Folder, path)
		}
		const unlimited = time.Duration(math.MaxInt64) // Calls have deadlines.
		conn.process, err = s.tools.runner.Start(ctx, process.Spec{
			Path: path, Args: s.Command[1:], Dir: s.tools.options.Folder, Env: s.environment(depth),
			Limits: process.Limits{
				Total: unlimited, Silence: unlimited, TermWait: 500 * time.Millisecond,
				MaxLineBytes: maxResult, MaxOutputBytes: math.MaxInt,
			},
		})
		if err != nil {
			return err
		}
		transport = newPipe(conn)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "moot", Version: s.tools.options.Version}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{}, MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
		Logger: slog.New(slog.DiscardHandler),
	})
	client.AddReceivingMiddleware(refuseRequests)
	conn.session, err = client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: protocolVersion})
	if err != nil {
		return s.why(ctx, conn, err)
	}
	if info := conn.session.InitializeResult().ServerInfo; info != nil && strings.EqualFold(info.Name, "moot") {
		return errors.New("it is moot, which is not its own worker")
	}
	s.live = conn
	return nil
}

// refuseRequests answers what servers ask for: no sampling, no elicitation, no roots.
func refuseRequests(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
		if method != "ping" && !strings.HasPrefix(method, "notifications/") {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: method + " is not supported"}
		}
		return next(ctx, method, request)
	}
}

// environment returns the variables of the server's program: those that the user named, and one that keeps moot from
// calling itself.
func (s *toolServer) environment(depth int) []string {
	env := []string{DepthVariable + "=" + strconv.Itoa(depth+1)}
	for _, entry := range s.tools.options.Environ {
		if name, _, found := strings.Cut(entry, "="); found && slices.Contains(s.Env, name) {
			env = append(env, entry)
		}
	}
	return env
}

// variable returns a variable of moot's environment.
func (s *toolServer) variable(name string) string {
	for _, entry := range s.tools.options.Environ {
		if value, found := strings.CutPrefix(entry, name+"="); found {
			return value
		}
	}
	return ""
}

// list reads the list of tools to its end, and keeps the first definition of each.
func (s *toolServer) list(ctx context.Context, conn *toolConn) (*toolList, error) {
	ctx, stop := conn.within(ctx)
	defer stop()
	found := &toolList{tools: map[string]*listedTool{}}
	names := map[string]int{}
	params := &mcp.ListToolsParams{}
	for page := 0; ; page++ {
		result, err := conn.session.ListTools(ctx, params)
		if err != nil {
			return nil, s.why(ctx, conn, err)
		}
		for _, tool := range result.Tools {
			if names[tool.Name]++; names[tool.Name] > 1 || !config.IsToolName(tool.Name) {
				continue
			}
			definition, err := json.Marshal(tool)
			if err != nil {
				continue
			}
			found.tools[tool.Name] = &listedTool{
				digest: ledger.Digest(definition), arguments: argumentsOf(tool.InputSchema),
				readOnly: tool.Annotations != nil && tool.Annotations.ReadOnlyHint,
			}
		}
		if len(names) > maxTools || page == maxToolPages {
			return nil, fmt.Errorf("its list has over %d tools or %d pages", maxTools, maxToolPages)
		}
		if result.NextCursor == "" || result.NextCursor == params.Cursor {
			break
		}
		params.Cursor = result.NextCursor
	}
	for name, times := range names {
		if times > 1 {
			delete(found.tools, name) // It is unclear which of them a call would reach.
		}
	}
	found.hidden = len(names) - len(found.tools)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for name, tool := range found.tools {
		if s.seen[name] != "" {
			continue
		}
		if s.seen[name] = tool.digest; tool.readOnly {
			s.trusted = append(s.trusted, name)
		}
	}
	slices.Sort(s.trusted)
	return found, nil
}

// readOnly returns the tools that the server called read-only when they were listed first.
func (s *toolServer) readOnly() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return slices.Clone(s.trusted)
}

// argumentName is the name of an argument that prompts show.
var argumentName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,29}$`)

// argumentsOf names the arguments of a tool, those that it needs first: "file", "line?".
func argumentsOf(schema any) []string {
	object, _ := schema.(map[string]any)
	properties, _ := object["properties"].(map[string]any)
	required, _ := object["required"].([]any)
	var names, optional []string
	more := false
	for name := range properties {
		switch {
		case !argumentName.MatchString(name):
			more = true
		case slices.Contains(required, any(name)):
			names = append(names, name)
		default:
			optional = append(optional, name+"?")
		}
	}
	slices.Sort(names)
	slices.Sort(optional)
	names = append(names, optional...)
	if more || len(names) > maxArguments {
		names = append(names[:min(len(names), maxArguments)], "…")
	}
	return names
}

// call calls a tool, if the server still describes it as it did first: the user approved the tool, not another one of
// its name.
func (s *toolServer) call(ctx context.Context, c toolCall) (*mcp.CallToolResult, error) {
	if ctx.Err() != nil {
		return nil, errors.New("the check was ended before the tool was called")
	}
	conn, list, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	tool := list.tools[c.tool]
	s.mutex.Lock()
	first := s.seen[c.tool]
	s.mutex.Unlock()
	switch {
	case tool == nil && first != "":
		return nil, fmt.Errorf("the tool server %s does not list %s anymore, or lists it twice; it was not called", s.Name, c.tool)
	case tool == nil:
		return nil, fmt.Errorf("the tool server %s lists no tool %s; it was not called", s.Name, c.tool)
	case tool.digest != first:
		return nil, fmt.Errorf("the tool server %s describes %s in another way than at first; it was not called", s.Name, c.tool)
	}
	limited, stop := conn.within(ctx)
	defer stop()
	result, err := conn.session.CallTool(limited, &mcp.CallToolParams{Name: c.tool, Arguments: c.arguments})
	if err == nil {
		return result, nil
	}
	why := s.why(limited, conn, err)
	if limited.Err() != nil || errors.Is(err, mcp.ErrConnectionClosed) {
		// It may still work on the call: what comes now is not read anymore.
		s.end(conn, why)
	}
	return nil, fmt.Errorf("the tool %s of %s gave no answer: %w", c.tool, s.Name, why)
}

// within returns a context that ends with the connection, too.
func (c *toolConn) within(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.alive, func() { cancel(context.Cause(c.alive)) })
	return ctx, func() { stop(); cancel(nil) }
}

// why says why a request failed, in plain words without secrets. The connection knows it better than the library.
func (s *toolServer) why(ctx context.Context, conn *toolConn, err error) error {
	var text string
	refused := &jsonrpc.Error{}
	address := &url.Error{}
	switch cause := cmp.Or(context.Cause(ctx), context.Cause(conn.alive)); {
	case errors.Is(cause, context.DeadlineExceeded):
		text = "it took too long"
	case errors.Is(cause, context.Canceled):
		text = "it was canceled"
	case cause != nil && !errors.Is(cause, io.EOF): // The library closes what it cannot read.
		text = cause.Error()
	case errors.As(err, &address): // Its own text has the address, which may hold a key.
		text = address.Err.Error()
	case errors.As(err, &refused) && refused.Error() != "rejected by transport":
		text = "the server refuses it: " + refused.Message
	default:
		text = err.Error()
	}
	if conn.process != nil {
		lines := strings.Split(strings.TrimSpace(conn.process.Result().Stderr), "\n")
		if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
			text += "; its last message: " + last
		}
	}
	if s.URL != "" {
		text = strings.ReplaceAll(text, s.URL, "its address")
	}
	if text = s.hide(text); s.tools.options.Redactor != nil {
		text, _ = s.tools.options.Redactor.Text(text)
	}
	return errors.New(plain.Clip(plain.Line(text), 300))
}

// hide removes the values of the variables that the server got, which it may print, from a text. Those that commands
// get as well are no secrets.
func (s *toolServer) hide(text string) string {
	harmless := environmentNames()
	for _, name := range s.Env {
		const shortest = 6
		if value := s.variable(name); len(value) >= shortest && !harmless(name) {
			text = strings.ReplaceAll(text, value, "[REDACTED: "+name+"]")
		}
	}
	return text
}

// end ends a connection and its process in the background; Close waits for it.
func (s *toolServer) end(conn *toolConn, why error) {
	if conn.alive.Err() == nil {
		conn.fail(why)
	}
	s.tools.closing.Go(func() {
		if conn.session != nil {
			_ = conn.session.Close() // It has failed already.
		}
		if conn.process != nil {
			_ = conn.process.Close() // It always returns nil.
		}
	})
}

// close ends the server.
func (s *toolServer) close() {
	<-s.free
	if s.closed = true; s.live != nil {
		s.end(s.live, errors.New("the session has ended"))
	}
	s.free <- struct{}{}
}

// pipe carries the messages of a program: one a line, on its standard input and output.
type pipe struct {
	conn     *toolConn
	messages chan jsonrpc.Message
	// began is closed when output is read, done when there is no more.
	began, done chan struct{}
	close       sync.Once
	mutex       sync.Mutex
	// unread counts the bytes since the last request, and noise the lines that are no messages.
	unread, noise int
}

// newPipe reads the output of the connection's program.
func newPipe(conn *toolConn) *pipe {
	p := &pipe{
		conn: conn, messages: make(chan jsonrpc.Message, 16), began: make(chan struct{}), done: make(chan struct{}),
	}
	go func() {
		defer close(p.done)
		// The empty prompt is not nil, which would close standard input.
		err := conn.process.Turn(conn.alive, []byte{}, p.take, p)
		conn.fail(err)
	}()
	<-p.began
	return p
}

// Limits of a program between two requests.
const (
	maxUnread = 2 * maxResult
	maxNoise  = 1000
)

// take reads a line. Programs print what is no message by mistake: some of it is skipped.
func (p *pipe) take(line []byte) (done bool, err error) {
	p.mutex.Lock()
	p.unread += len(line) + 1
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		p.noise++
	}
	unread, noise := p.unread, p.noise
	p.mutex.Unlock()
	switch {
	case unread > maxUnread:
		return false, fmt.Errorf("it wrote over %d MiB since the last request, and was stopped", maxUnread>>20)
	case noise > maxNoise:
		return false, fmt.Errorf("it wrote over %d lines that are no messages of the protocol, and was stopped", maxNoise)
	case err != nil:
		return false, nil //nolint:nilerr // it is skipped
	}
	select {
	case p.messages <- message:
	case <-p.conn.alive.Done():
	}
	return false, nil
}

// Connect implements mcp.Transport.
func (p *pipe) Connect(context.Context) (mcp.Connection, error) { return p, nil }

// Read implements mcp.Connection.
func (p *pipe) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case message := <-p.messages:
		return message, nil
	default:
	}
	select {
	case message := <-p.messages:
		return message, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.done:
	}
	select {
	case message := <-p.messages: // It came with the end.
		return message, nil
	default:
		return nil, io.EOF
	}
}

// Write implements mcp.Connection.
func (p *pipe) Write(_ context.Context, message jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	if p.conn.alive.Err() != nil {
		return context.Cause(p.conn.alive)
	}
	if request, is := message.(*jsonrpc.Request); is && request.IsCall() {
		p.mutex.Lock()
		p.unread, p.noise = 0, 0
		p.mutex.Unlock()
	}
	p.conn.process.Write(append(data, '\n'))
	return nil
}

// Close implements mcp.Connection. The process is ended by toolServer.end.
func (p *pipe) Close() error {
	p.close.Do(func() { p.conn.fail(io.EOF) })
	return nil
}

// SessionID implements mcp.Connection.
func (*pipe) SessionID() string { return "" }

// Stdin implements process.Trace: reading has begun.
func (p *pipe) Stdin([]byte) { close(p.began) }

// Stdout, Stderr and End implement process.Trace.
func (*pipe) Stdout([]byte)    {}
func (*pipe) Stderr([]byte)    {}
func (*pipe) End(*int, string) {}

// remote connects over HTTP. It follows no redirects, which would send the arguments elsewhere.
func (s *toolServer) remote(conn *toolConn) mcp.Transport {
	transport := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // it is one
	transport.DisableKeepAlives = true
	return &mcp.StreamableClientTransport{
		Endpoint: s.URL, MaxRetries: -1, DisableStandaloneSSE: true, MaxEventSize: maxResult,
		HTTPClient: &http.Client{
			Transport: &boundedTransport{next: transport, conn: conn},
			CheckRedirect: func(*http.Request, []*http.Request) error {
				return errors.New("it redirects to another address")
			},
		},
	}
}

// boundedTransport bounds each answer. The library reads them whole, and may wait for the end of one that broke.
type boundedTransport struct {
	next http.RoundTripper
	conn *toolConn
}

// RoundTrip implements http.RoundTripper.
func (b *boundedTransport) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := b.next.RoundTrip(request)
	if err == nil {
		response.Body = &boundedBody{ReadCloser: response.Body, conn: b.conn, left: maxResult, ctx: request.Context()}
	}
	return response, err
}

type boundedBody struct {
	io.ReadCloser

	conn *toolConn
	left int
	ctx  context.Context //nolint:containedctx // that of the request, which a body outlives
}

// Read implements io.Reader.
func (b *boundedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= n; b.left < 0 {
		err = fmt.Errorf("its answer has over %d MiB", maxResult>>20)
		b.conn.fail(err)
		return 0, err
	}
	if err != nil && !errors.Is(err, io.EOF) && b.ctx.Err() == nil {
		b.conn.fail(errors.New("its answer broke off"))
	}
	return n, err
}
