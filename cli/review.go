package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moot/internal/plain"
	"moot/internal/process"
	"moot/protocol/dialectic"
	"moot/state"
	"moot/workspace"
)

// reviewed is the playbook of moot review.
const reviewed = "code-review"

func newReview(c *Console) *cobra.Command {
	o := &askOptions{console: c, asking: asking{typed: true}}
	cmd := &cobra.Command{
		Use: "review",
		RunE: func(cmd *cobra.Command, args []string) error {
			revisions, paths := args, []string{}
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				revisions, paths = args[:at], args[at:]
			}
			if len(revisions) > 1 {
				return usage("one revision or range at a time; put paths behind --, as in: moot review HEAD -- cli")
			}
			question, diff, err := changeOf(cmd.Context(), c, firstOf(revisions), paths, o.workspace.allow)
			if err != nil {
				return err
			}
			o.question, o.given.about = question, &state.Document{Path: "change.diff", Text: diff}
			o.values["playbook"] = cmp.Or(o.values["playbook"], reviewed)
			return o.run(cmd.Context())
		},
	}
	o.flags(cmd, dialectic.Format{})
	c.completeFlags(cmd)
	return cmd
}

// git runs git in a folder, without its file system monitors.
type git struct {
	dir string
	env []string
}

// gitTime limits one call of git.
const gitTime = 20 * time.Second

// run returns the output of git, which is stopped when it writes more than limit bytes: it then returns one byte more.
func (g *git) run(ctx context.Context, limit int, args ...string) (string, error) {
	runner := &process.Runner{}
	out, result, err := runner.Output(ctx, process.Spec{
		Path: "git", Dir: g.dir, Env: append(os.Environ(), g.env...),
		Args: append([]string{
			"-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "--no-pager", "--literal-pathspecs",
		}, args...),
		Limits: process.Limits{Total: gitTime, MaxOutputBytes: limit + 1},
	})
	err = errors.Join(err, runner.Close())
	var start *process.StartError
	var over *process.LimitError
	switch {
	case errors.As(err, &start) && start.Missing:
		return "", usage("this needs git, which is not installed")
	case errors.As(err, &over) && over.Limit != process.Output:
		return "", fmt.Errorf("git %s took longer than %s", args[0], gitTime)
	case err != nil && over == nil:
		return "", fmt.Errorf("run git %s: %w", args[0], err)
	case result.Exit != 0 && over == nil:
		return "", usage("git: %s", cmp.Or(strings.TrimSpace(result.Stderr), result.Ending()))
	}
	return strings.ToValidUTF8(out, "\uFFFD"), nil
}

// openGit finds the work tree around the current folder.
func openGit(ctx context.Context, c *Console) (*git, error) {
	g := &git{dir: c.Dir}
	top, err := g.run(ctx, maxQuestion, "rev-parse", "--show-toplevel")
	g.dir = strings.TrimSpace(top)
	return g, err
}

// changeOf returns what a revision, a range or the working tree changes, and a question about it. Nothing to review is
// an error, and so is a change that is too large to be shown whole.
func changeOf(
	ctx context.Context, c *Console, revision string, paths, allow []string,
) (question, diff string, err error) {
	g, err := openGit(ctx, c)
	if err != nil {
		return "", "", err
	}
	for i, path := range paths {
		if paths[i], err = filepath.Rel(g.dir, c.path(path)); err != nil {
			return "", "", err
		}
	}
	compared, what, err := g.compared(ctx, revision)
	if err != nil {
		return "", "", err
	}
	if len(compared) == 1 && compared[0] != revision {
		remove, err := g.withNewFiles(ctx)
		if err != nil {
			return "", "", err
		}
		defer remove()
	}
	if diff, err = g.diff(ctx, c, compared, paths, allow); err != nil {
		return "", "", err
	}
	switch {
	case strings.TrimSpace(diff) == "" && revision == "":
		return "", "", usage("nothing to review: no file changed since %s; name a commit or a range, as in: moot "+
			"review HEAD", what)
	case strings.TrimSpace(diff) == "":
		return "", "", usage("nothing to review: %s changes no file that may be shown", what)
	case len(diff) > maxDocument:
		return "", "", usage("the change is larger than %d KiB; review a part of it, as in: moot review %s -- cli/",
			maxDocument>>10, cmp.Or(revision, "HEAD"))
	}
	question = "May " + what + " be merged?"
	if revision == "" {
		question = "May the changes since " + what + " be merged?"
	}
	return question + " Propose each part of the change that somebody has to approve as a field: its path is the " +
		"changed file, its value says in a sentence what the change does there.", diff, nil
}

