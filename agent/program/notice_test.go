package program

import (
	"strings"
	"testing"
	"time"

	"moot/state"
)

// Each is a whole reply that a program printed in place of one, with what it means; "" if only that it
// failed is known.
func TestNoticesAreFailures(t *testing.T) {
	t.Parallel()
	for reply, want := range map[string]Meaning{
		"You've hit your limit · resets 1pm (Europe/Berlin)":                                                             Busy,
		"You’ve hit your session limit ∙ resets 3:45pm":                                                                  Busy,
		"You've hit your Opus limit · resets Dec 4, 10am (UTC)\n/upgrade to increase your usage limit.":                  Busy,
		"You've hit your monthly spend limit. /model to switch models.":                                                  Busy,
		"Claude AI usage limit reached|1797938000":                                                                       Busy,
		"Claude usage limit reached. Your limit will reset at 3pm (America/New_York).":                                   Busy,
		"5-hour limit reached ∙ resets 3am":                                                                              Busy,
		"You've hit your Fable 5 limit · resets 3am":                                                                     Busy,
		"Weekly limit reached · resets Monday 9am":                                                                       Busy,
		"You're out of extra usage · resets 3am (UTC)":                                                                   Busy,
		"API Error: Rate limit reached":                                                                                  Busy,
		"Rate limit exceeded, please try again later.":                                                                   Busy,
		"Rate limit reached for gpt-5 in organization org-x on tokens per min (TPM): Limit 30000":                        Busy,
		"Error: 429 Too Many Requests":                                                                                   Busy,
		"Credit balance is too low":                                                                                      Busy,
		"Insufficient balance":                                                                                           Busy,
		"You've hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro) or try again at 4:48 PM.":         Busy,
		"You've hit your usage limit for gpt-5-codex. Switch to another model now, or try again in 3 days 4 hours.":      Busy,
		"You exceeded your current quota, please check your plan and billing details.":                                   Busy,
		"You have exhausted your daily quota on this model.":                                                             Busy,
		"[API Error: You have exhausted your capacity on this model. Your quota will reset after 2h3m4s.]":               Busy,
		"[API Error: 429 You exceeded your current quota]":                                                               Busy,
		`API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`:                     Busy,
		"API Error: 500 upstream exploded. This is a server-side issue.":                                                 Away,
		"[API Error: Connection error. (cause: fetch failed)]":                                                           Away,
		"[API Error: 401 Incorrect API key provided]":                                                                    Refused,
		"Invalid API key · Please run /login":                                                                            Login,
		"Not logged in · Please run /login":                                                                              Login,
		"Prompt is too long":                                                                                             Long,
		"I'm sorry, but I can't assist with that request.":                                                               Declined,
		"API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy (https)": Declined,
		"API Error: Claude's response exceeded the 32000 output token maximum.":                                          "",
		"\x1b[31mYou've hit your limit\x1b[0m · resets 1pm":                                                              Busy,
	} {
		f, is := (&Adapter{}).notice(reply)
		if means := Meaning(""); !is || f != nil && f.Means != want || f == nil && want != means {
			t.Errorf("%q: %v %+v, not %q", reply, is, f, want)
		}
	}
}

// A reply that only talks about limits, or that has moves, is a reply.
func TestReviewsOfLimitsAreNoFailures(t *testing.T) {
	t.Parallel()
	for _, reply := range []string{
		"1. The rate limit is never reached [EVIDENCE] limit.go:3 \"limit = 8\"",
		"Rate limit reached: your loop never backs off.",
		"Rate limit reached in the loop is not handled",
		"The usage limit reached in line 4 stops the queue; resets are missing.",
		"You've reached the limit of what this loop can do.",
		"You've hit your head on the limit.",
		"You've hit your limit · resets 1pm\n\n1. The loop has no limit [EVIDENCE] a.go:3 \"for {\"",
		"You've hit your limit · resets 1pm\nAGREE: P1",
		`{"moves":[{"move":"RAISE","text":"You've hit your limit · resets 1pm"}]}`,
		"AGREE: the credit balance is too low to retry",
		"Re C1: rate limit exceeded, please try again later",
		"API errors are swallowed in fetch.go",
		"API error: the handler hides 429",
		"Too many requests are queued before the first is sent.",
		"Insufficient credit checks: the refund path has none.",
		"I can't help but notice that the loop has no limit.",
		"I can't help with the loop without reading a.go.",
		"Not logged in users can call /admin.",
		"Unauthorized users reach line 4.",
		"Connection errors are not retried.",
		"Prompt is too long for the title bar.",
		"You've hit your limit · resets 1pm" + strings.Repeat("\nMore about the loop.", maxNoticeLines),
		"You've hit your limit · resets " + strings.Repeat("x", maxNotice),
		"", "   \n", "API Error", "·∙•",
	} {
		if f, is := (&Adapter{}).notice(reply); is {
			t.Errorf("%q is taken for %+v", reply, f)
		}
	}
}

