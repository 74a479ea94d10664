package cli_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"moot/protocol"
	agents "moot/serve"
)

// agentDesk is moot mcp with a client on it.
type agentDesk struct {
	*desk
	t       testing.TB
	session *mcp.ClientSession
	left    chan int
}

// newAgent starts moot mcp with a client that has these options.
func newAgent(t testing.TB, options *mcp.ClientOptions) *agentDesk {
	t.Helper()
	d := newDesk(t)
	write(t, filepath.Join(d.Dir, "limit.go"), []byte("package limit\n\nconst limit = 8\n"))
	write(t, filepath.Join(d.Dir, "consultee.txt"), []byte("--- propose\n1. The limit is 8 [EVIDENCE] limit.go:3 \"const limit = 8\"\n--- answer\nDEFEND C1: the constant is used everywhere\n"))
	return d.agent(t, options)
}

// agent starts moot mcp with a client.
//
//nolint:staticcheck // roots are deprecated, and hosts declare them
func (d *desk) agent(t testing.TB, options *mcp.ClientOptions, roots ...*mcp.Root) *agentDesk {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	d.In, d.Out = toServer, fromServer
	a := &agentDesk{desk: d, t: t, left: make(chan int, 1)}
	go func() {
		a.left <- d.run("mcp", "--allow-participant", "script:/**")
		_ = fromServer.Close()
	}()
	client := mcp.NewClient(&mcp.Implementation{Name: "Test Agent", Version: "1"}, options)
	client.AddRoots(roots...)
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a.session = session
	t.Cleanup(func() { a.end() })
	return a
}

// end closes the connection, and returns the exit code of moot mcp.
func (a *agentDesk) end() int {
	if a.session == nil {
		return 0
	}
	_ = a.session.Close()
	a.session = nil
	return <-a.left
}

// call calls a tool, and returns the text of its answer and whether that is an error.
func (a *agentDesk) call(name string, args map[string]any) (string, bool) {
	a.t.Helper()
	result, err := a.session.CallTool(a.t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		return err.Error(), true
	}
	text := ""
	for _, c := range result.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			text += c.Text
		}
	}
	return text, result.IsError
}

// turn calls a tool that returns a turn.
func (a *agentDesk) turn(name string, args map[string]any) agents.Turn {
	a.t.Helper()
	text, failed := a.call(name, args)
	var turn agents.Turn
	if err := json.Unmarshal([]byte(text), &turn); failed || err != nil {
		a.t.Fatalf("%s: %v\n%s\n%s", name, err, text, a.err.String())
	}
	for turn.Status == agents.Working {
		turn = a.turn("wait", map[string]any{"session": turn.Session})
	}
	return turn
}

// consult opens a session, and returns the first turn.
func (a *agentDesk) consult(more map[string]any) agents.Turn {
	a.t.Helper()
	args := map[string]any{"question": "What is the limit?", "consultee": "script:" + filepath.Join(a.Dir, "consultee.txt")}
	for k, v := range more {
		args[k] = v
	}
	return a.turn("consult", args)
}

