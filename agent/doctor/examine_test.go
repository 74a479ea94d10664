package doctor

import (
	"context"
	"errors"
	"testing"
	"time"
)

// What does not come back is broken, and holds up nothing else.
func TestWhatHangsIsBroken(t *testing.T) {
	t.Parallel()
	forever := make(chan struct{})
	t.Cleanup(func() { close(forever) })
	checks, err := Examine(t.Context(), []Task{
		{Part: PartMoot, Name: "keyring", Limit: time.Millisecond, Configured: true, Run: func(context.Context) []Check {
			<-forever
			return nil
		}},
		{Name: "quick", Run: func(context.Context) []Check { return []Check{{Name: "quick", Word: OK}} }},
	}, nil)
	if err != nil || len(checks) != 2 || checks[0].Word != Broken || !checks[0].Configured || checks[1].Word != OK {
		t.Errorf("%+v, %v", checks, err)
	}
}

// Whoever leaves does not wait, even for what ignores that.
func TestLeavingIsAtOnce(t *testing.T) {
	t.Parallel()
	forever := make(chan struct{})
	t.Cleanup(func() { close(forever) })
	ctx, cancel := context.WithCancel(t.Context())
	tasks := []Task{{Name: "hangs", Limit: time.Hour, Run: func(context.Context) []Check {
		cancel()
		<-forever
		return nil
	}}}
	if _, err := Examine(ctx, tasks, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestAVersionIsFoundInWhatIsSaid(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"codex-cli 0.169.0": "0.169.0", "2.1.4 (Claude Code)": "2.1.4", "go version go1.26.8 linux/amd64": "1.26.8",
		"v1.18.0-beta.1": "1.18.0-beta.1", "no number": "", "": "",
	} {
		if got := versionIn(said); got != want {
			t.Errorf("%q: got %q, want %q", said, got, want)
		}
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
	l, known := loginOf("codex")
	if !known || l.Vendor != "openai" || w.sign(&l) != "CODEX_API_KEY" {
		t.Errorf("%+v, %q", l, w.sign(&l))
	}
	nobody := Where{}
	if sign := nobody.sign(&l); sign != "" {
		t.Errorf("a login is seen where nothing is: %q", sign)
	}
}

func TestWhatAReplyIs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"answer":"five"}`: "one JSON object", "Sure:\n```json\n{\"answer\": \"5\"}\n```": "JSON within a text",
		"five": "text, no JSON that fits", `{"other":1}`: "text, no JSON that fits",
	} {
		if got, _ := replied(text); got != want {
			t.Errorf("%s: got %q", text, got)
		}
	}
}
