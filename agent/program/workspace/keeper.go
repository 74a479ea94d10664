// Package workspace reports what a program changed in a folder, by comparing a
// Snapshot before its call with one after it: sizes, times and contents of files, and
// the branch, index and hooks of git. Folders that .gitignore excludes are not looked
// at. Start at Keeper.
package workspace

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"moot/protocol"
)

// Keeper compares a folder before and after each call of a program. The zero Keeper
// does nothing.
type Keeper struct {
	folder string
	// ours are the paths below it that moot itself writes to.
	ours  []string
	mutex sync.Mutex
	last  *Snapshot
	// late are the canceled calls that were not reported yet.
	late []*aftermath
}

// NewKeeper returns a Keeper of a folder, or of nothing for "". It ignores changes
// below the paths in ours, which moot itself writes to.
func NewKeeper(folder string, ours ...string) *Keeper {
	k := &Keeper{folder: folder}
	for _, path := range ours {
		below, err := filepath.Rel(resolve(folder), resolve(path))
		if path != "" && err == nil && filepath.IsLocal(below) {
			k.ours = append(k.ours, filepath.ToSlash(below))
		}
	}
	return k
}

// resolve resolves the links in a path as far as it exists.
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

// take looks at the folder and keeps the result for the next look.
func (k *Keeper) take(ctx context.Context, before *Snapshot) (*Snapshot, error) {
	now, err := Take(ctx, k.folder, before)
	if err == nil {
		k.mutex.Lock()
		k.last = now
		k.mutex.Unlock()
	}
	return now, err
}

// Look is a call of a program, with the folder before it. The zero Look reports no
// changes.
type Look struct {
	keeper *Keeper
	before *Snapshot
	err    error
}

// Before looks at the folder before a call. It waits, within ctx, for the looks after
// canceled calls, so that each call is charged with its own changes.
func (k *Keeper) Before(ctx context.Context) *Look {
	if k.folder == "" {
		return &Look{}
	}
	for _, a := range k.canceled() {
		select {
		case <-a.done:
		case <-ctx.Done():
		}
	}
	k.mutex.Lock()
	last := k.last
	k.mutex.Unlock()
	before, err := k.take(ctx, last)
	if ctx.Err() != nil {
		return &Look{} // Nothing runs after that.
	}
	return &Look{keeper: k, before: before, err: err}
}

// After looks at the folder again, and reports the changes or "". No context cuts it
// short: changes must be known.
func (l *Look) After() string {
	k, err := l.keeper, l.err
	if k == nil {
		return ""
	}
	if err == nil {
		var now *Snapshot
		if now, err = k.take(context.Background(), l.before); err == nil {
			changes := now.Since(l.before)
			changes.Files = slices.DeleteFunc(changes.Files, func(c Change) bool {
				return slices.ContainsFunc(k.ours, func(own string) bool {
					return c.Path == own || strings.HasPrefix(c.Path, own+"/")
				})
			})
			return changes.String()
		}
	}
	return "may have changed files: " + err.Error()
}

// aftermath is the report about a canceled call. text may be read once done is closed.
type aftermath struct {
	done chan struct{}
	text string
}

// Cancelled replaces After for a canceled call: the folder is looked at in the
// background once ended has returned, which waits for the call's processes.
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

// Aftermath waits for the reports about canceled calls, and returns each once: a
// sentence that begins with who.
func (k *Keeper) Aftermath(who string) []string {
	var reports []string
	for _, a := range k.canceled() {
		<-a.done
		k.mutex.Lock()
		i := slices.Index(k.late, a)
		if i >= 0 {
			k.late = slices.Delete(k.late, i, i+1)
		}
		k.mutex.Unlock()
		if i >= 0 && a.text != "" {
			reports = append(reports, who+" "+a.text)
		}
	}
	return reports
}

// Close waits until no look is running.
func (k *Keeper) Close() {
	for _, a := range k.canceled() {
		<-a.done
	}
}

func (k *Keeper) canceled() []*aftermath {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return slices.Clone(k.late)
}

// AddNotes adds the notes of a call to its error, so that changes made before a failure
// are reported too. It leaves errors unchanged that the protocol does not know.
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
