package research

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"moot/internal/git"
	"moot/internal/plain"
	"moot/ledger"
	"moot/workspace"
)

// Try tries patches: a test or a fix that a seat hands in (TRY go test ./queue, with a diff). The command runs in two
// temporary copies of the workspace, one without and one with the patch. Like Command, it does not ask for permission:
// its callers pass only what the user approved. The copies are written from git objects, so that no filter or hook runs,
// and nothing is written to the workspace or its .git.
type Try struct {
	command *Command
	// folder is the workspace, and allow are globs of paths that may be shown although they may hold secrets.
	folder string
	allow  []string
	// reviewed holds the files of a commit, which are tried instead of those of the folder, or is nil.
	reviewed *git.Tree
	// temporary is the folder for the copies, or "" for that of the system.
	temporary string
}

// maxPatched is the maximum size of a file that a patch changes, in bytes.
const maxPatched = 4 << 20

// OpenTry returns the checker for a workspace, or nil if it is in no repository. Its commands run like those of command,
// but cannot read the workspace itself.
func OpenTry(folder string, allow []string, tree *git.Tree, command *Command) *Try {
	if _, err := git.Find(folder); err != nil && tree == nil {
		return nil
	}
	apart := *command
	apart.tree, apart.reviewed = nil, nil
	return &Try{command: &apart, folder: folder, allow: allow, reviewed: tree}
}

// Kind describes trials.
func (t *Try) Kind() ledger.Kind {
	return ledger.Kind{
		Name: "trial", Marks: "TRY", Runs: true, Patch: true,
		Type: ledger.Execution, SourceKind: ledger.LiveAPI, Confidence: ledger.ConfidenceExecution,
		Says: `To show a defect or a fix, hand in a test or a patch: cite TRY and a command, put a unified diff in the field ` +
			`"patch" (text files only; new files are fine), and quote what the command does without and with it: reference ` +
			`"TRY go test ./queue", quote "without: exit 0; with: exit 1" for a test that fails, or "without: exit 1; with: ` +
			`exit 0" for a fix, patch "--- /dev/null\n+++ b/queue/pop_test.go\n@@ -0,0 +1,9 @@\n+package queue\n+…". In ` +
			`lines, write CITE P1 supports TRY go test ./queue => without: exit 0; with: exit 1, and below it the diff in a ` +
			"```diff block. It counts only if both runs end as you say.",
	}
}

// Check refuses a trial without a patch.
func (t *Try) Check(_ context.Context, reference, _ string) ledger.Finding {
	return ledger.Finding{
		Reference: cut(strings.ToValidUTF8(reference, "\uFFFD"), ledger.MaxReference), Reason: "a trial needs a patch",
	}
}

// Try runs a command without and with a patch. A verified finding is an execution, live-api, and its excerpt has both
// results.
func (t *Try) Try(ctx context.Context, reference, expected, text string) ledger.Finding {
	finding := ledger.Finding{Reference: cut(strings.ToValidUTF8(reference, "\uFFFD"), ledger.MaxReference)}
	refused := func(err error) ledger.Finding {
		finding.Reason = err.Error()
		return finding
	}
	command, err := ledger.ParseCommand(reference)
	if err != nil {
		return refused(err)
	}
	words := command.Words()[1:]
	if len(words) == 0 {
		return refused(errors.New("a trial needs a command behind TRY"))
	}
	finding.Reference = t.Kind().Reference(command)
	expectation, err := ledger.ParseTrialExpectation(expected)
	if err != nil {
		return refused(err)
	}
	patch, err := ledger.ParsePatch(text)
	if err != nil {
		return refused(err)
	}
	temporary, err := os.MkdirTemp(t.temporary, "moot-trial-")
	if err != nil {
		return refused(err)
	}
	defer func() { _ = git.RemoveCopy(temporary) }() // What stays lies in a temporary folder.
	copies, left, err := t.copies(ctx, temporary, &finding)
	if err != nil {
		return refused(err)
	}
	if err := applyPatch(copies[1], patch); err != nil {
		return refused(err)
	}
	var runs [2]run
	for i, name := range []string{"without", "with"} {
		runs[i] = t.command.run(ctx, copies[i], words)
		if why := runs[i].reason; why != "" {
			finding.Reason = fmt.Sprintf("the run %s the patch has no result: %s", name, why)
			t.report(&finding, runs[:i+1], expectation)
			return finding
		}
	}
	t.report(&finding, runs[:], expectation)
	shown := expectation.Shown(runs[0].ended, runs[1].ended)
	finding.Verified, finding.Unmet = shown, !shown
	result := "met"
	if !shown {
		result = "not met"
	}
	finding.Reason = fmt.Sprintf("without the patch it ended with exit %d after %s, with it with exit %d after %s; expected "+
		"and %s: %s", runs[0].ended.Code, lasted(runs[0].took), runs[1].ended.Code, lasted(runs[1].took), result, expectation)
	switch without, with := expectation.Without.Unmet(runs[0].ended), expectation.With.Unmet(runs[1].ended); {
	case shown:
	case len(without) > 0:
		finding.Reason += fmt.Sprintf("; without it, this is not met: %s", without)
	case len(with) > 0:
		finding.Reason += fmt.Sprintf("; with it, this is not met: %s", with)
	default:
		finding.Reason += "; both results meet both, so the patch makes no difference"
	}
	if left != "" {
		finding.Reason += "; " + left
	}
	if !shown {
		finding.Nearest, finding.NearestReference, finding.Excerpt = finding.Excerpt, finding.Reference, ""
		if runs[0].confined && runs[0].ended.Code != 0 && runs[1].ended.Code != 0 {
			finding.Reason += "; it ran confined in a copy of the tracked and new files: what needs ignored files, the " +
				"network or the repository itself fails there"
		}
	}
	return finding
}

