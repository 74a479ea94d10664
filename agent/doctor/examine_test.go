package doctor

import (
	"context"
	"errors"
	"slices"
	"strings"
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

// Tasks with a limit of their own take turns, so that none makes another one slow; the others do not wait for them.
func TestTasksWithALimitTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		running, most := 0, 0
		program := func(name string, takes time.Duration) Task {
			return Task{Part: PartPrograms, Name: name, Limit: ProgramLimit, Run: func(ctx context.Context) []Check {
				running++
				most = max(most, running)
				defer func() { running-- }()
				select {
				case <-time.After(takes):
					return []Check{{Name: name, Word: OK}}
				case <-ctx.Done():
					return []Check{{Name: name, Word: Slow}}
				}
			}}
		}
		free := time.Duration(0)
		checks, err := Examine(t.Context(), DefaultLimit, []Task{
			program("one", 4*time.Second), program("two", time.Minute), program("three", 4*time.Second),
			{Name: "free", Run: func(context.Context) []Check {
				free = time.Since(began)
				return []Check{{Name: "free", Word: OK}}
			}},
		})
		var words []string
		for _, c := range checks {
			words = append(words, c.Name+" "+string(c.Word))
		}
		if got := strings.Join(words, ", "); err != nil || got != "one ok, two slow, three ok, free ok" {
			t.Errorf("%s, %v", got, err)
		}
		if took := time.Since(began); most != 1 || free != 0 || took != 8*time.Second+ProgramLimit {
			t.Errorf("%d at once, took %s, and the free one %s", most, took, free)
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
