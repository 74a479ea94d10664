package agent

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"moot/agent/endpoint"
	"moot/config"
	"moot/protocol"
	"moot/protocol/run"
	"moot/state"
)

// bookOf reads the participants of a file.
func bookOf(t *testing.T, text string) (*Book, []config.Problem) {
	t.Helper()
	file, problems := config.Read("config.toml", []byte(text))
	book, wrong := NewBook(file.Participants)
	return book, append(problems, config.In("config.toml", wrong)...)
}

const named = `[participants.fast]
is = "openai:gpt-5-mini"
temperature = 0.2
max-tokens = 400
reasoning-effort = "low"
key = "WORK_KEY"
fallback = "mine"
[participants.run]
is = "exec:./review.sh"
[participants.slow]
is = "openai:gpt-5-mini"
max-tokens = 400
reasoning-effort = "low"
key = "WORK_KEY"
fallback = "rules"
[participants.mine]
is = "http://me:secret@127.0.0.1:8080/v1#qwen3"
`

func TestNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	book, problems := bookOf(t, named)
	if len(problems) > 0 || !slices.Equal(book.Names(), []string{"fast", "run", "slow", "mine"}) {
		t.Fatalf("%v, %v", book.Names(), problems)
	}
	for name, want := range map[string]string{
		"fast": "fast=openai:gpt-5-mini", "run": "run=exec:./review.sh", "slow": "slow=openai:gpt-5-mini",
		"mine": "mine=http://127.0.0.1:8080/v1#qwen3", "rules": "rules", "ollama:qwen3:8b": "ollama:qwen3:8b",
		"fast=openai:gpt-5-mini (fallback mine=http://127.0.0.1:8080/v1#qwen3)": "fast=openai:gpt-5-mini",
	} {
		c, err := book.Parse(name)
		if err != nil || c.Name() != want || c.Note != "" || (c.Options == nil) != (want == name) {
			t.Errorf("%s is %+v, %v", name, c, err)
		}
		again, err := book.Parse(c.Name())
		if err != nil || again.Name() != want || again.Note != "" || (again.Options == nil) != (c.Options == nil) {
			t.Errorf("%s, read again, is %+v, %v", name, again, err)
		}
	}
	slow, err := book.Parse("slow")
	if err != nil || slow.Options.MaxTokens != 400 || slow.Options.Key != "WORK_KEY" || slow.Fallback.Spec.Kind != KindRules {
		t.Errorf("%+v, %v", slow, err)
	}
	uses := KeyUses(book)
	for _, want := range []string{"OPENAI_API_KEY", "MOOT_API_KEY", "WORK_KEY"} {
		if !slices.ContainsFunc(uses, func(u KeyUse) bool { return u.Variable == want }) {
			t.Errorf("%s is in none of %v", want, uses)
		}
	}
}

