package program

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"moot/internal/process"
	"moot/protocol"
	"moot/protocol/reply"
	"moot/state"
)

// fakeVariable says what this binary does in place of its tests: it is the agent
// program then, and plays the file of that name, see play.
const fakeVariable = "FAKE_AGENT_PLAY"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == playing {
		os.Exit(playExec(os.Args[2]))
	}
	if file := os.Getenv(fakeVariable); file != "" {
		os.Exit(play(file))
	}
	os.Exit(m.Run())
}

type scene struct {
	Out, Err string
	Exit     int
	// Write is a file that it makes.
	Write string
	// Hang says that it does not end by itself.
	Hang bool
	// Until is a file that it waits for, whatever asks it to end; Late is one that it
	// makes then, before it ends well.
	Until, Late string
	// Leave says that it ends after the turn though it was started to stay up.
	Leave bool
	// Last is printed when its input is closed.
	Last string
}

type seen struct {
	Args        []string
	Stdin       string
	Dir         string
	Environment []string
	Process     int
}

// play does what the file says, and notes what it was started with.
func play(file string) int {
	if len(os.Args) > 1 && os.Args[1] == "--version" {
		fmt.Println("fake-agent " + os.Getenv("FAKE_VERSION") + " (a program)")
		return 0
	}
	if len(os.Args) > 1 && os.Args[1] == "stay" {
		// Each line is a turn, and each scene one.
		in := bufio.NewReader(os.Stdin)
		var now scene
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				fmt.Print(now.Last)
				return 0
			}
			if now = playScene(file, line); now.Exit != 0 || now.Leave {
				return now.Exit
			}
		}
	}
	stdin, _ := io.ReadAll(os.Stdin)
	return playScene(file, string(stdin)).Exit
}

// playScene plays the next scene.
func playScene(file, stdin string) scene {
	dir, _ := os.Getwd()
	s := seen{Args: os.Args[1:], Stdin: stdin, Dir: dir, Environment: os.Environ(), Process: os.Getpid()}
	before, _ := os.ReadFile(file + ".seen")
	line, _ := json.Marshal(s)
	_ = os.WriteFile(file+".seen", append(append(before, line...), '\n'), 0o600)
	var scenes []scene
	data, _ := os.ReadFile(file)
	if err := json.Unmarshal(data, &scenes); err != nil {
		return scene{Exit: 99}
	}
	now := scenes[min(strings.Count(string(before), "\n"), len(scenes)-1)]
	if now.Write != "" {
		_ = os.WriteFile(now.Write, []byte("made"), 0o600)
	}
	if now.Until != "" {
		signal.Ignore(syscall.SIGTERM)
	}
	fmt.Print(now.Out)
	fmt.Fprint(os.Stderr, now.Err)
	if now.Hang {
		select {}
	}
	if now.Until != "" {
		for range time.Tick(time.Millisecond) {
			if _, err := os.Stat(now.Until); err == nil {
				break
			}
		}
		_ = os.WriteFile(now.Late, nil, 0o600)
	}
	return now
}

// fakeAdapter speaks to the fake program.
const fakeAdapter = `
title = "a program of the test"
command = %q
read_only = "it does nothing"
[version]
arguments = ["--version"]
tried = ["1.2"]
[fix]
install = "npm install -g fake"
login = "fake login"
update = "npm install -g fake@latest"
[environment]
keep = ["FAKE_*"]
set = { FAKE_SET = "by the file", FAKE_GIVEN = "by the file" }
[arguments]
begin = ["begin", "{model...}", "{effort...}", "{system...}", "{workspace...}", "-"]
go_on = ["go-on", "{conversation}", "{model...}", "{system...}", "{workspace...}", "-"]
conversation = "told"
model = ["--model", "{model}"]
effort = ["--effort", "{effort}"]
system = ["--system", "{system}"]
workspace = ["--in", "{workspace}"]
alone = ["--alone"]
[output]
tokens = "conversation"
cost = "step"
[[read]]
when = { type = "start" }
conversation = "id"
model = "model"
[[read]]
when = { type = "delta" }
text = "text"
[[read]]
when = { type = "think" }
thought = "text"
[[read]]
when = { type = "tool" }
note = "runs {command}"
anew = true
[[read]]
when = { type = "wait" }
note = "tries again"
wait_ms = "ms"
failure = "why"
gives_up_after = 2
[[read]]
when = { type = "hint" }
note = "{text}"
once = true
[[read]]
when = { type = "end" }
prompt_tokens = ["in"]
completion_tokens = ["out"]
cost = "cost"
done = true
[[read]]
when = { type = "failed" }
failure = "why"
status = "status"
[plain]
conversation = "session:"
from = "fake"
until = "end"
[[failure]]
means = "lost"
words = ["no such conversation"]
[[failure]]
means = "long"
words = ["too long"]
[[failure]]
means = "refused"
status = [401]
[[failure]]
means = "flag"
exit = [2]
`