// report fills in what the runs showed.
func (t *Try) report(finding *ledger.Finding, runs []run, expectation ledger.TrialExpectation) {
	about := &ledger.Run{ExitCode: -1}
	var out strings.Builder
	var whole []byte
	for i := range runs {
		r := &runs[i]
		if !r.started {
			continue
		}
		about.Milliseconds += int(r.took / time.Millisecond)
		about.OutputBytes += len(r.ended.Stdout) + len(r.ended.Stderr)
		about.Confinement = r.confinement
		expected, name := expectation.Without, "without"
		if i == 1 {
			expected, name = expectation.With, "with"
		}
		ended := fmt.Sprintf("exit %d", r.ended.Code)
		if r.reason != "" {
			ended = "no result"
		} else if i == 1 {
			about.ExitCode = r.ended.Code
		}
		kept, _ := excerpt(r.ended, expected, MaxKept/2)
		fmt.Fprintf(&out, "[%s the patch: %s]\n%s", name, ended, kept)
		if kept != "" && !strings.HasSuffix(kept, "\n") {
			out.WriteByte('\n')
		}
		whole = slices.Concat(whole, r.ended.Stdout, r.ended.Stderr)
	}
	if out.Len() == 0 {
		return
	}
	finding.Run, finding.Digest, finding.Excerpt = about, ledger.Digest(whole), out.String()
	if slices.ContainsFunc(runs, func(r run) bool { return r.reason != "" }) {
		finding.Nearest, finding.NearestReference, finding.Excerpt = finding.Excerpt, finding.Reference, ""
	}
}

// copies writes the tree twice, and returns the folders of the workspace in the copies. left says what is not in them.
func (t *Try) copies(ctx context.Context, temporary string, finding *ledger.Finding) (
	folders [2]string, left string, err error,
) {
	tree, below := t.reviewed, "."
	if tree == nil {
		var closeTree func()
		if tree, below, closeTree, err = t.snapshot(ctx, finding); err != nil {
			return folders, "", err
		}
		defer closeTree()
	} else {
		finding.Commit = tree.Commit
	}
	for i, name := range []string{"without", "with"} {
		folder := filepath.Join(temporary, name)
		if err := os.Mkdir(folder, 0o700); err != nil {
			return folders, "", err
		}
		if err := tree.CopyTo(ctx, folder); err != nil {
			return folders, "", err
		}
		folders[i] = filepath.Join(folder, filepath.FromSlash(below))
	}
	if n := len(tree.AllWithheld()); n > 0 {
		first := tree.AllWithheld()[0]
		left = fmt.Sprintf("not in the copies: %s (%s)", plain.Short(first.Path), first.Reason)
		if n > 1 {
			left += fmt.Sprintf(", and %d more", n-1)
		}
	}
	return folders, left, nil
}

