//go:build programs

package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moot/agent/program/process"
	"moot/protocol"
	"moot/state"
)

// real is a program that is installed, set up to ask a server of the test.
type real struct {
	adapter Adapter
	mock    *mock
	environ []string
	// folder is its workspace, "" for none; alone is where its empty folder is made.
	folder, alone string
}

// install finds a program in MOOT_PROGRAMS, a list of folders, or on the PATH, and
// gives it a home of its own.
func install(t *testing.T, name string) *real {
	t.Helper()
	a, err := builtIn(name)
	if err != nil {
		t.Fatal(err)
	}
	found := ""
	for _, folder := range filepath.SplitList(os.Getenv("MOOT_PROGRAMS")) {
		if path, err := exec.LookPath(filepath.Join(folder, a.Command)); err == nil && found == "" {
			found = path
		}
	}
	if found == "" {
		if found, err = exec.LookPath(a.Command); err != nil {
			t.Skipf("%s is not installed: %s, and name its folder in MOOT_PROGRAMS", name, a.Fix.Install)
		}
	}
	a.Command = found
	r := &real{adapter: a, mock: newMock(t), folder: t.TempDir(), alone: t.TempDir()}
	home := t.TempDir()
	r.environ = []string{"PATH=" + filepath.Dir(found) + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME=" + home}
	switch name {
	case "codex":
		config := fmt.Sprintf("model = \"gpt-mock\"\nmodel_provider = \"mock\"\n[model_providers.mock]\nname = \"mock\"\nbase_url = %q\nwire_api = \"responses\"\nrequest_max_retries = 1\nstream_max_retries = 1\n", r.mock.URL+"/v1")
		write(t, filepath.Join(home, ".codex", "config.toml"), config)
		r.environ = append(r.environ, "CODEX_HOME="+filepath.Join(home, ".codex"))
	case "claude":
		r.environ = append(r.environ, "ANTHROPIC_BASE_URL="+r.mock.URL, "ANTHROPIC_API_KEY=sk-ant-mock-000000",
			"CLAUDE_CONFIG_DIR="+filepath.Join(home, "claude"), "CLAUDE_CODE_MAX_RETRIES=1")
	case "gemini-cli":
		// It asks a person to trust a workspace first.
		r.folder = ""
		write(t, filepath.Join(home, ".gemini", "settings.json"), `{"security":{"auth":{"selectedType":"gemini-api-key"}}}`)
		r.environ = append(r.environ, "GOOGLE_GEMINI_BASE_URL="+r.mock.URL, "GEMINI_API_KEY=mock-000000")
	case "opencode":
		config := fmt.Sprintf(`{"$schema":"https://opencode.ai/config.json","model":"mock/m","small_model":"mock/m","provider":{"mock":{"npm":"@ai-sdk/openai-compatible","name":"mock","options":{"baseURL":%q,"apiKey":"mock-000000"},"models":{"m":{"name":"m"}}}}}`, r.mock.URL+"/v1")
		write(t, filepath.Join(home, ".config", "opencode", "opencode.json"), config)
		r.environ = append(r.environ, "OPENCODE_DISABLE_MODELS_FETCH=1")
	}
	return r
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// seat seats the program.
func (r *real) seat(t *testing.T) *Program {
	t.Helper()
	p, err := New(Options{Adapter: r.adapter, Effort: "high", Workspace: r.folder, Alone: r.alone, Environ: r.environ, Limits: process.Limits{Total: 90 * time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// ask asks for one turn, and returns what was shown as well.
func ask(ctx context.Context, t *testing.T, p *Program, conversation, text string) (protocol.Reply, string, error) {
	t.Helper()
	call := protocol.Call{Ask: protocol.Ask{Seat: state.Consultee}, Prompt: protocol.Prompt{System: "You are brief.", Text: text}}
	call.Schema = []byte(`{"type":"object","properties":{"says":{"type":"string"}},"required":["says"]}`)
	call.State.ID = "session"
	if conversation != "" {
		call.State.Conversations = []state.SeatConversation{{Seat: state.Consultee, ID: conversation}}
	}
	var shown strings.Builder
	reply, err := p.Reply(ctx, call, func(d protocol.Delta) {
		switch {
		case d.Restart:
			shown.WriteString("|again|")
		case d.Note != "":
			fmt.Fprintf(&shown, "|%s|", d.Note)
		case d.Thought != "":
			fmt.Fprintf(&shown, "(%s)", d.Thought)
		default:
			shown.WriteString(d.Text)
		}
	})
	t.Logf("version %s: %q, %+v, shown %q, error %v", p.version, reply.Text, reply, shown.String(), err)
	return reply, shown.String(), err
}

// programsTried are the programs of this test.
func programsTried() []string { return BuiltIn() }

// Two turns are one conversation: the second request holds what was said in the
// first; the numbers are those of each turn; and a conversation that the program
// does not know is begun anew (JU8).
func TestRealConversation(t *testing.T) {
	for _, name := range programsTried() {
		t.Run(name, func(t *testing.T) {
			r := install(t, name)
			p := r.seat(t)
			r.mock.set(faultless, "The first answer is 42.")
			first, shown, err := ask(t.Context(), t, p, "", "What is the first question?")
			if err != nil {
				t.Fatal(err)
			}
			if first.Text != "The first answer is 42." || first.Conversation == "" || first.Recovered != "" || first.PromptTokens != 11 {
				t.Errorf("%+v", first)
			}
			if !strings.Contains(shown, "The first answer is 42.") {
				t.Errorf("shown %q", shown)
			}
			r.mock.set(faultless, "The second answer is 43.")
			second, _, err := ask(t.Context(), t, p, first.Conversation, "And the second?")
			if err != nil {
				t.Fatal(err)
			}
			if second.Text != "The second answer is 43." || second.Conversation != first.Conversation || second.Recovered != "" || second.PromptTokens != 11 || second.CompletionTokens != first.CompletionTokens {
				t.Errorf("%+v", second)
			}
			if second.Cost != first.Cost {
				t.Errorf("the second turn cost %g, the first %g", second.Cost, first.Cost)
			}
			if sent := strings.Join(r.mock.requests(), "\n"); !strings.Contains(sent, "first question") || !strings.Contains(sent, "The first answer is 42.") || !strings.Contains(sent, "And the second?") {
				t.Errorf("the second request does not hold the conversation:\n%.3000s", sent)
			}

			r.mock.set(faultless, "A new beginning.")
			id := "01a1fbda-918b-7e62-ad85-c26072681824"
			if name == "opencode" {
				id = "ses_e04117e1bffeN7f3kXWEtsGKPI"
			}
			lost, _, err := ask(t.Context(), t, p, id, "What was said?")
			if err != nil {
				t.Fatal(err)
			}
			if lost.Text != "A new beginning." || lost.Conversation == id || lost.Recovered != name+" no longer knows its conversation, a new one was begun" || lost.Attempts != 2 {
				t.Errorf("%+v", lost)
			}
		})
	}
}

// Each fault of the server is an error that says what it is.
func TestRealFaults(t *testing.T) {
	for _, name := range programsTried() {
		t.Run(name, func(t *testing.T) {
			r := install(t, name)
			for _, fault := range []struct {
				name, want string
				long, cut  bool
			}{
				{name: fault401, want: "refused"},
				{name: fault429, want: "too often"},
				{name: fault500, want: "server of its model"},
				{name: faultLong, long: true},
				{name: faultCut, cut: true},
			} {
				t.Run(fault.name, func(t *testing.T) {
					p := r.seat(t)
					r.mock.set(fault.name, "An answer that is cut in the middle of it all.")
					_, _, err := ask(t.Context(), t, p, "", "What?")
					var unreachable *protocol.Unreachable
					var long *protocol.TooLong
					var broken *protocol.Broken
					switch {
					case fault.long && errors.As(err, &long), fault.cut && errors.As(err, &broken):
					case fault.want != "" && errors.As(err, &unreachable) && strings.Contains(err.Error(), fault.want):
					default:
						t.Errorf("%T: %v", err, err)
					}
				})
			}
		})
	}
}

// A call that is cancelled comes back at once, and leaves no process behind.
func TestRealCancel(t *testing.T) {
	for _, name := range programsTried() {
		t.Run(name, func(t *testing.T) {
			r := install(t, name)
			p := r.seat(t)
			r.mock.set(faultHang, "")
			ctx, cancel := context.WithCancel(t.Context())
			var at time.Time
			go func() {
				<-r.mock.asked
				at = time.Now()
				cancel()
			}()
			_, _, err := ask(ctx, t, p, "", "What?")
			if took := time.Since(at); !errors.Is(err, context.Canceled) || took > 100*time.Millisecond {
				t.Errorf("%v after %s", err, took)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			if left := childrenOf(t, r.environ[1]); left != "" {
				t.Errorf("still running:\n%s", left)
			}
		})
	}
}

// childrenOf are the processes whose environment holds a variable.
func childrenOf(t *testing.T, variable string) string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	var left strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err == nil && strings.Contains("\x00"+string(data), "\x00"+variable+"\x00") {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			fmt.Fprintf(&left, "%s %s\n", file, strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return left.String()
}

// A whole session: codex and claude answer as consultee, keep one conversation, and
// what they are told to say is on the record.
func TestRealSession(t *testing.T) {
	moot := filepath.Join(t.TempDir(), "moot")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", moot, "moot").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"codex", "claude"} {
		t.Run(name, func(t *testing.T) {
			r := install(t, name)
			r.mock.set(faultless, "1. EVIDENCE: A retry runs a job twice.\n2. INFERENCE: Retries hide a slow dependency.")
			cmd := exec.CommandContext(t.Context(), moot, "ask", "--headless", "--orchestrator", "rules", "--consultee", name, "--workspace", r.folder, "Should failed jobs be retried?")
			cmd.Dir = r.folder
			cmd.Env = append(append([]string{}, r.environ...), "MOOT_STATE_DIR="+t.TempDir(), "XDG_CACHE_HOME="+t.TempDir())
			out, err := cmd.CombinedOutput()
			t.Logf("%v\n%s", err, out)
			for _, want := range []string{"point      P1 consultee: A retry runs a job twice.", "challenge  C1", "saved "} {
				if !strings.Contains(string(out), want) {
					t.Errorf("the session does not say %q", want)
				}
			}
			asked := r.mock.requests()
			if last := asked[len(asked)-1]; len(asked) < 3 || !strings.Contains(last, "A retry runs a job twice.") {
				t.Errorf("%d requests; the last does not hold the conversation", len(asked))
			}
			if left := childrenOf(t, r.environ[1]); left != "" {
				t.Errorf("still running:\n%s", left)
			}
		})
	}
}