// TestAgentConsults takes an agent through a session: it looks, is refused a move, challenges, judges and gets the result.
func TestAgentConsults(t *testing.T) {
	a := newAgent(t, nil)
	turn := a.consult(map[string]any{"facts": []string{"the limit is small"}})
	reply := func(moves ...map[string]any) {
		t.Helper()
		if turn.Status != agents.YourTurn || turn.Prompt == "" || len(turn.Moves) == 0 {
			t.Fatalf("%+v", turn)
		}
		turn = a.turn("reply", map[string]any{"session": turn.Session, "moves": append([]map[string]any{}, moves...)})
	}
	said := ""
	for range 20 {
		if turn.Status != agents.YourTurn {
			break
		}
		said += strings.Join(turn.Refused, "\n") + strings.Join(turn.News, "\n")
		switch {
		case strings.Contains(turn.Prompt, "To classify") && !strings.Contains(turn.Prompt, "limit.go, lines"):
			reply(map[string]any{"move": "CLASSIFY", "point": "P9", "class": "AGREE", "reason": "so it is"},
				map[string]any{"move": "CLASSIFY", "point": "P1", "class": "AGREE", "reason": "the line says so"})
		default:
			reply()
		}
	}
	if turn.Status != agents.Finished {
		t.Fatalf("%+v\n%s", turn, said)
	}
	if !strings.Contains(said, "there is no P9") && !strings.Contains(said, "P9") {
		t.Errorf("the refused move is not told: %s", said)
	}
	text, failed := a.call("result", map[string]any{"session": turn.Session})
	if failed || !strings.Contains(text, "The limit is 8") {
		t.Errorf("result: %s", text)
	}
	for query, want := range map[string]string{
		"LIMIT":     `"places":[{`,
		"is 8":      `{"id":"P1","kind":"claim","text":"The limit is 8`,
		"limit.go":  `"kind":"quote"`,
		"unrelated": `{"sessions":[]}`,
	} {
		text, failed = a.call("sessions", map[string]any{"query": query})
		if failed || !strings.Contains(text, want) {
			t.Errorf("sessions with %q: %s", query, text)
		}
	}
	if text, failed = a.call("sessions", map[string]any{"query": "…"}); !failed || !strings.Contains(text, "query has no letter") {
		t.Errorf("sessions with nothing to search: %s", text)
	}
	text, failed = a.call("status", map[string]any{"session": turn.Session})
	if failed || !strings.Contains(text, `"status":"finished"`) {
		t.Errorf("status: %s", text)
	}
	resource, err := a.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "moot://sessions/" + turn.Session + ".json"})
	if err != nil || !strings.Contains(resource.Contents[0].Text, `"schema": "moot`) {
		t.Errorf("resource: %v", err)
	}
	if prompt, err := a.session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "consult", Arguments: map[string]string{"question": "Why?"}}); err != nil || len(prompt.Messages) != 1 {
		t.Errorf("prompt: %v", err)
	}
	if code := a.end(); code != int(protocol.ExitConcluded) {
		t.Errorf("exit code %d: %s", code, a.err.String())
	}
	if s := verified(t)[0]; s.Facts.Len() == 0 || s.Fact("F1").Label() == "user" {
		t.Errorf("the agent's fact is %q", s.Fact("F1").Label())
	}
}

// TestAgentMistakes makes the mistakes of agents. Each error names the field that is wrong, and the server continues.
func TestAgentMistakes(t *testing.T) {
	a := newAgent(t, nil)
	outside := filepath.Join(t.TempDir(), "outside.txt")
	write(t, outside, []byte("x\n"))
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(a.Dir, "link")); err != nil {
		t.Fatal(err)
	}
	ok := map[string]any{"question": "Why?", "consultee": "script:" + filepath.Join(a.Dir, "consultee.txt")}
	with := func(more map[string]any) map[string]any {
		args := map[string]any{}
		for _, m := range []map[string]any{ok, more} {
			for k, v := range m {
				args[k] = v
			}
		}
		return args
	}
	for _, c := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"nosuch", nil, "nosuch"},
		{"consult", map[string]any{}, "question"},
		{"consult", map[string]any{"question": 1}, "question"},
		{"consult", map[string]any{"question": "x", "unknown": 1}, "unknown"},
		{"consult", with(map[string]any{"question": "  "}), "question is empty"},
		{"consult", with(map[string]any{"role": "user"}), "role"},
		{"consult", with(map[string]any{"format": "chat"}), "format"},
		{"consult", with(map[string]any{"framing": "sing"}), "framing"},
		{"consult", with(map[string]any{"max_cost": -1}), "max_cost"},
		{"consult", with(map[string]any{"consultee": "me"}), "consultee: me is the user"},
		{"consult", with(map[string]any{"consultee": "exec:/bin/sh"}), "--allow-participant"},
		{"consult", with(map[string]any{"workspace": filepath.Dir(outside)}), "workspace: " + filepath.Dir(outside) + " is outside of your roots"},
		{"consult", with(map[string]any{"context": []string{outside}}), "context: " + outside + " is outside of your roots"},
		{"consult", with(map[string]any{"context": []string{"../*"}}), "outside of your roots"},
		{"consult", with(map[string]any{"context": []string{"link/*.txt"}}), "outside of your roots"},
		{"consult", with(map[string]any{"framing": "critique", "design": outside}), "design: " + outside + " is outside"},
		{"reply", map[string]any{"session": "20260101-000000-aaaa", "moves": []any{}}, "no session"},
		{"reply", map[string]any{"session": ""}, "session is empty"},
		{"wait", map[string]any{"session": "x", "seconds": 1000}, "seconds"},
		{"result", map[string]any{"session": "x", "as": "pdf"}, "properties/as"},
		{"sessions", map[string]any{"limit": 1000}, "limit"},
		{"cancel", map[string]any{"session": "../x"}, "session"},
	} {
		if text, failed := a.call(c.tool, c.args); !failed || !strings.Contains(text, c.want) {
			t.Errorf("%s %v: %s", c.tool, c.args, text)
		}
	}
	// Nothing of this opened a session; a file that is named in a question is not read.
	turn := a.consult(map[string]any{"question": "@" + outside})
	if strings.Contains(turn.Prompt, "outside.txt\nx") {
		t.Error("the file was read")
	}
	if all := a.storedSessions(); len(all) != 1 {
		t.Errorf("sessions: %v", all)
	}
}

