package run

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"moot/protocol"
	"moot/protocol/consult"
	"moot/protocol/council"
	"moot/protocol/council/constitution"
	"moot/protocol/dialectic"
	"moot/protocol/hearing"
	"moot/protocol/hearing/judge"
	"moot/protocol/panel"
	"moot/protocol/protocoltest"
	"moot/protocol/reply"
	"moot/state"
	"moot/view"
)

// inTurn returns a participant that gives these replies or errors one after the other, and then what good says.
func inTurn(good protocol.Participant, replies ...any) *seat {
	return &seat{name: "script", reply: func(ctx context.Context, call protocol.Call,
		watch func(protocol.Delta),
	) (protocol.Reply, error) {
		if len(replies) == 0 {
			return good.Reply(ctx, call, watch)
		}
		next := replies[0]
		replies = replies[1:]
		if err, failed := next.(error); failed {
			return protocol.Reply{Attempts: 1}, err
		}
		return protocol.Reply{Text: next.(string), Attempts: 1}, nil
	}}
}

// broken is the error of a reply that could not be used.
func broken(code string, kind state.FailureKind, said string) error {
	return &protocol.Broken{Code: code, What: "script did something else", Cause: protocol.Cause{Kind: kind, Said: said}}
}

// ended runs a consultation whose consultee gives these replies or errors first, and returns its state.
func ended(t *testing.T, set func(*state.SessionOpened), replies ...any) (*state.State, *record) {
	t.Helper()
	log, seats := &record{}, agreeable()
	seats[state.Consultee] = inTurn(seats[state.Consultee], replies...)
	o := options(t, log, protocoltest.Opened(consult.Name, set), seats)
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return again(t, o, log).State, log
}

func unset(*state.SessionOpened) {}

// EX4: the exit says what happened to the two replies. Only replies that were not in the form that was asked for
// failed the format.
func TestExitSaysWhatHappenedToTheReplies(t *testing.T) {
	const who = "the consultee (script) "
	const said = "I'm sorry, I can't help with that."
	for name, c := range map[string]struct {
		replies []any
		kind    state.FailureKind
		text    string
		reason  string
	}{
		"declined": {
			[]any{broken("refused", state.FailureRefused, said), broken("refused", state.FailureRefused, said)},
			state.FailureRefused, said, who + `declined to answer twice: "` + said + `"`,
		},
		"declined, by the code alone": {
			[]any{broken("refused", "", ""), broken("refused", "", "")},
			state.FailureRefused, "it did something else", who + "declined to answer twice: it did something else",
		},
		"filtered": {
			[]any{broken("filtered", state.FailureFiltered, ""), broken("filtered", state.FailureFiltered, "blocked by policy 7")},
			state.FailureFiltered, "blocked by policy 7",
			who + `had its reply stopped by the provider's filter twice: "blocked by policy 7"`,
		},
		"thought too long": {
			[]any{broken("length", state.FailureThinking, ""), broken("length", state.FailureThinking, "")},
			state.FailureThinking, "it did something else", who + "twice used up its tokens while thinking",
		},
		"looked too long": {
			[]any{broken("empty", state.FailureLookups, ""), broken("empty", state.FailureLookups, "")},
			state.FailureLookups, "it did something else", who + "twice kept looking things up and never replied",
		},
		"no text": {[]any{"", " \n"}, state.FailureEmpty, "", who + "sent no text twice"},
		"no text, by the code alone": {
			[]any{broken("empty", "", ""), broken("empty", "", "")},
			state.FailureEmpty, "it did something else",
			who + "sent no text twice",
		},
		"only thoughts": {
			[]any{"<think>hm</think>", "<think>hm</think>"},
			state.FailureEmpty, "only thoughts came, and no reply",
			who + "sent no text twice",
		},
		"not as asked": {
			[]any{"Well.", "\nIt depends.\nOn much."},
			state.FailureFormat, "It depends.",
			who + `failed the format twice in a row: "It depends."`,
		},
		"cut": {
			[]any{broken("length", "", ""), broken("length", "", "")},
			state.FailureFormat, "it did something else",
			who + "failed the format twice in a row: it did something else",
		},
		"declined, then no text": {
			[]any{broken("refused", state.FailureRefused, said), ""},
			state.FailureEmpty, "",
			who + "declined to answer, then sent no text",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, log := ended(t, unset, c.replies...)
			if s.Exit != state.ExitQuality || s.ExitReason != c.reason {
				t.Errorf("exit %s: %s\nwant %s", s.Exit, s.ExitReason, c.reason)
			}
			if f := s.ExitFailure; f.Seat != state.Consultee || f.Kind != c.kind || f.Text != c.text {
				t.Errorf("failure %+v", f)
			}
			if strings.Contains(s.ExitReason, "failed the format") != (c.kind == state.FailureFormat) {
				t.Errorf("%s: %s", c.kind, s.ExitReason)
			}
			// The event itself says it, for those who read no other.
			for _, e := range log.events {
				if exit, is := e.Data.(*state.ExitReached); is && (exit.Failure == nil || *exit.Failure != s.ExitFailure) {
					t.Errorf("the exit records %+v", exit.Failure)
				}
			}
		})
	}
}

