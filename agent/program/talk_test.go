package program

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"moot/protocol/reply"
)

// fakeTalk lets the fake program stay up, and speak JSON-RPC.
const fakeTalk = `
[stay]
begin = ["stay", "begin"]
go_on = ["stay", "go-on"]
hello = ['{"id":"hi","method":"hello","params":{"for":"{model}"}}', '{"method":"ready"}']
open = '{"id":2,"method":"open","params":{"in":"{folder}","effort":"{effort}"}}'
reopen = '{"id":2,"method":"reopen","params":{"thread":"{conversation}"}}'
message = '{"id":3,"method":"turn","params":{"thread":"{conversation}","text":"{prompt}","model":"{model}"}}'
conversation = "thread"
[[read]]
when = { "result.thread" = "*" }
conversation = "result.thread"
model = "result.model"
[[read]]
when = { method = "*", id = "*" }
answer = '{"id":"{id}","error":{"code":-1,"message":"no {method}"}}'
[[read]]
when = { id = "*" }
[[read]]
when = { "result.may" = "write" }
failure = "result.why"
`

var (
	hello = scene{Out: `{"id":"hi","result":{}}` + "\n"}
	none  = scene{}
	opens = scene{Out: `{"id":2,"result":{"thread":"abc-1","model":"m-2"}}` + "\n"}
)

// taken is a turn that succeeds.
func taken(text string) scene {
	return scene{Out: `{"id":3,"result":{}}` + "\n" + `{"type":"delta","text":"` + text + `","thread":"abc-1"}` + "\n" + endLine}
}

// talkStage seats a fake program that speaks JSON-RPC.
func talkStage(t *testing.T, change func(*Options), scenes ...scene) *theatre {
	t.Helper()
	return adaptedStage(t, fakeTalk, change, scenes...)
}

func (th *theatre) told(t *testing.T) string {
	t.Helper()
	var all []string
	for _, s := range th.starts(t) {
		var line struct {
			Method string
			ID     any
		}
		switch err := json.Unmarshal([]byte(s.Stdin), &line); {
		case err != nil:
			all = append(all, "prompt")
		case line.Method == "":
			all = append(all, "-")
		default:
			all = append(all, line.Method)
		}
	}
	return strings.Join(all, " ")
}

func TestTalk(t *testing.T) {
	t.Parallel()
	th := talkStage(t, func(o *Options) { o.Effort = "high" }, hello, none, opens, taken("one"), taken("two"))
	first := th.turn(t, "", "one")
	second := th.turn(t, first.Conversation, "two")
	if got := th.told(t); got != "hello ready open turn turn" {
		t.Errorf("told %s", got)
	}
	if first.Model != "m-2" || second.Model != "m-2" || second.Attempts != 1 {
		t.Errorf("%+v %+v", first, second)
	}
	starts := th.starts(t)
	folder, err := json.Marshal(th.options.Workspace)
	if err != nil {
		t.Fatal(err)
	}
	// What does not apply is left out.
	for i, want := range map[int]string{
		0: `{"id":"hi","method":"hello","params":{}}`,
		2: `{"id":2,"method":"open","params":{"effort":"high","in":` + string(folder) + `}}`,
	} {
		if got := strings.TrimSpace(starts[i].Stdin); got != want {
			t.Errorf("line %d is %s, not %s", i, got, want)
		}
	}
	for _, s := range starts[3:] {
		var message struct {
			Params struct {
				Thread, Text string
			}
		}
		if err := json.Unmarshal([]byte(s.Stdin), &message); err != nil {
			t.Fatal(err)
		}
		if p := message.Params; p.Thread != "abc-1" || !strings.HasPrefix(p.Text, "Be brief.\n\n"+reply.SchemaInFence) || !strings.HasSuffix(p.Text, "}\n\nWhat?") {
			t.Errorf("%s", s.Stdin)
		}
		if s.Process != starts[0].Process {
			t.Error("another process")
		}
	}
}

