package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"moot/agent"
	"moot/agent/doctor"
	"moot/agent/endpoint"
	"moot/internal/enum"
	"moot/internal/plain"
	"moot/state"
)

// askedTime is how long a participant that is really asked may take.
const askedTime = time.Minute

// doctorOptions are what moot doctor was told.
type doctorOptions struct {
	console     *Console
	online, ask bool
	output      string
	timeout     time.Duration
	// participant is the only one that is looked at, "" for all there is.
	participant string
}

func newDoctor(c *Console) *cobra.Command {
	o := &doctorOptions{console: c}
	cmd := &cobra.Command{
		Use:   "doctor [flags] [PARTICIPANT]",
		Short: "Find out what works: models, keys, programs, the terminal",
		Long: "Find out what works on this machine, and what is missing, with the one command that mends\n" +
			"it: model servers, keys, agent programs, the configuration, the terminal. All is looked at\n" +
			"side by side and in under five seconds, and nothing is changed. Nothing is sent to services\n" +
			"elsewhere, and no key to anybody, unless --online says so. With a participant only that one is\n" +
			"looked at; --ask really asks it one tiny question.\n" +
			"Exit code 0: what is configured works as far as was seen, and rules take the seats in any\n" +
			"case; 4: something that is configured, or the participant that was named, does not work.",
		Example: "  moot doctor\n" +
			"  moot doctor --online\n" +
			"  moot doctor --ask ollama:qwen3:8b\n" +
			"  moot doctor --output json | jq '.checks[] | select(.status == \"broken\")'",
		Args: atMostOne("participant"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.participant = firstOf(args)
			return o.run(cmd.Context())
		},
	}
	group(cmd, "How far it goes", func(f *pflag.FlagSet) {
		f.BoolVar(&o.online, "online", false, "ask the services that you have keys for which models they have: each key\ngoes to its own service, and no tokens are spent")
		f.BoolVar(&o.ask, "ask", false, "really ask the participant one tiny question, which spends some tokens")
		f.DurationVar(&o.timeout, "timeout", askedTime, "how long the answer to --ask may take")
	})
	group(cmd, "The result", func(f *pflag.FlagSet) {
		f.StringVar(&o.output, "output", string(outputText), "the form of the result: text, json")
	})
	return cmd
}

// doctorOutputs are the forms of its result.
func doctorOutputs() []output { return []output{outputText, outputJSON} }

