package search

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// Files calls visit for each file below root, folder by folder, each in the order
// of its names. It leaves out the folders that .gitignore leaves out and those of
// other tools, such as .git and node_modules; files it leaves out none, and links
// it does not follow. In is the open folder that the file lies in, and path is
// relative to root, with slashes. What cannot be read is passed over. An error of
// visit ends it, as ctx does, and is returned.
func Files(ctx context.Context, root string, visit func(in *os.Root, path string, entry fs.DirEntry) error) error {
	index, err := Open(root)
	if err != nil {
		return fmt.Errorf("look at the files of a workspace: %w", err)
	}
	defer index.Close()
	l := &lister{ctx: ctx, skip: index.vocabulary.skip, visit: visit}
	return l.folder(index.root, nil, index.chainAbove("."))
}

// lister is one run of Files.
type lister struct {
	ctx   context.Context //nolint:containedctx // it lives as long as one call
	skip  map[string]bool
	visit func(in *os.Root, path string, entry fs.DirEntry) error
}

// folder lists an open folder, which names lead to.
func (l *lister) folder(in *os.Root, names []string, chain ignoreChain) error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	// What could be listed of a folder is still looked at.
	entries, _ := fs.ReadDir(in.FS(), ".")
	for _, entry := range entries {
		if entry.Name() == ".gitignore" {
			chain = chain.with(len(names), readIgnore(in, ".gitignore"))
		}
	}
	names = append(names, "")
	for _, entry := range entries {
		names[len(names)-1] = entry.Name()
		if !entry.IsDir() {
			if err := l.visit(in, path.Join(names...), entry); err != nil {
				return err
			}
			continue
		}
		if len(names) > maxDepth || l.skip[entry.Name()+"/"] || chain.ignores(names, true) {
			continue
		}
		below, err := in.OpenRoot(entry.Name())
		if err != nil {
			continue
		}
		err = l.folder(below, names, chain)
		below.Close() //nolint:errcheck // it was only read
		if err != nil {
			return err
		}
	}
	return nil
}
