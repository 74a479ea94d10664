package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/zalando/go-keyring"

	"moot/agent"
	"moot/agent/doctor"
	"moot/agent/endpoint"
	"moot/agent/program"
	"moot/config"
	"moot/internal/plain"
	"moot/protocol"
	"moot/research"
	"moot/state"
	"moot/state/store"
)

const (
	// keyringCheckTime is how long the keyring may take to look up a missing entry.
	keyringCheckTime = time.Second
	// maxDetail and maxName bound foreign text in a check, in characters.
	maxDetail = 240
	maxName   = 40
)

// doctorOptions are the flags and arguments of moot doctor.
type doctorOptions struct {
	console  *Console
	defaults *defaults
	where    doctor.Where
	online   bool
	// participant is the only one to check, or "" to check everything.
	participant string
	// queue is the queue to check instead, if its url is set.
	queue queueOptions
}

func newDoctor(c *Console) *cobra.Command {
	o := &doctorOptions{console: c}
	cmd := &cobra.Command{
		Use:  "doctor",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.participant = firstOf(args); o.queue.url != "" {
				if o.participant != "" || o.online {
					return usage("--queue checks a queue alone: leave out the participant and --online")
				}
				ctx, stop := c.untilSignal(cmd.Context())
				defer stop()
				return o.queue.examine(ctx, c)
			}
			if o.queue.pin != "" || o.queue.creds != "" || o.queue.tokenFile != "" {
				return usage("--pin, --token-file and --queue-creds belong to --queue URL")
			}
			return o.run(cmd.Context())
		},
		ValidArgsFunction: c.completeParticipants,
	}
	group(cmd, "Checks", func(f *pflag.FlagSet) {
		f.BoolVar(&o.online, "online", false,
			"list the models of each service that you have a key for: each key goes only to its own service, and "+
				"no tokens are spent")
	})
	if hasQueue {
		group(cmd, "A queue of moot batch", func(f *pflag.FlagSet) {
			f.StringVar(&o.queue.url, "queue", "", "check the NATS servers at this `URL` instead")
			o.queue.connectFlags(f)
		})
	}
	return cmd
}

func (o *doctorOptions) run(ctx context.Context) error {
	c := o.console
	o.defaults = c.readDefaults()
	o.where = c.where(o.defaults)
	o.where.Online, o.where.ProgramLimit, o.where.Folder = o.online, c.checkTime(doctor.ProgramLimit), c.Dir
	ctx, stop := c.untilSignal(ctx)
	defer stop()
	if server := serverIn(o.participant); server != "" && server == o.participant {
		return o.listModels(ctx, server)
	}
	tasks, err := o.tasks()
	if err != nil {
		return err
	}
	checks, err := doctor.Examine(ctx, o.where.Limit, tasks)
	if err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	text, broken := checksText(checks), false
	for i := range checks {
		one := &checks[i]
		works := one.Word == doctor.OK || one.Word == doctor.Slow || one.Word == doctor.Untried
		unusable := o.participant != "" && !works
		broken = broken || one.Configured && one.Word == doctor.Broken || unusable
	}
	if o.participant == "" {
		text += o.proposal(checks)
		if broken {
			text += "\nSomething that is configured is broken: see ✗ above.\n"
		}
	}
	if err := c.Print(text); err != nil {
		return err
	}
	if broken {
		return leaveWith(protocol.ExitFound)
	}
	return nil
}

// tasks returns the checks to run.
func (o *doctorOptions) tasks() ([]doctor.Task, error) {
	programs := o.console.agentPrograms()
	if o.participant != "" {
		choice, err := o.defaults.book.Parse(o.participant)
		if err != nil {
			return nil, usage("%w", err)
		}
		return []doctor.Task{o.participantTask(&choice, "")}, nil
	}
	presets, err := endpoint.Presets()
	if err != nil {
		return nil, err
	}
	return slices.Concat(o.mootTasks(), o.where.Servers(presets), o.where.Services(presets), o.where.Programs(programs),
		o.configuredTasks(), o.toolTasks()), nil
}

