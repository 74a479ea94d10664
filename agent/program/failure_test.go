package program

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"moot/internal/process"
	"moot/protocol"
	"moot/state"
)

// causeOf is the cause of an error of Reply.
func causeOf(t *testing.T, err error) protocol.Cause {
	t.Helper()
	if e, ok := errors.AsType[*protocol.Unreachable](err); ok {
		return e.Cause
	}
	if e, ok := errors.AsType[*protocol.Broken](err); ok {
		return e.Cause
	}
	if e, ok := errors.AsType[*protocol.TooLong](err); ok {
		return e.Cause
	}
	t.Errorf("%T has no cause: %v", err, err)
	return protocol.Cause{}
}

// What a program printed when it failed is in the error and in its cause.
func TestCauses(t *testing.T) {
	t.Parallel()
	const limit = "You've hit your limit · resets 1pm (UTC)"
	says := func(text string) string { return startLine + `{"type":"delta","text":"` + text + `"}` + "\n" + endLine }
	for name, c := range map[string]struct {
		scene scene
		kind  state.FailureKind
		// said is in the cause, in in the message.
		said, in string
		resets   bool
	}{
		"limit on standard output":     {scene{Out: limit + "\n", Exit: 1}, state.FailureLimit, limit, "rate-limited", true},
		"limit beside a warning":       {scene{Out: limit + "\n", Err: "warning: old\n", Exit: 1}, state.FailureLimit, limit, "rate-limited", true},
		"limit after known lines":      {scene{Out: startLine + limit + "\n", Exit: 1}, state.FailureLimit, limit, "rate-limited", true},
		"limit with exit code 0":       {scene{Out: limit + "\n"}, state.FailureLimit, limit, "rate-limited", true},
		"limit in a successful result": {scene{Out: says(limit)}, state.FailureLimit, limit, "rate-limited", true},
		"limit on standard error":      {scene{Err: "Error: " + limit + "\n", Exit: 1}, state.FailureLimit, "Error: " + limit, "rate-limited", true},
		"limit without a time":         {scene{Out: says("Credit balance is too low")}, state.FailureLimit, "Credit balance is too low", "no credit left", false},
		"limit in a reported failure":  {scene{Out: `{"type":"failed","why":"API Error: Rate limit reached"}` + "\n", Exit: 1}, state.FailureLimit, "API Error: Rate limit reached", "rate-limited", false},
		"login in a successful result": {scene{Out: says("Not logged in · Please run /login")}, state.FailureLogin, "Not logged in · Please run /login", "not logged in", false},
		"refusal":                      {scene{Out: says("I'm sorry, but I can't help with that.")}, state.FailureRefused, "I'm sorry, but I can't help with that.", "declined", false},
		"error in a result":            {scene{Out: says("API Error: something new")}, state.FailureUnreachable, "API Error: something new", "failed", false},
		"long in a result":             {scene{Out: says("Prompt is too long")}, state.FailureContext, "Prompt is too long", "too long", false},
		"last printed line":            {scene{Out: startLine + "first\nout of cheese\n", Exit: 3}, state.FailureUnreachable, "out of cheese", "failed: out of cheese", false},
		"both streams":                 {scene{Out: "out of cheese\n", Err: "stack\n", Exit: 3}, state.FailureUnreachable, "stack (it printed: out of cheese)", "out of cheese", false},
		"unknown lines":                {scene{Out: startLine + `{"type":"reply.v2","text":"x"}` + "\n" + `{"method":"item/x"}` + "\n" + endLine}, state.FailureEmpty, "", `2 of its 4 lines are unknown to moot: "reply.v2", "item/x"`, false},
		"unknown lines, then an error": {scene{Out: startLine + `{"type":"reply.v2"}` + "\n", Exit: 3}, state.FailureUnreachable, "", "", false},
		"empty":                        {scene{Out: startLine + endLine, Err: "no idea\n"}, state.FailureEmpty, "no idea", "no idea", false},
		"format":                       {scene{Out: "{\"kind\":\"a\"}\n"}, state.FailureFormat, `{"kind":"a"}`, "its format has changed", false},
		"key":                          {scene{Out: `{"type":"failed","why":"no: sk-fake-123456789","status":401}` + "\n", Exit: 1}, state.FailureLogin, "no: [REDACTED]", "rejected", false},
		"escapes":                      {scene{Out: "\x1b[31mout of cheese\x1b[0m\x07\n", Exit: 3}, state.FailureUnreachable, "", "out of cheese", false},
	} {
		_, err := stage(t, nil, c.scene).asked(t.Context(), "")
		cause := causeOf(t, err)
		if cause.Kind != c.kind || c.said != "" && cause.Said != c.said || cause.Resets.IsZero() == c.resets || !strings.Contains(err.Error(), c.in) {
			t.Errorf("%s: %+v\n%v", name, cause, err)
		}
		if c.resets && (cause.Resets.UTC().Hour() != 13 || !strings.Contains(err.Error(), "retry after ")) {
			t.Errorf("%s: %s, %v", name, cause.Resets, err)
		}
		if strings.ContainsAny(cause.Said, "\x1b\x07\n") || len([]rune(cause.Said)) > maxSaid {
			t.Errorf("%s: said %q", name, cause.Said)
		}
	}
}