// EX4 is the same in every format: two replies in a row that could not be used end it, and the exit says why.
func TestEveryFormatSaysWhyItEnded(t *testing.T) {
	refused := func() *seat {
		return inTurn(nil, broken("refused", state.FailureRefused, "no"), broken("refused", state.FailureRefused, "no"))
	}
	for name, c := range map[string]struct {
		open func(t *testing.T, log *record) Options
		want string
	}{
		"dialectic": {func(t *testing.T, log *record) Options {
			return options(t, log, protocoltest.Opened(dialectic.Name), map[state.Seat]protocol.Participant{
				dialectic.Proposer: refused(), dialectic.PressureTester: says(nil),
			})
		}, `the proposer (script) declined to answer twice: "no"`},
		"council": {func(t *testing.T, log *record) Options {
			return options(t, log, protocoltest.Opened(council.Name), map[state.Seat]protocol.Participant{
				constitution.Strategist: refused(), constitution.Critic: says(nil), constitution.Adversary: says(nil),
				constitution.Moderator: says(nil),
			})
		}, `the strategist (script) declined to answer twice: "no"`},
		"hearing": {func(t *testing.T, log *record) Options {
			o := options(t, log, protocoltest.Opened(hearing.Name), map[state.Seat]protocol.Participant{
				judge.Architect: refused(), judge.Skeptic: says(nil),
			})
			return frozen(t, o, log, protocoltest.Packet(t, 9))
		}, `the architect (script) declined to answer twice: "no"`},
		"panel": {func(t *testing.T, log *record) Options {
			seats := several(2)
			seats["panelist-2"] = refused()
			return panelRun(t, log, protocoltest.Opened(panel.Name, protocoltest.Panelists(2)), seats)
		}, `only panelist answered: there is nothing to compare; panelist-2 (script) declined to answer twice: "no"`},
		"panel without an answer": {func(t *testing.T, log *record) Options {
			seats := several(2)
			seats[panel.Panelist], seats["panelist-2"] = refused(), refused()
			return panelRun(t, log, protocoltest.Opened(panel.Name, protocoltest.Panelists(2)), seats)
		}, `nobody answered: panelist (script) declined to answer twice: "no"; panelist-2 (script) declined to answer twice: "no"`},
	} {
		t.Run(name, func(t *testing.T) {
			log := &record{}
			o := c.open(t, log)
			if err := New(o).Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			s := again(t, o, log).State
			if s.Exit != state.ExitQuality || s.ExitReason != c.want || s.ExitFailure.Kind != state.FailureRefused {
				t.Errorf("exit %s: %s\n%+v", s.Exit, s.ExitReason, s.ExitFailure)
			}
		})
	}
}

