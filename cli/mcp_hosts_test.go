package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"moot/protocol"
	"moot/state/store"
)

// host is moot mcp with a program at its other end that speaks the protocol itself, and so can break it.
type host struct {
	*desk
	t    *testing.T
	in   io.WriteCloser
	left chan int

	mutex   sync.Mutex
	changed *sync.Cond
	answers map[string]gjson.Result
	errors  []gjson.Result // without an ID
	longest int
	ended   bool
	asked   []string
	last    int
}

// newHost starts moot mcp for a program that declares these capabilities. It answers the requests of the server with
// reply, or not if that returns "".
func newHost(t *testing.T, capabilities string, reply func(request gjson.Result) string, args ...string) *host {
	t.Helper()
	d := newDesk(t)
	write(t, filepath.Join(d.Dir, "limit.go"), []byte("package limit\n\nconst limit = 8\n"))
	return d.host(t, capabilities, reply, args...)
}

func (d *desk) host(t *testing.T, capabilities string, reply func(gjson.Result) string, args ...string) *host {
	t.Helper()
	return d.strictHost(t, capabilities, reply, append([]string{"--allow-participant", "script:/*"}, args...)...)
}

// strictHost is host without the leave to name scripts.
func (d *desk) strictHost(t *testing.T, capabilities string, reply func(gjson.Result) string, args ...string) *host {
	t.Helper()
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	d.In, d.Out = toServer, fromServer
	h := &host{desk: d, t: t, in: in, left: make(chan int, 1), answers: map[string]gjson.Result{}}
	h.changed = sync.NewCond(&h.mutex)
	go func() {
		h.left <- d.run(append([]string{"mcp"}, args...)...)
		_ = toServer.Close()
		_ = fromServer.Close()
	}()
	go h.read(out, reply)
	t.Cleanup(func() {
		_ = in.Close()
		<-h.left
	})
	h.call("initialize", `{"protocolVersion":"2025-11-25","capabilities":`+capabilities+`,"clientInfo":{"name":"t","version":"1"}}`)
	h.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return h
}

func (h *host) read(out io.Reader, reply func(gjson.Result) string) {
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		message := gjson.Parse(line)
		h.mutex.Lock()
		if err != nil {
			h.ended = true
			h.changed.Broadcast()
			h.mutex.Unlock()
			return
		}
		h.longest = max(h.longest, len(line))
		respond := ""
		switch {
		case message.Get("method").Exists() && message.Get("id").Exists():
			h.asked = append(h.asked, message.Get("method").Str)
			if reply != nil {
				respond = reply(message)
			}
		case message.Get("error").Exists() && message.Get("id").Type == gjson.Null:
			h.errors = append(h.errors, message)
		case message.Get("id").Exists():
			h.answers[message.Get("id").String()] = message
		}
		h.changed.Broadcast()
		h.mutex.Unlock()
		if respond != "" {
			h.send(`{"jsonrpc":"2.0","id":` + message.Get("id").Raw + `,` + respond + `}`)
		}
	}
}

func (h *host) send(line string) {
	if _, err := io.WriteString(h.in, line+"\n"); err != nil {
		h.t.Errorf("the server left: %v", err)
	}
}

// until waits until something is the case, or the server has left.
func (h *host) until(ready func() bool) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for !ready() && !h.ended {
		h.changed.Wait()
	}
}