func (a *agentDesk) storedSessions() []string {
	a.t.Helper()
	files, err := filepath.Glob(filepath.Join(os.Getenv("MOOT_STATE_DIR"), "sessions", "*.jsonl"))
	if err != nil {
		a.t.Fatal(err)
	}
	return files
}

// TestAgentRepliesOnce sends two replies at once and one after the end: one of each pair is refused.
func TestAgentRepliesOnce(t *testing.T) {
	a := newAgent(t, nil)
	turn := a.consult(nil)
	answers := make(chan bool, 2)
	for range 2 {
		go func() {
			_, failed := a.call("reply", map[string]any{"session": turn.Session, "moves": []any{}})
			answers <- failed
		}()
	}
	if first, second := <-answers, <-answers; first && second {
		t.Error("both were refused")
	}
	for turn = a.turn("wait", map[string]any{"session": turn.Session}); turn.Status == agents.YourTurn; {
		turn = a.turn("reply", map[string]any{"session": turn.Session, "text": "I have nothing to say"})
	}
	if text, failed := a.call("reply", map[string]any{"session": turn.Session, "moves": []any{}}); !failed || !strings.Contains(text, "takes no reply") && !strings.Contains(text, "finished") {
		t.Errorf("after the end: %s", text)
	}
}

// TestAgentLeaves closes the connection in the middle of a call, and continues in another server.
func TestAgentLeaves(t *testing.T) {
	a := newAgent(t, nil)
	turn, session := a.consult(nil), a.session
	waits := make(chan error, 1)
	go func() {
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "wait", Arguments: map[string]any{"session": turn.Session}})
		waits <- err
	}()
	if code := a.end(); code != int(protocol.ExitConcluded) {
		t.Errorf("exit code %d: %s", code, a.err.String())
	}
	<-waits
	b := a.agent(t, nil)
	again := b.turn("wait", map[string]any{"session": turn.Session})
	if again.Status != agents.YourTurn || again.Session != turn.Session {
		t.Errorf("%+v", again)
	}
	if text, failed := b.call("cancel", map[string]any{"session": turn.Session}); failed || !strings.Contains(text, `paused, no decision: the agent left; call wait to continue`) {
		t.Errorf("cancel: %s", text)
	}
	b.end()
	b.Dir = t.TempDir()
	if text, failed := b.agent(t, nil).call("wait", map[string]any{"session": turn.Session}); !failed || !strings.Contains(text, "another workspace") {
		t.Errorf("in another workspace: %s", text)
	}
}

