package program

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"moot/agent/program/changes"
	"moot/agent/record"
	"moot/agent/scrub"
	"moot/internal/lists"
	"moot/internal/plain"
	"moot/internal/process"
	"moot/internal/redact"
	"moot/internal/regular"
	"moot/protocol"
	"moot/protocol/reply"
)

// Options configure a program.
type Options struct {
	Adapter Adapter
	// Name is the name in the record, and Model the named model or "".
	Name, Model string
	// Command is the name of a program for NewExec, "exec:PATH".
	Command string
	// Effort is the reasoning effort, or "".
	Effort string
	// Workspace is the folder of the session. Without one, the program runs in an empty folder.
	Workspace string
	// Copy makes a copy of the files under review, in which the program runs instead of the workspace. The copy has no
	// files that steer programs. Without a change under review, it is nil.
	Copy func(context.Context) (string, error)
	// Ours are the paths that moot itself writes to during a call.
	Ours []string
	// Alone is the folder for empty folders; the default is the system's temporary folder. Programs find their
	// conversations by folder, so a permanent one lets them continue in a resumed session.
	Alone string
	// Versions is a file with the untested versions that were already reported, or "".
	Versions string
	// Environ is the unfiltered environment, as NAME=value entries.
	Environ []string
	// Limits bound each turn, and MaxReplyBytes its reply. Zero fields use the defaults.
	Limits        process.Limits
	MaxReplyBytes int
}

const defaultReplyBytes = 1 << 20

// Program is an agent program as a participant.
type Program struct {
	name, model string
	adapter     Adapter
	options     Options
	env         []string
	secrets     *scrub.Scrubber
	redactor    *redact.Redactor
	runner      process.Runner
	clock       func() time.Time
	keeper      *changes.Keeper

	// mutex guards the rest. copied is the folder that Copy made, or "", and copyKeeper watches it. version is set once
	// it is known.
	mutex      sync.Mutex
	copied     string
	copyKeeper *changes.Keeper
	version    string
	asked      bool
	// untried describes how the version differs from the tested ones, until that was reported.
	untried string
	// totals has the counts of each conversation so far.
	totals        map[string]totals
	notedUnknown  bool
	notedSessions map[string]bool
	stay          stay
}

// totals are the counts of a conversation up to its last turn.
type totals struct {
	tokens Tokens
	cost   float64
}

var (
	_ protocol.Participant = (*Program)(nil)
	_ protocol.Lingering   = (*Program)(nil)
)

// New makes a participant from an agent program. It starts nothing: the first call reports a missing program.
func New(o Options) (*Program, error) {
	if strings.HasPrefix(o.Model, "-") || strings.ContainsAny(o.Model, "\x00\n\r") {
		return nil, fmt.Errorf("%q is not a name of a model", o.Model)
	}
	o.Name = cmp.Or(o.Name, o.Adapter.Name)
	if o.MaxReplyBytes <= 0 {
		o.MaxReplyBytes = defaultReplyBytes
	}
	redactor, err := redact.New()
	if err != nil {
		return nil, err
	}
	p := &Program{
		name: o.Name, model: o.Model, adapter: o.Adapter, options: o, redactor: redactor,
		clock: time.Now, totals: map[string]totals{}, notedSessions: map[string]bool{},
		keeper: changes.NewKeeper(o.Workspace, o.Ours...),
	}
	own := o.Adapter.Environment
	if p.env, err = scrub.Environment(o.Environ, own.Keep); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(own.Set)) {
		if !slices.ContainsFunc(p.env, func(entry string) bool { return strings.HasPrefix(entry, name+"=") }) {
			p.env = append(p.env, name+"="+own.Set[name])
		}
	}
	secrets, err := scrub.Secrets(p.env)
	if err != nil {
		return nil, err
	}
	p.secrets = scrub.New(secrets...)
	return p, nil
}

// Name implements protocol.Participant.
func (p *Program) Name() string { return p.name }