// theatre is a fake program that is seated.
type theatre struct {
	*Program
	file  string
	shown strings.Builder
	waits time.Duration
	// noted is called for each note, where a test looks at what is so by then.
	noted func()
}

// patience is longer than anything takes that comes to an end, on any machine.
const patience = 2 * time.Minute

// stage seats a fake program that plays the scenes.
func stage(t *testing.T, change func(*Options), scenes ...scene) *theatre {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	a, err := Read("fake", "fake.toml", fmt.Appendf(nil, fakeAdapter, self))
	if err != nil {
		t.Fatal(err)
	}
	th := &theatre{file: filepath.Join(t.TempDir(), "play.json")}
	data, err := json.Marshal(scenes)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(th.file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	options := Options{
		Adapter: a, Workspace: t.TempDir(),
		Environ: append(os.Environ(), fakeVariable+"="+th.file, "FAKE_VERSION=1.2.3", "FAKE_GIVEN=by the person", "FAKE_API_KEY=sk-fake-123456789", "OTHER_API_KEY=sk-other-123456"),
		Limits:  process.Limits{Total: patience, TermWait: patience},
	}
	if change != nil {
		change(&options)
	}
	if th.Program, err = New(options); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := th.Close(); err != nil {
			t.Error(err)
		}
	})
	return th
}

// asked asks for a turn in a conversation, "" for none.
func (th *theatre) asked(ctx context.Context, conversation string) (protocol.Reply, error) {
	return th.askedAs(ctx, "Be brief.", conversation)
}

// askedAs asks with another system prompt.
func (th *theatre) askedAs(ctx context.Context, system, conversation string) (protocol.Reply, error) {
	call := protocol.Call{State: &state.State{}, Ask: protocol.Ask{Seat: state.Consultee}, Prompt: protocol.Prompt{System: system, Text: "What?"}}
	call.State.ID = "20260101-120000-abc"
	call.Schema = json.RawMessage(`{"type":"object","properties":{"says":{"type":"string"}},"required":["says"],"additionalProperties":false}`)
	if conversation != "" {
		call.State.Conversations = []state.SeatConversation{{Seat: state.Consultee, ID: conversation}}
	}
	return th.Reply(ctx, call, func(d protocol.Delta) {
		switch {
		case d.Restart:
			th.shown.WriteString("<again>")
		case d.Note != "":
			th.shown.WriteString("[" + d.Note + "]")
			th.waits += d.Wait
			if th.noted != nil {
				th.noted()
			}
		case d.Thought != "":
			th.shown.WriteString("(" + d.Thought + ")")
		default:
			th.shown.WriteString(d.Text)
		}
	})
}

func (th *theatre) starts(t *testing.T) []seen {
	t.Helper()
	data, err := os.ReadFile(th.file + ".seen")
	if err != nil {
		t.Fatal(err)
	}
	var all []seen
	for line := range strings.Lines(string(data)) {
		var s seen
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		all = append(all, s)
	}
	return all
}

const (
	startLine = `{"type":"start","id":"abc-1","model":"m-1"}` + "\n"
	endLine   = `{"type":"end","in":10,"out":4,"cost":0.5}` + "\n"
)