// TestAgentIsNotTheUser leaves a question to the user open. An agent whose program has no forms ends with the answer; a
// program of the newest protocol is asked when the session has ended, and what its user says is taken in.
func TestAgentIsNotTheUser(t *testing.T) {
	for action, answered := range map[string]bool{"": false, "decline": false, "accept": true} {
		t.Run(action, func(t *testing.T) {
			var options mcp.ClientOptions
			asked := 0
			if action != "" {
				options.ElicitationHandler = func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					asked++
					if !strings.Contains(req.Params.Message, "tradeoff") {
						t.Errorf("asked: %s", req.Params.Message)
					}
					return &mcp.ElicitResult{Action: action, Content: map[string]any{"answer": "speed is what users feel"}}, nil
				}
			}
			a := newAgent(t, &options)
			write(t, filepath.Join(a.Dir, "consultee.txt"), []byte(brief))
			turn := a.consult(nil)
			for turn.Status == agents.YourTurn {
				moves := rejectsValue(turn.Prompt)
				turn = a.turn("reply", map[string]any{"session": turn.Session, "moves": append([]any{}, moves...)})
			}
			if turn.Status != agents.Finished || len(turn.Questions) != 1 || asked > 0 {
				t.Fatalf("asked %d times, %+v", asked, turn)
			}
			if text, failed := a.call("result", map[string]any{"session": turn.Session}); failed || !strings.Contains(text, "open: P1") {
				t.Errorf("result: %s", text)
			}
			for range 2 {
				turn = a.turn("wait", map[string]any{"session": turn.Session})
			}
			if asked != min(len(action), 1) {
				t.Errorf("asked %d times", asked)
			}
			a.end()
			q := verified(t)[0].QuestionByID("Q1")
			if q.Answered != answered || answered && q.Answer != "speed is what users feel" {
				t.Errorf("recorded %+v", q)
			}
		})
	}
}

// TestAgentObserves lets models take both seats, and cites from the client's root.
func TestAgentObserves(t *testing.T) {
	d := newDesk(t)
	root := t.TempDir()
	write(t, filepath.Join(root, "limit.go"), []byte("package limit\n\nconst limit = 8\n"))
	d.Environ = []string{"MOOT_CONFIG=config.toml"}
	write(t, filepath.Join(d.Dir, "config.toml"), []byte("[seats]\norchestrator = \"rules\"\n"))
	a := d.agent(t, nil, &mcp.Root{URI: "file://" + filepath.ToSlash(root)}) //nolint:staticcheck // hosts declare roots
	turn := a.turn("consult", map[string]any{"question": "Where is the limit?", "consultee": "rules", "role": "observer"})
	if turn.Status != agents.Finished {
		t.Fatalf("%+v\n%s", turn, a.err.String())
	}
	if s := verified(t)[0]; s.Settings.Workspace != root {
		t.Errorf("the workspace is %s", s.Settings.Workspace)
	}
	if text, failed := a.call("reply", map[string]any{"session": turn.Session, "moves": []any{}}); !failed || !strings.Contains(text, "observe") {
		t.Errorf("a reply: %s", text)
	}
}

// TestAgentsByHTTP serves over HTTP: only with the token, and only on this machine.
func TestAgentsByHTTP(t *testing.T) {
	d := newDesk(t)
	if code := d.run("mcp", "--http", "0.0.0.0:0"); code != int(protocol.ExitUsage) {
		t.Errorf("exit code %d", code)
	}
	left := make(chan int, 1)
	go func() { left <- d.run("mcp", "--http", "127.0.0.1:0") }()
	for !strings.Contains(d.out.String(), "token") {
		runtime.Gosched()
	}
	said := strings.Fields(d.out.String())
	client := mcp.NewClient(&mcp.Implementation{Name: "Test Agent"}, nil)
	for token, fails := range map[string]bool{"": true, "wrong": true, said[3]: false} {
		transport := &mcp.StreamableClientTransport{Endpoint: said[1], HTTPClient: &http.Client{Transport: bearer(token)}, MaxRetries: -1}
		session, err := client.Connect(t.Context(), transport, nil)
		if (err != nil) != fails {
			t.Fatalf("token %q: %v", token, err)
		}
		if err == nil {
			if tools, err := session.ListTools(t.Context(), nil); err != nil || len(tools.Tools) != 8 {
				t.Errorf("%v, %v", tools, err)
			}
			_ = session.Close()
		}
	}
	d.signals <- os.Interrupt
	if code := <-left; code != int(protocol.ExitInterrupted) {
		t.Errorf("exit code %d: %s", code, d.err.String())
	}
}

