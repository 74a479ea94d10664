package workspace

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// Keeper looks at a folder before and after each call of a program. The zero Keeper
// looks at nothing.
type Keeper struct {
	folder string
	// ours are files and folders below it that moot itself writes, with slashes.
	ours  []string
	mutex sync.Mutex
	last  *Snapshot
	// late are the calls that were cancelled and not told of yet.
	late []*aftermath
}

// NewKeeper returns a Keeper of a folder, or of nothing for "". Ours are the paths of
// files and folders that moot itself writes meanwhile, such as a recording: what
// changes there is no doing of a program.
func NewKeeper(folder string, ours ...string) *Keeper {
	k := &Keeper{folder: folder}
	for _, path := range ours {
		below, err := filepath.Rel(actual(folder), actual(path))
		if path != "" && err == nil && filepath.IsLocal(below) {
			k.ours = append(k.ours, filepath.ToSlash(below))
		}
	}
	return k
}

// actual is a path without links, as far as it exists.
func actual(path string) string {
	if path, err := filepath.Abs(path); err == nil {
		if resolved, err := filepath.EvalSymlinks(path); err == nil {
			return resolved
		}
		if folder := filepath.Dir(path); folder != path {
			return filepath.Join(actual(folder), filepath.Base(path))
		}
	}
	return path
}

// without drops what moot itself has changed.
func (k *Keeper) without(changes Changes) Changes {
	changes.Files = slices.DeleteFunc(changes.Files, func(c Change) bool {
		return slices.ContainsFunc(k.ours, func(own string) bool { return c.Path == own || strings.HasPrefix(c.Path, own+"/") })
	})
	return changes
}

// Look is a call of a program: what the folder held before it. The zero Look is of
// a call in which nothing can change.
type Look struct {
	keeper *Keeper
	before *Snapshot
	// err says why the folder could not be looked at.
	err error
}

// Before looks at the folder before a call. It waits, within ctx, for what is still
// looked at after calls that were cancelled, so that each is told of its own. Where
// calls run side by side, each is told what changed during it.
func (k *Keeper) Before(ctx context.Context) *Look {
	if k.folder == "" {
		return &Look{}
	}
	for _, a := range k.cancelled() {
		select {
		case <-a.told:
		case <-ctx.Done():
		}
	}
	before, err := Take(ctx, k.folder, k.latest())
	switch {
	case err == nil:
		k.keep(before)
	case ctx.Err() != nil:
		// Nothing runs after that.
		return &Look{}
	}
	return &Look{keeper: k, before: before, err: err}
}

// After looks at the folder again, and says what has changed, "" for nothing. A
// folder that cannot be looked at is said to be so. No context cuts it short: what
// was changed is to be known.
func (l *Look) After() string {
	k, err := l.keeper, l.err
	if k == nil {
		return ""
	}
	if err == nil {
		var now *Snapshot
		if now, err = Take(context.Background(), k.folder, l.before); err == nil {
			k.keep(now)
			return k.without(now.Since(l.before)).String()
		}
	}
	return "may have changed files: " + err.Error()
}

// aftermath is what a call changed that was cancelled. Text may be read once told is
// closed.
type aftermath struct {
	told chan struct{}
	text string
}

// Cancelled comes in place of After where the call was cancelled: the folder is looked
// at in the background, once ended has come back, and Aftermath tells of it. Ended
// waits until nothing of the call is at work any more.
func (l *Look) Cancelled(ended func()) {
	k := l.keeper
	if k == nil {
		return
	}
	a := &aftermath{told: make(chan struct{})}
	k.mutex.Lock()
	k.late = append(k.late, a)
	k.mutex.Unlock()
	go func() {
		defer close(a.told)
		ended()
		a.text = l.After()
	}()
}

// Aftermath waits until all is known of the calls that were cancelled, and returns
// what they changed, once: sentences whose subject is who.
func (k *Keeper) Aftermath(who string) []string {
	var told []string
	for _, a := range k.cancelled() {
		<-a.told
		if k.forget(a) && a.text != "" {
			told = append(told, who+" "+a.text)
		}
	}
	return told
}

// Close waits until nothing is looked at any more.
func (k *Keeper) Close() {
	for _, a := range k.cancelled() {
		<-a.told
	}
}

func (k *Keeper) cancelled() []*aftermath {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return slices.Clone(k.late)
}

// forget takes one out, and reports whether it was still there.
func (k *Keeper) forget(a *aftermath) bool {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	i := slices.Index(k.late, a)
	if i >= 0 {
		k.late = slices.Delete(k.late, i, i+1)
	}
	return i >= 0
}

func (k *Keeper) latest() *Snapshot {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return k.last
}

func (k *Keeper) keep(s *Snapshot) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.last = s
}