func TestTurn(t *testing.T) {
	t.Parallel()
	th := stage(t, func(o *Options) { o.Model, o.Name, o.Effort = "opus", "fake:opus", "high" }, scene{
		Out: startLine + `{"type":"think","text":"hm"}` + "\n" + `{"type":"delta","text":"I look."}` + "\n" +
			`{"type":"tool","command":"git log"}` + "\n" + `{"type":"delta","text":"The "}` + "\n" + `{"type":"delta","text":"answer"}` + "\n" + endLine,
	})
	r, err := th.asked(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if r.Text != "The answer" || r.Model != "m-1" || r.Conversation != "abc-1" || r.PromptTokens != 10 || r.CompletionTokens != 4 || r.Cost != 0.5 || r.Attempts != 1 || r.Recovered != "" {
		t.Errorf("%+v", r)
	}
	if got := th.shown.String(); got != "(hm)I look.<again>[runs git log]The answer" {
		t.Errorf("shown %q", got)
	}
	if fmt.Sprint(r.Notes) != "[runs git log]" || th.Name() != "fake:opus" || th.Modelless() {
		t.Errorf("%q %s", r.Notes, th.Name())
	}
	s := th.starts(t)[0]
	if got := strings.Join(s.Args, " "); got != "begin --model opus --effort high --system Be brief. --in "+th.options.Workspace+" -" {
		t.Errorf("started with %q", got)
	}
	if !strings.HasPrefix(s.Stdin, reply.SchemaInFence) || !strings.HasSuffix(s.Stdin, "}\n\nWhat?") || s.Dir != th.options.Workspace {
		t.Errorf("%+v", s)
	}
	environment := strings.Join(s.Environment, "\n")
	for _, want := range []string{"FAKE_API_KEY=", "FAKE_SET=by the file", "FAKE_GIVEN=by the person"} {
		if !strings.Contains(environment, want) {
			t.Errorf("%s is missing", want)
		}
	}
	if strings.Contains(environment, "OTHER_API_KEY") {
		t.Error("it was given a key that is not its own")
	}
}

func TestLostConversation(t *testing.T) {
	t.Parallel()
	good := scene{Out: startLine + `{"type":"delta","text":"yes"}` + "\n" + endLine}
	for _, c := range []struct {
		name, recovered string
		bad             scene
	}{
		{"unknown", "fake no longer knows its conversation; started a new one", scene{Err: "Error: No such conversation: abc-0\n", Exit: 1}},
		{"full", "fake had no room left in its conversation; started a new one", scene{Out: `{"type":"failed","why":"the prompt is too long"}` + "\n", Exit: 1}},
	} {
		th := stage(t, nil, c.bad, good)
		reply, err := th.asked(t.Context(), "abc-0")
		if err != nil || reply.Text != "yes" || reply.Recovered != c.recovered || reply.Conversation != "abc-1" || reply.Attempts != 2 || reply.PromptTokens != 10 {
			t.Errorf("%s: %+v %v", c.name, reply, err)
		}
		if s := th.starts(t)[1]; s.Args[0] != "begin" || !strings.HasSuffix(s.Stdin, "\n\nWhat?") {
			t.Errorf("%s: %+v", c.name, s)
		}
	}
	// One that cannot begin either is not asked for ever.
	th := stage(t, nil, scene{Err: "no such conversation", Exit: 1})
	var unreachable *protocol.Unreachable
	if _, err := th.asked(t.Context(), "abc-0"); !errors.As(err, &unreachable) || len(th.starts(t)) != 2 {
		t.Errorf("%v", err)
	}
	th = stage(t, nil, good)
	if _, err := th.asked(t.Context(), "--dangerous"); err != nil || th.starts(t)[0].Args[0] != "begin" {
		t.Errorf("%v %v", err, th.starts(t))
	}
}

// An error names the program with its version, and says what to do.
func TestErrors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		scene scene
		want  []string
		kind  any
	}{
		"refused": {scene{Out: `{"type":"failed","why":"no: sk-fake-123456789","status":401}` + "\n", Exit: 1}, []string{"rejected", "fake 1.2.3", "fake login", "[REDACTED]"}, &protocol.Unreachable{}},
		"flag":    {scene{Err: "unexpected argument", Exit: 2}, []string{"does not accept moot's command line", "unexpected argument", "1.2", "npm install -g fake@latest"}, &protocol.Unreachable{}},
		"other":   {scene{Err: "first\nout of cheese\n", Exit: 3}, []string{"fake 1.2.3 failed: out of cheese"}, &protocol.Unreachable{}},
		"silent":  {scene{Exit: 3}, []string{"ended with exit code 3"}, &protocol.Unreachable{}},
		"long":    {scene{Out: `{"type":"failed","why":"this is too long"}` + "\n", Exit: 1}, []string{"too long", "fake 1.2.3"}, &protocol.TooLong{}},
		"empty":   {scene{Out: startLine + endLine}, []string{"without a reply"}, &protocol.Broken{}},
		"nothing": {scene{}, []string{"without a reply"}, &protocol.Broken{}},
		"cut":     {scene{Out: startLine + `{"type":"delta","text":"half"}` + "\n"}, []string{"broke off"}, &protocol.Broken{}},
		"changed": {scene{Out: "{\"kind\":\"a\"}\n{\"kind\":\"\x1b[31mb\"}\n"}, []string{"no line of the output of fake 1.2.3 is known (2 lines", "docs/programs.md"}, &protocol.Unreachable{}},
		"waiting": {scene{Out: strings.Repeat(`{"type":"wait","ms":1500,"why":"nobody answers"}`+"\n", 3), Hang: true}, []string{"nobody answers"}, &protocol.Unreachable{}},
		"huge":    {scene{Out: startLine + `{"type":"delta","text":"` + strings.Repeat("x", 5000) + `"}` + "\n" + endLine}, []string{"limit of 4000 bytes"}, &protocol.Broken{}},
	} {
		th := stage(t, func(o *Options) { o.MaxReplyBytes = 4000 }, c.scene)
		_, err := th.asked(t.Context(), "")
		if err == nil || fmt.Sprintf("%T", err) != fmt.Sprintf("%T", c.kind) {
			t.Errorf("%s: %T %v", name, err, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", name, err, want)
			}
		}
		if strings.Contains(err.Error(), "sk-fake") || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %q", name, err)
		}
	}
}

