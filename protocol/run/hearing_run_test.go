package run

import (
	"context"
	"strings"
	"sync"
	"testing"

	"moot/protocol"
	"moot/state"
)

// arguing is a participant that holds every seat of a hearing, and that a test lets
// fail. What it says takes an anchored hearing with an oracle through two rounds.
type arguing struct {
	// fails is how often each call is still to fail, by "seat stage round", and why.
	fails map[string]int
	why   error

	sync.Mutex
	calls []string
}

func (*arguing) Name() string { return "both of them" }

func (*arguing) Modelless() bool { return false }

func (*arguing) Estimate(tokens int) (float64, bool) { return float64(tokens), true }

func (a *arguing) Reply(_ context.Context, call protocol.Call, _ func(protocol.Delta)) (protocol.Reply, error) {
	a.Lock()
	defer a.Unlock()
	name := nameOf(call)
	a.calls = append(a.calls, name)
	name = strings.TrimSuffix(name, " again")
	if a.fails[name] > 0 {
		a.fails[name]--
		return protocol.Reply{}, a.why
	}
	text := map[string]string{
		"architect argue 1":    "CLAIM [f1, f2] 0.8: the account logged on from outside\nCONCLUDE 0.8",
		"skeptic argue 1":      "CLAIM [f3] 0.7: the backup ran\nCONCLUDE 0.6",
		"oracle probe 1":       "CONTRADICT P2 [f7]: the logon failed",
		"architect exchange 2": "ANSWER C1 [f8]: the next one did not\nSCORE P2 0.7 because f7\nCONCLUDE 0.75",
		"skeptic exchange 2":   "ANSWER C1: so it did\nCONTRADICT P2 [f9]: it is another host\nCONCLUDE 0.65",
		"architect exchange 3": "ANSWER C2 [f1]: it is the same host\nCONCLUDE 0.75",
		"skeptic exchange 3":   "CONCLUDE 0.65",
	}[name]
	return protocol.Reply{Text: text, PromptTokens: 100, CompletionTokens: 10, Cost: 0.25, Attempts: 1}, nil
}

// argues has one participant on all seats of an anchored hearing with an oracle.
func argues(t *testing.T, log *record, p *arguing) Options {
	t.Helper()
	o := openedAs(state.FormatHearing, func(o *state.SessionOpened) {
		o.Settings.Hearing.Form, o.Settings.Hearing.Oracle = state.FormAnchored, true
		o.Seats = append(o.Seats, state.SeatAssignment{Seat: state.Oracle, Participant: "script"})
	})
	seats := map[state.Seat]protocol.Participant{}
	for _, a := range o.Seats {
		seats[a.Seat] = p
	}
	return frozen(t, options(t, log, o, seats), log, factsOf(t, 9))
}
