// Package change reads the change that a review is about: what is compared (commits, the index, the working tree, a
// patch), how each changed file differs, and what of it cannot be shown, with the reason. It also opens the tree under
// review, in which citations and lookups read.
//
// Start at Read. files.go reads the files, context.go the functions around their hunks, patch.go a diff from
// a file. restore.go opens the tree of an earlier session again.
package change

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"moot/internal/git"
	"moot/internal/plain"
	"moot/internal/redact"
	"moot/protocol/review"
	"moot/state"
)

// Options say what is reviewed: a revision or range, the index, a patch, or without any of them what is not pushed and
// the working tree.
type Options struct {
	// Folder is the current folder of the user, in the repository.
	Folder   string
	Revision string
	Staged   bool
	Patch    *Patch
	// Since is a revision with which the tracked files of the working tree are compared.
	Since string
	// Paths are the files and folders that are reviewed, as the user typed them; none are all. Ignore are the globs of
	// files that the user leaves out of reviews, and Allow those of files that are shown although their names say that
	// they hold secrets.
	Paths, Ignore, Allow []string
	// Redact takes secrets out of a text. It is nil if the user keeps them.
	Redact func(name, text string) (string, []redact.Finding)
	// Note tells the user something about the change. It may be nil.
	Note func(string)
}

// Patch is a diff from a file or from standard input.
type Patch struct {
	// Name is the name of the file, or - for standard input.
	Name string
	Text []byte
}

// Error is a mistake of the user: the text says what to type instead.
type Error struct{ text string }

// Error implements error.
func (e *Error) Error() string { return e.text }