// request sends a request and returns its ID.
func (h *host) request(method, params string) string {
	h.mutex.Lock()
	h.last++
	id := fmt.Sprint(h.last)
	h.mutex.Unlock()
	h.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`)
	return id
}

func (h *host) answer(id string) (answer gjson.Result) {
	h.until(func() bool { answer = h.answers[id]; return answer.Exists() })
	return answer
}

func (h *host) call(method, params string) gjson.Result { return h.answer(h.request(method, params)) }

// tool calls a tool, and returns the text of its answer.
func (h *host) tool(name string, args map[string]any) string {
	h.t.Helper()
	data, err := json.Marshal(map[string]any{"name": name, "arguments": args})
	if err != nil {
		h.t.Fatal(err)
	}
	answer := h.call("tools/call", string(data))
	if answer.Get("result.structuredContent").Exists() {
		h.t.Errorf("%s says everything twice", name)
	}
	return answer.Get("result.content.0.text").Str + answer.Get("error.message").Str
}

// consult opens a session between the program and a script.
func (h *host) consult(script string, args map[string]any) gjson.Result {
	h.t.Helper()
	file := filepath.Join(h.t.TempDir(), "consultee.txt")
	write(h.t, file, []byte(script))
	all := map[string]any{"question": "What matters?", "consultee": "script:" + file}
	for name, value := range args {
		all[name] = value
	}
	return h.turn("consult", all)
}

// turn calls a tool that returns a turn, and waits while others are at work.
func (h *host) turn(name string, args map[string]any) gjson.Result {
	h.t.Helper()
	text := h.tool(name, args)
	turn := gjson.Parse(text)
	for turn.Get("status").Str == "working" {
		turn = gjson.Parse(h.tool("wait", map[string]any{"session": turn.Get("session").Str}))
	}
	return turn
}

// finish plays the orchestrator to the end: it says what move returns for a prompt.
func (h *host) finish(turn gjson.Result, move func(prompt string) []any) gjson.Result {
	h.t.Helper()
	for range 30 {
		if turn.Get("status").Str != "your-turn" {
			return turn
		}
		moves := move(turn.Get("prompt").Str)
		if moves == nil {
			moves = []any{}
		}
		turn = h.turn("reply", map[string]any{"session": turn.Get("session").Str, "moves": moves})
	}
	h.t.Fatalf("it does not end: %s", turn.Raw)
	return turn
}

// The scripts of a dispute about what matters, which only the user can decide.
const brief = `--- propose
{"moves":[{"move":"RAISE","text":"Brevity is worth more than speed","value_judgment":true}]}
--- answer
DEFEND C1: short code is changed faster
`

func rejectsValue(prompt string) []any {
	switch {
	case strings.Contains(prompt, "To classify: P1"):
		return []any{map[string]any{
			"move": "CLASSIFY", "point": "P1", "class": "REJECT", "reason": "speed is what users feel",
			"value_judgment": true, "flaw_kind": "value", "grounds": "a late page is left", "why_not_skeptical": "it is a choice",
		}}
	case strings.Contains(prompt, "To judge: C1"), strings.Contains(prompt, "JUDGE"):
		return []any{map[string]any{"move": "JUDGE", "challenge": "C1", "judgment": "rejected", "reason": "users do not read it"}}
	}
	return nil
}

// A host that declares roots and doesn't list them has none: the folder that moot was started in is the workspace, never
// the folder above it. What holds more than a project is refused, and the error says how to set another.
func TestHostRoots(t *testing.T) {
	silent := func(gjson.Result) string { return "" }
	lists := func(uris ...string) func(gjson.Result) string {
		roots := make([]map[string]string, 0)
		for _, uri := range uris {
			roots = append(roots, map[string]string{"uri": uri})
		}
		list, _ := json.Marshal(roots)
		return func(gjson.Result) string { return `"result":{"roots":` + string(list) + `}` }
	}
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	other := filepath.Join(home, "other")
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		capabilities string
		reply        func(gjson.Result) string
		args         []string
		// folder is where the server starts, by default in a project; want is the workspace, by default that folder.
		folder, want, refused string
	}{
		"none declared":  {capabilities: `{}`},
		"silent":         {capabilities: `{"roots":{}}`, reply: silent},
		"an error":       {capabilities: `{"roots":{}}`, reply: func(gjson.Result) string { return `"error":{"code":-32601,"message":"no"}` }},
		"no list":        {capabilities: `{"roots":{}}`, reply: func(gjson.Result) string { return `"result":{"roots":7}` }},
		"an empty list":  {capabilities: `{"roots":{"listChanged":true}}`, reply: lists()},
		"a root":         {capabilities: `{"roots":{}}`, reply: lists("file://" + other), want: other},
		"no folder":      {capabilities: `{"roots":{}}`, reply: lists("https://example.com"), refused: "none of your roots"},
		"the whole disk": {capabilities: `{"roots":{}}`, reply: lists("file:///"), refused: "moot mcp --workspace DIR"},
		"a home":         {capabilities: `{"roots":{}}`, reply: lists("file://" + home), refused: "moot mcp --workspace DIR"},
		"above a home":   {capabilities: `{"roots":{}}`, reply: lists("file://" + filepath.Dir(home)), refused: "moot mcp --workspace DIR"},
		"in a home":      {capabilities: `{}`, folder: home, refused: "moot mcp --workspace DIR"},
		"a named one":    {capabilities: `{"roots":{}}`, reply: silent, args: []string{"--workspace", other}, want: other},
		"a named home":   {capabilities: `{}`, args: []string{"--workspace", home}, want: home},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			above := d.Dir
			if err := os.MkdirAll(filepath.Join(above, ".git"), 0o700); err != nil {
				t.Fatal(err)
			}
			d.Dir = filepath.Join(above, "service")
			if err := os.Mkdir(d.Dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if c.folder != "" {
				d.Dir = c.folder
			}
			want := c.want
			if want == "" {
				want, _ = filepath.EvalSymlinks(d.Dir)
			}
			h := d.host(t, c.capabilities, c.reply, c.args...)
			began := time.Now()
			turn := h.consult("--- propose\n1. A point\n", nil)
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("the call took %s", took)
			}
			if c.refused != "" {
				text := h.tool("sessions", nil)
				if !strings.Contains(text, c.refused) {
					t.Errorf("not refused: %s", text)
				}
				return
			}
			if turn.Get("status").Str != "your-turn" {
				t.Fatalf("%s\n%s", turn.Raw, d.err.String())
			}
			if s := verified(t)[0]; s.Settings.Workspace != want {
				t.Errorf("the workspace is %s, not %s", s.Settings.Workspace, want)
			}
			if text := h.tool("consult", map[string]any{"question": "q", "consultee": "rules", "workspace": above}); !strings.Contains(text, "outside of your roots") {
				t.Errorf("the folder above is taken: %s", text)
			}
		})
	}
}

// A line that is no message is answered with its error, and the server continues.
func TestHostSendsMalformedLines(t *testing.T) {
	h := newHost(t, `{}`, nil)
	for i, c := range []struct {
		line string
		code int64
		id   string
	}{
		{"garbage", -32700, ""},
		{`{"jsonrpc":"2.0","id":1,`, -32700, ""},
		{`{"jsonrpc":"2.0"} {"jsonrpc":"2.0"}`, -32700, ""},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\xfe\"}", -32700, ""},
		{"\x00\x01\x02", -32700, ""},
		{strings.Repeat("[", 100000), -32700, ""},
		{"null", -32600, ""},
		{"7", -32600, ""},
		{"{}", -32600, ""},
		{"[]", -32600, ""},
		{`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`, -32600, ""},
		{`{"jsonrpc":"2.0","id":{},"method":"ping"}`, -32600, ""},
		{`{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, ""},
		{`{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, -32600, ""},
		{`{"jsonrpc":"2.0","result":{}}`, -32600, ""},
		{`{"jsonrpc":"1.0","id":"a","method":"ping"}`, -32600, "a"},
		{`{"id":"b","method":"ping"}`, -32600, "b"},
		{`{"jsonrpc":"2.0","id":"c","method":7}`, -32600, "c"},
		{`{"jsonrpc":"2.0","id":"d"}`, -32600, "d"},
		{`{"jsonrpc":"2.0","id":"e","method":"ping","params":[1]}`, -32602, "e"},
		{`{"jsonrpc":"2.0","id":"f","method":"ping","params":"x"}`, -32602, "f"},
		{`{"jsonrpc":"2.0","id":"g","method":"nosuch"}`, -32601, "g"},
		{`{"jsonrpc":"2.0","id":"h","method":"tools/call"}`, -32600, "h"},
		{`{"jsonrpc":"2.0","id":"i","method":"tools/call","params":{"name":7}}`, -32602, "i"},
		{`{"jsonrpc":"2.0","id":"j","error":7}`, -32600, "j"},
		{`{"jsonrpc":"2.0","id":"k","method":"ping","params":{"x":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}}`, -32600, "k"},
		{strings.Repeat("x", 5<<20), -32600, ""},
		{`{"jsonrpc":"2.0","id":"l","method":"ping","params":{"x":"` + strings.Repeat("x", 5<<20) + `"}}`, -32600, ""},
	} {
		h.mutex.Lock()
		errors := len(h.errors)
		h.mutex.Unlock()
		h.send(c.line)
		var got gjson.Result
		if c.id != "" {
			got = h.answer(c.id)
		} else {
			h.until(func() bool { return len(h.errors) > errors })
			h.mutex.Lock()
			got = h.errors[len(h.errors)-1]
			h.mutex.Unlock()
		}
		if got.Get("error.code").Int() != c.code || got.Get("error.message").Str == "" {
			t.Errorf("line %d, %.60q: %s", i, c.line, got.Raw)
		}
	}
	// An empty line, an answer that nobody waits for, and an unknown notification get no answer.
	for _, line := range []string{"", "  ", "\r", `{"jsonrpc":"2.0","id":99,"result":{}}`, `{"jsonrpc":"2.0","method":"notifications/nosuch"}`} {
		h.send(line)
	}
	if pong := h.call("ping", `null`); !pong.Get("result").Exists() {
		t.Errorf("after all of them: %s", pong.Raw)
	}
	// A last line without its end is a line as well.
	if _, err := io.WriteString(h.in, "garbage"); err != nil {
		t.Fatal(err)
	}
	_ = h.in.Close()
	if code := <-h.left; code != int(protocol.ExitConcluded) {
		t.Errorf("exit code %d: %s", code, h.err.String())
	}
	h.left <- 0
}

// No message of the server exceeds 8,000 tokens: long prompts come in parts, and other answers name a resource.
func TestHostAnswersAreBounded(t *testing.T) {
	const most = 8000 * 4
	h := newHost(t, `{}`, nil)
	if tools := h.call("tools/list", `{}`).Get("result.tools").Raw; len(tools) > 2000*4 {
		t.Errorf("the tools take %d tokens", len(tools)/4)
	}
	// A document that fills the prompt: quotes, angle brackets and letters of several bytes grow on their way.
	var document strings.Builder
	for i := range 700 {
		fmt.Fprintf(&document, "%d: \"<Grüße & \\ 世界>\" \x01 and so on, until the line is long enough\n", i)
	}
	document.WriteString(strings.Repeat("<", 30000) + "\n")
	write(t, filepath.Join(h.Dir, "document.txt"), []byte(document.String()))
	var points strings.Builder
	points.WriteString("--- propose\n")
	for i := range 12 {
		fmt.Fprintf(&points, "%d. Claim %d holds: %s\n", i+1, i, strings.Repeat(fmt.Sprintf("reason %d, ", i), 300))
	}
	turn := h.consult(points.String(), map[string]any{
		"question": "What of this holds? " + strings.Repeat("<&> ", 200), "context": []string{"document.txt"},
	})
	session := map[string]any{"session": turn.Get("session").Str}
	if next := turn.Get("next").Str; !strings.Contains(next, "part 1 of ") || !strings.Contains(next, "moot attach "+session["session"].(string)) {
		t.Errorf("next: %s", next)
	}
	whole := ""
	for strings.Contains(turn.Get("next").Str, "call wait for the next one") {
		whole += turn.Get("prompt").Str
		turn = h.turn("wait", session)
	}
	whole += turn.Get("prompt").Str
	if !strings.Contains(whole, "699: \"<Grüße & \\ 世界>\"") || !strings.HasPrefix(whole, "1.") && !strings.Contains(whole, "verbatim") {
		t.Errorf("the parts are not the prompt: %d bytes", len(whole))
	}
	// Moves that are all refused, with texts that are repeated in the reasons.
	moves := make([]any, 0)
	for i := range 400 {
		moves = append(moves, map[string]any{"move": "CLASSIFY", "point": fmt.Sprintf("P%d", 100+i), "class": "AGREE", "reason": strings.Repeat("\"", 500)})
	}
	turn = h.turn("reply", map[string]any{"session": session["session"], "moves": moves})
	if len(turn.Get("refused").Array()) == 0 {
		t.Errorf("nothing is refused: %.300s", turn.Raw)
	}
	h.finish(turn, func(string) []any { return nil })
	h.tool("status", session)
	text := h.tool("result", session)
	if !strings.Contains(text, "moot://sessions/"+session["session"].(string)) {
		t.Errorf("the cut result does not say where the rest is: …%s", text[max(0, len(text)-300):])
	}
	session["as"] = "json"
	if text := h.tool("result", session); !gjson.Valid(text) || gjson.Get(text, "omitted.#").Int() == 0 || !gjson.Get(text, "answer").Exists() {
		t.Errorf("the cut result as JSON: %.300s", text)
	}
	delete(session, "as")
	for range 60 {
		h.consult(brief, map[string]any{"question": strings.Repeat("\x02\"<long> ", 300)})
	}
	if list := h.tool("sessions", map[string]any{"limit": 100}); gjson.Get(list, "sessions.#").Int() < 10 || !gjson.Get(list, "more").Bool() {
		t.Errorf("the list has %d: …%s", gjson.Get(list, "sessions.#").Int(), list[max(0, len(list)-300):])
	}
	// Errors repeat what was sent.
	long := strings.Repeat("<\"é", 30000)
	for tool, args := range map[string]map[string]any{
		long:       {},
		"consult":  {"question": "q", "role": long, "consultee": long, "context": []string{long}, long: 1},
		"reply":    {"session": long, "moves": []any{}},
		"sessions": {"limit": long},
	} {
		h.tool(tool, args)
	}
	if h.longest > most {
		t.Errorf("the longest line has %d bytes, %d tokens", h.longest, h.longest/4)
	}
}

// wait holds at most 25 seconds, and its schema says so.
func TestHostWaitIsBounded(t *testing.T) {
	h := newHost(t, `{}`, nil)
	wait := h.call("tools/list", `{}`).Get(`result.tools.#(name=="wait").inputSchema.properties.seconds`)
	if wait.Get("maximum").Int() != 25 || wait.Get("minimum").Int() != 1 {
		t.Errorf("the schema: %s", wait.Raw)
	}
	if text := h.tool("wait", map[string]any{"session": "x", "seconds": 26}); !strings.Contains(text, "seconds") {
		t.Errorf("26 seconds: %s", text)
	}
}

// The answer is given with what is open, and a question to the user waits for no one: neither for the person at the
// agent nor for a terminal. Their later decision changes the rulings and the answer.
func TestHostGetsTheAnswerBeforeTheUserDecides(t *testing.T) {
	for name, c := range map[string]struct {
		capabilities string
		reply        string // of the person at the agent
		want         string
	}{
		"no forms":     {capabilities: `{}`},
		"silent":       {capabilities: `{"elicitation":{}}`},
		"an error":     {capabilities: `{"elicitation":{}}`, reply: `"error":{"code":-32601,"message":"no"}`},
		"cancelled":    {capabilities: `{"elicitation":{}}`, reply: `"result":{"action":"cancel"}`},
		"declined":     {capabilities: `{"elicitation":{}}`, reply: `"result":{"action":"decline"}`},
		"no answer":    {capabilities: `{"elicitation":{}}`, reply: `"result":{"action":"accept","content":{"answer":" "}}`},
		"other fields": {capabilities: `{"elicitation":{}}`, reply: `"result":{"action":"accept","content":{"answer":7}}`},
		"answered": {
			capabilities: `{"elicitation":{}}`, want: "Brevity is worth more than speed",
			reply: `"result":{"action":"accept","content":{"answer":"Brevity is worth more than speed"}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, c.capabilities, func(request gjson.Result) string {
				if !strings.Contains(request.Get("params.message").Str, "tradeoff") {
					t.Errorf("asked: %s", request.Raw)
				}
				return c.reply
			})
			turn := h.finish(h.consult(brief, nil), rejectsValue)
			session := turn.Get("session").Str
			if turn.Get("status").Str != "finished" {
				t.Fatalf("%s", turn.Raw)
			}
			result := func() string { return h.tool("result", map[string]any{"session": session}) }
			if c.want != "" {
				decided := func() string {
					json := h.tool("result", map[string]any{"session": session, "as": "json"})
					return gjson.Get(json, "outcome.answer.sentences.0.text").Str
				}
				for decided() != c.want && !t.Failed() {
					runtime.Gosched()
				}
			} else if text := result(); !strings.Contains(text, "open: P1") || !strings.Contains(text, "Q1") {
				t.Errorf("the answer does not name what is open: %s", text)
			}
			if c.want == "" {
				if questions := turn.Get("questions.0").Str; !strings.Contains(questions, "Q1") || !strings.Contains(turn.Get("next").Str, "moot answer "+session) {
					t.Errorf("the open question is not named: %s", turn.Raw)
				}
				if code := h.run("answer", session, "Q1", "1"); code != int(protocol.ExitConcluded) {
					t.Fatalf("exit code %d: %s", code, h.err.String())
				}
				if text := result(); !strings.Contains(text, "Brevity is worth more than speed") || strings.Contains(text, "open: P1.\n") && !strings.Contains(text, "before") {
					t.Errorf("after the decision: %s", text)
				}
			}
			s := verified(t)[0]
			dir, err := store.Dir()
			if err != nil {
				t.Fatal(err)
			}
			record, err := os.ReadFile(filepath.Join(dir, session+".jsonl"))
			if through := strings.Contains(string(record), `"channel":"elicitation"`); err != nil || through != (c.want != "") {
				t.Errorf("the record says that the answer came through a form: %v, %v", through, err)
			}
			if !s.Closed || s.QuestionByID("Q1").Answer != "Brevity is worth more than speed" || s.Answer().Sentences[0].Text != "Brevity is worth more than speed" {
				t.Errorf("recorded: closed %v, %+v, %+v", s.Closed, s.QuestionByID("Q1"), s.Answer())
			}
		})
	}
}

// A form at the agent approves no command, unless the user trusts the client.
func TestHostApprovesNothing(t *testing.T) {
	const asks = `--- propose
{"moves":[{"move":"RAISE","text":"It is Go 1.","citations":[{"reference":"$ go version","quote":"exit 0"}]}]}
`
	for _, trusted := range []bool{false, true} {
		t.Run(fmt.Sprint(trusted), func(t *testing.T) {
			var args []string
			if trusted {
				args = []string{"--trust-client"}
			}
			h := newHost(t, `{"elicitation":{}}`, func(gjson.Result) string {
				return `"result":{"action":"accept","content":{"answer":"never"}}`
			}, args...)
			turn := h.consult(asks, nil)
			turn = h.turn("reply", map[string]any{"session": turn.Get("session").Str, "moves": []any{}})
			if trusted {
				h.until(func() bool { return len(h.asked) > 0 })
			} else if !strings.Contains(h.tool("status", map[string]any{"session": turn.Get("session").Str}), "Run it?") {
				t.Error("the status does not name the question")
			}
			turn = h.finish(turn, func(string) []any { return nil })
			if turn.Get("status").Str != "finished" {
				t.Fatalf("%s", turn.Raw)
			}
			asked := slices.Contains(h.asked, "elicitation/create")
			if asked != trusted {
				t.Errorf("asked: %v", h.asked)
			}
		})
	}
}

// A consultee at an address of another machine would get the question and the files: it has to be allowed.
func TestHostNamesAddresses(t *testing.T) {
	h := newHost(t, `{}`, nil, "--allow-participant", "https://models.example.com/*")
	for name, refused := range map[string]bool{
		"https://elsewhere.example.net/v1#m": true, "http://10.0.0.7:80/v1#m": true, "http://127.0.0.1.example.net/v1#m": true,
		"http://user:pass@127.0.0.1/v1#m": true, "https://models.example.com/v1/team#m": false, "http://127.0.0.1:1/v1#m": false,
	} {
		text := h.tool("consult", map[string]any{"question": "q", "consultee": name})
		if got := strings.Contains(text, "--allow-participant"); got != refused {
			t.Errorf("%s: %s", name, text)
		}
	}
}

// A hostile client gets an answer to each of a thousand calls, and one of two replies at once is refused.
func TestHostCallsFast(t *testing.T) {
	h := newHost(t, `{}`, nil)
	turn := h.consult(brief, nil)
	session := turn.Get("session").Str
	reply := `{"name":"reply","arguments":{"session":"` + session + `","moves":[]}}`
	first, second := h.request("tools/call", reply), h.request("tools/call", reply)
	if a, b := h.answer(first).Get("result.isError").Bool(), h.answer(second).Get("result.isError").Bool(); a && b {
		t.Error("both replies were refused")
	}
	ids := make([]string, 0)
	for i := range 1000 {
		call := `{"name":"` + []string{"status", "sessions", "result", "wait", "nosuch"}[i%5] + `","arguments":{"session":"` +
			[]string{session, "nosuch", "../../etc", ""}[i%4] + `"}}`
		ids = append(ids, h.request("tools/call", call))
	}
	for i, id := range ids {
		if answer := h.answer(id); !answer.Get("result").Exists() && !answer.Get("error").Exists() {
			t.Fatalf("call %d has no answer", i)
		}
	}
}

// A key never travels to a server without the address that it is sent to: what is installed for codex, which starts
// servers with few variables, names both. The change is shown first, and can be undone.
func TestInstalledKeysTravelWithTheirAddresses(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	config := filepath.Join(home, ".codex", "config.toml")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	const before = "model = \"m\"\n"
	for name, c := range map[string]struct {
		environ []string
		want    string
	}{
		"nothing":              {want: `[]`},
		"a key":                {[]string{"OPENAI_API_KEY=k"}, `["OPENAI_API_KEY", "OPENAI_BASE_URL"]`},
		"an address alone":     {[]string{"OPENAI_BASE_URL=http://127.0.0.1:1/v1"}, `["OPENAI_BASE_URL"]`},
		"a part of an address": {[]string{"AZURE_OPENAI_API_KEY=k"}, `["AZURE_OPENAI_API_KEY", "AZURE_OPENAI_ENDPOINT"]`},
		"a local server":       {[]string{"OLLAMA_HOST=10.0.0.7"}, `["OLLAMA_HOST"]`},
		"another program's":    {[]string{"ANTHROPIC_API_KEY=k", "ANTHROPIC_BASE_URL=http://127.0.0.1:1"}, `["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"]`},
		"named by its URL":     {[]string{"MOOT_API_KEY=k", "MOOT_CONFIG=config.toml"}, `["MOOT_API_KEY", "MOOT_CONFIG"]`},
		"a name of the user's": {[]string{"TEAM_KEY=k", "MOOT_CONFIG=config.toml"}, `["MOOT_CONFIG", "OPENAI_BASE_URL", "TEAM_KEY"]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("MOOT_STATE_DIR", "")
			write(t, config, []byte(before))
			d := newDesk(t)
			write(t, filepath.Join(d.Dir, "config.toml"), []byte("[participants.team]\nis = \"openai:m\"\nkey = \"TEAM_KEY\"\n"))
			d.Environ = c.environ
			if code := d.run("skill", "--install", "codex", "--yes"); code != int(protocol.ExitConcluded) {
				t.Fatalf("exit code %d: %s", code, d.err.String())
			}
			text, err := os.ReadFile(config)
			if err != nil || !strings.Contains(string(text), "env_vars = "+c.want+"\n") {
				t.Errorf("not %s: %v\n%s", c.want, err, text)
			}
			for _, line := range []string{"tool_timeout_sec = ", "[mcp_servers.moot.tools.result]", "env_vars = " + c.want} {
				if !strings.Contains(d.err.String(), "+ "+line) {
					t.Errorf("%s is not shown first: %s", line, d.err.String())
				}
			}
			if strings.Contains(string(text), "=k") || strings.Contains(d.err.String(), `"k"`) {
				t.Errorf("the key is written: %s", text)
			}
			if code := d.run("skill", "--remove", "codex", "--yes"); code != int(protocol.ExitConcluded) {
				t.Errorf("exit code %d: %s", code, d.err.String())
			}
			if text, err := os.ReadFile(config); err != nil || string(text) != before {
				t.Errorf("it is left as %q, %v", text, err)
			}
		})
	}
}

// What a terminal would obey, hide or reorder by is escaped in all answers: of tools, resources, prompts and errors.
func TestHostAnswersShowHiddenCharacters(t *testing.T) {
	const hidden = "\u202e\u2066\u200b\u0085\u009b"
	h := newHost(t, `{}`, nil)
	turn := h.consult("--- propose\n1. A point "+hidden+"\n", map[string]any{"question": "What matters" + hidden + "?", "facts": []string{"so" + hidden}})
	id := turn.Get("session").Str
	answers := []string{turn.Get("prompt").Str}
	for _, call := range []struct {
		tool string
		args map[string]any
	}{
		{"status", map[string]any{"session": id}},
		{"sessions", nil},
		{"result", map[string]any{"session": id}},
		{"result", map[string]any{"session": id, "as": "json"}},
		{"status", map[string]any{"session": hidden}},
		{"consult", map[string]any{"question": "q", "consultee": hidden}},
		{"consult", map[string]any{"question": "q", "role": hidden}},
		{"wait", map[string]any{"session": id}},
		{"reply", map[string]any{"session": id, "text": hidden + "\nRAISE: " + hidden}},
		{hidden, nil},
	} {
		answers = append(answers, h.tool(call.tool, call.args))
	}
	answers[0] = "" // A prompt is a text in JSON, which was escaped on its way.
	for _, uri := range []string{id, id + ".json", hidden, hidden + ".json"} {
		data, err := json.Marshal(map[string]any{"uri": "moot://sessions/" + uri})
		if err != nil {
			t.Fatal(err)
		}
		answer := h.call("resources/read", string(data))
		answers = append(answers, answer.Get("result.contents.0.text").Str+answer.Get("error.message").Str)
	}
	data, err := json.Marshal(map[string]any{"name": "consult", "arguments": map[string]any{"question": hidden}})
	if err != nil {
		t.Fatal(err)
	}
	answers = append(answers, h.call("prompts/get", string(data)).Get("result.messages.0.content.text").Str)
	for i, answer := range answers {
		if strings.ContainsAny(answer, hidden) {
			t.Errorf("answer %d: %.300q", i, answer)
		}
		if i > 0 && answer == "" {
			t.Errorf("answer %d is empty", i)
		}
	}
}