// proposal names two participants for a session, with the command to start it.
func (o *doctorOptions) proposal(checks []doctor.Check) string {
	const question = "Is the cache safe under load?"
	p := agent.Propose(agent.Candidates(checks), agent.Pair{}, false, true)
	command := []string{"moot", "ask", "--orchestrator", p.Orchestrator, "--consultee", p.Consultee, question}
	text := "Two participants for a session: " + p.Orchestrator + " judges, " + p.Consultee + " answers. " + p.Why + "."
	first, second := o.defaults.seat(string(state.Orchestrator)), o.defaults.seat(string(state.Consultee))
	switch {
	case first != nil && second != nil:
		text = fmt.Sprintf("By default %s judges and %s answers (%s, %s).", first.text, second.text, first.place,
			second.place)
		command = []string{"moot", "ask", question}
	case p.Orchestrator == state.BuiltInRules && p.Consultee == state.BuiltInRules:
		text = "No model is available yet: rules, which is not a language model, takes both seats."
	case p.Orchestrator == p.Consultee:
		text = "One model is available: " + p.Consultee + " takes both seats. A second model is better."
	}
	for i, word := range command {
		command[i] = plain.ShellWord(word)
	}
	return "\n" + plain.Line(text) + "\n\n  " + strings.Join(command, " ") + "\n"
}

// failedCheck describes an error, shortened.
func failedCheck(word doctor.Word, err error) doctor.Check {
	return doctor.Check{Word: word, Found: plain.Clip(plain.Line(err.Error()), maxDetail)}
}

// mootTasks check moot itself.
func (o *doctorOptions) mootTasks() []doctor.Task {
	var tasks []doctor.Task
	for _, t := range []struct {
		name       string
		configured bool
		run        func() doctor.Check
	}{
		{"configuration", true, o.configurationCheck},
		{"sessions", true, o.console.sessionsCheck},
		{"keyring", false, o.console.keyringCheck},
	} {
		tasks = append(tasks, doctor.Task{
			Part: doctor.PartMoot, Name: t.name, Configured: t.configured,
			Run: func(context.Context) []doctor.Check {
				check := t.run()
				check.Part, check.Name, check.Configured = doctor.PartMoot, t.name, t.configured
				return []doctor.Check{check}
			},
		})
	}
	return tasks
}

func (c *Console) keyringCheck() doctor.Check {
	// Looking up an entry that nobody stores doesn't unlock the keyring.
	_, err := c.useKeyring(c.checkTime(keyringCheckTime), func(ring Keyring) (string, error) {
		return ring.Get(keyService, "MOOT_DOCTOR")
	})
	if err != nil && !errors.Is(err, keyring.ErrNotFound) {
		return failedCheck(doctor.Missing, err)
	}
	return doctor.Check{Word: doctor.OK, Found: "it answers: keys can be stored there"}
}

func (o *doctorOptions) configurationCheck() doctor.Check {
	check := doctor.Check{Word: doctor.OK, Found: o.defaults.path}
	problems := o.defaults.allProblems(o.console)
	switch {
	case len(problems) > 0:
		text := problems[0].String()
		if more := len(problems) - 1; more > 0 {
			text += fmt.Sprintf("; and %s more", plain.Counted(more, "problem"))
		}
		check.Word, check.Found, check.Fix = doctor.Broken, plain.Clip(plain.Line(text), maxDetail), "moot config edit"
	case !o.defaults.exists:
		check.Found = "none at " + o.defaults.path + ": using the defaults"
	}
	return check
}

// sessionsCheck checks that the session folder can be written. It leaves nothing behind.
func (c *Console) sessionsCheck() doctor.Check {
	dir, err := c.sessions()
	if err != nil {
		return doctor.Check{Word: doctor.Broken, Found: cause(err)}
	}
	summaries, err := store.NewLister(dir, c.rules()...).List(context.Background(), nil)
	existing := dir
	for {
		if _, missing := os.Stat(existing); !errors.Is(missing, fs.ErrNotExist) {
			break
		}
		existing = filepath.Dir(existing)
	}
	if err == nil {
		var file *os.File
		if file, err = os.CreateTemp(existing, ".moot-*"); err == nil {
			err = errors.Join(file.Close(), os.Remove(file.Name()))
		}
	}
	if err != nil {
		return doctor.Check{
			Word: doctor.Broken, Fix: "export " + store.StateVariable + "=DIR",
			Found: fmt.Sprintf("%s cannot be used: %s", existing, cause(err)),
		}
	}
	return doctor.Check{Word: doctor.OK, Found: fmt.Sprintf("%s in %s", plain.Counted(len(summaries), "session"), dir)}
}