func mistake(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// Material is a change that was read. The caller must close it.
type Material struct {
	review.Change
	// Tree is the commit or the tree in which citations and lookups read. It is "" for a patch that does not apply to
	// HEAD: there is only the diff.
	Tree string
	// Withheld are the files that nobody is shown, and changed lines without what a redaction took out.
	Withheld []*state.Withheld
	// Redacted counts the secrets that were taken out.
	Redacted int

	folder string
	// clean takes secrets out of a text, or is nil.
	clean redactor
	// repository has the objects of a tree that is not in the user's repository. It is nil without a repository, and
	// once a tree took it over.
	repository *git.Repository
}

// Open opens the tree under review. It returns nil without a tree. It can be called once; the caller must close the
// tree.
func (m *Material) Open(ctx context.Context) (*git.Tree, error) {
	if m.Tree == "" || m.repository == nil {
		return nil, nil //nolint:nilnil // there is no tree, as documented
	}
	tree, err := m.repository.OpenTree(ctx, m.folder, m.Tree)
	if err == nil {
		m.repository = nil
	}
	return tree, err
}

// Close removes the private objects, unless a tree took them over.
func (m *Material) Close() {
	if m.repository != nil {
		m.repository.Close()
		m.repository = nil
	}
}

// comparison holds the two sides of a change.
type comparison struct {
	// from and to are commits or trees, base and head the commits among them, or "".
	from, to, base, head string
	branch               string
	// what names the change: "3 commits on branch work". changed says where it begins, for the error if nothing
	// changed.
	what, changed string
	// made is the snapshot that to is, or nil.
	made *git.Snapshot
}

// Read reads a change. The error is an *Error if the user has to name another one.
func Read(ctx context.Context, o Options) (*Material, error) {
	if o.Note == nil {
		o.Note = func(string) {}
	}
	for _, glob := range o.Ignore {
		if !doublestar.ValidatePattern(glob) {
			return nil, mistake("%s is not a valid glob: see [review] ignore in config.toml", plain.Line(glob))
		}
	}
	g, err := git.Open(ctx, o.Folder)
	failed, isGit := errors.AsType[*git.Error](err)
	switch {
	case isGit && o.Patch != nil:
		o.Note(failed.Text + ": only the lines of the patch are read")
		return readPatch(ctx, nil, o)
	case isGit:
		return nil, mistake("git: %v", err)
	case err != nil:
		return nil, err
	}
	m, err := read(ctx, g, o)
	if err != nil || m.Tree == "" {
		g.Close()
	}
	if failed, isGit := errors.AsType[*git.Error](err); isGit {
		return nil, mistake("git: %v", failed)
	}
	return m, err
}

func read(ctx context.Context, g *git.Repository, o Options) (*Material, error) {
	var c *comparison
	var err error
	switch {
	case o.Patch != nil:
		return readPatch(ctx, g, o)
	case o.Staged:
		c, err = index(ctx, g)
	case o.Since != "":
		c, err = since(ctx, g, o.Since)
	case o.Revision == "":
		c, err = workTree(ctx, g)
	case strings.Contains(o.Revision, ".."):
		c, err = between(ctx, g, o.Revision, o.Note)
	default:
		c, err = revision(ctx, g, o.Revision)
	}
	if err != nil {
		return nil, err
	}
	return readFiles(ctx, g, c, o)
}

// commit resolves a revision that the user typed.
func commit(ctx context.Context, g *git.Repository, name string) (string, error) {
	id, err := g.Commit(ctx, name)
	if failed, isGit := errors.AsType[*git.Error](err); isGit {
		if g.Head() == "" && name == "HEAD" {
			return "", mistake("this repository has no commit yet")
		}
		return "", mistake("%s", failed.Text)
	}
	return id, err
}

// mergeBase returns the commit where the histories of two commits parted.
func mergeBase(ctx context.Context, g *git.Repository, one, other, oneName, otherName string) (string, error) {
	base, err := g.MergeBase(ctx, one, other)
	_, isGit := errors.AsType[*git.Error](err)
	switch {
	case isGit && g.IsShallow():
		return "", mistake("%s and %s have no common commit in this shallow clone; git fetch --unshallow (or "+
			"--deepen=100) brings more of their history", oneName, otherName)
	case isGit:
		return "", mistake("%s and %s have no common commit; name a range of two commits instead, as in: moot review "+
			"%s..%s", oneName, otherName, oneName, otherName)
	}
	return base, err
}

// workTree compares the working tree with the commit from which on HEAD is not pushed.
func workTree(ctx context.Context, g *git.Repository) (*comparison, error) {
	head, err := commit(ctx, g, "HEAD")
	if err != nil && g.Head() == "" && ctx.Err() == nil {
		return nil, mistake("this repository has no commit yet; moot review --staged reviews what is in the index")
	}
	if err != nil {
		return nil, err
	}
	if !g.CheckedOut() {
		return nil, mistake("nothing is checked out here; name a commit or a range, as in: moot review HEAD")
	}
	c := &comparison{from: head, base: head, branch: g.Branch(), changed: cmp.Or(g.Branch(), "HEAD")}
	if upstream, err := g.Commit(ctx, "@{upstream}"); err == nil {
		if c.changed, err = g.Short(ctx, "@{upstream}"); err != nil {
			return nil, err
		}
		if c.from, err = mergeBase(ctx, g, upstream, head, c.changed, "HEAD"); err != nil {
			return nil, err
		}
		c.base = c.from
	} else if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if c.made, err = g.WorkTree(ctx, head, true); err != nil {
		return nil, err
	}
	c.to = c.made.Tree
	commits, err := g.Count(ctx, c.from, head)
	if err != nil {
		return nil, err
	}
	committed, err := g.TreeOf(ctx, head)
	if err != nil {
		return nil, err
	}
	switch {
	case commits == 0:
		c.what = "the working tree"
	case c.to == committed && len(c.made.Withheld) == 0:
		// Nothing changed since the commit, so the commit is reviewed.
		c.to, c.head, c.what = head, head, plain.Counted(commits, "commit")
	default:
		c.what = plain.Counted(commits, "commit") + " and the working tree"
	}
	if commits > 0 && c.branch != "" {
		c.what += " on branch " + c.branch
	}
	return c, nil
}

// since compares the tracked files of the working tree with a commit.
func since(ctx context.Context, g *git.Repository, name string) (*comparison, error) {
	from, err := commit(ctx, g, name)
	if err != nil {
		return nil, err
	}
	made, err := g.WorkTree(ctx, from, false)
	if err != nil {
		return nil, err
	}
	return &comparison{
		from: from, base: from, to: made.Tree, made: made, branch: g.Branch(), what: "the working tree since " + name,
		changed: name,
	}, nil
}

// index compares the index with HEAD, or with nothing before the first commit.
func index(ctx context.Context, g *git.Repository) (*comparison, error) {
	made, err := g.Index(ctx)
	if err != nil {
		return nil, err
	}
	if len(made.Unmerged) > 0 {
		return nil, mistake("a merge is not finished: %s; resolve the conflicts and git add the files, or review the "+
			"working tree with: moot review", conflicts(made.Unmerged))
	}
	c := &comparison{from: g.EmptyTree(), to: made.Tree, made: made, branch: g.Branch(), what: "the index", changed: "HEAD"}
	if g.Head() != "" {
		if c.base, err = commit(ctx, g, "HEAD"); err != nil {
			return nil, err
		}
		c.from = c.base
	}
	return c, nil
}

// conflicts names the files with conflicts.
func conflicts(unmerged []string) string {
	const most = 3
	shown := slices.Clone(unmerged[:min(len(unmerged), most)])
	for i, name := range shown {
		shown[i] = plain.Line(strings.ToValidUTF8(name, "\uFFFD"))
	}
	text := strings.Join(shown, ", ")
	if more := len(unmerged) - len(shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if len(unmerged) == 1 {
		return text + " has conflicts"
	}
	return text + " have conflicts"
}

// between compares two commits: A..B them, A...B the second one with where it parted from the first.
func between(ctx context.Context, g *git.Repository, typed string, note func(string)) (*comparison, error) {
	first, last, _ := strings.Cut(typed, "..")
	last, sinceParted := strings.CutPrefix(last, ".")
	first, last = cmp.Or(first, "HEAD"), cmp.Or(last, "HEAD")
	c := &comparison{}
	var err error
	if c.from, err = commit(ctx, g, first); err == nil {
		c.to, err = commit(ctx, g, last)
	}
	if err != nil {
		return nil, err
	}
	c.head, c.branch = c.to, branchOf(ctx, g, last)
	c.changed = typed
	parted, partedErr := g.MergeBase(ctx, c.from, c.to)
	switch {
	case sinceParted:
		if c.from, err = mergeBase(ctx, g, c.from, c.to, first, last); err != nil {
			return nil, err
		}
	case partedErr == nil && parted != c.from && parted != c.to:
		note(fmt.Sprintf("%s also takes back what %s has since the two parted; %s...%s leaves that out", typed, first,
			first, last))
	}
	c.base = c.from
	c.what, err = countedCommits(ctx, g, c, typed, sinceParted || parted == c.from)
	return c, err
}

// countedCommits names the commits of a range on their branch, or the range if it is not made of commits alone.
func countedCommits(ctx context.Context, g *git.Repository, c *comparison, typed string, isLine bool) (string, error) {
	if !isLine {
		return typed, nil
	}
	commits, err := g.Count(ctx, c.from, c.to)
	what := plain.Counted(commits, "commit")
	if c.branch != "" {
		what += " on branch " + c.branch
	}
	return what, err
}

// branchOf returns the short name of the branch that a revision names, or "".
func branchOf(ctx context.Context, g *git.Repository, revision string) string {
	if revision == "HEAD" || revision == "@" {
		return g.Branch()
	}
	full := g.Name(ctx, revision)
	for _, prefix := range []string{"refs/heads/", "refs/remotes/"} {
		if short, is := strings.CutPrefix(full, prefix); is {
			return strings.ToValidUTF8(short, "\uFFFD")
		}
	}
	return ""
}

// revision compares what one revision names: for a branch HEAD with where it parted from the branch, for a commit the
// commit with its first parent.
func revision(ctx context.Context, g *git.Repository, typed string) (*comparison, error) {
	named, err := commit(ctx, g, typed)
	if err != nil {
		return nil, err
	}
	branch := branchOf(ctx, g, typed)
	if branch != "" && typed != "HEAD" && typed != "@" {
		head, err := commit(ctx, g, "HEAD")
		if err != nil {
			return nil, err
		}
		c := &comparison{to: head, head: head, branch: g.Branch(), changed: typed}
		if c.from, err = mergeBase(ctx, g, named, head, typed, "HEAD"); err != nil {
			return nil, err
		}
		switch c.base = c.from; {
		case branch == g.Branch():
			return nil, mistake("%s is checked out, so there is nothing to compare it with; moot review reviews what is "+
				"not pushed, moot review HEAD the last commit", typed)
		case c.from == head && named != head:
			return nil, mistake("nothing to review: HEAD has no commit that %s does not have; moot review HEAD...%s "+
				"reviews what %s has", typed, typed, typed)
		}
		if c.what, err = countedCommits(ctx, g, c, typed, true); c.branch == "" {
			c.what += " since " + typed
		}
		return c, err
	}
	parent, parents, err := g.Parent(ctx, named)
	if err != nil {
		return nil, err
	}
	short, subject, err := g.Subject(ctx, named)
	if err != nil {
		return nil, err
	}
	c := &comparison{
		from: cmp.Or(parent, g.EmptyTree()), base: parent, to: named, head: named, branch: branch, changed: typed,
		what: fmt.Sprintf("commit %s \"%s\"", short, plain.Line(subject)),
	}
	if parents > 1 {
		c.what = "merge " + c.what + " against its first parent"
	}
	return c, nil
}

// repositoryID identifies a repository by the first commit of its history, or by its folder if that is not known.
func repositoryID(ctx context.Context, g *git.Repository, head string) string {
	if head = cmp.Or(head, g.Head()); head != "" && !g.IsShallow() {
		if root, err := g.Root(ctx, head); err == nil && root != "" {
			return root
		}
	}
	return realPath(g.Common())
}

// realPath is a path without links, or the path itself if it cannot be read.
func realPath(name string) string {
	if resolved, err := filepath.EvalSymlinks(name); err == nil {
		return resolved
	}
	return name
}