func TestMissingProgram(t *testing.T) {
	t.Parallel()
	th := stage(t, func(o *Options) { o.Adapter.Command = "no-such-agent-program" }, scene{})
	_, err := th.asked(t.Context(), "")
	var unreachable *protocol.Unreachable
	if !errors.As(err, &unreachable) || unreachable.What != "no-such-agent-program is not on the PATH" || !strings.Contains(unreachable.Fix, "`npm install -g fake`") {
		t.Errorf("%v", err)
	}
}

// An untested version runs. moot reports that it works after its first reply, and does not repeat that
// in the next session.
func TestUntriedVersion(t *testing.T) {
	t.Parallel()
	good := scene{Out: startLine + `{"type":"delta","text":"yes"}` + "\n" + endLine}
	versions := filepath.Join(t.TempDir(), "folder", "versions")
	untried := func(version string) func(*Options) {
		return func(o *Options) { o.Versions, o.Environ = versions, append(o.Environ, "FAKE_VERSION="+version) }
	}
	th := stage(t, untried("1.13.0"), scene{Out: startLine + endLine}, good, good)
	if _, err := th.asked(t.Context(), ""); err == nil || strings.Contains(th.shown.String(), "works") {
		t.Errorf("an untested version that gave no reply: %v, %s", err, th.shown.String())
	}
	for i, want := range []string{"[fake 1.13.0 works, newer than tested (1.2)]", "[]"} {
		reply, err := th.asked(t.Context(), "")
		if err != nil || fmt.Sprint(reply.Notes) != want {
			t.Errorf("call %d: %q %v", i, reply.Notes, err)
		}
	}
	for version, want := range map[string]string{"1.13.0": "[]", "1.14.0": "[fake 1.14.0 works, newer than tested (1.2)]"} {
		reply, err := stage(t, untried(version), good).asked(t.Context(), "")
		if err != nil || fmt.Sprint(reply.Notes) != want {
			t.Errorf("the next session with %s: %q %v", version, reply.Notes, err)
		}
	}
	a := Adapter{Version: Version{Tried: []string{"1.2", "1.10"}}}
	for version, want := range map[string]string{
		"1.2": "", "1.2.9": "", "1.2-rc.1": "", "1.10.3": "", "": "", "1.20.0": "newer than tested (1.10)", "2": "newer than tested (1.10)",
		"1.1.9": "older than tested (1.2)", "1.4.0": "between tested versions (1.2, 1.10)",
	} {
		if got := a.Untried(version); got != want {
			t.Errorf("%s: %q", version, got)
		}
	}
}

