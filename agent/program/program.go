package program

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"moot/agent/program/process"
	"moot/agent/program/workspace"
	"moot/agent/scrub"
	"moot/protocol"
	"moot/redact"
)

// Options are what a program is seated with.
type Options struct {
	Adapter Adapter
	// Name is the string that the user named it by, Model the model in it or "".
	Name, Model string
	// Effort is how long the model may think, "" for as long as it does by itself;
	// a program that takes none is told nothing of it.
	Effort string
	// Workspace is the folder that the session is about; "" lets the program run
	// in an empty folder, so that it sees no code.
	Workspace string
	// Ours are the paths of files and folders that moot itself writes.
	Ours []string
	// Alone is where empty folders are made, "" for the system's temporary
	// folder. Programs know their conversations by the folder too, so that one
	// that lasts lets them go on after the session was resumed.
	Alone string
	// Environ is the environment, NAME=value each, of which the program is given
	// what it may know.
	Environ []string
	// Limits bound each turn, MaxReplyBytes its reply; zero fields take their
	// defaults.
	Limits        process.Limits
	MaxReplyBytes int
}

// defaultReplyBytes is the longest reply where no limit is set.
const defaultReplyBytes = 1 << 20

// Program is the participant.
type Program struct {
	name, model string
	adapter     Adapter
	options     Options
	env         []string
	secrets     *scrub.Scrubber
	redactor    *redact.Redactor
	runner      process.Runner
	// keeper finds what the program changes in the workspace.
	keeper *workspace.Keeper

	// mutex guards what follows.
	mutex sync.Mutex
	// version is what the program told of itself; asked says that it was asked.
	version string
	asked   bool
	// noSchema says that a schema of the reply was refused.
	noSchema bool
	// totals are those of each conversation of this run of moot.
	totals        map[string]totals
	saidUncounted bool
	// once are the notes that were told and are not told again.
	once map[string]bool
	// stay is what stays up between turns.
	stay stay
}

// A program is a participant, which may be at work a moment longer than its call.
var (
	_ protocol.Participant = (*Program)(nil)
	_ protocol.Lingering   = (*Program)(nil)
)

// New seats a program. It starts nothing: whether the program is there, the first
// call says.
func New(options Options) (*Program, error) {
	if strings.HasPrefix(options.Model, "-") || strings.ContainsAny(options.Model, "\x00\n\r") {
		return nil, fmt.Errorf("%q is no name of a model", options.Model)
	}
	if options.Name == "" {
		options.Name = options.Adapter.Name
	}
	if options.MaxReplyBytes <= 0 {
		options.MaxReplyBytes = defaultReplyBytes
	}
	redactor, err := redact.New()
	if err != nil {
		return nil, err
	}
	p := &Program{
		name: options.Name, model: options.Model, adapter: options.Adapter, options: options,
		redactor: redactor, totals: map[string]totals{}, once: map[string]bool{}, keeper: workspace.NewKeeper(options.Workspace, options.Ours...),
	}
	if p.env, err = options.Adapter.environ(options.Environ); err != nil {
		return nil, err
	}
	p.secrets = secretsOf(p.env)
	return p, nil
}

// Name is the string that the user named it by.
func (p *Program) Name() string { return p.name }

// Modelless is false: a model is at work behind the program.
func (p *Program) Modelless() bool { return false }

// Reply runs the program for one turn. A conversation that it no longer knows is
// begun anew at once, with the whole prompt (JU8).
func (p *Program) Reply(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
	began := time.Now()
	note, err := p.learnVersion(ctx)
	if err != nil {
		return protocol.Reply{}, p.stopped(ctx, err, &answer{adapter: &p.adapter})
	}
	t, err := p.newTurn(&call, watch)
	if err != nil {
		return protocol.Reply{}, p.unreachable("no folder to run it in: "+err.Error(), "make room and see that it may be written to")
	}
	defer t.leave()
	if note != "" {
		t.note(note)
	}
	t.resume(call.State.Conversation(call.Ask.Seat))
	look := p.keeper.Before(ctx)
	reply, err := t.run(ctx)
	reply.Took = time.Since(began)
	if ctx.Err() != nil {
		look.Cancelled(p.runner.Settled)
		return reply, ctx.Err()
	}
	if changed := look.After(); changed != "" {
		note := p.adapter.Name + " " + changed
		watch(protocol.Delta{Note: note})
		if err == nil {
			reply.Notes = append(reply.Notes, note)
		}
		err = workspace.Told(err, note)
	}
	return reply, err
}

// Aftermath implements protocol.Lingering: it tells of the workspace.
func (p *Program) Aftermath() []string { return p.keeper.Aftermath(p.adapter.Name) }

// mostRuns is how often a program is run in one call: once, once more where it
// lost the conversation, once more where it refuses the schema, and once more where
// it stayed up and did not answer.
const mostRuns = 4

