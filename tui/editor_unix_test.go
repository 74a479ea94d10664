//go:build unix

package tui

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
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

// editorOf is an editor made of a shell script, which gets the file as $1; read
// notes that the file is gone afterwards.
func editorOf(t *testing.T, script string) (Services, func() bool) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "text.md")
	run := func() *exec.Cmd { return exec.CommandContext(t.Context(), "sh", "-c", script, "sh", path) }
	gone := func() bool {
		_, err := os.Stat(path)
		return os.IsNotExist(err)
	}
	return Services{
		EditText: func(text string) (*exec.Cmd, func() (string, error), error) {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				return nil, nil, err
			}
			return run(), func() (string, error) {
				edited, err := os.ReadFile(path)
				if err != nil {
					return "", err
				}
				return string(edited), os.Remove(path)
			}, nil
		},
		OpenFile: func(string, string) (*exec.Cmd, error) { return run(), nil },
	}, gone
}

// A prompt that is edited by keys, and by an editor, goes out, and
// the record says that the person did it.
func TestAnEditedPromptGoesOut(t *testing.T) {
	e := newTerminal(t, 120, 36)
	heard := &listener{speaker: speaker{replies: replies()}}
	o, log := sessionOptions(e, heard)
	var removed func() bool
	// The editor shows itself on the terminal, and waits for a key.
	o.Services, removed = editorOf(t, `printf 'an editor\n'; read key; printf '\nwith a\ttab and \033[31m\n' >>"$1"`)
	out := launch(t, o)
	e.shows("next: orchestrator map")
	e.press("p")
	e.shows("The next prompt")
	e.press("e")
	e.shows("The next prompt to orchestrator")
	e.press("Mind this: ")
	e.shows("Mind this: ")
	e.press("\x0f")
	e.shows("an editor")
	e.press("\r")
	e.shows("with a    tab")
	e.press("\x13")
	e.shows("is yours; space sends it")
	e.press(" ")
	e.shows("next: consultee propose")
	e.press("q")
	if l := gone(t, e, out); l.err != nil {
		t.Error(l.err)
	}
	if !removed() {
		t.Error("the editor's file stays")
	}
	text, _ := heard.heard.Load(state.StageMap)
	prompt, _ := text.(string)
	if !strings.Contains(prompt, "Mind this:") || !strings.Contains(prompt, "\nwith a    tab and \\x1b[31m") {
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

// If the editor fails, the text is unchanged and the session continues.
func TestAnEditorThatFails(t *testing.T) {
	e := newTerminal(t, 120, 36)
	o, _ := sessionOptions(e, &speaker{replies: replies()})
	var removed func() bool
	o.Services, removed = editorOf(t, `printf 'lost' >"$1"; exit 3`)
	out := launch(t, o)
	e.shows("next: orchestrator map")
	e.press("Fqueues are short\x0f")
	e.shows("the editor failed: exit status 3; the text is unchanged")
	e.press("\r")
	e.shows("recorded as a fact of the user")
	screen := e.has("queues are short")
	if strings.Contains(screen, "lost") || !removed() {
		t.Errorf("what a failed editor left is taken:\n%s", screen)
	}
	e.press("q")
	gone(t, e, out)
}

// A cited file is opened while a seat speaks; what it says is there afterwards.
func TestTheSessionGoesOnBehindAnEditor(t *testing.T) {
	e := newTerminal(t, 120, 36)
	o, _ := sessionOptions(e, &speaker{replies: replies()})
	o.Services, _ = editorOf(t, `printf 'an editor\n'; read key`)
	out := launch(t, o)
	e.shows("next: orchestrator map")
	e.press(" ")
	e.shows("next: consultee propose")
	e.press(" ")
	e.shows("E1  supports P1")
	e.press("8ao")
	e.shows("an editor")
	e.press("\r")
	e.shows("The debate is over")
	e.press("q")
	if l := gone(t, e, out); l.err != nil || l.State.Exit != state.ExitUnresolved {
		t.Errorf("%v, exit %q", l.err, l.State.Exit)
	}
}
