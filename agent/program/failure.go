package program

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"moot/agent/program/process"
	"moot/plain"
	"moot/protocol"
)

// maxSaid is how much of what a program says is told in an error, in characters.
const maxSaid = 300

// means says what a failure means: the first of the file that fits what the
// program said, else what stands on its standard error, else how it ended.
func (a *Adapter) means(said string, status int, stderr string, exit int) *Failure {
	for _, text := range []string{strings.ToLower(said), strings.ToLower(stderr)} {
		for i := range a.Failures {
			f := &a.Failures[i]
			if slices.ContainsFunc(f.Words, func(word string) bool { return strings.Contains(text, strings.ToLower(word)) }) {
				return f
			}
		}
		for i := range a.Failures {
			if status != 0 && slices.Contains(a.Failures[i].Status, status) {
				return &a.Failures[i]
			}
		}
	}
	for i := range a.Failures {
		if slices.Contains(a.Failures[i].Exit, exit) {
			return &a.Failures[i]
		}
	}
	return nil
}

// told is what is told of a standard error: what the failure reads out of it, else
// its last line.
func (f *Failure) told(stderr string) string {
	if f != nil && f.says != nil {
		if found := f.says.FindAllStringSubmatch(stderr, -1); len(found) > 0 {
			return strings.NewReplacer(`\"`, `"`, `\n`, " ", `\\`, `\`).Replace(found[len(found)-1][1])
		}
	}
	last := ""
	for line := range strings.Lines(stderr) {
		if line = strings.TrimSpace(line); line != "" && strings.Trim(line, "{}[]();,") != "" {
			last = line
		}
		if strings.HasPrefix(strings.ToLower(line), "error") {
			// What follows a line of this kind explains it.
			return line
		}
	}
	return last
}

// quote bounds what a program said, on one line and without the secrets that it
// was given.
func (p *Program) quote(text string) string {
	text = short(strings.ToValidUTF8(text, "\uFFFD"))
	return plain.Clip(plain.Line(p.clean(text)), maxSaid)
}

// ended says how a program ended that was not stopped: with a reply (nil), or with
// an error. lost and noSchema are no errors of the call: see Program.Reply.
func (p *Program) ended(n *answer, result *process.Result) (*Failure, error) {
	reply := n.text()
	failed := n.failed || result.Exit != 0 && !(n.done && reply != "")
	switch {
	case failed:
		said := n.failure
		f := p.adapter.means(said, n.status, result.Stderr, result.Exit)
		if said == "" || said == unsaid {
			if said = f.told(result.Stderr); said == "" {
				said = "it ended " + result.Ending() + " and says nothing"
			}
		}
		if f == nil && (result.Signal != "" || n.known > 0 && !n.failed && strings.TrimSpace(result.Stderr) == "") {
			return nil, p.broken("broken", "ended "+result.Ending()+" before its reply was done", n)
		}
		return f, p.failed(f, said, n)
	case n.known == 0 && n.lines > 0 && reply == "" && p.adapter.Output.Form != Text:
		return nil, p.changed(n)
	case strings.TrimSpace(reply) == "":
		return nil, p.broken("empty", "ended without a reply"+p.aside(n, result.Stderr), n)
	case !n.done && p.adapter.ends():
		return nil, p.broken("broken", "broke off before its reply was done", n)
	}
	return nil, nil
}

// aside is what may explain that there is no reply: the last line of standard
// error, or one that is not known.
func (p *Program) aside(n *answer, stderr string) string {
	if said := p.quote((*Failure)(nil).told(stderr)); said != "" {
		return " (" + said + ")"
	}
	if n.unknown != "" {
		return fmt.Sprintf(" (%d of its %s are not known, the first begins with %q)", n.lines-n.known, plain.Counted(n.lines, "line"), plain.Clip(p.quote(n.unknown), maxNote))
	}
	return ""
}

// failed is the error of a failure that the program told.
func (p *Program) failed(f *Failure, said string, n *answer) error {
	said = p.quote(said)
	says := fmt.Sprintf(" (%s: %s)", p.versioned(), said)
	if f == nil {
		return p.unreachable(p.versioned()+" failed: "+said, "see what `"+p.adapter.Command+"` says when you run it yourself, or name another participant")
	}
	fix := f.Fix
	otherwise := func(text string) string {
		if fix != "" {
			return fix
		}
		return text
	}
	login := "log in"
	if p.adapter.Fix.Login != "" {
		login = "log in with `" + p.adapter.Fix.Login + "`"
	}
	switch f.Means {
	case Login:
		return p.unreachable("nobody is logged in to it"+says, otherwise(login))
	case Refused:
		return p.unreachable("its key or login was refused"+says, otherwise("check the key that it is given, or "+login))
	case Busy:
		return p.unreachable("it was asked too often, or has no credit left"+says, otherwise("wait a little, or name another participant"))
	case Away:
		return p.unreachable("the server of its model does not answer or fails"+says, otherwise("check the network, wait a little, or name another participant"))
	case Cut:
		return p.broken("broken", "broke off before its reply was done: "+said, n)
	case Long:
		return &protocol.TooLong{Participant: p.name, What: p.versioned() + " says: " + said}
	case Unknown:
		return p.unreachable("it does not know how moot calls it"+says, otherwise(p.versionFix()))
	case Setting, NoSchema:
		return p.unreachable("its settings or its model are not right"+says, otherwise("mend its settings, or name another model behind a colon, as "+p.adapter.Name+":MODEL"))
	case Lost:
	}
	return p.unreachable("it does not know the conversation"+says, otherwise("go on with the session: a new one is begun"))
}

// versionFix says what to do about a version that was not tried.
func (p *Program) versionFix() string {
	fix := "take a version that was tried (" + strings.Join(p.adapter.Version.Tried, ", ") + ")"
	if len(p.adapter.Version.Tried) == 0 {
		fix = "take another version"
	}
	if p.adapter.Fix.Update != "" {
		fix += ", update it with `" + p.adapter.Fix.Update + "`"
	}
	return fix + ", or say in an adapter of your own how it is spoken to (docs/programs.md)"
}

// changed says that nothing of the output is known.
func (p *Program) changed(n *answer) error {
	first, _, _ := strings.Cut(n.head.String(), "\n")
	what := fmt.Sprintf("nothing that %s wrote is known (%s, beginning with %q): its output is another than it was",
		p.versioned(), plain.Counted(n.lines, "line"), plain.Clip(p.quote(first), maxNote))
	return p.unreachable(what, p.versionFix()+"; a report of this message, with the version, helps others")
}

func (p *Program) unreachable(what, fix string) error {
	return &protocol.Unreachable{Participant: p.name, What: what, Fix: fix}
}

func (p *Program) broken(code, what string, n *answer) error {
	return &protocol.Broken{Code: code, What: p.versioned() + " " + what, Partial: n.text()}
}

// stopped is the error of a run that did not come to its end.
func (p *Program) stopped(ctx context.Context, err error, n *answer) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var start *process.StartError
	var limit *process.LimitError
	switch {
	case errors.Is(err, errOversized):
		return p.broken("oversized", fmt.Sprintf("sent a reply longer than the limit of %d bytes", n.most), n)
	case errors.Is(err, errGivenUp):
		f := p.adapter.means(n.failure, n.status, "", 0)
		return p.failed(f, n.failure, n)
	case errors.As(err, &start):
		return p.notStarted(start)
	case errors.As(err, &limit):
		switch limit.Limit {
		case process.Line, process.Output:
			return p.broken("oversized", "wrote more than moot takes: "+limit.Error(), n)
		case process.Silence, process.Total:
		}
		what := p.quote(limit.Error())
		if n.failure != "" {
			what += ", after it said: " + p.quote(n.failure)
		} else if len(n.notes) > 0 {
			what += ", after it said: " + n.notes[len(n.notes)-1]
		}
		return p.unreachable(what, "see whether its server answers, or allow it more time (--first-token-timeout for its silence, --call-timeout in all)")
	}
	return p.unreachable(p.versioned()+" could not be run: "+p.quote(err.Error()), "see whether `"+p.adapter.Command+"` runs by itself")
}

// Absent says why the program cannot be started and what to do, nil where it is there.
// It starts nothing.
func (p *Program) Absent() error {
	_, err := process.Find(p.adapter.Command)
	if start, ok := errors.AsType[*process.StartError](err); ok {
		what, fix := p.missing(start)
		return errors.New(what + "; " + fix)
	}
	return err
}

// notStarted is the error of a call whose program did not start.
func (p *Program) notStarted(err *process.StartError) error { return p.unreachable(p.missing(err)) }

// missing says what is missing, and what to do.
func (p *Program) missing(err *process.StartError) (what, fix string) {
	if err.Missing {
		fix = "install it"
		if p.adapter.Fix.Install != "" {
			fix = "install it with `" + p.adapter.Fix.Install + "`"
		}
		if strings.ContainsAny(p.adapter.Command, `/\`) {
			return "there is no program " + p.adapter.Command, fix + ", or correct its path in " + p.adapter.File
		}
		return p.adapter.Command + " is not on the PATH", fix + ", or name another participant"
	}
	return p.quote(err.Error()), "see whether `" + p.adapter.Command + "` runs by itself"
}
