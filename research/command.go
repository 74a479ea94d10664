package research

import (
	"cmp"
	"context"
	_ "embed" // The names are a file of their own.
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"moot/internal/confine"
	"moot/internal/git"
	"moot/internal/process"
	"moot/internal/redact"
	"moot/ledger"
)

// Command runs commands in one workspace and checks their outcome. It does not ask for permission: its callers pass
// only commands that the user approved. It is safe for concurrent use.
type Command struct {
	directory string
	environ   []string
	// tree is the git work tree around the workspace, or nil.
	tree *workTree
	// reviewed holds the files of a commit, in a copy of which commands run, or is nil.
	reviewed *git.Tree
	// open says why commands run unconfined, or is "".
	open string
}

// Confine makes commands run confined (package confine) if the kernel can. main of this program must be the helper.
func (c *Command) Confine() { _, c.open = confine.Supported() }

// Unconfined makes commands run without confinement. The record says why.
func (c *Command) Unconfined(why string) { c.open = why }

// OpenCommand prepares runs in a directory. Of the environment, NAME=value each,
// a command finds what environment.txt names and does not look like a secret. It
// is an error if the directory has no absolute path.
func OpenCommand(directory string, environ []string, redactor *redact.Redactor) (*Command, error) {
	absolute, err := filepath.Abs(directory)
	if err != nil {
		return nil, fmt.Errorf("find the workspace %q: %w", directory, err)
	}
	c := &Command{
		directory: absolute, environ: cleanEnvironment(environ, redactor),
		open: "this program cannot confine commands",
	}
	if resolved, err := filepath.EvalSymlinks(absolute); err == nil {
		c.tree = findWorkTree(resolved)
	}
	return c, nil
}

// In makes commands run in a copy of the files of a commit instead of the folder.
func (c *Command) In(tree *git.Tree) {
	c.reviewed = tree
	if c.tree == nil {
		c.tree = &workTree{}
	}
	c.tree.reviewed = tree.Commit
}

// Kind describes commands.
func (c *Command) Kind() ledger.Kind { return ledger.CommandKind() }

// Check runs a command ("$ " and its words, see ledger.ParseCommand) and compares
// its outcome with the expectation (ledger.ParseExpectation). Failures are findings, too.
//
// The command runs without a shell, in the workspace, with a clean environment
// and nothing on standard input, in a session of its own: it cannot reach the
// terminal. When ctx ends, or the command has written over MaxOutput bytes, its process
// group is ended; a process that left the group on purpose is not followed. The same
// happens to what it leaves running.
//
// A verified finding is an execution, live-api, of ConfidenceExecution. Excerpt holds the
// output, standard output before standard error, at most MaxKept bytes: its beginning, its
// end and the expected text, with a mark for each part left out. Digest covers the whole
// output, Commit names the commit of the work tree. A refused finding of a command that ran has the
// same, with the output in Nearest.
func (c *Command) Check(ctx context.Context, reference, expected string) ledger.Finding {
	finding := ledger.Finding{Reference: cut(reference, ledger.MaxReference)}
	command, err := ledger.ParseCommand(reference)
	if err != nil {
		finding.Reason = err.Error()
		return finding
	}
	finding.Reference = command.Reference()
	expectation, err := ledger.ParseExpectation(expected)
	if err != nil {
		finding.Reason = err.Error()
		return finding
	}
	r, err := c.runIn(ctx, command, &finding)
	if err != nil {
		finding.Reason = err.Error()
		return finding
	}
	c.judge(&finding, &r, expectation)
	return finding
}

// runIn runs a command in the workspace or in a copy of the reviewed files, and sets the commit.
func (c *Command) runIn(ctx context.Context, command ledger.Command, finding *ledger.Finding) (r run, err error) {
	if c.tree != nil {
		finding.Commit = c.tree.commit()
	}
	directory := c.directory
	if c.reviewed != nil {
		if directory, err = c.reviewed.Copy(ctx); err != nil {
			return r, err
		}
	}
	return c.run(ctx, directory, command.Words()), nil
}

// judge fills in what a run makes of a finding.
func (c *Command) judge(finding *ledger.Finding, r *run, expectation ledger.Expectation) {
	finding.Reason = r.reason
	if !r.started {
		return
	}
	ended := &r.ended
	finding.Run = &ledger.Run{
		ExitCode: -1, Milliseconds: int(r.took / time.Millisecond), OutputBytes: len(ended.Stdout) + len(ended.Stderr),
		Confinement: r.confinement,
	}
	finding.Digest = ledger.Digest(slices.Concat(ended.Stdout, ended.Stderr))
	output, left := excerpt(*ended, expectation, MaxKept)
	if r.reason == "" {
		finding.Run.ExitCode = ended.Code
		result, compared := "met", expectation
		if unmet := expectation.Unmet(*ended); len(unmet) > 0 {
			result, compared = "not met", unmet
		}
		finding.Verified = result == "met"
		finding.Reason = fmt.Sprintf("it ended with exit %d after %s; expected and %s: %s", ended.Code, lasted(r.took),
			result, compared)
	}
	if left > 0 {
		finding.Reason += fmt.Sprintf("; %d bytes of its output are left out here", left)
	}
	if r.survivors {
		finding.Reason += "; what it left running was ended"
	}
	if r.confined && !finding.Verified && (r.reason != "" || ended.Code != 0) {
		finding.Reason += "; it ran confined, which closes most files outside of the workspace and the " +
			"network: if it needs more, run the session with --no-confine"
	}
	finding.Unmet = r.reason == "" && !finding.Verified
	if !finding.Verified {
		finding.Nearest, finding.NearestReference = output, finding.Reference
		return
	}
	finding.Excerpt = output
}

