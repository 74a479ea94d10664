package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"moot/agent"
	"moot/agent/doctor"
	"moot/agent/endpoint"
	"moot/agent/program"
	"moot/agent/script"
	"moot/internal/plain"
)

// one is the task that looks at the participant that was named.
func (o *doctorOptions) one(where *doctor.Where, h *holding) (doctor.Task, error) {
	word, _, _ := strings.Cut(o.participant, ":")
	choice, err := h.names().Parse(o.participant)
	programs := o.console.agentPrograms()
	i := slices.IndexFunc(programs, func(a program.Adapter) bool { return a.Name == word })
	switch {
	case err != nil:
		return doctor.Task{}, usage("%w", err)
	case i >= 0 && !o.ask:
		return where.Programs(programs[i : i+1])[0], nil
	}
	return o.look(where, h, &choice, ""), nil
}

// configured are the tasks that look at the participants of the configuration: who
// sits where nobody is named, and whom the person gave a name. They are meant to work.
func (o *doctorOptions) configured(where *doctor.Where, h *holding) []doctor.Task {
	var tasks []doctor.Task
	of, order := map[string]string{}, []string{}
	add := func(name, what string) {
		if of[name] == "" {
			order = append(order, name)
			of[name] = what
			return
		}
		of[name] += ", " + what
	}
	for _, s := range h.seats {
		add(s.value, s.name+" ("+s.source+")")
	}
	for _, name := range h.names().Names() {
		if of[name] == "" {
			add(name, "named in "+h.name)
		}
	}
	for _, name := range order {
		choice, err := h.names().Parse(name)
		if err != nil || choice.Spec.Kind == agent.KindRules {
			// What is wrong is among the problems of the configuration.
			continue
		}
		tasks = append(tasks, o.look(where, h, &choice, of[name]))
	}
	return tasks
}

// look is the task that looks at one participant. Of one that the configuration has for
// something, told in what it is for, what is missing is broken.
func (o *doctorOptions) look(where *doctor.Where, h *holding, choice *agent.Choice, what string) doctor.Task {
	name := plain.Clip(plain.Line(choice.Name()), mostToldName)
	task := doctor.Task{Part: doctor.PartParticipants, Name: name, Limit: where.Limit, Configured: true}
	if o.ask {
		task.Limit += o.timeout
	}
	task.Run = func(ctx context.Context) []doctor.Check {
		check := o.check(ctx, where, h, choice)
		check.Part, check.Name, check.Configured, check.Participants = doctor.PartParticipants, name, true, nil
		if what != "" {
			check.Found = what + ": " + check.Found
			if check.Word == doctor.Missing && choice.Spec.Kind != agent.KindPerson {
				check.Word = doctor.Broken
			}
		}
		return []doctor.Check{check}
	}
	return task
}

// check looks at one participant.
func (o *doctorOptions) check(ctx context.Context, where *doctor.Where, h *holding, choice *agent.Choice) doctor.Check {
	c, env := o.console, where.Env
	switch choice.Spec.Kind {
	case agent.KindRules:
		return doctor.Check{Word: doctor.OK, Found: "built in: no language model, nothing to set up"}
	case agent.KindPerson:
		return c.personCheck()
	case agent.KindScript:
		return scriptCheck(c.path(choice.Spec.File))
	case agent.KindProgram:
		return o.program(ctx, where, h, choice)
	case agent.KindEndpoint:
		config, err := choice.Endpoint(env)
		if missing, ok := errors.AsType[*endpoint.MissingKeyError](err); ok {
			what := "no key: "
			if missing.What != "" {
				what = ""
			}
			return doctor.Check{
				Word: doctor.Missing, Found: what + strings.Join(missing.Variables, " or ") + " is not set",
				Fix: "export " + missing.Variables[0] + "=…",
			}
		}
		if err != nil {
			return doctor.Check{Word: doctor.Broken, Found: plain.Clip(plain.Line(err.Error()), mostTold)}
		}
		if o.ask {
			return o.asked(ctx, h, choice)
		}
		return where.Endpoint(ctx, config)
	}
	return doctor.Check{Word: doctor.Untried, Found: "nobody knows how to look at it"}
}

// personCheck says whether the person can be asked.
func (c *Console) personCheck() doctor.Check {
	if c.InTerminal {
		return doctor.Check{Word: doctor.OK, Found: "you, at this terminal"}
	}
	return doctor.Check{Word: doctor.Missing, Found: "standard input is no terminal: nobody can be asked here", Fix: "moot ask --plain …"}
}

// scriptCheck reads a script.
func scriptCheck(path string) doctor.Check {
	if _, err := script.Open(path); err != nil {
		if missing, ok := errors.AsType[*os.PathError](err); ok {
			return doctor.Check{Word: doctor.Broken, Found: fmt.Sprintf("%s cannot be read: %s", path, missing.Err)}
		}
		return doctor.Check{Word: doctor.Broken, Found: plain.Clip(plain.Line(err.Error()), mostTold)}
	}
	return doctor.Check{Word: doctor.OK, Found: path + " can be read"}
}

// program looks at a program: one that has an adapter is asked for its version, and one
// of the person's own is found.
func (o *doctorOptions) program(ctx context.Context, where *doctor.Where, h *holding, choice *agent.Choice) doctor.Check {
	if o.ask {
		return o.asked(ctx, h, choice)
	}
	word, _, _ := strings.Cut(choice.Spec.Name, ":")
	known := o.console.agentPrograms()
	if i := slices.IndexFunc(known, func(a program.Adapter) bool { return a.Name == word }); i >= 0 {
		return where.Programs(known[i : i+1])[0].Run(ctx)[0]
	}
	if _, err := agent.Seat(*choice, o.deps(h)); err != nil {
		return doctor.Check{Word: doctor.Broken, Found: plain.Clip(plain.Line(err.Error()), mostTold)}
	}
	return doctor.Check{Word: doctor.Untried, Found: "it is there, and was not run", Fix: "moot doctor --ask " + plain.ShellWord(plain.Line(choice.Spec.Name))}
}

// deps are what a participant is made with that is tried out.
func (o *doctorOptions) deps(h *holding) agent.Deps {
	c := o.console
	deps := agent.Deps{
		Env: c.secrets(h), Path: c.path, Transport: c.Transport, Configure: h.price,
		Limits: endpoint.Limits{Total: o.timeout, FirstToken: o.timeout, Attempts: 1},
	}
	c.forPrograms(&deps)
	return deps
}

// asked really asks a participant, and nobody in its place.
func (o *doctorOptions) asked(ctx context.Context, h *holding, choice *agent.Choice) doctor.Check {
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	alone := *choice
	alone.Fallback = nil
	participant, err := agent.Seat(alone, o.deps(h))
	if err != nil {
		return doctor.Check{Word: doctor.Broken, Found: plain.Clip(plain.Line(err.Error()), mostTold)}
	}
	if closer, ok := participant.(io.Closer); ok {
		defer func() { _ = closer.Close() }()
	}
	asked, err := doctor.Ask(ctx, participant)
	if err != nil {
		what, fix := doctor.Failed(err)
		return doctor.Check{Word: doctor.Broken, Found: plain.Clip(what, mostTold), Fix: fix}
	}
	check := doctor.Check{Word: doctor.OK, Found: "answers, " + asked.Words(), Millis: asked.Millis, Asked: &asked}
	for _, note := range asked.Notes {
		check.Found += "; " + note
	}
	return check
}