func TestTalkRefused(t *testing.T) {
	t.Parallel()
	refuses := func(id string) scene {
		return scene{Out: `{"id":` + id + `,"error":{"code":-32601,"message":"unknown method"}}` + "\n"}
	}
	for name, c := range map[string]struct {
		scenes []scene
		told   string
	}{
		"hello":     {[]scene{refuses(`"hi"`)}, "hello prompt"},
		"reopen":    {[]scene{hello, none, refuses("2")}, "hello ready reopen prompt"},
		"may write": {[]scene{hello, none, {Out: `{"id":2,"result":{"thread":"abc-1","may":"write","why":"unknown method"}}` + "\n"}}, "hello ready reopen prompt"},
		"message":   {[]scene{hello, none, opens, refuses("3")}, "hello ready reopen turn prompt"},
	} {
		th := talkStage(t, nil, append(c.scenes, says("one"))...)
		reply := th.turn(t, "abc-1", "one")
		if want := "fake, which keeps running between turns, answered with an error (unknown method); starting it for this turn only"; reply.Notes[0] != want || reply.Attempts != 2 {
			t.Errorf("%s: %+v", name, reply)
		}
		if got := th.told(t); got != c.told {
			t.Errorf("%s: told %s", name, got)
		}
		starts := th.starts(t)
		if last := starts[len(starts)-1]; strings.Join(last.Args[:2], " ") != "go-on abc-1" {
			t.Errorf("%s: started as %q", name, last.Args)
		}
	}
	// Twice is enough.
	th := talkStage(t, nil, refuses(`"hi"`), says("one"), refuses(`"hi"`), says("two"), says("three"))
	for _, text := range []string{"one", "two", "three"} {
		th.turn(t, "abc-1", text)
	}
	if got := th.told(t); got != "hello prompt hello prompt prompt" {
		t.Errorf("told %s", got)
	}
}

// One that does not answer what opens the conversation is stopped at the limit of
// silence, though it has said something before.
func TestTalkSilent(t *testing.T) {
	t.Parallel()
	th := silence(t, 2, talkStage, hello, scene{Hang: true}, says("one"), says("two"))
	th.turn(t, "abc-1", "two")
	if got := th.told(t); got != "hello ready prompt prompt" {
		t.Errorf("told %s", got)
	}
}

func TestTalkAnswers(t *testing.T) {
	t.Parallel()
	th := talkStage(t, nil, hello, none, opens,
		scene{Out: `{"id":3,"result":{}}` + "\n" + `{"type":"delta","text":"other","thread":"abc-2"}` + "\n" + `{"type":"end","in":99,"thread":"abc-2"}` + "\n" +
			`{"id":7,"method":"approve","thread":"abc-2"}` + "\n"},
		scene{Out: `{"id":"x","method":"ask"}` + "\n"},
		scene{Out: `{"type":"delta","text":"mine","thread":"abc-1"}` + "\n" + endLine})
	if reply := th.turn(t, "", "mine"); reply.PromptTokens != 10 {
		t.Errorf("%+v", reply)
	}
	starts := th.starts(t)
	var said []string
	for _, s := range starts[4:] {
		said = append(said, strings.TrimSpace(s.Stdin))
	}
	if want := []string{`{"error":{"code":-1,"message":"no approve"},"id":7}`, `{"error":{"code":-1,"message":"no ask"},"id":"x"}`}; !slices.Equal(said, want) {
		t.Errorf("answered %q", said)
	}
}

// A message keeps what stands in it: numbers as they are, and no place of a text that
// was put in.
func TestMessage(t *testing.T) {
	t.Parallel()
	const text = `{"id":12345678901234567890,"a":["{gone}","{list}",{"b":"{gone}"}],"text":"<{text}> {gone}{list}","keep":null}`
	m, err := readMessage(text)
	if err == nil {
		err = m.readID(text)
	}
	if err != nil || m.id != "12345678901234567890" {
		t.Fatalf("%v %q", err, m.id)
	}
	line := m.line(func(place string) any {
		return map[string]any{"list": json.RawMessage(`[1, {"c":"{text}"}]`), "text": "{list}\n\""}[place]
	})
	want := `{"a":[[1,{"c":"{text}"}],{}],"id":12345678901234567890,"keep":null,"text":"\u003c{list}\n\"\u003e [1, {\"c\":\"{text}\"}]"}` + "\n"
	if string(line) != want {
		t.Errorf("%s is not %s", line, want)
	}
	if got := fmt.Sprint(m.places()); strings.Count(got, "gone") != 3 {
		t.Errorf("places %s", got)
	}
	for line, want := range map[string]string{
		`{"id":1,"result":{}}`:                    "true ",
		`{"id":1,"result":{},"error":null}`:       "true ",
		`{"id":1,"error":{"message":"no"}}`:       "true no",
		`{"id":1,"error":{}}`:                     "true " + unsaid,
		`{"id":"1","result":{}}`:                  "false ",
		`{"id":1,"method":"ask"}`:                 "false ",
		`{"method":"told","params":{"id":1}}`:     "false ",
		"\ufeff" + `  {"id":1,"result":"x"}` + "": "true ",
	} {
		why, is := answers([]byte(line), "1")
		if got := fmt.Sprint(is, " ", why); got != want {
			t.Errorf("%s: %s, not %s", line, got, want)
		}
	}
}
