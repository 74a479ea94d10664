package record

import (
	"errors"
	"strings"
	"testing"

	"moot/protocol"
)

const (
	head  = `{"recording":1,"moot":"v1","session":"s","at":"2026-11-21T10:00:00Z"}` + "\n"
	begun = `{"kind":"begin","call":1,"at_ms":0,"seat":"consultee","stage":"propose","round":1,"participant":"openai:gpt"}` + "\n"
	ended = `{"kind":"end","call":1,"at_ms":9,"failure":"ok"}` + "\n"
)

// What is wrong with a recording is said with its line.
func TestDamagedRecordings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, says string }{
		"an empty file":       {"", "wire.jsonl:1: this is no recording of moot"},
		"a foreign file":      {`{"seq":1}` + "\n", "wire.jsonl:1: this is no recording of moot"},
		"another version":     {`{"recording":9,"moot":"v3"}` + "\n", "wire.jsonl:1: the recording has version 9, and this moot reads version 1: read it with moot v3"},
		"a cut head":          {head[:30], "wire.jsonl:1: this is no recording"},
		"a cut line":          {head + begun[:40], "wire.jsonl:2: the line is cut"},
		"a cut last line":     {head + begun + ended[:len(ended)-1], "wire.jsonl:3: the line is cut"},
		"no JSON":             {head + begun + "nonsense\n", "wire.jsonl:3: this is no line of a recording"},
		"an unknown kind":     {head + begun + `{"kind":"song","call":1}` + "\n", `wire.jsonl:3: a line of an unknown kind, "song"`},
		"no such call":        {head + ended, "wire.jsonl:2: the line belongs to call 1, which did not begin"},
		"a call too far":      {head + strings.Replace(begun, `"call":1`, `"call":7`, 1), "wire.jsonl:2: call 7 begins, where call 1 is due"},
		"no such stage":       {head + strings.Replace(begun, "propose", "sing", 1), `wire.jsonl:2: this is no line of a recording: unknown stage "sing"`},
		"no such request":     {head + begun + `{"kind":"chunk","call":1,"request":3}` + "\n", "wire.jsonl:3: an answer to request 3 of call 1, which was not sent"},
		"what is no base64":   {head + begun + `{"kind":"stdout","call":1,"base64":"???"}` + "\n", "wire.jsonl:3: illegal base64"},
		"a huge line":         {head + `{"kind":"` + strings.Repeat("x", 3000) + `"}` + "\n", "wire.jsonl:2: the line has more than 2000 bytes"},
		"a call twice":        {head + strings.Repeat(begun, 9) + strings.Repeat(`{"kind":"stopped"}`+"\n", 200), "wire.jsonl:3: call 1 begins"},
		"more than its bound": {head + strings.Repeat(`{"kind":"stopped"}`+"\n", 400), "the recording has more than 4000 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := bounds{file: 4000, line: 2000}.read(strings.NewReader(c.text), "wire.jsonl")
			var line *LineError
			if !errors.As(err, &line) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, not %q", err, c.says)
			}
		})
	}
}

// What a seat said is given again, and why it said nothing.
func TestAnswers(t *testing.T) {
	t.Parallel()
	again := func(n, text string) string {
		return strings.ReplaceAll(begun, `"call":1`, `"call":`+n) + strings.ReplaceAll(text, `"call":1`, `"call":`+n)
	}
	failed := func(how string) string {
		return `{"kind":"end","call":1,"failure":"` + how + `","code":"broken","error":"openai:gpt gives no answer: it is away; wait","text":"half"}` + "\n"
	}
	recording, err := Read(strings.NewReader(head+
		again("1", failed("unreachable"))+ // made again after a pause
		again("2", failed("broken"))+
		again("3", failed("cancelled"))+
		again("4", `{"kind":"reply","call":1,"text":"1. one","model":"gpt-1"}`+"\n"+ended)+
		strings.Replace(again("5", failed("unreachable")), "propose", "answer", 1)+
		strings.Replace(again("6", ""), "propose", "judge", 1)+
		// A reply to a prompt that was probably cut: one that was asked for again
		// with less, and one that counted.
		strings.Replace(again("7", `{"kind":"reply","call":1,"text":"1. cut"}`+"\n"+failed("too-long")), "propose", "evaluate", 1)+
		strings.Replace(again("8", `{"kind":"reply","call":1,"text":"1. cut too"}`+"\n"+failed("too-long")), "propose", "evaluate", 1)), "w")
	if err != nil {
		t.Fatal(err)
	}
	answers := recording.Answers("script:w")
	if len(answers) != 4 {
		t.Fatalf("%d answers: %+v", len(answers), answers)
	}
	var broken *protocol.Broken
	if !errors.As(answers[0].Err, &broken) || broken.Code != "broken" || broken.Partial != "half" {
		t.Errorf("%+v", answers[0])
	}
	if answers[1].Text != "1. one" || answers[1].Model != "gpt-1" || answers[1].Err != nil {
		t.Errorf("%+v", answers[1])
	}
	if answers[3].Text != "1. cut too" || answers[3].Err != nil {
		t.Errorf("%+v", answers[3])
	}
	var gone *protocol.Unreachable
	if err := answers[2].Err; !errors.As(err, &gone) || err.Error() != "script:w gives no answer: it is away; wait" {
		t.Errorf("%+v", answers[2])
	}
}

func FuzzRead(f *testing.F) {
	f.Add(head + begun + ended)
	f.Add(head + begun + `{"kind":"request","call":1,"request":1}` + "\n" + `{"kind":"closed","call":1,"request":1}` + "\n")
	f.Fuzz(func(t *testing.T, text string) {
		recording, err := Read(strings.NewReader(text), "w")
		if err != nil {
			return
		}
		recording.Answers("script:w")
		for _, call := range recording.Calls {
			for range recording.Replay(call.Begin.Seat).Calls() {
			}
		}
	})
}
