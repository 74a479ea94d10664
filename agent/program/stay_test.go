package program

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moot/agent/record"
	"moot/protocol"
	"moot/protocol/reply"
	"moot/state"
)

// fakeStay lets the fake program stay up.
const fakeStay = `
[stay]
begin = ["stay", "begin", "{system...}", "{workspace...}"]
go_on = ["stay", "go-on", "{conversation}", "{system...}", "{workspace...}"]
message = '{"say":"{prompt}"}'
`

// says is a turn that succeeds.
func says(text string) scene {
	return scene{Out: startLine + `{"type":"delta","text":"` + text + `"}` + "\n" + endLine}
}

// stayStage seats a fake program that stays up.
func stayStage(t *testing.T, change func(*Options), scenes ...scene) *theatre {
	t.Helper()
	return adaptedStage(t, fakeStay, change, scenes...)
}

// adaptedStage seats a fake program whose adapter says how it stays up.
func adaptedStage(t *testing.T, stay string, change func(*Options), scenes ...scene) *theatre {
	t.Helper()
	return stage(t, func(o *Options) {
		a, err := Read("fake", "fake.toml", fmt.Appendf(nil, fakeAdapter+stay, o.Adapter.Command))
		if err != nil {
			t.Fatal(err)
		}
		o.Adapter = a
		if change != nil {
			change(o)
		}
	}, scenes...)
}

// turn asks for a turn that succeeds with a text.
func (th *theatre) turn(t *testing.T, conversation, want string) protocol.Reply {
	t.Helper()
	reply, err := th.asked(t.Context(), conversation)
	if err != nil || reply.Text != want || reply.Conversation != "abc-1" {
		t.Fatalf("%+v %v, not %q", reply, err, want)
	}
	return reply
}

// came are the arguments of each turn, with a bar before those of a new process.
func (th *theatre) came(t *testing.T) string {
	t.Helper()
	var all []string
	last := 0
	for _, s := range th.starts(t) {
		word := "."
		if s.Process != last {
			word = strings.Join(s.Args[:2], "-")
		}
		all, last = append(all, word), s.Process
	}
	return strings.Join(all, " ")
}

// Three turns are one process: each is a line with the prompt, and its numbers are
// its own.
func TestStaysUp(t *testing.T) {
	t.Parallel()
	th := stayStage(t, nil, says("one"), scene{Out: startLine + `{"type":"delta","text":"two"}` + "\n" + `{"type":"end","in":25,"out":5,"cost":0.25}` + "\n"}, says("three"))
	first := th.turn(t, "", "one")
	second := th.turn(t, first.Conversation, "two")
	th.turn(t, first.Conversation, "three")
	if got := th.came(t); got != "stay-begin . ." {
		t.Errorf("started as %q", got)
	}
	if first.PromptTokens != 10 || second.PromptTokens != 15 || second.Cost != 0.25 || second.Attempts != 1 {
		t.Errorf("%+v %+v", first, second)
	}
	for _, s := range th.starts(t) {
		var message struct{ Say string }
		if err := json.Unmarshal([]byte(s.Stdin), &message); err != nil || strings.Count(s.Stdin, "\n") != 1 {
			t.Fatalf("%q %v", s.Stdin, err)
		}
		if !strings.HasPrefix(message.Say, reply.SchemaInFence) || !strings.HasSuffix(message.Say, "\n\nWhat?") || strings.Join(s.Args[2:4], " ") != "--system Be brief." {
			t.Errorf("%q %q", message.Say, s.Args)
		}
	}
	if got := th.shown.String(); got != "onetwothree" {
		t.Errorf("shown %q", got)
	}
	// Its standard input is closed, and it has ended when Close comes back.
	k := th.stay.resident
	if err := th.Close(); err != nil {
		t.Error(err)
	}
	if result := k.process.Result(); result.Exit != 0 || result.Signal != "" {
		t.Errorf("it ended %s", result.Ending())
	}
	if _, err := th.asked(t.Context(), ""); err == nil {
		t.Error("a program that was closed answered")
	}
}

