package doctor

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

// What does not come back is broken, and holds up nothing else.
func TestWhatHangsIsBroken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		forever := make(chan struct{})
		defer close(forever)
		began := time.Now()
		checks, err := Examine(t.Context(), DefaultLimit, []Task{
			{Part: PartMoot, Name: "keyring", Configured: true, Run: func(context.Context) []Check {
				<-forever
				return nil
			}},
			{Name: "quick", Run: func(context.Context) []Check { return []Check{{Name: "quick", Word: OK}} }},
		})
		if err != nil || len(checks) != 2 || checks[0].Word != Broken || !checks[0].Configured || checks[1].Word != OK {
			t.Errorf("%+v, %v", checks, err)
		}
		if took := time.Since(began); took != DefaultLimit+grace {
			t.Errorf("it took %s", took)
		}
	})
}

// Whoever leaves does not wait, even for what ignores that.
func TestLeavingIsAtOnce(t *testing.T) {
	t.Parallel()
	forever := make(chan struct{})
	t.Cleanup(func() { close(forever) })
	ctx, cancel := context.WithCancel(t.Context())
	tasks := []Task{{Name: "hangs", Run: func(context.Context) []Check {
		cancel()
		<-forever
		return nil
	}}}
	if _, err := Examine(ctx, time.Hour, tasks); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// The table that is built in can be read, and knows whose models a program asks.
func TestLoginsAreWhole(t *testing.T) {
	t.Parallel()
	all, err := logins()
	if err != nil || len(all) == 0 {
		t.Fatal(len(all), err)
	}
	w := Where{Env: func(name string) string { return map[string]string{"CODEX_API_KEY": "k"}[name] }}
	l := &all[slices.IndexFunc(all, func(l login) bool { return l.Program == "codex" })]
	if l.Vendor != "openai" || w.sign(l) != "CODEX_API_KEY" {
		t.Errorf("%+v, %q", l, w.sign(l))
	}
	nobody := Where{}
	if sign := nobody.sign(l); sign != "" {
		t.Errorf("a login is seen where nothing is: %q", sign)
	}
}
