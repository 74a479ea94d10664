//go:build programs

package program

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// stays installs a program that stays up, or skips the test.
func stays(t *testing.T, name string) *real {
	t.Helper()
	r := install(t, name)
	if !r.adapter.Stays() {
		t.Skipf("%s does not stay up", name)
	}
	return r
}

// A program that stays up answers all turns of a conversation in one process; what
// that saves is logged.
func TestRealStay(t *testing.T) {
	const turns = 6
	for _, name := range programsTried() {
		t.Run(name, func(t *testing.T) {
			r := stays(t, name)
			started := r.adapter
			started.Stay = Stay{}
			for _, c := range []struct {
				name    string
				adapter Adapter
			}{{"stays up", r.adapter}, {"started for each turn", started}} {
				r.adapter = c.adapter
				p := r.seat(t)
				r.mock.set(faultless, "An answer.")
				conversation := ""
				var later time.Duration
				var up *kept
				for i := range turns {
					reply, shown, err := ask(t.Context(), t, p, conversation, fmt.Sprintf("Question %d?", i))
					if err != nil || reply.Attempts != 1 || reply.PromptTokens != 11 || !strings.HasSuffix(shown, "An answer.") {
						t.Fatalf("%+v %v", reply, err)
					}
					conversation = reply.Conversation
					if i == 0 {
						up = p.stay.kept
						continue
					}
					later += reply.Took
					if p.stay.kept != up {
						t.Errorf("turn %d: another process", i)
					}
				}
				if last := r.mock.requests()[turns-1]; !strings.Contains(last, "Question 0?") {
					t.Error("the last request does not hold the conversation")
				}
				for _, sent := range r.mock.requests() {
					// Either form passes on how long to think, and the schema of the reply.
					if name == "codex" && (!strings.Contains(sent, `"effort":"high"`) || !strings.Contains(sent, `"json_schema"`)) {
						t.Errorf("%s: a request lacks effort or schema", c.name)
					}
				}
				t.Logf("%s: %s a turn after the first", c.name, later/(turns-1))
			}
		})
	}
}

// A conversation goes from a program that stays up to one that is started for a turn
// and back, and after moot was started anew.
func TestRealStayChanges(t *testing.T) {
	for _, name := range programsTried() {
		t.Run(name, func(t *testing.T) {
			r := stays(t, name)
			up, once := r.adapter, r.adapter
			once.Stay = Stay{}
			conversation := ""
			for i, a := range []Adapter{up, once, up, up, once} {
				r.adapter = a
				r.mock.set(faultless, fmt.Sprintf("Answer %d.", i))
				p := r.seat(t)
				reply, _, err := ask(t.Context(), t, p, conversation, fmt.Sprintf("Question %d?", i))
				if err := p.Close(); err != nil {
					t.Error(err)
				}
				if err != nil || reply.Recovered != "" || reply.Attempts != 1 || conversation != "" && reply.Conversation != conversation {
					t.Fatalf("turn %d: %+v %v", i, reply, err)
				}
				conversation = reply.Conversation
				sent := strings.Join(r.mock.requests(), "\n")
				for before := range i {
					if !strings.Contains(sent, fmt.Sprintf("Answer %d.", before)) {
						t.Errorf("turn %d does not hold answer %d", i, before)
					}
				}
			}
		})
	}
}

// A turn that failed and one that was cancelled are followed by one that succeeds in
// the same conversation.
func TestRealStayGoesOn(t *testing.T) {
	for _, name := range programsTried() {
		t.Run(name, func(t *testing.T) {
			r := stays(t, name)
			p := r.seat(t)
			r.mock.set(faultless, "The first answer is 42.")
			first, _, err := ask(t.Context(), t, p, "", "What is the first question?")
			if err != nil {
				t.Fatal(err)
			}
			r.mock.set(fault429, "")
			if _, _, err := ask(t.Context(), t, p, first.Conversation, "Again?"); err == nil {
				t.Error("no error of a server that refuses")
			}
			r.mock.set(faultHang, "")
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-r.mock.asked
				cancel()
			}()
			if _, _, err := ask(ctx, t, p, first.Conversation, "And now?"); !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
			r.mock.set(faultless, "The last answer is 44.")
			last, _, err := ask(t.Context(), t, p, first.Conversation, "And the last?")
			if err != nil || last.Text != "The last answer is 44." || last.Conversation != first.Conversation || last.Recovered != "" || last.Attempts != 1 {
				t.Errorf("%+v %v", last, err)
			}
			if sent := strings.Join(r.mock.requests(), "\n"); !strings.Contains(sent, "The first answer is 42.") {
				t.Error("the last request does not hold the conversation")
			}
		})
	}
}