// compared returns what git diff compares: a range, two commits or, with the working tree, a single commit. For "",
// that is where what isn't pushed yet begins. The text names the change, or where it begins if there is no revision.
func (g *git) compared(ctx context.Context, revision string) (revisions []string, what string, err error) {
	resolve := func(name string) (string, error) {
		commit, err := g.run(ctx, 100, "rev-parse", "--verify", "--quiet", name+"^{commit}")
		if err != nil || strings.HasPrefix(name, "-") {
			return "", usage("there is no commit %s here", name)
		}
		return strings.TrimSpace(commit), nil
	}
	since := func(name string) ([]string, error) {
		commit, err := resolve(name)
		if err != nil {
			return nil, err
		}
		base, err := g.run(ctx, 100, "merge-base", commit, "HEAD")
		return []string{strings.TrimSpace(base)}, err
	}
	first, last, isRange := strings.Cut(revision, "..")
	switch {
	case revision == "":
		for _, name := range []string{"@{upstream}", "HEAD"} {
			if revisions, err = since(name); err == nil {
				what, err = g.run(ctx, 200, "rev-parse", "--abbrev-ref", name)
				return revisions, strings.TrimSpace(what), err
			}
		}
		return nil, "", usage("this repository has no commit yet")
	case isRange:
		for _, end := range []string{first, strings.TrimPrefix(last, ".")} {
			if _, err := resolve(cmp.Or(end, "HEAD")); err != nil {
				return nil, "", err
			}
		}
		return []string{revision}, revision, nil
	}
	commit, err := resolve(revision)
	if err != nil {
		return nil, "", err
	}
	branch, err := g.run(ctx, 1000, "rev-parse", "--symbolic-full-name", revision)
	if err == nil && revision != "HEAD" && strings.HasPrefix(branch, "refs/") {
		revisions, err = since(revision)
		return revisions, "the changes since " + revision, err
	}
	parent, err := resolve(revision + "^")
	if err != nil {
		const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
		parent = emptyTree
	}
	subject, err := g.run(ctx, 200, "show", "--no-patch", "--format=%h (%s)", commit)
	return []string{parent, commit}, "commit " + strings.TrimSpace(subject), err
}

// withNewFiles makes the following calls see files that git does not know yet, by a copy of the index.
func (g *git) withNewFiles(ctx context.Context) (remove func(), err error) {
	index, err := g.run(ctx, maxQuestion, "rev-parse", "--git-path", "index")
	if err != nil {
		return nil, err
	}
	index = strings.TrimSpace(index)
	if !filepath.IsAbs(index) {
		index = filepath.Join(g.dir, index)
	}
	folder, err := os.MkdirTemp("", "moot-*")
	if err != nil {
		return nil, err
	}
	remove = func() { _ = os.RemoveAll(folder) }
	known, err := os.ReadFile(index)
	if err == nil || errors.Is(err, os.ErrNotExist) {
		own := filepath.Join(folder, "index")
		if err = os.WriteFile(own, known, 0o600); err == nil { //nolint:gosec // own is in a new folder
			g.env = []string{"GIT_INDEX_FILE=" + own}
			_, err = g.run(ctx, maxQuestion, "add", "--intent-to-add", "--", ".")
		}
	}
	if err != nil {
		remove()
		return nil, err
	}
	return remove, nil
}

// diff returns a difference without the files that may hold secrets, which it lists. External diff and text conversion
// programs are not run.
func (g *git) diff(ctx context.Context, c *Console, compared, paths, allow []string) (string, error) {
	args := []string{"diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames"}
	args = append(append(append(args, compared...), "--"), paths...)
	names, err := g.run(ctx, maxGiven, append([]string{args[0], "--name-only", "-z"}, args[1:]...)...)
	if err != nil {
		return "", err
	}
	var shown []string
	for name := range strings.SplitSeq(strings.TrimRight(names, "\x00"), "\x00") {
		switch {
		case name == "":
		case workspace.SecretName(name) != "" && !workspace.Allowed(name, allow):
			c.Say("left out   %s: %s", plain.Line(workspace.ShownName(name)), workspace.SecretName(name))
		default:
			shown = append(shown, name)
		}
	}
	if len(shown) == 0 {
		return "", nil
	}
	return g.run(ctx, maxGiven, append(args[:len(args)-len(paths)], shown...)...)
}
