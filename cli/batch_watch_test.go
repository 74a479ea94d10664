package cli

import (
	"testing"
	"time"

	"moot/queue"
	"moot/state"
)

// An item ends once, although its end is known more exactly later, and again if it is run again.
func TestEndedAgain(t *testing.T) {
	at := time.Date(2026, 11, 21, 15, 0, 0, 0, time.UTC)
	row := func(session string, outcome queue.Outcome, calls int, ended time.Time) *queue.Row {
		return &queue.Row{
			Session: session, Result: queue.Result{Outcome: outcome, Usage: state.Usage{Calls: calls}, Ended: ended},
		}
	}
	for name, test := range map[string]struct {
		before, now *queue.Row
		want        bool
	}{
		"it ran":               {row("a", "", 3, time.Time{}), row("a", queue.Concluded, 9, at), true},
		"it is the same":       {row("a", queue.Concluded, 9, at), row("a", queue.Concluded, 9, at), false},
		"only the time is new": {row("a", queue.Concluded, 9, at), row("a", queue.Concluded, 9, at.Add(time.Second)), false},
		"a second attempt":     {row("a", queue.Failure, 9, at), row("b", queue.Failure, 9, at), true},
		"the session went on":  {row("a", queue.Stopped, 9, at), row("a", queue.Stopped, 12, at.Add(time.Minute)), true},
		"another outcome":      {row("a", queue.Stopped, 9, at), row("a", queue.Failure, 9, at), true},
		"refused again":        {row("", queue.Failure, 0, at), row("", queue.Failure, 0, at.Add(time.Second)), true},
	} {
		if got := endedAgain(test.before, test.now); got != test.want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}
