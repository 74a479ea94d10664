package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"moot/internal/git"
	"moot/protocol/dialectic"
)

// reviewed is the playbook of moot review.
const reviewed = "code-review"

func newReview(c *Console) *cobra.Command {
	b := newQuestion(c)
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
			change, err := changeOf(cmd.Context(), c, firstOf(revisions), paths, b.workspace.allow)
			if err != nil {
				return err
			}
			b.question.text, b.given.change = change.question, change
			b.workspace.tree = change.tree
			b.values["playbook"] = cmp.Or(b.values["playbook"], reviewed)
			return b.ask(cmd.Context())
		},
	}
	b.flags(cmd, dialectic.Format{})
	c.completeFlags(cmd)
	return cmd
}

// changeOf returns what a revision, a range or the working tree changes, and a question about it. Nothing to review is
// an error.
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
	read, err := readChange(ctx, g, "change.diff", from, to, true, paths, allow)
	switch {
	case err != nil:
		return nil, err
	case len(read.files) == 0 && revision == "":
		return nil, usage("nothing to review: no file changed since %s; name a commit or a range, as in: moot "+
			"review HEAD", what)
	case len(read.files) == 0:
		return nil, usage("nothing to review: %s changes no file", what)
	}
	question := "May " + what + " be merged?"
	if revision == "" {
		question = "May the changes since " + what + " be merged?"
	}
	read.tree = to
	read.question = question + " Propose each part of the change that somebody has to approve as a field: its path is " +
		"the changed file, its value says in a sentence what the change does there."
	return read, nil
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
