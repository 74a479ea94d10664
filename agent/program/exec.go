package program

import (
	"cmp"
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
	"unicode/utf8"

	"moot/agent/program/changes"
	"moot/agent/program/process"
	"moot/agent/scrub"
	"moot/internal/plain"
	"moot/internal/redact"
	"moot/ledger"
	"moot/protocol"
)

// ExecPrefix begins the name of a user-supplied program: "exec:PATH".
const ExecPrefix = "exec:"

// Words returns the program and the arguments of such a name, quoted as in a shell.
// What a shell would expand or run is refused: quote it to pass it on.
func Words(name string) ([]string, error) {
	command := strings.TrimPrefix(name, ExecPrefix)
	if strings.TrimSpace(command) == "" || command+":" == ExecPrefix {
		return nil, errors.New("exec names no program: write exec:PATH, or 'exec:PATH ARGUMENT…'")
	}
	parsed, err := ledger.ParseCommand(command)
	if err != nil {
		return nil, fmt.Errorf("read %q: %w; moot does not run a shell: quote such an argument ('…'), or put the "+
			"command in a script", name, err)
	}
	return parsed.Words(), nil
}

// folderFix says what to do if a temporary folder cannot be created.
const folderFix = "free some disk space, and check that the folder is writable"

// Exec is a user-supplied program: it reads the prompt on standard input and
// writes the reply to standard output. It runs in the workspace, or in an empty
// folder. Nothing keeps it from changing files: changes are reported. It is safe for
// concurrent use.
type Exec struct {
	options  Options
	path     string
	words    []string
	environ  []string
	redactor *redact.Redactor
	runner   process.Runner
	keeper   *changes.Keeper

	// folders are the empty ones of canceled calls, whose programs may still be in
	// them.
	mutex   sync.Mutex
	folders []string
}

var (
	_ protocol.Participant = (*Exec)(nil)
	_ protocol.Lingering   = (*Exec)(nil)
)

// NewExec makes the participant, and starts nothing. It uses Name, Command, Workspace,
// Ours, Environ and Limits of the options; path makes a relative path absolute, nil takes
// it from the current folder. The error comes from Words, or is a *process.StartError
// for a missing program.
func NewExec(o Options, path func(string) string) (*Exec, error) {
	words, err := Words(o.Command)
	o.Name = cmp.Or(o.Name, o.Command)
	if err != nil {
		return nil, err
	}
	p := &Exec{options: o, words: words, keeper: changes.NewKeeper(o.Workspace, o.Ours...)}
	program := words[0]
	home, homeErr := os.UserHomeDir()
	rest, inHome := strings.CutPrefix(program, "~/")
	switch {
	case inHome && homeErr == nil: // A shell does not expand it after a colon.
		program = filepath.Join(home, rest)
	case path != nil && strings.ContainsRune(filepath.ToSlash(program), '/'):
		program = path(program)
	}
	if p.path, err = process.Find(program); err != nil {
		return nil, err
	}
	if p.environ, err = scrub.Environment(o.Environ, nil); err != nil {
		return nil, err
	}
	p.redactor, err = redact.New()
	return p, err
}

// Name implements protocol.Participant.
func (p *Exec) Name() string { return p.options.Name }

// Modelless implements protocol.Participant: a program may well ask a model.
func (*Exec) Modelless() bool { return false }

// Aftermath implements protocol.Lingering: changes of the workspace by canceled calls.
func (p *Exec) Aftermath() []string { return p.keeper.Aftermath(filepath.Base(p.words[0])) }