// run runs the program until it replied or failed for good.
func (t *turn) run(ctx context.Context) (protocol.Reply, error) {
	p := t.program
	for {
		t.runs++
		n, failure, err := t.once(ctx)
		if err == nil {
			return t.reply(n), nil
		}
		if failure == nil || t.runs >= mostRuns || ctx.Err() != nil {
			return t.unanswered(n), err
		}
		switch {
		case failure.Means == Lost && t.recovered == "":
			if t.going {
				t.recovered = p.adapter.Name + " no longer knows its conversation, a new one was begun"
				t.watch(protocol.Delta{Note: t.recovered})
			}
			t.begin()
		case failure.Means == Long && t.going:
			// What was said before fills the conversation; the prompt has all that
			// counts.
			t.recovered = p.adapter.Name + " had no room left in its conversation, a new one was begun"
			t.watch(protocol.Delta{Note: t.recovered})
			t.begin()
		case failure.Means == NoSchema && len(t.strict) > 0:
			t.strict, t.values.schema = nil, ""
			p.mutex.Lock()
			p.noSchema = true
			p.mutex.Unlock()
			t.note("its server refuses the schema of the reply; asked without it")
		default:
			return t.unanswered(n), err
		}
		t.watch(protocol.Delta{Restart: true})
	}
}

// note shows a note and keeps it for the record.
func (t *turn) note(note string) {
	t.watch(protocol.Delta{Note: note})
	t.notes = append(t.notes, note)
}

// answer is that of a run, before it has told anything.
func (t *turn) answer() *answer {
	return &answer{
		adapter: &t.program.adapter, watch: t.watch, clean: t.program.clean, most: t.program.options.MaxReplyBytes, again: t.program.again,
	}
}

// again reports whether a note was told before, and remembers it.
func (p *Program) again(note string) bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	before := p.once[note]
	if len(p.once) < mostNotes {
		p.once[note] = true
	}
	return before
}

// once runs the program once.
func (t *turn) once(ctx context.Context) (*answer, *Failure, error) {
	p := t.program
	if o := t.stayed(ctx); o != nil {
		return o.answer, o.failure, o.err
	}
	arguments := &p.adapter.Arguments
	template := arguments.Begin
	if t.going {
		template = arguments.GoOn
	}
	n := t.answer()
	spec := process.Spec{
		Path: p.adapter.Command, Args: arguments.line(template, &t.values), Dir: t.folder, Env: p.env,
		Stdin: t.prompt(&t.values), Limits: t.limits(),
	}
	whole := t.read(&spec, n)
	result, err := p.runner.Run(ctx, spec)
	if err != nil {
		return n, nil, p.stopped(ctx, err, n)
	}
	if whole != nil {
		if err := n.whole(whole.String()); err != nil {
			return n, nil, p.stopped(ctx, err, n)
		}
	}
	n.plain(n.head.String(), result.Stderr)
	failure, err := p.ended(n, &result)
	return n, failure, err
}

// read says how standard output is read: by lines, or as a whole, which is then
// returned.
func (t *turn) read(spec *process.Spec, n *answer) *strings.Builder {
	if t.program.adapter.Output.Form == Lines {
		spec.Line = n.take
		return nil
	}
	whole := &strings.Builder{}
	spec.Output = func(piece []byte) error {
		whole.Write(piece)
		if t.program.adapter.Output.Form != Text {
			return nil
		}
		if whole.Len() > n.most {
			n.streamed.WriteString(whole.String())
			return errOversized
		}
		t.watch(protocol.Delta{Text: strings.ToValidUTF8(string(piece), "\uFFFD")})
		return nil
	}
	return whole
}

// whole reads an output that is one JSON value, or the reply itself.
func (n *answer) whole(output string) error {
	if n.adapter.Output.Form == Whole {
		return n.take([]byte(output))
	}
	if n.adapter.Plain != nil {
		n.head.WriteString(output)
		return nil
	}
	n.streamed.WriteString(strings.ToValidUTF8(output, "\uFFFD"))
	n.lines, n.done = strings.Count(output, "\n")+1, true
	return nil
}

// reply is that of a run that succeeded.
func (t *turn) reply(n *answer) protocol.Reply {
	p := t.program
	if n.conversation == "" {
		n.conversation = t.values.conversation
	}
	if !p.adapter.Keeps() || !idPattern.MatchString(n.conversation) {
		n.conversation = ""
	}
	reply := protocol.Reply{
		Text: n.text(), Model: n.model, Attempts: t.runs, Conversation: n.conversation, Recovered: t.recovered,
		Notes: append(t.notes, n.notes...),
	}
	p.count(&reply, n, !t.going, len(t.call.Prompt.System)+len(t.call.Prompt.Text))
	return reply
}

// unanswered is what a run took that brought no reply.
func (t *turn) unanswered(n *answer) protocol.Reply {
	reply := t.reply(n)
	reply.Text, reply.Model, reply.Conversation, reply.Recovered = "", "", "", ""
	return reply
}