// A reply about limits is a reply, and unknown lines beside one are skipped.
func TestReplyBesideUnknownLines(t *testing.T) {
	t.Parallel()
	const text = `1. The rate limit is reached too early [EVIDENCE] a.go:3 "limit"`
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	out := "Update available: 3.0\n" + startLine + `{"type":"news"}` + "\n" + `{"type":"delta","text":` + string(quoted) + "}\n" + endLine
	reply, err := stage(t, nil, scene{Out: out}).asked(t.Context(), "")
	if err != nil || reply.Text != text || len(reply.Notes) != 0 {
		t.Errorf("%+v %v", reply, err)
	}
}

// If a program that was started for the turn sent a whole message and exited with code 0, an unknown last
// line does not matter. Pieces without a whole message are not a reply.
func TestUnknownEnd(t *testing.T) {
	t.Parallel()
	seat := func(out string) *theatre {
		return stage(t, func(o *Options) {
			for i := range o.Adapter.Rules {
				if o.Adapter.Rules[i].Text != "" {
					o.Adapter.Rules[i].Message, o.Adapter.Rules[i].Text = "whole", "text"
				}
			}
		}, scene{Out: startLine + out + `{"type":"bye.v2"}` + "\n"})
	}
	reply, err := seat(`{"type":"delta","whole":"yes"}`+"\n").asked(t.Context(), "")
	if err != nil || reply.Text != "yes" || len(reply.Notes) != 1 || !strings.Contains(reply.Notes[0], `"bye.v2"`) {
		t.Errorf("%+v %v", reply, err)
	}
	_, err = seat(`{"type":"delta","text":"yes"}`+"\n").asked(t.Context(), "")
	if broken, is := errors.AsType[*protocol.Broken](err); !is || broken.Partial != "yes" {
		t.Errorf("%v", err)
	}
}

