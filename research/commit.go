package research

import (
	"moot/internal/git"
)

// workTree says which commit the workspace is at.
type workTree struct {
	place *git.Place
	// prefix is the workspace's place under the top of the work tree, with slashes, or "" if it is the top.
	prefix string
	// reviewed is the commit whose files are read instead of the folder, or "".
	reviewed string
}

// findWorkTree returns the git work tree around a folder, or nil. It is read without running git.
func findWorkTree(folder string) *workTree {
	place, err := git.Find(folder)
	if err != nil {
		return nil
	}
	return &workTree{place: place, prefix: place.Prefix(folder)}
}

// commit returns the commit that the files are of, in lower-case hex, or "" if it has none yet or cannot be read.
func (w *workTree) commit() string {
	if w.reviewed != "" {
		return w.reviewed
	}
	return w.place.Head()
}

// folders returns the top of the work tree and the folders of its repository, which git reads.
func (w *workTree) folders() []string {
	if w == nil || w.place == nil {
		return nil
	}
	return w.place.Folders()
}

// In makes the checker one of the files of a commit instead of those of its folder.
func (c *Citation) In(tree *git.Tree) {
	c.guard.In(tree)
	if c.tree == nil {
		c.tree = &workTree{}
	}
	c.tree.reviewed = tree.Commit
}
