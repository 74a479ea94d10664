package research

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"time"

	"moot/internal/redact"
	"moot/ledger"
)

// Command runs commands in one workspace, and checks that what is expected comes
// of them. It asks nobody: what it is given, the user has approved. It is safe
// for concurrent use.
type Command struct {
	directory string
	environ   []string
	// tree is the git work tree around the workspace, or nil.
	tree *workTree
}

// OpenCommand prepares runs in a directory. Of the environment, NAME=value each,
// a command finds what environment.txt names and does not look like a secret. It
// is an error if the directory has no absolute path.
func OpenCommand(directory string, environ []string, redactor *redact.Redactor) (*Command, error) {
	absolute, err := filepath.Abs(directory)
	if err != nil {
		return nil, fmt.Errorf("find the workspace %q: %w", directory, err)
	}
	c := &Command{directory: absolute, environ: cleanEnvironment(environ, absolute, redactor)}
	if resolved, err := filepath.EvalSymlinks(absolute); err == nil {
		c.tree = findWorkTree(resolved)
	}
	return c, nil
}

// Check runs a command ("$ " and its words, see ledger.ParseCommand) and compares
// how it ended with what is expected (ledger.ParseExpectation). It answers with a
// finding; it never fails and never panics.
//
// The command runs without a shell, in the workspace, with a clean environment
// and nothing on standard input, in a session of its own: it cannot reach the
// terminal. When ctx ends, or when it has written over MaxOutput bytes, it is
// ended with all that it started; a process that left its group on purpose is not
// followed. What it left running when it ended is ended too.
//
// A verified finding is an execution, live-api, of ConfidenceExecution. Excerpt
// is what it wrote, standard output before standard error, at most MaxKept bytes:
// beginning, end and what was looked for, with what is left out said. Digest is
// that of all that it wrote, in this order. Commit is that of the work tree. A
// refused finding of a command that ran carries the same, with the output in
// Nearest.
func (c *Command) Check(ctx context.Context, reference, expected string) ledger.Finding {
	finding, _ := c.Examine(ctx, reference, expected)
	return finding
}

// Examine is Check, and says besides in one word how it came out.
func (c *Command) Examine(ctx context.Context, reference, expected string) (ledger.Finding, RunOutcome) {
	finding := ledger.Finding{
		Type: ledger.Claim, SourceKind: ledger.LLMInference, Confidence: ledger.ConfidenceWord,
		Reference: cut(reference, MaxReference),
	}
	command, err := ledger.ParseCommand(reference)
	if err != nil {
		finding.Reason = err.Error()
		return finding, RunUnreadable
	}
	finding.Reference = command.Reference()
	expectation, err := ledger.ParseExpectation(expected)
	if err != nil {
		finding.Reason = err.Error()
		return finding, RunUnreadable
	}
	if c.tree != nil {
		finding.Commit = c.tree.commit()
	}
	r := c.run(ctx, command.Words())
	c.judge(&finding, &r, expectation)
	return finding, r.outcome
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
	}
	finding.Digest = digest(ended.Stdout, ended.Stderr)
	output, left := excerpt(*ended, expectation)
	if r.outcome == RunMet {
		finding.Run.ExitCode = ended.Code
		came, compared := "met", expectation
		if unmet := expectation.Unmet(*ended); len(unmet) > 0 {
			r.outcome, came, compared = RunUnmet, "not met", unmet
		}
		finding.Reason = fmt.Sprintf("it ended with exit %d after %s; expected and %s: %s", ended.Code, lasted(r.took),
			came, compared)
	}
	if left > 0 {
		finding.Reason += fmt.Sprintf("; %d bytes of its output are left out here", left)
	}
	if r.survivors {
		finding.Reason += "; what it left running was ended"
	}
	if r.outcome != RunMet {
		finding.Nearest, finding.NearestReference = output, finding.Reference
		return
	}
	finding.Verified, finding.Excerpt = true, output
	finding.Type, finding.SourceKind, finding.Confidence = ledger.Execution, ledger.LiveAPI, ledger.ConfidenceExecution
}

// lasted is a duration as a person reads it.
func lasted(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d/time.Millisecond)
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// digest is "sha256:" and the digest of the streams, one after the other.
func digest(streams ...[]byte) string {
	sum := sha256.New()
	for _, s := range streams {
		sum.Write(s)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}