// readLines reads the output of a built-in program that was started for one turn.
func readLines(t *testing.T, name string, exit int, lines ...string) (string, error) {
	t.Helper()
	a, err := builtIn(name)
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(Options{Adapter: a})
	if err != nil {
		t.Fatal(err)
	}
	p.clock = func() time.Time { return time.Date(2026, time.November, 28, 14, 0, 0, 0, time.UTC) }
	n := (&turn{program: p, watch: func(protocol.Delta) {}}).answer()
	for _, line := range lines {
		if err := n.take([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	_, err = p.ended(n, &process.Result{Exit: exit})
	return n.text(), err
}

// Results of claude, qwen and opencode that say one thing and mean another.
func TestResults(t *testing.T) {
	t.Parallel()
	const (
		text    = `{"type":"assistant","message":{"content":[{"type":"text","text":"1. The loop has no limit"}]},"parent_tool_use_id":null}`
		inner   = `{"type":"assistant","message":{"content":[{"type":"text","text":"of a subagent"}]},"parent_tool_use_id":"t1"}`
		look    = `{"type":"assistant","message":{"content":[{"type":"text","text":"I look."},{"type":"tool_use","name":"Read","input":{}}]},"parent_tool_use_id":null}`
		limited = `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1795888800}}`
		allowed = `{"type":"rate_limit_event","rate_limit_info":{"status":"allowed","resetsAt":1795888800}}`
	)
	result := func(rest string) string { return `{"type":"result","session_id":"s",` + rest + `}` }
	for name, c := range map[string]struct {
		program  string
		lines    []string
		reply    string
		kind     state.FailureKind
		in       string
		resetsAt int
	}{
		"null result":        {program: "claude", lines: []string{text, inner, result(`"subtype":"success","is_error":false,"result":null`)}, reply: "1. The loop has no limit"},
		"text before a tool": {program: "claude", lines: []string{look, result(`"subtype":"success","is_error":false,"result":""`)}, kind: state.FailureEmpty, in: "without a reply"},
		"too many turns":     {program: "claude", lines: []string{result(`"subtype":"error_max_turns","is_error":true,"result":""`)}, kind: state.FailureUnreachable, in: "error_max_turns"},
		"no error":           {program: "claude", lines: []string{text, result(`"subtype":"error_max_turns","is_error":false`)}, kind: state.FailureUnreachable, in: "error_max_turns"},
		"explained":          {program: "claude", lines: []string{result(`"subtype":"error_max_turns","is_error":true,"errors":["Reached maximum number of turns (1)"]`)}, kind: state.FailureUnreachable, in: "Reached maximum number of turns (1)"},
		"status":             {program: "claude", lines: []string{result(`"subtype":"success","is_error":false,"api_error_status":429,"result":"1. Not a review"`)}, kind: state.FailureLimit, in: "1. Not a review"},
		"reset of the event": {program: "claude", lines: []string{limited, result(`"subtype":"success","is_error":false,"result":"You've hit your limit"`)}, kind: state.FailureLimit, in: "retry after Nov 28 18:00 UTC", resetsAt: 18},
		"allowed event":      {program: "claude", lines: []string{allowed, result(`"subtype":"success","is_error":true,"result":"Credit balance is too low"`)}, kind: state.FailureLimit, in: "retry later"},
		"review of limits":   {program: "claude", lines: []string{result(`"subtype":"success","is_error":false,"result":"1. The rate limit reached in line 3 is never reset"`)}, reply: "1. The rate limit reached in line 3 is never reset"},
		"qwen":               {program: "qwen-code", lines: []string{result(`"subtype":"success","is_error":false,"result":"[API Error: 429 You exceeded your current quota. Please retry in 36.5s.]"`)}, kind: state.FailureLimit, in: "retry after Nov 28 14:01 UTC", resetsAt: 14},
		"qwen failed":        {program: "qwen-code", lines: []string{result(`"subtype":"error_during_execution","is_error":true,"error":{"message":"out of cheese"}`)}, kind: state.FailureUnreachable, in: "out of cheese"},
		"filtered":           {program: "opencode", lines: []string{`{"type":"text","part":{"text":"half"}}`, `{"type":"step_finish","part":{"reason":"content-filter"}}`}, kind: state.FailureFiltered, in: "a filter stopped its reply"},
		"name alone":         {program: "opencode", lines: []string{`{"type":"error","error":{"name":"ProviderAuthError","data":{}}}`}, kind: state.FailureLogin, in: "ProviderAuthError"},
		"codex before 0.60":  {program: "codex", lines: []string{`{"type":"item.completed","item":{"item_type":"assistant_message","text":"yes"}}`, `{"type":"turn.completed","usage":{}}`}, reply: "yes"},
		"codex item":         {program: "codex", lines: []string{`{"type":"turn.started"}`, `{"type":"item.finished","item":{"type":"msg","text":"yes"}}`, `{"type":"turn.completed","usage":{}}`}, kind: state.FailureEmpty, in: `"item.finished msg"`},
	} {
		reply, err := readLines(t, c.program, 0, c.lines...)
		if c.kind == state.FailureNone {
			if err != nil || reply != c.reply {
				t.Errorf("%s: %q %v", name, reply, err)
			}
			continue
		}
		if err == nil {
			t.Errorf("%s: took %q for a reply", name, reply)
			continue
		}
		cause := causeOf(t, err)
		if cause.Kind != c.kind || !strings.Contains(err.Error(), c.in) || cause.Resets.IsZero() != (c.resetsAt == 0) ||
			c.resetsAt > 0 && cause.Resets.UTC().Hour() != c.resetsAt {
			t.Errorf("%s: %+v\n%v", name, cause, err)
		}
	}
}