func TestResetTime(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 28, 14, 0, 0, 0, time.UTC) // A Saturday.
	for said, want := range map[string]string{
		"You've hit your limit · resets 1pm (Europe/Berlin)":  "2026-11-29T12:00:00Z",
		"resets 4pm (Europe/Berlin)":                          "2026-11-28T15:00:00Z",
		"5-hour limit reached ∙ resets 3am":                   "2026-11-29T03:00:00Z",
		"resets 12am":                                         "2026-11-29T00:00:00Z",
		"Your limit will reset at 3:45pm (America/New_York).": "2026-11-28T20:45:00Z",
		"or try again at 4:48 PM.":                            "2026-11-28T16:48:00Z",
		"or try again at Dec 2nd, 2026 4:48 PM.":              "2026-12-02T16:48:00Z",
		"resets Dec 4, 10am (UTC)":                            "2026-12-04T10:00:00Z",
		"resets Jan 3 at 10:30am":                             "2027-01-03T10:30:00Z",
		"resets Dec 1":                                        "2026-12-01T00:00:00Z",
		"Weekly limit reached · resets Monday 9am":            "2026-11-30T09:00:00Z",
		"resets tomorrow at 08:15":                            "2026-11-29T08:15:00Z",
		"resets 15:30 UTC":                                    "2026-11-28T15:30:00Z",
		"Try again in 3 days 4 hours 9 minutes.":              "2026-12-01T18:09:00Z",
		"Your quota will reset after 2h3m4s.":                 "2026-11-28T16:03:04Z",
		"Please retry in 36.5s.":                              "2026-11-28T14:00:36.5Z",
		"resets in 1 hour and 5 minutes":                      "2026-11-28T15:05:00Z",
		"Retry-After: 120 s":                                  "2026-11-28T14:02:00Z",
		"Claude AI usage limit reached|1795881600":            "2026-11-28T16:00:00Z",
		"limit resets at 2026-11-29T01:02:03Z":                "2026-11-29T01:02:03Z",
		"resets 3pm (Mars/Olympus)":                           "", // Better none than a wrong one.
		"resets 13pm":                                         "",
		"resets 25:00":                                        "",
		"resets in 2 months":                                  "",
		"resets 3":                                            "",
		"the limit resets when the hour is over":              "",
		"usage limit reached|1000000000":                      "", // Long ago.
		"try again at Feb 31":                                 "",
		"resets in 99999999 days":                             "",
		"API Error: Rate limit reached":                       "",
		"Das Limit ist erreicht":                              "",
		"resets " + strings.Repeat("1", 4000) + "pm":          "",
		"Rate limit reached for gpt-5 on tokens per min: Please try again in": "",
	} {
		got := ""
		if at := resetTime(said, now); !at.IsZero() {
			got = at.UTC().Format(time.RFC3339Nano)
		}
		if got != want {
			t.Errorf("%.80q: %s, not %s", said, got, want)
		}
	}
}

// Every meaning has a kind in the result, and those that are a person's to fix have their own.
func TestKinds(t *testing.T) {
	t.Parallel()
	want := map[Meaning]state.FailureKind{
		Login: state.FailureLogin, Refused: state.FailureLogin, Busy: state.FailureLimit, Long: state.FailureContext,
		Declined: state.FailureRefused, Filtered: state.FailureFiltered,
	}
	for _, m := range Meanings() {
		kind := want[m]
		if kind == "" {
			kind = state.FailureUnreachable
		}
		if m.kind() != kind {
			t.Errorf("%s is %s", m, m.kind())
		}
	}
}

// Nothing that a program says is an error, and a reset is near.
func FuzzNotice(f *testing.F) {
	for _, text := range []string{"You've hit your limit · resets 1pm (Europe/Berlin)", "[API Error: 429 x]", "resets in 1e9 h", "\xff|1797938000", "resets Feb 29"} {
		f.Add(text)
	}
	now := time.Date(2026, time.November, 28, 14, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = (&Adapter{}).notice(text)
		if at := resetTime(text, now); !at.IsZero() && (at.Before(now.Add(-time.Hour)) || at.After(now.AddDate(2, 0, 0))) {
			t.Errorf("%q: %s", text, at)
		}
	})
}