// configuredTasks check the participants of the configuration: the default seats and the named participants.
func (o *doctorOptions) configuredTasks() []doctor.Task {
	uses, order := map[string]string{}, []string{}
	for _, s := range o.defaults.seats {
		use := s.name + " (" + s.place + ")"
		if uses[s.text] == "" {
			order = append(order, s.text)
			uses[s.text] = use
			continue
		}
		uses[s.text] += ", " + use
	}
	for _, name := range o.defaults.book.Names() {
		if uses[name] == "" {
			order = append(order, name)
			uses[name] = "named in " + o.defaults.name
		}
	}
	var tasks []doctor.Task
	for _, name := range order {
		// The configuration check reports names that don't parse.
		choice, err := o.defaults.book.Parse(name)
		if err == nil && choice.Spec.Kind != agent.KindRules {
			tasks = append(tasks, o.participantTask(&choice, uses[name]))
		}
	}
	return tasks
}

// toolTasks start the tool servers of the configuration, and list their tools.
func (o *doctorOptions) toolTasks() []doctor.Task {
	var tasks []doctor.Task
	for _, server := range o.defaults.file.Tools {
		tasks = append(tasks, doctor.Task{
			Part: doctor.PartTools, Name: server.Name, Configured: true, Limit: research.ToolStartTime + time.Second,
			Run: func(ctx context.Context) []doctor.Check {
				check := doctor.Check{Word: doctor.OK}
				only := *o.defaults
				only.file.Tools = []config.ToolServer{server}
				tools, err := o.console.tools(&only, false)
				if err == nil {
					listed := tools.List(ctx)[0]
					check.Found = plain.Counted(len(listed.Tools), "tool") + ": " + strings.Join(listed.Tools, ", ")
					err = errors.Join(listed.Err, tools.Close())
				}
				if err != nil {
					check = failedCheck(doctor.Broken, err)
				}
				check.Found = plain.Clip(check.Found, maxDetail)
				check.Part, check.Name, check.Configured = doctor.PartTools, server.Name, true
				return []doctor.Check{check}
			},
		})
	}
	return tasks
}

// participantTask checks one participant. If the configuration uses it for something, a missing part means that it is
// broken.
func (o *doctorOptions) participantTask(choice *agent.Choice, use string) doctor.Task {
	name := plain.Clip(plain.Line(choice.Name()), maxName)
	limit := time.Duration(0)
	if choice.Spec.Kind == agent.KindProgram {
		limit = o.where.ProgramLimit
	}
	return doctor.Task{
		Part: doctor.PartParticipants, Name: name, Configured: true, Limit: limit,
		Run: func(ctx context.Context) []doctor.Check {
			check := o.participantCheck(ctx, choice)
			check.Part, check.Name, check.Configured = doctor.PartParticipants, name, true
			if use != "" {
				check.Found = use + ": " + check.Found
				if check.Word == doctor.Missing && choice.Spec.Kind != agent.KindPerson {
					check.Word = doctor.Broken
				}
			}
			return []doctor.Check{check}
		},
	}
}