// Close ends what is still running, and returns when nothing of it is left.
func (p *Exec) Close() error {
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
func (p *Exec) Reply(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
	folder, name := p.options.Workspace, filepath.Base(p.words[0])
	if folder == "" {
		var err error
		if folder, err = os.MkdirTemp("", "moot-"); err != nil {
			what := fmt.Sprintf("create an empty folder to run %s in: %s", p.Name(), err)
			return protocol.Reply{}, &protocol.Unreachable{Participant: p.Name(), What: what, Fix: folderFix}
		}
		defer func() {
			p.mutex.Lock()
			defer p.mutex.Unlock()
			if ctx.Err() != nil {
				p.folders = append(p.folders, folder)
				return
			}
			_ = os.RemoveAll(folder) // What is left is temporary.
		}()
	}
	look := p.keeper.Before(ctx)
	var text strings.Builder
	var partial []byte // the beginning of a character
	prompt := []string{call.Prompt.System}
	if len(call.Schema) > 0 {
		prompt = append(prompt, protocol.SchemaInFence+string(call.Schema))
	}
	prompt = append(prompt, call.Prompt.Text)
	for i := range prompt {
		prompt[i] = strings.TrimSpace(prompt[i])
	}
	stdin := []byte(joined(prompt) + "\n")
	result, err := p.runner.Run(ctx, process.Spec{
		Path: p.path, Args: p.words[1:], Dir: folder, Stdin: stdin, Limits: p.options.Limits,
		Env: append(slices.Clip(p.environ), "MOOT_SEAT="+string(call.Ask.Seat),
			"MOOT_STAGE="+string(call.Ask.Stage), "MOOT_ROUND="+strconv.Itoa(call.State.Round)),
		Output: func(piece []byte) error {
			partial = append(partial, piece...)
			whole := len(partial) - incomplete(partial)
			if whole > 0 {
				valid := strings.ToValidUTF8(string(partial[:whole]), string(utf8.RuneError))
				text.WriteString(valid)
				watch(protocol.Delta{Text: valid})
			}
			partial = append(partial[:0], partial[whole:]...)
			return nil
		},
	})
	if ctx.Err() != nil {
		look.Cancelled(p.runner.Settled)
		return protocol.Reply{}, ctx.Err()
	}
	if len(partial) > 0 {
		text.WriteRune(utf8.RuneError)
	}
	var notes []string
	if changed := look.After(); changed != "" {
		notes = append(notes, name+" "+changed)
	}
	if result.Left {
		notes = append(notes, name+" left processes running, which moot stopped")
	}
	reply := protocol.Reply{Attempts: 1, Took: result.Took.Round(time.Millisecond)}
	if _, unstarted := errors.AsType[*process.StartError](err); !unstarted {
		reply.Estimated, reply.Unpriced = true, true
		reply.PromptTokens = protocol.EstimateTokens(len(stdin))
		reply.CompletionTokens = protocol.EstimateTokens(text.Len())
	}
	if err := p.failed(&result, err, text.String()); err != nil {
		return reply, changes.AddNotes(err, notes...)
	}
	for _, note := range notes {
		watch(protocol.Delta{Note: note})
	}
	reply.Text, reply.Notes = text.String(), notes
	return reply, nil
}

// incomplete returns how many bytes at the end begin a character.
func incomplete(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return n
			}
			return 0
		}
	}
	return 0
}

// failed is the error of a call without a reply, or nil.
func (p *Exec) failed(result *process.Result, err error, text string) error {
	const mostSaid = 400
	said, _ := p.redactor.Text(strings.ToValidUTF8(result.Stderr, "\uFFFD"))
	said = strings.Join(strings.Fields(scrub.Passwords(said)), " ")
	if runes := []rune(said); len(runes) > mostSaid {
		said = "…" + string(runes[len(runes)-mostSaid:])
	}
	if said != "" {
		said = ": " + plain.Line(said)
	}
	name, inReply := filepath.Base(p.words[0]), text != ""
	var over *process.LimitError
	broken := func(code, what string) error { return &protocol.Broken{Code: code, What: what, Partial: text} }
	unreachable := func(what, fix string) error {
		return &protocol.Unreachable{Participant: p.Name(), What: what, Fix: fix}
	}
	switch {
	case errors.As(err, &over) && (over.Limit == process.Output || over.Limit == process.Line):
		return broken("oversized", over.Error())
	case errors.As(err, &over) && inReply:
		return broken("broken", over.Error()+" in the middle of its reply"+said)
	case errors.As(err, &over):
		const fix = "run it manually with a prompt on standard input, or allow more time with --call-timeout and " +
			"--first-token-timeout"
		return unreachable(over.Error()+said, fix)
	case err != nil:
		return unreachable(err.Error(), "fix that, or name another participant")
	case result.Signal != "" && inReply:
		return broken("broken", name+" was ended "+result.Ending()+" in the middle of its reply"+said)
	case result.Exit != 0:
		const fix = "fix what it reports, or run it manually with a prompt on standard input"
		return unreachable(name+" ended "+result.Ending()+said, fix)
	case strings.TrimSpace(text) == "":
		return broken("empty", name+" exited successfully without output"+said)
	}
	return nil
}
