package program

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

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
