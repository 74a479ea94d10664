package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"moot/internal/plain"
	"moot/internal/process"
	"moot/protocol"
	"moot/state"
)

// maxSaid is the maximum number of characters that an error quotes from a program.
const maxSaid = 300

// means classifies a failure by the error message, else by the last output, else by standard error, else by the exit
// code.
func (a *Adapter) means(said string, status int, printed, stderr string, exit int) *Failure {
	if f := a.worded(said); f != nil {
		return f
	}
	if f := a.first(func(f *Failure) bool { return status != 0 && slices.Contains(f.Status, status) }); f != nil {
		return f
	}
	for _, text := range []string{printed, stderr} {
		if f := a.worded(text); f != nil {
			return f
		}
	}
	for _, text := range []string{said, printed, (*Failure)(nil).reason(stderr)} {
		if f, _ := noticeOf(text); f != nil {
			return f
		}
	}
	return a.first(func(f *Failure) bool { return slices.Contains(f.Exit, exit) })
}

// first returns the first matching failure, or nil.
func (a *Adapter) first(fits func(*Failure) bool) *Failure {
	for i := range a.Failures {
		if fits(&a.Failures[i]) {
			return &a.Failures[i]
		}
	}
	return nil
}

// worded returns the first failure whose words occur in a text, or nil.
func (a *Adapter) worded(text string) *Failure {
	text = strings.ReplaceAll(strings.ToLower(text), "’", "'")
	return a.first(func(f *Failure) bool {
		return slices.ContainsFunc(f.Words, func(word string) bool {
			return strings.Contains(text,
				strings.ToLower(word))
		})
	})
}

// reason extracts the reason from standard error: the group of Says, or else the last line.
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
			return line // the lines after it are details
		}
	}
	return last
}

// quote shortens program output to one line and removes secrets.
func (p *Program) quote(text string) string {
	text = short(strings.ToValidUTF8(text, "\uFFFD"))
	return plain.Clip(plain.Line(p.clean(text)), maxSaid)
}

// ended decides whether a program that exited gave a reply. The failure tells Program.Reply whether to recover.
func (p *Program) ended(n *answer, result *process.Result) (*Failure, error) {
	reply := n.text()
	unknown := n.unknownLines(p.quote)
	// If the program succeeds after an unknown last line, the whole message before it is the reply.
	whole := n.message != nil && *n.message != "" && n.unread && result.Exit == 0 && result.Signal == ""
	switch {
	case n.failed || result.Exit != 0 && !(n.done && reply != ""):
		return p.explained(n, result)
	case n.known == 0 && n.lines > 0 && reply == "":
		first, _, _ := strings.Cut(n.head.String(), "\n")
		if f, is := noticeOf(n.printed); is {
			return f, p.failed(f, n.printed, n)
		}
		what := fmt.Sprintf("no line of the output of %s is known (%s, beginning with %q): its format has changed",
			p.versioned(), plain.Counted(n.lines, "line"), plain.Clip(p.quote(first), maxNote))
		cause := protocol.Cause{Kind: state.FailureFormat, Said: p.quote(first)}
		return nil, p.unreachable(what, p.versionFix()+"; please report this message with the version", cause)
	case strings.TrimSpace(reply) == "":
		said := cmp.Or(p.quote((*Failure)(nil).reason(result.Stderr)), p.quote(n.printed))
		if f, is := noticeOf(said); is {
			return f, p.failed(f, said, n)
		}
		aside := cmp.Or(said, unknown)
		if said != "" && unknown != "" {
			aside += "; " + unknown
		}
		if aside != "" {
			aside = " (" + aside + ")"
		}
		return nil, p.broken("empty", "ended without a reply"+aside, n,
			protocol.Cause{Kind: state.FailureEmpty, Said: said})
	case !n.done && p.adapter.ends() && !whole:
		cause := protocol.Cause{Kind: state.FailureUnreachable}
		return nil, p.broken("broken", "broke off before its reply was done", n, cause)
	}
	if f, is := p.adapter.notice(reply); is {
		return f, p.failed(f, reply, n)
	}
	if whole && !n.done && p.adapter.ends() {
		note := "the end of its reply is not known to moot (" + unknown + ")"
		n.watch(protocol.Delta{Note: note})
		n.notes = append(n.notes, note)
	}
	return nil, nil
}

// explained returns the failure of a program that reported one or exited with an error.
func (p *Program) explained(n *answer, result *process.Result) (*Failure, error) {
	said, printed := n.failure, n.printed
	if p.adapter.raw {
		lines := strings.Split(strings.TrimSpace(n.text()), "\n")
		printed = lines[len(lines)-1]
	}
	f := p.adapter.means(said, n.status, printed, result.Stderr, result.Exit)
	unexplained := f == nil || f.Means == Unknown
	killed := result.Signal != "" && (n.text() != "" || !p.adapter.raw)
	silent := strings.TrimSpace(result.Stderr) == "" && n.printed == ""
	if f == nil && (killed || n.known > 0 && !n.failed && silent) {
		cause := protocol.Cause{Kind: state.FailureUnreachable}
		return nil, p.broken("broken", "ended "+result.Ending()+" before its reply was done", n, cause)
	}
	if said == "" || said == unsaid {
		stderr := f.reason(result.Stderr)
		_, states := noticeOf(printed)
		switch {
		case printed != "" && (stderr == "" || states || !unexplained && p.adapter.worded(printed) == f):
			said = printed
		case printed != "" && unexplained && stderr != printed:
			said = stderr + " (it printed: " + plain.Clip(p.quote(printed), maxNote) + ")"
		case stderr != "":
			said = stderr
		default:
			said = cmp.Or(n.unknownLines(p.quote), "it ended "+result.Ending()+" without a message")
		}
	}
	return f, p.failed(f, said, n)
}

