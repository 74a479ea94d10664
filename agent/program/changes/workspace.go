// Package changes reports what a program changed in a folder. It compares the mode, size and time of each file, and
// git's HEAD, refs, config and hooks, before and after a call. Folders excluded by .gitignore are skipped. Start at
// Keeper.
package changes

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"moot/internal/plain"
	"moot/protocol"
	"moot/workspace"
)

const (
	// maxFiles is the maximum number of files compared, and longest the maximum time to list them.
	maxFiles = 50_000
	longest  = 5 * time.Second
)

// snapshot maps paths to the state of their files.
type snapshot struct {
	files map[string]mark
	// cut says that the listing is incomplete.
	cut bool
}

// mark is the metadata of a file.
type mark struct {
	mode    fs.FileMode
	size    int64
	written time.Time
	link    string
}

var errFull = errors.New("enough files were listed")

// take lists a folder, or part of it if it is too large or takes too long. The error is the context's, or that of the
// folder.
func take(ctx context.Context, folder string) (*snapshot, error) {
	s := &snapshot{files: map[string]mark{}}
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	add := func(in *os.Root, path string, entry fs.DirEntry) error {
		if len(s.files) == maxFiles {
			return errFull
		}
		info, err := entry.Info()
		if err != nil {
			return nil //nolint:nilerr // it was removed meanwhile
		}
		m := mark{mode: info.Mode(), size: info.Size(), written: info.ModTime()}
		if m.mode&fs.ModeSymlink != 0 {
			m.link, _ = in.Readlink(entry.Name())
		}
		s.files[path] = m
		return nil
	}
	err := workspace.Files(limited, folder, add)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, errFull), errors.Is(err, context.DeadlineExceeded):
		s.cut = true
	case err != nil:
		return nil, fmt.Errorf("list the files of the workspace: %w", err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("list the files of the workspace: %w", err)
	}
	defer func() { _ = root.Close() }()
	// Skip objects and logs, which have no effect, and the index, which git status rewrites.
	for _, name := range []string{"HEAD", "config", "packed-refs", "info", "hooks", "refs/heads", "refs/tags"} {
		_ = fs.WalkDir(root.FS(), path.Join(".git", name), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return nil //nolint:nilerr // not every repository has the file
			}
			return add(root, path, entry)
		})
	}
	return s, nil
}