func (o *doctorOptions) run(ctx context.Context) error {
	if _, err := enum.Parse("form of output", o.output, doctorOutputs()); err != nil {
		return usage("--output: %w", err)
	}
	if o.ask && o.participant == "" {
		return usage("--ask asks a participant; name it, as in: moot doctor --ask ollama:qwen3:8b")
	}
	if o.timeout <= 0 {
		return usage("--timeout is how long the answer may take, as in 30s")
	}
	h, err := o.console.holds()
	if err != nil {
		return err
	}
	tasks, err := o.tasks(h)
	if err != nil {
		return err
	}
	for i := range tasks {
		if tasks[i].Limit == 0 {
			tasks[i].Limit = o.console.checkTime(doctor.DefaultLimit)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	signals, stop := o.console.signals()
	defer stop()
	code := make(chan int, 1)
	go func() {
		select {
		case s := <-signals:
			code <- signalCode(s)
			cancel()
		case <-ctx.Done():
		}
	}()
	checks, err := doctor.Examine(ctx, tasks, o.progress())
	if o.console.redraws() {
		o.console.redraw("")
	}
	if err != nil {
		select {
		case left := <-code:
			return leaveWith(left)
		default:
			return err
		}
	}
	report := o.report(checks, h)
	if err := o.print(report); err != nil {
		return err
	}
	if !report.OK {
		return leaveWith(ExitFound)
	}
	return nil
}

// tasks are what is looked at.
func (o *doctorOptions) tasks(h *holding) ([]doctor.Task, error) {
	where := o.console.where(h)
	where.Limit, where.Online = o.console.checkTime(doctor.DefaultLimit), o.online
	if o.participant != "" {
		task, err := o.one(&where, h)
		return []doctor.Task{task}, err
	}
	presets, err := endpoint.Presets()
	if err != nil {
		return nil, err
	}
	tasks := o.console.mootTasks(h)
	tasks = append(tasks, where.Servers(presets)...)
	tasks = append(tasks, where.Services(presets)...)
	tasks = append(tasks, where.Programs(o.console.agentPrograms())...)
	tasks = append(tasks, o.configured(&where, h)...)
	tasks = append(tasks, o.console.toolTasks(&where)...)
	return append(tasks, o.console.terminalTask()), nil
}

// progress tells how far it is on a terminal.
func (o *doctorOptions) progress() func(doctor.Progress) {
	if !o.console.redraws() {
		return nil
	}
	return func(p doctor.Progress) {
		o.console.redraw(plain.Line(fmt.Sprintf("looking, %d of %d: %s", p.Done, p.Of, strings.Join(p.Waiting, ", "))))
	}
}

// doctorReport is what moot doctor found, and the form of --output json.
type doctorReport struct {
	// OK says that nothing that is configured is broken, and that the participant that
	// was named works as far as was seen.
	OK      bool           `json:"ok"`
	Version string         `json:"version"`
	Checks  []doctor.Check `json:"checks"`
	// Proposal is who could take two seats; nil where one participant was looked at.
	Proposal *doctorProposal `json:"proposal,omitempty"`
}

// doctorProposal names two participants, and the very command line.
type doctorProposal struct {
	Orchestrator string   `json:"orchestrator"`
	Consultee    string   `json:"consultee"`
	Why          string   `json:"why"`
	Command      []string `json:"command"`
	// Configured says that they sit where nobody is named.
	Configured bool `json:"configured,omitempty"`
}

// doctorQuestion is what the command line of a proposal asks.
const doctorQuestion = "Is the cache safe under load?"

// doctorProposes names who the configuration seats, else two of those that were found.
func doctorProposes(checks []doctor.Check, h *holding) *doctorProposal {
	first, second := h.sits(string(state.Orchestrator)), h.sits(string(state.Consultee))
	if first != nil && second != nil {
		return &doctorProposal{
			Orchestrator: first.value, Consultee: second.value, Why: first.source + ", " + second.source,
			Command: []string{"moot", "ask", doctorQuestion}, Configured: true,
		}
	}
	p := agent.Propose(agent.Candidates(checks), false)
	return &doctorProposal{
		Orchestrator: p.Orchestrator, Consultee: p.Consultee, Why: p.Why,
		Command: []string{"moot", "ask", "--orchestrator", p.Orchestrator, "--consultee", p.Consultee, doctorQuestion},
	}
}

// report is made of the checks.
func (o *doctorOptions) report(checks []doctor.Check, h *holding) doctorReport {
	r := doctorReport{OK: true, Version: version(), Checks: checks}
	for i := range checks {
		c := &checks[i]
		for _, f := range agent.Candidates(checks[i : i+1]) {
			if f.Usable {
				c.Participants = append(c.Participants, f.Name)
			}
		}
		if c.Configured && c.Word == doctor.Broken || o.participant != "" && c.Word != doctor.OK && c.Word != doctor.Untried {
			r.OK = false
		}
	}
	if o.participant == "" {
		r.Proposal = doctorProposes(checks, h)
	}
	return r
}

// print writes the result in the form that was asked for.
func (o *doctorOptions) print(r doctorReport) error {
	if output(o.output) == outputText {
		return o.console.Print(o.console.doctorText(&r))
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(r); err != nil {
		return fmt.Errorf("write what was found as JSON: %w", err)
	}
	return o.console.Print(out.String())
}

// problemOf is an error without the operation and path that package os puts before it.
func problemOf(err error) string {
	if inner, ok := errors.AsType[*os.PathError](err); ok {
		return inner.Err.Error()
	}
	return plain.Line(err.Error())
}
