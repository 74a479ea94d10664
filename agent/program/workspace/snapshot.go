package workspace

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"moot/agent/search"
	"moot/internal/plain"
)

const (
	// MaxFiles is how many files a Snapshot holds, longest how long it may take.
	MaxFiles = 50_000
	longest  = 5 * time.Second
	// Files of up to maxHashed bytes are compared by their contents, up to maxRead
	// bytes in all.
	maxHashed = 1 << 20
	maxRead   = 128 << 20
	// grain is how coarse the times of a file may be: a file written this shortly
	// before a Snapshot may change again without another time.
	grain = 2 * time.Second
)

// Snapshot is the state of a folder.
type Snapshot struct {
	folder string
	seed   maphash.Seed
	taken  time.Time
	files  map[string]file
	// cut says that the folder has more files.
	cut bool
}

// file is one file of a Snapshot.
type file struct {
	mark mark
	// content is a hash of the contents if hashed.
	content uint64
	hashed  bool
}

// mark holds the metadata of a file. A different mark may still be the same
// file, as after touch; an equal one is.
type mark struct {
	mode    fs.FileMode
	size    int64
	written int64
	// changed and node are 0 on systems that do not report them.
	changed int64
	node    uint64
	link    string
}

// errFull ends a look.
var errFull = errors.New("enough files were looked at")

// Take looks at a folder. before is an earlier Snapshot of it, which saves reading
// unchanged files, or nil. A folder that is too large, or takes too long, is looked
// at in part. The error is the context's, or that of the folder.
func Take(ctx context.Context, folder string, before *Snapshot) (*Snapshot, error) {
	s := &Snapshot{folder: folder, seed: maphash.MakeSeed(), taken: time.Now(), files: map[string]file{}}
	if before != nil && before.folder == folder {
		s.seed = before.seed
	} else {
		before = &Snapshot{}
	}
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	left, buffer := int64(maxRead), make([]byte, 64<<10)
	err := search.Files(limited, folder, func(in *os.Root, path string, entry fs.DirEntry) error {
		if len(s.files) == MaxFiles {
			return errFull
		}
		info, err := entry.Info()
		if err != nil {
			return nil //nolint:nilerr // it was removed meanwhile
		}
		f := file{mark: mark{mode: info.Mode(), size: info.Size(), written: info.ModTime().UnixNano()}}
		f.mark.changed, f.mark.node = systemMark(info)
		if f.mark.mode&fs.ModeSymlink != 0 {
			f.mark.link, _ = in.Readlink(entry.Name())
		}
		earlier, known := before.files[path]
		fresh := max(f.mark.written, f.mark.changed) > before.taken.Add(-grain).UnixNano()
		switch {
		case known && earlier.mark == f.mark && !fresh:
			f.content, f.hashed = earlier.content, earlier.hashed
		case f.mark.mode.IsRegular() && f.mark.size <= maxHashed && left >= f.mark.size:
			left -= f.mark.size
			f.content, f.hashed = s.read(in, entry.Name(), buffer)
		}
		s.files[path] = f
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, errFull), errors.Is(err, context.DeadlineExceeded):
		s.cut = true
	case err != nil:
		return nil, fmt.Errorf("look at the files of the workspace: %w", err)
	}
	s.git(folder)
	return s, nil
}

// read hashes a file.
func (s *Snapshot) read(in *os.Root, name string, buffer []byte) (content uint64, ok bool) {
	// O_NONBLOCK: a pipe may have replaced the file.
	opened, err := in.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return 0, false
	}
	defer func() { _ = opened.Close() }()
	var hash maphash.Hash
	hash.SetSeed(s.seed)
	if _, err := io.CopyBuffer(&hash, io.LimitReader(opened, maxHashed+1), buffer); err != nil {
		return 0, false
	}
	return hash.Sum64(), true
}

// Kind says how a file changed.
type Kind string

// The kinds.
const (
	Added   Kind = "new"
	Changed Kind = "changed"
	Removed Kind = "gone"
)

// Change is one changed file, with its path relative to the folder.
type Change struct {
	Path string
	Kind Kind
}

// Changes are sorted by path, with git's own files last.
type Changes struct {
	Files []Change
	// Cut says that the folder was not compared as a whole.
	Cut bool
}

// Since returns the changes from an earlier Snapshot to this one. If either has only
// a part of the folder, new and removed files are unknown.
func (s *Snapshot) Since(before *Snapshot) Changes {
	changes := Changes{Cut: s.cut || before.cut}
	add := func(path string, kind Kind) { changes.Files = append(changes.Files, Change{path, kind}) }
	for path, now := range s.files {
		old, known := before.files[path]
		switch {
		case !known && (!changes.Cut || isGit(path)):
			add(path, Added)
		case known && !same(&old, &now):
			add(path, Changed)
		}
	}
	for path := range maps.Keys(before.files) {
		if _, known := s.files[path]; !known && (!changes.Cut || isGit(path)) {
			add(path, Removed)
		}
	}
	slices.SortFunc(changes.Files, func(a, b Change) int {
		if isGit(a.Path) != isGit(b.Path) {
			if isGit(a.Path) {
				return 1
			}
			return -1
		}
		return strings.Compare(a.Path, b.Path)
	})
	return changes
}

// same compares contents if both are known.
func same(a, b *file) bool {
	if a.mark == b.mark && (!a.hashed || !b.hashed) {
		return true
	}
	return a.hashed && b.hashed && a.content == b.content && a.mark.mode == b.mark.mode
}

// String is a sentence without a subject, "changed 2 files in the workspace: a.go,
// b.go (new)", or "". Paths are escaped: a program chose them.
func (c Changes) String() string {
	const most = 5
	if len(c.Files) == 0 {
		return ""
	}
	var names []string
	for _, f := range c.Files[:min(most, len(c.Files))] {
		name := plain.Line(plain.Clip(f.Path, 100))
		if f.Kind != Changed {
			name += " (" + string(f.Kind) + ")"
		}
		names = append(names, name)
	}
	count := plain.Counted(len(c.Files), "file")
	text := fmt.Sprintf("changed %s in the workspace: %s", count, strings.Join(names, ", "))
	if more := len(c.Files) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if c.Cut {
		text += "; it is too large to compare completely"
	}
	return text
}
