package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"moot/internal/plain"
	"moot/internal/regular"
)

// Listing has the files of a folder or a commit that a glob matches. Unlike the list for lookups, it also says which ones
// cannot be read, so that a caller can tell "not there" from "not searched".
type Listing struct {
	// Files can be shown. They are sorted by name.
	Files []string
	Skipped
}

// Skipped lists the files that are left out.
type Skipped struct {
	// Secret are files that may hold secrets, and Links are links; neither is read. Others are no regular files.
	Secret, Links, Others []string
	// Unread are files and folders that would be shown and cannot be read, each with the reason.
	Unread []string
	// Cut says that the folder is too large to be listed whole, or is "".
	Cut string
}

// Listing lists what a glob matches, "" for everything. Nothing of it is cached.
func (w *Workspace) Listing(ctx context.Context, glob string) (Listing, error) {
	matches, err := matcher(glob)
	if err != nil {
		return Listing{}, err
	}
	var l Listing
	if w.guard.tree != nil {
		l.Files, l.Skipped = w.listTree()
		for _, withheld := range w.guard.tree.AllWithheld() {
			switch {
			case strings.HasPrefix(withheld.Reason, "it is a link"):
				l.Links = append(l.Links, withheld.Path)
			case !skips(strings.Split(path.Dir(withheld.Path), "/")) &&
				(matches(withheld.Path) || strings.HasPrefix(withheld.Reason, "it is a submodule")):
				l.Unread = append(l.Unread, withheld.Path+": "+withheld.Reason)
			}
		}
	} else if l.Files, l.Skipped, err = w.walkFiles(ctx); err != nil {
		return Listing{}, err
	}
	for _, names := range []*[]string{&l.Files, &l.Secret, &l.Links, &l.Others} {
		*names = slices.DeleteFunc(*names, func(name string) bool { return !matches(name) })
	}
	return l, nil
}

// walkFiles lists the files of the folder that can be shown, in order. In a very large folder, these are the ones nearest
// to the top.
func (w *Workspace) walkFiles(ctx context.Context) (files []string, skipped Skipped, err error) {
	limited, cancel := context.WithTimeout(ctx, w.limits.listing)
	defer cancel()
	walk := &walker{ctx: limited, allow: w.allow, guard: w.guard, inFolder: w.limits.inFolder}
	walk.visit = func(_ *os.Root, name string, entry fs.DirEntry) error {
		switch {
		case entry.Type()&fs.ModeSymlink != 0:
			skipped.Links = append(skipped.Links, name)
		case !entry.Type().IsRegular():
			skipped.Others = append(skipped.Others, name)
		case SecretName(name) != "" && !Allowed(name, w.allow):
			skipped.Secret = append(skipped.Secret, name)
		case len(files) == w.limits.files:
			return errEnough
		default:
			files = append(files, name)
			return nil
		}
		return limited.Err()
	}
	err = walk.walk(w.root)
	if ctx.Err() != nil {
		return nil, Skipped{}, ctx.Err()
	}
	if err != nil && !errors.Is(err, errEnough) && !errors.Is(err, context.DeadlineExceeded) {
		return nil, Skipped{}, err
	}
	if err != nil || walk.cut {
		skipped.Cut = fmt.Sprintf("only %s of the folder were listed", plain.Counted(len(files), "file"))
	}
	for _, folder := range walk.unread {
		skipped.Unread = append(skipped.Unread, folder+": the folder cannot be read")
	}
	slices.Sort(files)
	return files, skipped, nil
}

// listTree lists the files of the commit that can be shown, in order.
func (w *Workspace) listTree() (files []string, skipped Skipped) {
	for _, name := range w.guard.tree.Names() {
		folders := strings.Split(path.Dir(name), "/")
		switch {
		case skips(folders):
		case len(folders) > maxDepth:
			skipped.Unread = append(skipped.Unread, name+": it is too deep")
		case SecretName(name) != "" && !Allowed(name, w.allow):
			skipped.Secret = append(skipped.Secret, name)
		case len(files) == w.limits.files:
			skipped.Cut = fmt.Sprintf("only %s of the commit were listed", plain.Counted(len(files), "file"))
			return files, skipped
		default:
			files = append(files, name)
		}
	}
	return files, skipped
}

// skips reports whether a folder that belongs to another tool is on a path.
func skips(folders []string) bool {
	return slices.ContainsFunc(folders, func(folder string) bool { return slices.Contains(skippedFolders, folder) })
}

// Dir returns the folder.
func (w *Workspace) Dir() string { return w.dir }

// Content returns the bytes of a listed file, at most most of them. Secrets are not removed.
func (w *Workspace) Content(name string, most int64) ([]byte, error) {
	if w.guard.tree != nil {
		return w.guard.tree.Read(name, most)
	}
	file, err := w.root.OpenFile(name, regular.Flags, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // it was only read
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	data, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && int64(len(data)) > most {
		return nil, fmt.Errorf("it has more than %d MiB", most>>20)
	}
	return data, err
}

// Secret returns why a file is not shown because it may hold secrets or is withheld from the commit, or "".
func (w *Workspace) Secret(ctx context.Context, name string) string {
	if w.guard.tree != nil {
		if why := w.guard.tree.Withheld(name); why != "" {
			return why
		}
	}
	return w.guard.Secret(ctx, name, w.allow)
}

// Redact returns the text of a file without secrets.
func (w *Workspace) Redact(name, text string) string {
	if w.redactor == nil {
		return text
	}
	text, _ = w.redactor.Named(name, text)
	return text
}