// failed returns the error for a failure that the program reported.
func (p *Program) failed(f *Failure, said string, n *answer) error {
	first, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	cause := protocol.Cause{Kind: state.FailureUnreachable, Said: p.quote(first)}
	said = p.quote(said)
	if f == nil {
		fix := "check what `" + p.adapter.Command + "` prints when you run it yourself, or name another participant"
		return p.unreachable(p.versioned()+" failed: "+said, fix, cause)
	}
	cause.Kind = f.Means.kind()
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
		now := p.clock()
		if cause.Resets = n.resets; !cause.Resets.After(now) {
			cause.Resets = resetTime(said, now)
		}
		if !cause.Resets.IsZero() {
			minute := cause.Resets.Add(time.Minute - 1).In(now.Location())
			fix = "retry after " + minute.Format("Jan 2 15:04 MST") + ", or name another participant"
		}
	case Away:
		what = "its model server is failing or does not answer"
		fix = "check the network, retry later, or name another participant"
	case Cut:
		return p.broken("broken", "broke off before its reply was done: "+said, n, cause)
	case Long:
		return &protocol.TooLong{Participant: p.name, What: p.versioned() + " says: " + said, Cause: cause}
	case Unknown:
		what, fix = "it does not accept moot's command line", p.versionFix()
	case Setting:
		what = "its settings or model are wrong"
		fix = "fix its settings, or name another model after a colon, as " + p.adapter.Name + ":MODEL"
	case Declined:
		what, fix = "its model declined to answer", "word the question differently, or name another participant"
	case Filtered:
		what, fix = "a filter stopped its reply", "word the question differently, or name another participant"
	case Lost:
		what, fix = "it does not know the conversation", "resume the session: a new conversation begins"
	}
	if f.Fix != "" {
		fix = f.Fix
	}
	return p.unreachable(fmt.Sprintf("%s (%s: %s)", what, p.versioned(), said), fix, cause)
}

// versionFix says what to do about an untested version.
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

func (p *Program) unreachable(what, fix string, cause protocol.Cause) error {
	cause.Kind = cmp.Or(cause.Kind, state.FailureUnreachable)
	return &protocol.Unreachable{Participant: p.name, What: what, Fix: fix, Cause: cause}
}

func (p *Program) broken(code, what string, n *answer, cause protocol.Cause) error {
	cause.Kind = cmp.Or(cause.Kind, state.FailureFormat)
	return &protocol.Broken{Code: code, What: p.versioned() + " " + what, Partial: n.text(), Cause: cause}
}

// stopped returns the error for a run that was stopped.
func (p *Program) stopped(ctx context.Context, err error, n *answer) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var start *process.StartError
	var limit *process.LimitError
	none := protocol.Cause{}
	switch {
	case errors.Is(err, errOversized):
		return p.broken("oversized", fmt.Sprintf("sent a reply longer than the limit of %d bytes", n.most), n, none)
	case errors.Is(err, errGivenUp):
		return p.failed(p.adapter.means(n.failure, n.status, "", "", 0), n.failure, n)
	case errors.As(err, &start):
		what, fix := p.missing(start)
		return p.unreachable(what, fix, none)
	case errors.As(err, &limit) && (limit.Limit == process.Line || limit.Limit == process.Output):
		return p.broken("oversized", "wrote too much output: "+limit.Error(), n, none)
	case errors.As(err, &limit) && p.adapter.raw && n.text() != "":
		cause := protocol.Cause{Kind: state.FailureUnreachable}
		return p.broken("broken", "broke off: "+limit.Error()+" in the middle of its reply", n, cause)
	case errors.As(err, &limit):
		what, last := p.quote(limit.Error()), p.quote(cmp.Or(n.failure, n.printed))
		if last == "" && len(n.notes) > 0 {
			last = n.notes[len(n.notes)-1]
		}
		if last != "" {
			what += "; its last message: " + last
		}
		if unknown := n.unknownLines(p.quote); unknown != "" {
			what += "; " + unknown
		}
		const fix = "check whether its server answers, or allow more time (--first-token-timeout for silence, " +
			"--call-timeout in total)"
		cause := protocol.Cause{Said: last}
		if f := p.adapter.means(last, n.status, "", "", 0); f != nil {
			cause.Kind = f.Means.kind()
		}
		return p.unreachable(what, fix, cause)
	}
	fix := "check whether `" + p.adapter.Command + "` runs on its own"
	return p.unreachable(p.versioned()+" could not be run: "+p.quote(err.Error()), fix, none)
}

// Absent returns an error if the program cannot be started, with the reason and what to do. It starts nothing.
func (p *Program) Absent() error {
	_, err := process.Find(p.adapter.Command)
	if what, fix := p.untrusted(); err == nil && what != "" {
		return errors.New(what + "; " + fix)
	}
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
