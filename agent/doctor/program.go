package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"moot/agent/program"
)

// Programs are the tasks that look for agent programs.
func (w *Where) Programs(adapters []program.Adapter) []Task {
	var tasks []Task
	for i := range adapters {
		adapter := &adapters[i]
		tasks = append(tasks, Task{
			Part: PartPrograms, Name: adapter.Name, Limit: w.limit(), Configured: adapter.File != "",
			Run: func(ctx context.Context) []Check { return []Check{w.program(ctx, adapter)} },
		})
	}
	return tasks
}

// program finds a program and asks it for its version. That of an adapter of the
// person's own is meant to be there.
func (w *Where) program(ctx context.Context, a *program.Adapter) Check {
	c := Check{Part: PartPrograms, Name: a.Name, Configured: a.File != ""}
	path, err := "", errors.New("nobody looks")
	if w.LookPath != nil {
		path, err = w.LookPath(a.Command)
	}
	if err != nil {
		c.Word, c.Found, c.Fix = Missing, quoted(a.Command)+" is not on the PATH", a.Fix.Install
		return c
	}
	l, known := loginOf(a.Name)
	candidate := Found{Name: a.Name, Title: a.Title, Vendor: l.Vendor, Cost: "costs what your plan or key there costs", Local: true}
	if !known {
		candidate.Vendor = a.Name
	}
	if c.Version, c.Millis, err = w.told(ctx, path, a); err != nil {
		c.Word, c.Fix = Broken, a.Fix.Install
		asked := strings.TrimSpace(a.Command + " " + strings.Join(a.Version.Arguments, " "))
		c.Found = fmt.Sprintf("%s does not work: %s %s", quoted(path), quoted(asked), err)
		candidate.Why = c.Found
		c.Candidates = []Found{candidate}
		return c
	}
	c.Word, c.Found = OK, strings.TrimSpace(c.Version+" at "+quoted(path))
	candidate.Usable, candidate.Why = true, "it is installed"
	if c.Version != "" {
		candidate.Why = "version " + c.Version + " is installed"
	}
	switch untried := a.Untried(c.Version); {
	case untried != "":
		c.Found += "; " + untried
	case c.Version != "":
		c.Found += ", a version that was tried"
	}
	if known {
		w.loggedIn(&c, &candidate, &l, a)
	}
	c.Candidates = []Found{candidate}
	return c
}

// told is the version that a program tells, "" where it is not known how to ask.
func (w *Where) told(ctx context.Context, path string, a *program.Adapter) (version string, took float64, err error) {
	if len(a.Version.Arguments) == 0 {
		return "", 0, nil
	}
	said, lasted, err := w.output(ctx, path, a.Version.Arguments)
	if err == nil {
		if version = program.VersionIn(said); version == "" {
			err = errors.New(`tells no version but "` + quoted(said) + `"`)
		}
	}
	return version, millis(lasted), err
}

// loggedIn says whether a login seems to be there. Without one a program answers
// nobody.
func (w *Where) loggedIn(c *Check, candidate *Found, l *login, a *program.Adapter) {
	switch sign := w.sign(l); {
	case sign != "":
		c.Found += "; a login seems to be there (" + quoted(sign) + ")"
	case l.mayHide():
		c.Found += "; whether you are logged in cannot be seen here"
	default:
		c.Word, c.Found, c.Fix = Missing, c.Found+"; no login was found", a.Fix.Login
		candidate.Usable, candidate.Why = false, candidate.Why+", and no login was found"
	}
}