func TestStayFits(t *testing.T) {
	t.Parallel()
	th := stayStage(t, nil, says("one"), says("two"), says("three"), says("four"))
	th.turn(t, "abc-0", "one")
	former := th.stay.resident
	if _, err := th.askedAs(t.Context(), "Be long.", "abc-1"); err != nil {
		t.Fatal(err)
	}
	if said := th.starts(t)[1].Stdin; !strings.Contains(said, "replaces the rules") || !strings.Contains(said, `\n\nBe long.\n\n`) || strings.Contains(th.starts(t)[0].Stdin, "replaces the rules") {
		t.Errorf("the second turn is told %s", said)
	}
	if former != th.stay.resident {
		t.Error("another system prompt started another process")
	}
	if _, err := th.askedAs(t.Context(), "Be long.", "abc-7"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-former.process.Exited():
	default:
		t.Error("two run at once")
	}
	if _, err := th.askedAs(t.Context(), "Be long.", ""); err != nil {
		t.Fatal(err)
	}
	if got := th.came(t); got != "stay-go-on . stay-go-on stay-begin" {
		t.Errorf("started as %q", got)
	}
	for i, want := range map[int]string{0: "abc-0", 2: "abc-7"} {
		if s := th.starts(t)[i]; s.Args[2] != want {
			t.Errorf("turn %d goes on with %q", i, s.Args)
		}
	}
}

func TestStayDied(t *testing.T) {
	t.Parallel()
	last := says("one")
	last.Leave = true
	th := stayStage(t, nil, last, says("two"), says("three"))
	th.turn(t, "", "one")
	<-th.stay.resident.process.Exited()
	if reply := th.turn(t, "abc-1", "two"); reply.Attempts != 1 || reply.Recovered != "" {
		t.Errorf("%+v", reply)
	}
	th.turn(t, "abc-1", "three")
	if got := th.came(t); got != "stay-begin stay-go-on ." {
		t.Errorf("started as %q", got)
	}
}

// One that ends without an answer loses no turn: the program is started for it. The
// next turn starts one that stays again; after the second time none does.
func TestStayEnds(t *testing.T) {
	t.Parallel()
	dies := scene{Err: "it broke\n", Exit: 9}
	th := stayStage(t, nil, dies, says("one"), says("two"), dies, says("three"), dies, says("four"), says("five"))
	for i, c := range []struct {
		text     string
		attempts int
	}{{"one", 2}, {"two", 1}, {"three", 2}, {"four", 2}, {"five", 1}} {
		conversation := ""
		if i > 0 {
			conversation = "abc-1"
		}
		reply := th.turn(t, conversation, c.text)
		note := fmt.Sprint(reply.Notes)
		if reply.Attempts != c.attempts || (c.attempts > 1) != strings.Contains(note, "keeps running between turns, ended with exit code 9 without an answer; starting it for this turn only") {
			t.Errorf("turn %d: %+v", i, reply)
		}
	}
	if got := th.came(t); got != "stay-begin begin---system stay-go-on . go-on-abc-1 stay-go-on go-on-abc-1 go-on-abc-1" {
		t.Errorf("started as %q", got)
	}
}

func silence(t *testing.T, lines int, seat func(*testing.T, func(*Options), ...scene) *theatre, scenes ...scene) *theatre {
	t.Helper()
	for limit := 100 * time.Millisecond; limit < patience; limit *= 2 {
		th := seat(t, func(o *Options) { o.Limits.Silence = limit }, scenes...)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		th.noted = func() {
			th.options.Limits.Silence = 0
			if told, _ := os.ReadFile(th.file + ".seen"); bytes.Count(told, []byte{'\n'}) < lines {
				cancel()
			}
		}
		reply, err := th.asked(ctx, "abc-1")
		if ctx.Err() != nil {
			continue
		}
		if err != nil || reply.Text != "one" || !strings.Contains(fmt.Sprint(reply.Notes), "printed nothing for "+limit.String()) {
			t.Errorf("%+v, %v", reply, err)
		}
		return th
	}
	t.Fatalf("it is not told %d lines within %s", lines, patience)
	return nil
}

// One that says nothing at all is stopped at the limit of silence, and the turn has
// what is left of its time; the program is not kept up any more.
func TestStaySilent(t *testing.T) {
	t.Parallel()
	th := silence(t, 1, stayStage, scene{Hang: true}, says("one"), says("two"))
	th.turn(t, "abc-1", "two")
	if got := th.came(t); got != "stay-go-on go-on-abc-1 go-on-abc-1" {
		t.Errorf("started as %q", got)
	}
	spent := turn{program: th.Program, spent: 10 * time.Second}
	if got := spent.limits().Total; got != patience-10*time.Second {
		t.Errorf("%s is left of %s", got, patience)
	}
}