// Without a workspace the program runs in an empty folder that is gone afterwards,
// and the same one in the next turn.
func TestAlone(t *testing.T) {
	t.Parallel()
	alone := filepath.Join(t.TempDir(), "alone")
	th := stage(t, func(o *Options) { o.Workspace, o.Alone = "", alone }, scene{Out: startLine + `{"type":"delta","text":"yes"}` + "\n" + endLine})
	for range 2 {
		if _, err := th.asked(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
	}
	starts := th.starts(t)
	if starts[0].Dir != starts[1].Dir || filepath.Dir(starts[0].Dir) != alone || starts[0].Args[len(starts[0].Args)-2] != "--alone" {
		t.Errorf("%+v", starts)
	}
	if left, err := os.ReadDir(alone); err != nil || len(left) != 0 {
		t.Errorf("left %v %v", left, err)
	}
}

func TestWorkspaceChanged(t *testing.T) {
	t.Parallel()
	th := stage(t, nil, scene{Out: startLine + `{"type":"delta","text":"yes"}` + "\n" + endLine, Write: "made-by-agent"})
	reply, err := th.asked(t.Context(), "")
	if err != nil || !strings.Contains(fmt.Sprint(reply.Notes), "made-by-agent") || !strings.Contains(th.shown.String(), "made-by-agent") {
		t.Errorf("%+v %v", reply, err)
	}
}

// A note goes on the record: no key of the program is in it, whole or cut at the
// note's end, and no other text that looks like one.
func TestNotesHoldNoSecret(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"its own":     "curl -H 'Authorization: Bearer sk-fake-123456789'",
		"at the end":  strings.Repeat("x", maxNote-len("runs ")-8) + " sk-fake-123456789",
		"of a server": "incorrect API key provided: sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcdefAB",
	} {
		line, err := json.Marshal(map[string]string{"type": "tool", "command": command})
		if err != nil {
			t.Fatal(err)
		}
		th := stage(t, nil, scene{Out: startLine + string(line) + "\n" + `{"type":"delta","text":"yes"}` + "\n" + endLine})
		reply, err := th.asked(t.Context(), "")
		if err != nil || len(reply.Notes) != 1 || !strings.HasPrefix(reply.Notes[0], "runs ") || len([]rune(reply.Notes[0])) > maxNote {
			t.Fatalf("%s: %+v %v", name, reply, err)
		}
		for _, secret := range []string{"sk-fake", "sk-proj-AbCd"} {
			if told := reply.Notes[0] + th.shown.String(); strings.Contains(told, secret) {
				t.Errorf("%s: %s", name, told)
			}
		}
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	for name, theatre := range map[string]func(*testing.T, func(*Options), ...scene) *theatre{"a run for each turn": stage, "stays up": stayStage} {
		free := filepath.Join(t.TempDir(), "free")
		th := theatre(t, nil, scene{
			Out: startLine + `{"type":"delta","text":"yes"}` + "\n", Write: "made-by-agent", Until: free, Late: "made-later", Leave: true,
		})
		ctx, cancel := context.WithCancel(t.Context())
		_, err := th.Reply(ctx, protocol.Call{State: &state.State{}, Ask: protocol.Ask{Seat: state.Consultee}}, func(d protocol.Delta) {
			if d.Text == "yes" {
				cancel()
			}
		})
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		// It waits for this file: had the call waited for it, it would have been killed.
		if err := os.WriteFile(free, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if told := th.Aftermath(); len(told) != 1 || !strings.HasSuffix(told[0], " changed 2 files in the workspace: made-by-agent (new), made-later (new)") {
			t.Errorf("%s: %q", name, told)
		}
	}
}

// Counts of a program that cannot be right are estimated, so that caps hold.
func TestImplausibleCountsAreEstimated(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		reported, counted Tokens
		estimated         bool
	}{
		{Tokens{2000, 100}, Tokens{2000, 100}, false},
		{Tokens{0, 0}, Tokens{2000, 100}, true},
		{Tokens{1, 1}, Tokens{2000, 100}, true},
		{Tokens{9000, 1}, Tokens{9000, 100}, true},
		{Tokens{5, 100}, Tokens{2000, 100}, true},
	} {
		p := &Program{adapter: Adapter{}, totals: map[string]totals{}}
		reply := protocol.Reply{Text: strings.Repeat("word", 100)}
		p.count(&reply, &answer{tokens: test.reported, hasTokens: true}, true, 8000)
		got := Tokens{reply.PromptTokens, reply.CompletionTokens}
		if got != test.counted || reply.Estimated != test.estimated {
			t.Errorf("%+v gives %+v, estimated %v", test.reported, got, reply.Estimated)
		}
	}
}
