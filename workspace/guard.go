package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"moot/internal/git"
)

// Guard decides which files in a folder may be shown. Untracked files that git ignores may not. Only git decides what
// is ignored; moot does not read .gitignore itself. One "git ls-files" answers for all files until the answer is too
// old. Outside of a git repository, nothing is ignored. If git fails, no file is shown, since it is unknown which are
// ignored. A Guard is safe for concurrent use.
type Guard struct {
	root  *os.Root
	mutex sync.Mutex
	asked time.Time
	lists map[string]*gitList
	err   error
	// tree is set for the files of a commit, which are all tracked, so git is not asked.
	tree *git.Tree
}

// gitList holds the files that git lists in a folder. A nil list, for a folder outside of a repository, ignores
// nothing.
type gitList struct {
	// files are tracked, or new and not ignored; folders contain some of them. Both are relative to the folder.
	files, folders map[string]bool
}

const (
	// maxList is the maximum size of the file names in a repository, in bytes, and maxRepositories the maximum number
	// of nested repositories.
	maxList         = 256 << 20
	maxRepositories = 64
	// missFresh is the maximum age of a list that lacks a file, since the file may be new.
	missFresh = time.Second
)

// NewGuard returns the guard of an opened folder.
func NewGuard(root *os.Root) *Guard { return &Guard{root: root} }

// In switches the guard to the files of a commit.
func (g *Guard) In(tree *git.Tree) { g.tree = tree }

// Tree returns the tree given to In, or nil.
func (g *Guard) Tree() *git.Tree { return g.tree }

// fresh returns the list of the folder. It asks git if the list is older than most.
func (g *Guard) fresh(ctx context.Context, most time.Duration) (*gitList, error) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.lists == nil || time.Since(g.asked) >= most {
		list, err := listGit(ctx, g.root.Name())
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		g.lists, g.err, g.asked = map[string]*gitList{"": list}, err, time.Now()
	}
	return g.lists[""], g.err
}

// inner returns the list of a nested repository. It returns outer if git does not treat it as one, and an empty list,
// which ignores everything, if git fails.
func (g *Guard) inner(ctx context.Context, name string, outer *gitList) *gitList {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if list, known := g.lists[name]; known {
		return list
	}
	list := &gitList{}
	if len(g.lists) < maxRepositories {
		found, err := listGit(ctx, filepath.Join(g.root.Name(), filepath.FromSlash(name)))
		switch {
		case err == nil && found == nil:
			list = outer
		case err == nil:
			list = found
		}
	}
	g.lists[name] = list
	return list
}

// Ignored reports whether git ignores a file or folder. Dependencies, which repositories ignore but builds use, do
// not count as ignored. The error says why git failed.
func (g *Guard) Ignored(ctx context.Context, name string) (bool, error) {
	for _, most := range []time.Duration{listFresh, missFresh} {
		list, err := g.fresh(ctx, most)
		if err != nil {
			return true, err
		}
		if !g.lacks(ctx, list, name) {
			return false, nil
		}
	}
	return true, nil
}

// lacks reports whether a path is ignored according to the lists.
func (g *Guard) lacks(ctx context.Context, list *gitList, name string) bool {
	from, parts := 0, strings.Split(name, "/")
	for i, part := range parts {
		if isDependencies(part) {
			return false
		}
		below, folder := path.Join(parts[from:i+1]...), path.Join(parts[:i+1]...)
		if !list.has(below) {
			return true
		}
		if i+1 < len(parts) && isRepository(g.root, folder) {
			if next := g.inner(ctx, folder, list); next != list {
				list, from = next, i+1
			}
		}
	}
	return false
}

// has reports whether git lists a path, or files in it.
func (l *gitList) has(name string) bool { return l == nil || l.files[name] || l.folders[name] }

// isRepository reports whether a folder has its own .git.
func isRepository(root *os.Root, folder string) bool {
	_, err := root.Lstat(path.Join(folder, ".git"))
	return err == nil
}

// listGit asks git for the files of a folder that may be shown. It returns nil outside of a repository.
func listGit(ctx context.Context, dir string) (*gitList, error) {
	repository, err := git.Open(ctx, dir)
	var failed *git.Error
	if errors.As(err, &failed) && failed.NoRepository {
		return nil, nil //nolint:nilnil // not in a repository
	}
	if err != nil {
		return nil, fmt.Errorf("git cannot say which files it ignores: %w", err)
	}
	defer repository.Close()
	names, err := repository.Files(ctx, dir)
	switch {
	case errors.As(err, &failed) && failed.NoRepository:
		return nil, nil //nolint:nilnil // as above
	case err != nil:
		return nil, fmt.Errorf("git cannot say which files it ignores: %w", err)
	}
	list := &gitList{files: map[string]bool{}, folders: map[string]bool{}}
	for _, name := range names {
		// A nested repository ends with a slash.
		name = strings.TrimSuffix(name, "/")
		list.files[name] = true
		for folder := path.Dir(name); folder != "." && !list.folders[folder]; folder = path.Dir(folder) {
			list.folders[folder] = true
		}
	}
	return list, nil
}

// Secret returns why a file is not shown because it may hold secrets, or "". allow are globs of permitted paths. For
// a link, the target is checked too.
func (g *Guard) Secret(ctx context.Context, name string, allow []string) string {
	if Allowed(name, allow) {
		return ""
	}
	if why := SecretName(name); why != "" {
		return why
	}
	if g.tree != nil {
		return ""
	}
	resolved, err := filepath.EvalSymlinks(filepath.Join(g.root.Name(), filepath.FromSlash(name)))
	top, topErr := filepath.EvalSymlinks(g.root.Name())
	if errors.Join(err, topErr) != nil {
		return ""
	}
	target, err := filepath.Rel(top, resolved)
	if target = filepath.ToSlash(target); err != nil || target != name && Allowed(target, allow) {
		return ""
	}
	if why := SecretName(target); why != "" {
		return why
	}
	// git does not list pipes, sockets and devices, and they are never read.
	if info, err := g.root.Lstat(filepath.FromSlash(target)); err != nil || !info.Mode().IsRegular() {
		return ""
	}
	switch ignored, err := g.Ignored(ctx, target); {
	case err != nil:
		return err.Error()
	case ignored:
		return "git ignores it"
	}
	return ""
}

func isDependencies(folder string) bool { return folder == "vendor" || folder == "node_modules" }