// codex that stays up writes nothing, whatever its settings say and however a
// conversation was begun: neither by a command nor by one that asks for approval.
func TestRealReadOnly(t *testing.T) {
	r := install(t, "codex")
	home := strings.TrimPrefix(r.environ[len(r.environ)-1], "CODEX_HOME=")
	config, err := os.ReadFile(filepath.Join(home, "config.toml"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(home, "config.toml"), "sandbox_mode = \"danger-full-access\"\napproval_policy = \"on-request\"\n"+string(config))
	outside := filepath.Join(t.TempDir(), "made-by-agent")
	write(t, outside+".not", "")
	p := r.seat(t)
	conversation := ""
	for _, c := range []struct {
		command, refusal string
		arguments        object
	}{
		{"touch made-by-agent", "Read-only file system", nil},
		{"touch " + outside, "Read-only file system", nil},
		{"touch " + outside, "cannot ask for escalated permissions", object{"sandbox_permissions": "require_escalated", "justification": "to write"}},
	} {
		r.mock.set(faultless, "Done.")
		arguments := object{"cmd": c.command}
		for key, value := range c.arguments {
			arguments[key] = value
		}
		r.mock.use("exec_command", arguments)
		reply, _, err := ask(t.Context(), t, p, conversation, "Make it.")
		if err != nil || reply.Text != "Done." || p.stay.kept == nil {
			t.Fatalf("%+v %v", reply, err)
		}
		conversation = reply.Conversation
		if sent := r.mock.requests(); len(sent) != 2 || !strings.Contains(sent[1], c.refusal) {
			t.Errorf("%s was not refused in %d requests", c.command, len(sent))
		}
	}
	for _, path := range []string{outside, filepath.Join(r.folder, "made-by-agent")} {
		if _, err := os.Stat(path); !os.IsNotExist(err) {
			t.Errorf("%s is there: %v", path, err)
		}
	}
}

// codex that stays up begins no turn of its own: a goal that its model sets would
// have it ask on and on when a turn is over.
func TestRealNoGoals(t *testing.T) {
	r := install(t, "codex")
	p := r.seat(t)
	r.mock.set(faultless, "Done.")
	r.mock.use("create_goal", object{"objective": "Do it."})
	first, _, err := ask(t.Context(), t, p, "", "Do it.")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := ask(t.Context(), t, p, first.Conversation, "And now?"); err != nil {
		t.Fatal(err)
	}
	if sent := r.mock.requests(); len(sent) != 3 {
		t.Errorf("%d requests for two turns and the use of a tool", len(sent))
	}
}

// An older codex has no app-server, or one that knows less: the turn is that of
// codex exec, and a note says why.
func TestRealStayFalls(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*Adapter)
		says   string
	}{
		"no app-server": {func(a *Adapter) { a.Stay.Begin = []string{"no-such-server"} }, "without an answer"},
		"another flag":  {func(a *Adapter) { a.Stay.Begin = []string{"app-server", "--no-such-flag"} }, "ended with exit code 2 without an answer"},
		"no thread/start": {func(a *Adapter) {
			m, err := readSaid(`{"id":2,"method":"thread/begin"}`)
			if err != nil {
				t.Fatal(err)
			}
			a.Stay.open = m
		}, "unknown variant `thread/begin`"},
		"no turn/start": {func(a *Adapter) {
			m, err := readSaid(`{"id":3,"method":"turn/start","params":{}}`)
			if err != nil {
				t.Fatal(err)
			}
			a.Stay.message = m
		}, "answered with an error"},
	} {
		t.Run(name, func(t *testing.T) {
			r := install(t, "codex")
			c.change(&r.adapter)
			p := r.seat(t)
			r.mock.set(faultless, "An answer.")
			reply, shown, err := ask(t.Context(), t, p, "", "What?")
			if err != nil || reply.Text != "An answer." || reply.Attempts != 2 || !strings.Contains(shown, c.says) || !strings.Contains(shown, "started for this turn") {
				t.Errorf("%+v %v", reply, err)
			}
			if len(r.mock.requests()) != 1 {
				t.Errorf("%d requests", len(r.mock.requests()))
			}
		})
	}
}
