package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"moot/internal/git"
	"moot/internal/plain"
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
			change, err := changeOf(cmd.Context(), c, firstOf(revisions), paths, o.workspace.allow)
			if err != nil {
				return err
			}
			o.question, o.given.about = change.question, &state.Document{Path: "change.diff", Text: change.diff}
			o.workspace.tree = change.tree
			o.values["playbook"] = cmp.Or(o.values["playbook"], reviewed)
			return o.run(cmd.Context())
		},
	}
	o.flags(cmd, dialectic.Format{})
	c.completeFlags(cmd)
	return cmd
}

// change is the change under review.
type change struct {
	question, diff string
	// withheld are the changed files that diff leaves out.
	withheld []git.Withheld
	// tree is the commit that is reviewed, or "" for the work tree.
	tree string
}

// openGit opens the repository around the current folder.
func openGit(ctx context.Context, c *Console) (*git.Repository, error) {
	repository, err := git.Open(ctx, c.Dir)
	if err != nil {
		return nil, usage("git: %w", err)
	}
	return repository, nil
}

// changeOf returns what a revision, a range or the working tree changes, and a question about it. Nothing to review is
// an error, and so is a change that is too large to be shown whole.
func changeOf(ctx context.Context, c *Console, revision string, paths, allow []string) (*change, error) {
	g, err := openGit(ctx, c)
	if err != nil {
		return nil, err
	}
	defer g.Close()
	for i, path := range paths {
		if paths[i], err = filepath.Rel(g.Top(), c.path(path)); err != nil {
			return nil, err
		}
	}
	from, to, what, err := compared(ctx, g, revision)
	if err != nil {
		return nil, err
	}
	diff, withheld, err := diffOf(ctx, c, g, from, to, true, paths, allow, maxDocument)
	var failed *git.Error
	switch {
	case errors.As(err, &failed) && failed.TooMuch:
		return nil, usage("the change is larger than %d KiB; review a part of it, as in: moot review %s -- cli/",
			maxDocument>>10, cmp.Or(revision, "HEAD"))
	case err != nil:
		return nil, err
	case strings.TrimSpace(diff) == "" && revision == "":
		return nil, usage("nothing to review: no file changed since %s; name a commit or a range, as in: moot "+
			"review HEAD", what)
	case strings.TrimSpace(diff) == "":
		return nil, usage("nothing to review: %s changes no file that may be shown", what)
	}
	question := "May " + what + " be merged?"
	if revision == "" {
		question = "May the changes since " + what + " be merged?"
	}
	return &change{
		question: question + " Propose each part of the change that somebody has to approve as a field: its path is the " +
			"changed file, its value says in a sentence what the change does there.",
		diff: diff, withheld: withheld, tree: to,
	}, nil
}

// compared returns what is compared: two commits, or with to == "" a commit and the working tree. For the revision "",
// from is where what isn't pushed yet begins. The text names the change, or where it begins if there is no revision.
func compared(ctx context.Context, g *git.Repository, revision string) (from, to, what string, err error) {
	resolve := func(name string) (string, error) {
		commit, err := g.Commit(ctx, name)
		var failed *git.Error
		if errors.As(err, &failed) {
			return "", usage("%w", err)
		}
		return commit, err
	}
	since := func(name string) (string, error) {
		commit, err := resolve(name)
		if err != nil {
			return "", err
		}
		head, err := resolve("HEAD")
		if err != nil {
			return "", err
		}
		if from, err = g.MergeBase(ctx, commit, head); err != nil {
			return "", usage("%s and HEAD have no common commit here: %w", name, err)
		}
		return from, nil
	}
	first, last, isRange := strings.Cut(revision, "..")
	switch {
	case revision == "":
		if _, err := g.Commit(ctx, "HEAD"); err == nil && !g.CheckedOut() {
			return "", "", "", usage("nothing is checked out here; name a commit or a range, as in: moot review HEAD")
		}
		for _, name := range []string{"@{upstream}", "HEAD"} {
			if from, err = since(name); err == nil {
				what, err = g.Short(ctx, name)
				return from, "", what, err
			}
		}
		if ctx.Err() != nil || g.Head() != "" {
			return "", "", "", err
		}
		return "", "", "", usage("this repository has no commit yet")
	case isRange:
		isSince := strings.HasPrefix(last, ".")
		if from, err = resolve(cmp.Or(first, "HEAD")); err != nil {
			return "", "", "", err
		}
		if to, err = resolve(cmp.Or(strings.TrimPrefix(last, "."), "HEAD")); err != nil {
			return "", "", "", err
		}
		if isSince {
			if from, err = g.MergeBase(ctx, from, to); err != nil {
				return "", "", "", usage("%s: the two have no common commit here: %w", revision, err)
			}
		}
		return from, to, revision, nil
	}
	commit, err := resolve(revision)
	if err != nil {
		return "", "", "", err
	}
	if name := g.Name(ctx, revision); revision != "HEAD" && strings.HasPrefix(name, "refs/") {
		from, err = since(revision)
		return from, "", "the changes since " + revision, err
	}
	if from, err = g.Parent(ctx, commit); err != nil {
		return "", "", "", usage("git: %w", err)
	}
	subject, err := g.Subject(ctx, commit)
	return cmp.Or(from, g.EmptyTree()), commit, "commit " + subject, err
}

// diffOf returns the difference between two commits, or with to == "" between a commit and the working tree, where new
// files count if withNew says so. It lists the files that it leaves out: those that may hold secrets, and those that are not shown as text.
func diffOf(
	ctx context.Context, c *Console, g *git.Repository, from, to string, withNew bool, paths, allow []string, limit int,
) (diff string, withheld []git.Withheld, err error) {
	failed := func(err error) error {
		var of *git.Error
		if errors.As(err, &of) && !of.TooMuch {
			return usage("git: %w", err)
		}
		return err
	}
	if to == "" {
		if from, to, withheld, err = g.WorkTree(ctx, from, withNew); err != nil {
			return "", nil, failed(err)
		}
	}
	changes, err := g.Changes(ctx, from, to)
	if err != nil {
		return "", nil, failed(err)
	}
	isWanted := func(name string) bool {
		return len(paths) == 0 || slices.ContainsFunc(paths, func(path string) bool {
			path = filepath.ToSlash(path)
			return path == "." || name == path || strings.HasPrefix(name, path+"/")
		})
	}
	changes = slices.DeleteFunc(changes, func(change git.Change) bool { return !isWanted(change.Path) })
	withheld = slices.DeleteFunc(withheld, func(w git.Withheld) bool { return !isWanted(w.Path) })
	hidden, err := g.Hidden(ctx, changes)
	if err != nil {
		return "", nil, failed(err)
	}
	withheld = append(withheld, hidden...)
	var shown []string
	for _, change := range changes {
		why := workspace.SecretName(change.Path)
		switch {
		case slices.ContainsFunc(hidden, func(w git.Withheld) bool { return w.Path == change.Path }):
		case why != "" && !workspace.Allowed(change.Path, allow):
			withheld = append(withheld, git.Withheld{Path: change.Path, Reason: why})
		default:
			shown = append(shown, change.Path)
		}
	}
	for _, w := range withheld {
		c.Say("left out   %s: %s", plain.Line(w.Path), w.Reason)
	}
	diff, err = g.Diff(ctx, from, to, shown, limit)
	// A NUL byte inside of a text would end it for some programs.
	return strings.ReplaceAll(strings.ToValidUTF8(diff, "\uFFFD"), "\x00", "\u2400"), withheld, failed(err)
}