func TestARecordedNameOutlivesItsEntry(t *testing.T) {
	t.Parallel()
	book, _ := bookOf(t, named)
	for name, want := range map[string]string{
		"gone=openai:gpt-5-mini": "gone is not in the configuration: openai:gpt-5-mini is asked without options",
		"fast=ollama:qwen3:8b":   "fast is openai:gpt-5-mini in the configuration now: ollama:qwen3:8b is asked without options",
	} {
		c, err := book.Parse(name)
		own, is := state.SplitName(name)
		if err != nil || !strings.HasPrefix(c.Note, want) || c.Name() != own+"="+is {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	var none *Book
	if c, err := none.Parse("gone=rules"); err != nil || c.Spec.Kind != KindRules || c.Note == "" {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestProblemsOfParticipants(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"[participants.rules]\nis = \"ollama:m\"":  "config.toml:1: [participants.rules]: moot has a participant of that name",
		"[participants.openai]\nis = \"ollama:m\"": "config.toml:1: [participants.openai]: moot has",
		"[participants.a]\nis = \"rules\"":         "config.toml:2: is in [participants.a] is no model endpoint or program: name rules itself",
		"[participants.a]\nis = \"openai:m\"\nfallback = \"b\"\n[participants.b]\nis = \"ollama:m\"\nfallback = \"a\"": "config.toml:3: fallback in [participants.a] has a fallback itself",
		"[participants.a]\nis = \"olama:m\"":                            `config.toml:2: is in [participants.a]: unknown participant "olama": did you mean "ollama"?`,
		"[participants.a]\nis = \"codex\"\ntemperature = 1":             "config.toml:3: temperature in [participants.a] has no effect: a program is no model endpoint",
		"[participants.a]\nis = \"http://h/v1#m\"\nbase = \"http://i\"": "config.toml:3: base in [participants.a] has no effect: is has an address of its own",
		"[participants.a]\nis = \"openai:m\"\nbase = \"models\"":        "config.toml:2: is in [participants.a]: openai: the address in base",
		"[participants.a]\nis = \"codex\"\nfallback = \"nobody\"":       "config.toml:3: fallback in [participants.a]: unknown participant",
		"[participants.a]\nis = \"openai:m\"\nfallback = \"openai:m\"":  "config.toml:3: fallback in [participants.a] is the same participant",
	} {
		_, problems := bookOf(t, text)
		if len(problems) == 0 || !strings.HasPrefix(problems[0].Error(), want) || !problems[0].Decides {
			t.Errorf("%q: %v, want %s", text, problems, want)
		}
	}
	wrong, _ := bookOf(t, "[participants.a]\nis = \"olama:m\"")
	if _, err := wrong.Parse("a"); err == nil || err.Error() != "a cannot be used: fix its entry in the configuration, line 1" {
		t.Errorf("what is there and wrong: %v", err)
	}
	book, _ := bookOf(t, named)
	for name, want := range map[string]string{"fast:x": "takes nothing after it", "fat": `did you mean "fast"`, "nobody=here": "unknown participant", "rulez": `did you mean "rules"`} {
		if _, err := book.Parse(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A resumed session does not ask for what its server refused before. What a fallback learned is not the first one's.
func TestAResumedEndpointKnowsItsServer(t *testing.T) {
	t.Parallel()
	book, _ := bookOf(t, named)
	c, err := book.Parse("slow")
	if err != nil {
		t.Fatal(err)
	}
	for participant, want := range map[string]bool{"slow=openai:gpt-5-mini": false, "rules": true} {
		var body string
		p, err := Seat(c, Deps{
			Env: func(name string) string { return map[string]string{"WORK_KEY": "sk-work"}[name] }, Limits: endpoint.Limits{Attempts: 1}, Seat: state.Consultee,
			Events: []state.Event{{Data: &state.ParticipantLearned{Seat: state.Consultee, Lessons: []state.Lesson{
				{Participant: participant, Key: "responses: effort"},
			}}}},
			Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
				text, err := io.ReadAll(r.Body)
				body = string(text)
				return nil, errors.Join(err, errors.New("connection refused"))
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		call := protocol.Call{State: &state.State{}, Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose}}
		if _, err := p.Reply(t.Context(), call, func(protocol.Delta) {}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(body, `"effort"`) != want {
			t.Errorf("%s: sent %s", participant, body)
		}
	}
}

// The options of an entry reach the endpoint, and its name the record.
func TestOptionsReachTheEndpoint(t *testing.T) {
	t.Parallel()
	book, _ := bookOf(t, named)
	c, err := book.Parse("slow")
	if err != nil {
		t.Fatal(err)
	}
	env := func(name string) string { return map[string]string{"WORK_KEY": "sk-work"}[name] }
	var got endpoint.Config
	var header http.Header
	var body string
	p, err := Seat(c, Deps{
		Env: env, Limits: endpoint.Limits{Attempts: 1}, Configure: func(c *endpoint.Config) { got = *c },
		Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			text, err := io.ReadAll(r.Body)
			header, body = r.Header, string(text)
			return nil, errors.Join(err, errors.New("connection refused"))
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if p.Name() != "slow=openai:gpt-5-mini (fallback rules)" || p.Modelless() {
		t.Errorf("%s", p.Name())
	}
	if got.Name != "slow=openai:gpt-5-mini" || got.KeyVariable != "WORK_KEY" {
		t.Errorf("%+v", got)
	}
	reply, err := p.Reply(context.Background(), protocol.Call{State: &state.State{}, Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose}}, func(protocol.Delta) {})
	if err != nil || reply.By != "rules" {
		t.Errorf("%+v, %v", reply, err)
	}
	if header.Get("Authorization") != "Bearer sk-work" {
		t.Errorf("%v", header)
	}
	for _, want := range []string{`"reasoning":{"effort":"low"}`, `"max_output_tokens":400`, `"model":"gpt-5-mini"`} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is not in %s", want, body)
		}
	}
	if _, known := p.(run.Priced).Estimate(1000); !known {
		t.Error("it does not know what it costs")
	}
}

func TestFallbackAnswersWithoutAKey(t *testing.T) {
	t.Parallel()
	book, _ := bookOf(t, named)
	slow, err := book.Parse("slow")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Seat(slow, Deps{})
	if err != nil || p.Name() != "slow=openai:gpt-5-mini (fallback rules)" || p.Modelless() || Absent(p) != nil {
		t.Fatalf("%v, %v", p, err)
	}
	const lack = "needs a key for OpenAI, and WORK_KEY is not set"
	if got := Instead(p); !strings.Contains(got, "openai:gpt-5-mini "+lack) || !strings.HasSuffix(got, ": its fallback rules answers instead") {
		t.Errorf("%q", got)
	}
	reply, err := p.Reply(t.Context(), protocol.Call{State: &state.State{}, Ask: protocol.Ask{Seat: state.Consultee, Stage: state.StagePropose}}, func(protocol.Delta) {})
	if err != nil || reply.By != "rules" || len(reply.Notes) == 0 || !strings.Contains(reply.Notes[0], "did not answer (it "+lack+"): asking its fallback rules") {
		t.Errorf("%+v, %v", reply, err)
	}
	slow.Fallback.Spec = Spec{Name: "groq:m", Kind: KindEndpoint}
	_, err = Seat(slow, Deps{})
	if err == nil || !strings.Contains(err.Error(), lack) || !strings.Contains(err.Error(), "; its fallback cannot be asked either: groq:m needs a key for Groq") {
		t.Errorf("%v", err)
	}
	slow.Fallback = nil
	if _, err := Seat(slow, Deps{}); err == nil || !strings.Contains(err.Error(), lack+": nothing was sent") {
		t.Errorf("%v", err)
	}
}

// asked is a participant that says what a test wants.
type asked struct {
	name   string
	reply  protocol.Reply
	err    error
	called protocol.Call
	closed bool
}

func (a *asked) Name() string    { return a.name }
func (a *asked) Modelless() bool { return false }
func (a *asked) Reply(_ context.Context, call protocol.Call, _ func(protocol.Delta)) (protocol.Reply, error) {
	a.called = call
	return a.reply, a.err
}
func (a *asked) Close() error { a.closed = true; return nil }

// Where the first cannot be reached its fallback answers, and the reply says who
// and why; the conversation of one is never the other's (EX7).
func TestFallbackAnswers(t *testing.T) {
	t.Parallel()
	first := &asked{name: "fast=openai:m", err: &protocol.Unreachable{Participant: "fast=openai:m", What: "connection refused", Fix: "start it"}}
	first.reply = protocol.Reply{Attempts: 3, Waited: 2 * time.Second, Notes: []string{"429"}}
	second := &asked{name: "ollama:n", reply: protocol.Reply{Text: "1. yes", Conversation: "of the second", Attempts: 1, Notes: []string{"slow"}}}
	f := &fallback{first, second}
	call := protocol.Call{State: &state.State{}, Ask: protocol.Ask{Seat: state.Consultee}}
	call.State.Conversations = []state.SeatConversation{{Seat: state.Consultee, ID: "of the first"}, {Seat: state.Arbiter, ID: "else"}}
	var deltas []protocol.Delta
	reply, err := f.Reply(context.Background(), call, func(d protocol.Delta) { deltas = append(deltas, d) })
	const why = "fast=openai:m did not answer (connection refused): asking its fallback ollama:n"
	if err != nil || reply.By != "ollama:n" || reply.Conversation != "" || !slices.Equal(reply.Notes, []string{"429", why, "slow"}) {
		t.Errorf("%+v, %v", reply, err)
	}
	if reply.Attempts != 4 || reply.Waited != 2*time.Second {
		t.Errorf("what both were asked is told as %+v", reply)
	}
	if len(deltas) != 2 || !deltas[0].Restart || deltas[1].Note != why {
		t.Errorf("%+v", deltas)
	}
	if got := first.called.State.Conversation(state.Consultee); got != "of the first" {
		t.Errorf("the first was given %q", got)
	}
	if got := second.called.State; got.Conversation(state.Consultee) != "" || got.Conversation(state.Arbiter) != "else" {
		t.Errorf("the second was given %+v", got.Conversations)
	}
	if f.Name() != "fast=openai:m (fallback ollama:n)" {
		t.Errorf("%s", f.Name())
	}
	cause := protocol.Cause{Kind: state.FailureLimit, Said: "Later."}
	first.err = &protocol.Unreachable{What: "connection refused", Fix: "start it", Cause: cause}
	second.err = &protocol.Unreachable{What: "no route", Fix: "connect"}
	_, err = f.Reply(context.Background(), call, func(protocol.Delta) {})
	gone, ok := errors.AsType[*protocol.Unreachable](err)
	if !ok || gone.What != "connection refused" || gone.Cause != cause ||
		gone.Fix != "neither does its fallback ollama:n: no route; start it" {
		t.Errorf("%v", err)
	}
	if err := f.Close(); err != nil || !first.closed || !second.closed {
		t.Errorf("closed %v, %v, %v", first.closed, second.closed, err)
	}
}

// A reply that broke off (PH3), one that is too long to ask for (LE7), and a call
// that was ended are the first one's own.
func TestNoFallbackForOtherErrors(t *testing.T) {
	t.Parallel()
	ended, end := context.WithCancel(context.Background())
	end()
	for _, test := range []struct {
		ctx context.Context
		err error
	}{
		{context.Background(), &protocol.Broken{Code: "broken"}},
		{context.Background(), &protocol.TooLong{}},
		{context.Background(), nil},
		{ended, context.Canceled},
		{ended, &protocol.Unreachable{}},
	} {
		first, second := &asked{err: test.err}, &asked{name: "other"}
		reply, err := (&fallback{first, second}).Reply(test.ctx, protocol.Call{State: &state.State{}}, func(protocol.Delta) { t.Error("something was told") })
		if !errors.Is(err, test.err) || reply.By != "" || second.called.State != nil {
			t.Errorf("%v: %+v, %v", test.err, reply, err)
		}
	}
}
