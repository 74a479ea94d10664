package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moot/protocol"
	"moot/report"
	"moot/state"
	"moot/state/store"
	"moot/tui"
)

// finished runs a session of rules to its end without a screen, and returns its
// id.
func finished(t *testing.T, c *Console) string {
	t.Helper()
	if err := os.WriteFile(filepath.Join(c.Dir, "consumer.go"), []byte("// maxRetries limits how often the consumer retries.\nconst maxRetries = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := &builder{
		console: c, question: value{text: "Where are retries limited?", from: fromForm}, format: "consult",
		seats: seatOptions{named: map[state.Seat]string{state.Orchestrator: "rules", state.Consultee: "rules"}},
		front: frontOptions{output: report.FormText},
	}
	s, err := b.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	runOpened(t, (&screenServices{console: c}).add(s, nil))
	return s.state.ID
}

// runOpened runs a session as a screen does, with nobody at it, and returns what
// it told last.
func runOpened(t *testing.T, o tui.Opened) protocol.Ended {
	t.Helper()
	defer o.Close()
	var last protocol.Ended
	session, err := o.Start(func(n protocol.Notice) {
		if e, over := n.(protocol.Ended); over {
			last = e
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	// It waits before its first turn, for this.
	go session.Auto(t.Context(), true)
	if err := session.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return last
}

func TestTheScreenForksAndContinues(t *testing.T) {
	c := formDesk(t)
	id := finished(t, c)
	o := &screenServices{console: c}
	opened, err := o.options(&lookOptions{}).Services.Fork(t.Context(), id, 8)
	if err != nil {
		t.Fatal(err)
	}
	if opened.Auto || opened.Start == nil || opened.State.Fork.From != id || opened.State.Fork.Seq != 8 || len(opened.Events) != 8 ||
		opened.ResumeCommand != "moot resume "+opened.State.ID {
		t.Errorf("opened %+v", opened)
	}
	if _, err := o.open(t.Context(), opened.State.ID, false); !errors.As(err, new(*store.HeldError)) {
		t.Errorf("a fork that is open is opened again: %v", err)
	}
	if looked, err := o.open(t.Context(), opened.State.ID, true); err != nil || looked.Start != nil || looked.At != 1 {
		t.Errorf("a fork that is open is looked at: %+v, %v", looked, err)
	}
	opened.Close()
	if _, err := o.options(&lookOptions{}).Services.Fork(t.Context(), id, 9999); err == nil || !strings.Contains(err.Error(), "its events are 1 to ") {
		t.Errorf("past the end: %v", err)
	}
}

func TestTheScreenOpensSessions(t *testing.T) {
	c := formDesk(t)
	id := finished(t, c)
	o := &screenServices{console: c}
	closed, err := o.open(t.Context(), id, false)
	if err != nil || closed.Start != nil || closed.At != 0 || !closed.State.Closed || len(closed.Rulings) == 0 {
		t.Errorf("a finished one: %+v, %v", closed, err)
	}
	made, _, err := fork(c, id, store.LastOpen)
	if err != nil {
		t.Fatal(err)
	}
	open, err := o.open(t.Context(), made.ID, false)
	if err != nil || open.Start == nil || open.Auto {
		t.Fatalf("one that goes on: %+v, %v", open, err)
	}
	if last := runOpened(t, open); !last.State.Closed {
		t.Errorf("it ended with %+v", last)
	}
	if _, err := o.open(t.Context(), "gone", false); err == nil {
		t.Error("a session that is not there is opened")
	}
}

func TestTheScreenExports(t *testing.T) {
	c := formDesk(t)
	id := finished(t, c)
	export := (&screenServices{console: c}).options(&lookOptions{}).Services.Export
	for form, want := range map[report.Form]string{
		report.FormJSON: "moot-" + id + ".json", report.FormMarkdown: "moot-" + id + ".md", report.FormSVG: "moot-" + id + ".svg", report.FormHTML: "moot-" + id + ".html",
	} {
		if path, err := export(t.Context(), tui.Export{ID: id, Form: form}); err != nil || path != filepath.Join(c.Dir, want) {
			t.Errorf("%s: %s, %v", form, path, err)
		}
	}
	for _, choice := range report.Choices() {
		form := report.Form(choice.Value)
		if path, err := export(t.Context(), tui.Export{ID: id, Form: form}); err != nil && !strings.Contains(err.Error(), "nothing to draw") {
			t.Errorf("%s: %s, %v", form, path, err)
		}
	}
	if _, err := export(t.Context(), tui.Export{ID: id, Form: "pdf"}); err == nil || !strings.Contains(err.Error(), "form of export") {
		t.Errorf("another form: %v", err)
	}
}

func TestTheScreenOpensACitedFile(t *testing.T) {
	onPath(t, "vim")
	work := cited(t)
	open := (&screenServices{console: &Console{Environ: []string{"EDITOR=vim"}}}).options(&lookOptions{}).Services.OpenFile
	command, err := open(work, "queue/consumer.go:12-18")
	if err != nil || strings.Join(command.Args[1:], " ") != "+12 "+filepath.Join(work, "queue", "consumer.go") {
		t.Errorf("%v, %v", command, err)
	}
	if _, err := open(work, "../elsewhere/secret.txt:1"); err == nil {
		t.Error("a file outside of the workspace is opened")
	}
}
