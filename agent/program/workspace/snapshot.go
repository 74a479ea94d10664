package workspace

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"moot/agent/search"
)

const (
	// MaxFiles is how many files are looked at.
	MaxFiles = 50_000
	// longest is how long a look may take.
	longest = 5 * time.Second
	// Files of up to maxHashed bytes are told apart by their contents, as long as
	// those that are read are no more than maxRead in all.
	maxHashed = 1 << 20
	maxRead   = 128 << 20
	// grain is how coarse the times of a file may be: one that was written that
	// shortly before a Snapshot may be written again without another time.
	grain = 2 * time.Second
)

// Snapshot is what a folder held at a time.
type Snapshot struct {
	folder string
	seed   maphash.Seed
	taken  time.Time
	// files are in the order of ordered.
	files []file
	// cut says that there was more than was looked at.
	cut bool
}

// file is one file of a Snapshot.
type file struct {
	path string
	mark mark
	// content is a hash of what it holds where hashed.
	content uint64
	hashed  bool
}

// mark is what the system tells of a file. What differs in it may be the same file
// still, as after touch; what is equal in it is.
type mark struct {
	mode    fs.FileMode
	size    int64
	written int64
	// changed and node are 0 where the system does not tell them.
	changed int64
	node    uint64
	link    string
}

// errFull ends a look that has seen enough.
var errFull = errors.New("enough files were looked at")

// Take looks at a folder. Before is an earlier Snapshot of it, which saves reading
// what has not changed since, or nil. It ends early with ctx's error. A folder of
// over MaxFiles files, or that takes too long, is looked at in part, which
// Changes.Cut tells.
func Take(ctx context.Context, folder string, before *Snapshot) (*Snapshot, error) {
	s := &Snapshot{folder: folder, seed: maphash.MakeSeed(), taken: time.Now()}
	if before != nil && before.folder == folder {
		s.seed = before.seed
	} else {
		before = &Snapshot{}
	}
	limited, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	t := &taker{snapshot: s, before: before, left: maxRead, buffer: make([]byte, 64<<10)}
	err := search.Files(limited, folder, t.visit)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, errFull), errors.Is(err, context.DeadlineExceeded):
		s.cut = true
	case err != nil:
		return nil, fmt.Errorf("look at what the workspace holds: %w", err)
	}
	s.files = append(s.files, t.git(folder)...)
	return s, nil
}

// taker takes a Snapshot.
type taker struct {
	snapshot, before *Snapshot
	// at is where the earlier Snapshot is read on: both are in one order.
	at     int
	left   int64
	buffer []byte
}

// visit looks at one file.
func (t *taker) visit(in *os.Root, path string, entry fs.DirEntry) error {
	if len(t.snapshot.files) == MaxFiles {
		return errFull
	}
	info, err := entry.Info()
	if err != nil {
		// It went away meanwhile.
		return nil //nolint:nilerr // see above
	}
	f := file{path: path, mark: markOf(info)}
	if f.mark.mode&fs.ModeSymlink != 0 {
		f.mark.link, _ = in.Readlink(entry.Name())
	}
	earlier := t.earlier(path)
	switch {
	case earlier != nil && earlier.mark == f.mark && !t.before.fresh(&f):
		f.content, f.hashed = earlier.content, earlier.hashed
	case f.mark.mode.IsRegular() && f.mark.size <= maxHashed && t.left >= f.mark.size:
		t.left -= f.mark.size
		f.content, f.hashed = t.read(in, entry.Name())
	}
	t.snapshot.files = append(t.snapshot.files, f)
	return nil
}

// earlier is the file as the earlier Snapshot has it, or nil.
func (t *taker) earlier(path string) *file {
	files := t.before.files
	for t.at < len(files) && ordered(files[t.at].path, path) < 0 && !isGit(files[t.at].path) {
		t.at++
	}
	if t.at < len(files) && files[t.at].path == path {
		return &files[t.at]
	}
	return nil
}

// fresh reports whether a file was written so shortly before a Snapshot that its
// times do not tell whether it was written again.
func (s *Snapshot) fresh(f *file) bool {
	return max(f.mark.written, f.mark.changed) > s.taken.Add(-grain).UnixNano()
}

// read hashes what a file holds.
func (t *taker) read(in *os.Root, name string) (content uint64, ok bool) {
	// A pipe that has taken the place of a file is not waited for.
	opened, err := in.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return 0, false
	}
	defer opened.Close()
	var hash maphash.Hash
	hash.SetSeed(t.snapshot.seed)
	if _, err := io.CopyBuffer(&hash, io.LimitReader(opened, maxHashed+1), t.buffer); err != nil {
		return 0, false
	}
	return hash.Sum64(), true
}

func markOf(info fs.FileInfo) mark {
	m := mark{mode: info.Mode(), size: info.Size(), written: info.ModTime().UnixNano()}
	m.changed, m.node = systemMark(info)
	return m
}

// ordered compares two paths in the order in which files are looked at: name by
// name.
func ordered(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return rankOf(a, n) - rankOf(b, n)
}

// rankOf is where the byte at i puts a path: its end before a slash, and that before
// all else.
func rankOf(path string, i int) int {
	switch {
	case i == len(path):
		return -1
	case path[i] == '/':
		return 0
	}
	return 1 + int(path[i])
}
