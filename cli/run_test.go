package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"moot/cli"
	"moot/protocol"
	"moot/state/store"
)

// desk is a console whose streams are kept.
type desk struct {
	*cli.Console
	out, err lockedBuffer
	signals  chan os.Signal
}

// lockedBuffer may be written by a session and read by the test.
type lockedBuffer struct {
	mutex sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.Buffer.Write(p)
}

func (b *lockedBuffer) WriteString(s string) (int, error) { return b.Write([]byte(s)) }

func (b *lockedBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.Buffer.String()
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	t.Setenv(store.StateVariable, t.TempDir())
	d := &desk{signals: make(chan os.Signal, 2)}
	d.Console = &cli.Console{
		In: strings.NewReader(""), Out: &d.out, Err: &d.err, Dir: t.TempDir(),
		Now: time.Now, Random: rand.NewChaCha8([32]byte{1}), Signals: d.signals,
	}
	return d
}

func (d *desk) run(args ...string) int { return cli.Run(context.Background(), d.Console, args) }

// Run reads its arguments, not those of the process.
func TestRunTakesItsOwnArguments(t *testing.T) {
	d, own := newDesk(t), os.Args
	os.Args = []string{own[0], "nosuch"}
	defer func() { os.Args = own }()
	if got := d.run(); got != int(protocol.ExitConcluded) || !strings.Contains(d.out.String(), "moot --help") {
		t.Errorf("exit code %d\n%s", got, d.err.String())
	}
}

// sessionFile is the path of the only session.
func sessionFile(t *testing.T) string {
	t.Helper()
	dir, err := store.Dir()
	if err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(found) != 1 {
		t.Fatalf("%d sessions, %v", len(found), err)
	}
	return found[0]
}

// endpoint is a server that replies as answer says, in one piece.
func endpoint(t testing.TB, answer func(request map[string]any) string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request map[string]any
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			http.Error(w, "no request", http.StatusBadRequest)
			return
		}
		content := answer(request)
		w.Header().Set("Content-Type", "text/event-stream")
		piece, _ := json.Marshal(map[string]any{
			"id": "x", "object": "chat.completion.chunk", "model": "random",
			"choices": []any{map[string]any{"index": 0, "delta": map[string]any{"role": "assistant", "content": content}, "finish_reason": "stop"}},
			"usage":   map[string]any{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
		})
		_, _ = fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", piece)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1#random"
}

// Whatever two endpoints reply within the schema, the session ends within 8
// rounds, concluded or inconclusive (INV7).
func TestRandomEndpointsAlwaysEnd(t *testing.T) {
	seeds := 12
	if testing.Short() {
		seeds = 3
	}
	for seed := range seeds {
		d := newDesk(t)
		var mutex sync.Mutex
		chance := rand.New(rand.NewPCG(uint64(seed), 7))
		random := func(request map[string]any) string {
			mutex.Lock()
			defer mutex.Unlock()
			return randomReply(chance, request)
		}
		args := []string{
			"ask", "--headless", "--output", "json", "--no-workspace", "--attempts", "1",
			"--orchestrator", endpoint(t, random), "--consultee", endpoint(t, random),
		}
		if seed%3 == 0 {
			args = append(args, "--seat", "consultee-2="+endpoint(t, random), "--arbiter", endpoint(t, random), "--high-stakes")
		}
		if code := d.run(append(args, "Which way is better?")...); code != int(protocol.ExitConcluded) && code != int(protocol.ExitInconclusive) {
			t.Fatalf("seed %d: exit code %d\n%s", seed, code, d.err.String())
		}
		var exported struct {
			Session struct {
				Exit     string `json:"exit"`
				ClosedAt string `json:"closed_at"`
			} `json:"session"`
			State struct {
				Round int `json:"round"`
			} `json:"state"`
		}
		if err := json.Unmarshal([]byte(d.out.String()), &exported); err != nil {
			t.Fatal(err)
		}
		if exported.State.Round > 8 || exported.Session.ClosedAt == "" {
			t.Errorf("seed %d: round %d, exit %q", seed, exported.State.Round, exported.Session.Exit)
		}
		if code := d.run("verify", sessionFile(t)); code != 0 {
			t.Errorf("seed %d: verify gives %d\n%s", seed, code, d.err.String())
		}
	}
}

