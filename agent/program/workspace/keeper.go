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

// Before looks at the folder, and returns what looks at it again after the call and
// says what has changed, "" for nothing. A folder that cannot be looked at is said
// to be so. Where calls run side by side, each is told what changed during it.
func (k *Keeper) Before(ctx context.Context) (after func() string) {
	if k.folder == "" {
		return func() string { return "" }
	}
	before, err := Take(ctx, k.folder, k.latest())
	if err != nil {
		return func() string { return unseen(ctx, err) }
	}
	k.keep(before)
	return func() string {
		// What the call changed is looked for after a cancel too.
		now, err := Take(context.WithoutCancel(ctx), k.folder, before)
		if err != nil {
			return unseen(ctx, err)
		}
		k.keep(now)
		return k.without(now.Since(before)).String()
	}
}

func unseen(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return ""
	}
	return "may have changed files: " + err.Error()
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
