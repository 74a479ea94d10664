package run

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"moot/protocol"
	"moot/protocol/hearing"
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

// hearingSummary summarizes a hearing independent of the order of parallel replies.
func hearingSummary(s *state.State) string {
	lines := strings.Split(recordedOf(s), "\n")
	slices.Sort(lines)
	return fmt.Sprintf("%s round %d %d points %d challenges\n%s", s.Exit, s.Round, s.Points.Len(), s.Challenges.Len(), strings.Join(lines, "\n"))
}

// wholeHearing runs a hearing without a hitch.
func wholeHearing(t *testing.T) (told string, calls []string) {
	t.Helper()
	log, p := &record{}, &arguing{}
	s, _ := runs(t, argues(t, log, p), log, nothing)
	if s.Exit != state.ExitCap || s.Round != 3 || s.Challenges.Len() != 2 {
		t.Fatalf("exit %q in round %d with %d challenges: %v", s.Exit, s.Round, s.Challenges.Len(), p.calls)
	}
	return hearingSummary(&s), p.calls
}

// EX7: if a participant is unreachable at any stage, the hearing pauses and names the seat. It resumes from the
// last event, and the other side's reply to the same turn is kept and admitted once.
func TestHearingPausesIfUnreachable(t *testing.T) {
	want, calls := wholeHearing(t)
	for _, call := range calls {
		log, p := &record{}, &arguing{fails: map[string]int{call: 1}, why: &protocol.Unreachable{Participant: "x", What: "connection refused", Fix: "start it"}}
		reason := ""
		s, pauses := runs(t, argues(t, log, p), log, func(s state.State) { reason = s.PauseReason })
		if !slices.Equal(pauses, []state.PauseKind{state.PauseUnreachable}) || !strings.HasPrefix(reason, strings.Fields(call)[0]+": ") {
			t.Errorf("%s: paused for %v: %s", call, pauses, reason)
		}
		if strings.Fields(call)[1] == "argue" {
			// The ids of the first claims depend on the order of the answers.
			continue
		}
		if s.Exit != state.ExitCap || len(p.calls) != len(calls)+1 {
			t.Errorf("%s: exit %q, asked %v", call, s.Exit, p.calls)
		}
		if got := hearingSummary(&s); got != want {
			t.Errorf("%s: it came to\n%s\nand without the pause to\n%s", call, got, want)
		}
	}
}

// PH3: a broken reply costs only a call. EX4: two invalid replies in a row from any seat end the hearing with a
// reason. EX7: two truncated replies pause it instead.
func TestBrokenRepliesOfAHearing(t *testing.T) {
	_, calls := wholeHearing(t)
	for _, call := range calls {
		for _, c := range brokenReplies() {
			log, p := &record{}, &arguing{fails: map[string]int{call: c.times}, why: c.why()}
			s, pauses := runs(t, argues(t, log, p), log, nothing)
			// The ids of the first claims, and so the last round, depend on the order of the answers.
			exit := s.Exit
			if exit == state.ExitCap {
				exit = state.ExitConverged
			}
			if exit != c.exit || !slices.Equal(pauses, c.pauses) || c.exit == state.ExitQuality && !strings.Contains(s.ExitReason, strings.Fields(call)[0]) {
				t.Errorf("%s, %d %s: exit %q (%s), pauses %v", call, c.times, c.code, s.Exit, s.ExitReason, pauses)
			}
		}
	}
}

// EX6: a used-up budget pauses the hearing before the next call; a higher budget lets it continue.
func TestBudgetsOfAHearing(t *testing.T) {
	want, calls := wholeHearing(t)
	log, p := &record{}, &arguing{}
	o := argues(t, log, p)
	log.events[0].Data.(*state.SessionOpened).Settings.MaxCost = 0.1
	s, pauses := runs(t, again(t, o, log), log, func(s state.State) { log.does(t, s, protocol.SetBudget{MaxCost: s.Usage.Cost + 0.01}) })
	if len(pauses) < 2 || slices.ContainsFunc(pauses, func(p state.PauseKind) bool { return p != state.PauseBudget }) {
		t.Errorf("paused for %v", pauses)
	}
	if got := hearingSummary(&s); got != want || len(p.calls) != len(calls) {
		t.Errorf("with %d calls it came to\n%s\nand without a budget to\n%s", len(p.calls), got, want)
	}
}

// Who is at it when the person cancels is asked again, alone; what the other side
// answered is kept, and not shown to who is asked again.
func TestOneSideIsCancelled(t *testing.T) {
	for _, slow := range []state.Seat{state.Architect, state.Skeptic} {
		log, p := &record{told: make(chan protocol.Notice, 1000)}, &arguing{}
		o := argues(t, log, p)
		o.Attended = true
		held := hold(p)
		o.Participants[slow] = held
		r := New(o)
		done := make(chan error, 1)
		go func() { done <- r.Run(t.Context()) }()
		<-held.asked
		other := state.Opponent(slow)
		until(t, log, func(n protocol.CallEnded) bool { return n.Seat == other })
		r.CancelCall(t.Context())
		ready := until(t, log, func(n protocol.TurnReady) bool { return len(n.Asks) > 0 })
		if len(ready.Asks) != 1 || ready.Asks[0].Seat != slow {
			t.Fatalf("asked again: %+v", ready.Asks)
		}
		said := map[state.Seat]string{state.Architect: "logged on from outside", state.Skeptic: "backup ran"}[other]
		if shown := r.Preview(t.Context())[slow].Text; strings.Contains(shown, said) || !strings.Contains(shown, "f9 |") {
			t.Errorf("the %s is shown: %s", slow, shown)
		}
		close(held.free)
		r.Auto(t.Context(), true)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if s := again(t, o, log).State; s.Exit != state.ExitCap && s.Exit != state.ExitConverged {
			t.Errorf("the %s was cancelled, and it ended by %q in round %d", slow, s.Exit, s.Round)
		}
	}
}

// The minimum cost of a round is announced before its first call: both sides, and the oracle in round 1 once it is
// certain to speak.
func TestForecastsOfAHearing(t *testing.T) {
	log, p := &record{}, &arguing{}
	runs(t, argues(t, log, p), log, nothing)
	var told []int
	for _, n := range log.notices {
		if f, ok := n.(protocol.Forecast); ok {
			told = append(told, f.Calls)
		}
	}
	if !slices.Equal(told, []int{3, 2, 2}) {
		t.Errorf("told %v calls, and %v were made", told, p.calls)
	}
	for _, c := range []struct {
		form  state.Form
		stage state.Stage
		least int
	}{
		{state.FormSingle, state.StageArgue, 2},
		{state.FormSelective, state.StageArgue, 2},
		{state.FormMulti, state.StageArgue, 3},
		{state.FormAudit, state.StageContest, 4},
		{state.FormAudit, state.StageAnswer, 2},
		{state.FormMulti, state.StageExchange, 2},
	} {
		var s state.State
		s.Settings.Hearing = &state.HearingSettings{Form: c.form, Oracle: c.form != state.FormSingle}
		asks := []protocol.Ask{{Seat: state.Architect, Stage: c.stage}, {Seat: state.Skeptic, Stage: c.stage}}
		if least := (hearing.Format{}).Least(s, asks); len(least) != c.least || len(asks) != 2 {
			t.Errorf("%s, %s: at least %v", c.form, c.stage, least)
		}
	}
}