func TestStayFails(t *testing.T) {
	t.Parallel()
	th := stayStage(t, func(o *Options) { o.MaxReplyBytes = 4000 },
		says("one"), scene{Out: `{"type":"failed","why":"no","status":401}` + "\n" + endLine},
		says("two"), scene{Out: startLine + `{"type":"delta","text":"half"}` + "\n", Exit: 1},
		says("three"), scene{Out: startLine + `{"type":"delta","text":"` + strings.Repeat("x", 5000) + `"}` + "\n" + endLine},
		says("four"))
	th.turn(t, "abc-1", "one")
	var unreachable *protocol.Unreachable
	if _, err := th.asked(t.Context(), "abc-1"); !errors.As(err, &unreachable) || !strings.Contains(err.Error(), "rejected") {
		t.Errorf("%v", err)
	}
	th.turn(t, "abc-1", "two")
	var broken *protocol.Broken
	if _, err := th.asked(t.Context(), "abc-1"); !errors.As(err, &broken) || broken.Partial != "half" {
		t.Errorf("%v", err)
	}
	th.turn(t, "abc-1", "three")
	if _, err := th.asked(t.Context(), "abc-1"); !errors.As(err, &broken) || broken.Code != "oversized" {
		t.Errorf("%v", err)
	}
	th.turn(t, "abc-1", "four")
	if got := th.came(t); got != "stay-go-on . stay-go-on . stay-go-on . stay-go-on" {
		t.Errorf("started as %q", got)
	}
}

