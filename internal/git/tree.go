package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxTreeFile is the maximum size of a file in a commit. Larger files are withheld: no citation or search reads them.
const maxTreeFile = 16 << 20

// maxCopy is the maximum size of a copy of the files.
const maxCopy = 4 << 30

// Tree is a folder of a work tree as of a commit or another tree, whatever is checked out. A file is read from disk if
// its content matches the commit, and otherwise from the object. It is safe for concurrent use. The caller must close
// it.
type Tree struct {
	// Folder is the folder that the files belong to, and Commit the commit. It is the tree if there is no commit of it,
	// as of the index and of the work tree.
	Folder, Commit string
	// what names it in messages.
	what string

	repository *Repository
	prefix     string
	// files has the files by path, relative to the folder. names has their paths in order.
	files map[string]Entry
	names []string
	// withheld has the paths that are not shown, with the reasons.
	withheld []Withheld
	// root is the opened top of the work tree.
	root *os.Root
	// stored holds the concatenated objects that the work tree lacks, and places their positions.
	stored *os.File
	places map[string]place

	mutex sync.Mutex
	// copying guards copy, the folder that Copy wrote, or "", and partial, those of CopyWithout.
	copying sync.Mutex
	copy    string
	partial []string
}

type place struct{ offset, size int64 }

// OpenTree opens the files of a commit, or of a tree, of the repository around a folder.
func OpenTree(ctx context.Context, folder, commit string) (*Tree, error) {
	repository, err := Open(ctx, folder)
	if err != nil {
		return nil, fmt.Errorf("open the repository of the reviewed commit: %w", err)
	}
	tree, err := repository.OpenTree(ctx, folder, commit)
	if err != nil {
		repository.Close()
	}
	return tree, err
}

// OpenTree opens the files of a commit or of a tree, also of one that was made by WorkTree, Index or Patched. The tree
// closes the repository, unless it cannot be opened.
func (r *Repository) OpenTree(ctx context.Context, folder, commit string) (*Tree, error) {
	t := &Tree{
		Folder: folder, Commit: commit, repository: r, prefix: r.place.Prefix(folder),
		what: fmt.Sprintf("in commit %.12s", commit), files: map[string]Entry{}, places: map[string]place{},
	}
	if err := t.read(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("read the files of the reviewed commit %.12s in %s: %w", commit, folder,
			err), t.closeFiles())
	}
	return t, nil
}

// Close removes all files written for the tree.
func (t *Tree) Close() error {
	err := t.closeFiles()
	t.copying.Lock()
	defer t.copying.Unlock()
	for _, folder := range append([]string{t.copy}, t.partial...) {
		if folder != "" {
			makeRemovable(folder)
		}
	}
	t.repository.Close()
	return err
}

func (t *Tree) closeFiles() error {
	var err error
	if t.stored != nil {
		err = t.stored.Close()
	}
	if t.root != nil {
		err = errors.Join(err, t.root.Close())
	}
	return err
}

// makeRemovable lets the folders that a program protected be removed, such as those of a module cache.
func makeRemovable(folder string) {
	_ = filepath.WalkDir(folder, func(name string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && err == nil {
			if info, err := entry.Info(); err == nil && info.Mode()&0o700 != 0o700 {
				_ = os.Chmod(name, 0o700) //nolint:gosec // a folder
			}
		}
		return nil
	})
}

