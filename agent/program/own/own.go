package own

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"moot/agent/program/process"
	"moot/agent/program/workspace"
	"moot/agent/scrub"
	"moot/plain"
	"moot/protocol"
	"moot/redact"
)

// Options are what a Program is made of.
type Options struct {
	// Name is the participant as the person named it, Prefix and all.
	Name string
	// Path makes a relative path absolute; nil takes it from the current folder.
	Path func(string) string
	// Workspace is the folder that the program runs in; where it is "", each call
	// has an empty one.
	Workspace string
	// Ours are the paths of files and folders that moot itself writes.
	Ours []string
	// Environ is the environment, NAME=value each; what looks like a secret is left
	// out of it.
	Environ []string
	// Limits bound a call; zero fields take their defaults.
	Limits process.Limits
}

// Program is the participant. It may be asked by several goroutines at once. Close
// ends what it started.
type Program struct {
	options  Options
	path     string
	words    []string
	environ  []string
	redactor *redact.Redactor
	runner   process.Runner
	keeper   *workspace.Keeper

	// folders are the empty ones of calls that were cancelled, whose programs may
	// have worked in them still.
	mutex   sync.Mutex
	folders []string
}

// A program is a participant, which may be at work a moment longer than its call.
var (
	_ protocol.Participant = (*Program)(nil)
	_ protocol.Lingering   = (*Program)(nil)
)

// New makes the participant, and starts nothing. Errors are those of Words, and
// *process.StartError where there is no such program.
func New(o Options) (*Program, error) {
	words, err := Words(o.Name)
	if err != nil {
		return nil, err
	}
	p := &Program{options: o, words: words, keeper: workspace.NewKeeper(o.Workspace, o.Ours...)}
	if p.path, err = process.Find(locate(words[0], o.Path)); err != nil {
		return nil, err
	}
	if p.environ, err = scrub.Environment(o.Environ, nil); err != nil {
		return nil, err
	}
	p.redactor, err = redact.New()
	return p, err
}

// Name implements protocol.Participant: it is as the person gave it.
func (p *Program) Name() string { return p.options.Name }

// Modelless implements protocol.Participant: a program may well ask a model.
func (*Program) Modelless() bool { return false }

// Close ends what runs still, and comes back when nothing of it is left.
func (p *Program) Close() error {
	err := p.runner.Close()
	p.keeper.Close()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, folder := range p.folders {
		err = errors.Join(err, os.RemoveAll(folder))
	}
	p.folders = nil
	return err
}

// Reply implements protocol.Participant.
func (p *Program) Reply(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
	folder, leave, err := p.folder()
	if err != nil {
		return protocol.Reply{}, p.unreachable(err.Error(), "make room, and see that it may be written to")
	}
	defer func() { leave(ctx.Err() != nil) }()
	look := p.keeper.Before(ctx)
	text := &stream{watch: watch}
	result, err := p.runner.Run(ctx, process.Spec{
		Path: p.path, Args: p.words[1:], Dir: folder, Env: p.tell(&call), Stdin: prompt(&call), Limits: p.options.Limits,
		Output: text.take,
	})
	text.end()
	if ctx.Err() != nil {
		look.Cancelled(p.runner.Settled)
		return protocol.Reply{}, ctx.Err()
	}
	notes := p.notes(&result, look.After())
	if err := p.failed(&result, err, text.String()); err != nil {
		return protocol.Reply{Attempts: 1, Took: result.Took.Round(time.Millisecond)}, workspace.Told(err, notes...)
	}
	for _, note := range notes {
		watch(protocol.Delta{Note: note})
	}
	return protocol.Reply{Text: text.String(), Attempts: 1, Took: result.Took.Round(time.Millisecond), Notes: notes}, nil
}

// Aftermath implements protocol.Lingering: it tells of the workspace.
func (p *Program) Aftermath() []string {
	return p.keeper.Aftermath(p.file())
}

// file is the name of its file, for sentences.
func (p *Program) file() string { return filepath.Base(p.words[0]) }