// lasted is a duration as a person reads it.
func lasted(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d/time.Millisecond)
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// MaxOutput is how much a command may write before it is ended, in bytes.
const MaxOutput = 4 << 20

// patience is how long a command that is ended may take to end by itself.
const patience = 100 * time.Millisecond

// errEndless ends a command that writes too much.
var errEndless = errors.New("too much output")

// run is how a command ran.
type run struct {
	// reason says why the command did not run to its end, or is "".
	reason string
	// started says that it ran at all, survivors that it left something running.
	started, survivors bool
	took               time.Duration
	ended              ledger.Ended
	// confinement says how it was confined or why it was not.
	confinement string
	confined    bool
}

// run runs words in the workspace, and comes back when all of it has ended.
func (c *Command) run(ctx context.Context, directory string, words []string) (r run) {
	if ctx.Err() != nil {
		r.reason = "the check was ended before the command ran"
		return r
	}
	left := MaxOutput
	keep := func(stream *[]byte) func(piece []byte) error {
		return func(piece []byte) error {
			taken := min(len(piece), left)
			left -= taken
			*stream = append(*stream, piece[:taken]...)
			if taken < len(piece) {
				return errEndless
			}
			return nil
		}
	}
	program := words[0]
	if filepath.Base(program) != program && !filepath.IsAbs(program) {
		program = filepath.Join(directory, program)
	}
	const unlimited = time.Duration(math.MaxInt64) // The context is the limit.
	spec := process.Spec{
		Path: program, Args: words[1:], Dir: directory, Env: c.environ,
		Output: keep(&r.ended.Stdout), Errors: keep(&r.ended.Stderr), Whole: true,
		Limits: process.Limits{Total: unlimited, Silence: unlimited, TermWait: patience},
	}
	r.confinement = "not confined: " + c.open
	var result process.Result
	var err error
	if c.open == "" {
		result, err = c.runConfined(ctx, &spec, words, &r)
	} else {
		result, err = runOnce(ctx, &spec)
	}
	_, failed := errors.AsType[*process.StartError](err)
	r.started, r.survivors, r.took, r.ended.Code = !failed, result.Left, result.Took, result.Exit
	if err != nil {
		r.ended.Code = -1 // A code that it chose when it was asked to end says nothing.
	}
	if r.reason == "" { // It could be confined.
		r.reason = whyStopped(ctx, words[0], result, err)
	}
	return r
}

// whyStopped says why a program did not run to its end, or returns "".
func whyStopped(ctx context.Context, program string, result process.Result, err error) string {
	start, failed := errors.AsType[*process.StartError](err)
	switch cause := context.Cause(ctx); {
	case failed && start.Missing:
		return fmt.Sprintf("there is no program %q here", program)
	case failed:
		return fmt.Sprintf("%q cannot be run here: %v", program, cmp.Or(errors.Unwrap(start.Err), start.Err))
	case errors.Is(err, errEndless):
		return fmt.Sprintf("it wrote over %d MiB and was ended, with all that it had started", MaxOutput>>20)
	case err != nil && errors.Is(cause, context.DeadlineExceeded):
		return fmt.Sprintf("it was still running after %s and was ended, with all that it had started",
			lasted(result.Took))
	case err != nil:
		return "it was canceled and ended, with all that it had started"
	case result.Held:
		return "it ended, but a process that it had started held its output open: that was ended, and the output " +
			"may be incomplete"
	case result.Signal != "":
		return fmt.Sprintf("it did not exit by itself but was ended by %s", result.Signal)
	}
	return ""
}

func runOnce(ctx context.Context, spec *process.Spec) (process.Result, error) {
	runner := &process.Runner{}
	defer runner.Close()
	return runner.Run(ctx, *spec)
}