// read lists the files, and stores the contents that the work tree lacks.
func (t *Tree) read(ctx context.Context) error {
	r := t.repository
	if _, err := r.Commit(ctx, t.Commit); err != nil {
		if tree, treeErr := r.TreeOf(ctx, t.Commit); treeErr != nil || tree != t.Commit {
			return err
		}
		t.what = "in the reviewed tree"
	}
	entries, err := r.entries(ctx, t.Commit)
	if err != nil {
		return err
	}
	if t.root, err = os.OpenRoot(r.place.Top); err != nil {
		return err
	}
	for name, e := range entries {
		below := name
		if t.prefix != "" {
			var found bool
			if below, found = strings.CutPrefix(name, t.prefix+"/"); !found {
				continue
			}
		}
		switch e.Mode {
		case modeModule:
			t.withhold(below, "it is a submodule, a repository of its own, at "+shortModule(e.Mode, e.ID))
		case modeLink:
			t.withhold(below, "it is a link; links are not followed")
		default:
			t.files[below] = e
			t.names = append(t.names, below)
		}
	}
	var mutex sync.Mutex
	other := map[string]bool{}
	top := make([]string, len(t.names))
	for i, name := range t.names {
		top[i] = path.Join(t.prefix, name)
	}
	err = r.eachFile(ctx, top, func(in *os.Root, name string, buffer *bytes.Buffer) error {
		id := entries[name].ID
		if in != nil {
			content, err := readFile(in, path.Base(name), buffer, maxTreeFile+1)
			if err == nil && int64(len(content)) <= maxTreeFile && r.name("blob", content) == id {
				return nil
			}
		}
		mutex.Lock()
		defer mutex.Unlock()
		other[id] = true
		return nil
	})
	if err != nil {
		return err
	}
	reasons, err := t.store(ctx, other)
	if err != nil {
		return err
	}
	t.names = slices.DeleteFunc(t.names, func(name string) bool {
		why := reasons[t.files[name].ID]
		if why != "" {
			t.withhold(name, why)
			delete(t.files, name)
		}
		return why != ""
	})
	slices.Sort(t.names)
	slices.SortFunc(t.withheld, func(a, b Withheld) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

func (t *Tree) withhold(name, why string) { t.withheld = append(t.withheld, Withheld{name, why}) }

// LeaveOut removes files from the tree, with the reason why they are not shown. Their paths are those in the repository.
// It must be called before the tree is used.
func (t *Tree) LeaveOut(paths []string, why string) {
	for _, name := range paths {
		below := name
		if t.prefix != "" {
			var found bool
			if below, found = strings.CutPrefix(name, t.prefix+"/"); !found {
				continue
			}
		}
		delete(t.files, below)
		t.withhold(below, why)
	}
	t.names = slices.DeleteFunc(t.names, func(name string) bool { return t.files[name].Mode == "" })
	slices.SortFunc(t.withheld, func(a, b Withheld) int { return strings.Compare(a.Path, b.Path) })
}

// store writes objects to one file, and returns why some are missing.
func (t *Tree) store(ctx context.Context, ids map[string]bool) (reasons map[string]string, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	if t.stored, err = os.OpenFile(filepath.Join(t.repository.private, "objects"), os.O_CREATE|os.O_RDWR,
		0o600); err != nil {
		return nil, err
	}
	var wanted []string
	for id := range ids {
		wanted = append(wanted, id)
	}
	slices.Sort(wanted)
	reasons = map[string]string{}
	end := int64(0)
	err = t.repository.objects(ctx, wanted, maxTreeFile, func(id, kind string, size int64, content io.Reader) error {
		switch {
		case kind == "missing":
			reasons[id] = "its contents are not in this clone, which is partial or damaged"
		case kind != "blob":
			reasons[id] = "it is not a file"
		case size > maxTreeFile:
			reasons[id] = fmt.Sprintf("it has more than %d MiB", maxTreeFile>>20)
		default:
			if _, err := io.Copy(t.stored, content); err != nil {
				return err
			}
			t.places[id] = place{end, size}
			end += size
		}
		return nil
	})
	return reasons, err
}

// Names returns the paths of the files in order.
func (t *Tree) Names() []string { return t.names }

// Stat returns fs.ErrNotExist if there is no such file or folder.
func (t *Tree) Stat(name string) (isFolder bool, err error) {
	if _, found := t.files[name]; found {
		return false, nil
	}
	at, _ := slices.BinarySearch(t.names, name+"/")
	if at < len(t.names) && strings.HasPrefix(t.names[at], name+"/") {
		return true, nil
	}
	return false, fs.ErrNotExist
}

// Withheld returns why a path of the commit is not shown, or "".
func (t *Tree) Withheld(name string) string {
	for _, w := range t.withheld {
		if name == w.Path || strings.HasPrefix(name, w.Path+"/") {
			return fmt.Sprintf("%s is not shown, as it is %s: %s", w.Path, t.what, w.Reason)
		}
	}
	return ""
}

// AllWithheld returns the paths that are not shown, with the reasons.
func (t *Tree) AllWithheld() []Withheld { return t.withheld }

// Read returns the content of a file of at most most bytes.
func (t *Tree) Read(name string, most int64) ([]byte, error) {
	e, found := t.files[name]
	if !found {
		return nil, fs.ErrNotExist
	}
	at, isStored := t.places[e.ID]
	if !isStored {
		content, err := readRegular(t.root, filepath.FromSlash(path.Join(t.prefix, name)), most)
		if err == nil && t.repository.name("blob", content) == e.ID {
			return content, nil
		}
		return t.again(e.ID, most)
	}
	if at.size > most {
		return nil, fmt.Errorf("%s has more than %d bytes", name, most)
	}
	content := make([]byte, at.size)
	_, err := t.stored.ReadAt(content, at.offset)
	return content, err
}

// Open implements fs.FS for files only.
func (t *Tree) Open(name string) (fs.File, error) {
	content, err := t.Read(name, maxTreeFile)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &treeFile{Reader: bytes.NewReader(content), name: path.Base(name)}, nil
}

// treeFile is an open file of a commit and its own fs.FileInfo.
type treeFile struct {
	*bytes.Reader
	name string
}

func (f *treeFile) Close() error               { return nil }
func (f *treeFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *treeFile) Name() string               { return f.name }
func (f *treeFile) Mode() fs.FileMode          { return 0o400 }
func (f *treeFile) ModTime() time.Time         { return time.Time{} }
func (f *treeFile) IsDir() bool                { return false }
func (f *treeFile) Sys() any                   { return nil }

// again reads the object of a file that the work tree had when it was opened.
func (t *Tree) again(id string, most int64) (content []byte, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), MaxTime)
	defer cancel()
	t.mutex.Lock()
	defer t.mutex.Unlock()
	err = t.repository.objects(ctx, []string{id}, most, func(_, kind string, size int64, in io.Reader) error {
		if kind != "blob" || size > most {
			return fmt.Errorf("the object %.12s is %s, of %d bytes", id, kind, size)
		}
		content, err = io.ReadAll(in)
		return err
	})
	return content, err
}