// bearer sends a token.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// TestAgentSendsGarbage sends lines that are no requests. None ends moot badly.
func TestAgentSendsGarbage(t *testing.T) {
	for _, line := range []string{
		"garbage", "{}", "[]", "null", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":{},"method":"initialize"}`, `{"jsonrpc":"2.0","id":1,"method":"nosuch","params":[1]}`, strings.Repeat("x", 1<<20),
	} {
		d := newDesk(t)
		d.In = strings.NewReader(line + "\n")
		if code := d.run("mcp"); code != int(protocol.ExitConcluded) && code != int(protocol.ExitError) {
			t.Errorf("%.40s: exit code %d", line, code)
		}
		if said := d.out.String() + d.err.String(); strings.Contains(said, "goroutine") || strings.Contains(said, "bug in moot") {
			t.Errorf("%.40s: %s", line, said)
		}
	}
}

// BenchmarkAgent measures the start of moot mcp up to its first answer, the replies of an agent, a call that only
// reads, a whole session with the same replies by a script, and 50 sessions of agents at once with their memory.
func BenchmarkAgent(b *testing.B) {
	b.Run("start", func(b *testing.B) {
		for b.Loop() {
			newAgent(b, nil).end()
		}
	})
	reply := func(a *agentDesk, turn agents.Turn) (replies int) {
		for turn.Status == agents.YourTurn {
			moves := []any{}
			if strings.Contains(turn.Prompt, "To classify: P1") {
				moves = []any{map[string]any{"move": "CLASSIFY", "point": "P1", "class": "AGREE", "reason": "the line says so"}}
			}
			turn = a.turn("reply", map[string]any{"session": turn.Session, "moves": moves})
			replies++
		}
		return replies
	}
	b.Run("replies", func(b *testing.B) {
		a, replies, took := newAgent(b, nil), 0, time.Duration(0)
		for b.Loop() {
			turn := a.consult(nil)
			began := time.Now()
			replies += reply(a, turn)
			took += time.Since(began)
		}
		b.ReportMetric(float64(took.Microseconds())/1000/float64(replies), "ms/reply")
	})
	b.Run("status", func(b *testing.B) {
		a := newAgent(b, nil)
		turn := a.consult(nil)
		for b.Loop() {
			a.call("status", map[string]any{"session": turn.Session})
		}
	})
	b.Run("script", func(b *testing.B) {
		d := newDesk(b)
		write(b, filepath.Join(d.Dir, "limit.go"), []byte("package limit\n\nconst limit = 8\n"))
		write(b, filepath.Join(d.Dir, "consultee.txt"), []byte("--- propose\n1. The limit is 8 [EVIDENCE] limit.go:3 \"const limit = 8\"\n"))
		write(b, filepath.Join(d.Dir, "orchestrator.txt"), []byte("--- map\n{\"moves\":[]}\n--- evaluate\n{\"moves\":[{\"move\":\"CLASSIFY\",\"point\":\"P1\",\"class\":\"AGREE\",\"reason\":\"the line says so\"}]}\n"))
		for b.Loop() {
			d.run("ask", "--headless", "--orchestrator", "script:orchestrator.txt", "--consultee", "script:consultee.txt", "What is the limit?")
		}
	})
	b.Run("50", func(b *testing.B) {
		for b.Loop() {
			a := newAgent(b, nil)
			turns := make([]agents.Turn, 50)
			for i := range turns {
				turns[i] = a.consult(nil)
			}
			var group sync.WaitGroup
			for _, turn := range turns {
				group.Go(func() { reply(a, turn) })
			}
			group.Wait()
			var memory runtime.MemStats
			runtime.ReadMemStats(&memory)
			b.ReportMetric(float64(memory.HeapInuse+memory.StackInuse)/1e6, "MB")
			a.end()
		}
	})
}