func TestStayCancel(t *testing.T) {
	t.Parallel()
	th := stayStage(t, nil, says("one"), scene{Out: startLine + `{"type":"delta","text":"half"}` + "\n", Hang: true}, says("two"))
	th.turn(t, "", "one")
	k := th.stay.resident
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	call := protocol.Call{State: &state.State{}, Ask: protocol.Ask{Seat: state.Consultee}, Prompt: protocol.Prompt{System: "Be brief.", Text: "What?"}}
	call.State.Conversations = []state.SeatConversation{{Seat: state.Consultee, ID: "abc-1"}}
	_, err := th.Reply(ctx, call, func(d protocol.Delta) {
		if d.Text == "half" {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	th.turn(t, "abc-1", "two")
	select {
	case <-k.process.Exited():
	default:
		t.Error("the process of the turn that was cancelled still runs")
	}
	if got := th.came(t); got != "stay-begin . stay-go-on" {
		t.Errorf("started as %q", got)
	}
}

// Without a workspace it stays in its empty folder, which is gone when it has ended.
func TestStayAlone(t *testing.T) {
	t.Parallel()
	for _, alone := range []string{"", filepath.Join(t.TempDir(), "alone")} {
		th := stayStage(t, func(o *Options) { o.Workspace, o.Alone = "", alone }, says("one"), says("two"), says("three"))
		th.turn(t, "", "one")
		th.turn(t, "abc-1", "two")
		if _, err := th.askedAs(t.Context(), "Be long.", "abc-7"); err != nil {
			t.Fatal(err)
		}
		if got := th.came(t); got != "stay-begin . stay-go-on" {
			t.Errorf("started as %q", got)
		}
		folder := th.starts(t)[0].Dir
		if other := th.starts(t)[2].Dir; other != folder {
			t.Errorf("%s and %s", folder, other)
		}
		if _, err := os.Stat(folder); err != nil {
			t.Error(err)
		}
		if err := th.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(folder); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", folder, err)
		}
	}
}

// Each turn of one that stays up is on the record, with both of its streams.
func TestStayIsRecorded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "wire.jsonl")
	recorder, err := record.Create(path, record.Head{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer recorder.Close()
	th := stayStage(t, nil, says("one"), says("two"))
	for i, conversation := range []string{"", "abc-1"} {
		ctx, call := recorder.Begin(t.Context(), protocol.Call{State: &state.State{}, Ask: protocol.Ask{Seat: state.Consultee}}, "fake")
		reply, err := th.asked(ctx, conversation)
		if err != nil {
			t.Fatal(err)
		}
		call.End(reply, nil)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{`"kind":"program","call":%d`} {
			if want := fmt.Sprintf(want, i+1); !strings.Contains(string(data), want) {
				t.Errorf("the recording has no %s", want)
			}
		}
		if !strings.Contains(string(data), reply.Text) {
			t.Errorf("the recording does not say %q", reply.Text)
		}
	}
}

// A turn without a reply that moot can read names what it does not know, and the program is started for the
// turn; after that it is not kept up any more.
func TestStayUnreadable(t *testing.T) {
	t.Parallel()
	unread := scene{Out: startLine + `{"method":"item/finished","body":"one"}` + "\n" + endLine}
	th := stayStage(t, nil, unread, says("one"), says("two"))
	reply := th.turn(t, "abc-1", "one")
	want := `fake, which keeps running between turns, ended the turn without a reply (1 of its 3 lines is unknown to moot: "item/finished"); starting it for this turn only`
	if reply.Attempts != 2 || reply.Notes[0] != want {
		t.Errorf("%+v", reply)
	}
	th.turn(t, "abc-1", "two")
	if got := th.came(t); got != "stay-go-on go-on-abc-1 go-on-abc-1" {
		t.Errorf("started as %q", got)
	}
	// It is tried once: if nothing can be read then either, that is the failure.
	th = stayStage(t, nil, unread)
	_, err := th.asked(t.Context(), "abc-1")
	if broken, is := errors.AsType[*protocol.Broken](err); !is || broken.Code != "empty" || !strings.Contains(err.Error(), `"item/finished"`) {
		t.Errorf("%v", err)
	}
	if got := th.came(t); got != "stay-go-on go-on-abc-1" {
		t.Errorf("started as %q", got)
	}
}

// quietStage seats a fake program that stays up and sends whole messages; moot waits only a moment.
func quietStage(t *testing.T, scenes ...scene) *theatre {
	t.Helper()
	th := stayStage(t, func(o *Options) {
		for i := range o.Adapter.Rules {
			if o.Adapter.Rules[i].Text != "" {
				o.Adapter.Rules[i].Message = "whole"
			}
		}
	}, scenes...)
	th.stay.quiet = time.Millisecond
	return th
}

// A whole message, a line that moot does not know, and then nothing: the input is closed, and one that ends
// without a known end is started for the turn.
func TestStayUnknownEnd(t *testing.T) {
	t.Parallel()
	th := quietStage(t, scene{Out: startLine + `{"type":"delta","whole":"one"}` + "\n" + `{"type":"bye.v2"}` + "\n"}, says("two"), says("three"))
	reply := th.turn(t, "abc-1", "two")
	if reply.Attempts != 2 || !strings.Contains(reply.Notes[0], `did not end the turn in a way that moot knows (1 of its 3 lines is unknown to moot: "bye.v2")`) {
		t.Errorf("%+v", reply)
	}
	th.turn(t, "abc-1", "three")
	if got := th.came(t); got != "stay-go-on go-on-abc-1 go-on-abc-1" {
		t.Errorf("started as %q", got)
	}
}

// A limit that is printed as text ends the turn, though the program keeps running.
func TestStayLimit(t *testing.T) {
	t.Parallel()
	th := quietStage(t, scene{Out: startLine + "You've hit your limit · resets 1pm (UTC)\n"}, says("two"))
	_, err := th.asked(t.Context(), "abc-1")
	if cause := causeOf(t, err); cause.Kind != state.FailureLimit || cause.Resets.UTC().Hour() != 13 {
		t.Errorf("%+v %v", cause, err)
	}
	if got := th.came(t); got != "stay-go-on" {
		t.Errorf("started as %q", got)
	}
}

// One that only was slow finishes its turn when its input is closed, and is started again for the next.
func TestStaySlowEnd(t *testing.T) {
	t.Parallel()
	th := quietStage(t, scene{Out: startLine + `{"type":"delta","whole":"one"}` + "\n" + `{"type":"news"}` + "\n", Last: endLine}, says("two"))
	if reply := th.turn(t, "abc-1", "one"); reply.Attempts != 1 || strings.Contains(fmt.Sprint(reply.Notes), "keeps running") {
		t.Errorf("%+v", reply)
	}
	th.turn(t, "abc-1", "two")
	if got := th.came(t); got != "stay-go-on stay-go-on" {
		t.Errorf("started as %q", got)
	}
}