// EX7: a pause says who could not be asked, why, in whose words, until when, and what to do. It is forgotten when the
// session continues.
func TestPauseSaysWhy(t *testing.T) {
	resets := time.Date(2026, 11, 28, 17, 30, 0, 0, time.FixedZone("", 3600))
	for name, c := range map[string]struct {
		why    error
		kind   state.FailureKind
		paused state.PauseKind
		reason string
	}{
		"limit": {
			&protocol.Unreachable{Participant: "script", What: "it answered 429: You exceeded your quota. See there.", Fix: "add credit", Cause: protocol.Cause{
				Kind: state.FailureLimit, Said: "You exceeded your quota.\nSee there.", Resets: resets,
			}},
			state.FailureLimit, state.PauseUnreachable,
			`the consultee (script) reached a limit: "You exceeded your quota."; the limit resets at 2026-11-28 16:30 UTC; it answered 429; add credit`,
		},
		"login": {
			&protocol.Unreachable{Participant: "script", What: "asks for a key", Cause: protocol.Cause{Kind: state.FailureLogin}},
			state.FailureLogin, state.PauseUnreachable, "the consultee (script) needs a valid key or login: asks for a key",
		},
		"no cause": {
			&protocol.Unreachable{Participant: "script", What: "connection refused", Fix: "start it"},
			state.FailureUnreachable, state.PauseUnreachable,
			"the consultee (script) gave no answer: connection refused; start it",
		},
		"too long": {
			&protocol.TooLong{Participant: "script", What: "refused it"}, state.FailureContext, state.PauseContext,
			"the consultee (script) cannot take a prompt this long: refused it; ",
		},
	} {
		t.Run(name, func(t *testing.T) {
			log, seats := &record{}, agreeable()
			seats[state.Consultee] = inTurn(seats[state.Consultee], c.why, c.why, c.why, c.why)
			o := options(t, log, protocoltest.Opened(consult.Name), seats)
			if err := New(o).Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			s := again(t, o, log).State
			if s.Paused != c.paused || !strings.HasPrefix(s.PauseReason, c.reason) || s.PauseFailure.Kind != c.kind ||
				s.PauseFailure.Seat != state.Consultee {
				t.Errorf("paused %s: %s\n%+v", s.Paused, s.PauseReason, s.PauseFailure)
			}
			seats[state.Consultee] = agreeable()[state.Consultee]
			if err := New(again(t, o, log)).Run(t.Context()); err != nil {
				t.Fatal(err)
			}
			s = again(t, o, log).State
			if failure, line := view.StopOf(s); !s.Closed || failure != (view.Failure{}) || line != "" {
				t.Errorf("it went well after that, and still says %+v %q", failure, line)
			}
		})
	}
}

// A reply that breaks off twice pauses the session, in the words of the participant if there are some.
func TestBrokenOffTwiceSaysWhy(t *testing.T) {
	s, _ := ended(t, unset, broken("broken", state.FailureUnreachable, "overloaded"), broken("broken", "", "overloaded"))
	want := `the consultee (script) failed: "overloaded"; its reply broke off again: script did something else; check whether it still runs, or replace it`
	if s.Paused != state.PauseUnreachable || s.PauseReason != want {
		t.Errorf("paused %q: %s", s.Paused, s.PauseReason)
	}
	// A reply that broke off for another reason than the connection counts for EX4.
	s, _ = ended(t, unset, broken("broken", state.FailureFiltered, ""), broken("broken", state.FailureFiltered, ""))
	if s.Paused != state.PauseNone || s.Exit != state.ExitQuality {
		t.Errorf("paused %q, exit %q", s.Paused, s.Exit)
	}
}

// An error that ends the run is on record as well, so that the session says why it goes no further.
func TestOtherErrorsAreOnRecord(t *testing.T) {
	log, seats := &record{}, agreeable()
	seats[state.Consultee] = failing(errors.New("the file is gone"))
	o := options(t, log, protocoltest.Opened(consult.Name), seats)
	if err := New(o).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "ask consultee (script): the file is gone") {
		t.Fatalf("got %v", err)
	}
	s := again(t, o, log).State
	if s.PauseReason != "the consultee (script) gave no answer: the file is gone" || s.PauseFailure.Seat != state.Consultee {
		t.Errorf("paused %q: %s, %+v", s.Paused, s.PauseReason, s.PauseFailure)
	}
}