// randomReply makes a reply from the schema in the request, or now and then
// none.
func randomReply(chance *rand.Rand, request map[string]any) string {
	if chance.IntN(40) == 0 {
		return "I would rather talk about something else."
	}
	format, _ := request["response_format"].(map[string]any)
	wrapped, _ := format["json_schema"].(map[string]any)
	raw, err := json.Marshal(wrapped["schema"])
	if err != nil {
		return "{}"
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal(raw, &schema); err != nil {
		return "{}"
	}
	text, err := json.Marshal(randomValue(chance, &schema, &schema, ""))
	if err != nil {
		return "{}"
	}
	return string(text)
}

func randomValue(chance *rand.Rand, root, s *jsonschema.Schema, name string) any {
	if s.Ref != "" {
		return randomValue(chance, root, root.Defs[strings.TrimPrefix(s.Ref, "#/$defs/")], name)
	}
	if len(s.AnyOf) > 0 {
		return randomValue(chance, root, s.AnyOf[chance.IntN(len(s.AnyOf))], name)
	}
	if len(s.Enum) > 0 {
		return s.Enum[chance.IntN(len(s.Enum))]
	}
	kind := s.Type
	if len(s.Types) > 0 {
		kind = s.Types[chance.IntN(len(s.Types))]
	}
	switch kind {
	case "object":
		object := map[string]any{}
		for key, property := range s.Properties {
			required := false
			for _, r := range s.Required {
				required = required || r == key
			}
			if required || chance.IntN(2) == 0 {
				object[key] = randomValue(chance, root, property, key)
			}
		}
		return object
	case "array":
		list := []any{}
		for range chance.IntN(5) {
			list = append(list, randomValue(chance, root, s.Items, name))
		}
		return list
	case "number":
		return chance.Float64()
	case "integer":
		return chance.IntN(3)
	case "boolean":
		return chance.IntN(2) == 0
	case "null":
		return nil
	}
	return randomText(chance, name)
}

// randomText is an id where one is wanted, else some words.
func randomText(chance *rand.Rand, name string) string {
	prefix := map[string]string{"point": "P", "other": "P", "into": "P", "from": "P", "challenge": "C", "evidence": "E", "fact": "F"}[name]
	if prefix != "" && chance.IntN(8) > 0 {
		return fmt.Sprintf("%s%d", prefix, 1+chance.IntN(6))
	}
	words := strings.Fields("the queue keeps loses order of messages under load because not E1 F1 C1 it is fast slow safe")
	var text []string
	for range 1 + chance.IntN(9) {
		text = append(text, words[chance.IntN(len(words))])
	}
	return strings.Join(text, " ")
}

// Ctrl-c leaves a session that can be resumed; nothing is lost, and the code
// says which signal it was.
func TestSignalsLeaveAResumableSession(t *testing.T) {
	for _, c := range []struct {
		signal os.Signal
		code   int
	}{{syscall.SIGINT, int(protocol.ExitInterrupted)}, {syscall.SIGTERM, int(protocol.ExitTerminated)}, {syscall.SIGHUP, int(protocol.ExitHangup)}} {
		d := newDesk(t)
		asked := make(chan struct{}, 8)
		hold := make(chan struct{})
		stuck := endpoint(t, func(map[string]any) string {
			asked <- struct{}{}
			<-hold
			return ""
		})
		// The server waits for its requests when it is closed.
		t.Cleanup(func() { close(hold) })
		code := make(chan int)
		go func() {
			code <- d.run("ask", "--headless", "--no-workspace", "--orchestrator", "rules", "--consultee", stuck, "Who is there?")
		}()
		<-asked
		d.signals <- c.signal
		if got := <-code; got != c.code {
			t.Errorf("%s: exit code %d, want %d\n%s", c.signal, got, c.code, d.err.String())
		}
		if !strings.Contains(d.err.String(), "continue with: moot resume") {
			t.Errorf("%s: no resume line in\n%s", c.signal, d.err.String())
		}
		if d.out.Len() > 0 {
			t.Errorf("%s: a result was printed:\n%s", c.signal, d.out.String())
		}
		if got := d.run("resume", "--headless", "--consultee", "rules"); got != int(protocol.ExitConcluded) && got != int(protocol.ExitInconclusive) {
			t.Errorf("%s: resume gives %d\n%s", c.signal, got, d.err.String())
		}
		if got := d.run("verify", sessionFile(t)); got != 0 {
			t.Errorf("%s: verify gives %d\n%s", c.signal, got, d.err.String())
		}
	}
}

// The second of two signals that arrive together ends moot at once, with the code of the first, in every mode and form.
func TestTwoSignalsEndAtOnce(t *testing.T) {
	for _, mode := range []string{"standard", "minimal", "quick"} {
		for _, front := range []string{"--headless", "--plain"} {
			for _, form := range []string{"text", "markdown", "json"} {
				t.Run(mode+front+"-"+form, func(t *testing.T) {
					d := newDesk(t)
					hold, kept := make(chan struct{}), true
					stuck := endpoint(t, func(map[string]any) string {
						if kept {
							kept = false
							d.signals <- syscall.SIGINT
							d.signals <- syscall.SIGINT
						}
						<-hold
						return ""
					})
					t.Cleanup(func() { close(hold) })
					reading, writing := io.Pipe()
					t.Cleanup(func() { _ = writing.Close() })
					d.In = reading
					code := d.run("ask", front, "--no-workspace", "--mode", mode, "-o", form, "--orchestrator", "rules",
						"--consultee", stuck, "Who is there?")
					said := d.err.String()
					if code != int(protocol.ExitInterrupted) || d.out.Len() > 0 {
						t.Errorf("exit code %d, output %q\n%s", code, d.out.String(), said)
					}
					saved, unsaved := strings.Contains(said, "moot resume"), strings.Contains(said, "nothing was saved")
					if saved == (mode == "quick") || unsaved != (mode == "quick") {
						t.Errorf("it is wrong about what is saved:\n%s", said)
					}
				})
			}
		}
	}
}

// A session that another process holds is not resumed, and not changed.
func TestHeldSession(t *testing.T) {
	d := newDesk(t)
	d.run("ask", "--headless", "--no-workspace", "--attempts", "1", "--orchestrator", "rules", "--consultee", "http://127.0.0.1:1/v1#none", "Who is there?")
	path := sessionFile(t)
	file, _, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if got := d.run("resume", "--headless"); got != int(protocol.ExitError) || !strings.Contains(d.err.String(), "open in another moot") {
		t.Errorf("resume gives %d\n%s", got, d.err.String())
	}
	if got := d.run("rm", "--yes", strings.TrimSuffix(filepath.Base(path), ".jsonl")); got != int(protocol.ExitError) {
		t.Errorf("rm gives %d\n%s", got, d.err.String())
	}
	if got := d.run("show", strings.TrimSuffix(filepath.Base(path), ".jsonl")); got != 0 {
		t.Errorf("show gives %d\n%s", got, d.err.String())
	}
}

// A result that cannot be written is an error, however the session ended.
func TestFullOutput(t *testing.T) {
	d := newDesk(t)
	d.Out = fullWriter{}
	if got := d.run("ask", "--headless", "--no-workspace", "--orchestrator", "rules", "--consultee", "rules", "Is it?"); got != int(protocol.ExitError) {
		t.Errorf("exit code %d\n%s", got, d.err.String())
	}
	if !strings.Contains(d.err.String(), "standard output") {
		t.Errorf("the error does not say what was full:\n%s", d.err.String())
	}
}

type fullWriter struct{}

func (fullWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// Control sequences of foreign text reach no stream as they are.
func TestForeignTextIsShownEscaped(t *testing.T) {
	d := newDesk(t)
	evil := endpoint(t, func(map[string]any) string {
		return `{"moves":[{"move":"RAISE","text":"a \u001b[2J\u202e b"},{"move":"FLAG","flag":"shape","text":"\u001b]0;x\u0007"}]}`
	})
	d.run("ask", "--headless", "--no-workspace", "--attempts", "1", "--orchestrator", "rules", "--consultee", evil, "Is it \x1b[31m red?")
	for name, text := range map[string]string{"standard output": d.out.String(), "standard error": d.err.String()} {
		if strings.ContainsAny(text, "\x1b\x07\u202e") {
			t.Errorf("%s holds a control sequence:\n%q", name, text)
		}
	}
}