// Modelless implements protocol.Participant.
func (p *Program) Modelless() bool { return false }

// Priced reports whether the program reports its cost.
func (p *Program) Priced() bool {
	return slices.ContainsFunc(p.adapter.Rules, func(r Rule) bool { return r.Cost != "" })
}

// clean removes secrets from program output: some programs echo the rejected key.
func (p *Program) clean(text string) string {
	cleaned, _ := p.redactor.Text(p.secrets.Clean(text))
	return cleaned
}

// Reply runs the program for one turn. If the program no longer has the conversation, Reply starts a new one with the
// whole prompt (JU8).
func (p *Program) Reply(ctx context.Context, call protocol.Call, watch func(protocol.Delta)) (protocol.Reply, error) {
	began := time.Now()
	if what, fix := p.untrusted(); what != "" {
		return protocol.Reply{}, p.unreachable(what, fix, protocol.Cause{})
	}
	folder, copyKeeper, err := p.open(ctx)
	switch {
	case ctx.Err() != nil:
		return protocol.Reply{}, ctx.Err()
	case err != nil:
		return protocol.Reply{}, p.unreachable(err.Error(), "make room in the temporary folder, or name a model instead",
			protocol.Cause{})
	}
	if err := p.learnVersion(ctx); err != nil {
		return protocol.Reply{}, p.stopped(ctx, err, &answer{adapter: &p.adapter})
	}
	t, err := p.newTurn(&call, folder, watch)
	if err != nil {
		what := "cannot create a folder to run it in: " + err.Error()
		return protocol.Reply{}, p.unreachable(what, folderFix, protocol.Cause{})
	}
	defer func() {
		p.mutex.Lock()
		room := p.stay.room()
		p.mutex.Unlock()
		if t.made && t.folder != room {
			_ = os.RemoveAll(t.folder) // it is temporary
		}
	}()
	if id := call.State.Conversation(call.Ask.Seat); p.adapter.keeps() && idPattern.MatchString(id) {
		t.continues, t.values.conversation = true, id
	} else {
		t.begin()
	}
	look, copyLook := p.keeper.Before(ctx), copyKeeper.Before(ctx)
	reply, err := t.run(ctx)
	reply.Took = time.Since(began)
	if err == nil {
		if note := p.noteVersion(); note != "" {
			watch(protocol.Delta{Note: note})
			reply.Notes = append(reply.Notes, note)
		}
	}
	if ctx.Err() != nil {
		look.Cancelled(p.runner.Settled)
		copyLook.Cancelled(p.runner.Settled)
		return reply, ctx.Err()
	}
	for _, changed := range []string{look.After(), copyLook.After()} {
		if changed == "" {
			continue
		}
		note := p.adapter.Name + " " + changed
		watch(protocol.Delta{Note: note})
		if err == nil {
			reply.Notes = append(reply.Notes, note)
		}
		err = changes.AddNotes(err, note)
	}
	return reply, err
}

// Aftermath implements protocol.Lingering. It reports changes made by canceled calls.
func (p *Program) Aftermath() []string {
	p.mutex.Lock()
	copyKeeper := p.copyKeeper
	p.mutex.Unlock()
	return append(p.keeper.Aftermath(p.adapter.Name), copyKeeper.Aftermath(p.adapter.Name)...)
}

// untrusted is Untrusted for the folder of the program. A copy has nothing in it that would need trust.
func (p *Program) untrusted() (what, fix string) {
	if p.options.Copy != nil {
		return "", ""
	}
	return p.adapter.Untrusted(p.options.Workspace, p.env)
}

// open returns the folder that the program runs in, or "" for an empty one. The copy is made at the first call.
func (p *Program) open(ctx context.Context) (folder string, copyKeeper *changes.Keeper, err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.options.Copy == nil {
		return p.options.Workspace, nil, nil
	}
	if p.copied == "" {
		if p.copied, err = p.options.Copy(ctx); err != nil {
			return "", nil, err
		}
		p.copyKeeper = changes.NewCopyKeeper(p.copied)
	}
	return p.copied, p.copyKeeper, nil
}