// runConfined runs a command by the helper of package confine, with a temporary folder of its own. A command that could
// not be confined is not run, and r has the reason.
func (c *Command) runConfined(
	ctx context.Context, spec *process.Spec, words []string, r *run,
) (result process.Result, err error) {
	fail := func(err error) (process.Result, error) {
		const unrun = "it could not be confined and did not run: %v; --no-confine runs commands unconfined"
		r.reason = fmt.Sprintf(unrun, err)
		return process.Result{Exit: -1}, &process.StartError{Program: words[0], Err: err}
	}
	// The helper always starts, so a missing program is reported here.
	program, err := process.Find(spec.Path)
	if err != nil {
		return process.Result{Exit: -1}, err
	}
	temporary, err := os.MkdirTemp("", "moot-command-")
	if err != nil {
		return fail(err)
	}
	defer func() { _ = os.RemoveAll(temporary) }() // What stays lies in a temporary folder.
	report, helper, err := os.Pipe()
	if err != nil {
		return fail(err)
	}
	defer report.Close()
	plan := confine.NewPlan(program, spec.Dir, temporary, c.environ, c.tree.folders())
	spec.Path, spec.Args = confine.Wrap(plan.Policy, program, words)
	spec.Env, spec.Files = plan.Environ, []*os.File{helper}
	result, err = runOnce(ctx, spec)
	_ = helper.Close()
	done, wrong := confine.ReadReport(report)
	switch {
	case wrong != nil && err == nil:
		return fail(wrong)
	case done.Failed != "":
		return fail(errors.New(done.Failed))
	case done.Exec != "":
		return result, &process.StartError{Program: words[0], Err: errors.New(done.Exec)}
	}
	r.confinement, r.confined = "", done.ABI > 0
	if r.confined {
		r.confinement = done.Words()
	}
	if plan.HomeClosed {
		r.confinement += "; what is hidden in the home folder was closed"
	}
	return result, err
}

// MaxKept bounds what a finding carries of what a command wrote, in bytes, not
// counting the marks of what is left out.
const MaxKept = 64 << 10

// between separates standard output from standard error, if there is both.
const between = "[standard error]\n"

// excerpt returns the output of a command, without its middle if it is over most bytes, and how much is left out. Text that the
// expectation matched is kept.
func excerpt(e ledger.Ended, expectation ledger.Expectation, most int) (text string, left int) {
	var where ledger.Stream
	var at [2]int
	for _, c := range expectation {
		if stream, found, ok := c.Locate(e); ok {
			where, at = stream, found
			break
		}
	}
	room := [2]int{most, most}
	if len(e.Stdout)+len(e.Stderr) > most {
		// The shorter one stays whole where it takes no more than its half.
		room[0] = max(most/2, most-len(e.Stderr))
		room[1] = max(most/2, most-len(e.Stdout))
	}
	out := &strings.Builder{}
	for i, s := range []struct {
		stream ledger.Stream
		bytes  []byte
	}{{ledger.Stdout, e.Stdout}, {ledger.Stderr, e.Stderr}} {
		if len(s.bytes) == 0 {
			continue
		}
		if i == 1 && out.Len() > 0 {
			if !strings.HasSuffix(out.String(), "\n") {
				out.WriteByte('\n')
			}
			out.WriteString(between)
		}
		kept, gone := elide(string(s.bytes), room[i], at, where == s.stream)
		out.WriteString(kept)
		left += gone
	}
	return strings.ToValidUTF8(out.String(), "\uFFFD"), left
}

// elide cuts the middle out of a text over a limit, in whole characters. Matched text is kept, up to a third of the
// limit.
func elide(text string, limit int, at [2]int, seen bool) (kept string, left int) {
	if len(text) <= limit {
		return text, 0
	}
	head, tail := limit/2, len(text)-limit/2
	parts := [][2]int{{0, head}, {tail, len(text)}}
	if seen && at[1] > head && at[0] < tail {
		third := limit / 3
		from := max(0, at[0]-third/4)
		parts = [][2]int{{0, third}, {from, min(len(text), from+third)}, {len(text) - third, len(text)}}
	}
	out := &strings.Builder{}
	end := 0
	for _, p := range parts {
		from, to := max(end, whole(text, p[0])), whole(text, p[1])
		if from >= to {
			continue
		}
		if gap := from - end; gap > 0 {
			left += gap
			fmt.Fprintf(out, "\n[… %d bytes left out …]\n", gap)
		}
		out.WriteString(text[from:to])
		end = to
	}
	return out.String(), left
}

//go:embed environment.txt
var environmentFile string

// cleanEnvironment returns the variables that a command may see, of entries NAME=value: those of environment.txt,
// except any that look like a secret. A path may look like one; HOME says which folder must stay closed.
func cleanEnvironment(all []string, redactor *redact.Redactor) []string {
	allowed := environmentNames()
	var kept []string
	for _, entry := range all {
		name, _, found := strings.Cut(entry, "=")
		if !found || !allowed(name) {
			continue
		}
		if _, secrets := redactor.Text(entry); len(secrets) > 0 && !strings.EqualFold(name, "PATH") && name != "HOME" {
			continue
		}
		kept = append(kept, entry)
	}
	return append(kept, "TERM=dumb", "NO_COLOR=1", "GIT_TERMINAL_PROMPT=0")
}

// environmentNames reads environment.txt. Windows does not tell upper from lower
// case.
func environmentNames() func(name string) bool {
	exact, beginnings := map[string]bool{}, []string{}
	for line := range strings.Lines(environmentFile) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if beginning, open := strings.CutSuffix(line, "*"); open {
			beginnings = append(beginnings, beginning)
			continue
		}
		exact[line] = true
	}
	return func(name string) bool {
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		return slices.ContainsFunc(beginnings, func(beginning string) bool {
			return strings.HasPrefix(name, beginning)
		}) || exact[name]
	}
}
