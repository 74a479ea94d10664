//go:build unix

package tui

import (
	"context"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"moot/protocol"
	"moot/state"
)

// listener is a speaker that keeps the prompts that it gets.
type listener struct {
	speaker
	heard sync.Map
}

func (l *listener) Reply(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
	l.heard.Store(call.Ask.Stage, call.Prompt.Text)
	return l.speaker.Reply(ctx, call, watch)
}

// editorOf is an editor that is a shell script.
func editorOf(t *testing.T, script string) Services {
	t.Helper()
	return Services{OpenFile: func(string, string) (*exec.Cmd, error) {
		return exec.CommandContext(t.Context(), "sh", "-c", script), nil
	}}
}

// A prompt that the user edits goes out, and the record says that the user did it.
func TestAnEditedPromptIsSent(t *testing.T) {
	e := newTerminal(t, 120, 36)
	heard := &listener{speaker: speaker{replies: replies()}}
	o, log := sessionOptions(e, heard)
	out := launch(t, o)
	e.shows("next: orchestrator to map")
	e.press("p")
	e.shows("The next prompt")
	e.press("e")
	e.shows("The next prompt to orchestrator")
	e.press("Mind this: ")
	e.shows("Mind this: ")
	e.press("\x13")
	e.shows("is yours; space sends it")
	e.press(" ")
	e.shows("next: consultee to propose")
	e.press("q")
	if l := gone(t, e, out); l.err != nil {
		t.Error(l.err)
	}
	text, _ := heard.heard.Load(state.StageMap)
	prompt, _ := text.(string)
	if !strings.Contains(prompt, "Mind this:") {
		t.Errorf("the prompt that went out is %q", prompt)
	}
	edited, went := "", ""
	for _, event := range log.events {
		switch p := event.Data.(type) {
		case *state.PromptEdited:
			edited = p.Text
		case *state.PromptSent:
			if p.Stage == state.StageMap {
				went = p.Text
			}
		}
	}
	if edited != prompt || went != prompt {
		t.Errorf("the record says edited %q, sent %q", edited, went)
	}
}

// cites is a screen that has a cited file selected.
func cites(t *testing.T, script string) (e *terminal, out <-chan left) {
	t.Helper()
	e = newTerminal(t, 120, 36)
	o, _ := sessionOptions(e, &speaker{replies: replies()})
	o.Services = editorOf(t, script)
	out = launch(t, o)
	e.shows("next: orchestrator to map")
	e.press(" ")
	e.shows("next: consultee to propose")
	e.press(" ")
	e.shows("E1  supports P1")
	e.press("8")
	return e, out
}

// A cited file is opened while a seat speaks; what it says is there afterwards.
func TestTheSessionContinuesBehindAnEditor(t *testing.T) {
	e, out := cites(t, `printf 'an editor\n'; read key`)
	e.press("ao")
	e.shows("an editor")
	e.press("\r")
	e.shows("Composed by code")
	e.press("q")
	if l := gone(t, e, out); l.err != nil || l.State.Exit != state.ExitUnresolved {
		t.Errorf("%v, exit %q", l.err, l.State.Exit)
	}
}

// If the editor fails, the session continues.
func TestAnEditorThatFails(t *testing.T) {
	e, out := cites(t, "exit 3")
	e.press("o")
	e.shows("the editor failed: exit status 3")
	e.press("q")
	gone(t, e, out)
}