// maxArgument is the maximum length of an argument: the kernel accepts 128 KiB, and replacing bytes may lengthen it.
const maxArgument = 100 << 10

// idPattern matches a conversation id that is safe as an argument. The id is foreign text, and must not look like a
// flag or a path.
var idPattern = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,199}$`)

// values are the values of placeholders; "" means not applicable.
type values struct {
	model, effort, system, workspace, conversation string
	// copied says that the workspace is a copy of the files under review.
	copied bool
}

// line fills in an argument template. It does not search the values for placeholders.
func (a *Arguments) line(template []string, v *values) []string {
	choose := func(applies bool, list, otherwise []string) []string {
		if applies {
			return list
		}
		return otherwise
	}
	lists := map[string][]string{
		"{model...}": choose(v.model != "", a.Model, a.Default), "{effort...}": choose(v.effort != "", a.Effort, nil),
		"{system...}":    choose(v.system != "", a.System, nil),
		"{workspace...}": choose(v.workspace != "", a.Workspace, a.Alone),
	}
	if v.copied && len(a.Copy) > 0 {
		lists["{workspace...}"] = a.Copy
	}
	replacer := strings.NewReplacer(
		"{model}", v.model, "{effort}", v.effort, "{system}", v.system,
		"{workspace}", v.workspace, "{conversation}", v.conversation,
	)
	var line []string
	for _, argument := range template {
		list, isList := lists[argument]
		if !isList {
			list = []string{argument}
		}
		for _, one := range list {
			// A program cannot start with a NUL in an argument.
			line = append(line, strings.ReplaceAll(replacer.Replace(one), "\x00", ""))
		}
	}
	return line
}

// turn is one call of Reply.
type turn struct {
	program *Program
	call    *protocol.Call
	watch   func(protocol.Delta)
	// folder is where the program runs. made says that it was made for this turn.
	folder string
	made   bool

	values values
	// continues says that the conversation exists already.
	continues bool
	recovered string
	runs      int
	// spent is the time that was lost on a program that stayed up but did not answer.
	spent time.Duration
	notes []string
}

// newTurn returns a turn in a folder, or in a new one if folder is "".
func (p *Program) newTurn(call *protocol.Call, folder string, watch func(protocol.Delta)) (*turn, error) {
	t := &turn{program: p, call: call, watch: watch, folder: folder}
	t.values = values{model: p.model, effort: p.options.Effort, workspace: folder, copied: p.options.Copy != nil}
	takes := func(arguments []string) bool { return slices.Contains(arguments, "{system...}") }
	if a := &p.adapter.Arguments; len(a.System) > 0 && len(call.Prompt.System) <= maxArgument && takes(a.Begin) &&
		(len(a.GoOn) == 0 || takes(a.GoOn)) {
		t.values.system = call.Prompt.System
	}
	p.mutex.Lock()
	room := p.stay.room()
	p.mutex.Unlock()
	if t.folder == "" {
		var err error
		seat := filepath.Base(call.State.ID) + "-" + filepath.Base(string(call.Ask.Seat))
		lasting := filepath.Join(p.options.Alone, seat)
		switch {
		case p.options.Alone != "" && call.State.ID != "" && lasting != room:
			t.folder = lasting
			// A crashed run may have left files.
			if err = os.RemoveAll(lasting); err == nil {
				err = os.MkdirAll(lasting, 0o700)
			}
		case room != "":
			t.folder = room
		default:
			t.folder, err = os.MkdirTemp("", "moot-")
		}
		if err != nil {
			return nil, err
		}
		t.made = true
	}
	return t, nil
}

// begin starts a conversation, with a random UUID (RFC 9562) if moot chooses the id.
func (t *turn) begin() {
	t.continues, t.values.conversation = false, ""
	if t.program.adapter.Arguments.Conversation == Chosen {
		var b [16]byte
		_, _ = rand.Read(b[:]) // never fails
		b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
		t.values.conversation = fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	}
}

// mostRuns is the maximum number of runs per call: one more after a lost conversation, and one more after a program
// that stayed up did not answer.
const mostRuns = 3

// run runs the program until it replies or cannot recover.
func (t *turn) run(ctx context.Context) (protocol.Reply, error) {
	p := t.program
	for {
		t.runs++
		n, failure, err := t.once(ctx)
		if err == nil {
			return t.reply(n), nil
		}
		means := Meaning("")
		if failure != nil && t.runs < mostRuns && ctx.Err() == nil {
			means = failure.Means
		}
		switch {
		case means == Lost && t.recovered == "":
			if t.continues {
				t.recovered = p.adapter.Name + " no longer knows its conversation; started a new one"
				t.watch(protocol.Delta{Note: t.recovered})
			}
			t.begin()
		case means == Long && t.continues:
			// The conversation is full of earlier turns, but the prompt has everything.
			t.recovered = p.adapter.Name + " had no room left in its conversation; started a new one"
			t.watch(protocol.Delta{Note: t.recovered})
			t.begin()
		default:
			reply := t.reply(n)
			reply.Text, reply.Model, reply.Conversation, reply.Recovered = "", "", "", ""
			return reply, err
		}
		t.watch(protocol.Delta{Restart: true})
	}
}

// note shows a note, and adds it to the reply.
func (t *turn) note(note string) {
	t.watch(protocol.Delta{Note: note})
	t.notes = append(t.notes, note)
}

// answer returns an empty answer for a run.
func (t *turn) answer() *answer {
	p := t.program
	again := func(note string) bool {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		before := p.notedSessions[note]
		if len(p.notedSessions) < mostNotes {
			p.notedSessions[note] = true
		}
		return before
	}
	return &answer{adapter: &p.adapter, watch: t.watch, clean: p.clean, most: p.options.MaxReplyBytes, again: again}
}

// once runs the program once.
func (t *turn) once(ctx context.Context) (*answer, *Failure, error) {
	p := t.program
	if o := t.stayed(ctx); o != nil {
		return o.answer, o.failure, o.err
	}
	arguments := &p.adapter.Arguments
	template := arguments.Begin
	if t.continues {
		template = arguments.GoOn
	}
	n := t.answer()
	spec := process.Spec{
		Path: p.adapter.Command, Args: arguments.line(template, &t.values), Dir: t.folder, Env: p.env,
		Stdin: t.prompt(&t.values), Limits: t.limits(), Line: n.take,
	}
	if p.adapter.raw {
		spec.Args, spec.Limits, spec.Line, spec.Output = p.adapter.words, p.options.Limits, nil, n.piece
		spec.Stdin = append(spec.Stdin, '\n')
		spec.Env = append(slices.Clip(spec.Env), "MOOT_SEAT="+string(t.call.Ask.Seat),
			"MOOT_STAGE="+string(t.call.Ask.Stage), "MOOT_ROUND="+strconv.Itoa(t.call.State.Round))
	}
	spec.Trace = record.From(ctx).Program(append([]string{spec.Path}, spec.Args...))
	result, err := p.runner.Run(ctx, spec)
	if len(n.partial) > 0 {
		n.streamed.WriteRune(utf8.RuneError)
	}
	if err != nil {
		n.printed = cmp.Or(n.printed, (*Failure)(nil).reason(result.Stderr))
		return n, nil, p.stopped(ctx, err, n)
	}
	n.plain(n.head.String(), result.Stderr)
	failure, err := p.ended(n, &result)
	return n, failure, err
}

// limits returns the limits of a run in this turn.
func (t *turn) limits() process.Limits {
	o := &t.program.options
	l := o.Limits
	if l.Total > 0 && t.spent > 0 {
		l.Total = max(l.Total-t.spent, time.Millisecond)
	}
	// A line with a single token has some 250 bytes.
	l.MaxLineBytes = max(l.MaxLineBytes, 8*o.MaxReplyBytes)
	l.MaxOutputBytes = max(l.MaxOutputBytes, 64*o.MaxReplyBytes)
	return l
}

// inPlace introduces a new system prompt to a running program.
const inPlace = "For this turn, the following replaces the rules and the list of moves that you received before:" +
	"\n\n"

// prompt returns the standard input, which begins with what v does not pass as an argument.
func (t *turn) prompt(v *values) []byte {
	var parts []string
	switch system := t.call.Prompt.System; {
	case v.system == "":
		parts = append(parts, system)
	case v.system != system:
		parts = append(parts, inPlace+system)
	}
	if len(t.call.Schema) > 0 {
		parts = append(parts, reply.SchemaInFence+string(t.call.Schema))
	}
	parts = lists.Map(append(parts, t.call.Prompt.Text), strings.TrimSpace)
	return []byte(strings.Join(lists.Filter(parts, func(part string) bool { return part != "" }), "\n\n"))
}

// folderFix says what to do if a folder cannot be created.
const folderFix = "free some disk space, and check that the folder is writable"

// reply returns the reply of a run.
func (t *turn) reply(n *answer) protocol.Reply {
	p := t.program
	n.conversation = cmp.Or(n.conversation, t.values.conversation)
	if !p.adapter.keeps() || !idPattern.MatchString(n.conversation) {
		n.conversation = ""
	}
	reply := protocol.Reply{
		Text: n.text(), Model: n.model, Attempts: t.runs, Conversation: n.conversation, Recovered: t.recovered,
		Notes: append(t.notes, n.notes...),
	}
	p.count(&reply, n, !t.continues, len(t.call.Prompt.System)+len(t.call.Prompt.Text))
	return reply
}

const uncounted = "it reports the cost of the whole conversation, and moot was restarted since its last turn: " +
	"the tokens of this turn are estimated, and its cost is unknown and not counted"

// count sets the cost of a reply. Counts of a whole conversation are reduced by those of earlier turns, unless the
// conversation began with this turn. If the program does not report tokens, they are estimated.
func (p *Program) count(reply *protocol.Reply, n *answer, began bool, prompt int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	before, known := p.totals[n.conversation]
	known = known || began
	tokens, cost, missing := n.tokens, n.cost, false
	reply.Estimated = !n.hasTokens && reply.Text != ""
	if n.hasTokens && p.adapter.Output.Tokens == PerConversation {
		switch {
		case !known:
			tokens, missing, reply.Estimated = Tokens{}, true, true
		case tokens.Prompt >= before.tokens.Prompt && tokens.Completion >= before.tokens.Completion:
			tokens.Prompt -= before.tokens.Prompt
			tokens.Completion -= before.tokens.Completion
		}
	}
	if n.hasCost && p.adapter.Output.Cost == PerConversation {
		switch {
		case !known:
			cost, missing = 0, true
		case cost >= before.cost:
			cost -= before.cost
		}
	}
	reply.PromptTokens, reply.CompletionTokens, reply.Cost = tokens.Prompt, tokens.Completion, cost
	if reply.Text != "" {
		var odd bool
		reply.PromptTokens, reply.CompletionTokens, odd = protocol.CheckTokens(tokens.Prompt, tokens.Completion, prompt,
			len(reply.Text))
		reply.Estimated = reply.Estimated || odd
	}
	reply.Unpriced = missing || !n.hasCost && reply.PromptTokens+reply.CompletionTokens > 0
	if missing && !p.notedUnknown {
		p.notedUnknown = true
		reply.Notes = append(reply.Notes, uncounted)
	}
	if n.conversation != "" && (n.hasTokens || n.hasCost) {
		p.totals[n.conversation] = totals{n.tokens, n.cost}
	}
}

// versionTime is how long a program may take to report its version.
const versionTime = 20 * time.Second

var versionPattern = regexp.MustCompile(`(?:^|[^0-9.])(\d{1,6}\.\d{1,6}(?:\.\d{1,6})?(?:[-+.][0-9A-Za-z.-]{1,30})?)`)

// VersionIn returns the first version in a text: "0.169.0" of "codex-cli 0.169.0".
func VersionIn(said string) string {
	if found := versionPattern.FindStringSubmatch(plain.Line(said)); found != nil {
		return found[1]
	}
	return ""
}

// AskVersion asks a program for its version and returns its standard output.
func AskVersion(ctx context.Context, runner *process.Runner, spec process.Spec) (string, process.Result, error) {
	spec.Limits.MaxOutputBytes = 64 << 10
	spec.Trace = record.From(ctx).Program(append([]string{spec.Path}, spec.Args...))
	return runner.Output(ctx, spec)
}

// Untried compares a version to the tested ones: "newer than tested (0.171)". It returns "" for tested and unknown
// versions.
func (a *Adapter) Untried(version string) string {
	tested := a.Version.Tried
	tried := slices.ContainsFunc(tested, func(tried string) bool {
		return version == tried || strings.HasPrefix(version, tried+".") || strings.HasPrefix(version, tried+"-")
	})
	if version == "" || len(tested) == 0 || tried {
		return ""
	}
	newest := slices.MaxFunc(tested, compareVersions)
	oldest := slices.MinFunc(tested, compareVersions)
	switch {
	case compareVersions(version, newest) > 0:
		return "newer than tested (" + newest + ")"
	case compareVersions(version, oldest) < 0:
		return "older than tested (" + oldest + ")"
	}
	return "between tested versions (" + strings.Join(tested, ", ") + ")"
}

// compareVersions compares two versions number by number.
func compareVersions(a, b string) int {
	numbers := func(version string) (all []int) {
		for part := range strings.FieldsFuncSeq(version,
			func(r rune) bool { return r == '.' || r == '-' || r == '+' }) {
			number, err := strconv.Atoi(part)
			if err != nil {
				break
			}
			all = append(all, number)
		}
		return all
	}
	return slices.Compare(numbers(a), numbers(b))
}

// learnVersion asks for the version once.
func (p *Program) learnVersion(ctx context.Context) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.asked {
		return nil
	}
	said, command := "", p.adapter.Command
	var err error
	if arguments := p.adapter.Version.Arguments; len(arguments) == 0 {
		_, err = process.Find(command)
	} else {
		spec := process.Spec{Path: command, Args: arguments, Env: p.env, Limits: process.Limits{Total: versionTime}}
		said, _, err = AskVersion(ctx, &p.runner, spec)
	}
	if err != nil {
		return err
	}
	p.asked, p.version = true, VersionIn(said)
	p.untried = p.adapter.Untried(p.version)
	return nil
}

// noteVersion returns a note about an untested version, once. The file Versions remembers it across sessions.
func (p *Program) noteVersion() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.untried == "" {
		return ""
	}
	entry := p.adapter.Name + " " + p.version
	note := entry + " works, " + p.untried
	p.untried = ""
	if p.options.Versions == "" {
		return note
	}
	const maxVersions = 64 << 10
	said, err := regular.Read(p.options.Versions, maxVersions)
	if err == nil && slices.Contains(strings.Split(string(said), "\n"), entry) {
		return ""
	}
	// If the file cannot be written, the next session repeats the note.
	if os.MkdirAll(filepath.Dir(p.options.Versions), 0o700) == nil && len(said)+len(entry) < maxVersions {
		if file, err := os.OpenFile(p.options.Versions, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			_, _ = file.WriteString(entry + "\n")
			_ = file.Close()
		}
	}
	return note
}

// versioned returns the program with its version: "codex 0.169.0".
func (p *Program) versioned() string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return strings.TrimSpace(p.adapter.Name + " " + p.version)
}