// A valid reply ends the row: a failure before it and one after it are not two in a row.
func TestValidReplyEndsTheRow(t *testing.T) {
	s, _ := ended(t, unset, "Well.", `1. Alpha holds a/a.go:1 "alpha"`, "Well.")
	if s.Exit != state.ExitConverged || len(s.Failures) > 0 {
		t.Errorf("exit %s, failures %+v", s.Exit, s.Failures)
	}
}

// A seat that writes lookups when none are left, and nothing else, did not fail the format.
func TestOnlyLookupsAreNoFormatFailure(t *testing.T) {
	log, seats := &record{}, agreeable()
	seats[state.Consultee] = &lookingSeat{*says(map[state.Stage]string{
		state.StagePropose: `{"moves":[{"move":"LIST","glob":"**"}]}`,
	})}
	o := options(t, log, protocoltest.Opened(consult.Name, func(o *state.SessionOpened) { o.Settings.Lookups = 2 }), seats)
	o.Looker = looker{}
	if err := New(o).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := again(t, o, log).State
	if want := "the consultee (script) kept looking things up and never replied"; s.ExitReason != want ||
		s.ExitFailure.Kind != state.FailureLookups {
		t.Errorf("exit %s: %s\n%+v", s.Exit, s.ExitReason, s.ExitFailure)
	}
}

// What a participant said is one bounded line without control characters and secrets, unless the user wants to keep
// secrets.
func TestFailureQuotesNoSecrets(t *testing.T) {
	const key = "sk-proj-" + "AbCdEfGhIjKlMnOpQrSt0123456789"
	hostile := "\n\x1b]0;title\a key " + key + " \u202e" + strings.Repeat("x", 1<<20) + "\nsecond"
	for _, c := range []struct {
		reply any
		keep  bool
	}{
		{reply: broken("refused", state.FailureRefused, hostile)},
		{reply: hostile[:1000]},
		{reply: broken("refused", state.FailureRefused, hostile), keep: true},
	} {
		s, _ := ended(t, func(o *state.SessionOpened) { o.Settings.NoRedact = c.keep }, c.reply, c.reply)
		_, line := view.StopOf(s)
		if strings.ContainsAny(line, "\x1b\a\n\u202e") || len(line) > 600 || strings.Contains(line, "second") {
			t.Errorf("%d bytes: %q", len(line), line)
		}
		if strings.Contains(line, key) != c.keep || strings.Contains(line, "[REDACTED") == c.keep {
			t.Errorf("keep %v: %q", c.keep, line)
		}
	}
}

// A failure that was changed does not recompute.
func TestVerifyFindsForgedFailures(t *testing.T) {
	_, log := ended(t, unset, broken("empty", "", ""), "Well.")
	changed := func(change func(p state.Payload) state.Payload) []state.Event {
		var events []state.Event
		for _, e := range log.events {
			e.Data = change(e.Data)
			events = append(events, e)
		}
		return events
	}
	for name, forged := range map[string]func(f *state.Failure){
		"kind": func(f *state.Failure) { f.Kind = state.FailureLimit }, "text": func(f *state.Failure) { f.Text = "Hm." },
	} {
		for _, kind := range []string{"exit-reached", "reply-refused"} {
			events := changed(func(p state.Payload) state.Payload {
				switch e := p.(type) {
				case *state.ExitReached:
					changed, failure := *e, *e.Failure
					if changed.Failure = &failure; kind == "exit-reached" {
						forged(&failure)
					}
					return &changed
				case *state.ReplyRefused:
					changed, failure := *e, *e.Failure
					if changed.Failure = &failure; kind == "reply-refused" && reply.Unreadable(e.Code) {
						forged(&failure)
					}
					return &changed
				}
				return p
			})
			if recomputes(t, events) == nil {
				t.Errorf("another %s in %s is not found", name, kind)
			}
		}
	}
}