func (o *doctorOptions) participantCheck(ctx context.Context, choice *agent.Choice) doctor.Check {
	c := o.console
	switch choice.Spec.Kind {
	case agent.KindPerson:
		if c.InTerminal {
			return doctor.Check{Word: doctor.OK, Found: "you, at this terminal"}
		}
		return doctor.Check{
			Word: doctor.Missing, Found: "standard input is not a terminal: nobody can be asked here",
			Fix: "moot ask --plain …",
		}
	case agent.KindEndpoint:
		config, err := choice.Endpoint(o.where.Env)
		if missing, ok := errors.AsType[*endpoint.MissingKeyError](err); ok {
			text := "no key: "
			if missing.What != "" {
				text = ""
			}
			return doctor.Check{
				Word: doctor.Missing, Found: text + strings.Join(missing.Variables, " or ") + " is not set",
				Fix: "export " + missing.Variables[0] + "=…",
			}
		}
		if err != nil {
			return failedCheck(doctor.Broken, err)
		}
		return o.where.Endpoint(ctx, config)
	case agent.KindProgram:
		word, _, _ := strings.Cut(choice.Spec.Name, ":")
		known := c.agentPrograms()
		if i := slices.IndexFunc(known, func(a program.Adapter) bool { return a.Name == word }); i >= 0 {
			return o.where.Programs(known[i : i+1])[0].Run(ctx)[0]
		}
	case agent.KindRules, agent.KindScript:
	}
	deps := agent.Deps{Path: c.path}
	c.forPrograms(&deps)
	if _, err := agent.Seat(*choice, deps); err != nil {
		return failedCheck(doctor.Broken, err)
	}
	return doctor.Check{Word: doctor.OK, Found: "it can take a seat"}
}

// checksText renders the checks in columns.
func checksText(all []doctor.Check) string {
	var out strings.Builder
	for _, part := range doctor.Parts() {
		checks := foldAbsent(all, part)
		if len(checks) == 0 {
			continue
		}
		if out.Len() > 0 {
			out.WriteString("\n")
		}
		title := strings.ToUpper(string(part[:1])) + string(part[1:])
		out.WriteString(title + "\n")
		for i := range checks {
			writeCheck(&out, &checks[i])
		}
	}
	return out.String()
}

// foldAbsent returns the checks of a part. Servers that don't run and services without a key share one line.
func foldAbsent(all []doctor.Check, part doctor.Part) []doctor.Check {
	var checks []doctor.Check
	var folded []string
	others := doctor.Check{Part: part, Name: "others", Word: doctor.Missing}
	for i := range all {
		one := &all[i]
		switch {
		case one.Part != part:
		case one.Absent && (part == doctor.PartServices || part == doctor.PartServers):
			folded = append(folded, one.Name)
			others.Fix = cmp.Or(others.Fix, one.Fix)
		default:
			checks = append(checks, *one)
		}
	}
	if len(folded) > 0 {
		others.Found = "not running: " + strings.Join(folded, ", ")
		if part == doctor.PartServices {
			others.Found = "no key for " + strings.Join(folded, ", ")
		}
		checks = append(checks, others)
	}
	return checks
}

// writeCheck writes a check: its sign, status, name and details. The fix gets a line of its own, so that it can be
// copied.
func writeCheck(out *strings.Builder, check *doctor.Check) {
	sign := " "
	switch check.Word {
	case doctor.OK:
		sign = "✓"
	case doctor.Missing:
		sign = "–"
	case doctor.Broken:
		sign = "✗"
	case doctor.Slow:
		sign = "~"
	case doctor.Untried:
		sign = "·"
	}
	fmt.Fprintf(out, "  %s %-10s%-23s  %s\n", sign, check.Word, plain.Line(check.Name), plain.Line(check.Found))
	if check.Fix != "" {
		fmt.Fprintf(out, "%39s→ %s\n", "", plain.Line(check.Fix))
	}
}

// listModels prints the models of a server, as participants.
func (o *doctorOptions) listModels(ctx context.Context, server string) error {
	c := o.console
	config, err := endpoint.Parse(server+"MODEL", o.where.Env)
	if err != nil {
		return usage("%w", err)
	}
	if !o.online && (!config.IsHere() || !config.Key.IsZero()) {
		return usage("listing the models of %s sends it your key: moot doctor --online %s", config.Base,
			plain.ShellWord(server))
	}
	names, survey, err := c.models(ctx, server, o.where.Env, o.where.Limit)
	switch {
	case err != nil:
		return err
	case survey.Status != endpoint.StatusAnswers:
		return fmt.Errorf("%s: it %s; %s", config.Base, plain.Line(survey.What), plain.Line(survey.Fix))
	case len(names) == 0:
		return fmt.Errorf("%s lists no models; name one: %sMODEL", config.Base, server)
	}
	return c.Print(strings.Join(names, "\n") + "\n")
}