// What names the tree in messages: "in commit 4f2d8c1a9b0e".
func (t *Tree) What() string { return t.what }

// Copy writes the files to a folder of their own, once, and returns it. The files are as in the repository: filters,
// line endings and attributes do not change them.
func (t *Tree) Copy(ctx context.Context) (string, error) {
	t.copying.Lock()
	defer t.copying.Unlock()
	if t.copy != "" {
		return t.copy, nil
	}
	folder, err := t.copyTo(ctx, "files", func(string) bool { return false })
	t.copy = folder
	return folder, err
}

// CopyTo writes the files to a folder that the caller made, and removes with RemoveCopy.
func (t *Tree) CopyTo(ctx context.Context, folder string) error {
	if err := t.write(ctx, folder, func(string) bool { return false }); err != nil {
		return fmt.Errorf("copy the files %s: %w", t.what, err)
	}
	return nil
}

// RemoveCopy removes a folder that CopyTo wrote to, with what programs left in it.
func RemoveCopy(folder string) error {
	makeRemovable(folder)
	return os.RemoveAll(folder)
}

// CopyWithout writes the files, without some, to a new folder at each call, since the reader of one may change it.
func (t *Tree) CopyWithout(ctx context.Context, leaveOut func(name string) bool) (string, error) {
	t.copying.Lock()
	defer t.copying.Unlock()
	folder, err := t.copyTo(ctx, fmt.Sprintf("partial-%d", len(t.partial)+1), leaveOut)
	if err == nil {
		t.partial = append(t.partial, folder)
	}
	return folder, err
}

func (t *Tree) copyTo(ctx context.Context, name string, leaveOut func(string) bool) (string, error) {
	folder := filepath.Join(t.repository.private, name)
	err := os.Mkdir(folder, 0o700)
	if err == nil {
		err = t.write(ctx, folder, leaveOut)
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("copy the files %s: %w", t.what, err), os.RemoveAll(folder))
	}
	return folder, nil
}

// write writes the files to a folder.
func (t *Tree) write(ctx context.Context, folder string, leaveOut func(string) bool) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // errors of its files are returned
	places, ids := map[string][]string{}, []string(nil)
	for name, e := range t.files {
		if !isPlain(name) || leaveOut(name) {
			continue
		}
		if places[e.ID] == nil {
			ids = append(ids, e.ID)
		}
		places[e.ID] = append(places[e.ID], name)
	}
	slices.Sort(ids)
	made, left := map[string]bool{".": true}, int64(maxCopy)
	return t.repository.objects(ctx, ids, maxTreeFile, func(id, kind string, _ int64, content io.Reader) error {
		if kind != "blob" {
			return nil
		}
		data, err := io.ReadAll(content)
		if err != nil {
			return err
		}
		for _, name := range places[id] {
			if left -= int64(len(data)); left < 0 {
				return fmt.Errorf("they have more than %d GiB", maxCopy>>30)
			}
			if below := path.Dir(name); !made[below] {
				if err := root.MkdirAll(filepath.FromSlash(below), 0o700); err != nil {
					return err
				}
				made[below] = true
			}
			mode := os.FileMode(0o600)
			if t.files[name].Mode == modeProgram {
				mode = 0o700
			}
			// Do not overwrite a file if the disk treats two paths as equal, as on macOS.
			file, err := root.OpenFile(filepath.FromSlash(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
			if errors.Is(err, os.ErrExist) {
				continue
			}
			if err != nil {
				return err
			}
			_, err = file.Write(data)
			if err := errors.Join(err, file.Close()); err != nil {
				return err
			}
		}
		return nil
	})
}

// isPlain reports whether a path stays inside its folder on every system, and has no .git element.
func isPlain(name string) bool {
	if name == "" || !filepath.IsLocal(filepath.FromSlash(name)) ||
		strings.ContainsAny(name, "\\:\x00") && os.PathSeparator == '\\' {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || part == ".." || strings.EqualFold(strings.TrimRight(part, ". "), ".git") ||
			strings.EqualFold(part, "git~1") {
			return false
		}
	}
	return true
}