// notes are what is to be said of a call besides its reply.
func (p *Program) notes(result *process.Result, changed string) []string {
	name := p.file()
	var notes []string
	if changed != "" {
		notes = append(notes, name+" "+changed)
	}
	if result.Left {
		notes = append(notes, name+" left something running, which was ended")
	}
	return notes
}

// folder is where a call runs, and what is to be done about it after that: one of a
// call that was cancelled is removed once its program is gone.
func (p *Program) folder() (folder string, leave func(cancelled bool), err error) {
	if p.options.Workspace != "" {
		return p.options.Workspace, func(bool) {}, nil
	}
	folder, err = os.MkdirTemp("", "moot-")
	if err != nil {
		return "", nil, fmt.Errorf("make an empty folder for %s to run in: %w", p.Name(), err)
	}
	return folder, func(cancelled bool) {
		if cancelled {
			p.mutex.Lock()
			defer p.mutex.Unlock()
			p.folders = append(p.folders, folder)
			return
		}
		// What cannot be removed lies in the system's folder for such files.
		_ = os.RemoveAll(folder)
	}, nil
}

// tell is the environment, with what is asked for: a script may have something to
// say in some stages only.
func (p *Program) tell(call *protocol.Call) []string {
	return append(slices.Clip(p.environ),
		"MOOT_SEAT="+string(call.Ask.Seat), "MOOT_STAGE="+string(call.Ask.Stage), "MOOT_ROUND="+strconv.Itoa(call.State.Round))
}

// prompt is what a program reads.
func prompt(call *protocol.Call) []byte {
	parts := []string{call.Prompt.System}
	if len(call.Schema) > 0 {
		parts = append(parts, protocol.SchemaInFence+string(call.Schema))
	}
	parts = append(parts, call.Prompt.Text)
	var all strings.Builder
	for _, part := range parts {
		if part = strings.TrimSpace(part); part != "" {
			if all.Len() > 0 {
				all.WriteString("\n\n")
			}
			all.WriteString(part)
		}
	}
	all.WriteByte('\n')
	return []byte(all.String())
}

// failed is the error of a call that gave no reply, or nil.
func (p *Program) failed(result *process.Result, err error, text string) error {
	var over *process.LimitError
	name := p.file()
	switch {
	case errors.As(err, &over) && (over.Limit == process.Output || over.Limit == process.Line):
		return &protocol.Broken{Code: "oversized", What: over.Error(), Partial: text}
	case errors.As(err, &over) && text != "":
		return &protocol.Broken{Code: "broken", What: over.Error() + " in the middle of its reply" + p.said(result), Partial: text}
	case errors.As(err, &over):
		return p.unreachable(over.Error()+p.said(result), "run it by hand with a prompt on its standard input; --call-timeout and --first-token-timeout give it longer")
	case err != nil:
		return p.unreachable(err.Error(), "mend that, or put another in its place")
	case result.Signal != "" && text != "":
		return &protocol.Broken{Code: "broken", What: name + " was ended " + result.Ending() + " in the middle of its reply" + p.said(result), Partial: text}
	case result.Exit != 0:
		return p.unreachable(name+" ended "+result.Ending()+p.said(result), "mend what it says, or run it by hand with a prompt on its standard input")
	case strings.TrimSpace(text) == "":
		return &protocol.Broken{Code: "empty", What: name + " ended well and wrote nothing to standard output" + p.said(result)}
	}
	return nil
}

func (p *Program) unreachable(what, fix string) error {
	return &protocol.Unreachable{Participant: p.Name(), What: what, Fix: fix}
}

// mostSaid is how many characters of standard error an error tells.
const mostSaid = 400

// said is the end of what a program wrote to standard error, without secrets and on
// one line.
func (p *Program) said(result *process.Result) string {
	text, _ := p.redactor.Text(strings.ToValidUTF8(result.Stderr, "\uFFFD"))
	text = strings.Join(strings.Fields(scrub.Passwords(text)), " ")
	if runes := []rune(text); len(runes) > mostSaid {
		text = "…" + string(runes[len(runes)-mostSaid:])
	}
	if text == "" {
		return ""
	}
	return ": " + plain.Line(text)
}
