package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/internal/process"
	"moot/protocol"
)

// maxSaid bounds how much of a program's words an error quotes, in characters.
const maxSaid = 300

// means explains a failure: by what the program said, else by standard error, else
// by the exit code.
func (a *Adapter) means(said string, status int, stderr string, exit int) *Failure {
	find := func(fits func(*Failure) bool) *Failure {
		for i := range a.Failures {
			if fits(&a.Failures[i]) {
				return &a.Failures[i]
			}
		}
		return nil
	}
	for _, text := range []string{strings.ToLower(said), strings.ToLower(stderr)} {
		contains := func(word string) bool { return strings.Contains(text, strings.ToLower(word)) }
		if f := find(func(f *Failure) bool { return slices.ContainsFunc(f.Words, contains) }); f != nil {
			return f
		}
		if f := find(func(f *Failure) bool { return status != 0 && slices.Contains(f.Status, status) }); f != nil {
			return f
		}
	}
	return find(func(f *Failure) bool { return slices.Contains(f.Exit, exit) })
}

// reason extracts the reason from standard error: the group of Says, else the last
// line.
func (f *Failure) reason(stderr string) string {
	if f != nil && f.says != nil {
		if found := f.says.FindAllStringSubmatch(stderr, -1); len(found) > 0 {
			groups := found[len(found)-1]
			return strings.NewReplacer(`\"`, `"`, `\n`, " ", `\\`, `\`).Replace(groups[len(groups)-1])
		}
	}
	last := ""
	for line := range strings.Lines(stderr) {
		if line = strings.TrimSpace(line); line != "" && strings.Trim(line, "{}[]();,") != "" {
			last = line
		}
		if strings.HasPrefix(strings.ToLower(line), "error") {
			return line // The lines after it explain it.
		}
	}
	return last
}

// quote bounds a program's words, on one line and without secrets.
func (p *Program) quote(text string) string {
	text = short(strings.ToValidUTF8(text, "\uFFFD"))
	return plain.Clip(plain.Line(p.clean(text)), maxSaid)
}

// ended decides whether a program that was not stopped gave a reply. The failure
// says whether Program.Reply may recover.
func (p *Program) ended(n *answer, result *process.Result) (*Failure, error) {
	reply := n.text()
	switch {
	case n.failed || result.Exit != 0 && !(n.done && reply != ""):
		said := n.failure
		f := p.adapter.means(said, n.status, result.Stderr, result.Exit)
		if said == "" || said == unsaid {
			if said = f.reason(result.Stderr); said == "" {
				said = "it ended " + result.Ending() + " without a message"
			}
		}
		killed := result.Signal != "" && (reply != "" || !p.adapter.raw)
		if f == nil && (killed || n.known > 0 && !n.failed && strings.TrimSpace(result.Stderr) == "") {
			return nil, p.broken("broken", "ended "+result.Ending()+" before its reply was done", n)
		}
		return f, p.failed(f, said, n)
	case n.known == 0 && n.lines > 0 && reply == "":
		first, _, _ := strings.Cut(n.head.String(), "\n")
		what := fmt.Sprintf("no line of the output of %s is known (%s, beginning with %q): its format has changed",
			p.versioned(), plain.Counted(n.lines, "line"), plain.Clip(p.quote(first), maxNote))
		return nil, p.unreachable(what, p.versionFix()+"; please report this message with the version")
	case strings.TrimSpace(reply) == "":
		aside := ""
		if said := p.quote((*Failure)(nil).reason(result.Stderr)); said != "" {
			aside = " (" + said + ")"
		} else if n.unknown != "" {
			aside = fmt.Sprintf(" (%d of its %s are unknown, the first begins with %q)",
				n.lines-n.known, plain.Counted(n.lines, "line"), plain.Clip(p.quote(n.unknown), maxNote))
		}
		return nil, p.broken("empty", "ended without a reply"+aside, n)
	case !n.done && p.adapter.ends():
		return nil, p.broken("broken", "broke off before its reply was done", n)
	}
	return nil, nil
}

// failed is the error of a failure that the program reported.
func (p *Program) failed(f *Failure, said string, n *answer) error {
	said = p.quote(said)
	if f == nil {
		fix := "check what `" + p.adapter.Command + "` prints when you run it yourself, or name another participant"
		return p.unreachable(p.versioned()+" failed: "+said, fix)
	}
	login := "log in"
	if p.adapter.Fix.Login != "" {
		login = "log in with `" + p.adapter.Fix.Login + "`"
	}
	what, fix := "", ""
	switch f.Means {
	case Login:
		what, fix = "it is not logged in", login
	case Refused:
		what, fix = "its key or login was rejected", "check its key, or "+login
	case Busy:
		what, fix = "it is rate-limited, or has no credit left", "retry later, or name another participant"
	case Away:
		what = "its model server is failing or does not answer"
		fix = "check the network, retry later, or name another participant"
	case Cut:
		return p.broken("broken", "broke off before its reply was done: "+said, n)
	case Long:
		return &protocol.TooLong{Participant: p.name, What: p.versioned() + " says: " + said}
	case Unknown:
		what, fix = "it does not accept moot's command line", p.versionFix()
	case Setting:
		what = "its settings or model are wrong"
		fix = "fix its settings, or name another model after a colon, as " + p.adapter.Name + ":MODEL"
	case Lost:
		what, fix = "it does not know the conversation", "resume the session: a new conversation begins"
	}
	if f.Fix != "" {
		fix = f.Fix
	}
	return p.unreachable(fmt.Sprintf("%s (%s: %s)", what, p.versioned(), said), fix)
}

// versionFix says what to do about an untried version.
func (p *Program) versionFix() string {
	fix := "use a tested version (" + strings.Join(p.adapter.Version.Tried, ", ") + ")"
	if len(p.adapter.Version.Tried) == 0 {
		fix = "use another version"
	}
	if p.adapter.Fix.Update != "" {
		fix += ", update it with `" + p.adapter.Fix.Update + "`"
	}
	return fix + ", or write your own adapter (docs/programs.md)"
}

func (p *Program) unreachable(what, fix string) error {
	return &protocol.Unreachable{Participant: p.name, What: what, Fix: fix}
}

func (p *Program) broken(code, what string, n *answer) error {
	return &protocol.Broken{Code: code, What: p.versioned() + " " + what, Partial: n.text()}
}

// stopped is the error of a run that was stopped.
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
		return p.failed(p.adapter.means(n.failure, n.status, "", 0), n.failure, n)
	case errors.As(err, &start):
		return p.unreachable(p.missing(start))
	case errors.As(err, &limit) && (limit.Limit == process.Line || limit.Limit == process.Output):
		return p.broken("oversized", "wrote too much output: "+limit.Error(), n)
	case errors.As(err, &limit) && p.adapter.raw && n.text() != "":
		return p.broken("broken", "broke off: "+limit.Error()+" in the middle of its reply", n)
	case errors.As(err, &limit):
		what := p.quote(limit.Error())
		if n.failure != "" {
			what += "; its last message: " + p.quote(n.failure)
		} else if len(n.notes) > 0 {
			what += "; its last message: " + n.notes[len(n.notes)-1]
		}
		const fix = "check whether its server answers, or allow more time (--first-token-timeout for silence, " +
			"--call-timeout in total)"
		return p.unreachable(what, fix)
	}
	fix := "check whether `" + p.adapter.Command + "` runs on its own"
	return p.unreachable(p.versioned()+" could not be run: "+p.quote(err.Error()), fix)
}

// Absent returns an error that says why the program cannot be started and what to
// do, or nil. It starts nothing.
func (p *Program) Absent() error {
	_, err := process.Find(p.adapter.Command)
	if start, ok := errors.AsType[*process.StartError](err); ok {
		what, fix := p.missing(start)
		return errors.New(what + "; " + fix)
	}
	return err
}

// missing explains why a program did not start.
func (p *Program) missing(err *process.StartError) (what, fix string) {
	if !err.Missing {
		return p.quote(err.Error()), "check whether `" + p.adapter.Command + "` runs on its own"
	}
	fix = "install it"
	if p.adapter.Fix.Install != "" {
		fix = "install it with `" + p.adapter.Fix.Install + "`"
	}
	if strings.ContainsAny(p.adapter.Command, `/\`) {
		place := cmp.Or(p.adapter.File, "the name of the participant")
		return "there is no program " + p.adapter.Command, fix + ", or correct its path in " + place
	}
	return p.adapter.Command + " is not on the PATH", fix + ", or name another participant"
}