// since describes the changes since an earlier snapshot, as "changed 2 files in the workspace: a.go, b.go (new)", or
// returns "". where names the folder. If either snapshot is incomplete, new and removed files are unknown. Paths are escaped, because a
// program chose them.
func (s *snapshot) since(before *snapshot, ours []string, where string) string {
	const most = 5
	cut := s.cut || before.cut
	changes := map[string]string{}
	for path, now := range s.files {
		old, known := before.files[path]
		switch {
		case !known && !cut:
			changes[path] = " (new)"
		case known && old != now:
			changes[path] = ""
		}
	}
	for path := range before.files {
		if _, known := s.files[path]; !known && !cut {
			changes[path] = " (gone)"
		}
	}
	var names []string
	for path, kind := range changes {
		own := func(own string) bool { return path == own || strings.HasPrefix(path, own+"/") }
		if !slices.ContainsFunc(ours, own) {
			names = append(names, plain.Line(plain.Clip(path, 100))+kind)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	text := fmt.Sprintf("changed %s in %s: %s",
		plain.Counted(len(names), "file"), where, strings.Join(names[:min(most, len(names))], ", "))
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if cut {
		text += "; it is too large to compare completely"
	}
	return text
}

// Keeper compares a folder before and after each call of a program. The zero Keeper
// does nothing, nor does nil.
type Keeper struct {
	folder string
	// where names it in reports.
	where string
	// ours are the paths that moot itself writes to.
	ours  []string
	mutex sync.Mutex
	// late are canceled calls whose changes were not reported yet.
	late []*aftermath
}

// NewKeeper returns a Keeper of a folder; "" means none. It ignores changes below the paths in ours, which moot
// itself writes to.
func NewKeeper(folder string, ours ...string) *Keeper {
	k := &Keeper{folder: folder, where: "the workspace"}
	for _, path := range ours {
		below, err := filepath.Rel(resolve(folder), resolve(path))
		if path != "" && err == nil && filepath.IsLocal(below) {
			k.ours = append(k.ours, filepath.ToSlash(below))
		}
	}
	return k
}

// NewCopyKeeper returns a Keeper of a copy that was made for one program.
func NewCopyKeeper(folder string) *Keeper {
	return &Keeper{folder: folder, where: "its copy of the files under review"}
}

// resolve resolves links in the existing part of a path.
func resolve(path string) string {
	if path, err := filepath.Abs(path); err == nil {
		if resolved, err := filepath.EvalSymlinks(path); err == nil {
			return resolved
		}
		if folder := filepath.Dir(path); folder != path {
			return filepath.Join(resolve(folder), filepath.Base(path))
		}
	}
	return path
}

// Look is a call of a program with the state of the folder before it. The zero Look reports no changes.
type Look struct {
	keeper *Keeper
	before *snapshot
	err    error
}

// Before lists the folder before a call. It first waits, within ctx, for reports about canceled calls, so that each
// call is charged only with its own changes.
func (k *Keeper) Before(ctx context.Context) *Look {
	if k == nil || k.folder == "" {
		return &Look{}
	}
	for _, a := range k.canceled() {
		select {
		case <-a.done:
		case <-ctx.Done():
		}
	}
	before, err := take(ctx, k.folder)
	if ctx.Err() != nil {
		return &Look{} // nothing runs after that
	}
	return &Look{keeper: k, before: before, err: err}
}

// After lists the folder again and returns the changes, or "". It takes no context, because changes must always be
// reported.
func (l *Look) After() string {
	if l.keeper == nil {
		return ""
	}
	now, err := &snapshot{}, l.err
	if err == nil {
		now, err = take(context.Background(), l.keeper.folder)
	}
	if err != nil {
		return "may have changed files in " + l.keeper.where + ": " + err.Error()
	}
	return now.since(l.before, l.keeper.ours, l.keeper.where)
}

// aftermath is the report about a canceled call. text may be read after done is closed.
type aftermath struct {
	done chan struct{}
	text string
}

// Cancelled replaces After for a canceled call: the folder is listed in the background after ended, which waits for
// the call's processes, has returned.
func (l *Look) Cancelled(ended func()) {
	k := l.keeper
	if k == nil {
		return
	}
	a := &aftermath{done: make(chan struct{})}
	k.mutex.Lock()
	k.late = append(k.late, a)
	k.mutex.Unlock()
	go func() {
		defer close(a.done)
		ended()
		a.text = l.After()
	}()
}

// Aftermath waits for the reports about canceled calls and returns each once, as a sentence with the subject who.
func (k *Keeper) Aftermath(who string) []string {
	if k == nil {
		return nil
	}
	k.mutex.Lock()
	late := k.late
	k.late = nil
	k.mutex.Unlock()
	var reports []string
	for _, a := range late {
		if <-a.done; a.text != "" {
			reports = append(reports, who+" "+a.text)
		}
	}
	return reports
}

// Close waits until all listings are finished.
func (k *Keeper) Close() {
	if k == nil {
		return
	}
	for _, a := range k.canceled() {
		<-a.done
	}
}

func (k *Keeper) canceled() []*aftermath {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return slices.Clone(k.late)
}

// AddNotes adds notes to an error that the protocol knows, so that changes made before a failure are reported. It
// leaves other errors unchanged.
func AddNotes(err error, notes ...string) error {
	if len(notes) == 0 {
		return err
	}
	more := "; " + strings.Join(notes, "; ")
	if broken, ok := errors.AsType[*protocol.Broken](err); ok {
		broken.What += more
	}
	if gone, ok := errors.AsType[*protocol.Unreachable](err); ok {
		gone.What += more
	}
	if long, ok := errors.AsType[*protocol.TooLong](err); ok {
		long.What += more
	}
	return err
}