// snapshot opens the last commit with what changed since in the folder, and returns where in it the workspace is. New
// and changed files that git ignores or that may hold secrets are left out.
func (t *Try) snapshot(ctx context.Context, finding *ledger.Finding) (
	tree *git.Tree, below string, closeTree func(), err error,
) {
	folder := t.folder
	if resolved, err := filepath.EvalSymlinks(folder); err == nil {
		folder = resolved
	}
	repository, err := git.Open(ctx, folder)
	if err != nil {
		return nil, "", nil, err
	}
	head, err := repository.Commit(ctx, "HEAD")
	var made *git.Snapshot
	if err == nil {
		made, err = repository.WorkTree(ctx, head, true)
	}
	var changes []git.Change
	if err == nil {
		changes, err = repository.Changes(ctx, head, made.Tree)
	}
	if err == nil {
		tree, err = repository.OpenTree(ctx, repository.Top(), made.Tree)
	}
	if err != nil {
		repository.Close()
		return nil, "", nil, fmt.Errorf("the tree to try the patch on cannot be read: %w", err)
	}
	finding.Commit = head
	prefix := repository.Prefix(folder)
	for _, c := range changes {
		inFolder := c.Path
		if rest, found := strings.CutPrefix(c.Path, prefix+"/"); found {
			inFolder = rest
		}
		if why := workspace.SecretName(c.Path); why != "" && !workspace.Allowed(inFolder, t.allow) {
			tree.LeaveOut([]string{c.Path}, "it changed, and may hold secrets: "+why)
		}
	}
	return tree, path.Join(".", prefix), func() { _ = tree.Close() }, nil // Its copies are removed by their owner.
}

// applyPatch changes the files of a folder. Lines of context and deleted lines must be there without any difference, where
// the patch says or at one other place only: models often count lines wrongly.
func applyPatch(folder string, patch ledger.Patch) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return fmt.Errorf("the copy has no workspace: %w", err)
	}
	defer root.Close() //nolint:errcheck // errors of its files are returned
	for _, f := range patch {
		name := ledger.PatchedPath(f)
		if err := applyFile(root, name, f); err != nil {
			return fmt.Errorf("the patch does not fit: %s: %w", plain.Short(name), err)
		}
	}
	return nil
}

func applyFile(root *os.Root, name string, f *gitdiff.File) error {
	file := filepath.FromSlash(name)
	info, err := root.Lstat(file)
	var before []byte
	switch {
	case f.IsNew && err == nil:
		return errors.New("it is there already")
	case f.IsNew && errors.Is(err, fs.ErrNotExist):
		if err := root.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			return err
		}
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such file in the tree that is tried")
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("it is no file")
	case info.Size() > maxPatched:
		return fmt.Errorf("it has more than %d MiB", maxPatched>>20)
	default:
		if before, err = root.ReadFile(file); err != nil {
			return err
		}
	}
	locate(f, strings.SplitAfter(string(before), "\n"))
	var after bytes.Buffer
	if err := gitdiff.Apply(&after, bytes.NewReader(before), f); err != nil {
		if at, is := errors.AsType[*gitdiff.ApplyError](err); is && at.Line > 0 {
			return fmt.Errorf("line %d: %w", at.Line, err)
		}
		return err
	}
	if f.IsDelete {
		if after.Len() > 0 {
			return errors.New("it is deleted, but the patch does not remove all of its lines")
		}
		return root.Remove(file)
	}
	mode := fs.FileMode(0o600)
	if f.NewMode&0o100 != 0 || f.NewMode == 0 && info != nil && info.Mode()&0o100 != 0 {
		mode = 0o700
	}
	if err := root.WriteFile(file, after.Bytes(), mode); err != nil {
		return err
	}
	return root.Chmod(file, mode)
}

// locate moves hunks to the only place in a file where their old lines are, unless they are where the patch says.
func locate(f *gitdiff.File, lines []string) {
	for _, fragment := range f.TextFragments {
		var old []string
		for _, line := range fragment.Lines {
			if line.Old() {
				old = append(old, line.Line)
			}
		}
		at := int(fragment.OldPosition) - 1
		if len(old) == 0 || at >= 0 && at+len(old) <= len(lines) && slices.Equal(lines[at:at+len(old)], old) {
			continue
		}
		found := 0
		for i := 0; i+len(old) <= len(lines); i++ {
			if slices.Equal(lines[i:i+len(old)], old) {
				at, found = i, found+1
			}
		}
		if found == 1 {
			fragment.OldPosition = int64(at) + 1
		}
	}
}
